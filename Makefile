# Every target makes the virtual environment it needs the first time. `make help` lists them.
# PYTHON=/path/to/python overrides the search for an interpreter.

VENV   := .venv
COMPAT := .venv-compat
PY     := $(VENV)/bin/python
# -qq keeps errors and drops the rest.
PIP    := -m pip --disable-pip-version-check --no-input install -qq

OLDEST_JAXLIB := 0.10.0

.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help demo test pytest lit lint format api bench compat fuzz plugins matrix clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*  ## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

demo: $(VENV)/run.stamp  ## train a small network, gradient by hhlo-grad
	$(PY) examples/cnn.py

test: pytest lit  ## pytest and lit

pytest: $(VENV)/test.stamp  ## unit tests; ARGS="-k gather" passes options on
	$(PY) -m pytest $(ARGS)

lit: $(VENV)/test.stamp  ## FileCheck tests
	$(VENV)/bin/lit -j2 -v filecheck

lint: $(VENV)/lint.stamp  ## ruff check, ruff format --check, pyright, docs/api.md
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) scripts/typecheck_tree.py
	$(PY) -m pyright --pythonpath $(PY)
	$(PY) scripts/api_page.py --check

format: $(VENV)/lint.stamp  ## rewrite the sources as `make lint` wants them
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

api: $(VENV)/run.stamp  ## write docs/api.md from the docstrings
	$(PY) scripts/api_page.py

bench: $(VENV)/bench.stamp  ## measure the budgets, ours beside JAX
	$(PY) benchmarks/run.py $(ARGS)

fuzz: $(VENV)/test.stamp  ## read 100,000 texts with random faults
	FUZZ=100000 $(PY) -m pytest -q tests/test_fuzz.py

compat: $(COMPAT)/test.stamp  ## tests marked compat, on the oldest supported jaxlib
	$(COMPAT)/bin/python -m pytest -m compat

plugins: $(VENV)/plugins.stamp  ## tests of PJRT plug-ins, with two from the package index
	$(PY) -m pytest tests/test_plugins.py

matrix:  ## tests marked compat, on each supported pair of Python and jaxlib
	scripts/matrix.sh

clean:  ## remove environments, build products and caches
	rm -rf $(VENV) $(COMPAT) .matrix build dist hhlo_xdsl.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/python.stamp $(COMPAT)/python.stamp:
	@python=$$(PYTHON='$(PYTHON)' scripts/pick_python.sh) && rm -rf $(@D) && \
	    echo "Creating $(@D) with $$python" && "$$python" -m venv $(@D)
	@touch $@

$(VENV)/run.stamp: pyproject.toml | $(VENV)/python.stamp
	@echo "Installing hhlo-xdsl (first time only)"
	@$(PY) $(PIP) -e .
	@touch $@

# One stamp per extra of pyproject.toml.
$(VENV)/test.stamp $(VENV)/lint.stamp $(VENV)/bench.stamp: $(VENV)/%.stamp: $(VENV)/run.stamp
	@echo "Installing what make $* needs (first time only)"
	@$(PY) $(PIP) -e '.[$*]'
	@touch $@

# Their metadata ask for jax, which they do not need.
$(VENV)/plugins.stamp: | $(VENV)/test.stamp
	@echo "Installing two PJRT plug-ins (first time only)"
	@$(PY) $(PIP) --no-deps lammps-jax-pjrt-cpu==0.11.2 xla-cpu-pjrt==0.0.1
	@touch $@

$(COMPAT)/test.stamp: pyproject.toml | $(COMPAT)/python.stamp
	@echo "Installing hhlo-xdsl with jaxlib $(OLDEST_JAXLIB) (first time only)"
	@$(COMPAT)/bin/python $(PIP) -e '.[test]' jaxlib==$(OLDEST_JAXLIB)
	@touch $@
