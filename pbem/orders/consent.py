"""Whether an answer to "was it really you?" says yes (MAIL.md § 4): auto-replies never confirm, nor does a no.

An answer with nothing of its own confirms, and so does any that is neither a plain no nor what machines and people who
are away have written for them. In doubt it is a yes: the code came back from the registered mailbox.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.orders.words import alternatives, fold

_LOOKED_AT: Final = 2_000
_NO: Final = re.compile(
    r"^\W{0,3}(?:non|no|nope|nein|pas moi|not me|surtout pas)\b"
    r"|\b(?:ce n'est pas moi|ce n'etait pas moi|c'est pas moi|it was not me|it wasn't me|that was not me|wasn't me)\b"
)
# In the midst of what programs write stand "si c'est urgent", "pour confirmer", "ok": there only a whole phrase counts.
_YES: Final = re.compile(
    r"^\W{0,3}(?:(?:bonjour|bonsoir|salut|hello|hi)\W{1,4})?(?:oui|yes|ouais|yep|ok|d'accord|confirme|confirmed|si\s?[,.!:])(?!\w)"
    r"|\b(?:je (?:le |vous le )?confirme|i confirm|c'est (?:bien )?moi|c'etait (?:bien )?moi|it was me|it's me)\b"
)
_AWAY: Final = re.compile(
    alternatives(
        r"""
        \b(?:je suis|actuellement) (?:\w+ )?(?:absente?|en conges?|en vacances|en deplacement)
        \b(?:i am|i'm|currently) (?:\w+ )?(?:away|on vacation|on leave|out of)
        absente? (?:du|jusqu|pour|le|cette|de mon)
        \b(?:a|des|avant) mon retour\b
        \bupon my return\b
        \bwhen i (?:return|get back)\b
        out of (?:the )?office
        \bhors (?:du )?bureau\b
        reponse automatique
        message automatique
        automatic(?:ally)? (?:reply|response|generated)
        \bautoreply\b
        ne (?:pas|repondez pas) repondre
        do not reply
        \bvotre (?:demande|message|mail|e-mail|courriel) (?:a (?:bien )?ete|est bien|sera)
        \byour (?:request|message|mail|e-mail|ticket) (?:has been|was|will be)
        \bticket\b.{0,40}\d
        acces limite a
        limited access to
        """
    )
)


def consents(text: str) -> bool:
    """Whether `text`, an answer's own words, lets what was asked for be done."""
    said = fold(text[:_LOOKED_AT])
    if _NO.search(said):
        return False
    return _YES.search(said) is not None or _AWAY.search(said) is None
