"""The state of the program as Prometheus reads it (text format 0.0.4): the same facts as `pbem status`, no secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from pbem.app.status import Status

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

Sample = tuple[tuple[tuple[str, str], ...], float]


def text(status: Status) -> str:
    """All metrics."""
    return "".join(_family(*family) for family in _families(status))


def _families(status: Status) -> Iterator[tuple[str, str, str, Sequence[Sample]]]:
    """(name, type, help, samples)."""
    seen, box = status.health, status.outbox
    yield "pbem_info", "gauge", "The program's version.", [_one(1, version=__version__)]
    yield "pbem_running", "gauge", "Whether the mailbox is being looked at.", [_one(status.running)]
    yield "pbem_healthy", "gauge", "Whether nothing needs the host.", [_one(status.healthy)]
    causes = [problem.cause for problem in status.found]
    yield "pbem_problems", "gauge", "What needs the host, by cause.", [
        _one(causes.count(cause), cause=cause) for cause in dict.fromkeys(causes)
    ]  # fmt: skip
    if seen is not None:
        yield "pbem_last_poll_timestamp_seconds", "gauge", "When the last whole poll began.", _moment(seen.polled)
        yield "pbem_mailbox_down", "gauge", "Whether the mailbox cannot be read.", [_one(bool(seen.error))]
        yield "pbem_mails_waiting", "gauge", "Mails fetched and not dealt with.", [_one(seen.waiting)]
        yield "pbem_clock_offset_seconds", "gauge", "How far the mail server's clock is ahead.", [_one(seen.offset)]
        yield "pbem_stumbles_total", "counter", "Mails that made the program stumble since it started.", [
            _one(seen.faults)
        ]  # fmt: skip
    yield "pbem_quarantined_mails", "gauge", "Mails put aside.", [_one(status.quarantine)]
    yield "pbem_letters", "gauge", "Letters in the outbox, by state.", [_one(box[s], state=s) for s in sorted(box)]
    yield (
        "pbem_oldest_letter_timestamp_seconds",
        "gauge",
        "When the oldest waiting letter was written.",
        _moment(status.oldest_letter),
    )
    games = status.games
    yield "pbem_game_living", "gauge", "How many players live, by game.", [
        _one(game.living, game=game.code, phase=game.phase) for game in games
    ]  # fmt: skip
    yield "pbem_game_deadline_timestamp_seconds", "gauge", "When the phase ends, by game.", [
        _one(game.deadline.timestamp(), game=game.code) for game in games if game.deadline is not None
    ]  # fmt: skip


def _one(value: float, **labels: str) -> Sample:
    return tuple(labels.items()), value


def _moment(moment: datetime | None) -> list[Sample]:
    return [] if moment is None else [_one(moment.timestamp())]


def _family(name: str, kind: str, what: str, samples: Sequence[Sample]) -> str:
    lines = [f"# HELP {name} {what}", f"# TYPE {name} {kind}"] if samples else []
    return "".join(f"{line}\n" for line in [*lines, *(f"{name}{_labels(names)} {_number(v)}" for names, v in samples)])


def _labels(names: tuple[tuple[str, str], ...]) -> str:
    inner = ",".join(f'{name}="{_escaped(value)}"' for name, value in names)
    return f"{{{inner}}}" if inner else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return f"{float(value):.3f}".rstrip("0").rstrip(".")
