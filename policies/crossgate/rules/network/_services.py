"""What answers on which port, and what a rule about open ports is asked: its parameters and its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate.rules.network._ports import ALL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from crossgate.rules.network._ports import Opened

SERVICES: Final = {
    20: "FTP",
    21: "FTP",
    22: "SSH",
    23: "Telnet",
    69: "TFTP",
    110: "POP3",
    111: "rpcbind",
    135: "RPC",
    137: "NetBIOS",
    138: "NetBIOS",
    139: "NetBIOS",
    143: "IMAP",
    161: "SNMP",
    389: "LDAP",
    445: "SMB",
    512: "rexec",
    513: "rlogin",
    514: "rsh",
    623: "IPMI",
    636: "LDAP",
    873: "rsync",
    1433: "SQL Server",
    1434: "SQL Server",
    1521: "Oracle",
    1900: "SSDP",
    2049: "NFS",
    2181: "ZooKeeper",
    2375: "Docker",
    2376: "Docker",
    2379: "etcd",
    2380: "etcd",
    3306: "MySQL",
    3389: "RDP",
    4333: "mSQL",
    5432: "PostgreSQL",
    5439: "Redshift",
    5500: "VNC",
    5601: "Kibana",
    5672: "RabbitMQ",
    5900: "VNC",
    5984: "CouchDB",
    5985: "WinRM",
    5986: "WinRM",
    6379: "Redis",
    6443: "Kubernetes API",
    7000: "Cassandra",
    7001: "Cassandra",
    7474: "Neo4j",
    7687: "Neo4j",
    8086: "InfluxDB",
    8500: "Consul",
    9042: "Cassandra",
    9092: "Kafka",
    9160: "Cassandra",
    9200: "Elasticsearch",
    9300: "Elasticsearch",
    10250: "kubelet",
    10255: "kubelet",
    11211: "Memcached",
    15672: "RabbitMQ",
    27017: "MongoDB",
    27018: "MongoDB",
    27019: "MongoDB",
    50070: "Hadoop",
}
"""What answers on the ports that are asked about: the words of a finding."""

_UDP_ONLY: Final = (69, 623, 1900)
TCP_PORTS: Final = [port for port in SERVICES if port not in (*_UDP_ONLY, 137, 138, 161)]
UDP_PORTS: Final = [69, 111, 137, 138, 161, 389, 623, 1434, 1900, 3389, 11211]

WIDE: Final = (8, 32)
"""Prefix lengths, IPv4 and IPv6, from which a range is worth a remark: those that S3 calls public."""
PIECE: Final = (16, 32)
"""Prefix lengths from which a range is looked at as a piece of the internet."""
_NAMED_AT_MOST: Final = 3


def _ports_schema(transport: str, default: Sequence[int]) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 65535},
        "default": list(default),
        "description": f"{transport} ports that may not be open to the internet",
    }


PARAMETERS: Final[Mapping[str, Any]] = {
    "ports": _ports_schema("TCP", TCP_PORTS),
    "udpPorts": _ports_schema("UDP", UDP_PORTS),
    "worldPrefix": {
        "type": "integer",
        "minimum": 0,
        "maximum": 8,
        "default": 0,
        "description": "how much counts as the internet: as many public addresses as a block of this prefix "
        "length; 0 means all of them",
    },
}
"""The JSON Schemas of the parameters of every rule about ports that are open to the internet."""


class Asked(NamedTuple):
    """A rule's parameters: the ports of TCP and UDP, and the prefix length of what counts as the internet."""

    tcp: Sequence[int]
    udp: Sequence[int]
    length: int

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Asked:
        """Read the parameters that :data:`PARAMETERS` describes."""
        return cls(parameters["ports"], parameters["udpPorts"], parameters["worldPrefix"])


def words_for(opened: Opened, asked: Asked) -> str:
    """Name what is open for sure: "port 22 (SSH) is"."""
    if opened.every_protocol:
        return "every port is"
    for span, ports, udp in ((opened.tcp, asked.tcp, False), (opened.udp, asked.udp, True)):
        if span == ALL:
            return f"every {'UDP' if udp else 'TCP'} port is"
        hit = span.of(ports)
        if hit:
            return listed(hit, udp=udp)
    return "a port that is not known is"


def listed(ports: Sequence[int], *, udp: bool) -> str:
    """Name some ports, and what answers there: "ports 22 (SSH) and 3389 (RDP) are"."""
    named = [f"{int(port)} ({SERVICES[port]})" if port in SERVICES else f"{int(port)}" for port in ports]
    kind = "UDP port" if udp else "port"
    if len(named) == 1:
        return f"{kind} {named[0]} is"
    more = len(named) - _NAMED_AT_MOST
    if more > 0:
        return f"{kind}s {', '.join(named[:_NAMED_AT_MOST])} and {more} more are"
    return f"{kind}s {', '.join(named[:-1])} and {named[-1]} are"
