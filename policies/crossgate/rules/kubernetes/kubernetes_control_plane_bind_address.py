"""Part of the control plane that listens on every address.

Why: the controller manager and the scheduler serve health, metrics and profiles, to be read on their own machine. Where
they listen on the machine's address, whoever reaches it reaches them; and that is what they do unless they are told
otherwise. An API server with ``--insecure-bind-address`` answers without any authentication at all.

Fix: start them with ``--bind-address=127.0.0.1``, and take ``--insecure-bind-address`` off the API server.

Sources:
    https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/
    https://kubernetes.io/docs/reference/command-line-tools-reference/kube-scheduler/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, TRUE, UNKNOWN, Finding, Severity, any_of, rule, unknown
from crossgate.rules.kubernetes._pods import STATING_PODS, pods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

_LISTENERS: Final = {"kube-controller-manager": "the controller manager", "kube-scheduler": "the scheduler"}
_API_SERVER: Final = "kube-apiserver"
_LOOPBACK: Final = ("127.", "::1", "localhost", "[::1]")
_BIND: Final = "--bind-address"
_INSECURE: Final = "--insecure-bind-address"


def _pod(*command: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "main", "image": "registry.k8s.io/main:1", "command": list(command)}]}}


@rule(
    types=STATING_PODS,
    severity=Severity.MEDIUM,
    frameworks=("CIS Kubernetes 1.8 1.3.7", "CIS Kubernetes 1.8 1.4.2"),
    equivalents={
        "checkov:CKV_K8S_86": {"message": "authentication"},
        "checkov:CKV_K8S_113": {"message": "controller"},
        "checkov:CKV_K8S_115": {"message": "scheduler"},
        "trivy:AVD-KCV-0039": {"message": "controller"},
        "trivy:AVD-KCV-0041": {"message": "scheduler"},
    },
    bad=[
        _pod("kube-controller-manager", f"{_BIND}=0.0.0.0"),
        _pod("kube-scheduler", "--leader-elect=true", f"{_BIND}=0.0.0.0"),
        _pod("/usr/local/bin/kube-scheduler", f"{_BIND}=10.0.0.5"),
        _pod("kube-apiserver", f"{_INSECURE}=0.0.0.0"),
    ],
    good=[
        _pod("kube-controller-manager", f"{_BIND}=127.0.0.1"),
        _pod("kube-scheduler", f"{_BIND}=127.0.0.1"),
        _pod("kube-apiserver", f"{_BIND}=0.0.0.0"),
        _pod("nginx"),
        _pod("web", UNKNOWN),
        {"spec": {"containers": [{"name": "web", "image": "registry.example/web:1"}]}},
    ],
    unsure=[_pod("kube-scheduler", UNKNOWN)],
)
def kubernetes_control_plane_bind_address(resource: Resource) -> Iterator[Finding]:
    """Yield the parts of the control plane that listen on more than the loopback."""
    for pod in pods(resource):
        for container in pod.template["spec"]["containers"].each():
            command = list(container["command"].each())
            words = [*command, *container["args"].each()]
            for program, who in _LISTENERS.items():
                runs = _runs(program, command, words)
                if not runs.is_false:
                    yield Finding(
                        f"{who} listens on more than the loopback: its metrics and profiles are open to the network",
                        at=container["command"],
                        when=runs & _listens(words),
                    )
            runs = _runs(_API_SERVER, command, words)
            if not runs.is_false:
                yield Finding(
                    "the API server has an address where it asks for no authentication",
                    at=container["command"],
                    when=runs & any_of(word.test(_is_insecure) for word in words),
                )


def _runs(program: str, command: list[Value], words: list[Value]) -> Truth:
    """Is this the program that is started? Arguments that are not known are no names of programs."""
    if any(word.is_text and (word.text() or "").rpartition("/")[2] == program for word in words):
        return TRUE
    return unknown(command[0].gap) if command and not command[0].readable else FALSE


def _is_insecure(word: object) -> bool:
    return isinstance(word, str) and word.partition("=")[0] == _INSECURE


def _listens(words: list[Value]) -> Truth:
    """Is no address of the loopback named? Without the flag it is every address."""
    open_, closed = FALSE, FALSE
    for word in words:
        open_ |= word.test(lambda text: _address(text) is not None and not _is_loopback(_address(text)))
        closed |= word.test(lambda text: _is_loopback(_address(text)))
    return open_ | ~closed


def _address(word: object) -> str | None:
    flag, equals, address = word.partition("=") if isinstance(word, str) else ("", "", "")
    return address if flag == _BIND and equals else None


def _is_loopback(address: str | None) -> bool:
    return address is not None and address.startswith(_LOOPBACK)
