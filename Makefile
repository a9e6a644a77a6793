# Needs make and Python 3.11 or newer. Everything else is brought into this folder; the system is left alone.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SILENT:

# The first Python on the path that is new enough; `make PYTHON=/path/to/python3 …` names another.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v "$$name" && break; done)
NEW_PYTHON = $(or $(PYTHON),$(error Python 3.11 or newer is needed. Install it, or name it: make PYTHON=/path/to/python3))

UV := $(or $(shell command -v uv 2>/dev/null),.uv/bin/uv)
SYNC = UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON_DOWNLOADS=never $(UV) sync --quiet --frozen --inexact --compile-bytecode --python '$(NEW_PYTHON)'
LOCKED := uv.lock pyproject.toml

run: .venv/ready-to-run ## Start the service: database, API and worker. Ctrl-C stops it
	exec .venv/bin/signoff serve

setup: .venv/ready-to-develop ## Install everything, with the tools for development, into .venv
	echo "Ready: .venv/bin/signoff"

test: .venv/ready-to-develop ## Run all tests
	.venv/bin/pytest -n auto --dist worksteal

check: .venv/ready-to-develop ## Check style, types, and which part imports which
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/pyright
	.venv/bin/lint-imports --no-logo

bench: .venv/ready-to-develop ## Measure the speed, side by side; takes twenty minutes and wants a quiet machine
	.venv/bin/python -m bench

clean: ## Remove what was installed, and what the tools left; data stays
	rm -rf .venv .uv .hypothesis .import_linter_cache .pytest_cache .ruff_cache .schemathesis build dist
	find src tests -name __pycache__ -prune -exec rm -rf {} +

help: ## Show this list
	awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv/ready-to-run: $(LOCKED) | $(UV)
	echo "Installing …"
	$(SYNC) --no-dev
	touch $@

.venv/ready-to-develop: $(LOCKED) | $(UV)
	echo "Installing …"
	$(SYNC)
	touch .venv/ready-to-run $@

.uv/bin/uv:
	'$(NEW_PYTHON)' -m venv .uv || { echo "Python's venv module is needed (on Debian: apt install python3-venv), or uv." >&2; exit 1; }
	.uv/bin/python -m pip install --quiet --disable-pip-version-check uv

.PHONY: run setup test check bench clean help
