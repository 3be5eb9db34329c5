"""The exact solution of a deal of Niya: who wins, and in how many turns.

Plain alpha-beta over sets of squares. Because a search asks only "does the player to move
win?", its window is empty and its table holds a truth value. The two readings of a full
board (S1) and the draw between them are two such questions.
"""

from __future__ import annotations

from games.niya.board import FULL, completing

Table = dict[int, bool]


class Question:
    """Whether the player to move wins, for one deal and one reading of a full board.

    *related* maps the bit of a square to the squares whose cards go with its card.
    *filling_wins* tells whether the player who takes the sixteenth card has won by that.
    Sets of squares: *own* and *other* are markers of the player to move and of the other,
    *fitting* are the cards that may be taken.
    """

    def __init__(self, related: dict[int, int], filling_wins: bool) -> None:
        self._related = related
        self._filling_wins = filling_wins
        self._completing = completing()
        self._known: Table = {}

    def wins(self, own: int, other: int, fitting: int) -> bool:
        """Whether the player to move wins; *fitting* is not empty."""
        if self._completing[own] & fitting:
            return True  # N7
        key = own | other << 16 | fitting << 32
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._some_move_wins(own, other, fitting)
        return known

    def _some_move_wins(self, own: int, other: int, fitting: int) -> bool:
        related = self._related
        free = FULL & ~(own | other)
        threats = self._completing[other] & free
        while threats:  # What goes with a card that the other needs must not be taken.
            threat = threats & -threats
            threats ^= threat
            fitting &= ~related[threat]
        moves = []
        while fitting:
            square = fitting & -fitting
            fitting ^= square
            reply = related[square] & free
            if reply:
                moves.append((reply.bit_count(), square, reply))
            elif free != square or self._filling_wins:
                return True  # N8, S1
        moves.sort()
        return any(not self.wins(other, own | square, reply) for _, square, reply in moves)
