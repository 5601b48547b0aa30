"""Which namespace an object lives in, and which objects live together."""

from __future__ import annotations

from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part, Resource, Stack, Truth, ref
from crossgate.rules.kubernetes._namespaces import Residents, home_of, home_of_namespace, same_cluster
from crossgate.rules.kubernetes._objects import NAMESPACE

OBJECT = "kubernetes:core/v1:ConfigMap"
PROVIDER = "pulumi:providers:kubernetes"
CLUSTER = "aws:eks/cluster:Cluster"


def state(answer: Truth) -> str:
    return "unknown" if answer.is_unknown else "yes" if answer.is_true else "no"


def thing(namespace: Any = None, name: str = "thing", provider: str = "") -> Part:
    metadata = {"name": name} if namespace is None else {"name": name, "namespace": namespace}
    return Part(OBJECT, name, {"metadata": metadata}, provider=provider)


def space(name: Any, logical: str = "space", provider: str = "") -> Part:
    return Part(NAMESPACE, logical, {} if name is None else {"metadata": {"name": name}}, provider=provider)


def lives_in(*parts: Part, stack: Stack | None = None) -> str:
    """Return whether the first object lives in the first Namespace."""
    stack = Example(parts).stack() if stack is None else stack
    resource, home = stack.of_type(OBJECT)[0], stack.of_type(NAMESPACE)[0]
    residents: Residents[Resource] = Residents()
    residents.add(resource, resource["metadata"]["namespace"], resource)
    found = [there for _, there in residents.near(home_of_namespace(home, home.inputs))]
    return state(found[0]) if found else "no"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([thing("shop"), space("shop")], "yes"),
        ([thing("shop"), space("other")], "no"),
        ([thing(ref("space")), space("shop")], "yes"),
        ([thing(ref("space")), space(None)], "yes"),
        ([thing(ref("space")), space(UNKNOWN)], "yes"),
        ([thing(ref("other")), space("shop"), space("other", "other")], "no"),
        ([thing(), space("default")], "yes"),
        ([thing(""), space("default")], "yes"),
        ([thing(), space("shop")], "no"),
        ([thing("shop"), space(None)], "no"),
        ([thing("shop"), space(UNKNOWN)], "unknown"),
        ([thing(UNKNOWN), space("shop")], "unknown"),
        ([thing(UNKNOWN), space(None)], "unknown"),
        ([Part(OBJECT, "thing", {"metadata": UNKNOWN}), space("shop")], "unknown"),
        ([Part(OBJECT, "thing", {"metadata": ref("space")}), space("shop")], "unknown"),
        ([Part(OBJECT, "thing", {"metadata": ref("space")}), space("shop"), space("ops", "other")], "unknown"),
        ([Part(OBJECT, "thing", {"metadata": {"labels": {"a": ref("space")}}}), space("shop")], "no"),
    ],
)
def test_an_object_lives_in_the_namespace_it_names(parts: list[Part], expected: str) -> None:
    assert lives_in(*parts) == expected


def test_an_unknown_made_of_two_namespaces_may_be_either_and_nothing_else() -> None:
    two = Part(OBJECT, "thing", {"metadata": {"namespace": ref("space"), "labels": {"team": ref("other")}}})
    assert lives_in(two, space("shop"), space("ops", "other")) == "unknown"
    assert lives_in(two, space("third", "third"), space("shop"), space("ops", "other")) == "no"


def test_the_providers_namespace_is_the_default() -> None:
    provider = Part(PROVIDER, "k8s", {"namespace": "shop"})
    assert lives_in(thing(provider="k8s"), space("shop", provider="k8s"), provider) == "yes"
    assert lives_in(thing(provider="k8s"), space("default", provider="k8s"), provider) == "no"
    assert lives_in(thing("ops", provider="k8s"), space("ops", provider="k8s"), provider) == "yes"


def test_the_providers_namespace_may_be_an_output_of_a_namespace() -> None:
    provider = Part(PROVIDER, "k8s", {"namespace": ref("space"), "kubeconfig": ref("eks")})
    rest = [provider, Part(CLUSTER, "eks", {}), Part(PROVIDER, "root", {"kubeconfig": ref("eks")})]
    assert lives_in(thing(provider="k8s"), space(None, provider="root"), *rest) == "yes"


def test_on_an_incomplete_stack_a_provider_that_is_not_shown_may_have_any_namespace() -> None:
    provider = "urn:pulumi:dev::p::pulumi:providers:kubernetes::{}::id"
    urn = f"urn:pulumi:dev::p::{OBJECT}::thing"

    def outcome(name: str) -> str:
        resource = Resource(urn, OBJECT, "thing", {}, provider=provider.format(name))
        home = home_of(Stack([resource], unseen=1).resources[0], resource["metadata"]["namespace"])
        return state(home.is_in(("default",)))

    assert outcome("mine") == "unknown"
    assert outcome("default_4_34_2") == "yes"


