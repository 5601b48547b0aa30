"""Make the previews and stack exports that the benchmark gates: one made-up AWS infrastructure of any size.

The files have the form of the engine's own: four spaces of indent, secrets as ``[secret]``, ids that are not known yet
as the engine's sentinel, every step a create. About a tenth of the resources break some rule. The same size and seed
give the same bytes. Every secret in them is random text that opens nothing.

``python -m tools.workload 1000 preview.json`` writes a preview, with ``--stack`` a stack export.
"""

import argparse
import json
import random
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Flavour = Literal["preview", "stack"]
Inputs = dict[str, Any]

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
SIGNATURE = "4dabf18193072939515e22adb298388d"
MARKED = "1b47061264138c4ac30d75fd1eb44270"
ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7"

STACK, PROJECT = "prod", "acme-infra"
URN = f"urn:pulumi:{STACK}::{PROJECT}::"
ROOT = f"{URN}pulumi:pulumi:Stack::{PROJECT}-{STACK}"
PROVIDER = f"{URN}pulumi:providers:aws::default_7_11_0"
PROVIDER_ID = "0d5f1d4e-6a39-4b6e-9c40-4f3f0e7b2a11"
COMPONENT = "acme:platform:Service"
COMPONENT_SIZE = 50
WHEN = "2026-11-30T12:00:00Z"

TYPES = {
    "bucket": "aws:s3/bucket:Bucket",
    "pab": "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
    "bpolicy": "aws:s3/bucketPolicy:BucketPolicy",
    "sg": "aws:ec2/securityGroup:SecurityGroup",
    "iampolicy": "aws:iam/policy:Policy",
    "rds": "aws:rds/instance:Instance",
    "lambda": "aws:lambda/function:Function",
    "ec2": "aws:ec2/instance:Instance",
    "topic": "aws:sns/topic:Topic",
    "queue": "aws:sqs/queue:Queue",
    "table": "aws:dynamodb/table:Table",
    "key": "aws:kms/key:Key",
    "loggroup": "aws:cloudwatch/logGroup:LogGroup",
}
# Per cent of the resources; a bucket's access block and policy count as s3.
SHARES = {"s3": 25, "sg": 20, "iampolicy": 15, "rds": 10, "lambda": 10, "ec2": 10, "other": 10}
VIOLATIONS = 0.10
SEED = 20261201
REQUIRED_TAGS = ("Owner", "CostCenter", "Environment")


@dataclass
class Made:
    """One resource: its inputs but for the marks of the engine, and what is wrong with it."""

    kind: str
    name: str
    inputs: Inputs
    bucket: "Made | None" = None
    secrets: tuple[str, ...] = ()
    wrong: list[str] = field(default_factory=list)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.workload", description=__doc__)
    parser.add_argument("size", type=int, help="how many custom resources")
    parser.add_argument("path", type=Path)
    parser.add_argument("--stack", action="store_true", help="a stack export instead of a preview")
    options = parser.parse_args()
    write(options.path, options.size, "stack" if options.stack else "preview")


