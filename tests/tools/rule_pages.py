"""The rules of each game by their numbers, in ``docs/rules``: told where, kept where, tested where.

``python -m tests.tools.rule_pages`` writes the pages anew. Code and refusals cite the number of a
rule, tests name it, and a refusal leads to the chapter that tells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from bot.presenters.rulebook import chapter_title
from games.core import Game
from games.core.shelf import shelf

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "rules"
RULES = {
    "cirya": {"C": 22, "R": 6},
    "niya": {"N": 9, "S": 6},
    "shogi": {"H": 26},
    "storilljudhjorrayc": {"Z": 15, "G": 19},
    "parchis": {"P": 16, "B": 14},
}
"""The rules of each game: how many have a letter. The second letters are those where its author is
silent."""

MOST = 3
"""How many places of the code and tests are named for a rule at most."""

_NUMBER = re.compile(r"\b([A-Z])(\d{1,2})(?:(?:–|-|\.\.\.?| to )\1?(\d{1,2}))?\b")
_NAMED = re.compile(r"(?<=_)([a-z])(\d{1,2})(?:_to_([a-z])(\d{1,2}))?(?=_|\b)")
_REFUSED = re.compile(r'Refusal\(\s*"([A-Z]\d{1,2})"')


@cache
def named_in_tests() -> Mapping[str, tuple[str, ...]]:
    """The tests that name each rule, in their names or in what they say of themselves."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        where, text = file.relative_to(ROOT).as_posix(), file.read_text("utf-8")
        about = re.match(r'"""(.*?)"""', text, re.DOTALL)
        for rule in numbers(about[1]) if about else ():
            found.setdefault(rule, []).append(where)
        for name, said in re.findall(r'def (test_\w+)\(.*?\n(?:    """(.*?)""")?', text):
            for first, low, _, high in _NAMED.findall(name):
                for number in range(int(low), int(high or low) + 1):
                    found.setdefault(f"{first.upper()}{number}", []).append(f"{where}::{name}")
            for rule in numbers(said):
                found.setdefault(rule, []).append(f"{where}::{name}")
    return {rule: tuple(sorted(set(places), key=_exact)) for rule, places in found.items()}


def _exact(place: str) -> tuple[bool, str]:
    """Tests before the files that name a rule as a whole."""
    return "::" not in place, place


def numbers(text: str) -> Iterator[str]:
    """The rules that *text* cites."""
    for letter, low, high in _NUMBER.findall(text):
        for number in range(int(low), int(high or low) + 1):
            yield f"{letter}{number}"


@cache
def kept(game: str) -> Mapping[str, tuple[str, ...]]:
    """The modules of *game* that cite each rule."""
    found: dict[str, dict[str, None]] = {}
    for file in sorted((ROOT / "games" / game).rglob("*.py")):
        for rule in numbers(file.read_text("utf-8")):
            found.setdefault(rule, {})[file.relative_to(ROOT).as_posix()] = None
    return {rule: tuple(places) for rule, places in found.items()}


@cache
def refused(game: str) -> frozenset[str]:
    """The rules of *game* by which something is refused."""
    texts = (file.read_text("utf-8") for file in (ROOT / "games" / game).rglob("*.py"))
    return frozenset(rule for text in texts for rule in _REFUSED.findall(text))


def rules(game: str) -> list[str]:
    """The numbers of the rules of *game*, in order."""
    return [
        f"{letter}{number}" for letter, most in RULES[game].items() for number in range(1, most + 1)
    ]


def page(game: Game) -> str:
    """The rules of *game* in a table."""
    lines = [
        f"# The rules of {game.title} by their numbers",
        "",
        "Written by `python -m tests.tools.rule_pages`.",
        "",
        "| rule | told in | code | tests | refuses |",
        "|---|---|---|---|---|",
    ]
    for rule in rules(game.key):
        title = chapter_title(game, "en", rule)
        told = f"[{title}](../play/en/{game.key}.md)" if title else ""
        code, tests = kept(game.key).get(rule, ()), named_in_tests().get(rule, ())
        cells = [
            rule,
            told,
            _places(code),
            _places(tests),
            "yes" if rule in refused(game.key) else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _places(places: tuple[str, ...]) -> str:
    return "<br>".join(f"`{one}`" for one in places[:MOST])


def pages() -> dict[str, str]:
    """All pages by their names."""
    return {f"{game.key}.md": page(game) for game in shelf().values()}


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
