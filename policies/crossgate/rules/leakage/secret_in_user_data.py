"""User data holds a secret in clear.

Why: every process on the machine reads its user data from the metadata service, and everyone who may describe the
instance or its template reads it too. Base64 is no protection. Each version of a launch template keeps it for ever.

A value that is marked secret does not count: it is encrypted in the state, though still readable on the machine.

Fix: give the machine an identity (instance profile, managed identity, service account) and let the script fetch the
secret from the cloud's secret store.

Sources:
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-add-user-data.html
    https://learn.microsoft.com/azure/virtual-machines/custom-data
    https://learn.microsoft.com/azure/virtual-machines/user-data
    https://cloud.google.com/compute/docs/metadata/overview
    https://cloudinit.readthedocs.io/en/latest/explanation/format.html
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret
from crossgate.rules._paths import at_paths, split_paths
from crossgate.rules.leakage._detector import decoded, find
from crossgate.rules.leakage._places import document_in_clear, leak

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crossgate import Resource, Value

_SCRIPTS: Final = split_paths(
    {
        "aws:ec2/instance:Instance": "userData userDataBase64",
        "aws:ec2/spotInstanceRequest:SpotInstanceRequest": "userData userDataBase64",
        "aws:ec2/launchConfiguration:LaunchConfiguration": "userData userDataBase64",
        "aws:ec2/launchTemplate:LaunchTemplate": "userData",
        "aws:ec2/spotFleetRequest:SpotFleetRequest": "launchSpecifications.*.userData",
        "aws:lightsail/instance:Instance": "userData",
        "aws:imagebuilder/imageRecipe:ImageRecipe": "userDataBase64",
        "aws-native:ec2:Instance": "userData",
        "aws-native:ec2:LaunchTemplate": "launchTemplateData.userData",
        "aws-native:autoscaling:LaunchConfiguration": "userData",
        "azure:compute/virtualMachine:VirtualMachine": "osProfile.customData",
        "azure:compute/scaleSet:ScaleSet": "osProfile.customData",
        "azure:compute/linuxVirtualMachine:LinuxVirtualMachine": "customData userData",
        "azure:compute/windowsVirtualMachine:WindowsVirtualMachine": "customData userData",
        "azure:compute/linuxVirtualMachineScaleSet:LinuxVirtualMachineScaleSet": "customData userData",
        "azure:compute/windowsVirtualMachineScaleSet:WindowsVirtualMachineScaleSet": "customData userData",
        "azure:compute/orchestratedVirtualMachineScaleSet:OrchestratedVirtualMachineScaleSet": (
            "osProfile.customData userDataBase64"
        ),
        "azure-native:compute:VirtualMachine": "osProfile.customData userData",
        "azure-native:compute:VirtualMachineScaleSet": (
            "virtualMachineProfile.osProfile.customData virtualMachineProfile.userData"
        ),
        "gcp:compute/instance:Instance": "metadataStartupScript",
        "gcp:compute/instanceTemplate:InstanceTemplate": "metadataStartupScript",
        "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate": "metadataStartupScript",
        "gcp:compute/instanceFromTemplate:InstanceFromTemplate": "metadataStartupScript",
        "gcp:compute/instanceFromMachineImage:InstanceFromMachineImage": "metadataStartupScript",
        "digitalocean:index/droplet:Droplet": "userData",
        "hcloud:index/server:Server": "userData",
        "openstack:compute/instance:Instance": "userData",
    }
)
_METADATA: Final = "gcp:compute/"
_PUBLIC_METADATA: Final = frozenset({"ssh-keys", "sshKeys"})
_REACH: Final = "every process on the machine, and whoever may read its configuration or the state, can use it"

_KEY_ID: Final = "AKIA" + "IOSFODNN7" + "EXAMPLE"
_KEY: Final = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"
_SCRIPT: Final = f"#!/bin/sh\nexport AWS_ACCESS_KEY_ID={_KEY_ID}\nexport AWS_SECRET_ACCESS_KEY={_KEY}\n"
_CLOUD_INIT: Final = "#cloud-config\nwrite_files:\n- path: /etc/app.env\n  content: |\n    DB_PASSWORD=" + "hunter2-X"
_CLEAN: Final = (
    "#!/bin/sh\nset -e\nDB_PASSWORD=$(aws ssm get-parameter --name /prod/db/password --with-decryption)\n"
    'export DB_PASSWORD TOKEN="${TOKEN}"\nmysql --password="$DB_PASSWORD" < /opt/schema.sql\n'
)


def judged_paths(token: str) -> Iterator[Sequence[str]]:
    """Yield the paths that this rule judges in resources of a type."""
    yield from _SCRIPTS.get(token, ())
    if token in _SCRIPTS and token.startswith(_METADATA):
        yield ("metadata",)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@rule(
    types=tuple(_SCRIPTS),
    severity=Severity.HIGH,
    undetermined="warn",
    literals=True,
    equivalents=(
        "checkov:CKV_AWS_46",
        "checkov:CKV_AZURE_45",
        "kics:443488f5-c734-460b-a36d-5b3f330174dc",
        "kics:a88baa34-e2ad-44ea-ad6f-8cac87bc7c71",
        "kics:d7b9d850-3e06-4a75-852f-c46c2e92240b",
        "trivy:AVD-AWS-0029",
        "trivy:AVD-AWS-0122",
        "trivy:AVD-AWS-0129",
        "trivy:AVD-AZU-0037",
    ),
    bad=[
        {"userData": _SCRIPT},
        {"userDataBase64": _base64(_SCRIPT)},
        {"userData": _CLOUD_INIT, "ami": UNKNOWN},
        Part("aws:ec2/launchTemplate:LaunchTemplate", "template", {"userData": _base64(_CLOUD_INIT)}),
        Part("azure:compute/virtualMachine:VirtualMachine", "vm", {"osProfile": {"customData": _SCRIPT}}),
        Part("gcp:compute/instance:Instance", "vm", {"metadataStartupScript": _SCRIPT}),
        Part("gcp:compute/instance:Instance", "vm", {"metadata": {"user-data": _CLOUD_INIT}}),
    ],
    good=[
        {},
        {"userData": _CLEAN},
        {"userData": secret(_SCRIPT)},
        {"userData": "[secret]"},
        {"userDataBase64": _base64(_CLEAN)},
        Part("gcp:compute/instance:Instance", "vm", {"metadata": {"ssh-keys": "dev:ssh-ed25519 AAAAC3NzaC1lZDI1"}}),
    ],
    unsure=[
        {"userData": UNKNOWN},
        Part("gcp:compute/instance:Instance", "vm", {"metadata": UNKNOWN}),
    ],
)
def secret_in_user_data(resource: Resource) -> Iterator[Finding]:
    """Yield the scripts that hold a secret in clear."""
    for script in at_paths(resource, _SCRIPTS[resource.token]):
        yield from _judged(None, script)
    if resource.token.startswith(_METADATA):
        for key, value in resource["metadata"].entries():
            if key not in _PUBLIC_METADATA:
                yield from _judged(key, value)


def _judged(key: str | None, script: Value) -> Iterator[Finding]:
    clear = document_in_clear(script)
    if clear.is_true:
        text = script.text() or ""
        plain = decoded(text)
        if found := find(key, plain):
            yield leak(found, script, text, _REACH)
    elif clear.is_unknown:
        yield Finding(f"may hold a secret in clear; {_REACH}", at=script, when=clear)
