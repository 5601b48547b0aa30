"""Provider is configured with a credential in clear.

Why: a provider's settings stand in the state like those of any resource, and with an explicit provider in the program's
history as well. Its credential opens the whole account that the stack is deployed to, often far more than the stack
itself.

A value that is marked secret does not count: it is encrypted in the state. SDKs mark some of these settings by
themselves, such as the keys of AWS; the ``kubeconfig`` of Kubernetes they do not. A profile, a role to assume, the path
of a file and a reference do not count either.

Fix: leave the credential out of the program. Let the provider find it in the environment, take it from an ESC
environment with OpenID Connect, or assume a role; where it has to be given, take it from ``config.require_secret``, and
set it with ``pulumi config set --secret``.

Sources:
    https://www.pulumi.com/docs/iac/concepts/secrets/
    https://www.pulumi.com/docs/iac/concepts/resources/providers/
    https://www.pulumi.com/registry/packages/aws/installation-configuration/
    https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret
from crossgate.model import PROVIDER_PREFIX
from crossgate.rules.leakage._places import judged, leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_PACKAGES: Final = (
    "aiven akamai alicloud artifactory auth0 aws aws-native azure azure-native azuread azuredevops bitbucket buildkite "
    "checkly civo cloudamqp cloudflare cloudngfwaws confluentcloud consul databricks datadog digitalocean dnsimple "
    "docker docker-build ec equinix-metal exoscale f5bigip fastly gandi gcp github gitlab google-native grafana "
    "harness hcloud heroku honeycomb influxdb ise kafka keycloak kong kubernetes launchdarkly linode mailgun minio "
    "mongodbatlas mysql netlify newrelic nomad ns1 oci okta onelogin openstack opsgenie ovh pagerduty panos "
    "planetscale postgresql pulumiservice rabbitmq rancher2 redpanda rediscloud scaleway scm sentry signalfx slack "
    "snowflake splunk spotinst statuscake sumologic tailscale twingate unifi upstash vault venafi vercel volcengine "
    "vsphere vultr wavefront yandex zitadel"
).split()
_REACH: Final = "whoever may read the state or the program can use all that it opens"

_TOKEN: Final = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
_KEY_ID: Final = "AKIA" + "QWERTYUIOPASDFGH"
_KEY: Final = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzzqqlkjhgf"
_KUBECONFIG: Final = "apiVersion: v1\nusers:\n- name: admin\n  user:\n    token: " + "kq7Zp0VbX3mWc9LtR2yHs8Nd\n"


@rule(
    types=tuple(PROVIDER_PREFIX + package for package in _PACKAGES),
    severity=Severity.CRITICAL,
    literals=True,
    equivalents=(
        "checkov:CKV_AWS_41",
        "checkov:CKV_LIN_1",
        "checkov:CKV_OCI_1",
        "checkov:CKV_OPENSTACK_1",
        "checkov:CKV_PAN_1",
    ),
    bad=[
        Part("pulumi:providers:aws", "eu", {"region": "eu-west-1", "accessKey": _KEY_ID, "secretKey": _KEY}),
        Part("pulumi:providers:github", "org", {"owner": "example", "token": _TOKEN, "baseUrl": UNKNOWN}),
        Part("pulumi:providers:kubernetes", "cluster", {"kubeconfig": _KUBECONFIG}),
        Part("pulumi:providers:postgresql", "db", {"host": "db.internal", "username": "app", "password": "hunter2-X"}),
        Part("pulumi:providers:azure-native", "prod", {"clientId": "app", "clientSecret": _TOKEN}),
    ],
    good=[
        Part("pulumi:providers:aws", "eu", {"region": "eu-west-1", "profile": "prod"}),
        Part("pulumi:providers:aws", "eu", {"accessKey": secret(_KEY_ID), "secretKey": "[secret]"}),
        Part("pulumi:providers:github", "org", {"owner": "example", "token": UNKNOWN}),
        Part("pulumi:providers:kubernetes", "cluster", {"kubeconfig": "/srv/app/.kube/config", "context": "prod"}),
        Part("pulumi:providers:gcp", "eu", {"project": "shop", "credentials": "/run/secrets/gcp.json"}),
    ],
)
def provider_credential_in_clear(provider: Resource) -> Iterator[Finding]:
    """Yield the settings of a provider that hold a credential in clear."""
    for key, value in leaves(provider.inputs):
        if value.is_text:
            yield from judged(key, value, _REACH)
