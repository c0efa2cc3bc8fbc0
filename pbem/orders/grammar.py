"""Lines to commands (MAIL.md §§ 2 and 3): which verb a line speaks, what follows it, and whether that is all of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rapidfuzz.distance import OSA

from pbem.engine.roles import ADMIN_LEXICON, LEXICON
from pbem.engine.verbs import Args, Verb
from pbem.orders import names
from pbem.orders.words import fold, letters, spaced, undecorated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Roster = Sequence[tuple[int, str]] | None

_LONGEST: Final = 1_000
"""Characters of a line that are read as a command."""
MAX_NAME_WORDS: Final = 3
"""Words that may stand for a name when no game is at hand (§ 2.2)."""

_LINE: Final = re.compile(
    r"^[\s\"'*_\u00ab\u00bb\u201c\u201d\u2018\u2019(]{0,6}([^\W\d_]{2,30})(?![\w'\u2019\u2010-])(.*)$", re.DOTALL
)
# Outlook's plain text of a link: `karine@neuf.example<mailto:karine@neuf.example>`.
_LINKED: Final = re.compile(r"(?<=\S)\s?<(?:mailto:|https?://|tel:)[^<>\s]{1,400}>")
_LEADING: Final = re.compile(r"^(?:[\s:=>\u2013\u2014\u2192]|-(?!\d))+")
_AROUND: Final = " \t*_\"'\u00ab\u00bb\u201c\u201d\u2018\u2019"
# A smiley behind a name is no word of it.
_SMILEY: Final = re.compile(
    r"(?:\s*(?::|;)[-'o^]?[)(\]\[DPp|/\\*]{1,4}|\s+(?:[=8xX][-']?[)(DPp]{1,4}|<3+|\^_*\^|[xX]D+))+$"
)
_NAME: Final = re.compile(r"[^,;:?!()\[\]<>=/&\n]{1,80}")
# "Voir ci-joint", "See you soon": everyday words that are nobody's name.
_NO_NAMES: Final = frozenset(
    fold(words)
    for words in """
    ci-joint|ci-jointe|ci-joints|ci-jointes|ci-dessous|ci-dessus|ci-après|plus bas|plus haut|plus tard|en bas|en haut
    |pièce jointe|pièces jointes|la pièce jointe|le fichier joint|en pièce jointe|demain|ce soir|you|you soon|you later
    |you there|you tomorrow|you tonight|below|above|attached|attachment|the attachment|attached file|later|tomorrow
    """.replace("\n", "").split("|")
)
_COURTESY: Final = frozenset(
    fold(words)
    for words in """
    svp|stp|s'il vous plaît|s'il te plaît|please|merci|merci d'avance|merci beaucoup|thanks|thank you|now|maintenant
    |tout de suite|cette nuit|tonight|ce soir|aujourd'hui|today|merci !|pls
    """.replace("\n", "").split("|")
)
_GENDER: Final = re.compile(r" ?\((?:m|f|h|masculin|feminin|male|female|homme|femme)\)$")
_UNTIL: Final = re.compile(r"(?:until|till|jusqu'(?:au|a|en)|du|from|le|au|to) [\w' :./-]{1,40}")
_EMAIL: Final = re.compile(r"<?[^\s<>@]{1,64}@[^\s<>@]{3,255}>?")
_LANGUAGES: Final = frozenset({"fr", "en", "francais", "english", "french", "anglais"})
_LANGUAGE_CODE: Final = re.compile(r"[a-z]{2}")
_MAILS: Final = frozenset(
    {"posts", "post", "tout", "all", "daily", "quotidien", "jour", "digest", "digests", "resume", "resumes"}
    | {"reminders", "no reminders", "rappels", "sans rappels"}
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A command as it was written: the English verb, the raw words after it, and where it stood.

    `where` is subject, first-line, bang, address or closing. `admin`: read by the storyteller's table.
    """

    verb: str
    args: str
    where: str
    admin: bool = False


def _table(lexicon: Iterable[Verb]) -> dict[str, Verb]:
    return {fold(word): verb for verb in lexicon for word in (verb.name, *verb.french)}


VERBS: Final[Mapping[str, Verb]] = _table(LEXICON)
ADMIN_VERBS: Final[Mapping[str, Verb]] = _table(ADMIN_LEXICON)


