# A fresh machine needs Python 3.11 or newer (with venv), make and a package index; the engine is built from its Go module.
#
#   make test     everything, as CI runs it: lint, types, the fast tests on the oldest and the newest Python here, the engine tests
#   make check    lint, format, types and the fast tests, in a minute or so
#   make demo     installs the command beside nothing else and gates a recorded preview
#   make bench    times the gate against its budgets
#   make golden   rewrites the generated and golden files; read the diff
#   make tables   rewrites the tables that come from provider schemas
#   make lock     resolves requirements/*.txt anew from pyproject.toml

.DEFAULT_GOAL := check
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
export PYTHONDONTWRITEBYTECODE := 1

PYTHON := $(PYTHON)
VENV := .venv
BIN := $(VENV)/bin
FAST := -m "not engine and not slow"

.PHONY: bench check check-oldest-newest clean demo engine format golden lint lock tables test types unit venv

test: lint types check-oldest-newest engine
	$(BIN)/python -m pytest -m "engine or slow"

check: lint types unit

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: venv
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

types: venv
	$(BIN)/mypy -p crossgate -p tools

unit: venv
	$(BIN)/python -m pytest $(FAST)

check-oldest-newest: venv
	$(BIN)/python -m tools.pythons run -- -m pytest $(FAST)

engine: venv
	$(BIN)/python -m crossgate.testing.engine install

bench: venv
	$(BIN)/python -m tools.bench

golden: venv
	$(BIN)/python -m tools.golden

tables: venv
	$(BIN)/python -m tools.sdk_tables

demo: .venv-demo/installed
	@tools/demo.sh .venv-demo/bin/crossgate docs/examples/public-bucket/preview.json

lock: venv
	$(BIN)/python -m tools.lock

venv: $(VENV)/installed

$(VENV)/installed: requirements/dev.txt pyproject.toml
	@test -x $(BIN)/python || { python=$$(tools/find-python.sh "$(PYTHON)") && "$$python" -m venv $(VENV); }
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv-demo/installed: requirements/run.txt pyproject.toml $(shell find policies packs -name '*.py' -o -name '*.yaml')
	@test -x .venv-demo/bin/python || { python=$$(tools/find-python.sh "$(PYTHON)") && "$$python" -m venv .venv-demo; }
	.venv-demo/bin/python -m pip install --quiet .
	@touch $@

clean:
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
