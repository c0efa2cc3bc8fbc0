"""Whatever people write, in whatever order: nothing raises, one answer a command mail, and the log is the game."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.engine.evolve import replay
from pbem.engine.roles import ADMIN_LEXICON, LEXICON
from pbem.rehearsal import mailwriter
from pbem.rehearsal.scenario import Seat

ROLES = ("villager", "werewolf", "seer", "militia", "prescient", "forger", "telepath", "executioner", "ghost",
         "corrupter", "little-child", "investigator", "nosy-neighbour", "sandman", "matchmaker", "beast")  # fmt: skip
NAMES = ("Alice", "Bruno", "Chloé", "David", "Émile", "Fanny", "Gaël")
WORDS = (
    *NAMES,
    "Al",
    "3",
    "99",
    "quiconque",
    "contre",
    "et",
    "pour",
    "werewolf",
    "dragon",
    "VOTE",
    "jusqu'à samedi",
    "24h",
    "(f)",
    "😺",
)
VERBS = tuple(form for verb in LEXICON for form in (verb.name, *verb.french))
ADMIN = tuple(form for verb in ADMIN_LEXICON if verb.name != "ABORT" for form in (verb.name, *verb.french))

_line = st.builds(
    lambda verb, words: " ".join((verb, *words)), st.sampled_from(VERBS), st.lists(st.sampled_from(WORDS), max_size=3)
)
_admin = st.builds(
    lambda verb, words: " ".join((verb, *words)), st.sampled_from(ADMIN), st.lists(st.sampled_from(WORDS), max_size=3)
)
_body = st.one_of(
    st.just(""), st.text(max_size=40), st.just("Élisons Bruno !"),
    st.lists(st.one_of(_line, _admin), min_size=1, max_size=3).map(lambda lines: "\n".join(f"!{line}" for line in lines)),
)  # fmt: skip
_mail = st.fixed_dictionaries({
    "who": st.sampled_from((*NAMES, "storyteller", "reader", ("Luc", "luc@example.net"))),
    "subject": st.one_of(_line, _admin.map("ADMIN {}".format), st.just("Re: Bonjour"), st.text(max_size=30)),
    "body": _body, "authentic": st.booleans(), "wait": st.sampled_from((0, 5, 35, 600, 2000)),
    "confirm": st.booleans(), "tag": st.integers(0, 12), "copies": st.booleans(),
})  # fmt: skip


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(roles=st.lists(st.sampled_from(ROLES), min_size=7, max_size=7), mails=st.lists(_mail, min_size=3, max_size=14))
def test_random_mails(make_village, roles, mails):
    roles[0] = "werewolf"
    village = make_village(
        seats=tuple(Seat(name, role) for name, role in zip(NAMES, roles, strict=True)), mayor=None,
        options={"inactivity": "eliminate", "graveyard_intrusion": "kill"},
    )  # fmt: skip
    for mail in mails:
        _one(village, mail)
    log = village.stage.events()
    assert replay(log) == village.game
    village.stage.close()


def _one(village, mail):
    village.wait(minutes=mail["wait"])
    village.take()
    address = {"to": f"lune+{village.stage.tag(mail['tag'])}@example.org"} if 1 <= mail["tag"] <= len(NAMES) else {}
    copies = {"cc": [("", "village@example.org")]} if mail["copies"] else {}
    draft = village.draft(mail["who"], mail["subject"], mail["body"], authentic=mail["authentic"], **address, **copies)
    handled = village.raw(mailwriter.write(draft))
    assert handled.kind != "quarantined"
    letters = village.take()
    own = f"<step-{draft.number}.".encode()
    answers = [row for row in letters if own in row.raw.partition(b"\r\n\r\n")[0] and row.kind != "log"]
    assert len(answers) <= 1
    if address or mail["who"] in NAMES or (mail["who"] == "storyteller" and mail["authentic"]):
        asked = [o for o in handled.outcomes if o.verb != "LOG" or o.status != "accepted"]
        assert bool(answers) == bool(asked), (handled, [row.kind for row in letters])
    if mail["confirm"]:
        _confirm(village, letters)


def _confirm(village, letters):
    for letter in letters:
        if letter.kind == "confirm":
            assert village.answer(letter, ("X", letter.to)).kind != "quarantined"
            village.stage.now += timedelta(seconds=1)
