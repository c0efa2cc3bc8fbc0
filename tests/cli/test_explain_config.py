"""`pbem explain` asks of the configuration only what reading a mail needs: where the game lives, and whose word counts."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

MAIL = b"""From: Anne <anne@example.org>
To: lune@jeu.example
Subject: [PL1] VOTE Bruno
Authentication-Results: mx.jeu.example; dmarc=pass header.from=example.org
Received: from a by mx.jeu.example; Mon, 7 Dec 2026 20:00:00 +0100

"""


@pytest.mark.parametrize("embedded", ["", "[embedded]\nenabled = false\n"])
def test_the_address_and_the_authserv_id_are_enough(tmp_path: Path, embedded: str) -> None:
    config = tmp_path / "test.toml"
    config.write_text(f'[game]\naddress = "lune@jeu.example"\n[auth]\nauthserv_id = "mx.jeu.example"\n{embedded}')
    mail = tmp_path / "vote.eml"
    mail.write_bytes(MAIL)
    run = subprocess.run(
        [sys.executable, "-m", "pbem", "explain", "--config", str(config), str(mail)],
        capture_output=True,
        check=True,
        text=True,
    )
    told = json.loads(run.stdout)
    assert told["commands"] == [{"verb": "VOTE", "args": "Bruno", "where": "subject"}]
    assert (told["kind"], told["authentic"], told["code"]) == ("command", True, "PL1")
