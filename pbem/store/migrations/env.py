"""Alembic's entry: runs the migrations on the connection that `pbem.store.migrate` hands over, in its transaction."""

from __future__ import annotations

from alembic import context

from pbem.store import schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
