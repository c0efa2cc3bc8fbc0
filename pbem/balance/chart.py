"""Figures as a picture: one bar a composition, parted by who wins, with the fair band and the village's interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET  # it writes only, nothing is parsed

from pbem.balance.figures import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.balance.trial import Report

FAIR: Final = (0.45, 0.55)
COLOURS: Final = {
    "village": "#3b7dd8", "wolves": "#b3382c", "lovers": "#d98bb6", "beast": "#6b4a9b", "nobody": "#9a9a9a",
}  # fmt: skip
ROW: Final = 22
BAR: Final = 14
LEFT: Final = 190
WIDE: Final = 520
TOP: Final = 54


def draw(reports: Sequence[Report], title: str) -> str:
    """The SVG document."""
    high = TOP + ROW * len(reports) + 30
    wide = LEFT + WIDE + 30
    style = {"font-family": "sans-serif", "font-size": "12", "fill": "#222222"}
    svg = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {wide} {high}", **style})
    ET.SubElement(svg, "title").text = title
    _box(svg, 0, 0, wide, high, "#ffffff")
    _legend(svg)
    for number, report in enumerate(reports):
        _row(svg, TOP + ROW * number, report)
    _scale(svg, TOP, TOP + ROW * len(reports))
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


def _box(parent: ET.Element, x: float, y: float, wide: float, high: float, fill: str) -> ET.Element:
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{wide:.1f}", "height": f"{high:.1f}"}
    return ET.SubElement(parent, "rect", {**place, "fill": fill})


def _text(parent: ET.Element, x: float, y: float, words: str, anchor: str = "start") -> None:
    ET.SubElement(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}).text = words


def _line(parent: ET.Element, x1: float, y1: float, x2: float, y2: float, stroke: str) -> None:
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    ET.SubElement(parent, "line", {**ends, "stroke": stroke})


def _legend(svg: ET.Element) -> None:
    for number, side in enumerate(SIDES):
        _box(svg, LEFT + 90 * number, 12, 12, 12, COLOURS[side])
        _text(svg, LEFT + 90 * number + 17, 22, side)


def _row(svg: ET.Element, y: float, report: Report) -> None:
    name = report.composition.name
    _text(svg, LEFT - 8, y + BAR - 2, name if len(name) < 28 else name[:27] + "…", "end")  # noqa: PLR2004 - fits
    begin = 0.0
    for side in SIDES:
        share = report.tally.side(side).value
        bar = _box(svg, LEFT + WIDE * begin, y, WIDE * share, BAR, COLOURS[side])
        ET.SubElement(bar, "title").text = f"{name}: {side} {share:.1%}"
        begin += share
    village, middle = report.tally.side("village"), y + BAR / 2
    _line(svg, LEFT + WIDE * village.low, middle, LEFT + WIDE * village.high, middle, "#000000")


def _scale(svg: ET.Element, top: float, bottom: float) -> None:
    for percent in range(0, 101, 10):
        _text(svg, LEFT + WIDE * percent / 100, bottom + 18, f"{percent} %", "middle")
    for edge in FAIR:
        _line(svg, LEFT + WIDE * edge, top - 8, LEFT + WIDE * edge, bottom, "#222222")
