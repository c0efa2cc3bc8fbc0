"""What stands around a letter's sections: masthead, foot, subject, Reply-To, thread and list headers (MAIL.md §§ 1, 5).

`Letter.headers` may hold a `From`: the display name under which a post goes out; its address is the sender's business.
`Letter.thread` is a key of the recipient's own thread; letters to the list share one a day.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pbem.letters.typography import clean
from pbem.post import Letter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.letters.book import Book, Correspondent
    from pbem.letters.copies import Follower
    from pbem.letters.press import Sheet
    from pbem.letters.scene import Scene

Headers = tuple[tuple[str, str], ...]
Files = tuple[tuple[str, str, bytes], ...]
"""Attachments: name, type, bytes."""


def to_list(
    scene: Scene,
    kind: str,
    sheets: Sequence[Sheet],
    subject: str = "",
    speaker: str = "",
    *,
    attachments: Files = (),
    page: str = "",
) -> Letter:
    """A letter to the village's list. `subject` '' takes that of the sheets; `speaker` is who a post is by, and `page`
    where it stands in the archive (`post_page`).
    """
    book = scene.book
    return _letter(
        scene,
        to=book.list_address,
        kind=kind,
        sheets=sheets,
        subject=subject,
        reply_to=book.channel_address("say"),
        thread=day_thread(scene),
        headers=(*list_headers(scene, page), *_speaker(speaker)),
        attachments=attachments,
    )


def to_follower(
    scene: Scene,
    follower: Follower,
    kind: str,
    sheets: Sequence[Sheet],
    subject: str = "",
    speaker: str = "",
    *,
    attachments: Files = (),
    page: str = "",
) -> Letter:
    """A copy of what goes to the list, to one whom the list does not reach: to answer a player's is to speak."""
    book, person = scene.book, follower.person
    out = () if follower.seat else unsubscribe(book, person)
    return _letter(
        scene,
        to=person.address,
        kind=kind,
        sheets=sheets,
        subject=subject,
        reply_to=book.channel_address("say") if follower.seat else book.game_address,
        thread=f"{day_thread(scene)}/{follower.seat or person.address}",
        headers=(*list_headers(scene, page), *out, *_speaker(speaker)),
        attachments=attachments,
    )


def of_the_day(
    scene: Scene, follower: Follower, sheets: Sequence[Sheet], notices: Iterable[Mapping[str, Any]], part: int
) -> Letter:
    """Somebody's daily mail. To answer it is to speak where he may: in the village, or, for the dead, below it."""
    book, person = scene.book, follower.person
    channels = {"list": book.channel_address("say"), "graveyard": book.channel_address("grave")}
    return _letter(
        scene,
        to=person.address,
        kind="daily",
        sheets=sheets,
        reply_to=channels.get(scene.audience, book.game_address),
        thread=f"{book.code}/daily/{follower.seat or person.address}/{scene.at.date()}/{part}",
        headers=(*list_headers(scene), *(() if follower.seat else unsubscribe(book, person))),
        notices=tuple(notices),
    )


def piece(
    scene: Scene, to: str, kind: str, sheets: Sequence[Sheet], notices: Iterable[Mapping[str, Any]] = ()
) -> Letter:
    """A piece of somebody's daily mail."""
    text, html = "\n\n".join(sheet.text for sheet in sheets), "\n".join(sheet.html for sheet in sheets)
    return Letter(to, kind, scene.room.language, "", text, html, tuple(notices), daily=True)


def to_seat(
    scene: Scene,
    seat: int,
    kind: str,
    sheets: Sequence[Sheet],
    notices: Iterable[Mapping[str, Any]] = (),
    *,
    subject: str = "",
    in_reply_to: str | None = None,
) -> Letter:
    """A private letter to a player, in the thread of his day; an answer to it carries his tag."""
    own = scene.book.seats[seat]
    return _letter(
        scene,
        to=own.address,
        kind=kind,
        sheets=sheets,
        subject=subject,
        reply_to=scene.book.private_address(own.tag),
        thread=f"{scene.book.code}/seat/{seat}/day/{scene.game.turn}",
        notices=tuple(notices),
        in_reply_to=in_reply_to,
    )


