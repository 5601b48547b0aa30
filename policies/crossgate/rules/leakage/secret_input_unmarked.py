"""Secret input is a literal in clear.

Why: the provider knows this input as a secret, yet it stands unmarked: its text is in the state, in previews and in
the program's history. SDKs mark most of these inputs by themselves, so a typed program passes here even with a
literal. The rule bites where nothing marks: untyped resources, manifests, edited states, and the inputs that an SDK
leaves out, such as the administrators' passwords of azure-native.

Write-only inputs (``passwordWo``) never reach the state and do not count, and neither do references to a secret store.

Fix: take the value from ``config.require_secret``, from a secret store, or from a ``RandomPassword``; or let the
cloud manage the password (``manageMasterUserPassword``).

Sources:
    https://www.pulumi.com/docs/iac/concepts/secrets/
    https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/rds-secrets-manager.html
    https://learn.microsoft.com/azure/key-vault/general/developers-guide
    https://cloud.google.com/secret-manager/docs/overview
    https://cloud.google.com/compute/docs/disks/customer-supplied-encryption
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import TRUE, UNKNOWN, Finding, Part, Severity, Truth, rule, secret
from crossgate.rule import ANY_TYPE
from crossgate.rules._paths import split_paths, values_at
from crossgate.rules.leakage._literal import is_reference
from crossgate.rules.leakage._places import in_clear, leaves
from crossgate.rules.leakage._secret_inputs import conditional_secret_inputs, secret_inputs, write_only_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from crossgate import Resource, Value

_DISK_KEYS: Final = "diskEncryptionKey.rawKey sourceImageEncryptionKey.rawKey sourceSnapshotEncryptionKey.rawKey"
_INSTANCE_KEYS: Final = "bootDisk.diskEncryptionKeyRaw attachedDisks.*.diskEncryptionKeyRaw"
_LEFT_OUT: Final = split_paths(
    {
        "aws:cognito/identityProvider:IdentityProvider": "providerDetails.client_secret",
        "aws:fsx/windowsFileSystem:WindowsFileSystem": "selfManagedActiveDirectory.password",
        "aws:kinesis/firehoseDeliveryStream:FirehoseDeliveryStream": (
            "redshiftConfiguration.password splunkConfiguration.hecToken httpEndpointConfiguration.accessKey"
        ),
        "aws:lb/listener:Listener": "defaultActions.*.authenticateOidc.clientSecret",
        "aws:lb/listenerRule:ListenerRule": "actions.*.authenticateOidc.clientSecret",
        "aws:memorydb/user:User": "authenticationMode.passwords",
        "aws:mq/broker:Broker": "users.*.password",
        "aws-native:rds:DbCluster": "masterUserPassword",
        "aws-native:rds:DbInstance": "masterUserPassword",
        "aws-native:redshift:Cluster": "masterUserPassword",
        "aws-native:secretsmanager:Secret": "secretString",
        "azure:compute/virtualMachine:VirtualMachine": "osProfile.adminPassword",
        "azure:containerservice/group:Group": (
            "imageRegistryCredentials.*.password containers.*.secureEnvironmentVariables "
            "initContainers.*.secureEnvironmentVariables"
        ),
        "azure-native:app:ContainerApp": "configuration.secrets.*.value",
        "azure-native:app:Job": "configuration.secrets.*.value",
        "azure-native:automation:Credential": "password",
        "azure-native:compute:VirtualMachine": "osProfile.adminPassword",
        "azure-native:compute:VirtualMachineScaleSet": "virtualMachineProfile.osProfile.adminPassword",
        "azure-native:containerinstance:ContainerGroup": (
            "imageRegistryCredentials.*.password containers.*.environmentVariables.*.secureValue"
        ),
        "azure-native:dbformysql:Server": "administratorLoginPassword properties.administratorLoginPassword",
        "azure-native:dbforpostgresql:Server": "administratorLoginPassword properties.administratorLoginPassword",
        "azure-native:keyvault:Secret": "properties.value",
        "azure-native:sql:ManagedInstance": "administratorLoginPassword",
        "azure-native:sql:Server": "administratorLoginPassword",
        "azure-native:synapse:Workspace": "sqlAdministratorLoginPassword",
        "gcp:alloydb/cluster:Cluster": "initialUser.password",
        "gcp:bigquery/connection:Connection": "cloudSql.credential.password",
        "gcp:compute/backendService:BackendService": "iap.oauth2ClientSecret",
        "gcp:compute/disk:Disk": _DISK_KEYS,
        "gcp:compute/image:Image": "imageEncryptionKey.rawKey",
        "gcp:compute/instance:Instance": _INSTANCE_KEYS,
        "gcp:compute/instanceFromMachineImage:InstanceFromMachineImage": _INSTANCE_KEYS,
        "gcp:compute/instanceFromTemplate:InstanceFromTemplate": _INSTANCE_KEYS,
        "gcp:compute/regionDisk:RegionDisk": _DISK_KEYS,
        "gcp:compute/snapshot:Snapshot": "snapshotEncryptionKey.rawKey",
        "gcp:identityplatform/defaultSupportedIdpConfig:DefaultSupportedIdpConfig": "clientSecret",
        "gcp:monitoring/notificationChannel:NotificationChannel": (
            "sensitiveLabels.authToken sensitiveLabels.password sensitiveLabels.serviceKey"
        ),
        "gcp:monitoring/uptimeCheckConfig:UptimeCheckConfig": "httpCheck.authInfo.password",
    }
)
"""Inputs that hold a secret by the provider's documentation, and that its SDK does not mark."""
_REACH: Final = "whoever may read the state, a preview or the program can use it"
_WORD: Final = "hunter" + "2-Tr0ub4dor"