def parse(line: str, table: Mapping[str, Verb], *, announced: bool = False) -> tuple[Verb, str] | None:
    """The verb that `line` begins with, as a whole word, and the raw text after it; None if it begins with none.

    A verb that takes no words is none in front of some ("Leave me alone", "Status quo"), unless it is `announced` as
    one by the word ADMIN.
    """
    found = _LINE.match(undecorated(_LINKED.sub("", spaced(line[:_LONGEST]))))
    if not found:
        return None
    verb = table.get(fold(found[1]))
    rest = found[2]
    if verb is None or rest[:1] in {",", ";", "\u2026", "/", "&"} or rest.startswith(".."):
        return None
    args = _arguments(rest, verb)
    if verb.args is Args.NONE and args and not announced and not idle(args):
        return None
    return verb, args


def idle(args: str) -> bool:
    """Whether the words behind a verb that takes none are courtesy, or the game's code."""
    return fold(args) in _COURTESY or re.fullmatch(r"\[?[a-z]{1,10}\d{1,6}\]?", fold(args)) is not None


def _arguments(rest: str, verb: Verb) -> str:
    args = _LEADING.sub("", rest, count=1) if rest[:1] in {" ", ":", "\t", "=", "-", ">"} else rest
    args = " ".join(args.split()).strip(_AROUND)
    if verb.args not in {Args.TEXT, Args.MAYBE_TEXT, Args.BODY}:
        args = undecorated(_SMILEY.sub("", args)).rstrip(".!;,: \u2026-\u2013\u2014").strip(_AROUND)
        args = args.rstrip(")") if "(" not in args else args
    return "" if not letters(args) else args


def admin(line: str) -> tuple[Verb, str] | None:
    """The storyteller's verb after the word ADMIN."""
    found = re.match(r"^\W{0,6}admin\b[ :\u2013\u2014-]{0,4}(.*)$", spaced(line[:_LONGEST]), re.IGNORECASE | re.DOTALL)
    return parse(found[1], ADMIN_VERBS, announced=True) if found else None


def complete(verb: Verb, args: str, roster: Roster = None) -> bool:
    """Whether `args` is all that may follow `verb`, with no word left over (§ 2.2)."""
    test = _COMPLETE.get(verb.args)
    return test(args, roster) if test else _PLAIN.get(verb.name, _never)(fold(args))


def _is_name(args: str, roster: Roster) -> bool:
    if not args or not _NAME.fullmatch(args) or names.holds_separator(args) or ". " in args:
        return False
    if roster is None:
        return 1 <= len(args.split()) <= MAX_NAME_WORDS and fold(args) not in _NO_NAMES
    found = names.find(args, roster)
    return not isinstance(found, names.Unknown) or (bool(found.suggestions) and len(args.split()) == 1)


def _are_two(args: str, roster: Roster) -> bool:
    pair = names.split_two(args)
    return pair is not None and all(_is_name(name, roster) for name in pair)


def _nothing(args: str, _roster: Roster) -> bool:
    return not args


def _never(_folded: str) -> bool:
    return False


_COMPLETE: Final[Mapping[Args, Callable[[str, Roster], bool]]] = {
    Args.NONE: _nothing,
    Args.BODY: _nothing,
    Args.PLAYER: _is_name,
    Args.MAYBE_PLAYER: lambda args, roster: not args or fold(args) in names.ANYONE or _is_name(args, roster),
    Args.TWO_PLAYERS: _are_two,
    Args.PLAYERS: lambda args, roster: _is_name(args, roster) or _are_two(args, roster),
    Args.ROLE: lambda args, _roster: _is_name(args, None),
    Args.VERB: lambda args, _roster: fold(args) in VERBS,
}
# Verbs that read their words themselves, by name: only the plain form of their folded words is complete.
_PLAIN: Final[Mapping[str, Callable[[str], bool]]] = {
    "JOIN": lambda words: _is_name(_GENDER.sub("", words), None),
    "LANG": lambda words: words in _LANGUAGES or _LANGUAGE_CODE.fullmatch(words) is not None,
    "MAIL": lambda words: words in _MAILS,
    "ADDRESS": lambda words: _EMAIL.fullmatch(words) is not None,
    "ABSENT": lambda words: not words or _UNTIL.fullmatch(words) is not None,
    "HELP": lambda words: len(words.split()) <= 1,
    "RULES": lambda words: len(words.split()) <= 1,
}


