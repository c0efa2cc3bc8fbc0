"""A mail read: what sort it is, which commands it speaks, what its writer says himself (MAIL.md §§ 1, 2, 7).

`read` never raises and knows no game: whether a player exists or may do a thing is asked elsewhere. It publishes
nothing on a guess: `secret_in_public` marks a mail for publication that must be refused whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem.orders import closing, grammar, kinds, phrases
from pbem.orders.grammar import Spoken
from pbem.orders.house import TAG, House
from pbem.orders.quotation import Own, own_words
from pbem.orders.signature import trimmed
from pbem.orders.subject import Subject, take_apart
from pbem.orders.words import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.post import Incoming

__all__ = ["MAX_COMMANDS", "House", "Reading", "Spoken", "read", "to_others"]

_GREETING_WORDS: Final = 6
MAX_COMMANDS: Final = 20
"""Commands of one mail that are done; further ones are only counted."""

_PUBLISHING: Final = frozenset(verb.name for verb in grammar.VERBS.values() if verb.publishes)
_SECRET: Final = frozenset(verb.name for verb in grammar.VERBS.values() if verb.secret)
_CHANNELS: Final = {"say": "SAY", "grave": "GRAVEYARD"}
_TOKEN: Final = re.compile(r"(?<![A-Za-z0-9])(?=[a-z0-9]{0,15}[0-9])(?=[a-z0-9]{0,15}[a-z])[a-z0-9]{16}(?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class Reading:
    """What `explain` prints (§ 7) and what the game acts upon.

    `text`: own words without quotation, signature and command lines. `publication`: SAY, PACK or GRAVEYARD if the
    mail is for publication. `secret_in_public`: it holds a secret command, or two publications: refuse it whole.
    `tag_exposed`: a personal tag in a mail that also went to others, or in the subject or own words of a publication;
    `exposed` are those tags. `tokens` are words of a publication that look like a tag (compare with the real ones).
    `attempt`: the verb that a line seems to try; `alone`: addressed to the game alone; `unknown`: `!` lines that no
    verb begins; `dropped`: commands beyond `MAX_COMMANDS`. `why`: one sentence.
    """

    kind: str
    sender: str | None
    tag: str | None
    code: str | None
    commands: tuple[Spoken, ...] = ()
    text: str = ""
    publication: str | None = None
    secret_in_public: bool = False
    tag_exposed: bool = False
    exposed: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    attempt: str | None = None
    alone: bool = False
    unknown: tuple[str, ...] = ()
    dropped: int = 0
    why: str = ""


def read(
    mail: Incoming, house: House, *, storyteller: bool = False, roster: Sequence[tuple[int, str]] | None = None
) -> Reading:
    """Reads `mail`. `storyteller`: it is from one, so only his table counts (MAIL.md § 3).

    `roster`: seats and names of the game it belongs to, if known: then the first line must name one of them (§ 2.2).
    """
    subject = take_apart(mail.subject, house)
    channels = tuple(dict.fromkeys(found for address in _addressed(mail) if (found := house.channel_of(address))))
    base = Reading(
        kind="",
        sender=mail.senders[0] if len(mail.senders) == 1 else None,
        tag=next((tag for address in _addressed(mail) if (tag := house.tag_of(address))), subject.tag),
        code=channels[0][0] if channels else subject.code,
        alone=_alone(mail, house),
    )
    shown = _shown_to_others(mail, house)
    base = replace(base, tag_exposed=bool(shown), exposed=shown)
    sign = kinds.automatic(mail, house)
    own = _own(mail)
    if sign:
        text = own.text if sign.kind in {"auto-reply", "bulk"} else ""
        return replace(base, kind=sign.kind, text=text, why=_sentence(sign.why))
    mind = _Mind(subject, own, base, storyteller=storyteller, roster=roster)
    mind.listen([_CHANNELS[to] for _, to in channels])
    return _conclude(mail, house, mind)


def _addressed(mail: Incoming) -> tuple[str, ...]:
    return (*mail.recipients, *mail.to, *mail.cc)


def _alone(mail: Incoming, house: House) -> bool:
    """Addressed to the game and to nobody else; a copy to oneself is nobody else."""
    others = [
        address for address in (*mail.to, *mail.cc) if house.detail(address) is None and address not in mail.senders
    ]
    return not others and any(house.detail(address) is not None for address in (*mail.to, *mail.cc))


@lru_cache(maxsize=4)
def _own(mail: Incoming) -> Own:
    """Own words of the plain text, or of the HTML where only that shows what is quoted.

    A mail is read twice, the second time with the game at hand: what does not depend on that is remembered.
    """
    own = own_words(mail.text or "")
    if not own.quoted and mail.html_text and mail.html_text != mail.text:
        rich = own_words(mail.html_text)
        if rich.quoted:
            return rich
    return own


def to_others(mail: Incoming, house: House) -> bool:
    """Whether somebody got `mail` besides its writer and the game; the village's list is somebody."""
    others = (address for address in (*mail.to, *mail.cc) if address not in mail.senders)
    return any(house.detail(address) is None for address in others)


