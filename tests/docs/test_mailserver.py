"""The mail server beside the program (docs/hosting/mail): Postfix and Dovecot run by those very files, and a game can be played.

As they stand, but for paths, users and the ports that are taken or need root.
"""

from __future__ import annotations

import contextlib
import imaplib
import os
import re
import smtplib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.kit import dovecot, postfix

MAIL = ROOT / "docs" / "hosting" / "mail"
PBEM = Path(sys.executable).parent / "pbem"
GAME, PASSWORD = "lune@example.org", "a long password"
pytestmark = pytest.mark.dovecot


def changed(name, **changes):
    text = (MAIL / name).read_text("utf-8")
    for was, now in changes.items():
        assert was in text, was
        text = text.replace(was, now)
    return text


@contextlib.contextmanager
def mailbox(lmtp=0):
    """Dovecot by dovecot.conf; with `lmtp` (a port) it takes mail as well."""
    with dovecot.Dovecot() as server:
        server.stop()
        owner, group = server._owner
        text = changed(
            "dovecot.conf",
            **{
                "/var/mail": f"{server.folder}/mail", "/run/dovecot.users": f"{server.folder}/users", "= vmail": f"= {owner}",
                "uid=vmail gid=vmail": f"uid={owner} gid={group}", "port = 143": f"port = {server.imap}",
                "port = 24": f"port = {lmtp}", "/dev/stderr": f"{server.folder}/dovecot.log",
            },
        ).replace(f"mail_gid = {owner}", f"mail_gid = {group}")  # fmt: skip
        if not lmtp:
            text = re.sub(r"(?s)service lmtp \{.*?\n\}\n", "", text.replace("imap lmtp", "imap"))
        internal = "" if os.geteuid() == 0 else f"default_internal_user = {owner}\ndefault_login_user = {owner}\n"
        text += f"{internal}base_dir = {server.folder}/run\nstate_dir = {server.folder}/state\n"
        text += "service imap-login {\n  chroot =\n}\n"
        text += "service anvil {\n  chroot =\n  unix_listener anvil-auth-penalty {\n    mode = 0\n  }\n}\n"
        (server.folder / "dovecot.conf").write_text(text)
        (server.folder / "users").write_text(f"game:{{PLAIN}}{PASSWORD}\n")
        (server.folder / "users").chmod(0o644)
        server.imaps = server.imap
        server.start()
        yield server


@pytest.fixture
def whole(tmp_path):
    """Both servers, and a folder with pbem.toml for them."""
    why = dovecot.unavailable() or postfix.unavailable()
    if not why and not Path("/usr/lib/dovecot/lmtp").exists():
        why = "Debian's dovecot-lmtpd is not installed"
    if why:
        pytest.skip(why)
    (lmtp,) = dovecot._free_ports(1)
    main = changed("main.cf", **{"/etc/postfix/virtual": "{folder}/virtual", "127.0.0.1:24": f"127.0.0.1:{lmtp}"})
    people = changed("aliases", **{"anna@example.net, bruno@example.net": GAME})  # so that the list's mail can be seen
    with mailbox(lmtp) as box, postfix.Postfix(main, virtual=people) as relay:
        ports = {"port = 143": f"port = {box.imap}", "port = 25": f"port = {relay.port}"}
        secret = {"/run/secrets/password": f"{tmp_path}/password"}
        (tmp_path / "pbem.toml").write_text(changed("pbem.toml", **ports, **secret))
        (tmp_path / "password").write_text(f"{PASSWORD}\n")
        (tmp_path / "password").chmod(0o600)
        yield relay, tmp_path


def test_dovecots_configuration_lets_the_game_in():
    why = dovecot.unavailable()
    if why:
        pytest.skip(why)
    with mailbox() as server:
        with imaplib.IMAP4("127.0.0.1", server.imap, timeout=30) as box:
            box.login(GAME, PASSWORD)
            assert box.select("INBOX")[0] == "OK"
        with imaplib.IMAP4("127.0.0.1", server.imap, timeout=30) as box, pytest.raises(imaplib.IMAP4.error):
            box.login(GAME, "wrong")


@pytest.mark.slow
def test_the_doctor_has_nothing_to_mend(whole):
    relay, folder = whole
    assert relay.warnings() == ""
    done = subprocess.run(
        [PBEM, "doctor", "--list", "--wait", "60"], check=False, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + relay.log()
    assert "advice" not in done.stdout
    for told in ("sub-addressing: mail to lune+anything arrives", "a mail to village@example.org was distributed"):
        assert told in done.stdout


@pytest.mark.slow
def test_there_is_nobody_else_in_the_domain(whole):
    relay, _ = whole
    with smtplib.SMTP("127.0.0.1", relay.port, timeout=30) as post:
        post.ehlo("outside.example")
        post.mail("somebody@outside.example")
        assert post.rcpt("nobody@example.org")[0] == 550
        for known in (GAME, "lune+k7f3q9@example.org", "village@example.org", "postmaster@example.org"):
            assert post.rcpt(known)[0] == 250, known
