"""Short ways to say a Storilljuðjorrayc position in a test."""

from __future__ import annotations

from games.core import Outcome, read_move
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.rules import StorillPosition


def battle(
    green: str, purple: str, turn: str = "g", counts: str = "0,0", passes: int = 0, **options: str
) -> StorillPosition:
    """A battle with *green* and *purple* as ``T3:p3 W:~``; ASCII labels will do."""
    sides = [side.replace(" ", ",") or "-" for side in (green, purple)]
    text = f"{sides[0]} {sides[1]} {turn} {counts} {passes}"
    return GAME.notation.read(text, GAME.chosen(options))


def acts(position: StorillPosition, beginning: str = "") -> set[str]:
    """The notations of the mover's legal acts that begin with *beginning*."""
    (seat,) = position.actors()
    written = (GAME.notation.written(position, act) for act in position.legal_moves(seat))
    return {one for one in written if one.startswith(beginning)}


def ends_of(position: StorillPosition, unit: str) -> set[str]:
    """Where the unit *unit* of the mover may go: ``a4``, ``~``; attacks and switches left out."""
    found = set()
    for act in acts(position, f"{unit} "):
        if "-" in act and "&" not in act:
            found.add(act.split("-")[1])
    return found


def aims_of(position: StorillPosition, unit: str) -> set[str]:
    """The spaces that the unit *unit* of the mover may attack."""
    return {act.split("x")[1] for act in acts(position, f"{unit} ") if "x" in act}


def play(position: StorillPosition, *moves: str) -> StorillPosition:
    """The position after *moves*, typed by whoever's turn it is."""
    for text in moves:
        position = position.after(read_move(GAME, position, min(position.actors()), text))
    return position


def ended(position: StorillPosition) -> Outcome:
    """The outcome of a position that must have one."""
    outcome = position.outcome()
    assert outcome is not None
    return outcome


def spaces(text: str) -> set[str]:
    return set(text.split())