def _shown_to_others(mail: Incoming, house: House) -> tuple[str, ...]:
    """Tags that others got to see with this mail (§ 4): in its addresses, its subject, or anywhere in its text.

    Who knows the game's tags finds them wherever they stand: `pbem.mail.glimpse`.
    """
    if not to_others(mail, house):
        return ()
    shown = [tag for address in (*mail.to, *mail.cc) if (tag := house.tag_of(address))]
    text = f"{mail.subject}\n{mail.text or ''}\n{mail.html_text or ''}"
    return tuple(dict.fromkeys([*shown, *_tags(text, house)]))


def _tags(text: str, house: House) -> list[str]:
    """Personal tags written out in `text`: as an address of the game, or in brackets after a code."""
    lowered = text.lower()
    local, _, domain = house.address.lower().rpartition("@")
    address = re.compile(re.escape(local + house.separator) + f"({TAG.pattern})(?:@|%40)" + re.escape(domain))
    bracket = re.compile(rf"\[[a-z0-9-]{{1,20}} ?: ?({TAG.pattern}) ?\]")
    return [*address.findall(lowered), *bracket.findall(lowered)]


@dataclass
class _Mind:
    """One reading in the making."""

    subject: Subject
    own: Own
    base: Reading
    storyteller: bool
    roster: Sequence[tuple[int, str]] | None
    commands: list[Spoken] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    spoken_lines: set[int] = field(default_factory=set)
    attempt: str | None = None

    def listen(self, channels: Sequence[str]) -> None:
        """Takes the commands in the order of § 2: addresses, subject, first line, `!` lines."""
        if not self.storyteller:
            self.commands += [Spoken(verb, "", "address") for verb in dict.fromkeys(channels)]
        self._hear_subject()
        self._hear_first_line()
        self._hear_bangs()
        publishing = {spoken.verb for spoken in self.commands if spoken.verb in _PUBLISHING}
        if publishing == {"SAY"} and (elected := closing.election("\n".join(self.remaining()))):
            self.commands.append(Spoken("ELECT", elected, "closing"))
        if not self.commands and not self.unknown:
            self._notice_attempts()

    def publications(self) -> list[str]:
        return list(dict.fromkeys(spoken.verb for spoken in self.commands if spoken.verb in _PUBLISHING))

    def remaining(self) -> list[str]:
        """Own lines without those that were commands."""
        return trimmed([line for at, line in enumerate(self.own.lines) if at not in self.spoken_lines])

    def _hear_subject(self) -> None:
        words = self.subject.words.lstrip("! ")
        if (told := grammar.admin(words)) is not None:
            self.commands.append(Spoken(told[0].name, told[1], "subject", admin=True))
        elif re.match(r"\W{0,6}admin\b", words, re.IGNORECASE):
            self.unknown.append(words[:200])
        elif not self.storyteller and (heard := grammar.parse(words, grammar.VERBS)) is not None:
            spoken = Spoken(heard[0].name, heard[1], "subject")
            if self.commands and self.commands[0].verb == spoken.verb:
                self.commands[0] = spoken  # DIRE to the address that means SAY
            else:
                self.commands.append(spoken)

    def _hear_first_line(self) -> None:
        """§ 2.2; in a mail for publication the line is only looked at to find a secret (§ 2.5)."""
        publishing = bool(self.publications())
        if self.storyteller or (self.commands and not publishing) or not (publishing or self.base.alone):
            return
        at = self._first_line()
        heard = grammar.parse(grammar.unlisted(self.own.lines[at]), grammar.VERBS) if at is not None else None
        if at is None or heard is None or heard[0].publishes or not grammar.complete(*heard, self.roster):
            return
        if publishing and not heard[0].secret:
            return
        self.commands.append(Spoken(heard[0].name, heard[1], "first-line"))
        self.spoken_lines.add(at)

    def _first_line(self) -> int | None:
        """The first own line that is neither blank nor a greeting nor a `!` line."""
        for at, line in enumerate(self.own.lines):
            folded = fold(line[:200])
            if not folded or _is_greeting(folded):
                continue
            return at if grammar.bang(line) is None else None
        return None

    def _hear_bangs(self) -> None:
        for at, line in enumerate(self.own.lines):
            words = grammar.bang(line)
            if words is None:
                continue
            spoken = self._bang(words)
            if spoken is None:
                self.unknown.append(words[:200])
                continue
            self.commands.append(spoken)
            self.spoken_lines.add(at)

    def _bang(self, words: str) -> Spoken | None:
        if not self.storyteller and (heard := grammar.parse(words, grammar.VERBS)):
            return Spoken(heard[0].name, heard[1], "bang")
        told = grammar.admin(words) or grammar.parse(words, grammar.ADMIN_VERBS)
        return Spoken(told[0].name, told[1], "bang", admin=True) if told else None

    def _notice_attempts(self) -> None:
        """A try at a command (§ 5): in a fresh subject, or on the first line of a mail to the game alone."""
        if not self.base.alone:
            return
        lines = [] if self.subject.reply else [self.subject.words]
        at = self._first_line()
        if at is not None:
            lines.append(self.own.lines[at])
        self.attempt = next((tried for line in lines if (tried := grammar.attempt(line))), None)


