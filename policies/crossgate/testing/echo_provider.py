"""A stand-in for resource providers: real programs run without a cloud, and rules see what they would see with one.

The engine attaches to it through ``PULUMI_DEBUG_PROVIDERS``. What a resource is given comes back as its outputs, plus
what only a cloud can make up (``arn``, a generated password, the id): unknown in a preview, a value in an update, as
with the bridged providers. Names are generated as those do, so that a rule finds ``bucket`` on a nameless bucket,
checked inputs list their ``__defaults``, a policy document given as an object becomes JSON text, outputs hold the id,
and the engine has to put the secret marks back. Unknowns pass through untouched.

Not imitated: schema defaults, ``tagsAll`` from a provider's default tags, validation, remote components.

The protocol: https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Mapping
from concurrent import futures
from dataclasses import dataclass, field
from typing import Any, Self

import grpc
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from crossgate.testing.language_host import UNLIMITED

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""An unknown string on the wire.
https://github.com/pulumi/pulumi/blob/v3.274.1/sdk/go/common/resource/plugin/rpc.go
"""

_SIGNATURE = "4dabf18193072939515e22adb298388d"
_SECRET = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 - the signature of a secret, not one

PACKAGES = ("aws", "azure", "azure-native", "gcp", "kubernetes", "random", "tls")
_BRIDGED = frozenset({"aws", "azure", "gcp", "random", "tls"})
"""Packages made from Terraform providers: their inputs hold ``__defaults``, their outputs the id, and they accept no
secrets: the engine takes the marks off before it calls and puts them back after, by the name of the property.
"""

_DOCUMENTS = frozenset({"accessPolicies", "assumeRolePolicy", "policy", "policyDocument"})
"""AWS properties whose JSON text may be given as an object. The bridge makes text of it, all unknown when a part is.
https://github.com/pulumi/pulumi-terraform-bridge/blob/v3.120.0/pkg/tfbridge/transforms.go
"""

_DEFAULTS = "__defaults"

Values = Mapping[str, Any]


def secret(value: object) -> dict[str, object]:
    """``value`` marked as a secret, in the wire's form."""
    return {_SIGNATURE: _SECRET, "value": value}


# What a cloud makes up, per type: text with {name} (of the resource), {id} and the names of inputs to fill in, or any
# other JSON value. An input of the same name wins. "aws:*" is for every type of the package.
GENERATED: Mapping[str, Values] = {
    "aws:*": {"arn": "arn:aws:{service}:us-east-1:123456789012:{id}"},
    "aws:apigatewayv2/api:Api": {
        "apiEndpoint": "https://{id}.execute-api.us-east-1.amazonaws.com",
        "executionArn": "arn:aws:execute-api:us-east-1:123456789012:{id}",
    },
    "aws:s3/bucket:Bucket": {
        "arn": "arn:aws:s3:::{bucket}",
        "bucketDomainName": "{bucket}.s3.amazonaws.com",
        "hostedZoneId": "Z3AQBSTGFYJSTF",
        "region": "us-east-1",
    },
    "aws:ec2/vpc:Vpc": {
        "cidrBlock": "10.0.0.0/16",
        "defaultSecurityGroupId": "sg-0default",
        "mainRouteTableId": "rtb-0main",
    },
    "aws:ec2/instance:Instance": {"privateIp": "10.0.0.10", "publicIp": "203.0.113.10"},
    "aws:iam/role:Role": {"arn": "arn:aws:iam::123456789012:role/{name}", "uniqueId": "AROA{id}"},
    "aws:rds/instance:Instance": {"address": "{id}.rds.example", "endpoint": "{id}.rds.example:5432"},
    "gcp:*": {"selfLink": "https://gcp.example/{id}"},
    "random:index/randomPassword:RandomPassword": {
        "result": secret("generated-{id}"),
        "bcryptHash": secret("hash-{id}"),
    },
    "random:index/randomString:RandomString": {"result": "generated-{id}"},
    "random:index/randomId:RandomId": {"hex": "{id}", "b64Std": "{id}", "b64Url": "{id}", "dec": "7"},
    "random:index/randomUuid:RandomUuid": {"result": "5e1f0000-0000-4000-8000-000000000000"},
    "tls:index/privateKey:PrivateKey": {
        "privateKeyPem": secret("private key {id}"),
        "privateKeyOpenssh": secret("private key {id}"),
        "publicKeyPem": "public key {id}",
        "publicKeyOpenssh": "ssh-ed25519 {id}",
    },
}

