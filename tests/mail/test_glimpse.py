"""MAIL.md § 4: a word that others could read in a mail is found wherever it stands, and however it is written."""

from __future__ import annotations

import base64
import random
import time

import pytest

from pbem.mail.glimpse import everything, written_in

TAG = "k7f3q9w2mzx4t5ba"
OTHER = "a1b2c3d4e5f6g7h8"
HEAD = "From: Anna <anna@b.example>\nTo: village@jeu.example\nSubject: Re: nuit\nMIME-Version: 1.0\n"
LETTER = f"Reply-To: lune+{TAG}@jeu.example\nSubject: Votre nuit\n\nVous devez choisir.\n"


def parts(*bodies: str, kind: str = "mixed") -> str:
    inner = "".join(f"--b\n{body}\n" for body in bodies)
    return f"{HEAD}Content-Type: multipart/{kind}; boundary=b\n\n{inner}--b--\n"


def page(markup: str) -> str:
    return f"Content-Type: text/html; charset=utf-8\n\n<p>Voilà</p>{markup}"


def encoded(text: str, kind: str) -> str:
    body = base64.encodebytes(text.encode()).decode()
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: base64\n\n{body}"


def seen(mail: str | bytes) -> bool:
    raw = mail if isinstance(mail, bytes) else mail.encode()
    return written_in(everything(raw), [OTHER, TAG]) == (TAG,)


PLAIN = "Content-Type: text/plain\n\nvoilà"
HTML = [
    f'<a href="mailto:lune+{TAG}@jeu.example?subject=VOTE">Bob</a>',
    f'<a href="mailto:lune%2B{TAG}@jeu.example?subject=VOTE">Bob</a>',
    f'<a href="mailto:lune%2B{TAG}%40jeu.example">Bob</a>',
    f'<a href="mailto:lune&#43;{TAG}&#64;jeu.example">Bob</a>',
    f'<a href="mailto:lune+{TAG[:4]}%{ord(TAG[4]):02x}{TAG[5:]}@jeu.example">Bob</a>',
    f'<a href="mailto:lune+{TAG[:4]}%25{ord(TAG[4]):02x}{TAG[5:]}@jeu.example">Bob</a>',
    f'<a href="mailto:lune+&#{ord(TAG[0])};{TAG[1:]}@jeu.example">Bob</a>',
    f'<a href="mailto:lune+&#x000000000{ord(TAG[0]):x};{TAG[1:]}@jeu.example">Bob</a>',
    f"<b>{TAG[:7]}</b><i>{TAG[7:]}</i>",
    f"<!-- {TAG} -->",
    f'<div style="display:none">{TAG}</div>',
    f"<blockquote>{TAG[:9]}&shy;{TAG[9:]}</blockquote>",
    f"<style>.x {{ background: url(https://x.example/{TAG.upper()}) }}</style>",
]


@pytest.mark.parametrize("markup", HTML)
def test_in_html(markup: str) -> None:
    assert seen(HEAD + page(markup))
    assert seen(parts(PLAIN, page(markup), kind="alternative"))
    assert seen(parts(PLAIN, encoded(f"<p>x</p>{markup}", "text/html"), kind="alternative"))


@pytest.mark.parametrize(
    "words",
    [
        f"> mailto:lune%2B{TAG}%40jeu.example?subject=VOTE",
        f"> <lune+{TAG[:8]}\n> {TAG[8:]}@jeu.example>",
        f"> > <lune+{TAG[:8]}\n> > {TAG[8:]}@jeu.example>",
        f"_{TAG}_",
        f"*{TAG.upper()}*",
        TAG.capitalize(),
        " ".join(TAG),
        f"{TAG[:5]}\u00ad{TAG[5:]}",
        f"{TAG[:5]}\u200b{TAG[5:]}",
        f"x{TAG}x",
        f"{TAG[:6]}=\n{TAG[6:]}",
    ],
)
def test_in_words(words: str) -> None:
    assert seen(f"{HEAD}\nvoilà\n{words}\n")
    assert seen(f"{HEAD}Content-Type: text/plain; charset=utf-8\n\nvoilà\n{words}\n")
    assert seen(parts(encoded(f"voilà\n{words}\n", "text/plain; charset=utf-8")))


