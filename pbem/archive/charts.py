"""Pictures of numbers as SVG: who voted for whom, how the count moved, who lived how long.

Each function returns the inside of an SVG with its view box. Colours are classes of the style sheet, so that pictures
follow light and dark; nothing is told by colour alone. A page puts title and description around it, and a table beside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WIDTH: Final = 360
_ROW: Final = 22
_LONGEST: Final = 14
_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class Picture:
    """The inside of an SVG and its view box."""

    box: str
    inside: Markup


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1].rstrip() + "…"


def _picture(height: float, parts: Iterable[str]) -> Picture:
    return Picture(f"0 0 {WIDTH} {height:g}", Markup("".join(parts)))  # noqa: S704 - names are escaped in `_text`


def _text(x: float, y: float, words: object, anchor: str = "start", kind: str = "name") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def votes(cast: Sequence[tuple[str, str]], burned: Iterable[str]) -> Picture:
    """Who voted for whom: `cast` pairs (voter, candidate), a candidate '' for a blank. Voters stand on the left in
    their order, candidates on the right, those with most votes first and as high as they have votes.
    """
    order: dict[str, int] = {}
    for _, candidate in cast:
        if candidate:
            order[candidate] = order.get(candidate, 0) + 1
    ranked = sorted(order, key=lambda name: (-order[name], list(order).index(name)))
    height = max(len(cast), 1) * _ROW + 8
    tops = _tops(ranked, order, height)
    doomed, parts, used = set(burned), [], dict.fromkeys(ranked, 0)
    for row, (voter, candidate) in enumerate(cast):
        y = 4 + row * _ROW + _ROW / 2
        parts.append(_text(112, y + 4.5, _short(voter), "end"))
        if candidate:
            top, tall = tops[candidate]
            used[candidate] += 1
            end = top + tall * (used[candidate] - 0.5) / order[candidate]
            kind = "link doomed" if candidate in doomed else "link"
            parts.append(f'<path class="{kind}" d="M119 {y:g}C170 {y:g} 175 {end:g} 226 {end:g}"/>')
        else:
            parts.append(f'<circle class="blank" cx="123" cy="{y:g}" r="3"/>')
    for name in ranked:
        top, tall = tops[name]
        kind = "pillar doomed" if name in doomed else "pillar"
        parts.append(f'<rect class="{kind}" x="226" y="{top:g}" width="7" height="{tall:g}" rx="2"/>')
        parts.append(_text(240, top + tall / 2 + 4.5, f"{_short(name)} · {order[name]}"))
    return _picture(height, parts)


def _tops(ranked: Sequence[str], order: Mapping[str, int], height: float) -> dict[str, tuple[float, float]]:
    """(top, height) of each candidate's pillar: in proportion to his votes, spread over the picture."""
    tall = {name: max(_ROW - 6.0, order[name] * (_ROW - 8.0)) for name in ranked}
    gap = max(4.0, (height - sum(tall.values())) / (len(ranked) + 1))
    tops, y = {}, gap
    for name in ranked:
        tops[name] = (y, tall[name])
        y += tall[name] + gap
    return tops


def count(cast: Sequence[str], burned: Iterable[str]) -> Picture:
    """How the count moved, vote by vote in the order of publication: `cast` are the candidates, '' for a blank. The
    `_LINES` with most votes are drawn.
    """
    final: dict[str, int] = {}
    for name in cast:
        if name:
            final[name] = final.get(name, 0) + 1
    shown = sorted(final, key=lambda name: (-final[name], list(final).index(name)))[:_LINES]
    most, steps = max(final.values(), default=1), max(len(cast), 1)
    left, right, top, bottom = 22.0, 232.0, 12.0, 150.0
    doomed = set(burned)

    def at(step: float, votes: float) -> tuple[float, float]:
        return left + (right - left) * step / steps, bottom - (bottom - top) * votes / most

    grid = range(0, most + 1, max(1, -(-most // 5)))
    parts = [
        f'<path class="grid" d="M{left:g} {at(0, n)[1]:g}H{right:g}"/>'
        + _text(left - 6, at(0, n)[1] + 4, n, "end", "tick")
        for n in grid
    ]
    labels = _spread([at(steps, final[name])[1] for name in shown])
    for rank, name in reversed(list(enumerate(shown))):
        kind = f"line l{rank}" + (" doomed" if name in doomed else "")
        parts.append(f'<path class="{kind}" d="{_steps(cast, name, at)}"/>')
        y = at(steps, final[name])[1]
        parts.append(f'<path class="{kind} lead" d="M{right:g} {y:g}L{right + 8:g} {labels[rank]:g}"/>')
        parts.append(_text(right + 12, labels[rank] + 4.5, f"{_short(name)} · {final[name]}"))
    return _picture(168, parts)


def _steps(cast: Sequence[str], name: str, at: object) -> str:
    place = at if callable(at) else None
    assert place is not None
    x, y = place(0, 0)
    path, votes = [f"M{x:g} {y:g}"], 0
    for step, candidate in enumerate(cast, 1):
        if candidate == name:
            votes += 1
            x, y = place(step, votes)
            path.append(f"H{x:g}V{y:g}")
    return "".join(path) + f"H{place(len(cast), votes)[0]:g}"


def _spread(ys: Sequence[float]) -> list[float]:
    """The same heights, moved apart so that labels do not cover each other; the highest first."""
    spread: list[float] = []
    for y in ys:
        spread.append(max(y, spread[-1] + 17) if spread else y)
    over = spread[-1] - 158 if spread else 0
    return [y - over for y in spread] if over > 0 else spread


@dataclass(frozen=True, slots=True)
class Life:
    """One player's line: until when he lived (0: he still does), at night or not, and in which class he is drawn."""

    name: str
    until: int
    night: bool
    kind: str


def survival(lives: Sequence[Life], days: int) -> Picture:
    """Who lived how long, a line each; the last of `days` columns is the present one."""
    left, right, columns = 118.0, 350.0, max(days, 1)
    width = (right - left) / columns
    height = len(lives) * 20 + 26
    every = max(1, -(-columns // 8))
    parts = [
        f'<path class="grid" d="M{left + n * width:g} 18V{height - 4:g}"/>'
        + (_text(left + (n + 0.5) * width, 13, n + 1, "middle", "tick") if n % every == 0 else "")
        for n in range(columns)
    ]
    parts.append(f'<path class="grid" d="M{right:g} 18V{height - 4:g}"/>')
    for row, life in enumerate(lives):
        y = 30 + row * 20
        end = right if not life.until else left + (life.until - (0.0 if life.night else 0.35)) * width
        parts.append(_text(left - 8, y + 4.5, _short(life.name), "end", "name" if not life.until else "name gone"))
        parts.append(f'<path class="life {life.kind}" d="M{left + 2:g} {y}H{max(end, left + 4):g}"/>')
        if life.until:
            parts.append(_end(end, y, night=life.night))
    return _picture(height, parts)


def _end(x: float, y: float, *, night: bool) -> str:
    """A crescent for who died at night, a flame for who died by day."""
    if night:
        return f'<path class="night" d="M{x:g} {y - 6:g}a6 6 0 1 0 5 9a5 5 0 1 1-5-9z"/>'
    return f'<path class="flame" d="M{x:g} {y - 7:g}q6 5 4 10-1 4-4 4t-4-4q-1-3 1-5 0 2 1 2 2-2 2-7z"/>'