def to_graveyard(scene: Scene, one: Follower, speaker: str, text: str) -> Letter:
    """What somebody said among the dead, to one of them or to a reader."""
    book = scene.book
    return _letter(
        scene,
        to=one.person.address,
        kind="graveyard-talk",
        sheets=[scene.render("letters/graveyard-talk", {"speaker": speaker, "text": text})],
        reply_to=book.channel_address("grave"),
        thread=f"{book.code}/grave/{one.seat or one.person.address}",
        headers=(*_speaker(speaker), *(() if one.seat else unsubscribe(book, one.person))),
        notices=({"graveyard-talk": speaker},) if one.seat else (),
    )


def to_person(
    scene: Scene,
    to: Correspondent,
    kind: str,
    sheets: Sequence[Sheet],
    notices: Iterable[Mapping[str, Any]] = (),
    *,
    subject: str = "",
    in_reply_to: str | None = None,
    tag: str | None = None,
) -> Letter:
    """A letter to a storyteller, a reader or a stranger; with `tag` (a confirmation's code) an answer carries that."""
    book = scene.book
    return _letter(
        scene,
        to=to.address,
        kind=kind,
        sheets=sheets,
        subject=subject,
        reply_to=book.private_address(tag),
        thread=f"{book.code}/{scene.audience}/{to.address}/{kind}" if in_reply_to is None else "",
        notices=tuple(notices),
        in_reply_to=in_reply_to,
        headers=unsubscribe(book, to) if scene.audience == "reader" else (),
    )


def day_thread(scene: Scene) -> str:
    """The key of the list's thread of this day of the game."""
    return f"{scene.book.code}/day/{scene.game.turn}"


def post_page(seat: int, at: datetime) -> str:
    """Where a post stands below its game's page in the archive, which calls it the same
    (`pbem.archive.addresses.post_path`). `at`: when its mail arrived. Of several posts of one speaker in one second it
    is the first one's page.
    """
    return f"post/{at.astimezone(UTC):%Y%m%dT%H%M%S}-{seat}/"


def list_headers(scene: Scene, page: str = "") -> Headers:
    """RFC 2919 and 2369, and RFC 5064 where there is an archive: a post's own `page`, or the day."""
    book = scene.book
    local, _, domain = book.list_address.rpartition("@")
    headers = [
        ("List-Id", f"{book.code} <{book.code.lower()}.{local}.{domain}>"),
        ("List-Post", f"<{book.channel_link('say', scene.verb('SAY'))}>"),
        ("List-Help", f"<{book.link(scene.verb('HELP'))}>"),
    ]
    if book.archive_url:
        home = f"{book.archive_url.rstrip('/')}/{book.code.lower()}/"
        headers += [("List-Archive", f"<{home}>"), ("Archived-At", f"<{home}{page or f'#day-{scene.game.turn}'}>")]
    return tuple(headers)


def unsubscribe(book: Book, reader: Correspondent) -> Headers:
    """How a reader ends it: by mail, and with one click where there is a web address (RFC 8058)."""
    by_mail = f"<{book.link('UNWATCH')}>"
    if not (reader.tag and (book.archive_url or "").startswith("https://")):
        return (("List-Unsubscribe", by_mail),)
    page = f"<{(book.archive_url or '').rstrip('/')}/unsubscribe/{reader.tag}>"
    return ("List-Unsubscribe", f"{page}, {by_mail}"), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")


def _speaker(name: str) -> Headers:
    return (("From", clean(name)),) if name else ()


def _letter(scene: Scene, *, to: str, kind: str, sheets: Sequence[Sheet], subject: str = "", **rest: Any) -> Letter:
    said = subject or next((sheet.subject for sheet in sheets if sheet.subject), "")
    title = f"{scene.book.prefix(scene.tag)} {scene.room.plain.say(said)}".strip()
    foot = scene.foot()
    whole = scene.room.frame(title, masthead(scene), sheets, foot)
    return Letter(
        to=to, kind=kind, language=scene.room.language, subject=title, text=whole.text, html=whole.html, **rest
    )


def masthead(scene: Scene) -> str:
    """The first line of every letter; it names the game and the day, and begins with no verb."""
    phase = scene.game.phase
    key = "over" if phase == "over" else "day" if scene.game.turn else "before"
    return scene.words("masthead", key, code=scene.book.code, turn=scene.game.turn)
