# Everything below needs Python 3.11 and make. The first run of a target installs what it wants into .venv;
# later runs install nothing unless pyproject.toml has changed or the folder has moved.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
export HERE := $(CURDIR)/$(VENV)

# What pip is given for each tier.
WANTS_demo := --editable '.[plots]'
WANTS_test := --editable '.[all]' --group test
WANTS_lint := --editable '.[all]' --group lint
WANTS_docs := --editable '.[all]' --group docs

# Matrices here are small: one BLAS thread is the fastest.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
export VECLIB_MAXIMUM_THREADS := 1
# Nothing asks a question, opens a window or writes outside this folder.
export PIP_NO_INPUT := 1
export PIP_NO_CACHE_DIR := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export MPLBACKEND := Agg
export MPLCONFIGDIR := $(HERE)/matplotlib

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo test lint bench docs clean

help:
	@echo 'make demo    watch ceopt find the best doses of two drugs on the Health system'
	@echo 'make test    run the tests'
	@echo 'make lint    ruff, mypy and the import contract'
	@echo 'make bench   time the engine and a suggestion, count how often each graph leads, run each method'
	@echo 'make docs    build the documentation into build/docs'
	@echo 'make clean   remove all that these made, .venv too'

demo: $(VENV)/demo.stamp
	$(PY) -m ceopt.cli demo --folder build/demo --trials 10
	@echo 'Such a study as a story, with the curves of all effects: $(PY) examples/demo.py'

test: $(VENV)/test.stamp
	$(PY) -m pytest

lint: $(VENV)/lint.stamp
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-logo

bench: $(VENV)/demo.stamp
	$(PY) benchmarks/engine.py
	$(PY) benchmarks/graphs.py
	$(PY) benchmarks/ask.py
	$(PY) benchmarks/figure1.py build/figure1.png
	$(PY) benchmarks/convergence.py --quick

docs: $(VENV)/docs.stamp
	$(PY) -m sphinx -W --keep-going -E -q docs build/docs
	@echo 'build/docs/index.html'

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A virtual environment holds absolute paths, so it is good only in the folder it was made in.
BORN := $(VENV)/born-$(shell pwd -P | cksum | cut -d ' ' -f 1)

$(BORN):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "ceopt needs Python 3.11 or later, but $(PYTHON) is" \
	         "$$($(PYTHON) -c 'import platform; print(platform.python_version())' 2>/dev/null || echo missing);" \
	         "name another one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@case "$$(sed -n 's/^command = //p' $(VENV)/pyvenv.cfg 2>/dev/null)" in \
	    *" $$HERE") ;; \
	    *) echo 'making $(VENV)'; rm -rf $(VENV); $(PYTHON) -m venv $(VENV);; \
	esac
	@$(PY) -m pip install --quiet --upgrade 'pip>=25.1' # the first that knows dependency groups
	@touch $@

$(VENV)/%.stamp: pyproject.toml $(BORN)
	@if cmp -s pyproject.toml $@; then touch $@; else \
	    echo 'installing what make $* needs'; \
	    $(PY) -m pip install --quiet $(WANTS_$*) && cp pyproject.toml $@; \
	fi
