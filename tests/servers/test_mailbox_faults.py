"""The mailbox reader and servers that are not well."""

from __future__ import annotations

import contextlib
import time
from datetime import UTC, datetime, timedelta

import pytest

from pbem.mail.imap import LONGEST_PAUSE, Mailbox, MailboxError, MailboxRefusedError
from pbem.settings import Secret
from tests.kit.fakeimap import FakeImap, T

MAILS = {uid: f"Subject: {uid}\r\n\r\n{'x' * 200}\r\n".encode() for uid in (3, 4, 8)}


@pytest.fixture
def fake(closing):
    server = FakeImap(MAILS)
    closing.callback(server.close)
    return server


@pytest.fixture
def open_mailbox(fake, closing):
    def build(**changes):
        mailbox = Mailbox(fake.settings(**changes), size_limit=100_000)
        closing.callback(mailbox.close)
        return mailbox

    return build


def read_persistently(mailbox, after=None, seconds=10):
    """What the application does: keep what was given, and go on from there."""
    got, end = [], time.monotonic() + seconds
    while True:
        try:
            for one in mailbox.fetch_new(after):
                got.append(one)
                after = one.uidvalidity, one.uid
        except MailboxError:
            if time.monotonic() > end:
                raise
            time.sleep(mailbox.retry_in)
        else:
            return got


@pytest.mark.parametrize("octets", [0, 1, 30, 90, 250, 400, 600, 760])
def test_a_server_that_dies_in_a_fetch_loses_and_repeats_nothing(fake, open_mailbox, octets):
    fake.dies_in_fetch = octets
    got = read_persistently(open_mailbox())
    assert [(one.uid, one.raw) for one in got] == sorted(MAILS.items())


def test_an_empty_body_is_asked_for_again(fake, open_mailbox):
    fake.empty = {4: 2}
    mailbox = open_mailbox()
    assert {one.uid: one.raw for one in mailbox.fetch_new()} == MAILS
    assert mailbox.state.empty_bodies == 0


def test_a_body_that_stays_empty_is_given_empty_and_can_be_had_later(fake, open_mailbox):
    fake.empty = {4: 4}
    mailbox = open_mailbox()
    assert [(one.uid, bool(one.raw)) for one in mailbox.fetch_new()] == [(3, True), (4, False), (8, True)]
    assert mailbox.state.empty_bodies == 1
    assert [one.raw for one in mailbox.refetch([4])] == [MAILS[4]]


def test_a_mail_that_is_empty_is_just_that(fake, open_mailbox):
    fake.mails[9] = b""
    mailbox = open_mailbox()
    start = time.monotonic()
    assert list(mailbox.fetch_new())[-1].raw == b""
    assert time.monotonic() - start < 1
    assert mailbox.state.empty_bodies == 0


def test_a_mail_that_the_server_refuses_holds_back_no_other(fake, open_mailbox):
    fake.refused = {4}
    got = {one.uid: one.raw for one in open_mailbox().fetch_new()}
    assert got == MAILS | {4: b""}


def test_unsolicited_answers_change_nothing(fake, open_mailbox):
    fake.chatter = [
        "* 3 EXISTS",
        "* 1 FETCH (FLAGS (\\Seen))",
        "* 2 FETCH (UID 999 FLAGS ())",
        "* OK [ALERT] the moon is full",
        "* 0 RECENT",
    ]
    mailbox = open_mailbox()
    assert {one.uid: one.raw for one in mailbox.fetch_new()} == MAILS
    assert mailbox.mark_done(MAILS)
    assert list(mailbox.fetch_new((7, 8))) == []


def test_star_below_the_last_uid_gives_nothing_twice(open_mailbox):
    assert list(open_mailbox().fetch_new((7, 8))) == []
    assert list(open_mailbox().fetch_new((7, 100))) == []


def test_a_server_without_idle_is_polled(fake, open_mailbox):
    fake.capabilities = "IMAP4rev1"
    mailbox = open_mailbox()
    list(mailbox.fetch_new())
    assert not mailbox.state.idle
    start = time.monotonic()
    assert not mailbox.wait(0.2)
    assert 0.15 < time.monotonic() - start < 2
    assert "IDLE" not in fake.commands


def test_what_is_said_before_going_idle_counts(fake, open_mailbox):
    fake.early = ["* 4 EXISTS"]
    mailbox = open_mailbox()
    list(mailbox.fetch_new())
    assert mailbox.wait(5)


def test_what_comes_in_one_breath_with_going_idle_counts(fake, open_mailbox):
    fake.in_idle = [b"* 4 EXISTS\r\n"]
    mailbox = open_mailbox()
    list(mailbox.fetch_new())
    start = time.monotonic()
    assert mailbox.wait(5)
    assert time.monotonic() - start < 2


def test_half_a_line_breaks_no_idle(fake, open_mailbox):
    fake.in_idle = [b"* OK Still he", b"re\r\n* 4 EX"]
    mailbox = open_mailbox()
    list(mailbox.fetch_new())
    with pytest.raises(MailboxError, match="no answer in time|no IMAP|broke"):
        # The rest of the line never comes: that is a dead server, not a silent one.
        mailbox.wait(0.3)


def test_a_sign_of_life_ends_no_idle(fake, open_mailbox):
    fake.in_idle = [b"* OK Still here\r\n"]
    mailbox = open_mailbox()
    list(mailbox.fetch_new())
    assert not mailbox.wait(0.3)
    assert mailbox.state.connected


def test_the_end_of_the_connection_is_no_silence(fake, open_mailbox):
    fake.in_idle = [None]
    mailbox = open_mailbox()
    list(mailbox.fetch_new())
    start = time.monotonic()
    with pytest.raises(MailboxError):
        mailbox.wait(20)
    assert time.monotonic() - start < 2


