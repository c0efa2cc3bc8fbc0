"""Nothing a stranger sends raises, takes long, or turns words that were no order into one (MAIL.md §§ 2.4 and 5)."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.app.explain import FAILED, TIME_LIMIT, explain
from pbem.orders.reading import House
from tests.orders.clients import LETTER

MAILS = Path(__file__).resolve().parents[1] / "mails"
HOUSE = House("lune@jeu.example", "mx.jeu.example")
RAW = {path.name: path.read_bytes() for path in sorted(MAILS.glob("*.eml"))}
MACHINES = {"own", "receipt", "bounce", "auto-reply", "bulk"}
LABELS = [json.loads(line) for line in (MAILS / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
# Of the one left out a text file shown inline becomes the body if the real one is lost: the only text there is.
LEFT_OUT = {"mime-named-inline-text.eml"}
BY_PEOPLE = [label["file"] for label in LABELS if label["kind"] not in MACHINES and label["file"] not in LEFT_OUT]

SOME = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(raw: bytes) -> dict[str, object]:
    found = explain(raw, "x", HOUSE)
    assert not str(found["why"]).startswith(FAILED), found["why"]
    assert "took longer" not in str(found["why"])
    return found


def verbs(raw: bytes) -> set[str]:
    commands = read(raw)["commands"]
    assert isinstance(commands, list)
    return {one["verb"] for one in commands}


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A mail of ours with a few bytes changed, cut, doubled or put elsewhere, anywhere."""
    raw = bytearray(RAW[draw(st.sampled_from(sorted(RAW)))])
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(raw)))
        length = draw(st.integers(0, 40))
        what = draw(st.sampled_from(["delete", "insert", "double", "flip", "cut"]))
        if what == "delete":
            del raw[at : at + length]
        elif what == "insert":
            raw[at:at] = draw(st.binary(max_size=20))
        elif what == "double":
            raw[at:at] = raw[at : at + length]
        elif what == "flip" and at < len(raw):
            raw[at] ^= 1 << draw(st.integers(0, 7))
        elif what == "cut":
            del raw[at:]
    return bytes(raw)


@SOME
@given(mutated())
def test_no_mutation_raises(raw: bytes) -> None:
    read(raw)


@SOME
@given(st.binary(max_size=500))
def test_no_bytes_raise(raw: bytes) -> None:
    read(raw)


# Lines that do not hold the writer's words, nor say to whom and about what he writes, nor that a part is a file.
STRUCTURE = (
    b"content-t",
    b"mime-version",
    b"--=_",
    b"date",
    b"message-id",
    b"received",
    b"\tby",
    b"\tfor",
    b"\tboundary",
)


@st.composite
def broken(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A person's mail and the same with its structure damaged: one line of it changed, dropped, doubled or cut."""
    before = RAW[draw(st.sampled_from(BY_PEOPLE))]
    lines = before.split(b"\r\n")
    there = [at for at, line in enumerate(lines) if line.lower().startswith(STRUCTURE) and b"name=" not in line]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.sampled_from(there)) if there else 0
        line = lines[at]
        cut = draw(st.integers(0, len(line)))
        junk = draw(st.text(alphabet="abc-=;:\"'/ éx0", max_size=6)).encode()
        lines[at] = draw(
            st.sampled_from([b"", line[:cut], line[:cut] + junk + line[cut:], line + b"\r\n" + line, line[cut:]])
        )
    return before, b"\r\n".join(lines)


@SOME
@given(broken())
def test_damage_to_the_structure_gives_no_order(pair: tuple[bytes, bytes]) -> None:
    before, after = pair
    assert verbs(after) <= verbs(before)


HEAD = b"From: a@b.example\r\nTo: lune@jeu.example\r\nSubject: Re: Jour 3\r\nContent-Type: %s\r\n\r\n"


@SOME
@given(
    st.lists(
        st.sampled_from(["!voter Bruno", "VOTER Bruno", "!dire", "", "Bonsoir", "-- ", "le meunier ment"]), max_size=12
    ),
    st.data(),
)
def test_whatever_is_quoted_never_runs(lines: list[str], data: st.DataObject) -> None:
    mark = data.draw(st.sampled_from(["> ", ">", ">> ", " > ", "> > "]))
    header = data.draw(st.sampled_from(["", "Le 07/12/2026 à 19:02, X a écrit :\n", "X <x@y.example> wrote:\n"]))
    body = header + "\n".join(mark + line for line in lines)
    assert verbs(HEAD % b"text/plain; charset=utf-8" + body.encode()) == set()


@pytest.mark.parametrize(
    "header",
    ["-----Message d'origine-----", "De : X <x@y.example>\nEnvoyé : lundi 7 décembre\nÀ : Y\nObjet : Z", "Début du message transféré :",
     "---------- Forwarded message ---------", "Le lun. 7 déc. 2026 à 19:02, X <x@y.example> a écrit :"],
)  # fmt: skip
def test_what_stands_below_a_header_never_runs_marked_or_not(header: str) -> None:
    assert verbs(HEAD % b"text/plain; charset=utf-8" + f"Non.\n\n{header}\n\n{LETTER}\n".encode()) == set()


