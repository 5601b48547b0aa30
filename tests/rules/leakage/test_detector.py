"""What the detector takes for a secret, and what it must not: names, paths, references, placeholders, prose."""

from __future__ import annotations

import base64
import gzip
import json
import re
import string
import time
import timeit

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from crossgate.rules.leakage import _formats, _text
from crossgate.rules.leakage._detector import Found, decoded, detect, find, looks_random

WORD = "hunter" + "2-Tr0ub4dor"
RANDOM = "kq7Zp" + "0VbX3mWc9LtR" + "2yHs8Nd"
HEX = "9f86d081" + "884c7d65" + "9a2feaa0" + "c55ad015"
UUID = "3f2b8c1e" + "-7a4d-4e9b-8c2f-" + "1d6e5a9b0c7f"


def joined(*parts: str) -> str:
    """Return a credential put together here, so that no scanner takes this file for a leak."""
    return "".join(parts)


# -- by the meaning of the key ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    [
        "password",
        "DB_PASSWORD",
        "dbPassword",
        "db-passwd",
        "db.password",
        "MYSQL_PWD",
        "PGPASSWORD",
        "admin_pass",
        "passphrase",
        "ADMIN_PASSWORD_PROD",
        "password2",
        "TEST_PASSWORD_LONG_1",
        "masterUserPassword",
        "spring.datasource.password",
        "Passwort",
        "kennwort",
        "MOT_DE_PASSE",
        "contraseña",
        "senha",
    ],
)
@pytest.mark.parametrize(
    "value",
    [WORD, "postgres", "letmein", "Welcome 1!", "pwd_" + "x1", "A,.:-@*?!", "123456"],
    ids=lambda value: f"{len(value)} characters",
)
def test_whatever_stands_literally_under_a_password_is_one(key: str, value: str) -> None:
    assert detect(key, value) == "a password"


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("API_KEY", "an API key"),
        ("apikey", "an API key"),
        ("x-api-key", "an API key"),
        ("datadogApiKey", "an API key"),
        ("CLIENT_SECRET", "a secret"),
        ("auth0ClientSecret", "a secret"),
        ("SECRET_KEY_BASE", "a secret key"),
        ("DJANGO_SECRET_KEY", "a secret key"),
        ("AWS_SECRET_ACCESS_KEY", "a secret access key"),
        ("storageAccountAccessKey", "an access key"),
        ("storageAccountKey", "a secret key"),
        ("GITHUB_TOKEN", "a token"),
        ("authToken", "a token"),
        ("token_prod", "a token"),
        ("refreshToken1", "a token"),
        ("ssh_private_key", "a private key"),
        ("oktaKey", "a key"),
        ("REDIS_AUTH", "credentials"),
        ("Authorization", "credentials"),
    ],
)
def test_a_generated_text_under_a_name_for_credentials_is_one(key: str, kind: str) -> None:
    assert detect(key, RANDOM) == kind
    assert detect(key, UUID) == kind


NAMES_OF_NO_SECRET = [
    "SECRET_NAME",
    "secretName",
    "secret_arn",
    "DB_SECRET_ARN",
    "DB_PASSWORD_FILE",
    "PGPASSFILE",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "private_key_path",
    "tokenUrl",
    "token_endpoint",
    "access_token_url",
    "PASSWORD_MIN_LENGTH",
    "password_policy",
    "passwordExpiry",
    "secretsProvider",
    "secret_store",
    "SECRET_ID",
    "aws_access_key_id",
    "client_id",
    "credentialsId",
    "imagePullSecrets",
    "existingSecretKey",
    "secretRef",
    "publicKey",
    "ssh_public_key",
    "kms_key",
    "kmsKeyId",
    "partition_key",
    "primaryKey",
    "foreignKey",
    "cacheKey",
    "bucket_key",
    "MAX_TOKENS",
    "tokenizer",
    "csrf-token",
    "jwt_algorithm",
    "auth_kind",
    "apiGroup",
    "COMPASS_URL",
    "bypass",
    "hashed_password",
    "passwordHash",
    "keyVaultName",
    "allowPasswordReset",
    "APPINSIGHTS_INSTRUMENTATIONKEY",
    "APPLICATIONINSIGHTS_CONNECTION_STRING",
    "GIT_COMMIT",
    "image",
    "LOG_LEVEL",
]


