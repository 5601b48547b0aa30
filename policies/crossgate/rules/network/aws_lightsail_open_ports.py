"""Lightsail instance opens a sensitive port to the internet.

Why: whoever scans the internet finds the port within minutes. Behind SSH, RDP or a database one weak password or one
unpatched version is enough. A port without ``cidrs`` is open to every address.

Fix: set ``cidrs`` (and ``ipv6Cidrs``) to the addresses that need the port.

Sources:
    https://docs.aws.amazon.com/lightsail/latest/userguide/understanding-firewall-and-port-mappings-in-amazon-lightsail.html
    https://docs.aws.amazon.com/lightsail/2016-11-28/api-reference/API_PortInfo.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import TRUE, UNKNOWN, Example, Part, Severity, rule
from crossgate.rules.network import _ordered
from crossgate.rules.network._cidr import Sources
from crossgate.rules.network._ordered import Entry
from crossgate.rules.network._ports import of_security_group
from crossgate.rules.network._services import PARAMETERS, Asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Finding, Resource, Value

_PORTS: Final = "aws:lightsail/instancePublicPorts:InstancePublicPorts"
_SSH: Final = {"protocol": "tcp", "fromPort": 22, "toPort": 22}


@rule(
    types=(_PORTS,),
    severity=Severity.HIGH,
    parameters=PARAMETERS,
    bad=[
        {"portInfos": [_SSH]},
        {"portInfos": [{**_SSH, "cidrs": ["0.0.0.0/0"]}]},
        {"portInfos": [{**_SSH, "cidrs": ["10.0.0.0/8"], "ipv6Cidrs": ["::/0"]}]},
        {"portInfos": [{"protocol": "all", "fromPort": 0, "toPort": 65535}]},
        {"portInfos": [{"protocol": "tcp", "fromPort": 443, "toPort": 443}, {**_SSH, "fromPort": 20, "toPort": 30}]},
        Example([Part(_PORTS, "web", {"portInfos": [{**_SSH, "fromPort": 80, "toPort": 80}]})], {"ports": [80]}),
    ],
    good=[
        {"portInfos": []},
        {"portInfos": [{**_SSH, "cidrs": ["192.0.2.0/24"]}]},
        {"portInfos": [{"protocol": "tcp", "fromPort": 443, "toPort": 443}]},
        {"portInfos": [{"protocol": "icmp", "fromPort": 8, "toPort": -1}]},
    ],
    unsure=[
        {"portInfos": UNKNOWN},
        {"portInfos": [{**_SSH, "cidrs": [UNKNOWN]}]},
        {"portInfos": [{**_SSH, "protocol": UNKNOWN}]},
    ],
)
def aws_lightsail_open_ports(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the port ranges that let the internet in on one of the ports."""
    entries = [_entry(info) for info in resource["portInfos"].each()]
    yield from _ordered.findings(entries, (), Asked.of(parameters))


def _entry(info: Value) -> Entry:
    sources = Sources()
    if info.readable:
        for key in ("cidrs", "ipv6Cidrs"):
            for cidr in info[key].each():
                sources.add(cidr)
    else:
        sources.doubt(info.gap)
    sources.add_everyone(info["cidrs"].is_empty() & info["ipv6Cidrs"].is_empty())
    opened = of_security_group(info["protocol"], info["fromPort"], info["toPort"])
    return Entry(info, 0, TRUE, TRUE, (opened,), sources)
