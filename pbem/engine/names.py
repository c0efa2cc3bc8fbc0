"""When two names are the same to the game: accents, case, punctuation and spaces do not tell them apart (MAIL.md §
2).
"""

from __future__ import annotations

import unicodedata


def fold(name: str) -> str:
    """Letters and digits of the name, lower case, without accents; ligatures opened (œ, ß)."""
    plain = unicodedata.normalize("NFKD", name.casefold()).replace("œ", "oe").replace("æ", "ae").replace("ø", "o")
    return "".join(c for c in plain if c.isalnum())
