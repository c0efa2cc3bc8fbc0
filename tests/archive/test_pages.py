"""What stands on the pages: everything public, people's words as words, links that lead somewhere."""

from __future__ import annotations

import email
import email.policy
import html
import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from justhtml import JustHTML

from pbem.archive import addresses
from pbem.archive.addresses import relative
from pbem.archive.portrait import bust
from pbem.archive.render import POLICY, excerpt, paragraphs, pen
from pbem.archive.safe import public
from pbem.engine import commands as c
from tests.archive.troupe import CAST, URL, Stage

HOSTILE = "</p><script>alert(1)</script><img src=x onerror=alert(1)>\"'{{ 7*7 }} {% raw %} &amp; \u202e\x00\x1b[31m"


class Links(HTMLParser):
    """The links, identifiers and inline things of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.inline, self.titles = [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.links += [found[name] for name in ("href", "src", "action") if found.get(name)]
        self.ids += [found["id"]] if "id" in found else []
        self.inline += [name for name in found if name.startswith("on") or name == "style"]
        self.inline += ["script"] if tag == "script" and "src" not in found else []
        self.inline += ["style"] if tag == "style" else []
        self.titles += tag == "h1"


def pages(stage):
    return [file for file in stage.files() if file.suffix == ".html"]


def path_of(stage, file):
    return file.relative_to(stage.root).as_posix().removesuffix("index.html")


def test_every_page_is_valid_html(site):
    assert len(pages(site)) > 30
    for file in pages(site):
        JustHTML(file.read_text("utf-8"), strict=True)


def test_every_link_leads_to_a_file_and_every_fragment_to_its_element(site):
    known = {path_of(site, file): Links(file.read_text("utf-8")) for file in pages(site)}
    files = {path_of(site, file) for file in site.files()}
    for path, page in known.items():
        for link in page.links:
            target = urlsplit(urljoin(f"https://x/lune/{path}", link))
            if target.scheme == "mailto" or target.netloc != "x":
                continue
            place = unquote(target.path).removeprefix("/lune/")
            assert place in files, (path, link)
            if target.fragment:
                assert unquote(target.fragment) in known[place].ids, (path, link)


def test_pages_hold_nothing_that_the_policy_forbids(site):
    for file in pages(site):
        text = file.read_text("utf-8")
        page = Links(text)
        assert not page.inline, file
        assert page.titles == 1, file
        assert len(page.ids) == len(set(page.ids)), file
        assert POLICY.replace("'", "&#39;") in text, file


def test_peoples_words_stay_words(stage):
    game = stage.open("PL1", (("Zoé <b>x</b>", "f", "seer"), *CAST[1:]))
    game.start()
    game.say("Zoé <b>x</b>", HOSTILE)
    stage.publish()
    for path in ("pl1/", "pl1/day-1/", "pl1/player-1/"):
        text = stage.read(path)
        assert "<script>alert" not in text
        assert "onerror=alert(1)&gt;" in text or "<img" not in text
        assert "<b>x</b>" not in text
        assert "\u202e" not in text
        assert "\x1b" not in text
    assert "&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;" in stage.read("pl1/day-1/")
    assert "{{ 7*7 }}" in stage.read("pl1/day-1/")
    for file in pages(stage):
        JustHTML(file.read_text("utf-8"), strict=True)


def test_a_name_cannot_break_a_sentence(stage):
    game = stage.open("PL1", (("A\ue000li\ue001ce", "f", "seer"), *CAST[1:]))
    game.start()
    stage.publish()
    for file in pages(stage):
        JustHTML(file.read_text("utf-8"), strict=True)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("écris à bob@mail.example.", "écris à bob@…."),
        ("<bob.le-loup+moi@mail.example>", "<bob.le-loup@…>"),
        ("mailto:bob%40mail.example", "mailto:bob@…"),
        ("lune+abcdefgh23456789@village.example", "lune@…"),
        ("Re: [PL1:abcdefgh23456789] VOTE", "Re: [PL1:…] VOTE"),
        ("bob@localhost", "bob@…"),
        ("rendez-vous @ 22 h, [PL1] !", "rendez-vous @ 22 h, [PL1] !"),
    ],
)
def test_nobodys_address_is_shown(said, shown):
    assert public(said) == shown


def test_a_posts_shape_is_kept_and_its_web_addresses_lead_there():
    shown = paragraphs("Un <mot>.\nDeux.\n\n\nTrois : https://a.example/b?c=1&d=2. Fin")
    assert shown == (
        "<p>Un &lt;mot&gt;.<br>\nDeux.</p>\n"
        '<p>Trois : <a href="https://a.example/b?c=1&amp;d=2" rel="nofollow ugc noopener">https://a.example/b?c=1&amp;d=2</a>. Fin</p>'
    )
    assert "javascript" not in re.findall('href="([^"]*)', paragraphs("javascript:alert(1)"))


def test_the_storytellers_markup_is_gentle():
    assert pen("La *nuit*\n\n<b>x</b> [a](javascript:b) ![i](j)") == (
        "<p>La <em>nuit</em></p>\n<p>&lt;b&gt;x&lt;/b&gt; [a](javascript:b) ![i](j)</p>\n"
    )


def test_excerpts_end_between_words():
    assert excerpt("un  deux\ntrois", 8) == "un deux…" or len(excerpt("un  deux\ntrois", 8)) <= 8
    assert excerpt("court") == "court"


def test_a_game_shows_its_village(site):
    page = site.read("pl1/")
    assert "Jour 2 · 5 sur 7 en vie" in page
    assert re.search(r"<b>Bruno</b>\s*<span class=\"role wolves\">loup-garou</span>", page)
    assert "trouvé mort, jour 1" in page
    assert "hante encore le village" in page
    assert "5 fenêtres sur 7 sont éclairées" in page
    assert "Maire" in page


def test_a_day_tells_everything_in_order(site):
    page = site.read("pl1/day-1/")
    told = [
        "La partie commence", "Bonsoir à tous.", "la lumière", "<b>Alice</b> est élue maire.", "La nuit tombe <em>vite</em>",
        "<b>Bruno</b> a brûlé. C’était un loup-garou.", "Le soleil se couche.",
    ]  # fmt: skip
    places = [page.index(words) for words in told]
    assert places == sorted(places)
    morning = site.read("pl1/day-2/")
    assert morning.index("<b>Gaël</b> a été retrouvé sans vie. C’était un fantôme.") < morning.index(
        "Le jour 2 se lève."
    )
    assert "d’outre-tombe" in morning


def test_votes_stand_in_a_table_and_in_two_pictures(site):
    page = site.read("pl1/votes/")
    rows = re.findall(r'<th scope="row">(?:<a [^>]*>)?(\w+)(?:</a>)?</th>\s*<td[^>]*>(.*?)</td>', page)
    assert ("Alice", "Bruno") in rows
    assert ("Émile", "blanc") in rows
    assert page.count('role="img"') == 3  # one ballot in the election, then the vote twice
    assert "Le plus de voix : Bruno, 2 voix." in page


def test_a_player_has_his_votes_and_posts(site):
    page = site.read("pl1/player-1/")
    assert "Bonsoir à tous." in page
    assert "Pas moi" not in page
    assert re.search(r"Jour 1</a></th>\s*<td>Bruno</td>\s*<td>–</td>", page)
    assert "Jour 1 : Alice" in site.read("pl1/player-3/")


def test_the_end_tells_everything(site):
    truth = site.read("pl2/truth/")
    for words in ("S’aimaient : <b>Chloé</b> et <b>Émile</b>.", "DEVORER Chloé", "PROTEGER Alice", "assassinée, jour 1",
                  "Menace sur <b>Chloé</b>", "pbem verify PL2.json"):  # fmt: skip
        assert words in truth
    assert "Aucune preuve !" in site.read("pl2/graveyard/")
    assert "Courage." in site.read("pl2/graveyard/")
    assert "Luce" in site.read("pl2/graveyard/")
    assert "Nuit 1" in site.read("pl2/replay/")


def test_the_hall_counts_what_was_played_and_won(site):
    page = re.sub(r"<svg.*?</svg>", "", site.read("hall/"), flags=re.DOTALL)
    rows = {row[0]: row[1:] for row in re.findall(r'<th scope="row">\s*(\w+)</th><td><b>(\d)</b> / (\d)', page)}
    assert rows["Alice"] == ("1", "1")
    assert rows["Bruno"] == ("0", "1")
    assert len(rows) == len(CAST)


def test_the_index_shows_every_game(site):
    page = site.read("")
    assert "Le village a gagné" in page
    assert "Jour 2 · 5 sur 7 en vie" in page
    assert "Les inscriptions sont ouvertes · 7 joueurs" in page
    assert "Exécution" in page


def test_a_game_speaks_its_own_language(tmp_path):
    stage = Stage(tmp_path, language="fr")
    stage.open("PL1", language="en").start()
    stage.publish()
    assert '<html lang="en">' in stage.read("pl1/")
    assert "Day 1 · 7 of 7 alive" in stage.read("pl1/")
    assert '<html lang="fr">' in stage.read("")


@pytest.mark.parametrize("noindex", [True, False])
def test_search_engines_are_asked_away_if_wanted(tmp_path, noindex):
    stage = Stage(tmp_path, noindex=noindex)
    stage.open("PL1")
    stage.publish()
    assert ('content="noindex, nofollow"' in stage.read("pl1/")) is noindex
    assert (stage.root / "robots.txt").exists() is noindex


def test_letters_lead_to_pages_that_are_there(site):
    """RFC 2369, RFC 5064: what stands in the headers of the list's mails."""
    with site.store.read() as tx:
        mails = [email.message_from_bytes(row.raw) for row in tx.letters(to="village@village.example")]
    assert len(mails) > 15
    for mail in mails:
        for name in ("List-Archive", "Archived-At"):
            target = urlsplit(mail[name].strip("<>"))
            assert f"{target.scheme}://{target.netloc}{target.path}".startswith(URL)
            page = site.read(target.path.removeprefix(urlsplit(URL).path))
            if target.fragment:
                assert target.fragment in Links(page).ids, mail[name]


