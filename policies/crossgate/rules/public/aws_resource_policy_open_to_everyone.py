"""Policy of an AWS resource lets everyone in.

Why: queues, topics, keys, images, secrets, file systems and more carry a policy of their own, and what it allows to
``Principal: "*"`` it allows to every AWS account, often to people without one. No other permission of yours is asked
for. A condition helps only where it compares who asks, or from where, with fixed values: not by what service
(``kms:ViaService``), over which protocol or with which tag.

An OpenSearch domain inside a VPC, or with fine-grained access control, is remarked on: its documentation tells to open
the policy there, since the network or the domain itself then decides. So is a secret with ``blockPublicPolicy``.

Everyone may pull from a public repository of ECR, so there only what changes the images is asked about.

Fix: name the accounts, roles or services that need access. Where everyone of an organisation or a network may come,
keep ``*`` and add a condition such as ``StringEquals`` on ``aws:PrincipalOrgID`` or ``aws:SourceVpce`` with fixed
values.

Sources:
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
    https://docs.aws.amazon.com/kms/latest/developerguide/policy-conditions.html
    https://docs.aws.amazon.com/efs/latest/ug/access-control-block-public-access.html
    https://docs.aws.amazon.com/opensearch-service/latest/developerguide/fgac.html
    https://docs.aws.amazon.com/AmazonECR/latest/public/public-repository-policies.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/sqs-controls.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import FALSE, TRUE, UNKNOWN, Finding, Note, Part, Severity, any_of, ref, rule, unknown
from crossgate.rules.public import _iam_policy, _identity_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value


class Place(NamedTuple):
    """Where a type of resource states its policy, and what that policy is about."""

    key: str
    what: str
    """Words for what strangers get to."""
    service: _iam_policy.Service = _iam_policy.PLAIN
    actions: tuple[str, ...] = ()
    """The actions that strangers must not be given, where all others are everyone's by nature."""


_KMS: Final = _iam_policy.PLAIN._replace(limiting=frozenset({"kms:calleraccount"}))
_SNS: Final = _iam_policy.PLAIN._replace(limiting=frozenset({"sns:endpoint"}))
_EFS: Final = _iam_policy.PLAIN._replace(switches=frozenset({"elasticfilesystem:accessedviamounttarget"}))

DOMAINS: Final = (
    "aws:opensearch/domain:Domain",
    "aws:elasticsearch/domain:Domain",
    "aws-native:opensearchservice:Domain",
)
_DOMAIN_POLICIES: Final = ("aws:opensearch/domainPolicy:DomainPolicy", "aws:elasticsearch/domainPolicy:DomainPolicy")
_PUSHES: Final = (
    "ecr-public:BatchDeleteImage",
    "ecr-public:CompleteLayerUpload",
    "ecr-public:DeleteRepository",
    "ecr-public:DeleteRepositoryPolicy",
    "ecr-public:InitiateLayerUpload",
    "ecr-public:PutImage",
    "ecr-public:PutRepositoryCatalogData",
    "ecr-public:SetRepositoryPolicy",
    "ecr-public:UploadLayerPart",
)
_KEY: Final = Place("policy", "the key", _KMS)
_NATIVE_KEY: Final = Place("keyPolicy", "the key", _KMS)
_TOPIC: Final = Place("policy", "the topic", _SNS)
_NATIVE_TOPIC: Final = Place("policyDocument", "the topic", _SNS)

