"""Measure the rules on labelled inputs that nobody here wrote: other tools' test fixtures, as previews show them.

``python -m tools.accuracy`` writes each case as a preview's file and has ``crossgate check`` judge it, with the rules
that claim the case's check through ``equivalents``, each narrowed as it says there. It prints a table per category and
cloud, and with ``--list FILE`` writes what does not agree. The cases stand beside the checkout, in ``../shared/cases``.

A case of a check that no rule claims says nothing. Of the others

- *agreed*: the label and the verdict are the same;
- *missed*: labelled as a violation, and no finding;
- *false*: labelled as fine, and a finding;
- *undetermined*: what decides is not known before the update, in the case itself; neither right nor wrong. An
  undetermined verdict for another reason is missed or false.

What ``docs/disagreements.md`` says of a check and a label, with the vendor's documentation, stands apart as *recorded*.
"""

import argparse
import contextlib
import io
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from crossgate.gate.entry import COULD_NOT_JUDGE, main
from crossgate.packs.baseline import PACK
from crossgate.rule import UNKNOWN, Rule
from tools import migration

ROOT: Final = Path(__file__).resolve().parents[1]
CASES: Final = ROOT.parent / "shared" / "cases"
FLOORS: Final = ROOT / "tests" / "accuracy-floors.json"
CATEGORIES: Final = ("public-storage", "public-database", "network-exposure", "k8s-network", "tags", "secrets")
OUTCOMES: Final = ("agreed", "missed", "false", "undetermined")

_DISAGREEMENT: Final = re.compile(r"^\*\*(\w+) ([^*]+?) (pass|fail)(?:e?s)?\b", re.MULTILINE)


class Case(NamedTuple):
    """One labelled input."""

    category: str
    cloud: str
    check: str
    """``tool:ID`` as ``equivalents`` writes it."""
    document: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Where it comes from."""
        return str(self.document["id"])

    @property
    def focus(self) -> dict[str, Any]:
        """The labelled resource."""
        found: dict[str, Any] = next(
            each for each in self.document["resources"] if each["urn"] == self.document["focus"]
        )
        return found

    @property
    def fails(self) -> bool:
        """It is labelled as a violation of its check."""
        return bool(self.document["expected"] == "fail")

    def preview(self) -> dict[str, Any]:
        """Return the file that ``pulumi preview --json`` would write."""
        steps = [{"op": "create", "urn": each["urn"], "newState": each} for each in self.document["resources"]]
        return {"config": {}, "steps": steps, "duration": 1, "changeSummary": {"create": len(steps)}}


class Narrowed(NamedTuple):
    """A rule that claims a check, and what of it the check asks."""

    rule: Rule
    parameters: Mapping[str, Any]
    paths: tuple[str, ...]
    message: str

    def covers(self, path: str, message: str) -> bool:
        """Return whether a finding there, with these words, is one that the check is about."""
        if self.message and not re.search(rf"\b{re.escape(self.message)}\b", message):
            return False
        return not self.paths or any(_is_below(path, asked) for asked in self.paths)


class Answer(NamedTuple):
    """What the gate says of a case."""

    case: Case
    outcome: str
    rules: tuple[str, ...]
    """The rules that speak, or the ones that claim the check when none does."""
    recorded: bool
    """``docs/disagreements.md`` says why."""


class Accuracy:
    """The cases with the gate's answers."""

    def __init__(self, cases: Sequence[Case], disagreements: str, declined: str) -> None:
        """Judge ``cases``; the texts are those of the two pages of ``docs``."""
        self.cases = cases
        self.claims = claims()
        self.declined = {f"{row.tool}:{row.check}" for row in migration.declined_in(declined)}
        recorded = {
            (check, label == "fail")
            for tool, checks, label in _DISAGREEMENT.findall(disagreements)
            for check in _checks(tool, checks)
        }
        self.answers = [
            answer._replace(recorded=answer.outcome != "agreed" and (answer.case.check, answer.case.fails) in recorded)
            for answer in _answers([case for case in cases if case.check in self.claims], self.claims)
        ]

    @cached_property
    def checks(self) -> dict[str, list[str]]:
        """The checks of each category, in order."""
        found: dict[str, set[str]] = defaultdict(set)
        for case in self.cases:
            found[case.category].add(case.check)
        return {category: sorted(found[category]) for category in CATEGORIES if category in found}

    def unclaimed(self, category: str) -> list[str]:
        """Return the checks that no rule asks and no page declines."""
        return [check for check in self.checks[category] if check not in self.claims and check not in self.declined]

    def asked(self, category: str) -> tuple[int, int]:
        """Return how many of the checks a rule asks, and how many others a page declines."""
        claimed = sum(check in self.claims for check in self.checks[category])
        return claimed, len(self.checks[category]) - claimed - len(self.unclaimed(category))

    def figures(self, category: str, cloud: str = "") -> dict[str, int]:
        """Return the counts of a category, or of its cases of one cloud."""
        mine = [each for each in self.answers if each.case.category == category and cloud in ("", each.case.cloud)]
        counts = Counter(each.outcome for each in mine)
        return {
            "cases": sum(case.category == category and cloud in ("", case.cloud) for case in self.cases),
            "claimed": len(mine),
            **{outcome: counts[outcome] for outcome in OUTCOMES},
            "recorded": sum(each.recorded and each.outcome != "undetermined" for each in mine),
        }

    def measures(self, category: str) -> dict[str, float]:
        """Return what has a floor or a ceiling, in percent."""
        figures, checks = self.figures(category), self.checks[category]
        claimed, declined = self.asked(category)
        return {
            "answered": _percent(claimed + declined, len(checks)),
            "declined": _percent(declined, len(checks)),
            "agreement": _agreement(figures),
            "agreement without recorded": _agreement(figures, recorded=True),
            "undetermined": _percent(figures["undetermined"], figures["claimed"]),
        }


