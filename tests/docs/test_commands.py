"""Every command that stands in the README and in docs/ runs as it is printed, and what a mail shall say is a command.

- Blocks of commands (indented, or ```console) are run in a folder of their own (which stands for /var/backups, too), line
  by line, with the embedded post office; `pbem run` runs beside the lines that follow it. What `make` would do is asked of make.
- Blocks for a server (```sh server) need root, systemd or containers: their `pbem` commands and options must exist, and
  a shell must understand them.
- `pbem …` in a sentence: the command and its options must exist.
- Words of command in the pages for players and storytellers are read as the game reads them.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.orders import grammar
from pbem.settings import Settings
from tests.docs.pages import ROOT, blocks, exists, pages, tokens

BIN = Path(sys.executable).parent
HOSTING = ROOT / "docs" / "hosting"
READ = [page for page in pages() if page.name not in {"rules.en.md", "rules.fr.md"}]
STARTS = ("pbem", ".venv/bin/pbem", "make", "python")
OTHER = {"mail", "yaml", "comment", "toml"}


def relative(page):
    return str(page.relative_to(ROOT))


# --- what there is to run -------------------------------------------------------------------------------------------


ELSEWHERE = "(cd elsewhere && {})"


def lines(block):
    """The commands of a block, without the remarks behind them; [] if it is a figure. One that is remarked upon as run
    elsewhere is run in another folder.
    """
    found = []
    for line in block.text.splitlines():
        command, _, remark = re.sub(r"\s+# ", "\x00", line, count=1).partition("\x00")
        if command:
            found.append(ELSEWHERE.format(_above(command)) if remark.startswith("elsewhere") else command)
    if block.kind == "" and not found[0].split()[0].startswith(STARTS):
        assert "──▶" in block.text, f"{relative(block.page)}:{block.line}: neither commands nor the figure"
        return []
    return found


def _above(command):
    """The same, its file being in the folder above."""
    *words, file = command.split()
    return " ".join([*words, f"../{file}"])


def scripts():
    return [block for page in READ for block in blocks(page) if block.kind in {"", "console"} and lines(block)]


def servers():
    return [block for page in READ for block in blocks(page) if (block.kind, block.rest) == ("sh", "server")]


def test_every_block_is_of_a_kind_that_is_tested():
    for page in READ:
        if page.is_relative_to(ROOT / "templates"):
            continue
        for block in blocks(page):
            known = block.kind in OTHER | {"", "console"} or (block.kind, block.rest) == ("sh", "server")
            assert known, f"{relative(page)}:{block.line}: ```{block.kind} {block.rest}"
    assert len(scripts()) > 6
    assert len(servers()) > 4


class Place:
    """A folder to run a page's commands in."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("elsewhere", "backups"):
            (folder / name).mkdir()
        (folder / ".venv").mkdir()
        (folder / ".venv" / "bin").symlink_to(BIN)
        self.environ = {
            **os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1", "COLUMNS": "200",
            "PBEM_EMBEDDED_SMTP_PORT": "0", "PBEM_EMBEDDED_IMAP_PORT": "0", "LUNE_PASSWORD": "moon",
        }  # fmt: skip
        self.running = None

    def run(self, line):
        line = line.replace("/var/backups", str(self.folder / "backups"))  # the machine's own is not ours
        if (wanted := re.search(r"pbem restore (\S+)", line)) and not (self.folder / wanted[1]).exists():
            newest = max((self.folder / "backups").iterdir(), key=lambda path: path.stat().st_mtime)
            shutil.copyfile(newest, self.folder / wanted[1])  # the page's day is not today
        words = line.split() if line.startswith("(") else shlex.split(line)
        if words[0] == "make":
            self._make(words)
        elif words[0].endswith("pbem") and words[1] == "run":
            self._start(words)
        else:
            done = subprocess.run(
                line,
                shell=True,
                check=False,
                cwd=self.folder,
                env=self.environ,
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"

    def output(self, words):
        done = subprocess.run(
            [BIN / "pbem", *words.split()],
            check=True,
            cwd=self.folder,
            env=self.environ,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def _make(self, words):
        """Whether make knows how; what it would run is tested where it is."""
        done = subprocess.run([*words, "--dry-run"], check=False, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def _start(self, words):
        log = (self.folder / "run.log").open("w")
        self.running = subprocess.Popen(words, cwd=self.folder, env=self.environ, stdout=log, stderr=subprocess.STDOUT)
        log.close()
        end = time.monotonic() + 60
        while "Post office" not in (self.folder / "run.log").read_text():
            assert self.running.poll() is None, (self.folder / "run.log").read_text()
            assert time.monotonic() < end
            time.sleep(0.1)

    def close(self):
        if self.running is not None:
            self.running.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                assert self.running.wait(30) == 0
                return
            self.running.kill()
            self.running.wait()


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.close()


def _prepare(place, page, block):
    """What the reader of that page has by then: the files that it shows, and a game if it does not open one."""
    for other in blocks(page):
        if other.kind == "yaml" and other.rest:
            (place.folder / other.rest).write_text(other.text)
    if "pbem init" not in block.text and "pbem" in block.text:
        place.run("pbem game new")


@pytest.mark.slow
def test_the_readmes_commands_run_in_their_order(place):
    ran = []
    for block in scripts():
        if block.page == ROOT / "README.md":
            for line in lines(block):
                place.run(line)
                ran.append(line)
    assert any(line.endswith("pbem run") for line in ran)
    assert any("pbem status" in line for line in ran)
    assert [(game["code"], game["players"]) for game in json.loads(place.output("game list --json"))] == [("PL1", 1)]
    assert "Where you stand" in place.output("mail read conteur --all")


@pytest.mark.slow
@pytest.mark.parametrize(
    "block",
    [block for block in scripts() if block.page != ROOT / "README.md"],
    ids=lambda block: f"{relative(block.page)}:{block.line}",
)
def test_the_commands_of_a_page_run(place, block):
    _prepare(place, block.page, block)
    for line in lines(block):
        place.run(line)


@pytest.mark.parametrize("block", servers(), ids=lambda block: f"{relative(block.page)}:{block.line}")
def test_a_shell_understands_what_a_server_is_told(block):
    text = re.sub(r"(?m)^\*/5 \* \* \* \* ", "", block.text)
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    for file in re.findall(r"docs/hosting/\S+", text):
        assert (ROOT / file).is_file(), file


# --- that a command exists ------------------------------------------------------------------------------------------


def said():
    """(page, command) of every `pbem …` in a sentence, a table or a block for a server."""
    found = []
    for page in READ:
        for token in tokens(page):
            for child in token.children or ():
                if child.type == "code_inline" and child.content.startswith("pbem "):
                    found += [(page, child.content)]
    for block in servers():
        for call in re.findall(
            r"/opt/pbem/bin/pbem [^'>|]*|podman exec .*?pbem (pbem .*)|--volume pbem:/var/lib/pbem pbem (init)",
            block.text,
        ):
            text = next((part for part in call if part), "") if isinstance(call, tuple) else call
            found.append((block.page, text if text.startswith("pbem") else f"pbem {text}"))
        found += [
            (block.page, call.replace("/opt/pbem/bin/", ""))
            for call in re.findall(r"/opt/pbem/bin/pbem [^'>|\n]*", block.text)
        ]
    return [(page, command) for page, command in found if command.split() != ["pbem"]]


def test_every_command_in_a_sentence_exists():
    assert len(said()) > 25
    for page, command in said():
        with contextlib.suppress(ValueError):
            exists(command)
            continue
        raise AssertionError((relative(page), command))


@pytest.mark.parametrize("command", ["pbem moon", "pbem game moon", "pbem run --moon", "pbem game new --moon x"])
def test_a_command_that_does_not_exist_would_be_found(command):
    with pytest.raises(AssertionError):
        exists(command)


def test_the_settings_that_are_named_exist():
    found = 0
    for page in READ:
        for token in tokens(page):
            for child in token.children or ():
                match = (
                    re.fullmatch(r"\[(\w+)\] (\w+)(?: = .*)?|(\w+)\.(\w+) = .*", child.content)
                    if child.type == "code_inline"
                    else None
                )
                section, key = (match[1] or match[3], match[2] or match[4]) if match else ("", "")
                if section in Settings.model_fields:
                    assert key in Settings.model_fields[section].annotation.model_fields, (
                        relative(page),
                        child.content,
                    )
                    found += 1
    assert found > 3


# --- words of command in mails --------------------------------------------------------------------------------------

PEOPLE = [f"{name}.{language}.md" for name in ("player", "storyteller", "faq") for language in ("en", "fr")]
WORD = re.compile(r"(?:\[PL1\] )?((?:ADMIN )?[A-Z]{3,}\b.*)")


def spoken():
    """(page, command) of every word of command in a sentence."""
    for name in PEOPLE:
        for token in tokens(ROOT / "docs" / name):
            for child in token.children or ():
                match = WORD.fullmatch(child.content) if child.type == "code_inline" else None
                if match and match[1] != "ADMIN":
                    yield name, match[1]


def test_every_word_of_command_is_one():
    found = list(spoken())
    assert len(found) > 120
    admin = {word for verb in grammar.ADMIN_VERBS.values() for word in (verb.name, *verb.french)}
    for name, command in found:
        text = command.replace(" …", "").split(" … ")[0]
        if text.startswith("ADMIN"):
            heard = grammar.parse(text.removeprefix("ADMIN").strip(), grammar.ADMIN_VERBS)
        elif text.split()[0] in admin and name.startswith(("storyteller", "faq")):
            heard = grammar.parse(text, grammar.ADMIN_VERBS)
        else:
            heard = grammar.parse(text, grammar.VERBS)
        assert heard is not None, (name, command)
