"""Generate the tables that rules read about the published Pulumi SDKs.

Two modules are written: which input of a resource type carries its tags or labels
(`policies/crossgate/rules/tagging/_taggable.py`), and which inputs an SDK itself wraps as secret
(`policies/crossgate/rules/leakage/_secret_inputs.py`). The facts are read from the Python SDKs' sources, which are
parsed and never imported: they are the published form of each provider's schema.

    python tools/sdk_tables.py --site-packages DIR [--site-packages DIR ...] [--check]

One environment holds one version of a package, so several directories may be given: `sdk-tables-requirements.txt` and
`sdk-tables-requirements-majors.txt` beside this file name the versions. Of a type that several versions know, the
highest version is believed for tags (the cure is then one upgrade away), and the markings of all versions are joined
for secrets. What the SDKs state too widely for our questions is corrected by the lists below, each line with its
reason; a line that no longer matches anything stops the generator, so that the lists cannot rot.

Exit code: 0 written or equal; 1 with `--check` when a file differs; 2 wrong usage or an SDK that cannot be read.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import textwrap
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
TAGGABLE = Path("policies/crossgate/rules/tagging/_taggable.py")
SECRET_INPUTS = Path("policies/crossgate/rules/leakage/_secret_inputs.py")

#: Distribution (and import) name of each SDK, and the cloud whose tag rules hold for its types.
CLOUDS: Mapping[str, str] = {
    "pulumi_aws": "aws",
    "pulumi_aws_native": "aws",
    "pulumi_azure": "azure",
    "pulumi_azure_native": "azure",
    "pulumi_gcp": "gcp",
}
PACKAGES = (*CLOUDS, "pulumi_kubernetes", "pulumi_random", "pulumi_tls")

#: Environments that `make tables` fills, below the root: one environment holds one version of a package.
ENVIRONMENTS = (".venv-sdks", ".venv-sdks-majors")

LINE_LENGTH = 120

# --- What the SDKs' tag inputs do not say -----------------------------------------------------------------------------

_SELECTS = "its tags choose other resources, they are not put on this one"
_COMPATIBILITY = "documented as there for compatibility only"
_NOT_ARM = "tags of the data it holds, not Azure resource tags"

#: Types whose input looks like tags and is something else.
NOT_TAGS: Mapping[str, str] = {
    # https://docs.aws.amazon.com/inspector/v1/APIReference/API_CreateResourceGroup.html
    "aws:inspector:ResourceGroup": _SELECTS,
    "aws-native:inspector:ResourceGroup": _SELECTS,
    "azure:appconfiguration:ConfigurationFeature": _NOT_ARM,
    "azure:appconfiguration:ConfigurationKey": _NOT_ARM,
    "azure-native:appconfiguration:KeyValue": _NOT_ARM,
    "azure-native:notificationhubs:NamespaceAuthorizationRule": _COMPATIBILITY,
    "azure-native:notificationhubs:NotificationHubAuthorizationRule": _COMPATIBILITY,
    # https://cloud.google.com/identity/docs/groups
    "gcp:cloudidentity:Group": "its labels state what kind of group it is, with fixed keys",
}

#: Where the tags are when the name does not tell. The path is checked against the SDK.
TAG_PATHS: Mapping[str, tuple[str, ...]] = {
    "aws-native:backup:LogicallyAirGappedBackupVault": ("backupVaultTags",),
    "aws-native:budgets:Budget": ("resourceTags",),
    "aws-native:budgets:BudgetsAction": ("resourceTags",),
    "aws-native:ce:AnomalyMonitor": ("resourceTags",),
    "aws-native:ce:AnomalySubscription": ("resourceTags",),
    "aws-native:invoicing:InvoiceUnit": ("resourceTags",),
    "gcp:cloudrun:DomainMapping": ("metadata", "labels"),
    "gcp:cloudrun:Service": ("metadata", "labels"),
    "gcp:sql:DatabaseInstance": ("settings", "userLabels"),
}

# --- What the SDKs' secret markings say too widely --------------------------------------------------------------------

_IDENTIFIER = "an identifier, a user name or an address: it opens nothing by itself"
_PUBLIC = "a certificate or public key: made to be shown"
_CONTENT = "a document or settings that programs write as literals: judged by what it contains"
_TEXT = "free text shown to people"
_PATH = "a path to a file, not what the file holds"

_APNS = ("ApnsChannel", "ApnsSandboxChannel", "ApnsVoipChannel", "ApnsVoipSandboxChannel")

#: (type, input) that an SDK marks and that is plainly no secret.
NOT_SECRET: Mapping[tuple[str, str], str] = {
    ("aws:appconfig:HostedConfigurationVersion", "content"): _CONTENT,
    ("aws:bedrock:AgentcoreHarness", "environmentVariables"): _CONTENT,
    ("aws:cloudcontrol:Resource", "schema"): "the published schema of a resource type",
    ("aws:directoryservice:SharedDirectory", "notes"): _TEXT,
    ("aws:dms:Certificate", "certificatePem"): _PUBLIC,
    ("aws:glue:Connection", "athenaProperties"): _CONTENT,
    ("aws:iot:Authorizer", "tokenSigningPublicKeys"): _PUBLIC,
    ("aws:iot:CaCertificate", "caCertificatePem"): _PUBLIC,
    ("aws:iot:CaCertificate", "verificationCertificatePem"): _PUBLIC,
    ("aws:iot:Certificate", "caPem"): _PUBLIC,
    ("aws:iot:Certificate", "certificatePem"): _PUBLIC,
    ("aws:mwaa:Environment", "airflowConfigurationOptions"): _CONTENT,
    ("aws:pinpoint:AdmChannel", "clientId"): _IDENTIFIER,
    **{("aws:pinpoint:" + name, "bundleId"): _IDENTIFIER for name in _APNS},
    **{("aws:pinpoint:" + name, "certificate"): _PUBLIC for name in _APNS},
    **{("aws:pinpoint:" + name, "teamId"): _IDENTIFIER for name in _APNS},
    **{("aws:pinpoint:" + name, "tokenKeyId"): _IDENTIFIER for name in _APNS},
    ("aws:redshiftserverless:Namespace", "adminUsername"): _IDENTIFIER,
    ("aws:s3:ObjectCopy", "kmsEncryptionContext"): "authenticated, not encrypted: it is logged in the clear",
    ("aws:s3:ObjectCopy", "kmsKeyId"): _IDENTIFIER,
    # https://docs.aws.amazon.com/sns/latest/api/API_CreatePlatformApplication.html
    ("aws:sns:PlatformApplication", "platformPrincipal"): "a certificate or a client id; the other half is the secret",
    ("aws:transfer:Certificate", "certificate"): _PUBLIC,
    ("aws:transfer:Certificate", "certificateChain"): _PUBLIC,
    ("aws:transfer:Server", "postAuthenticationLoginBanner"): _TEXT,
    ("aws:transfer:Server", "preAuthenticationLoginBanner"): _TEXT,
    ("azure:apimanagement:OpenIdConnectProvider", "clientId"): _IDENTIFIER,
    ("azure:appplatform:SpringCloudAppDynamicsApplicationPerformanceMonitoring", "agentAccountName"): _IDENTIFIER,
    ("azure:appplatform:SpringCloudDynatraceApplicationPerformanceMonitoring", "tenant"): _IDENTIFIER,
    ("azure:compute:LinuxVirtualMachine", "customData"): _CONTENT,
    ("azure:compute:LinuxVirtualMachineScaleSet", "customData"): _CONTENT,
    ("azure:compute:OrchestratedVirtualMachineScaleSet", "userDataBase64"): _CONTENT,
    ("azure:compute:RunCommand", "errorBlobManagedIdentity"): _IDENTIFIER,
    ("azure:compute:RunCommand", "outputBlobManagedIdentity"): _IDENTIFIER,
    ("azure:compute:WindowsVirtualMachine", "customData"): _CONTENT,
    ("azure:compute:WindowsVirtualMachineScaleSet", "customData"): _CONTENT,
    ("azure:datafactory:LinkedServiceAzureBlobStorage", "serviceEndpoint"): _IDENTIFIER,
    ("azure:iot:Certificate", "certificateContent"): _PUBLIC,
    ("azure:iot:IotHubCertificate", "certificateContent"): _PUBLIC,
    ("azure:kusto:Script", "scriptContent"): _CONTENT,
    ("azure:mssql:ServerExtendedAuditingPolicy", "storageAccountSubscriptionId"): _IDENTIFIER,
    ("azure:mssql:ServerMicrosoftSupportAuditingPolicy", "storageAccountSubscriptionId"): _IDENTIFIER,
    ("azure:mssql:VirtualMachine", "sqlConnectivityUpdateUsername"): _IDENTIFIER,
    ("azure:sentinel:DataConnectorThreatIntelligenceTaxii", "userName"): _IDENTIFIER,
    ("gcp:compute:RegionSslCertificate", "certificate"): _PUBLIC,
    ("gcp:compute:SSLCertificate", "certificate"): _PUBLIC,
    ("gcp:kms:SecretCiphertext", "additionalAuthenticatedData"): "authenticated, not encrypted",
    ("gcp:parametermanager:ParameterVersion", "parameterData"): _CONTENT,
    ("gcp:parametermanager:RegionalParameterVersion", "parameterData"): _CONTENT,
    ("gcp:runtimeconfig:Variable", "text"): _CONTENT,
    ("gcp:runtimeconfig:Variable", "value"): _CONTENT,
    ("gcp:storage:BucketObject", "content"): _CONTENT,
    ("pulumi:providers:azure", "auxiliaryTenantIds"): _IDENTIFIER,
    ("pulumi:providers:azure", "clientCertificatePath"): _PATH,
    ("pulumi:providers:azure", "clientId"): _IDENTIFIER,
    ("pulumi:providers:azure", "clientIdFilePath"): _PATH,
    ("pulumi:providers:azure", "clientSecretFilePath"): _PATH,
    ("pulumi:providers:azure", "oidcTokenFilePath"): _PATH,
    ("pulumi:providers:azure", "subscriptionId"): _IDENTIFIER,
    ("pulumi:providers:azure", "tenantId"): _IDENTIFIER,
    ("pulumi:providers:azure-native", "clientId"): _IDENTIFIER,
}

#: (type, input) whose marking covers a whole structure, and the paths in it that hold the secret.
NARROWED: Mapping[tuple[str, str], tuple[str, ...]] = {
    # https://docs.aws.amazon.com/glue/latest/dg/aws-glue-api-catalog-connections.html
    ("aws:glue:Connection", "connectionProperties"): (
        "connectionProperties.KAFKA_CLIENT_KEYSTORE_PASSWORD",
        "connectionProperties.KAFKA_CLIENT_KEY_PASSWORD",
        "connectionProperties.KAFKA_SASL_PLAIN_PASSWORD",
        "connectionProperties.KAFKA_SASL_SCRAM_PASSWORD",
        "connectionProperties.PASSWORD",
    ),
    ("azure:appservice:StaticWebApp", "basicAuth"): ("basicAuth.password",),
    ("azure:compute:RunCommand", "protectedParameters"): ("protectedParameters.*.value",),
    ("azure:containerapp:App", "secrets"): ("secrets.*.value",),
    ("azure:containerapp:EnvironmentDaprComponent", "secrets"): ("secrets.*.value",),
    ("azure:containerapp:Job", "secret"): ("secret.*.value",),
    ("azure:containerapp:Job", "secrets"): ("secrets.*.value",),
    ("gcp:sql:DatabaseInstance", "replicaConfiguration"): (
        "replicaConfiguration.clientKey",
        "replicaConfiguration.password",
    ),
    ("gcp:storage:BucketObject", "customerEncryption"): ("customerEncryption.encryptionKey",),
}

#: (type, path) that is a secret only beside another input: (type, path) -> (sibling input, its value as text).
CONDITIONAL: Mapping[tuple[str, str], tuple[str, str]] = {
    # https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-securestring.html
    ("aws:ssm:Parameter", "value"): ("type", "SecureString"),
    ("aws:ssm:Parameter", "valueWo"): ("type", "SecureString"),
    ("azure:apimanagement:NamedValue", "value"): ("secret", "true"),
    ("azure:apimanagement:WorkspaceNamedValue", "value"): ("secret", "true"),
    ("azure:batch:Certificate", "certificate"): ("format", "Pfx"),
}


# --- Reading an SDK ---------------------------------------------------------------------------------------------------


class UnreadableSdkError(Exception):
    """An SDK is missing, or its sources or a list of this generator are not what they were."""


class Sdk(NamedTuple):
    """One installed SDK: ``name`` is both distribution and import name."""

    name: str
    version: str
    folder: Path

    @property
    def package(self) -> str:
        """The Pulumi package, as type tokens begin with it."""
        return self.name.removeprefix("pulumi_").replace("_", "-")

    @property
    def order(self) -> tuple[int, ...]:
        """The version, comparable."""
        return tuple(int(part) for part in re.findall(r"\d+", self.version))


@dataclass(frozen=True)
class ResourceType:
    """What an SDK's source says about one resource type.

    ``token`` and ``aliases`` are type tokens as the engine has them, ``inputs`` maps wire names (camelCase) to type
    annotations, ``outputs`` and ``secrets`` are wire names; ``folder`` holds the module's nested argument classes.
    """

    token: str
    aliases: tuple[str, ...]
    inputs: Mapping[str, ast.expr]
    outputs: frozenset[str]
    secrets: tuple[str, ...]
    folder: Path

    @property
    def key(self) -> str:
        """The short spelling that the tables use."""
        return short(self.token)

    @property
    def name(self) -> str:
        """The last part of the token, ``Bucket``."""
        return self.token.rpartition(":")[2]


def short(token: str) -> str:
    """Cut what follows the module out of a type token: ``aws:s3/bucket:Bucket`` is ``aws:s3:Bucket``.

    The part repeats the type's name, or is an API version of azure-native or Kubernetes.
    """
    package, module, name = token.split(":")
    return f"{package}:{module.partition('/')[0]}:{name}"


def find_sdks(directories: Iterable[Path]) -> list[Sdk]:
    """Return the SDKs installed in ``directories``, each package's highest version first.

    Raises:
        UnreadableSdkError: one of `PACKAGES` is in none of them.

    """
    found: dict[tuple[str, str], Sdk] = {}
    for directory in directories:
        for distribution in distributions(path=[str(directory)]):
            name = distribution.name.replace("-", "_").lower()
            if name in PACKAGES:
                folder = Path(str(distribution.locate_file(name)))
                found.setdefault((name, distribution.version), Sdk(name, distribution.version, folder))
    missing = set(PACKAGES) - {name for name, _ in found}
    if missing:
        raise UnreadableSdkError(f"not installed where they are looked for: {', '.join(sorted(missing))}")
    return sorted(found.values(), key=lambda sdk: (PACKAGES.index(sdk.name), [-part for part in sdk.order]))


def read_sdk(sdk: Sdk) -> dict[str, ResourceType]:
    """Return the resource types of one SDK by short token.

    Of the API versions of azure-native, the default one counts; for a type without a default, the newest.
    """
    types: dict[str, ResourceType] = {}
    for path in sorted(sdk.folder.rglob("*.py"), key=_newest_version_first):
        text = path.read_text(encoding="utf-8")
        tokens = [short(token) for token in _TOKENS.findall(text) if ":" in token]
        versioned = any(_API_VERSION.fullmatch(part) for part in path.parts)
        if versioned and tokens and all(token in types for token in tokens):
            continue  # parsing 600 MB of older API versions takes minutes and says nothing new
        if _RESOURCE_CLASS.search(text):
            for resource_type in read_module(text, path, sdk.package):
                types.setdefault(resource_type.key, resource_type)
    return types


_TOKENS = re.compile(r"super\(\w+, __self__\)\.__init__\(\s*'([^']+)'")
_RESOURCE_CLASS = re.compile(r"^class (\w+)\(pulumi\.(?:Custom|Provider)Resource\)", re.MULTILINE)
_API_VERSION = re.compile(r"v\d{8}\w*")


def _newest_version_first(path: Path) -> tuple[bool, tuple[int, ...], str]:
    version = next((part for part in path.parts if _API_VERSION.fullmatch(part)), "")
    return bool(version), tuple(-ord(character) for character in version), str(path)


def read_module(text: str, path: Path, package: str) -> Iterator[ResourceType]:
    """Yield the resource types that one generated source file defines.

    Raises:
        UnreadableSdkError: the file is not in the form that the SDK generator writes.

    """
    sources = cut_classes(text)
    for name in _RESOURCE_CLASS.findall(text):
        node = _parse_class(sources[name])
        initializer = _method(node, "_internal_init")
        if initializer is None:
            continue
        facts = _read_initializer(initializer)
        if not facts.token:
            continue  # written by hand: Kubernetes' CustomResource builds its token when it is called
        if facts.arguments not in sources:
            raise UnreadableSdkError(f"{path}: {node.name} has no argument class")
        getters = _getters(_parse_class(sources[facts.arguments]))
        wire_names = {getter.name: wire for wire, getter in getters.items()}
        token = facts.token if ":" in facts.token else f"pulumi:providers:{package}"
        try:
            secrets = tuple(sorted(wire_names[name] for name in facts.secrets))
        except KeyError as error:
            raise UnreadableSdkError(f"{path}: {node.name} marks {error}, which is no input of it") from error
        inputs = {wire: getter.returns for wire, getter in getters.items() if getter.returns is not None}
        yield ResourceType(token, facts.aliases, inputs, frozenset(_getters(node)), secrets, path.parent)


def cut_classes(text: str) -> dict[str, str]:
    """Return the source of each top-level class: parsing only what is asked for saves two thirds of the time."""
    starts = [(match[1], match.start()) for match in re.finditer(r"^(?:@.*\n)*class (\w+)", text, re.MULTILINE)]
    ends = [start for _, start in starts[1:]] + [len(text)]
    return {name: text[start:end] for (name, start), end in zip(starts, ends, strict=True)}


def _parse_class(source: str) -> ast.ClassDef:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about escapes in the SDKs' docstrings
        node = ast.parse(source).body[0]
    if not isinstance(node, ast.ClassDef):
        raise UnreadableSdkError(f"no class where one was cut out: {source[:80]}")
    return node


class _Initializer(NamedTuple):
    """What ``_internal_init`` does: its token, argument class, wrapped inputs (Python names) and alias tokens."""

    token: str
    arguments: str
    secrets: tuple[str, ...]
    aliases: tuple[str, ...]


def _read_initializer(function: ast.FunctionDef) -> _Initializer:
    token = arguments = ""
    secrets: list[str] = []
    aliases: list[str] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            if isinstance(target, ast.Name) and target.id == "__props__" and isinstance(node.value, ast.Call):
                arguments = _dotted(node.value.func).removesuffix(".__new__")
            elif isinstance(target, ast.Subscript) and _wraps(node.value):
                secrets.append(_text(target.slice))
        elif isinstance(node, ast.Call):
            if _dotted(node.func) == "super().__init__":
                token = _text(node.args[0])
            elif _dotted(node.func) == "pulumi.Alias":
                aliases += [_text(keyword.value) for keyword in node.keywords if keyword.arg == "type_"]
    return _Initializer(token, arguments, tuple(secrets), tuple(aliases))


def _wraps(expression: ast.expr) -> bool:
    """Tell whether a value passes through ``pulumi.Output.secret``."""
    return any(
        isinstance(node, ast.Call) and _dotted(node.func) == "pulumi.Output.secret" for node in ast.walk(expression)
    )


def _dotted(node: ast.expr) -> str:
    """Return a dotted name as it is written, without the arguments of calls in it; ``""`` for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    if isinstance(node, ast.Call):
        return _dotted(node.func) + "()"
    return ""