def claims() -> dict[str, list[Narrowed]]:
    """Return the peers' checks that rules of the baseline pack ask, by ``tool:ID``."""
    found: dict[str, list[Narrowed]] = defaultdict(list)
    for entry in PACK.entries:
        for check, narrowing in entry.rule.equivalents.items():
            rest = dict(narrowing)
            path, message = rest.pop("path", ()), rest.pop("message", "")
            paths = (path,) if isinstance(path, str) else tuple(path)
            found[check].append(Narrowed(entry.rule, rest, paths, message))
    return dict(found)


def read(folder: Path = CASES) -> list[Case]:
    """Read the labelled resources of the categories that are measured."""
    cases = []
    with (folder / "resources.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            if document["category"] in CATEGORIES:
                check = _name(document["source_repo"], document["check_id"])
                cases.append(Case(document["category"], document["provider"], check, document))
    return cases


def measure(folder: Path = CASES) -> Accuracy:
    """Judge every case of ``folder``."""
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("disagreements.md", "peers.md")]
    return Accuracy(read(folder), *pages)


def _name(repository: str, check: str) -> str:
    tool = next(tool.name for tool in migration.TOOLS if tool.name in repository.lower())
    return f"{tool}:AVD-{check.removeprefix('AVD-')}" if tool == "trivy" else f"{tool}:{check}"


def _checks(tool: str, words: str) -> Iterator[str]:
    """Yield the checks of a bold lead: ``CKV_AWS_24 and CKV_AWS_260``."""
    for check in re.findall(r"[\w-]*\d[\w-]*", words):
        yield f"{tool}:{check}"


def _is_below(path: str, asked: str) -> bool:
    return path == asked or path.startswith((f"{asked}.", f"{asked}["))


def _answers(cases: Sequence[Case], claimed: Mapping[str, Sequence[Narrowed]]) -> Iterator[Answer]:
    """Judge the cases, those of one configuration in one run of the command."""
    groups: dict[str, list[Case]] = defaultdict(list)
    labelled: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        groups[_configuration(claimed[case.check])].append(case)
        labelled[case.check].add(case.focus["type"])
    for configuration, group in groups.items():
        for case, findings in zip(group, _judged(group, configuration), strict=True):
            yield _answer(case, claimed[case.check], findings, labelled[case.check])


def _configuration(rules: Iterable[Narrowed]) -> str:
    """Return the policy configuration that asks what ``rules`` ask, and nothing else."""
    policies: dict[str, Any] = {"all": "disabled"}
    for each in rules:
        policies[each.rule.id] = {"enforcementLevel": "mandatory", **each.parameters}
    return json.dumps({"version": 2, "policies": policies})


