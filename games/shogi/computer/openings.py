"""The openings of shogi that have names: what computers play of them, and which one a game was.

Each line of ``openings.txt`` is the name of one and its moves as USI writes them; who has played
those before the bar, in whatever order, has played it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from games.core import Phrase, phrase
from games.shogi.board import BoardPlay
from games.shogi.options import EVEN
from games.shogi.rules import Shogi
from games.shogi.sfen import read_sfen, usi

BEGUN, _ = read_sfen(f"{EVEN} b - 1")

EARLY = 24
"""In so many plies an opening is played."""


class NamedOpening(NamedTuple):
    """An opening by its *name*: the moves that it is known by, and all of its *line*."""

    name: str
    known_by: list[str]
    line: list[str]


@cache
def named_openings() -> list[NamedOpening]:
    """The openings that have names, those with the most moves first."""
    text = resources.files("games.shogi.computer").joinpath("openings.txt").read_text("utf-8")
    found = []
    for name, *moves in map(str.split, text.splitlines()):
        line = [one for one in moves if one != "|"]
        found.append(NamedOpening(name, line[: moves.index("|")], line))
    return sorted(found, key=lambda one: -len(one.known_by))


def opening(start: Shogi, moves: Sequence[str]) -> Phrase | None:
    """The name of what the *moves* from *start* have begun with; ``None`` where it has none."""
    for one in named_openings() if start.board == BEGUN else []:
        if all(set(one.known_by[n::2]) <= set(moves[n:EARLY:2]) for n in (0, 1)):
            return phrase(f"shogi.opening.{one.name}")
    return None


def next_moves(position: Shogi, plays: Sequence[BoardPlay]) -> list[BoardPlay]:
    """Those of *plays* that go on with an opening to which all moves so far belong."""
    first, *moments = [*position.past][::-1]
    if position.ply > EARLY or first.board != BEGUN:
        return []
    played = [usi(one.play) for one in moments if one.play is not None]
    lines = [one.line for one in named_openings() if one.line[: len(played)] == played]
    following = {line[len(played)] for line in lines if len(line) > len(played)}
    return [play for play in plays if usi(play) in following]
