"""The modules of a game that belong to its pictures, found by their names."""

from __future__ import annotations

import importlib
from types import ModuleType

from games.core.shelf import game_packages


def package_of(game: str) -> str:
    """The package of the pictures of *game*: ``render.<game>``, or that of its distribution."""
    package = game_packages().get(game)
    return f"render.{game}" if package is None else package.module


def module_of(game: str, name: str) -> ModuleType | None:
    """The module *name* of the pictures of *game*; ``None`` where there is none."""
    if not game.isidentifier():
        return None
    package = package_of(game)
    try:
        return importlib.import_module(f"{package}.{name}")
    except ModuleNotFoundError as lacking:
        if lacking.name not in (package, f"{package}.{name}"):
            raise
        return None
