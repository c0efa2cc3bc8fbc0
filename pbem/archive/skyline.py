"""The village at night: a house for each player, its window lit as long as he lives.

`village(seed, lights)` is the inside of an SVG with the view box `BOX`; the sky behind it is the page's. The same seed
and number of houses give the same roofs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

BOX: Final = "0 0 800 210"
_WIDTH: Final = 800
_GROUND: Final = 210
_WALLS: Final = ("#0a1020", "#0c1326", "#0b1222")
_HEADING: Final = 470
_MOON: Final = 66
"""How far below the picture's edge the moon stands: its halo is whole."""
_LIT: Final = "#ffd27a"
_DARK: Final = "#1a233c"


@dataclass(frozen=True, slots=True)
class Light:
    """One house: whether somebody is at home, and whether the mayor lives there."""

    lit: bool
    mayor: bool = False


class _Chance:
    """Numbers that hang on a seed."""

    def __init__(self, seed: str) -> None:
        self._seed, self._n = seed, 0

    def between(self, low: int, high: int) -> int:
        self._n += 1
        digest = hashlib.blake2s(f"{self._seed}/{self._n}".encode(), digest_size=4).digest()
        return low + int.from_bytes(digest, "big") % (high - low + 1)


def village(seed: str, lights: Sequence[Light]) -> str:
    """The drawing."""
    chance = _Chance(seed)
    return "".join((_sky(chance), _hills(), _trees(chance), _houses(chance, lights), _church(), _foreground()))


def _sky(chance: _Chance) -> str:
    stars = "".join(_star(chance, chance.between(5, 795)) for _ in range(46))
    x = chance.between(590, 680)
    spots = ((-10, -8, 7), (9, 4, 9), (-6, 13, 4), (14, -14, 3))
    craters = "".join(f'<circle cx="{x + dx}" cy="{_MOON + dy}" r="{r}"/>' for dx, dy, r in spots)
    return (
        f'<g fill="#fdf6df">{stars}</g><circle cx="{x}" cy="{_MOON}" r="62" fill="#f6e7bd" opacity=".07"/>'
        f'<circle cx="{x}" cy="{_MOON}" r="46" fill="#f6e7bd" opacity=".12"/>'
        f'<circle cx="{x}" cy="{_MOON}" r="34" fill="#f8ecca"/>'
        f'<g fill="#dcc99a" opacity=".5">{craters}</g>'
    )


def _star(chance: _Chance, x: int) -> str:
    """Above the left half stands a page's heading: few stars come near it."""
    y = chance.between(88, 126) if x < _HEADING else chance.between(4, 120)
    return f'<circle cx="{x}" cy="{y}" r="{chance.between(5, 13) / 10}" opacity="{chance.between(3, 9) / 10}"/>'


def _hills() -> str:
    return (
        '<path fill="#1a2442" d="M0 150q120-46 250-18t210-8 190 6 150-14v94H0z"/>'
        '<path fill="#131b34" d="M0 172q160-40 330-14t280-6 190 0v58H0z"/>'
    )


def _trees(chance: _Chance) -> str:
    def fir(x: int, height: int) -> str:
        top = 176 - height
        half = height // 3
        return f"M{x} {top}l{half} {height}h-{2 * half}z"

    places = [*range(6, 90, 17), *range(716, 798, 16)]
    return (
        '<path fill="#0d152a" d="'
        + "".join(fir(x + chance.between(-5, 5), chance.between(34, 64)) for x in places)
        + '"/>'
    )


def _houses(chance: _Chance, lights: Sequence[Light]) -> str:
    """In one row, or in two where there are many; the back row stands higher."""
    rows = 1 if len(lights) <= _ONE_ROW else 2
    front = -(-len(lights) // rows)
    drawn: list[str] = []
    for first, base in ((front, _GROUND - 60), (0, _GROUND - 14)) if rows > 1 else ((0, _GROUND - 14),):
        row = lights[first : first + front] if rows > 1 else lights
        drawn += [_house(chance, place, base, light) for place, light in zip(_places(len(row)), row, strict=True)]
    return "".join(drawn)


_ONE_ROW: Final = 16
_FROM, _TO, _CHURCH = 74, 730, (376, 456)


def _places(number: int) -> list[tuple[int, int]]:
    """(left edge, width) of so many houses, on both sides of the church."""
    left = -(-number // 2)
    found = []
    for count, start, end in ((left, _FROM, _CHURCH[0]), (number - left, _CHURCH[1], _TO)):
        step = (end - start) / max(count, 1)
        width = max(8, min(38, round(step * 0.84)))
        found += [(round(start + n * step + (step - width) / 2), width) for n in range(count)]
    return found


def _house(chance: _Chance, place: tuple[int, int], base: int, light: Light) -> str:
    x, width = place
    wall = round(width * chance.between(70, 115) / 100)
    roof = round(width * chance.between(45, 85) / 100)
    top = base - wall
    window = max(3, round(width / 4))
    middle = x + width / 2
    glow = f'<circle cx="{middle:g}" cy="{top + wall / 2:g}" r="{window * 1.9:g}" fill="{_LIT}" opacity=".16"/>'
    chimney = (
        f'<path d="M{x + width - window} {top - roof * 0.3:g}v-{roof * 0.5:g}h{window * 0.7:g}v{roof * 0.8:g}z" '
        f'fill="{_WALLS[0]}"/>'
    )
    flag = (
        f'<path d="M{middle:g} {top - roof}v-16" stroke="{_WALLS[0]}" stroke-width="1.6"/>'
        f'<path d="M{middle:g} {top - roof - 16}h11l-3 4 3 4h-11z" fill="#d9534a"/>'
    )
    return (
        f'<path fill="{_WALLS[chance.between(0, 2)]}" d="M{x} {_GROUND}V{top}h{width}v{_GROUND - top}z'
        f'M{x - 3} {top}L{middle:g} {top - roof} {x + width + 3} {top}z"/>'
        + chimney + (glow if light.lit else "")
        + f'<path fill="{_LIT if light.lit else _DARK}" d="M{middle - window / 2:g} {top + wall / 2 - window * 0.6:g}'
        f'h{window}v{window * 1.3:g}h-{window}z"/>'
        + (flag if light.mayor else "")
    )  # fmt: skip


def _church() -> str:
    return (
        '<path fill="#080d1b" d="M384 210V112h32v98zM380 112l20-66 20 66zM416 210v-62h26l10 14v48z"/>'
        '<path d="M400 46V30M394 36h12" stroke="#080d1b" stroke-width="2.6"/>'
        f'<path fill="{_DARK}" d="M395 136q0-9 5-9t5 9v14h-10z"/>'
    )


def _foreground() -> str:
    return '<path fill="#070b16" d="M0 210v-5q200-12 400-3t400-2v10z"/>'
