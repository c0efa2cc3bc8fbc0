"""The pieces of an acknowledgement: what became of each command of one mail (MAIL.md §§ 5 and 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.engine.verbs import Args
from pbem.letters import seats, storyteller
from pbem.letters.acts import TAKES, noted
from pbem.letters.typography import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.state import Game
    from pbem.letters.acts import Act, Choice
    from pbem.letters.outcome import Outcome
    from pbem.letters.press import Sheet
    from pbem.letters.scene import Scene
    from pbem.letters.section import Section

ASKING = {"STATUS": "status", "HELP": "help", "RULES": "rules"}
"""Verbs that ask for something to read, and the section that answers."""
_SHOWN = 60
"""Characters of a command that a subject repeats."""
_MISWRITTEN = frozenset({"missing-argument", "unknown-command", "not-a-choice", "bad-name", "name-taken"})
"""Refusals after which it helps to see how the verb is written."""


class Replies:
    """Answers the commands of one mail, in one scene."""

    def __init__(self, scene: Scene, game: Game, seat: int, *, admin: bool) -> None:
        self.scene = scene
        self._game = game
        self._seat = seat
        self._admin = admin

    def learned(self, outcomes: Sequence[Outcome]) -> list[Section]:
        """What the writer is told in private because of his own mail."""
        if self.scene.view is None:
            return []
        events = [event for outcome in outcomes for event in outcome.events]
        return seats.sections(events, self._seat, self.scene.view, acting=True)

    def answer(self, outcome: Outcome) -> list[Sheet]:
        """The pieces that answer one command."""
        if outcome.status == "refused":
            return self._refusal(outcome)
        if outcome.status == "held":
            return [self.scene.render("letters/held", self._asked(outcome))]
        if self._admin and outcome.verb == "STATUS":
            return [self.scene.render("letters/state", storyteller.state(self._game, self.scene).facts)]
        if outcome.verb in ASKING and not self._admin:
            return [self._reading(outcome)]
        if outcome.verb == "WATCH":
            return [self.scene.render("letters/watching", {})]
        done = [self.scene.render("letters/done", self._done(outcome))]
        if _uncounted(outcome):
            done.append(self.scene.render(_refusal_folder(self.scene, outcome.code), self._why(outcome, "ELECT")))
        if outcome.code == "warning":
            done.append(self.scene.render("letters/warned", {"warnings": outcome.words.split()}))
        return done

    def _asked(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "asked": typed(self.scene, outcome, admin=self._admin),
            "verb_asked": outcome.verb,
            "wanted": outcome.args,
            "code": outcome.code,
            "words": clean(outcome.words),
        }

    def _reading(self, outcome: Outcome) -> Sheet:
        role = self.scene.room.cards.find(outcome.args) if outcome.args else None
        if role and outcome.verb != "STATUS":
            return self.scene.render("letters/role-card", {"role_asked": role})
        return self.scene.render(f"letters/{ASKING[outcome.verb]}", self._asked(outcome))

    def _done(self, outcome: Outcome) -> dict[str, Any]:
        act = self._act(outcome)
        context = "noted admin" if self._admin else "noted"
        ballot = next((ev for ev in outcome.events if isinstance(ev, e.OrderTaken) and ev.verb == "ELECT"), None)
        return {
            **self._asked(outcome),
            "said": self._said(outcome, context),
            "act": act,
            "effect": self._effect(outcome, act),
            "elected": self.scene.name(ballot.seats[0]) if ballot and outcome.verb == "SAY" else "",
            "uncounted": _uncounted(outcome),
        }

    def _said(self, outcome: Outcome, context: str) -> str:
        words = self.scene.words
        order = next((ev for ev in outcome.events if isinstance(ev, e.OrderTaken) and ev.verb == outcome.verb), None)
        if order:
            return noted(self.scene, order.verb, [self.scene.name(seat) for seat in order.seats], order.word)
        cancelled = next((ev for ev in outcome.events if isinstance(ev, e.OrderCancelled)), None)
        if cancelled:
            whose = self.scene.name(outcome.behalf[0]) if outcome.behalf else ""
            return words(context, "CANCEL", one=self.scene.verb(cancelled.verb), other=whose)
        died = next((ev for ev in outcome.events if isinstance(ev, e.Died)), None)
        one = self.scene.name(died.seat) if died and outcome.verb == "SMITE" else clean(outcome.args)
        for key in (f"{outcome.verb} {outcome.args.lower()}", outcome.verb):
            if words.has(context, key):
                return words(context, key, one=one, other="")
        return words("noted", "*", one=typed(self.scene, outcome, admin=self._admin))

    def _act(self, outcome: Outcome) -> Act | None:
        """What he can still do by that verb; what CANCEL freed, he may order again."""
        if self._admin:
            return None
        cancelled = next((ev.verb for ev in outcome.events if isinstance(ev, e.OrderCancelled)), "")
        verb = cancelled or outcome.verb
        return next((act for act in self.scene.acts if act.verb == verb), None)

    def _effect(self, outcome: Outcome, act: Act | None) -> str:
        words = self.scene.words
        if outcome.verb == "CANCEL" or act is None or not words.has("effect", outcome.verb):
            return ""
        return words("effect", outcome.verb)

    def _refusal(self, outcome: Outcome) -> list[Sheet]:
        """Why, and what can be done instead; of an ORDER, what its player would have been told."""
        facts = self._why(outcome, outcome.verb)
        why = self._why(outcome, outcome.behalf[1]) if outcome.behalf else facts
        who = self.scene.face(outcome.behalf[0]) if outcome.behalf else None
        return [
            self.scene.render("letters/refused", {**facts, "who": who}),
            self.scene.render(_refusal_folder(self.scene, outcome.code), why),
            self.scene.render("letters/instead", facts),
        ]

    def _why(self, outcome: Outcome, verb: str) -> dict[str, Any]:
        tried = next((word for word in outcome.suggestions if not verb and word in TAKES), "")
        act = None if self._admin else next((act for act in self.scene.acts if act.verb == (verb or tried)), None)
        return {
            **self._asked(outcome),
            "verb_asked": verb,
            "verb_word": self.scene.verb(verb) if self.scene.words.has("verb", verb) else clean(verb),
            "tried": self.scene.verb(tried) if tried else "",
            "act": act,
            "reported": any(isinstance(event, e.Intruded) for event in outcome.events),
            "suggestions": [] if tried else [self._suggested(word) for word in outcome.suggestions],
            "nearest": () if self._admin else self._nearest(outcome, verb or tried, act),
        }

    def _suggested(self, word: str) -> str:
        """A name, or a verb in the reader's language."""
        return self.scene.verb(word) if self.scene.words.has("verb", word) else clean(word)

    def _nearest(self, outcome: Outcome, verb: str, act: Act | None) -> tuple[Choice, ...]:
        """The nearest valid forms: what was perhaps meant, else all that this verb may name now, else how it is
        written.
        """
        scene = self.scene
        suggested = [clean(name) for name in outcome.suggestions if outcome.verb]
        if suggested and act and act.open_now and verb in TAKES and TAKES[verb] is not Args.TWO_PLAYERS:
            taken = {choice.line for choice in act.choices}
            meant = (scene.choice(name, verb, name) for name in suggested)
            return tuple(one for one in meant if one.line in taken) or act.choices
        if act:
            return act.choices if act.open_now else ()
        form = self._forms().get(verb, ()) if outcome.code in _MISWRITTEN else ()
        return tuple(scene.sending(line, line) for line in form)

    def _forms(self) -> dict[str, tuple[str, ...]]:
        """How the verbs are written whose words are no players' names."""
        scene = self.scene
        return {
            "JOIN": (scene.line("JOIN", scene.words("offer", "NAME")),),
            "LANG": tuple(scene.line("LANG", language) for language in scene.room.languages),
            "MAIL": tuple(scene.line("MAIL", scene.words("mail", key)) for key in ("posts", "daily", "digest")),
            "CANCEL": tuple(act.cancel.line for act in scene.acts if act.cancel and act.open_now),
            **{
                verb: (scene.verb(verb),) for verb in ("STATUS", "HELP", "RULES", "LEAVE", "WATCH", "UNWATCH", "ABSENT")
            },
        }


