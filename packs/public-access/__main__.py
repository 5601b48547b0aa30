"""Serves the pack to the engine: `pulumi preview --policy-pack packs/public-access`."""

import sys

try:
    from crossgate.crossguard.server import serve
    from crossgate.packs.public_access import PACK
except ModuleNotFoundError as error:
    if error.name != "crossgate":
        raise
    sys.stderr.write("this folder lacks the rules' code; run: crossgate pack build public-access\n")
    sys.exit(3)

serve(PACK)
