"""Managed service of AWS is connected to the internet.

Why: a notebook without a subnet of yours runs in a network of AWS's that reaches the whole internet, and with a subnet
it keeps that way out beside it unless it is closed; a model's container without network isolation can send what it is
given anywhere; a public Airflow web server is one login page away from the pipelines behind it.

Fix: give the notebook a ``subnetId`` and set its ``directInternetAccess`` to ``Disabled``, set
``enableNetworkIsolation`` of the model, and ``webserverAccessMode`` of the environment to ``PRIVATE_ONLY``.

Sources:
    https://docs.aws.amazon.com/sagemaker/latest/dg/appendix-notebook-and-internet-access.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/sagemaker-controls.html#sagemaker-1
    https://docs.aws.amazon.com/sagemaker/latest/dg/mkt-algo-model-internet-free.html
    https://docs.aws.amazon.com/mwaa/latest/userguide/configuring-networking.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules._given import is_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_NOTEBOOK: Final = "aws:sagemaker/notebookInstance:NotebookInstance"
_NATIVE_NOTEBOOK: Final = "aws-native:sagemaker:NotebookInstance"
_MODEL: Final = "aws:sagemaker/model:Model"
_AIRFLOW: Final = "aws:mwaa/environment:Environment"


@rule(
    types=(_NOTEBOOK, _NATIVE_NOTEBOOK, _MODEL, _AIRFLOW),
    severity=Severity.MEDIUM,
    frameworks=("AWS FSBP 1.0 SageMaker.1", "AWS FSBP 1.0 SageMaker.2"),
    equivalents={
        "checkov:CKV_AWS_122": {"message": "asked"},
        "checkov:CKV_AWS_306": {"path": "subnetId"},
        "checkov:CKV_AWS_370": {"path": "enableNetworkIsolation"},
        "checkov:CKV2_AWS_66": {"path": "webserverAccessMode"},
    },
    bad=[
        Part(_NOTEBOOK, "lab", {"instanceType": "ml.t3.medium"}),
        Part(_NOTEBOOK, "lab", {"subnetId": "subnet-0a1b2c3d", "directInternetAccess": "Enabled"}),
        Part(_NOTEBOOK, "lab", {"subnetId": "subnet-0a1b2c3d"}),
        Part(_NATIVE_NOTEBOOK, "lab", {"subnetId": UNKNOWN, "directInternetAccess": "Enabled"}),
        Part(_MODEL, "prices", {"enableNetworkIsolation": False}),
        Part(_MODEL, "bare", {}),
        Part(_AIRFLOW, "etl", {"webserverAccessMode": "PUBLIC_ONLY"}),
    ],
    good=[
        Part(_NOTEBOOK, "lab", {"subnetId": "subnet-0a1b2c3d", "directInternetAccess": "Disabled"}),
        Part(_NATIVE_NOTEBOOK, "lab", {"subnetId": "subnet-0a1b2c3d", "directInternetAccess": "Disabled"}),
        [
            Part(_NOTEBOOK, "lab", {"subnetId": ref("private"), "directInternetAccess": "Disabled"}),
            Part("aws:ec2/subnet:Subnet", "private", {}),
        ],
        Part(_MODEL, "prices", {"enableNetworkIsolation": True}),
        Part(_AIRFLOW, "etl", {"webserverAccessMode": "PRIVATE_ONLY"}),
        Part(_AIRFLOW, "etl", {}),
    ],
    unsure=[
        Part(_NOTEBOOK, "lab", {"subnetId": "subnet-0a1b2c3d", "directInternetAccess": UNKNOWN}),
        Part(_MODEL, "prices", {"enableNetworkIsolation": UNKNOWN}),
        Part(_AIRFLOW, "etl", {"webserverAccessMode": UNKNOWN}),
    ],
)
def aws_service_reaches_internet(resource: Resource) -> Iterator[Finding]:
    """Yield what leaves the service connected."""
    if resource.token in (_NOTEBOOK, _NATIVE_NOTEBOOK):
        subnet, direct = is_given(resource["subnetId"]), resource["directInternetAccess"]
        yield Finding("it runs outside your network, with the internet at hand", at="subnetId", when=~subnet)
        yield Finding("it is asked to have the internet at hand", at=direct, when=direct.equals("Enabled"))
        words = "it keeps the internet at hand beside your subnet, the default"
        yield Finding(words, at=direct, when=subnet & direct.is_empty())
    elif resource.token == _MODEL:
        switch = resource["enableNetworkIsolation"]
        yield Finding("its container may send data anywhere", at=switch, when=~switch.is_true())
    else:
        mode = resource["webserverAccessMode"]
        yield Finding("its web server answers the internet", at=mode, when=mode.equals("PUBLIC_ONLY"))