def _uncounted(outcome: Outcome) -> bool:
    """FINE-20: a post whose last sentence would elect, but is no ballot."""
    return outcome.verb == "SAY" and bool(outcome.code)


def _refusal_folder(scene: Scene, code: str) -> str:
    """The code's folder of words; a code without one still gets an answer."""
    folder = f"refusals/{code}"
    return folder if code and scene.room.has(folder) else "refusals/other"


def typed(scene: Scene, outcome: Outcome, *, admin: bool) -> str:
    """The command as it would be typed in this language, with what followed it as it was typed."""
    if not outcome.verb and outcome.args in TAKES:
        return scene.verb(outcome.args)
    word = scene.verb(outcome.verb) if scene.words.has("verb", outcome.verb) else clean(outcome.verb)
    args = scene.words.get("mail", outcome.args) if outcome.verb == "MAIL" else ""
    line = " ".join(part for part in ("ADMIN" if admin else "", word, args or clean(outcome.args)) if part)
    return " ".join(line.split())


def title(scene: Scene, outcomes: Sequence[Outcome]) -> str:
    """The subject of an acknowledgement; it begins with no verb."""
    if len(outcomes) != 1:
        return scene.words("subject", "several", n=len(outcomes))
    outcome = outcomes[0]
    if outcome.status == "accepted" and outcome.verb in ASKING:
        return scene.words("subject", outcome.verb)
    line = typed(scene, outcome, admin=False)
    return scene.words("subject", outcome.status, line=line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…")
