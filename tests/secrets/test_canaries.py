"""No role, order, tag or word of a mail stands in a log, an error, `pbem status` or the metrics, whatever goes wrong.

Whole games are played by mail. Everything that was secret in them is looked for in everything that a host may see.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from pbem import resources
from pbem.app import metrics
from pbem.app.status import gather
from pbem.cli import logs, main
from pbem.demo.play import VILLAGERS
from pbem.engine.roles import ADMIN_LEXICON, LEXICON, ROSTER
from pbem.letters.scribe import Scribe
from pbem.store import schema
from tests.torture.rack import Rack, drain, every
from tests.torture.story import tell
from tests.torture.town import Plan, Program, Town

_TAGS = sa.select(schema.tags.c.tag)
_CODES = sa.select(schema.held.c.code)
WORDS = re.compile(r"\w[\w’'-]*")
TOO_COMMON = {"LOG", "PAUSE", "RELEASE", "HOLD", "OPEN", "CLOSE", "STATUS", "HELP", "MAIL", "START", "RULES", "WATCH"}
"""Words of command that are also words of the program's own; they tell nothing about a game."""


class Canaries:
    """What was secret in a town's game."""

    def __init__(self, town, story):
        self.phrases = {line.strip() for step in story.steps for line in f"{step.subject}\n{step.body}".splitlines()}
        self.phrases |= {
            line.strip() for step in story.steps for line in step.raw.decode("utf-8", "replace").splitlines()
        }
        self.phrases = {phrase for phrase in self.phrases if len(phrase) > 6 and not phrase.startswith("--")}
        with town.store.read() as tx:
            self.tags = {row.tag for row in tx._all(_TAGS)} | {row.code for row in tx._all(_CODES)}
        scribe = Scribe([resources.templates_dir()])
        self.words = {slug.casefold() for slug in ROSTER} | {name.casefold() for name, _ in VILLAGERS}
        for language in ("fr", "en"):
            cards = scribe.press.room(language).cards
            self.words |= {cards(slug, gender).name.casefold() for slug in ROSTER for gender in "mf"}
        self.verbs = {word for verb in (*LEXICON, *ADMIN_LEXICON) for word in (verb.name, *verb.french)} - TOO_COMMON

    def found_in(self, text):
        words = set(WORDS.findall(text))
        folded = {word.casefold() for word in words}
        found = [phrase for phrase in self.phrases if phrase in text]
        found += [tag for tag in self.tags if tag in text]
        found += sorted(self.words & folded)
        found += sorted(word for word in self.words if " " in word and word in text.casefold())
        return found + sorted(self.verbs & words)


def visible(town, program, capsys):
    """{where: what a host can see there}"""
    seen = {"the log": program.log.read_text()}
    with town.store.read() as tx:
        status = gather(tx, datetime.now(UTC))
        seen["letters' errors"] = "\n".join(row.error for row in tx.letters())
        seen["why mails were put aside"] = "\n".join(row.why for row in tx.quarantined())
    seen["metrics"] = metrics.text(status)
    for words in (["status"], ["status", "--json"], ["game", "list"], ["game", "list", "--json"]):
        with pytest.raises(SystemExit):
            main([*words, "--config", str(town.config)])
        told = capsys.readouterr()
        seen[" ".join(words)] = told.out + told.err
    return seen


@pytest.fixture(scope="session")
def stories(tmp_path_factory):
    rack = Rack(tmp_path_factory.mktemp("stories"), lambda _line: None)
    return {spice: rack.record(f"canary{spice}", 5, spice=spice)[0] for spice in (False, True)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plan", "spice", "options"),
    [
        (Plan("quiet", loud=True), False, {"embedded": True}),
        (Plan("killed", every(0.004), loud=True), True, {"faults": 0.05}),
        (Plan("stumbling", loud=True, sabotage="stumble"), True, {}),
    ],
    ids=lambda value: getattr(value, "seed", ""),
)
def test_nothing_that_a_host_sees_tells_a_secret(tmp_path, stories, capsys, plan, spice, options):
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # the harness' own
    story = stories[spice]
    town = Town(tmp_path / "town", seed=f"canary{spice}", **options)
    program = Program(town, plan)
    try:
        town.open_game()
        tell(town, program, story)
        drain(town, program)
        program.stop()
        canaries = Canaries(town, story)
        seen = visible(town, program, capsys)
    finally:
        program.close()
        town.close()
    assert len(canaries.phrases) > 20
    assert len(canaries.tags) >= 5
    assert "read 1 mail(s)" in seen["the log"]
    if plan.sabotage:
        for words in (
            "a mail was put aside: ValueError",
            "KeyError",
            "the thread Thread-",
            "an error in passing",
            "RuntimeError in",
        ):
            assert words in seen["the log"]
    assert {where: found for where, text in seen.items() if (found := canaries.found_in(text))} == {}


@pytest.fixture
def record():
    def make(name, message, *arguments, error=None):
        info = (type(error), error, error.__traceback__) if error else None
        return logging.LogRecord(name, logging.ERROR, "/usr/lib/python3/x.py", 7, message, arguments, info)

    return make


def _fault():
    try:
        int("canary")
    except ValueError as error:
        return error


@pytest.mark.parametrize("form", [logs.Text("%(message)s"), logs.JsonLines()], ids=["text", "json"])
def test_errors_are_told_without_their_text_and_others_words_not_at_all(form, record, monkeypatch):
    monkeypatch.delenv("PBEM_DEBUG", raising=False)
    ours = form.format(record("pbem.app.reader", "read %d mail(s)", 3, error=_fault()))
    theirs = form.format(record("imapclient", "< %s", "canary", error=_fault()))
    assert "read 3 mail(s)" in ours
    assert "ValueError" in ours
    assert "imapclient at x.py:7" in theirs
    assert "canary" not in ours + theirs


def test_a_host_who_must_see_everything_says_so(record, monkeypatch):
    monkeypatch.setenv("PBEM_DEBUG", "1")
    assert "canary" in logs.Text("%(message)s").format(record("imapclient", "< %s", "canary", error=_fault()))


def test_canaries_are_found(tmp_path):
    """The search itself."""
    canaries = Canaries.__new__(Canaries)
    canaries.phrases, canaries.tags, canaries.words, canaries.verbs = {"Je dormais."}, {"k7f3q9"}, {"seer"}, {"VOTER"}
    for text in ("x Je dormais. y", "lune+k7f3q9@", "the Seer sees", "VOTER Alice"):
        assert canaries.found_in(text)
    assert canaries.found_in(json.dumps({"read": 1, "overseer": 2, "vote": "voter"})) == []
