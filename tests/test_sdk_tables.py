"""The tables made from the published SDKs: known facts, the generator on a small SDK, the whole run on real ones."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from crossgate.rules.leakage._secret_inputs import (
    ConditionalSecret,
    conditional_secret_inputs,
    secret_inputs,
    write_only_inputs,
)
from crossgate.rules.tagging._taggable import TagProperty, tag_property
from tools import sdk_tables
from tools.sdk_tables import ResourceType, Sdk, TagInput, UnreadableSdkError

AWS = TagProperty(("tags",), "map", "aws", provider_defaults=True)
AWS_NATIVE = TagProperty(("tags",), "list", "aws", provider_defaults=True)
AZURE = TagProperty(("tags",), "map", "azure", provider_defaults=False)
GCP = TagProperty(("labels",), "map", "gcp", provider_defaults=True)


# Looked up by hand in the providers' own documentation: https://www.pulumi.com/registry/packages/
@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("aws:s3/bucket:Bucket", AWS),
        ("aws:s3/bucketV2:BucketV2", AWS),
        ("aws:ec2/instance:Instance", AWS),
        ("aws:iam/role:Role", AWS),
        ("aws:rds/instance:Instance", AWS),
        ("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", AWS),
        ("aws:autoscaling/group:Group", TagProperty(("tags",), "list", "aws", provider_defaults=False)),
        ("aws-native:lambda:Function", AWS_NATIVE),
        ("aws-native:autoscaling:AutoScalingGroup", AWS_NATIVE),
        ("aws-native:ssm:Parameter", TagProperty(("tags",), "map", "aws", provider_defaults=True)),
        ("aws-native:glue:Job", TagProperty(("tags",), "map", "aws", provider_defaults=False)),
        ("aws-native:route53:HostedZone", TagProperty(("hostedZoneTags",), "list", "aws", provider_defaults=True)),
        ("azure:core/resourceGroup:ResourceGroup", AZURE),
        ("azure:storage/account:Account", AZURE),
        ("azure-native:storage:StorageAccount", AZURE),
        ("azure-native:resources:ResourceGroup", AZURE),
        ("gcp:storage/bucket:Bucket", GCP),
        ("gcp:compute/instance:Instance", GCP),
        ("gcp:container/cluster:Cluster", TagProperty(("resourceLabels",), "map", "gcp", provider_defaults=True)),
        (
            "gcp:sql/databaseInstance:DatabaseInstance",
            TagProperty(("settings", "userLabels"), "map", "gcp", provider_defaults=False),
        ),
        ("gcp:cloudrun/service:Service", TagProperty(("metadata", "labels"), "map", "gcp", provider_defaults=True)),
        ("gcp:cloudrunv2/service:Service", GCP),
        # `labels` of a notification channel are its settings.
        (
            "gcp:monitoring/notificationChannel:NotificationChannel",
            TagProperty(("userLabels",), "map", "gcp", provider_defaults=False),
        ),
    ],
)
def test_taggable(token: str, expected: TagProperty) -> None:
    assert tag_property(token) == expected


@pytest.mark.parametrize(
    "token",
    [
        "aws:s3/bucketPolicy:BucketPolicy",
        "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
        "aws:ec2/securityGroupRule:SecurityGroupRule",
        "aws:ec2/routeTableAssociation:RouteTableAssociation",
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
        "aws:iam/group:Group",
        "aws:lambda/permission:Permission",
        "aws:route53/record:Record",
        "aws:kms/alias:Alias",
        "aws:autoscaling/tag:Tag",
        "aws:inspector/resourceGroup:ResourceGroup",  # its tags choose instances
        "aws:devopsguru/resourceCollection:ResourceCollection",  # the same
        "aws-native:iam:ManagedPolicy",
        "azure:authorization/assignment:Assignment",
        "azure:network/subnet:Subnet",
        "azure:storage/container:Container",
        "azure-native:network:Subnet",
        "azure-native:storage:BlobContainer",
        "azure-native:apimanagement:NamedValue",  # a list of words
        "gcp:compute/firewall:Firewall",  # network tags are no labels
        "gcp:projects/iAMMember:IAMMember",
        "gcp:serviceaccount/account:Account",
        "gcp:cloudidentity/group:Group",  # labels with fixed keys
        "gcp:monitoring/metricDescriptor:MetricDescriptor",  # what the metric is measured by
        "kubernetes:core/v1:ConfigMap",
        "pulumi:providers:aws",
        "pulumi:pulumi:Stack",
        "acme:widgets/thing:Thing",
        "my:Component",
        "",
    ],
)
def test_not_taggable(token: str) -> None:
    assert tag_property(token) is None


@pytest.mark.parametrize(
    ("token", "current"),
    [
        ("azure-native:storage/v20230101:StorageAccount", "azure-native:storage:StorageAccount"),
        ("azure-native:network/v20230201:VirtualNetwork", "azure-native:network:VirtualNetwork"),
        ("azure-native_storage_v20240101:storage:StorageAccount", "azure-native:storage:StorageAccount"),
        ("aws:elasticloadbalancingv2/loadBalancer:LoadBalancer", "aws:lb/loadBalancer:LoadBalancer"),
        ("aws:alb/loadBalancer:LoadBalancer", "aws:lb/loadBalancer:LoadBalancer"),
        ("azure:sql/database:Database", "azure:mssql/database:Database"),
    ],
)
def test_tags_of_older_and_versioned_names(token: str, current: str) -> None:
    assert tag_property(token) is not None
    assert tag_property(token) == tag_property(current)


@pytest.mark.parametrize(
    "token",
    [
        "aws:opsworks/stack:Stack",  # until provider 6
        "azure:mariadb/server:Server",  # until provider 5
        "azure-native:applicationinsights:Component",  # from provider 3, `insights` before
        "azure-native:insights:Component",
    ],
)
def test_tags_of_types_that_one_major_has(token: str) -> None:
    assert tag_property(token) is not None


@pytest.mark.parametrize(
    ("token", "path"),
    [
        ("aws:rds/instance:Instance", "password"),
        ("aws:rds/instance:Instance", "passwordWo"),
        ("aws:rds/cluster:Cluster", "masterPassword"),
        ("aws:secretsmanager/secretVersion:SecretVersion", "secretString"),
        ("aws:iam/serverCertificate:ServerCertificate", "privateKey"),
        ("aws:elasticache/user:User", "passwords"),
        ("aws:glue/connection:Connection", "connectionProperties.PASSWORD"),
        ("azure:keyvault/secret:Secret", "value"),
        ("azure:mssql/server:Server", "administratorLoginPassword"),
        ("azure:sql/sqlServer:SqlServer", "administratorLoginPassword"),  # until provider 5
        ("azure:containerapp/app:App", "secrets.*.value"),
        ("gcp:sql/user:User", "password"),
        ("gcp:sql/databaseInstance:DatabaseInstance", "rootPassword"),
        ("gcp:sql/databaseInstance:DatabaseInstance", "replicaConfiguration.password"),
        ("gcp:secretmanager/secretVersion:SecretVersion", "secretData"),
        ("kubernetes:core/v1:Secret", "data"),
        ("kubernetes:core/v1:Secret", "stringData"),
        ("kubernetes:core/v1:SecretPatch", "stringData"),
        ("tls:index/selfSignedCert:SelfSignedCert", "privateKeyPem"),
        ("pulumi:providers:aws", "secretKey"),
    ],
)
def test_marked_secret(token: str, path: str) -> None:
    assert tuple(path.split(".")) in secret_inputs(token)


@pytest.mark.parametrize(
    ("token", "path"),
    [
        ("aws:redshiftserverless/namespace:Namespace", "adminUsername"),
        ("aws:ssm/parameter:Parameter", "value"),  # only a SecureString is one
        ("aws:transfer/server:Server", "preAuthenticationLoginBanner"),
        ("aws:acm/certificate:Certificate", "certificateBody"),  # never marked
        ("aws:rds/instance:Instance", "username"),
        ("azure:compute/linuxVirtualMachine:LinuxVirtualMachine", "customData"),
        ("azure:containerapp/app:App", "secrets"),  # names and Key Vault references stand there too
        ("gcp:compute/sSLCertificate:SSLCertificate", "certificate"),
        ("gcp:storage/bucketObject:BucketObject", "content"),
        ("pulumi:providers:azure", "tenantId"),
        ("kubernetes:core/v1:ConfigMap", "data"),
        ("random:index/randomPassword:RandomPassword", "result"),  # an output
        ("aws:iam/accessKey:AccessKey", "secret"),  # the same
    ],
)
def test_not_marked_secret(token: str, path: str) -> None:
    assert tuple(path.split(".")) not in secret_inputs(token)


def test_secret_only_beside_another_input() -> None:
    assert set(conditional_secret_inputs("aws:ssm/parameter:Parameter")) == {
        ConditionalSecret(("value",), "type", "SecureString"),
        ConditionalSecret(("valueWo",), "type", "SecureString"),
    }
    assert conditional_secret_inputs("azure:apimanagement/namedValue:NamedValue") == (
        ConditionalSecret(("value",), "secret", "true"),
    )
    assert conditional_secret_inputs("aws:rds/instance:Instance") == ()


@pytest.mark.parametrize(
    ("token", "path"),
    [
        ("aws:rds/instance:Instance", "passwordWo"),
        ("aws:ssm/parameter:Parameter", "valueWo"),
        ("aws:secretsmanager/secretVersion:SecretVersion", "secretStringWo"),
        ("azure:keyvault/secret:Secret", "valueWo"),
        ("gcp:sql/user:User", "passwordWo"),
        ("gcp:alloydb/cluster:Cluster", "initialUser.passwordWo"),
        ("gcp:monitoring/uptimeCheckConfig:UptimeCheckConfig", "httpCheck.authInfo.passwordWo"),
        ("tls:index/certRequest:CertRequest", "privateKeyPemWo"),
    ],
)
def test_write_only(token: str, path: str) -> None:
    assert tuple(path.split(".")) in write_only_inputs(token)


def test_version_of_a_write_only_input_is_not_write_only() -> None:
    assert write_only_inputs("aws:rds/instance:Instance") == (("passwordWo",),)
    assert write_only_inputs("aws:s3/bucket:Bucket") == ()


def test_nothing_is_both_secret_and_conditional() -> None:
    for (token, path), (sibling, value) in sdk_tables.CONDITIONAL.items():
        assert ConditionalSecret((path,), sibling, value) in conditional_secret_inputs(token)
        assert (path,) not in secret_inputs(token)


def test_corrections_hold_in_the_committed_table() -> None:
    for token, path in sdk_tables.NOT_SECRET:
        assert (path,) not in secret_inputs(token)
    for (token, whole), paths in sdk_tables.NARROWED.items():
        assert (whole,) not in secret_inputs(token)
        assert {tuple(path.split(".")) for path in paths} <= set(secret_inputs(token))
    for token in sdk_tables.NOT_TAGS:
        assert tag_property(token) is None
    for token, tag_path in sdk_tables.TAG_PATHS.items():
        tags = tag_property(token)
        assert tags is not None
        assert tags.path == tag_path


@pytest.mark.parametrize("path", [sdk_tables.TAGGABLE, sdk_tables.SECRET_INPUTS])
def test_generated_files_are_small_and_say_where_they_come_from(path: Path) -> None:
    text = (sdk_tables.ROOT / path).read_text(encoding="utf-8")
    assert len(text) < 200_000
    docstring = " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    assert "Generated by tools/sdk_tables.py from: pulumi_aws " in docstring
    assert "; do not edit." in docstring


def test_header_names_the_pinned_versions() -> None:
    text = (sdk_tables.ROOT / sdk_tables.SECRET_INPUTS).read_text(encoding="utf-8")
    docstring = " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    for name in ("sdk-tables-requirements.txt", "sdk-tables-requirements-majors.txt"):
        lines = (sdk_tables.ROOT / "tools" / name).read_text(encoding="utf-8").splitlines()
        pins = [line for line in lines if not line.startswith("#")]
        assert pins
        for pin in pins:
            package, version = pin.split("==")
            assert f"{package} {version}" in docstring


def test_tables_are_unfolded_on_first_use() -> None:
    code = (
        "from crossgate.rules.tagging import _taggable as t\n"
        "from crossgate.rules.leakage import _secret_inputs as s\n"
        "print(t._types_of.cache_info().currsize + s._types_of.cache_info().currsize)\n"
        "t.tag_property('aws:s3/bucket:Bucket')\n"
        "print(t._types_of.cache_info().currsize)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert run.stdout.split() == ["0", "1"]


# --- The generator, on a module in the form that Pulumi's SDK generator writes ---

WIDGET = '''
import pulumi

@pulumi.input_type
class GadgetInitArgs:
    def __init__(__self__, *, name: pulumi.Input[str]):
        """
        class Confusion(pulumi.CustomResource)
        """
        pulumi.set(__self__, "name", name)

    @_builtins.property
    @pulumi.getter
    def name(self) -> pulumi.Input[str]:
        return pulumi.get(self, "name")

    @_builtins.property
    @pulumi.getter(name="adminPassword")
    def admin_password(self) -> pulumi.Input[Optional[_builtins.str]]:
        return pulumi.get(self, "admin_password")

    @property
    @pulumi.getter(name="adminPasswordWo")
    def admin_password_wo(self) -> Optional[pulumi.Input[str]]:
        return pulumi.get(self, "admin_password_wo")

    @property
    @pulumi.getter(name="adminPasswordWoVersion")
    def admin_password_wo_version(self) -> Optional[pulumi.Input[int]]:
        return pulumi.get(self, "admin_password_wo_version")

    @property
    @pulumi.getter
    def users(self) -> Optional[pulumi.Input[Sequence[pulumi.Input['GadgetUserArgs']]]]:
        return pulumi.get(self, "users")

    @property
    @pulumi.getter
    def tags(self) -> TAGS:
        return pulumi.get(self, "tags")


@pulumi.type_token("acme:widgets/gadget:Gadget")
class Gadget(pulumi.CustomResource):
    def _internal_init(__self__, resource_name, opts=None, name=None, admin_password=None, __props__=None):
        if opts.id is None:
            __props__ = GadgetInitArgs.__new__(GadgetInitArgs)
            __props__.__dict__["name"] = name
            __props__.__dict__["admin_password"] = pulumi.Output.secret(admin_password) if admin_password else None
            __props__.__dict__["tags_all"] = None
        alias_opts = pulumi.ResourceOptions(aliases=[pulumi.Alias(type_="acme:old/gadget:Gadget")])
        secret_opts = pulumi.ResourceOptions(additional_secret_outputs=["adminPassword", "fingerprint"])
        super(Gadget, __self__).__init__(
            'acme:widgets/gadget:Gadget',
            resource_name,
            __props__,
            opts)

    @property
    @pulumi.getter(name="tagsAll")
    def tags_all(self) -> pulumi.Output[Mapping[str, str]]:
        return pulumi.get(self, "tags_all")

    @property
    @pulumi.getter
    def fingerprint(self) -> pulumi.Output[str]:
        return pulumi.get(self, "fingerprint")


class Generic(pulumi.CustomResource):
    def _internal_init(__self__, kind, resource_name, __props__=None):
        super(Generic, __self__).__init__(f'acme:{kind}', resource_name, __props__)
'''

INPUTS = """
@pulumi.input_type
class GadgetTagArgs:
    @property
    @pulumi.getter
    def key(self) -> pulumi.Input[str]:
        return pulumi.get(self, "key")

    @property
    @pulumi.getter
    def value(self) -> pulumi.Input[str]:
        return pulumi.get(self, "value")


