"""Long mates of our own making: ``python -m tests.games.shogi_mates POOL FILE --count 100``.

Takes positions near the end of games (one SFEN a line), changes a piece at a time, and keeps what
makes the shortest mate by checks longer, until 13 to 17 plies are needed. Every mate is proved once
more, by the rules alone, which know nothing of the search.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from games.core import RuleError
from games.shogi import GAME
from games.shogi.board import Board, in_check
from games.shogi.computer.mates import MateSearch
from games.shogi.rules import Shogi

OPTIONS = GAME.chosen({})
LEAST, MOST = 13, 17
EACH, APART = 8, 4
"""The most mates that come from one position, and how many changes they are apart."""

WANDERED = 900
"""After so many changes another position is taken."""

SLOW = 250
"""And after so many where the mate is still short."""

WRONG = 1_000
"""More plies than any mate here takes."""

HAND = "RBGSNLP"


@dataclass
class Nodes:
    """A budget of so many questions."""

    left: int

    def spent(self) -> bool:
        self.left -= 1
        return self.left < 0


def read(sfen: str) -> Shogi:
    """The position of *sfen*. Raises ``RuleError``."""
    return GAME.notation.read(sfen, OPTIONS)


# -- the second program -----------------------------------------------------------------------


def proved(position: Shogi, search: MateSearch, plies: int) -> bool:
    """Whether the rules agree that what *search* has proved is mate within *plies*.

    For each position the search's own check is tried, and every answer that the rules know.
    """
    seen: dict[Board, int] = {}

    def lasts(now: Shogi) -> int:
        """The most plies until the rules say mate; ``WRONG`` where they never do."""
        if now.board not in seen:
            play, _ = search.check(now.board)
            then = now.after(play)
            seen[now.board] = WRONG
            if play in now.legal_moves(position.turn) and in_check(then.board, then.turn):
                seen[now.board] = 1 if mated(then) else answered(then)
        return seen[now.board]

    def mated(then: Shogi) -> bool:
        end = then.outcome()
        return end is not None and end.reason == "mate" and end.winner == position.turn

    def answered(then: Shogi) -> int:
        return 2 + max(
            (lasts(then.after(one)) for one in then.legal_moves(then.turn)), default=WRONG
        )

    return lasts(position) <= plies


# -- making -----------------------------------------------------------------------------------


def changed(sfen: str, chance: random.Random) -> str:
    """*sfen* with one piece taken away, moved, given to the other side or to another hand."""
    rows, turn, hands, number = sfen.split()
    squares = [one for row in rows.split("/") for one in _squares(row)]
    held = _held(hands)
    full = [place for place, piece in enumerate(squares) if piece]
    place = chance.choice(full)
    piece = squares[place]
    king = piece in "Kk"
    match chance.randrange(4):
        case 0 if not king:
            squares[place] = ""
            owner = chance.choice((str.upper, str.lower))
            held[owner(piece.strip("+"))] = held.get(owner(piece.strip("+")), 0) + 1
        case 1 if not king:
            squares[place] = piece.swapcase()
        case 2 if held:
            one = chance.choice(sorted(held))
            held[one] -= 1
            held[one.swapcase()] = held.get(one.swapcase(), 0) + 1
        case _:
            target = chance.choice([n for n in range(81) if not squares[n]])
            squares[place], squares[target] = "", piece
    return f"{_rows(squares)} {turn} {_hands(held)} {number}"


def _squares(row: str) -> Iterator[str]:
    turned = ""
    for letter in row:
        if letter == "+":
            turned = letter
        elif letter.isdigit():
            yield from [""] * int(letter)
        else:
            yield turned + letter
            turned = ""


def _rows(squares: list[str]) -> str:
    rows = []
    for first in range(0, 81, 9):
        row = "".join(piece or "." for piece in squares[first : first + 9])
        for length in range(9, 0, -1):
            row = row.replace("." * length, str(length))
        rows.append(row)
    return "/".join(rows)


def _held(hands: str) -> dict[str, int]:
    found, count = {}, ""
    for letter in hands.strip("-"):
        if letter.isdigit():
            count += letter
        else:
            found[letter] = int(count or 1)
            count = ""
    return found


def _hands(held: dict[str, int]) -> str:
    found = ""
    for letter in HAND + HAND.lower():
        if count := held.get(letter, 0):
            found += (str(count) if count > 1 else "") + letter
    return found or "-"


def length(sfen: str, nodes: int) -> int:
    """The plies of a shortest mate by checks in *sfen*, 0 where none is known for certain."""
    try:
        position = read(sfen)
    except RuleError:
        return 0
    board = position.board
    if position.ended or in_check(board, 1 - position.turn):
        return 0
    # Most changes leave no mate at all, which would take longest to make sure of.
    if not MateSearch(Nodes(nodes // 10)).solve(board, MOST):
        return 0
    budget = Nodes(nodes)
    search = MateSearch(budget)
    found = len(search.solve(board, MOST))
    if budget.left < 0 or not found:
        return 0
    return found


def confirm(sfen: str, nodes: int) -> None:
    """Ask the rules as well. Raises ``AssertionError``."""
    position = read(sfen)
    search = MateSearch(Nodes(nodes))
    line = search.solve(position.board, MOST)
    if not proved(position, search, len(line)):
        raise AssertionError(f"the rules know of no mate in {sfen}")


def made(pool: list[str], chance: random.Random, nodes: int) -> Iterator[tuple[int, str]]:
    """Long mates, without end, none of them twice."""
    before: set[str] = set()
    while True:
        sfen, best, kept, since = chance.choice(pool), 0, 0, APART
        for number in range(WANDERED):
            other = changed(sfen, chance)
            plies = length(other, nodes)
            if number == SLOW and best < 7:
                break
            if plies < best or not plies:
                continue
            sfen, best, since = other, plies, since + 1
            if plies >= LEAST and since >= APART and other not in before:
                confirm(other, nodes)
                before.add(other)
                yield plies, other
                kept, since = kept + 1, 0
            if kept == EACH:
                break


def main() -> None:
    """Add mates to a file until it holds as many as were asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("pool", type=Path)
    asked.add_argument("file", type=Path)
    asked.add_argument("--count", type=int, default=100)
    asked.add_argument("--nodes", type=int, default=12_000)
    asked.add_argument("--seed", type=int, default=1)
    said = asked.parse_args()
    pool = said.pool.read_text("utf-8").splitlines()
    makes = made(pool, random.Random(said.seed), said.nodes)
    with said.file.open("a", encoding="utf-8") as out:
        for _ in range(said.count):
            plies, sfen = next(makes)
            out.write(f"{plies}\t{sfen}\n")
            out.flush()


if __name__ == "__main__":
    main()
