"""MAYOR-2: a post elects if "Élisons NAME !" is its whole last sentence."""

from __future__ import annotations

import pytest

from pbem.orders.closing import election


@pytest.mark.parametrize(
    ("post", "name"),
    [
        ("Élisons Alice !", "Alice"),
        ("Bonsoir à tous.\nElisons chloe!", "chloe"),
        ("I would do it well.\nLet's elect Bruno!", "Bruno"),
        ("Je suis pour. Élisons Jean-Luc\u00a0!", "Jean-Luc"),
        ("Voilà ! ÉLISONS ÉMILE!!!", "ÉMILE"),
        ("Assez.\n\nelisons   Noé!", "Noé"),
        ("Let\u2019s elect Mère Noël\u202f!", "Mère Noël"),
        ("Élisons Chloé ! 🙂", "Chloé"),
        ("Élisons Chloé ! ;-)", "Chloé"),
        ("_Élisons Chloé_ ！", "Chloé"),
        ("Bonsoir à tous\nÉlisons\nChloé !\n", "Chloé"),
        ("*Élisons Alice !*", "Alice"),
    ],
)
def test_elects(post: str, name: str) -> None:
    assert election(post) == name


@pytest.mark.parametrize(
    "post",
    [
        "On me souffle : élisons Bruno ! J'y réfléchis encore.",
        "Je ne veux pas que nous élisons Bruno !",
        "Nous voulons tous, et depuis longtemps, que dans ce village nous\nélisons Bruno !",
        "Élisons Bruno ?",
        "Élisons Bruno",
        "Élisons Bruno.",
        "Élisons Bruno...",
        "Élisons Bruno…",
        "Bonjour. « Élisons Bruno ! »",
        'Il a dit : "Élisons Bruno !"',
        "“Let’s elect Bruno!”",
        "Élisons Bruno ! (ou pas)",
        "Élisons Bruno ! ou Chloé",
        "Élisons",
        "Élisons !",
        "Élisons quelqu'un de bien, mais pas trop vite, et surtout pas ce soir !",
        "Bonsoir.",
        "",
        "Élisons Bruno ! Élisons",
    ],
)
def test_does_not_elect(post: str) -> None:
    assert election(post) is None


def test_the_last_one_counts() -> None:
    assert election("Élisons Bruno ! Non : mieux vaut Chloé. Élisons Chloé !") == "Chloé"
