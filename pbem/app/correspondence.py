"""How somebody is written to: LANG, MAIL, ADDRESS (MAIL.md § 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pbem.app import addresses
from pbem.app.deeds import Deed, barred, nothing_happens, refused
from pbem.app.desk import Refusal
from pbem.orders.words import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.app.deeds import Asking, Events
    from pbem.orders.grammar import Spoken

_LANGUAGES: Final = {
    **dict.fromkeys(("fr", "francais", "french"), "fr"),
    **dict.fromkeys(("en", "english", "anglais"), "en"),
}
_AMOUNTS: Final = {
    **dict.fromkeys(("posts", "post", "tout", "all"), "posts"),
    **dict.fromkeys(("daily", "quotidien", "jour"), "daily"),
    **dict.fromkeys(("digest", "digests", "resume", "resumes"), "digest"),
}
_REMINDERS: Final = {
    **dict.fromkeys(("reminders", "reminders on", "with reminders", "rappels", "avec rappels"), "reminders"),
    **dict.fromkeys(("no reminders", "reminders off", "without reminders", "sans rappels"), "no reminders"),
}


def language(asking: Asking, spoken: Spoken) -> Deed:
    """LANG fr or en, or the code of another language that there are letters in."""
    others = {code: code for code in asking.desk.office.scribe.languages}
    return _setting(asking, spoken, "language", {**others, **_LANGUAGES})


def amount(asking: Asking, spoken: Spoken) -> Deed:
    """MAIL posts, daily or digest; a player also: no reminders, or reminders (MAIL.md § 5)."""
    if asking.party.role == "player" and fold(spoken.args) in _REMINDERS:
        return _setting(asking, spoken, "reminders", _REMINDERS, lambda value: value == "reminders")
    return _setting(asking, spoken, "amount", _AMOUNTS)


def _setting(
    asking: Asking, spoken: Spoken, name: str, words: dict[str, str], meant: Callable[[str], object] = str
) -> Deed:
    value = words.get(fold(spoken.args))
    if value is None:
        code = "not-a-choice" if spoken.args else "missing-argument"
        because = barred(asking.desk, over=False)
        return refused(spoken.verb, spoken.args, because.code if because else code, spoken.args)

    def act() -> Events:
        _change(asking, **{name: meant(value)})
        return ()

    return Deed(spoken.verb, value, lambda: barred(asking.desk, over=False), act)  # said back as it was understood


def _change(asking: Asking, **changes: Any) -> None:
    """Write down something about the writer, player or reader."""
    desk, party = asking.desk, asking.party
    if party.role == "player":
        desk.tx.set_player(desk.game_id, party.seat, **changes)
    else:
        desk.tx.set_reader(desk.game_id, party.address, **changes)
    desk.people_changed()


def address(asking: Asking, spoken: Spoken) -> Deed:
    """ADDRESS: held until it is confirmed from the old address and from the new one (`confirm.hold_address`)."""

    def objection() -> Refusal | None:
        new = addresses.typed(spoken.args)
        game = asking.desk.office.settings.game
        if (because := barred(asking.desk, over=False)) is not None:
            return because
        if not spoken.args:
            return Refusal("missing-argument")
        mine = new == asking.party.address or addresses.ours(game, new)
        return Refusal("not-a-choice", spoken.args) if not new or mine else None

    return Deed(spoken.verb, spoken.args, objection, nothing_happens, "consent")