@pytest.mark.parametrize("key", NAMES_OF_NO_SECRET)
@pytest.mark.parametrize(
    "value", ["prod-db", "my-app", "/etc/app/value", "https://login.example/token", "12", UUID, HEX]
)
def test_a_name_that_means_something_about_a_secret_makes_none(key: str, value: str) -> None:
    assert detect(key, value) is None


REFERENCES = [
    "${DB_PASSWORD}",
    "${{ secrets.DB_PASSWORD }}",
    "$DB_PASSWORD",
    "$(DB_PASSWORD)",
    "%DB_PASSWORD%",
    "{{ .Values.password }}",
    "{{resolve:secretsmanager:prod/db:SecretString:password}}",
    "{{resolve:ssm-secure:/prod/db/password:1}}",
    "<%= password %>",
    "#{password}#",
    "@Microsoft.KeyVault(SecretUri=https://v.vault.azure.net/secrets/db)",
    "@Microsoft.KeyVault(VaultName=v;SecretName=db)",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "arn:aws:ssm:eu-west-1:123456789012:parameter/prod/db",
    "projects/123/secrets/db/versions/latest",
    "/subscriptions/0/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v/secrets/s",
    "secretref:db-password",
    "ref+vault://kv/app#password",
    "vault:secret/data/app#password",
    "op://prod/db/password",
    "<path:secret/data/app#password>",
    "ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]",
    "/run/secrets/db",
    "/prod/db/password",
    "./keys/server.pem",
    "prod/db/password",
    "C:\\keys\\server.pfx",
    "server.key",
    "https://vault.example/v1/secret/app",
    "var.db_password",
    "data.aws_secretsmanager_secret_version.db.secret_string",
    "!Ref DbPassword",
    "!GetAtt Db.Password",
    "process.env.DB_PASSWORD",
    'os.environ["DB_PASSWORD"]',
    "get_secret('db')",
    "$6$salt$9fQyLZkHqQ0",
    "$2b$12$abcdefghijklmnopqrstuv",
]
PLACEHOLDERS = [
    "",
    "   ",
    "<token>",
    "[PASSWORD]",
    "{password}",
    "********",
    "xxxxxxxxxxxx",
    "YOUR_TOKEN_HERE",
    "your-password",
    "changeme",
    "change-me",
    "CHANGE_ME",
    "replace_me_please",
    "somefakekey",
    "TODO",
    "....",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
]
MODES = ["true", "false", "none", "null", "required", "optional", "disabled", "auto", "Bearer", "write", "0", "3600"]
PROSE = [
    "Password",
    "Repeat password",
    "Your password must have at least 8 characters.",
    "Passwort:",
    "Passwort ändern?",
]


@pytest.mark.parametrize("key", ["password", "API_KEY", "clientSecret", "oktaKey", "auth_token"])
@pytest.mark.parametrize("value", [*REFERENCES, *PLACEHOLDERS, *MODES])
def test_what_stands_for_a_secret_is_none(key: str, value: str) -> None:
    assert detect(key, value) is None


@pytest.mark.parametrize("value", PROSE)
def test_a_label_or_a_message_is_no_password(value: str) -> None:
    assert detect("password", value) is None


@pytest.mark.parametrize(
    "value", ["my-app-secret", "db", "regcred", "AWS_IAM", "CLIENT_SECRET", "aws_vault.main.token"]
)
def test_a_name_is_no_credential(value: str) -> None:
    for key in ("secret", "token", "clientSecret", "credential", "authorization"):
        assert detect(key, value) is None


# -- by providers' formats -------------------------------------------------------------------------------------------

