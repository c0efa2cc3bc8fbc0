"""What other programs read: Atom by feedparser, calendars by icalendar, the mbox by mailbox, JSON, the search index."""

from __future__ import annotations

import email
import json
import mailbox
from datetime import UTC, datetime
from urllib.parse import urljoin, urlsplit

import feedparser
import pytest
from icalendar import Calendar
from lxml import etree

from pbem.archive import data, feeds
from pbem.archive.facts import Mail
from pbem.engine import commands as c
from tests.archive.conftest import under_way
from tests.archive.troupe import URL, Stage

ATOM = "{http://www.w3.org/2005/Atom}"


def there(stage, link):
    """Whether an absolute link of ours leads to a file."""
    path = urlsplit(link).path.removeprefix(urlsplit(URL).path)
    return link.startswith(URL) and stage.folder.file(path).is_file()


@pytest.mark.parametrize("path", ["feed.atom", "pl1/feed.atom", "pl2/feed.atom", "pl3/feed.atom"])
def test_a_feed_is_atom(site, path):
    raw = site.folder.file(path).read_bytes()
    feed = feedparser.parse(raw)
    assert not feed.bozo
    assert feed.version == "atom10"
    assert feed.feed.id.startswith("urn:uuid:")
    assert feed.feed.title
    assert feed.feed.updated_parsed
    assert {link.rel for link in feed.feed.links} == {"self", "alternate"}
    assert feed.entries
    assert len({entry.id for entry in feed.entries}) == len(feed.entries)
    for entry in feed.entries:
        assert entry.title
        assert entry.author
        assert entry.updated_parsed
        assert there(site, entry.link), entry.link
    moments = [entry.updated_parsed for entry in feed.entries]
    assert moments == sorted(moments, reverse=True)


def test_a_feed_keeps_to_the_schema(site):
    """RFC 4287, §§ 4.1.1 and 4.1.2: what a feed and an entry must have, and how often."""
    for path in ("feed.atom", "pl1/feed.atom"):
        feed = etree.fromstring(site.folder.file(path).read_bytes())
        assert feed.tag == f"{ATOM}feed"
        for name in ("id", "title", "updated"):
            assert len(feed.findall(ATOM + name)) == 1
        for entry in feed.findall(f"{ATOM}entry"):
            for name in ("id", "title", "updated", "published", "author", "content", "summary"):
                assert len(entry.findall(ATOM + name)) == 1, name
            assert datetime.fromisoformat(entry.findtext(f"{ATOM}updated")).tzinfo is not None
            assert entry.find(f"{ATOM}content").get("type") == "html"


def test_a_feed_brings_posts_and_bulletins(site):
    entries = feedparser.parse(site.folder.file("pl1/feed.atom").read_bytes()).entries
    titles = [entry.title.replace("\xa0", " ") for entry in entries]
    assert "Émile, jour 2 (PL1)" in titles
    assert "Jour 1 : L’exécution (PL1)" in titles
    told = next(entry for entry in entries if "L’exécution" in entry.title)
    assert "<b>Bruno</b> a brûlé" in told.content[0].value
    assert "style=" not in told.content[0].value


def test_an_entrys_id_does_not_hang_on_the_sites_address(tmp_path):
    found = []
    for name, url in (("a", URL), ("b", "")):
        stage = Stage(tmp_path / name, url=url)
        under_way(stage)
        stage.publish()
        found.append(feedparser.parse(stage.folder.file("pl1/feed.atom").read_bytes()))
    assert [entry.id for entry in found[0].entries] == [entry.id for entry in found[1].entries]
    for entry in found[1].entries:
        path = urlsplit(urljoin("https://x/pl1/feed.atom", entry.link)).path.lstrip("/")
        assert stage.folder.file(path).is_file()


# --- calendar ---------------------------------------------------------------------------------------------------------


def closings(stage, path="pl1/deadlines.ics"):
    book = Calendar.from_ical(stage.folder.file(path).read_bytes())
    return {str(event["summary"]).replace("\xa0", " "): event for event in book.walk("VEVENT")}


def test_the_calendar_holds_what_will_close_and_what_has(site):
    events = closings(site)
    assert {
        "PL1, jour 1 : Clôture de l’élection", "PL1, jour 1 : Exécution", "PL1, jour 2 : Exécution",
        "PL1, jour 2 : Fin du crépuscule",
    } <= set(events)  # fmt: skip
    burning = events["PL1, jour 2 : Exécution"]
    assert burning["dtstart"].dt == datetime(2026, 12, 10, 21, 0, tzinfo=UTC)
    assert burning["status"] == "CONFIRMED"
    assert events["PL1, jour 2 : Fin du crépuscule"]["status"] == "TENTATIVE"
    assert there(site, burning["url"])
    assert len({event["uid"] for event in events.values()}) == len(events)


def test_the_calendars_lines_are_as_the_standard_wants_them(site):
    raw = site.folder.file("pl1/deadlines.ics").read_bytes()
    assert raw.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 75