# The input that a bridged provider fills with a generated name when the program leaves it out.
# https://www.pulumi.com/docs/iac/concepts/resources/names/#autonaming
NAMED: Mapping[str, str] = {
    "aws:s3/bucket:Bucket": "bucket",
    "aws:s3/bucketV2:BucketV2": "bucket",
    "aws:dynamodb/table:Table": "name",
    "aws:ec2/securityGroup:SecurityGroup": "name",
    "aws:ecr/repository:Repository": "name",
    "aws:iam/policy:Policy": "name",
    "aws:iam/role:Role": "name",
    "aws:iam/rolePolicy:RolePolicy": "name",
    "aws:kms/alias:Alias": "name",
    "aws:lambda/function:Function": "name",
    "aws:lb/loadBalancer:LoadBalancer": "name",
    "aws:secretsmanager/secret:Secret": "name",
    "aws:sns/topic:Topic": "name",
    "aws:sqs/queue:Queue": "name",
    "azure:storage/account:Account": "name",
    "gcp:compute/firewall:Firewall": "name",
    "gcp:compute/instance:Instance": "name",
    "gcp:compute/network:Network": "name",
}

# How ids look where a rule could care; {hash} is twelve hexadecimal digits.
IDS: Mapping[str, str] = {
    "aws:ec2/instance:Instance": "i-0{hash}",
    "aws:ec2/internetGateway:InternetGateway": "igw-0{hash}",
    "aws:ec2/routeTable:RouteTable": "rtb-0{hash}",
    "aws:ec2/securityGroup:SecurityGroup": "sg-0{hash}",
    "aws:ec2/subnet:Subnet": "subnet-0{hash}",
    "aws:ec2/vpc:Vpc": "vpc-0{hash}",
    "aws:iam/role:Role": "{name}",
    "aws:s3/bucket:Bucket": "{bucket}",
    "aws:s3/bucketV2:BucketV2": "{bucket}",
}

# Inputs whose change makes the cloud create the resource anew.
REPLACED_BY: Mapping[str, frozenset[str]] = {
    "aws:ec2/instance:Instance": frozenset({"ami"}),
    "aws:ec2/securityGroup:SecurityGroup": frozenset({"name", "vpcId"}),
    "aws:ec2/subnet:Subnet": frozenset({"cidrBlock", "vpcId"}),
    "aws:ec2/vpc:Vpc": frozenset({"cidrBlock"}),
    "aws:s3/bucket:Bucket": frozenset({"bucket"}),
}

# What a data source answers on top of its arguments.
INVOKED: Mapping[str, Values] = {
    "aws:ec2/getAmi:getAmi": {
        "id": "ami-0123456789abcdef0",
        "imageId": "ami-0123456789abcdef0",
        "arn": "arn:aws:ec2:ami",
    },
    "aws:ec2/getVpc:getVpc": {"id": "vpc-0default", "cidrBlock": "172.31.0.0/16", "default": True},
    "aws:index/getAvailabilityZones:getAvailabilityZones": {
        "id": "us-east-1",
        "names": ["us-east-1a", "us-east-1b", "us-east-1c"],
        "zoneIds": ["use1-az1", "use1-az2", "use1-az3"],
    },
    "aws:index/getCallerIdentity:getCallerIdentity": {
        "id": "123456789012",
        "accountId": "123456789012",
        "arn": "arn:aws:iam::123456789012:user/ci",
        "userId": "AIDAEXAMPLE",
    },
    "aws:index/getPartition:getPartition": {"id": "aws", "partition": "aws", "dnsSuffix": "amazonaws.com"},
    "aws:index/getRegion:getRegion": {"id": "us-east-1", "name": "us-east-1", "region": "us-east-1"},
}


@dataclass
class Held:
    """A resource as the stand-in holds it: what an update made of it, or what a test did to it since."""

    type: str
    urn: str
    id: str
    inputs: dict[str, Any]
    outputs: dict[str, Any]


