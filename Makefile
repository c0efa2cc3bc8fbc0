# Pleine Lune. `make help` lists what can be done here; everything works in a fresh clone with Python 3.11 or newer.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# More or other options for pytest: make test PYTEST_ARGS="-k votes"
PYTEST_ARGS ?= -n auto
# Where the program works on a store; other tests need none, or are about SQLite's file.
ON_POSTGRES := tests/app tests/rehearsal $(addprefix tests/daemon/,test_daemon.py test_deadlines.py test_reader.py test_sending.py)
INSTALL := $(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes
# The lock must name no local index or folder of wheels, whatever pip is set up with here.
COMPILE := PIP_CONFIG_FILE=/dev/null PIP_FIND_LINKS= $(BIN)/python -m piptools compile --quiet --generate-hashes \
	--allow-unsafe --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
	--annotation-style=line $(if $(UPGRADE),--upgrade)

.DEFAULT_GOAL := help
.PHONY: help setup setup-run test test-dovecot test-postgres test-chromium demo torture fuzz bench rehearse rules lint format types contracts \
	lock docs pictures wheel clean

help: ## List the targets
	@echo 'Pleine Lune: a werewolf game played by e-mail. make …'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 18

setup: $(VENV)/.dev-stamp ## Make .venv with everything, by the lock (the other targets do it themselves)
setup-run: $(VENV)/.run-stamp ## Make .venv with what the program needs to run

demo: setup-run ## Watch a whole game played by bots over real mail, in under a minute (SEED=… repeats one)
	$(BIN)/pbem demo $(if $(SEED),--seed $(SEED))

test: setup ## Run all tests that need no server from outside
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m 'not dovecot and not postgres and not chromium'
	@echo
	@echo 'Left out, because they need a program of Debian (.ci/run installs it and runs them):'
	@echo '  dovecot   the mailbox reader against a real IMAP server   make test-dovecot   (dovecot-imapd; dovecot-lmtpd, postfix)'
	@echo '  postgres  the store on PostgreSQL                         make test-postgres  (postgresql)'
	@echo '  chromium  letters and archive as a browser shows them     make test-chromium  (chromium, default-jre-headless)'

test-dovecot: setup ## Run the tests that need Debian's dovecot-imapd
	$(BIN)/python -m pytest -m dovecot

test-postgres: setup ## Run the tests that need Debian's postgresql, and on it those that else keep games in SQLite
	$(BIN)/python -m pytest -m postgres
	$(BIN)/python -m pytest $(PYTEST_ARGS) --on-postgres -m 'not dovecot and not postgres and not chromium' $(ON_POSTGRES)

test-chromium: setup ## Run the tests that need Debian's chromium and default-jre-headless
	$(BIN)/python -m pytest -m chromium

torture: setup ## Kill and disturb the program all through whole games, and see that nothing is lost (QUICK=1, SEED=…)
	$(BIN)/python -m tests.torture $(if $(QUICK),--quick) $(if $(SEED),--seed $(SEED))

bench: setup ## Measure what the program costs (PARTS="engine latency …"; most parts need Debian's dovecot-imapd)
	$(BIN)/python -m bench $(PARTS)

fuzz: setup ## Change our own mails at random, read them and send them into a game: nothing raises, no order is made up (SEED=…)
	$(BIN)/python -m tests.fuzz.fuzz_mails $(if $(SEED),--seed $(SEED)) $(FUZZ_ARGS)

rehearse: setup-run ## Play scenario files (FILES=…, default: the project's own)
	$(BIN)/pbem rehearse $(or $(FILES),$(wildcard tests/scenarios/*.yaml tests/scenarios/*/*.yaml))

rules: setup ## Print which tests show which rule; a rule that none shows is an error
	$(BIN)/python tools/rules_table.py

lint: setup ## Check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: setup ## Put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: setup ## Check types
	$(BIN)/python -m mypy

contracts: setup ## Check who imports whom
	$(BIN)/lint-imports --no-logo

docs: setup ## Build the pages (build/docs), and find links that lead nowhere
	$(BIN)/python docs/build.py

pictures: setup-run ## Take the README's pictures anew (needs Debian's chromium)
	$(BIN)/python docs/pictures.py

wheel: setup ## Build dist/*.whl
	$(BIN)/python -m build --no-isolation --wheel

lock: setup ## Renew the locks from pyproject.toml (UPGRADE=1: with the newest versions)
	$(COMPILE) --output-file=requirements-build.lock requirements-build.in
	$(COMPILE) --constraint=requirements-build.lock --output-file=requirements.lock pyproject.toml
	$(COMPILE) --constraint=requirements-build.lock --constraint=requirements.lock --extra=dev \
		--output-file=requirements-dev.lock pyproject.toml

clean: ## Remove what was built here
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# ---- the virtual environment

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo; \
		echo 'Pleine Lune needs Python 3.11 or newer; $(PYTHON) is' "$$($(PYTHON) --version 2>&1)."; \
		echo 'On Debian: apt-get install python3 python3-venv   (or: make PYTHON=/path/to/python3.12 …)'; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo; \
		echo 'This Python cannot make virtual environments. On Debian: apt-get install python3-venv'; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-stamp: $(VENV)/pyvenv.cfg requirements-build.lock requirements.lock pyproject.toml
	$(INSTALL) --only-binary :all: --requirement requirements-build.lock
	$(INSTALL) --no-build-isolation --requirement requirements.lock
	$(BIN)/python -m pip --disable-pip-version-check --quiet install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev-stamp: $(VENV)/.run-stamp requirements-dev.lock
	$(INSTALL) --no-build-isolation --requirement requirements-dev.lock
	@touch $@
