"""A scenario played step by step: `play` returns what did not hold. One `Stage` a scenario, one clock."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Final

from pbem.app.desk import CLOSINGS
from pbem.engine.events import PhaseClosed
from pbem.engine.state import Phase
from pbem.rehearsal import mailwriter, moments
from pbem.rehearsal.cast import Cast
from pbem.rehearsal.checks import Failure, Found, failures
from pbem.rehearsal.mailwriter import Draft
from pbem.rehearsal.shapes import ScenarioError
from pbem.rehearsal.stage import CODE, Stage, Waiting

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pbem.app.handling import Handled
    from pbem.engine.state import Game
    from pbem.rehearsal.moments import Moment
    from pbem.rehearsal.scenario import Mail, Scenario, Step
    from pbem.store import OutboxRow

PATIENCE: Final = timedelta(days=120)
"""How long an event is waited for before it is said that it does not come."""
_PHASE_OF: Final = {
    "execution": Phase.DAY, "tie-break": Phase.TIE_BREAK, "sunset": Phase.SUNSET, "vision": Phase.VISION,
    "murder": Phase.VISION,
}  # fmt: skip


class CannotBe(Exception):  # noqa: N818 - it is the scenario's result, not a fault of the program
    """A step cannot be played: an event that cannot come any more, a letter to answer that never came."""


@dataclass
class Watch:
    """Who looks on: called with every mail in and every letter out, and at every step."""

    step: Callable[[Step, datetime], None] = lambda _step, _now: None
    mail: Callable[[bytes, datetime], None] = lambda _raw, _now: None
    letter: Callable[[OutboxRow, datetime], None] = lambda _row, _now: None


@dataclass
class _Marks:
    """Where things stood when a step began."""

    version: int
    game: Game
    replies: list[str] = field(default_factory=list)


def play(scenario: Scenario, watch: Watch | None = None) -> list[Failure]:
    """Play it to its end; every expectation that did not hold, in order.

    Raises ScenarioError (with the step's number) for a time that lies in the past, or a game that cannot be set up.
    """
    reader = any(step.mail is not None and step.mail.sender == "reader" for step in scenario.steps)
    stage = Stage(scenario.setting, reader=reader)
    try:
        return _Play(scenario, stage, watch or Watch()).all()
    finally:
        stage.close()


class _Play:
    def __init__(self, scenario: Scenario, stage: Stage, watch: Watch) -> None:
        self._scenario = scenario
        self._stage = stage
        self._watch = watch
        self._cast = Cast(scenario.setting)
        self._written = 0
        self._letters: list[OutboxRow] = []
        self._fresh: list[OutboxRow] = []
        self._seen = 0
        self._log = stage.events()
        self._marks = _Marks(len(self._log), stage.game)

    def all(self) -> list[Failure]:
        wrong: list[Failure] = []
        for step in self._scenario.steps:
            self._watch.step(step, self._stage.now)
            try:
                self._play(step)
            except CannotBe as why:
                return [*wrong, Failure(step.number, "until" if step.until else "mail", "it can be played", str(why))]
            except ScenarioError as fault:
                raise ScenarioError(str(fault), step.number) from None
            wrong += self._check(step)
        return wrong

    def _play(self, step: Step) -> None:
        if step.at is not None:
            self._at(step, self._moment(step.at))
        elif isinstance(step.until, str):
            self._until(step.until, step.late)
        elif step.until is not None:
            self._at(step, self._moment(step.until))

    def _moment(self, moment: Moment) -> datetime:
        found = moments.find(moment, self._stage.now, self._stage.zone)
        if found < self._stage.now:
            raise ScenarioError("bad time: that moment has passed")
        return found

    # --- time passes ----------------------------------------------------------------------------------------------

    def _at(self, step: Step, moment: datetime) -> None:
        stage = self._stage
        if step.mail is not None and step.mail.unread:
            stage.pass_unread(moment)
            stage.unread += [Waiting(moment, self._write(step.mail, moment))] * (2 if step.mail.repeat else 1)
            self._marks.replies = ["none"]
            return
        if not stage.unread or step.mail is not None:
            stage.pass_to(moment)
        stage.now = max(stage.now, moment)
        if step.mail is not None:
            self._mail(step.mail, moment)
        elif step.late is not None:
            self._late_poll(moment + step.late)
        if not stage.unread:
            stage.remind()

    def _late_poll(self, moment: datetime) -> None:
        """The mailbox is first read then: what was in it, then all that is due."""
        self._stage.now = moment
        self._stage.read_mailbox()
        while self._stage.what_is_due() is not None and self._stage.step(self._stage.now) is not None:
            pass

    def _until(self, event: str, late: timedelta | None) -> None:
        """Let time pass to the letters of that event, and not beyond."""
        stage = self._stage
        started, version = stage.now, stage.version()
        if event == "over" and stage.game.winner:
            raise CannotBe("the game is over already")
        while True:
            due = stage.next_due()
            if due is None:
                raise CannotBe(f"{event} cannot come any more: nothing is due in this game")
            if due > started + PATIENCE:
                raise CannotBe(f"{event} did not come within {PATIENCE.days} days")
            delayed = late is not None and self._is_its_moment(event, due)
            stage.now = max(stage.now, due + (late if delayed and late is not None else timedelta()))
            if delayed:
                stage.read_mailbox()
                if self._came(event, version):
                    return
            if event in {stage.step(due), "over" if stage.game.winner else ""}:
                return

    def _is_its_moment(self, event: str, due: datetime) -> bool:
        """Whether what is due then is that event, or something of the same moment that comes right before it."""
        stage, game = self._stage, self._stage.game
        what = stage.what_is_due(due)
        if what not in CLOSINGS:
            return False
        if event == "over":
            return stage.ends_with(due)
        return what == event or (game.phase is _PHASE_OF.get(event) and due == game.deadline)

    def _came(self, event: str, version: int) -> bool:
        if event == "over":
            return bool(self._stage.game.winner)
        return any(isinstance(e, PhaseClosed) and e.what == event for e in self._stage.events(version))

    # --- mails ----------------------------------------------------------------------------------------------------

    def _mail(self, mail: Mail, moment: datetime) -> None:
        raw = self._write(mail, moment)
        for _ in range(2 if mail.repeat else 1):
            self._watch.mail(raw, moment)
            handled = self._stage.deliver(raw, moment)
            self._marks.replies += self._replies(handled, raw, self._new_letters())
        self._marks.replies = self._marks.replies or ["none"]

    def _new_letters(self) -> list[OutboxRow]:
        """The letters written since this was last asked."""
        new = self._stage.letters(self._seen)
        self._seen = new[-1].id if new else self._seen
        self._fresh += new
        return new

    def _replies(self, handled: Handled, raw: bytes, new: list[OutboxRow]) -> list[str]:
        """What became of the mail's commands, if an answer to it really went out."""
        own = str(message_from_bytes(raw, policy=policy.compat32).get("Message-ID", "")).strip()
        answers = [row for row in new if _field(row.raw, b"In-Reply-To") == own.encode()]
        if not answers:
            return []
        words = {"accepted": "accepted", "held": "held"}
        return [words.get(o.status, f"refused: {o.code}") for o in handled.outcomes] or ["accepted"]

    def _write(self, mail: Mail, moment: datetime) -> bytes:
        if mail.raw is not None:
            return mail.raw
        self._written += 1
        draft = Draft(
            self._cast.mailbox(mail.sender), moment, self._written, subject=self._subject(mail.send), body=mail.body,
            html=mail.html, cc=[self._cast.mailbox(one) for one in mail.cc], authentic=not mail.forged, auto=mail.auto,
        )  # fmt: skip
        if mail.via_tag:
            draft = self._by_tag(draft, mail)
        if mail.confirms or mail.replies:
            draft = self._answering(draft, mail)
        return mailwriter.write(draft)

    def _subject(self, send: str) -> str:
        """`send` is the subject after the code; reply prefixes stand before it, as mail programs put them."""
        return f"[{CODE}] {send}" if send else ""

    def _by_tag(self, draft: Draft, mail: Mail) -> Draft:
        """From any address, to the personal tag; where tags stand in the subject, there (MAIL.md § 1)."""
        assert isinstance(mail.sender, str)
        tag = self._stage.tag(self._cast.seat_of(self._stage.game, mail.sender))
        sender = draft.sender if mail.forged else (draft.sender[0], mailwriter.ELSEWHERE)
        draft = replace(draft, sender=sender, authentic=False)
        if self._scenario.setting.options.get("tags") == "subject":
            return replace(draft, subject=f"[{CODE}:{tag}] {mail.send}")
        local, _, domain = mailwriter.GAME.partition("@")
        return replace(draft, to=f"{local}+{tag}@{domain}")

    def _answering(self, draft: Draft, mail: Mail) -> Draft:
        letter = self._letter_to(mail)
        answer = mailwriter.answer_to(letter.raw)
        body = f"{mail.body}\n\n{answer.quotation}" if mail.replies else mail.body or "Oui.\n"
        return replace(
            draft, to=answer.to, subject=draft.subject or answer.subject, body=body, in_reply_to=answer.in_reply_to,
            references=answer.references,
        )  # fmt: skip

    def _letter_to(self, mail: Mail) -> OutboxRow:
        """The last letter that the sender got, or the last that asks him to confirm."""
        who = mail.sender
        self._new_letters()
        mine = (
            self._cast.addresses(who)
            if isinstance(who, str) and self._cast.plays(who)
            else {self._cast.mailbox(who)[1]}
        )
        for row in reversed([*self._letters, *self._fresh]):
            if row.to in mine and (not mail.confirms or any("confirm" in notice for notice in row.notices)):
                return row
        raise CannotBe("there is no letter to answer" if mail.replies else "no letter asks for a confirmation")

    # --- what came of it ------------------------------------------------------------------------------------------

    def _check(self, step: Step) -> list[Failure]:
        stage, marks = self._stage, self._marks
        self._new_letters()
        new, self._fresh = self._fresh, []
        game, happened = stage.game, stage.events(marks.version)
        self._log += happened
        for row in new:
            self._watch.letter(row, stage.now)
        self._cast.note(marks.game, happened, game, stage.addresses())
        found = Found(self._cast, marks.game, game, self._log, new, marks.replies)
        wrong = failures(step.number, step.expect, found)
        self._letters += new
        self._marks = _Marks(len(self._log), game)
        return wrong


def _field(raw: bytes, name: bytes) -> bytes:
    """A header of a letter of ours: unfolded, as it stands."""
    head = raw.partition(b"\r\n\r\n")[0].replace(b"\r\n ", b" ")
    lines = (line.split(b":", 1) for line in head.split(b"\r\n"))
    return next((pair[1].strip() for pair in lines if len(pair) > 1 and pair[0].lower() == name.lower()), b"")
