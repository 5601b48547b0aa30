"""Google Cloud resource is shared with everyone.

Why: ``allUsers`` is everyone on the internet, ``allAuthenticatedUsers`` everyone with a Google account of whatever
organisation. A role that they hold on a key, a secret, a topic, a repository, an image, a table or a whole project is
one that strangers hold. An IAM condition does not narrow it: Google does not accept one for these members. Buckets
stand in ``gcp-storage-public-member``, and who may call a Cloud Run service or function in
``gcp-run-open-to-everyone``; any other role on such a service is asked here.

Fix: grant the role to a group, a domain, or the service account that needs it, and remove ``allUsers`` and
``allAuthenticatedUsers``.

Sources:
    https://cloud.google.com/iam/docs/principals-overview
    https://cloud.google.com/iam/docs/conditions-overview
    https://cloud.google.com/resource-manager/docs/organization-policy/restricting-domains
    https://cloud.google.com/run/docs/authenticating/public
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rule import ANY_TYPE
from crossgate.rules.public import _gcp_iam, _gcp_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource

STORAGE: Final = ("gcp:storage/", "google-native:storage/")

_TOPIC: Final = {"topic": "orders", "role": "roles/pubsub.subscriber"}


def _judges(token: str, _parameters: Mapping[str, Any]) -> bool:
    return _gcp_iam.kind(token) != "" and not token.startswith(STORAGE)


def _part(place: str, **inputs: object) -> Part:
    name = place.partition("/")[2]
    return Part(f"gcp:{place[0].lower()}{place[1:]}:{name[0].upper()}{name[1:]}", "grant", inputs)


def _policy(*members: str, role: str = "roles/viewer") -> str:
    return json.dumps({"bindings": [{"role": role, "members": members}]})


@rule(
    types=(ANY_TYPE,),
    applies=_judges,
    severity=Severity.HIGH,
    frameworks=("CIS GCP 3.0 1.9",),
    equivalents=(
        "checkov:CKV_GCP_98",
        "checkov:CKV_GCP_99",
        "checkov:CKV_GCP_100",
        "checkov:CKV_GCP_101",
        "checkov:CKV_GCP_112",
        "checkov:CKV_GCP_113",
        "checkov:CKV2_GCP_6",
        "checkov:CKV2_GCP_8",
        "kics:16cc87d1-dd47-4f46-b3ce-4dfcac8fd2f5",
    ),
    bad=[
        _part("pubsub/topicIAMMember", **_TOPIC, member="allUsers"),
        _part("pubsub/topicIAMBinding", **_TOPIC, members=["group:ops@example.com", "allAuthenticatedUsers"]),
        _part("pubsub/topicIAMPolicy", topic="orders", policyData=_policy("allUsers")),
        _part("kms/cryptoKeyIAMMember", cryptoKeyId="key", role="roles/cloudkms.cryptoKeyDecrypter", member="allUsers"),
        _part("secretmanager/secretIamMember", secretId="token", role=UNKNOWN, member="allAuthenticatedUsers"),
        _part("artifactregistry/repositoryIamMember", repository="images", role="roles/viewer", member="allUsers"),
        _part("bigquery/datasetIamBinding", datasetId="sales", role="roles/viewer", members=["allUsers"]),
        _part("projects/iAMMember", project="acme", role="roles/viewer", member="allUsers", condition={"title": "x"}),
        _part("cloudrunv2/serviceIamMember", name="api", role="roles/run.admin", member="allUsers"),
        Part(
            "google-native:pubsub/v1:TopicIamPolicy",
            "policy",
            {"topicId": "orders", "bindings": [{"role": "roles/viewer", "members": ["allUsers"]}]},
        ),
    ],
    good=[
        _part("pubsub/topicIAMMember", **_TOPIC, member="serviceAccount:app@acme.iam.gserviceaccount.com"),
        _part("pubsub/topicIAMBinding", **_TOPIC, members=["group:all@example.com", "domain:example.com"]),
        _part("pubsub/topicIAMPolicy", topic="orders", policyData=_policy("user:jane@example.com")),
        _part("cloudrunv2/serviceIamMember", name="api", role="roles/run.invoker", member="allUsers"),
        _part("cloudfunctions/functionIamBinding", role="roles/cloudfunctions.invoker", members=["allUsers"]),
        [
            _part("secretmanager/secretIamMember", role="roles/secretmanager.secretAccessor", member=ref("app")),
            Part("gcp:serviceaccount/account:Account", "app", {"accountId": "app"}),
        ],
    ],
    unsure=[
        _part("pubsub/topicIAMMember", **_TOPIC, member=UNKNOWN),
        _part("pubsub/topicIAMBinding", **_TOPIC, members=["group:all@example.com", UNKNOWN]),
        _part("pubsub/topicIAMPolicy", topic="orders", policyData=UNKNOWN),
        _part("pubsub/topicIAMPolicy", topic="orders", policyData="[]"),
        _part("cloudrunv2/serviceIamMember", name="api", role=UNKNOWN, member="allUsers"),
    ],
)
def gcp_iam_public_member(resource: Resource) -> Iterator[Finding]:
    """Yield the members that mean everyone; on a service that answers HTTP, where the role is not to call it."""
    is_service = _gcp_run.is_service_grant(resource.token)
    for at, public, reach, role in _gcp_iam.grants(resource):
        if not public.is_false:
            when = public & ~role.is_in(_gcp_run.INVOKERS) if is_service else public
            yield Finding(f"IAM grant to {reach}", at=at, when=when)
