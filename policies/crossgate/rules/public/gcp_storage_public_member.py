"""Cloud Storage bucket is shared with everyone.

Why: ``allUsers`` is everyone on the internet, ``allAuthenticatedUsers`` everyone with a Google account of whatever
organisation. An IAM condition does not narrow them: Google does not accept one for these members. An ACL does the same
for a bucket or an object, unless uniform bucket-level access is on: Cloud Storage refuses the ACL then. Public access
prevention that is ``enforced`` makes all of them void. Where it is left out it is inherited from the organisation,
which the program does not show, while it does ask for public access.

Fix: grant the role to a group, a domain or a service account. Set ``publicAccessPrevention: "enforced"`` and
``uniformBucketLevelAccess: true`` on the bucket. Serve a public site from a bucket of its own, and exempt that one.

Sources:
    https://cloud.google.com/storage/docs/public-access-prevention
    https://cloud.google.com/storage/docs/uniform-bucket-level-access
    https://cloud.google.com/storage/docs/access-control/lists
    https://cloud.google.com/iam/docs/conditions-overview
    https://cloud.google.com/iam/docs/principals-overview
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from crossgate import FALSE, UNKNOWN, Finding, Note, Part, Severity, any_of, ref, rule
from crossgate.rules.public import _gcp_iam, _gcs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crossgate import Resource, Truth, Value

CANNED: Final = {
    "publicread": "anyone can read",
    "publicreadwrite": "anyone can read and write",
    "authenticatedread": "anyone with a Google account can read",
}
"""The predefined ACLs that grant to everyone, in lower case: Cloud Storage takes them in any."""
_Grant = tuple["Value", "Truth", str]


def _iam(resource: Resource) -> Iterator[_Grant]:
    return (grant[:3] for grant in _gcp_iam.grants(resource))


def _entity(resource: Resource) -> Iterator[_Grant]:
    yield _gcp_iam.everyone(resource["entity"], role=resource["role"])[:3]


def _acl(resource: Resource) -> Iterator[_Grant]:
    for canned in (resource["predefinedAcl"], resource["defaultAcl"]):
        is_public = canned.test(lambda content: isinstance(content, str) and content.lower() in CANNED)
        name = canned.text() or "" if is_public.is_true else ""
        yield canned, is_public, f"everyone by {name}: {CANNED[name.lower()]}" if name else "everyone, or so it may be"
    for pair in resource["roleEntities"].each():
        yield _gcp_iam.everyone(pair, lambda text: text.partition(":")[2], role=pair)[:3]


IAM: Final = tuple(
    f"gcp:storage/{name[0].lower()}{name[1:]}:{name}"
    for name in (
        "BucketIAMBinding",
        "BucketIAMMember",
        "BucketIAMPolicy",
        "ManagedFolderIamBinding",
        "ManagedFolderIamMember",
        "ManagedFolderIamPolicy",
    )
)
NATIVE_IAM: Final = tuple(f"google-native:storage/v1:Bucket{kind}" for kind in ("IamBinding", "IamMember", "IamPolicy"))
ACLS: Final[dict[str, Callable[[Resource], Iterator[_Grant]]]] = {
    "gcp:storage/bucketACL:BucketACL": _acl,
    "gcp:storage/bucketAccessControl:BucketAccessControl": _entity,
    "gcp:storage/defaultObjectACL:DefaultObjectACL": _acl,
    "gcp:storage/defaultObjectAccessControl:DefaultObjectAccessControl": _entity,
    "gcp:storage/objectACL:ObjectACL": _acl,
    "gcp:storage/objectAccessControl:ObjectAccessControl": _entity,
}

_PUBLIC: Final = {"bucket": ref("files"), "role": "roles/storage.objectViewer", "member": "allUsers"}
_MEMBER: Final = Part("gcp:storage/bucketIAMMember:BucketIAMMember", "public", _PUBLIC)
_ACL: Final = Part("gcp:storage/bucketACL:BucketACL", "acl", {"bucket": ref("files"), "predefinedAcl": "publicRead"})


def _bucket(**inputs: object) -> Part:
    return Part("gcp:storage/bucket:Bucket", "files", {"location": "EU", **inputs})


def _part(kind: str, **inputs: object) -> Part:
    return Part(f"gcp:storage/{kind[0].lower()}{kind[1:]}:{kind}", "grant", {"bucket": "acme-files", **inputs})


def _policy_text(*members: str) -> str:
    return json.dumps({"bindings": [{"role": "roles/storage.objectViewer", "members": members}]})


@rule(
    types=(*IAM, *NATIVE_IAM, *ACLS),
    severity=Severity.CRITICAL,
    neighbours=_gcs.BUCKETS,
    frameworks=("CIS GCP 3.0 5.1",),
    equivalents=(
        "checkov:CKV_GCP_28",
        "checkov:CKV2_GCP_9",
        "trivy:AVD-GCP-0001",
        "kics:a6cd52a1-3056-4910-96a5-894de9f3f3b3",
        "kics:c010082c-76e0-4b91-91d9-6e8439e455dd",
    ),
    bad=[
        [_MEMBER, _bucket()],
        [_MEMBER, _bucket(publicAccessPrevention="inherited", uniformBucketLevelAccess=True)],
        _part("BucketIAMMember", member="allAuthenticatedUsers", condition={"expression": "false", "title": "never"}),
        _part("BucketIAMBinding", members=["group:ops@example.com", "allUsers"], role=UNKNOWN),
        _part("BucketIAMPolicy", policyData=_policy_text("domain:example.com", "allUsers")),
        _part("ManagedFolderIamMember", managedFolder="f/", member="allUsers"),
        _part("ManagedFolderIamBinding", managedFolder="f/", members=["allUsers"]),
        _part("ManagedFolderIamPolicy", managedFolder="f/", policyData=_policy_text("allUsers")),
        Part(NATIVE_IAM[2], "all", {"bucket": "acme-files", "bindings": [{"role": "r", "members": ["allUsers"]}]}),
        [_ACL, _bucket(uniformBucketLevelAccess=False)],
        _part("BucketACL", roleEntities=["OWNER:project-owners-1", "READER:allUsers"]),
        _part("BucketACL", predefinedAcl="private", defaultAcl="authenticatedRead"),
        [
            _part("BucketIAMMember", bucket=ref("images"), member="allUsers"),
            Part("gcp:container/registry:Registry", "images", {"location": "EU"}),
        ],
        _part("BucketAccessControl", entity="allUsers", role="READER"),
        _part("DefaultObjectACL", roleEntities=["READER:allAuthenticatedUsers"]),
        _part("DefaultObjectAccessControl", entity="allUsers", role="READER"),
        _part("ObjectACL", object="logo.png", predefinedAcl="publicRead"),
        _part("BucketACL", predefinedAcl="publicread"),
        _part("ObjectAccessControl", object="logo.png", entity="allUsers", role="READER"),
    ],
    good=[
        _part("BucketIAMMember", member="user:jane@example.com"),
        _part("BucketIAMBinding", members=["group:ops@example.com", "domain:example.com", "projectEditor:acme"]),
        _part("BucketIAMPolicy", policyData=_policy_text("serviceAccount:app@acme.iam.gserviceaccount.com")),
        _part("BucketACL", predefinedAcl="projectPrivate", roleEntities=["READER:group-all@example.com"]),
        _part("ObjectAccessControl", object="logo.png", entity="user-jane@example.com", role="READER"),
        [_MEMBER, _bucket(publicAccessPrevention="enforced")],
        [_ACL, _bucket(uniformBucketLevelAccess=True)],
        [_ACL, _bucket(publicAccessPrevention="enforced")],
        [_part("BucketIAMMember", bucket=ref("files"), member=UNKNOWN), _bucket(publicAccessPrevention="enforced")],
        [
            _part("BucketIAMBinding", members=[ref("app"), "group:ops@example.com"]),
            Part("gcp:serviceaccount/account:Account", "app", {"accountId": "app"}),
        ],
    ],
    unsure=[
        _part("BucketIAMMember", member=UNKNOWN),
        _part("BucketIAMBinding", members=["group:ops@example.com", UNKNOWN]),
        _part("BucketIAMPolicy", policyData=UNKNOWN),
        _part("BucketIAMPolicy", policyData="{not JSON"),
        _part("BucketIAMPolicy", policyData=json.dumps(_policy_text("allUsers"))),
        [_MEMBER, _bucket(publicAccessPrevention=UNKNOWN)],
        [_ACL, _bucket(uniformBucketLevelAccess=UNKNOWN)],
        [
            _part("BucketIAMPolicy", policyData=ref("app")),
            Part("gcp:serviceaccount/account:Account", "app", {"accountId": "app"}),
        ],
    ],
)
def gcp_storage_public_member(resource: Resource) -> Iterator[Finding]:
    """Yield the members and ACL entities that mean everyone, where the bucket does not make them void."""
    by_acl = ACLS.get(resource.token)
    read = by_acl or _iam
    grants = [grant for grant in read(resource) if not grant[1].is_false]
    if not grants:
        return
    buckets = resource.targets("bucket", _gcs.BUCKETS)
    prevented = any_of(link.linked & _gcs.prevention(link.resource).equals("enforced") for link in buckets)
    refused = FALSE
    if by_acl:
        refused = any_of(link.linked & _gcs.uniform(link.resource).is_true() for link in buckets)
    for at, public, reach in grants:
        words = f"{'ACL' if by_acl else 'IAM'} grant to {reach}"
        yield Finding(words, at=at, when=public & ~(prevented | refused))
        yield Note(f"{words}; public access prevention makes it void", at=at, when=public & prevented)
        yield Note(f"{words}; refused, since uniform bucket-level access disables ACLs", at=at, when=public & refused)
