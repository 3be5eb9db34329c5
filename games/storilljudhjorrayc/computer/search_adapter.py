"""The battle as the search sees it: what to try first, what an attack gains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core import Seat
from games.core.search import WIN
from games.core.search_types import Devices, GameTree, Praise
from games.storilljudhjorrayc.computer import bitboard as fields
from games.storilljudhjorrayc.computer.bitboard import (
    AMBUSCADE,
    KIND,
    LORDS_STEP,
    PASS,
    SALVO,
    SIDE,
    STEP,
    TURN,
    Code,
    Field,
    Ground,
)
from games.storilljudhjorrayc.computer.cage import caged
from games.storilljudhjorrayc.computer.evaluation import WORTHS, standing, worth

DEVICES = Devices(null_move=2, late=6, margin=360)
"""What has paid in matches."""

PATIENT = 4
"""So many plies without a capture are nothing unusual."""

WEARY = 90
"""After so many of them a battle is taken for half drawn already."""

THREAT: Final = 21
"""Per cent of the other side's best capture that count, though it is not its turn."""

STRUCK = 1_000
"""How much a swordsman's capture is promised before all that captures nothing."""


class BattleTree(GameTree[Field, Code]):
    """The ``GameTree`` of one variant; to *seat*, which thinks, a draw is worth -*contempt*."""

    def __init__(self, ground: Ground, seat: Seat, contempt: int) -> None:
        self.ground = ground
        self.seat = seat
        self.contempt = contempt

    def key(self, board: Field) -> bytes:
        """Units, mover and ambush counts (G16)."""
        return board.units

    def ended(self, board: Field) -> int | None:
        """How the battle has ended for the mover."""
        return fields.ended(board)

    def stuck(self, _board: Field) -> int:
        """Nobody ever is: who has nothing to do passes (G19)."""
        return -WIN

    def worth(self, board: Field) -> int:
        """How the mover stands, the less the nearer the draw by quiet plies is (G16)."""
        own = SIDE * board.units[TURN]
        cage = caged(self.ground, board, own) - caged(self.ground, board, SIDE - own)
        lead, quiet = worth(board) + cage - self._threat(board), board.quiet
        if quiet < PATIENT:
            return lead
        near = min(quiet, WEARY) - PATIENT
        drawn = self.contempt if board.units[TURN] != self.seat else -self.contempt
        return lead + (drawn - lead) * near // (WEARY - PATIENT) // 2

    def is_pressed(self, _board: Field) -> bool:
        """Never: there is no check."""
        return False

    def moves(self, board: Field) -> Sequence[Code]:
        """Every move, the pass last."""
        return [*self.ground.attacks(board), *self.ground.steps(board), PASS]

    def promises(self, board: Field, moves: Sequence[Code], praise: Praise) -> list[int]:
        """Captures by what falls, then what has been good before and what comes nearer."""
        units = board.units
        base = SIDE * units[TURN]
        other = SIDE - base
        tables = standing(base, units[other], units[other + 1], 0, 0)
        found = []
        for move in moves:
            kind = move & KIND
            if kind == STEP:
                unit = move >> 16 & 255
                table = tables[unit]
                gain = table[move & 255] - table[units[base + unit]]
                found.append(gain + praise.get(move | base, 0))
            elif kind >= LORDS_STEP or kind == fields.SWITCH:
                found.append(praise.get(move | base, 0) - 60)
            else:
                found.append(20 * (STRUCK + self._gain(board, move)))
        return found

    def trace(self, board: Field, move: Code) -> int:
        """The move and who makes it."""
        return move | SIDE * board.units[TURN]

    def quiet(self, _board: Field, move: Code) -> bool:
        """Whether nobody falls."""
        kind = move & KIND
        return kind == STEP or kind > AMBUSCADE

    def obscurity(self, board: Field, move: Code) -> int:
        """Attacks are seen first, then what comes nearer; retreats and the forest last."""
        if not self.quiet(board, move):
            return 60
        return 100 if self.promises(board, (move,), {})[0] >= 0 else 140

    def captures(self, board: Field, needed: int) -> Sequence[Code]:
        """The attacks that gain more than *needed*, the greatest gain first."""
        priced = [(self._gain(board, move), move) for move in self.ground.attacks(board)]
        # What falls changes how the rest stands as well.
        least = max(0, needed - needed // 4 - 200)
        return [move for gain, move in sorted(priced, reverse=True) if gain > least]

    def after(self, board: Field, move: Code) -> Field:
        """The battle after *move*."""
        return self.ground.after(board, move)

    def passed(self, board: Field) -> Field:
        """The battle after a pass, which the rules allow."""
        return self.ground.after(board, PASS)

    def _threat(self, board: Field) -> int:
        """The part that counts of the best capture the other side could make now."""
        best = 0
        for move in self.ground.attacks(board, 1):
            gain = self._gain(board, move, 1)
            if gain > best:
                best = gain
        return best * THREAT // 100

    def _gain(self, board: Field, move: Code, passed: int = 0) -> int:
        """What falls of the enemy, less what falls of one's own."""
        units = board.units
        seat = units[TURN] ^ passed
        base = SIDE * seat
        if move & KIND != SALVO:
            return WORTHS[units.index(move & 255, SIDE - base, TURN - base) % SIDE]
        hit = self.ground.beams[units[base + (move >> 16 & 255)]]
        spares = not self.ground.variant.friendly_fire
        gain = 0
        for number, place in enumerate(units[:TURN]):
            if place < 80 and hit >> place & 1:
                own = number // SIDE == seat
                gain += (0 if spares else -WORTHS[number % SIDE]) if own else WORTHS[number % SIDE]
        return gain
