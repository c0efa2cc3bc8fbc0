"""One file a version of the schema."""

from __future__ import annotations