def _judged(cases: Sequence[Case], configuration: str) -> Iterator[list[dict[str, Any]]]:
    """Run ``crossgate check`` on the cases; yield the findings of each."""
    with tempfile.TemporaryDirectory() as folder:
        config, report = Path(folder, "policies.json"), Path(folder, "report.json")
        config.write_text(configuration, encoding="utf-8")
        files = []
        for number, case in enumerate(cases):
            files.append(Path(folder, f"{number}.json"))
            files[-1].write_text(json.dumps(case.preview()), encoding="utf-8")
        said = io.StringIO()
        arguments = ["check", "--policy-pack-config", str(config), "--format", "json", "--output", str(report)]
        with contextlib.redirect_stderr(said):
            code = main([*arguments, *map(str, files)])
        stacks = json.loads(report.read_text(encoding="utf-8"))["stacks"] if report.exists() else []
        if code >= COULD_NOT_JUDGE - 1 or len(stacks) != len(cases):
            raise RuntimeError(f"the gate ended with {code}: {said.getvalue()}\n{configuration}")
    for stack in stacks:
        yield stack["findings"]


def _answer(
    case: Case, claimed: Sequence[Narrowed], findings: Sequence[Mapping[str, Any]], labelled: Collection[str]
) -> Answer:
    """Compare; ``labelled`` are the types of resources that the check labels somewhere."""
    violations, doubts = set(), []
    for finding in findings:
        mine = [
            each
            for each in claimed
            if each.rule.id == finding["rule"] and _is_about(case, each.rule, finding, labelled)
        ]
        if finding["outcome"] == "fail":
            if any(each.covers(finding["path"], finding["message"]) for each in mine):
                violations.add(finding["rule"])
        elif mine:
            doubts.append(finding)
    rules = tuple(sorted(violations or {each["rule"] for each in doubts} or {each.rule.id for each in claimed}))
    if violations:
        return Answer(case, "agreed" if case.fails else "false", rules, recorded=False)
    if not doubts:
        return Answer(case, "missed" if case.fails else "agreed", rules, recorded=False)
    neither = all(_is_the_cases_own(case, doubt) for doubt in doubts)
    return Answer(case, "undetermined" if neither else "missed" if case.fails else "false", rules, recorded=False)


def _is_about(case: Case, rule: Rule, finding: Mapping[str, Any], labelled: Collection[str]) -> bool:
    """Return whether a finding is about what the label is about.

    The labelled resource, or what belongs to it and has no label of its own, as an ACL to its bucket; any, when the
    whole snippet is labelled or the rule judges no resource of the labelled one's type.
    """
    focus = case.focus
    if finding["urn"] == focus["urn"] or case.document.get("label_scope", "case") == "case":
        return True
    if not rule.judges(focus["type"]):
        return True
    found = next(each for each in case.document["resources"] if each["urn"] == finding["urn"])
    return found["type"] not in labelled and _belongs(found, focus)


def _belongs(part: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    """Return whether a resource refers to another, by an edge or by its name: an ACL to its ``bucket``."""
    if any(whole["urn"] in targets for targets in part["propertyDependencies"].values()):
        return True
    key = whole["type"].partition("/")[2].partition(":")[0]
    name = whole["inputs"].get(key)
    return isinstance(name, str) and name != UNKNOWN and part["inputs"].get(key) == name


def _is_the_cases_own(case: Case, doubt: Mapping[str, Any]) -> bool:
    """Return whether what is not known is unknown in the case, not for want of reading it."""
    resources = {each["urn"]: each for each in case.document["resources"]}
    return any(
        _holds_unknown(resources[gap["urn"]]["inputs"].get(re.split(r"[.\[]", gap["path"])[0]))
        for gap in doubt["undetermined"]
        if gap["urn"] in resources
    )


def _holds_unknown(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_unknown, value.values()))
    if isinstance(value, list):
        return any(map(_holds_unknown, value))
    return isinstance(value, str) and UNKNOWN in value


def _agreement(figures: Mapping[str, int], *, recorded: bool = False) -> float:
    """Return how many of the decided cases agree, in percent; without those whose label is known to be wrong."""
    decided = figures["claimed"] - figures["undetermined"] - (figures["recorded"] if recorded else 0)
    return _percent(figures["agreed"], decided)


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def table(accuracy: Accuracy) -> Iterator[str]:
    """Yield the lines of the table."""
    head = ("", "cases", "claimed", *OUTCOMES, "recorded", "agreement", "without recorded")
    yield _row(head)
    for category in accuracy.checks:
        clouds = sorted({case.cloud for case in accuracy.cases if case.category == category})
        for cloud in ("", *clouds):
            figures = accuracy.figures(category, cloud)
            rates = (f"{_agreement(figures):.1f}", f"{_agreement(figures, recorded=True):.1f}")
            yield _row((f"  {cloud}" if cloud else category, *map(str, figures.values()), *rates))
    yield ""
    yield _row(("peers' checks", "all", "claimed", "declined", "neither", "answered"))
    for category, checks in accuracy.checks.items():
        claimed, declined = accuracy.asked(category)
        counts = (len(checks), claimed, declined, len(checks) - claimed - declined)
        yield _row((category, *map(str, counts), f"{accuracy.measures(category)['answered']:.1f}"))


