# The commands of the project. `make run` and `make test` need nothing but Python 3.11 or later.
# What they install goes below .venv, node_modules and .local, and nowhere else.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PORT ?= 8000
BIND ?= 127.0.0.1
BIN := .venv/bin
export PORT BIND
# Tests without browsers and servers, that need no machine for themselves: as many at once as it has cores.
QUICK := not slow and not browser and not servers
PARALLEL := -n auto --dist loadfile

.PHONY: help run venv test test-modules test-site test-unit check check-format check-code check-types check-layers \
  check-templates check-migrations check-browser check-bundle bundle fmt bench bench-client bench-fuzz bench-history bench-load bench-ratings bench-review lock messages words screenshots clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

.venv/.installed-run: requirements.lock scripts/venv.sh
	@scripts/venv.sh run

.venv/.installed-dev: requirements-dev.lock scripts/venv.sh
	@scripts/venv.sh dev

venv: .venv/.installed-dev ## Install everything a developer needs into .venv

lock: .venv/.installed-dev ## Write both lock files anew from pyproject.toml
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock

run: .venv/.installed-run ## Start the site at http://localhost:8000 (PORT=8123 make run takes another port)
	@exec $(BIN)/python -m cribbage_site.serve

test: test-modules test-site ## Run all tests, with real browsers, databases and servers

test-modules:
	@scripts/node.sh --test

test-site: .venv/.installed-dev
	@$(BIN)/python -m scripts.chromium
	@failed=0; \
	  $(BIN)/pytest $(PARALLEL) -m "$(QUICK)" || failed=1; \
	  $(BIN)/pytest -m "not ($(QUICK))" || failed=1; \
	  exit $$failed

test-unit: .venv/.installed-dev ## Run the quick tests: no browser, no server
	$(BIN)/pytest -q $(PARALLEL) -m "$(QUICK)"

check: check-format check-code check-types check-layers check-templates check-migrations check-browser check-bundle ## Run all linters

check-format: .venv/.installed-dev
	$(BIN)/ruff format --check .

check-code: .venv/.installed-dev
	$(BIN)/ruff check .

check-types: .venv/.installed-dev
	$(BIN)/mypy

check-layers: .venv/.installed-dev
	$(BIN)/lint-imports

check-templates: .venv/.installed-dev
	$(BIN)/djade --check --target-version 5.2 $$(git ls-files 'templates/*.html')
	$(BIN)/djlint --lint --quiet templates

check-migrations: .venv/.installed-dev
	$(BIN)/python manage.py makemigrations --check --dry-run

check-browser:
	@scripts/node.sh biome ci

check-bundle:
	@scripts/node.sh bundle-check

bundle: ## Make static/dist anew: what a public site serves of the pages with many modules
	@scripts/node.sh bundle

fmt: .venv/.installed-dev ## Format code and templates
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	-$(BIN)/djade --target-version 5.2 $$(git ls-files 'templates/*.html')
	@scripts/node.sh biome format --write

bench: .venv/.installed-dev ## Measure speed: engine, analysis, store, sockets, killed servers
	$(BIN)/python -m benchmarks

bench-fuzz: .venv/.installed-dev ## Send a million hostile messages through parser and engine (about eight minutes)
	$(BIN)/python -m benchmarks.fuzz

bench-history: .venv/.installed-dev ## Measure lists of matches with many of them, on both databases
	$(BIN)/python -m benchmarks.history

bench-load: .venv/.installed-dev ## Play whole games under load: many tables, watchers, computers (about ten minutes)
	$(BIN)/python -m benchmarks.load

bench-ratings: .venv/.installed-dev ## Measure the rating model on simulated leagues
	$(BIN)/python -m benchmarks.ratings

bench-review: .venv/.installed-dev ## Measure reviews: the time to the first verdict, and to the last
	$(BIN)/python -m benchmarks.review

bench-client: .venv/.installed-dev ## Measure the table in a browser: bytes, time until ready, frames, marks of Lighthouse
	@$(BIN)/python -m scripts.chromium
	$(BIN)/python -m benchmarks.client

messages: .venv/.installed-dev ## Gather the texts that players read into locale/, and compile them (needs GNU gettext)
	DJANGO_SETTINGS_MODULE=cribbage_site.settings $(BIN)/python -m scripts.messages

words: .venv/.installed-dev ## Compile the translations in locale/, which needs nothing but Python
	$(BIN)/python -m scripts.messages compile

screenshots: .venv/.installed-dev ## Take the pictures of docs/ from real pages
	@$(BIN)/python -m scripts.chromium
	$(BIN)/python -m scripts.screenshots

clean: ## Remove what make installed and the caches; the database stays
	rm -rf .venv node_modules staticfiles .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