# -- Time ------------------------------------------------------------------------------------------------------------

N = 1_000_000
TEXT = b"text/plain; charset=utf-8"
HEAVY: dict[str, tuple[bytes, bytes]] = {
    "marks": (TEXT, b">" * N),
    "marked lines": (TEXT, b">\n" * (N // 2)),
    "labels": (TEXT, b"De : x\n" * (N // 7)),
    "wrote": (TEXT, "a écrit :\n".encode() * (N // 11)),
    "dates": (TEXT, "Le 7 déc. 2026 à 19:02, a@b.example\n".encode() * (N // 38)),
    "colons": (TEXT, b"a b c:\n" * (N // 7)),
    "blanks": (TEXT, b" " * N),
    "blank lines": (TEXT, b"\n" * N),
    "dashes": (TEXT, b"--\n" * (N // 3)),
    "rules": (TEXT, (b"_" * 70 + b"\n") * (N // 71)),
    "commands": (TEXT, b"!vote x\n" * (N // 8)),
    "at signs": (TEXT, b"a@" * (N // 2)),
    "programs' lines": (TEXT, (b"sent from my " + b"phone " * 30 + b"\n") * (N // 194)),
    "banners": (TEXT, (b"caution e-mail " * 40 + b"\n\n") * (N // 602)),
    "law": (TEXT, (b"confidential message recipient error delete " * 3 + b"\n\n") * (N // 134)),
    "elections": (TEXT, "Élisons ".encode() * (N // 9)),
    "flowed": (b"text/plain; format=flowed", b"a \n" * (N // 3)),
    "paragraphs": (b"text/html", b"<p>x" * (N // 4)),
    "nested quotes": (b"text/html", b"<blockquote>x" * (N // 13)),
    "nested boxes": (b"text/html", b"<div>" * (N // 5)),
    "angles": (b"text/html", b"<" * N),
    "classes": (b"text/html", (b"<div class='" + b"_-1" * 60 + b"'>x</div>") * (N // 210)),
    "styles": (b"text/html", (b"<div style='" + b"border-top: " * 40 + b"'>x</div>") * (N // 510)),
    "comments": (b"text/html", b"<!--" * (N // 4)),
    "cells": (b"text/html", b"<table><tr>" + b"<td>" * (N // 4)),
    "boundaries": (b"multipart/mixed; boundary=b", b"--b\n\n" * (N // 5)),
    "depth": (b"multipart/mixed; boundary=b0", b"".join(b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (n, n + 1) for n in range(18_000))),
    "no boundary": (b"multipart/mixed", b"--x\n" * (N // 4)),
    "parameters": (b"text/plain; " + b"a*0*=x;" * (N // 8), b"x"),
}  # fmt: skip
HEADERS: dict[str, bytes] = {
    "comments": b"From: " + b"(" * N,
    "angles": b"From: " + b"<" * N,
    "quotes": b'From: "' + b'"' * N,
    "no at": b"From: " + b"a" * N,
    "words": b"Subject: " + b"=?utf-8?Q?a?=" * (N // 13),
    "prefixes": b"Subject: " + b"Re: " * (N // 4),
    "brackets": b"Subject: " + b"[" * N,
    "codes": b"Subject: " + b"[PL1]" * (N // 5),
    "fields": b"X: y\n" * (N // 5),
    "folds": b"Subject: x\n" + b" y\n" * (N // 3),
    "received": (b"Received: from " + b"(" * 500 + b" by mx\n") * (N // 525),
    "results": b"Authentication-Results: mx.jeu.example; " + b"dkim=pass; " * (N // 12),
    "many results": (b"Authentication-Results: mx.jeu.example; " + b"(;" * 9000 + b"\n") * 50,
}


@pytest.mark.parametrize("case", HEAVY)
def test_bodies_take_a_bounded_time(case: str) -> None:
    kind, body = HEAVY[case]
    began = time.process_time()
    read(b"From: a@b.example\nTo: lune@jeu.example\nSubject: x\nContent-Type: " + kind + b"\n\n" + body)
    assert time.process_time() - began < TIME_LIMIT


@pytest.mark.parametrize("case", HEADERS)
def test_headers_take_a_bounded_time(case: str) -> None:
    began = time.process_time()
    read(HEADERS[case] + b"\nTo: lune@jeu.example\n\nx")
    assert time.process_time() - began < TIME_LIMIT


@pytest.mark.parametrize(
    "line", ["De : x", "!vote x", "a écrit :", "Le 7 déc. 2026, a@b.example :", "--", "> x", "<p>x"]
)
def test_time_grows_with_length_not_faster(line: str) -> None:
    def cost(count: int) -> float:
        raw = (HEAD % (b"text/html" if line.startswith("<") else TEXT)) + (line + "\n").encode() * count
        best = 9.0
        for _ in range(3):
            began = time.process_time()
            read(raw)
            best = min(best, time.process_time() - began)
        return best

    assert cost(8_000) < 8 * max(cost(2_000), 0.01)
