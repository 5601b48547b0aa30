#!/bin/sh
# Makes the virtual environment FOLDER unless it is there: with PYTHON, or with the first Python >= 3.11 that runs.
# usage: make-venv.sh FOLDER [PYTHON]
set -u
folder=$1 wanted=${2:-}

# A name on the PATH proves nothing: version managers put shims there for versions that are switched off.
usable() {
    "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

"$folder/bin/python" -c 'import pip' >/dev/null 2>&1 && exit 0
for python in ${wanted:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    usable "$python" && exec "$python" -m venv "$folder"
done
if [ -n "$wanted" ]; then
    echo "$wanted is not a Python 3.11 or newer with the venv module" >&2
else
    echo "found no Python 3.11 or newer with the venv module: install one, or name it: make PYTHON=/path/to/python3" >&2
fi
exit 1
