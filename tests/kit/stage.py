"""Scenario files played on the rules alone, without mail: quick, and a second opinion beside `pbem rehearse`.

`play(path)` gives what did not hold, as `(step, key, wanted, found)`; None if a step is about mail and not the rules.
Knows of SCENARIOS.md what the rules need: orders, the storyteller's commands, held mails and their confirmation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from pbem.engine import events as e
from tests.kit.speech import ADMIN_LEXICON, LEXICON, plain, verb_of
from tests.kit.village import Village

if TYPE_CHECKING:
    from pathlib import Path

ABOUT_MAIL = {"via", "cc", "html", "raw", "repeat", "reply_to", "auto"}
UNSEEN = {"public_has", "public_lacks", "letters"}
"""Expectations about letters."""
BY_MAIL = {"confirm", "tag-replaced", "bounce", "unreadable"}
"""Notices that only the mail layer gives."""
ANSWERED = {"STATUS", "HELP", "RULES", "LANG", "MAIL"}
OF_THE_GAME = ("start", "timezone", "mayor", "heir", "lovers", "immune", "dice", "composition")


class Loader(yaml.BaseLoader):
    """All scalars stay words."""


def play(path: Path) -> list | None:
    """One file."""
    document = yaml.load(path.read_text("utf-8"), Loader)
    steps = document["steps"]
    if any(ABOUT_MAIL & set(step) or isinstance(step.get("from"), dict) for step in steps):
        return None
    stage = Stage(document["game"])
    for number, step in enumerate(steps, 1):
        stage.play(number, step)
    stage.village.check()
    return stage.faults


def build(game: dict) -> Village:
    """The village of a scenario's `game`."""
    settings = {key: game[key] for key in OF_THE_GAME if key in game}
    settings["dice"] = tuple(map(int, game.get("dice", ())))
    settings.setdefault("mayor", None)
    options = game.get("options", {})
    return Village(game["players"], begin=game.get("registration") != "true", **settings, **options)


class Stage:
    """One scenario under way."""

    def __init__(self, game: dict) -> None:
        self.village = build(game)
        self.held: dict[str, tuple[str, str, object]] = {}
        self.faults: list[tuple] = []

    def play(self, number: int, step: dict) -> None:
        """One step, then its expectations."""
        v = self.village
        if number > 1:
            v.step()
        start, before = len(v.log), v.game
        if number == 1:
            start = 0
        if "until" in step:
            v.until(step["until"], step.get("late_poll", "0m"))
        elif "at" in step and "from" not in step:
            v.go(step["at"])
        replies = self._mail(step) if "from" in step else []
        v.news, v.before = v.log[start:], before
        for key, wanted in step.get("expect", {}).items():
            self._expect(number, key, wanted, replies)

    # ---- mails

    def _mail(self, step: dict) -> list[str]:
        v, who = self.village, step["from"]
        if step.get("unread"):
            v.unread(who, step["send"], step["at"], step.get("body", ""))
            return []
        v._arrive(step["at"])
        if step.get("answers"):
            return self._confirm(who)
        lines = [step.get("send", ""), *re.findall(r"^!(.*)$", step.get("body", ""), re.MULTILINE)]
        if step.get("forged"):
            self.held[who] = (lines[0], step.get("body", ""), v.now)
            return ["held"]
        if who == "storyteller":
            return [self._code(v.admin(line)) for line in map(_admin_line, lines) if line]
        return [self._said(who, line, step.get("body", "")) for line in lines if verb_of(line.split(" ")[0], LEXICON)]

    def _said(self, who: str, line: str, body: str) -> str:
        if verb_of(line.partition(" ")[0]).name in ANSWERED:
            return "accepted"
        return self._code(self.village.order(who, line, body=body))

    def _confirm(self, who: str) -> list[str]:
        if who == "storyteller":  # ABORT
            return [self._code(self.village.admin("ABORT"))]
        line, body, moment = self.held[who]
        local = moment.astimezone(self.village.zone).replace(tzinfo=None).isoformat()
        return [self._code(self.village.order(who, line, body=body, sent=local))]

    @staticmethod
    def _code(reply: str) -> str:
        return reply if reply == "accepted" else f"refused: {reply}"

    # ---- expectations

    def _expect(self, number: int, key: str, wanted, replies: list[str]) -> None:
        if key in UNSEEN:
            return
        if key == "reply":
            found = [r if w != "refused" else r.split(":")[0] for w, r in zip(_list(wanted), replies, strict=False)]
            found += replies[len(found) :]
            wanted = _list(wanted)
        elif key in ("told", "not_told"):
            wanted, found = self._told(key, wanted)
        else:
            wanted, found = getattr(self, f"_{key}")(wanted)
        if wanted != found:
            self.faults.append((number, key, wanted, found))

    def _told(self, key: str, wanted: dict):
        missing = []
        for who, notices in wanted.items():
            got = self.village.told(who)
            if key == "told":
                missing += [(who, n, got) for n in notices if not set(n) & BY_MAIL and _sorted(n) not in got]
            else:
                missing += [(who, kind) for kind in notices if any(kind in n for n in got)]
        return [], missing

    def _phase(self, wanted):
        return wanted, self.village.phase

    def _dead(self, wanted):
        return set(wanted), self.village.dead

    def _died(self, wanted):
        return set(wanted), self.village.died

    def _cause(self, wanted):
        return wanted, {name: self.village.cause(name) for name in wanted}

    def _revealed(self, wanted):
        shown = {x.seat: x.role for x in self.village.log if isinstance(x, e.Died)}
        for end in (x for x in self.village.log if isinstance(x, e.GameWon)):
            shown = dict(enumerate(end.roles, 1))
        return wanted, {name: shown.get(self.village.seat(name), "") for name in wanted}

    def _no_victim(self, wanted):
        return wanted == "true", self.village.found == []

    def _votes(self, wanted):
        return wanted, self.village.record

    def _forged(self, wanted):
        return wanted == "true", self.village.forged

    def _mayor(self, wanted):
        return wanted, self.village.mayor

    def _heir(self, wanted):
        return wanted, self.village.heir

    def _ineligible(self, wanted):
        return set(wanted), {p.name for p in self.village.game.players if p.ineligible}

    def _election(self, wanted):
        return wanted, self.village.election

    def _role(self, wanted):
        return wanted, {name: self.village.player(name).role for name in wanted}

    def _asked(self, wanted):
        return wanted, self.village.asked

    def _winner(self, wanted):
        return wanted, self.village.winner

    def _winners(self, wanted):
        return set(wanted), self.village.winners

    def _can(self, wanted):
        return {name: set(verbs) for name, verbs in wanted.items()}, {name: self.village.can(name) for name in wanted}


def _admin_line(line: str) -> str:
    """A storyteller's command, without ADMIN; '' if the line is none."""
    word, _, rest = line.partition(" ")
    if plain(word) == "ADMIN":
        return rest
    return line if verb_of(word, ADMIN_LEXICON) and word.islower() else ""


def _list(value) -> list:
    return value if isinstance(value, list) else [value]


def _sorted(notice: dict) -> dict:
    return {kind: sorted(what) if isinstance(what, list) else what for kind, what in notice.items()}
