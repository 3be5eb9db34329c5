"""Games from other distributions: how they are declared, found and refused.

A distribution declares its game as an entry point of the group ``ludoteca.games``, by the game's
key: ``oca = "ludoteca_oca:GAME"``. The package named there holds the game, its ``painter``, its
``button_faces`` if any, and the folder ``texts`` with its catalogues. ``docs/contract.md`` has the
names that it may use; their version is ``CONTRACT``.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from games.core.game import Game

CONTRACT = 1
"""The version of what games may use and must export; an incompatible change makes it grow."""

GROUP = "ludoteca.games"
"""The group of entry points under which distributions declare games."""

LONGEST_KEY = 24
"""How long the key of a game may be."""

KEY = re.compile(rf"[a-z][a-z0-9]{{1,{LONGEST_KEY - 1}}}")
"""The form of a game's key."""


class BadPackage(Exception):
    """A package cannot be used as a game, for the reason in the sentence."""


@dataclass(frozen=True)
class GamePackage:
    """A game in another distribution: its *key*, the *module* that exports it, where it is from."""

    key: str
    module: str
    attribute: str
    distribution: str
    """The name and the version of the distribution, as in ``ludoteca-oca 1.2``."""


def find_declared() -> Iterator[GamePackage]:
    """What the distributions installed here declare, by name and then by distribution."""
    found = [_declare(entry) for entry in entry_points(group=GROUP)]
    yield from sorted(found, key=lambda one: (one.key, one.distribution))


def _declare(entry: EntryPoint) -> GamePackage:
    module, _, attribute = entry.value.partition(":")
    made = entry.dist
    distribution = f"{made.name} {made.version}" if made is not None else module
    return GamePackage(entry.name, module.strip(), attribute.strip() or "GAME", distribution)


def import_game(package: GamePackage, taken: Collection[str], plain: Callable[[str], str]) -> Game:
    """The game of *package*; raises ``BadPackage``.

    *taken* are the names of the games that are there, as *plain* makes names comparable.
    """
    if not KEY.fullmatch(package.key):
        raise BadPackage(f"“{package.key[:40]}” cannot be the key of a game")
    _check_contract(package)
    try:
        game = getattr(importlib.import_module(package.module), package.attribute)
    except Exception as wrong:
        raise BadPackage(f"it cannot be imported: {type(wrong).__name__}: {wrong}") from wrong
    if not isinstance(game, Game):
        raise BadPackage(f"{package.module}.{package.attribute} is no Game")
    if game.key != package.key:
        raise BadPackage(f"its game calls itself {game.key[:40]!r}, not {package.key!r}")
    names = {plain(name) for name in (game.key, game.title, *game.aliases)}
    if clashing := sorted(names & set(taken)):
        raise BadPackage(f"another game is called {', '.join(clashing)}")
    return game


def _check_contract(package: GamePackage) -> None:
    """Refuse a package that was made for another contract, or lies about its files.

    The number is read from the source, without running it: what was made for another contract
    may not even be imported.
    """
    try:
        spec = find_spec(package.module)
    except (ImportError, ValueError) as wrong:
        raise BadPackage(f"it cannot be found: {wrong}") from wrong
    if spec is None or not spec.origin or spec.submodule_search_locations is None:
        raise BadPackage(f"{package.module} is no package that is installed")
    try:
        version = _contract_of(Path(spec.origin).read_text("utf-8"))
    except (OSError, SyntaxError, ValueError) as wrong:
        raise BadPackage(f"it cannot be read: {wrong}") from wrong
    if version is None:
        raise BadPackage(f"it does not say CONTRACT = {CONTRACT}, the contract it is made for")
    if version != CONTRACT:
        raise BadPackage(f"it is made for contract {version}, and this release has {CONTRACT}")
    folder = Path(spec.origin).parent
    for file in (f"texts/en/{package.key}.po", f"texts/en/{package.key}.md"):
        if not (folder / file).is_file():
            raise BadPackage(f"it has no {file}")
    # ``find_spec`` would import the package to look into it.
    if not any((folder / file).exists() for file in ("painter.py", "painter")):
        raise BadPackage("it has no painter")


def _contract_of(source: str) -> int | None:
    """The number that *source* assigns to ``CONTRACT``, None for none."""
    for line in ast.parse(source).body:
        match line:
            case ast.Assign(targets=[ast.Name(id="CONTRACT")], value=ast.Constant(value=int(told))):
                return told
    return None
