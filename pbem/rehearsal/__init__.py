"""Scenario files: a storyteller's "what if", and the rules' proof. Real mails through the real program, no network."""

from __future__ import annotations
