"""The control plane's own pods, where what a command leaves out decides."""

from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part
from crossgate.judge import Outcome, judge
from crossgate.rules.kubernetes.kubernetes_control_plane_bind_address import kubernetes_control_plane_bind_address


@pytest.mark.parametrize(
    ("command", "args", "expected"),
    [
        (["kube-scheduler"], [], Outcome.FAIL),
        (["kube-controller-manager", "--profiling=false"], [], Outcome.FAIL),
        (["kube-scheduler"], ["--bind-address=127.0.0.1"], Outcome.PASS),
        (["kube-scheduler"], ["--bind-address=::1"], Outcome.PASS),
        (["kube-scheduler", UNKNOWN], [], Outcome.UNDETERMINED),
        ([UNKNOWN], [], Outcome.UNDETERMINED),
        (["kube-apiserver", "--secure-port=6443"], [], Outcome.PASS),
        (["web"], [UNKNOWN], Outcome.PASS),
    ],
)
def test_a_part_of_the_control_plane_listens_everywhere_unless_told_otherwise(
    command: list[Any], args: list[Any], expected: Outcome
) -> None:
    container = {"name": "main", "command": command, "args": args}
    stack = Example((Part("kubernetes:core/v1:Pod", "pod", {"spec": {"containers": [container]}}),)).stack()
    assert judge(kubernetes_control_plane_bind_address, stack.resources[0], {}).outcome is expected
