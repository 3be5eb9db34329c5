"""``Parchis``: the rules, their notation and their words as one position of the shelf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from games.core import BadOption, Phrase, Position, Refusal, Seat, Setting, phrase
from games.parchis import notation, refusals, words
from games.parchis.board import SIDES
from games.parchis.house import House, Stage
from games.parchis.moves import Move, Throw
from games.parchis.rules import State


@dataclass(frozen=True)
class Parchis(State, Position[Move]):
    """A position of Parchís; everybody sees everything."""

    def notation(self, move: Move) -> str:
        """*move* as B14 writes it."""
        return notation.write_move(self, move)

    def spellings(self, move: Move) -> Sequence[str]:
        """The notation, and shorter ways: without the victim, the piece or the arrival alone."""
        return notation.spellings(self, move)

    def tidied(self, text: str) -> str:
        """*text* with arrows as ``>`` and long dashes as ``--``."""
        return notation.tidied(text)

    def text(self) -> str:
        """The position as B14 writes it."""
        return notation.write(self)

    def steps(self, move: Move) -> tuple[str, ...]:
        """One click: the piece, two joined by ``+``, ``tirar`` or ``--``."""
        return (words.step(self, move),)

    def label(self, seat: Seat, path: tuple[str, ...], step: str) -> Phrase:
        """The piece, where it goes and what comes of it."""
        del path
        return words.label(self, seat, step)

    def question(self, seat: Seat, path: tuple[str, ...]) -> Phrase:
        """What is due."""
        del seat, path
        return words.question(self)

    def spoken(self, move: Move) -> Phrase:
        """*move* with the square it leaves and what comes of it."""
        return words.spoken(self, move)

    def refusal(self, seat: Seat, text: str) -> Refusal:
        """The rule that forbids what *text* wishes."""
        del seat
        return refusals.refusal(self, text)

    def notices(self) -> Sequence[Phrase]:
        """The duties and dangers of the moment."""
        return words.notices(self)

    def forced(self, seat: Seat) -> Move | None:
        """The only move that a die or a bonus leaves (P4); «tirar» is never forced."""
        moves = self.legal_moves(seat)
        if self.stage not in (Stage.DIE, Stage.BONUS) or len(moves) != 1:
            return None
        return None if isinstance(moves[0], Throw) else moves[0]


def start(setting: Setting) -> Parchis:
    """All pieces at home, the rolls for the start to come (P1, P2).

    Raises ``BadOption`` where the sides are not two to four colours in turn order.
    """
    sides = setting.sides
    if not 2 <= len(sides) <= 4 or list(sides) != [side for side in SIDES if side in sides]:
        raise BadOption(phrase("parchis.bad-sides"))
    return Parchis(
        house=House.of(setting.options),
        colours=tuple(map(SIDES.index, sides)),
        pieces=((0, 0, 0, 0),) * len(sides),
        rolls=(None,) * len(sides),
    )


def read(text: str, options: Mapping[str, str]) -> Parchis:
    """The position that *text* writes under *options*; raises ``Unreadable``."""
    state = notation.read(text, House.of(options))
    return Parchis(**{field.name: getattr(state, field.name) for field in fields(state)})
