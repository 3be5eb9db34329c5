"""``ludoteca new-game KEY``: writes the skeleton of a game, which passes the laws of games.

The templates in ``skeleton`` have the paths of their files in a checkout, with ``key`` for the
game's key and ``.txt`` at the end.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from bot.app.output import CommandError

LONGEST_KEY = 24

_IMPORTS = re.compile(r"(?:^from (?:games|render)\S* import [^\n(]+\n)+", re.MULTILINE)
"""A block of imports, whose order depends on the key."""


class NoSkeleton(CommandError):
    """The skeleton cannot be written, for the reason in the sentence."""


def new_game(key: str, title: str, root: Path) -> list[Path]:
    """Write the skeleton of the game *key* into the checkout at *root*; returns its files.

    Raises ``NoSkeleton`` and writes nothing for a *key* or a *root* that cannot be used.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]+", key) or len(key) > LONGEST_KEY or keyword.iskeyword(key):
        raise NoSkeleton(
            f"“{key[:40]}” cannot be the key of a game: 2 to {LONGEST_KEY} letters a-z and digits."
        )
    if not all((root / name).is_dir() for name in ("games/core", "render/kit", "tests/games")):
        raise NoSkeleton(f"{root} is no checkout of Ludoteca: it has no games, render and tests.")
    words = {"key": key, "title": title or key.capitalize()}
    written = dict(_filled(resources.files(__package__).joinpath("skeleton"), root, words))
    taken = [root / "games" / key, *written]
    if there := next((file for file in taken if file.exists()), None):
        raise NoSkeleton(f"There is a game called {key} already: {there.relative_to(root)}.")
    for file, text in written.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return sorted(written)


def _filled(folder: Traversable, place: Path, words: dict[str, str]) -> Iterator[tuple[Path, str]]:
    """The path and the text of each file that *folder* holds a template of."""
    for entry in folder.iterdir():
        there = place / entry.name.replace("key", words["key"]).removesuffix(".txt")
        if entry.is_dir():
            yield from _filled(entry, there, words)
        elif entry.name.endswith(".txt"):
            text = Template(entry.read_text("utf-8")).substitute(words)
            yield (
                there,
                _IMPORTS.sub(lambda found: "".join(sorted(found[0].splitlines(True))), text),
            )
