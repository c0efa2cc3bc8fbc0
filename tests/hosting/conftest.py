"""Two servers for `pbem doctor` to try: a mailbox (Dovecot's, or the embedded post office's) and a relay with faults;
and the command line in a folder of its own.
"""

from __future__ import annotations

import contextlib
import ssl

import pytest

from pbem.app.doctor import examine
from pbem.cli import main
from pbem.mail.postoffice import PostOffice
from pbem.settings import Secret, parse
from tests.kit import dovecot
from tests.kit.authority import Authority
from tests.kit.relay import Relay

GAME = dovecot.USER
SENDING = "\0lune@example.org\0moon"
WAIT = 4.0
CONFIG = """
[game]
address = "lune@example.org"
list_address = "village@example.org"
storytellers = ["conteur@example.org"]
[imap]
host = "127.0.0.1"
user = "lune@example.org"
password = "x"
[smtp]
host = "127.0.0.1"
user = "lune@example.org"
password = "moon"
[auth]
authserv_id = "mx.example.org"
"""


def tls_of(authority, **certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority.server("relay", **certificate))
    return context


class Place:
    """Two servers and the settings for them; `find` examines them and gives what is not fine, by cause."""

    def __init__(self, folder, imap, deliver, authority):
        self.folder, self.authority, self.now = folder, authority, None
        self.relay = Relay(GAME, deliver, tls=tls_of(authority), login=SENDING)
        found = parse(CONFIG, origin="pbem.toml", base=folder)
        smtp = found.smtp.model_copy(update={"port": self.relay.port, "ca_file": authority.file, "timeout_seconds": 5})
        self.settings = found.model_copy(update={"imap": imap, "smtp": smtp})

    def change(self, section, **keys):
        changed = getattr(self.settings, section).model_copy(update=keys)
        self.settings = self.settings.model_copy(update={section: changed})

    def examine(self, **options):
        clock = {"now": self.now} if self.now else {}
        return list(examine(self.settings, wait=options.pop("wait", WAIT), **clock, **options))

    def find(self, **options):
        self.all = self.examine(**options)
        return {finding.cause: finding for finding in self.all if finding.state in {"fault", "advice"}}


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def office_place(tmp_path, authority):
    """The post office's IMAP server as the mailbox."""
    text = CONFIG.replace(
        "[imap]", "[embedded]\nenabled = true\nsmtp_port = 0\nimap_port = 0\n[imap]\ntimeout_seconds = 5"
    )
    office = PostOffice(parse(text, origin="office.toml", base=tmp_path), durable=False)
    office.start()
    place = Place(tmp_path, office.imap_settings(), lambda raw, at: office.deliver(GAME, raw, at), authority)
    yield place
    place.relay.close()
    office.stop()


@pytest.fixture(scope="module")
def server():
    why = dovecot.unavailable()
    if why:
        pytest.skip(why)
    with dovecot.Dovecot() as server:
        yield server


@pytest.fixture
def dovecot_place(tmp_path, authority, request):
    server = request.getfixturevalue("server")
    settings = parse(CONFIG, origin="pbem.toml", base=tmp_path).imap.model_copy(
        update={
            "port": server.imaps,
            "ca_file": server.authority.file,
            "password": Secret.of(dovecot.PASSWORD),
            "timeout_seconds": 5,
        }
    )

    def deliver(raw, at):
        for _ in range(20):
            with contextlib.suppress(FileNotFoundError):  # Dovecot moved a mail while its folder was handed over
                return server.deliver(raw, at)
        raise AssertionError("no mail can be put into the mailbox")

    place = Place(tmp_path, settings, deliver, authority)
    place.server = server
    yield place
    place.relay.close()


@pytest.fixture(params=["office", pytest.param("dovecot", marks=pytest.mark.dovecot)])
def place(request):
    return request.getfixturevalue(f"{request.param}_place")


@pytest.fixture
def pbem(tmp_path, monkeypatch, capsys):
    """The command line in an empty folder: gives (exit code, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", _Typed(stdin))
        with pytest.raises(SystemExit) as ended:
            main(words)
        told = capsys.readouterr()
        return ended.value.code or 0, told.out, told.err

    return run


class _Typed:
    """Standard input that is no terminal."""

    def __init__(self, text):
        self._text = text

    def read(self):
        return self._text

    def isatty(self):
        return False
