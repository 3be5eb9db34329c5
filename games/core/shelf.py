"""The games: every folder beside ``core`` that exports ``GAME``."""

from __future__ import annotations

import importlib
import pkgutil
import unicodedata
from functools import cache

import games
from games.core.errors import UnknownGame
from games.core.game import Game
from games.core.moves import casefolded
from games.core.phrases import phrase


@cache
def shelf() -> dict[str, Game]:
    """The games by key, in alphabetical order."""
    found = {}
    for module in sorted(pkgutil.iter_modules(games.__path__), key=lambda m: m.name):
        if module.ispkg and module.name != "core":
            game: Game = importlib.import_module(f"games.{module.name}").GAME
            found[game.key] = game
    return found


def find_game(name: str) -> Game:
    """The game called *name*, whatever its case, accents or blanks; raises ``UnknownGame``."""
    wanted = _plain(name[:64])
    for game in shelf().values():
        if wanted in map(_plain, (game.key, game.title, *game.aliases)):
            return game
    known = tuple(game.title for game in shelf().values())
    raise UnknownGame(phrase("core.unknown-game", name=name[:64], known=known))


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFD", casefolded(name))
    return "".join(c for c in letters if not unicodedata.combining(c) and c != "-")