LETTERS = "kQzpVbXmWcLtRyHsNdGfJhTqZwPxBvCn"
DIGITS = "7039281546"
MIXED = "kQ7zp0VbX3mWc9LtR2yHs8NdG4fJh6TqZw1PxBv5Cn" * 6
LOWER_HEX = "9f86d081884c7d659a2feaa0c55ad0153b1e7f42" * 6
UPPER = "KQ7ZP0VBX3MWC9LTR2YHS8NDG4FJH6TQZW1PXBV5CN" * 6
SAMPLES = {
    "an AWS access key": joined("AKIA", UPPER[:16]),
    "an AWS Bedrock key": joined("ABSK", MIXED[:120]),
    "an Alibaba access key": joined("LTAI", MIXED[:20]),
    "a Google API key": joined("AIza", MIXED[:35]),
    "a Google OAuth secret": joined("GOCSPX-", MIXED[:28]),
    "a DigitalOcean token": joined("dop_v1_", LOWER_HEX[:64]),
    "a GitHub token": joined("ghp_", MIXED[:36]),
    "a GitLab token": joined("glpat-", MIXED[:20]),
    "a Slack token": joined("xoxb-", "123456789012", "-", MIXED[:24]),
    "a Slack webhook": joined("https://hooks.slack.com/", "services/T00A0B0C0/B00D0E0F0/", MIXED[:24]),
    "a Discord bot token": joined("MTk4NjIyNDgzNDcxOTI1", "MjQ4.Cl2FMQ.", MIXED[:28]),
    "a Telegram bot token": joined("110201543", ":AA", MIXED[:33]),
    "a Stripe key": joined("sk_live_", MIXED[:24]),
    "a Twilio key": joined("SK", LOWER_HEX[:32]),
    "a SendGrid key": joined("SG.", MIXED[:22], ".", MIXED[:43]),
    "a Mailchimp key": joined(LOWER_HEX[:32], "-us12"),
    "an npm token": joined("npm_", MIXED[:36]),
    "a PyPI token": joined("pypi-AgE", MIXED[:80]),
    "a Docker token": joined("dckr_pat_", MIXED[:27]),
    "an OpenAI key": joined("sk-proj-", MIXED[:48]),
    "an Anthropic key": joined("sk-ant-", "api03-", MIXED[:80]),
    "a Hugging Face token": joined("hf_", MIXED[:34]),
    "a Databricks token": joined("dapi", LOWER_HEX[:32]),
    "a Vault token": joined("hvs.", MIXED[:32]),
    "a Terraform Cloud token": joined(MIXED[:14], ".atlasv1.", MIXED[:64]),
    "a Pulumi token": joined("pul-", LOWER_HEX[:40]),
    "an age key": joined("AGE-SECRET-KEY-1", UPPER[:58]),
    "a JSON Web Token": joined("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.", MIXED[:43]),
    "an Azure client secret": joined(MIXED[:3], "8Q~", MIXED[:34]),
    "an Azure storage key": joined("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=", MIXED[:86], "=="),
    "an Azure shared access key": joined("Endpoint=sb://b.servicebus.windows.net/;SharedAccessKey=", MIXED[:43], "="),
    "an Azure shared access signature": joined("https://a.blob.core.windows.net/c?sv=2022&sig=", MIXED[:43], "%3D"),
    "a private key": joined("-----BEGIN RSA ", "PRIVATE KEY-----\n", MIXED[:64], "\n-----END RSA PRIVATE KEY-----"),
    "registry credentials": joined('{"auths": {"r.example": {"auth": "', "dXNlcjpodW50ZXIy", '"}}}'),
    "a password in a URL": joined("postgres://app:", WORD, "@db.internal:5432/shop"),
}


@pytest.mark.parametrize(("kind", "value"), SAMPLES.items())
def test_a_providers_format_is_found_under_any_name_and_in_any_text(kind: str, value: str) -> None:
    assert detect(None, value) == kind
    assert detect("SETTING", value) == kind
    assert kind in {found.kind for found in find("SETTING", f"first line\nvalue {value}\nlast line")}
    assert kind in {found.kind for found in find("SETTING", json.dumps({"a": ["x", {"b": f"\n{value}"}]}))}


