"""MAIL.md § 4: which answers to "was it really you?" say yes."""

from __future__ import annotations

import pytest

from pbem.orders.consent import consents


@pytest.mark.parametrize(
    "text",
    [
        "", "Oui.", "oui c'est bien moi", "Yes, it was me.", "ok", "Je confirme", "C'est moi !", "👍",
        "Bonjour conteur, désolé, j'écrivais depuis mon téléphone. Bonne soirée !", "Confirmé, merci",
        "Oui. (Je suis absente jusqu'à mardi, mais je vote.)", "Nonobstant l'heure, c'est bien cela", "Si, pardon : oui.",
        "Bonsoir, oui. Je suis en vacances mais je joue.", "Je suis en congés, mais c'était bien moi.",
 "Noël m'a retardé : oui",
    ],
)  # fmt: skip
def test_a_person_confirms(text: str) -> None:
    assert consents(text)


@pytest.mark.parametrize(
    "text",
    [
        "Non, ce n'était pas moi !", "Non", "no", "Ce n’est pas moi.", "It wasn't me", "Pas moi",
        "Je suis absente jusqu'au 5 janvier. Je répondrai à votre message à mon retour.",
        "Bonjour,\nActuellement en congés, je ne consulte pas mes mails.",
        "I am currently out of the office and will reply upon my return.",
        "Votre demande a bien été enregistrée sous le ticket 4711.", "Réponse automatique : absent du 1er au 8.",
        "Thank you. Your request has been received.", "I am on vacation with limited access to e-mail.",
        "Ceci est un message automatique, merci de ne pas y répondre.",
        "Je suis absente jusqu'au 5. Si c'est urgent, appelez Bruno.", "Si urgent : 06… Je suis en congés jusqu'à lundi.",
        "Je suis en congés. Merci d'écrire à Luc pour confirmer un rendez-vous, ok ?",
        "Actuellement en déplacement : oui ou non, je réponds à mon retour.",
    ],
)  # fmt: skip
def test_a_machine_and_a_no_do_not(text: str) -> None:
    assert not consents(text)
