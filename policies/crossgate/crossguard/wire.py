"""The engine's analyzer messages as the resource model. Each message is decoded once.

Source: https://github.com/pulumi/pulumi/blob/master/proto/pulumi/analyzer.proto
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate.model import Resource
from crossgate.value import SIGNATURE_KEY

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from google.protobuf.struct_pb2 import ListValue, Struct
    from google.protobuf.struct_pb2 import Value as WireValue
    from pulumi.runtime.proto import analyzer_pb2


_MARK: Final = SIGNATURE_KEY.encode()


def properties(struct: Struct) -> dict[str, Any]:
    """Return a property map in Pulumi's property encoding: unknowns and secrets keep their marks."""
    fields = struct.fields  # not its items(), which would go through Python, twice a key
    return {key: (value := fields[key]).string_value or _plain(value) for key in fields}  # most are texts


def _plain(value: WireValue) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        return value.string_value
    if kind == "struct_value":
        return properties(value.struct_value)
    if kind == "list_value":
        return _elements(value.list_value)
    if kind == "bool_value":
        return value.bool_value
    if kind == "number_value":
        number = value.number_value  # always a double on the wire; files hold whole numbers as such
        return int(number) if number.is_integer() else number
    return None


def _elements(values: ListValue) -> list[Any]:
    return [value.string_value or _plain(value) for value in values.values]


def holds_marks(message: Message) -> bool:
    """Return whether something in ``message`` may be marked: secret, an asset or another encoded value.

    Looked for in its bytes, in which a mark stands as it is: to walk through all values takes many times as long.
    """
    return _MARK in message.SerializeToString()


def analyzed_resource(request: analyzer_pb2.AnalyzeRequest) -> Resource:
    """Return the resource of an Analyze call: its inputs after the provider's check, and no dependency edges."""
    return Resource(
        request.urn,
        request.type,
        request.name,
        properties(request.properties),
        parent=request.options.parent,
        provider=_provider_reference(request),
        aliases=list(request.options.aliases),
    )


def stack_resource(message: analyzer_pb2.AnalyzerResource, analyzed: Resource | None) -> Resource:
    """Return a resource of an AnalyzeStack call: outputs and edges, joined with the inputs seen when it was analyzed.

    A resource that was never analyzed (read, or left out by ``--target``) has its outputs in place of inputs.
    """
    outputs = properties(message.properties)
    return Resource(
        message.urn,
        message.type,
        message.name,
        outputs if analyzed is None else analyzed.raw_inputs,
        outputs=outputs,
        id_=outputs.get("id", "") if isinstance(outputs.get("id"), str) else "",
        parent=message.parent,
        provider=_provider_reference(message),
        dependencies=list(message.dependencies),
        property_dependencies={key: list(deps.urns) for key, deps in message.propertyDependencies.items()},
        aliases=list(message.options.aliases),
    )


def provider_resource(message: analyzer_pb2.AnalyzeRequest | analyzer_pb2.AnalyzerResource) -> Resource | None:
    """Return the provider that manages the resource, with its settings; None where the message names none."""
    provider = message.provider
    if not provider.urn:
        return None
    return Resource(provider.urn, provider.type, provider.name, properties(provider.properties))


def _provider_reference(message: analyzer_pb2.AnalyzeRequest | analyzer_pb2.AnalyzerResource) -> str:
    """Return ``URN::ID`` as states write it; the wire leaves the provider's id out."""
    return f"{message.provider.urn}::" if message.provider.urn else ""
