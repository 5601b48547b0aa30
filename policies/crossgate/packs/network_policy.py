"""Network policy: ingress open to the world, and workloads without network isolation."""

from crossgate.pack import Level, Pack
from crossgate.rules.kubernetes.kubernetes_namespace_without_default_deny import (
    kubernetes_namespace_without_default_deny,
)
from crossgate.rules.kubernetes.kubernetes_network_policy_open_to_everyone import (
    kubernetes_network_policy_open_to_everyone,
)
from crossgate.rules.kubernetes.kubernetes_workload_without_network_policy import (
    kubernetes_workload_without_network_policy,
)
from crossgate.rules.network.aws_ec2_open_ingress import aws_ec2_open_ingress

PACK = Pack(
    "network-policy",
    "Ingress open to the world, and workloads without network isolation",
    [
        (aws_ec2_open_ingress, Level.MANDATORY),
        (kubernetes_namespace_without_default_deny, Level.MANDATORY),
        # What the two below find, the rule above blocks by its effect: they name the object that is at fault, and the
        # pods that are open for it.
        (kubernetes_network_policy_open_to_everyone, Level.ADVISORY),
        (kubernetes_workload_without_network_policy, Level.ADVISORY),
    ],
)
