"""The games: every folder beside ``core`` that exports ``GAME``, and those of other packages."""

from __future__ import annotations

import importlib
import pkgutil
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import games
from games.core.errors import UnknownGame
from games.core.game import Game
from games.core.move_parsing import casefolded
from games.core.outside_packages import BadPackage, GamePackage, find_declared, import_game
from games.core.phrases import phrase

SHORTEST_BEGINNING = 3
"""How many letters of its name, at least, name a game."""


@dataclass(frozen=True)
class _Stock:
    games: dict[str, Game]
    packages: dict[str, GamePackage]
    refused: dict[str, str]


_left_out: dict[str, str] = {}


def leave_out(reasons: Mapping[str, str]) -> None:
    """Do not import the packages of these keys, each with the reason; from now on."""
    _left_out.update(reasons)
    _stock.cache_clear()
    game_names.cache_clear()


@cache
def _stock() -> _Stock:
    found = {}
    for module in sorted(pkgutil.iter_modules(games.__path__), key=lambda m: m.name):
        if module.ispkg and module.name != "core":
            game: Game = importlib.import_module(f"games.{module.name}").GAME
            found[game.key] = game
    stock = _Stock(found, {}, {})
    for package in find_declared():
        try:
            if package.key in _left_out:
                raise BadPackage(_left_out[package.key])
            taken = [_plain(name) for game in found.values() for name in _names(game)]
            found[package.key] = import_game(package, taken, _plain)
            stock.packages[package.key] = package
        except BadPackage as wrong:
            stock.refused.setdefault(f"{package.key} ({package.distribution})", str(wrong))
    return _Stock(dict(sorted(found.items())), stock.packages, stock.refused)


_guests: dict[str, tuple[str, ...]] = {}


def invite(key: str, names: tuple[str, ...]) -> None:
    """Let a program from outside play levels above those of the game *key*, by these *names*."""
    _guests[key] = names


def guests(key: str) -> tuple[str, ...]:
    """What the levels above those of the game *key* are called, which a program plays."""
    return _guests.get(key, ())


def highest_level(game: Game) -> int:
    """The highest level of *game* that can be chosen, its own or that of a program."""
    return game.computer.levels + len(guests(game.key))


def shelf() -> dict[str, Game]:
    """The games by key, in alphabetical order."""
    return _stock().games


def game_packages() -> Mapping[str, GamePackage]:
    """The games that come from other distributions, by key."""
    return _stock().packages


def refused_packages() -> Mapping[str, str]:
    """Why packages that are installed are left out, by key and distribution."""
    return _stock().refused


def find_game(name: str) -> Game:
    """The game called *name*, whatever its case, accents or blanks; raises ``UnknownGame``.

    What begins the name of one game alone is enough.

    >>> find_game("parchis").title
    'Parchís'
    """
    return _require(name, game_names().get(_plain(name[:64])))


def find_stored_game(key: str) -> Game:
    """The game of this very *key*, which is no beginning of a name; raises ``UnknownGame``."""
    return _require(key, shelf().get(key))


def _require(name: str, game: Game | None) -> Game:
    if game is not None:
        return game
    known = tuple(game.title for game in shelf().values())
    raise UnknownGame(phrase("core.unknown-game", name=name[:64], known=known))


@cache
def game_names() -> Mapping[str, Game]:
    """The games by their names in letters and digits, and by what begins one key or title alone."""
    there, keys = shelf(), defaultdict[str, set[str]](set)
    for game in there.values():
        for name in (_plain(game.key), _plain(game.title)):
            for end in range(SHORTEST_BEGINNING, len(name)):
                keys[name[:end]].add(game.key)
    begun = {name: there[min(own)] for name, own in keys.items() if len(own) == 1}
    return begun | {_plain(name): game for game in there.values() for name in _names(game)}


def _names(game: Game) -> tuple[str, ...]:
    return (game.key, game.title, *game.aliases)


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFD", casefolded(name))
    return "".join(c for c in letters if c.isalnum())
