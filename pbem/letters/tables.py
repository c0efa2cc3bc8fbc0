"""Rows for the kit's tables and charts, made of views: who lives, who voted how, what stands on record, when things
end.

A `Tables` belongs to a scene; its methods are names that every template has. All texts are in the scene's language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.roles import ROSTER
from pbem.letters.acts import standing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

    from pbem.engine.chronicle import Deed
    from pbem.engine.view import Face
    from pbem.letters.acts import Act
    from pbem.letters.book import Correspondent
    from pbem.letters.scene import Scene

Rows = list[tuple[Any, ...]]
PAIRED = ("FORCE", "SACRIFICE", "PAIR")
PAIR = 2
DAY = 24 * 60
"""Minutes."""
NAMES = (
    *("deadlines", "graves", "everybody", "epitaphs", "tallied", "cast", "voted", "roles_in_play", "weekly"),
    *("records", "powers", "standing_rows", "act_rows", "done_rows", "spent_words", "hours", "rule_book"),
    *("deed_rows", "dice_lines", "amount", "reminding"),
)
"""What templates may call."""


class Tables:
    """The rows of one scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._words = scene.words

    # --- everybody's --------------------------------------------------------------------------------------------

    def deadlines(self) -> Rows:
        """What will close next, and when: what is certain, and the murder, which ends the turn."""
        coming = [
            closing for closing in self._scene.coming.values() if closing.sure or closing.key in {"sunset", "murder"}
        ]
        return [(self._words("deadline", closing.key), self._scene.clock.closing(closing)) for closing in coming]

    def weekly(self) -> str:
        """CAL-1: when executions take place, every week: days of one hour together."""
        clock, days = self._scene.clock, dict[int, list[int]]()
        for day, minute in self._scene.game.options.executions:
            days.setdefault(minute, []).append(day)
        return ", ".join(
            self._words("date", "weekly", day=self._scene.listed(clock.weekdays(some)), hour=clock.minute(minute))
            for minute, some in days.items()
        )

    def graves(self) -> Rows:
        """The dead, with their roles, in the order of their deaths as far as it is known."""
        dead = [face for face in self._scene.game.faces if not face.alive]
        return [(face.name, self._role(face), self._fate(face)) for face in sorted(dead, key=lambda face: face.died)]

    def everybody(self) -> Rows:
        """All players, for the end."""
        return [(face.name, self._role(face), self._fate(face)) for face in self._scene.game.faces]

    def epitaphs(self, faces: Iterable[Face]) -> list[str]:
        """Who was found dead, and what he was."""
        return [
            self._words("fate", "epitaph", name=face.name, role=self._scene.role_of(face, "indefinite"))
            for face in faces
        ]

    def tallied(self, tally: Iterable[tuple[int, int]]) -> Rows:
        """Bars: name, number, number of votes in words."""
        return [(self._scene.name(seat), n, self._words.count("vote", n)) for seat, n in tally]

    def cast(self, ballots: Iterable[tuple[int, int]]) -> Rows:
        """Who elected whom."""
        return [(self._scene.name(voter), self._scene.name(candidate)) for voter, candidate in ballots]

    def voted(self, record: Iterable[tuple[int, int, str]]) -> Rows:
        """Who voted for whom (VOTE-6): blanks, and votes against oneself, are shown as such."""
        return [
            (self._scene.name(voter), self._scene.name(target) if how == "vote" else self._words("label", how))
            for voter, target, how in record
        ]

    def roles_in_play(self, composition: Iterable[tuple[str, int]]) -> Rows:
        """Roles and how many players have each."""
        return [(self._scene.role(slug), n) for slug, n in composition]

    def _role(self, face: Face) -> str:
        return self._scene.role_of(face) if face.role else ""

    def _fate(self, face: Face) -> str:
        if face.alive:
            return self._words.gendered("cause", "living", face.gender)
        cause = self._words.gendered("cause", face.cause, face.gender)
        return self._words("fate", "day", cause=cause, turn=face.died)

    # --- after the end ------------------------------------------------------------------------------------------

    def deed_rows(self, deeds: Iterable[Deed]) -> Rows:
        """WIN-8: whose order, which, and what came of it."""
        return [(self._author(deed), self._ordered(deed), self._came_of(deed)) for deed in deeds]

    def _author(self, deed: Deed) -> str:
        return self._scene.name(deed.seat) if deed.seat else self._words("label", "storyteller")

    def _ordered(self, deed: Deed) -> str:
        names = [self._scene.name(seat) for seat in deed.seats]
        if deed.verb in PAIRED and len(names) == PAIR:
            names = [self._scene.both(deed.verb, *names)]
        role = [self._scene.role(deed.word)] if deed.word in ROSTER else []
        return self._scene.line(deed.verb, *names, *role)

    def _came_of(self, deed: Deed) -> str:
        for number, role in deed.seen:
            if deed.verb == "ASK":
                return self._words("deed", "counted", number=number, role=self._scene.role(role))
            if not role:
                return self._words("deed", "glimpsed", name=self._scene.name(number))
            seen = self._scene.role(role, self._scene.face(number).gender, "indefinite")
            return self._words("deed", "saw", name=self._scene.name(number), role=seen)
        return self._words("deed", deed.effect or "none")

    def dice_lines(self, draws: Iterable[tuple[str, str]]) -> list[str]:
        """One line a draw: what it was for, and what fell."""
        return [f"{purpose}: {value}" for purpose, value in draws]

    # --- one's own ----------------------------------------------------------------------------------------------

    def records(self) -> Rows:
        """His standing orders: the verb, and what it says."""
        view = self._scene.view
        return [(self._scene.verb(order.verb), standing(self._scene, order)) for order in (view.orders if view else ())]

    def powers(self) -> Rows:
        """What he can still do, each with its hours."""
        return [(act.word, self._scene.until(act)) for act in self._scene.acts]

    def standing_rows(self) -> Rows:
        """STATUS: what he is and has."""
        scene, words, view = self._scene, self._words, self._scene.view
        if view is None:
            return [(words("label", "phase"), words("phase", scene.game.phase))]
        me = view.face
        rows: Rows = [(words("label", "name"), words("fate", "seat", name=me.name, seat=me.seat))]
        if view.role:
            rows.append((words("label", "role"), scene.role(view.role, me.gender)))
        rows.append((words("label", "phase"), self._moment()))
        if view.pack:
            rows.append((words("label", "pack"), scene.names(view.pack)))
        if view.lovers:
            rows.append((words("label", "lover"), scene.names(view.lovers)))
        if me.mayor:
            rows.append((words("label", "heir"), scene.names([view.heir] if view.heir else [])))
        if view.spent:
            rows.append((words("label", "spent"), scene.listed(self.spent_words())))
        if me.immune:
            rows.append((words("label", "immunity"), words("label", "yes")))
        if me.alive and view.role:
            rows.append((words("label", "posted"), words("label", "yes" if view.posted else "no")))
            rows.append((words("label", "missed"), view.missed_votes))
        if view.excused:
            rows.append((words("label", "excused"), words("label", "yes")))
        rows.append((words("label", "mail"), self.amount()))
        return rows

    def _moment(self) -> str:
        game = self._scene.game
        phase = self._words("phase", game.phase)
        return self._words("fate", "moment", phase=phase, turn=game.turn) if game.turn else phase

    def act_rows(self, act: Act) -> Rows:
        """A verb's record and hours; what works at once leaves no record."""
        hours = [(self._words("label", "when"), self._scene.until(act))]
        if act.opens:
            return [(self._words("label", "opens"), self._scene.clock.full(act.opens)), *hours]
        if not act.standing and not self._words.has("effect", act.verb):
            return hours
        return [(self._words("label", "recorded"), act.standing or self._words("label", "nothing")), *hours]

    def done_rows(self, act: Act, effect: str) -> Rows:
        """What stands after a command, until when it can be changed, and when it takes effect."""
        rows: Rows = [(self._words("label", "recorded"), act.standing)] if act.standing else []
        if act.open_now:
            rows.append((self._words("label", "until"), self._scene.until(act)))
        return [*rows, (self._words("label", "effect"), effect)] if effect else rows

    def amount(self) -> str:
        """How much mail he gets (MAIL)."""
        own = self._own()
        return self._words("amount", own.amount if own else "posts")

    def reminding(self) -> str:
        """The word after MAIL that turns his reminders off, or on again."""
        own = self._own()
        return "no reminders" if own is None or own.reminders else "reminders"

    def _own(self) -> Correspondent | None:
        """How he is written to; None for who has no seat."""
        view = self._scene.view
        return self._scene.book.seats.get(view.seat) if view else None

    def spent_words(self) -> list[str]:
        """The verbs of powers that are gone."""
        view = self._scene.view
        return [self._scene.verb(verb) for verb in sorted(view.spent)] if view else []

    # --- pages --------------------------------------------------------------------------------------------------

    def hours(self, text: str) -> str:
        """A card's text with the hours of this game for {execution}, {sunset} and {vision}."""
        return text.format_map(self._hours()) if "{" in text else text

    def _hours(self) -> dict[str, str]:
        clock, options = self._scene.clock, self._scene.game.options
        coming = {closing.key: clock.hour(closing.at) for closing in self._scene.coming.values()}
        first = options.executions[0][1] * 60
        usual = {
            "execution": first,
            "sunset": first + options.sunset,
            "vision": first + options.sunset + options.vision,
        }
        return {**{key: clock.minute(seconds // 60 % DAY) for key, seconds in usual.items()}, **coming}

    def rule_book(self) -> tuple[str, Markup]:
        """The whole rule book, as text and as HTML."""
        return self._scene.room.rules()
