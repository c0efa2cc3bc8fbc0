"""A rehearsal told: every mail in and out, as a person would read them."""

from __future__ import annotations

from email import message_from_bytes, policy
from typing import TYPE_CHECKING, TextIO

from pbem.rehearsal.mailwriter import text_of
from pbem.rehearsal.player import Watch

if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from pbem.rehearsal.scenario import Step
    from pbem.store import OutboxRow


class Transcript:
    """Writes to `out`; times are local in `zone`."""

    def __init__(self, out: TextIO, zone: ZoneInfo) -> None:
        self._out = out
        self._zone = zone

    def watch(self) -> Watch:
        """To be handed to `play`."""
        return Watch(self._step, self._mail, self._letter)

    def _step(self, step: Step, now: datetime) -> None:
        print(f"\n=== step {step.number}, {self._clock(now)} ===", file=self._out)

    def _mail(self, raw: bytes, now: datetime) -> None:
        self._tell("<<<", raw, now, "")

    def _letter(self, row: OutboxRow, now: datetime) -> None:
        notices = " ".join(str(dict(notice)) for notice in row.notices)
        self._tell(">>>", row.raw, now, f" ({row.kind}) {notices}".rstrip())

    def _tell(self, mark: str, raw: bytes, now: datetime, more: str) -> None:
        mail = message_from_bytes(raw, policy=policy.default)
        print(f"\n{mark} {self._clock(now)}{more}", file=self._out)
        for name in ("From", "To", "Cc", "Reply-To", "Subject"):
            if mail.get(name):
                print(f"    {name}: {mail[name]}", file=self._out)
        rich = mail.get_body(("html",))
        text = text_of(mail) or (str(rich.get_content()) if rich is not None else "")
        print(file=self._out)
        for line in text.rstrip().splitlines():
            print(f"    {line}".rstrip(), file=self._out)

    def _clock(self, now: datetime) -> str:
        return now.astimezone(self._zone).strftime("%a %Y-%m-%d %H:%M").lower()
