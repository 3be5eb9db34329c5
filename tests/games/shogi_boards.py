"""Positions for the tests of shogi: reached by their text or by playing."""

from __future__ import annotations

from games.core import Entry, IllegalMove, read_aside, read_move, replay
from games.shogi import GAME
from games.shogi.rules import Shogi

EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def begun(**options: str) -> Shogi:
    """The first position under *options*."""
    return GAME.start(GAME.setting(options))


def at(sfen: str, **options: str) -> Shogi:
    """The position of *sfen* under *options*."""
    return GAME.notation.read(sfen, GAME.chosen(options))


def played(position: Shogi, moves: str) -> Shogi:
    """*position* after *moves*, as the log writes them."""
    for text in moves.split():
        position = replay(GAME, position, [Entry(position.turn, text)])
    return position


def said(position: Shogi, seat: int, text: str) -> Shogi:
    """*position* after the aside *text* of *seat*."""
    return position.after(read_aside(GAME, position, seat, text))


def legal(position: Shogi) -> set[str]:
    """The legal moves in USI."""
    return {GAME.notation.written(position, play) for play in position.legal_moves(position.turn)}


def refused(position: Shogi, text: str) -> str:
    """The rule and the key of the phrase with which *text* is refused."""
    try:
        read_move(GAME, position, position.turn, text)
    except IllegalMove as illegal:
        key = illegal.refusal.phrase.key.removeprefix("shogi.refusal.")
        return f"{illegal.refusal.rule} {key}"
    raise AssertionError(f"{text} is legal")


def ending(position: Shogi) -> tuple[str, int | None] | None:
    """The reason and the winner, or ``None`` while the game goes on."""
    outcome = position.outcome()
    return None if outcome is None else (outcome.reason, outcome.winner)
