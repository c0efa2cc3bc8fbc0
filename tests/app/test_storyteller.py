"""The storyteller's table (MAIL.md § 3), by mail."""

from __future__ import annotations

from email import message_from_bytes, policy

import pytest

from pbem.app import composition, storyteller
from pbem.app.desk import Refusal
from pbem.engine.roles import ADMIN_LEXICON
from pbem.engine.verbs import Args
from pbem.rehearsal.mailwriter import text_of
from pbem.rehearsal.scenario import Seat


def _status(handled):
    return [f"{o.status}: {o.code}" if o.code else o.status for o in handled.outcomes]


def _text(row):
    return text_of(message_from_bytes(row.raw, policy=policy.default))


def test_every_verb_of_the_table_is_there():
    assert set(storyteller._MAKERS) == {verb.name for verb in ADMIN_LEXICON}


@pytest.mark.parametrize("verb", sorted({form for verb in ADMIN_LEXICON for form in (verb.name, *verb.french)}))
@pytest.mark.parametrize(
    "args", ["", "Alice", "Alice Bruno", "24h", "n'importe quoi, vraiment : ça !", "Alice: VOTE Bruno"]
)
def test_no_command_raises_whatever_follows_it(village, verb, args):
    handled = village.send("storyteller", f"ADMIN {verb} {args}", "Quelques mots.")
    assert handled.kind == "command"
    assert len(handled.outcomes) == 1
    assert any(row.to == "conteur@example.org" for row in village.take())


def test_a_tag_alone_steers_nothing(village):
    handled = village.tagged(1, "ADMIN SMITE Bruno")
    assert _status(handled) == ["refused: not-storyteller"]


def test_a_storytellers_mail_is_read_by_his_table_only(village):
    assert _status(village.send("storyteller", "VOTE Bruno")) == ["refused: unknown-command"]  # a try: he gets the help
    assert village.send("storyteller", "Bonjour", "!vote Bruno").outcomes[0].code == "unknown-command"
    assert village.game.orders == ()


def test_status_and_log_go_to_him_alone(village):
    village.send("storyteller", "ADMIN STATUS")
    village.send("storyteller", "ADMIN LOG")
    letters = village.take()
    assert {row.to for row in letters} == {"conteur@example.org"}
    assert len(letters) == 2
    assert "RolesDealt" in _text(letters[1])
    assert village.game.seed not in _text(letters[1])


def test_several_commands_and_a_log_have_one_acknowledgement(village):
    handled = village.send("storyteller", "Deux choses", "!status\n!tell Alice Bonjour.\n!log")
    assert _status(handled) == ["accepted"] * 3
    assert sorted(row.kind for row in village.take("storyteller")) == ["ack", "log"]


def test_the_words_of_a_private_letter_are_not_told_to_others(village):
    """A letter to a player, the game in copy: `!announce` publishes what stands in its line, not the letter."""
    body = "Chère Alice, vous êtes villageoise.\n\n!announce Il neige.\n"
    village.send("storyteller", "Pour vous", body, cc=[("Alice", "alice@example.org")])
    public = " ".join(_text(row) for row in village.take("village@example.org"))
    assert "Il neige." in public
    assert "villageoise" not in public


def test_smite_with_a_reason_and_a_name_of_two_words(make_village):
    names = {"Anne Marie": "villager", "Bruno": "werewolf", "Chloé": "seer", "David": "villager"}
    village = make_village(seats=tuple(Seat(name, role) for name, role in names.items()))
    assert _status(village.send("storyteller", "ADMIN SMITE anne marie pour avoir triché")) == ["accepted"]
    assert not village.game.player(1).alive


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("werewolf=1 villager=3", (("werewolf", 1), ("villager", 3))),
        ("2 loups-garous, 1 voyante et 3 villageois", None),
        ("2 loups-garous, 1 voyante, 3 villageois", (("werewolf", 2), ("seer", 1), ("villager", 3))),
        ("werewolf: 2; seer: 1", (("werewolf", 2), ("seer", 1))),
        ("werewolf=1 werewolf=1 seer=0", (("werewolf", 2),)),
        ("little-child=1", (("little-child", 1),)),
    ],
)
def test_a_composition_as_people_write_it(text, counts):
    found = composition.read(text, 6)
    assert found == counts if counts is not None else isinstance(found, Refusal)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "missing-argument"),
        ("dragon=1", "unknown-role"),
        ("werewolf", "not-a-choice"),
        ("werewolf=many", "not-a-choice"),
    ],
)
def test_what_is_no_composition(text, code):
    found = composition.read(text, 6)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_a_table_by_its_name():
    assert dict(composition.read("Classic", 8))["werewolf"] == 2


