"""Reads the resource policies of AWS: which statements let strangers in, and what keeps them out.

A resource policy is JSON text or an object, and may be known in parts only. Every answer is a Truth, so an unknown
``Resource`` changes nothing and an unknown principal makes only its own statement undetermined.

What counts as public is S3's own definition, which starts from "public" and accepts a condition only where it compares
one of a few keys with fixed values: without a wildcard, without a policy variable. Services differ in details; a
:class:`Service` holds them. ``Action`` and ``Resource`` decide nothing: a service refuses a policy whose actions or
resources are not its own.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notprincipal.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import FALSE, all_of, any_of, unknown
from crossgate.rules.public import _leaf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crossgate import Gap, Truth, Value


class Service(NamedTuple):
    """How one AWS service reads its resource policies."""

    federated_is_public: bool
    """Whether everyone whom a ``Federated`` identity provider signs in is a stranger."""
    listed_keys: frozenset[str]
    """Condition keys, in lower case, by which the service's own definition of "public" lets a policy be limited."""
    not_limiting: frozenset[str] = frozenset()
    """Condition keys that keep strangers out elsewhere, but not here."""
    fixed_by_account: frozenset[str] = frozenset()
    """Condition keys under which an ARN limits enough when its account is fixed, whatever wildcards follow."""
    limiting: frozenset[str] = frozenset()
    """Condition keys of the service itself that keep strangers out when they are compared with fixed values."""
    switches: frozenset[str] = frozenset()
    """Condition keys of the service itself that keep strangers out when ``Bool`` compares them with true."""


S3: Final = Service(
    federated_is_public=True,
    listed_keys=frozenset(
        {
            "aws:principalorgid",
            "aws:sourceaccount",
            "aws:sourcearn",
            "aws:sourceip",
            "aws:sourceowner",
            "aws:sourcevpc",
            "aws:sourcevpce",
            "aws:userid",
            "s3:dataaccesspointaccount",
            "s3:dataaccesspointarn",
        }
    ),
)
S3_ACCESS_POINT: Final = S3._replace(not_limiting=frozenset({"s3:dataaccesspointaccount", "s3:dataaccesspointarn"}))
"""A request to an access point comes through it by nature, so these two tell nothing of who sends it."""
PLAIN: Final = Service(
    federated_is_public=False,
    listed_keys=frozenset(),
    fixed_by_account=frozenset({"aws:sourcearn", "aws:principalarn"}),
)
"""A service without a definition of "public" of its own: IAM's meaning stands."""

_LIMITING_KEYS: Final = S3.listed_keys | {
    # IAM's, which no stranger can satisfy. aws:username is not among them, since names repeat in every account, nor
    # aws:PrincipalTag, since everyone tags their own principals.
    "aws:principalaccount",
    "aws:principalarn",
    "aws:principalisawsservice",
    "aws:principalorgpaths",
    "aws:principalservicename",
    "aws:principalservicenameslist",
    "aws:sourceorgid",
    "aws:sourceorgpaths",
    "aws:sourcevpcarn",
    "aws:vpceaccount",
    "aws:vpceorgid",
    "aws:vpceorgpaths",
    # Who may write with a KMS key is for the key's own policy to say. S3's definition named this key once.
    "s3:x-amz-server-side-encryption-aws-kms-key-id",
}
_COMPARING: Final = frozenset({"stringequals", "stringequalsignorecase", "stringlike", "arnequals", "arnlike"})
"""Operators under which a fixed value keeps strangers out. Negated ones, and those with IfExists or ForAllValues, hold
for a request that lacks the key; numbers, dates and ``Null`` hold for a request that anyone can make."""
_NEGATED: Final = frozenset(
    {"stringnotequals", "stringnotequalsignorecase", "stringnotlike", "arnnotequals", "arnnotlike", "notipaddress"}
)
_WIDEST: Final = {4: 8, 6: 32}
"""The shortest prefix of an address range that S3 still takes for a limit, by IP version."""

