"""An SMTP server that delivers into a mailbox, as a provider's does, with faults to switch on one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.kit.fakesmtp import FakeSmtp

AUTHSERV = "mx.example.org"


class _Delivering(list):
    def __init__(self, act):
        super().__init__()
        self._act = act

    def append(self, taken):
        super().append(taken)
        self._act(*taken)


class Relay(FakeSmtp):
    """`deliver(raw, received)` puts a mail into the game's mailbox; `address` is that mailbox's.

    The faults: `subaddressing` False (mail to a sub-address vanishes) or "bounce"; `results` False (it writes no
    Authentication-Results) or another text; `late` shifts what it gives as the moment of arrival; `mangle(raw)` changes
    a mail on the way; `drops` everything. What `rcpt`, `data` and `mail` refuse is as in FakeSmtp.
    """

    def __init__(self, address, deliver, **keys):
        super().__init__(**keys)
        self.taken = _Delivering(self._pass_on)
        self.address, self.deliver = address, deliver
        self.subaddressing, self.results, self.late, self.drops = True, True, timedelta(), False
        self.mangle = lambda raw: raw
        self.copies_list = False

    def _pass_on(self, recipient, raw):
        local, _, domain = self.address.partition("@")
        tagged = recipient.startswith(f"{local}+") and recipient.endswith(f"@{domain}")
        if self.drops or (tagged and self.subaddressing is False):
            return
        if tagged and self.subaddressing == "bounce":
            self._put(_bounce(self.address, recipient, raw))
        elif tagged or recipient == self.address or self.copies_list:
            self._put(self.mangle(raw))

    def _put(self, raw):
        moment = datetime.now(UTC) + self.late
        head = f"Received: from out by mx with ESMTP; {moment:%a, %d %b %Y %H:%M:%S} +0000\r\n"
        if self.results:
            said = f"{AUTHSERV}; spf=pass smtp.mailfrom={self.address}" if self.results is True else self.results
            head = f"Authentication-Results: {said}\r\n" + head
        self.deliver(f"Return-Path: <{self.address}>\r\n{head}".encode() + raw, moment)


def _bounce(address, recipient, raw):
    domain = address.partition("@")[2]
    return (
        f"From: MAILER-DAEMON@{domain}\r\nTo: {address}\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: text/plain\r\n\r\n<{recipient}>: unknown user\r\n"
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
        "--b\r\nContent-Type: message/rfc822\r\n\r\n"
    ).encode() + raw + b"\r\n--b--\r\n"  # fmt: skip
