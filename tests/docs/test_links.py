"""The pages are whole: no link leads nowhere, they build, and everything that a host shall use is linked."""

from __future__ import annotations

import importlib.util
import re
import shutil

import pytest

from tests.docs.pages import ROOT, pages


def _script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = _script("build")


def test_no_link_leads_nowhere():
    assert build.broken() == []


def test_the_pages_that_are_read_are_those_that_are_checked():
    assert set(pages()) == set(build.pages())


@pytest.fixture
def small(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "templates" / "letters").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "line", "link"),
    [
        ("[x](nowhere.md)", 1, "nowhere.md"),
        ("# A\n\n[x](#b)", 3, "#b"),
        ("[x](docs/b.md#c)", 1, "docs/b.md#c"),
        ("![x](x.png)", 1, "x.png"),
        ('| a |\n|---|\n| <img src="x.png"> |', 3, "x.png"),
        ("[x](https://)", 1, "https://"),
        ("[x](ftp://example.org/x)", 1, "ftp://example.org/x"),
    ],
)
def test_a_link_that_leads_nowhere_is_told_with_its_line(small, text, line, link):
    (small / "a.md").write_text(text)
    (small / "docs" / "b.md").write_text("# B\n")
    assert build.broken(small) == [f"a.md:{line}: {link}"]


@pytest.mark.parametrize(
    "link", ["docs/b.md", "docs/b.md#b-and-c", "#héros-a", "docs/", "https://example.org/x", "docs/x%20y.txt"]
)
def test_a_link_that_leads_somewhere_is_fine(small, link):
    (small / "a.md").write_text(f"# Héros: “a”\n\n[x]({link})\n")
    (small / "docs" / "b.md").write_text("# B and `C`\n")
    (small / "docs" / "x y.txt").write_text("x")
    assert build.broken(small) == []


def test_the_pages_build_and_lead_to_each_other(tmp_path):
    build.build(tmp_path / "built")
    built = sorted((tmp_path / "built").rglob("*.html"))
    assert len(built) == len(pages())
    for page in built:
        text = page.read_text("utf-8")
        assert "<h1" in text
        for link in re.findall(r'href="([^":]+\.html)(?:#[^"]*)?"', text):
            assert (page.parent / link).is_file(), (page, link)
        for picture in re.findall(r'<img src="([^":]+)"', text):
            assert (page.parent / picture).is_file(), (page, picture)


def test_every_page_of_the_documents_can_be_found_from_the_readme():
    seen, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        for _, link in build.links(build.parse(page.read_text("utf-8"))):
            target = (page.parent / link.partition("#")[0]).resolve()
            if "://" not in link and target.is_file():
                waiting.append(target)
    assert {page for page in pages() if "docs" in page.parts and page.name != "README.md"} <= seen
    assert {ROOT / "docs" / "hosting" / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"} <= seen


@pytest.mark.parametrize("name", ["player", "storyteller", "faq", "rules"])
def test_what_people_read_is_there_in_both_languages_and_of_one_shape(name):
    english, french = ((ROOT / "docs" / f"{name}.{language}.md").read_text("utf-8") for language in ("en", "fr"))
    assert _shape(english) == _shape(french)


def _shape(text):
    """How many headings there are of each level, and paragraphs that begin in bold."""
    return len(re.findall(r"(?m)^## ", text)), len(re.findall(r"(?m)^### ", text)), len(re.findall(r"(?m)^\*\*", text))


def test_the_pictures_are_there_and_small():
    for name in ("digest.png", "archive.png"):
        data = (ROOT / "docs" / "pictures" / name).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert 10_000 < len(data) < 250_000


@pytest.mark.chromium
@pytest.mark.slow
def test_the_pictures_can_be_taken_anew(tmp_path, monkeypatch):
    pictures = _script("pictures")
    monkeypatch.setattr(pictures, "FOLDER", tmp_path / "pictures")
    assert shutil.which("chromium")
    pictures.main()
    for name in ("digest.png", "archive.png"):
        assert (tmp_path / "pictures" / name).read_bytes().startswith(b"\x89PNG")