_PLAIN_OUTPUTS: Final = (
    "aws:cloudfront/distribution:Distribution",
    "aws:cloudfront/originAccessIdentity:OriginAccessIdentity",
    "aws:cloudtrail/trail:Trail",
    "aws:ec2/vpc:Vpc",
    "aws:ec2/vpcEndpoint:VpcEndpoint",
    "aws:iam/role:Role",
    "aws:iam/user:User",
    "aws:kms/key:Key",
    "aws:lambda/function:Function",
    "aws:lb/loadBalancer:LoadBalancer",
    "aws:organizations/account:Account",
    "aws:organizations/organization:Organization",
    "aws:s3/accessPoint:AccessPoint",
    "aws:s3/bucket:Bucket",
    "aws:s3/bucketV2:BucketV2",
    "aws:sns/topic:Topic",
    "aws:sqs/queue:Queue",
    "aws-native:cloudfront:Distribution",
    "aws-native:ec2:Vpc",
    "aws-native:ec2:VpcEndpoint",
    "aws-native:iam:Role",
    "aws-native:iam:User",
    "aws-native:s3:Bucket",
)
"""Resources whose names, ids and ARNs hold no wildcard: an unknown that is one of them is never ``*``."""


_KINDS: Final = frozenset({"AWS", "CanonicalUser", "Federated", "Service", "*"})
"""The kinds of principals."""
NOT_A_POLICY: Final = "not a policy document"
NOT_A_STATEMENT: Final = "not a statement of a policy"


class Limit(NamedTuple):
    """What a statement's conditions do."""

    works: Truth
    """Do they keep strangers out?"""
    listed: Truth
    """Do they so by a key that the service's own definition names?"""
    loose: bool
    """Is a key compared that could keep strangers out, but with a value, or in a way, that does not?"""


class Grant(NamedTuple):
    """An ``Allow`` statement for a principal that is, or may be, open to strangers."""

    statement: Value
    at: Value
    """Where it names whom it lets in."""
    who: str
    """Words for whom it lets in: ``anyone``."""
    names_everyone: Truth
    """Does it, before its conditions?"""
    limit: Limit

    @property
    def public(self) -> Truth:
        """Does it let strangers in?"""
        return self.names_everyone & ~self.limit.works

    @property
    def words(self) -> str:
        """Words for how it lets strangers in: what they get comes after."""
        if self.statement["Condition"].is_empty().is_true:
            return f"Allow for {self.who} without a condition: strangers get"
        return f"Allow for {self.who}, with a condition that does not limit who: strangers get"


class _Principal(NamedTuple):
    at: Value
    who: str
    everyone: Truth


def grants(document: Value, service: Service) -> Iterator[Grant]:
    """Yield the statements of a parsed policy ``document`` that let in principals who are, or may be, strangers."""
    for statement in document["Statement"].each():
        yield from statement_grants(statement, service)


def statement_grants(statement: Value, service: Service) -> Iterator[Grant]:
    """Yield one ``statement`` of a policy when it lets in principals who are, or may be, strangers."""
    allows = statement["Effect"].equals("Allow")
    if allows.is_false:
        return
    principals = [principal for principal in _principals(statement, service) if not principal.everyone.is_false]
    if principals:
        first = next((principal for principal in principals if principal.everyone.is_true), principals[0])
        names_everyone = allows & any_of(principal.everyone for principal in principals)
        yield Grant(statement, first.at, first.who, names_everyone, _limit(statement["Condition"], service))


class ServiceGrant(NamedTuple):
    """An ``Allow`` statement for a service of AWS, which acts there for whoever uses the service."""

    statement: Value
    at: Value
    """Where it names the service."""
    allowed: Truth
    """Does it let the service in?"""
    limit: Limit


def service_grants(document: Value, principal: str, service: Service) -> Iterator[ServiceGrant]:
    """Yield the statements of a parsed policy ``document`` that let the service ``principal`` in, or may do so."""
    for statement in document["Statement"].each():
        allows = statement["Effect"].equals("Allow")
        for item in () if allows.is_false else _items(statement["Principal"]["Service"]):
            allowed = allows & item.equals(principal)
            if not allowed.is_false:
                yield ServiceGrant(statement, item, allowed, _limit(statement["Condition"], service))


