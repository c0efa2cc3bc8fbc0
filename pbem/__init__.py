"""Pleine Lune: a werewolf game of hidden roles, played by e-mail."""

from __future__ import annotations

__version__ = "0.1.0"
