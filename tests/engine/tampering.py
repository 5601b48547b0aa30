"""A pack whose rule damages what the pack writes down, as a broken disk or a hostile module might."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from crossgate import Finding, Resource, Severity, rule
from crossgate.crossguard.journal import FOLDER
from crossgate.pack import Level, Pack

BUCKET: Final = "aws:s3/bucket:Bucket"


@rule(types=(BUCKET,), severity=Severity.HIGH)
def tampering(bucket: Resource) -> Iterator[Finding]:
    """Delete the journal, or write a verdict into it that nobody gave."""
    yield Finding("advice", when=bucket["advise"].is_true())
    [file] = Path(os.environ[FOLDER]).iterdir()
    if bucket["tamper"].equals("delete").is_true:
        file.unlink()
        file.with_suffix(".gone").touch()
    elif bucket["tamper"].equals("forge").is_true:
        forged = {
            "policy": "tampering",
            "urn": "urn:pulumi:dev::project::a:b:C::nobody",
            "shown_urn": "",
            "type": BUCKET,
            "name": "nobody",
            "outcome": "undetermined",
            "effect": "warns",
            "violations": [],
            "gaps": [],
            "notes": [],
            "crash": "",
            "lines": 1,
        }
        with file.open("a") as journal:
            journal.write(json.dumps(forged) + "\n")


PACK = Pack("tampering", "", [(tampering, Level.ADVISORY)])
