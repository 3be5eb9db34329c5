"""The battle: acts, captures and ends (Z6-Z13, G5-G11, G16, G19)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from games.core import Outcome, Seat, drawn, won_by
from games.storilljudhjorrayc.board import Army, Board
from games.storilljudhjorrayc.geometry import Space
from games.storilljudhjorrayc.move_types import (
    Act,
    Ambuscade,
    Attack,
    BothLords,
    Pass,
    Salvo,
    Step,
    Switch,
    find_actors,
)
from games.storilljudhjorrayc.options import Variant
from games.storilljudhjorrayc.reach import destinations, lord_steps, salvo, switches, targets
from games.storilljudhjorrayc.units import (
    AMBUSH,
    AMBUSH_USES,
    ARCHERS,
    GREEN,
    LORDS,
    NOBLES,
    PURPLE,
    ROYALS,
    UNITS,
)

SAME_POSITION = 4
"""G16: the fourth time on the same position is a draw."""

PASSES_IN_A_ROW = 4
"""G16: two passes each, one after the other, are a draw."""

QUIET_PLIES = 100
"""G16: so many plies in a row without a capture are a draw."""

Key: TypeAlias = tuple[tuple[Army, Army], Seat, tuple[int, int]]
"""What makes two positions the same: units, mover and ambush counts, passes not (G16)."""


@dataclass(frozen=True)
class Battle:
    """One moment of the battle.

    *ambushes* counts the captures of each ambush, *passes* the passes in a row. *past* are the
    positions since the last capture, as far as the log tells.
    """

    variant: Variant
    board: Board
    turn: Seat
    ambushes: tuple[int, int] = (0, 0)
    passes: int = 0
    past: tuple[Key, ...] = field(default=(), compare=False, repr=False)

    @property
    def key(self) -> Key:
        """What a repetition compares (G16)."""
        return self.board.armies, self.turn, self.ambushes

    @property
    def quiet(self) -> int:
        """Plies in a row without a capture, counted from the record (G16)."""
        return len(self.past)

    @property
    def times_seen(self) -> int:
        """How often this position has stood, now included (G16)."""
        return 1 + self.past.count(self.key)

    def acts(self) -> Iterator[Act]:
        """Every legal act of the side to move: unit by unit, both lords, the pass."""
        for label in UNITS:
            if self.board.place(self.turn, label) is not None:
                yield from self._acts_of(label)
        yield from self._acts_of_lords()
        yield Pass()  # G19: always legal while the game lasts.

    def allows(self, act: Act) -> bool:
        """Whether *act* is legal; only the acts of its own unit are looked at."""
        if isinstance(act, BothLords):
            return act in self._acts_of_lords()
        return isinstance(act, Pass) or act in self._acts_of(*find_actors(act))

    def _acts_of(self, label: str) -> Iterator[Act]:
        board, seat, variant = self.board, self.turn, self.variant
        origin = board.place(seat, label)
        if origin is None:
            return
        for place in destinations(board, seat, label, variant):
            yield Step(label, origin, place)
        if label in ARCHERS:
            if salvo(board, seat, label, variant):
                yield Salvo(label, origin)
            return
        for space in targets(board, seat, label, variant):
            yield Ambuscade(space) if label == AMBUSH else Attack(label, origin, space)
        if label in NOBLES:
            for space in switches(board, seat, label, variant):
                yield Switch(label, origin, space)

    def _acts_of_lords(self) -> Iterator[BothLords]:
        for (left, to), (right, there) in lord_steps(self.board, self.turn, self.variant):
            yield BothLords(Step(LORDS[0], left, to), Step(LORDS[1], right, there))

    def fallen(self, act: Act) -> tuple[Space, ...]:
        """The spaces whose units *act* captures; own ones may be among them (G9)."""
        match act:
            case Attack(_, _, target) | Ambuscade(target):
                return (target,)
            case Salvo(label):
                return salvo(self.board, self.turn, label, self.variant)
            case Step() | Switch() | BothLords() | Pass():
                return ()

    def after(self, act: Act) -> Battle:
        """The battle once *act*, which is legal, has been carried out."""
        board, ambushes = self.board, self.ambushes
        fallen = self.fallen(act)
        for space in fallen:
            board = board.without(space)
        match act:
            case Step(label, _, target):
                board = board.with_unit(self.turn, label, target)
            case Switch(label, origin, target):
                _, guard = board.standing[target]
                board = board.with_unit(self.turn, label, target)
                board = board.with_unit(self.turn, guard, origin)
            case BothLords(left, right):
                board = board.with_unit(self.turn, left.label, left.target)
                board = board.with_unit(self.turn, right.label, right.target)
            case Ambuscade(target):
                uses = ambushes[self.turn] + 1
                ambushes = (uses, ambushes[1]) if self.turn == GREEN else (ambushes[0], uses)
                # Z12: after its third capture the ambush leaves the game at once.
                board = board.with_unit(self.turn, AMBUSH, target if uses < AMBUSH_USES else None)
            case Attack() | Salvo() | Pass():
                pass  # Z7: who attacks stays where it is.
        return Battle(
            variant=self.variant,
            board=board,
            turn=1 - self.turn,
            ambushes=ambushes,
            passes=self.passes + 1 if isinstance(act, Pass) else 0,
            past=() if fallen else (*self.past, self.key),
        )

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the battle has ended, tested in the order of G19."""
        lost = [
            seat
            for seat in (GREEN, PURPLE)
            if all(self.board.place(seat, royal) is None for royal in ROYALS)
        ]
        if lost:
            # G19: where one salvo empties both sides, the one who shot has won.
            return won_by(1 - (lost[0] if len(lost) == 1 else self.turn), "royals")
        if self.passes >= PASSES_IN_A_ROW:
            return drawn("passes")
        if all(self.board.only_king(seat) for seat in (GREEN, PURPLE)):
            return drawn("kings")
        if self.quiet and self.times_seen >= SAME_POSITION:
            return drawn("repetition")
        return drawn("quiet") if self.quiet >= QUIET_PLIES else None
