"""Azure network security group open to the internet on a sensitive port.

Why: whoever scans the internet finds the port within minutes. Behind SSH, RDP, a database or an admin interface one
weak password or one unpatched version is enough. ``*``, ``Internet`` and ``0.0.0.0/0`` are the internet; so are two
``/1`` ranges together. Rules are tried by priority, lowest first, and the first that matches decides: a rule that is
denied before it is not reported. An admin rule of Virtual Network Manager that always allows goes past the group.
``AzureCloud`` is less than the internet, and more than your own machines: it is remarked on.

Fix: set ``sourceAddressPrefix`` to the addresses that need the port, or to a service tag such as ``VirtualNetwork``.
For people, Azure Bastion or just-in-time access needs no open port.

Sources:
    https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview
    https://learn.microsoft.com/azure/virtual-network/service-tags-overview
    https://learn.microsoft.com/azure/virtual-network-manager/concept-security-admins
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Example, Note, Part, Severity, any_of, ref, rule
from crossgate.rules.network import _nsg, _ordered
from crossgate.rules.network._services import PARAMETERS, UDP_PORTS, Asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Finding, Resource

_RULE: Final = _nsg.RULES[0]
_SSH: Final = {
    "name": "ssh",
    "priority": 100,
    "direction": "Inbound",
    "access": "Allow",
    "protocol": "Tcp",
    "sourcePortRange": "*",
    "destinationPortRange": "22",
    "sourceAddressPrefix": "Internet",
    "destinationAddressPrefix": "*",
}
_LATER: Final = {**_SSH, "priority": 300}
_LOCKDOWN: Final = {
    **_SSH,
    "name": "lockdown",
    "priority": 100,
    "access": "Deny",
    "protocol": "*",
    "destinationPortRange": "20-25",
    "sourceAddressPrefix": "*",
}


def _group(*rules: Any) -> dict[str, Any]:
    return {"securityRules": list(rules)}


def _alone(name: str, body: Mapping[str, Any], **changes: Any) -> Part:
    return Part(_RULE, name, {**body, "networkSecurityGroupName": ref("web"), **changes})


_WEB: Final = Part(_nsg.GROUPS[0], "web", {})


@rule(
    types=(*_nsg.GROUPS, *_nsg.RULES, *_nsg.ADMIN_RULES),
    severity=Severity.HIGH,
    neighbours=(*_nsg.GROUPS, *_nsg.RULES),
    frameworks=("CIS Azure 2.0 6.1", "CIS Azure 2.0 6.2", "CIS Azure 2.0 6.3"),
    equivalents={
        "checkov:CKV_AZURE_9": {"ports": [3389], "udpPorts": []},
        "checkov:CKV_AZURE_10": {"ports": [22], "udpPorts": []},
        "checkov:CKV_AZURE_77": {"ports": [], "udpPorts": [53, 123, *UDP_PORTS]},
        "checkov:CKV_AZURE_160": {"ports": [80], "udpPorts": []},
        "trivy:AVD-AZU-0048": {"ports": [3389], "udpPorts": []},
        "trivy:AVD-AZU-0050": {"ports": [22], "udpPorts": []},
        "trivy:AVD-AZU-0074": {},
        "kics:2ade1579-4b2c-4590-bebb-f99bf597f612": {"ports": [22], "udpPorts": []},
        "kics:59cb3da7-f206-4ae6-b827-7abf0a9cab9d": {"ports": [3389], "udpPorts": []},
    },
    parameters=PARAMETERS,
    bad=[
        _group(_SSH),
        _group({**_SSH, "sourceAddressPrefix": "*"}),
        _group({**_SSH, "sourceAddressPrefix": "0.0.0.0/0"}),
        _group({**_SSH, "access": "allow", "direction": "inbound", "sourceAddressPrefix": "internet"}),
        _group({**_SSH, "sourceAddressPrefix": None, "sourceAddressPrefixes": ["10.0.0.0/8", "::/0"]}),
        _group({**_SSH, "destinationPortRange": None, "destinationPortRanges": ["80", "3000-4000"]}),
        _group({**_SSH, "destinationPortRange": "80, 20-25"}),
        _group({**_SSH, "protocol": "*", "destinationPortRange": "*"}),
        _group({**_SSH, "protocol": "Udp", "destinationPortRange": "161"}),
        _group(_SSH, {**_LOCKDOWN, "priority": 400}),
        _group(_SSH, {**_LOCKDOWN, "priority": UNKNOWN}),
        Part(_RULE, "rdp", {**_SSH, "destinationPortRange": "3389", "networkSecurityGroupName": "web"}),
        [_alone("ssh", _SSH), _WEB],
        [_alone("ssh", _SSH), _alone("lockdown", _LOCKDOWN, priority=101), _WEB],
        [_alone("ssh", _LATER), _alone("lockdown", _LOCKDOWN, sourceAddressPrefix="8.8.8.0/24"), _WEB],
        [_alone("ssh", _LATER), _alone("lockdown", _LOCKDOWN, destinationAddressPrefix="10.0.1.4"), _WEB],
        [_alone("ssh", _LATER), _alone("lockdown", _LOCKDOWN, sourcePortRange="1024"), _WEB],
        Part("azure-native:network:NetworkSecurityGroup", "native", _group(_SSH)),
        Part("azure-native:network:SecurityRule", "native", {**_SSH, "networkSecurityGroupName": "web"}),
        Part(
            "azure:network/networkManagerAdminRule:NetworkManagerAdminRule",
            "admin",
            {
                "action": "AlwaysAllow",
                "direction": "Inbound",
                "priority": 1,
                "protocol": "Tcp",
                "destinationPortRanges": ["22"],
                "sources": [{"addressPrefixType": "ServiceTag", "addressPrefix": "Internet"}],
            },
        ),
        Example([Part(_nsg.GROUPS[0], "web", _group({**_SSH, "destinationPortRange": "443"}))], {"ports": [443]}),
    ],
    good=[
        {},
        _group(),
        _group({**_SSH, "sourceAddressPrefix": "10.0.0.0/16"}),
        _group({**_SSH, "sourceAddressPrefix": "VirtualNetwork"}),
        _group({**_SSH, "sourceAddressPrefix": "AzureLoadBalancer"}),
        _group({**_SSH, "sourceAddressPrefix": "AzureCloud.westeurope"}),
        _group({**_SSH, "sourceAddressPrefix": None, "sourceApplicationSecurityGroupIds": ["bastion"]}),
        _group({**_SSH, "access": "Deny"}),
        _group({**_SSH, "direction": "Outbound"}),
        _group({**_SSH, "destinationPortRange": "443"}),
        _group({**_SSH, "protocol": "Icmp", "destinationPortRange": "*"}),
        _group(_LATER, _LOCKDOWN),
        _group(
            {**_LATER, "destinationAddressPrefix": "10.0.1.4"}, {**_LOCKDOWN, "destinationAddressPrefix": "10.0.0.0/16"}
        ),
        _group(_LATER, {**_LOCKDOWN, "destinationAddressPrefix": "VirtualNetwork"}),
        _group({**_SSH, "sourceAddressPrefix": "0.0.0.0/1"}),
        [_alone("ssh", _LATER), _alone("lockdown", _LOCKDOWN), _WEB],
        [_alone("ssh", _LATER), Part(_nsg.GROUPS[0], "web", _group(_LOCKDOWN))],
        [_alone("lockdown", _LOCKDOWN), Part(_nsg.GROUPS[0], "web", _group(_LATER))],
        Part("azure-native:network:NetworkSecurityGroup", "native", _group(_LATER, _LOCKDOWN)),
        Part(
            "azure-native:network:AdminRule",
            "admin",
            {
                "access": "Allow",
                "direction": "Inbound",
                "priority": 1,
                "protocol": "Tcp",
                "destinationPortRanges": ["22"],
                "sources": [{"addressPrefixType": "IPPrefix", "addressPrefix": "*"}],
            },
        ),
    ],
    unsure=[
        {"securityRules": UNKNOWN},
        _group({**_SSH, "sourceAddressPrefix": UNKNOWN}),
        _group({**_SSH, "destinationPortRange": UNKNOWN}),
        _group({**_SSH, "access": UNKNOWN}),
        _group({**_SSH, "direction": UNKNOWN}),
        _group(_LATER, {**_LOCKDOWN, "priority": UNKNOWN}),
        _group(_LATER, {**_LOCKDOWN, "access": UNKNOWN}),
        _group(_LATER, {**_LOCKDOWN, "destinationPortRange": UNKNOWN}),
        [_alone("ssh", _LATER), _alone("lockdown", _LOCKDOWN, sourceAddressPrefix=UNKNOWN), _WEB],
    ],
)
def azure_nsg_open_ingress(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the rules, alone and together, that let the internet in on one of the ports."""
    own = list(_nsg.entries(resource))
    if own:
        asked = Asked.of(parameters)
        yield from _ordered.findings(own, list(_nsg.siblings(resource)), asked)
        for entry in own:
            for tag in _nsg.tags_of_azure(entry.at):
                reached = any_of(opened.reaches(asked.tcp, asked.udp) for opened in entry.opened)
                yield Note(
                    "AzureCloud is every public address of Azure, the machines of its other customers included",
                    at=tag,
                    when=entry.applies & entry.allows & reached,
                )
