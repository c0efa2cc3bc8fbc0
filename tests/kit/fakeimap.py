"""A small IMAP server that misbehaves on demand: for the faults that no real server can be made to show."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from datetime import UTC, datetime

from pbem.settings import Imap, Secret

T = datetime(2026, 12, 8, 21, 0, 0, tzinfo=UTC)


class FakeImap:
    """One folder, `mails` {uid: bytes}; the attributes are the faults. Connections are served one thread each.

    `dies_in_fetch`: how many octets of FETCH answers it still sends before it drops the connection (once).
    `empty` {uid: times}: bodies that come as an empty string that often; `refused` uids get NO.
    `chatter`: lines sent before every tagged answer. `early`: lines sent before it goes idle. `in_idle`: pieces sent then.
    """

    def __init__(self, mails=None):
        self.mails = dict(mails or {})
        self.uidvalidity = 7
        self.capabilities = "IMAP4rev1 IDLE"
        self.delimiter = "/"
        self.folders = ["INBOX"]
        self.dates = {}
        self.dies_in_fetch = None
        self.empty = {}
        self.refused = set()
        self.chatter = []
        self.early = []
        self.in_idle = []
        self.readonly = False
        self.refuses_store = False
        self.answers = {}
        self.seen = []
        self.commands = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self._open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def settings(self, **changes):
        port = self._server.getsockname()[1]
        login = {"user": "lune", "password": Secret.of("x")}
        return Imap(host="127.0.0.1", port=port, tls="none", timeout_seconds=3, **login).model_copy(update=changes)

    def close(self):
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._server.accept()
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as lines:
            connection.sendall(b"* OK ready\r\n")
            for line in lines:
                tag, _, command = line.decode().strip().partition(" ")
                if not self._answer(connection, lines, tag, command):
                    return

    def _answer(self, connection, lines, tag, command):
        self.commands.append(command)
        verb = command.upper().removeprefix("UID ").split(" ")[0]
        canned = self.answers.get(verb)
        if canned is not None:
            connection.sendall(canned.replace("TAG", tag).encode())
            return "BYE" not in canned
        if verb == "IDLE":
            return self._idle(connection, lines, tag)
        body, status = self._body(verb, command), "OK"
        if (
            verb == "FETCH"
            and any(uid in self.refused for uid in _uids(command, self.mails))
            and b"BODY" in command.encode()
        ):
            body, status = b"", "NO [SERVERBUG]"
        if verb == "STORE" and self.refuses_store:
            body, status = b"", "NO [OVERQUOTA]"
        if verb == "FETCH" and self.dies_in_fetch is not None and "BODY" in command:
            sent, self.dies_in_fetch = body[: self.dies_in_fetch], None
            connection.sendall(sent)
            return False
        chatter = "".join(f"{one}\r\n" for one in self.chatter) if verb in {"FETCH", "SEARCH", "NOOP", "STORE"} else ""
        readonly = "[READ-ONLY] " if verb in {"SELECT", "EXAMINE"} and (self.readonly or verb == "EXAMINE") else ""
        connection.sendall(body + chatter.encode() + f"{tag} {status} {readonly}done\r\n".encode())
        return verb != "LOGOUT"

    def _idle(self, connection, lines, tag):
        connection.sendall("".join(f"{one}\r\n" for one in self.early).encode() + b"+ idling\r\n")
        for piece in self.in_idle:
            if piece is None:
                return False
            connection.sendall(piece)
        lines.readline()
        connection.sendall(f"{tag} OK done\r\n".encode())
        return True

    def _body(self, verb, command):
        last = max(self.mails, default=0)
        if verb == "CAPABILITY":
            return f"* CAPABILITY {self.capabilities}\r\n".encode()
        if verb == "LIST":
            return "".join(f'* LIST () "{self.delimiter}" "{name}"\r\n' for name in self.folders).encode()
        if verb in {"SELECT", "EXAMINE"}:
            head = f"* {len(self.mails)} EXISTS\r\n* 0 RECENT\r\n* FLAGS (\\Seen)\r\n"
            return (head + f"* OK [UIDVALIDITY {self.uidvalidity}] x\r\n* OK [UIDNEXT {last + 1}] x\r\n").encode()
        if verb == "SEARCH":
            first = int(re.search(r"(\d+):", command)[1])
            found = [uid for uid in sorted(self.mails) if uid >= first] or ([last] if self.mails else [])
            return ("* SEARCH" + "".join(f" {uid}" for uid in found) + "\r\n").encode()
        if verb == "STORE":
            self.seen += _uids(command, self.mails)
        if verb == "FETCH":
            return b"".join(self._fetched(uid, command) for uid in _uids(command, self.mails))
        return b""

    def _fetched(self, uid, command):
        number = sorted(self.mails).index(uid) + 1
        raw = self.mails[uid]
        parts = [f"UID {uid}".encode()]
        if "RFC822.SIZE" in command:
            parts.append(f"RFC822.SIZE {len(raw)}".encode())
        if "INTERNALDATE" in command:
            date = self.dates.get(uid, T.strftime("%d-%b-%Y %H:%M:%S +0000"))
            parts.append(f'INTERNALDATE "{date}"'.encode())
        if "BODY" in command:
            if self.empty.get(uid, 0):
                self.empty[uid] -= 1
                raw = b""
            parts.append(b"BODY[] {%d}\r\n%b" % (len(raw), raw) if raw else b'BODY[] ""')
        return b"* %d FETCH (%b)\r\n" % (number, b" ".join(parts))


def _uids(command, mails):
    found = re.search(r" ([\d,:]+) ", command)
    wanted = set()
    for piece in found[1].split(","):
        low, _, high = piece.partition(":")
        wanted.update(range(int(low), int(high or low) + 1))
    return [uid for uid in sorted(mails) if uid in wanted]
