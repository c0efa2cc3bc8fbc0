"""What sensible bots make of what they hear."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.balance.minds import Aimless, Commons, Sensible, talk
from pbem.balance.minds import facts as f
from pbem.balance.minds.facts import ACCUSE, CLAIM, PREY, SAW, Statement
from pbem.engine.roles import ROSTER

NAMES = ("Alice", "Bruno", "Chloé", "David", "Émile", "Fanny", "Gaël", "Hélène")
SEEDS = range(20)


class Village:
    """Eight who share what they hear."""

    def __init__(self, seed=0, **roles):
        self.commons = Commons()
        self.commons.hear(f.Dawn(1, NAMES))
        self.minds = {name: Sensible(name, self.commons, Random(f"{seed}/{name}")) for name in NAMES}
        for name, mind in self.minds.items():
            mind.hear(f.Became(roles.get(name, "villager")))
        pack = [name for name, role in roles.items() if ROSTER[role].wolf]
        for wolf in pack:
            self.minds[wolf].hear(f.Pack(tuple(name for name in pack if name != wolf)))

    def __getitem__(self, name):
        return self.minds[name]

    def say(self, who, *statements):
        self.commons.hear(f.Said(who, statements))

    def dawn(self, day=2):
        self.commons.hear(f.Dawn(day, self.commons.living))

    def against(self, whom):
        """How many of the others vote for him."""
        return sum(mind.use("VOTE", list(NAMES)) == (whom,) for name, mind in self.minds.items() if name != whom)


def kinds(statements):
    return [(s.kind, s.who, s.role) for s in statements]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seer_who_has_seen_a_wolf_says_so_and_is_believed(seed):
    village = Village(seed, Alice="seer", Bruno="werewolf")
    village["Alice"].hear(f.Learnt("Bruno", "werewolf"))
    said = village["Alice"].speak()
    assert kinds(said)[:2] == [(CLAIM, "", "seer"), (SAW, "Bruno", "werewolf")]
    village.say("Alice", *said)
    assert village.against("Bruno") >= len(NAMES) - 2  # there is always one who knows better


def test_a_seer_who_has_seen_friends_alone_keeps_quiet_at_first():
    village = Village(Alice="seer")
    village["Alice"].hear(f.Learnt("Chloé", "villager"))
    assert [kind for kind, _, _ in kinds(village["Alice"].speak())] == [ACCUSE]


def test_what_was_told_is_not_told_again():
    village = Village(Alice="seer")
    village["Alice"].hear(f.Learnt("Bruno", "werewolf"))
    village.say("Alice", *village["Alice"].speak())
    assert [s.kind for s in village["Alice"].speak()] == [ACCUSE]


@pytest.mark.parametrize("seed", SEEDS)
def test_who_was_wrong_about_a_dead_man_is_a_liar(seed):
    village = Village(seed)
    assert village.against("Alice") < len(NAMES) - 2
    village.say("Alice", Statement(CLAIM, role="seer"), Statement(SAW, "Bruno", "werewolf"))
    village.commons.hear(f.Voted((("Alice", "Bruno"), ("Chloé", "Bruno"))))
    village.commons.hear(f.Fell("Bruno", "villager", burned=True))
    village.dawn()
    assert village.commons.belief("Alice") == 0.0
    assert village.against("Alice") >= len(NAMES) - 2


def test_the_dead_cannot_lie_once_their_role_is_known():
    village = Village()
    village.say("Alice", Statement(CLAIM, role="seer"), Statement(SAW, "Bruno", "werewolf"))
    village.say("Bruno", Statement(CLAIM, role="seer"), Statement(SAW, "Alice", "werewolf"))
    assert village.commons.belief("Alice") < 0.6
    village.commons.hear(f.Fell("Alice", "seer", burned=False))
    assert village.commons.belief("Alice") == 1.0
    assert village.commons.belief("Bruno") < 0.3


def test_who_helped_to_burn_a_wolf_is_trusted_more_than_who_did_not():
    village = Village()
    village.commons.hear(f.Voted((("Alice", "Bruno"), ("Chloé", "Bruno"), ("David", "Alice"), ("Bruno", "Alice"))))
    assert set(village.commons.votes().values()) == {0.0}
    village.commons.hear(f.Fell("Bruno", "werewolf", burned=True))
    told = village.commons.votes()
    assert told["Chloé"] < told["Fanny"] < told["David"]
    assert "Bruno" not in told


def test_a_plain_bot_looks_back_at_nothing():
    commons = Commons()
    commons.hear(f.Dawn(1, NAMES))
    commons.hear(f.Voted((("Chloé", "Bruno"), ("David", "Alice"))))
    commons.hear(f.Fell("Bruno", "werewolf", burned=True))
    plain = Sensible("Alice", commons, Random("x"), memory=False)
    keen = Sensible("Alice", commons, Random("x"))
    assert keen.judge("Chloé") < plain.judge("Chloé")
    assert keen.judge("David") > plain.judge("David")


@pytest.mark.parametrize("seed", SEEDS)
def test_wolves_spare_each_other_and_follow_one_voice(seed):
    village = Village(seed, Alice="werewolf", Bruno="werewolf", Chloé="shaman")
    pack = ("Alice", "Bruno", "Chloé")
    plots = {name: village[name].whisper() for name in pack}
    for speaker, plot in plots.items():
        for listener in pack:
            if listener != speaker:
                village[listener].hear(f.Whispered(speaker, tuple(plot)))
    prey = {village[name].use("KILL", [n for n in NAMES if n not in pack]) for name in pack}
    assert len(prey) == 1
    assert prey == {(next(s.who for s in plots["Alice"] if s.kind == PREY),)}


def test_wolves_seldom_vote_for_their_own():
    own = 0
    for seed in range(100):
        village = Village(seed, Alice="werewolf", Bruno="werewolf")
        own += village["Alice"].use("VOTE", list(NAMES)) == ("Bruno",)
    assert 0 < own < 30


def test_a_convert_changes_sides():
    village = Village(Alice="werewolf", Bruno="seer")
    village["Bruno"].hear(f.Learnt("Alice", "werewolf"))
    village["Bruno"].hear(f.Became("werewolf", ("Alice",)))
    assert village["Bruno"].judge("Alice") < -5
    assert "Alice" not in [s.who for s in village["Bruno"].speak()]


@pytest.mark.parametrize("seed", SEEDS)
def test_lovers_do_not_vote_for_each_other(seed):
    village = Village(seed)
    village["Alice"].hear(f.Loves("Bruno"))
    village.say("David", Statement(ACCUSE, "Bruno"))
    village.say("Chloé", Statement(ACCUSE, "Bruno"))
    assert village["Alice"].use("VOTE", list(NAMES)) != ("Bruno",)


def test_the_militia_stands_by_a_witness_and_does_as_it_may():
    village = Village(Chloé="militia")
    village.say("Alice", Statement(CLAIM, role="seer"), Statement(SAW, "Bruno", "werewolf"))
    assert village["Chloé"].use("GUARD", list(NAMES)) == ("Alice",)
    assert village["Chloé"].use("GUARD", [n for n in NAMES if n != "Alice"]) != ("Alice",)


def test_a_prescient_saves_a_witness():
    village = Village(Chloé="prescient")
    village.say("Alice", Statement(CLAIM, role="seer"), Statement(SAW, "Bruno", "werewolf"))
    village["Chloé"].hear(f.Threatened(("David", "Alice")))
    assert village["Chloé"].use("SAVE", list(NAMES)) == ("Alice",)


def test_an_investigator_sees_through_a_false_claim():
    village = Village(Chloé="investigator")
    village.say("Alice", Statement(CLAIM, role="seer"))
    assert village["Chloé"].use("ASK", []) == ("seer",)
    before = village["Chloé"].judge("Alice")
    village["Chloé"].hear(f.Counted("seer", 0))
    assert village["Chloé"].judge("Alice") > before + 1
    assert village["Chloé"].use("ASK", []) != ("seer",)


def test_who_is_cornered_defends_himself_once():
    village = Village(Alice="militia", Bruno="werewolf")
    assert not village["Alice"].answer()
    for who in ("Chloé", "David", "Fanny"):
        village.say(who, Statement(ACCUSE, "Alice"), Statement(ACCUSE, "Bruno"))
    assert kinds(village["Alice"].answer()) == [(CLAIM, "", "militia")]
    village.say("Alice", *village["Alice"].answer())
    assert not village["Alice"].answer()
    assert village["Bruno"].answer()[0].role not in {"werewolf", "shaman"}


def test_an_aimless_bot_names_whom_it_may():
    bot = Aimless("Alice", Commons(), Random("1"))
    assert {bot.use("VOTE", ["Bruno", "Chloé"])[0] for _ in range(40)} == {"Bruno", "Chloé"}
    assert bot.use("HEIR", []) is None
    pairs = {bot.use("PAIR", list(NAMES)) for _ in range(40)}
    assert all(pair is None or len(set(pair)) == 2 for pair in pairs)
    assert not bot.speak()


STATEMENTS = st.one_of(
    st.builds(Statement, st.sampled_from([ACCUSE, PREY]), st.sampled_from(NAMES)),
    st.builds(lambda role: Statement(CLAIM, role=role), st.sampled_from(sorted(ROSTER))),
    st.builds(Statement, st.just(SAW), st.sampled_from(NAMES), st.sampled_from(sorted(ROSTER))),
)


@given(st.lists(STATEMENTS, max_size=5), st.sampled_from(["", "Il pleut. ", "Je dormais, comme tous.\n\n"]))
def test_what_is_said_is_understood(statements, before):
    assert talk.read(before + talk.say(statements)) == tuple(statements)


def test_what_is_said_is_right_french_for_every_name():
    """No "de Ivan", no "que Alice": a word that would be cut stands before no name."""
    said = [talk.say([Statement(kind, "Ivan", "seer")]) for kind in (ACCUSE, CLAIM, SAW, PREY)]
    assert "J’ai vu Ivan : voyant." in said
    assert [words for words in said if re.search(r"\b(de|que|le|la|se|ne) Ivan", words)] == []


def test_a_role_that_nobody_knows_is_small_talk():
    assert talk.read("Mon rôle : dragon. J’accuse Bruno.") == (Statement(ACCUSE, "Bruno"),)
