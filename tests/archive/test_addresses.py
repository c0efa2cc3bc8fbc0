"""Nobody's mail address is on the site, in whatever form it was written (RFC 5321 § 4.1.2), and links stay links."""

from __future__ import annotations

import email
import json
import mailbox
import re
import time
from datetime import UTC, datetime
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.archive import feeds
from pbem.archive.facts import Mail
from pbem.archive.render import paragraphs
from pbem.archive.safe import public
from tests.archive.conftest import under_way
from tests.archive.troupe import Stage

FORMS = (
    '"bob smith"@secluded.example', '"bob"@secluded.example', r'"bob \"le loup\" smith"@secluded.example',
    'bob."le loup"@secluded.example', "bob@[127.0.0.9]", '"bob smith"@[127.0.0.9]', "bob@[IPv6:2001:db8::9]",
    "b/o+b@secluded.example", "bob%40secluded.example", "bob%2540secluded.example", "bob%40%5B127.0.0.9%5D",
    "bob＠secluded.example", "bob@secluded\u200b.example", "élodie@secluded.example", "bob(moi)@secluded.example",
    "@bob@secluded.example", "x=bob!y@secluded.example", "lune+abcdefgh23456789@secluded.example",
    "lune%2Babcdefgh23456789%40secluded.example", '"lune+abcdefgh23456789"@secluded.example',
)  # fmt: skip
SECRET = re.compile(r"secluded|127\.0\.0\.9|2001:db8|abcdefgh23456789")
LINKS = (
    "https://www.youtube.com/@chan", "https://mastodon.social/@anna/1234", "https://medium.com/@anna.b/un-mot?x=1&y=2#z",
    "https://a.example/%40anna/1", "https://www.google.com/maps/@48.85,2.35,15z", "https://a.example/?user=@anna&z=1",
)  # fmt: skip
WITH_ADDRESS = (
    "https://x.example/a?q=a%40secluded.example&z=1", "https://x.example/a?q=a@secluded.example", "https://bob@secluded.example/b",
    "https://x.example/bob@secluded.example", "https://x.example/@bob@secluded.example/1", 'https://x.example/"bob"@secluded.example/1',
)  # fmt: skip


@pytest.mark.parametrize(
    "around", ["{}", "<{}>", "({}).", "mailto:{}", "« {} », dit-il", "a,{};b", "Écris à\n{}\nvite"]
)
@pytest.mark.parametrize("form", FORMS)
def test_an_address_in_any_form_loses_its_domain(form, around):
    shown = public(around.format(form))
    assert not SECRET.search(shown)
    assert "@…" in shown
    assert public(shown) == shown


def test_an_address_is_in_no_file_of_the_site(tmp_path):
    stage = Stage(tmp_path, letters=True)
    game = under_way(stage)
    game.say(
        "Alice", "Mes adresses : " + " , ".join((*FORMS, *WITH_ADDRESS)) + "\nVoir https://www.youtube.com/@chan !"
    )
    stage.publish()
    for file in stage.files():
        if file.suffix != ".mbox":
            assert not SECRET.search(file.read_text("utf-8")), file
    box = mailbox.mbox(stage.folder.file("pl1/list.mbox"), create=False)
    assert len(box) > 10
    for mail in box:
        for part in mail.walk():
            if part.get_content_maintype() == "text":
                text = part.get_payload(decode=True).decode()
                assert not SECRET.search(unescape(text)), part.get_content_type()
    box.close()
    assert json.loads(stage.read("pl1/posts-1.json"))["posts"][-1]["text"].count("@…") >= len(FORMS)
    assert stage.read("pl1/feed.atom").count("https://www.youtube.com/@chan") >= 2
    stage.store.close()


@pytest.mark.parametrize("link", LINKS)
def test_a_handle_in_a_link_is_no_address(link):
    assert public(f"Vois {link}.") == f"Vois {link}."
    (target,) = re.findall('href="([^"]*)"', paragraphs(public(f"(Vois {link}).")))
    assert unescape(target) == link


@pytest.mark.parametrize("link", WITH_ADDRESS)
def test_a_link_that_held_an_address_is_text_and_leads_nowhere(link):
    shown = paragraphs(public(f"Vois {link} et https://a.example/b."))
    assert not SECRET.search(shown)
    assert "@…" in shown
    assert re.findall('href="([^"]*)"', shown) == ["https://a.example/b"]


def test_the_lists_mails_keep_the_games_own_addresses_in_a_link_too():
    page = (
        '<a href="mailto:lune%2Bpl1-say%40village.example?body=%40Bruno">&quot;le bob&quot;@secluded.example</a>'
        " lune+pl1-grave@village.example lune+abcdefgh23456789@village.example [PL1:abcdefgh23456789]"
    )
    raw = f"Content-Type: text/html; charset=utf-8\r\nMIME-Version: 1.0\r\n\r\n{page}\r\n".encode()
    kept = feeds.mbox([Mail(1, datetime(2026, 12, 8, tzinfo=UTC), raw)], ("lune@village.example",))
    shown = email.message_from_bytes(kept.partition(b"\n")[2]).get_payload(decode=True).decode().strip()
    assert shown == page.replace("&quot;@secluded.example", "&quot;@…").replace(
        "lune+abcdefgh23456789@village.example", "lune@…"
    ).replace("abcdefgh23456789", "…")


@pytest.mark.parametrize(
    "words", ['"oui" et "@anna"', "@anna", "(@anna)", "10 @ 22 h", "à « @anna »", "https:// x", "@"]
)
def test_what_is_no_address_stays(words):
    assert public(words) == words
    assert "href" not in paragraphs(words)


@given(st.text(alphabet='ab"\\ @.[]%405B/+\n＠…:', max_size=60))
def test_whatever_is_written_is_masked_once_and_for_all(text):
    once = public(text)
    assert public(once) == once
    assert not re.search(r'[ab0-9"]@[ab]+\.[ab]', once)


@pytest.mark.parametrize(
    "part",
    ["a", "@", "a@", '"@', '"a', "@[a", '"', "%25", "a.", "@a.", '\\"', '"a@x ', "[a:", "+", "…", "https://a", "https://)", "\u0301"],
)  # fmt: skip
def test_a_long_text_takes_no_longer_than_its_length(part):
    def seconds(length):
        text = part * (length // len(part)) + "@x.y"
        began = time.process_time()
        paragraphs(public(text))
        return time.process_time() - began

    assert seconds(100_000) < 2


def test_what_an_older_program_wrote_is_written_anew(tmp_path):
    stage = Stage(tmp_path, letters=True)
    game = stage.open("PL1")
    game.start()
    game.say("Alice", 'Écris à "bob"@secluded.example')
    stage.publish()
    box = stage.folder.file("pl1/list.mbox")
    whole = box.read_bytes()
    box.write_bytes(whole.replace(b"lune@", b"secluded@"))
    stage.renew()
    stage.publish()
    assert box.read_bytes() != whole  # the same program does not look at it again
    stage.renew()
    stage.publisher._archive.edition = "another"
    stage.publish()
    assert box.read_bytes() == whole
    stage.store.close()