@dataclass
class EchoProvider:
    """Providers for ``packages``, each on a loopback port of its own, with one common cloud behind them.

    Use it as a context manager, or call :meth:`start` and :meth:`stop`. The tables above are the defaults of the fields
    of the same name; an entry given here replaces the default one. ``failing`` names types that cannot be created.
    ``schemas`` are package schemas by package name, for YAML programs.
    """

    packages: tuple[str, ...] = PACKAGES
    generated: Mapping[str, Values] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    replaced_by: Mapping[str, frozenset[str]] = field(default_factory=dict)
    invoked: Mapping[str, Values] = field(default_factory=dict)
    failing: frozenset[str] = frozenset()
    schemas: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.generated = {**GENERATED, **self.generated}
        self.named = {**NAMED, **self.named}
        self.ids = {**IDS, **self.ids}
        self.replaced_by = {**REPLACED_BY, **self.replaced_by}
        self.invoked = {**INVOKED, **self.invoked}
        self._lock = threading.Lock()
        self._held: dict[str, Held] = {}
        self._gone: set[str] = set()
        self._servers: dict[str, tuple[grpc.Server, int]] = {}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listen; :attr:`debug_providers` is valid from now on."""
        for package in self.packages:
            server = grpc.server(futures.ThreadPoolExecutor(max_workers=8), options=UNLIMITED)
            provider_pb2_grpc.add_ResourceProviderServicer_to_server(_Provider(self, package), server)
            self._servers[package] = (server, server.add_insecure_port("127.0.0.1:0"))
            server.start()

    def stop(self) -> None:
        """Stop listening, and end calls that still run."""
        for server, _port in self._servers.values():
            server.stop(None).wait()
        self._servers.clear()

    @property
    def debug_providers(self) -> str:
        """The value of PULUMI_DEBUG_PROVIDERS that makes the engine attach."""
        return ",".join(f"{package}:{port}" for package, (_server, port) in self._servers.items())

    # The cloud, for tests.

    def held(self, urn: str) -> Held:
        """The resource with this URN.

        Raises:
            KeyError: no update created it.
        """
        with self._lock:
            for each in self._held.values():
                if each.urn == urn:
                    return each
        raise KeyError(urn)

    def change(self, urn: str, **values: object) -> None:
        """Change a resource behind the engine's back: the next refresh finds ``values`` in it."""
        held = self.held(urn)
        held.inputs.update(values)
        held.outputs.update(values)

    def remove(self, urn: str) -> None:
        """Delete a resource behind the engine's back: the next refresh does not find it."""
        self.drop(self.held(urn).id)

    # The cloud, for the providers.

    def drop(self, identifier: str) -> None:
        with self._lock:
            self._held.pop(identifier, None)
            self._gone.add(identifier)

    def keep(self, held: Held) -> None:
        with self._lock:
            self._held[held.id] = held
            self._gone.discard(held.id)

    def find(self, identifier: str) -> Held | None:
        with self._lock:
            return self._held.get(identifier)

    def is_gone(self, identifier: str) -> bool:
        with self._lock:
            return identifier in self._gone

    def checked(self, type_: str, name: str, inputs: dict[str, Any], old: Values, seed: bytes) -> dict[str, Any]:
        """What a provider's Check makes of ``inputs``; a name that it generated before it gives again."""
        package = type_.partition(":")[0]
        if package == "kubernetes":
            return _with_kubernetes_name(name, inputs, old, seed)
        key = self.named.get(type_)
        defaults = [key] if key and key not in inputs else []
        for each in defaults:
            inputs[each] = old.get(each) or _generated_name(name, seed)
        if package == "aws":
            inputs |= {each: _document(inputs[each]) for each in _DOCUMENTS & inputs.keys()}
        return inputs | ({_DEFAULTS: defaults} if package in _BRIDGED else {})

    def identifier(self, type_: str, urn: str, inputs: Values) -> str:
        if type_.startswith("kubernetes:"):
            metadata = inputs.get("metadata") or {}
            name, namespace = metadata.get("name", ""), metadata.get("namespace")
            return f"{namespace}/{name}" if namespace else str(name)
        template = self.ids.get(type_, "{name}-{hash}")
        return _fill(template, {"name": _name(urn), "hash": _hash(urn), **inputs})

    def outputs(self, type_: str, urn: str, identifier: str, inputs: Values, *, preview: bool) -> dict[str, Any]:
        """``inputs`` and what the cloud makes up for the type, unknown in a preview."""
        package, _, rest = type_.partition(":")
        made = {**self.generated.get(f"{package}:*", {}), **self.generated.get(type_, {})}
        words = {"name": _name(urn), "id": identifier, "service": rest.partition("/")[0], **inputs}
        extra = {key: _unknown(value) if preview else _filled(value, words) for key, value in made.items()}
        if package in _BRIDGED:
            extra["id"] = identifier
        return extra | {key: value for key, value in inputs.items() if key != _DEFAULTS}

    def invoke(self, token: str, arguments: Values) -> dict[str, Any]:
        if token == "aws:iam/getPolicyDocument:getPolicyDocument":  # noqa: S105 - a function's token
            return dict(arguments) | {"id": "policy", "json": _policy_document(arguments)}
        return {"id": token} | dict(arguments) | dict(self.invoked.get(token, {}))


