"""The servers that the mailbox reader is tried on: the embedded post office and a private Dovecot, seen alike."""

from __future__ import annotations

import contextlib
from itertools import count

import pytest
from imapclient import IMAPClient

from pbem.mail.imap import Mailbox
from pbem.mail.postoffice import PostOffice
from pbem.settings import Imap, Secret
from tests.kit import dovecot

_users = count(1)


class EmbeddedServer:
    """The post office; it is stopped and started anew as a process would be, over the same Maildirs."""

    def __init__(self, settings, clock):
        self._settings = settings
        self._clock = clock
        self.start()

    def start(self):
        self._office = PostOffice(self._settings, self._clock, durable=False)
        self._office.start()
        port = {"smtp_port": self._office.smtp_port, "imap_port": self._office.imap_port}  # the same next time
        embedded = self._settings.embedded.model_copy(update=port)
        self._settings = self._settings.model_copy(update={"embedded": embedded})
        self.password = self._office.password(self._settings.game.address)

    def stop(self):
        self._office.stop()

    def imap(self, **changes):
        return self._office.imap_settings().model_copy(update=changes)

    def deliver(self, raw, received):
        self._office.deliver(self._settings.game.address, raw, received)

    def renumber(self):
        state = self._settings.embedded.maildirs / self._settings.game.address / "pbem-uids"
        validity, floor = state.read_text().split()
        state.write_text(f"{int(validity) + 1000} {floor}\n")

    def other_client(self):
        client = IMAPClient("127.0.0.1", self._office.imap_port, ssl=False)
        client.login(self._settings.game.address, self.password)
        client.select_folder("INBOX")
        return client


class DovecotServer:
    """Dovecot over TLS, for a user of his own."""

    def __init__(self, server):
        self.server = server
        self.user = f"lune{next(_users)}@example.org"
        self.start, self.stop = server.start, server.stop

    def renumber(self):
        self.server.renumber(self.user)

    def imap(self, **changes):
        server = self.server
        login = {"user": self.user, "password": Secret.of(dovecot.PASSWORD), "ca_file": server.authority.file}
        return Imap(host="127.0.0.1", port=server.imaps, timeout_seconds=10, **login).model_copy(update=changes)

    def deliver(self, raw, received):
        self.server.deliver(raw.replace(b"\r\n", b"\n"), received, self.user)

    def other_client(self):
        client = IMAPClient("127.0.0.1", self.server.imap, ssl=False)
        client.plain_login(self.user, dovecot.PASSWORD)
        client.select_folder("INBOX")
        return client


@pytest.fixture(scope="session")
def dovecot_server():
    problem = dovecot.unavailable()
    if problem:
        pytest.skip(problem)
    with dovecot.Dovecot() as server:
        yield server


@pytest.fixture(params=["embedded", pytest.param("dovecot", marks=pytest.mark.dovecot)])
def server(request):
    """Either server, running, with an empty INBOX."""
    if request.param == "embedded":
        server = EmbeddedServer(request.getfixturevalue("settings"), request.getfixturevalue("clock"))
        yield server
        server.stop()
        return
    yield DovecotServer(request.getfixturevalue("dovecot_server"))


@pytest.fixture
def mailbox(server):
    """A reader of the server's INBOX whose pauses are short."""
    reader = Mailbox(server.imap(), size_limit=100_000)
    yield reader
    reader.close()


@pytest.fixture(autouse=True)
def quick_pauses(monkeypatch):
    monkeypatch.setattr("pbem.mail.imap.FIRST_PAUSE", 0.01)


@pytest.fixture
def closing():
    """A place to put what must be closed at the end of the test."""
    with contextlib.ExitStack() as stack:
        yield stack