PLACES: Final = {
    "aws:sqs/queuePolicy:QueuePolicy": Place("policy", "the queue"),
    "aws:sqs/queue:Queue": Place("policy", "the queue"),
    "aws-native:sqs:QueuePolicy": Place("policyDocument", "the queue"),
    "aws-native:sqs:QueueInlinePolicy": Place("policyDocument", "the queue"),
    "aws:sns/topicPolicy:TopicPolicy": _TOPIC,
    "aws:sns/topic:Topic": _TOPIC,
    "aws-native:sns:TopicPolicy": _NATIVE_TOPIC,
    "aws-native:sns:TopicInlinePolicy": _NATIVE_TOPIC,
    "aws:kms/key:Key": _KEY,
    "aws:kms/keyPolicy:KeyPolicy": _KEY,
    "aws:kms/externalKey:ExternalKey": _KEY,
    "aws:kms/replicaKey:ReplicaKey": _KEY,
    "aws:kms/replicaExternalKey:ReplicaExternalKey": _KEY,
    "aws-native:kms:Key": _NATIVE_KEY,
    "aws-native:kms:ReplicaKey": _NATIVE_KEY,
    "aws:ecr/repositoryPolicy:RepositoryPolicy": Place("policy", "the images"),
    "aws:ecr/registryPolicy:RegistryPolicy": Place("policy", "the registry"),
    "aws:ecrpublic/repositoryPolicy:RepositoryPolicy": Place("policy", "changing the images", actions=_PUSHES),
    "aws-native:ecr:Repository": Place("repositoryPolicyText", "the images"),
    "aws-native:ecr:RegistryPolicy": Place("policyText", "the registry"),
    "aws:secretsmanager/secret:Secret": Place("policy", "the secret"),
    "aws:secretsmanager/secretPolicy:SecretPolicy": Place("policy", "the secret"),
    "aws-native:secretsmanager:ResourcePolicy": Place("resourcePolicy", "the secret"),
    "aws:efs/fileSystemPolicy:FileSystemPolicy": Place("policy", "the file system", _EFS),
    "aws-native:efs:FileSystem": Place("fileSystemPolicy", "the file system", _EFS),
    **{token: Place("accessPolicies", "the domain") for token in (*DOMAINS, *_DOMAIN_POLICIES)},
    "aws:cloudsearch/domainServiceAccessPolicy:DomainServiceAccessPolicy": Place("accessPolicy", "the domain"),
    "aws:glacier/vault:Vault": Place("accessPolicy", "the vault"),
    "aws:glacier/vaultLock:VaultLock": Place("policy", "the vault"),
    "aws:backup/vaultPolicy:VaultPolicy": Place("policy", "the backups"),
    "aws-native:backup:BackupVault": Place("accessPolicy", "the backups"),
    "aws:cloudwatch/eventBusPolicy:EventBusPolicy": Place("policy", "the event bus"),
    "aws-native:events:EventBus": Place("policy", "the event bus"),
    "aws-native:events:EventBusPolicy": Place("statement", "the event bus"),
    "aws:cloudwatch/logResourcePolicy:LogResourcePolicy": Place("policyDocument", "the log groups"),
    "aws:cloudwatch/logDestinationPolicy:LogDestinationPolicy": Place("accessPolicy", "the log destination"),
    "aws:cloudwatch/logDeliveryDestinationPolicy:LogDeliveryDestinationPolicy": Place(
        "deliveryDestinationPolicy", "the log destination"
    ),
    "aws-native:logs:Destination": Place("destinationPolicy", "the log destination"),
    "aws-native:logs:ResourcePolicy": Place("policyDocument", "the log groups"),
    "aws:dynamodb/resourcePolicy:ResourcePolicy": Place("policy", "the table"),
    "aws:kinesis/resourcePolicy:ResourcePolicy": Place("policy", "the stream"),
    "aws-native:kinesis:ResourcePolicy": Place("resourcePolicy", "the stream"),
    "aws:msk/clusterPolicy:ClusterPolicy": Place("policy", "the cluster"),
    "aws-native:msk:ClusterPolicy": Place("policy", "the cluster"),
    "aws:codeartifact/domainPermissions:DomainPermissions": Place("policyDocument", "the packages"),
    "aws:codeartifact/repositoryPermissionsPolicy:RepositoryPermissionsPolicy": Place("policyDocument", "the packages"),
    "aws-native:codeartifact:Domain": Place("permissionsPolicyDocument", "the packages"),
    "aws-native:codeartifact:Repository": Place("permissionsPolicyDocument", "the packages"),
    "aws:ses/identityPolicy:IdentityPolicy": Place("policy", "sending mail as this identity"),
    "aws:sesv2/emailIdentityPolicy:EmailIdentityPolicy": Place("policy", "sending mail as this identity"),
    "aws:glue/resourcePolicy:ResourcePolicy": Place("policy", "the data catalogue"),
    "aws:schemas/registryPolicy:RegistryPolicy": Place("policy", "the schemas"),
    "aws-native:eventschemas:RegistryPolicy": Place("policy", "the schemas"),
    "aws:redshift/resourcePolicy:ResourcePolicy": Place("policy", "the warehouse"),
    "aws:redshiftserverless/resourcePolicy:ResourcePolicy": Place("policy", "the snapshots"),
    "aws:mediastore/containerPolicy:ContainerPolicy": Place("policy", "the container"),
    "aws:acmpca/policy:Policy": Place("policy", "the certificate authority"),
    "aws:codebuild/resourcePolicy:ResourcePolicy": Place("policy", "the builds"),
    "aws:sagemaker/modelPackageGroupPolicy:ModelPackageGroupPolicy": Place("resourcePolicy", "the models"),
    "aws:opensearchingest/resourcePolicy:ResourcePolicy": Place("policy", "the pipeline"),
    "aws:oam/sinkPolicy:SinkPolicy": Place("policy", "the monitoring account"),
    "aws:lambda/resourcePolicy:ResourcePolicy": Place("policy", "the function"),
    "aws:amp/resourcePolicy:ResourcePolicy": Place("policyDocument", "the metrics"),
    "aws-native:aps:ResourcePolicy": Place("policyDocument", "the metrics"),
    "aws:dsql/clusterPolicy:ClusterPolicy": Place("policy", "the cluster"),
    "aws-native:dsql:Cluster": Place("policyDocument", "the cluster"),
    "aws:pinpoint/smsvoicev2ResourcePolicy:Smsvoicev2ResourcePolicy": Place("policy", "sending messages"),
    "aws:vpclattice/resourcePolicy:ResourcePolicy": Place("policy", "the service network"),
    "aws-native:vpclattice:ResourcePolicy": Place("policy", "the service network"),
    "aws:xray/resourcePolicy:ResourcePolicy": Place("policyDocument", "the traces"),
    "aws-native:xray:ResourcePolicy": Place("policyDocument", "the traces"),
    "aws-native:lambda:ResourcePolicy": Place("policyDocument", "the function"),
    "aws:ecr/repositoryCreationTemplate:RepositoryCreationTemplate": Place("repositoryPolicy", "the images"),
    "aws:networkfirewall/resourcePolicy:ResourcePolicy": Place("policy", "the firewall's policies"),
}
EVENT_PERMISSIONS: Final = ("aws:cloudwatch/eventPermission:EventPermission",)
CURE: Final = "not known until the update, and judged there; write its ARNs with names that are known"
_PRINCIPAL_STATEMENT: Final = "aws-native:events:EventBusPolicy"