def test_an_edge_to_a_namespace_that_the_source_leaves_out_still_joins() -> None:
    hidden = f"urn:pulumi:dev::example::{NAMESPACE}::shop"

    def resource(name: str) -> Resource:
        inputs = {"metadata": {"namespace": UNKNOWN}}
        urn = f"urn:pulumi:dev::example::{OBJECT}::{name}"
        return Resource(urn, OBJECT, name, inputs, property_dependencies={"metadata": [hidden]})

    stack = Stack([resource("a"), resource("b")], unseen=1)
    residents: Residents[str] = Residents()
    a, b = stack.resources
    residents.add(a, a["metadata"]["namespace"], "a")
    home = home_of(b, b["metadata"]["namespace"])
    assert [(name, state(there)) for name, there in residents.near(home)] == [("a", "yes")]
    assert home.created().is_true


@pytest.mark.parametrize(
    ("parts", "own", "expected"),
    [
        ([thing("shop"), space("shop")], (), "yes"),
        ([thing(ref("space")), space(None)], (), "yes"),
        ([thing("shop")], (), "unknown"),
        ([thing("shop")], ("shop",), "yes"),
        ([thing("shop"), space("other")], (), "unknown"),
        ([thing(UNKNOWN), space("shop")], (), "unknown"),
    ],
)
def test_whether_the_stack_creates_the_namespace(parts: list[Part], own: tuple[str, ...], expected: str) -> None:
    resource = Example(parts).stack().resources[0]
    created = home_of(resource, resource["metadata"]["namespace"]).created(own)
    assert state(created) == expected
    assert all(gap.why for gap in created.gaps)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({}, {}, "yes"),
        ({"namespace": "a"}, {"namespace": "b"}, "yes"),
        ({"kubeconfig": "a"}, {"kubeconfig": "a"}, "yes"),
        ({"kubeconfig": "a"}, {"kubeconfig": "b"}, "no"),
        ({"context": "a"}, {"context": "b"}, "no"),
        ({"kubeconfig": "a", "context": "x"}, {"kubeconfig": "a", "context": "y"}, "no"),
        ({"kubeconfig": "a"}, {}, "unknown"),
        ({"kubeconfig": ref("one")}, {"kubeconfig": ref("one")}, "yes"),
        ({"kubeconfig": ref("one")}, {"kubeconfig": ref("two")}, "no"),
        ({"kubeconfig": ref("one")}, {"kubeconfig": [ref("one"), ref("two")]}, "unknown"),
        ({"kubeconfig": UNKNOWN}, {"kubeconfig": UNKNOWN}, "unknown"),
        ({"kubeconfig": ref("one")}, {"kubeconfig": "a"}, "unknown"),
        ({"kubeconfig": "[secret]"}, {"kubeconfig": "[secret]"}, "unknown"),
    ],
)
def test_two_providers_mean_one_cluster_when_they_connect_alike(
    left: dict[str, Any], right: dict[str, Any], expected: str
) -> None:
    clusters = [Part(CLUSTER, "one", {}), Part(CLUSTER, "two", {})]
    providers = [Part(PROVIDER, "left", left), Part(PROVIDER, "right", right)]
    one, other = thing(name="a", provider="left"), thing(name="b", provider="right")
    a, b = Example([one, other, *providers, *clusters]).stack().of_type(OBJECT)
    assert state(same_cluster(a, b)) == expected
    assert state(same_cluster(b, a)) == expected
    assert state(same_cluster(a, a)) == "yes"


def test_the_same_name_in_another_cluster_is_another_namespace() -> None:
    providers = [Part(PROVIDER, "a", {"kubeconfig": "one"}), Part(PROVIDER, "b", {"kubeconfig": "two"})]
    assert lives_in(thing("shop", provider="a"), space("shop", provider="a"), *providers) == "yes"
    assert lives_in(thing("shop", provider="a"), space("shop", provider="b"), *providers) == "no"


def test_labels_of_a_namespace_are_known_where_the_stack_creates_it() -> None:
    labelled = Part(NAMESPACE, "space", {"metadata": {"name": "shop", "labels": {"team": "a"}}})
    resource = Example([thing("shop"), labelled]).stack().of_type(OBJECT)[0]
    home = home_of(resource, resource["metadata"]["namespace"])
    assert home.label("team").text() == "a"
    assert home.label("kubernetes.io/metadata.name").text() == "shop"
    assert home.label("other").exists().is_false
    alone = Example([thing("shop")]).stack().resources[0]
    assert home_of(alone, alone["metadata"]["namespace"]).label("team").exists().is_unknown
