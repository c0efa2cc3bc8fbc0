"""format=flowed (RFC 3676) back to whole paragraphs."""

from __future__ import annotations


def unflow(text: str, *, delsp: bool) -> str:
    """`text` with soft line ends joined, within one depth of quotation; space-stuffing is undone.

    `delsp` is the parameter DelSp=yes: the trailing blank of a soft line belongs to the line end. A signature
    separator (`-- `) is never flowed. Quoted lines come out with `>` marks and one blank.
    """
    out: list[list[str]] = []
    open_depth: int | None = None
    for raw in text.split("\n"):
        depth, line = _depth(raw)
        soft = line.endswith(" ") and line != "-- "
        kept = line[:-1] if soft and delsp else line
        if open_depth == depth and out and line != "-- ":
            out[-1].append(kept)
        else:
            out.append([">" * depth + " " if depth else "", kept])
        open_depth = depth if soft else None
    return "\n".join("".join(pieces) for pieces in out)


def _depth(raw: str) -> tuple[int, str]:
    line = raw.rstrip("\r")
    bare = line.lstrip(">")
    depth = len(line) - len(bare)
    return depth, bare.removeprefix(" ")
