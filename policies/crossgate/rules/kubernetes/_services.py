"""Services: which of them a cloud answers with a load balancer, and whom that one lets in.

What makes a load balancer private is an annotation of the cloud's own. AWS has two controllers with opposite defaults:
the old one of the cloud provider makes a public one, the AWS Load Balancer Controller and EKS Auto Mode a private one.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/service/
    https://cloud.google.com/kubernetes-engine/docs/concepts/service-load-balancer-parameters
    https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/service/annotations/
    https://learn.microsoft.com/azure/aks/internal-lb
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import any_of
from crossgate.rules.kubernetes._objects import every_form
from crossgate.rules.network._cidr import NOT_A_CIDR, Sources, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from crossgate import Truth, Value

SERVICE: Final = "kubernetes:core/v1:Service"
SERVICES: Final = every_form((SERVICE,))

_BETA: Final = "service.beta.kubernetes.io/"
_PRIVATE: Final[dict[str, tuple[str, ...]]] = {
    "networking.gke.io/load-balancer-type": ("internal",),
    "cloud.google.com/load-balancer-type": ("internal",),
    f"{_BETA}aws-load-balancer-scheme": ("internal",),
    f"{_BETA}azure-load-balancer-internal": ("true",),
    f"{_BETA}oci-load-balancer-internal": ("true",),
    "oci-network-load-balancer.oraclecloud.com/internal": ("true",),
    f"{_BETA}alibaba-cloud-loadbalancer-address-type": ("intranet",),
    "service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type": ("private",),
    f"{_BETA}openstack-internal-load-balancer": ("true",),
    "load-balancer.hetzner.cloud/disable-public-network": ("true",),
    f"{_BETA}do-loadbalancer-network": ("internal",),
}
"""Annotations, each with the values in lower case that make a load balancer private."""
_OLD_AWS: Final = f"{_BETA}aws-load-balancer-internal"
_TENCENT_SUBNET: Final = "service.kubernetes.io/qcloud-loadbalancer-internal-subnetid"
_AWS_SCHEME: Final = f"{_BETA}aws-load-balancer-scheme"
_AWS_TYPE: Final = f"{_BETA}aws-load-balancer-type"
_PRIVATE_CLASSES: Final = ("service.k8s.aws/nlb", "eks.amazonaws.com/nlb")
_TAILNET: Final = "tailscale"
_RANGES: Final = (f"{_BETA}load-balancer-source-ranges", f"{_BETA}azure-allowed-ip-ranges")
_AZURE_TAGS: Final = f"{_BETA}azure-allowed-service-tags"


def is_private(service: Value) -> Truth:
    """Does the Service ask for a load balancer without a public address?"""
    notes, kind = service["metadata"]["annotations"], service["spec"]["loadBalancerClass"]
    stated = any_of(notes[key].test(_is_one_of(values)) for key, values in _PRIVATE.items())
    stated |= notes[_OLD_AWS].test(lambda text: text not in ("", "false", False)) | ~notes[_TENCENT_SUBNET].is_empty()
    new_aws = kind.is_in(_PRIVATE_CLASSES) | notes[_AWS_TYPE].is_in(("external", "nlb-ip"))
    return stated | (new_aws & ~notes[_AWS_SCHEME].exists()) | kind.equals(_TAILNET)


def _is_one_of(values: tuple[str, ...]) -> Callable[[object], bool]:
    return lambda content: str(content).lower() in values


def lets_anyone_in(service: Value) -> Truth:
    """Does the load balancer answer to every address: no ranges are named, or ranges that are the internet?"""
    notes = service["metadata"]["annotations"]
    listed = service["spec"]["loadBalancerSourceRanges"]
    tags = notes[_AZURE_TAGS]
    unlimited = listed.is_empty() & tags.is_empty()
    ranges = Sources()
    for cidr in listed.each():
        ranges.add(cidr)
    for key in _RANGES:
        unlimited &= notes[key].is_empty()
        _add_listed(ranges, notes[key])
    return unlimited | ranges.world() | tags.test(lambda text: "Internet" in str(text).split(","))


def _add_listed(ranges: Sources, note: Value) -> None:
    """Add the ranges of an annotation, with commas between them."""
    if not note.readable:
        ranges.doubt(note.gap)
        return
    for text in (note.text() or "" if note.is_text else "").split(","):
        if text.strip():
            block = parse(text)
            if block is None:
                ranges.doubt(note.gap._replace(why=NOT_A_CIDR))
            else:
                ranges.certain.append(block)
