"""The credential formats that providers document, each with the literal text that gives it away.

Sources:
    https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
    https://docs.gitlab.com/security/tokens/#token-prefixes
    https://api.slack.com/concepts/token-types
    https://docs.stripe.com/keys
    https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
    https://www.rfc-editor.org/rfc/rfc7468#section-10
    https://www.rfc-editor.org/rfc/rfc7519#section-3
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate.rules.leakage._literal import is_sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Format(NamedTuple):
    """A credential format."""

    kind: str
    """Words for people: ``a GitHub token``."""
    hints: tuple[str, ...]
    """The literal texts with which it begins, or one of which it holds (see ``inside``)."""
    rest: str
    """Regular expression of what follows the hint; with ``inside``, of the whole, the secret in group ``s`` if any."""
    inside: bool = False


def _starts(kind: str, hints: str, rest: str) -> Format:
    return Format(kind, tuple(hints.split()), rest)


def _holds(kind: str, hints: str, whole: str) -> Format:
    return Format(kind, tuple(hints.split()), whole, inside=True)


_BEGIN: Final = r"(?:(?<!\w)|(?<=\\[nrt]))"
"""Where a word begins; the letter of an escaped line break belongs to none."""
_END: Final = r"(?![A-Za-z0-9])"
_DSN: Final = r"(?<![^\s\"'=])[^\s:@/\"'$]{1,80}:(?P<s>(?![$%{])[^\s@:\"'<>{}]{3,200})@(?:tcp|unix)\("
"""The form of Go's MySQL driver (https://github.com/go-sql-driver/mysql#dsn-data-source-name)."""

