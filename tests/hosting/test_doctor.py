"""`pbem doctor` before two servers whose faults are switched on one by one: each is named, and nothing else.

Run against Debian's Dovecot (with TLS) where it is installed, and against the embedded post office's IMAP server.
"""

from __future__ import annotations

import os
import socket
from datetime import datetime, timedelta
from email import message_from_bytes, policy

import pytest

from pbem.app.doctor.round import TEXT
from pbem.mail.probe import ImapProbe
from pbem.settings import Secret
from tests.hosting.conftest import GAME, SENDING, WAIT, tls_of
from tests.kit.relay import AUTHSERV, Relay


def test_where_all_is_well_everything_was_tried(place):
    assert place.find() == {}
    assert [finding.check for finding in place.all] == [
        "configuration", "secrets", "clock", "disk", "database", "archive", "mailbox", "folder", "server clock", "sending",
        "sender", "list", "storyteller", "round trip", "arrival times", "letters", "sub-addressing", "who writes",
    ]  # fmt: skip
    assert {finding.state for finding in place.all} == {"fine"}
    assert [recipient.replace("+", " ").split()[0] for recipient, _ in place.relay.taken] == [GAME, "lune"]


def test_its_mails_are_gone_afterwards_and_were_letters_as_the_game_writes_them(place):
    place.find()
    (_, plain), (to, tagged) = place.relay.taken
    for raw in (plain, tagged):
        mail = message_from_bytes(raw, policy=policy.default)
        assert mail["From"].addresses[0].addr_spec == GAME
        assert mail["Auto-Submitted"] == "auto-generated"
        assert mail.get_body(("plain",)).get_content().replace("\r\n", "\n") == TEXT
    assert mail["Reply-To"].addresses[0].addr_spec == to
    assert place.find(wait=WAIT) == {}
    assert len(place.relay.taken) == 4


# --- the faults, one by one -----------------------------------------------------------------------------------------


def test_a_wrong_password_for_reading(place):
    place.change("imap", password=Secret.of("wrong"))
    found = place.find()
    assert set(found) == {"login"}
    assert found["login"].check == "mailbox"
    assert "refuses the user or the password" in found["login"].says
    assert "app password" in " ".join(found["login"].mend)
    assert [finding.check for finding in place.all if finding.state == "skipped"] == ["round trip", "who writes"]


def test_a_wrong_password_for_sending(place):
    place.change("smtp", password=Secret.of("wrong"))
    found = place.find()
    assert {cause: finding.check for cause, finding in found.items()} == {"login": "sending"}
    assert "535" in found["login"].says
    assert "wrong" not in found["login"].says.replace("535 5.7.8 wrong", "")  # the server's word, not the password
    assert place.relay.taken == []


@pytest.mark.parametrize(
    ("how", "told"), [(False, "does not arrive"), ("bounce", "comes back"), ("refuse", "is refused (550 5.1.1")]
)
def test_no_subaddressing(place, how, told):
    if how == "refuse":
        place.relay.rcpt = _Refusing("550 5.1.1 no such user")
    else:
        place.relay.subaddressing = how
    found = place.find()
    assert set(found) == {"no-subaddressing"}
    assert told in found["no-subaddressing"].says
    assert 'game.tags = "subject"' in found["no-subaddressing"].mend[0]


class _Refusing(dict):
    """Refuses every sub-address."""

    def __init__(self, line):
        self.line = line

    def get(self, recipient, default=None):
        return self.line if "+" in recipient else default


def test_without_subaddressing_nothing_is_missed_once_tags_stand_in_the_subject(place):
    place.relay.subaddressing = False
    place.change("game", tags="subject")
    assert place.find() == {}


@pytest.mark.parametrize("hours", [1, -1])
def test_a_server_that_dates_mail_an_hour_off(place, hours):
    place.relay.late = timedelta(hours=hours)
    found = place.find()
    assert {cause: finding.check for cause, finding in found.items()} == {"clock": "arrival times"}
    assert f"{'1 h 0 min ahead of' if hours > 0 else 'behind the moment'}" in found["clock"].says


def test_this_machines_clock_an_hour_off(place, monkeypatch):
    """The server's clock is right: it is asked, by a mail of its own, what time it is."""
    real = datetime.now

    class Slow(datetime):
        @classmethod
        def now(cls, tz=None):
            return real(tz) - timedelta(hours=1)

    monkeypatch.setattr("pbem.mail.imap_link.datetime", Slow)
    found = place.find()
    assert {cause: finding.check for cause, finding in found.items()} == {"clock": "server clock"}
    assert "1 h 0 min ahead of this machine's" in found["clock"].says
    assert "timedatectl" in found["clock"].mend[0]


