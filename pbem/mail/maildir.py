"""One mail folder on disk, as a Maildir whose file names carry the IMAP UIDs.

Promises: a mail that `deliver` has returned for is on the disk (written in `tmp/`, synced, renamed into `new/`, folder
synced), whole, under a UID never given before in this folder's UIDVALIDITY, whatever kills the process; a half-written
one is never seen. Its date is the file's modification time. Other programs may read, flag, add and remove mails as in
any Maildir: `refresh` notices.

A name is `SECONDS.UNIQUE.HOST,U=UID` in `new/`, and the same with `:2,FLAGS` in `cur/` (flags: D F R S T, in ASCII
order). Lines end in LF on disk, as local mail programs expect, and in CRLF in `read`, as IMAP does. `pbem-uids` holds
UIDVALIDITY and the lowest UID that may still be given; it is rewritten at opening and when the highest UID goes.
"""

from __future__ import annotations

import os
import re
import socket
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

FLAGS = frozenset("DFRST")
_NAME = re.compile(r"(?P<base>[^:]*?)(?:,U=(?P<uid>[1-9]\d{0,9}))?(?::2,(?P<flags>[A-Za-z]*))?")
_STATE = "pbem-uids"
_STALE_SECONDS = 36 * 3600
_BARE_LF = re.compile(rb"(?<!\r)\n")
_serial = count(1)
_last_validity = 0


@dataclass(frozen=True, slots=True)
class Stored:
    """A mail in a folder: its UID, where its file is (`new` or `cur`, and name), its flags and when it was received."""

    uid: int
    folder: str
    name: str
    flags: frozenset[str]
    received: datetime


