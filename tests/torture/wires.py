"""The wires between a worker and the post office, and what happens to them: cuts, silence, refusals that pass.

A TCP relay for IMAP that breaks connections anywhere, and one for SMTP that besides knows the protocol: greylisting
(451 the first time), a mailbox full for now (452), a server that closes (421), a connection lost in the middle of DATA,
and one lost after the mail was taken and before the answer got through, which nobody can tell from the former.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_MESSAGE_ID = re.compile(rb"(?mi)^Message-ID:\s*(<[^>]+>)")
_MEAN_BYTES = 12_000


class Wires:
    """Two relays. `share`: how likely each mail out, and each stretch of IMAP, is disturbed.

    `dead`: nothing goes out. `refusals`: what is always answered to RCPT for an address.
    """

    def __init__(self, smtp: int, imap: int, share: float, dice: Random) -> None:
        self.dead = False
        self.refusals: dict[str, str] = {}
        self.faults: Counter[str] = Counter()
        self.taken_unheard: Counter[str] = Counter()
        """Message-IDs of the mails that were taken though the answer was lost."""
        self.share = share
        self.dice = dice
        self._lock = threading.Lock()
        self._servers: list[socket.socket] = []
        self.smtp_port = self._listen(smtp, self._smtp)
        self.imap_port = self._listen(imap, self._imap)

    def close(self) -> None:
        """No more connections."""
        for server in self._servers:
            with contextlib.suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
            server.close()

    def heal(self) -> None:
        """Nothing goes wrong from now on."""
        self.share = 0.0

    def chance(self, times: float = 1.0) -> bool:
        """Whether something goes wrong now."""
        with self._lock:
            return self.dice.random() < self.share * times

    def count(self, what: str) -> None:
        """One more."""
        with self._lock:
            self.faults[what] += 1

    def _listen(self, port: int, serve: Callable[[socket.socket, socket.socket], None]) -> int:
        server = socket.create_server(("127.0.0.1", 0))
        self._servers.append(server)

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    near, _ = server.accept()
                    threading.Thread(target=self._join, args=(near, port, serve), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return int(server.getsockname()[1])

    def _join(self, near: socket.socket, port: int, serve: Callable[[socket.socket, socket.socket], None]) -> None:
        with contextlib.suppress(OSError), near, socket.create_connection(("127.0.0.1", port)) as far:
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            serve(near, far)

    # --- IMAP: cuts ---

    def _imap(self, near: socket.socket, far: socket.socket) -> None:
        """Pass on what comes, until a number of octets drawn for this connection has passed; then half of what is next."""
        with self._lock:
            doomed = self.share > 0
            budget = [int(self.dice.expovariate(1 / _MEAN_BYTES)) if doomed else 1 << 60]

        def pump(source: socket.socket, sink: socket.socket) -> None:
            with contextlib.suppress(OSError):
                while data := source.recv(4096):
                    budget[0] -= len(data)
                    if budget[0] < 0:
                        sink.sendall(data[: len(data) // 2])
                        self.count("imap-cut")
                        break
                    sink.sendall(data)
            for end in (source, sink):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

        other = threading.Thread(target=pump, args=(far, near), daemon=True)
        other.start()
        pump(near, far)
        other.join()

    # --- SMTP: what servers do ---

    def _smtp(self, near: socket.socket, far: socket.socket) -> None:
        _SmtpWire(self, near, far).run()


class _SmtpWire:
    def __init__(self, wires: Wires, near: socket.socket, far: socket.socket) -> None:
        self.wires = wires
        self.near, self.far = near, far
        self.client, self.server = near.makefile("rb"), far.makefile("rb")
        self.greeted: set[bytes] = set()

    def run(self) -> None:
        if self.wires.dead:
            self.wires.count("relay-dead")
            return
        with self.client, self.server:
            self._answer()
            while line := self.client.readline():
                if self.wires.dead:
                    return
                verb = line[:4].upper()
                if verb == b"RCPT" and self._refuse(line):
                    continue
                if verb == b"MAIL" and self.wires.chance(0.3):
                    self.wires.count("smtp-421")
                    self.near.sendall(b"421 4.7.0 enough for today\r\n")
                    return
                self.far.sendall(line)
                code = self._answer()
                if verb == b"DATA" and code == b"354" and not self._data():
                    return
                if verb == b"AUTH" and code == b"334":
                    self.far.sendall(self.client.readline())
                    self._answer()

    def _refuse(self, line: bytes) -> bool:
        address = line.decode().partition("<")[2].partition(">")[0]
        if address in self.wires.refusals:
            self.wires.count("refused")
            self.near.sendall(f"{self.wires.refusals[address]}\r\n".encode())
            return True
        if not self.wires.chance():
            return False
        kind, words = self.wires.dice.choice((
            ("greylisted", b"451 4.7.1 come back later\r\n"),
            ("mailbox-busy", b"450 4.2.1 mailbox busy\r\n"),
            ("mailbox-full", b"452 4.2.2 mailbox full\r\n"),
        ))  # fmt: skip
        self.wires.count(kind)
        self.near.sendall(words)
        return True

    def _answer(self, *, heard: bool = True) -> bytes:
        """Pass the server's reply on; its code."""
        while True:
            line = self.server.readline()
            if not line:
                raise OSError("gone")
            if heard:
                self.near.sendall(line)
            if line[3:4] != b"-":
                return line[:3]

    def _data(self) -> bool:
        """The mail itself; whether the connection lives."""
        halfway, unheard = self.wires.chance(), self.wires.chance()
        mail = []
        while line := self.client.readline():
            mail.append(line)
            if halfway and len(mail) > 5:
                self.wires.count("cut-in-data")
                return False
            self.far.sendall(line)
            if line == b".\r\n":
                return self._taken(b"".join(mail), heard=not unheard)
        return False

    def _taken(self, mail: bytes, *, heard: bool) -> bool:
        code = self._answer(heard=heard)
        if not heard:
            self.wires.count("answer-lost")
            found = _MESSAGE_ID.search(mail)
            if found and code == b"250":
                with self.wires._lock:
                    self.wires.taken_unheard[found[1].decode()] += 1
        return heard