class _Input(NamedTuple):
    """A secret input, and the sibling with the value that makes it one."""

    path: tuple[str, ...]
    sibling: str = ""
    value: str = ""

    def counts(self, resource: Resource) -> Truth:
        """Does the sibling have the value that makes a secret of this input?"""
        if not self.sibling:
            return TRUE
        return resource[self.sibling].equals(True if self.value == "true" else self.value)


@lru_cache(maxsize=4096)
def _inputs_of(token: str) -> tuple[_Input, ...]:
    """Return the secret inputs of a type. Kubernetes Secrets have a rule of their own."""
    if token.startswith("kubernetes:"):
        return ()
    write_only = set(write_only_inputs(token))
    paths = dict.fromkeys((*secret_inputs(token), *_LEFT_OUT.get(token, ())))
    conditional = [_Input(*each) for each in conditional_secret_inputs(token)]
    return tuple(each for each in (*map(_Input, paths), *conditional) if each.path not in write_only)


def judged_paths(token: str) -> Iterator[Sequence[str]]:
    """Yield the paths that this rule judges in resources of a type, whatever stands beside them."""
    yield from write_only_inputs(token)
    for each in _inputs_of(token):
        if not each.sibling:
            yield each.path


def is_judged(resource: Resource, path: Sequence[str | int]) -> bool:
    """Return whether an input that is secret only beside another one is so in ``resource``, or may be."""
    return any(
        each.path[0] == path[0] and not each.counts(resource).is_false
        for each in _inputs_of(resource.token)
        if each.sibling
    )


def _applies(token: str, _parameters: Mapping[str, Any]) -> bool:
    return bool(_inputs_of(token))


@rule(
    types=(ANY_TYPE,),
    applies=_applies,
    severity=Severity.HIGH,
    undetermined="warn",
    literals=True,
    equivalents=("checkov:CKV_AWS_295", "checkov:CKV_AZURE_239", "trivy:AVD-GCP-0037"),
    bad=[
        Part("aws:rds/instance:Instance", "db", {"engine": "postgres", "username": "app", "password": _WORD}),
        Part("aws:secretsmanager/secretVersion:SecretVersion", "db", {"secretString": '{"password": "' + _WORD + '"}'}),
        Part("aws:ssm/parameter:Parameter", "db", {"type": "SecureString", "value": _WORD}),
        Part("aws:mq/broker:Broker", "mq", {"users": [{"username": "app", "password": _WORD}]}),
        Part("azure:keyvault/secret:Secret", "db", {"value": _WORD}),
        Part("azure-native:sql:Server", "db", {"administratorLogin": "dba", "administratorLoginPassword": _WORD}),
        Part("gcp:sql/user:User", "db", {"name": "app", "password": _WORD}),
        Part("gcp:compute/instance:Instance", "vm", {"bootDisk": {"diskEncryptionKeyRaw": _WORD}}),
    ],
    good=[
        Part("aws:rds/instance:Instance", "db", {"engine": "postgres", "username": "app", "password": secret(_WORD)}),
        Part("aws:rds/instance:Instance", "db", {"password": "[secret]"}),
        Part("aws:rds/instance:Instance", "db", {"passwordWo": _WORD, "passwordWoVersion": 1}),
        Part("aws:rds/instance:Instance", "db", {"manageMasterUserPassword": True}),
        Part("aws:rds/instance:Instance", "db", {"password": "{{resolve:secretsmanager:db:SecretString:password}}"}),
        Part("aws:rds/instance:Instance", "db", {"password": UNKNOWN}),
        Part("aws:ssm/parameter:Parameter", "db", {"type": "String", "value": "prod"}),
        Part("azure-native:sql:Server", "db", {"administratorLoginPassword": secret(_WORD)}),
    ],
    unsure=[
        Part("aws:ssm/parameter:Parameter", "db", {"type": UNKNOWN, "value": _WORD}),
        Part("aws:mq/broker:Broker", "mq", {"users": UNKNOWN}),
    ],
)
def secret_input_unmarked(resource: Resource) -> Iterator[Finding]:
    """Yield the inputs that the provider knows as secret and that stand as a literal, unmarked."""
    for each in _inputs_of(resource.token):
        for value in values_at(resource.inputs, each.path):
            for _, leaf in leaves(value):
                yield from _judged(leaf, each.counts(resource))


def _judged(leaf: Value, counts: Truth) -> Iterator[Finding]:
    clear = in_clear(leaf)
    if clear.is_true:
        text = leaf.text() or ""
        if text.strip() and not is_reference(text):
            message = f"is a literal in clear where a secret belongs; {_REACH}"
            yield Finding(message, at=leaf, when=counts, leaks=(text,))
    elif clear.is_unknown:
        yield Finding(f"may be a literal in clear; {_REACH}", at=leaf, when=clear & counts)
