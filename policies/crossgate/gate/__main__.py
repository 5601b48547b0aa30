"""``python -m crossgate.gate``: the command, where it is not on PATH."""

import sys

from crossgate.gate.entry import main

if __name__ == "__main__":
    sys.exit(main())
