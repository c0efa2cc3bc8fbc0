"""What stands around a letter's sections: masthead, foot, subject, Reply-To, thread and list headers (MAIL.md §§ 1, 5).

`Letter.headers` may hold a `From`: the display name under which a post goes out; its address is the sender's business.
`Letter.thread` is a key of the recipient's own thread; letters to the list share one a day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.letters.typography import clean
from pbem.post import Letter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.letters.book import Book, Correspondent
    from pbem.letters.press import Sheet
    from pbem.letters.scene import Scene

Headers = tuple[tuple[str, str], ...]


def to_list(scene: Scene, kind: str, sheets: Sequence[Sheet], subject: str = "", speaker: str = "") -> Letter:
    """A letter to the village's list. `subject` '' takes that of the sheets; `speaker` is who a post is by."""
    book = scene.book
    return _letter(
        scene,
        to=book.list_address,
        kind=kind,
        sheets=sheets,
        subject=subject,
        reply_to=book.channel_address("say"),
        thread=day_thread(scene),
        headers=(*list_headers(scene), *_speaker(speaker)),
    )


def to_reader(scene: Scene, kind: str, sheets: Sequence[Sheet], reader: Correspondent, subject: str = "") -> Letter:
    """A digest to one who follows the game."""
    return _letter(
        scene,
        to=reader.address,
        kind=kind,
        sheets=sheets,
        subject=subject,
        reply_to=scene.book.game_address,
        thread=f"{day_thread(scene)}/{reader.address}",
        headers=(*list_headers(scene), unsubscribe(scene.book)),
    )


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


def to_graveyard(scene: Scene, kind: str, sheets: Sequence[Sheet], to: Correspondent, seat: int, **more: Any) -> Letter:
    """What is said among the dead, to one of them (`seat`) or to a reader (0)."""
    book = scene.book
    return _letter(
        scene,
        to=to.address,
        kind=kind,
        sheets=sheets,
        reply_to=book.channel_address("grave"),
        thread=f"{book.code}/grave/{seat or to.address}",
        headers=(*_speaker(more.get("speaker", "")), *(() if seat else (unsubscribe(book),))),
        notices=more.get("notices", ()),
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
        headers=(unsubscribe(book),) if scene.audience == "reader" else (),
    )


def day_thread(scene: Scene) -> str:
    """The key of the list's thread of this day of the game."""
    return f"{scene.book.code}/day/{scene.game.turn}"


def list_headers(scene: Scene) -> Headers:
    """RFC 2919 and 2369, and RFC 5064 where there is an archive."""
    book = scene.book
    local, _, domain = book.list_address.rpartition("@")
    headers = [
        ("List-Id", f"{book.code} <{book.code.lower()}.{local}.{domain}>"),
        ("List-Post", f"<{book.channel_link('say', scene.verb('SAY'))}>"),
        ("List-Help", f"<{book.link(scene.verb('HELP'))}>"),
    ]
    if book.archive_url:
        home = f"{book.archive_url.rstrip('/')}/{book.code.lower()}/"
        headers += [("List-Archive", f"<{home}>"), ("Archived-At", f"<{home}#day-{scene.game.turn}>")]
    return tuple(headers)


def unsubscribe(book: Book) -> tuple[str, str]:
    """How a reader ends it."""
    return "List-Unsubscribe", f"<{book.link('UNWATCH')}>"


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
