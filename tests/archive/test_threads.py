"""Posts in threads: what answers what, on every page that shows it, in the data, and in the mails that readers import."""

from __future__ import annotations

import contextlib
import json
import mailbox
import re

import pytest

from tests.archive.troupe import Stage


@pytest.fixture
def talk(tmp_path):
    """Alice asks, Bruno answers her, Chloé answers him, David speaks to nobody in particular."""
    stage = Stage(tmp_path, letters=True)
    game = stage.open("PL1")
    game.start(mayor=1)
    game.say("Alice", "Qui a vu la lumière du moulin ?")
    game.say("Bruno", "Pas moi.", answers=game.last_letter())
    game.say("Chloé", "Ni moi.", answers=game.last_letter())
    game.say("David", "Bonjour.")
    stage.game = game
    yield stage
    stage.store.close()


def posts(page):
    """Each post of a page by its speaker: (whom it answers, who answers it, where the links lead)."""
    found = {}
    for article in re.findall(r'<article class="post.*?</article>', page, re.DOTALL):
        name = re.search(r"<h\d><a[^>]*>(.*?)</a>", article)[1]
        answered = re.search(r'<p class="answers"><a href="([^"]*)">En réponse à (.*?)</a>', article)
        replies = re.search(r'<p class="meta replies">Réponses : (.*?)</p>', article)
        replied = re.findall(r'<a href="([^"]*)">(.*?)</a>', replies[1]) if replies else []
        links = [*([answered[1]] if answered else []), *(link for link, _ in replied)]
        found[name] = (answered[2] if answered else "", [who for _, who in replied], links)
    return found


def keys(stage):
    return {post["name"]: post["key"] for post in json.loads(stage.read("pl1/posts-1.json"))["posts"]}


def test_the_day_shows_who_answers_whom(talk):
    talk.publish()
    shown, key = posts(talk.read("pl1/day-1/")), keys(talk)
    assert {name: found[:2] for name, found in shown.items()} == {
        "Alice": ("", ["Bruno"]), "Bruno": ("Alice", ["Chloé"]), "Chloé": ("Bruno", []), "David": ("", []),
    }  # fmt: skip
    assert shown["Bruno"][2] == [f"#p-{key['Alice']}", f"#p-{key['Chloé']}"]
    assert "<q>Qui a vu la lumière du moulin ?</q>" in talk.read("pl1/day-1/")


def test_so_do_a_players_page_and_the_posts_own(talk):
    talk.publish()
    key = keys(talk)
    assert posts(talk.read("pl1/player-2/"))["Bruno"][:2] == ("Alice", ["Chloé"])
    alone = posts(talk.read(f"pl1/post/{key['Bruno']}/"))["Bruno"]
    assert alone == ("Alice", [], [f"../../day-1/#p-{key['Alice']}"])  # written once: nobody has answered yet


def test_the_data_say_so(talk):
    talk.publish()
    key = keys(talk)
    answers = {post["name"]: post["answers"] for post in json.loads(talk.read("pl1/posts-1.json"))["posts"]}
    assert answers == {"Alice": None, "Bruno": key["Alice"], "Chloé": key["Bruno"], "David": None}


def test_the_mbox_keeps_the_threads(talk):
    talk.publish()
    with contextlib.closing(mailbox.mbox(talk.folder.file("pl1/list.mbox"))) as box:
        alice, bruno, chloe = list(box)[-4:-1]
    assert bruno["In-Reply-To"] == alice["Message-ID"]
    assert chloe["References"].split() == [alice["In-Reply-To"], bruno["Message-ID"]]


def test_an_answer_that_comes_later_is_added_to_what_it_answers(talk):
    letter = talk.game.last_letter()
    talk.publish()
    talk.game.say("Émile", "Bonjour David.", answers=letter)
    written = {str(file.parent.relative_to(talk.root)) for file in talk.publish() if file.name == "index.html"}
    assert {"pl1/day-1", "pl1/player-4", "pl1/player-5"} <= written
    assert "pl1/player-1" not in written
    assert posts(talk.read("pl1/day-1/"))["David"][1] == ["Émile"]
    assert posts(talk.read("pl1/player-4/"))["David"][1] == ["Émile"]


def test_after_a_restart_the_same_is_known(talk):
    talk.publish()
    talk.renew()
    assert not talk.publish()
    talk.publisher.build()
    assert posts(talk.read("pl1/day-1/"))["Chloé"][0] == "Bruno"


def test_a_game_whose_letters_are_not_at_hand_has_posts_without_threads(tmp_path):
    stage = Stage(tmp_path)
    game = stage.open("PL1")
    game.start(mayor=1)
    game.say("Alice", "Bonsoir.")
    stage.publish()
    assert posts(stage.read("pl1/day-1/")) == {"Alice": ("", [], [])}
    stage.store.close()
