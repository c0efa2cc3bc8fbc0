"""The preset compositions and the little child's table: every line can be played, and says what the rules say.

`config/roles.toml` is the table that is dealt by default, `config/compositions/*.toml` are the others; all have the
same shape, {number of players: {role slug: how many}}.
"""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLES = (ROOT / "config" / "roles.toml", *sorted((ROOT / "config" / "compositions").glob("*.toml")))
WOLVES = frozenset({"werewolf", "corrupter", "shaman", "pack-leader"})
PUBLIC = ("roles", "classic", "wild")
"""The tables made for a composition that everybody may read."""

Table = dict[str, dict[str, int]]


def _table(path: Path) -> Table:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _wolves(composition: dict[str, int]) -> int:
    return sum(many for role, many in composition.items() if role in WOLVES)


def test_there_are_variants() -> None:
    assert {"roles", "classic", "wild", "hidden"} <= {path.stem for path in TABLES}


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
class TestEveryTable:
    def test_org_6_covers_four_to_sixty_players(self, path: Path) -> None:
        assert [int(players) for players in _table(path)] == list(range(4, 61))

    def test_adds_up(self, path: Path) -> None:
        sums = {players: sum(composition.values()) for players, composition in _table(path).items()}
        assert {players: total for players, total in sums.items() if total != int(players)} == {}

    def test_deals_known_roles_only_and_at_least_one_of_each(self, path: Path) -> None:
        known = {folder.name for folder in (ROOT / "templates" / "roles").iterdir() if folder.is_dir()}
        for players, composition in _table(path).items():
            assert set(composition) <= known, players
            assert min(composition.values()) >= 1, players

    def test_win_2_the_wolves_begin_below_parity(self, path: Path) -> None:
        """Strictly fewer than the villagers they will be counted against; traitors and the beast are not."""
        for players, composition in _table(path).items():
            others = composition.get("traitor", 0) + composition.get("beast", 0)
            assert 1 <= _wolves(composition) < int(players) - _wolves(composition) - others, players

    def test_wolves_are_about_a_quarter_to_a_fifth(self, path: Path) -> None:
        for players, composition in _table(path).items():
            lowest, highest = int(players) // 6, -(-int(players) * 2 // 7)
            assert max(1, lowest) <= _wolves(composition) <= highest, players

    def test_chief_1_no_pack_leader_under_sixteen_players(self, path: Path) -> None:
        with_leader = [int(players) for players, composition in _table(path).items() if "pack-leader" in composition]
        assert min(with_leader, default=16) >= 16

    def test_win_6_one_beast_at_most(self, path: Path) -> None:
        """She hunts alone: of two, neither could win while the other lives."""
        assert all(composition.get("beast", 0) <= 1 for composition in _table(path).values())


@pytest.mark.parametrize("path", TABLES[1:], ids=lambda path: path.stem)
def test_the_village_grows_by_one_player_a_line(path: Path) -> None:
    """But for the default table, each line of which was balanced by itself (docs/balance.md)."""
    for fewer, more in pairwise(_table(path).values()):
        assert all(more.get(role, 0) >= many for role, many in fewer.items())


@pytest.mark.parametrize("name", PUBLIC)
def test_inv_1_no_investigator_where_the_composition_is_public(name: str) -> None:
    path = next(path for path in TABLES if path.stem == name)
    assert all("investigator" not in composition for composition in _table(path).values())


def test_inv_1_the_hidden_table_always_has_one() -> None:
    path = next(path for path in TABLES if path.stem == "hidden")
    assert all("investigator" in composition for composition in _table(path).values())


def test_peek_4_the_childs_table_is_whole_and_monotonous() -> None:
    """Fewer innocents never make it harder to see a wolf nor easier to hide; more wolves see less of the child."""
    table = _table_of_chances()
    assert {wolves: (min(rows), max(rows)) for wolves, rows in table.items()} == {1: (1, 15), 2: (2, 15), 3: (3, 15)}
    for rows in table.values():
        assert sorted(rows) == list(range(min(rows), 16))
        for many in range(min(rows), 15):
            assert rows[many][0] >= rows[many + 1][0]
            assert rows[many][1] >= rows[many + 1][1]
    for many in range(3, 16):
        assert table[1][many][0] <= table[2][many][0] <= table[3][many][0]
        assert table[1][many][1] >= table[2][many][1] >= table[3][many][1]


def test_peek_2_some_chances_of_the_source() -> None:
    table = _table_of_chances()
    assert table[3][8] == (50, 20)
    assert table[3][11] == (30, 10)
    assert table[2][11] == (30, 20)
    assert table[2][4] == (60, 30)
    assert table[1][7] == (20, 80)
    assert table[1][1] == (100, 100)


def _table_of_chances() -> dict[int, dict[int, tuple[int, int]]]:
    raw = tomllib.loads((ROOT / "config" / "child.toml").read_text(encoding="utf-8"))
    return {
        int(wolves): {int(many): (chance["see"], chance["seen"]) for many, chance in rows.items()}
        for wolves, rows in raw.items()
    }
