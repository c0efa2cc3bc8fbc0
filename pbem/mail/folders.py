"""The embedded post office's mailboxes as pymap wants to see them: `Maildir` folders that tell when they change.

Promises: BODY[] is the stored mail byte for byte, whatever is wrong with it; INTERNALDATE is the moment of delivery, to
the second, whatever the time zone; an IDLE sees what is delivered in this process at once, and what another program
puts into the Maildir within a second. (pymap's own Maildir backend rewrites mails while it reads them, dates them by
today's time zone offset, and leaves lock files behind that stop the next start for ten minutes.)

Folders beside INBOX lie in it as Maildir++ has it (`.Sent`, `.Sent.2026`).
"""

from __future__ import annotations

import hashlib
import shutil
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pymap.backend.mailbox import MailboxDataInterface, MailboxSetInterface
from pymap.bytes import Writeable
from pymap.concurrent import Event
from pymap.exceptions import MailboxHasChildren, NotSupportedError
from pymap.listtree import ListTree
from pymap.mailbox import MailboxSnapshot
from pymap.message import BaseLoadedMessage, BaseMessage
from pymap.mime import MessageContent
from pymap.parsing.response.fetch import BodyStructure, EnvelopeStructure
from pymap.parsing.specials import FetchRequirement, ObjectId
from pymap.parsing.specials.flag import Answered, Deleted, Draft, Flagged, Seen
from pymap.selected import SelectedSet

from pbem.mail.maildir import Maildir, Stored, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from pymap.flags import FlagOp
    from pymap.interfaces.message import CachedMessage
    from pymap.parsing.message import AppendMessage
    from pymap.parsing.specials.flag import Flag
    from pymap.selected import SelectedMailbox

    Clock = Callable[[], datetime]

_LETTER: dict[Flag, str] = {Seen: "S", Flagged: "F", Deleted: "T", Draft: "D", Answered: "R"}
_FLAG = {letter: flag for flag, letter in _LETTER.items()}
_LOOK_SECONDS = 1.0
_NAME_LIMIT = 200
_SUBSCRIPTIONS = "pbem-subscriptions"


class OpenedMail(BaseLoadedMessage):
    """A mail with its content; parsed only if more than the whole is asked for, and then forgivingly."""

    __slots__ = ("_raw",)

    def __init__(self, mail: StoredMail, requirement: FetchRequirement, raw: bytes | None) -> None:
        super().__init__(mail, requirement, None)
        self._raw = raw

    @property
    def content(self) -> MessageContent:
        """The mail as pymap takes it apart; one that it cannot take apart is all body."""
        if self._content is None and self._raw is not None:
            try:
                self._content = MessageContent.parse(self._raw)
            except Exception:  # noqa: BLE001  (the parser below raises whatever it likes on odd mails)
                self._content = MessageContent.parse(b"\r\n" + self._raw)
        return super().content

    def __bytes__(self) -> bytes:
        return self._raw or b""

    def get_body(self, section: Sequence[int] | None = None, binary: bool = False) -> Writeable:  # noqa: FBT001, FBT002
        """The bytes as stored, if the whole is wanted."""
        if section or binary or self._raw is None:
            return super().get_body(section, binary)
        return Writeable.wrap(self._raw)

    def get_size(self, section: Sequence[int] | None = None) -> int:
        """The octets that BODY[] has."""
        return super().get_size(section) if section else len(self._raw or b"")

    def get_envelope_structure(self) -> EnvelopeStructure:
        """The envelope, empty if the header is beyond understanding."""
        try:
            envelope = super().get_envelope_structure()
            bytes(envelope)
        except Exception:  # noqa: BLE001  (as above)
            return EnvelopeStructure.empty()
        return envelope

    def get_body_structure(self) -> BodyStructure:
        """The structure, empty if the mail is beyond understanding."""
        try:
            structure = super().get_body_structure()
            bytes(structure)
        except Exception:  # noqa: BLE001  (as above)
            return BodyStructure.empty()
        return structure


class StoredMail(BaseMessage):
    """A mail's UID, date and flags, and where its content is to be had."""

    __slots__ = ("_folder",)

    def __init__(self, folder: Folder, stored: Stored, *, expunged: bool = False) -> None:
        super().__init__(
            stored.uid,
            stored.received,
            [_FLAG[letter] for letter in stored.flags],
            email_id=folder.email_id(stored.uid),
            expunged=expunged,
        )
        self._folder = folder

    async def load_content(self, requirement: FetchRequirement) -> OpenedMail:
        """Read the file, if content is wanted and it is still there."""
        if requirement.has_none(FetchRequirement.CONTENT):
            return OpenedMail(self, requirement, None)
        try:
            return OpenedMail(self, requirement, self._folder.maildir.read(self.uid))
        except KeyError:
            return OpenedMail(self, requirement, None)