def _row(cells: Sequence[str]) -> str:
    first, *rest = cells
    return f"{first:<18}" + "".join(f"{cell:>{max(len(cell) + 2, 14)}}" for cell in rest)


def listing(accuracy: Accuracy) -> Iterator[str]:
    """Yield what does not agree, and the checks that nothing answers, to read."""
    for category in accuracy.checks:
        yield f"# {category}"
        for answer in accuracy.answers:
            if answer.case.category == category and answer.outcome != "agreed":
                note = " (recorded)" if answer.recorded else ""
                label = "fail" if answer.case.fails else "pass"
                yield f"{answer.outcome}{note}: {answer.case.id}, labelled {label}, by {', '.join(answer.rules)}"
        yield from (f"not claimed: {check}" for check in accuracy.unclaimed(category))


def floors() -> dict[str, dict[str, float]]:
    """Return the committed figures that may only rise."""
    found: dict[str, dict[str, float]] = json.loads(FLOORS.read_text(encoding="utf-8"))
    return found


def reached(accuracy: Accuracy) -> dict[str, dict[str, float]]:
    """Return what has a floor, as it is now."""
    kept = ("answered", "agreement", "agreement without recorded")
    return {category: {key: accuracy.measures(category)[key] for key in kept} for category in accuracy.checks}


def below(accuracy: Accuracy) -> list[str]:
    """Return a line for each figure that has fallen under its floor."""
    now = reached(accuracy)
    return [
        f"{category}: {key} is {now[category][key]:.1f}, and was {floor:.1f}"
        for category, figures in floors().items()
        for key, floor in figures.items()
        if now[category][key] < floor
    ]


def _raise_floors(accuracy: Accuracy) -> None:
    old = floors() if FLOORS.exists() else {}
    raised = {
        category: {key: max(value, old.get(category, {}).get(key, 0.0)) for key, value in figures.items()}
        for category, figures in reached(accuracy).items()
    }
    FLOORS.write_text(json.dumps(raised, indent=2) + "\n", encoding="utf-8")


def _run(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.accuracy", description="Measure the rules on labelled cases."
    )
    parser.add_argument("--check", action="append", help="only the cases of this check, as CKV_AWS_24")
    parser.add_argument("--category", help="only this category")
    parser.add_argument("--list", metavar="FILE", help="write what does not agree there; - for standard output")
    parser.add_argument("--raise-floors", action="store_true", help="commit to what is reached now")
    options = parser.parse_args(arguments)
    if not CASES.exists():
        print(f"not measured: the labelled cases are not beside this checkout ({CASES.parent.name}/{CASES.name})")
        return 0
    accuracy = measure()
    if options.check or options.category:
        _show(accuracy, options.check or [], options.category)
        return 0
    print("\n".join(table(accuracy)))
    if options.list:
        lines = "\n".join(listing(accuracy)) + "\n"
        if options.list == "-":
            sys.stdout.write(lines)
        else:
            Path(options.list).parent.mkdir(parents=True, exist_ok=True)
            Path(options.list).write_text(lines, encoding="utf-8")
    if options.raise_floors:
        _raise_floors(accuracy)
    fallen = below(accuracy)
    sys.stderr.write("".join(f"{line}\n" for line in fallen))
    return 1 if fallen else 0


def _show(accuracy: Accuracy, checks: Sequence[str], category: str | None) -> None:
    for answer in accuracy.answers:
        if category in (None, answer.case.category) and (
            not checks or answer.case.check.partition(":")[2].removeprefix("AVD-") in checks
        ):
            label = "fail" if answer.case.fails else "pass"
            print(f"{answer.outcome:<13}{label}  {answer.case.id}  by {', '.join(answer.rules)}")


if __name__ == "__main__":
    sys.exit(_run(sys.argv[1:]))
