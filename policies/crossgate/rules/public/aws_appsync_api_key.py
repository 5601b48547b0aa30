"""GraphQL API takes an API key for proof of who calls.

Why: an API key is a fixed text in the code of every client, and everyone who reads it there may call the API. AWS means
it for public APIs and for trying out: it tells neither who calls nor what they may do.

Fix: let ``authenticationType`` be ``AWS_IAM``, ``AMAZON_COGNITO_USER_POOLS``, ``OPENID_CONNECT`` or ``AWS_LAMBDA``, and
keep ``API_KEY`` out of the additional providers. Where an API is meant for everyone, exempt it by name.

Sources:
    https://docs.aws.amazon.com/appsync/latest/devguide/security-authz.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/appsync-controls.html#appsync-5
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_GRAPH: Final = "aws:appsync/graphQLApi:GraphQLApi"
_NATIVE_GRAPH: Final = "aws-native:appsync:GraphQlApi"
_EVENTS: Final = ("aws:appsync/api:Api", "aws-native:appsync:Api")


@rule(
    types=(_GRAPH, _NATIVE_GRAPH, *_EVENTS),
    severity=Severity.MEDIUM,
    frameworks=("AWS FSBP 1.0 AppSync.5",),
    bad=[
        {"name": "orders", "authenticationType": "API_KEY"},
        {"authenticationType": UNKNOWN, "additionalAuthenticationProviders": [{"authenticationType": "API_KEY"}]},
        Part(_NATIVE_GRAPH, "orders", {"name": "orders", "authenticationType": "API_KEY"}),
        Part(_EVENTS[0], "chat", {"eventConfig": {"authProviders": [{"authType": "API_KEY"}]}}),
        Part(_EVENTS[1], "chat", {"eventConfig": {"authProviders": [{"authType": "API_KEY"}]}}),
    ],
    good=[
        {"name": "orders", "authenticationType": "AWS_IAM"},
        {
            "authenticationType": "AWS_IAM",
            "additionalAuthenticationProviders": [{"authenticationType": "OPENID_CONNECT"}],
        },
        Part(_EVENTS[0], "chat", {"eventConfig": {"authProviders": [{"authType": "AWS_IAM"}]}}),
    ],
    unsure=[
        {"authenticationType": UNKNOWN},
        {"authenticationType": "AWS_IAM", "additionalAuthenticationProviders": UNKNOWN},
        Part(_EVENTS[0], "chat", {"eventConfig": {"authProviders": UNKNOWN}}),
    ],
)
def aws_appsync_api_key(api: Resource) -> Iterator[Finding]:
    """Yield each way to sign in that is an API key."""
    if api.token in _EVENTS:
        kinds = [each["authType"] for each in api["eventConfig"]["authProviders"].each()]
    else:
        others = api["additionalAuthenticationProviders"].each()
        kinds = [api["authenticationType"], *(each["authenticationType"] for each in others)]
    for kind in kinds:
        yield Finding(
            "everyone who has read the key in a client may call the API", at=kind, when=kind.equals("API_KEY")
        )