class _Provider(provider_pb2_grpc.ResourceProviderServicer):
    def __init__(self, cloud: EchoProvider, package: str) -> None:
        self._cloud = cloud
        self._package = package

    def Handshake(
        self, request: provider_pb2.ProviderHandshakeRequest, context: grpc.ServicerContext
    ) -> provider_pb2.ProviderHandshakeResponse:
        return provider_pb2.ProviderHandshakeResponse(
            accept_secrets=self._package not in _BRIDGED, accept_resources=True, accept_outputs=False
        )

    def Attach(self, request: plugin_pb2.PluginAttach, context: grpc.ServicerContext) -> empty_pb2.Empty:
        return empty_pb2.Empty()

    def GetPluginInfo(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> plugin_pb2.PluginInfo:
        return plugin_pb2.PluginInfo(version="9999.0.0")  # at least whatever the program's SDK wants

    def GetSchema(
        self, request: provider_pb2.GetSchemaRequest, context: grpc.ServicerContext
    ) -> provider_pb2.GetSchemaResponse:
        schema = self._cloud.schemas.get(self._package, {"name": self._package})
        return provider_pb2.GetSchemaResponse(schema=json.dumps({"version": "9999.0.0"} | schema))

    def CheckConfig(
        self, request: provider_pb2.CheckRequest, context: grpc.ServicerContext
    ) -> provider_pb2.CheckResponse:
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: provider_pb2.DiffRequest, context: grpc.ServicerContext) -> provider_pb2.DiffResponse:
        return _difference(_plain(request.old_inputs), _plain(request.news), (), frozenset())

    def Configure(
        self, request: provider_pb2.ConfigureRequest, context: grpc.ServicerContext
    ) -> provider_pb2.ConfigureResponse:
        return provider_pb2.ConfigureResponse(
            acceptSecrets=self._package not in _BRIDGED, supportsPreview=True, acceptResources=True
        )

    def Invoke(self, request: provider_pb2.InvokeRequest, context: grpc.ServicerContext) -> provider_pb2.InvokeResponse:
        answer = self._cloud.invoke(request.tok, _plain(request.args))
        response = provider_pb2.InvokeResponse()
        getattr(response, "return").CopyFrom(_struct(answer))
        return response

    def Check(self, request: provider_pb2.CheckRequest, context: grpc.ServicerContext) -> provider_pb2.CheckResponse:
        inputs = self._cloud.checked(
            _type(request.urn), _name(request.urn), _plain(request.news), _plain(request.olds), request.randomSeed
        )
        return provider_pb2.CheckResponse(inputs=_struct(inputs))

    def Diff(self, request: provider_pb2.DiffRequest, context: grpc.ServicerContext) -> provider_pb2.DiffResponse:
        replaced_by = self._cloud.replaced_by.get(_type(request.urn), frozenset())
        return _difference(_plain(request.old_inputs), _plain(request.news), request.ignoreChanges, replaced_by)

    def Create(self, request: provider_pb2.CreateRequest, context: grpc.ServicerContext) -> provider_pb2.CreateResponse:
        type_, inputs = _type(request.urn), _plain(request.properties)
        if request.preview:
            outputs = self._cloud.outputs(type_, request.urn, UNKNOWN, inputs, preview=True)
            return provider_pb2.CreateResponse(properties=_struct(outputs))
        if type_ in self._cloud.failing:
            context.abort(grpc.StatusCode.UNKNOWN, f"the stand-in was told not to create {type_}")
        identifier = self._cloud.identifier(type_, request.urn, inputs)
        outputs = self._cloud.outputs(type_, request.urn, identifier, inputs, preview=False)
        self._cloud.keep(Held(type_, request.urn, identifier, inputs, outputs))
        return provider_pb2.CreateResponse(id=identifier, properties=_struct(outputs))

    def Read(self, request: provider_pb2.ReadRequest, context: grpc.ServicerContext) -> provider_pb2.ReadResponse:
        if self._cloud.is_gone(request.id):
            return provider_pb2.ReadResponse()
        held = self._cloud.find(request.id)
        if held is None:  # never created here: take the engine's word, or make up a resource of this id
            inputs = _plain(request.inputs)
            outputs = _plain(request.properties)
            outputs = self._cloud.outputs(_type(request.urn), request.urn, request.id, inputs, preview=False) | outputs
            held = Held(_type(request.urn), request.urn, request.id, inputs, outputs)
        return provider_pb2.ReadResponse(id=held.id, properties=_struct(held.outputs), inputs=_struct(held.inputs))

    def Update(self, request: provider_pb2.UpdateRequest, context: grpc.ServicerContext) -> provider_pb2.UpdateResponse:
        type_, inputs = _type(request.urn), _plain(request.news)
        made = self._cloud.outputs(type_, request.urn, request.id, inputs, preview=request.preview)
        # What the cloud made up stays as it was.
        outputs = made | {
            key: value for key, value in _plain(request.olds).items() if key in made and key not in inputs
        }
        if not request.preview:
            self._cloud.keep(Held(type_, request.urn, request.id, inputs, outputs))
        return provider_pb2.UpdateResponse(properties=_struct(outputs))

    def Delete(self, request: provider_pb2.DeleteRequest, context: grpc.ServicerContext) -> empty_pb2.Empty:
        self._cloud.drop(request.id)
        return empty_pb2.Empty()

    def Cancel(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> empty_pb2.Empty:
        return empty_pb2.Empty()


def _difference(
    old: Values, new: Values, ignored: Iterable[str], replaced_by: frozenset[str]
) -> provider_pb2.DiffResponse:
    changed = sorted(key for key in {*old, *new} if old.get(key) != new.get(key) and key not in set(ignored))
    return provider_pb2.DiffResponse(
        changes=provider_pb2.DiffResponse.DIFF_SOME if changed else provider_pb2.DiffResponse.DIFF_NONE,
        diffs=changed,
        replaces=[key for key in changed if key in replaced_by],
    )


def _with_kubernetes_name(name: str, inputs: dict[str, Any], old: Values, seed: bytes) -> dict[str, Any]:
    metadata = inputs.setdefault("metadata", {})
    if isinstance(metadata, dict) and "name" not in metadata and "generateName" not in metadata:
        metadata["name"] = (old.get("metadata") or {}).get("name") or _generated_name(name, seed)
        metadata["annotations"] = {"pulumi.com/autonamed": "true"} | (metadata.get("annotations") or {})
    return inputs


def _document(value: object) -> object:
    if not isinstance(value, (dict, list)):
        return value
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return UNKNOWN if UNKNOWN in text else text


def _generated_name(name: str, seed: bytes) -> str:
    return f"{name}-{hashlib.sha256(seed + name.encode()).hexdigest()[:7]}"


def _policy_document(arguments: Values) -> str:
    """The JSON of an IAM policy document, of statements as the data source takes them.

    https://www.pulumi.com/registry/packages/aws/api-docs/iam/getpolicydocument/
    """
    statements = [_statement(each) for each in arguments.get("statements") or ()]
    document = {"Version": arguments.get("version", "2012-10-17"), "Statement": statements}
    return json.dumps(document | ({"Id": arguments["policyId"]} if "policyId" in arguments else {}))


def _statement(given: Values) -> dict[str, Any]:
    statement: dict[str, Any] = {"Effect": given.get("effect", "Allow")}
    for ours, theirs in (("Sid", "sid"), ("Action", "actions"), ("NotAction", "notActions"), ("Resource", "resources")):
        if given.get(theirs):
            statement[ours] = _single(given[theirs])
    for ours, theirs in (("Principal", "principals"), ("NotPrincipal", "notPrincipals")):
        if given.get(theirs):
            principals = {each["type"]: _single(each["identifiers"]) for each in given[theirs]}
            statement[ours] = "*" if principals == {"*": "*"} else principals
    if given.get("conditions"):
        conditions: dict[str, dict[str, Any]] = {}
        for each in given["conditions"]:
            conditions.setdefault(each["test"], {})[each["variable"]] = _single(each["values"])
        statement["Condition"] = conditions
    return statement


def _single(values: Any) -> Any:
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def _unknown(value: object) -> object:
    return secret(UNKNOWN) if isinstance(value, dict) and value.get(_SIGNATURE) == _SECRET else UNKNOWN


def _filled(value: object, words: Values) -> object:
    if isinstance(value, str):
        return _fill(value, words)
    if isinstance(value, dict):
        return {key: item if key == _SIGNATURE else _filled(item, words) for key, item in value.items()}
    return value


class _Words(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return key  # an input that is absent, unknown or secret


def _fill(template: str, words: Values) -> str:
    return template.format_map(_Words({key: value for key, value in words.items() if isinstance(value, str)}))


def _type(urn: str) -> str:
    return urn.split("::")[2].rpartition("$")[2]


def _name(urn: str) -> str:
    return urn.split("::", 3)[3]


def _hash(urn: str) -> str:
    return hashlib.sha256(urn.encode()).hexdigest()[:12]


def _plain(message: struct_pb2.Struct) -> dict[str, Any]:
    return json_format.MessageToDict(message)


def _struct(values: Values) -> struct_pb2.Struct:
    return json_format.ParseDict(dict(values), struct_pb2.Struct())
