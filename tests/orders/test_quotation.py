"""MAIL.md § 2.4: what is quoted, signed or added by programs is never the writer's word; what he wrote always is."""

from __future__ import annotations

import pytest

from pbem.mail.htmltext import to_text
from pbem.orders.quotation import own_words
from tests.orders.clients import BOTTOM, LETTER, OWN, TOP, M
from tests.orders.pages import PAGES


@pytest.mark.parametrize("program", TOP)
def test_words_above_the_quotation(program: str) -> None:
    assert own_words(TOP[program]).text == OWN


@pytest.mark.parametrize("program", TOP)
def test_nothing_above_the_quotation(program: str) -> None:
    """The same bodies without the writer's words hold nothing of his."""
    bare = TOP[program].removeprefix(OWN).lstrip("\n")
    assert own_words(bare).text == ""


@pytest.mark.parametrize("program", BOTTOM)
def test_words_below_the_quotation(program: str) -> None:
    assert own_words(BOTTOM[program]).text == OWN


@pytest.mark.parametrize("program", PAGES)
def test_html(program: str) -> None:
    assert own_words(to_text(PAGES[program])).text == OWN


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2009", ""])
def test_any_blank_before_the_colon(blank: str) -> None:
    body = f"{OWN}\n\nLe 7 déc. 2026 à 19:02, Pleine Lune <lune@jeu.example> a écrit{blank}:\n\n{LETTER}"
    assert own_words(body).text == OWN


def test_words_between_quoted_lines_are_the_writers() -> None:
    body = "Le 07/12/2026 à 19:02, Bruno a écrit :\n> Où étais-tu ?\nChez moi.\n> Et hier ?\n\nAussi.\n\n-- \nInès"
    assert own_words(body).lines == ("Chez moi.", "", "Aussi.")


def test_a_quoted_line_that_a_program_wrapped_is_still_quoted() -> None:
    long = "> Pour voter, répondez à cette lettre en écrivant sur la première ligne, seul,"
    body = f"Non.\n\nLe 07/12/2026 à 19:02, X a écrit :\n{long}\n!voter Bruno\n> et rien de plus.\n"
    assert own_words(body).text == "Non."


def test_a_forward_takes_everything_below_it() -> None:
    body = f"Voyez.\n\nDébut du message transféré :\n\n{M}\n\n!voter Bruno"
    assert own_words(body).text == "Voyez."


ALL_OWN = {
    "speech": "— Où étais-tu ? dit-il.\n— Chez moi.\n\nIl mentait.",
    "a date and a colon": "Le 7 décembre à 19:02, j'ai vu Bruno :\nil creusait.",
    "writing": "Chloé a écrit une lettre. Bruno écrit mal : on ne lit rien.",
    "he wrote, below": "Je me souviens que Bruno a écrit :\nje dormais.",
    "he wrote to me": "Le 7 décembre, Bruno m'a écrit trois lettres :\nune d'amour, deux de menaces.\n\nJe les garde.",
    "scenes below underscores": "La nuit tombe.\n\n_____\n\nFin.",
    "they wrote": "Yesterday he wrote:\nI was asleep.\nThat is a lie.",
    "the following": "Please note the following:\nBruno lies.",
    "he wrote in the middle": "Je l'ai dit : ce que Bruno a écrit est faux. Voilà ce que j'en pense.",
    "scenes": "La nuit tombe.\n\n***\n\nLe jour se lève.\n\n---\n\nMidi.\n\n* * *\n\nLe soir.",
    "scene of two dashes": "Un.\n\n--\n\n" + "\n\n".join(f"Paragraphe {number}." for number in range(20)),
    "a letter in the game": "De la part du meunier\nà tous : bonsoir.\n\nA : vous\nDe : moi",
    "time table": "8:00 : le coq\n9:00 : la messe\n10:30 : le marché",
    "addresses": "Écrivez à bruno@example.org ou passez le 7 décembre.",
    "law": "La loi est la loi : le maire est responsable, les copies sont interdites et l'employé sera prévenu par la société.",
    "sent": "Envoyé par mon agenda, mais écrit par moi.",
    "sent from": "Le message fut envoyé de mon téléphone, comme on le sait, et Bruno le sait aussi.",
    "lists": "- un\n- deux\n* trois\n1. quatre",
    "arrow": "Bruno -> Chloé -> Émile",
    "on": "On the night of the 7th I wrote nothing: I slept.",
    "caution": "Attention, Bruno ment. Prudence avec lui.",
    "bar": "Voir | comprendre",
    "harvest": "Mes amis,\n\nPensez à la récolte avant tout !\n\nEt à demain.",
    "ears": "Ayez la bonté de m'écouter, j'ai environ deux choses à dire.\n\nLa première est que Bruno ment.",
    "a message found": "Attention, un message inconnu a été glissé sous ma porte.\n\nIl disait : fuyez.",
    "a secret letter": "Le message du facteur était confidentiel, et pourtant Bruno l'a copié, diffusé, puis détruit, "
    "dit-on, sans autorisation du destinataire. Voilà qui demande une réponse claire de sa part.",
    "an invitation": "Qui veut parler m'écrive avant mardi 22:30 à karine@facteur.example :\n\nje répondrai.",
    "a new sentence's subject": "Le 7 décembre, à 19:02, j'ai vu Jean. Il a écrit :\n« Au secours ».",
    "dashes": "Mes suspects :\n-- Bruno\n-- Chloé\n\nQu'en dites-vous ?",
    "a letter's head": "Date : mardi 8 décembre.\nObjet : le toit de Bruno.\n\nMonsieur, votre toit fuit.",
    "fables": "Merci,\nje n'en demandais pas tant.\n\nCordialement votre, dit le loup au mouton.\n\nFin de la fable.",
    "smile": "D'accord ;)\n...",
}


