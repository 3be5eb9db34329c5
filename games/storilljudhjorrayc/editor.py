"""Storilljuðjorrayc set up by hand: units on spaces, in the forest or out of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.core import TAKES, Editor, EditorPiece, Phrase, Seat, Setting, Unreadable
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.board import Board
from games.storilljudhjorrayc.geometry import FOREST, place_named
from games.storilljudhjorrayc.names import own_phrase, standing_on, unit
from games.storilljudhjorrayc.notation import SIDE_LETTERS, read, text
from games.storilljudhjorrayc.rules import StorillPosition, start
from games.storilljudhjorrayc.setup import SetUp
from games.storilljudhjorrayc.units import AMBUSH, AMBUSH_USES, SIDES, UNITS, Label

OUT = "-"
"""The place of a unit that is out of the game."""

_KEYS: Mapping[str, tuple[Seat, Label]] = {
    letter + label.replace("Þ", "th"): (seat, label)
    for seat, letter in enumerate(SIDE_LETTERS)
    for label in UNITS
}


def begin(options: Mapping[str, str]) -> StorillPosition:
    """Both armies as they usually stand."""
    return start(Setting(SIDES, {**options, "setup": "fixed"}))


def draft(written: str, options: Mapping[str, str]) -> StorillPosition:
    """The battle that *written* says; a set-up is none."""
    position = read(written, options)
    _battle(position)
    return position


def bare(position: StorillPosition) -> StorillPosition:
    """Nobody stands anywhere, and green is to move."""
    nobody = (None,) * len(UNITS)
    return StorillPosition(Battle(_battle(position).variant, Board((nobody, nobody)), 0))


def turned(position: StorillPosition) -> StorillPosition:
    """The other side moves next."""
    battle = _battle(position)
    return StorillPosition(replace(battle, turn=1 - battle.turn, passes=0, past=()))


def pieces(_position: StorillPosition) -> tuple[EditorPiece, ...]:
    """The units of both sides."""
    return tuple(EditorPiece(key, unit(label), SIDES[seat]) for key, (seat, label) in _KEYS.items())


def put(position: StorillPosition, key: str, place: str) -> StorillPosition:
    """The unit *key* on *place*, from wherever it was; whoever stood there is out of the game."""
    battle, space = _battle(position), place_named(place)
    board, uses = battle.board, battle.ambushes
    if space is not None and space in board.standing:
        board = board.without(space)
    if key in _KEYS and (space is not None or place == OUT):
        seat, label = _KEYS[key]
        if space is not None and not battle.variant.may_stand(label, space):
            raise _unreadable("place", f"{label}:{place}")
        board = board.with_unit(seat, label, space)
        if label == AMBUSH and uses[seat] == AMBUSH_USES:  # Z12: it would have left the board.
            uses = (0, uses[1]) if seat == 0 else (uses[0], 0)
    return StorillPosition(replace(battle, board=board, ambushes=uses, past=()))


def beside(position: StorillPosition, key: str) -> Sequence[tuple[str, Phrase]]:
    """The forest, for those who may be there, and out of the game."""
    if key == TAKES or key not in _KEYS:
        return ()
    out = (OUT, own_phrase("editor.out"))
    if not _battle(position).variant.may_stand(_KEYS[key][1], FOREST):
        return (out,)
    return (FOREST, standing_on(FOREST)), out


def _unreadable(reason: str, said: str) -> Unreadable:
    return Unreadable(own_phrase(f"unreadable.{reason}", text=said[:64]))


def _battle(position: StorillPosition) -> Battle:
    match position.stage:
        case Battle() as battle:
            return battle
        case SetUp():  # No draft is one.
            raise _unreadable("form", text(position))


EDITOR: Editor[StorillPosition] = Editor(
    begin,
    draft,
    bare,
    turned,
    pieces,
    put,
    mover=lambda position: SIDES[_battle(position).turn],
    beside=beside,
)
