"""Google Cloud firewall lets the internet in on a sensitive port.

Why: whoever scans the internet finds the port within minutes. Behind SSH, RDP, a database or an admin interface one
weak password or one unpatched version is enough. Sources add up: a source tag beside ``0.0.0.0/0`` narrows nothing,
and a rule that names no source at all is for everyone. Rules are tried by priority, lowest first, and of two with the
same priority the one that denies; a rule that is denied before it is not reported. A denial for other targets is none.

Fix: set ``sourceRanges`` to the addresses that need the port. For SSH and RDP, let Identity-Aware Proxy in
(``35.235.240.0/20``) and nobody else.

Sources:
    https://cloud.google.com/firewall/docs/firewalls
    https://cloud.google.com/firewall/docs/firewall-policies-rule-details
    https://cloud.google.com/iap/docs/using-tcp-forwarding
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Example, Part, Severity, ref, rule
from crossgate.rules.network import _gcp_firewall, _ordered
from crossgate.rules.network._services import PARAMETERS, Asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Finding, Resource

_FIREWALL: Final = _gcp_firewall.FIREWALLS[0]
_POLICY_RULE: Final = _gcp_firewall.POLICY_RULES[0]
_SSH: Final = {"protocol": "tcp", "ports": ["22"]}
_WORLD: Final = {"sourceRanges": ["0.0.0.0/0"]}
_OPEN: Final = {"network": "shop", "allows": [_SSH], **_WORLD}
_LOCKDOWN: Final = {"network": "shop", "denies": [{"protocol": "tcp", "ports": ["20-25"]}], **_WORLD}
_WORLD_MATCH: Final = {"srcIpRanges": ["0.0.0.0/0"], "layer4Configs": [{"ipProtocol": "tcp", "ports": ["22"]}]}
_POLICY: Final = {
    "firewallPolicy": "edge",
    "priority": 1000,
    "direction": "INGRESS",
    "action": "allow",
    "match": _WORLD_MATCH,
}


def _firewall(name: str, body: Mapping[str, Any], **changes: Any) -> Part:
    return Part(_FIREWALL, name, {**body, **changes})


@rule(
    types=(*_gcp_firewall.FIREWALLS, *_gcp_firewall.POLICY_RULES, *_gcp_firewall.POLICIES),
    severity=Severity.HIGH,
    neighbours=(*_gcp_firewall.FIREWALLS, *_gcp_firewall.POLICY_RULES, *_gcp_firewall.PARENTS),
    frameworks=("CIS GCP 2.0 3.6", "CIS GCP 2.0 3.7"),
    equivalents={
        "checkov:CKV_GCP_2": {"ports": [22], "udpPorts": []},
        "checkov:CKV_GCP_3": {"ports": [3389], "udpPorts": []},
        "checkov:CKV_GCP_75": {"ports": [21], "udpPorts": []},
        "checkov:CKV_GCP_77": {"ports": [20], "udpPorts": []},
        "checkov:CKV_GCP_88": {"ports": [3306], "udpPorts": []},
        "checkov:CKV_GCP_106": {"ports": [80], "udpPorts": []},
        "checkov:CKV2_GCP_12": {"message": "every port"},
        "trivy:AVD-GCP-0070": {"ports": [3389], "udpPorts": []},
        "trivy:AVD-GCP-0071": {"ports": [22], "udpPorts": []},
        "trivy:AVD-GCP-0072": {"message": "every"},
        "kics:678fd659-96f2-454a-a2a0-c2571f83a4a3": {"ports": [3389], "udpPorts": []},
        "kics:c4dcdcdf-10dd-4bf4-b4a0-8f6239e6aaa0": {"ports": [22], "udpPorts": []},
    },
    parameters=PARAMETERS,
    bad=[
        _OPEN,
        {**_OPEN, "sourceRanges": ["10.0.0.0/8", "::/0"]},
        {**_OPEN, "sourceRanges": ["0.0.0.0/1", "128.0.0.0/1"]},
        {**_OPEN, "sourceTags": ["bastion"]},
        {"network": "shop", "allows": [_SSH]},
        {**_OPEN, "allows": [{"protocol": "tcp"}]},
        {**_OPEN, "allows": [{"protocol": "all"}]},
        {**_OPEN, "allows": [{"protocol": "icmp"}, {"protocol": "TCP", "ports": ["80", "3300-3400"]}]},
        {**_OPEN, "allows": [{"protocol": "udp", "ports": ["161"]}]},
        [_firewall("open", _OPEN), _firewall("deny", _LOCKDOWN, priority=2000)],
        [_firewall("open", _OPEN), _firewall("deny", _LOCKDOWN, network="other", priority=10)],
        [_firewall("open", _OPEN), _firewall("deny", _LOCKDOWN, targetTags=["db"], priority=10)],
        [_firewall("open", _OPEN), _firewall("deny", _LOCKDOWN, disabled=True, priority=10)],
        Part(
            "google-native:compute/v1:Firewall",
            "native",
            {**_WORLD, "allowed": [{"ipProtocol": "tcp", "ports": ["22"]}]},
        ),
        Part(_POLICY_RULE, "edge", {**_POLICY, "match": {**_WORLD_MATCH, "srcNetworkContext": "INTERNET"}}),
        Part(_POLICY_RULE, "edge", _POLICY),
        Part(_gcp_firewall.POLICY_RULES[2], "folder", _POLICY),
        Part(_gcp_firewall.POLICIES[0], "edge", {"rules": [{**_POLICY, "priority": 0}]}),
        Example([_firewall("web", _OPEN, allows=[{"protocol": "tcp", "ports": ["80"]}])], {"ports": [80]}),
    ],
    good=[
        {},
        {**_OPEN, "sourceRanges": ["35.235.240.0/20"]},
        {"network": "shop", "allows": [_SSH], "sourceTags": ["bastion"]},
        {**_OPEN, "sourceRanges": ["0.0.0.0/32"]},
        {**_OPEN, "allows": [{"protocol": "tcp", "ports": ["443", "8080-8085"]}]},
        {**_OPEN, "allows": [{"protocol": "icmp"}]},
        {**_OPEN, "direction": "EGRESS"},
        {**_OPEN, "disabled": True},
        _LOCKDOWN,
        [_firewall("open", _OPEN), _firewall("deny", _LOCKDOWN)],
        [_firewall("open", _OPEN), _firewall("deny", _LOCKDOWN, priority=10)],
        [
            _firewall("open", _OPEN, targetTags=["web"]),
            _firewall("deny", _LOCKDOWN, targetTags=["web", "db"], priority=10),
        ],
        [
            _firewall("open", _OPEN, sourceRanges=[ref("subnet")]),
            Part("gcp:compute/subnetwork:Subnetwork", "subnet", {"ipCidrRange": "10.0.0.0/16"}),
        ],
        Part(_POLICY_RULE, "edge", {**_POLICY, "action": "deny"}),
        Part(_POLICY_RULE, "peers", {**_POLICY, "match": {**_WORLD_MATCH, "srcNetworkScope": "VPC_NETWORKS"}}),
        Part(_POLICY_RULE, "inside", {**_POLICY, "match": {**_WORLD_MATCH, "srcNetworkContext": "INTRA_VPC"}}),
        [
            Part(_POLICY_RULE, "edge", _POLICY),
            Part(_POLICY_RULE, "deny", {**_POLICY, "priority": 10, "action": "deny"}),
        ],
        Part(_gcp_firewall.POLICIES[0], "edge", {"rules": [_POLICY, {**_POLICY, "priority": 10, "action": "deny"}]}),
    ],
    unsure=[
        {**_OPEN, "sourceRanges": UNKNOWN},
        {**_OPEN, "sourceRanges": ["10.0.0.0/8", UNKNOWN]},
        {**_OPEN, "allows": UNKNOWN},
        {**_OPEN, "allows": [{"protocol": "tcp", "ports": [UNKNOWN]}]},
        {**_OPEN, "direction": UNKNOWN},
        {**_OPEN, "disabled": UNKNOWN},
        [_firewall("open", _OPEN), _firewall("deny", _LOCKDOWN, priority=UNKNOWN)],
        [_firewall("open", _OPEN), _firewall("deny", _LOCKDOWN, targetTags=UNKNOWN, priority=10)],
        Part(_POLICY_RULE, "edge", {**_POLICY, "action": UNKNOWN}),
        Part(_gcp_firewall.POLICIES[0], "edge", {"rules": UNKNOWN}),
    ],
)
def gcp_firewall_open_ingress(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the rules, alone and together, that let the internet in on one of the ports."""
    own = list(_gcp_firewall.entries(resource))
    if own:
        others = list(_gcp_firewall.siblings(resource))
        yield from _ordered.findings(own, others, Asked.of(parameters), denial_wins_ties=True)