def test_a_posts_letter_leads_to_the_posts_own_page(site):
    with site.store.read() as tx:
        letters = [row for row in tx.letters(to="village@village.example") if row.kind == "post"]
    assert len(letters) > 4
    for letter in letters:
        mail = email.message_from_bytes(letter.raw, policy=email.policy.default)
        path = mail["Archived-At"].strip("<>").removeprefix(URL)
        assert "/post/" in path
        speaker, page = mail["From"].addresses[0].display_name, site.read(path)
        assert f"<h1>{speaker.removesuffix(' (d’outre-tombe)')}</h1>" in page
        words = mail.get_body(("plain",)).get_content()
        said = re.search(r'<div class="words">.*?<p>(.*?)(?:<br>|</p>)', page, re.DOTALL)[1]
        assert html.unescape(re.sub(r"<[^>]*>", "", said)) in words.replace("\u00a0", " ")


def test_posts_keep_their_address():
    at = datetime(2026, 12, 8, 20, 15, 3, tzinfo=UTC)
    assert addresses.post_url(URL, "PL1", at, 3) == f"{URL}pl1/post/20261208T201503-3/"
    assert addresses.game_url("https://a.example", "PL1") == "https://a.example/pl1/"
    assert addresses.day_url(URL, "PL1", 2) == f"{URL}pl1/#day-2"


