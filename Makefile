# `make demo` and `make test` need make and one Python from 3.11 to 3.14. The first run makes .venv and fetches the
# libraries; after that nothing touches the network until pyproject.toml or the Python changes.

# The first of these that is a Python we support makes the environment. To choose: make PYTHON=python3.12 test
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
# Further words for the command that a target runs: make test ARGS="-k pool -x"
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# Stamps. The first holds the line that DESCRIBE printed when the environment was made.
MADE := $(VENV)/made-with
RUN_TIME := $(VENV)/installed-run-time
DEV := $(VENV)/installed-dev
SLOW := $(VENV)/installed-verification
PAGES := $(VENV)/installed-pages
DOCS := $(VENV)/installed-docs

# Prints whose Python this is and where we stand (an environment doesn't survive a move); fails for other versions.
DESCRIBE := import os, sys; \
    sys.version_info[:2] in ((3, 11), (3, 12), (3, 13), (3, 14)) or sys.exit(1); \
    print("Python %d.%d of %s for %s" % (sys.version_info[:2] + (sys.base_prefix, os.getcwd())))

.NOTPARALLEL:
.PHONY: help demo test lint verification bench reports pages docs wheel clean FORCE

help: ## list the targets (the default)
	@sed -n 's/^\([a-z]*\):.*## /  make \1|/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

demo: $(RUN_TIME) ## a small kill-odds report in reports/demo
	$(BIN)/tcsim report kill-odds --demo --out reports/demo $(ARGS)

test: $(DEV) ## the everyday tests, a file at a time on each core
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile $(ARGS)

lint: $(DEV) ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

verification: $(SLOW) ## the slow checks of the dice, before a release (one: make verification ARGS="-k chain")
	$(BIN)/python -m pytest -m verification -s $(ARGS)

bench: $(DEV) ## measure speed
	$(BIN)/python -m benchmarks $(ARGS)

reports: $(RUN_TIME) ## every report, in reports/
	$(BIN)/tcsim report all $(ARGS)

pages: $(PAGES) ## every page in Chromium; needs Chromium, its driver and a Korean font
	$(BIN)/python -m pytest -m pages tests/test_pages.py $(ARGS)

docs: $(DOCS) ## the documentation site in build/docs
	rm -rf build/docs
	PYTHONPATH=docs $(BIN)/python -m _make build/pages
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -c docs build/pages build/docs $(ARGS)
	PYTHONPATH=docs $(BIN)/python -m _make --check build/docs
	@echo 'open build/docs/index.html'

wheel: $(RUN_TIME) ## build dist/*.whl and run it from an empty folder
	rm -rf build dist
	$(PIP) wheel --no-deps --wheel-dir dist .
	$(PIP) install --no-deps --no-index --target build/site dist/*.whl
	mkdir build/empty
	cd build/empty && PYTHONPATH=../site ../../$(BIN)/python -m tcsim odds --injury-modifier -1 --attack ranged
	cd build/empty && PYTHONPATH=../site ../../$(BIN)/python -m tcsim report kill-odds --demo --out .

clean: ## remove what was made, save .venv and reports/
	rm -rf build dist reports/demo .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -path ./$(VENV) -prune -o -type d -name __pycache__ -exec rm -rf {} +

# ---------------------------------------------------------------------------------------------------------------
# The environment. The first recipe runs every time, and leaves its stamp alone while the environment is good.

$(MADE): FORCE
	@for name in $(PYTHON); do \
	    wanted=$$("$$name" -c '$(DESCRIBE)' 2>/dev/null) && break; \
	    wanted=; \
	done; \
	if [ -z "$$wanted" ]; then \
	    echo 'tcsim needs Python 3.11 to 3.14, which is none of: $(PYTHON) (choose with make PYTHON=...).' >&2; \
	    exit 1; \
	fi; \
	if [ "$$wanted" != "$$(cat $@ 2>/dev/null)" ] || ! $(BIN)/python -c '' 2>/dev/null; then \
	    echo "making $(VENV): $$wanted"; \
	    "$$name" -m venv --clear $(VENV) && echo "$$wanted" > $@; \
	fi

$(RUN_TIME): $(MADE) pyproject.toml
	@echo 'installing tcsim and its libraries (only this once) ...'
	@$(PIP) install --editable .
	@touch $@

$(DEV): $(MADE) pyproject.toml
	@echo 'installing tcsim, its libraries and the tools (only this once) ...'
	@$(PIP) install --editable '.[dev]'
	@touch $(RUN_TIME) $@

$(SLOW): $(DEV)
	@echo 'installing what only the slow checks need (only this once) ...'
	@$(PIP) install --editable '.[parquet,sql,dask]'
	@touch $@

$(PAGES): $(DEV)
	@echo 'installing what drives a browser (only this once) ...'
	@$(PIP) install --editable '.[pages]'
	@touch $@

$(DOCS): $(MADE) pyproject.toml
	@echo 'installing tcsim and what builds its documentation (only this once) ...'
	@$(PIP) install --editable '.[docs]'
	@touch $(RUN_TIME) $@
