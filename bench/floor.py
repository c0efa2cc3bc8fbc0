"""The floor: the least that any program must do with N command mails, done as plainly as Python does it.

    python -m bench.floor DATABASE IMAP-PORT USER PASSWORD SMTP-PORT NUMBER

Fetch in batches, parse with the standard library (compat32), three inserts and a commit with a full sync for each mail
by SQLAlchemy Core, answer with a fixed text and HTML by MIMEText over four SMTP connections, all of it overlapped. It
knows no rules, no players and no doubts. It prints one JSON object: seconds and CPU seconds, start-up not counted.
"""

from __future__ import annotations

import email
import json
import queue
import smtplib
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import make_msgid, parseaddr
from typing import Any

import sqlalchemy as sa
from imapclient import IMAPClient

BATCH = 50
CONNECTIONS = 4
TEXT = "Votre vote est noté.\n\n" + "Il vaut jusqu’à l’exécution ; le dernier envoi compte.\n" * 12
HTML = f"<html><body><h1>Votre vote est noté.</h1>{'<p>Il vaut jusqu’à l’exécution.</p>' * 130}</body></html>"
"""As long as an acknowledgement of the program's."""

META = sa.MetaData()
MAILS = sa.Table(
    "mails", META, sa.Column("id", sa.Integer, primary_key=True), sa.Column("uid", sa.Integer),
    sa.Column("message_id", sa.Text), sa.Column("sender", sa.Text), sa.Column("at", sa.Text),
)  # fmt: skip
EVENTS = sa.Table(
    "events", META, sa.Column("id", sa.Integer, primary_key=True), sa.Column("at", sa.Text), sa.Column("body", sa.Text)
)
OUTBOX = sa.Table(
    "outbox", META, sa.Column("id", sa.Integer, primary_key=True), sa.Column("rcpt", sa.Text),
    sa.Column("raw", sa.LargeBinary),
)  # fmt: skip

Letter = tuple[str, bytes]


def database(path: str) -> sa.Engine:
    """SQLite with a write-ahead log and full syncs."""
    engine = sa.create_engine(f"sqlite:///{path}")
    sa.event.listen(engine, "connect", _careful)
    META.create_all(engine)
    return engine


def _careful(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def fetch(port: int, user: str, password: str, number: int, mails: queue.Queue[tuple[int, bytes] | None]) -> None:
    """Everything that is in the mailbox."""
    try:
        client = IMAPClient("127.0.0.1", port, ssl=False)
        client.plain_login(user, password)
        client.select_folder("INBOX")
        uids = client.search()[:number]
        for start in range(0, len(uids), BATCH):
            for uid, data in client.fetch(uids[start : start + BATCH], ["BODY.PEEK[]", "INTERNALDATE"]).items():
                mails.put((uid, data[b"BODY[]"]))
    finally:
        mails.put(None)


def reply(to: str) -> bytes:
    """The fixed answer."""
    letter = MIMEMultipart("alternative")
    letter["From"], letter["To"], letter["Subject"] = "lune@village.example", to, "C’est noté"
    letter["Message-ID"] = make_msgid(domain="village.example")
    letter.attach(MIMEText(TEXT, "plain", "utf-8"))
    letter.attach(MIMEText(HTML, "html", "utf-8"))
    return letter.as_bytes()


def work(engine: sa.Engine, mails: queue.Queue[tuple[int, bytes] | None], letters: queue.Queue[Letter | None]) -> None:
    """Each mail: parse, three inserts, commit, answer."""
    with engine.connect() as connection:
        while (one := mails.get()) is not None:
            uid, raw = one
            mail = email.message_from_bytes(raw)
            sender = parseaddr(mail["From"])[1]
            body = mail.get_payload(0).get_payload(decode=True)  # type: ignore[union-attr]
            answer, now = reply(sender), datetime.now(UTC).isoformat()
            connection.execute(
                sa.insert(MAILS), {"uid": uid, "message_id": mail["Message-ID"], "sender": sender, "at": now}
            )
            connection.execute(sa.insert(EVENTS), {"at": now, "body": f"{mail['Subject']} {len(body)}"})
            connection.execute(sa.insert(OUTBOX), {"rcpt": sender, "raw": answer})
            connection.commit()
            letters.put((sender, answer))
    for _ in range(CONNECTIONS):
        letters.put(None)


def send(port: int, letters: queue.Queue[Letter | None]) -> None:
    """One connection's share."""
    with smtplib.SMTP("127.0.0.1", port) as client:
        while (letter := letters.get()) is not None:
            client.sendmail("lune@village.example", [letter[0]], letter[1])


def main(path: str, imap: str, user: str, password: str, smtp: str, number: str) -> None:
    """The whole of it."""
    engine = database(path)
    mails: queue.Queue[tuple[int, bytes] | None] = queue.Queue(4 * BATCH)
    letters: queue.Queue[Letter | None] = queue.Queue()
    began, cpu = time.monotonic(), time.process_time()
    with ThreadPoolExecutor(2 + CONNECTIONS) as crew:
        tasks = [crew.submit(fetch, int(imap), user, password, int(number), mails)]
        tasks += [crew.submit(work, engine, mails, letters)]
        tasks += [crew.submit(send, int(smtp), letters) for _ in range(CONNECTIONS)]
    for task in tasks:
        task.result()
    json.dump({"seconds": time.monotonic() - began, "cpu": time.process_time() - cpu}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