def _text(node: ast.expr) -> str:
    """Return a constant text; ``""`` for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _method(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next((part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == name), None)


def _getters(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """Return the properties of an argument or resource class by their names on the wire."""
    getters = {}
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            for decorator in part.decorator_list:
                if _dotted(decorator) == "pulumi.getter":
                    getters[part.name] = part
                elif _dotted(decorator) == "pulumi.getter()" and isinstance(decorator, ast.Call):
                    getters[_text(decorator.keywords[0].value)] = part
    return getters


# --- Nested argument classes ------------------------------------------------------------------------------------------


def nested_inputs(reference: str, folder: Path) -> Mapping[str, ast.expr]:
    """Return the inputs of the argument class that an annotation names, ``GroupTagArgs`` or ``_root_inputs.TagArgs``.

    Empty for a class that stands elsewhere.
    """
    module, _, name = reference.rpartition(".")
    if module == "_root_inputs":
        folder = folder.parent
    elif module:
        return {}
    source = _argument_classes(folder / "_inputs.py").get(name)
    return {} if source is None else _inputs_of(source)


@cache
def _argument_classes(path: Path) -> Mapping[str, str]:
    return cut_classes(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def _inputs_of(source: str) -> Mapping[str, ast.expr]:
    getters = _getters(_parse_class(source))
    return {wire: getter.returns for wire, getter in getters.items() if getter.returns is not None}


def plain(annotation: ast.expr) -> ast.expr:
    """Take ``pulumi.Input`` and ``Optional`` off an annotation."""
    while isinstance(annotation, ast.Subscript) and _dotted(annotation.value) in {"pulumi.Input", "Optional"}:
        annotation = annotation.slice
    return annotation


def container(annotation: ast.expr) -> tuple[Literal["map", "list", ""], ast.expr]:
    """Tell whether an annotation is a map or a list, and of what; ``""`` and the annotation itself when neither."""
    annotation = plain(annotation)
    if isinstance(annotation, ast.Subscript):
        generic = _dotted(annotation.value)
        if generic == "Mapping" and isinstance(annotation.slice, ast.Tuple):
            return "map", plain(annotation.slice.elts[1])
        if generic == "Sequence":
            return "list", plain(annotation.slice)
    return "", annotation


def classes_in(annotation: ast.expr) -> list[str]:
    """Return the argument classes that an annotation names."""
    texts = [node.value for node in ast.walk(annotation) if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and text.endswith("Args")]


# --- Tags -------------------------------------------------------------------------------------------------------------


class TagInput(NamedTuple):
    """Where a type's tags are, in which shape, and whether the provider's default tags reach them."""

    path: tuple[str, ...]
    shape: Literal["map", "list"]
    defaults: bool


def tag_input(resource_type: ResourceType, package: str) -> TagInput | None:
    """Return the input that carries the tags of the resource itself, or None when there is none."""
    if resource_type.key in NOT_TAGS or resource_type.key.startswith("pulumi:"):
        return None
    for path in _tag_paths(resource_type, package):
        siblings: Mapping[str, ast.expr] = resource_type.inputs
        outputs = resource_type.outputs
        for name in path[:-1]:
            siblings = nested_inputs(classes_in(siblings[name])[0], resource_type.folder)
            outputs = frozenset(siblings)  # of nested properties the provider's own ones are listed among the inputs
        annotation = siblings.get(path[-1])
        shape = annotation and _tag_shape(annotation, resource_type.folder, package)
        if annotation is not None and shape:
            return TagInput(path, shape, _default_tags_reach(annotation, outputs, package))
        if resource_type.key in TAG_PATHS:
            raise UnreadableSdkError(f"{resource_type.key}: no tags at {'.'.join(path)}")
    return None


def _tag_paths(resource_type: ResourceType, package: str) -> list[tuple[str, ...]]:
    """Return where tags may be, the likeliest place first."""
    if resource_type.key in TAG_PATHS:
        return [TAG_PATHS[resource_type.key]]
    if package == "gcp":
        # A notification channel's `labels` are its settings: `userLabels` first.
        # https://cloud.google.com/monitoring/api/ref_v3/rest/v3/projects.notificationChannels
        return [("resourceLabels",), ("userLabels",), ("labels",)]
    if package == "aws-native":
        # CloudFormation names some after the type: `hostedZoneTags` of a HostedZone.
        return [("tags",), (resource_type.name[0].lower() + resource_type.name[1:] + "Tags",)]
    return [("tags",)]


def _tag_shape(annotation: ast.expr, folder: Path, package: str) -> Literal["map", "list", ""]:
    """Tell the shape of an input if it can hold tags: texts by name, or a list of key and value."""
    shape, element = container(annotation)
    if shape == "map":
        return "map" if _dotted(element) in {"str", "_builtins.str", "builtins.str"} else ""
    if shape == "list" and not package.startswith("azure"):  # Azure resource tags are always a map
        for reference in classes_in(element):
            if {"key", "value"} <= nested_inputs(reference, folder).keys():
                return "list"
        return ""
    if _dotted(plain(annotation)) == "Any" and package.endswith("-native"):
        return "map"  # an untyped object: "Json" of CloudFormation, "object" of Azure's specifications
    return ""


def _default_tags_reach(annotation: ast.expr, outputs: frozenset[str], package: str) -> bool:
    """Tell whether default tags or labels of the provider are merged in.

    The bridged providers say so by the output that holds the merge; aws-native merges into what it knows the shape of
    (https://github.com/pulumi/pulumi-aws-native, ``default_tags``); Azure's providers have no default tags.
    """
    if package == "aws-native":
        return _dotted(plain(annotation)) != "Any"
    return {"aws": "tagsAll", "gcp": "effectiveLabels"}.get(package, "") in outputs


def taggable(sdks: Iterable[tuple[Sdk, Mapping[str, ResourceType]]]) -> dict[str, TagInput]:
    """Return the tag input of each taggable type by short token, old names (aliases) included."""
    answers: dict[str, TagInput | None] = {}
    aliases: dict[str, str] = {}
    unused = NOT_TAGS.keys() | TAG_PATHS.keys()
    for sdk, types in sdks:
        if sdk.name not in CLOUDS:
            continue
        for key, resource_type in types.items():
            unused -= {key}
            answers.setdefault(key, tag_input(resource_type, sdk.package))
            for alias in resource_type.aliases:
                aliases.setdefault(short(alias), key)
    if unused:
        raise UnreadableSdkError("NOT_TAGS and TAG_PATHS name types that no SDK has: " + ", ".join(sorted(unused)))
    for alias, key in aliases.items():
        answers.setdefault(alias, answers[key])
    return {key: answer for key, answer in answers.items() if answer is not None}


# --- Secrets ----------------------------------------------------------------------------------------------------------


class SecretTable(NamedTuple):
    """Paths by short token; a conditional path has the sibling input and its value behind it."""

    secret: Mapping[str, set[str]]
    write_only: Mapping[str, set[str]]
    conditional: Mapping[str, set[str]]


def secret_table(sdks: Iterable[tuple[Sdk, Mapping[str, ResourceType]]]) -> SecretTable:
    """Join the secret markings and the write-only inputs of all SDKs, corrected by the lists above."""
    secret: dict[str, set[str]] = defaultdict(set)
    write_only: dict[str, set[str]] = defaultdict(set)
    conditional: dict[str, set[str]] = defaultdict(set)
    unused = NOT_SECRET.keys() | NARROWED.keys() | CONDITIONAL.keys()
    for _, types in sdks:
        for key, resource_type in types.items():
            for path in write_only_paths(resource_type.inputs, resource_type.folder):
                write_only[key].add(path)
            for name in resource_type.secrets:
                unused -= {(key, name)}
                if (key, name) in NOT_SECRET:
                    continue
                if (key, name) in CONDITIONAL:
                    sibling, value = CONDITIONAL[key, name]
                    _require(sibling, resource_type)
                    conditional[key].add(f"{name}|{sibling}|{value}")
                    continue
                for path in NARROWED.get((key, name), (name,)):
                    _require(path, resource_type)
                    secret[key].add(path)
    if unused:
        raise UnreadableSdkError("no SDK marks " + ", ".join(f"{key} {name}" for key, name in sorted(unused)))
    return SecretTable(secret, write_only, conditional)


def write_only_paths(inputs: Mapping[str, ast.expr], folder: Path, above: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the paths of write-only inputs (``passwordWo``), nested ones with ``*`` for each element.

    https://developer.hashicorp.com/terraform/language/manage-sensitive-data/write-only
    """
    for wire, annotation in inputs.items():
        if wire.endswith("Wo"):
            yield wire
        elif _has_nested_write_only(folder):
            prefix = f"{wire}.*" if container(annotation)[0] else wire
            for reference in classes_in(annotation):
                if reference not in above:
                    nested = nested_inputs(reference, folder)
                    for path in write_only_paths(nested, folder, (*above, reference)):
                        yield f"{prefix}.{path}"


@cache
def _has_nested_write_only(folder: Path) -> bool:
    path = folder / "_inputs.py"
    return path.exists() and 'Wo")' in path.read_text(encoding="utf-8")


def _require(path: str, resource_type: ResourceType) -> None:
    """Check that a path of the lists above exists.

    Raises:
        UnreadableSdkError: it does not.

    """
    inputs: Mapping[str, ast.expr] | None = resource_type.inputs
    for name in path.split("."):
        if inputs is None or name == "*":
            continue  # below a map, whose keys are free, or at the elements, whose class is taken already
        if name not in inputs:
            raise UnreadableSdkError(f"{resource_type.key} has no input {path}")
        classes = classes_in(inputs[name])
        inputs = nested_inputs(classes[0], resource_type.folder) if classes else None


# --- Writing ----------------------------------------------------------------------------------------------------------

_HEAD = '''"""{title}

Generated by tools/sdk_tables.py from: {sdks}; do not edit.

{text}
"""
'''

_TAGGABLE_CODE = '''
from functools import cache
from typing import Final, Literal, NamedTuple

from crossgate.model import unversioned_type


class TagProperty(NamedTuple):
    """The input of a resource type that carries its tags (AWS, Azure) or labels (Google Cloud).

    ``path`` leads from the inputs to it: ``("tags",)``, ``("settings", "userLabels")``. ``shape`` is ``"map"``, names
    to values, or ``"list"``, objects with at least ``key`` and ``value``. ``cloud`` tells whose rules for names and
    values hold. ``provider_defaults``: default tags or labels that the provider is configured with are merged in.
    """

    path: tuple[str, ...]
    shape: Literal["map", "list"]
    cloud: Literal["aws", "azure", "gcp"]
    provider_defaults: bool


def tag_property(type_token: str) -> TagProperty | None:
    """Return where resources of a type carry their tags; None when they carry none or the type is not known.

    API versions of azure-native and the older names of renamed types are understood.
    """
    package, _, rest = unversioned_type(type_token).partition(":")
    module, _, name = rest.partition(":")
    return _types_of(package).get(f"{module.partition('/')[0]} {name}")


@cache
def _types_of(package: str) -> dict[str, TagProperty]:
    """Unfold the table of one package, when the first of its types is asked for."""
    types = {}
    for tag_property_, text in _TABLES.get(package, ()):
        for line in text.splitlines():
            module, *names = line.split()
            for name in names:
                types[f"{module} {name}"] = tag_property_
    return types


#: By package: each tag property and the types that have it, a line for a module.
'''

_SECRETS_CODE = '''
from functools import cache
from typing import Final, NamedTuple

from crossgate.model import unversioned_type

Path = tuple[str, ...]


class ConditionalSecret(NamedTuple):
    """The input at ``path`` is a secret only where the input ``sibling`` has the ``value``, as text: ``true``."""

    path: Path
    sibling: str
    value: str


def secret_inputs(type_token: str) -> tuple[Path, ...]:
    """Return the inputs of a type that its SDK wraps as secret, less those that plainly are none.

    Paths in wire names, ``*`` for each element of a list or value of a map: ``("secrets", "*", "value")``. Everything
    below a path is secret too. Write-only inputs are among them where the SDK marks them.
    """
    return tuple(tuple(path.split(".")) for path in _paths("secret", type_token))


def write_only_inputs(type_token: str) -> tuple[Path, ...]:
    """Return the inputs of a type whose values never reach the state: ``("passwordWo",)``. Paths as above."""
    return tuple(tuple(path.split(".")) for path in _paths("write-only", type_token))


def conditional_secret_inputs(type_token: str) -> tuple[ConditionalSecret, ...]:
    """Return the inputs of a type that are secret only beside a certain other input."""
    found = []
    for entry in _paths("conditional", type_token):
        path, sibling, value = entry.split("|")
        found.append(ConditionalSecret(tuple(path.split(".")), sibling, value))
    return tuple(found)


def _paths(table: str, type_token: str) -> tuple[str, ...]:
    package, _, rest = unversioned_type(type_token).partition(":")
    module, _, name = rest.partition(":")
    return _types_of(table).get(f"{package}:{module.partition('/')[0]}:{name}", ())


@cache
def _types_of(table: str) -> dict[str, tuple[str, ...]]:
    """Unfold a table when it is first asked."""
    types: dict[str, tuple[str, ...]] = {}
    for line in _TABLES[table].splitlines():
        token, *paths = line.split()
        types[token] = types.get(token, ()) + tuple(paths)
    return types


#: Each line a type, without what follows the module in its token, and paths.
'''


def taggable_source(sdks: Sequence[Sdk], types: Mapping[str, TagInput]) -> str:
    """Return the text of `TAGGABLE`."""
    groups: dict[tuple[str, TagInput], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for key, tags in sorted(types.items()):
        package, module, name = key.split(":")
        groups[package, tags][module].append(name)
    lines = ["_TABLES: Final[dict[str, tuple[tuple[TagProperty, str], ...]]] = {"]
    for package in sorted({package for package, _ in groups}):
        cloud = CLOUDS["pulumi_" + package.replace("-", "_")]
        lines.append(f'    "{package}": (')
        for path, shape, defaults in sorted(tags for owner, tags in groups if owner == package):
            names = ", ".join(f'"{name}"' for name in path) + ("," if len(path) == 1 else "")
            lines += ["        (", f'            TagProperty(({names}), "{shape}", "{cloud}", {defaults}),']
            modules = groups[package, TagInput(path, shape, defaults)]
            lines += ['            """\\', *_wrapped(modules), '""",', "        ),"]
        lines.append("    ),")
    head = _head(
        "Which input of a resource type carries its tags or labels.",
        [sdk for sdk in sdks if sdk.name in CLOUDS],
        "Types are listed without what follows the module in their tokens: it repeats the name, or is an API version.",
    )
    return head + _TAGGABLE_CODE + "\n".join([*lines, "}", ""])


def secret_inputs_source(sdks: Sequence[Sdk], table: SecretTable) -> str:
    """Return the text of `SECRET_INPUTS`."""
    lines = ["_TABLES: Final[dict[str, str]] = {"]
    titles = {"secret": table.secret, "write-only": table.write_only, "conditional": table.conditional}
    for title, types in titles.items():
        rows = {key: sorted(paths) for key, paths in types.items()}
        lines += [f'    "{title}": """\\', *_wrapped(rows), '""",']
    head = _head(
        "Which inputs of a resource type hold a secret.",
        sdks,
        "Only values that a program hands in are meant, not the outputs that an SDK declares secret "
        "(`additional_secret_outputs`).",
    )
    return head + _SECRETS_CODE + "\n".join([*lines, "}", ""])


def _head(title: str, sdks: Sequence[Sdk], text: str) -> str:
    names = ", ".join(f"{sdk.name} {sdk.version}" for sdk in sdks)
    filled = _HEAD.format(title=title, sdks=names, text=text)
    return "\n".join("\n".join(_fill(line)) for line in filled.split("\n"))


def _fill(line: str) -> list[str]:
    return textwrap.wrap(line, LINE_LENGTH, break_long_words=False, break_on_hyphens=False) or [""]


def _wrapped(rows: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield each row as ``head word word``, on as many lines as it needs, each with its head."""
    for head, words in sorted(rows.items()):
        line = head
        for word in words:
            if len(line) + 1 + len(word) > LINE_LENGTH and line != head:
                yield line
                line = head
            line += " " + word
        yield line


# --- The command ------------------------------------------------------------------------------------------------------


def generate(directories: Iterable[Path]) -> dict[Path, str]:
    """Return the generated files' contents by path below the root of the project.

    Raises:
        UnreadableSdkError: an SDK is missing or not in the form this generator reads.

    """
    sdks = find_sdks(directories)
    contents: list[tuple[Sdk, Mapping[str, ResourceType]]] = []
    for sdk in sdks:
        print(f"reading {sdk.name} {sdk.version}", file=sys.stderr)
        contents.append((sdk, read_sdk(sdk)))
    return {
        TAGGABLE: taggable_source(sdks, taggable(contents)),
        SECRET_INPUTS: secret_inputs_source(sdks, secret_table(contents)),
    }


def installed() -> list[Path]:
    """Return the site-packages of the environments that `make tables` fills."""
    return sorted(path for name in ENVIRONMENTS for path in ROOT.glob(f"{name}/lib/python*/site-packages"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.sdk_tables", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--site-packages",
        metavar="DIR",
        type=Path,
        action="append",
        help=f"where SDKs are installed ({' and '.join(ENVIRONMENTS)})",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file would change")
    options = parser.parse_args(arguments)
    try:
        files = generate(options.site_packages or installed())
    except UnreadableSdkError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return settle(files, ROOT, check=options.check)


def settle(files: Mapping[Path, str], root: Path, *, check: bool) -> int:
    """Write the files that differ below ``root``, or with ``check`` name them; return the exit code."""
    changed = [path for path, text in files.items() if text != _content(root / path)]
    for path in changed:
        if check:
            print(f"{path} differs: run make tables", file=sys.stderr)
        else:
            (root / path).write_text(files[path], encoding="utf-8")
            print(f"wrote {path}")
    return 1 if check and changed else 0


def _content(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
