"""Network ACL lets the internet in on a sensitive port.

Why: the network ACL of a subnet is the second line behind the security groups. One that lets every address in on SSH,
RDP or a database holds nothing back on the day that a group is opened by mistake. Entries are tried by number, lowest
first, and the first that matches decides, so an entry that is denied before it is not reported. What matches none is
denied.

Fix: let the ports in that the subnet serves, from the addresses that need them, and deny the rest with a lower number
than any entry that allows every port.

Sources:
    https://docs.aws.amazon.com/vpc/latest/userguide/nacl-rules.html
    https://docs.aws.amazon.com/vpc/latest/userguide/vpc-network-acls.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/ec2-controls.html#ec2-21
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import TRUE, UNKNOWN, Example, Part, Severity, ref, rule
from crossgate.rules.network import _ordered
from crossgate.rules.network._cidr import Sources
from crossgate.rules.network._ordered import Entry
from crossgate.rules.network._ports import of_security_group
from crossgate.rules.network._services import PARAMETERS, Asked
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Finding, Resource, Truth, Value

_ACLS: Final = ("aws:ec2/networkAcl:NetworkAcl", "aws:ec2/defaultNetworkAcl:DefaultNetworkAcl")
_RULES: Final = ("aws:ec2/networkAclRule:NetworkAclRule", "aws-native:ec2:NetworkAclEntry")
_OF_RULE: Final = "networkAclId"
_FIRST: Final = 1
"""The lowest number that an entry can have; each is given once for a direction."""
_NETWORKS: Final = (
    "aws:ec2/vpc:Vpc",
    "aws:ec2/subnet:Subnet",
    "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation",
    "aws-native:ec2:Vpc",
    "aws-native:ec2:Subnet",
)
"""What an unknown range may come from without ever being the internet."""


class _Shape(NamedTuple):
    """The names that one form of an entry gives to the same facts."""

    number: str
    action: str
    first: str = "fromPort"
    last: str = "toPort"


_INLINE: Final = _Shape("ruleNo", "action")
_ALONE: Final = _Shape("ruleNumber", "ruleAction")

_SSH: Final = {"ruleNo": 1, "action": "allow", "protocol": "tcp", "fromPort": 22, "toPort": 22}
_WORLD: Final = {"cidrBlock": "0.0.0.0/0"}
_ALL: Final = {"ruleNo": 200, "action": "allow", "protocol": "-1", "fromPort": 0, "toPort": 0, **_WORLD}
_NO_SSH: Final = {**_SSH, **_WORLD, "ruleNo": 90, "action": "deny"}


def _rule(name: str, number: Any, action: str, **changes: Any) -> Part:
    ports = {"protocol": "tcp", "fromPort": 22, "toPort": 22, "egress": False, **_WORLD}
    inputs = {"networkAclId": ref("public"), "ruleNumber": number, "ruleAction": action, **ports, **changes}
    return Part(_RULES[0], name, inputs)


_ACL: Final = Part(_ACLS[0], "public", {})
_EVERYTHING: Final = {"protocol": "-1", "fromPort": None, "toPort": None}


@rule(
    types=(*_ACLS, *_RULES),
    severity=Severity.MEDIUM,
    neighbours=(*_ACLS, *_RULES),
    frameworks=("AWS FSBP 1.0 EC2.21", "CIS AWS 3.0 5.1"),
    equivalents={
        "checkov:CKV_AWS_229": {"ports": [21], "udpPorts": []},
        "checkov:CKV_AWS_230": {"ports": [20], "udpPorts": []},
        "checkov:CKV_AWS_231": {"ports": [3389], "udpPorts": []},
        "checkov:CKV_AWS_232": {"ports": [22], "udpPorts": []},
        "checkov:CKV_AWS_352": {"message": "every port"},
        "trivy:AVD-AWS-0102": {"message": "every port"},
        "trivy:AVD-AWS-0105": {"ports": [22, 3389], "udpPorts": []},
        "kics:3af7f2fd-06e6-4dab-b996-2912bea19ba4": {"ports": [22], "udpPorts": []},
        "kics:a20be318-cac7-457b-911d-04cc6e812c25": {"ports": [3389], "udpPorts": []},
    },
    parameters=PARAMETERS,
    bad=[
        {"ingress": [{**_SSH, **_WORLD}]},
        {"ingress": [{**_SSH, "ipv6CidrBlock": "::/0"}]},
        {"ingress": [{**_SSH, **_WORLD, "action": "ALLOW", "protocol": "TCP"}]},
        {"ingress": [{**_SSH, **_WORLD, "protocol": "6", "fromPort": 20, "toPort": 30}]},
        {"ingress": [{**_ALL, "ruleNo": 1}]},
        {"ingress": [{**_SSH, **_WORLD}, {**_NO_SSH, "ruleNo": 100}]},
        [_rule("ssh", 100, "allow"), _rule("attacker", 90, "deny", cidrBlock="8.8.8.0/24"), _ACL],
        Part(_ACLS[1], "default", {"defaultNetworkAclId": "acl-0a1", "ingress": [{**_SSH, **_WORLD}]}),
        [_rule("ssh", 100, "allow"), _ACL],
        [_rule("all", 100, "allow", **_EVERYTHING), _ACL],
        [_rule("ssh", 100, "allow"), _rule("no-ssh", 200, "deny"), _ACL],
        [_rule("ssh", 100, "allow"), _rule("no-rdp", 90, "deny", fromPort=3389, toPort=3389), _ACL],
        Part(_RULES[0], "ssh", {**_rule("ssh", 100, "allow").inputs, "networkAclId": "acl-0a1b2c3d"}),
        Part(
            "aws-native:ec2:NetworkAclEntry",
            "native",
            {
                "networkAclId": "acl-0a1b2c3d",
                "ruleNumber": 100,
                "ruleAction": "allow",
                "protocol": 6,
                "cidrBlock": "0.0.0.0/0",
                "portRange": {"from": 22, "to": 22},
            },
        ),
        Example(
            [Part(_ACLS[0], "web", {"ingress": [{**_SSH, **_WORLD, "fromPort": 80, "toPort": 80}]})], {"ports": [80]}
        ),
    ],
    good=[
        {},
        {"ingress": []},
        {"ingress": [{**_SSH, "cidrBlock": "10.0.0.0/8"}]},
        {"ingress": [{**_SSH, **_WORLD, "fromPort": 443, "toPort": 443}]},
        {"ingress": [{**_SSH, **_WORLD, "action": "deny"}]},
        {
            "ingress": [
                _ALL,
                *(
                    {**_NO_SSH, "ruleNo": at, "protocol": protocol, "toPort": 65535, "fromPort": 0}
                    for at, protocol in ((10, "tcp"), (11, "udp"))
                ),
            ]
        },
        {"egress": [_ALL]},
        {"ingress": [{**_SSH, **_WORLD, "protocol": "icmp"}]},
        {"ingress": [{**_SSH, **_WORLD, "protocol": "esp"}]},
        [_rule("all", 100, "allow", cidrBlock="10.0.0.0/8", **_EVERYTHING), _ACL],
        [_rule("all", 100, "allow", egress=True, **_EVERYTHING), _ACL],
        [_rule("ssh", 100, "allow"), _rule("no-ssh", 90, "deny"), _ACL],
        [_rule("ssh", 100, "allow"), Part(_ACLS[0], "public", {"ingress": [_NO_SSH]})],
        [_rule("ssh", 100, "allow", cidrBlock=ref("main")), Part("aws:ec2/vpc:Vpc", "main", {}), _ACL],
    ],
    unsure=[
        {"ingress": UNKNOWN},
        {"ingress": [{**_SSH, "cidrBlock": UNKNOWN}]},
        {"ingress": [{**_SSH, **_WORLD, "protocol": UNKNOWN}]},
        {"ingress": [{**_SSH, **_WORLD, "ruleNo": 100}, UNKNOWN]},
        [_rule("ssh", 100, "allow", egress=UNKNOWN), _ACL],
        [_rule("ssh", 100, "allow"), _rule("no-ssh", 90, UNKNOWN), _ACL],
        [_rule("ssh", 100, "allow"), _rule("no-ssh", UNKNOWN, "deny"), _ACL],
    ],
)
def aws_nacl_open_ingress(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the entries, alone and together, that let the internet in on one of the ports."""
    own = list(_entries(resource))
    if own:
        yield from _ordered.findings(
            own, list(_ordered.siblings(resource, _entries, _OF_RULE, _RULES, wholes=_ACLS)), Asked.of(parameters)
        )


def _entries(resource: Resource) -> Iterator[Entry]:
    """Yield the entries for what comes in that a network ACL or a stand-alone rule states itself."""
    if resource.token in _ACLS:
        for entry in resource["ingress"].each():
            yield _entry(entry, _INLINE, TRUE)
    else:
        yield _entry(resource.inputs, _ALONE, resource["egress"].is_false(absent=True))


def _entry(entry: Value, shape: _Shape, applies: Truth) -> Entry:
    sources = Sources()
    if entry.readable:
        for key in ("cidrBlock", "ipv6CidrBlock"):
            sources.add(entry[key], _NETWORKS)
    else:
        sources.doubt(entry.gap)
    order, gap = _ordered.order_of(entry[shape.number], "number")
    span = entry["portRange"]
    ends = (span["from"], span["to"]) if span.exists().is_true else (entry[shape.first], entry[shape.last])
    opened = of_security_group(entry["protocol"], *ends)
    return Entry(
        entry, order, applies, says(entry[shape.action], "allow"), (opened,), sources, gap, is_first=order == _FIRST
    )