def test_a_read_only_mailbox_is_read(fake, open_mailbox):
    fake.readonly = True
    mailbox = open_mailbox()
    assert {one.uid: one.raw for one in mailbox.fetch_new()} == MAILS
    fake.refuses_store = True
    assert not mailbox.mark_done([3])
    assert len(read_persistently(mailbox)) == 3


def test_a_full_mailbox_that_takes_no_flags_is_read(fake, open_mailbox):
    fake.refuses_store = True
    mailbox = open_mailbox()
    list(mailbox.fetch_new())
    assert not mailbox.mark_done([3, 4])
    assert len(read_persistently(mailbox)) == 3


@pytest.mark.parametrize(
    ("delimiter", "folders", "spelled"),
    [
        (".", ["INBOX", "Jeux.Lune"], "Jeux.Lune"),
        (".", ["INBOX", "INBOX.Jeux.Lune"], "INBOX.Jeux.Lune"),
        ("\\\\", ["INBOX", "Jeux\\\\Lune"], "Jeux\\Lune"),
        ("/", ["INBOX", "Jeux/Lune"], "Jeux/Lune"),
    ],
)
def test_folders_are_found_whatever_the_delimiter(fake, open_mailbox, delimiter, folders, spelled):
    fake.delimiter, fake.folders = delimiter, folders
    mailbox = open_mailbox(folder="Jeux/Lune")
    mailbox.connect()
    (select,) = [command for command in fake.commands if command.startswith("SELECT")]
    assert select.split(" ", 1)[1].strip('"').replace("\\\\", "\\") == spelled


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        (" 8-Dec-2026 22:00:00 +0100", T),
        ("08-Dec-2026 21:00:00 +0000", T),
        ("08-Dec-2026 16:00:00 -0500", T),
        ("09-Dec-2026 02:30:00 +0530", T),
    ],
)
def test_cal6_dates_are_turned_into_utc(fake, open_mailbox, date, moment):
    fake.dates = dict.fromkeys(MAILS, date)
    assert {one.received for one in open_mailbox().fetch_new()} == {moment}


def test_a_date_that_is_none_counts_as_now(fake, open_mailbox):
    fake.dates = {3: "whenever"}
    first = next(iter(open_mailbox().fetch_new()))
    assert abs(first.received - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("verb", "answer"),
    [
        ("SEARCH", "* SEARCH one two\r\nTAG OK done\r\n"),
        ("SEARCH", "TAG BAD what\r\n"),
        ("FETCH", "* 1 FETCH (UID 3 RFC822.SIZE\r\nTAG OK done\r\n"),
        ("FETCH", "* 1 FETCH UID 3\r\nTAG OK done\r\n"),
        ("NOOP", "* BYE enough\r\n"),
        ("SELECT", "* 0 EXISTS\r\nTAG OK no uidvalidity\r\n"),
        ("LIST", "* LIST\r\nTAG OK done\r\n"),
        ("CAPABILITY", "TAG OK none\r\n"),
        ("LOGIN", "* BYE no\r\n"),
    ],
)
def test_nonsense_raises_nothing_but_mailbox_error(fake, open_mailbox, verb, answer):
    fake.answers = {verb: answer}
    mailbox = open_mailbox()
    with contextlib.suppress(MailboxError):  # anything else fails the test
        list(mailbox.fetch_new())
    assert not mailbox.state.last_error or mailbox.state.last_error.startswith("127.0.0.1: cannot ")
    assert mailbox.state.connected != bool(mailbox.state.last_error)
    fake.answers = {}
    assert len(read_persistently(mailbox)) == 3


def test_no_error_tells_what_a_mail_says(fake, open_mailbox):
    fake.answers = {"FETCH": "* 1 FETCH (UID 3 SECRET-WOLF-ALICE\r\nTAG OK done\r\n"}
    mailbox = open_mailbox()
    with pytest.raises(MailboxError) as told:
        list(mailbox.fetch_new())
    assert "WOLF" not in str(told.value) + mailbox.state.last_error


def test_a_server_that_is_silent_is_given_up(fake, open_mailbox):
    fake.answers = {"NOOP": ""}
    with pytest.raises(MailboxError, match="no answer in time"):
        list(open_mailbox(timeout_seconds=0.3).fetch_new())


def test_pauses_grow_and_end(monkeypatch, closing):
    server = FakeImap()
    settings = server.settings()
    server.close()
    monkeypatch.setattr("pbem.mail.imap.FIRST_PAUSE", 1.0)
    mailbox = Mailbox(settings)
    closing.callback(mailbox.close)
    pauses = []
    for _ in range(14):
        with pytest.raises(MailboxError):
            mailbox.connect()
        pauses.append(mailbox.retry_in)
        with pytest.raises(MailboxError):  # at once, without another attempt
            mailbox.connect()
        assert mailbox.state.failures == len(pauses)
        mailbox._not_before = 0.0
    assert pauses[0] < 1.3
    assert pauses[5] > 4 * pauses[0]
    assert max(pauses) < LONGEST_PAUSE * 1.21


def test_a_login_that_fails_for_the_moment_is_no_wrong_password(fake, open_mailbox):
    fake.answers = {"LOGIN": "TAG NO [UNAVAILABLE] try later\r\n"}
    with pytest.raises(MailboxError) as told:
        open_mailbox().connect()
    assert not isinstance(told.value, MailboxRefusedError)


def test_a_token_command_that_fails_is_told(open_mailbox):
    token = Secret.of({"command": ["false"]}).located("pbem.toml: imap.oauth", None)
    with pytest.raises(MailboxRefusedError, match="imap.oauth: its command gave no secret"):
        open_mailbox(password=None, oauth=token).connect()
