"""Secrets in running text: shell scripts, cloud-init, properties files, JSON and YAML inside a string."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from crossgate.rules.leakage._formats import Span
from crossgate.rules.leakage._key_meaning import Meaning, Strength, meaning_of
from crossgate.rules.leakage._literal import (
    is_dotted,
    is_placeholder,
    is_reference,
    is_secret_literal,
    looks_generated,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST: Final = 1 << 20
"""Characters of one text that are read. User data ends at 16 KiB, a ConfigMap at 1 MiB."""
_UNFOLDED: Final = 1_000_000
"""Bytes of a compressed text that are read."""
_TEXTUAL: Final = 0.9
"""The share of printable ASCII from which bytes that are no UTF-8 still are a text: a script with an accent in it."""
_TELLS: Final = (
    r"pass|pw|secret|token|key|auth|cred|jwt|bearer|curl|wget|mysql|net1? user|redis-cli|mongo|login|configure|setx"
    r"|securestring|environmentvariable|kennwort|senha|contrase|wachtwoord"
)
"""Without one of these, no assignment and no command of a text can be about a secret."""
_STATES: Final = (
    r"[=:<|]|(?<!\S)-|\bnet1?\b|setx|configure|setenvironmentvariable|securestring|login|requirepass|masterauth"
)
"""Without one of these, there is no assignment and no command in a text: it is prose."""

# Every repetition that could run over a long line has a bound, so that no text makes a search slow.
_ASSIGNMENT: Final = (
    r"(?<![\w$.%-])(?P<key>[A-Za-z_][\w.\-]{1,80}(?<![.-]))\\?[\"']?\]?[ \t]*(?:=>|:=|\?=|[:=](?!//))[ \t]*"
    r"(?:(?P<quote>\\?[\"'])(?P<quoted>(?:\\[^\"']|[^\"'\\\n])*?)(?P=quote)|(?P<bare>[^\s,;&\"'<>()|\\]+))"
)
_OPTION: Final = r"(?<!\S)--?(?P<key>[A-Za-z][\w.-]{2,60})[ =]+(?P<quote>[\"']?)(?P<value>[^\s\"'-][^\s\"']*)(?P=quote)"
_ELEMENT: Final = r"<(?P<key>[A-Za-z][\w.-]{1,80})(?![\w.-])[^<>]{0,200}>(?P<value>[^<>\s]{4,500})</"
_PAIR: Final = (
    r"(?i)\b(?:name|key)\\?[\"']?\s*[:=]\s*(?P<quote>\\?[\"'])(?P<key>[^\"'\n]{2,80})(?P=quote)\s*,?\s*"
    r"\\?[\"']?value\\?[\"']?\s*[:=]\s*(?P=quote)(?P<value>[^\"'\n]+)(?P=quote)"
)
_YAML_PAIR: Final = (
    r"(?m)^[ \t-]*(?:name|key):[ \t]*(?P<quote>[\"']?)(?P<key>[\w.-]{2,80})(?P=quote)[ \t]*\r?\n"
    r"[ \t]+value:[ \t]*(?P<open>[\"']?)(?P<value>[^\s\"'#][^\n\"'#]{0,500}?)(?P=open)[ \t]*\r?$"
)
_SET: Final = (
    r"(?:\bsetx[ \t]+|\bconfigure[ \t]+set[ \t]+|\bSetEnvironmentVariable\([ \t]*)"
    r"[\"']?(?P<key>[\w.-]{2,80})[\"']?[ \t,]+[\"']?(?P<value>[^\s\"',)]{4,500})"
)
_HEADER: Final = r"(?:-H|--header)[ =]*[\"'](?P<key>[\w-]{2,80}):\s*(?P<value>[^\s\"'`]{8,})[\"']"
_AUTHORIZATION: Final = (
    r"(?i)authorization[\"']?\s*[:=]\s*[\"']?\s*(?:(?:bearer|basic|token|apikey|digest)\s+)?(?P<value>[^\s\"'`\\]{8,})"
)
_USER: Final = (
    r"(?<!\S)(?:-[a-zA-Z]{0,9}u|--user)[ =]*[\"']?(?:[^\s:\"'<$]*:[\"']?(?P<value>[^\s\"'`]{6,})"
    r"|(?P<token>[^\s:\"'<$]{10,}):[\"'\s])"
)
_NAME: Final = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[\[{]?\Z"
_CALLED: Final = frozenset({"(", '"', "'"})
"""What stands after a name that is called or looked up in: ``read(``, ``settings["…``."""
_GOES_ON: Final = frozenset({" ", "("})
_HTTP_CLIENT: Final = r"\b(?:curl|wget|http)\b"
_COMMAND_END: Final = r"(?<!\\)\n|[|;]"
_CHPASSWD: Final = r"[\"'\s][\w-]{1,40}:(?P<value>[^\s\"':|]{6,})[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd"
_MYSQL: Final = r"\bmysql\w*[ \t][^\n|;]{0,400}?(?<=\s)-p(?P<value>[^\s\"'$=-][^\s\"']{5,})"
_WORD_END: Final = r"(?:(?P<q>[\"'])(?P<quoted>[^\"'\n]{4,200})(?P=q)|(?P<bare>[^\s\"'|;&)>]{4,200}))"
_COMMANDS: Final = tuple(
    command + _WORD_END
    for command in (
        r"\bsshpass[ \t]+-p[ \t]*",
        r"\bredis-cli\b[^\n|;]{0,200}?[ \t]-a[ \t]+",
        r"\b(?:docker|podman|nerdctl|buildah|skopeo|az|oc|registry)[ \t]+login\b[^\n|;]{0,300}?[ \t]-p[ =]?",
        r"\bmongo(?:sh|dump|restore|export|import)?[ \t][^\n|;]{0,300}?[ \t]-p[ =]?",
        r"\bnet1?(?:\.exe)?[ \t]+user[ \t]+(?![/\"'])[^\s/]{1,64}[ \t]+(?![/*])",
        r"\bConvertTo-SecureString[ \t]+(?:-(?:String|AsPlainText|Force)[ \t]+){0,3}(?![-$(])",
        r"(?:\bmachine[ \t]+\S{1,200}|\bdefault)\s+login[ \t]+\S{1,100}\s+password[ \t]+",
        r"(?m)(?:^[ \t]*|--)(?:requirepass|masterauth)[ \t=]+",
    )
)
"""Commands, and settings of servers, that take a password without a name before it."""
_PASSWORD_LIST: Final = (
    r"(?m)\bchpasswd:[ \t]*\r?\n(?:[ \t]+expire:.*\n)?[ \t]+list:[ \t]*[|>]?-?[ \t]*\r?\n"
    r"(?P<list>(?:[ \t]+\S+[ \t]*(?:\r?\n|\Z))+)"
)
"""Users and passwords in cloud-init (https://cloudinit.readthedocs.io/en/latest/reference/modules.html#set-passwords)."""
_LISTED: Final = r"(?m)^[ \t]+(?:-[ \t]+)?[\"']?[\w.-]{1,40}:(?P<value>[^\s\"']{5,200})"

_SECRET_KIND: Final = r"(?im)^[ \t]*kind:[ \t]*[\"']?secret[\"']?[ \t]*\r?$"
_SECRET_DATA: Final = (
    r"(?m)^(?P<indent>[ \t]*)(?:data|stringData):[ \t]*\r?\n"
    r"(?P<data>(?:(?:(?P=indent)[ \t]+.*|[ \t]*)(?:\r?\n|\Z))+)"
)
_SECRET_ENTRY: Final = (
    r"(?m)^[ \t]*[\"']?(?P<key>[\w.-]{1,253})[\"']?:[ \t]*(?:[>|][+-]?[ \t]*\r?\n[ \t]*)?[\"']?"
    r"(?P<value>[A-Za-z0-9+/]{10,}={0,2})[\"']?[ \t]*\r?$"
)
_PUBLIC_DATA: Final = frozenset({"tls.crt", "ca.crt"})


@cache
def _regex(text: str) -> re.Pattern[str]:
    return re.compile(text)


def find_in_text(text: str) -> list[Span]:
    """Return the secrets that assignments, options, headers and commands in ``text`` state literally."""
    text = text[:_LONGEST]
    if not tells(text):
        return []
    return [*_assigned(text), *_given(text), *_in_manifests(text)]


def tells(text: str) -> bool:
    """Return whether an assignment or a command of ``text`` could be about a secret at all: a quick answer."""
    lower = text.lower()
    return _regex(_TELLS).search(lower) is not None and _regex(_STATES).search(lower) is not None


def _assigned(text: str) -> Iterator[Span]:
    """Yield what is assigned to a name that means a secret, in any of the usual notations."""
    for match in _regex(_ASSIGNMENT).finditer(text):
        meaning = meaning_of(match["key"])
        if meaning is None:
            continue
        group = "bare" if match["quoted"] is None else "quoted"
        after = text[match.end() : match.end() + 1] if group == "bare" else None
        if _is_stated(match[group].strip(), match["key"], meaning, after):
            yield Span(meaning.kind, *match.span(group))
    for pattern in (_OPTION, _ELEMENT, _HEADER, _PAIR, _YAML_PAIR, _SET):
        for match in _regex(pattern).finditer(text):
            meaning = meaning_of(match["key"])
            if meaning is not None and _is_stated(match["value"], match["key"], meaning):
                yield Span(meaning.kind, *match.span("value"))


def _is_stated(value: str, key: str, meaning: Meaning, after: str | None = None) -> bool:
    """Return whether an assignment in running text states a secret: texts have more harmless ones than inputs have."""
    if not _is_literal(value) or ".*" in value or not is_secret_literal(value, key, meaning.strength):
        return False
    if after is not None and _is_expression(value, after):
        return False
    if value.startswith("{") and value.endswith(":"):  # a map in YAML, such as a schema's "password: {type: string}"
        return False
    if meaning.strength is Strength.PASSWORD:  # a word that others follow is prose
        return after not in _GOES_ON or not value.isalpha()
    return len(value) >= 8 and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _is_expression(value: str, after: str) -> bool:
    """Return whether a text without quotes is an expression: something called, looked up, or a tag of YAML."""
    if value.startswith("!") and value[1:].isidentifier():  # !Ref, !Sub
        return True
    return is_dotted(value) or ((after in _CALLED or value[-1] in "[{") and _regex(_NAME).match(value) is not None)


def _given(text: str) -> Iterator[Span]:
    """Yield what commands are given: an authorization header, a user with a password."""
    for match in _regex(_AUTHORIZATION).finditer(text):
        value = match["value"]
        if _is_literal(value) and (looks_generated(value) or any(map(str.isdigit, value))):
            yield Span("an authorization header", *match.span("value"))
    for match in _regex(_USER).finditer(text):
        given = match["value"] or match["token"]
        is_token = match["value"] is None
        if _is_literal(given) and _is_for_http(text, match.start()) and (not is_token or any(map(str.isdigit, given))):
            yield Span("a token" if is_token else "a password", *match.span("token" if is_token else "value"))
    for pattern in (_CHPASSWD, _MYSQL):
        for match in _regex(pattern).finditer(text):
            if _is_literal(match["value"]):
                yield Span("a password", *match.span("value"))
    for pattern in _COMMANDS:
        for match in _regex(pattern).finditer(text):
            group = "bare" if match["quoted"] is None else "quoted"
            if _is_password(match[group]):
                yield Span("a password", *match.span(group))
    for users in _regex(_PASSWORD_LIST).finditer(text):
        for match in _regex(_LISTED).finditer(users["list"]):
            if _is_password(match["value"]):
                yield Span("a password", *(users.start("list") + place for place in match.span("value")))


def _is_password(value: str) -> bool:
    return _is_literal(value) and is_secret_literal(value, "", Strength.PASSWORD)


def _is_for_http(text: str, option: int) -> bool:
    """Return whether the option at ``option`` belongs to a command that fetches something."""
    command = _regex(_COMMAND_END).split(text[max(0, option - 600) : option])[-1]
    return _regex(_HTTP_CLIENT).search(command) is not None


def _is_literal(value: str) -> bool:
    return not ("$" in value[:2] or "{{" in value or is_reference(value) or is_placeholder(value))


def _in_manifests(text: str) -> Iterator[Span]:
    """Yield the values of Kubernetes Secrets that stand in the text as YAML."""
    if _regex(_SECRET_KIND).search(text) is None:
        return
    start = 0
    for document in _regex(r"(?m)^---.*$").split(text):
        start = text.index(document, start)
        data = _regex(_SECRET_DATA).search(document)
        if data is None or _regex(_SECRET_KIND).search(document) is None:
            continue
        for match in _regex(_SECRET_ENTRY).finditer(data["data"]):
            if match["key"] not in _PUBLIC_DATA and not is_placeholder(match["value"]):
                first = start + data.start("data") + match.start("value")
                yield Span("the data of a Kubernetes Secret", first, first + len(match["value"]))


def decoded(text: str) -> str:
    """Return the text that ``text`` encodes in base64, also compressed with gzip, or ``text`` itself.

    Decodes once: what stands encoded inside the text stays as it is.
    """
    import binascii
    import zlib

    compact = "".join(text.split())
    if len(compact) < 8 or len(compact) > 2 * _LONGEST or _regex(r"[A-Za-z0-9+/_-]+={0,2}\Z").match(compact) is None:
        return text
    try:
        content = binascii.a2b_base64(compact.replace("-", "+").replace("_", "/") + "=" * (-len(compact) % 4))
        if content[:2] == b"\x1f\x8b":
            content = zlib.decompressobj(31).decompress(content, _UNFOLDED)
    except (ValueError, zlib.error):
        return text
    plain = _as_text(content)
    return text if plain is None else plain


def _as_text(content: bytes) -> str | None:
    """Return the text that ``content`` is, in UTF-8, UTF-16 or nearly so; None when it is none."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        plain = content.decode("utf-16", "replace")
    else:
        try:
            plain = content.decode()
        except UnicodeDecodeError:
            plain = ""
    if plain and all(character.isprintable() or character in "\r\n\t" for character in plain[:4096]):
        return plain
    beginning = content[:4096]
    readable = sum(32 <= byte < 127 or byte in b"\r\n\t" for byte in beginning)
    return content.decode(errors="replace") if len(beginning) >= 64 and readable >= _TEXTUAL * len(beginning) else None
