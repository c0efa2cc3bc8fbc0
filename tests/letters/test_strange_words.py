"""Whatever people write, a letter comes of it, and what they wrote stays text in both parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine import events as e
from pbem.engine.roles import LEXICON
from pbem.letters.outcome import Outcome
from pbem.letters.typography import clean
from tests.letters.gallery import CODES, evolved
from tests.letters.reading import page, words
from tests.letters.village import MONDAY, SCRIBE, Village

if TYPE_CHECKING:
    from pbem.post import Letter

VILLAGE = Village()
VILLAGE.start()
SPICES = (
    "<script>alert(1)</script>",
    "{{ 7*7 }}",
    "{% raw %}",
    "\x02\x0e",
    "&amp;",
    "\u202e",
    "%s {0}",
    "!vote x",
    "> ",
    "'\"",
)
TEXT = st.lists(st.one_of(st.text(max_size=40), st.sampled_from(SPICES)), max_size=6).map("".join)
NAMES = st.lists(TEXT, max_size=2).map(tuple)


def _sound(letter: Letter) -> None:
    rich = page(letter)
    assert not rich.tags & {"script", "img", "iframe"}
    assert clean(letter.text) == letter.text
    assert not any(
        line.startswith("!")
        for line in letter.text.split("\n")
        if letter.kind not in {"post", "pack-talk", "graveyard-talk"}
    )
    for link in rich.links:
        assert link.address.startswith("lune")


@settings(max_examples=60, deadline=None)
@given(text=TEXT, name=TEXT)
def test_in_posts_questions_and_tales(text: str, name: str) -> None:
    events = (
        e.Posted(1, text, MONDAY),
        e.PackTalked(2, 4, text),
        e.GraveyardTalked(0, name, text, MONDAY, (3,)),
        e.QuestionAsked(0, 0, name, text),
        e.AbsenceAsked(0, 1, name, text),
        e.Told(5, text),
        e.Announced(text),
        e.Died(3, "heart-attack", "villager", 1, text),
    )
    letters = SCRIBE.batch(events, VILLAGE.game, evolved(VILLAGE.game, events), VILLAGE.book, at=MONDAY)
    assert len(letters) >= 6
    for letter in letters:
        _sound(letter)
    post = next(letter for letter in letters if letter.kind == "post")
    assert words(clean(text)) <= words(post.text)
    assert words(clean(text)) <= words(page(post).text)


@settings(max_examples=100, deadline=None)
@given(
    verb=st.sampled_from([*(verb.name for verb in LEXICON), "", "NONSENSE"]),
    args=TEXT,
    status=st.sampled_from(["accepted", "refused", "held"]),
    code=st.sampled_from([*CODES, ""]),
    unread=TEXT,
    suggestions=NAMES,
    seat=st.integers(1, 5),
)
def test_in_commands(verb, args, status, code, unread, suggestions, seat) -> None:
    outcome = Outcome(verb, args, status, code, unread, suggestions)
    letter = SCRIBE.acknowledge([outcome], VILLAGE.game, VILLAGE.game, VILLAGE.book, seat, at=MONDAY)
    _sound(letter)
    assert "\n" not in letter.subject
    held = SCRIBE.confirm(
        "0" * 16, [outcome], VILLAGE.book.seats[seat], VILLAGE.book, at=MONDAY, seat=seat, game=VILLAGE.game
    )
    _sound(held)
