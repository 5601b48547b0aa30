"""Policies whose rules are read in order: what an earlier rule settles, a later one does not open."""

from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part
from crossgate.judge import Outcome, judge
from crossgate.rules.kubernetes import _examples
from crossgate.rules.kubernetes.kubernetes_network_policy_egress_to_anywhere import (
    kubernetes_network_policy_egress_to_anywhere,
)
from crossgate.rules.kubernetes.kubernetes_network_policy_ingress_from_anywhere import (
    kubernetes_network_policy_ingress_from_anywhere,
)
from crossgate.rules.kubernetes.kubernetes_network_policy_open_to_everyone import (
    kubernetes_network_policy_open_to_everyone,
)

ANY = {"action": "Allow"}
WEB = {"action": "Allow", "protocol": "TCP", "destination": {"ports": [443]}}
CLUSTER_POLICY = "kubernetes:policy.networking.k8s.io/v1alpha2:ClusterNetworkPolicy"


def outcome(rule: Any, part: Part) -> Outcome:
    stack = Example((part,)).stack()
    return judge(rule, stack.resources[0], rule.defaults).outcome


def cluster_policy(direction: str, rules: list[Any], tier: str = "Admin") -> Part:
    spec = {"tier": tier, "priority": 5, "subject": {"namespaces": {}}, direction: rules}
    return Part(CLUSTER_POLICY, "policy", {"spec": spec})


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([ANY], Outcome.FAIL),
        ([WEB], Outcome.FAIL),
        ([{"action": "Allow", "source": {"nets": ["0.0.0.0/1", "128.0.0.0/1"]}}], Outcome.FAIL),
        ([{"action": "Log"}, WEB], Outcome.FAIL),
        ([{"action": "Deny"}, WEB], Outcome.PASS),
        ([{"action": "Deny", "protocol": "UDP"}, WEB], Outcome.FAIL),
        ([{"action": "Allow", "source": {"selector": "app == 'web'"}}], Outcome.PASS),
        ([UNKNOWN, ANY], Outcome.UNDETERMINED),
        ([ANY, UNKNOWN], Outcome.FAIL),
    ],
)
def test_calico_lets_in_what_no_earlier_rule_denies(rules: list[Any], expected: Outcome) -> None:
    part = _examples.calico("shop", {"selector": "app == 'web'", "ingress": rules})
    assert outcome(kubernetes_network_policy_ingress_from_anywhere, part) is expected


def test_calico_rules_of_a_direction_that_types_leaves_out_do_nothing() -> None:
    part = _examples.calico("shop", {"types": ["Ingress"], "egress": [ANY]})
    assert outcome(kubernetes_network_policy_egress_to_anywhere, part) is Outcome.PASS


@pytest.mark.parametrize(
    ("rules", "tier", "expected"),
    [
        ([{"action": "Accept", "to": [{"networks": ["0.0.0.0/0"]}]}], "Admin", Outcome.FAIL),
        ([{"action": "Pass", "to": [{"networks": ["0.0.0.0/0"]}]}], "Admin", Outcome.PASS),
        ([{"action": "Accept", "to": [{"networks": ["0.0.0.0/0"]}]}], "Baseline", Outcome.PASS),
        ([{"action": "Accept", "to": [{"networks": ["10.0.0.0/8"]}]}], "Admin", Outcome.PASS),
    ],
)
def test_a_cluster_policy_lets_out_what_it_accepts(rules: list[Any], tier: str, expected: Outcome) -> None:
    part = cluster_policy("egress", rules, tier)
    assert outcome(kubernetes_network_policy_egress_to_anywhere, part) is expected


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (_examples.admin({"namespaces": {}}, "Allow"), Outcome.FAIL),
        (cluster_policy("ingress", [{"action": "Accept", "from": [{"namespaces": {}}]}]), Outcome.FAIL),
        (cluster_policy("ingress", [{"action": "Accept", "from": [{"namespaces": {}}]}], "Baseline"), Outcome.PASS),
        (
            cluster_policy("ingress", [UNKNOWN, {"action": "Accept", "from": [{"namespaces": {}}]}]),
            Outcome.UNDETERMINED,
        ),
    ],
)
def test_a_cluster_policy_that_accepts_every_pod_opens_the_whole_cluster(part: Part, expected: Outcome) -> None:
    assert outcome(kubernetes_network_policy_open_to_everyone, part) is expected
