"""MySQL user of Cloud SQL has no password.

Why: whoever reaches the database logs in as that user by its name alone. For ``root``, that is everything.

Fix: set ``password`` from a secret of the stack's configuration, or ``passwordWo``, or let the user log in through IAM:
``type: CLOUD_IAM_USER`` or ``CLOUD_IAM_SERVICE_ACCOUNT``.

Sources:
    https://cloud.google.com/sql/docs/mysql/create-manage-users
    https://cloud.google.com/sql/docs/mysql/built-in-authentication
    https://www.pulumi.com/registry/packages/gcp/api-docs/sql/user/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, rule, secret, unknown
from crossgate.rules._given import is_given
from crossgate.rules.database import _gcp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth

USER: Final = "gcp:sql/user:User"
_MYSQL: Final = Part(_gcp.SQL, "orders", {"databaseVersion": "MYSQL_8_0"})
_POSTGRES: Final = Part(_gcp.SQL, "orders", {"databaseVersion": "POSTGRES_15"})


def _user(**inputs: object) -> Part:
    return Part(USER, "app", {"instance": ref("orders"), **inputs})


@rule(
    types=(USER,),
    severity=Severity.HIGH,
    undetermined="warn",
    neighbours=(_gcp.SQL,),
    frameworks=("CIS GCP 2.0 6.1.1",),
    equivalents=("checkov:CKV2_GCP_7",),
    bad=[
        [_user(name="root", host="%"), _MYSQL],
        [_user(name="app", type="BUILT_IN"), _MYSQL],
    ],
    good=[
        [_user(name="app", password=secret(UNKNOWN)), _MYSQL],
        [_user(name="app", passwordWo=secret(UNKNOWN)), _MYSQL],
        [_user(name="ops@example.com", type="CLOUD_IAM_USER"), _MYSQL],
        [_user(name="app"), _POSTGRES],
    ],
    unsure=[
        [_user(name="app"), Part(_gcp.SQL, "orders", {"databaseVersion": UNKNOWN})],
        [Part(USER, "app", {"name": "app", "instance": "elsewhere"})],
        [_user(name="app", type=UNKNOWN), _MYSQL],
    ],
)
def gcp_sql_user_without_password(user: Resource) -> Iterator[Finding]:
    """Yield the built-in user of a MySQL instance that has no password."""
    built_in = user["type"].equals("BUILT_IN") | user["type"].is_empty()
    password = user["password"]
    missing = ~is_given(password) & ~is_given(user["passwordWo"])
    yield Finding(
        "the user has no password: whoever reaches the database logs in by its name alone",
        at=password,
        when=built_in & missing & _of_mysql(user),
    )


def _of_mysql(user: Resource) -> Truth:
    """Is it a user of a MySQL instance? The other databases refuse a built-in user without a password."""
    links = user.targets("instance", (_gcp.SQL,))
    if not links:
        return unknown(user["instance"].gap._replace(why="its instance is not in the stack"))
    return any_of(
        link.linked
        & link.resource["databaseVersion"].test(lambda version: str(version).startswith("MYSQL"), absent=True)
        for link in links
    )
