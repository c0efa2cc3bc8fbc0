"""The storyteller's pen: NARRATE, HOLD with a draft by mail, RELEASE, and the end of a game that waits for his words."""

from __future__ import annotations

from email import message_from_bytes, policy

import pytest

from pbem.rehearsal.mailwriter import LIST, READER, STORYTELLER

TALE = (
    "Il *pleuvait* sur les **toits**.\n\n- un chat\n- deux chats\n\n<script>alert(1)</script> [ici](http://x.example)"
)


def _parts(row):
    mail = message_from_bytes(row.raw, policy=policy.default)
    return (mail.get_body(("plain",)).get_content(), mail.get_body(("html",)).get_content())


def _until(village, event):
    stage, what = village.stage, ""
    while what != event:
        stage.now = max(stage.now, stage.next_due())
        what = stage.step(stage.now)


def _digests(rows):
    return [row for row in rows if row.to == LIST and row.kind != "post"]


@pytest.fixture
def held(village):
    """An execution that waits."""
    village.send("storyteller", "ADMIN HOLD")
    village.take()
    _until(village, "execution")
    return village


def test_a_narration_opens_the_next_digest_and_harms_nobody(village):
    village.send("storyteller", "ADMIN NARRATE", TALE)
    village.take()
    _until(village, "execution")
    (digest,) = [row for row in _digests(village.take()) if row.kind == "execution"]
    text, html = _parts(digest)
    assert text.index("Il *pleuvait* sur les **toits**.") < text.index("L’exécution")
    assert "<em>pleuvait</em>" in html
    assert "<strong>toits</strong>" in html
    assert html.count("<li") == 2
    assert "<script" not in html
    assert "http://x.example" in text
    assert 'href="http' not in html


def test_a_held_digest_comes_to_the_storyteller_as_a_draft_that_shows_what_will_go_out(held):
    rows = held.take()
    assert _digests(rows) == []
    (draft,) = [row for row in rows if row.to == STORYTELLER and row.kind == "draft"]
    text, html = _parts(draft)
    assert "ADMIN RACONTER" in text
    assert "> L’exécution" in text
    assert "ADMIN%20PUBLIER" in html


def test_what_he_narrates_is_shown_in_a_new_draft_and_released_with_it(held):
    held.take()
    held.send("storyteller", "ADMIN NARRATE", TALE)
    drafts = [row for row in held.take() if row.kind == "draft"]
    assert "Il *pleuvait*" in _parts(drafts[-1])[0]
    held.send("storyteller", "ADMIN RELEASE")
    (digest,) = _digests(held.take())
    assert "Il *pleuvait*" in _parts(digest)[0]
    held.send("storyteller", "ADMIN RELEASE")
    assert _digests(held.take()) == []


def test_readers_wait_too_and_get_the_same(held):
    assert held.take("reader") == []
    held.send("storyteller", "ADMIN NARRATE", TALE)
    held.send("storyteller", "ADMIN RELEASE")
    (copy,) = held.take("reader")
    assert "<em>pleuvait</em>" in _parts(copy)[1]


def test_the_end_waits_and_so_does_what_really_happened(village):
    village.send("storyteller", "ADMIN HOLD")
    village.take()
    village.send("storyteller", "ADMIN ABORT")
    village.answer(village.take("storyteller")[-1], "storyteller")
    assert _digests(village.take()) == []
    village.send("storyteller", "ADMIN NARRATE", TALE)
    village.send("storyteller", "ADMIN RELEASE")
    rows = village.take()
    assert [row.kind for row in _digests(rows)] == ["end", "chronicle"]
    assert [row.kind for row in rows if row.to == READER] == ["end", "chronicle"]
    assert "Il *pleuvait*" in _parts(_digests(rows)[0])[0]
