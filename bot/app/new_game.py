"""``ludoteca new-game KEY``: writes the skeleton of a game, which passes the laws of games.

The templates in ``skeleton`` have the paths of their files in a checkout, with ``key`` for the
game's key and ``.txt`` at the end. For a package of its own they are laid out anew, and
``package_skeleton`` has what a package needs besides.
"""

from __future__ import annotations

import argparse
import keyword
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from string import Template

from bot.app.output import CommandError, say
from games.core.outside_packages import CONTRACT, KEY, LONGEST_KEY
from games.core.shelf import shelf

_IMPORTS = re.compile(r"(?:^from (?:games|render)\S* import [^\n(]+\n)+", re.MULTILINE)
"""A block of imports, whose order depends on the key."""


class NoSkeleton(CommandError):
    """The skeleton cannot be written, for the reason in the sentence."""


def run_new_game(asked: argparse.Namespace) -> int:
    """Write the skeleton that is *asked* for into the present folder, and name its files."""
    for file in new_game(asked.key, asked.title, Path.cwd(), package=asked.package):
        say(f"{file.relative_to(Path.cwd())}")
    return 0


def new_game(key: str, title: str, root: Path, *, package: bool = False) -> list[Path]:
    """Write the skeleton of the game *key*; returns its files.

    It goes into the checkout at *root*, or as a *package* into a new folder of *root*. Raises
    ``NoSkeleton`` and writes nothing for a *key* or a *root* that cannot be used.
    """
    if not KEY.fullmatch(key) or keyword.iskeyword(key):
        raise NoSkeleton(
            f"“{key[:40]}” cannot be the key of a game: 2 to {LONGEST_KEY} letters a-z and digits."
        )
    words = {"key": key, "title": title or key.capitalize()}
    skeleton = dict(_fill(_templates("skeleton"), PurePosixPath(), words))
    if package:
        there = root / f"ludoteca-{key}"
        if there.exists() or key in shelf():
            raise NoSkeleton(f"There is a game called {key} already.")
        written = _as_package(skeleton, key)
        written |= dict(_fill(_templates("package_skeleton"), PurePosixPath(), words))
    else:
        there, written = root, skeleton
        _check_checkout(root, key, skeleton)
    for file, text in written.items():
        (there / file).parent.mkdir(parents=True, exist_ok=True)
        (there / file).write_text(text, "utf-8")
    return sorted(there / file for file in written)


def _check_checkout(root: Path, key: str, skeleton: dict[PurePosixPath, str]) -> None:
    """Refuse a *root* that is no checkout, or has something of the game *key* already."""
    if not all((root / name).is_dir() for name in ("games/core", "render/kit", "tests/games")):
        raise NoSkeleton(f"{root} is no checkout of Ludoteca: it has no games, render and tests.")
    for file in (root / "games" / key, *(root / file for file in skeleton)):
        if file.exists():
            raise NoSkeleton(f"There is a game called {key} already: {file.relative_to(root)}.")


def _as_package(skeleton: dict[PurePosixPath, str], key: str) -> dict[PurePosixPath, str]:
    """The files of *skeleton* as those of a package, which imports its own modules."""
    found = {}
    for file, text in skeleton.items():
        match file.parts:
            case ("games", _, *rest):
                place = PurePosixPath(f"ludoteca_{key}", *rest)
            case ("render", _, "__init__.py"):
                continue
            case ("render", _, *rest):
                place = PurePosixPath(f"ludoteca_{key}", *rest)
            case ("bot", "texts", *rest):
                place = PurePosixPath(f"ludoteca_{key}", "texts", *rest)
            case _:
                place = PurePosixPath("tests", file.name)
        found[place] = _IMPORTS.sub(lambda block: _with_own_modules(block[0], key), text)
    head = PurePosixPath(f"ludoteca_{key}", "__init__.py")
    contract = f'CONTRACT = {CONTRACT}\n"""The contract with Ludoteca it is made for."""'
    found[head] = found[head].replace("\nGAME = Game(", f"\n{contract}\n\nGAME = Game(", 1)
    return found


def _with_own_modules(block: str, key: str) -> str:
    """The imports of *block*, those of the game from the package, below the others."""
    own = re.compile(rf"^from (?:games|render)\.{key}\b")
    lines = block.splitlines(keepends=True)
    others = sorted(line for line in lines if not own.match(line))
    mine = sorted(own.sub(f"from ludoteca_{key}", line) for line in lines if own.match(line))
    return "".join([*others, *(["\n"] if others and mine else []), *mine])


def _templates(name: str) -> Traversable:
    assert __package__  # noqa: S101 - this module stands in a package
    return resources.files(__package__).joinpath(name)


def _fill(
    folder: Traversable, place: PurePosixPath, words: dict[str, str]
) -> Iterator[tuple[PurePosixPath, str]]:
    """The path and the text of each file that *folder* holds a template of."""
    for entry in folder.iterdir():
        there = place / entry.name.replace("key", words["key"]).removesuffix(".txt")
        if entry.is_dir():
            yield from _fill(entry, there, words)
        elif entry.name.endswith(".txt"):
            text = Template(entry.read_text("utf-8")).substitute(words)
            yield (
                there,
                _IMPORTS.sub(lambda found: "".join(sorted(found[0].splitlines(True))), text),
            )