def test_a_moved_deadline_keeps_its_entry(stage):
    game = stage.open("PL1")
    game.start()
    stage.publish()
    before = closings(stage)["PL1, jour 1 : Exécution"]
    game.admin(c.Extend, 3600)
    stage.publish()
    after = closings(stage)["PL1, jour 1 : Exécution"]
    assert after["uid"] == before["uid"]
    assert (after["dtstart"].dt - before["dtstart"].dt).total_seconds() == 3600
    assert after["dtstamp"].dt >= before["dtstamp"].dt


def test_a_paused_game_has_no_deadline_to_come(stage):
    game = stage.open("PL1")
    game.start()
    game.admin(c.Pause)
    stage.publish()
    assert "En pause, jour 1" in stage.read("pl1/")
    assert not any(event["status"] == "TENTATIVE" for event in closings(stage).values())


# --- the list ---------------------------------------------------------------------------------------------------------


def test_the_mbox_holds_the_lists_mails_as_they_were_sent(site):
    box = mailbox.mbox(site.folder.file("pl1/list.mbox"), create=False)
    with site.store.read() as tx:
        sent = tx.letters(tx.game_id("PL1"), to="village@village.example")
    assert len(box) == len(sent) > 10
    for kept, row in zip(box, sent, strict=True):
        assert kept["Message-ID"] == row.message_id
        assert bytes(kept).rstrip() == row.raw.replace(b"\r\n", b"\n").rstrip()
    box.close()


def test_the_mbox_grows_by_what_is_new(tmp_path):
    stage = Stage(tmp_path, letters=True)
    game = under_way(stage)
    stage.publish()
    before = stage.folder.file("pl1/list.mbox").read_bytes()
    game.say("Alice", "Encore un mot.")
    stage.publish()
    after = stage.folder.file("pl1/list.mbox").read_bytes()
    assert after.startswith(before)
    box = mailbox.mbox(stage.folder.file("pl1/list.mbox"))
    assert len(box) == 1 + before.count(b"\nMessage-ID:")
    box.close()


def test_an_address_in_a_mail_is_taken_out_of_it_and_of_nothing_else():
    raw = (
        b"From: Bruno <lune@village.example>\r\nTo: village@village.example\r\nReply-To: lune+pl1-say@village.example\r\n"
        b"Subject: Jour 1\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        b"\xc3\x89cris =C3=A0 bob@secret.example, ou r=C3=A9ponds =C3=A0 lune+pl1-say@village.example,\r\n"
        b"pas =C3=A0 lune+abcdefgh23456789@village.example.\r\n"
    )
    kept = feeds.mbox(
        [Mail(1, datetime(2026, 12, 8, tzinfo=UTC), raw)], ("lune@village.example", "village@village.example")
    )
    assert b"secret" not in kept
    assert b"abcdefgh" not in kept
    mail = email.message_from_bytes(kept.partition(b"\n")[2])
    text = mail.get_payload(decode=True).decode()
    assert "bob@…, ou réponds à lune+pl1-say@village.example" in text
    assert mail["Reply-To"] == "lune+pl1-say@village.example"


def test_a_from_line_in_a_mail_is_quoted():
    raw = b"Subject: x\r\n\r\nFrom here on\r\n>From there\r\n"
    kept = feeds.mbox([Mail(1, datetime(2026, 12, 8, tzinfo=UTC), raw)], ())
    assert kept == b"From MAILER-DAEMON Tue Dec  8 00:00:00 2026\nSubject: x\n\n>From here on\n>>From there\n\n"


# --- data -------------------------------------------------------------------------------------------------------------


def test_the_data_say_what_is_public(site):
    game = json.loads(site.read("pl1/game.json"))
    assert (game["code"], game["phase"], game["day"]) == ("PL1", "day", 2)
    assert [player["name"] for player in game["players"] if not player["alive"]] == ["Bruno", "Gaël"]
    assert game["days"][1]["votes"]["tally"] == [[2, 2], [3, 2]]
    assert game["seed"] is None
    posts = json.loads(site.read("pl1/posts-1.json"))["posts"]
    assert posts[0]["text"] == "Bonsoir à tous.\n\nQui a vu <i>la lumière</i> du moulin ?"
    assert game["posts"] == {"count": len(posts), "files": ["posts-1.json"]}
    over = json.loads(site.read("pl2/game.json"))
    assert over["winner"] == "village"
    assert over["players"][0]["dealt"] == "seer"
    games = json.loads(site.read("games.json"))["games"]
    assert [one["code"] for one in games] == ["PL1", "PL2", "PL3"]
    assert all(site.folder.file(one["file"]).is_file() for one in games)


def test_the_index_finds_every_word_of_every_post(site):
    posts = json.loads(site.read("pl1/posts-1.json"))["posts"]
    index = json.loads(site.read("pl1/search-1.json"))["words"]
    for place, post in enumerate(posts):
        for word in data.words(post["name"] + " " + post["text"]):
            assert place in index[word]
    assert index["lumiere"] == [0]
    assert index["emile"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Œuvre d’été, LOUPS-garous", {"oeuvre", "ete", "loups", "garous"}),
        ("à 9 h", {"9"}),
        ("naïveté ﬁn Straße", {"naivete", "fin", "strasse"}),
    ],
)
def test_words_are_folded(text, words):
    assert data.words(text) == words