@pytest.mark.parametrize("value", [value for kind, value in SAMPLES.items() if "private" not in kind])
def test_what_is_found_is_the_secret_itself(value: str) -> None:
    for found in find(None, f"say {value} now"):
        assert found.text in value
        assert len(found.text) >= len(WORD) - 1


@pytest.mark.parametrize(
    "value",
    [
        joined("AKIA", "X" * 16),
        joined("ghp_", "a" * 36),
        joined("glpat-", "YOURTOKENGOESHERE000"),
        joined("AIza", "x" * 35),
        joined("hf_", "requiredCharacteristicTypesForDisplay"),
        joined("pk_live_", MIXED[:24]),
        "-----BEGIN PUBLIC KEY-----\n" + MIXED[:64] + "\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\n" + MIXED[:64] + "\n-----END CERTIFICATE-----",
        "-----BEGIN " + "PRIVATE KEY-----\nanything\n-----END PRIVATE KEY-----",
        "ssh-ed25519 " + MIXED[:68] + " dev@host",
        "https://user@example.com/path",
        "https://example.com:8443/@scope/package",
        "postgres://app:${DB_PASSWORD}@db.internal/shop",
        "postgres://app:$DB_PASSWORD@db.internal/shop",
        "postgres://app:<password>@db.internal/shop",
        "postgres://app:{{ .password }}@db.internal/shop",
        "registry.example/app@sha256:" + HEX * 2,
        "sha256:" + HEX * 2,
        HEX,
        HEX + "abcdef01",
        UUID,
        "i-0123456789abcdef0",
        "arn:aws:iam::123456789012:role/app",
        "123456789012.dkr.ecr.eu-west-1.amazonaws.com/app:1.2.3",
        "h1:" + MIXED[:43] + "=",
        "2024-01-01T00:00:00Z",
        "AmazonECSTaskExecutionRolePolicy",
        "InstrumentationKey=" + UUID + ";IngestionEndpoint=https://westeurope.in.applicationinsights.azure.com/",
    ],
)
def test_what_only_resembles_a_format_is_none(value: str) -> None:
    assert detect(None, value) is None
    assert detect("SETTING", value) is None


SIMPLE = [format_ for format_ in _formats.FORMATS if not format_.inside and "*" not in format_.rest]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.sampled_from(SIMPLE))
def test_the_shortcut_for_harmless_texts_hides_no_format(data: st.DataObject, format_: _formats.Format) -> None:
    """Whatever has a provider's format gets past the shortcut, unless words alone could have made it."""
    hint = data.draw(st.sampled_from(format_.hints))
    rest = data.draw(st.from_regex(re.compile(format_.rest, re.ASCII), fullmatch=True))
    assume(re.search(r"[a-zA-Z][0-9]+[a-zA-Z]", rest) is not None)
    if _formats.find_formats(hint + rest):
        assert find(None, hint + rest)


