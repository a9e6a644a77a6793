# Needs make and Python 3.11 or newer. Everything else is installed into this folder; the system stays unchanged.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SILENT:

# The first Python on the PATH that is new enough. It's resolved to the real binary, because uv would recreate .venv each
# time for a shim. To use another one: `make PYTHON=/path/to/python3 …`.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$name" -c 'import sys; sys.version_info < (3, 11) and sys.exit(1); print(sys.executable)' 2>/dev/null && break; done)
NEW_PYTHON = $(or $(PYTHON),$(error Python 3.11 or newer is needed. Install it, or name it: make PYTHON=/path/to/python3))

UV := $(or $(shell command -v uv 2>/dev/null),.uv/bin/uv)
SYNC = UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON_DOWNLOADS=never $(UV) sync --quiet --frozen --inexact --compile-bytecode --python '$(NEW_PYTHON)'
LOCKED := uv.lock pyproject.toml

# Node.js builds the web app; if the machine has none that is new enough, one is installed from a wheel into .venv.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Otherwise each of our processes would compile every module again, which takes longer than the rest of its start.
unexport PYTHONDONTWRITEBYTECODE
HAS_NODE := $(shell node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)' 2>/dev/null && command -v npm)
WEB_APP := src/signoff/pages/app/index.html
WEB_SOURCES := $(shell find web/src web/public web/index.html web/*.json web/*.ts -type f)

run: .venv/ready-to-run $(WEB_APP) ## Start the service: database, API, and worker. Stop it with Ctrl-C
	exec .venv/bin/signoff serve

setup: .venv/ready-to-develop $(WEB_APP) ## Install everything, including development tools, into .venv
	echo "Ready: .venv/bin/signoff"

PYTEST = .venv/bin/pytest -n auto --dist loadfile
READY_TO_TEST = .venv/ready-to-develop $(WEB_APP) .venv/chromium
test: $(READY_TO_TEST) ## Run the fast tests, or only one part's with PART=webhooks
ifdef PART
	$(PYTEST) tests/$(PART)
else
	$(MAKE) --no-print-directory --jobs test-web test-python
endif

test-all: $(READY_TO_TEST) ## Run all tests, including the slow ones, and a chaos run of three minutes
	$(MAKE) --no-print-directory --jobs test-web test-python THOROUGH="-m '' --hypothesis-profile=thorough"
	.venv/bin/python -m chaos --minutes 3

test-python:
	$(PYTEST) $(THOROUGH)

# Runs alongside the other tests, so its output is only shown if it fails.
test-web:
	cd web && npm test --silent > ../.venv/web-tests.txt 2>&1 || { cat ../.venv/web-tests.txt; exit 1; }

CHECKS := check-style check-types check-imports check-web-style check-web-types check-messages check-prose check-schema check-openapi check-audit
check: .venv/ready-to-develop web/node_modules/.ready ## Check style, types, imports between parts, generated files, and known vulnerabilities
	$(MAKE) --no-print-directory --jobs --output-sync=target $(CHECKS)

check-style:
	.venv/bin/ruff check --quiet
	.venv/bin/ruff format --check --quiet

check-types:
	.venv/bin/pyright

check-imports:
	.venv/bin/lint-imports --no-logo > .venv/imports.txt || { cat .venv/imports.txt; exit 1; }

check-web-style:
	cd web && npm run check:style --silent

check-web-types:
	cd web && npm run check:types --silent

# Extracts the web app's messages next to the catalogs, which must have exactly the messages in the code.
check-messages: .venv/messages.pot
	rm -rf .venv/messages && cp -r web/src/locales .venv/messages
	cd web && CATALOGS=$(CURDIR)/.venv/messages npm run extract --silent > ../.venv/messages.txt 2>&1 || { cat ../.venv/messages.txt; exit 1; }
	diff -r web/src/locales .venv/messages || { echo "web/src/locales is out of date: run make messages" >&2; exit 1; }
	rm -rf .venv/service-messages && cp -r src/signoff/locales .venv/service-messages
	$(call UPDATE_CATALOGS,.venv/service-messages)
	diff -r src/signoff/locales .venv/service-messages || { echo "src/signoff/locales is out of date: run make messages" >&2; exit 1; }

# Words and phrases that our texts don't use: catalogs, documentation, command line, settings, API reference.
check-prose: .venv/messages.pot .venv/openapi.json
	.venv/bin/python -m prose --openapi .venv/openapi.json --messages .venv/messages.pot

SERVER_LOCALES := ar de es fr ja pt_BR zh_Hans
UPDATE_CATALOGS = for locale in $(SERVER_LOCALES); do \
	.venv/bin/pybabel --quiet update -i .venv/messages.pot -l $$locale -o $(1)/$$(echo $$locale | tr _ -).po \
		--init-missing --ignore-obsolete --no-fuzzy-matching --no-wrap --ignore-pot-creation-date || exit 1; done

.venv/messages.pot: .venv/ready-to-develop babel.cfg $(shell find src/signoff -name '*.py' -o -path '*/templates/*' -type f)
	cd src && ../.venv/bin/pybabel --quiet extract -F ../babel.cfg --no-default-keywords -k msg -k msgs:1,2 -k pgettext:1c,2 --no-location \
		--sort-output --no-wrap --project Signoff --version "" --copyright-holder "the Signoff authors" -o ../$@ .

API_TYPES := schema.d.ts field-types.ts field-settings.ts
check-schema: .venv/schema.d.ts
	for file in $(API_TYPES); do cmp .venv/$$file web/src/api/$$file || { echo "web/src/api/$$file is out of date: run make types" >&2; exit 1; }; done

# Runs when the document has changed. The setting disables Redocly's telemetry and its requests to other hosts.
check-openapi: .venv/openapi.checked ## Check the OpenAPI document with openapi-spec-validator, Spectral and Redocly
.venv/openapi.checked: .venv/openapi.json web/spectral.yaml web/node_modules/.ready
	.venv/bin/openapi-spec-validator $<
	web/node_modules/.bin/spectral lint --quiet --fail-severity=error --display-only-failures --ruleset web/spectral.yaml $<
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true web/node_modules/.bin/redocly lint $< --format=summary
	touch $@

check-audit:
	.venv/bin/python -m audit --uv $(UV) --unreachable-is-fine

# An unchanged document keeps its modification time, so that nothing generated from it is rebuilt.
.venv/openapi.json: .venv/ready-to-develop $(shell find src/signoff -name '*.py')
	.venv/bin/signoff openapi > $@.new
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.venv/schema.d.ts: .venv/openapi.json web/write-field-types.ts web/node_modules/.ready
	node web/write-field-types.ts $< .venv
	web/node_modules/.bin/openapi-typescript $< -o $@ > /dev/null

audit: .venv/ready-to-develop web/node_modules/.ready ## Check dependencies for known vulnerabilities; fails if that isn't possible
	.venv/bin/python -m audit --uv $(UV)

docs: .venv/ready-to-develop ## Build the documentation as a site into build/docs
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build

web: $(WEB_APP) ## Build the web app into the package

messages: web/node_modules/.ready .venv/messages.pot ## Update the message catalogs of the web app and the service from the code
	cd web && npm run extract --silent
	$(call UPDATE_CATALOGS,src/signoff/locales)

types: .venv/schema.d.ts ## Generate the web app's types and field types from the OpenAPI document
	cp $(API_TYPES:%=.venv/%) web/src/api

screenshots: .venv/ready-to-develop $(WEB_APP) .venv/chromium ## Take the screenshots of the docs
	PYTHONPATH=tests .venv/bin/python -m screenshots

bench: .venv/ready-to-develop ## Run the benchmarks; takes an hour and needs an idle machine. PEERS=1 adds Label Studio
	.venv/bin/python -m bench $(if $(PEERS),--peers)

MINUTES := 5
chaos: .venv/ready-to-develop ## Run a cluster with injected failures for MINUTES (5), and check that nothing is lost
	.venv/bin/python -m chaos --minutes $(MINUTES)

mutations: .venv/ready-to-develop ## Check that the chaos run detects bugs: inject them into the service one by one
	.venv/bin/python -m chaos --mutations

# In an environment of its own: one of its packages renames our processes.
MUTMUT = $(UV) run --quiet --isolated --frozen --group mutants mutmut
mutants: .venv/ready-to-develop ## Run mutation tests on pure functions, and show how many mutants the tests find
	rm -rf mutants
	$(MUTMUT) run > .venv/mutants.txt || { tail -40 .venv/mutants.txt; exit 1; }
	$(MUTMUT) export-cicd-stats > /dev/null
	.venv/bin/python tests/support/mutants.py

clean: ## Remove installed packages and generated files; data stays
	rm -rf .venv .uv web/node_modules src/signoff/pages/app .hypothesis .import_linter_cache .pytest_cache .ruff_cache mutants .schemathesis build dist
	find src tests -name __pycache__ -prune -exec rm -rf {} +

help: ## Show this list
	awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv/ready-to-run: $(LOCKED) | $(UV)
	echo "Installing …"
	$(SYNC) --no-dev
	touch $@

.venv/ready-to-develop: $(LOCKED) | $(UV)
	echo "Installing …"
	$(SYNC)
	touch .venv/ready-to-run $@

$(WEB_APP): web/node_modules/.ready $(WEB_SOURCES)
	echo "Building the web app …"
	cd web && npm run build --silent -- --logLevel warn

# Not `npm ci`: it refuses a lock file without the binaries of every platform.
web/node_modules/.ready: web/package-lock.json | .venv/ready-to-run
	$(if $(HAS_NODE),,echo "Installing Node.js …" && $(SYNC) --no-dev --group node)
	cd web && npm install --no-save --silent --no-fund --no-audit
	touch $@

.venv/chromium: .venv/ready-to-develop
	.venv/bin/python tests/support/chromium.py > $@

.uv/bin/uv:
	'$(NEW_PYTHON)' -m venv .uv || { echo "Python's venv module is needed (on Debian: apt install python3-venv), or uv." >&2; exit 1; }
	.uv/bin/python -m pip install --quiet --disable-pip-version-check uv

.PHONY: run setup test test-python test-web test-all check $(CHECKS) audit docs web messages types screenshots bench chaos mutations mutants clean help