@pytest.mark.parametrize(
    ("origin", "target", "link"),
    [
        ("", "pl1/", "pl1/"), ("pl1/", "", "../"), ("pl1/day-1/", "pl1/day-1/2/", "2/"), ("pl1/", "pl1/", "./"),
        ("pl1/day-1/2/", "pl1/day-2/", "../../day-2/"), ("pl1/", "pl1/#day-1", "#day-1"), ("hall/", "feed.atom", "../feed.atom"),
    ],
)  # fmt: skip
def test_links_are_relative(origin, target, link):
    assert relative(origin, target) == link
    assert urljoin(f"https://x/{origin}", link) in {
        f"https://x/{target}",
        f"https://x/{origin}{target.partition('/')[2]}",
    }


def test_two_posts_of_one_second_have_two_addresses(stage):
    game = stage.open("PL1")
    game.start()
    order = c.Order(stage.now, 1, "SAY", c.Words(text="un"))
    game.do(order)
    game.do(replace(order, words=c.Words(text="deux")))
    stage.publish()
    key = addresses.post_key(order.at, 1)
    assert "<p>un</p>" in stage.read(f"pl1/post/{key}/")
    assert "<p>deux</p>" in stage.read(f"pl1/post/{key}-2/")


def test_a_portrait_hangs_on_the_name_alone():
    assert bust("Chloé", "f") == bust("chloe", "f")
    assert len({bust(name) for name, _, _ in CAST}) == len(CAST)
    assert bust("Alice", wolf=True) != bust("Alice")
    JustHTML(
        f"<!DOCTYPE html><html><head><title>x</title></head><body><svg>{bust('李', 'm')}</svg></body></html>",
        strict=True,
    )
