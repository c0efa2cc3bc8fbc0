"""A post office in a process of its own, to be killed. Prints its SMTP port."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from pbem.mail.postoffice import PostOffice
from pbem.settings import load
from tests.conftest import EMBEDDED

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "pbem.toml").write_text(EMBEDDED)
    office = PostOffice(load(folder / "pbem.toml"))
    office.start()
    print(office.smtp_port, flush=True)  # noqa: T201  (that is its answer)
    threading.Event().wait()
