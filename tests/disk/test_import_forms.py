"""What somebody has edited, or made, does not come in: `pbem game import` ends with exit code 2 and one line."""

from __future__ import annotations

import json

import pytest

from pbem.app.codes import fit_code
from pbem.app.export import export
from pbem.app.importing import NotAnExport, bring_in
from pbem.app.verify import parse
from tests.cli.conftest import folder, pbem  # noqa: F401  (fixtures)


@pytest.fixture
def value(village):
    village.send("Alice", "VOTE David")
    village.send("David", "MAIL daily")
    village.send("Émile", "VOTE Alice", authentic=False)
    village.send(("Zoé", "zoe@y.example"), "WATCH")
    with village.store.read() as tx:
        return json.loads(json.dumps(export(tx, village.stage.game_id, people=True)))


def everywhere(value, code):
    """Another code in the envelope and all through the log."""
    value["code"] = code
    for row in value["events"]:
        if "code" in row["event"]:
            row["event"]["code"] = code
    for row in value["commands"]:
        if "code" in row["command"]:
            row["command"]["code"] = code


def player(**changes):
    return lambda value: value["people"]["players"][0].update(changes)


def part(name, /, **changes):
    def change(value):
        assert value["people"][name], name
        value["people"][name][0].update(changes)

    return change


def twice(value):
    first, second = value["people"]["players"][:2]
    first["tag"] = second["tag"]