_ITEM: Final = re.compile(r"^[ \t]{0,12}(?:[-\u2022\u00b7\u2023\u25e6\u2043*]|\d{1,2}[.)])[ \t]{1,8}(?=\S)")
# Also as an item of a list, which programs mark; `\uff01` is the sign as East Asian keyboards write it.
_BANG: Final = re.compile(
    r"^[ \t]{0,12}(?:(?:[-\u2022\u00b7\u2023\u25e6\u2043*]|\d{1,2}[.)])[ \t]{1,8})?"
    r"[*_\"'\u00ab\u201c\u2018]{0,4}[ \t]?[!\uff01][ \t]{0,4}([^\W\d_].*)$",
    re.DOTALL,
)


def unlisted(line: str) -> str:
    """A line without the mark that makes it an item of a list."""
    return _ITEM.sub("", spaced(line[:_LONGEST]), count=1)


def bang(line: str) -> str | None:
    """What stands behind the `!` of a command line; None for other lines (`!!!`, `!?` and the like included)."""
    found = _BANG.match(spaced(line[:_LONGEST]))
    return found[1].strip() if found else None


# -- tries ---------------------------------------------------------------------------------------------------------

_FORMS: Final = {
    "VOTE": "votez votes votons voterai voterais vot",
    "KILL": "devore devorez devorons manger mangez killed kills",
    "SAY": "dites dis says",
    "SEE": "vois voyez",
    "GUARD": "protege protegez",
    "ELECT": "elisez elis election",
    "SAVE": "sauve sauvez",
    "JOIN": "inscrire inscris inscrivez",
    "CANCEL": "annule annulez",
    "STATUS": "statuts stat",
    "HELP": "aider aidez",
    "LEAVE": "desiste quitter abandonner",
    "ABSENT": "absente absents absentes",
    "HUNT": "chasse chassez",
    "ASK": "enquete enquetez",
}
_TRIED: Final = {form: verb for verb, forms in _FORMS.items() for form in forms.split()}
# Everyday words one letter away from a verb.
_COMMON: Final = frozenset(
    [
        "votre",
        "notre",
        "rester",
        "porter",
        "noter",
        "sauter",
        "forces",
        "force",
        "parler",
        "voire",
        "voila",
        "voici",
        "mais",
        "main",
        "mali",
        "rire",
        "lire",
        "louer",
        "proposer",
        "regarde",
        "peer",
        "seed",
        "seen",
        "seek",
        "joins",
        "helps",
        "same",
        "safe",
        "share",
        "maire",
        "marie",
        "spray",
        "story",
        "forcement",
        "absence",
        "questions",
        "tranche",
        "doubles",
        "double",
        "annonce",
        "forget",
        "gourd",
        "suivi",
        "suivre",
        "dires",
    ]
)
# What may stand before the verb in a try: "Bonsoir, je voudrais voter …".
_FILLERS: Final = frozenset(
    [
        "je",
        "j",
        "i",
        "nous",
        "we",
        "moi",
        "mon",
        "my",
        "ma",
        "bonjour",
        "bonsoir",
        "salut",
        "hello",
        "hi",
        "hey",
        "veux",
        "voudrais",
        "souhaite",
        "vais",
        "would",
        "like",
        "want",
        "to",
        "will",
        "d",
        "ll",
        "m",
        "alors",
        "ok",
        "oui",
        "donc",
        "please",
        "svp",
        "stp",
    ]
)
_CODE: Final = re.compile(r"[A-Za-z]{1,10}\d{1,6}")
"""A game's code, perhaps without its brackets: "PL1 VOTER Bruno"."""
_TRY_WORDS: Final = 9
_SHORT: Final = 4
"""Letters of a verb that a word may nearly be; one more in small letters, where short words are everyday ones."""


def attempt(line: str) -> str | None:
    """The verb that `line` seems to try, if it is no command but looks like a try at one; None for plain talk."""
    found = re.findall(r"[^\W_]+", unlisted(line))
    if not found or len(found) > _TRY_WORDS:
        return None
    while len(found) > 1 and (fold(found[0]) in _FILLERS or _CODE.fullmatch(found[0])):
        found.pop(0)
    return tried(found[0], len(found) - 1)


def tried(word: str, left: int = 0) -> str | None:
    """The verb that one `word` means or nearly is, if `left` more words follow it; None if it is just a word."""
    folded = fold(word)
    known = VERBS[folded].name if folded in VERBS else _TRIED.get(folded)
    if known is not None:
        return known
    if folded in _COMMON or left > MAX_NAME_WORDS:
        return None
    for form, verb in VERBS.items():
        near = len(form) >= _SHORT + word.islower()
        if near and OSA.distance(form, folded, score_cutoff=1) <= 1:
            return verb.name
    return None
