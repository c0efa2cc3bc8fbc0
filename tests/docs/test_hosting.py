"""The files for hosts do what they say: unit, containers, and the mail server beside the program."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from pbem.settings import parse
from tests.docs.pages import ROOT, exists

BIN = Path(sys.executable).parent
HOSTING = ROOT / "docs" / "hosting"


def test_the_configuration_beside_its_own_mail_server_is_one(tmp_path):
    settings = parse((HOSTING / "mail" / "pbem.toml").read_text("utf-8"), origin="pbem.toml", base=tmp_path)
    assert (settings.imap.endpoint, settings.smtp.endpoint) == (("127.0.0.1", 143), ("127.0.0.1", 25))


def test_the_unit_runs_a_command_that_exists():
    unit = (HOSTING / "pbem.service").read_text("utf-8")
    (start,) = re.findall(r"(?m)^ExecStart=(.*)$", unit)
    exists(start.replace("/opt/pbem/bin/", ""))


def test_the_unit_refuses_what_it_filters_and_kills_nobody_for_it():
    """The odds' child lowers its priority (a call of @resources): killed for it, it would never tell any."""
    unit = (HOSTING / "pbem.service").read_text("utf-8")
    assert re.search(r"(?m)^SystemCallFilter=~.*@resources", unit)
    assert re.findall(r"(?m)^SystemCallErrorNumber=(.*)$", unit) == ["EPERM"]


@pytest.mark.skipif(not Path("/usr/bin/systemd-analyze").exists(), reason="no systemd here")
def test_the_unit_is_understood_by_systemd_and_hardened(tmp_path):
    unit = tmp_path / "pbem.service"
    text = (HOSTING / "pbem.service").read_text("utf-8")
    unit.write_text(
        text.replace("/opt/pbem/bin/pbem", str(BIN / "pbem")).replace(
            "User=pbem\nGroup=pbem", "User=daemon\nGroup=daemon"
        )
    )
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", str(unit)], check=False, capture_output=True, text=True
    ).stdout
    level = float(re.search(r"exposure level for pbem.service: ([\d.]+)", told)[1])
    assert level < 2


def test_the_containers_are_built_from_what_is_there():
    text = (HOSTING / "Containerfile").read_text("utf-8")
    for copied in re.findall(r"(?m)^COPY (?!--from)(.*)$", text):
        for source in copied.split()[:-1]:
            assert (ROOT / source).exists(), source
    for words in re.findall(r'CMD (\["pbem".*\])', text):
        exists(" ".join(yaml.safe_load(words)))
    exists("pbem " + " ".join(yaml.safe_load(re.findall(r"(?m)^CMD (\[.*\])$", text)[0])))


def test_the_compose_file_names_what_is_there():
    compose = yaml.safe_load((HOSTING / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    assert set(services) == {"postfix", "dovecot", "pbem"}
    for service in services.values():
        context = (HOSTING / service["build"]["context"]).resolve()
        assert (context / service["build"]["dockerfile"]).is_file()
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert (HOSTING / source).exists() if source.startswith(".") else source in compose["volumes"]
        for other in [
            *service.get("depends_on", []),
            service.get("network_mode", "service:postfix").removeprefix("service:"),
        ]:
            assert other in services
    assert services["postfix"]["ports"] == ["25:25"]
    assert all("ports" not in services[name] for name in ("dovecot", "pbem"))


def test_postfix_is_told_in_its_own_words():
    text = (HOSTING / "mail" / "main.cf").read_text("utf-8")
    told = dict(line.split(" =", 1) for line in text.splitlines() if line and not line.startswith("#"))
    assert told["recipient_delimiter"].strip() == "+"
    assert "reject_unauth_destination" in told["smtpd_relay_restrictions"]
    assert told["mynetworks"].strip() == "127.0.0.0/8 [::1]/128"


def test_the_example_of_every_setting_is_toml():
    tomllib.loads((ROOT / "config" / "pbem.toml").read_text("utf-8"))
