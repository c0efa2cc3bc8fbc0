"""Where everything is: paths below the archive's own address, the same for ever.

A path has no slash in front, and one at its end where it names a page (whose file is `index.html` in it). With a `base`
(the configured address) it makes an absolute one; letters to the list point there (`List-Archive`: `game_url`;
`Archived-At`: `post_url`, or `day_url` for a digest; RFC 2369, RFC 5064).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

HALL = "hall/"
UNSUBSCRIBE = "unsubscribe/"


def game_path(code: str) -> str:
    """A game."""
    return f"{code.lower()}/"


def day_path(code: str, turn: int, leaf: int = 1) -> str:
    """A day of a game, which may have several leaves; day 0 is before the first."""
    return f"{game_path(code)}day-{turn}/" + (f"{leaf}/" if leaf > 1 else "")


def player_path(code: str, seat: int, leaf: int = 1) -> str:
    """A player in a game, by his seat: names may change."""
    return f"{game_path(code)}player-{seat}/" + (f"{leaf}/" if leaf > 1 else "")


def post_key(at: datetime, seat: int, repeated: int = 1) -> str:
    """What a post is called, from what is known when it is written: when its mail arrived (UTC), and its speaker.

    `repeated` counts the posts of one speaker in one second.
    """
    return f"{at:%Y%m%dT%H%M%S}-{seat}" + (f"-{repeated}" if repeated > 1 else "")


def post_path(code: str, key: str) -> str:
    """A single post."""
    return f"{game_path(code)}post/{key}/"


def game_url(base: str, code: str) -> str:
    """List-Archive."""
    return absolute(base, game_path(code))


def day_url(base: str, code: str, turn: int) -> str:
    """Archived-At of a digest: its day in the game's story."""
    return f"{game_url(base, code)}#day-{turn}"


def post_url(base: str, code: str, at: datetime, seat: int) -> str:
    """Archived-At of a post."""
    return absolute(base, post_path(code, post_key(at, seat)))


def unsubscribe_url(base: str, tag: str) -> str:
    """RFC 8058: where a reader's mail program ends his subscription, if `pbem archive serve` is what answers there."""
    return absolute(base, f"{UNSUBSCRIBE}{tag}")


def absolute(base: str, path: str) -> str:
    """`path` below `base`."""
    return f"{base.rstrip('/')}/{path}"


def relative(origin: str, target: str) -> str:
    """From one page to another place, so that the site works wherever it is put: `../../hall/`."""
    up = origin.count("/")
    shared, here, there = 0, origin.split("/")[:-1], target.split("/")
    while shared < min(up, len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return "../" * (up - shared) + "/".join(there[shared:]) or "./"