def misshapen(document: Value) -> Iterator[Gap]:
    """Yield where a parsed policy ``document`` is known to be something that no service reads as a policy.

    What it was meant to say cannot be told: names are in the wrong case, or the document is encoded twice.
    """
    if not document.exists().is_true or not document.readable:
        return
    statements = document["Statement"]
    if not document.is_map or statements.exists().is_false:
        yield document.gap._replace(why=NOT_A_POLICY)
        return
    for statement in statements.each():
        if statement.readable and not (statement.is_map and _can_be_read(statement)):
            yield statement.gap._replace(why=NOT_A_STATEMENT)


def _can_be_read(statement: Value) -> bool:
    """Return whether a statement has an effect, and principals of known kinds, or may have them."""
    kinds = [kind for kind, _ in statement["Principal"].entries()] if statement["Principal"].is_map else []
    return not statement["Effect"].is_in(("Allow", "Deny")).is_false and _KINDS.issuperset(kinds)


def denies_the_rest(document: Value) -> bool:
    """Return whether a ``Deny`` for everyone but some callers is known to stand in the document."""
    return any(_denies_the_rest(statement) for statement in document["Statement"].each())


# -- principals ------------------------------------------------------------------------------------------------------


def _principals(statement: Value, service: Service) -> Iterator[_Principal]:
    """Yield every place of a statement that may name everyone."""
    spared = statement["NotPrincipal"]
    yield _Principal(spared, "everyone whom NotPrincipal does not name", spared.exists())
    principal = statement["Principal"]
    if not principal.is_map:
        for item in principal.each():
            yield _Principal(item, "anyone", _leaf.test(item, _is_everyone, never_from=_PLAIN_OUTPUTS))
        return
    for kind, named in principal.entries():
        if kind in ("AWS", "*"):
            for item in _items(named):
                yield _Principal(item, "anyone", _leaf.test(item, _is_everyone, never_from=_PLAIN_OUTPUTS))
        elif kind == "Federated" and service.federated_is_public:
            yield _Principal(named, "whoever the identity provider signs in", named.exists())


def _is_everyone(content: Any) -> bool:
    """Return whether a principal is ``*`` or an ARN in any account; IAM refuses wildcards within one account."""
    if not isinstance(content, str):
        return False
    return content == "*" or (content.startswith("arn:") and "*" in _account_of(content))


def _account_of(arn: str) -> str:
    parts = arn.split(":", 5)
    return parts[4] if len(parts) == 6 else ""


# -- conditions ------------------------------------------------------------------------------------------------------


def _limit(condition: Value, service: Service) -> Limit:
    """Read the conditions: all their operators and keys must hold, so one that keeps strangers out is enough."""
    works, listed, loose = FALSE, FALSE, False
    for operator, tests in condition.entries():
        compares = _comparison(operator) if condition.is_map else "anything"
        if not compares:
            continue
        for written, values in tests.entries():
            key = written.lower()
            this = _keeps_out(compares, key, values, service) if tests.is_map else unknown(tests.gap)
            works = works | this
            if key in service.listed_keys or not tests.is_map:
                listed = listed | this
            loose = loose or (this.is_false and key in _LIMITING_KEYS)
    return Limit(works, listed, loose)


def compares_with_fixed(condition: Value, is_key: Callable[[str], bool], is_loose: Callable[[Any], bool]) -> Truth:
    """Does a condition hold only for requests with a key of some kind, each of whose values is not loose?

    ``is_key`` is asked for keys in lower case.
    """
    found = FALSE
    for operator, tests in condition.entries():
        if (_comparison(operator) if condition.is_map else "text") != "text":
            continue
        if not tests.is_map:
            found = found | unknown(tests.gap)
            continue
        for written, values in tests.entries():
            if is_key(written.lower()):
                found = found | _all(values, lambda item: item.exists() & ~item.test(is_loose))
    return found


def condition_limits(condition: Value, service: Service) -> Truth:
    """Does a condition in EventBridge's form, one ``type``, ``key`` and ``value``, keep strangers out?"""
    if condition.is_empty().is_true:
        return FALSE
    operator, key = condition["type"], condition["key"]
    if not (operator.readable and key.readable):
        return unknown(*(part.gap for part in (operator, key) if not part.readable))
    compares = _comparison(operator.text() or "")
    return _keeps_out(compares, (key.text() or "").lower(), condition["value"], service) if compares else FALSE


