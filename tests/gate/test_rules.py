"""`crossgate rules`, and the command line around it."""

import pytest

from crossgate.gate.cli import COMMANDS
from crossgate.packs.baseline import PACK as BASELINE
from tests.gate.conftest import OUTCOMES, Command


def test_the_list_has_a_line_per_rule(crossgate: Command) -> None:
    ran = crossgate("rules")
    assert (0, "") == (ran.code, ran.err)
    assert sorted(entry.rule.id for entry in BASELINE.entries) == [line.split()[0] for line in ran.out.splitlines()]
    line = next(line for line in ran.out.splitlines() if line.startswith("missing-required-tag "))
    assert ["low", "mandatory", "Resource lacks a required tag"] == line.split(maxsplit=3)[1:]


def test_a_rule_is_explained(crossgate: Command) -> None:
    ran = crossgate("rules", "bucket-outcome", "--pack", OUTCOMES)
    assert 0 == ran.code
    assert ran.out.startswith("bucket-outcome: Bucket does what its `outcome` says\n")
    for words in (
        "severity      critical\n",
        "frameworks    TEST 1.0 A.1\n",
        "Why: a report has to",
        "Fix: set `outcome`",
    ):
        assert words in ran.out
    assert "  https://www.pulumi.com/docs/insights/policy/\n" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100


def test_parameters_are_explained(crossgate: Command) -> None:
    assert "  names, required: Names that are forbidden.\n" in crossgate("rules", "queue-name", "--pack", OUTCOMES).out


@pytest.mark.parametrize("rule", [entry.rule.id for entry in BASELINE.entries])
def test_every_shipped_rule_can_be_explained(crossgate: Command, rule: str) -> None:
    ran = crossgate("rules", rule)
    assert (0, "") == (ran.code, ran.err)
    assert ran.out.startswith(f"{rule}: ")


@pytest.mark.parametrize("check", ["CKV_AWS_20", "checkov:CKV_AWS_20", "ckv_aws_20"])
def test_the_equivalent_of_a_peer_s_check_is_found(crossgate: Command, check: str) -> None:
    ran = crossgate("rules", "--equivalent", check)
    assert (0, ["aws-s3-public-acl"]) == (ran.code, [line.split()[0] for line in ran.out.splitlines()])


@pytest.mark.parametrize("check", ["AVD-AWS-0107", "AWS-0107", "trivy:AWS-0107"])
def test_a_check_of_trivy_has_an_old_and_a_new_name(crossgate: Command, check: str) -> None:
    assert crossgate("rules", "--equivalent", check).out.startswith("aws-ec2-open-ingress ")


@pytest.mark.parametrize(
    ("filters", "has", "lacks"),
    [
        (["--family", "network"], "aws-ec2-open-ingress", "aws-s3-public-acl"),
        (["--cloud", "gcp"], "gcp-storage-public-member", "aws-s3-public-acl"),
        (["--cloud", "gcp"], "missing-required-tag", "azure-storage-public-container"),
        (["--cloud", "azure", "--family", "public"], "azure-storage-public-container", "missing-required-tag"),
        (["--severity", "critical"], "aws-s3-public-acl", "missing-required-tag"),
        (["--framework", "aws fsbp 1.0 s3.2"], "aws-s3-public-acl", "aws-ec2-open-ingress"),
        (["--type", "aws-native:s3:Bucket"], "aws-s3-public-acl", "aws-ec2-open-ingress"),
        (["--type", "azure-native:storage/v20230101:BlobContainer"], "azure-storage-public-container", "aws-s3"),
    ],
)
def test_the_list_can_be_filtered(crossgate: Command, filters: list[str], has: str, lacks: str) -> None:
    ran = crossgate("rules", *filters)
    assert (0, "") == (ran.code, ran.err)
    ids = [line.split()[0] for line in ran.out.splitlines()]
    assert has in ids
    assert not [each for each in ids if each.startswith(lacks)]


def test_filters_that_nothing_passes_are_a_no(crossgate: Command) -> None:
    ran = crossgate("rules", "--type", "a:b:C", "--severity", "critical")
    assert (1, "", "crossgate: no rule with --severity critical, --type a:b:C\n") == ran


def test_a_check_that_no_rule_asks_is_a_no(crossgate: Command) -> None:
    assert (1, "", "crossgate: no rule asks what CKV_NONE_1 asks\n") == crossgate("rules", "--equivalent", "CKV_NONE_1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rules", "no-such-rule"], "pack baseline has no rule no-such-rule; `crossgate rules` lists them"),
        (["rules", "aws-s3-public-acl", "--equivalent", "CKV_AWS_20"], "name a rule or --equivalent, not both"),
        (["rules", "--family", "paint"], "--family paint: there is none; there are: "),
        (["rules", "--cloud", "nimbus"], "--cloud nimbus: there is none; there are: aws, azure, "),
        (["rules", "--pack", "nonsense"], "no pack is named nonsense"),
        (["rules", "a", "b"], "unrecognized arguments: b"),
        (["--verbose"], "there is no command --verbose"),
        (["pack"], "there is no command pack; there are: check, "),
    ],
)
def test_wrong_usage(crossgate: Command, arguments: list[str], words: str) -> None:
    ran = crossgate(*arguments)
    assert (2, "") == (ran.code, ran.out)
    assert ran.err.startswith(f"crossgate: {words}")


def test_help_names_every_command(crossgate: Command) -> None:
    asked, none, word = crossgate("--help"), crossgate(), crossgate("help")
    assert (0, 2, 0) == (asked.code, none.code, word.code)
    assert asked.out == none.out == word.out
    for command in COMMANDS:
        assert f"  {command.words} " in asked.out
        assert command.summary in asked.out


@pytest.mark.parametrize("command", [command.words for command in COMMANDS])
def test_every_command_has_help(crossgate: Command, command: str) -> None:
    ran = crossgate(*command.split(), "--help")
    assert (0, "") == (ran.code, ran.err)
    assert ran.out.startswith(f"usage: crossgate {command} ")
    assert "exit codes:\n  0  compliant\n  1  blocked by policy\n" in ran.out


def test_the_version(crossgate: Command) -> None:
    ran = crossgate("--version")
    assert 0 == ran.code
    assert ran.out.startswith("crossgate ")
