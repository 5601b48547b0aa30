"""Serves the pack to the engine: `pulumi preview --policy-pack packs/secret-leakage`."""

import sys

try:
    from crossgate.crossguard.server import serve
    from crossgate.packs.secret_leakage import PACK
except ModuleNotFoundError as error:
    if error.name != "crossgate":
        raise
    sys.stderr.write("this folder lacks the rules' code; run: crossgate pack build secret-leakage\n")
    sys.exit(3)

serve(PACK)
