"""The tables, once for all databases. The migrations build the same ones step by step; a test compares the two.

Moments are aware datetimes: on PostgreSQL `timestamptz`, on SQLite text of fixed width in UTC, which sorts by time.
Text that comes from mails is cleaned of what a database cannot hold (NUL, halves of surrogate pairs).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator, TypeEngine

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

HEAD = "0002"
"""The latest migration: what a database made from these tables is stamped with."""

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """An aware datetime, in UTC when it comes back. Raises ValueError for a naive one."""

    impl = sa.DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Text on SQLite, `timestamptz` elsewhere."""
        return dialect.type_descriptor(sa.String(32) if dialect.name == "sqlite" else sa.DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """To the database."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone")
        utc = value.astimezone(UTC)
        return utc.isoformat(timespec="microseconds") if dialect.name == "sqlite" else utc

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """From the database."""
        del dialect
        if value is None:
            return None
        return (datetime.fromisoformat(value) if isinstance(value, str) else value).astimezone(UTC)


class Words(TypeDecorator[str]):
    """Text out of a mail: NUL and lone surrogates become U+FFFD, since no database holds them all."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """To the database."""
        del dialect
        return value if value is None else clean(value)


def clean(text: str) -> str:
    """The text as any database can hold it."""
    return text.replace("\x00", "\ufffd").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _game(*, primary_key: bool = False, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(
        "game_id", sa.Integer, sa.ForeignKey("games.id"), primary_key=primary_key, nullable=nullable and not primary_key
    )


games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("code", sa.String(32), nullable=False, unique=True),  # as it is written: PL1
    sa.Column("series", Words, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("ended", Moment),
)

mails = sa.Table(
    "mails",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("uidvalidity", sa.BigInteger, nullable=False),
    sa.Column("uid", sa.BigInteger, nullable=False),
    sa.Column("received", Moment, nullable=False),
    sa.Column("read", Moment, nullable=False),
    sa.Column("message_id", Words, nullable=False),
    sa.Column("sender", Words, nullable=False),
    sa.Column("authentic", sa.Boolean, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("outcome", Words, nullable=False),
    _game(nullable=True),
    sa.Column("seat", sa.Integer),
    sa.Column("raw", sa.LargeBinary),
    sa.UniqueConstraint("uidvalidity", "uid"),
    sa.Index(None, "message_id", "sender"),
    sa.Index(None, "digest"),
    sa.Index(None, "sender", "received"),
)

commands = sa.Table(
    "commands",
    metadata,
    _game(primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # how many events there were before it
    sa.Column("count", sa.Integer, nullable=False),  # how many followed from it
    sa.Column("codec", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("mail_id", sa.Integer, sa.ForeignKey("mails.id")),
)

events = sa.Table(
    "events",
    metadata,
    _game(primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("codec", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("cause", sa.Integer, sa.ForeignKey("mails.id")),  # the mail that it followed from, if one
)

players = sa.Table(
    "players",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("seat", sa.Integer, nullable=False),  # no unique key: seats shift when somebody leaves
    sa.Column("address", Words, nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("gender", sa.String(1), nullable=False),
    sa.Column("amount", sa.String(16), nullable=False),
    sa.Column("reminders", sa.Boolean, nullable=False),
    sa.Column("bounced", Moment),
    sa.Index(None, "game_id", "seat"),
    sa.Index(None, "address"),
)

tags = sa.Table(
    "tags",
    metadata,
    sa.Column("tag", sa.String(64), primary_key=True),
    _game(),
    sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id", ondelete="SET NULL"), index=True),
    sa.Column("seat", sa.Integer, nullable=False),  # where its owner sat when it was given
    sa.Column("retired", sa.Boolean, nullable=False),
)

storytellers = sa.Table(
    "storytellers",
    metadata,
    _game(primary_key=True),
    sa.Column("address", Words, primary_key=True),
    sa.Column("name", Words, nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("gender", sa.String(1), nullable=False),
    sa.Index(None, "address"),
)

readers = sa.Table(
    "readers",
    metadata,
    _game(primary_key=True),
    sa.Column("address", Words, primary_key=True),
    sa.Column("name", Words, nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("amount", sa.String(16), nullable=False),
    sa.Column("tag", sa.String(64), nullable=False, unique=True),
    sa.Column("bounced", Moment),
    sa.Index(None, "address"),
)

graveyard = sa.Table(  # ORG-2: whoever has received the graveyard of a game may not join it
    "graveyard",
    metadata,
    _game(primary_key=True),
    sa.Column("address", Words, primary_key=True),
)

held = sa.Table(
    "held",
    metadata,
    sa.Column("code", sa.String(64), primary_key=True),
    _game(),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("address", Words, nullable=False),
    sa.Column("raw", sa.LargeBinary, nullable=False),
    sa.Column("received", Moment, nullable=False),
    sa.Column("commands", Words, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("settled", Moment),
    sa.Column("mail_id", sa.Integer, sa.ForeignKey("mails.id")),
    sa.Index(None, "game_id", "seat"),
)

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(nullable=True),
    sa.Column("seat", sa.Integer),
    sa.Column("kind", sa.String(64), nullable=False),
    sa.Column("to", Words, nullable=False),
    sa.Column("domain", Words, nullable=False),
    sa.Column("message_id", Words, nullable=False, unique=True),
    sa.Column("raw", sa.LargeBinary, nullable=False),
    sa.Column("thread", Words, nullable=False),
    sa.Column("notices", sa.Text, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("not_before", Moment, nullable=False),
    sa.Column("lease", Moment),  # a claimed letter may be claimed anew from then on
    sa.Column("sent", Moment),
    sa.Column("error", Words, nullable=False),
    sa.Column("reported", sa.Boolean, nullable=False),  # the storyteller knows that it cannot be delivered
    sa.Index(None, "state", "not_before"),
    sa.Index(None, "game_id", "to"),
    sa.Index(None, "domain", "sent"),
    sa.Index(None, "to", "kind", "created"),
)

collected = sa.Table(  # what waits for somebody's one mail a day
    "collected",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("address", Words, nullable=False),
    sa.Column("due", Moment, nullable=False),
    sa.Column("piece", Words, nullable=False),
    sa.Index(None, "game_id", "address"),
    sa.Index(None, "due"),
)

threads = sa.Table(
    "threads",
    metadata,
    _game(primary_key=True),
    sa.Column("thread", Words, primary_key=True),
    sa.Column("root", Words, nullable=False),
    sa.Column("last", Words, nullable=False),
)

quarantine = sa.Table(
    "quarantine",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("why", Words, nullable=False),
    sa.Column("mail_id", sa.Integer, sa.ForeignKey("mails.id")),
    sa.Column("raw", sa.LargeBinary, nullable=False),
)

mailboxes = sa.Table(  # up to where a folder has been read
    "mailboxes",
    metadata,
    sa.Column("folder", sa.String(200), primary_key=True),
    sa.Column("uidvalidity", sa.BigInteger, nullable=False),
    sa.Column("uid", sa.BigInteger, nullable=False),
)

outages = sa.Table(
    "outages",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("began", Moment, nullable=False),
    sa.Column("ended", Moment),
)

leases = sa.Table(  # who may do what only one worker may do at a time
    "leases",
    metadata,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("owner", sa.String(200), nullable=False),
    sa.Column("until", Moment, nullable=False),
)

kv = sa.Table(
    "kv",
    metadata,
    sa.Column("key", sa.String(200), primary_key=True),
    sa.Column("value", Words, nullable=False),
)
