"""The mailbox reader, over both servers: what it promises, whatever server it reads."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from pbem.mail.imap import Mailbox, MailboxError, MailboxRefusedError
from pbem.settings import Secret

T = datetime(2026, 12, 8, 21, 0, 0, tzinfo=UTC)


def mail(subject, body="Bonsoir"):
    return f"From: Alice <alice@village.example>\r\nSubject: {subject}\r\n\r\n{body}\r\n".encode()


def read(mailbox, after=None, **options):
    return list(mailbox.fetch_new(after, **options))


def mark(mails):
    return mails[-1].uidvalidity, mails[-1].uid


def test_gives_whole_mails_in_the_order_of_their_uids(server, mailbox):
    sent = [mail(f"number {number}", "é" * number) for number in range(7)]
    for raw in sent:
        server.deliver(raw, T)
    found = read(mailbox, batch=3)
    assert [one.raw for one in found] == sent
    assert [one.uid for one in found] == sorted(one.uid for one in found)
    assert mailbox.state.last_ok is not None


def test_an_empty_mailbox_is_read_to_its_end(mailbox):
    assert read(mailbox) == []
    assert mailbox.state.last_ok is not None


@pytest.mark.parametrize(
    "moment",
    [
        T,
        T + timedelta(seconds=1),
        datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC),  # daylight saving begins in Paris a second later
        datetime(2026, 10, 25, 0, 30, 0, tzinfo=UTC),  # in the hour that comes twice
        datetime(2026, 10, 25, 1, 30, 0, tzinfo=UTC),
    ],
)
def test_cal6_the_date_is_the_servers_to_the_second(server, mailbox, moment):
    server.deliver(mail("x"), moment)
    assert read(mailbox)[0].received == moment


def test_only_what_came_after_is_given_again(server, mailbox):
    server.deliver(mail("old"), T)
    known = mark(read(mailbox))
    assert read(mailbox, known) == []
    server.deliver(mail("new"), T)
    assert [one.raw for one in read(mailbox, known)] == [mail("new")]


def test_reading_marks_nothing_and_flags_hide_nothing(server, mailbox, closing):
    for subject in ("a", "b"):
        server.deliver(mail(subject), T)
    other = server.other_client()
    closing.callback(other.logout)
    other.add_flags([1], [b"\\Seen"])  # somebody reads it in his mail program first
    assert len(read(mailbox)) == 2
    other.noop()
    assert b"\\Seen" not in other.get_flags([2])[2]
    assert mailbox.mark_done([1, 2])
    other.noop()
    assert b"\\Seen" in other.get_flags([2])[2]


def test_a_mail_that_somebody_deletes_is_passed_over(server, mailbox, closing):
    for subject in "abc":
        server.deliver(mail(subject), T)
    mailbox.connect()
    other = server.other_client()
    closing.callback(other.logout)
    other.delete_messages([2])
    other.expunge()
    assert [one.raw for one in read(mailbox)] == [mail("a"), mail("c")]
    server.deliver(mail("d"), T)
    assert [one.uid for one in read(mailbox)] == [1, 3, 4]


def test_a_deleted_last_mail_does_not_give_its_uid_to_the_next(server, mailbox, closing):
    server.deliver(mail("a"), T)
    known = mark(read(mailbox))
    other = server.other_client()
    closing.callback(other.logout)
    other.delete_messages([known[1]])
    other.expunge()
    server.deliver(mail("b"), T)
    assert [one.raw for one in read(mailbox, known)] == [mail("b")]


def test_a_new_uidvalidity_gives_everything_again_and_says_so(server, mailbox):
    for subject in "ab":
        server.deliver(mail(subject), T)
    known = mark(read(mailbox))
    server.stop()
    server.renumber()
    server.start()
    again = _eventually(lambda: read(mailbox, known))
    assert [one.raw for one in again] == [mail("a"), mail("b")]
    assert {one.uidvalidity for one in again} == {known[0] + 1000}
    assert mailbox.state.uidvalidity_changes == 1
    assert read(mailbox, mark(again)) == []


def test_comes_back_when_the_server_does(server, mailbox):
    server.deliver(mail("a"), T)
    known = mark(read(mailbox))
    server.stop()
    with pytest.raises(MailboxError):
        read(mailbox, known)
    assert not mailbox.state.connected
    assert mailbox.state.last_error
    assert mailbox.state.failures == 1
    server.start()
    server.deliver(mail("b"), T)
    assert [one.raw for one in _eventually(lambda: read(mailbox, known))] == [mail("b")]
    assert (mailbox.state.failures, mailbox.state.last_error) == (0, "")


def test_idle_tells_of_new_mail_at_once(server, mailbox):
    read(mailbox)
    assert mailbox.state.idle
    threading.Timer(0.2, server.deliver, (mail("x"), T)).start()
    start = time.monotonic()
    assert mailbox.wait(20)
    assert time.monotonic() - start < 5
    assert len(read(mailbox)) == 1


def test_mail_that_comes_between_reading_and_idling_is_not_waited_for(server, mailbox):
    read(mailbox)
    server.deliver(mail("x"), T)
    start = time.monotonic()
    mailbox.wait(20)
    assert time.monotonic() - start < 5
    assert len(read(mailbox)) == 1


def test_a_flag_set_elsewhere_ends_no_idle(server, mailbox, closing):
    server.deliver(mail("x"), T)
    read(mailbox)
    other = server.other_client()
    closing.callback(other.logout)
    threading.Timer(0.2, other.add_flags, ([1], [b"\\Flagged"])).start()
    start = time.monotonic()
    assert not mailbox.wait(1.5)
    assert time.monotonic() - start > 1.2


@pytest.mark.parametrize("idle", [True, False])
def test_waiting_can_be_ended_from_another_thread(server, idle, closing):
    mailbox = Mailbox(server.imap(idle=idle))
    closing.callback(mailbox.close)
    read(mailbox)
    for end in (mailbox.wake, mailbox.stop):
        threading.Timer(0.1, end).start()
        start = time.monotonic()
        assert not mailbox.wait(20)
        assert time.monotonic() - start < 5
    start = time.monotonic()
    assert not mailbox.wait(20)  # stopped is stopped
    assert time.monotonic() - start < 1


def test_a_wait_notices_that_the_server_died(server, mailbox):
    read(mailbox)
    death = threading.Timer(0.2, server.stop)
    death.start()
    with pytest.raises(MailboxError):
        mailbox.wait(20)
    death.join()
    server.start()


def test_a_mail_over_the_limit_is_read_to_the_limit(server, mailbox):
    long = mail("long", "x" * 70 + ("\r\n" + "y" * 70) * 3000)
    server.deliver(long, T)
    server.deliver(mail("short"), T)
    first, second = read(mailbox)
    assert first.raw == long[:100_000]
    assert second.raw == mail("short")


def test_a_wrong_password_is_told_as_such(server, closing):
    mailbox = Mailbox(server.imap(password=Secret.of("wrong-password-told-to-nobody")))
    closing.callback(mailbox.close)
    with pytest.raises(MailboxRefusedError) as told:
        mailbox.connect()
    assert "wrong-password" not in str(told.value)
    assert mailbox.retry_in > 0


def test_a_folder_that_is_not_there_is_told_as_such(server, closing):
    mailbox = Mailbox(server.imap(folder="Jeux/Lune"))
    closing.callback(mailbox.close)
    with pytest.raises(MailboxRefusedError, match="select failed"):
        mailbox.connect()


def test_the_folder_may_be_another_than_inbox(server, closing):
    other = server.other_client()
    closing.callback(other.logout)
    other.create_folder("Jeux")
    other.create_folder("Jeux/Éclipse")
    past = datetime(2026, 6, 1, 20, 0, 0, tzinfo=UTC)
    other.append("Jeux/Éclipse", mail("there"), msg_time=past)
    mailbox = Mailbox(server.imap(folder="Jeux/Éclipse"))
    closing.callback(mailbox.close)
    found = read(mailbox)
    assert [(one.raw, one.received) for one in found] == [(mail("there"), past)]


def test_odd_mails_come_out_as_they_went_in(server, mailbox):
    odd = [
        b"\r\n",
        b"no header at all\r\n",
        b"Subject: x\r\nContent-Type: multipart/mixed; boundary=\r\n\r\n--\r\n",
        b'From: =?utf-8?q?=\r\nSubject: \xff\xfe\r\nContent-Type: text/plain; charset="""\r\n\r\n\x01\xff\r\n',
        b"Subject: deep\r\nContent-Type: message/rfc822\r\n\r\n" * 40 + b"x\r\n",
    ]
    for raw in odd:
        server.deliver(raw, T)
    assert [one.raw for one in read(mailbox)] == odd


def test_the_clocks_can_be_compared(server, mailbox, clock, request):
    server.deliver(mail("x"), T)
    known = mark(read(mailbox))
    offset = mailbox.clock_offset()
    real = clock() if "embedded" in request.node.name else datetime.now(UTC)
    assert abs(offset - (real - datetime.now(UTC))) < timedelta(seconds=3)
    assert read(mailbox, known) == []
    assert len(read(mailbox)) == 1  # nothing was left behind


def _eventually(action, seconds=15):
    end = time.monotonic() + seconds
    while True:
        try:
            return action()
        except MailboxError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
