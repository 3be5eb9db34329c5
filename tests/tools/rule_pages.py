"""The rules of each game by their numbers, in ``docs/rules``: told, kept, tested, refused, shown.

``python -m tests.tools.rule_pages`` writes the pages anew. Code and refusals cite the number of a
rule, tests name it, a refusal leads to the chapter that tells it, and ``docs/rules/examples`` has
each rule in a sentence with a moment that shows it.
"""

from __future__ import annotations

import ast
import io
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from PIL import Image

from bot.presenters.rulebook import chapter_title
from bot.presenters.school.exercises import posed_table
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer, seated_by_side
from bot.session.table import ENDED
from bot.texts import LANGUAGES, language
from games.core import Game, IllegalMove, Position, Refusal, Seat
from games.core.move_parsing import read_move
from games.core.shelf import shelf
from render.kit import paint
from render.scene import Last

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "rules"
PICTURES = FOLDER / "pictures"
WIDTH = 288
"""How wide a picture of the pages is."""

RULES = {
    "cirya": {"C": 22, "R": 6},
    "niya": {"N": 9, "S": 6},
    "shogi": {"H": 26},
    "storilljudhjorrayc": {"Z": 15, "G": 20},
    "parchis": {"P": 16, "B": 14},
}
"""The rules of each game: how many have a letter. The second letters are those where its author is
silent."""

MOST = 3
"""How many places of the code and tests are named for a rule at most."""

_NAMES = ast.ClassDef | ast.FunctionDef
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


def _exact(place: str) -> tuple[bool, bool, str]:
    """What has a name before whole files, and rules before what stands on them."""
    return "::" not in place, "/rules.py" not in place and place.startswith("games"), place


def numbers(text: str) -> Iterator[str]:
    """The rules that *text* cites."""
    for letter, low, high in _NUMBER.findall(text):
        for number in range(int(low), int(high or low) + 1):
            yield f"{letter}{number}"


@cache
def kept(game: str) -> Mapping[str, tuple[str, ...]]:
    """The places of *game* that cite each rule: file and, where one has it, class or function."""
    found: dict[str, dict[str, None]] = {}
    for file in sorted((ROOT / "games" / game).rglob("*.py")):
        text, where = file.read_text("utf-8"), file.relative_to(ROOT).as_posix()
        named = [one for one in ast.walk(ast.parse(text)) if isinstance(one, _NAMES)]
        for number, line in enumerate(text.splitlines(), 1):
            around = [one for one in named if one.lineno <= number <= (one.end_lineno or 0)]
            place = f"{where}::{around[-1].name}" if around else where
            for rule in numbers(line):
                found.setdefault(rule, {})[place] = None
    return {rule: tuple(sorted(places, key=_exact)) for rule, places in found.items()}


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


@dataclass(frozen=True)
class Example:
    """A rule in a sentence, and a moment that shows it: a start, moves, and what is refused."""

    rule: str
    says: str
    position: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    played: Sequence[str] = ()
    refused: str = ""


@cache
def examples(game: str) -> tuple[Example, ...]:
    """The rules of *game* in order, as its file tells them.

    What stands on top goes for each. Moves are a list, or words.
    """
    told = tomllib.loads((FOLDER / "examples" / f"{game}.toml").read_text("utf-8"))
    common = {key: told.pop(key) for key in ("position", "options") if key in told}
    found = []
    for rule, about in told.items():
        played = about.pop("played", ())
        moves = tuple(played.split() if isinstance(played, str) else played)
        found.append(Example(rule, **{**common, **about}, played=moves))
    return tuple(found)


def moment(game: Game, example: Example) -> tuple[Position[Any], tuple[Last, ...]]:
    """The position that *example* leads to, and its last move; raises a ``RuleError``."""
    position, last = _start(game, example), ()
    for text in example.played:
        seat = _mover(position)
        try:
            move = read_move(game, position, seat, text)
        except IllegalMove:
            # What a table lets an illegal move cost (H17).
            move = game.notation.penalty(position, seat, text)
            if move is None:
                raise
        last = (Last(position.seen_by(None), seat, move),)
        position = position.after(move)
    return position, last


