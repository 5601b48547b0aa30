# A fresh machine needs Python 3.11 or newer with venv, make, git and a package index; `make test` builds the engine from
# its Go module, once. `make PYTHON=/path/to/python3 …` names the Python.
#
#   make check    lint, format, types and the fast tests
#   make test     everything, as continuous integration runs it: the fast tests on the oldest and the newest Python here,
#                 then those against the real engine and of the packaging
#   make demo     installs the command into an environment of its own and gates a recorded preview
#   make accuracy judges labelled cases, where they are beside the checkout, and holds the figures against their floors
#   make bench    times the gate against its budgets
#   make golden   rewrites the generated and golden files: read the diff
#   make tables   rewrites the tables that come from provider SDKs
#   make lock     resolves requirements/*.txt anew from pyproject.toml
#   make format   lets the linter mend what it can

.DEFAULT_GOAL := check
.NOTPARALLEL:
.PHONY: accuracy bench check clean demo engine fast format golden lint lock oldest-and-newest tables test types venv

unexport PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONPATH
PYTHON ?=
VENV := .venv
RUN := $(VENV)/bin/python -m
PARALLEL := --numprocesses auto --dist worksteal
FAST := -m "not engine and not slow" $(PARALLEL)

check: lint types fast

test: lint types oldest-and-newest engine
	$(RUN) pytest -m "engine or slow" $(PARALLEL) --durations=10

lint: venv
	$(RUN) ruff check .
	$(RUN) ruff format --check .

types: venv
	$(RUN) mypy -p crossgate -p tools

fast: venv
	$(RUN) pytest $(FAST)

oldest-and-newest: venv
	$(RUN) tools.pythons run -- -m pytest $(FAST)

engine: venv
	$(RUN) crossgate.testing.engine install

demo: .venv-demo/installed
	@tools/demo.sh .venv-demo/bin/crossgate docs/examples/public-bucket/preview.json

accuracy: venv
	$(RUN) tools.accuracy --list dist/disagreements.txt

bench: venv
	$(RUN) tools.bench

golden: venv
	$(RUN) tools.golden

tables: venv .venv-sdks/installed .venv-sdks-majors/installed
	$(RUN) tools.sdk_tables

lock: venv
	$(RUN) tools.lock

format: venv
	$(RUN) ruff check --fix-only .
	$(RUN) ruff format .

venv: $(VENV)/installed

$(VENV)/installed: requirements/dev.txt pyproject.toml
	tools/make-venv.sh $(VENV) $(PYTHON)
	$(RUN) pip install --quiet --no-compile --require-hashes --requirement requirements/dev.txt
	$(RUN) pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv-demo/installed: pyproject.toml $(shell find policies packs -name __pycache__ -prune -o -type f -print)
	tools/make-venv.sh .venv-demo $(PYTHON)
	.venv-demo/bin/python -m pip install --quiet --force-reinstall .
	@touch $@

# Read, never imported: neither their dependencies nor compiled files are wanted. The tables join several majors.
.venv-sdks/installed: tools/sdk-tables-requirements.txt
.venv-sdks-majors/installed: tools/sdk-tables-requirements-majors.txt
.venv-sdks/installed .venv-sdks-majors/installed:
	tools/make-venv.sh $(@D) $(PYTHON)
	$(@D)/bin/python -m pip install --quiet --no-compile --no-deps --requirement $<
	@touch $@

clean:
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
