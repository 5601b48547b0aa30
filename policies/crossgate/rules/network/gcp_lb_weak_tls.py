"""SSL policy of Google Cloud accepts weak TLS.

Why: TLS 1.0 and 1.1, and ciphers whose keys come from the server's certificate, have been given up by browsers and
standards. While a load balancer still takes them, an attacker on the way can talk a client down to them, or read later
what was recorded before. A policy takes TLS 1.0 and the widest range of ciphers unless it says otherwise.

Fix: set ``minTlsVersion`` to ``TLS_1_2`` and ``profile`` to ``MODERN``, or ``profile`` to ``RESTRICTED``, which rules
the old versions out by itself. Leave ``TLS_RSA_`` features out of a ``CUSTOM`` profile.

Sources:
    https://cloud.google.com/load-balancing/docs/ssl-policies-concepts
    https://cloud.google.com/sdk/gcloud/reference/compute/ssl-policies/create
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

POLICIES: Final = ("gcp:compute/sSLPolicy:SSLPolicy", "gcp:compute/regionSslPolicy:RegionSslPolicy")
_OLD: Final = ("TLS_1_0", "TLS_1_1")
_STRICT: Final = ("RESTRICTED", "FIPS_202205")
"""Profiles without a cipher that old versions could use."""
_GOOD: Final = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"


@rule(
    types=POLICIES,
    severity=Severity.MEDIUM,
    frameworks=("CIS GCP 3.0 3.9",),
    equivalents={
        "checkov:CKV_GCP_4": {},
        "trivy:AVD-GCP-0039": {"path": "minTlsVersion"},
        "kics:14a457f0-473d-4d1d-9e37-6d99b355b336": {},
        "kics:965e8830-2bec-4b9b-a7f0-24dbc200a68f": {},
    },
    bad=[
        {"profile": "MODERN", "minTlsVersion": "TLS_1_1"},
        {"profile": "MODERN"},
        {"profile": "COMPATIBLE", "minTlsVersion": "TLS_1_2"},
        {},
        {"profile": "CUSTOM", "minTlsVersion": "TLS_1_2", "customFeatures": [_GOOD, "TLS_RSA_WITH_AES_128_CBC_SHA"]},
        Part(POLICIES[1], "web", {"profile": "MODERN", "minTlsVersion": "TLS_1_0"}),
    ],
    good=[
        {"profile": "MODERN", "minTlsVersion": "TLS_1_2"},
        {"profile": "RESTRICTED"},
        {"profile": "RESTRICTED", "minTlsVersion": "TLS_1_3"},
        {"profile": "CUSTOM", "minTlsVersion": "TLS_1_2", "customFeatures": [_GOOD]},
    ],
    unsure=[
        {"profile": "MODERN", "minTlsVersion": UNKNOWN},
        {"profile": UNKNOWN, "minTlsVersion": "TLS_1_2"},
        {"profile": "CUSTOM", "minTlsVersion": "TLS_1_2", "customFeatures": UNKNOWN},
    ],
)
def gcp_lb_weak_tls(policy: Resource) -> Iterator[Finding]:
    """Yield the version that a policy begins with, and the profile or the features that hold weak ciphers."""
    version, profile = policy["minTlsVersion"], policy["profile"]
    old = version.test(lambda content: content in (*_OLD, ""), absent=True)
    yield Finding(
        "clients may use TLS 1.0 or 1.1: what is sent can be read by an attacker on the way",
        at=version,
        when=old & ~profile.is_in(_STRICT),
    )
    yield Finding(
        "clients may use weak ciphers: what is recorded now can be read when the key of the certificate gets out",
        at=profile,
        when=profile.equals("COMPATIBLE") | profile.is_empty(),
    )
    for feature in policy["customFeatures"].each():
        yield Finding(
            "clients may use a weak cipher: what is recorded now can be read when the key of the certificate gets out",
            at=feature,
            when=profile.equals("CUSTOM") & feature.test(lambda name: str(name).startswith("TLS_RSA_")),
        )
