"""Two other opinions on long mates of shogi: the rules themselves, and a program in C++.

``mates/mates.cc`` composed the problems in ``tests/data/shogi/mates.tsv`` and says how many plies
each takes; it shares nothing with the project's solver and nothing with its rules.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from games.shogi import GAME
from games.shogi.board import Board, in_check
from games.shogi.computer.mates import MateSearch
from games.shogi.rules import Shogi

OPTIONS = GAME.chosen({})
MOST = 17
"""The plies of the longest mate here."""

WRONG = 1_000
"""More plies than any mate here takes."""

SOURCE = Path(__file__).with_name("mates") / "mates.cc"
COMPILER = shutil.which("g++")


@dataclass
class Nodes:
    """A budget of so many questions."""

    left: int

    def is_spent(self) -> bool:
        self.left -= 1
        return self.left < 0


def read(sfen: str) -> Shogi:
    """The position of *sfen*. Raises ``RuleError``."""
    return GAME.notation.read(sfen, OPTIONS)


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


def compiled(folder: Path) -> Path:
    """The program in C++, made in *folder*."""
    assert COMPILER is not None
    program = folder / "mates"
    command = [COMPILER, "-O2", "-std=c++17", "-o", str(program), str(SOURCE)]
    subprocess.run(command, check=True, timeout=300)
    return program


def counted(program: Path, sfens: Sequence[str], nodes: int, most: int = MOST) -> list[int]:
    """The plies of a shortest mate by checks in each of *sfens*, as the program in C++ says.

    0 where there is none of up to *most* plies, -1 where *nodes* were not enough to know.
    """
    told = subprocess.run(
        [str(program), "prove", str(nodes), str(most)],
        input="\n".join(sfens),
        capture_output=True,
        text=True,
        check=True,
        timeout=1_200,
    )
    return [int(line.split("\t")[0]) for line in told.stdout.splitlines()]