# -- by what a text states -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"export DB_PASSWORD={WORD}\n",
        f'DB_PASSWORD="{WORD}"',
        f"#!/bin/sh\nset -e\n  DB_PASSWORD='{WORD}' ./start\n",
        f"db.password={WORD}\n",
        f"db:\n  user: app\n  password: {WORD}\n",
        f"password: {WORD} # of the database",
        json.dumps({"db": {"user": "app", "password": WORD}}),
        json.dumps({"settings": json.dumps({"password": WORD})}),
        json.dumps([{"name": "DB_PASSWORD", "value": WORD}]),
        f'<add key="DbPassword" value="{WORD}" />',
        f"<Password>{WORD}</Password>",
        f"Server=db;Database=shop;User Id=app;Password={WORD};Encrypt=true",
        f"cache.internal:6380,password={WORD},ssl=True",
        f"jdbc:postgresql://db/shop?user=app&password={WORD}",
        f"https://api.example/v1?password={WORD}",
        f"https://api.example/v1?access_token={RANDOM}&page=2",
        f"mysql -h db -u root -p{WORD} < schema.sql",
        f"app --verbose --db-password {WORD} --port 80",
        f"app --db-password={WORD}",
        f"--db-password {WORD}",
        f"curl -s -u app:{WORD} https://api.example",
        f"curl \\\n  --user 'app:{WORD}' \\\n  https://api.example",
        f"curl -u {RANDOM}: https://api.example",
        f"curl -H 'Authorization: Bearer {RANDOM}' https://api.example",
        f'curl -H "X-Api-Key: {RANDOM}" https://api.example',
        f"echo 'root:{WORD}' | sudo chpasswd",
        f"docker login -u app --password {WORD} registry.example",
        f"docker login -u app -p {WORD} registry.example",
        f"sshpass -p '{WORD}' ssh app@web",
        f"redis-cli -h cache -a {WORD} ping",
        f"mongosh -u app -p {WORD} shop",
        f"net user admin {WORD} /add",
        f"setx DB_PASSWORD {WORD}",
        f"[Environment]::SetEnvironmentVariable('DB_PASSWORD', '{WORD}', 'Machine')",
        f'$p = ConvertTo-SecureString "{WORD}" -AsPlainText -Force',
        f"aws configure set aws_secret_access_key {RANDOM}",
        f"java -Ddb.password={WORD} -jar app.jar",
        f"machine git.example login app password {WORD}",
        f"port 6379\nrequirepass {WORD}\n",
        f"#cloud-config\nchpasswd:\n  expire: false\n  list: |\n    root:{WORD}\n",
        f"env:\n- name: DB_PASSWORD\n  value: {WORD}\n",
        f"app:{WORD}@tcp(db:3306)/shop",
        f"jdbc:oracle:thin:app/{WORD}@//db:1521/shop",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  entry: "
        + base64.b64encode(WORD.encode()).decode(),
        "kind: ConfigMap\ndata:\n  a: b\n---\nkind: 'Secret'\nstringData:\n  entry: >\n    " + RANDOM + "\n",
    ],
)
def test_a_text_that_states_a_secret_is_found(text: str) -> None:
    found = find("SETTING", text)
    assert found
    secret = (WORD, RANDOM, base64.b64encode(WORD.encode()).decode())
    assert all(each.text in secret for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/sh\nset -euo pipefail\napt-get update\nsystemctl enable app\n",
        "DB_PASSWORD=$(aws ssm get-parameter --name /prod/db/password --with-decryption)\n",
        'export TOKEN="${TOKEN}" PASSWORD=$1\n',
        'mysql --password="$DB_PASSWORD" < schema.sql\n',
        'if [ "$PASSWORD" == "" ]; then read -r PASSWORD; fi\n',
        "echo $TOKEN | docker login --username app --password-stdin registry.example\n",
        "kubeadm join --discovery-token-ca-cert-hash sha256:" + HEX * 2,
        "ssh_pwauth: false\nlock_passwd: true\npasswd: $6$salt$9fQyLZkHqQ0\n",
        "PasswordAuthentication no\nPermitRootLogin no\n",
        "password: see the wiki for how to get it\n",
        "# the password: ask somebody\n",
        "sed -i 's/^password=.*/password=PLACE/' /etc/app.conf",
        "token: refreshed hourly by the agent\n",
        "db.password=${DB_PASSWORD}\n",
        "curl -u $NAME:$PASSWORD https://api.example",
        'curl -H "Authorization: Bearer $(gcloud auth print-access-token)" https://api.example',
        'curl -H "Authorization: Bearer <token>" https://api.example',
        "useradd -u 1000:1000-something app",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  entry: {{ .Values.entry }}\n",
        "kind: Secret\ndata:\n  tls.crt: " + MIXED[:64],
        "kind: ExternalSecret\ndata:\n  entry: " + MIXED[:40],
        "kind: Secret\nmetadata:\n  name: a\n---\nkind: Other\ndata:\n  entry: " + MIXED[:40],
        json.dumps({"secretName": "db", "tokenUrl": "https://login.example", "passwordFile": "/run/secrets/db"}),
        json.dumps({"valueFrom": {"secretKeyRef": {"name": "db", "key": "password"}}}),
        "keyword: search\nauthor: somebody\nmonkeys: 12\n",
        "password = client.get_secret_value(SecretId=name)['SecretString']\n",
        "MasterUserPassword: !Ref DbPassword\nPassword: !Sub '${Stack}-db'\n",
        "var password = event.request.querystring.password.value;",
        "const password = process.env.DB_PASSWORD;\npassword = data['password']\nsecret = hmac.new(key1, text)\n",
        'sshpass -p "$PASSWORD" ssh app@web\nsshpass -e ssh app@web\nssh -p 2222 app@web\n',
        "net user admin /delete\nsetx DB_PASSWORD %DB_PASSWORD%\n",
        "docker login -u AWS --password-stdin registry.example\ndocker run -p 8080:8080 app\n",
        "$p = ConvertTo-SecureString $env:DB_PASSWORD -AsPlainText -Force\n",
        "requirepass\nmachine git.example login app\n",
        "app:$PASSWORD@tcp(db:3306)/shop",
        "properties:\n  password: {type: string, format: password}\n  token: {type: string}\n",
        "",
    ],
)
def test_a_text_that_states_none_is_left_alone(text: str) -> None:
    assert find("SETTING", text) == ()