def test_no_authentication_results(place):
    place.relay.results = False
    found = place.find()
    assert set(found) == {"no-authentication-results"}
    assert 'auth.mode = "dkim"' in " ".join(found["no-authentication-results"].mend)


def test_results_that_stand_below_the_servers_received_are_anybodys(place):
    place.relay.results = False
    place.relay.mangle = lambda raw: b"Authentication-Results: mx.example.org; dmarc=pass\r\n" + raw
    assert set(place.find()) == {"authserv-nameless"}


def test_results_that_name_no_server(place):
    """As Microsoft's are written."""
    place.relay.results = "spf=pass smtp.mailfrom=example.org; dmarc=pass action=none header.from=example.org"
    place.change("auth", authserv_id="")
    found = place.find()
    assert set(found) == {"authserv-nameless"}
    assert 'auth.mode = "dkim"' in found["authserv-nameless"].mend[0]


def test_results_under_a_name_that_nobody_has_pinned(place):
    place.change("auth", authserv_id="")
    found = place.find()
    assert set(found) == {"authserv-unset"}
    assert found["authserv-unset"].name == AUTHSERV


def test_results_under_another_name(place):
    place.change("auth", authserv_id="mx.elsewhere.example")
    found = place.find()
    assert set(found) == {"authserv-other"}
    assert found["authserv-other"].name == AUTHSERV


@pytest.mark.parametrize("mode", ["dkim", "tags-only"])
def test_who_does_not_go_by_results_needs_none(place, mode):
    place.relay.results = False
    place.change("auth", mode=mode)
    assert place.find() == {}


@pytest.mark.parametrize(
    "refusal",
    [
        ("mail", "553 5.7.1 not your address"),
        ("rcpt", "553 5.7.1 <lune@example.org>: Sender address rejected: not owned by user moon"),
        ("data", "554 5.2.252 SendAsDenied; moon@example.org not allowed to send as lune@example.org"),
    ],
)
def test_a_relay_that_refuses_the_sender(place, refusal):
    where, line = refusal
    if where == "mail":
        place.relay.mail = line
    else:
        setattr(place.relay, where, {GAME: line})
    found = place.find()
    assert found["sender"].check in {"sender", "round trip"}
    assert "sender" in [finding.check for finding in found.values()] or where == "data"
    assert any("does not let lune@example.org send as lune@example.org" in finding.says for finding in place.all)
    assert place.relay.taken == [] or where == "data"


def test_a_relay_that_passes_nothing_on(place):
    place.relay.rcpt = {GAME: "554 5.7.1 <lune@example.org>: Relay access denied"}
    assert set(place.find()) == {"relay"}


def test_a_certificate_that_nobody_knows_at_the_relay(place):
    place.change("smtp", ca_file=None)
    found = place.find()
    assert {cause: finding.check for cause, finding in found.items()} == {"certificate-unknown": "sending"}
    assert "ca_file" in found["certificate-unknown"].mend[0]


@pytest.mark.dovecot
@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_certificate_that_nobody_knows_at_the_mailbox(dovecot_place, tls):
    port = dovecot_place.server.imaps if tls == "tls" else dovecot_place.server.imap
    dovecot_place.change("imap", ca_file=None, tls=tls, port=port)
    found = dovecot_place.find()
    assert {cause: finding.check for cause, finding in found.items()} == {"certificate-unknown": "mailbox"}


def test_a_certificate_of_another_name(place):
    relay = Relay(GAME, place.relay.deliver, tls=tls_of(place.authority, hosts=("mail.example.net",)), login=SENDING)
    place.change("smtp", port=relay.port)
    found = place.find()
    assert {cause: finding.check for cause, finding in found.items()} == {"certificate-name": "sending"}
    relay.close()


def test_a_certificate_that_has_run_out(place):
    relay = Relay(GAME, place.relay.deliver, tls=tls_of(place.authority, days=-1), login=SENDING)
    place.change("smtp", port=relay.port)
    assert set(place.find()) == {"certificate-old"}
    relay.close()


