"""The wheel, installed elsewhere: templates and configuration come with it, and the program runs."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENARIO = """
name: Who has most votes burns
rules: [VOTE-4]
game:
  players: {Alice: villager, Bruno: werewolf, Chloé: seer, David: villager, Émile: villager, Flore: villager}
  mayor: Alice
steps:
  - {at: tue 20:00, from: Alice, send: "VOTE Bruno", expect: {reply: accepted}}
  - {at: tue 20:01, from: David, send: "VOTER Bruno", expect: {reply: accepted}}
  - {until: execution, expect: {dead: [Bruno], winner: village}}
"""
pytestmark = pytest.mark.slow


def run(*words, **options):
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=300, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, ROOT)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A fresh environment with the wheel in it; what the program depends on is lent by this one."""
    folder = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "lent.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder


def test_it_holds_templates_and_configuration(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("templates", "config"):
        files = {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*") if path.is_file()}
        missing = {name for name in files if f"pbem/_data/{name}" not in names}
        assert not missing
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "pbem").rglob("*.py")}
    assert modules <= names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def test_it_finds_them(installed, tmp_path):
    code = (
        "import pbem, pbem.resources as r; from pbem.settings import load;"
        "print(pbem.__file__, r.templates_dir(), r.config_dir(), load().embedded.maildirs, sep='\\n')"
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PBEM"))}
    lines = run(installed / "bin" / "python", "-c", code, cwd=tmp_path, env=environment).splitlines()
    assert all(line.startswith(str(installed)) for line in lines[:3])
    assert lines[3] == str(tmp_path / "var" / "mail")


def test_it_runs(installed, tmp_path):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PBEM"))}
    program = installed / "bin" / "pbem"
    assert run(program, "--version", cwd=tmp_path, env=environment).strip().endswith("0.1.0")
    scenario = tmp_path / "vote.yaml"
    scenario.write_text(SCENARIO, "utf-8")
    run(program, "rehearse", scenario, cwd=tmp_path, env=environment)
