"""MAIL.md § 5, *Silence*: a peer that always answers, whatever it is, gets at most one more letter out of the game.

Each peer turns a letter into the mails with which it answers it. The game is made to write a first letter in each of
the ways in which it writes to somebody; then every letter that the peer gets is answered, at once, twelve times over.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy

import pytest

from pbem.rehearsal import mailwriter
from pbem.rehearsal.mailwriter import GAME, LIST, STORYTELLER
from tests.app.conftest import Village

ROUNDS = 12
NUMBERS = itertools.count(1)


def answered(village, letter, who, body, *, subject="", headers=(), quote=False, linked=True):
    """An answer as a program makes it: to the Reply-To, under the letter's subject, with further headers."""
    answer = mailwriter.answer_to(letter.raw)
    text = message_from_bytes(letter.raw, policy=policy.default).get_body(("plain",)).get_content()
    quoted = "\n\nLe 07/12/2026 à 19:02, Pleine Lune a écrit :\n" + "\n".join(f"> {line}" for line in text.split("\n"))
    linked_to = {"in_reply_to": answer.in_reply_to, "references": answer.references} if linked else {}
    draft = replace(
        village.draft(who, body=body + (quoted if quote else "")),
        to=answer.to,
        subject=subject or answer.subject,
        **linked_to,
    )
    raw = mailwriter.write(draft)
    extra = "".join(f"{name}: {value}\r\n" for name, value in headers).encode()
    return raw.replace(b"Subject:", extra + b"Subject:", 1)


def says(body, **more):
    return lambda village, letter, who: [answered(village, letter, who, body, **more)]


def _null_sender(village, letter, who):
    raw = answered(village, letter, who, "!statut")
    return [re.sub(rb"Return-Path: <[^>]*>", b"Return-Path: <>", raw)]


def _mirror(village, letter, who):
    """The letter's own text, unmarked, as if it were the peer's."""
    text = message_from_bytes(letter.raw, policy=policy.default).get_body(("plain",)).get_content()
    return [answered(village, letter, who, text)]


def _numbered(village, letter, who):
    return [
        answered(
            village,
            letter,
            who,
            f"Absent jusqu'au 14 décembre\n\nTicket {next(NUMBERS)}, reçu à 19:{next(NUMBERS) % 60:02}.",
        )
    ]


def _twice(village, letter, who):
    return [answered(village, letter, who, "!statut") for _ in range(2)]


def _resent(village, letter, who):
    """A forwarding loop: the letter itself comes back."""
    return [letter.raw]


def _as_the_game(village, letter, who):
    raw = answered(village, letter, who, "!statut")
    return [
        re.sub(rb"(?m)^From: .*?\r\n", b"From: Pleine Lune <" + address + b">\r\n", raw)
        for address in (GAME.encode(), LIST.encode(), b"LUNE+x@example.org")
    ]


def _another_game(village, letter, who):
    """A second game's letter, as this program writes it, from the peer's address."""
    raw = letter.raw.replace(b"Message-ID: <", b"Message-ID: <other%d." % next(NUMBERS))
    return [
        re.sub(
            rb"(?m)^From: .*?\r\n",
            b"From: %b\r\n" % village.person(who)[1].encode() if isinstance(who, str) else b"From: x@y.example\r\n",
            raw,
        )
    ]


def _bounced(village, letter, who):
    """A report of RFC 3464, and one in words, from a daemon without an empty envelope sender."""
    found = re.search(rb"(?m)^Message-ID: (<[^>]*>)", letter.raw)
    number = next(NUMBERS)
    report = (
        f"From: MAILER-DAEMON@mx.example.org\r\nTo: {GAME}\r\nSubject: Undelivered Mail Returned to Sender\r\nMessage-ID: <b{number}@mx.example.org>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=B\r\n\r\n--B\r\n\r\nUnknown user.\r\n--B\r\n"
        f"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; {letter.to}\r\nAction: failed\r\n"
        f"Status: 5.1.1\r\n\r\n--B\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: {found[1].decode()}\r\n\r\n!statut\r\n--B--\r\n"
    )
    words = (
        f"From: MAILER-DAEMON@mx.example.org\r\nTo: {GAME}\r\nSubject: failure notice\r\nMessage-ID: <w{number}@mx.example.org>\r\n\r\n"
        f"Hi. This is the qmail-send program. I wasn't able to deliver your message.\r\n\r\n<{letter.to}>:\r\n550 unknown\r\n\r\n!statut\r\n"
    )
    return [report.encode(), words.encode()]


