"""Public access: data that strangers can read or write."""

from crossgate.pack import Level, Pack
from crossgate.rules.public.aws_s3_public_acl import aws_s3_public_acl

PACK = Pack(
    "public-access",
    "Data that strangers can read or write",
    [
        (aws_s3_public_acl, Level.MANDATORY),
    ],
)
