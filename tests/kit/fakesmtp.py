"""A small SMTP server that takes, refuses, stalls or drops as told; plain, STARTTLS or TLS."""

from __future__ import annotations

import base64
import contextlib
import socket
import threading

from pbem.settings import Smtp


class FakeSmtp:
    """`rcpt` and `data` {recipient: what to do}: a reply line, `"drop"`, or a list of these for the first, second … time.

    `drop` in `data` closes the connection when the dot came; `drop-halfway` in the middle of the mail.
    `taken` holds (recipient, mail) in order; `most` is how many connections were open at one time, `connections` in all.
    """

    def __init__(self, *, tls=None, starttls=None, login=None, pipelining=False):
        self.rcpt, self.data = {}, {}
        self.mail = "250 ok"
        self.greeting = "220 ready"
        self.limit = None
        self.quota = None
        self.taken, self.connections, self.most, self.logins = [], 0, 0, []
        self._tls, self._starttls, self._login = tls, starttls, login
        self._pipelining = pipelining
        self._now = 0
        self._lock = threading.Lock()
        self._sockets = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def settings(self, **changes):
        return Smtp(host="127.0.0.1", port=self.port, tls="none", timeout_seconds=3).model_copy(update=changes)

    def close(self):
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self.hang_up()

    def hang_up(self):
        """Close every connection, as servers do with idle ones."""
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._server.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
            self._sockets.append(connection)
            stack.callback(connection.close)
            with self._lock:
                self.connections += 1
                self._now += 1
                self.most = max(self.most, self._now)
                crowded = self.limit is not None and self._now > self.limit
            stack.callback(self._gone)
            session = _Session(self, connection)
            stack.callback(session.close)
            session.say("421 4.7.0 too many connections" if crowded else self.greeting)
            if not crowded and self.greeting.startswith("220"):
                session.run()

    def _gone(self):
        with self._lock:
            self._now -= 1


class _Session:
    def __init__(self, server, connection):
        self.server = server
        self.connection = connection
        self.lines = connection.makefile("rb")
        self.recipient = ""
        self.count = 0

    def close(self):
        self.lines.close()
        self.connection.close()

    def say(self, *lines):
        self.connection.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def run(self):
        while line := self.lines.readline():
            verb = line[:4].decode().upper()
            if verb == "EHLO":
                extra = ["250-STARTTLS"] if self.server._starttls else []
                extra += ["250-AUTH PLAIN LOGIN XOAUTH2"] if self.server._login else []
                extra += ["250-PIPELINING"] if self.server._pipelining else []
                self.say("250-fake", *extra, "250 SIZE 1000000")
            elif verb == "STAR":
                self.say("220 go")
                self.lines.close()
                self.connection = self.server._starttls.wrap_socket(self.connection, server_side=True)
                self.server._sockets.append(self.connection)
                self.lines = self.connection.makefile("rb")
            elif verb == "AUTH":
                self.auth(line)
            elif verb == "MAIL":
                self.count += 1
                closing = self.server.quota is not None and self.count > self.server.quota
                self.say("421 4.7.0 enough for one connection" if closing else self.server.mail)
                if closing:
                    return
            elif verb == "RCPT":
                self.recipient = line.decode().partition("<")[2].partition(">")[0]
                if not self.act(self.server.rcpt, "250 ok"):
                    return
            elif verb == "DATA":
                if not self.take():
                    return
            else:
                self.say("221 bye" if verb == "QUIT" else "250 ok")
                if verb == "QUIT":
                    return

    def act(self, plan, default):
        what = plan.get(self.recipient, default)
        if isinstance(what, list):
            what = what.pop(0) if what else default
        if what == "drop":
            return False
        self.say(what)
        return True

    def take(self):
        self.say("354 go ahead")
        if self.server.data.get(self.recipient) == "drop-halfway":
            self.lines.readline()
            return False
        mail = b""
        while (line := self.lines.readline()) != b".\r\n":
            if not line:
                return False
            mail += line.removeprefix(b".") if line.startswith(b"..") else line
        if not self.act(self.server.data, "250 taken"):
            return False
        plan = self.server.data.get(self.recipient)
        if not plan or (isinstance(plan, str) and plan.startswith("2")):
            self.server.taken.append((self.recipient, mail))
        return True

    def auth(self, line):
        given = base64.b64decode(line.split()[2]).decode()
        self.server.logins.append(given)
        self.say("235 ok" if given == self.server._login else "535 5.7.8 wrong")