class Folder(MailboxDataInterface[StoredMail]):
    """One folder for any number of sessions."""

    def __init__(self, maildir: Maildir, now: Clock) -> None:
        self.maildir = maildir
        self._now = now
        self._selected_set = SelectedSet()
        self._changed = Event.for_asyncio()

    @cached_property
    def mailbox_id(self) -> ObjectId:
        """A lasting name for the folder (RFC 8474)."""
        origin = f"{self.maildir.path.parent.name}/{self.maildir.path.name} {self.maildir.uidvalidity}"
        return ObjectId(b"F" + hashlib.sha256(origin.encode()).hexdigest()[:32].encode())

    def email_id(self, uid: int) -> ObjectId:
        """A lasting name for one of its mails."""
        return ObjectId(b"M%b-%d" % (self.mailbox_id.value, uid))

    @property
    def readonly(self) -> bool:
        """No folder is."""
        return False

    @property
    def uid_validity(self) -> int:
        """The Maildir's."""
        return self.maildir.uidvalidity

    @property
    def selected_set(self) -> SelectedSet:
        """The sessions that have this folder open."""
        return self._selected_set

    def deliver(self, raw: bytes, received: datetime) -> int:
        """Store a mail and wake whoever idles here. Raises OSError."""
        return self._put(raw, received, frozenset())

    async def update_selected(self, selected: SelectedMailbox, *, wait_on: Event | None = None) -> SelectedMailbox:
        """Tell a session what has changed; with `wait_on`, first wait for a change (or for a second)."""
        if wait_on is not None and selected.mod_sequence == self.maildir.refresh():
            await wait_on.or_event(self._changed).wait(timeout=_LOOK_SECONDS)
        version = self.maildir.refresh()
        if selected.mod_sequence == version:
            selected.add_updates([], [])
        else:
            selected.mod_sequence = version
            selected.set_messages([StoredMail(self, stored) for stored in self.maildir.mails.values()])
        return selected

    async def append(self, append_msg: AppendMessage, *, recent: bool = False) -> StoredMail:
        """Store what a client puts here; without a date of its own it is received now."""
        del recent  # whoever opens the folder next claims it
        uid = self._put(append_msg.literal, append_msg.when or self._now(), append_msg.flag_set)
        return StoredMail(self, self.maildir.mails[uid])

    async def copy(self, uid: int, destination: Folder, *, recent: bool = False) -> int | None:
        """Store the same mail there, date and flags kept; None if it is gone."""
        del recent
        try:
            stored, raw = self.maildir.mails[uid], self.maildir.read(uid)
        except KeyError:
            return None
        return destination._put(raw, stored.received, frozenset(_FLAG[letter] for letter in stored.flags))

    async def move(self, uid: int, destination: Folder, *, recent: bool = False) -> int | None:
        """Copy, then delete here: a crash between leaves it in both."""
        copied = await self.copy(uid, destination, recent=recent)
        if copied is not None:
            await self.delete([uid])
        return copied

    async def get(self, uid: int, cached_msg: CachedMessage) -> StoredMail:
        """The mail as it is now; if it is gone, as it was, marked expunged."""
        stored = self.maildir.mails.get(uid)
        if stored is not None:
            return StoredMail(self, stored)
        return self._gone(cached_msg)

    async def update(self, uid: int, cached_msg: CachedMessage, flag_set: frozenset[Flag], mode: FlagOp) -> StoredMail:
        """Change its flags."""
        stored = self.maildir.mails.get(uid)
        if stored is None:
            return self._gone(cached_msg)
        flags = mode.apply(frozenset(_FLAG[letter] for letter in stored.flags), flag_set)
        try:
            self.maildir.set_flags(uid, _letters(flags))
        except KeyError:
            return self._gone(cached_msg)
        self._changed.set()
        return StoredMail(self, self.maildir.mails[uid])

    async def delete(self, uids: Iterable[int]) -> None:
        """Delete these mails for good."""
        self.maildir.remove(uids)
        self._changed.set()

    async def claim_recent(self, selected: SelectedMailbox) -> None:
        """Make what nobody has seen listed yet recent for this session."""
        for uid in self.maildir.claim():
            selected.session_flags.add_recent(uid)

    async def cleanup(self) -> None:
        """Nothing needs it."""

    async def snapshot(self) -> MailboxSnapshot:
        """The figures for SELECT and STATUS."""
        self.maildir.refresh()
        mails = list(self.maildir.mails.values())
        unseen = [number for number, stored in enumerate(mails, 1) if "S" not in stored.flags]
        return MailboxSnapshot(
            self.mailbox_id,
            self.readonly,
            self.uid_validity,
            self.permanent_flags,
            self.session_flags,
            len(mails),
            sum(stored.folder == "new" for stored in mails),
            len(unseen),
            unseen[0] if unseen else None,
            self.maildir.next_uid,
        )

    def _put(self, raw: bytes, received: datetime, flags: frozenset[Flag]) -> int:
        uid = self.maildir.deliver(raw, received, _letters(flags))
        self._changed.set()
        return uid

    def _gone(self, cached: CachedMessage) -> StoredMail:
        letters = frozenset(_letters(cached.permanent_flags))
        return StoredMail(self, Stored(cached.uid, "", "", letters, cached.internal_date), expunged=True)


