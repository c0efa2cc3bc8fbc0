"""Mails to the host when something needs him: which problem is news, and the letter that tells it.

A problem is told when it has lasted for a while, again each day while it lasts, and once more when it is over. What
was told is kept in the store, so a restart repeats nothing. The letters go the way of all letters: what keeps letters
from leaving is in `pbem status` and in the log as well.
"""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import TYPE_CHECKING, Final

from pbem.mail.wire import compose
from pbem.post import Letter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.app.status import Problem
    from pbem.settings import Settings
    from pbem.store import Tx

AGAIN: Final = timedelta(days=1)
KIND: Final = "host-alert"
_KEY: Final = "alerts"
_MEND: Final = {
    "stopped": "The mailbox has not been looked at for a while. See the log, or restart the program.",
    "mailbox": "pbem doctor tries the mailbox out and says what to do.",
    "sending": "pbem doctor tries the way out and says what to do.",
    "stuck": "pbem doctor tries the way out; an hourly limit ([smtp] max_per_hour) may be too low.",
    "full": "An hourly limit ([smtp] max_per_hour) may be too low, or the provider slows you down.",
    "undelivered": "The storytellers of the games know whose address it is; it may have to be replaced.",
    "stumbled": "The log says where; the mails are kept whole. Tell whoever looks after the program, and its version.",
    "still": "The log says where. A newer version may help: the game goes on where it stands.",
    "templates": "pbem letters preview says what is wrong with it; mend it, and restart the program.",
    "late": "Deadlines wait until the mailbox has been read past them; nothing is lost.",
}


@dataclass(frozen=True, slots=True)
class Known:
    """A problem that is known: since when, and when the host was last told (None: not yet)."""

    since: datetime
    told: datetime | None
    text: str


@dataclass(frozen=True, slots=True)
class News:
    """What the host is to be told now: problems, and causes of problems that are over."""

    problems: tuple[Problem, ...]
    over: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.problems or self.over)


def judge(
    known: Mapping[str, Known], found: Iterable[Problem], now: datetime, patience: timedelta
) -> tuple[dict[str, Known], News]:
    """What is known from now on, and what is news. One problem a cause: the first of each is told."""
    first = {problem.cause: problem for problem in reversed(list(found))}
    kept: dict[str, Known] = {}
    news = []
    for cause, problem in sorted(first.items()):
        before = known.get(cause, Known(now, None, ""))
        again = before.told is None or now - before.told >= AGAIN
        due = again and now - before.since >= patience
        news += [problem] if due else []
        kept[cause] = Known(before.since, now if due else before.told, problem.text)
    over = tuple(was.text for cause, was in sorted(known.items()) if cause not in kept and was.told is not None)
    return kept, News(tuple(news), over)


def tell(tx: Tx, settings: Settings, found: Sequence[Problem], now: datetime) -> News:
    """Judge, write the letters that follow into the outbox, and remember."""
    kept, news = judge(_read(tx), found, now, settings.monitor.alert_after)
    _write(tx, kept)
    if news:
        for address in settings.monitor.alerts:
            _send(tx, settings, _letter(address, settings, news), now)
    return news


def _letter(address: str, settings: Settings, news: News) -> Letter:
    lines = [f"- {problem.text}.\n  {_MEND[problem.cause]}" for problem in news.problems]
    lines += [f"- Over: {text}." for text in news.over]
    subject = f"{settings.game.name}: " + ("something needs you" if news.problems else "all is well again")
    text = "\n".join([*lines, "", f"(The program that serves {settings.game.address}; pbem status tells more.)", ""])
    body = "".join(f"<p>{html.escape(line)}</p>" for line in text.splitlines() if line)
    return Letter(to=address, kind=KIND, language="en", subject=subject, text=text, html=body)


def _send(tx: Tx, settings: Settings, letter: Letter, now: datetime) -> None:
    game = settings.game
    message_id = make_msgid("host", game.domain)
    raw = compose(
        letter, sender=game.address, sender_name=settings.smtp.from_name, message_id=message_id, date=now,
        auto_submitted="auto-generated",
    )  # fmt: skip
    tx.enqueue(None, letter.kind, letter.to, message_id, raw, "", [], now)


def _read(tx: Tx) -> dict[str, Known]:
    values = json.loads(tx.get(_KEY) or "{}")
    return {
        cause: Known(datetime.fromisoformat(since), datetime.fromisoformat(told) if told else None, text)
        for cause, (since, told, text) in values.items()
    }


def _write(tx: Tx, known: Mapping[str, Known]) -> None:
    values = {cause: (k.since.isoformat(), k.told and k.told.isoformat(), k.text) for cause, k in known.items()}
    tx.set(_KEY, json.dumps(values))