def _start(game: Game, example: Example) -> Position[Any]:
    if example.position:
        return game.notation.read(example.position, game.chosen(example.options))
    return game.start(game.setting(example.options))


def _mover(position: Position[Any]) -> Seat:
    return min(position.actors() or {0})


def refusal_of(game: Game, example: Example) -> Refusal | None:
    """What is said to *example*, where somebody tries what may not be."""
    if not example.refused:
        return None
    position, _ = moment(game, example)
    return game.speech.refusal(position, max(_mover(position), 0), example.refused)


def picture_name(game: Game, example: Example) -> str:
    """The file of the picture of *example*; another moment has another name."""
    shown = (example.position, sorted(example.options.items()), example.played)
    return f"{game.key}-{sha256(repr(shown).encode()).hexdigest()[:8]}.webp"


def composer_of(game: Game, example: Example, code: str) -> Composer:
    """Composes what is said and shown of *example* in the language *code*."""
    position, _ = moment(game, example)
    sides = game.notation.sides(position) or game.setting().sides
    players = seated_by_side(game.key, sides, language(code))
    table = replace(posed_table(game, example.options, players, position), status=ENDED)
    return Composer(table, Viewer(language=code), b"")


def picture(game: Game, example: Example) -> bytes:
    """The moment of *example* as our painter paints it, small."""
    position, last = moment(game, example)
    whole = paint(composer_of(game, example, "en").past(position.seen_by(None), last))
    small = whole.convert("RGB").resize(
        (WIDTH, WIDTH * whole.height // whole.width), Image.Resampling.LANCZOS
    )
    small.save(file := io.BytesIO(), "WEBP", quality=50, method=6)
    return file.getvalue()


def page(game: Game) -> str:
    """The rules of *game*: what each says, where it is kept and tested, refused and shown."""
    lines = [
        f"# The rules of {game.title} by their numbers",
        "",
        "Written by `python -m tests.tools.rule_pages` from `examples`.",
    ]
    for example in examples(game.key):
        lines += ["", f"## {example.rule}", "", example.says, "", *_about(game, example)]
    return "\n".join(lines) + "\n"


def _about(game: Game, example: Example) -> Iterator[str]:
    rule = example.rule
    if title := chapter_title(game, "en", rule):
        yield f"- Told to players in [{title}](../play/en/{game.key}.md)"
    yield f"- Code: {_places(kept(game.key).get(rule, ())) or 'not of the game but of its table'}"
    yield f"- Tests: {_places(named_in_tests().get(rule, ()))}"
    if (refusal := refusal_of(game, example)) is not None:
        said = (composer_of(game, example, code).say(refusal.phrase) for code in LANGUAGES)
        yield f"- `{example.refused}` is refused: {' / '.join(f'“{one}”' for one in said)}"
    name = f"pictures/{picture_name(game, example)}"
    shown = f"after {', '.join(example.played)}" if example.played else "a position"
    yield from ("", f"![{rule}: {shown}]({name})")


def _places(places: tuple[str, ...]) -> str:
    split = (one.partition("::") for one in places[:MOST])
    return ", ".join(f"[`{name or path}`](../../{path})" for path, _, name in split)


def pages() -> dict[str, str]:
    """All pages by their names."""
    return {f"{game.key}.md": page(game) for game in shelf().values()}


def pictures() -> dict[str, tuple[Game, Example]]:
    """What each picture of the pages shows, by its file."""
    return {
        picture_name(game, one): (game, one)
        for game in shelf().values()
        for one in examples(game.key)
    }


def main() -> None:
    """Write the pages and the pictures that are missing, and drop those that none shows."""
    shown = pictures()
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.iterdir():
        if old.name not in shown:
            old.unlink()
    for name, asked in shown.items():
        (PICTURES / name).write_bytes(picture(*asked))
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
