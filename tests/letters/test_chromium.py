"""Letters as a browser shows them: on a phone and wide, light and dark; and the page that shows all letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.letters.samples import preview
from tests.kit.browser import MARKS, chromium
from tests.letters.gallery import samples
from tests.letters.test_big_villages import big_letters
from tests.letters.village import SCRIBE

if TYPE_CHECKING:
    from pbem.post import Letter

pytestmark = MARKS
SCREENS = ((320, "light"), (360, "light"), (360, "dark"), (800, "light"), (800, "dark"))
LEAST_FONT = 14
LEAST_TOUCH = 40
"""Pixels that a finger needs."""

MEASURE = """() => {
  const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const rgb = text => text.match(/[0-9.]+/g).map(Number);
  const ground = element => {
    for (let one = element; one; one = one.parentElement) {
      const colour = rgb(getComputedStyle(one).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const shown = element => element.getClientRects().length > 0;
  const told = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !shown(element)) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(rgb(style.color)), luminance(ground(element))].sort((x, y) => y - x);
    told.push([walk.currentNode.data.trim().slice(0, 30), parseFloat(style.fontSize), (a + 0.05) / (b + 0.05)]);
  }
  return {
    told,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    wide: [...document.querySelectorAll("td, th, p, li, pre, h2")].filter(shown)
      .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).map(one => one.textContent.slice(0, 40)),
    buttons: [...document.querySelectorAll("a.button")].map(one => one.getBoundingClientRect().height),
    ground: ground(document.querySelector(".page")),
  };
}"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


def chosen() -> dict[str, Letter]:
    """The longest letter of each kind in each language."""
    found: dict[str, Letter] = {}
    for letters in samples().values():
        for letter in letters:
            key = f"{letter.kind} {letter.language}"
            if key not in found or len(letter.html) > len(found[key].html):
                found[key] = letter
    for letter in big_letters():
        key = f"sixty {letter.kind}"
        if key not in found or len(letter.html) > len(found[key].html):
            found[key] = letter
    return found


def measured(browser, width: int, scheme: str):
    window = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = window.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    for name, letter in chosen().items():
        page.set_content(letter.html)
        yield name, page.evaluate(MEASURE)
    window.close()
    assert requests == []


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_every_kind_of_letter_is_readable(browser, width: int, scheme: str) -> None:
    faults = []
    for name, found in measured(browser, width, scheme):
        if found["overflow"] > 0:
            faults.append((name, "wider than the window by", found["overflow"]))
        faults += [(name, "cut off", text) for text in found["wide"]]
        faults += [(name, "small", text, size) for text, size, _ in found["told"] if size < LEAST_FONT]
        faults += [(name, "faint", text, round(ratio, 2)) for text, _, ratio in found["told"] if ratio < 4.5]
        faults += [(name, "a small button", height) for height in found["buttons"] if height < LEAST_TOUCH]
        dark = sum(found["ground"][:3]) < 300
        if dark != (scheme == "dark"):
            faults.append((name, "not", scheme))
    assert faults == []


def test_the_measure_finds_what_is_wrong(browser) -> None:
    page = browser.new_page()
    page.set_content(
        '<div class="page" style="background-color:#ffffff"><p style="color:#999999;font-size:9px">faint</p>'
        '<p style="width:2000px">wide</p></div>'
    )
    found = page.evaluate(MEASURE)
    assert found["overflow"] > 0
    (text, size, ratio), *_ = found["told"]
    assert (text, size) == ("faint", 9)
    assert ratio == pytest.approx(2.85, abs=0.01)


def test_axe_finds_nothing_wrong(browser) -> None:
    """WCAG 2 A and AA, by axe-core, on the longest letter of each kind."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
    page = browser.new_page(viewport={"width": 360, "height": 800})
    found = {}
    for name, letter in chosen().items():
        if name.endswith(" en"):
            continue
        page.set_content(letter.html)
        for fault in axe.run(page, options=rules).response["violations"]:
            found.setdefault(fault["id"], (name, [node["html"][:120] for node in fault["nodes"][:2]]))
    assert found == {}


def test_the_preview_shows_a_letter_in_both_shapes_at_any_width_and_light_or_dark(browser, tmp_path) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    preview.write(SCRIBE, tmp_path)
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_label("Find").fill("Égalité")
    page.get_by_text("tie (").click()
    page.get_by_role("link", name="Égalité sur la place").first.click()
    letter = page.frame_locator("#letter")
    letter.get_by_role("heading", name="Égalité").wait_for()
    page.frame_locator("#text").get_by_text("Subject: [PL1] Égalité").wait_for()
    for width in (320, 800):
        page.get_by_label(f"{width} px").check()
        assert page.locator("#letter").bounding_box()["width"] == width + 2
    page.get_by_label("dark").check()
    expect(letter.locator(".sheet")).to_have_css("background-color", "rgb(30, 32, 39)")
    page.get_by_label("fr", exact=True).uncheck()
    assert page.get_by_role("link", name="Égalité sur la place").count() == 0
    assert complaints == []
