"""Stack exports a secret in clear.

Why: outputs of a stack are printed at the end of each update, stand in the state, and can be read by every other stack
that refers to this one. What is marked secret is shown as ``[secret]`` and is encrypted; what is not stands there for
everyone.

A preview does not tell most outputs, since they are computed: they are judged when a state is checked, and by the
policy pack once they are known.

Fix: do not export the secret, but the name under which the secret store has it; or mark it, with ``Output.secret`` in
the program or by taking it from ``config.require_secret``.

Sources:
    https://www.pulumi.com/docs/iac/concepts/secrets/
    https://www.pulumi.com/docs/iac/concepts/stacks/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Part, Severity, rule, secret
from crossgate.model import STACK_TYPE
from crossgate.rules.leakage._places import judged, leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Finding, Resource

_REACH: Final = "each update prints it, and whoever may read the state or refer to the stack can use it"
_WORD: Final = "hunter" + "2-Tr0ub4dor"
_URL: Final = "postgres://app:" + _WORD + "@db.internal/shop"
_KUBECONFIG: Final = "apiVersion: v1\nusers:\n- name: admin\n  user:\n    token: " + "kq7Zp0VbX3mWc9LtR2yHs8Nd\n"


def _stack(**outputs: object) -> Part:
    return Part(STACK_TYPE, "shop-prod", outputs)


@rule(
    types=(STACK_TYPE,),
    severity=Severity.HIGH,
    undetermined="warn",
    literals=True,
    bad=[
        _stack(url="https://shop.example", dbPassword=_WORD),
        _stack(connection=_URL, id=UNKNOWN),
        _stack(kubeconfig=_KUBECONFIG),
        _stack(database={"host": "db.internal", "password": _WORD}),
    ],
    good=[
        _stack(),
        _stack(url="https://shop.example", passwordSecretArn="arn:aws:secretsmanager:eu-west-1:1234:secret:db"),
        _stack(dbPassword=secret(_WORD), signingKey="[secret]"),
        _stack(dbPassword=UNKNOWN),
    ],
)
def secret_in_stack_output(stack: Resource) -> Iterator[Finding]:
    """Yield the outputs that hold a secret in clear. A stack has no inputs; where it is given some, they count too."""
    for place in (stack.outputs, stack.inputs):
        for name, value in leaves(place):
            yield from judged(name, value, _REACH)