SCRIPT = f"#!/bin/sh\nset -euo pipefail\nexport STAGE=prod\nexport DB_PASSWORD={WORD}\nsystemctl restart shop\n"


@pytest.mark.parametrize("encode", [lambda text: text, gzip.compress])
def test_base64_is_decoded_once(encode: object) -> None:
    script = f"#!/bin/sh\nexport DB_PASSWORD={WORD}\n".encode()
    once = base64.b64encode(gzip.compress(script) if encode is gzip.compress else script).decode()
    assert decoded(once) == script.decode()
    assert decoded(f"\n{once[:20]}\n{once[20:]}\n") == script.decode()
    assert decoded(base64.b64encode(once.encode()).decode()) == once


@pytest.mark.parametrize(
    "text", ["", "plain text", "abcd", "aGVs bG8!", base64.b64encode(bytes(range(200, 240))).decode()]
)
def test_what_is_no_encoded_text_stays_as_it_is(text: str) -> None:
    assert decoded(text) == text


@pytest.mark.parametrize(
    "content",
    [
        SCRIPT.encode("utf-16"),
        b"# f\xfcr die Datenbank\n" + SCRIPT.encode(),
        SCRIPT.encode() + b"\0",
        gzip.compress(SCRIPT.encode("latin-1")),
    ],
)
def test_a_script_in_another_encoding_is_read(content: bytes) -> None:
    text = decoded(base64.b64encode(content).decode())
    assert [WORD] == [found.text for found in find(None, text)]


def test_json_and_keys_in_base64_are_read_under_any_name() -> None:
    encoded = base64.b64encode(json.dumps({"db": {"password": WORD}}, indent=1).encode()).decode()
    found = find("SETTINGS", encoded)
    assert {each.text for each in found} == {WORD, encoded}
    assert {each.kind for each in found} == {"a password"}
    assert find("SETTINGS", base64.b64encode(b'{"stage": "prod", "port": 80}').decode()) == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", " "])
def test_a_line_break_at_the_end_hides_nothing(end: str) -> None:
    assert [WORD] == [found.text for found in find("DB_PASSWORD", WORD + end)]


def test_an_archive_that_unfolds_without_end_is_cut() -> None:
    bomb = base64.b64encode(gzip.compress(b"a" * 20_000_000)).decode()
    assert len(decoded(bomb)) <= 1_000_000


# -- by looks --------------------------------------------------------------------------------------------------------


