"""The places that the settings name, looked at before anything starts: database, mailboxes, archive, certificates.

`check` raises `ConfigError` for the first one that cannot be used: one line with the file (or the variable), the key,
the value and what is expected. It tries a folder by making a file there that is gone again, and leaves nothing behind.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
from typing import TYPE_CHECKING

from pbem.mail.imap_link import tls_context
from pbem.settings import Secret
from pbem.store.connection import sqlite_file

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.settings import Settings


def check(settings: Settings) -> None:
    """All that `pbem run` will use. Raises ConfigError."""
    database(settings)
    if settings.embedded.enabled:
        _folder(settings, "embedded.maildirs", settings.embedded.maildirs)
    else:
        certificates(settings)
        _secrets(settings)
    archive(settings)


def database(settings: Settings, *, writes: bool = True) -> None:
    """`[database]`; without `writes` a file that is there need only be one. Raises ConfigError."""
    url = settings.database.url
    file = sqlite_file(url)
    if not url.startswith("sqlite") and importlib.util.find_spec("psycopg") is None:
        raise settings.refusal("database.url", None, "pbem[postgres] to be installed (there is no psycopg here)")
    why = _unfit(file, writes=writes) if file is not None else ""
    if why:
        raise settings.refusal("database.url", url, f"an SQLite file that can be written to ({why})")


def _unfit(file: Path, *, writes: bool) -> str:
    """Why the database cannot be there; "" if it can."""
    if file.is_dir():
        return f"{file} is a folder"
    if file.exists():
        return f"{file}: Permission denied" if writes and not os.access(file, os.W_OK) else ""
    return unwritable(file.parent)


def archive(settings: Settings) -> None:
    """`archive.folder`, if there is one. Raises ConfigError."""
    if settings.archive.folder is not None:
        _folder(settings, "archive.folder", settings.archive.folder)


def certificates(settings: Settings) -> None:
    """The files of certificates to trust. Raises ConfigError."""
    for section, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if server.ca_file is None:
            continue
        try:
            tls_context(server.ca_file)
        except OSError as error:  # what the file holds is an ssl.SSLError, which is one, too
            why = "it holds none" if server.ca_file.is_file() else error.strerror or type(error).__name__
            raise settings.refusal(
                f"{section}.ca_file", server.ca_file, f"a file of certificates (PEM; {why})"
            ) from None


def _secrets(settings: Settings) -> None:
    """Those in files and variables can be had. (A command may need what is not up yet: it is run when it is needed.)"""
    for server in (settings.imap, settings.smtp):
        for secret in (server.password, server.oauth):
            if isinstance(secret, Secret) and secret.at_hand:
                secret.reveal()


def _folder(settings: Settings, key: str, folder: Path) -> None:
    why = unwritable(folder)
    if why:
        raise settings.refusal(key, folder, f"a folder that can be written to ({why})")


def unwritable(folder: Path) -> str:
    """Why no file can be made in that folder, or in the nearest one above it that there is; "" if one can."""
    place = next(place for place in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(place))
    if not place.is_dir():
        return f"{place} is no folder"
    try:
        with tempfile.TemporaryFile(dir=place):
            return ""
    except OSError as error:
        return f"{place}: {error.strerror or type(error).__name__}"