@pytest.mark.parametrize(
    ("roles", "warnings", "told"),
    [
        ("werewolf=1 villager=3", ["sum"], "pas autant de rôles que de joueurs"),
        ("villager=5", ["no-wolf"], "aucun loup"),
        ("werewolf=3 villager=2", ["parity"], "la moitié du village"),
        ("werewolf=1 investigator=1 villager=3", ["investigator"], "composition ouverte"),
        ("pack-leader=1 villager=4", ["pack-leader"], "seize joueurs"),
        ("werewolf=1 seer=1 villager=3", [], ""),
    ],
)
def test_roles_that_do_not_suit_the_game_are_warned_of(make_village, roles, warnings, told):
    """INV-1, CHIEF-1: in the acknowledgement of COMPOSITION and in that of DEAL, in words."""
    village = make_village(registration=True, composition="public")
    for line in (f"ADMIN COMPOSITION {roles}", "ADMIN DEAL"):
        outcome = village.send("storyteller", line).outcomes[0]
        letter = message_from_bytes(village.take("storyteller")[0].raw, policy=policy.default)
        words = " ".join(text_of(letter).split())
        if outcome.status == "refused":
            assert (line, warnings) == ("ADMIN DEAL", ["sum"])
            assert "4 rôles, 5 joueurs" in words
            continue
        assert (outcome.code, outcome.words.split()) == ("warning" if warnings else "", warnings)
        assert told in words
        assert ("Attention" in words) is bool(warnings)


def test_a_newcomer_gets_the_seats_whole_history(village):
    village.send("Chloé", "SEE Bruno")
    village.until(23, day=1)
    village.wait(minutes=5)
    village.take()
    village.send("storyteller", "ADMIN REPLACE Chloé WITH zoe@example.net Zoé")
    (dossier,) = village.take("zoe@example.net")
    text = _text(dossier)
    assert "Bruno" in text  # what the seer has seen
    assert village.take("chloe@example.org") == []
    assert village.send(("Zoé", "zoe@example.net"), "SEE David").outcomes[0].status == "accepted"


def test_a_confirmation_of_the_old_player_is_void_after_replace(village):
    village.send("Alice", "VOTE David", authentic=False)
    asked = village.take("Alice")[-1]
    village.send("storyteller", "ADMIN REPLACE Alice WITH zoe@example.net")
    village.take()
    assert _status(village.answer(asked, "Alice")) == ["refused: not-in-game"]
    assert village.game.order(1, "VOTE") is None


# --- in a player's name ---------------------------------------------------------------------------------------------


def _answer(village, line):
    village.send("storyteller", line)
    letter = message_from_bytes(village.take("storyteller")[0].raw, policy=policy.default)
    return " ".join(text_of(letter).split())


def test_an_order_withdrawn_is_told_as_the_players(village):
    village.send("Chloé", "SONDER Bruno")
    village.take()
    told = _answer(village, "ADMIN ORDER Chloé: CANCEL SEE")
    assert "Chloé : l’ordre SONDER est retiré." in told.replace("\u202f", " ").replace("\xa0", " ")


def test_a_refusal_in_a_players_name_is_told_as_he_would_have_read_it(village):
    told = _answer(village, "ADMIN ORDER Alice: DEVORER Bruno")
    assert "Alice, par son propre courrier, aurait lu" in told
    assert "DEVORER n’est pas" in told


def test_what_no_order_can_ask_is_refused_with_what_it_can(village):
    told = _answer(village, "ADMIN ORDER Alice: STATUS")
    assert "VOTER" in told
    assert "STATUT" not in told


@pytest.mark.parametrize("verb", sorted(verb.name for verb in ADMIN_LEXICON if verb.args is Args.NONE))
def test_words_left_over_stop_a_command_that_takes_none(village, verb):
    """He does not mean now; what only tells is told all the same."""
    before = village.game
    told = village.send("storyteller", f"ADMIN {verb} demain peut-être").outcomes
    if verb in {"STATUS", "LOG"}:
        assert [one.status for one in told] == ["accepted"]
    else:
        assert [one.status for one in told] == ["refused"]
        assert village.game == before