PEERS = {
    "autoresponder": says("Absent jusqu'au 14 décembre", headers=[("Auto-Submitted", "auto-replied")]),
    "autoresponder, older": says("!statut", headers=[("X-Autoreply", "yes"), ("Precedence", "bulk")]),
    "autoresponder, empty envelope sender": _null_sender,
    "autoresponder, only its subject tells": says("!statut", subject="Réponse automatique : absent"),
    "autoresponder that does not say so, like a command": says("Absent jusqu'au 14 décembre"),
    "autoresponder that does not say so, with a command": says("Bonjour,\n\n!statut\n"),
    "autoresponder that does not say so, quoting": says("Statut", quote=True),
    "autoresponder that names no mail": says("Statut", linked=False),
    "autoresponder that numbers its answers": _numbered,
    "autoresponder, like a try": says("Votez Bruno demain"),
    "autoresponder, plain talk": says("Je suis en vacances jusqu'au 14 décembre."),
    "autoresponder that answers twice": _twice,
    "challenge": says("Pour que votre message soit remis, répondez à celui-ci.", subject="Confirmez votre envoi"),
    "ticket system": says("##- Répondez au-dessus de cette ligne -##\n\nVotre demande a été reçue.", subject="[Ticket#4711] Demande reçue"),
    "mirror": _mirror,
    "list manager": says("!statut", headers=[("List-Id", "<village.example.org>"), ("Precedence", "list")]),
    "list manager that does not say so": says("Your message awaits moderator approval.", subject="Your message to village awaits moderator approval"),
    "forwarding loop": _resent,
    "the game's own address": _as_the_game,
    "another game of this program": _another_game,
    "bounces": _bounced,
}  # fmt: skip


def _acknowledged(village):
    village.send("Alice", "VOTE David")
    return "Alice"


def _refused(village):
    village.send("Alice", "VOTE Nobody")
    return "Alice"


def _helped(village):
    village.send("Alice", "", "VOTEZ Bruno")
    return "Alice"


def _held(village):
    village.send("Alice", "VOTE David", authentic=False)
    return "Alice"


def _told(village):
    """The storyteller, of what a player asks him."""
    village.send("Alice", "QUESTION", "Quand tombe la nuit ?")
    return "storyteller"


def _digest(village):
    village.until(23, day=1)
    village.wait(minutes=1)
    return "Alice"


def _strange(village):
    village.send(("Luc", "luc@example.net"), "Bonjour", "Qui êtes-vous ?")
    return ("Luc", "luc@example.net")


def _joined(village):
    village.send(("Luc", "luc@example.net"), "WATCH")
    return ("Luc", "luc@example.net")


FIRST = {
    "acknowledged": _acknowledged, "refused": _refused, "helped": _helped, "held": _held, "the storyteller": _told, "a phase's letters": _digest,
    "a stranger": _strange, "a stranger's wish": _joined,
}  # fmt: skip


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_that_always_answers(peer, first):
    village = Village()
    who = FIRST[first](village)
    address = who[1] if isinstance(who, tuple) else village.person(who)[1]
    letters = village.take(address)
    assert letters or first == "helped", "the game wrote first"
    first_letters, more = len(letters), 0
    for _ in range(ROUNDS):
        if not letters:
            break
        village.stage.now += timedelta(seconds=2)
        for letter in letters:
            for raw in PEERS[peer](village, letter, who):
                assert village.raw(raw).kind != "quarantined"
        letters = village.take(address)
        more += len(letters)
    assert not letters, "it never ends"
    # One exchange more for each letter that the peer was sent unasked; a confirmed wish has its own letters.
    confirmed = 3 if first in {"held", "a stranger's wish"} else 0
    assert more <= (first_letters + confirmed) * (2 if peer == "autoresponder that answers twice" else 1)
    village.stage.close()