def _comparison(operator: str) -> str:
    """Return what an operator compares, empty when nothing under it keeps strangers out.

    ``ForAnyValue`` fails for a request without the key, as a plain operator does.
    """
    name = operator.lower().removeprefix("foranyvalue:")
    return "text" if name in _COMPARING else name if name in ("ipaddress", "bool") else ""


def _keeps_out(compares: str, key: str, values: Value, service: Service) -> Truth:
    """Does this comparison keep strangers out? Its values are alternatives, so every one must."""
    if key in service.not_limiting:
        return FALSE
    if key == "aws:principalisawsservice" or key in service.switches:
        return _all(values, lambda item: item.is_true()) if compares == "bool" else FALSE
    if key == "aws:sourceip":
        return _all(values, lambda item: item.test(_is_narrow)) if compares == "ipaddress" else FALSE
    if (key not in _LIMITING_KEYS and key not in service.limiting) or compares != "text":
        return FALSE
    is_loose = _is_any_account if key in service.fixed_by_account else _LOOSE.get(key, _is_loose)
    return _all(values, lambda item: item.exists() & ~_leaf.test(item, is_loose, never_from=_PLAIN_OUTPUTS))


def _all(values: Value, question: Callable[[Value], Truth]) -> Truth:
    """Return whether the answer is yes for every value; a key without a value keeps nobody out."""
    items = _items(values)
    return all_of(map(question, items)) if items else FALSE


def _is_loose(content: Any) -> bool:
    """Return whether a value is not fixed: it holds a wildcard or a policy variable, or is no text."""
    if isinstance(content, bool) or not isinstance(content, (str, int, float)):
        return True
    text = str(content)
    return not text or any(mark in text for mark in ("*", "?", "${"))


def _is_loose_in_account(content: Any) -> bool:
    """Return whether an ARN is not fixed up to its account. The name behind it may be a wildcard."""
    before_name = str(content).split(":", 5)[:5]
    return len(before_name) < 5 or not before_name[4] or _is_loose(":".join(before_name))


def _is_any_account(content: Any) -> bool:
    """Return whether an ARN is neither fixed nor of one fixed account, whatever Region and name stand beside it.

    The ARN of a bucket names no account, and is fixed by its name, which no other bucket has.
    """
    parts = str(content).split(":", 5)
    if len(parts) < 6:
        return True
    bucket = parts[5].partition("/")[0]
    fixed_bucket = parts[2] == "s3" and bucket != "accesspoint" and not _is_loose(bucket)
    return _is_loose(content) and _is_loose(parts[4]) and not fixed_bucket


def names_account(content: Any) -> bool:
    """Return whether a value is an ARN whose account is fixed."""
    return isinstance(content, str) and content.startswith("arn:") and not _is_loose(_account_of(content))


def _is_loose_path(content: Any) -> bool:
    """Return whether an organisation path does not begin with a fixed organisation; units below match by wildcard."""
    organization, slash, _ = str(content).partition("/")
    return not slash or _is_loose(organization)


_LOOSE: Final = {
    "aws:principalorgpaths": _is_loose_path,
    "aws:sourceorgpaths": _is_loose_path,
    "aws:vpceorgpaths": _is_loose_path,
    "s3:dataaccesspointarn": _is_loose_in_account,
}


def _is_narrow(content: Any) -> bool:
    """Return whether an address range is no wider than what S3 still takes for a limit."""
    from ipaddress import ip_network

    try:
        network = ip_network(str(content), strict=False)
    except ValueError:
        return False
    return network.prefixlen >= _WIDEST[network.version]


def _denies_the_rest(statement: Value) -> bool:
    if not statement["Effect"].equals("Deny").is_true:
        return False
    if statement["NotPrincipal"].exists().is_true:
        return True
    return any(principal.everyone.is_true for principal in _principals(statement, S3)) and any(
        _is_negated(operator) and key.lower() in _LIMITING_KEYS
        for operator, tests in statement["Condition"].entries()
        for key, _ in tests.entries()
    )


def _is_negated(operator: str) -> bool:
    return operator.lower().rpartition(":")[2].removesuffix("ifexists") in _NEGATED


def _items(value: Value) -> list[Value]:
    """Return the elements of a list, or the one value that stands in its place, also when that is an unknown."""
    return [value] if value.is_unknown else list(value.each())
