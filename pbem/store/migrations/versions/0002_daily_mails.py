"""What waits for somebody's one mail a day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_moment = sa.DateTime(timezone=True).with_variant(sa.String(32), "sqlite")


def upgrade() -> None:
    """One table more. Readers who never said how much mail they want get what WATCH promises."""
    op.create_table(
        "collected",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("due", _moment, nullable=False),
        sa.Column("piece", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_collected"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_collected_game_id_games"),
    )
    op.create_index("ix_collected_game_id_address", "collected", ["game_id", "address"])
    op.create_index("ix_collected_due", "collected", ["due"])
    op.execute("UPDATE readers SET amount = 'watch' WHERE amount = 'posts'")
