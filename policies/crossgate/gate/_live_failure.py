"""Why the engine gave up, told in words of our own: what it says itself may hold a secret."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate.gate.errors import CannotJudgeError, GateError, UsageError
from crossgate.model import STACK_TYPE, parse_urn

if TYPE_CHECKING:
    from crossgate.gate._live_engine import EngineRun

_AUTHENTICATION: Final = 3
_STACK_NOT_FOUND: Final = 6
"""Exit statuses of the CLI.
https://github.com/pulumi/pulumi/blob/v3.274.1/sdk/go/common/util/cmdutil/exit.go
"""
_SEE: Final = "run `pulumi preview` to see why"


class _Known(NamedTuple):
    """A failure before the program runs: how to tell it, what to say, and whether the command was used wrongly."""

    pattern: re.Pattern[str]
    words: str
    usage: bool = False


def _known(pattern: str, words: str, *, usage: bool = False) -> _Known:
    return _Known(re.compile(pattern, re.IGNORECASE), words, usage)


# What the engine prints when it gives up before it sends events; the first that fits says why.
_BEFORE: Final = (
    _known(r"no stack named", "there is no such stack; `pulumi stack ls` lists them", usage=True),
    _known(r"no stack (is |currently )?selected|no current stack", "no stack is selected: name one by --stack",
           usage=True),
    _known(r"no Pulumi\.yaml project file", "there is no Pulumi project here, nor above", usage=True),
    _known(r"unknown (shorthand )?flag|unknown command|flag needs an argument|invalid argument",
           "`pulumi preview` does not take the arguments after --", usage=True),
    _known(r"PULUMI_ACCESS_TOKEN|pulumi login|not logged in|invalid access token", "not logged in; run `pulumi login`"),
    _known(r"passphrase|secrets manager|decrypt", "the stack's secrets cannot be read: see PULUMI_CONFIG_PASSPHRASE"),
    _known(r"currently locked|\[409\]", "another update of this stack is in progress"),
    _known(r"validating policy config|policy configuration:|invalid enforcement level",
           "the pack does not take what --policy-pack-config sets for it", usage=True),
    _known(r"pulumi-language-python",
           "the engine finds no `pulumi-language-python`, which starts packs; it comes with the Pulumi CLI"),
    _known(r"policy pack|PulumiPolicy\.yaml|analyzer",
           "a policy pack did not start; run `pulumi preview --policy-pack PACK` to see why"),
    _known(r"resource plugin|could not (find|load) plugin", f"a provider's plugin could not be had; {_SEE}"),
    _known(r"connection refused|no such host|dial tcp|HTTP", f"the backend cannot be reached; {_SEE}"),
)  # fmt: skip

_ERROR: Final = re.compile(r"^error: .*", re.MULTILINE | re.DOTALL)
"""What follows the engine's own word for it; warnings and progress stand before."""
_PACK_STOPPED: Final = re.compile(r"failed to run (policy|remediation)\b")
_PROGRAM: Final = re.compile(r"unhandled exception|unhandled error|runtime error|failed to compile|syntax error")


def explain(run: EngineRun, limit: float | None) -> GateError:
    """Return why ``run`` did not go through."""
    if run.timed_out:
        return CannotJudgeError(f"the preview did not end within {limit:g} seconds (--timeout)")
    if run.errors:
        return CannotJudgeError(f"the preview failed: {_error(run)}; {_SEE}")
    if run.status == _STACK_NOT_FOUND:
        return UsageError(_BEFORE[0].words)
    complaint = _ERROR.search(run.stderr)
    for known in _BEFORE:
        if known.pattern.search(complaint[0] if complaint else run.stderr):
            return UsageError(known.words) if known.usage else CannotJudgeError(known.words)
    if run.status == _AUTHENTICATION:
        return CannotJudgeError("not logged in; run `pulumi login`")
    if run.status:
        return CannotJudgeError(f"the preview failed; {_SEE}")
    return CannotJudgeError(f"the engine did not tell how the preview ended; {_SEE}")


def _error(run: EngineRun) -> str:
    """Return what kind of error the engine reports; the name of a resource is all that is taken from it."""
    if any(_PACK_STOPPED.search(message) for _, message in run.errors):
        return "a policy pack stopped while it judged"
    if any(_PROGRAM.search(message) for _, message in run.errors):
        return "the program raised an error"
    for urn, _ in run.errors:
        try:
            resource = parse_urn(urn)
        except ValueError:
            continue
        if resource.type != STACK_TYPE:
            return f"an error about {resource.type} {resource.name}"
    return "the program raised an error" if run.events.operations else "the engine could not run the program"
