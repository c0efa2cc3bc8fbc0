"""The embedded post office as a mailbox: logging in, folders, flags, UIDs and IDLE over IMAP."""

from __future__ import annotations

import contextlib

import pytest
from imapclient import IMAPClient

LUNE, ALICE = "lune@village.example", "alice@village.example"


def mail(sender, subject):
    return f"From: {sender}\r\nSubject: {subject}\r\n\r\nBonsoir\r\n".encode()


class TestImap:
    def test_a_mailbox_opens_with_its_own_password_alone(self, office):
        office.password(ALICE)
        for user, password in ((LUNE, office.password(ALICE)), (LUNE, ""), ("nobody", "x"), ("", "")):
            with (
                IMAPClient("127.0.0.1", office.imap_port, ssl=False) as client,
                pytest.raises(Exception, match="(?i)auth|login"),
            ):
                client.login(user, password)

    def test_the_local_part_will_do(self, office):
        with IMAPClient("127.0.0.1", office.imap_port, ssl=False) as client:
            client.login("lune", office.password(LUNE))

    def test_what_mail_programs_do(self, office, clock):
        """Folders made, listed, subscribed, renamed; mails put there, copied, moved, flagged, deleted."""
        office.deliver(ALICE, mail(LUNE, "one"), clock())
        office.deliver(ALICE, mail(LUNE, "two"), clock())
        with IMAPClient("127.0.0.1", office.imap_port, ssl=False, timeout=10) as client:
            client.normalise_times = False
            client.login("alice", office.password(ALICE))
            for folder in ("Sent", "Corbeille", "Corbeille/2026.été"):
                client.create_folder(folder)
            client.subscribe_folder("Sent")
            assert [name for _, _, name in client.list_folders()] == [
                "INBOX",
                "Corbeille",
                "Corbeille/2026.été",
                "Sent",
            ]
            assert [name for _, _, name in client.list_sub_folders()] == ["INBOX", "Sent"]
            client.append("Sent", mail(ALICE, "mine"), flags=[b"\\Seen"])
            assert client.select_folder("INBOX")[b"EXISTS"] == 2
            client.add_flags([1], [b"\\Flagged", b"\\Seen"])
            client.copy([1], "Corbeille")
            client.move([2], "Corbeille/2026.été")
            client.delete_messages([1])
            client.expunge()
            assert client.search() == []
            assert client.select_folder("Sent")[b"EXISTS"] == 1
            assert client.get_flags([1])[1] == (b"\\Seen",)
            assert client.fetch([1], ["INTERNALDATE"])[1][b"INTERNALDATE"] == clock()
            client.rename_folder("Corbeille", "Archives")
            client.select_folder("Archives/2026.été")
            assert client.search(["SUBJECT", "two"]) == [1]
            assert client.select_folder("Archives")[b"EXISTS"] == 1
            assert b"\\Flagged" in client.get_flags([1])[1]
            with pytest.raises(Exception, match="(?i)child|delete"):
                client.delete_folder("Archives")
            client.delete_folder("Archives/2026.été")
            assert [name for _, _, name in client.list_folders()] == ["INBOX", "Archives", "Sent"]
            with pytest.raises(Exception, match="(?i)select|found|exist"):
                client.select_folder("Archives/2026.été")
            for odd in ("../x", "/etc", "a//b", "x" * 300):
                with contextlib.suppress(Exception):
                    client.create_folder(odd)
        outside = {path.name for path in office._settings.embedded.maildirs.parent.iterdir()}
        assert outside == {"mail"}

    @pytest.mark.parametrize(
        "raw",
        [
            b"",
            b"\r\n\r\n",
            b"From: =?utf-8?q?=\r\nTo: <<<>>>,,;:\r\nDate: never\r\nMessage-ID: <\r\n\r\nx\r\n",
            b"Content-Type: multipart/mixed; boundary=\r\n\r\n--\r\n",
            b"Content-Type: text/plain; charset*=x''%\r\n\r\n\xff\r\n",
            b"Content-Type: message/rfc822\r\n\r\n" * 30,
            b"From: a@[\r\nReply-To: group:;\r\nContent-Disposition: ;;;\r\n\r\nx",
        ],
    )
    def test_odd_mails_break_no_connection(self, office, clock, raw):
        office.deliver(ALICE, raw, clock())
        with IMAPClient("127.0.0.1", office.imap_port, ssl=False, timeout=10) as client:
            client.login("alice", office.password(ALICE))
            client.select_folder("INBOX")
            for item in (
                "BODY.PEEK[]",
                "RFC822.SIZE",
                "ENVELOPE",
                "BODYSTRUCTURE",
                "BODY.PEEK[HEADER]",
                "BODY.PEEK[TEXT]",
            ):
                assert 1 in client.fetch([1], [item])
            client.search(["TEXT", "moon"])

    def test_another_program_may_deliver_into_the_maildir(self, office, settings):
        maildir = settings.embedded.maildirs / LUNE
        with IMAPClient("127.0.0.1", office.imap_port, ssl=False, timeout=10) as client:
            client.login("lune", office.password(LUNE))
            client.select_folder("INBOX")
            client.idle()
            (maildir / "new" / "1.x.y").write_bytes(b"Subject: by hand\n\nx\n")
            assert (1, b"EXISTS") in client.idle_check(5)
            client.idle_done()
            assert client.fetch([1], ["BODY.PEEK[]"])[1][b"BODY[]"] == b"Subject: by hand\r\n\r\nx\r\n"
