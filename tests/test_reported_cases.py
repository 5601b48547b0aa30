"""Cases from users' reports, kept outside the repository: where the folder is beside the checkout, they must agree.

They measure; the rules follow the vendors' documentation. A case asks a question in its own words, and the table says
which of our rules answer it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crossgate import UNKNOWN, Resource, Stack, secret
from crossgate.judge import Outcome, Verdict, judge, worst
from crossgate.packs.baseline import PACK

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"

ANSWERED_BY: dict[str, tuple[str, ...]] = {
    "bucket-not-public": ("aws-s3-public-acl", "aws-s3-public-policy"),
    "bucket-policy-not-public": ("aws-s3-public-policy",),
    "cloudfront-oac-bound-to-distribution": ("aws-s3-cloudfront-unbound",),
    "bucket-has-full-public-access-block": (
        "aws-s3-public-access-block-weakened",
        "aws-s3-public-access-block-missing",
    ),
    "gcs-not-public": ("gcp-storage-public-member",),
    "gcp-run-open-to-everyone": ("gcp-run-open-to-everyone",),
    "azure-blob-not-public": ("azure-storage-public-container",),
    "azure-sql-firewall-open-to-internet": ("azure-database-open-firewall",),
    "sg-no-world-ssh": ("aws-ec2-open-ingress",),
    "sg-no-world-ingress": ("aws-ec2-open-ingress",),
    "iam-no-admin": ("aws-iam-admin",),
    "iam-no-wildcard-resource": ("aws-iam-every-resource",),
    "no-privileged-containers": ("kubernetes-privileged-container",),
    "sns-topic-encrypted": ("aws-sns-unencrypted",),
    "nacl-no-world-ssh": ("aws-nacl-open-ingress",),
    "nsg-no-world-ssh": ("azure-nsg-open-ingress",),
    "required-tags": ("missing-required-tag",),
    "workload-covered-by-networkpolicy": (
        "kubernetes-workload-without-network-policy",
        "kubernetes-namespace-without-default-deny",
    ),
    "namespace-has-default-deny": (
        "kubernetes-namespace-without-default-deny",
        "kubernetes-network-policy-open-to-everyone",
    ),
    "secret-inputs-marked": ("secret-input-unmarked", "kubernetes-secret-in-clear"),
    "k8s-secret-manifest-in-clear": ("kubernetes-secret-in-clear",),
}
NARROWED = {
    name: {"ports": [22], "udpPorts": []} for name in ("nacl-no-world-ssh", "nsg-no-world-ssh", "sg-no-world-ssh")
}


def cases() -> Iterator[Any]:
    for name in ("repros.jsonl", "tricky.jsonl"):
        file = CASES / name
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                yield pytest.param(case, id=case["id"])


def question(case: Any) -> tuple[str, list[str]]:
    """Return what a case asks, and the details in its brackets."""
    name, _, detail = case["policy"].rstrip(")]").replace("(", "[").partition("[")
    return name, detail.split(",") if detail else []


def plain(value: Any) -> Any:
    """Return the case's own marks as Pulumi's property encoding."""
    if isinstance(value, dict):
        if "$unknown" in value:
            return UNKNOWN
        if "$secret" in value:
            return secret(plain(value["$secret"]))
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def stack_of(case: Any) -> Stack:
    return Stack(
        Resource(
            each["urn"],
            each["type"],
            each["name"],
            plain(each["inputs"]),
            parent=each.get("parent", ""),
            provider=each.get("provider", ""),
            dependencies=each.get("dependencies", ()),
            property_dependencies=each.get("propertyDependencies"),
        )
        for each in case["resources"]
    )


def verdicts(case: Any, rules: tuple[str, ...], parameters: Any) -> list[Verdict]:
    stack = stack_of(case)
    entries = [entry for rule in rules if (entry := PACK.entry(rule)) is not None]
    assert len(entries) == len(rules)
    return [
        judge(entry.rule, subject, parameters)
        for entry in entries
        for subject in entry.rule.subjects(stack, parameters)
    ]


if not CASES.exists():
    pytest.skip(f"the labelled cases are not beside this checkout ({CASES.parent.name}/cases)", allow_module_level=True)


@pytest.mark.parametrize("case", list(cases()))
def test_a_reported_case_agrees(case: Any) -> None:
    asked, details = question(case)
    parameters: Any = {"tags": details} if asked == "required-tags" else NARROWED.get(asked, {})
    found = verdicts(case, ANSWERED_BY[asked], parameters)
    assert worst(verdict.outcome for verdict in found) is Outcome(case["expected"])
    if "expected_findings" in case and case["expected"] == "fail":
        failed = {verdict.resource.urn for verdict in found if verdict.outcome is Outcome.FAIL}
        assert set(case["expected_findings"]) <= failed