CODES = [
    "../../evil1",
    "..",
    "/tmp/x1",
    "a/b1",
    "PL1\n",
    "PL",
    "1",
    "",
    "PL 1",
    "é1",
    "A" * 16 + "1",
    "PL1\x00",
    "..\\x1",
]
WRONG = [
    (lambda value: value.update(code="PL2"), "its code is PL2, but in its log it is another one"),
    (lambda value: value.update(code=None), "its code is none"),
    (lambda value: value.update(code={"a": 1}), "its code is none"),
    (lambda value: value.pop("code"), "its code is none"),
    (lambda value: value.update(series={"a": 1}), "series"),
    (lambda value: value.update(series="a\nb"), "one line"),
    (lambda value: value.update(created="2026-12-01T00:00:00"), "created"),
    (lambda value: value.update(created="9999-12-31T23:59:59-12:00"), "a moment of our time"),
    (lambda value: value["events"][3].update(at=5), "events 3 at"),
    (lambda value: value["events"][3].update(at="yesterday"), "events 3 at"),
    (lambda value: value["commands"][1].update(at=None), "commands 1 at"),
    (lambda value: value.update(codec=float("inf")), "damaged"),
    (lambda value: value.update(people=[]), "damaged"),
    (lambda value: value.update(people=None), "damaged"),
    (lambda value: value["people"].pop("readers"), "readers"),
    (player(seat=99), "one person for each"),
    (player(seat=2), "one person for each"),
    (player(seat=True), "players 0 seat"),
    (player(seat="1"), "players 0 seat"),
    (lambda value: value["people"]["players"].pop(), "one person for each"),
    (lambda value: value["people"]["players"].append(value["people"]["players"][0]), "one person for each"),
    (player(address=None), "players 0 address"),
    (player(address=""), "expected a mail address"),
    (player(address="alice"), "expected a mail address"),
    (player(address="a@b.example\r\nRCPT TO:<x@y.example>"), "expected a mail address"),
    (player(address="a@b.example\n"), "expected a mail address"),
    (player(address="a\x00@b.example"), "expected a mail address"),
    (player(address="a@b.example, c@d.example"), "expected a mail address"),
    (player(address="<a@b.example>"), "expected a mail address"),
    (player(tag="short"), "16 lower-case letters and digits"),
    (player(tag="ABCDEFGHIJKLMNOP"), "16 lower-case letters and digits"),
    (player(tag="abcdefghijklmno\n"), "16 lower-case letters and digits"),
    (player(tag=None), "players 0 tag"),
    (twice, "one personal tag to two people"),
    (player(language="../fr"), "players 0 language"),
    (player(language="fr\n"), "players 0 language"),
    (player(gender="x"), "players 0 gender"),
    (player(amount="everything"), "players 0 amount"),
    (player(reminders="yes"), "players 0 reminders"),
    (part("storytellers", address="x@y\r\n"), "expected a mail address"),
    (part("storytellers", name="a\r\nBcc: x@y.example"), "one line"),
    (part("readers", address=None), "readers 0 address"),
    (part("readers", tag="?"), "16 lower-case"),
    (lambda value: value["people"]["graveyard"].append("a@b\n"), "graveyard"),
    (lambda value: value["people"].update(threads=[["a", "b\r\nc", "d"]]), "one line"),
    (lambda value: value["people"].update(values={"a:b": "c"}), "values"),
    (lambda value: value["people"].update(values={"extended": 5}), "values"),
    (lambda value: value["people"].update(collected=[["a@b.example", "soon", {}]]), "collected"),
    (part("letters", to="x@y\n.example"), "expected a mail address"),
    (part("letters", message_id="<a@b>\r\nBcc: x"), "one line"),
    (part("letters", raw="é"), "raw"),
    (part("letters", raw=None), "octets in base64"),
    (part("letters", not_before="2026-12-01T00:00:00"), "not_before"),
    (part("letters", state="sent"), "state"),
    (part("held", raw=None), "octets in base64"),
    (part("held", seat=99), "there is no seat 99"),
    (part("held", code="../../x"), "16 lower-case"),
    (part("held", address=None), "held 0 address"),
    (part("held", received="2026"), "received"),
    (part("mails", digest="?"), "digest"),
    (part("mails", received=None), "received"),
    (lambda value: value["people"].update(read_to="today"), "read_to"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_what_has_not_the_form_of_an_export_is_named_in_one_line(value, there, change, words):
    change(value)
    with pytest.raises(NotAnExport, match=words) as told, there.begin() as tx:
        bring_in(tx, json.dumps(value))
    assert len(str(told.value).splitlines()) == 1
    with there.read() as tx:
        assert tx.games() == []


@pytest.mark.parametrize("code", CODES)
def test_a_code_that_no_game_can_have_comes_in_nowhere(value, there, code):
    everywhere(value, code)
    assert not fit_code(code)
    with pytest.raises(NotAnExport, match="its code is none that a game can have"):
        parse(json.dumps(value))
    with pytest.raises(NotAnExport), there.begin() as tx:
        bring_in(tx, json.dumps(value))


@pytest.mark.parametrize("code", ["PL1", "A1", "Z" * 15 + "9", "X3Y7"])
def test_a_code_of_that_form_does(value, there, code):
    everywhere(value, code)
    with there.begin() as tx:
        assert bring_in(tx, json.dumps(value)) == code


def test_any_sender_that_the_program_has_taken_in_comes_along(value, there):
    """A host of one name, letters of other scripts, an address in brackets: the game was joined from there."""
    addresses = ["anna@localhost", "zoé@exämple.org", "a@[192.0.2.1]", "o'neil+x@y.example", "a!b#c@y.example"]
    for row, address in zip(value["people"]["players"], addresses, strict=True):
        row["address"] = address
    with there.begin() as tx:
        bring_in(tx, json.dumps(value))
        assert [row.address for row in tx.players(1)] == addresses


def test_json_without_end_is_no_export():
    for text in ("[" * 100_000, '{"format":"pbem-game","version":1,"codec":1e999,"commands":[],"events":[]}'):
        with pytest.raises(NotAnExport):
            parse(text)


@pytest.mark.parametrize(
    "change",
    [
        lambda value: everywhere(value, "../../evil1"),
        player(seat=99), player(address=None), player(address="a@b\r\nRCPT TO:<x@y>"), player(tag="short"),
        lambda value: value["people"]["players"].pop(),
    ],
)  # fmt: skip
def test_the_command_ends_with_one_line(value, pbem, folder, change):  # noqa: F811
    change(value)
    (folder / "a.json").write_text(json.dumps(value))
    code, out, err = pbem("game", "import", "a.json")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "expected a file that pbem game export wrote" in err
    assert pbem("game", "list", "--json")[1] == "[]\n"
