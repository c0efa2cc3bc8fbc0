"""MAIL.md §§ 5 and 7: machines, lists and the game itself are known for what they are, and people for people."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.orders.kinds import automatic
from pbem.orders.reading import House
from pbem.post import Incoming

HOUSE = House("lune@jeu.example", list_address="village@jeu.example")
PERSON = "Ines <ines@agrume.example>"


def kind(
    subject: str = "Re: [PL1] Jour 3",
    text: str = "x",
    sender: str = PERSON,
    types: tuple[str, ...] = ("text/plain",),
    **headers: str,
) -> str | None:
    address = sender.partition("<")[2].rstrip(">") or sender
    given = [
        ("From", sender),
        ("Subject", subject),
        *((name.replace("_", "-"), value) for name, value in headers.items()),
    ]
    mail = Incoming(
        message_id=None,
        received=datetime(2026, 12, 7, tzinfo=UTC),
        senders=(address.lower(),) if "@" in address else (),
        sender_name=sender.partition("<")[0].strip(),
        to=(),
        cc=(),
        recipients=(),
        subject=subject,
        headers=tuple(given),
        text=text,
        content_types=types,
    )
    sign = automatic(mail, HOUSE)
    return sign.kind if sign else None


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated (vacation)"},
        {"Auto_Submitted": "Auto-Notified; owner-email=x"},
        {"X_Autoreply": "yes"},
        {"X_Autorespond": ""},
        {"X_AutoReply_From": "x"},
        {"Precedence": "auto_reply"},
        {"Precedence": "auto-reply", "X_Auto_Response_Suppress": "All"},
        {"X_MS_Exchange_Inbox_Rules_Loop": "x@y", "X_Auto_Response_Suppress": "All"},
        {"X_Mailer": "Sieve vacation 1.0"},
        {"X_Mailer": "YahooMailAutoResponder"},
        {"Return_Path": "<>"},
        {"Auto_Submitted": "auto-replied", "Precedence": "bulk", "List_Id": "<x.y>"},
    ],
)
def test_headers_of_automatic_replies(headers: dict[str, str]) -> None:
    assert kind(**headers) == "auto-reply"


@pytest.mark.parametrize(
    "subject",
    [
        "Réponse automatique : [PL1] Jour 3", "Réponse automatique: x", "Automatic reply: x", "Automatic Reply : x", "AUTO: Ines est absente",
        "Auto-reply: x", "Out of Office: x", "Out of the office Re: x", "Absence du bureau : x", "Absente du bureau", "Message d'absence",
        "Notification d'absence", "Abwesenheitsnotiz: x", "Automatische Antwort: x", "Risposta automatica: x", "Respuesta automática: x",
        "Resposta automática: x", "Automatisch antwoord: x", "Autosvar: x", "Odpowiedź automatyczna: x", "Автоответ: x", "自动回复: x", "自動返信",
        "Absent : Re: [PL1] Jour 3", "En congés jusqu'au 14 [PL1] Jour 3", "On vacation Re: x", "Urlaub Re: x", "Répondeur : x",
        "Vacation reply: x", "OOO Re: x", "Otomatik yanıt: x", "Αυτόματη απάντηση: x", "תשובה אוטומטית: x", "رد تلقائي: x", "Automatinis atsakymas: x",
        "Trả lời tự động: x", "ตอบกลับอัตโนมัติ: x", "Réponse d'absence : x", "Re: [PL1] Jour 3 (Réponse automatique)", "Indisponible Re: x",
    ],
)  # fmt: skip
def test_subjects_of_automatic_replies(subject: str) -> None:
    assert kind(subject) == "auto-reply"


@pytest.mark.parametrize(
    "subject",
    [
        "[PL1] Absent jusqu'au 14", "Absent", "ABSENT: jusqu'au 14", "Je serai absente mardi", "Absence de Bruno", "Question automatique",
        "Vacances du maire", "Out", "Re: Réponse à tous", "Lu et approuvé", "Message de Bruno", "Retour au moulin", "Delivery of the cake",
        "Échec et mat", "Mail", "[PL1] VOTER Bruno", "Bounce", "Read me", "Indisponible mardi", "Réponse (enfin)", "Absence prolongée de Bruno",
    ],
)  # fmt: skip
def test_people(subject: str) -> None:
    assert kind(subject) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "no"}, {"Auto_Submitted": "No (a person)"}, {"Auto_Submitted": ""}, {"X_Auto_Response_Suppress": "All"},
        {"X_MS_Exchange_Inbox_Rules_Loop": "x@y"}, {"Precedence": "list"}, {"Precedence": "normal"}, {"Feedback_ID": "1:user:proton"},
        {"Return_Path": "<ines@agrume.example>"}, {"X_Autoreply": "no"}, {"List_Archive": "<https://x.example>"},
    ],
)  # fmt: skip
def test_headers_that_prove_nothing(headers: dict[str, str]) -> None:
    assert kind(**headers) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"List_Id": "<x.y>"},
        {"List_Post": "<mailto:x@y>"},
        {"List_Unsubscribe": "<https://x>"},
        {"Precedence": "bulk"},
        {"Precedence": "Junk"},
    ],
)
def test_bulk(headers: dict[str, str]) -> None:
    assert kind(**headers) == "bulk"


@pytest.mark.parametrize(
    "sender",
    ["lune@jeu.example", "Lune <LUNE@jeu.example>", "lune+k7f3q9w2mzx4t5ba@jeu.example", "x <village@jeu.example>"],
)
def test_own(sender: str) -> None:
    assert kind(sender=sender, Auto_Submitted="auto-generated", List_Id="<x.y>") == "own"


@pytest.mark.parametrize("sender", ["lunette@jeu.example", "lune@autre.example", "pleine-lune@jeu.example"])
def test_others_are_not_the_game(sender: str) -> None:
    assert kind(sender=sender) is None


MDN = ("multipart/report; report-type=disposition-notification", "text/plain", "message/disposition-notification")


@pytest.mark.parametrize(
    ("subject", "text", "types"),
    [
        ("Lu : x", "", MDN),
        ("Non lu : x", "", MDN),
        ("Lu : [PL1] x", "Votre message a été lu le 07/12.", ("text/plain",)),
        ("Read: x", "Your message was read on Monday.", ("text/plain",)),
        ("Gelesen: x", "Ihre Nachricht wurde am Montag gelesen.", ("text/plain",)),
        ("Return Receipt (displayed) - x", "This is a Return Receipt for the mail", ("text/plain",)),
        ("x", "", ("multipart/mixed", "text/plain", "message/disposition-notification")),
    ],
)
def test_receipts(subject: str, text: str, types: tuple[str, ...]) -> None:
    assert kind(subject, text, types=types, Auto_Submitted="auto-replied") == "receipt"


def test_a_person_who_has_read_something_sends_no_receipt() -> None:
    assert kind("Lu : la lettre du maire", "Et je n'y crois pas.") is None


@pytest.mark.parametrize(
    ("subject", "sender", "types"),
    [
        (
            "complaint about message from 192.0.2.1",
            "staff@hotmail.example",
            ("multipart/mixed", "text/plain", "message/rfc822"),
        ),
        ("Email Feedback Report for IP 192.0.2.1", "scomp@aol.example", ("text/plain",)),
        ("Abuse report about: lune", "abuse@x.example", ("text/plain",)),
    ],
)
def test_complaints(subject: str, sender: str, types: tuple[str, ...]) -> None:
    assert kind(subject, "x", sender, types) == "bounce"


def test_a_players_complaint_is_his_own() -> None:
    assert kind("Abuse report: Bruno votes twice", "x") is None


DAEMON = "Mail Delivery System <MAILER-DAEMON@mx.example>"


@pytest.mark.parametrize(
    ("subject", "text", "sender", "types", "headers"),
    [
        ("x", "x", PERSON, ("multipart/report; report-type=delivery-status",), {}),
        ("x", "x", PERSON, ("multipart/mixed", "message/delivery-status"), {}),
        ("x", "x", PERSON, ("multipart/report; report-type=feedback-report", "message/feedback-report"), {}),
        ("x", "x", PERSON, ("text/plain",), {"X_Failed_Recipients": "a@b.example"}),
        ("x", "x", DAEMON, ("text/plain",), {}),
        ("Undeliverable: x", "Your message could not be delivered.", "postmaster@x.example", ("text/plain",), {}),
        ("failure notice", "Hi. This is the qmail-send program at x.", "x@y.example", ("text/plain",), {}),
        ("Non remis : x", "Impossible de remettre votre message.", "System <sys@x.example>", ("text/plain",), {}),
        ("Delivery Status Notification (Failure)", "x", "postmaster@x.example", ("text/plain",), {"Return_Path": "<>"}),
        (
            "Returned mail: see transcript for details",
            "550 5.1.1 User unknown",
            "x@y.example",
            ("text/plain",),
            {"Return_Path": "<>"},
        ),
        ("Échec de la remise", "Adresse introuvable", "x@y.example", ("text/plain",), {}),
        ("Unzustellbar: x", "konnte nicht zugestellt werden", "x@y.example", ("text/plain",), {}),
        (
            "Delayed Mail (still being retried)",
            "THIS IS A WARNING ONLY",
            "MAILER-DAEMON@x.example",
            ("text/plain",),
            {},
        ),
        ("x", "x", "<>", ("text/plain",), {}),
        ("Message delivery has failed", "no such user", "noreply@x.example", ("text/plain",), {}),
    ],
)
def test_bounces(subject: str, text: str, sender: str, types: tuple[str, ...], headers: dict[str, str]) -> None:
    assert kind(subject, text, sender, types, **headers) == "bounce"


def test_a_person_who_talks_of_bounces_sends_none() -> None:
    assert kind("Re: [PL1] Jour 3", "Mon message n'a pas pu être délivré hier, user unknown.") is None
    assert kind("Re: Undelivered Mail Returned to Sender", "Qu'est-ce que c'est ? could not be delivered") is None


def test_a_bounce_goes_before_an_automatic_reply() -> None:
    assert kind("Undelivered Mail", "x", DAEMON, Auto_Submitted="auto-replied") == "bounce"
