"""Where the files are that come with the program: templates, default configuration, compositions.

They are found in a checkout (beside the package) and in an installed wheel (inside it) alike.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def templates_dir() -> Path:
    """The folder that holds `letters/`, `roles/`, `refusals/` and `archive/`."""
    return _find("templates")


def config_dir() -> Path:
    """The folder that holds the annotated `pbem.toml` and the compositions."""
    return _find("config")


def _find(name: str) -> Path:
    """The wheel's copy if there is one, else the checkout's folder.

    Raises FileNotFoundError if the installation is incomplete.
    """
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the installation of pbem lacks its folder {name!r}")
