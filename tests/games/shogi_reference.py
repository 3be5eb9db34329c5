"""A slow move generator for shogi, written for the tests alone.

It reads SFEN into a dictionary and tries every piece on every square, and shares nothing
with ``games.shogi``: no table, no number, no name of a piece but its letter. A square is
(file, rank) with files 1 to 9 from the right and ranks 1 to 9 from gote's edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

ALL = list(product(range(1, 10), range(1, 10)))
KINGLY = {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}
# Steps towards the own front have y = -1 for sente; x is the change of file.
GOLD = KINGLY - {(-1, 1), (1, 1)}
SILVER = KINGLY - {(-1, 0), (1, 0), (0, 1)}
NO_PROMOTION = "KG"


class Slow:
    """A position read from SFEN."""

    def __init__(self, sfen: str) -> None:
        rows, turn, hands, *_ = sfen.split()
        self.board: dict[tuple[int, int], str] = {}
        for rank, row in enumerate(rows.split("/"), 1):
            file, plus = 9, ""
            for sign in row:
                if sign == "+":
                    plus = "+"
                elif sign.isdigit():
                    file -= int(sign)
                else:
                    self.board[file, rank] = plus + sign
                    file, plus = file - 1, ""
        self.sente = turn == "b"
        self.hands: Counter[str] = Counter()
        count = ""
        for sign in hands.replace("-", ""):
            if sign.isdigit():
                count += sign
            else:
                self.hands[sign] += int(count or 1)
                count = ""

    def mine(self, piece: str, sente: bool) -> bool:
        return piece[-1].isupper() == sente

    def reaches(self, start: tuple[int, int], target: tuple[int, int]) -> bool:
        """Whether the piece on *start* goes to *target* by its own way of moving."""
        piece = self.board[start]
        x, y = target[0] - start[0], target[1] - start[1]
        if piece[-1].islower():
            y = -y
        letter = piece.upper()
        if letter == "N":
            return y == -2 and abs(x) == 1
        if letter in ("B", "+B") and abs(x) == abs(y):
            return self.clear(start, target)
        if letter in ("R", "+R") and (x == 0 or y == 0):
            return self.clear(start, target)
        if letter == "L":
            return x == 0 and y < 0 and self.clear(start, target)
        steps = {
            "P": {(0, -1)},
            "S": SILVER,
            "K": KINGLY,
            "+B": KINGLY,
            "+R": KINGLY,
            "B": set(),
            "R": set(),
        }.get(letter, GOLD)
        return (x, y) in steps

    def clear(self, start: tuple[int, int], target: tuple[int, int]) -> bool:
        dx = (target[0] > start[0]) - (target[0] < start[0])
        dy = (target[1] > start[1]) - (target[1] < start[1])
        here = start[0] + dx, start[1] + dy
        while here != target:
            if here in self.board:
                return False
            here = here[0] + dx, here[1] + dy
        return True

    def in_check(self, sente: bool) -> bool:
        king = "K" if sente else "k"
        where = [square for square, piece in self.board.items() if piece == king]
        return any(
            self.reaches(start, where[0])
            for start, piece in self.board.items()
            if where and not self.mine(piece, sente)
        )

    def tries(self) -> Iterator[tuple[str, tuple[int, int] | None, tuple[int, int], str]]:
        """USI, start, target and the piece that then stands there; kings may be exposed."""
        for start, piece in list(self.board.items()):
            if not self.mine(piece, self.sente):
                continue
            for target in ALL:
                there = self.board.get(target)
                if target == start or (there and self.mine(there, self.sente)):
                    continue
                if not self.reaches(start, target):
                    continue
                name = square(start) + square(target)
                if self.has_future(piece, target):
                    yield name, start, target, piece
                near = self.far(start) <= 3 or self.far(target) <= 3
                if near and len(piece) == 1 and piece.upper() not in NO_PROMOTION:
                    yield name + "+", start, target, "+" + piece
        for letter, count in self.hands.items():
            if not count or not self.mine(letter, self.sente):
                continue
            for target in ALL:
                if target in self.board or not self.has_future(letter, target):
                    continue
                if letter in "Pp" and any(
                    self.board.get((target[0], rank)) == letter for rank in range(1, 10)
                ):
                    continue
                yield f"{letter.upper()}*{square(target)}", None, target, letter

    def far(self, where: tuple[int, int]) -> int:
        """The rank seen from the far edge, 1 to 9."""
        return where[1] if self.sente else 10 - where[1]

    def has_future(self, piece: str, where: tuple[int, int]) -> bool:
        if piece.upper() in ("P", "L"):
            return self.far(where) > 1
        return piece.upper() != "N" or self.far(where) > 2

    def played(self, start: tuple[int, int] | None, target: tuple[int, int], piece: str) -> Slow:
        after = Slow("9/9/9/9/9/9/9/9/9 b -")
        after.board = {**self.board, target: piece}
        after.hands = Counter(self.hands)
        after.sente = not self.sente
        if start:
            del after.board[start]
            if taken := self.board.get(target):
                letter = taken[-1].swapcase()
                after.hands[letter] += 1
        else:
            after.hands[piece] -= 1
        return after

    def legal(self, reckless: bool = False) -> set[str]:
        """The legal moves in USI; *reckless* players may leave their king to be taken."""
        found = set()
        for name, start, target, piece in self.tries():
            after = self.played(start, target, piece)
            if not reckless and after.in_check(self.sente):
                continue
            pawn_checks = start is None and piece in "Pp" and after.attacks_king(target)
            if pawn_checks and after.mated():
                continue
            found.add(name)
        return found

    def attacks_king(self, start: tuple[int, int]) -> bool:
        """Whether the piece on *start* attacks the king of the side to move."""
        king = "K" if self.sente else "k"
        return any(self.reaches(start, s) for s, piece in self.board.items() if piece == king)

    def mated(self) -> bool:
        """In check without a move; who can take a king has a move."""
        if not self.in_check(self.sente):
            return False
        if self.in_check(not self.sente):
            return False
        return not self.legal()


def square(where: tuple[int, int]) -> str:
    return f"{where[0]}{'abcdefghi'[where[1] - 1]}"
