"""The pictures of the README, made by the program: `python docs/pictures.py` (make pictures).

It plays the demonstration with a fixed seed, takes the digest of the first evening out of the list's mailbox and the
page of the game out of the archive, and has Debian's Chromium show them. They go into `docs/pictures/`.
"""  # noqa: INP001 -- a script beside the pages, not a package

from __future__ import annotations

import email
import email.policy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from pbem import demo

SEED: Final = "7"
FOLDER: Final = Path(__file__).parent / "pictures"
SUBJECT: Final = "Sur le bûcher"
DIGEST_SIZE: Final = "700,900"
ARCHIVE_SIZE: Final = "1100,860"
_SECONDS: Final = 120


def main() -> None:
    """Play, and take both pictures."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("Debian's chromium is not installed: apt-get install chromium")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pbem-pictures-") as name:
        place = Path(name)
        demo.run(SEED, lambda _line: None, place)
        page = place / "digest.html"
        page.write_text(digest(place / "mail" / "village@village.example"), "utf-8")
        shoot(chromium, page, FOLDER / "digest.png", DIGEST_SIZE)
        shoot(chromium, place / "archive" / "pl1" / "index.html", FOLDER / "archive.png", ARCHIVE_SIZE)


def digest(maildir: Path) -> str:
    """The first execution's digest, as HTML. Raises LookupError if there is none."""
    for file in sorted(path for part in ("cur", "new") for path in (maildir / part).iterdir()):
        mail = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
        if SUBJECT in str(mail["Subject"]):
            body = mail.get_body(("html",))
            assert body is not None
            return str(body.get_content())
    raise LookupError(SUBJECT)


def shoot(chromium: str, page: Path, picture: Path, size: str) -> None:
    """A picture of the top of a page."""
    words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1"]
    command = [chromium, *words, f"--window-size={size}", f"--screenshot={picture}", page.absolute().as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)  # noqa: S603  (our own words)


if __name__ == "__main__":
    main()
