"""Account-wide block of public access is switched off.

Why: these settings are the last guard of a whole account. Where one is off, a single bucket policy or ACL, a shared
snapshot, a shared image or an open security group makes data public, and nothing refuses it. An
``AccountPublicAccessBlock`` that leaves a setting out switches it off. Snapshots at ``block-new-sharing`` pass: nothing
more can be shared, though what was shared before stays so.

Fix: set all four settings of the ``AccountPublicAccessBlock`` to true, ``state`` of the ``SnapshotBlockPublicAccess``
to ``block-all-sharing``, ``state`` of the ``ImageBlockPublicAccess`` to ``block-new-sharing``,
``blockPublicSecurityGroupRules`` of EMR's ``BlockPublicAccessConfiguration`` to true, and the ``ServiceSetting`` for
``/ssm/documents/console/public-sharing-permission`` to ``Disable``.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_EnableImageBlockPublicAccess.html
    https://docs.aws.amazon.com/ebs/latest/userguide/block-public-access-snapshots.html
    https://docs.aws.amazon.com/emr/latest/ManagementGuide/emr-block-public-access.html
    https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetServiceSetting.html
    https://docs.aws.amazon.com/config/latest/developerguide/ssm-automation-block-public-sharing.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/s3-controls.html#s3-1
    https://docs.aws.amazon.com/securityhub/latest/userguide/emr-controls.html#emr-2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

EMR: Final = "aws:emr/blockPublicAccessConfiguration:BlockPublicAccessConfiguration"
SSM: Final = "aws:ssm/serviceSetting:ServiceSetting"
SSM_SHARING: Final = "/ssm/documents/console/public-sharing-permission"
SHARING: Final = {
    "aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess": "EBS snapshot",
    "aws-native:ec2:SnapshotBlockPublicAccess": "EBS snapshot",
    "aws:ec2/imageBlockPublicAccess:ImageBlockPublicAccess": "machine image",
}
"""What the resources with a ``state`` keep from being shared with everyone."""
REACH: Final = {
    "blockPublicAcls": "a public ACL can be set on any bucket and object of the account",
    "blockPublicPolicy": "a policy that lets strangers in can be set on any bucket of the account",
    "ignorePublicAcls": "public ACLs are in force in every bucket of the account without a block of its own",
    "restrictPublicBuckets": "public policies are in force on every bucket of the account without a block of its own",
}

_FULL: Final = dict.fromkeys(_s3.SETTINGS, True)


def _emr(on: object) -> Part:
    return Part(EMR, "emr", {"blockPublicSecurityGroupRules": on})


def _ssm(value: object, setting: object = f"arn:aws:ssm:eu-west-1:111122223333:servicesetting{SSM_SHARING}") -> Part:
    return Part(SSM, "setting", {"settingId": setting, "settingValue": value})


def _sharing(token: str, state: object) -> Part:
    return Part(token, "sharing", {"state": state})


@rule(
    types=(*_s3.ACCOUNT_BLOCKS, *SHARING, EMR, SSM),
    severity=Severity.HIGH,
    frameworks=("AWS FSBP 1.0 S3.1", "AWS FSBP 1.0 EMR.2"),
    equivalents={"checkov:CKV_AWS_390": {"path": "blockPublicSecurityGroupRules"}},
    bad=[
        {"blockPublicAcls": True, "ignorePublicAcls": True},
        *({**_FULL, setting: False} for setting in _s3.SETTINGS),
        {},
        {"accountId": UNKNOWN, "blockPublicAcls": False},
        *(_sharing(token, "unblocked") for token in SHARING),
        _emr(on=False),
        _ssm("Enable"),
        _ssm("Enable", SSM_SHARING),
    ],
    good=[
        _FULL,
        {"accountId": "111122223333", **_FULL},
        *(_sharing(token, "block-new-sharing") for token in SHARING),
        _sharing("aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess", "block-all-sharing"),
        _emr(on=True),
        _ssm("Disable"),
        _ssm("Enable", "/ssm/parameter-store/high-throughput-enabled"),
    ],
    unsure=[
        {**_FULL, "restrictPublicBuckets": UNKNOWN},
        *(_sharing(token, UNKNOWN) for token in SHARING),
        _emr(UNKNOWN),
        _ssm(UNKNOWN),
        _ssm("Enable", UNKNOWN),
    ],
)
def aws_account_public_access_unblocked(guard: Resource) -> Iterator[Finding]:
    """Yield each account-wide setting that does not keep the public out."""
    if guard.token in _s3.ACCOUNT_BLOCKS:
        for setting, reach in REACH.items():
            value = guard[setting]
            state = "left out, and so off" if value.exists().is_false else "off"
            yield Finding(f"{state}: {reach}", at=value, when=~value.is_true())
    elif guard.token == EMR:
        on = guard["blockPublicSecurityGroupRules"]
        message = "off: EMR starts clusters whose security groups let the whole internet in"
        yield Finding(message, at=on, when=~on.is_true())
    elif guard.token == SSM:
        is_sharing = guard["settingId"].test(lambda setting: str(setting).endswith(SSM_SHARING))
        value = guard["settingValue"]
        message = "Enable: any Systems Manager document of the account and Region can be shared with everyone"
        yield Finding(message, at=value, when=is_sharing & value.equals("Enable"))
    else:
        value = guard["state"]
        message = f"unblocked: any {SHARING[guard.token]} of the account and Region can be shared with everyone"
        yield Finding(message, at=value, when=value.equals("unblocked"))