@pytest.mark.parametrize(
    "mail",
    [
        parts(PLAIN, f"Content-Type: message/rfc822\n\n{LETTER}"),
        parts(PLAIN, f"Content-Type: message/rfc822\nContent-Disposition: attachment\n\n{LETTER}"),
        parts(PLAIN, encoded(LETTER, "message/rfc822")),
        parts(PLAIN, encoded(LETTER, 'application/octet-stream; name="nuit.eml"')),
        parts(PLAIN, "Content-Type: message/rfc822\n\n" + parts(PLAIN, encoded(f"<p>{TAG}</p>", "text/html"))),
        parts(PLAIN, "Content-Type: multipart/digest; boundary=c\n\n--c\n\n" + LETTER + "--c--\n"),
        parts(PLAIN, f"Content-Type: text/plain\nContent-Disposition: attachment; filename=x.txt\n\n{TAG}"),
        parts(PLAIN, f"Content-Type: text/plain; name={TAG}.txt\n\nx"),
        parts(PLAIN, encoded(f"%PDF {TAG}", "application/pdf")),
        parts(PLAIN) + f"\n{TAG}\n",
        parts(PLAIN).replace("--b\n", f"{TAG}\n--b\n", 1),
        parts(PLAIN, f"Content-Type: text/plain\n\n{TAG}").replace("boundary=b", "boundary=lost"),
        parts(*[PLAIN] * 300, f"Content-Type: text/plain\n\n{TAG}"),
        HEAD.replace("nuit", f"lune+{TAG}@jeu.example") + "\nx",
        HEAD.replace("Re: nuit", "=?utf-8?B?" + base64.b64encode(TAG.encode()).decode() + "?=") + "\nx",
        HEAD + f"Reply-To: lune+{TAG}@jeu.example\n\nx",
        HEAD + "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(TAG.encode("utf-16")).decode(),
    ],
)  # fmt: skip
def test_everywhere(mail: str) -> None:
    assert seen(mail)
    assert seen(mail.replace("\n", "\r\n"))


def test_not_where_only_the_game_sees_it() -> None:
    for field in ("Delivered-To", "X-Original-To", "Envelope-To"):
        assert not seen(f"{field}: lune+{TAG}@jeu.example\n{HEAD}\nvoilà")
    assert not seen(f"Received: from x by y for <lune+{TAG}@jeu.example>; now\n{HEAD}\nvoilà")
    assert not seen(f"{HEAD}\nvoilà {TAG[:-1]}")


def test_every_word_is_told_once_in_the_order_asked_for() -> None:
    assert written_in([TAG, OTHER, TAG], [OTHER, TAG, "zzzzzzzzzzzzzzzz"]) == (OTHER, TAG)
    assert written_in([], [TAG]) == ()
    assert written_in([TAG], []) == ()


def test_any_bytes_are_searched_and_none_takes_long() -> None:
    dice = random.Random(3)
    for _ in range(100):
        list(everything(dice.randbytes(300)))
    start = time.process_time()
    for bit in (b"<", b"&#", b"&#x", b"%", b"&", b"=", b"&#1", b"%4", b"<a ", b"\n", b"--b\n", b"\0"):
        written_in(everything(HEAD.encode() + b"\n" + bit * (300_000 // len(bit))), [TAG])
    written_in(everything(f"{HEAD}\n&#".encode() + b"9" * 300_000), [TAG])
    letter = LETTER
    for _ in range(30):
        letter = f"Content-Type: message/rfc822\n\n{letter}"
    written_in(everything(letter.encode()), [TAG])
    assert time.process_time() - start < 20