@pytest.mark.parametrize("kind", ALL_OWN)
def test_the_writers_own_words_stay(kind: str) -> None:
    found = own_words(ALL_OWN[kind])
    assert (found.text, found.quoted) == (ALL_OWN[kind], False)


FOOTERS = [
    "Envoyé de mon iPhone",
    "Envoyé depuis mon iPad",
    "Envoyé de mon Galaxy S23",
    "Envoyé depuis mon téléphone Huawei",
    "Envoyé à partir de Outlook pour Android",
    "Obtenir Outlook pour iOS<https://aka.ms/o0ukef>",
    "Télécharger Outlook pour Android",
    "Provenance : Courrier pour Windows",
    "Envoyé avec Proton Mail pour iOS",
    "Envoyé depuis l'application Mail Orange",
    "Envoyé depuis Yahoo Mail pour Android",
    "Envoyé via BlueMail",
    "Envoyé avec Spark",
    "Sent from my iPhone, please excuse any typos.",
    "Sent from Mail for Windows",
    "Sent from Outlook for iOS",
    "Get Outlook for Android",
    "Sent with Proton Mail secure email.",
    "Sent from my Verizon, Samsung Galaxy smartphone",
    "Von meinem iPhone gesendet",
    "Gesendet von Outlook für Android",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Enviado desde mi iPhone",
    "Enviado do meu iPhone",
    "Inviato da iPhone",
    "Verstuurd vanaf mijn iPhone",
    "Sendt fra min iPhone",
    "Skickat från min iPhone",
    "Отправлено с iPhone",
    "发自我的iPhone",
    "iPhoneから送信",
    "Garanti sans virus. www.avast.com",
    "L'absence de virus dans ce courrier électronique a été vérifiée par le logiciel antivirus Avast.",
    "Pensez à l'environnement avant d'imprimer ce message.",
    "Veuillez excuser ma brièveté.",
    "P Pensez à l'environnement avant d'imprimer ce message",
    "♻ Pensez ENVIRONNEMENT : n'imprimez que si nécessaire",
    "Avant d'imprimer, pensez à l'environnement.",
    "Please don't print this e-mail unless you really need to.",
    "<https://www.avast.com/sig-email?utm_medium=email> \tGaranti sans virus. www.avast.com\n<#DAB4FAD8>",
    "Sans virus. www.avast.com <https://www.avast.com/sig-email?utm_medium=email>",
    "Scanned by McAfee Total Protection.",
    "Ce message a été vérifié par Kaspersky.",
    "Email sécurisé par Check Point",
    "[cid:image001.png@01D9A0B1.5C2F8A70]",
    "[Message tronqué] Afficher l'intégralité du message",
    "나의 iPhone에서 보냄",
    "CONFIDENTIALITÉ : Ce courriel est confidentiel et à l'usage exclusif de ses destinataires.",
    "*********************\nCONFIDENTIEL : ce courriel est destiné exclusivement à son destinataire.\n*********************",
    (
        "Le contenu de ce message est uniquement destiné à la personne à laquelle il est adressé. En cas d'erreur, merci de "
        "le supprimer et d'avertir l'expéditeur."
    ),
]