def test_a_storyteller_whose_address_bounces_is_not_written_to_about_it_again_and_again(village):
    """The notice of a bounce bounces: no letter comes of that."""
    village.send("Alice", "QUESTION", "Quand tombe la nuit ?")
    letters, written = village.take(STORYTELLER), 0
    for _ in range(ROUNDS):
        for letter in letters:
            for raw in _bounced(village, letter, "storyteller"):
                village.raw(raw)
        letters = village.take()
        written += len(letters)
        if not letters:
            break
    assert written <= 1


def test_bounces_of_everything_end(village):
    """Every letter to everybody comes back, those about what came back too."""
    village.send("Alice", "VOTE David")
    village.until(23, day=1)
    letters, rounds = village.take(), 0
    while letters and rounds < ROUNDS:
        rounds += 1
        for letter in letters:
            for raw in _bounced(village, letter, "x"):
                village.raw(raw)
        letters = village.take()
    assert rounds <= 2


def test_who_repeats_himself_later_or_after_something_else_is_heard(village):
    village.send("Alice", "STATUT")
    first = village.take("Alice")[0]
    village.wait(minutes=6)
    village.answer(first, "Alice", "Statut")
    second = village.take("Alice")
    assert len(second) == 1
    assert village.answer(second[0], "Alice", "Statut").kind == "auto-reply"
    assert village.take("Alice") == []
    village.send("Alice", "STATUT")
    assert len(village.take("Alice")) == 1, "a mail of its own is no answer"


def test_a_person_who_repeats_himself_for_a_reason_is_heard(village):
    """Within a minute, in answer to the acknowledgement of the same words: what has changed meanwhile counts."""
    village.send("Alice", "VOTE David")
    letter = village.take("Alice")[0]
    village.answer(letter, "Alice", "Voter David")
    assert village.take("Alice") == [], "nothing has changed: a program would go on for ever"
    village.send("Alice", "VOTE Bruno")
    village.answer(letter, "Alice", "Voter David")
    assert len(village.take("Alice")) == 2, "he had said something else meanwhile"
    assert village.game.order(1, "VOTE").seats == (4,)


def test_what_a_forger_said_first_silences_nobody(village):
    """Words that nothing proves, sent ahead in her name under a reply's subject: her own are heard."""
    for authentic in (False, True):
        village.send("Alice", body="Voter David", authentic=authentic, subject="Re: Votre bulletin")
        village.stage.now += timedelta(seconds=2)
    assert village.game.order(1, "VOTE").seats == (4,)


def test_the_same_answer_to_one_letter_is_acknowledged_each_time(village):
    village.send("Alice", "STATUT")
    letter = village.take("Alice")[0]
    for _ in range(2):
        village.answer(letter, "Alice", "Voter Bruno")
        assert len(village.take("Alice")) == 1


def test_seat_numbers_are_words(village):
    village.send("Alice", "VOTE 2")
    village.answer(village.take("Alice")[0], "Alice", "Vote 4")
    assert len(village.take("Alice")) == 1
    assert village.game.order(1, "VOTE").seats == (4,)


def test_what_is_tried_again_when_the_phase_has_changed_is_heard(village):
    village.until(21, day=1)
    village.wait(minutes=59)
    village.take()
    village.send("Bruno", "KILL Alice")
    letter = village.take("Bruno")[0]
    village.wait(minutes=2)
    village.take()
    village.answer(letter, "Bruno", "KILL Alice")
    assert len(village.take("Bruno")) == 1


def test_a_confirmation_with_the_same_words_confirms(village):
    village.send("Alice", "VOTE David", authentic=False)
    village.answer(village.take("Alice")[0], "Alice", "Voter David")
    assert village.game.order(1, "VOTE").seats == (4,)
