"""Pleine Lune: a werewolf game of hidden roles, played by e-mail."""

__version__ = "0.1.0"