FORMATS: Final = (
    # Clouds
    _starts("an AWS access key", "AKIA ASIA ABIA ACCA A3T", r"[A-Z0-9]{16,17}" + _END),
    _starts("an AWS Bedrock key", "ABSK", r"[A-Za-z0-9+/]{60,}={0,2}"),
    _starts("an AWS Bedrock key", "bedrock-api-key-", r"[A-Za-z0-9+/=]{20,}"),
    _starts("an Amazon MWS token", "amzn.mws.", r"[0-9a-f-]{36}"),
    _starts("an Alibaba access key", "LTAI", r"[A-Za-z0-9]{12,26}" + _END),
    _starts("a Google API key", "AIza", r"[\w-]{35}" + _END),
    _starts("a Google OAuth secret", "GOCSPX-", r"[\w-]{24,}"),
    _starts("a Google OAuth token", "ya29.", r"[\w-]{20,}"),
    _starts("a DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{60,}"),
    _holds(
        "a SoftLayer key",
        "api.softlayer.com/",
        r"api\.softlayer\.com/(?:soap|rest|xmlrpc)/v3(?:\.1)?/(?P<s>[a-z0-9]{64})",
    ),
    _starts("a Yandex key", "AQVN", r"[\w-]{35,}"),
    _starts("a Yandex key", "YC", r"[A-Za-z0-9_-]{38}" + _END),
    _starts("a Yandex token", "t1.", r"[\w-]+={0,2}\.[\w-]{80,}={0,2}"),
    _starts("a Cloudflare key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{100,}"),
    _starts("a Heroku key", "HRKU-", r"[\w-]{36,}"),
    _starts("a Fly.io token", "FlyV1 fo1_ fm1r_ fm1a_ fm2_", r"[ \w+/=,-]{30,}"),
    _starts("a Netlify token", "nfp_", r"[\w-]{36,}"),
    _starts("a Scalingo token", "tk-us-", r"[\w-]{48}"),
    _starts("a Tailscale key", "tskey-", r"[a-z]+-[\w-]{16,}"),
    _starts("a PlanetScale credential", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.=-]{30,}"),
    _starts("a Supabase key", "sbp_ sb_secret_", r"\w{30,}"),
    _holds("an Azure storage key", "AccountKey=", r"AccountKey=(?P<s>[A-Za-z0-9+/]{40,}={0,2})"),
    _holds("an Azure shared access key", "SharedAccessKey=", r"SharedAccessKey=(?P<s>[A-Za-z0-9+/]{40,}={0,2})"),
    _holds("an Azure storage key", "+ASt", _BEGIN + r"(?P<s>[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}==)"),
    _holds("an Azure shared access signature", "sig=", r"[?&;]sig=(?P<s>[A-Za-z0-9%+/]{43,}={0,2})"),
    _holds("an Azure client secret", "Q~", _BEGIN + r"(?P<s>[\w~.-]{3}\dQ~[\w~.-]{31,34})(?![\w~-])"),
    # Code and packages
    _starts("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,}"),
    _starts("a GitHub token", "github_pat_", r"\w{60,}"),
    _starts(
        "a GitLab token",
        "glpat- gldt- glrt- glrtr- glptt- glft- glsoat- glcbt- glimt- glagent- gloas- glffct- glwt-",
        r"[\w.-]{20,}",
    ),
    _starts("a GitLab token", "GR1348941", r"[\w-]{20,}"),
    _starts("a Bitbucket token", "ATBB ATCTT3", r"[\w=-]{24,}"),
    _starts("an Atlassian token", "ATATT3", r"[\w=-]{60,}"),
    _starts("an npm token", "npm_", r"[A-Za-z0-9]{36}"),
    _starts("a PyPI token", "pypi-AgE", r"[\w-]{40,}"),
    _starts("a RubyGems key", "rubygems_", r"[0-9a-f]{48}"),
    _starts("a NuGet key", "oy2", r"[a-z0-9]{43}" + _END),
    _starts("a Clojars token", "CLOJARS_", r"[A-Za-z0-9]{60}"),
    _starts("a Docker token", "dckr_pat_ dckr_oat_", r"[\w-]{24,}"),
    _starts("an Artifactory key", "AKCp", r"[A-Za-z0-9]{50,}"),
    _starts("an Artifactory token", "cmVmdGtu", r"[A-Za-z0-9]{40,}"),
    _starts("a SonarQube token", "squ_ sqp_ sqa_", r"[A-Za-z0-9]{40}"),
    _starts("a Sourcegraph token", "sgp_", r"(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}"),
    _starts("a Postman key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _starts("an Octopus Deploy key", "API-", r"[A-Z0-9]{26}" + _END),
    _starts("an Infracost key", "ico-", r"[A-Za-z0-9]{32}" + _END),
    _starts("an Endor Labs key", "endr+", r"[A-Za-z0-9-]{16,}"),
    _starts("a SettleMint token", "sm_aat_ sm_pat_ sm_sat_", r"[A-Za-z0-9]{16,}"),
    _starts("a Figma token", "figd_", r"[\w-]{38,}"),
    _starts("a Prefect key", "pnu_ pnb_", r"[A-Za-z0-9]{36}"),
    _starts("a ReadMe key", "rdme_", r"[A-Za-z0-9]{60,}"),
    # Secrets and infrastructure tools
    _starts("a Vault token", "hvs. hvb. hvr.", r"[\w-]{24,}"),
    _starts("a Vault token", "s.", r"(?=\w*\d)(?=\w*[A-Z])[A-Za-z0-9]{24}" + _END),
    _holds("a Terraform Cloud token", ".atlasv1.", r"(?P<s>[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,})"),
    _starts("a Pulumi token", "pul-", r"[0-9a-f]{40}" + _END),
    _starts("a Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[\w.]{40,}"),
    _starts("a 1Password token", "ops_eyJ", r"[A-Za-z0-9+/=_-]{100,}"),
    _starts("a 1Password key", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    _starts("an age key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    _starts("an OpenShift token", "sha256~", r"[\w-]{43}" + _END),
    _starts("a Databricks token", "dapi", r"[0-9a-f]{32}(?:-\d)?" + _END),
    _starts("a Harness token", "pat. sat.", r"[\w-]{22}\.[0-9a-zA-Z]{24}\.[0-9a-zA-Z]{20}"),
    _starts("a Grafana token", "glc_ glsa_", r"[A-Za-z0-9+/_=-]{32,}"),
    _starts("a Grafana key", "eyJrIjoi", r"[A-Za-z0-9+/=]{60,}"),
    _starts("a New Relic key", "NRAK- NRII- NRAA-", r"[\w-]{27,}"),
    _starts("a Dynatrace token", "dt0c01. dt0s16. dt0s01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _starts("a Sentry token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_]{60,}"),
    _starts("a LaunchDarkly key", "sdk- mob- api-", r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"),
    _starts("a CircleCI token", "CCIPAT_", r"[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    _starts("a Buildkite token", "bkua_", r"[0-9a-f]{40}"),
    _starts("a Contentful token", "CFPAT-", r"[\w-]{43}"),
    _starts("a Cisco Webex or Defined Networking key", "dnkey-", r"[a-z0-9=_-]{26}-[a-z0-9=_-]{52}"),
    # Messages and mail
    _starts("a Slack token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-", r"[A-Za-z0-9%-]{10,}"),
    _starts("a Slack token", "xoxe. xapp-", r"[\w.-]{20,}"),
    _holds(
        "a Slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?P<s>(?:services|workflows|triggers)/[A-Za-z0-9+/]{36,})",
    ),
    _holds("a Teams webhook", "webhook.office.com/", r"webhook\.office\.com/(?P<s>webhookb2/[\w@-]{36,}/\S{30,})"),
    _holds("a Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/(?P<s>api/webhooks/\d{15,}/[\w-]{60,})"),
    _starts("a SendGrid key", "SG.", r"[\w-]{16,32}\.[\w-]{16,64}"),
    _starts("a Mailgun key", "key-", r"[0-9a-f]{32}" + _END),
    _starts("a Brevo key", "xkeysib- xsmtpsib-", r"[0-9a-f]{64}-\w{16}"),
    _holds("a Mailchimp key", "-us", _BEGIN + r"(?P<s>[0-9a-f]{32}-us\d{1,2})(?!\w)"),
    _starts("a Resend key", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}" + _END),
    _starts("a Twilio key", "SK", r"[0-9a-f]{32}" + _END),
    # Payment
    _starts("a Stripe key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", r"[A-Za-z0-9]{10,}"),
    _starts("a Stripe webhook secret", "whsec_", r"[A-Za-z0-9+/=]{24,}"),
    _starts("a Square token", "sq0atp- sq0csp-", r"[\w-]{22,}"),
    _starts("a Square token", "EAAA", r"[\w+=-]{50,}"),
    _starts("a PayPal token", "access_token$production$ access_token$sandbox$", r"[0-9a-z]{16}\$[0-9a-f]{32}"),
    _starts("a Shopify token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    _starts("an EasyPost key", "EZAK EZTK", r"[A-Za-z0-9]{54}"),
    _starts("a Duffel token", "duffel_live_ duffel_test_", r"[\w=-]{43}"),
    _starts("a Flutterwave key", "FLWSECK- FLWSECK_TEST-", r"[0-9a-z]{12,}"),
    _starts("a Lob key", "live_ test_", r"[0-9a-f]{35}" + _END),
    _starts("a Shippo token", "shippo_live_ shippo_test_", r"[0-9a-f]{40}"),
    _starts("a Plaid token", "access-sandbox- access-development- access-production-", r"[0-9a-f-]{36}"),
    # Models and data
    _starts("an Anthropic key", "sk-ant-", r"[\w-]{40,}"),
    _starts("an OpenAI key", "sk-", r"(?:proj-|svcacct-|admin-|None-)?(?=[\w-]*\d)[\w-]{30,}"),
    _starts("a Hugging Face token", "hf_ api_org_", r"(?![a-z]+(?:[A-Z][a-z]+)*\b)[A-Za-z0-9]{34,40}" + _END),
    _starts("a Perplexity key", "pplx-", r"[A-Za-z0-9]{48}"),
    _starts("a Groq key", "gsk_", r"[A-Za-z0-9]{48,}"),
    _starts("an NVIDIA key", "nvapi-", r"[\w-]{60,}"),
    _starts("a Replicate token", "r8_", r"[\w-]{37}" + _END),
    _starts("a Notion token", "ntn_ secret_", r"(?=\w*\d)[A-Za-z0-9]{40,}" + _END),
    _starts("an Airtable token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _starts("a Linear key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,}"),
    _starts("a HubSpot token", "pat-na1- pat-eu1-", r"[0-9a-fA-F-]{36}"),
    _starts("a Typeform token", "tfp_", r"[\w.=-]{50,}"),
    _starts("a Mapbox token", "sk.eyJ", r"[\w-]{20,}\.[\w-]{16,}"),
    _starts("a ClickHouse Cloud key", "4b1d", r"[A-Za-z0-9]{38}" + _END),
    _starts("an Adobe client secret", "p8e-", r"[A-Za-z0-9_-]{32}" + _END),
    _starts("a Dropbox token", "sl.", r"[\w=-]{130,}"),
    _starts("an Adafruit key", "aio_", r"[A-Za-z0-9]{28}" + _END),
    _starts("a Frame.io token", "fio-u-", r"[\w=-]{60,}"),
    _holds("a MaxMind key", "_mmk", _BEGIN + r"(?P<s>[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?!\w)"),
    _starts("a Facebook token", "EAAM EAAC", r"[A-Za-z0-9]{80,}"),
    _holds("a Telegram bot token", ":A", _BEGIN + r"(?P<s>\d{7,10}:A[\w-]{34})(?![\w-])"),
    _starts("a Discord bot token", "MD MT Mj Mz ND NT Nj Nz OD OT", r"[\w-]{21,25}\.[\w-]{6}\.[\w-]{27,38}"),
    _starts("an Intra42 secret", "s-s4t2ud- s-s4t2af-", r"[0-9a-f]{64}"),
    _holds("a Facebook app token", "|", r"(?<![\w|])(?P<s>\d{15,16}\|[A-Za-z0-9_-]{27,40})(?![\w|-])"),
    _starts(
        "an Authress key",
        "sc_ ext_ scauth_ authress_",
        r"[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,}",
    ),
    _holds("a GitLab session", "_gitlab_session=", r"_gitlab_session=(?P<s>[0-9a-z]{32})(?!\w)"),
    # Open formats
    _starts("a JSON Web Token", "eyJ", r"[\w-]{14,}\.eyJ[\w-]{14,}(?:\.[\w-]{10,})?"),
    _starts("a JSON Web Token", "ZXlK", r"[A-Za-z0-9+/_-]{60,}={0,2}"),
    _holds(
        "a private key",
        "-----BEGIN",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s*(?:\\[nr]\s*)*"
        r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset)[^\n\\]{0,80}(?:\n|\\n)\s*){0,4}"
        r"(?P<s>[\s\\A-Za-z0-9+/=]{40,20000})",
    ),
    _starts("a PuTTY private key", "PuTTY-User-Key-File-", r"\d.*Private-Lines"),
    _holds(
        "registry credentials",
        'auth" auth\\"',
        r'\\?"auth\\?"\s*:\s*\\?"(?P<s>[A-Za-z0-9+/]{12,}={0,2})\\?"',
    ),
    _holds("a password in a data source", "@tcp( @unix(", _DSN),
    _holds(
        "a password in a URL", "jdbc:oracle:", r"jdbc:oracle:\w{3,5}:[^\s/@:$]{1,60}/(?P<s>[^\s/@$\"'<>{}]{3,200})@"
    ),
    _holds(
        "a password in a URL",
        "://",
        r"[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s/?#'\"<>@:;]{0,200}:(?P<s>(?![$]|%(?![0-9A-Fa-f]{2})|\*{3})"
        r"[^\s/?#'\"<>@{}\[\]();]{3,500})@[\w\[.-]",
    ),
)


class Span(NamedTuple):
    """A credential in a text: what it is, and where it stands."""

    kind: str
    start: int
    end: int


_WORD: Final = r"\d{0,12}[A-Za-z]{0,19}\d{0,4}"
_ID: Final = r"[0-9a-f]{17}(?![0-9A-Za-z])"
"""What stands at the end of an AWS id, such as ``i-0123456789abcdef0``."""
_NOT_WORDS: Final = r"(?!A[KS]IA|A3-|gl[a-z]{2,5}-)"
"""Beginnings of the few formats that chance, or whoever makes a token up, can build from words."""
_LONG: Final = 100
"""A longer text is first looked at as a document: one of words alone is most of what is long, and quickly passed."""
_SHORTEST: Final = 16
"""No format is shorter, except a URL with a password."""


def find_formats(text: str) -> list[Span]:
    """Return the credentials in ``text`` that have a provider's format, in no order."""
    found: list[Span] = []
    if len(text) > _LONG and harmless_document()(text) is not None:
        return found
    if len(text) >= _SHORTEST:
        for hit in _hint_search()(text):
            span = _at_hint(text, hit.start(), hit[0])
            if span is not None and not _keeps_a_place(text[span.start + len(hit[0]) : span.end]):
                found.append(span)
    if _inside_search()(text) is None:
        return found
    for hint, whole in _inside().items():
        if hint in text:
            found.extend(
                Span(format_.kind, *match.span("s"))
                for format_ in whole
                for match in _regex(format_.rest).finditer(text)
                if len(set(match["s"])) > 2 and _regex(_RUN).search(match["s"]) is None
            )
    return found


_RUN: Final = r"([A-Za-z0-9*.])\1{7}"


def _at_hint(text: str, start: int, hint: str) -> Span | None:
    """Return the credential that begins at ``start`` with ``hint``, or with a shorter hint that it begins with."""
    for length in range(len(hint), 1, -1):
        for format_ in _by_hint().get(hint[:length], ()):
            match = _regex(format_.rest).match(text, start + length)
            if match is not None:
                return Span(format_.kind, start, match.end())
    return None


def _keeps_a_place(body: str) -> bool:
    """Return whether what follows the hint is filled with one character, an alphabet, or words for a placeholder."""
    return (
        len(set(body)) < 5
        or _regex(_RUN).search(body) is not None
        or "YOUR" in body
        or (len(body) > 12 and is_sequence(body))
    )


@cache
def _regex(text: str) -> re.Pattern[str]:
    return re.compile(text)


@cache
def harmless_match() -> Callable[[str], re.Match[str] | None]:
    """Return a match for texts made of short words and numbers alone, as most values are: no format looks so."""
    return re.compile(rf"{_NOT_WORDS}{_WORD}(?:[-./:_,|*](?:{_ID}|{_WORD}))*+\Z").match


@cache
def harmless_document() -> Callable[[str], re.Match[str] | None]:
    """Return a match for documents made of short words and numbers alone, between any signs but ``@`` and ``+``."""
    return re.compile(rf"\W*+{_NOT_WORDS}{_WORD}(?:(?:_|[^\w@+])++{_NOT_WORDS}(?:{_ID}|{_WORD}))*+\Z").match


@cache
def _by_hint() -> dict[str, list[Format]]:
    table: dict[str, list[Format]] = {}
    for format_ in FORMATS:
        if not format_.inside:
            for hint in format_.hints:
                table.setdefault(hint, []).append(format_)
    return table


@cache
def _inside() -> dict[str, list[Format]]:
    table: dict[str, list[Format]] = {}
    for format_ in FORMATS:
        if format_.inside:
            for hint in format_.hints:
                table.setdefault(hint, []).append(format_)
    return table


@cache
def _inside_search() -> Callable[[str], re.Match[str] | None]:
    return re.compile(_any_of(_inside())).search


@cache
def _hint_search() -> Callable[[str], Iterator[re.Match[str]]]:
    """Return a search for all hints at once, where a word begins, also after an escaped line break."""
    return re.compile(r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))" + _any_of(_by_hint())).finditer


def _any_of(words: Iterable[str]) -> str:
    """Return a regular expression of all ``words``, with common beginnings written once: that is much faster."""
    branches: dict[str, set[str]] = {}
    for word in words:
        branches.setdefault(word[:1], set()).add(word[1:])
    may_end = "" in branches and bool(branches.pop("") or True)
    if not branches:
        return ""
    parts = [re.escape(first) + _any_of(sorted(rest)) for first, rest in sorted(branches.items())]
    return f"(?:{'|'.join(parts)}){'?' if may_end else ''}"