_EVERYONE: Final = {"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}
_ROOT: Final = {**_EVERYONE, "Principal": {"AWS": "arn:aws:iam::111122223333:root"}}


def _limited(**condition: Any) -> dict[str, Any]:
    return {**_EVERYONE, "Condition": condition}


def _stated(token: str, *statements: Any, **more: Any) -> Part:
    """Return a resource of this type with a policy of these statements."""
    document: Any = {"Version": "2012-10-17", "Statement": list(statements)}
    if token == _PRINCIPAL_STATEMENT:
        document = statements[0]
    elif token.startswith("aws:"):
        document = json.dumps(document)
    return Part(token, "policy", {PLACES[token].key: document, **more})


_QUEUE: Final = "aws:sqs/queuePolicy:QueuePolicy"
_TOPIC_POLICY: Final = "aws:sns/topicPolicy:TopicPolicy"
_PUBLIC_IMAGES: Final = "aws:ecrpublic/repositoryPolicy:RepositoryPolicy"
_DOMAIN: Final = "aws:opensearch/domain:Domain"
_SEPARATE: Final = "aws:opensearch/domainPolicy:DomainPolicy"
_FILES: Final = "aws:efs/fileSystemPolicy:FileSystemPolicy"
_BUS: Final = EVENT_PERMISSIONS[0]
_ORGANIZATION: Final = {"key": "aws:PrincipalOrgID", "type": "StringEquals", "value": "o-a1b2c3d4e5"}


@rule(
    types=(*PLACES, *EVENT_PERMISSIONS),
    severity=Severity.CRITICAL,
    undetermined="warn",
    neighbours=DOMAINS,
    equivalents={
        "checkov:CKV_AWS_32": {"message": "images"},
        "trivy:AVD-AWS-0032": {"message": "images"},
        "checkov:CKV_AWS_33": {"message": "key"},
        "checkov:CKV_AWS_167": {"message": "vault"},
        "checkov:CKV_AWS_168": {"message": "queue"},
        "checkov:CKV_AWS_169": {"message": "topic"},
        "checkov:CKV_AWS_387": {"message": "queue"},
        "kics:e86e26fc-489e-44f0-9bcd-97305e4ba69a": {"message": "images"},
        "kics:730675f9-52ed-49b6-8ead-0acb5dd7df7f": {"message": "queue"},
        "kics:fae52418-bb8b-4ac2-b287-0b9082d6a3fd": {"message": "file system"},
        "kics:16c4216a-50d3-4785-bfb2-4adb5144a8ba": {"message": "domain"},
        "kics:d25edb51-07fb-4a73-97d4-41cecdc53a22": {"message": "catalogue"},
        "kics:fa00ce45-386d-4718-8392-fb485e1f3c5b": {"message": "secret"},
        "kics:b26d2b7e-60f6-413d-a3a1-a57db24aa2b3": {"message": "topic"},
    },
    bad=[
        *(_stated(token, _EVERYONE) for token in PLACES),
        _stated(_QUEUE, {**_EVERYONE, "Principal": {"AWS": ["111122223333", "*"]}}),
        _stated(_QUEUE, {**_EVERYONE, "Principal": {"AWS": [UNKNOWN, "*"]}, "Resource": UNKNOWN}),
        _stated(_QUEUE, _limited(Bool={"aws:SecureTransport": "true"})),
        _stated(_QUEUE, _limited(StringNotEquals={"aws:PrincipalAccount": "111122223333"})),
        _stated(_QUEUE, _limited(ArnLike={"aws:SourceArn": "arn:aws:sns:*:*:*"})),
        _stated(_FILES, _limited(Bool={"aws:SecureTransport": "true"})),
        _stated("aws:kms/key:Key", _limited(StringEquals={"kms:ViaService": "s3.eu-west-1.amazonaws.com"})),
        _stated(_TOPIC_POLICY, _limited(StringLike={"sns:Endpoint": "*@example.com"})),
        [_stated(_SEPARATE, _EVERYONE, domainName=ref("logs")), Part(_DOMAIN, "logs", {"engineVersion": "x"})],
        _stated(_QUEUE, _limited(ArnLike={"aws:SourceArn": "arn:aws:s3:*:*:*"})),
        _stated(_PUBLIC_IMAGES, {**_EVERYONE, "Action": ["ecr-public:PutImage", "ecr-public:UploadLayerPart"]}),
        Part(_BUS, "bus", {"principal": "*", "statementId": "all"}),
        Part(_BUS, "bus", {"principal": "*", "statementId": "all", "condition": {**_ORGANIZATION, "value": "o-*"}}),
        Part(_PRINCIPAL_STATEMENT, "bus", {"principal": "*", "statementId": "all", "action": "events:PutEvents"}),
    ],
    good=[
        *(_stated(token, _ROOT) for token in PLACES),
        *(_stated(token, _limited(StringEquals={"aws:PrincipalOrgID": "o-a1b2c3d4e5"})) for token in PLACES),
        *(Part(token, "resource", {}) for token in PLACES),
        _stated(_QUEUE, {**_EVERYONE, "Effect": "Deny"}),
        _stated(_QUEUE, {**_EVERYONE, "Principal": {"Service": "sns.amazonaws.com"}}),
        _stated(_QUEUE, _limited(ArnLike={"aws:SourceArn": "arn:aws:sns:eu-west-1:111122223333:orders-*"})),
        _stated(_QUEUE, _limited(ArnLike={"aws:SourceArn": "arn:aws:sns:*:111122223333:*"})),
        _stated(_QUEUE, _limited(ArnEquals={"aws:SourceArn": "arn:aws:s3:::reports"})),
        _stated(_QUEUE, _limited(ArnLike={"aws:SourceArn": "arn:aws:s3:*:*:reports"})),
        _stated(_TOPIC_POLICY, _limited(StringEquals={"AWS:SourceOwner": "111122223333"})),
        _stated(_TOPIC_POLICY, _limited(StringEquals={"sns:Endpoint": "https://example.com/hook"})),
        _stated(
            "aws:kms/key:Key",
            _limited(StringEquals={"kms:CallerAccount": "111122223333", "kms:ViaService": "s3.amazonaws.com"}),
        ),
        _stated(_FILES, _limited(Bool={"elasticfilesystem:AccessedViaMountTarget": "true"})),
        _stated(_DOMAIN, _EVERYONE, vpcOptions={"subnetIds": ["subnet-1a2b"]}),
        _stated(_DOMAIN, _EVERYONE, advancedSecurityOptions={"enabled": True}),
        _stated(DOMAINS[2], _EVERYONE, advancedSecurityOptions={"enabled": True}),
        [
            _stated(_SEPARATE, _EVERYONE, domainName=ref("logs")),
            Part(_DOMAIN, "logs", {"vpcOptions": {"subnetIds": [UNKNOWN]}}),
        ],
        _stated("aws:secretsmanager/secretPolicy:SecretPolicy", _EVERYONE, blockPublicPolicy=True),
        _stated(_PUBLIC_IMAGES, {**_EVERYONE, "Action": ["ecr-public:BatchGetImage", "ecr-public:Describe*"]}),
        Part("aws:kms/key:Key", "key", {"policy": ""}),
        Part("aws:secretsmanager/secret:Secret", "secret", {"policy": "{}"}),
        Part(_BUS, "bus", {"principal": "111122223333", "statementId": "one"}),
        Part(_BUS, "bus", {"principal": "*", "statementId": "all", "condition": _ORGANIZATION}),
    ],
    unsure=[
        Part(_QUEUE, "policy", {"policy": UNKNOWN}),
        _stated(_QUEUE, {**_EVERYONE, "Principal": {"AWS": UNKNOWN}}),
        Part(_QUEUE, "policy", {"policy": "{not JSON"}),
        _stated(_DOMAIN, _EVERYONE, advancedSecurityOptions={"enabled": UNKNOWN}),
        [
            _stated(_SEPARATE, _EVERYONE, domainName=UNKNOWN),
            Part(_DOMAIN, "logs", {"vpcOptions": {"subnetIds": ["subnet-1a2b"]}}),
        ],
        Part(_BUS, "bus", {"principal": UNKNOWN, "statementId": "all"}),
        Part(_BUS, "bus", {"principal": "*", "statementId": "all", "condition": UNKNOWN}),
    ],
)
def aws_resource_policy_open_to_everyone(resource: Resource) -> Iterator[Finding]:
    """Yield the statements that let strangers in."""
    if resource.token in EVENT_PERMISSIONS:
        yield from _put_by_everyone(resource)
        return
    place = PLACES[resource.token]
    stated = resource[place.key]
    if stated.is_absent:
        if resource.token == _PRINCIPAL_STATEMENT:
            yield from _put_by_everyone(resource)
        return
    document = stated.json()
    if stated.is_empty().is_true or document.is_empty().is_true:
        return
    if resource.token == _PRINCIPAL_STATEMENT:
        yield from _judged(resource, document, place, list(_iam_policy.statement_grants(document, place.service)), [])
    elif document.readable:
        grants = list(_iam_policy.grants(document, place.service))
        yield from _judged(resource, document, place, grants, list(_iam_policy.misshapen(document)))
    else:
        gap = document.gap._replace(why=CURE) if document.is_unknown else document.gap
        yield from _judged(resource, document, place, [], [gap])


def _put_by_everyone(permission: Resource) -> Iterator[Finding]:
    """Yield the principal of an event bus's permission when it is everyone, and the condition leaves it so."""
    principal = permission["principal"]
    limited = _iam_policy.condition_limits(permission["condition"], _iam_policy.PLAIN)
    yield Finding(
        "every AWS account may put events on the event bus", at=principal, when=principal.equals("*") & ~limited
    )


def _judged(resource: Resource, document: Value, place: Place, grants: list[Any], gaps: list[Any]) -> Iterator[Finding]:
    if place.actions:
        grants = [grant for grant in grants if not _matters(grant, place).is_false]
    grants = [grant for grant in grants if not grant.public.is_false]
    if not gaps and not grants:
        return
    closed = _closed(resource)
    for gap in gaps:
        yield Finding(f"the policy may let strangers get to {place.what}", at=document, when=unknown(gap) & ~closed)
    for grant in grants:
        words = f"{grant.words} to {place.what}"
        yield Finding(words, at=grant.at, when=grant.public & _matters(grant, place) & ~closed)
        yield Note(f"{words}; something else keeps them out", at=grant.at, when=grant.public & closed)


def _matters(grant: _iam_policy.Grant, place: Place) -> Truth:
    """Is the statement about something that is not everyone's by nature?"""
    return _identity_policy.names_any(grant.statement, place.actions) if place.actions else TRUE


def _closed(resource: Resource) -> Truth:
    """Does something else decide who gets in?"""
    if resource.token in DOMAINS:
        return _decides_itself(resource)
    if resource.token in _DOMAIN_POLICIES:
        links = resource.targets("domainName", DOMAINS)
        return any_of(link.linked & _decides_itself(link.resource) for link in links)
    if resource.token in ("aws:secretsmanager/secretPolicy:SecretPolicy", "aws-native:secretsmanager:ResourcePolicy"):
        return resource["blockPublicPolicy"].is_true()
    return FALSE


def _decides_itself(domain: Resource) -> Truth:
    """Is the domain inside a VPC, or does it ask everyone who they are?"""
    subnets = domain["vpcOptions"]["subnetIds"]
    return (subnets.exists() & ~subnets.is_empty()) | domain["advancedSecurityOptions"]["enabled"].is_true()
