"""The settings: what a host can choose, read from one TOML file and from the environment.

`load` promises: what it returns is complete, typed and consistent; or it raises `ConfigError`, whose text is one line
that names the file (or the variable), the key, the value and what is expected. Secrets are not read until they are used
(`Secret.reveal`), and no text or `repr` of a setting shows one.
"""

from __future__ import annotations

from pbem.settings.fields import ConfigError, Secret
from pbem.settings.loading import default_path, load, parse
from pbem.settings.sections import (
    Archive,
    Auth,
    Database,
    Embedded,
    Game,
    Imap,
    Letters,
    Limits,
    Monitor,
    Rules,
    Section,
    Server,
    Settings,
    Smtp,
)

__all__ = [
    "Archive",
    "Auth",
    "ConfigError",
    "Database",
    "Embedded",
    "Game",
    "Imap",
    "Letters",
    "Limits",
    "Monitor",
    "Rules",
    "Secret",
    "Section",
    "Server",
    "Settings",
    "Smtp",
    "default_path",
    "load",
    "parse",
]
