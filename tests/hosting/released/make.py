"""A database as the present version writes it, with a game in progress, as a text that SQLite reads back.

`python -m tests.hosting.released.make` writes `<schema>.sql` beside this file. It is run once, when a version with a
new schema is released; from then on the file is what later versions must be able to take over, and it is not changed.
"""

from __future__ import annotations

import sqlite3
import tempfile
from datetime import timedelta
from pathlib import Path

from pbem.engine import commands as c
from pbem.engine.state import Phase
from pbem.store import Store, schema
from tests.cli.playing import Play

HERE = Path(__file__).parent


def make(file: Path) -> None:
    """A game on its second day: votes and orders pending, a reader, a mail held, letters in every state."""
    store = Store(f"sqlite:///{file}")
    store.migrate()
    play = Play(store, seed="ab" * 32)
    play.start()
    vote(play, 5)
    while play.game.turn < 2 or play.game.phase is not Phase.DAY:
        play.resolve_next()
    vote(play, play.game.living[0].seat)
    with store.begin() as tx:
        mail = tx.record_mail(
            7, 41, play.now, "<vote@example.org>", "p2@example.org", "d" * 64, "command", "[]", game_id=1, read=play.now
        )
        tx.set_position((7, 41), "INBOX")
        tx.add_reader(1, "reader@example.org", "readertag0000001", name="Reader")
        tx.hold(
            "code000000000001",
            1,
            3,
            "p3@example.org",
            b"Subject: VOTE 1\r\n\r\n",
            play.now,
            "{}",
            play.now,
            mail_id=mail,
        )
        tx.quarantine(b"\xff not a mail", "unreadable", play.now)
        for number, to in enumerate(("p1@example.org", "p2@example.org", "village@example.org")):
            tx.enqueue(
                1, "digest", to, f"<{number}@village.example>", b"Subject: x\r\n\r\nx\r\n", "PL1/day/2", [], play.now
            )
        tx.sent(1, play.now)
        tx.failed(2, "550 no")
        tx.note_thread(1, "PL1/day/2", "<0@village.example>")
        tx.begin_outage(play.now - timedelta(hours=1))
        tx.end_outage(play.now)
        tx.set("a key", "é")
    store.close()


def vote(play, target):
    """Everybody against that seat, and the wolves for the next one."""
    for player in play.game.living:
        if player.seat != target:
            play.do(c.Order(play.now, player.seat, "VOTE", c.Words((target,))))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "pbem.sqlite"
        make(made)
        with sqlite3.connect(made) as connection:
            text = "\n".join(connection.iterdump())
    (HERE / f"{schema.HEAD}.sql").write_text(text + "\n", "utf-8")
