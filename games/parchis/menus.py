"""Buttons: the piece, two joined by ``+``, ``tirar`` or ``--``; one click is a move."""

from __future__ import annotations

from games.core import Menus, Phrase, Seat, Steps, phrase, verbatim
from games.parchis.board import HOME, META
from games.parchis.moves import Go, Lapse, Move, Roll, Stage, Throw
from games.parchis.notation import piece_name, written
from games.parchis.rules import Parchis
from games.parchis.speech import in_brief, own_said

DIE = "tirar"
"""The step that throws the die, which the picture calls by it too."""


def own_name(state: Parchis, number: int) -> str:
    """The piece *number* of the player on turn as it is written."""
    return piece_name(state, (state.turn, number))


def step_of(state: Parchis, move: Move) -> str:
    """The one click for *move*."""
    match move:
        case Go(pieces):
            return "+".join(own_name(state, number) for number in pieces)
        case Throw():
            return DIE
        case Roll(eyes):
            return f"d{eyes}"
        case Lapse():
            return "--"


def steps(state: Parchis, move: Move) -> Steps:
    """The one click for *move*."""
    return (step_of(state, move),)


def onward(state: Parchis, seat: Seat) -> Steps:
    """The pieces between which the die of *seat* may leave a choice (B14: of twins the lower).

    Whoever comes after a choice throws, unless the dice fall by themselves.
    """
    if not state.house.by_hand or seat != state.turn:
        return ()
    if state.stage is not Stage.THROW:
        return (DIE,) if state.stage in (Stage.DIE, Stage.BONUS) else ()
    apart = [n for n, at in enumerate(state.own) if HOME < at < META and at not in state.own[:n]]
    return tuple(own_name(state, n) for n in apart) if len(apart) > 1 else ()


def label(state: Parchis, seat: Seat, path: Steps, step: str) -> Phrase:
    """What the button *step* says: piece, arrival, consequence; the piece alone behind a throw."""
    if path:
        return own_said(state, int(step[1:]) - 1)
    for move in state.legal_moves(seat):
        if step_of(state, move) == step:
            return in_brief(state, move)
    return phrase("parchis.label.next-throw") if step == DIE else verbatim(step)


def question(state: Parchis, _seat: Seat, _path: Steps) -> Phrase:
    """What the player on turn is asked."""
    if state.stage is Stage.BONUS:
        return phrase("parchis.ask.bonus", count=state.count)
    if state.stage is Stage.DIE:
        return phrase("parchis.ask.die", eyes=state.count)
    return phrase("parchis.ask.throw")


def pointed(state: Parchis, _seat: Seat, _path: Steps, cell: str) -> str:
    """The piece *cell*, or the one that moves for it where two stand alike."""
    for number, index in enumerate(state.own):
        if own_name(state, number) != cell:
            continue
        for move in state.legal_moves(state.turn):
            if isinstance(move, Go) and index in {state.own[one] for one in move.pieces}:
                return written(state, move)
    return cell


def motion(state: Parchis, move: Move) -> tuple[str, str] | None:
    """The piece that goes, by its name before and after; or the die, which falls anew."""
    match move:
        case Go(pieces):
            name = own_name(state, pieces[0])
        case Roll():
            name = DIE
        case _:
            return None
    return name, name


MENUS = Menus(steps, label=label, question=question, motion=motion, pointed=pointed, onward=onward)