@pytest.mark.parametrize("line", FOOTERS)
def test_a_programs_line_is_left_out(line: str) -> None:
    assert own_words(f"{OWN}\n\n{line}").text == OWN


DISCLAIMERS = [
    (
        "Ce message et toutes les pièces jointes sont confidentiels et établis à l'intention exclusive de leur destinataire. "
        "Toute utilisation non conforme à leur destination est interdite sauf autorisation expresse de l'expéditeur."
    ),
    (
        "Ce courriel est confidentiel. Si vous l'avez reçu par erreur, merci d'en avertir l'expéditeur et de le supprimer ; "
        "toute diffusion ou copie en est interdite."
    ),
    (
        "This e-mail and any attachments are confidential and intended solely for the addressee. If you have received this "
        "e-mail in error, please notify the sender and delete it. Any unauthorised copying or disclosure is prohibited."
    ),
    (
        "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Empfänger sind oder diese E-Mail "
        "irrtümlich erhalten haben, informieren Sie bitte den Absender und vernichten Sie diese Mail."
    ),
    (
        "Il presente messaggio e gli allegati sono riservati ai soli destinatari. Se avete ricevuto questo messaggio per errore "
        "siete pregati di avvisare il mittente e di cancellarlo. La diffusione e la copia sono vietate."
    ),
]


@pytest.mark.parametrize("text", DISCLAIMERS, ids=["fr", "fr2", "en", "de", "it"])
def test_disclaimers_are_left_out(text: str) -> None:
    wrapped = text.replace(". ", ".\n")
    assert own_words(f"{OWN}\n\n{text}").text == OWN
    assert own_words(f"{OWN}\n\n{wrapped}\n\n________________\n\n{DISCLAIMERS[2]}").text == OWN


BANNERS = [
    "CAUTION: This email originated from outside of the organization. Do not click links unless you know the sender.",
    "[EXTERNAL EMAIL]",
    "ATTENTION : ce courriel provient d'un expéditeur extérieur à l'entreprise. Ne cliquez sur aucun lien.",
    "You don't often get email from ines@agrume.example. Learn why this is important",
    "Vous n'obtenez pas souvent d'e-mail à partir de ines@agrume.example. Découvrez pourquoi c'est important",
    "*** Message externe ***",
]


@pytest.mark.parametrize("text", BANNERS)
def test_a_gateways_banner_is_left_out(text: str) -> None:
    assert own_words(f"{text}\n\n{OWN}").text == OWN


@pytest.mark.parametrize("separator", ["-- ", "--", "—", "__", "_______________"])
def test_signature_separators(separator: str) -> None:
    assert own_words(f"{OWN}\n\n{separator}\nInès\nboulangère\n!voter Noé").text == OWN


def test_a_drawn_rule_parts_a_signature_only_if_it_looks_like_one() -> None:
    assert own_words(f"{OWN}\n\n-----\nInès\nTél. 01 99 00 12 00").text == OWN
    assert own_words(f"{OWN}\n\n-----\nEt encore ceci.").text == f"{OWN}\n\n-----\nEt encore ceci."


@pytest.mark.parametrize(
    "line",
    [
        "Forwarded message:",
        "Message transféré :",
        "## Please type your reply above this line ##",
        "Bruno Lemaire a écrit :",
    ],
)
def test_other_lines_from_which_all_is_quotation(line: str) -> None:
    assert own_words(f"{OWN}\n\n{line}\n\n{LETTER}").text == OWN


def test_a_sender_and_a_date_are_header_enough() -> None:
    assert own_words(f"{OWN}\n\nDe : Pleine Lune\nEnvoyé : lundi 7 décembre\n\n{LETTER}").text == OWN


def test_a_lists_footer_is_left_out() -> None:
    footer = (
        "_______________________________________________\nvillage mailing list\nhttps://liste.example/listinfo/village"
    )
    assert own_words(f"{OWN}\n{footer}").text == OWN