class Maildir:
    """A folder at `path`, made if it is not there. To be used by one thread of one process at a time.

    `durable=False` leaves out the syncs, for tests and demonstrations that no power cut need survive.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self.version = 0
        self._durable = durable
        self._mails: dict[int, Stored] = {}
        self._stamps: tuple[int, int] | None = None
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in ("tmp", "new", "cur"):
            (path / name).mkdir(exist_ok=True, mode=0o700)
        self.uidvalidity, self._next_uid = self._read_state()
        self._sweep()
        floor = self._next_uid
        self.refresh()
        if self._next_uid != floor:
            self._write_state()

    @property
    def next_uid(self) -> int:
        """The UID that the next mail will get."""
        return self._next_uid

    @property
    def mails(self) -> Mapping[int, Stored]:
        """The mails by UID, ascending, as of the last `refresh`."""
        return self._mails

    def refresh(self) -> int:
        """Look for what other programs changed; return the folder's version, which grows with every change."""
        stamps = self._folder_stamps()
        if stamps != self._stamps:
            self._stamps = stamps
            self._rescan()
        return self.version

    def deliver(self, raw: bytes, received: datetime, flags: Iterable[str] = ()) -> int:
        """Store a mail, return its UID. Raises OSError (full disk …): then it must be taken as not stored."""
        uid = self._next_uid
        self._next_uid = uid + 1  # first: what failed half-way must not share its UID
        letters = "".join(sorted(FLAGS & set(flags)))
        base = f"{int(received.timestamp())}.M{time.time_ns()}P{os.getpid()}Q{next(_serial)}.{_host()},U={uid}"
        target = self.path / "cur" / f"{base}:2,{letters}" if letters else self.path / "new" / base
        self._write(self.path / "tmp" / base, target, raw.replace(b"\r\n", b"\n"), received)
        self._mails[uid] = Stored(uid, target.parent.name, target.name, frozenset(letters), _whole_second(received))
        self.version += 1
        return uid

    def read(self, uid: int) -> bytes:
        """The mail, lines ending in CRLF. Raises KeyError if it is gone."""
        for _ in range(2):  # another program may have renamed it since
            stored = self._mails[uid]
            try:
                return _BARE_LF.sub(b"\r\n", (self.path / stored.folder / stored.name).read_bytes())
            except FileNotFoundError:
                self._rescan()
        raise KeyError(uid)

    def set_flags(self, uid: int, flags: Iterable[str]) -> None:
        """Give it exactly these flags. Raises KeyError if it is gone."""
        letters = frozenset(flags) & FLAGS
        stored = self._mails[uid]
        if stored.flags != letters or (letters and stored.folder == "new"):
            self._rename(stored, letters)

    def claim(self) -> list[int]:
        """Move what is in `new/` to `cur/`; return those UIDs (to IMAP they are recent)."""
        fresh = [stored for stored in self._mails.values() if stored.folder == "new"]
        for stored in fresh:
            self._rename(stored, stored.flags)
        return [stored.uid for stored in fresh]

    def remove(self, uids: Iterable[int]) -> None:
        """Delete these mails; those already gone are passed over."""
        doomed = [self._mails[uid] for uid in uids if uid in self._mails]
        if any(stored.uid == self._next_uid - 1 for stored in doomed):
            self._write_state()  # before the highest UID goes: it must not be given again
        for stored in doomed:
            (self.path / stored.folder / stored.name).unlink(missing_ok=True)
            self._mails.pop(stored.uid, None)
            self.version += 1

    def _rename(self, stored: Stored, letters: frozenset[str]) -> None:
        base = stored.name.split(":2,", 1)[0]
        name = f"{base}:2,{''.join(sorted(letters))}"
        try:
            (self.path / stored.folder / stored.name).rename(self.path / "cur" / name)
        except FileNotFoundError:
            self._rescan()
            if stored.uid not in self._mails:
                raise KeyError(stored.uid) from None
            return
        self._mails[stored.uid] = Stored(stored.uid, "cur", name, letters, stored.received)
        self.version += 1

    def _write(self, draft: Path, target: Path, data: bytes, received: datetime) -> None:
        moment = int(received.timestamp() * 1_000_000) * 1_000
        try:
            with draft.open("xb") as file:
                file.write(data)
                file.flush()
                os.utime(file.fileno(), ns=(moment, moment))
                if self._durable:
                    os.fsync(file.fileno())
            draft.rename(target)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        if self._durable:
            _sync_folder(target.parent)

    def _folder_stamps(self) -> tuple[int, int]:
        new, cur = ((self.path / name).stat().st_mtime_ns for name in ("new", "cur"))
        return new, cur

    def _rescan(self) -> None:
        found: dict[int, Stored] = {}
        strays: list[Stored] = []
        for stored in self._scan():
            if stored.uid and stored.uid not in found:
                found[stored.uid] = stored
            else:
                strays.append(stored)
        self._next_uid = max(self._next_uid, max(found, default=0) + 1)
        for stored in sorted(strays, key=lambda mail: (mail.received, mail.name)):
            adopted = self._adopt(stored)
            if adopted is not None:
                found[adopted.uid] = adopted
        if self._next_uid - 1 in self._mails and self._next_uid - 1 not in found:
            self._write_state()  # another program deleted the mail with the highest UID
        mails = dict(sorted(found.items()))
        if mails != self._mails:
            self._mails = mails
            self.version += 1

    def _scan(self) -> Iterator[Stored]:
        known = {(stored.folder, stored.name): stored for stored in self._mails.values()}
        for folder in ("new", "cur"):
            with os.scandir(self.path / folder) as entries:
                for entry in entries:
                    stored = known.get((folder, entry.name))
                    if stored is not None:
                        yield stored
                        continue
                    match = None if entry.name.startswith(".") else _NAME.fullmatch(entry.name)
                    if match is None:
                        continue
                    try:
                        moment = datetime.fromtimestamp(int(entry.stat().st_mtime), UTC)
                    except FileNotFoundError:
                        continue
                    flags = frozenset(match["flags"] or "") & FLAGS
                    yield Stored(int(match["uid"] or 0), folder, entry.name, flags, moment)

    def _adopt(self, stored: Stored) -> Stored | None:
        """Give a UID to a mail that another program put there (or whose UID is taken)."""
        match = _NAME.fullmatch(stored.name)
        assert match is not None
        uid = self._next_uid
        tail = "" if match["flags"] is None else f":2,{match['flags']}"
        name = f"{match['base']},U={uid}{tail}"
        source = self.path / stored.folder / stored.name
        try:
            source.rename(source.with_name(name))
        except FileNotFoundError:
            return None
        self._next_uid = uid + 1
        return Stored(uid, stored.folder, name, stored.flags, stored.received)

    def _read_state(self) -> tuple[int, int]:
        try:
            validity, floor = (int(word) for word in (self.path / _STATE).read_text("ascii").split())
        except FileNotFoundError:
            self._next_uid, self.uidvalidity = 1, _new_validity()
            self._write_state()
            return self.uidvalidity, 1
        except ValueError:  # unreadable: UIDs can no longer be vouched for
            self._next_uid, self.uidvalidity = 1, _new_validity()
            self._write_state()
            return self.uidvalidity, 1
        return validity, floor

    def _write_state(self) -> None:
        replace_file(
            self.path / _STATE, f"{self.uidvalidity} {self._next_uid}\n".encode("ascii"), durable=self._durable
        )

    def _sweep(self) -> None:
        """Remove what an interrupted delivery left in `tmp/`."""
        limit = time.time() - _STALE_SECONDS
        for draft in (self.path / "tmp").iterdir():
            if f".{_host()},U=" in draft.name or draft.stat().st_mtime < limit:
                draft.unlink(missing_ok=True)


def replace_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file so that a crash leaves the old one or the new one, readable by its owner alone (0600)."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "wb") as file:  # noqa: PTH123  (Path.open takes no mode for the new file)
        file.write(data)
        file.flush()
        if durable:
            os.fsync(file.fileno())
    draft.replace(path)
    if durable:
        _sync_folder(path.parent)


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _new_validity() -> int:
    """Greater than any given before: seconds since 1970, one more if that one is taken (RFC 9051 2.3.1.1)."""
    global _last_validity  # noqa: PLW0603  (a process gives each only once)
    _last_validity = max(int(time.time()), _last_validity + 1)
    return _last_validity


def _whole_second(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


def _host() -> str:
    return socket.gethostname().replace("/", "\\057").replace(":", "\\072").replace(",", "\\054") or "localhost"
