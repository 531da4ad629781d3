# The commands of the project. `make run` and `make test` need only Python 3.11 or later.
# Everything that they install goes into .venv, node_modules and .local.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PORT ?= 8000
BIND ?= 127.0.0.1
BIN := .venv/bin
export PORT BIND
# Tests that start neither a browser nor a server; of these, tests without a database.
QUICK := not slow and not browser and not servers
UNIT := $(QUICK) and not django_db
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# The quick tests hardly wait: a second worker per core would only collect all tests once more.
QUICK_WORKERS := $(or $(WORKERS),$(CORES))
# Two workers per core and one more, since many tests wait. A file's tests stay together; the longest come first.
WORKERS ?= $(shell expr 2 '*' $(CORES) + 1)
BY_FILE := --dist loadfile --no-loadscope-reorder
PARALLEL = -n $(WORKERS) $(BY_FILE)
PARALLEL_QUICK = -n $(QUICK_WORKERS) $(BY_FILE)
LOCK = $(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
# If this were set, every process would compile every module that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run venv kernels collected prepared browsers test test-modules test-site test-unit test-quick test-postgres test-random check check-format check-code check-types check-layers \
  check-templates check-prose check-migrations node-modules check-browser check-browser-types check-bundle mutation puzzles bundle fmt bench bench-calibration bench-client bench-endgames bench-exams bench-explorer bench-fair bench-fuzz bench-history bench-ladder bench-load bench-memory bench-proxies bench-ratings bench-return bench-review bench-tournaments lighthouse other-browsers lock messages protocol counts words screenshots clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

.venv/.installed-run: requirements-image.lock scripts/venv.sh
	@scripts/venv.sh run

.venv/.compiled: .venv/.installed-run scripts/kernels.lock scripts/kernels.json $(wildcard games/analysis/kernels/*.py)
	@scripts/compile_kernels.sh || [ $$? -eq 3 ]

.venv/.installed-dev: requirements-dev.lock scripts/redis.lock scripts/venv.sh
	@scripts/venv.sh dev

venv: .venv/.installed-dev ## Install everything that developers need into .venv

lock: .venv/.installed-dev ## Update the lock files from pyproject.toml
	$(LOCK) --group numba pyproject.toml -o requirements.lock
	$(LOCK) -c requirements.lock pyproject.toml -o requirements-image.lock
	$(LOCK) --group numba --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	$(LOCK) --no-deps --group kernels -c requirements-dev.lock -o scripts/kernels.lock
	$(LOCK) --no-deps --group redis -o scripts/redis.lock
	$(LOCK) --no-deps --group node -o scripts/node.lock

run: .venv/.compiled ## Start the site at http://localhost:8000 (or another port: PORT=8123 make run)
	@exec $(BIN)/python -m cribbage_site.serve

test: test-modules test-site ## Run all tests, with real browsers, databases and servers

test-modules: .venv/.installed-dev
	@scripts/node.sh --test

# Once for all workers: each would spend a minute on compiling the same loops. Two seconds afterwards.
kernels: .venv/.installed-dev ## Compile the loops of the strongest computers
	@$(BIN)/python -m games.bots.warmup

# The same for the modules of tests, which each worker of a fresh clone would compile.
collected: .venv/.installed-dev
	@$(BIN)/pytest -qq --collect-only > .local/collected.txt || cat .local/collected.txt

# And what the first tests would make while the others wait. It is kept for a day.
prepared: .venv/.installed-dev
	@$(BIN)/python -m tests.support.prepare

browsers: .venv/.installed-dev ## Install Chromium and the proxies for the tests
	@$(BIN)/python -m scripts.chromium
	@$(BIN)/python -m scripts.proxies

test-site: .venv/.installed-dev kernels browsers
	$(BIN)/pytest $(PARALLEL) --durations=30

test-unit: .venv/.installed-dev kernels ## Run the unit tests: no database, no browser, no server
	$(BIN)/pytest -q $(PARALLEL_QUICK) -m "$(UNIT)"

test-quick: .venv/.installed-dev kernels ## Run the quick tests: no browser, no server
	$(BIN)/pytest -q $(PARALLEL_QUICK) -m "$(QUICK)"

test-postgres: .venv/.installed-dev ## Run the quick tests on PostgreSQL
	$(BIN)/python -m tests.support.on_postgres -q $(PARALLEL_QUICK) -m "$(QUICK) and django_db"

test-random: .venv/.installed-dev kernels browsers ## Run all tests in a random order, and print its seed
	$(BIN)/pytest $(PARALLEL) -p randomly

check: check-format check-code check-types check-layers check-templates check-prose check-migrations check-browser check-browser-types check-bundle ## Run all linters

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

check-prose: .venv/.installed-dev
	DJANGO_SETTINGS_MODULE=cribbage_site.settings $(BIN)/python -m scripts.prose

check-migrations: .venv/.installed-dev
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m scripts.fold_migrations --check

# Before the three that need it, so that they may run at once.
node-modules: .venv/.installed-dev
	@scripts/node.sh install

check-browser: node-modules
	@scripts/node.sh biome ci

check-browser-types: node-modules
	@scripts/node.sh types

check-bundle: node-modules
	@scripts/node.sh bundle-check

puzzles: .venv/.installed-dev kernels ## Make the rated puzzles from simulated games (about an hour on two shared cores)
	$(BIN)/python manage.py make_puzzles --number 10000 --seed 16
	$(BIN)/python manage.py make_puzzles --number 200 --seed 17 --add

bundle: ## Rebuild static/dist: the bundled scripts and styles that a public site serves
	@scripts/node.sh bundle

fmt: .venv/.installed-dev ## Format code and templates
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	-$(BIN)/djade --target-version 5.2 $$(git ls-files 'templates/*.html')
	@scripts/node.sh biome format --write

bench: .venv/.installed-dev ## Measure speed, and write a dated file into docs/results: engine, sockets, restarts, kills
	$(BIN)/python -m benchmarks

bench-endgames: .venv/.installed-dev ## Print what each computer loses in solved endgames
	$(BIN)/python -m benchmarks.endgames

bench-exams: .venv/.installed-dev ## Print the share of each computer's games that would pass the courses' exams (a few minutes)
	$(BIN)/python -m benchmarks.exams

bench-explorer: .venv/.installed-dev ## Measure the explorer with five million hands, on both databases (about ten minutes)
	$(BIN)/python -m benchmarks.explorer

bench-fair: .venv/.installed-dev ## Simulate cheats with several identities: known cards, fields, waits, false alarms
	$(BIN)/python -m benchmarks.adversary

bench-fuzz: .venv/.installed-dev ## Send a million hostile messages through parser and engine (about eight minutes)
	$(BIN)/python -m benchmarks.fuzz

bench-history: .venv/.installed-dev ## Measure long lists of matches, on both databases
	$(BIN)/python -m benchmarks.history

bench-ladder: .venv/.installed-dev ## Print the ratings of the computers from stored games among themselves
	$(BIN)/python -m benchmarks.ratings.ladder

bench-load: .venv/.installed-dev ## Play whole games under load: many tables, watchers and computers (about ten minutes)
	$(BIN)/python -m benchmarks.load

bench-memory: .venv/.installed-dev ## Play whole games for an hour and a half, and print the curve of memory
	$(BIN)/python -m benchmarks.memory

bench-proxies: .venv/.installed-dev ## Measure restarts, kills and hung processes behind nginx and Caddy
	@$(BIN)/python -m scripts.proxies
	$(BIN)/python -m benchmarks.proxies

bench-ratings: .venv/.installed-dev ## Measure the rating model on simulated leagues
	$(BIN)/python -m benchmarks.ratings

bench-return: .venv/.installed-dev ## Measure the way back of 5,000 sockets after a restart
	$(BIN)/python -m benchmarks.returning --sockets 5000

bench-tournaments: .venv/.installed-dev ## Measure tournaments: an event of 1,000 computers, and which format finds the best player
	$(BIN)/python -m benchmarks.tournaments.event
	$(BIN)/python -m benchmarks.tournaments.live
	$(BIN)/python -m benchmarks.tournaments.polls
	$(BIN)/python -m benchmarks.tournaments.fairness

bench-calibration: .venv/.installed-dev ## Compare what verdicts say with what the better choices gain (about ten minutes)
	$(BIN)/python -m benchmarks.calibration

bench-review: .venv/.installed-dev ## Measure reviews: the times to the first and to the last verdict, and errors with three seats
	$(BIN)/python -m benchmarks.review
	$(BIN)/python -m benchmarks.review_errors

mutation: .venv/.installed-dev ## Run a sample of mutants against the tests of their packages (about half an hour)
	$(BIN)/python -m scripts.mutation

bench-client: .venv/.installed-dev ## Measure the table in a browser: bytes, time until ready, frames, Lighthouse scores
	@$(BIN)/python -m scripts.chromium
	$(BIN)/python -m benchmarks.client

lighthouse: .venv/.installed-dev ## Print the Lighthouse scores of eight pages of a public site
	@$(BIN)/python -m scripts.chromium
	$(BIN)/python -m benchmarks.client --audit

other-browsers: .venv/.installed-dev ## Play a game and open pages in Firefox and in WebKit, Safari's engine
	$(BIN)/python -m benchmarks.other_browsers

protocol: .venv/.installed-dev ## Regenerate the tables of docs/protocol.md and the browser's message types
	DJANGO_SETTINGS_MODULE=cribbage_site.settings $(BIN)/python -m scripts.protocol

counts: .venv/.installed-dev ## Regenerate the browser's words of counts and cards
	DJANGO_SETTINGS_MODULE=cribbage_site.settings $(BIN)/python -m scripts.count_table

messages: .venv/.installed-dev ## Gather the site's texts into locale/, and compile them (needs GNU gettext)
	DJANGO_SETTINGS_MODULE=cribbage_site.settings $(BIN)/python -m scripts.messages

words: .venv/.installed-dev ## Compile the translations in locale/ (needs only Python)
	$(BIN)/python -m scripts.messages compile

screenshots: .venv/.installed-dev ## Take the screenshots in docs/ from real pages
	@$(BIN)/python -m scripts.chromium
	$(BIN)/python -m scripts.screenshots

clean: ## Remove caches and everything that make installed, but not the database
	rm -rf .venv node_modules staticfiles .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
