"""The storyteller's book is true: each mail that stands there is sent, in order, and every one is accepted; and it shows
every command of his table (MAIL.md § 3).
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
import yaml

from pbem.engine.roles import ADMIN_LEXICON
from pbem.rehearsal import rehearse
from pbem.rehearsal.runner import HELD
from tests.docs.pages import ROOT, blocks

LANGUAGES = ("en", "fr")
DAYS = {"lun": "mon", "mar": "tue", "mer": "wed", "jeu": "thu", "ven": "fri", "sam": "sat", "dim": "sun"}
PLAYERS = ["Alice", "Bruno", "Chloé", "David", "Émile", "Fanny", "Gaël", "Hugo"]


def book(language):
    return ROOT / "docs" / f"storyteller.{language}.md"


def mails(language):
    return [block for block in blocks(book(language)) if block.kind == "mail"]


def heads(block):
    """Its header lines, by name, and its body."""
    head, _, body = block.text.partition("\n\n")
    return dict(line.split(": ", 1) for line in head.splitlines()), body.strip()


def scenario(language):
    """The page as a scenario: its mails, and what the comments between them say that happens."""
    steps = []
    for block in blocks(book(language)):
        if block.kind == "mail":
            steps.append(_mail(*heads(block)))
        elif block.kind == "comment":
            _remark(steps, block.text)
    for step, after in pairwise(steps):
        if "answers" in after and step.get("from") == after.get("from"):
            step["expect"]["reply"] = "held"
    game = {"players": PLAYERS, "registration": "true", "options": {"language": language}}
    return {"name": f"The storyteller's book ({language})", "rules": ["MAIL-3"], "game": game, "steps": steps}


def _mail(head, body):
    day, hour = head["Date"].lower().split()
    step = {"at": f"{DAYS.get(day, day)} {hour}", "from": "storyteller", "expect": {"reply": "accepted"}}
    if head["Subject"].startswith("Re:"):
        return {**step, "answers": "confirm", "body": body}
    step["send"] = head["Subject"].removeprefix("[PL1] ")
    if body:
        step["body"] = body
    if "Cc" in head:
        assert head["Cc"] == "lune@example.org"
        step["cc"] = [head["To"]]
    return step


def _remark(steps, text):
    """`at: …; from: …; send: …` is a mail of somebody's, `until: …` time that passes, `expect; dead: …` what holds now."""
    words = dict(re.findall(r"(\w+):\s*([^;]*)", text))
    words = {key: value.strip() for key, value in words.items()}
    expect = {"dead": [words["dead"]] if words["dead"] else []} if "dead" in words else {}
    if "phase" in words:
        expect["phase"] = words["phase"]
    if "until" in words:
        steps.append({"until": words["until"], "expect": expect})
    elif "from" in words:
        name, address = re.fullmatch(r"(.*) <(.*)>", words["from"]).groups()
        step = {
            "at": words["at"],
            "from": {"address": address, "name": name},
            "expect": {"reply": words.get("reply", "accepted")},
        }
        steps.append({**step, **{key: words[key] for key in ("send", "answers") if key in words}})
    else:
        steps[-1]["expect"] |= expect


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_game_in_the_book_can_be_played_as_it_stands(language, tmp_path):
    file = tmp_path / "book.yaml"
    file.write_text(yaml.safe_dump(scenario(language), allow_unicode=True))
    result = rehearse(file)
    assert result.code == HELD, result.lines()
    assert len(scenario(language)["steps"]) > 30


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_game_shows_every_command(language):
    sent = " ".join(heads(block)[0]["Subject"] + " " + heads(block)[1] for block in mails(language)).upper()
    for verb in ADMIN_LEXICON:
        word = verb.french[0] if language == "fr" and verb.french else verb.name
        assert re.search(rf"(?:ADMIN |!){word}\b", sent), word


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_names_every_command_in_both_languages(language):
    table = [line for line in book(language).read_text("utf-8").splitlines() if line.startswith("| `")]
    told = " ".join(table)
    for verb in ADMIN_LEXICON:
        for word in (verb.name, *verb.french):
            assert re.search(rf"`{word}\b", told), word


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_works_by_copy_as_well(language, tmp_path):
    """The same game, steered by lines with a ! in letters to a player, the game in Cc (MAIL.md § 2.3)."""
    copied = scenario(language)
    for step in copied["steps"]:
        if step.get("from") == "storyteller" and step.get("send", "").startswith("ADMIN "):
            command, text = step["send"].removeprefix("ADMIN "), " ".join(step.pop("body", "").split())
            step |= {"send": "Un mot", "body": f"Bonjour !\n\n!{command} {text}\n\nÀ bientôt", "cc": ["Alice"]}
    file = tmp_path / "book.yaml"
    file.write_text(yaml.safe_dump(copied, allow_unicode=True))
    result = rehearse(file)
    assert result.code == HELD, result.lines()
    assert sum("cc" in step for step in copied["steps"]) > 25


def test_both_languages_tell_the_same_game():
    english, french = scenario("en")["steps"], scenario("fr")["steps"]
    assert [step.get("at") for step in english] == [step.get("at") for step in french]
    assert [step["expect"] for step in english] == [step["expect"] for step in french]
    assert [heads(block)[0].keys() for block in mails("en")] == [heads(block)[0].keys() for block in mails("fr")]


def test_a_mail_that_is_refused_would_be_found(tmp_path):
    """The test can fail: one wrong word in the book is told."""
    broken = scenario("en")
    broken["steps"][0]["send"] = "ADMIN STATSU"
    file = tmp_path / "book.yaml"
    file.write_text(yaml.safe_dump(broken, allow_unicode=True))
    assert rehearse(file).code != HELD