def _is_greeting(folded: str) -> bool:
    if not phrases.GREETING.match(folded) or len(folded.split()) > _GREETING_WORDS:
        return False
    return not any(word in grammar.VERBS for word in re.findall(r"[^\W_]+", folded)[1:])


def _conclude(mail: Incoming, house: House, mind: _Mind) -> Reading:
    text = "\n".join(mind.remaining()).strip()
    publications = mind.publications()
    reading = replace(
        mind.base,
        commands=tuple(mind.commands[:MAX_COMMANDS]),
        dropped=max(0, len(mind.commands) - MAX_COMMANDS),
        text=text,
        publication=publications[0] if publications else None,
        secret_in_public=bool(publications) and (len(publications) > 1 or _holds_secret(mind)),
        attempt=mind.attempt,
        unknown=tuple(mind.unknown[:MAX_COMMANDS]),
    )
    if publications:
        own = f"{mail.subject}\n{mind.own.text}"
        tags = tuple(dict.fromkeys([*reading.exposed, *_tags(own, house)]))
        tokens = tuple(dict.fromkeys(_TOKEN.findall(own)))[:50]
        reading = replace(reading, exposed=tags, tag_exposed=bool(tags), tokens=tokens)
    return _with_kind(reading, mail)


def _holds_secret(mind: _Mind) -> bool:
    """A secret command, or a `!` line that is all but one: its writer must not find it published (§ 2.5)."""
    nearly = (grammar.tried(re.split(r"[\W_]", line, maxsplit=1)[0]) for line in mind.unknown)
    return any(spoken.admin or spoken.verb in _SECRET for spoken in mind.commands) or any(nearly)


def _with_kind(reading: Reading, mail: Incoming) -> Reading:
    if reading.commands:
        said = ", ".join(f"{spoken.verb} ({spoken.where})" for spoken in reading.commands)
        refused = "; as a mail for publication it is refused whole" if reading.secret_in_public else ""
        return replace(reading, kind="command", why=_sentence(f"it says {said}{refused}"))
    if reading.text:
        tried = f"; it looks like a try at {reading.attempt}" if reading.attempt else ""
        if reading.unknown:
            tried = f"; no command begins with {reading.unknown[0].split()[0]!r}"
        return replace(reading, kind="post", why=_sentence("it has words of its own, but no command" + tried))
    if mail.encrypted:
        return replace(reading, kind="unreadable", why="It is encrypted.")
    if _undecodable(mail):
        return replace(reading, kind="unreadable", why="No text can be had of it.")
    return replace(reading, kind="empty", why="There is nothing in it but quotation, signature or attachments.")


def _undecodable(mail: Incoming) -> bool:
    """No header worth the name and no text: not a mail at all."""
    return mail.text is None and not mail.senders and not mail.subject and len(mail.headers) <= 1


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "."
