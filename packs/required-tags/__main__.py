"""Serves the pack to the engine: `pulumi preview --policy-pack packs/required-tags`."""

import sys

try:
    from crossgate.crossguard.server import serve
    from crossgate.packs.required_tags import PACK
except ModuleNotFoundError as error:
    if error.name != "crossgate":
        raise
    sys.stderr.write("this folder lacks the rules' code; run: crossgate pack build required-tags\n")
    sys.exit(3)

serve(PACK)
