"""The rule book as a page: `docs/rules.fr.md` and `docs/rules.en.md`, built from the texts that the letters use.

`python docs/build_rules.py` writes both pages. The book is `templates/rules/<language>.md`; behind it stands each
role's card (`templates/roles/<slug>/<language>.toml`) under both genders' names, with the hours of a game that changes
none (CAL-1, CAL-4). Nothing is written in the pages themselves; a test fails when they are older than their sources.
"""  # noqa: INP001 -- a script beside the pages, not a package

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("fr", "en")
ORDER = (
    *("villager", "seer", "prescient", "militia", "little-child", "forger", "telepath", "executioner", "sandman"),
    *("nosy-neighbour", "investigator", "matchmaker", "ghost"),
    *("werewolf", "corrupter", "shaman", "pack-leader", "traitor"),
    "beast",
)
HOURS = {
    "fr": {"execution": "22\u00a0h", "sunset": "22\u00a0h\u00a030", "vision": "23\u00a0h"},
    "en": {"execution": "22:00", "sunset": "22:30", "vision": "23:00"},
}
NOTICE = "<!-- Built by docs/build_rules.py from templates/rules/ and templates/roles/: change those. -->\n"


def page(language: str) -> str:
    """The whole page, in Markdown: the book, then the cards in the order of `ORDER`."""
    templates = Environment(
        loader=FileSystemLoader(ROOT / "templates" / "rules"),
        undefined=StrictUndefined,
        trim_blocks=True,
        autoescape=False,  # noqa: S701 -- Markdown of our own, not HTML of others
    )
    template = templates.get_template(f"card.{language}.md.j2")
    book = (ROOT / "templates" / "rules" / f"{language}.md").read_text(encoding="utf-8")
    cards = (template.render(**_card(slug, language)) for slug in ORDER)
    return "\n".join([NOTICE, book, *(f"{card.strip()}\n" for card in cards)])


def _card(slug: str, language: str) -> dict[str, Any]:
    card = tomllib.loads((ROOT / "templates" / "roles" / slug / f"{language}.toml").read_text(encoding="utf-8"))
    names = dict.fromkeys((card["name"]["m"], card["name"]["f"]))
    title = ", ".join(names)
    return {key: _filled(value, HOURS[language]) for key, value in card.items()} | {
        "title": title[0].upper() + title[1:]
    }


def _filled(value: Any, hours: dict[str, str]) -> Any:
    """`value` with its hours, and in the masculine, which French takes for a reader it does not know."""
    match value:
        case str():
            return value.format(**hours)
        case list():
            return [_filled(item, hours) for item in value]
        case {"m": masculine, "f": _}:
            return _filled(masculine, hours)
        case dict():
            return {key: _filled(item, hours) for key, item in value.items()}
    return value


def main() -> None:
    """Write both pages."""
    for language in LANGUAGES:
        (ROOT / "docs" / f"rules.{language}.md").write_text(page(language), encoding="utf-8")


if __name__ == "__main__":
    main()
