"""`pbem doctor` without a network, and with the embedded post office."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.app.doctor import examine
from pbem.mail.mime import open_mail
from pbem.mail.probe import server_name
from pbem.settings import Secret
from tests.hosting.conftest import GAME, WAIT
from tests.kit.fakeimap import FakeImap

MAILS = Path(__file__).parents[1] / "mails"

# --- before the network ---------------------------------------------------------------------------------------------


def offline(place):
    return place.find(offline=True)


def test_offline_asks_nobody(office_place):
    assert offline(office_place) == {}
    assert [finding.check for finding in office_place.all] == [
        "configuration", "secrets", "clock", "disk", "database", "archive",
    ]  # fmt: skip
    assert office_place.relay.connections == 0


def test_a_secret_that_is_not_there(office_place, tmp_path):
    office_place.change("imap", password=Secret.of({"file": "nowhere"}, key="pbem.toml: imap.password", base=tmp_path))
    found = offline(office_place)
    assert found["secret"].says == "pbem.toml: imap.password: its file gave no secret (FileNotFoundError)"


def test_a_secret_that_others_may_read(office_place, tmp_path):
    file = tmp_path / "password"
    file.write_text("moon")
    file.chmod(0o644)
    office_place.change("smtp", password=Secret.of({"file": "password"}, base=tmp_path))
    assert offline(office_place)["readable"].mend == (f"chmod 600 {file}",)


def test_a_machine_that_lives_in_the_past(office_place):
    office_place.now = lambda: datetime(1970, 1, 2, tzinfo=UTC)
    assert "1970-01-02" in offline(office_place)["clock"].says


def test_a_full_disk(office_place, monkeypatch):
    usage = type("Usage", (), {"free": 5_000_000})
    monkeypatch.setattr("pbem.app.doctor.ground.shutil.disk_usage", lambda _place: usage)
    assert offline(office_place)["disk"].state == "fault"
    usage.free = 100_000_000
    assert offline(office_place)["disk"].state == "advice"


def test_an_archive_folder_that_cannot_be_written(office_place):
    office_place.change("archive", folder=Path("/proc/lune"))  # where not even root may
    assert offline(office_place)["readonly"].check == "archive"


def test_an_archive_folder_that_is_no_folder(office_place, tmp_path, monkeypatch):
    def refuse(*_given, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pbem.app.places.tempfile.TemporaryFile", refuse)
    assert {finding.check for finding in office_place.examine(offline=True) if finding.cause == "readonly"} == {
        "archive", "database",
    }  # fmt: skip


def test_a_database_that_is_none(office_place, tmp_path):
    (tmp_path / "broken.sqlite").write_bytes(b"this is no database at all, though it has some length to it" * 20)
    office_place.change("database", url=f"sqlite:///{tmp_path}/broken.sqlite")
    assert offline(office_place)["database"].state == "fault"


# --- whose word counts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("ar-below-lmtp", "mx.jeu.example"), ("ar-below-amavis", "mx.jeu.example"), ("ar-none", ""),
        ("ar-forged-helo-literal", ""), ("ar-forged-recipient", ""), ("ar-no-id", ""),
    ],
)  # fmt: skip
def test_a_server_is_known_by_what_it_wrote_itself(file, name):
    """A mail that the game would not believe names nobody; one that passed through local hands does."""
    raw = (MAILS / f"{file}.eml").read_bytes()
    assert server_name(open_mail(raw, datetime(2026, 12, 7, tzinfo=UTC))) == name


# --- the embedded post office ---------------------------------------------------------------------------------------


def test_the_embedded_post_office_is_opened_for_the_occasion(settings):
    found = list(examine(settings, wait=WAIT))
    assert [finding.check for finding in found if finding.state != "fine"] == []
    assert "post office" in [finding.check for finding in found]
    assert "round trip" in [finding.check for finding in found]


def test_the_embedded_post_office_that_runs_is_used(settings, office):
    office.password(settings.game.address)
    found = list(examine(settings, wait=WAIT, ports=lambda: (office.smtp_port, office.imap_port)))
    assert [finding.says for finding in found if finding.check == "post office"] == [
        f"pbem run has it open: SMTP on port {office.smtp_port}, IMAP on port {office.imap_port}"
    ]
    # its clock is the fixture's, months away: that is found, and nothing else
    assert {finding.cause for finding in found if finding.state == "fault"} == {"clock"}


def test_a_post_office_that_cannot_be_opened(settings):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        busy = settings.embedded.model_copy(update={"smtp_port": taken.getsockname()[1]})
        found = list(examine(settings.model_copy(update={"embedded": busy}), wait=WAIT))
    assert found[-1].cause == "post-office"


def test_a_server_that_makes_no_folders_is_found_before_a_game_depends_on_it(office_place):
    server = FakeImap({1: b"Subject: x\r\n\r\nx"})
    server.answers = {"CREATE": "TAG NO not allowed\r\n", "APPEND": "TAG NO not allowed\r\n"}
    office_place.settings = office_place.settings.model_copy(update={"imap": server.settings(user=GAME)})
    office_place.relay.deliver = lambda _raw, _at: None
    found = office_place.find(wait=1)
    assert found["clock-unknown"].check == "server clock"
    server.close()


def test_certificates_that_are_none(office_place, tmp_path):
    """Said before the servers are asked, who could not be asked rightly."""
    office_place.change("smtp", ca_file=tmp_path / "ca.pem")
    found = office_place.find()
    assert list(found) == ["ca-file"]
    assert f'smtp.ca_file = "{tmp_path}/ca.pem": expected a file of certificates' in found["ca-file"].says
    assert office_place.relay.taken == []
