"""Cirya once more, slowly: lists of pieces, plain recursion, nothing shared with the game.

It exists to be compared with ``games.cirya``. A position is a dictionary from squares such
as ``"c3"`` to lists of ``(player, kind)`` from the bottom up, and everything is worked out
afresh each time.
"""

from __future__ import annotations

from dataclasses import dataclass

STONES = {3: 10, 4: 15, 5: 21, 6: 30}
NEIGHBOUR = {"+": (0, 1), "-": (0, -1), ">": (1, 0), "<": (-1, 0)}

Square = tuple[int, int]
Piece = tuple[int, str]


@dataclass
class Slow:
    """A position read from TPS; files and ranks count from 0, players are 1 and 2."""

    size: int
    stacks: dict[Square, list[Piece]]
    player: int
    number: int
    caps: int
    swapped: bool
    limit: int | None

    @classmethod
    def read(cls, tps: str, caps: int, swapped: bool, limit: int | None) -> Slow:
        rows, player, number = tps.split()
        stacks: dict[Square, list[Piece]] = {}
        lines = rows.split("/")
        for down, line in enumerate(lines):
            file = 0
            for cell in line.split(","):
                if cell[0] == "x":
                    file += int(cell[1:] or 1)
                    continue
                kind = cell[-1] if cell[-1] in "SC" else "F"
                pieces = [(int(c), "F") for c in cell.rstrip("SC")]
                pieces[-1] = (pieces[-1][0], kind)
                stacks[file, len(lines) - 1 - down] = pieces
                file += 1
        return cls(len(lines), stacks, int(player), int(number), caps, swapped, limit)

    def tps(self) -> str:
        rows = []
        for rank in reversed(range(self.size)):
            cells: list[str] = []
            for file in range(self.size):
                pieces = self.stacks.get((file, rank))
                if pieces:
                    kind = pieces[-1][1]
                    cells.append("".join(str(p) for p, _ in pieces) + kind.replace("F", ""))
                elif cells and cells[-1].startswith("x"):
                    cells[-1] = f"x{int(cells[-1][1:] or 1) + 1}"
                else:
                    cells.append("x")
            rows.append(",".join(cells))
        return f"{'/'.join(rows)} {self.player} {self.number}"

    def name(self, square: Square) -> str:
        return "abcdefgh"[square[0]] + str(square[1] + 1)

    def left(self, player: int) -> tuple[int, int]:
        """The flat stones and the capstones that *player* has not placed yet."""
        placed = [kind for pieces in self.stacks.values() for p, kind in pieces if p == player]
        caps = placed.count("C")
        return STONES[self.size] - (len(placed) - caps), self.caps - caps

    def moves(self) -> dict[str, Slow]:
        """Every legal move in PTN with the position that follows."""
        found: dict[str, Slow] = {}
        opening = self.swapped and self.number == 1
        for file in range(self.size):
            for rank in range(self.size):
                here = (file, rank)
                pieces = self.stacks.get(here)
                if pieces is None:
                    for kind in "F" if opening else self.kinds():
                        owner = 3 - self.player if opening else self.player
                        letter = "" if kind == "F" else kind
                        board = {**self.stacks, here: [(owner, kind)]}
                        found[letter + self.name(here)] = self.then(board)
                elif pieces[-1][0] == self.player and not opening:
                    for count in range(1, len(pieces) + 1):
                        if self.limit is None or count <= self.limit:
                            for way in NEIGHBOUR:
                                self.slide(found, here, way, count)
        return found

    def kinds(self) -> str:
        stones, caps = self.left(self.player)
        return ("FS" if stones else "") + ("C" if caps else "")

    def slide(self, found: dict[str, Slow], here: Square, way: str, count: int) -> None:
        board = {square: list(pieces) for square, pieces in self.stacks.items()}
        hand = board[here][-count:]
        board[here] = board[here][:-count]
        if not board[here]:
            del board[here]
        head = ("" if count == 1 else str(count) if count < 10 else f"({count})") + self.name(here)
        self.drop(found, head + way, way, here, board, hand, ())

    def drop(self, found, head, way, at, board, hand, dropped) -> None:
        if not hand:
            drops = "" if len(dropped) == 1 else "".join(dropped)
            found[head + drops] = self.then(board)
            return
        step = NEIGHBOUR[way]
        at = (at[0] + step[0], at[1] + step[1])
        if not (0 <= at[0] < self.size and 0 <= at[1] < self.size):
            return
        below = board.get(at, [])
        top = below[-1][1] if below else "F"
        if top == "C":
            return
        if top == "S":
            if len(hand) == 1 and hand[0][1] == "C":
                flattened = [*below[:-1], (below[-1][0], "F")]
                self.drop(
                    found, head, way, at, {**board, at: flattened + hand}, [], (*dropped, "1")
                )
            return
        for count in range(1, len(hand) + 1):
            after = {**board, at: below + hand[:count]}
            told = f"({count})" if head.startswith("(") else str(count)
            self.drop(found, head, way, at, after, hand[count:], (*dropped, told))

    def then(self, board: dict[Square, list[Piece]]) -> Slow:
        number = self.number + (1 if self.player == 2 else 0)
        return Slow(self.size, board, 3 - self.player, number, self.caps, self.swapped, self.limit)

    def road(self, player: int) -> bool:
        """Whether *player* joins two opposite edges."""
        own = {
            square
            for square, pieces in self.stacks.items()
            if pieces[-1][0] == player and pieces[-1][1] != "S"
        }
        for axis in (0, 1):
            seen = {square for square in own if square[axis] == 0}
            todo = list(seen)
            while todo:
                file, rank = todo.pop()
                if (file, rank)[axis] == self.size - 1:
                    return True
                for right, up in NEIGHBOUR.values():
                    there = (file + right, rank + up)
                    if there in own and there not in seen:
                        seen.add(there)
                        todo.append(there)
        return False

    def result(self) -> str:
        """The result after the last move, as PTN writes it; "" while the game goes on."""
        mover = 3 - self.player
        for player in (mover, self.player):
            if self.road(player):
                return "R-0" if player == 1 else "0-R"
        full = len(self.stacks) == self.size**2
        if not full and all(any(self.left(player)) for player in (1, 2)):
            return ""
        flats = [0, 0, 0]
        for pieces in self.stacks.values():
            flats[pieces[-1][0]] += pieces[-1][1] == "F"
        if flats[1] == flats[2]:
            return "1/2-1/2"
        return "F-0" if flats[1] > flats[2] else "0-F"