@pulumi.input_type
class GadgetUserArgs:
    @property
    @pulumi.getter(name="passwordWo")
    def password_wo(self) -> Optional[pulumi.Input[str]]:
        return pulumi.get(self, "password_wo")

    @property
    @pulumi.getter
    def deputy(self) -> Optional[pulumi.Input['GadgetUserArgs']]:
        return pulumi.get(self, "deputy")
"""


def gadget(
    folder: Path, tags: str = "pulumi.Input[Optional[Mapping[str, pulumi.Input[_builtins.str]]]]"
) -> ResourceType:
    """Write the module and read it back."""
    path = folder / "gadget.py"
    path.write_text(WIDGET.replace("TAGS", tags), encoding="utf-8")
    (folder / "_inputs.py").write_text(INPUTS, encoding="utf-8")
    [resource_type] = sdk_tables.read_module(path.read_text(encoding="utf-8"), path, "acme")
    return resource_type


def test_reads_a_generated_module(tmp_path: Path) -> None:
    read = gadget(tmp_path)
    assert read.token == "acme:widgets/gadget:Gadget"
    assert read.key == "acme:widgets:Gadget"
    assert read.aliases == ("acme:old/gadget:Gadget",)
    assert list(read.inputs) == ["name", "adminPassword", "adminPasswordWo", "adminPasswordWoVersion", "users", "tags"]
    assert read.secrets == ("adminPassword",)  # neither the secret output, nor what the SDK leaves alone
    assert read.outputs == {"tagsAll", "fingerprint"}


def test_write_only_inputs_are_found_below_lists_and_in_recursive_types(tmp_path: Path) -> None:
    read = gadget(tmp_path)
    assert list(sdk_tables.write_only_paths(read.inputs, read.folder)) == ["adminPasswordWo", "users.*.passwordWo"]


@pytest.mark.parametrize(
    ("annotation", "package", "expected"),
    [
        ("Optional[pulumi.Input[Mapping[str, pulumi.Input[str]]]]", "aws", TagInput(("tags",), "map", True)),
        ("pulumi.Input[Mapping[str, pulumi.Input[builtins.str]]]", "azure", TagInput(("tags",), "map", False)),
        ("pulumi.Input[Optional[Sequence[pulumi.Input['GadgetTagArgs']]]]", "aws", TagInput(("tags",), "list", True)),
        ("pulumi.Input[Optional[Sequence[pulumi.Input['GadgetTagArgs']]]]", "azure-native", None),
        ("pulumi.Input[Optional[Sequence[pulumi.Input['GadgetUserArgs']]]]", "aws", None),
        ("pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]", "aws", None),
        ("pulumi.Input[Optional[Mapping[str, pulumi.Input[Sequence[pulumi.Input[str]]]]]]", "azure-native", None),
        ("pulumi.Input[Optional['GadgetTagArgs']]", "aws", None),
        ("Optional[Any]", "aws-native", TagInput(("tags",), "map", False)),
        ("Optional[Any]", "aws", None),
        ("pulumi.Input[bool]", "aws", None),
        ("pulumi.Input[Mapping[str, pulumi.Input[str]]]", "gcp", None),  # `tags` of Google Cloud are no labels
    ],
)
def test_shape_of_tags(tmp_path: Path, annotation: str, package: str, expected: TagInput | None) -> None:
    assert sdk_tables.tag_input(gadget(tmp_path, annotation), package) == expected


def test_marking_of_something_that_is_no_input_is_refused(tmp_path: Path) -> None:
    text = WIDGET.replace("TAGS", "Any").replace('__dict__["admin_password"]', '__dict__["other"]')
    with pytest.raises(UnreadableSdkError, match="Gadget marks 'other'"):
        list(sdk_tables.read_module(text, tmp_path / "gadget.py", "acme"))


def test_missing_argument_class_is_refused(tmp_path: Path) -> None:
    text = WIDGET.replace("TAGS", "Any").replace("class GadgetInitArgs", "class GadgetOtherArgs")
    with pytest.raises(UnreadableSdkError, match="Gadget has no argument class"):
        list(sdk_tables.read_module(text, tmp_path / "gadget.py", "acme"))


def test_default_api_version_counts_then_the_newest(tmp_path: Path) -> None:
    for version, name in (
        ("", "Gadget"),
        ("v20240101", "Gadget"),
        ("v20210101", "Gizmo"),
        ("v20240101preview", "Gizmo"),
    ):
        folder = tmp_path / "widgets" / version
        folder.mkdir(parents=True, exist_ok=True)
        token = f"acme:widgets/{version}:{name}" if version else f"acme:widgets:{name}"
        text = WIDGET.replace("TAGS", "Any").replace("Gadget", name).replace(f"acme:widgets/gadget:{name}", token)
        (folder / f"{name.lower()}.py").write_text(text, encoding="utf-8")
    read = sdk_tables.read_sdk(Sdk("pulumi_acme", "1.0.0", tmp_path))
    assert {key: resource_type.token for key, resource_type in read.items()} == {
        "acme:widgets:Gadget": "acme:widgets:Gadget",
        "acme:widgets:Gizmo": "acme:widgets/v20240101preview:Gizmo",
    }


def test_correction_that_matches_nothing_is_refused() -> None:
    with pytest.raises(UnreadableSdkError, match="aws:inspector:ResourceGroup"):
        sdk_tables.taggable([])
    with pytest.raises(UnreadableSdkError, match="aws:ssm:Parameter value"):
        sdk_tables.secret_table([])


def install(site_packages: Path, name: str, version: str) -> None:
    """Make an installed distribution without contents."""
    metadata = site_packages / f"{name}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")


def test_highest_version_comes_first_wherever_it_is(tmp_path: Path) -> None:
    for name in sdk_tables.PACKAGES:
        install(tmp_path / "one", name, "9.9.0")
    install(tmp_path / "two", "pulumi-aws", "10.0.0")
    install(tmp_path / "two", "pulumi-acme", "1.0.0")
    found = sdk_tables.find_sdks([tmp_path / "one", tmp_path / "two"])
    assert [(sdk.name, sdk.version) for sdk in found[:3]] == [
        ("pulumi_aws", "10.0.0"),
        ("pulumi_aws", "9.9.0"),
        ("pulumi_aws_native", "9.9.0"),
    ]
    assert len(found) == len(sdk_tables.PACKAGES) + 1


def test_missing_sdk_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(tmp_path, "pulumi_aws", "7.0.0")
    assert sdk_tables.main(["--site-packages", str(tmp_path)]) == 2
    assert "pulumi_gcp" in capsys.readouterr().err


def test_check_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("table.py")
    assert sdk_tables.settle({path: "new\n"}, tmp_path, check=True) == 1
    assert not (tmp_path / path).exists()
    assert "table.py differs" in capsys.readouterr().err
    assert sdk_tables.settle({path: "new\n"}, tmp_path, check=False) == 0
    assert (tmp_path / path).read_text(encoding="utf-8") == "new\n"
    assert sdk_tables.settle({path: "new\n"}, tmp_path, check=True) == 0
