"""The past of a game, as far as the rules ask for it: repetitions and checks (H11, H12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.shogi.board import TURN, Board, BoardPlay, in_check
from games.shogi.pieces import GOTE, SENTE

LIMIT = 4
"""H11: the occurrence of a position that ends the game."""

WARNING = 3
"""H12: the occurrence at which a perpetual check is warned of."""


class Past:
    """The boards of a game from the present one back, each with the play that led to it.

    A linked list: a ply costs the same after three hundred as after three.
    """

    __slots__ = ("board", "earlier", "play")

    def __init__(
        self, board: Board, play: BoardPlay | None = None, earlier: Past | None = None
    ) -> None:
        self.board = board
        self.play = play
        self.earlier = earlier

    def __iter__(self) -> Iterator[Past]:
        """Every moment from the present one back to the first known."""
        moment: Past | None = self
        while moment is not None:
            yield moment
            moment = moment.earlier

    def parts(self) -> tuple[Board | BoardPlay | None, ...]:
        """Every board and its play, one after the other: flat, since links nest too deep."""
        return tuple(part for moment in self for part in (moment.board, moment.play))

    @classmethod
    def of_parts(cls, *parts: Any) -> Past:
        """The past that has these ``parts``."""
        past = None
        for n in range(len(parts) - 2, -1, -2):
            past = cls(parts[n], parts[n + 1], past)
        if past is None:
            raise ValueError("a past has at least the present")
        return past

    def __reduce__(self) -> tuple[object, ...]:
        return Past.of_parts, self.parts()

    def times(self) -> int:
        """How often the present board has occurred, with the same side to move (H11)."""
        board, count = self.board, 1
        before = self.earlier
        while before is not None and before.earlier is not None:
            before = before.earlier
            if before.board == board:
                count += 1
            before = before.earlier
        return count

    def perpetual_checker(self) -> int | None:
        """H12: the one side whose every move since the first occurrence gave check, if any."""
        moments = list(self)
        first = max(n for n, moment in enumerate(moments) if moment.board == self.board)
        since = [moment.board for moment in moments[:first]]
        always = [
            all(in_check(board, 1 - side) for board in since if board[TURN] != side)
            for side in (SENTE, GOTE)
        ]
        # Where both gave check throughout, it is a plain repetition.
        return always.index(True) if since and any(always) and not all(always) else None
