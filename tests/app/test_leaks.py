"""MAIL.md §§ 2.5, 4 in the whole program: a personal tag that others see is replaced; none is published."""

from __future__ import annotations

import pytest

from pbem.rehearsal import mailwriter

VILLAGE = [("", "village@example.org")]


def _status(handled):
    return [f"{outcome.status}: {outcome.code}" if outcome.code else outcome.status for outcome in handled.outcomes]


def _links(tag):
    return [
        f'<p>Voilà ma lettre.</p><blockquote><a href="mailto:lune+{tag}@example.org?subject=VOTE">Bob</a></blockquote>',
        f'<p>Voilà ma lettre.</p><a href="mailto:lune%2B{tag}%40example.org">Bob</a>',
        f'<p>Voilà ma lettre.</p><a href="mailto:lune&#43;{tag.upper()}@example.org">Bob</a>',
        f"<p>Voilà ma lettre.</p><p><b>{tag[:3]}</b>{tag[3:]}</p>",
    ]


@pytest.mark.parametrize("form", range(4))
def test_a_tag_that_only_the_html_shows_is_replaced(village, form):
    tag = village.stage.tag(1)
    village.send("Bruno", "Bonjour", "Voilà ma lettre.", html=_links(tag)[form], cc=VILLAGE)
    assert village.stage.tag(1) != tag
    assert [dict(n) for row in village.take("Alice") for n in row.notices] == [{"tag-replaced": True}]


@pytest.mark.parametrize("form", range(4))
def test_so_is_one_in_a_mail_of_nothing_but_html(village, form):
    tag = village.stage.tag(1)
    raw = mailwriter.write(village.draft("Bruno", "Bonjour", "x", cc=VILLAGE))
    head = raw.partition(b"MIME-Version:")[0]
    village.raw(head + b"MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n" + _links(tag)[form].encode())
    assert village.stage.tag(1) != tag


@pytest.mark.parametrize("kind", ["message/rfc822", "application/octet-stream; name=lettre.eml"])
def test_so_is_one_in_a_letter_that_is_attached(village, kind):
    village.send("Alice", "STATUT")
    (letter,) = village.take("Alice")
    tag = village.stage.tag(1)
    assert tag.encode() in letter.raw
    raw = mailwriter.write(village.draft("Alice", "Bonjour", "x", cc=VILLAGE))
    head = raw.partition(b"MIME-Version:")[0] + b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b_b\r\n"
    inner = b"--b_b\r\n\r\nVoil\r\n--b_b\r\nContent-Type: " + kind.encode() + b"\r\n\r\n" + letter.raw
    village.raw(head + b"\r\n" + inner + b"\r\n--b_b--\r\n")
    assert village.stage.tag(1) != tag


@pytest.mark.parametrize(
    "written",
    [
        lambda tag: f"> lune+{tag[:9]}\n> {tag[9:]}@example.org",
        lambda tag: f"_{tag}_",
        lambda tag: tag.upper(),
        lambda tag: f"mailto:lune%2B{tag}@example.org",
        " ".join,
    ],
)
def test_a_tag_that_is_written_in_another_way_is_replaced(village, written):
    tags = [village.stage.tag(seat) for seat in range(1, 6)]
    village.send("Bruno", "Bonjour", f"Voilà :\n\n{written(tags[0])}", cc=[("Chloé", "chloe@example.org")])
    after = [village.stage.tag(seat) for seat in range(1, 6)]
    assert after[0] != tags[0]
    assert after[1:] == tags[1:]


def test_what_the_game_alone_gets_is_no_leak(village):
    tag = village.stage.tag(1)
    for html in _links(tag):
        village.send("Alice", "STATUT", "Voilà.", html=html)
        village.tagged(1, "STATUT", f"> {tag}")
    assert village.stage.tag(1) == tag


@pytest.mark.parametrize(
    "written",
    [
        lambda tag: f"Le mot est _{tag}_.",
        lambda tag: f"Le mot est {tag.upper()}.",
        lambda tag: f"Le mot est {tag[:8]}\n{tag[8:]}.",
        lambda tag: f"Le mot est {' '.join(tag)}.",
        lambda tag: f"mailto:lune%2B{tag}%40example.org",
        lambda tag: f"mailto:lune+{tag[:2]}%{ord(tag[2]):02x}{tag[3:]}@example.org",
        lambda tag: f"Le mot est &#{ord(tag[0])};{tag[1:]}.",
    ],
)
def test_no_form_of_a_tag_is_published(village, written):
    tag = village.stage.tag(2)
    assert _status(village.send("Alice", "SAY", written(tag))) == ["refused: secret-in-public"]
    assert _status(village.send("Alice", "", f"!SAY {' '.join(written(tag).split())}")) == ["refused: secret-in-public"]
    assert _status(village.send("Alice", f"SAY {' '.join(written(tag).split())}", "x")) == ["refused: secret-in-public"]
    assert all(row.to == "alice@example.org" for row in village.take())


def test_what_a_post_only_quotes_is_not_published_and_no_reason_to_refuse_it(village):
    tag = village.stage.tag(1)
    html = f'<p>Je vote.</p><blockquote type="cite"><a href="mailto:lune+{tag}@example.org">VOTE</a></blockquote>'
    body = f"Je vote.\n\n> lune+{tag}@example.org\n"
    assert _status(village.send("Alice", "SAY", body, html=html)) == ["accepted"]
    assert all(tag.encode() not in row.raw for row in village.take() if row.to != "alice@example.org")
    assert village.stage.tag(1) == tag
