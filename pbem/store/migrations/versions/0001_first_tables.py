"""First tables: games and their logs, people, mails in, letters out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_moment = sa.DateTime(timezone=True).with_variant(sa.String(32), "sqlite")


def _text(name: str, *, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), primary_key=primary_key, nullable=False)


def _short(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _when(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, _moment, nullable=nullable)


def _blob(name: str, *, nullable: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=nullable)


def _key(table: str, *names: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*names, name=f"pk_{table}")


def _of(table: str, column: str, other: str, ondelete: str | None = None) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=f"fk_{table}_{column}_{other}", ondelete=ondelete)


def _alone(table: str, *names: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*names, name=f"uq_{table}_{'_'.join(names)}")


def _index(table: str, *names: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(names)}", table, list(names))


def upgrade() -> None:
    """All tables of the first version."""
    _games()
    _people()
    _letters()
    _rest()


def _games() -> None:
    op.create_table(
        "games", _number("id"), _short("code", 32), _text("series"), _number("version"), _flag("over"),
        _when("created"), _when("ended", nullable=True), _key("games", "id"), _alone("games", "code"),
    )  # fmt: skip
    op.create_table(
        "mails", _number("id"), sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False), _when("received"), _when("read"), _text("message_id"),
        _text("sender"), _flag("authentic"), _short("digest", 64), _short("kind", 32), _text("outcome"),
        _number("game_id", nullable=True), _number("seat", nullable=True), _blob("raw", nullable=True),
        _key("mails", "id"), _of("mails", "game_id", "games"), _alone("mails", "uidvalidity", "uid"),
    )  # fmt: skip
    _index("mails", "message_id", "sender")
    _index("mails", "digest")
    _index("mails", "sender", "received")
    op.create_table(
        "commands", _number("game_id"), _number("n"), _when("at"), _number("version"), _number("count"),
        _number("codec"), _text("body"), _number("mail_id", nullable=True), _key("commands", "game_id", "n"),
        _of("commands", "game_id", "games"), _of("commands", "mail_id", "mails"),
    )  # fmt: skip
    op.create_table(
        "events", _number("game_id"), _number("n"), _when("at"), _number("codec"), _text("body"),
        _number("cause", nullable=True), _key("events", "game_id", "n"), _of("events", "game_id", "games"),
        _of("events", "cause", "mails"),
    )  # fmt: skip


def _people() -> None:
    op.create_table(
        "players", _number("id"), _number("game_id"), _number("seat"), _text("address"), _short("language", 8),
        _short("gender", 1), _short("amount", 16), _flag("reminders"), _when("bounced", nullable=True),
        _key("players", "id"), _of("players", "game_id", "games"),
    )  # fmt: skip
    _index("players", "game_id", "seat")
    _index("players", "address")
    op.create_table(
        "tags", _short("tag", 64), _number("game_id"), _number("player_id", nullable=True), _number("seat"),
        _flag("retired"), _key("tags", "tag"), _of("tags", "game_id", "games"),
        _of("tags", "player_id", "players", ondelete="SET NULL"),
    )  # fmt: skip
    _index("tags", "player_id")
    op.create_table(
        "storytellers", _number("game_id"), _text("address"), _text("name"), _short("language", 8), _short("gender", 1),
        _key("storytellers", "game_id", "address"), _of("storytellers", "game_id", "games"),
    )  # fmt: skip
    _index("storytellers", "address")
    op.create_table(
        "readers", _number("game_id"), _text("address"), _text("name"), _short("language", 8), _short("amount", 16),
        _short("tag", 64), _when("bounced", nullable=True), _key("readers", "game_id", "address"),
        _of("readers", "game_id", "games"), _alone("readers", "tag"),
    )  # fmt: skip
    _index("readers", "address")
    op.create_table(
        "graveyard", _number("game_id"), _text("address"), _key("graveyard", "game_id", "address"),
        _of("graveyard", "game_id", "games"),
    )  # fmt: skip


def _letters() -> None:
    op.create_table(
        "outbox", _number("id"), _number("game_id", nullable=True), _number("seat", nullable=True), _short("kind", 64),
        _text("to"), _text("domain"), _text("message_id"), _blob("raw"), _text("thread"), _text("notices"),
        _short("state", 16), _number("attempts"), _when("created"), _when("not_before"), _when("lease", nullable=True),
        _when("sent", nullable=True), _text("error"), _flag("reported"), _key("outbox", "id"),
        _of("outbox", "game_id", "games"), _alone("outbox", "message_id"),
    )  # fmt: skip
    _index("outbox", "state", "not_before")
    _index("outbox", "game_id", "to")
    _index("outbox", "domain", "sent")
    _index("outbox", "to", "kind", "created")
    op.create_table(
        "threads", _number("game_id"), _text("thread"), _text("root"), _text("last"),
        _key("threads", "game_id", "thread"), _of("threads", "game_id", "games"),
    )  # fmt: skip


def _rest() -> None:
    op.create_table(
        "held", _short("code", 64), _number("game_id"), _number("seat"), _text("address"), _blob("raw"),
        _when("received"), _text("commands"), _when("created"), _short("state", 16), _when("settled", nullable=True),
        _number("mail_id", nullable=True), _key("held", "code"), _of("held", "game_id", "games"),
        _of("held", "mail_id", "mails"),
    )  # fmt: skip
    _index("held", "game_id", "seat")
    op.create_table(
        "quarantine", _number("id"), _when("at"), _text("why"), _number("mail_id", nullable=True), _blob("raw"),
        _key("quarantine", "id"), _of("quarantine", "mail_id", "mails"),
    )  # fmt: skip
    op.create_table(
        "mailboxes", _short("folder", 200), sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False), _key("mailboxes", "folder"),
    )  # fmt: skip
    op.create_table("outages", _number("id"), _when("began"), _when("ended", nullable=True), _key("outages", "id"))
    op.create_table(
        "leases", _short("name", 64), _short("owner", 200), _when("until"), _key("leases", "name")
    )  # fmt: skip
    op.create_table("kv", _short("key", 200), _text("value"), _key("kv", "key"))
