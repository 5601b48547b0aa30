"""What policies of each kind do to a namespace, row by row of the vendors' documentation."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part, Stack, ref
from crossgate.judge import Outcome, judge
from crossgate.rules.kubernetes import _isolation, _network_policy
from crossgate.rules.kubernetes._objects import NAMESPACES, with_lists
from crossgate.rules.kubernetes._pods import TEMPLATES, WORKLOADS
from crossgate.rules.kubernetes.kubernetes_namespace_without_default_deny import (
    kubernetes_namespace_without_default_deny,
)
from crossgate.rules.kubernetes.kubernetes_network_policy_open_to_everyone import (
    kubernetes_network_policy_open_to_everyone,
)
from crossgate.rules.kubernetes.kubernetes_workload_without_network_policy import (
    kubernetes_workload_without_network_policy,
)

NAMESPACE = "kubernetes:core/v1:Namespace"
NETWORK_POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy"
CILIUM = "kubernetes:cilium.io/v2:CiliumNetworkPolicy"
CLUSTERWIDE = "kubernetes:cilium.io/v2:CiliumClusterwideNetworkPolicy"
CALICO = "kubernetes:projectcalico.org/v3:NetworkPolicy"
GLOBAL = "kubernetes:crd.projectcalico.org/v1:GlobalNetworkPolicy"
TIER = "kubernetes:projectcalico.org/v3:Tier"
ADMIN = "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy"
BASELINE = "kubernetes:policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy"
CLUSTER_POLICY = "kubernetes:policy.networking.k8s.io/v1alpha2:ClusterNetworkPolicy"

SHOP = Part(NAMESPACE, "shop", {"metadata": {"name": "shop", "labels": {"team": "a"}}})
ALL: list[Any] = [{"namespaces": {}}]
ANYWHERE = [{"networks": ["0.0.0.0/0", "::/0"]}]


def policy(kind: str, spec: Any, name: str = "policy", namespace: Any = "shop") -> Part:
    return Part(kind, name, {"metadata": {"name": name, "namespace": namespace}, "spec": spec})


def judged(*parts: Part, direction: str = "ingress", **parameters: Any) -> Outcome:
    """Return the outcome of the rule on default denies about the first part, a Namespace."""
    stack = Example(parts).stack()
    return judge(
        kubernetes_namespace_without_default_deny, stack.resources[0], {"directions": [direction], **parameters}
    ).outcome


def both(kind: str, spec: Any) -> tuple[str, str]:
    """Return whether one policy leaves a default deny, in ingress and in egress."""
    words = {Outcome.PASS: "deny", Outcome.FAIL: "open", Outcome.UNDETERMINED: "?"}
    part = policy(kind, spec)
    return (words[judged(SHOP, part)], words[judged(SHOP, part, direction="egress")])


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"podSelector": {}}, ("deny", "open")),
        ({}, ("deny", "open")),
        ({"podSelector": {}, "policyTypes": []}, ("deny", "open")),
        ({"podSelector": {}, "policyTypes": ["Ingress"]}, ("deny", "open")),
        ({"podSelector": {}, "policyTypes": ["Egress"]}, ("open", "deny")),
        ({"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}, ("deny", "deny")),
        ({"podSelector": {}, "policyTypes": UNKNOWN}, ("?", "?")),
        ({"podSelector": {}, "policyTypes": [UNKNOWN]}, ("?", "?")),
        ({"podSelector": {}, "policyTypes": ["Ingress", UNKNOWN]}, ("deny", "?")),
        ({"podSelector": {}, "egress": []}, ("deny", "open")),
        ({"podSelector": {}, "egress": [{"to": [{"podSelector": {}}]}]}, ("deny", "deny")),
        ({"podSelector": {}, "egress": [{}]}, ("deny", "open")),
        ({"podSelector": {}, "egress": UNKNOWN}, ("deny", "?")),
        ({"podSelector": {}, "ingress": []}, ("deny", "open")),
        ({"podSelector": {}, "ingress": [{}]}, ("open", "open")),
        ({"podSelector": {}, "ingress": [None]}, ("open", "open")),
        ({"podSelector": {}, "ingress": [{"from": []}]}, ("open", "open")),
        ({"podSelector": {}, "ingress": [{"from": [{}]}]}, ("open", "open")),
        ({"podSelector": {}, "ingress": [{"from": UNKNOWN}]}, ("?", "open")),
        ({"podSelector": {}, "ingress": [{"ports": [{"port": 80}]}]}, ("deny", "open")),
        ({"podSelector": {}, "ingress": [{"ports": []}]}, ("open", "open")),
        ({"podSelector": {}, "ingress": [{"ports": [{"port": "http"}]}]}, ("deny", "open")),
        ({"podSelector": {}, "ingress": [{"ports": [{"port": 1, "endPort": 65535}]}]}, ("open", "open")),
        ({"podSelector": {}, "ingress": [{"ports": [{"port": 1, "endPort": 1024}]}]}, ("deny", "open")),
        ({"podSelector": {}, "ingress": [{"ports": [{"port": UNKNOWN}]}]}, ("deny", "open")),
        ({"podSelector": {}, "ingress": [{"ports": [{"protocol": "UDP"}]}]}, ("deny", "open")),
        ({"podSelector": {}, "ingress": [{"from": [{"podSelector": {}}]}]}, ("deny", "open")),
        ({"podSelector": {}, "ingress": [{"from": [{"namespaceSelector": {}}]}]}, ("open", "open")),
        (
            {"podSelector": {}, "ingress": [{"from": [{"namespaceSelector": {}, "podSelector": {}}]}]},
            ("open", "open"),
        ),
        (
            {
                "podSelector": {},
                "ingress": [{"from": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"a": "b"}}}]}],
            },
            ("deny", "open"),
        ),
        (
            {"podSelector": {}, "ingress": [{"from": [{"namespaceSelector": {"matchLabels": {"a": "b"}}}]}]},
            ("deny", "open"),
        ),
        ({"podSelector": {}, "ingress": [{"from": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}]}, ("open", "open")),
        ({"podSelector": {}, "ingress": [{"from": [{"ipBlock": {"cidr": "::/0"}}]}]}, ("open", "open")),
        ({"podSelector": {}, "ingress": [{"from": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}]}, ("deny", "open")),
        ({"podSelector": {}, "ingress": [{"from": [{"ipBlock": {"cidr": UNKNOWN}}]}]}, ("?", "open")),
        (
            {
                "podSelector": {},
                "ingress": [{"from": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8"]}}]}],
            },
            ("open", "open"),
        ),
        (
            {"podSelector": {}, "ingress": [{"from": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["8.0.0.0/6"]}}]}]},
            ("deny", "open"),
        ),
        (
            {
                "podSelector": {},
                "ingress": [{"from": [{"ipBlock": {"cidr": "0.0.0.0/1"}}, {"ipBlock": {"cidr": "128.0.0.0/1"}}]}],
            },
            ("open", "open"),
        ),
        (
            {
                "podSelector": {},
                "ingress": [
                    {"from": [{"ipBlock": {"cidr": "0.0.0.0/1"}}]},
                    {"from": [{"ipBlock": {"cidr": "128.0.0.0/1"}}]},
                ],
            },
            ("open", "open"),
        ),
        (
            {
                "podSelector": {},
                "ingress": [
                    {"from": [{"ipBlock": {"cidr": "0.0.0.0/1"}}]},
                    {"from": [{"ipBlock": {"cidr": "128.0.0.0/1"}}], "ports": [{"port": 443}]},
                ],
            },
            ("deny", "open"),
        ),
        ({"podSelector": {"matchLabels": {"app": "web"}}}, ("open", "open")),
        ({"podSelector": {"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]}}, ("open", "open")),
        ({"podSelector": UNKNOWN}, ("?", "open")),
        (UNKNOWN, ("?", "?")),
    ],
)
def test_a_network_policy(spec: Any, expected: tuple[str, str]) -> None:
    assert both(NETWORK_POLICY, spec) == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"endpointSelector": {}, "ingress": [{}]}, ("deny", "open")),
        ({"endpointSelector": {}, "ingress": []}, ("open", "open")),
        ({"endpointSelector": {}}, ("open", "open")),
        ({"endpointSelector": {}, "ingress": None, "egress": [{}]}, ("open", "deny")),
        ({"endpointSelector": {}, "ingress": [{}], "egress": [{}]}, ("deny", "deny")),
        ({"endpointSelector": {}, "ingress": UNKNOWN}, ("?", "open")),
        ({"endpointSelector": {}, "ingressDeny": [{"fromEntities": ["world"]}]}, ("deny", "open")),
        ({"endpointSelector": {}, "ingress": [{}], "enableDefaultDeny": {"ingress": False}}, ("open", "open")),
        ({"endpointSelector": {}, "ingress": [{}], "enableDefaultDeny": {"ingress": UNKNOWN}}, ("?", "open")),
        ({"endpointSelector": {}, "enableDefaultDeny": {"egress": True}}, ("open", "deny")),
        ({"endpointSelector": {}, "ingress": [{"fromEntities": ["all"]}]}, ("open", "open")),
        ({"endpointSelector": {}, "ingress": [{"fromEntities": ["world"]}]}, ("open", "open")),
        ({"endpointSelector": {}, "ingress": [{"fromEntities": ["cluster"]}]}, ("open", "open")),
        ({"endpointSelector": {}, "ingress": [{"fromEntities": ["host", "kube-apiserver"]}]}, ("deny", "open")),
        ({"endpointSelector": {}, "ingress": [{"fromCIDR": ["0.0.0.0/0"]}]}, ("open", "open")),
        ({"endpointSelector": {}, "ingress": [{"fromCIDR": ["10.0.0.0/8"]}]}, ("deny", "open")),
        ({"endpointSelector": {}, "ingress": [{"fromCIDRSet": [{"cidr": "::/0"}]}]}, ("open", "open")),
        (
            {"endpointSelector": {}, "ingress": [{"fromCIDRSet": [{"cidr": "0.0.0.0/0", "except": ["8.0.0.0/6"]}]}]},
            ("deny", "open"),
        ),
        ({"endpointSelector": {}, "ingress": [{"fromEndpoints": [{}]}]}, ("deny", "open")),
        ({"endpointSelector": {}, "ingress": [{"fromEndpoints": []}]}, ("deny", "open")),
        (
            {
                "endpointSelector": {},
                "ingress": [
                    {
                        "fromEndpoints": [
                            {"matchExpressions": [{"key": "k8s:io.kubernetes.pod.namespace", "operator": "Exists"}]}
                        ]
                    }
                ],
            },
            ("open", "open"),
        ),
        (
            {"endpointSelector": {}, "ingress": [{"toPorts": [{"ports": [{"port": "80", "protocol": "TCP"}]}]}]},
            ("deny", "open"),
        ),
        (
            {"endpointSelector": {}, "ingress": [{"toPorts": [{"ports": [{"port": "0", "protocol": "ANY"}]}]}]},
            ("open", "open"),
        ),
        (
            {
                "endpointSelector": {},
                "ingress": [{"fromEntities": ["all"], "toPorts": [{"ports": [{"port": "443"}]}]}],
            },
            ("deny", "open"),
        ),
        ({"endpointSelector": {}, "ingress": [{"fromEntities": ["all"], "icmps": [{"fields": []}]}]}, ("deny", "open")),
        (
            {
                "endpointSelector": {},
                "ingress": [{"fromEntities": ["world"]}],
                "ingressDeny": [{"fromEntities": ["world"]}],
            },
            ("deny", "open"),
        ),
        (
            {
                "endpointSelector": {},
                "ingress": [{"fromEntities": ["all"]}],
                "ingressDeny": [{"fromEntities": ["world"]}],
            },
            ("open", "open"),
        ),
        ({"endpointSelector": {"matchLabels": {"app": "web"}}, "ingress": [{}]}, ("open", "open")),
        (
            {"endpointSelector": {"matchLabels": {"k8s:io.kubernetes.pod.namespace": "shop"}}, "ingress": [{}]},
            ("deny", "open"),
        ),
        (
            {"endpointSelector": {"matchLabels": {"io.cilium.k8s.namespace.labels.team": "a"}}, "ingress": [{}]},
            ("deny", "open"),
        ),
        (
            {"endpointSelector": {"matchLabels": {"io.cilium.k8s.namespace.labels.team": "b"}}, "ingress": [{}]},
            ("open", "open"),
        ),
        ({"ingress": [{}]}, ("open", "open")),
        ({"nodeSelector": {}, "ingress": [{}]}, ("open", "open")),
    ],
)
def test_a_cilium_policy(spec: Any, expected: tuple[str, str]) -> None:
    assert both(CILIUM, spec) == expected


def test_a_cilium_policy_may_hold_several() -> None:
    deny: dict[str, Any] = {"endpointSelector": {}, "ingress": [{}]}
    everyone = {"endpointSelector": {}, "ingress": [{"fromEntities": ["all"]}]}
    metadata = {"name": "p", "namespace": "shop"}

    def with_specs(*specs: Any) -> Outcome:
        return judged(SHOP, Part(CILIUM, "p", {"metadata": metadata, "specs": list(specs)}))

    assert with_specs(deny) is Outcome.PASS
    assert with_specs({"endpointSelector": {}, "ingress": []}) is Outcome.FAIL
    assert with_specs(deny, everyone) is Outcome.FAIL
    assert judged(SHOP, Part(CILIUM, "p", {"metadata": metadata, "spec": deny, "specs": [everyone]})) is Outcome.FAIL
    assert judged(SHOP, Part(CILIUM, "p", {"metadata": metadata, "specs": UNKNOWN})) is Outcome.UNDETERMINED


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"endpointSelector": {}, "ingress": [{}]}, ("deny", "open")),
        ({"endpointSelector": {}, "ingress": [{"fromEndpoints": [{}]}]}, ("open", "open")),
        ({"nodeSelector": {}, "ingress": [{}]}, ("open", "open")),
        (
            {
                "endpointSelector": {
                    "matchExpressions": [
                        {"key": "io.kubernetes.pod.namespace", "operator": "NotIn", "values": ["kube-system"]}
                    ]
                },
                "egress": [{}],
            },
            ("open", "deny"),
        ),
        (
            {
                "endpointSelector": {
                    "matchExpressions": [{"key": "io.kubernetes.pod.namespace", "operator": "In", "values": ["other"]}]
                },
                "ingress": [{}],
            },
            ("open", "open"),
        ),
    ],
)
def test_a_clusterwide_cilium_policy(spec: Any, expected: tuple[str, str]) -> None:
    assert both(CLUSTERWIDE, spec) == expected


def test_a_deny_section_of_cilium_wins_over_every_other_policy() -> None:
    everyone = policy(NETWORK_POLICY, {"podSelector": {}, "ingress": [{}]}, "everyone")
    barred = {"endpointSelector": {}, "ingressDeny": [{"fromEntities": ["all"]}]}
    assert judged(SHOP, everyone, policy(CLUSTERWIDE, barred)) is Outcome.PASS
    in_part = {"endpointSelector": {}, "ingressDeny": [{"fromEntities": ["world"]}]}
    assert judged(SHOP, everyone, policy(CLUSTERWIDE, in_part)) is Outcome.FAIL


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, ("deny", "open")),
        ({"selector": "all()"}, ("deny", "open")),
        ({"selector": "app == 'web'"}, ("open", "open")),
        ({"selector": "app == web"}, ("?", "open")),
        ({"selector": UNKNOWN}, ("?", "open")),
        ({"egress": [{"action": "Deny"}]}, ("open", "deny")),
        ({"ingress": [{"action": "Deny"}], "egress": [{"action": "Deny"}]}, ("deny", "deny")),
        ({"types": ["Ingress", "Egress"]}, ("deny", "deny")),
        ({"types": ["Egress"]}, ("open", "deny")),
        ({"ingress": [{"action": "Allow"}]}, ("open", "open")),
        ({"ingress": [{"action": UNKNOWN}]}, ("?", "open")),
        ({"ingress": [{"action": "Log"}, {"action": "Allow"}]}, ("open", "open")),
        ({"ingress": [{"action": "Deny"}, {"action": "Allow"}]}, ("deny", "open")),
        ({"ingress": [{"action": "Allow", "source": {}}]}, ("open", "open")),
        ({"ingress": [{"action": "Allow", "source": {"selector": "app == 'a'"}}]}, ("deny", "open")),
        ({"ingress": [{"action": "Allow", "source": {"nets": ["0.0.0.0/0"]}}]}, ("open", "open")),
        ({"ingress": [{"action": "Allow", "source": {"nets": ["10.0.0.0/8"]}}]}, ("deny", "open")),
        ({"ingress": [{"action": "Allow", "source": {"notNets": ["10.0.0.0/8"]}}]}, ("deny", "open")),
        ({"ingress": [{"action": "Allow", "source": {"namespaceSelector": "all()"}}]}, ("open", "open")),
        ({"ingress": [{"action": "Allow", "destination": {"ports": [80]}}]}, ("deny", "open")),
        ({"ingress": [{"action": "Allow", "destination": {"ports": ["1:65535"]}}]}, ("open", "open")),
        ({"ingress": [{"action": "Allow", "protocol": "UDP"}]}, ("deny", "open")),
        ({"ingress": [{"action": "Allow", "protocol": "TCP"}]}, ("open", "open")),
        ({"ingress": [{"action": "Allow", "http": {"methods": ["GET"]}}]}, ("deny", "open")),
        ({"tier": "default"}, ("deny", "open")),
        ({"tier": "security"}, ("?", "open")),
        ({"serviceAccountSelector": "role == 'x'"}, ("?", "open")),
    ],
)
def test_a_calico_policy(spec: Any, expected: tuple[str, str]) -> None:
    assert both(CALICO, spec) == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"selector": "all()", "order": 1000, "egress": [{"action": "Deny"}]}, ("open", "deny")),
        (
            {"namespaceSelector": "has(projectcalico.org/name) && projectcalico.org/name not in {'kube-system'}"},
            ("deny", "open"),
        ),
        ({"namespaceSelector": "projectcalico.org/name == 'other'"}, ("open", "open")),
        ({"namespaceSelector": "team == 'a'"}, ("deny", "open")),
        ({"selector": "projectcalico.org/namespace == 'shop'"}, ("deny", "open")),
        ({"selector": "projectcalico.org/namespace != 'shop'"}, ("open", "open")),
        ({"preDNAT": True, "ingress": [{"action": "Deny"}]}, ("open", "open")),
    ],
)
def test_a_global_calico_policy(spec: Any, expected: tuple[str, str]) -> None:
    assert both(GLOBAL, spec) == expected


def test_a_tier_of_the_stack_tells_what_happens_at_its_end() -> None:
    part = policy(CALICO, {"tier": "security"})

    def tier(**spec: Any) -> Part:
        return Part(TIER, "security", {"metadata": {"name": "security"}, "spec": spec})

    assert judged(SHOP, part, tier(order=1)) is Outcome.PASS
    assert judged(SHOP, part, tier(defaultAction="Deny")) is Outcome.PASS
    assert judged(SHOP, part, tier(defaultAction="Pass")) is Outcome.FAIL
    assert judged(SHOP, part, tier(defaultAction=UNKNOWN)) is Outcome.UNDETERMINED


@pytest.mark.parametrize(
    ("deny_order", "allow_order", "expected"),
    [
        (10, 20, Outcome.PASS),
        (20, 10, Outcome.FAIL),
        (10, None, Outcome.PASS),
        (None, 10, Outcome.FAIL),
        (10, 10, Outcome.UNDETERMINED),
        (UNKNOWN, 10, Outcome.UNDETERMINED),
        (10, UNKNOWN, Outcome.UNDETERMINED),
    ],
)
def test_of_two_calico_policies_the_first_decides(deny_order: Any, allow_order: Any, expected: Outcome) -> None:
    deny = policy(GLOBAL, {"order": deny_order, "ingress": [{"action": "Deny"}]}, "deny")
    allow = policy(CALICO, {"order": allow_order, "ingress": [{"action": "Allow"}]}, "allow")
    assert judged(SHOP, deny, allow) is expected
    assert judged(SHOP, allow, deny) is expected


def test_kubernetes_own_policies_stand_at_order_1000_among_calicos() -> None:
    everyone = policy(NETWORK_POLICY, {"podSelector": {}, "ingress": [{}]}, "everyone")
    assert judged(SHOP, everyone, policy(GLOBAL, {"order": 900, "ingress": [{"action": "Deny"}]})) is Outcome.PASS
    assert judged(SHOP, everyone, policy(GLOBAL, {"order": 1100, "ingress": [{"action": "Deny"}]})) is Outcome.FAIL


def test_a_staged_policy_does_nothing() -> None:
    staged = policy("kubernetes:projectcalico.org/v3:StagedNetworkPolicy", {"types": ["Ingress"]})
    assert judged(SHOP, staged) is Outcome.FAIL


@pytest.mark.parametrize("kind", [ADMIN, BASELINE, CLUSTER_POLICY])
@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"subject": {"namespaces": {}}}, Outcome.FAIL),
        ({"subject": {"namespaces": {}}, "ingress": [{"action": "Deny", "from": ALL}]}, Outcome.PASS),
        (
            {"subject": {"namespaces": {"matchLabels": {"team": "a"}}}, "ingress": [{"action": "Deny", "from": ALL}]},
            Outcome.PASS,
        ),
        (
            {"subject": {"namespaces": {"matchLabels": {"team": "b"}}}, "ingress": [{"action": "Deny", "from": ALL}]},
            Outcome.FAIL,
        ),
        (
            {
                "subject": {"namespaces": {"matchLabels": {"kubernetes.io/metadata.name": "shop"}}},
                "ingress": [{"action": "Deny", "from": ALL}],
            },
            Outcome.PASS,
        ),
        (
            {
                "subject": {"pods": {"namespaceSelector": {}, "podSelector": {}}},
                "ingress": [{"action": "Deny", "from": ALL}],
            },
            Outcome.PASS,
        ),
        (
            {
                "subject": {"pods": {"namespaceSelector": {}, "podSelector": {"matchLabels": {"app": "web"}}}},
                "ingress": [{"action": "Deny", "from": ALL}],
            },
            Outcome.FAIL,
        ),
        ({"subject": {"namespaces": {}}, "ingress": [{"action": "Pass", "from": ALL}]}, Outcome.FAIL),
        ({"subject": {"namespaces": {}}, "ingress": [{"action": UNKNOWN, "from": ALL}]}, Outcome.UNDETERMINED),
        (
            {
                "subject": {"namespaces": {}},
                "ingress": [{"action": "Pass", "from": ALL}, {"action": "Deny", "from": ALL}],
            },
            Outcome.FAIL,
        ),
        (
            {
                "subject": {"namespaces": {}},
                "ingress": [{"action": "Deny", "from": [{"namespaces": {"matchLabels": {"a": "b"}}}]}],
            },
            Outcome.FAIL,
        ),
        (
            {
                "subject": {"namespaces": {}},
                "ingress": [{"action": "Deny", "from": ALL, "ports": [{"portNumber": {"port": 80}}]}],
            },
            Outcome.FAIL,
        ),
    ],
)
def test_a_cluster_network_policy_isolates_only_by_denying_everyone(kind: str, spec: Any, expected: Outcome) -> None:
    assert judged(SHOP, policy(kind, spec)) is expected


def test_for_egress_it_must_deny_the_cluster_and_the_world() -> None:
    def denying(peers: Any) -> Part:
        return policy(ADMIN, {"subject": {"namespaces": {}}, "egress": [{"action": "Deny", "to": peers}]})

    assert judged(SHOP, denying(ALL), direction="egress") is Outcome.FAIL
    assert judged(SHOP, denying(ANYWHERE), direction="egress") is Outcome.FAIL
    assert judged(SHOP, denying([*ALL, *ANYWHERE]), direction="egress") is Outcome.PASS


def test_the_admin_tier_comes_before_network_policies_and_the_baseline_tier_after_them() -> None:
    deny = policy(NETWORK_POLICY, {"podSelector": {}}, "deny")
    allow = {"priority": 5, "subject": {"namespaces": {}}, "ingress": [{"action": "Allow", "from": ALL}]}
    accept = {"priority": 5, "subject": {"namespaces": {}}, "ingress": [{"action": "Accept", "from": ALL}]}
    assert judged(SHOP, deny, policy(ADMIN, allow)) is Outcome.FAIL
    assert judged(SHOP, deny, policy(CLUSTER_POLICY, {**accept, "tier": "Admin"})) is Outcome.FAIL
    assert judged(SHOP, deny, policy(CLUSTER_POLICY, {**accept, "tier": UNKNOWN})) is Outcome.UNDETERMINED
    assert judged(SHOP, deny, policy(CLUSTER_POLICY, {**accept, "tier": "Baseline"})) is Outcome.PASS
    assert judged(SHOP, deny, policy(BASELINE, allow)) is Outcome.PASS
    everyone = policy(NETWORK_POLICY, {"podSelector": {}, "ingress": [{}]}, "everyone")
    barred = {"priority": 5, "subject": {"namespaces": {}}, "ingress": [{"action": "Deny", "from": ALL}]}
    assert judged(SHOP, everyone, policy(ADMIN, barred)) is Outcome.FAIL, "the world is not kept out"


def test_a_kind_of_policy_that_is_not_read_is_no_proof_either_way() -> None:
    antrea = policy("kubernetes:crd.antrea.io/v1beta1:ClusterNetworkPolicy", {"priority": 1})
    assert judged(SHOP, antrea) is Outcome.UNDETERMINED


# -- several policies, and what a source does not show ---------------------------------------------------------------


def test_policies_add_up() -> None:
    deny = policy(NETWORK_POLICY, {"podSelector": {}}, "deny")
    web = policy(NETWORK_POLICY, {"podSelector": {"matchLabels": {"app": "web"}}, "ingress": [{}]}, "web")
    everyone = policy(NETWORK_POLICY, {"podSelector": {}, "ingress": [{}]}, "everyone")
    egress_only = policy(NETWORK_POLICY, {"podSelector": {}, "policyTypes": ["Egress"], "ingress": [{}]}, "egress")
    elsewhere = policy(NETWORK_POLICY, {"podSelector": {}, "ingress": [{}]}, "elsewhere", namespace="other")
    assert judged(SHOP, deny, web, egress_only, elsewhere) is Outcome.PASS
    assert judged(SHOP, deny, web, everyone) is Outcome.FAIL
    assert judged(SHOP, deny, policy(CILIUM, {"endpointSelector": {}, "ingress": [{"fromEntities": ["all"]}]})) is (
        Outcome.FAIL
    )


def test_a_patch_counts_as_far_as_it_states_the_policy() -> None:
    def patch(**spec: Any) -> Part:
        return policy(f"{NETWORK_POLICY}Patch", spec, "patch")

    deny = policy(NETWORK_POLICY, {"podSelector": {}}, "deny")
    assert judged(SHOP, patch(podSelector={})) is Outcome.UNDETERMINED
    assert judged(SHOP, patch(podSelector={}, policyTypes=["Ingress"], ingress=[])) is Outcome.PASS
    assert judged(SHOP, patch(podSelector={}, policyTypes=["Ingress"], ingress=[{}])) is Outcome.FAIL
    assert judged(SHOP, patch(policyTypes=["Ingress"], ingress=[])) is Outcome.UNDETERMINED
    assert judged(SHOP, deny, patch(podSelector={"matchLabels": {"app": "web"}})) is Outcome.PASS
    assert judged(SHOP, deny, patch(ingress=[{"from": [{"podSelector": {}}]}])) is Outcome.PASS
    assert judged(SHOP, deny, patch(metadata={})) is Outcome.UNDETERMINED


def test_lists_are_unfolded() -> None:
    items = [
        {"metadata": {"namespace": "shop", "name": "deny"}, "spec": {"podSelector": {}}},
        {"metadata": {"namespace": "other", "name": "all"}, "spec": {"podSelector": {}, "ingress": [{}]}},
    ]
    policies = Part(f"{NETWORK_POLICY}List", "policies", {"items": items})
    assert judged(SHOP, policies) is Outcome.PASS
    spaces = Part(f"{NAMESPACE}List", "all", {"items": [{"metadata": {"name": "shop"}}, {"metadata": {"name": "b"}}]})
    stack = Example([spaces, policies]).stack()
    found = judge(kubernetes_namespace_without_default_deny, stack.resources[0])
    assert [violation.path for violation in found.violations] == ["items[1]"]


def test_a_helm_release_leaves_open_what_nothing_else_settles() -> None:
    def release(namespace: Any) -> Part:
        return Part("kubernetes:helm.sh/v3:Release", "chart", {"chart": "shop", "namespace": namespace})

    deny = policy(NETWORK_POLICY, {"podSelector": {}})
    everyone = policy(NETWORK_POLICY, {"podSelector": {}, "ingress": [{}]})
    assert judged(SHOP, release("shop")) is Outcome.UNDETERMINED
    assert judged(SHOP, release(ref("shop"))) is Outcome.UNDETERMINED
    assert judged(SHOP, release("other")) is Outcome.FAIL
    assert judged(SHOP, release(None)) is Outcome.FAIL
    assert judged(SHOP, release("shop"), deny) is Outcome.PASS
    assert judged(SHOP, release("shop"), everyone) is Outcome.FAIL


def test_on_an_incomplete_stack_a_policy_may_be_missing() -> None:
    deny = policy(NETWORK_POLICY, {"podSelector": {}}, "deny")
    everyone = policy(NETWORK_POLICY, {"podSelector": {}, "ingress": [{}]}, "everyone")
    for parts, expected in (
        ([SHOP], Outcome.UNDETERMINED),
        ([SHOP, deny], Outcome.UNDETERMINED),
        ([SHOP, everyone], Outcome.FAIL),
    ):
        stack = Stack(Example(parts).stack().resources, unseen=2)
        assert judge(kubernetes_namespace_without_default_deny, stack.resources[0]).outcome is expected


def test_namespaces_of_the_system_are_not_asked_about() -> None:
    for name, expected in (("kube-system", Outcome.PASS), ("infra", Outcome.FAIL), (UNKNOWN, Outcome.UNDETERMINED)):
        assert judged(Part(NAMESPACE, "n", {"metadata": {"name": name}})) is expected
    assert judged(Part(NAMESPACE, "n", {"metadata": {"name": "infra"}}), systemNamespaces=["infra"]) is Outcome.PASS


# -- workloads -------------------------------------------------------------------------------------------------------


def workload(token: str, labels: Any, namespace: Any = "shop", spec: Any = None) -> Part:
    inputs: Any = {"metadata": {"labels": labels}, "spec": spec or {}}
    for key in reversed(TEMPLATES[token]):
        inputs = {key: inputs}
    inputs["metadata"] = {**inputs.get("metadata", {}), "name": "w", "namespace": namespace}
    return Part(token, "w", inputs)


def covered(*parts: Part, **parameters: Any) -> Outcome:
    stack = Example(parts).stack()
    return judge(kubernetes_workload_without_network_policy, stack.resources[0], parameters).outcome


@pytest.mark.parametrize("token", TEMPLATES)
def test_the_labels_of_the_template_count_in_every_kind(token: str) -> None:
    for_web = policy(NETWORK_POLICY, {"podSelector": {"matchLabels": {"app": "web"}}})
    assert covered(workload(token, {"app": "web"}), SHOP, for_web) is Outcome.PASS
    assert covered(workload(token, {"app": "api"}), SHOP, for_web) is Outcome.FAIL
    assert covered(workload(token, {"app": UNKNOWN}), SHOP, for_web) is Outcome.UNDETERMINED
    assert covered(workload(token, {"app": "web"}, spec={"hostNetwork": True}), SHOP, for_web) is Outcome.UNDETERMINED
    assert covered(workload(token, {"app": "web"}, spec={"hostNetwork": False}), SHOP, for_web) is Outcome.PASS
    if TEMPLATES[token]:
        part = workload(token, {"app": "api"})
        part.inputs["metadata"]["labels"] = {"app": "web"}
        assert covered(part, SHOP, for_web) is Outcome.FAIL, "the labels of the workload itself do not count"


def test_many_policies_for_labels_are_found_by_the_label() -> None:
    deployment = "kubernetes:apps/v1:Deployment"
    policies = [
        policy(kind, {key: {"matchLabels": {"app": f"a{number}"}}, "ingress": [{"from": [{"podSelector": {}}]}]}, name)
        for kind, key in ((NETWORK_POLICY, "podSelector"), (CILIUM, "endpointSelector"))
        for number in range(3)
        for name in [f"{kind}-{number}"]
    ]
    assert covered(workload(deployment, {"app": "a1"}), SHOP, *policies) is Outcome.PASS
    assert covered(workload(deployment, {"app": "b"}), SHOP, *policies) is Outcome.FAIL
    assert covered(workload(deployment, UNKNOWN), SHOP, *policies) is Outcome.UNDETERMINED


def test_a_label_that_the_controller_adds_may_be_any() -> None:
    by_index = policy(NETWORK_POLICY, {"podSelector": {"matchLabels": {"apps.kubernetes.io/pod-index": "0"}}})
    assert covered(workload("kubernetes:apps/v1:StatefulSet", {}), SHOP, by_index) is Outcome.UNDETERMINED


def test_an_undetermined_workload_names_the_reason_once() -> None:
    release = Part("kubernetes:helm.sh/v3:Release", "chart", {"chart": "shop", "namespace": "shop"})
    part = workload("kubernetes:apps/v1:Deployment", {"app": "web"})
    stack = Example([part, SHOP, release]).stack()
    found = judge(kubernetes_workload_without_network_policy, stack.resources[0], {"directions": ["ingress", "egress"]})
    assert found.outcome is Outcome.UNDETERMINED
    assert [gap.why for gap in found.gaps] == [_isolation.IN_A_RELEASE]


def test_a_policy_that_lets_everyone_in_covers_and_is_remarked() -> None:
    part = workload("kubernetes:apps/v1:Deployment", {"app": "web"})
    everyone = policy(NETWORK_POLICY, {"podSelector": {"matchLabels": {"app": "web"}}, "ingress": [{}]})
    stack = Example([part, SHOP, everyone]).stack()
    found = judge(kubernetes_workload_without_network_policy, stack.resources[0])
    assert found.outcome is Outcome.PASS
    assert [note.message for note in found.notes] == [
        "a network policy that selects its pods opens ingress to everyone"
    ]


def test_the_object_at_fault_is_named_too() -> None:
    everyone = policy(NETWORK_POLICY, {"podSelector": {}, "ingress": [{"from": []}]})
    stack = Example([everyone]).stack()
    (violation,) = judge(kubernetes_network_policy_open_to_everyone, stack.resources[0]).violations
    assert violation.path == "spec.ingress"
    allow = policy(CALICO, {"ingress": [{"action": "Allow"}]})
    stack = Example([allow]).stack()
    assert judge(kubernetes_network_policy_open_to_everyone, stack.resources[0]).outcome is Outcome.FAIL


@pytest.mark.engine
def test_every_type_of_kubernetes_itself_is_one_of_the_published_sdk() -> None:
    """Needs the SDK, which only the environment of the engine tests holds."""
    sdk = find_spec("pulumi_kubernetes")
    assert sdk is not None
    assert sdk.origin is not None
    published = Path(sdk.origin).read_text()
    ours = {*WORKLOADS, *NAMESPACES, *with_lists(_network_policy.TYPES), *_network_policy.PATCHES}
    assert {token for token in ours if f'"{token}"' not in published} == set()
