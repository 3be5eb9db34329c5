"""The exact solution of a deal of Niya: who wins, and in how many plies.

Every question is answered yes or no ("does the player to move win?"), so alpha-beta has an empty
window and its table holds truth values. The readings of a full board (S1), draws and the number of
plies follow from such questions. Sets of squares are sums of bits (``games.niya.board``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.niya.board import FULL, Card, Cell, completing

NEVER = 64
"""More plies than any game has: a question without a deadline."""


@dataclass(frozen=True)
class Value:
    """What a move is worth with best play: *sign* 1 won, 0 drawn, -1 lost for its player.

    *plies* counts from this move to the last one, both included: 1 ends the game at once.
    """

    sign: int
    plies: int

    @property
    def rank(self) -> int:
        """The greater the better: quick wins, slow wins, draws, slow losses, quick losses."""
        return self.sign * (NEVER - self.plies)


@dataclass
class Question:
    """Whether the player to move wins, for one deal; answers are kept.

    *related* maps a square to the squares whose cards go with its card; *filling_wins* says that
    the sixteenth card wins. With a deadline the last ply within it belongs to the attacker, and the
    other player wins by surviving it.
    """

    related: Mapping[int, int]
    filling_wins: bool
    _completing: tuple[int, ...] = field(default_factory=completing)
    _known: dict[int, bool] = field(default_factory=dict)
    _harmless: dict[int, int] = field(default_factory=dict)

    def wins(self, own: int, other: int, fitting: int, plies: int = NEVER) -> bool:
        """Whether the player to move wins, with *plies*, within so many.

        Where the last of *plies* is the other player's, surviving them counts as a win. *own* and
        *other* are the markers of both, *fitting* the squares whose cards may be taken.
        """
        if self._completing[own] & fitting:
            return True  # N7
        threats = self._completing[other] & (FULL ^ own ^ other)
        return self._search(own, other, fitting & self._harmless_to(threats), plies)

    def _harmless_to(self, threats: int) -> int:
        """The squares whose cards go with none of *threats*, which the other would win with."""
        harmless = FULL
        rest = threats
        while rest:
            harmless &= ~self.related[rest & -rest]
            rest &= rest - 1
        self._harmless[threats] = harmless
        return harmless

    def _search(self, own: int, other: int, choice: int, plies: int) -> bool:
        """Whether a square of *choice* wins; fitting squares outside it lose at once.

        The move before made sure that no square completes a pattern.
        """
        if plies == 0:
            return True
        related, complete, known, harmless = (
            self.related,
            self._completing,
            self._known,
            self._harmless,
        )
        free = FULL ^ own ^ other
        moves = []
        while choice:
            square = choice & -choice
            choice ^= square
            mine = own | square
            left = free ^ square
            reply = related[square] & left
            if reply:
                if plies == 1:
                    continue
                threats = complete[mine] & left
                if threats:
                    safe = harmless.get(threats)
                    reply &= self._harmless_to(threats) if safe is None else safe
            if not reply:
                # N8, or whatever the other takes now loses at once; S1 where nothing is left.
                if left or self.filling_wins:
                    return True
                continue
            key = other | mine << 16 | reply << 32
            answer = known.get(key)
            if answer is None:
                moves.append((reply.bit_count(), mine, reply, key))
            elif not answer:
                return True
        moves.sort()  # Where the other has least choice, a win is found soonest.
        for _, mine, reply, key in moves:
            answer = known[key] = self._search(other, mine, reply, plies - 1)
            if not answer:
                return True
        return False


class Deal:
    """A deal with the position's ``cells``, the option *full_board* (S1), and what is found out."""

    def __init__(self, cells: Sequence[Cell], full_board: str) -> None:
        cards = {1 << n: cell for n, cell in enumerate(cells) if isinstance(cell, Card)}
        self._related = {
            square: sum(where for where, other in cards.items() if other.goes_with(card))
            for square, card in cards.items()
        }
        self._cells = tuple(cells)
        self._blocks = full_board == "block"
        self._questions: dict[tuple[bool, int], Question] = {}
        self._completing = completing()

    def holds(self, cells: Sequence[Cell], full_board: str) -> bool:
        """Whether *cells* are a moment of this deal: every card left lies where it was dealt."""
        same = self._blocks == (full_board == "block")
        pairs = zip(cells, self._cells, strict=True)
        return same and all(now == dealt for now, dealt in pairs if isinstance(now, Card))

    def related(self, square: int) -> int:
        """The squares whose cards go with the card on *square*."""
        return self._related[square]

    def sign(self, own: int, other: int, square: int) -> int:
        """1, 0 or -1 for the player who takes the card on *square*."""
        if (ended := self._end_value(own, other, square)) is not None:
            return ended
        if self._wins(own, other, square, NEVER, taker=True):
            return 1
        return -1 if self._wins(own, other, square, NEVER, taker=False) else 0

    def value(self, own: int, other: int, square: int, horizon: int = NEVER) -> Value | None:
        """The value of taking *square* for the player of *own*; ``None`` beyond *horizon* plies."""
        if (ended := self._end_value(own, other, square)) is not None:
            return Value(ended, 1)
        left = (FULL ^ own ^ other ^ square).bit_count()
        if horizon <= left:
            return self._before(own, other, square, range(1, horizon))
        # Who wins is found quickly; then only the plies on which the winner moves matter.
        sign = self.sign(own, other, square)
        deadlines = range(1 if sign < 0 else 2, left, 2) if sign else range(0)
        return self._before(own, other, square, deadlines) or Value(sign, left + 1)

    def _before(self, own: int, other: int, square: int, deadlines: range) -> Value | None:
        """The value if one of *deadlines*, in plies after this one, sees the end."""
        for plies in deadlines:
            # The other player moves on the odd plies after this one, the taker on the even.
            taker = plies % 2 == 0
            if self._wins(own, other, square, plies, taker=taker):
                return Value(1 if taker else -1, plies + 1)
        return None

    def _end_value(self, own: int, other: int, square: int) -> int | None:
        """The sign if taking *square* ends the game, else ``None``."""
        left = FULL ^ own ^ other ^ square
        if self._completing[own] & square:
            return 1  # N7
        if self._related[square] & left:
            return None
        return 1 if left or self._blocks else 0  # N8, S1

    def _wins(self, own: int, other: int, square: int, plies: int, *, taker: bool) -> bool:
        """Whether whoever takes *square* wins within *plies*, or else the other."""
        fills = (own | other).bit_count() % 2 == taker  # The taker takes the sixteenth, too.
        question = self._question(own, other, plies, not fills)
        left = FULL ^ own ^ other ^ square
        return taker != question.wins(other, own | square, self._related[square] & left, plies)

    def _question(self, own: int, other: int, plies: int, full_is_other: bool) -> Question:
        """The question whose deadline is *plies* after the next card.

        A draw is no win: a full board must not win for the player to move.
        """
        deadline = min((own | other).bit_count() + 1 + plies, NEVER)
        key = (self._blocks or full_is_other, deadline)
        if key not in self._questions:
            self._questions[key] = Question(self._related, key[0])
        return self._questions[key]
