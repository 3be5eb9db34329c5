"""Moments of played games, and the hard cases of every painter: what is looked at and measured."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.session.table import Table
from games.core import Seat
from games.core.shelf import find_game
from render.kit import themes
from render.scene import Scene
from tests.played import replayed, tables

THEMES = tuple(themes.TOKENS)
SHARES = {"opening": 0.08, "middle": 0.5, "late": 0.85, "end": 1.0}
"""How far on in a game each moment is."""

SEATS = {"parchis": 4}
LOOKS = {"parchis": 5}
MOST = 2000
ROYALS = Path(__file__).resolve().parents[1] / "data" / "storilljudhjorrayc" / "royals.txt"
"""A game of computers whose end takes long to reach, kept choice by choice."""


@cache
def played(key: str) -> tuple[Table, ...]:
    """One whole game of computers, after each choice."""
    game = find_game(key)
    if key == "storilljudhjorrayc":
        return tuple(replayed(game, ROYALS.read_text(), seed=3))
    return tuple(tables(game, seats=SEATS.get(key), looks=LOOKS.get(key, 40), most=MOST))


@cache
def moments(key: str) -> Mapping[str, Table]:
    """The table early in its game, in the middle, late, and at the end."""
    game = played(key)
    return {name: game[round(share * (len(game) - 1))] for name, share in SHARES.items()}


def seen_from(table: Table, seat: Seat | None, language: str = "es") -> Scene:
    """What *seat*, or everybody, is shown of *table*."""
    scene = Composer(table, Viewer(seat, language), b"key").board().scene
    assert scene is not None
    return scene


def hard_cases(key: str) -> Mapping[str, Scene]:
    """The scenes of which the painter's own tests keep approved pictures, by their names."""
    scenes: Mapping[str, Scene | Callable[[], Scene]]
    scenes = importlib.import_module(f"tests.render.test_{key}").SCENES
    return {name: one if isinstance(one, Scene) else one() for name, one in scenes.items()}


@cache
def every_scene(key: str) -> Mapping[str, Scene]:
    """Moments and hard cases of the game *key*, as they are told apart by name."""
    found = {name: seen_from(table, None) for name, table in moments(key).items()}
    return {**found, **hard_cases(key)}


def in_theme(scene: Scene, theme: str) -> Scene:
    """*scene* in another *theme*."""
    return replace(scene, theme=theme)
