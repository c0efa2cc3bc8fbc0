"""A private Dovecot on loopback ports: its own configuration, mails and certificates, started and stopped by the tests.

It reads nothing of the machine's Dovecot configuration, and runs for root (mail is then `nobody`'s) and for others.
Written for Dovecot 2.3, whose configuration later ones do not read.
"""

from __future__ import annotations

import contextlib
import grp
import http.server
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse
from itertools import count
from pathlib import Path

from tests.kit.authority import Authority

USER = "lune@example.org"
PASSWORD = "la-nuit-tombe-é"
TOKEN = "token-of-the-moon"
_serial = count(1)


def unavailable():
    """Why Dovecot cannot be used here, or None."""
    program = _program()
    if program is None:
        return "Debian's dovecot-imapd is not installed"
    version = subprocess.run([program, "--version"], capture_output=True, check=True, text=True).stdout
    return None if version.startswith("2.3.") else f"Dovecot {version.split()[0]} needs another configuration"


def _program():
    return shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


class Dovecot:
    """`imap` (with STARTTLS) and `imaps` are its ports; a context manager. `extra` is configuration to add."""

    def __init__(self, *, separator="/", extra=""):
        self.folder = Path(tempfile.mkdtemp(prefix="pbem-dc-", dir="/tmp"))  # short: sockets lie in it
        self.folder.chmod(0o755)
        self.authority = Authority(self.folder)
        self.imap, self.imaps = _free_ports(2)
        self._separator = separator
        self._extra = extra
        self._process = None

    def __enter__(self):
        self._tokens = _TokenServer()
        self._write()
        self.start()
        return self

    def __exit__(self, *_error):
        self.stop()
        self._tokens.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def inbox(self, user=USER):
        """The Maildir of a user's INBOX; every user name will do, and has the same password."""
        return self.folder / "mail" / user / "Maildir"

    def start(self):
        with (self.folder / "dovecot.log").open("ab") as log:
            self._process = subprocess.Popen(
                [_program(), "-F", "-c", str(self.folder / "dovecot.conf")],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        for port in (self.imap, self.imaps):
            self._wait_for(port)

    def stop(self):
        """End the server and all its connections."""
        if self._process is not None:
            # The whole group: without its master, a session lives on over mails that the test may change.
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
            self._process = None

    def deliver(self, raw, received, user=USER):
        """Put a mail into the INBOX, received at that moment."""
        maildir = self.inbox(user)
        for part in ("tmp", "new", "cur"):
            (maildir / part).mkdir(parents=True, exist_ok=True)
        name = f"{int(received.timestamp())}.{next(_serial):06}.test"
        draft = maildir / "tmp" / name
        draft.write_bytes(raw)
        os.utime(draft, (received.timestamp(), received.timestamp()))
        self._give(self.folder / "mail" / user)
        draft.rename(maildir / "new" / name)

    def renumber(self, user=USER):
        """Give the INBOX another UIDVALIDITY, as a restored backup has; only while it is stopped."""
        for index in self.inbox(user).glob("dovecot.index*"):
            index.unlink()
        uids = self.inbox(user) / "dovecot-uidlist"
        header, _, rest = uids.read_text().partition("\n")
        fields = [f"V{int(word[1:]) + 1000}" if word.startswith("V") else word for word in header.split(" ")]
        uids.write_text(" ".join(fields) + "\n" + rest)

    def log(self):
        return (self.folder / "dovecot.log").read_text(errors="replace")

    def _give(self, folder):
        """Mail belongs to the mail user."""
        if os.geteuid() == 0:
            for root, folders, files in os.walk(folder):
                for name in ["", *folders, *files]:
                    shutil.chown(Path(root, name), *self._owner)

    @property
    def _owner(self):
        if os.geteuid() == 0:
            return "nobody", "nogroup"
        return pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name

    def _write(self):
        folder = self.folder
        for name in ("run", "state", "mail"):
            (folder / name).mkdir()
        certificate, key = self.authority.server("dovecot")
        owner, group = self._owner
        self._give(folder / "mail")
        internal = "" if os.geteuid() == 0 else f"default_internal_user = {owner}\ndefault_login_user = {owner}\n"
        (folder / "oauth").write_text(
            f"tokeninfo_url = http://127.0.0.1:{self._tokens.port}/?token=\n"
            "introspection_mode = auth\nusername_attribute = user\n"
        )
        (folder / "dovecot.conf").write_text(f"""
{internal}base_dir = {folder}/run
state_dir = {folder}/state
log_path = /dev/stderr
auth_verbose = yes
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{key}
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
first_valid_uid = 1
mail_home = {folder}/mail/%u
mail_location = maildir:~/Maildir
mail_fsync = never
namespace inbox {{
  inbox = yes
  separator = {self._separator}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {self.imap}
  }}
  inet_listener imaps {{
    port = {self.imaps}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
auth_failure_delay = 0 secs
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth
}}
passdb {{
  driver = static
  mechanisms = plain login
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid={owner} gid={group} home={folder}/mail/%u
}}
{self._extra}
""")

    def _wait_for(self, port):
        for _ in range(200):
            if self._process.poll() is not None:
                break
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
            time.sleep(0.05)
        raise RuntimeError(f"Dovecot does not answer:\n{self.log()}")


class _TokenServer:
    """Tells Dovecot which access token is whose (RFC 7662, the short of it)."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                token = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("token", [""])[0]
                good = token == TOKEN
                body = json.dumps({"user": USER, "active": True} if good else {"error": "invalid_token"}).encode()
                self.send_response(200 if good else 401)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_words):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _free_ports(number):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