def test_a_generated_text_under_a_plain_name_is_worth_a_remark() -> None:
    assert looks_random("VALUE", RANDOM)
    assert detect("VALUE", RANDOM) is None
    assert looks_random("VALUE", f"/prod/app/{RANDOM}")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("VALUE", HEX),
        ("VALUE", HEX + "abcdef01"),
        ("VALUE", UUID),
        ("VALUE", "my-application-with-a-long-name"),
        ("VALUE", "AmazonECSTaskExecutionRolePolicy"),
        ("VALUE", "i-0123456789abcdef0"),
        ("VALUE", "abcdefghijklmnopqrstuvwxyz"),
        ("VALUE", "x" * 40),
        ("VALUE", "short1A"),
        ("VALUE", "https://example.com/" + MIXED[:20]),
        ("TOKEN_PARAMETER", "/prod/app/10432/token"),
        ("PUBLIC_KEY", RANDOM),
        ("clientId", RANDOM),
        ("GIT_SHA", RANDOM),
    ],
)
def test_a_hash_a_name_or_an_id_is_not(key: str, value: str) -> None:
    assert not looks_random(key, value)


# -- care ------------------------------------------------------------------------------------------------------------


def test_what_was_found_never_shows_its_text() -> None:
    found = find("DB_PASSWORD", WORD)
    assert found == (Found("a password", WORD),)
    assert WORD not in f"{found!r} {found[0]} {found}"


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(st.none(), st.text(max_size=30), st.sampled_from(["password", "apiKey", "x"])),
    st.text(max_size=200) | st.text(string.printable, max_size=200),
)
def test_no_text_makes_the_detector_fail_and_a_secret_is_a_part_of_the_text(key: str | None, value: str) -> None:
    for found in find(key, value):
        assert found.text in value
        assert found.text
    decoded(value)
    looks_random(key or "", value)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "aA1",
        "curl -u ",
        "password=",
        '"password": "',
        "<password ",
        "-----BEGIN PRIVATE KEY-----",
        "a://b:",
        "eyJ.",
        "kind: Secret\ndata:\n ",
        "authorization: ",
        "mysql -p",
        "a[",
        "a(",
        "x ? y : ",
        "a/",
        " ",
        "\n",
        'password="a\\',
        "sshpass -p ",
        "docker login ",
        "name: password\n",
        "machine a login ",
        "chpasswd:\n list:\n",
        "0123456789012345|",
        "a:b@tcp",
        "ewo",
    ],
)
def test_no_long_text_keeps_the_detector_busy(piece: str) -> None:
    """A pattern that goes back and forth would need minutes here."""
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    for key in (None, "password", "oktaKey"):
        find(key, text)
    looks_random("x", text)
    assert time.process_time() - started < 5


def test_a_harmless_value_costs_next_to_nothing() -> None:
    """As a ratio, since machines differ: a call that does nothing costs about 50 ns where the budget is 1.5 us."""
    values = ["my-application-web01", "production-cluster-x", "t3.medium.large.abcd", "arn:aws:iam::123:rol"]
    values += ["registry/app:1.2.3.4", "http://svc.default.s", "/var/lib/data/volume", "sg-0a1b2c3d4e5f60718"]
    values += ["10.0.0.0/16,10.1.0.0", "TABLE_NAME_OF_THINGS", "eu-west-1.compute.in", "info,debug,warn,erro"]

    def nothing(_key: str, _value: str) -> None: ...

    def cost(function: object) -> float:
        call = "for value in values: function('LOG_LEVEL', value)"
        return min(timeit.repeat(call, globals={"values": values, "function": function}, number=50, repeat=60))

    assert cost(detect) < 40 * cost(nothing)


def test_all_of_the_largest_config_map_is_read() -> None:
    """It holds up to 1 MiB (https://kubernetes.io/docs/concepts/configuration/configmap/)."""
    stated = f"password={WORD}"
    assert find(None, "a b " * ((1 << 18) - len(stated)) + stated)


def test_only_the_beginning_of_a_huge_text_is_read() -> None:
    assert find(None, "a b " * 300_000 + f"password={WORD}") == ()
    assert _text.find_in_text(f"password={WORD}")
