"""Why a wish is not legal: the rule, the squares, a sentence that helps."""

from __future__ import annotations

import re

from games.core import Phrase, Refusal, Seat, casefolded, phrase
from games.parchis.board import HOME, LETTERS, SALIDA
from games.parchis.moves import Go, Hindrance, Stage
from games.parchis.notation import square_name, tidied
from games.parchis.rules import FIVE, Parchis
from games.parchis.speech import piece_said, side_name

_WISH = re.compile(r"([azrv])([1-4])(?:,[azrv][1-4])?(?:>(\w{1,5}?)(?:x.*)?)?")


def refusal(state: Parchis, _seat: Seat, text: str) -> Refusal:
    """The first rule that forbids what *text* wishes for the player on turn."""
    wish = casefolded(tidied(state, text))
    if state.stage is Stage.THROW:
        return Refusal("P3", phrase("parchis.no.throw-first"))
    if state.stage not in (Stage.DIE, Stage.BONUS):
        return Refusal("P3", phrase("parchis.no.in-the-air"))
    if wish == "tirar":
        return Refusal("P3", phrase("parchis.no.thrown", count=state.count))
    if state.is_third_six:
        return Refusal("P9", phrase("parchis.no.third-six"))
    if wish in ("--", "paso", "pasar", "pass"):
        return Refusal("P4", phrase("parchis.no.pass"))
    found = _WISH.fullmatch(wish)
    if not found:
        return Refusal("", phrase("parchis.no.unknown", text=text))
    if LETTERS.index(found[1].upper()) != state.colours[state.turn]:
        return Refusal("P1", phrase("parchis.no.not-yours", side=side_name(state, state.turn)))
    return _piece(state, int(found[2]) - 1, found[3])


def _piece(state: Parchis, number: int, arrival: str | None) -> Refusal:
    piece = piece_said(state, (state.turn, number))
    is_five = state.stage is Stage.DIE and state.count == FIVE
    out = state.exit() if is_five else None
    if state.own[number] == HOME and not out:
        return _at_home(state, piece, is_five)
    if out and state.own[number] != HOME:
        salida = square_name(state.colours[state.turn], SALIDA)
        return Refusal("P7", phrase("parchis.no.five-exits", square=salida), (salida,))
    way = out or state.way(number, state.reach)
    if isinstance(way, Hindrance):
        square = square_name(state.colours[state.turn], way.index)
        said = phrase(f"parchis.no.{way.bar.value}", piece=piece, square=square, count=state.reach)
        return Refusal(way.bar.rule, said, (square,))
    square = square_name(state.colours[state.turn], way.to)
    if not _is_legal(state, way):
        return Refusal("P11", phrase("parchis.no.open-first"))
    if arrival is not None and arrival != square:
        count = FIVE if out else state.reach
        return Refusal(
            "P8", phrase("parchis.no.arrival", count=count, piece=piece, square=square), (square,)
        )
    return Refusal("", phrase("parchis.no.unknown", text=piece))


def _is_legal(state: Parchis, way: Go) -> bool:
    """Whether *way*, or the same by a lower twin, may be played."""
    start = state.own[way.pieces[0]]
    return any(
        move.to == way.to and state.own[move.pieces[0]] == start for move in state.playable()
    )


def _at_home(state: Parchis, piece: Phrase, is_five: bool) -> Refusal:
    if is_five:
        salida = square_name(state.colours[state.turn], SALIDA)
        return Refusal("P7", phrase("parchis.no.salida-full", square=salida), (salida,))
    if state.stage is Stage.BONUS:
        return Refusal("B2", phrase("parchis.no.bonus-at-home", piece=piece, count=state.count))
    return Refusal("P5", phrase("parchis.no.at-home", piece=piece))
