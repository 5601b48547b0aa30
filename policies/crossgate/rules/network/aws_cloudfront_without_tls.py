"""CloudFront distribution answers plain HTTP.

Why: whoever stands between a visitor and CloudFront reads and changes what is sent, passwords and session cookies
included. CloudFront can send visitors on to HTTPS by itself.

Fix: set ``viewerProtocolPolicy`` to ``redirect-to-https`` or ``https-only``, in ``defaultCacheBehavior`` and in each of
the ``orderedCacheBehaviors`` (aws-native: ``cacheBehaviors``).

Sources:
    https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-https-viewers-to-cloudfront.html
    https://docs.aws.amazon.com/config/latest/developerguide/cloudfront-viewer-policy-https.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

CLOUDFRONT: Final = "aws:cloudfront/distribution:Distribution"
NATIVE: Final = "aws-native:cloudfront:Distribution"
_SAFE: Final = {"targetOriginId": "shop", "viewerProtocolPolicy": "redirect-to-https"}
_PLAIN: Final = {"targetOriginId": "shop", "viewerProtocolPolicy": "allow-all"}


@rule(
    types=(CLOUDFRONT, NATIVE),
    severity=Severity.MEDIUM,
    frameworks=("AWS FSBP 1.0 CloudFront.3",),
    equivalents=("checkov:CKV_AWS_34", "trivy:AVD-AWS-0012", "kics:55af1353-2f62-4fa0-a8e1-a210ca2708f5"),
    bad=[
        {"enabled": True, "defaultCacheBehavior": _PLAIN},
        {"enabled": True, "defaultCacheBehavior": _SAFE, "orderedCacheBehaviors": [_SAFE, _PLAIN]},
        Part(NATIVE, "site", {"distributionConfig": {"enabled": True, "cacheBehaviors": [_PLAIN]}}),
    ],
    good=[
        {"enabled": True, "defaultCacheBehavior": _SAFE},
        {"enabled": True, "defaultCacheBehavior": {"viewerProtocolPolicy": "https-only"}},
        {"enabled": False, "defaultCacheBehavior": _PLAIN},
        Part(NATIVE, "site", {"distributionConfig": {"enabled": True, "defaultCacheBehavior": _SAFE}}),
    ],
    unsure=[
        {"enabled": True, "defaultCacheBehavior": {"viewerProtocolPolicy": UNKNOWN}},
        {"enabled": True, "defaultCacheBehavior": _SAFE, "orderedCacheBehaviors": UNKNOWN},
    ],
)
def aws_cloudfront_without_tls(distribution: Resource) -> Iterator[Finding]:
    """Yield each cache behaviour of an enabled distribution that lets plain HTTP through."""
    config = distribution["distributionConfig"] if distribution.token == NATIVE else distribution.inputs
    enabled = ~config["enabled"].is_false()
    behaviors = config["cacheBehaviors" if distribution.token == NATIVE else "orderedCacheBehaviors"]
    for behavior in (config["defaultCacheBehavior"], *behaviors.each()):
        policy = behavior["viewerProtocolPolicy"]
        yield Finding(
            "answers plain HTTP: anyone on the way can read and change what is sent",
            at=policy,
            when=policy.equals("allow-all") & enabled,
        )
