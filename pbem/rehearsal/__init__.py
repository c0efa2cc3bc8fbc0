"""Scenario files: a storyteller's "what if", and the rules' proof. Real mails through the real program, no network."""

from __future__ import annotations

from pbem.rehearsal.runner import main, rehearse

__all__ = ["main", "rehearse"]