@pytest.mark.dovecot
def test_tls_where_there_is_none(dovecot_place):
    dovecot_place.change("imap", port=dovecot_place.server.imap)
    found = dovecot_place.find()
    assert set(found) == {"no-tls"}
    assert 'port 143 with "starttls"' in " ".join(found["no-tls"].mend)


def test_starttls_where_there_is_none(place):
    plain = Relay(GAME, place.relay.deliver)
    place.change("smtp", port=plain.port, tls="starttls")
    assert set(place.find()) == {"no-tls"}
    plain.close()


@pytest.mark.parametrize(("section", "check"), [("imap", "mailbox"), ("smtp", "sending")])
def test_nobody_listens(place, section, check):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    place.change(section, port=port)
    found = place.find()
    assert {cause: finding.check for cause, finding in found.items()} == {"no-connection": check}
    assert f"127.0.0.1:{port}" in found["no-connection"].says


@pytest.mark.parametrize("section", ["imap", "smtp"])
def test_nobody_answers(place, section):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place.change(section, port=silent.getsockname()[1], timeout_seconds=0.3, tls="none")
        assert set(place.find()) == {"no-answer"}


@pytest.mark.parametrize("section", ["imap", "smtp"])
def test_no_such_host(place, section, monkeypatch):
    """The resolver is asked nothing: there is no network in the tests."""

    def unknown(*_given, **_options):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    place.change(section, host="imap.invalid")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    found = place.find()
    assert "there is no server called imap.invalid" in found["unknown-host"].says


def test_a_folder_that_is_not_there(place):
    place.change("imap", folder="Games")
    found = place.find()
    assert set(found) == {"folder"}
    assert "INBOX" in " ".join(found["folder"].mend)


def test_mail_that_does_not_arrive(place):
    place.relay.drops = True
    assert set(place.find(wait=2)) == {"lost"}
    assert [finding.check for finding in place.all if finding.state == "skipped"] == ["sub-addressing", "who writes"]


@pytest.mark.dovecot
def test_mail_that_a_filter_puts_elsewhere(dovecot_place):
    place = dovecot_place
    with ImapProbe(place.settings.imap) as box:
        box._client.create_folder("Junk")
    place.relay.deliver = lambda raw, at: _into_junk(place.server, raw, at)
    found = place.find(wait=2)
    assert "filed-elsewhere" in found
    assert "Junk" in found["filed-elsewhere"].says


def _into_junk(server, raw, received):
    file = server.inbox() / ".Junk" / "new" / f"{int(received.timestamp())}.{os.urandom(4).hex()}.junk"
    file.write_bytes(raw)
    server._give(server.folder / "mail")


@pytest.mark.parametrize(
    ("was", "becomes", "cause", "told"),
    [
        (b"Message-ID: <", b"Message-ID: <other.", "changed", "Message-ID"),
        (b"Auto-Submitted: ", b"X-Was-Auto-Submitted: ", "changed", "Auto-Submitted"),
        (b"=C3=89lo=C3=AFse", b"?lo?se", "changed", "text"),
        (b"From: Pleine Lune <lune@", b"From: Pleine Lune <moon@", "from-changed", "as from moon@example.org"),
        (b"Reply-To: Pleine Lune <lune+", b"Reply-To: Pleine Lune <lune-", "reply-to-changed", "Reply-To"),
    ],
)
def test_what_is_changed_on_the_way(place, was, becomes, cause, told):
    place.relay.mangle = lambda raw: raw.replace(was, becomes)
    found = place.find()
    assert was in place.relay.taken[0][1]
    assert set(found) - {"not-authentic"} == {cause}  # a sender that is rewritten is not the one that was checked
    assert told in found[cause].says


def test_a_list_that_refuses_or_bounces_or_distributes(place):
    place.relay.rcpt = {"village@example.org": "550 5.1.1 no such list"}
    assert {cause: finding.check for cause, finding in place.find().items()} == {"no-list": "list"}
    place.relay.rcpt, place.relay.copies_list = {}, True
    assert place.find(to_list=True) == {}
    assert [to for to, _ in place.relay.taken].count("village@example.org") == 1
    place.relay.copies_list = False
    assert set(place.find(to_list=True, wait=1)) == {"list-silent"}


def test_a_storyteller_who_cannot_be_written_to(place):
    place.relay.rcpt = {"conteur@example.org": "550 5.1.1 nobody"}
    found = place.find()
    assert {cause: finding.check for cause, finding in found.items()} == {"no-storyteller": "storyteller"}