class FolderSet(MailboxSetInterface[Folder]):
    """All folders of one account; INBOX is the Maildir at `path`."""

    def __init__(self, path: Path, now: Clock, *, durable: bool) -> None:
        self._path = path
        self._now = now
        self._durable = durable
        self._open: dict[str, Folder] = {}

    @property
    def delimiter(self) -> str:
        """What stands between a folder and its sub-folder, to clients."""
        return "/"

    def folder(self, name: str) -> Folder:
        """The folder of that name. Raises KeyError if there is none; INBOX is always there."""
        name = _canonical(name)
        where = self._where(name)
        if name != "INBOX" and not where.is_dir():
            self._open.pop(name, None)
            raise KeyError(name)
        if name not in self._open:
            self._open[name] = Folder(Maildir(where, durable=self._durable), self._now)
        return self._open[name]

    async def get_mailbox(self, name: str) -> Folder:
        """The same for pymap, up to date."""
        folder = self.folder(name)
        folder.maildir.refresh()
        return folder

    async def list_mailboxes(self) -> ListTree:
        """INBOX and what lies in it."""
        return ListTree(self.delimiter).update("INBOX", *self._names())

    async def list_subscribed(self) -> ListTree:
        """INBOX and what the user subscribed to and still is there."""
        wanted = self._subscribed()
        return ListTree(self.delimiter).update("INBOX", *(name for name in self._names() if name in wanted))

    async def set_subscribed(self, name: str, subscribed: bool) -> None:  # noqa: FBT001
        """Remember it."""
        names = self._subscribed() - {name} | ({name} if subscribed else set())
        text = "".join(f"{quote(name)}\n" for name in sorted(names))
        replace_file(self._path / _SUBSCRIPTIONS, text.encode(), durable=self._durable)

    async def add_mailbox(self, name: str) -> ObjectId:
        """Make a folder. Raises ValueError if it is there."""
        if name in self._names() or _canonical(name) == "INBOX":
            raise ValueError(name)
        if len(self._where(name).name) > _NAME_LIMIT or not all(name.split(self.delimiter)):
            raise NotSupportedError("No folder can have that name.")
        self._open[name] = Folder(Maildir(self._where(name), durable=self._durable), self._now)
        return self._open[name].mailbox_id

    async def delete_mailbox(self, name: str) -> None:
        """Remove a folder and its mails. Raises KeyError if it is not there."""
        if name not in self._names():
            raise KeyError(name)
        if any(other.startswith(name + self.delimiter) for other in self._names()):
            raise MailboxHasChildren(name)
        self._open.pop(name, None)
        shutil.rmtree(self._where(name))

    async def rename_mailbox(self, before: str, after: str) -> None:
        """Give a folder and those under it another name. Raises KeyError, ValueError."""
        if before == "INBOX":
            raise NotSupportedError("INBOX cannot be renamed here.")
        names = self._names()
        moved = [name for name in names if name == before or name.startswith(before + self.delimiter)]
        if not moved:
            raise KeyError(before)
        if after in names or _canonical(after) == "INBOX":
            raise ValueError(after)
        for name in moved:
            self._open.pop(name, None)
            self._where(name).rename(self._where(after + name[len(before) :]))

    def _names(self) -> list[str]:
        found = [entry.name[1:] for entry in self._path.glob(".*") if (entry / "cur").is_dir()]
        return sorted("/".join(unquote(part) for part in name.split(".")) for name in found)

    def _where(self, name: str) -> Path:
        if name == "INBOX":
            return self._path
        return self._path / "".join("." + quote(part, safe=" ").replace(".", "%2E") for part in name.split("/"))

    def _subscribed(self) -> set[str]:
        try:
            return {unquote(line) for line in (self._path / _SUBSCRIPTIONS).read_text("ascii").splitlines()}
        except FileNotFoundError:
            return set()


class Mailboxes:
    """The folders of every account, under `root`; opened as needed and shared by all sessions."""

    def __init__(self, root: Path, now: Clock, *, durable: bool) -> None:
        self._root = root
        self._now = now
        self._durable = durable
        self._sets: dict[str, FolderSet] = {}

    def of(self, account: str) -> FolderSet:
        """The account's folders. The address must be one that `Accounts.base` gave: it names a folder on disk."""
        if account not in self._sets:
            self._sets[account] = FolderSet(self._root / account, self._now, durable=self._durable)
        return self._sets[account]

    def inbox(self, account: str) -> Folder:
        """The account's INBOX, made if need be."""
        return self.of(account).folder("INBOX")


def _canonical(name: str) -> str:
    return "INBOX" if name.upper() == "INBOX" else name


def _letters(flags: Iterable[Any]) -> list[str]:
    return [_LETTER[flag] for flag in flags if flag in _LETTER]
