"""A private Postfix on a loopback port, by a configuration that a test gives: queue, data and log in a folder of its own.

It reads nothing of the machine's Postfix configuration. Its master has to be started by root.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

DAEMONS = Path("/usr/lib/postfix/sbin")
OWNER = "postfix"
_QUEUES = (
    "active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "maildrop", "pid", "private", "public",
    "saved", "trace",
)  # fmt: skip
_SERVICES = """\
{host}:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
"""As Debian has them, none in a chroot (which would need copies of the machine's files)."""


def unavailable():
    """Why Postfix cannot be used here, or None."""
    if not (DAEMONS / "master").exists():
        return "Debian's postfix is not installed"
    return None if os.geteuid() == 0 else "Postfix is started by root"


class Postfix:
    """A context manager. `main` is the text of main.cf, `files` are others beside it, by name; `{folder}` in all of them
    is where they lie. `port` takes mail.
    """

    def __init__(self, main, **files):
        self.folder = Path(tempfile.mkdtemp(prefix="pbem-pf-", dir="/tmp"))
        self.folder.chmod(0o755)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        own = {
            "queue_directory": self.folder / "queue", "data_directory": self.folder / "data", "inet_interfaces": "127.0.0.1",
            "maillog_file": self.folder / "mail.log", "maillog_file_prefixes": "/tmp",
        }  # fmt: skip
        main = re.sub(rf"(?m)^({'|'.join(own)})\s*=.*\n", "", main)
        main += "".join(f"{key} = {value}\n" for key, value in own.items())
        services = _SERVICES.format(host="127.0.0.1", port=self.port)
        for name, text in {"main.cf": main, "master.cf": services, **files}.items():
            (self.folder / name).write_text(text.replace("{folder}", str(self.folder)))
        for name in ("data", "queue", *(f"queue/{queue}" for queue in _QUEUES)):
            (self.folder / name).mkdir()
            if name not in {"queue", "queue/pid"}:
                shutil.chown(self.folder / name, OWNER)
        self._process = None

    def __enter__(self):
        self._process = subprocess.Popen(
            [DAEMONS / "master", "-c", self.folder, "-d"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        end = time.monotonic() + 30
        while not self._greets():
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < end, self.log()
            time.sleep(0.1)
        return self

    def __exit__(self, *_error):
        self._process.terminate()  # it ends its daemons
        self._process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def warnings(self):
        """What Postfix itself has to say about its configuration."""
        return subprocess.run(["postconf", "-c", self.folder, "-n"], check=True, capture_output=True, text=True).stderr

    def log(self):
        file = self.folder / "mail.log"
        return file.read_text(errors="replace") if file.exists() else ""

    def _greets(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as client:
                return client.recv(3) == b"220"
        except OSError:
            return False
