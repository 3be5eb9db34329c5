"""The rules: first a set-up (``setup``), then a battle (``battle_phase``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from games.core import BadOption, Outcome, Position, Seat, Setting
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.board import Board
from games.storilljudhjorrayc.move_types import Arranging, Preset, Ready, StorillMove
from games.storilljudhjorrayc.names import own_phrase
from games.storilljudhjorrayc.options import Variant
from games.storilljudhjorrayc.setup import PRESETS, SetUp, army_of, preset
from games.storilljudhjorrayc.units import SIDES


@dataclass(frozen=True)
class StorillPosition(Position[StorillMove]):
    """A moment of a game of Storilljuðjorrayc; green is seat 0, purple seat 1."""

    stage: SetUp | Battle

    def actors(self) -> frozenset[Seat]:
        """Who may act: in the set-up everybody who is not ready (G14), then the mover."""
        if isinstance(self.stage, SetUp):
            return self.stage.busy()
        return frozenset() if self.stage.outcome else frozenset({self.stage.turn})

    def legal_moves(self, seat: Seat) -> Sequence[StorillMove]:
        """Every legal move of *seat*; in a view that hides its arrangement, none."""
        if seat not in self.actors():
            return ()
        if isinstance(self.stage, SetUp):
            return self.stage.arrangings(seat)
        return tuple(self.stage.acts())

    def after(self, move: StorillMove) -> Self:
        """The position after *move*; the second «ready» opens the battle."""
        stage = self.stage
        if isinstance(stage, Battle) and not isinstance(move, Arranging):
            return type(self)(stage.after(move))
        if isinstance(stage, Battle) or not isinstance(move, Arranging):
            raise ValueError(f"{move} does not belong to this part of the game")
        following = stage.after(move)
        # G14: the arrangements are revealed once both have finished.
        if not all(following.ready):
            return type(self)(following)
        return type(self)(Battle(stage.variant, Board(following.armies()), following.first))

    def outcome(self) -> Outcome | None:
        """How the game ended (G19)."""
        return None if isinstance(self.stage, SetUp) else self.stage.outcome

    def overdue(self, seat: Seat) -> tuple[StorillMove, ...]:
        """The default set-up for a player who was not ready in time (G14)."""
        if seat not in self.actors() or not isinstance(self.stage, SetUp):
            return ()
        name = next(iter(PRESETS))
        touched = self.stage.lines[seat] != preset(name, self.stage.variant)
        return (*([Preset(seat, name)] if touched else []), Ready(seat))

    def seen_by(self, seat: Seat | None) -> Self:
        """What *seat* may see: a hidden set-up shows it its own arrangement only (G14)."""
        return type(self)(self.stage.seen_by(seat)) if isinstance(self.stage, SetUp) else self

    def move_seen(self, move: StorillMove, seat: Seat | None, by: Seat) -> StorillMove | None:
        """*move* as *seat* may see it: of the other's hidden set-up, only that it is ready."""
        hidden = isinstance(self.stage, SetUp) and self.stage.variant.setup != "open"
        return None if hidden and seat != by and not isinstance(move, Ready) else move


def start(setting: Setting) -> StorillPosition:
    """The default set-up (G13) or the battle; raises ``BadOption`` unless green is seat 0 (G15)."""
    if setting.sides != SIDES:
        raise BadOption(own_phrase("seats"))
    variant = Variant.chosen(setting.options)
    line = preset(next(iter(PRESETS)), variant)
    if variant.setup == "fixed":
        board = Board((army_of(0, line), army_of(1, line)))
        return StorillPosition(Battle(variant, board, setting.first))
    return StorillPosition(SetUp(variant, (line, line), first=setting.first))
