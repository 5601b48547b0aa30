"""Bucket does what its `outcome` says.

Why: a report has to show every outcome, and no shipped rule crashes. This sentence is not shown.

Fix: set ``outcome`` to fine. Leave the rest to the pack's owner, e.g. ``crossgate``, who knows what each of the rules
here is good for.

Sources:
    https://www.pulumi.com/docs/insights/policy/
"""

from collections.abc import Iterator
from typing import Final

from crossgate import UNKNOWN, Finding, Gap, Note, Resource, Severity, rule, unknown
from crossgate.pack import Level, Pack

BUCKET: Final = "aws:s3/bucket:Bucket"
QUEUE: Final = "aws:sqs/queue:Queue"


@rule(types=(BUCKET,), severity=Severity.CRITICAL, frameworks=("TEST 1.0 A.1",), bad=[{"outcome": "fail"}], good=[{}])
def bucket_outcome(bucket: Resource) -> Iterator[Finding]:
    """Fail, crash, remark or do not know, as the bucket's outcome says."""
    outcome = bucket["outcome"]
    yield Finding("it asks to fail", at=outcome, when=outcome.is_in({"fail", "fail and crash", "fail twice"}))
    yield Finding("it asks to fail again", at=bucket["tags"]["again"], when=outcome.equals("fail twice"))
    yield Finding("it may fail", at=bucket["acl"], when=outcome.equals("maybe") & bucket["acl"].equals("public-read"))
    yield Note("it asks for a remark", at=outcome, when=outcome.equals("note"))
    if outcome.is_in({"crash", "fail and crash"}).is_true:
        raise RuntimeError("the text of an exception may hold anything: hunter" + "2")


@rule(types=(BUCKET,), severity=Severity.MEDIUM, bad=[{"size": 3}], good=[{}])
def bucket_size(bucket: Resource) -> Iterator[Finding]:
    """Advise against sizes, and crash on a size of 13."""
    if bucket["size"].equals(13).is_true:
        raise ValueError("unlucky")
    yield Finding("buckets have no size", at=bucket["size"], when=bucket["size"].exists())


@rule(
    types=(QUEUE,),
    severity=Severity.LOW,
    undetermined="warn",
    bad=[{"fifo": True}],
    good=[{}],
    unsure=[{"fifo": UNKNOWN}],
)
def queue_order(queue: Resource) -> Iterator[Finding]:
    """Forbid FIFO queues, and do not know what is not known."""
    yield Finding("queues have no order", at=queue["fifo"], when=queue["fifo"].is_true())
    yield Finding("the file may say more", when=unknown(Gap("", "", "half of the file is missing")))


@rule(
    types=(QUEUE,),
    severity=Severity.HIGH,
    parameters={"names": {"type": "array", "items": {"type": "string"}, "description": "Names that are forbidden."}},
    required=("names",),
)
def queue_name(queue: Resource, parameters: dict[str, list[str]]) -> Iterator[Finding]:
    """Forbid the names that the parameter lists, and name them to the redactor as leaked."""
    for name in parameters["names"]:
        yield Finding("the name is forbidden", at=queue["name"], when=queue["name"].equals(name), leaks=[name])


PACK = Pack(
    "outcomes",
    "Every outcome",
    [
        (bucket_outcome, Level.MANDATORY),
        (bucket_size, Level.ADVISORY),
        (queue_order, Level.MANDATORY),
        (queue_name, Level.MANDATORY),
    ],
)
