"""A face for every name: a small bust by moonlight, drawn from the name alone, the same for ever.

`bust(name, gender)` is the inside of an SVG with the view box `BOX`. It is a picture of nobody: neither role nor seat
goes into it. `wolf=True` shows what a wolf was all along, for when all is told.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from pbem.engine.names import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

BOX: Final = "0 0 96 108"
_SKIES: Final = ("#1d2a4a", "#232f57", "#2b2c58", "#1c3550", "#2f2a4f", "#183a4c", "#26364a", "#33304a")
_SKINS: Final = ("#f0d2b6", "#e3bd9b", "#cf9f78", "#b07f59", "#8d6142", "#6b4630", "#f3dccb", "#d9ad87")
_HAIRS: Final = ("#2a211d", "#4a3223", "#7b4a26", "#a9742f", "#c9a66b", "#8f8a86", "#d8d4cc", "#6d2f20", "#191b22")
_CLOTHS: Final = (
    *("#6d3b3a", "#3e5a4d", "#7a5b2e", "#4b4a72", "#2f5566", "#70445f", "#59606e", "#8a6a4c", "#44603a", "#5c3f2c"),
)
_LINE: Final = "#1a1410"
_MOON: Final = "#f6e7bd"


class _Choices:
    """Choices that hang on a name: one byte of its hash each."""

    def __init__(self, name: str) -> None:
        self._bytes = hashlib.blake2s(fold(name).encode() or name.encode("utf-8", "replace"), digest_size=32).digest()
        self._next = 0

    def number(self, below: int) -> int:
        self._next += 1
        return self._bytes[(self._next - 1) % len(self._bytes)] % below

    def among(self, values: Sequence[str]) -> str:
        return values[self.number(len(values))]


def bust(name: str, gender: str = "m", *, wolf: bool = False) -> str:
    """The drawing: SVG elements, colours in attributes, no text in it."""
    pick = _Choices(name)
    sky, skin, hair, cloth = pick.among(_SKIES), pick.among(_SKINS), pick.among(_HAIRS), pick.among(_CLOTHS)
    other = pick.among(_CLOTHS)
    moon_left = pick.number(2) == 0
    style = _HEADS[gender == "f"][pick.number(len(_HEADS[gender == "f"]))]
    behind, above = style(hair, other)
    beard = _beard(pick.number(7), hair) if gender != "f" else ""
    parts = [
        f'<path fill="{sky}" d="M0 0h96v108H0z"/>',
        _moon(pick, left=moon_left),
        behind,
        _body(pick.number(4), cloth, other, skin),
        f'<ellipse cx="48" cy="49" rx="{19 + pick.number(3)}" ry="{23 + pick.number(3)}" fill="{skin}"/>',
        _shade(left=not moon_left),
        beard,
        _features(pick, wolf=wolf),
        above,
        _wolf_ears(hair) if wolf else "",
    ]
    return "".join(parts)


def _moon(pick: _Choices, *, left: bool) -> str:
    x, y, r = (17 if left else 79), 17 + pick.number(8), 8 + pick.number(4)
    stars = "".join(
        f'<circle cx="{4 + pick.number(88)}" cy="{4 + pick.number(50)}" r=".8" fill="#fff" opacity=".6"/>'
        for _ in range(4)
    )
    return (
        stars
        + f'<circle cx="{x}" cy="{y}" r="{r + 5}" fill="{_MOON}" opacity=".14"/>'
        + (f'<circle cx="{x}" cy="{y}" r="{r}" fill="{_MOON}"/>')
    )


def _body(kind: int, cloth: str, other: str, skin: str) -> str:
    shoulders = f'<path fill="{cloth}" d="M5 108c1-20 16-29 43-29s42 9 43 29z"/>'
    neck = f'<path fill="{skin}" d="M40 64h16v15q-8 8-16 0z"/><path d="M40 70q8 8 16 0v6q-8 6-16 0z" opacity=".22"/>'
    scarf = f'<path fill="{other}" d="M34 77q14 16 28 0l5 6q-19 19-38 0z"/>'
    lapels = f'<path fill="{other}" d="M38 79l10 17 10-17 6 2-16 27-16-27z"/>'
    knobs = f'<g fill="{_MOON}"><circle cx="48" cy="92" r="1.6"/><circle cx="48" cy="101" r="1.6"/></g>'
    buttons = f'<path d="M48 88v20" stroke="{_LINE}" opacity=".5"/>{knobs}'
    collar = '<path fill="#e9e2d2" d="M36 78q12 13 24 0l4 3q-16 17-32 0z"/>'
    return shoulders + neck + (scarf, lapels, buttons, collar)[kind]


def _shade(*, left: bool) -> str:
    """The side of the face that the moon does not reach."""
    way = -1 if left else 1
    edge = f"M48 24q{24 * way} 0 {22 * way} 26 {-way} 22 {-22 * way} 24 0 0 0-50z"
    return f'<path d="{edge}" fill="#0a1230" opacity=".2"/>'


def _features(pick: _Choices, *, wolf: bool) -> str:
    apart, brow, mouth, glasses = 7 + pick.number(3), pick.number(3), pick.number(4), pick.number(6) == 0
    left, right = 48 - apart, 48 + apart
    eye, size = ("#f0b73c", 2.7) if wolf else (_LINE, 2.1)
    eyes = (
        f'<circle cx="{left}" cy="48" r="{size}" fill="{eye}"/><circle cx="{right}" cy="48" r="{size}" fill="{eye}"/>'
    )
    if wolf:
        eyes += f'<path d="M{left} 46v4M{right} 46v4" stroke="{_LINE}" stroke-width="1.3"/>'
    tilt = (0, 2, -2)[brow]
    brows = (
        f'<path d="M{left - 4} {43 + tilt}q4-2 8 {-tilt}M{right + 4} {43 + tilt}q-4-2-8 {-tilt}" '
        f'fill="none" stroke="{_LINE}" stroke-width="1.6" stroke-linecap="round" opacity=".75"/>'
    )
    bend = (3, -3)[pick.number(2)]
    nose = f'<path d="M48 50q{bend} 6-1 8" fill="none" stroke="{_LINE}" stroke-width="1.3" opacity=".5"/>'
    lips = (
        '<path d="M42 63q6 4 12 0"',
        '<path d="M43 63.5h10"',
        '<path d="M43 64q5-3 10 0"',
        '<path d="M42 62q7 5 11-1"',
    )[mouth] + ' fill="none" stroke="#5a2320" stroke-width="1.8" stroke-linecap="round"/>'
    lenses = (
        f'<g fill="none" stroke="#c8b98a" stroke-width="1.2"><circle cx="{left}" cy="48" r="5.5"/>'
        f'<circle cx="{right}" cy="48" r="5.5"/><path d="M{left + 5.5} 47h{2 * apart - 11}"/></g>'
    )
    return eyes + brows + nose + lips + (lenses if glasses and not wolf else "")


def _beard(kind: int, hair: str) -> str:
    return (
        "", "", "",
        f'<path fill="{hair}" d="M27 52q2 26 21 28 19-2 21-28-4 9-10 9-11-3-22 0-6 0-10-9z"/>',
        f'<path fill="{hair}" d="M36 62q6-6 12-2 6-4 12 2-6 2-12-1-6 3-12 1z"/>',
        f'<path fill="{hair}" d="M41 67q7 4 14 0l-3 12q-4 3-8 0z"/>',
        f'<path fill="{hair}" opacity=".35" d="M28 54q2 19 20 21 18-2 20-21-3 8-10 8-10-2-20 0-7 0-10-8z"/>',
    )[kind]  # fmt: skip


def _wolf_ears(hair: str) -> str:
    return (
        f'<path fill="{hair}" stroke="{_LINE}" stroke-width=".8" d="M28 34L24 8l17 14zM68 34l4-26-17 14z"/>'
        '<path fill="#b98a86" d="M30 29l-3-14 9 8zM66 29l3-14-9 8z"/>'
    )


# --- what is on a head: (behind it, above it), from the colours of hair and of another cloth

_Drawn = tuple[str, str]


def _short(hair: str, _cloth: str) -> _Drawn:
    return "", f'<path fill="{hair}" d="M27 46q-3-25 21-25t21 25q-3-12-10-14-12 3-24-1-5 3-8 15z"/>'


def _parted(hair: str, _cloth: str) -> _Drawn:
    return "", f'<path fill="{hair}" d="M26 48q-3-28 24-28 21 1 20 27-3-10-9-13-16 3-21-5-9 6-14 19z"/>'


def _bald(hair: str, _cloth: str) -> _Drawn:
    return "", f'<path fill="{hair}" d="M27 54q-5-12 1-18 2 9 2 16zM69 54q5-12-1-18-2 9-2 16z"/>'


def _curls(hair: str, _cloth: str) -> _Drawn:
    spots = ((29, 38), (33, 29), (41, 24), (50, 23), (59, 26), (66, 33), (68, 41), (47, 29), (38, 31), (58, 32))
    return "", f'<g fill="{hair}">' + "".join(f'<circle cx="{x}" cy="{y}" r="6.5"/>' for x, y in spots) + "</g>"


def _long(hair: str, cloth: str) -> _Drawn:
    back = f'<path fill="{hair}" d="M48 18q-28 0-27 34 0 24-5 36h64q-5-12-5-36 1-34-27-34z"/>'
    return back, _parted(hair, cloth)[1]


def _bun(hair: str, cloth: str) -> _Drawn:
    return f'<circle cx="48" cy="17" r="9" fill="{hair}"/>', _short(hair, cloth)[1]


def _braids(hair: str, cloth: str) -> _Drawn:
    back = (
        f'<g fill="{hair}"><ellipse cx="25" cy="60" rx="6" ry="8"/><ellipse cx="24" cy="73" rx="5.5" ry="8"/>'
        '<ellipse cx="71" cy="60" rx="6" ry="8"/><ellipse cx="72" cy="73" rx="5.5" ry="8"/></g>'
    )
    return back, _parted(hair, cloth)[1]


def _hood(_hair: str, cloth: str) -> _Drawn:
    back = f'<path fill="{cloth}" d="M48 10q-34 2-33 46 0 20-8 34h82q-8-14-8-34 1-44-33-46z"/>'
    front = (
        f'<path fill="{cloth}" d="M48 12q-31 2-29 44 1 14 6 24l6-6q-6-12-5-24 1-22 22-23 21 1 22 23 1 12-5 24l6 6'
        'q5-10 6-24 2-42-29-44z"/><path fill="none" stroke="#000" opacity=".25" stroke-width="2" '
        'd="M31 74q-6-12-5-24 1-22 22-23 21 1 22 23 1 12-5 24"/>'
    )
    return back, front


def _brim(hair: str, cloth: str) -> _Drawn:
    tufts = f'<path fill="{hair}" d="M27 52q-3-12 1-18h40q4 6 1 18-1-9-4-12H31q-3 3-4 12z"/>'
    hat = f'<path fill="{cloth}" d="M10 35q38-13 76 0 2 4-2 5-36-10-72 0-4-1-2-5z"/>'
    crown = f'<path fill="{cloth}" d="M30 32q1-20 9-21 9 3 18 0 8 1 9 21-18-5-36 0z"/>'
    band = '<path fill="#000" opacity=".28" d="M30 32q18-5 36 0v-5q-18-5-36 0z"/>'
    return "", tufts + crown + band + hat


def _cap(hair: str, cloth: str) -> _Drawn:
    tufts = f'<path fill="{hair}" d="M27 50q-2-9 0-14h42q2 5 0 14-2-8-5-9H32q-3 1-5 9z"/>'
    cap = f'<path fill="{cloth}" d="M26 38q-2-23 22-24 24 1 22 24z"/><path fill="{cloth}" d="M24 34h48v7H24z"/>'
    return "", tufts + cap + '<path fill="#000" opacity=".22" d="M24 34h48v7H24z"/>'


def _kerchief(hair: str, cloth: str) -> _Drawn:
    back = f'<path fill="{cloth}" d="M24 44q-2 24 6 34h36q8-10 6-34z"/>'
    front = (
        f'<path fill="{hair}" d="M30 38q18-14 36 0-18-5-36 0z"/>'
        f'<path fill="{cloth}" d="M25 50q-5-34 23-35 28 1 23 35-2-16-23-17-21 1-23 17z"/>'
        f'<path fill="{cloth}" d="M29 70q19 20 38 0l-4 10-15 7-15-7z"/>'
    )
    return back, front


_EVERYBODY: Final = (_curls, _hood, _brim, _cap, _parted)
_HEADS: Final = {
    False: (*_EVERYBODY, _short, _bald, _short, _brim, _hood),
    True: (*_EVERYBODY, _long, _bun, _braids, _kerchief, _long),
}
