"""The migrations, for Alembic."""

from __future__ import annotations