def write(path: Path, size: int, flavour: Flavour, seed: int = SEED) -> None:
    """Write a preview or a stack export of ``size`` custom resources; stack, provider and components come on top."""
    states = _states(resources(size, seed), flavour)
    if flavour == "preview":
        count = size + 2 + -(-size // COMPONENT_SIZE)
        head = '{\n    "config": {\n        "aws:region": "eu-west-1"\n    },\n    "steps": ['
        summary = f'"changeSummary": {{\n        "create": {count}\n    }}'
        tail = f'\n    ],\n    "duration": 31415926535,\n    {summary}\n}}\n'
        _write_list(path, head, map(_step, states), tail, 8)
    else:
        _write_list(path, STACK_HEAD, states, STACK_TAIL, 12)


def truth(size: int, seed: int = SEED) -> Mapping[str, list[str]]:
    """Return the names of the resources that are wrong, by what is wrong with them."""
    found: dict[str, list[str]] = {}
    for made in resources(size, seed):
        for label in made.wrong:
            found.setdefault(label, []).append(made.name)
    return found


def resources(size: int, seed: int = SEED) -> list[Made]:
    """Return ``size`` resources in the order of their registration."""
    rng = random.Random(seed * 1_000_003 + size)  # noqa: S311 -- a workload, not a key
    left = {family: size * share // 100 for family, share in SHARES.items()}
    left["other"] += size - sum(left.values())
    made: list[Made] = []
    serial = 0
    while len(made) < size:
        family = rng.choices(list(SHARES), list(left.values()))[0]
        serial += 1
        bad = rng.random() < VIOLATIONS
        kind = rng.choice(list(OTHERS)) if family == "other" else "bucket" if family == "s3" else family
        name = f"{rng.choice(('orders', 'billing', 'ingest', 'auth', 'media', 'report'))}-{kind}-{serial:06d}"
        group = _buckets(rng, name, bad, left["s3"]) if family == "s3" else [_MAKERS[kind](rng, name, serial, bad)]
        made.extend(group)
        left[family] -= len(group)
    return made


# --- The resources ----------------------------------------------------------------------------------------------------


def _tags(rng: random.Random, name: str) -> dict[str, str]:
    return {
        "Name": name,
        "Owner": rng.choice(("payments", "search", "platform", "data")),
        "CostCenter": f"cc-{rng.randint(1000, 1999)}",
        "Environment": rng.choice(("prod", "staging", "dev")),
        "ManagedBy": "iac",
    }


def _drop_tag(rng: random.Random, made: Made) -> None:
    if rng.random() < 0.3:
        del made.inputs["tags"]
    else:
        del made.inputs["tags"][rng.choice(REQUIRED_TAGS)]
    made.wrong.append("tags missing")


def _secret(rng: random.Random) -> tuple[str, str]:
    pick = rng.random()
    if pick < 0.4:
        return "AWS_KEY_ID", "AK" + "IA" + "".join(rng.choices(string.ascii_uppercase + "234567", k=16))
    if pick < 0.7:
        return "UPSTREAM_SECRET_KEY", "".join(rng.choices(string.ascii_letters + string.digits + "+/", k=40))
    if pick < 0.85:
        return "GITHUB_TOKEN", "gh" + "p_" + "".join(rng.choices(string.ascii_letters + string.digits, k=36))
    return "DB_PASSWORD", "".join(rng.choices(string.ascii_letters + string.digits + "!#%", k=20))


def _buckets(rng: random.Random, name: str, bad: bool, room: int) -> list[Made]:
    """Make a bucket with, as room allows, its public access block and its policy."""
    inputs: Inputs = {"acl": "private", "bucket": f"acme-{name}", "forceDestroy": False, "tags": _tags(rng, name)}
    bucket = Made("bucket", name, inputs)
    group = [bucket]
    incomplete = bad and rng.random() < 0.3
    if room > 1 and not rng.random() < 0.12:
        flags: Inputs = dict.fromkeys(
            ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"), True
        )
        group.append(block := Made("pab", f"{name}-pab", flags, bucket))
        if incomplete:
            flags.update(dict.fromkeys(rng.sample(list(flags), rng.randint(1, 4)), False))
            block.wrong.append("public access block incomplete")
    else:
        bucket.wrong.append("no public access block")
    if room > len(group) and rng.random() < 0.35:
        group.append(_bucket_policy(rng, name, bad, bucket))
    if bad and not any(made.wrong for made in group):
        if rng.random() < 0.5:
            inputs["acl"] = rng.choice(("public-read", "public-read-write"))
            bucket.wrong.append("public ACL")
        else:
            _drop_tag(rng, bucket)
    return group


def _bucket_policy(rng: random.Random, name: str, bad: bool, bucket: Made) -> Made:
    arn = f"arn:aws:s3:::acme-{name}"
    read = {
        "Sid": "Read",
        "Effect": "Allow",
        "Principal": {"AWS": "arn:aws:iam::123456789012:role/reader"},
        "Action": ["s3:GetObject"],
        "Resource": f"{arn}/*",
    }
    deny = {
        "Sid": "Tls",
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": [arn, f"{arn}/*"],
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
    policy = Made("bpolicy", f"{name}-policy", {}, bucket)
    if bad and rng.random() < 0.5:
        read["Principal"] = rng.choice(("*", {"AWS": "*"}))
        policy.wrong.append("public bucket policy")
    policy.inputs["policy"] = {"Version": "2012-10-17", "Statement": [read, deny]}
    return policy


def _peer(
    protocol: str, first: int, last: int, cidrs: list[str], v6: list[str], description: str = "service traffic"
) -> Inputs:
    """Return a security group's rule as the engine records it: without the lists that are empty."""
    addresses = {"cidrBlocks": cidrs} if cidrs else {}
    addresses6 = {"ipv6CidrBlocks": v6} if v6 else {}
    head = {"__defaults": [], **addresses, "description": description, "fromPort": first, **addresses6}
    return {**head, "protocol": protocol, "self": False, "toPort": last}


def _security_group(rng: random.Random, name: str, _serial: int, bad: bool) -> Made:
    ingress = []
    for _ in range(rng.randint(1, 5)):
        port = rng.choice((80, 443, 5432, 6379, 8080, 9092))
        world = port == 443 and rng.random() < 0.3
        ingress.append(_peer("tcp", port, port, ["0.0.0.0/0"] if world else [f"10.{rng.randint(0, 255)}.0.0/16"], []))
    inputs: Inputs = {
        "description": f"{name} security group",
        "egress": [_peer("tcp", 443, 443, ["10.0.0.0/8"], [], "https out")],
        "ingress": ingress,
        "name": name,
        "revokeRulesOnDelete": False,
        "tags": _tags(rng, name),
        "vpcId": "vpc-0a1b2c3d4e5f60718",
    }
    made = Made("sg", name, inputs)
    if bad:
        how = rng.randrange(5)
        everyone, everyone6 = ["0.0.0.0/0"], ["::/0"]
        worlds: list[tuple[list[str], list[str]]] = [(everyone, []), ([], everyone6), (everyone, everyone6)]
        v4, v6 = worlds[rng.choice((0, 0, 0, 1, 2))]
        if how == 4:
            _drop_tag(rng, made)
        else:
            ports: tuple[str, int, int, str] = _OPENED[how][0]
            ingress.append(_peer(*ports[:3], v4, v6, ports[3]))
            made.wrong += _OPENED[how][1]
    return made


_OPENED: list[tuple[tuple[str, int, int, str], list[str]]] = [
    (("tcp", 22, 22, "ssh"), ["ssh open"]),
    (("tcp", 3389, 3389, "rdp"), ["rdp open"]),
    (("-1", 0, 0, "any"), ["ssh open", "rdp open", "all ports open"]),
    (("tcp", 20, 1024, "low ports"), ["ssh open"]),
]
_ACTIONS = (
    "s3:GetObject",
    "s3:PutObject",
    "sqs:SendMessage",
    "sqs:ReceiveMessage",
    "sns:Publish",
    "dynamodb:GetItem",
    "dynamodb:Query",
    "kms:Decrypt",
    "logs:PutLogEvents",
    "ec2:DescribeInstances",
)


def _iam_policy(rng: random.Random, name: str, _serial: int, bad: bool) -> Made:
    statements: list[Inputs] = [
        {
            "Sid": f"S{number}",
            "Effect": "Allow",
            "Action": rng.sample(_ACTIONS, rng.randint(1, 4)),
            "Resource": [
                f"arn:aws:s3:::acme-{rng.randint(0, 9999)}/{word}/*" for word in ("in", "out")[: rng.randint(1, 2)]
            ],
        }
        for number in range(rng.randint(1, 4))
    ]
    document = {"Version": "2012-10-17", "Statement": statements}
    inputs = {"description": name, "name": name, "path": "/", "policy": document, "tags": _tags(rng, name)}
    made = Made("iampolicy", name, inputs)
    if bad and rng.random() < 0.6:
        statement = rng.choice(statements)
        text = rng.random() < 0.5
        statement["Action"], statement["Resource"] = ("*", "*") if text else (["*"], ["*"])
        made.wrong.append("administrator policy")
    elif bad:
        _drop_tag(rng, made)
    return made


def _database(rng: random.Random, name: str, _serial: int, bad: bool) -> Made:
    inputs: Inputs = {
        "allocatedStorage": rng.choice((20, 100, 500)),
        "backupRetentionPeriod": 7,
        "engine": rng.choice(("postgres", "mysql")),
        "identifier": name,
        "instanceClass": "db.t4g.medium",
        "multiAz": rng.random() < 0.5,
        "password": "Managed-" + "".join(rng.choices(string.ascii_letters, k=16)),
        "publiclyAccessible": False,
        "skipFinalSnapshot": False,
        "storageEncrypted": True,
        "tags": _tags(rng, name),
        "username": "app",
    }
    made = Made("rds", name, inputs, secrets=("password",))
    how = rng.randrange(4) if bad else None
    if how == 0:
        inputs["publiclyAccessible"] = True
        made.wrong.append("public database")
    elif how == 1:
        inputs["storageEncrypted"] = False
        made.wrong.append("database not encrypted")
    elif how == 2:
        made.secrets = ()
        made.wrong.append("database password in clear")
    elif how == 3:
        _drop_tag(rng, made)
    return made


def _function(rng: random.Random, name: str, serial: int, bad: bool) -> Made:
    variables = {
        "LOG_LEVEL": "info",
        "REGION": "eu-west-1",
        "TABLE": f"orders-{serial}",
        "QUEUE_URL": f"https://sqs.eu-west-1.amazonaws.com/123456789012/jobs-{serial}",
        "API_TOKEN_PARAM": f"/prod/app/{serial}/token",
    }
    inputs: Inputs = {
        "environment": {"__defaults": [], "variables": variables},
        "code": {SIGNATURE: ARCHIVE, "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
        "name": name,
        "handler": "app.main",
        "memorySize": 256,
        "publish": False,
        "role": "arn:aws:iam::123456789012:role/lambda",
        "runtime": "python3.12",
        "tags": _tags(rng, name),
        "timeout": 30,
    }
    inputs["code"]["path"] = "./app.zip"
    made = Made("lambda", name, inputs)
    if rng.random() < 0.08:  # looks like a secret and is none
        variables["GIT_SHA"] = "".join(rng.choices("0123456789abcdef", k=40))
    if bad and rng.random() < 0.75:
        key, value = _secret(rng)
        variables[key] = value
        made.wrong.append("secret in environment")
    elif bad:
        _drop_tag(rng, made)
    return made


def _instance(rng: random.Random, name: str, serial: int, bad: bool) -> Made:
    script = (
        "#!/bin/bash\nset -euo pipefail\nyum install -y docker\nsystemctl enable --now docker\n"
        f"docker run -d --name app{serial} -p 8080:8080 images.internal/app:{serial % 97}\n"
    )
    inputs: Inputs = {
        "ami": "ami-0123456789abcdef0",
        "associatePublicIpAddress": False,
        "instanceType": rng.choice(("t3.micro", "m6i.large")),
        "metadataOptions": {"__defaults": [], "httpEndpoint": "enabled", "httpTokens": "required"},
        "rootBlockDevice": {"__defaults": [], "encrypted": True, "volumeSize": 50, "volumeType": "gp3"},
        "subnetId": f"subnet-{serial:017x}",
        "tags": _tags(rng, name),
        "userData": script,
        "vpcSecurityGroupIds": ["sg-0123456789abcdef0"],
    }
    made = Made("ec2", name, inputs)
    how = rng.randrange(3) if bad else None
    if how == 0:
        key, value = _secret(rng)
        inputs["userData"] = f"{script}export {key}={value}\n./start.sh\n"
        made.wrong.append("secret in user data")
    elif how == 1:
        inputs["associatePublicIpAddress"] = True
        made.wrong.append("public address")
    elif how == 2:
        _drop_tag(rng, made)
    return made


OTHERS: Mapping[str, Callable[[str], Inputs]] = {
    "topic": lambda name: {"name": name, "kmsMasterKeyId": "alias/aws/sns"},
    "queue": lambda name: {"name": name, "messageRetentionSeconds": 86400, "sqsManagedSseEnabled": True},
    "table": lambda name: {
        "name": name,
        "billingMode": "PAY_PER_REQUEST",
        "hashKey": "pk",
        "attributes": [{"__defaults": [], "name": "pk", "type": "S"}],
        "pointInTimeRecovery": {"__defaults": [], "enabled": True},
        "serverSideEncryption": {"__defaults": [], "enabled": True},
    },
    "key": lambda name: {"description": name, "enableKeyRotation": True, "deletionWindowInDays": 30},
    "loggroup": lambda name: {"name": f"/app/{name}", "retentionInDays": 365},
}


def _other(kind: str) -> Callable[[random.Random, str, int, bool], Made]:
    def make(rng: random.Random, name: str, _serial: int, bad: bool) -> Made:
        made = Made(kind, name, {**OTHERS[kind](name), "tags": _tags(rng, name)})
        if bad:
            _drop_tag(rng, made)
        return made

    return make


_MAKERS: Mapping[str, Callable[[random.Random, str, int, bool], Made]] = {
    "sg": _security_group,
    "iampolicy": _iam_policy,
    "rds": _database,
    "lambda": _function,
    "ec2": _instance,
    **{kind: _other(kind) for kind in OTHERS},
}


# --- The files --------------------------------------------------------------------------------------------------------

STACK_HEAD = (
    '{\n    "version": 3,\n    "deployment": {\n        "manifest": {\n'
    f'            "time": "{WHEN}",\n            "magic": "{"0" * 64}",\n            "version": "v3.272.0"\n'
    '        },\n        "secrets_providers": {\n            "type": "passphrase",\n            "state": {\n'
    '                "salt": "v1:benchonly:v1:benchonly:notarealsalt"\n            }\n        },\n'
    '        "resources": ['
)
STACK_TAIL = '\n        ],\n        "metadata": {}\n    }\n}\n'


def _states(made: Iterable[Made], flavour: Flavour) -> Iterator[Inputs]:
    """Yield the state of each resource, the stack, the provider and the components among them."""
    stamp = {} if flavour == "preview" else {"created": WHEN, "modified": WHEN}
    yield {"urn": ROOT, "custom": False, "type": "pulumi:pulumi:Stack", **stamp}
    settings = {"__internal": {}, "region": "eu-west-1", "version": "7.11.0"}
    provider = {"urn": PROVIDER, "custom": True, "type": "pulumi:providers:aws", "inputs": settings, "parent": ROOT}
    yield provider if flavour == "preview" else {**provider, "id": PROVIDER_ID, "outputs": settings, **stamp}
    component = ROOT
    urns: dict[str, str] = {}
    for number, one in enumerate(made):
        if number % COMPONENT_SIZE == 0:
            name = f"service-{number // COMPONENT_SIZE:05d}"
            component = f"{URN}{COMPONENT}::{name}"
            head = {"urn": component, "custom": False, "type": COMPONENT, "inputs": {"name": name}, "parent": ROOT}
            yield {**head, **stamp}
        inside = number % 5 != 0
        urns[one.name] = f"{URN}{f'{COMPONENT}$' if inside else ''}{TYPES[one.kind]}::{one.name}"
        yield {**_state(one, flavour, urns, component if inside else ROOT), **stamp}


def _state(made: Made, flavour: Flavour, urns: Mapping[str, str], parent: str) -> Inputs:
    inputs = recorded(made, flavour)
    state = {"urn": urns[made.name], "custom": True, "type": TYPES[made.kind], "inputs": inputs}
    if flavour == "stack":
        own = made.inputs
        state["id"] = own.get("bucket") or own.get("name") or own.get("identifier") or made.name
        outputs = {key: value for key, value in inputs.items() if key != "__defaults"}
        arn = f"arn:aws:service:eu-west-1:123456789012:{made.name}"
        state["outputs"] = {**outputs, "id": state["id"], "region": "eu-west-1", "arn": arn}
    state["parent"] = parent
    needs = [urns[made.bucket.name]] if made.bucket else []
    if needs:
        state["dependencies"] = needs
    state["provider"] = f"{PROVIDER}::{UNKNOWN if flavour == 'preview' else PROVIDER_ID}"
    state["propertyDependencies"] = {
        key: needs if needs and key == "bucket" else None for key in inputs if key != "__defaults"
    }
    if made.secrets:
        state["additionalSecretOutputs"] = list(made.secrets)
    return state


def recorded(made: Made, flavour: Flavour) -> Inputs:
    """Return the inputs with what the engine and the provider add, keys in order."""
    inputs: Inputs = {"__defaults": ["forceDestroy"] if made.kind == "bucket" else [], **made.inputs}
    if "policy" in inputs:
        inputs["policy"] = json.dumps(inputs["policy"], separators=(",", ":"))
    if "tags" in inputs:
        inputs["tagsAll"] = dict(inputs["tags"])
    for key in made.secrets:
        ciphertext = "AAABAIC" + format(_hash(inputs[key]), "x").rjust(60, "c")
        inputs[key] = "[secret]" if flavour == "preview" else {SIGNATURE: MARKED, "ciphertext": ciphertext}
    if made.bucket:
        inputs["bucket"] = UNKNOWN if flavour == "preview" else made.bucket.inputs["bucket"]
    return dict(sorted(inputs.items()))


def _hash(text: str) -> int:
    """Return FNV-1a of 64 bits: the same in every run, unlike `hash`."""
    value = 1469598103934665603
    for byte in text.encode():
        value = ((value ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return value


def _step(state: Inputs) -> Inputs:
    provider = {"provider": state["provider"]} if "provider" in state else {}
    return {"op": "create", "urn": state["urn"], **provider, "newState": state}


def _write_list(path: Path, head: str, items: Iterable[Inputs], tail: str, indent: int) -> None:
    """Write the items between head and tail, one after the other: the whole text is never in memory."""
    pad = "\n" + " " * indent
    encode = json.JSONEncoder(indent=4, ensure_ascii=False).encode
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(head)
        for number, item in enumerate(items):
            file.write(("," if number else "") + pad + encode(item).replace("\n", pad))
        file.write(tail)


if __name__ == "__main__":
    main()
