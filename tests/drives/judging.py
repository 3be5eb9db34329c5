"""Learns how the computer of shogi judges a board from what a program that speaks USI thinks of it.

    python -m tests.drives.judging play FILE --program PROGRAM --nodes 1500 --seconds 1500
    python -m tests.drives.judging fit FILE ... --into games/shogi/computer/weights.py

The program plays against itself from openings at random, with a move at random now and then, and
what it thinks of each position is kept. The figures of ``games.shogi.computer.weights`` are then
those with which the board that is left after all exchanges foretells that best; positions of games
that taught nothing say how well, and how firmly figures that are alike are kept together.

The figures that are there now were found from the same groups and positions with the same method of
SciPy: in plain Python it has been run on small files only.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp, log
from pathlib import Path

from games.shogi.board import TURN, Board, after, in_check, moves
from games.shogi.computer import weights
from games.shogi.computer.evaluation import evaluate
from games.shogi.computer.search import BoardTree
from games.shogi.sfen import read_sfen, sfen, usi
from tests.drives.judgement import COUNT, figures, firmness, grouped, seen, text
from tests.drives.minimum import minimum

LONGEST = 240
"""Plies after which a game is broken off."""

OPENING = 13
"""Fewer plies than these are played at random first."""

WILD = (0.04, 0.08, 0.15)
"""How often a move is drawn afterwards: one of these a game."""

LOST = 2_500
"""By what a side is behind, as the program counts, that has lost; the fourth time ends a game."""

MATE = 100_000
DEEPEST = 8
"""Plies of exchanges after which a check is not answered any more."""

CERTAIN = 400.0
"""Points of the program by which its opinion nears certainty."""

POINT = 0.0017
"""What one of our points counts for on the scale of opinions: with it a pawn stays about 100."""

TESTED = 8
"""One game in so many is kept to test what the others taught."""

PULLS = (0.5, 1.0, 2.0)
"""How firmly figures that are alike are kept together; what foretells unseen games best holds."""


class Judge:
    """A program that plays shogi by USI, with so many *nodes* a position."""

    def __init__(self, program: str, nodes: int) -> None:
        self.nodes = nodes
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.ask("usi", until="usiok")
        # It shall think the same of both sides.
        self.ask("setoption name Contempt value 0", "isready", until="readyok")

    def ask(self, *lines: str, until: str) -> list[str]:
        """What it says to *lines*, up to the line that begins with *until*."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()
        said: list[str] = []
        for line in self.process.stdout:
            said.append(line)
            if line.startswith(until):
                return said
        raise RuntimeError("the program has ended")

    def close(self) -> None:
        """Let it go."""
        with self.process:
            self.process.kill()

    def judged(self, board: Board) -> tuple[int | None, str]:
        """What it thinks of *board* for the mover, ``MATE`` for a mate, and what it plays."""
        *told, best = self.ask(
            f"position sfen {sfen(board, 1)}", f"go nodes {self.nodes}", until="bestmove"
        )
        value = None
        for line in told:
            words = line.split()
            if "score" not in words:
                continue
            kind, figure = words[words.index("score") + 1 :][:2]
            bound = "upperbound" in words or "lowerbound" in words
            if value is None or not bound:
                mate = -MATE if figure.startswith("-") else MATE
                value = mate if kind == "mate" else int(figure)
        return value, best.split()[1]


def game(judge: Judge, chance: random.Random) -> list[tuple[Board, int]]:
    """The positions of one game, and what the program thinks of each for its mover."""
    board = read_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL")[0]
    for _ in range(chance.randrange(OPENING)):
        board = after(board, chance.choice(moves(board)))
    wild, lost = chance.choice(WILD), 0
    kept: list[tuple[Board, int]] = []
    for _ in range(LONGEST):
        legal = {usi(play): play for play in moves(board)}
        value, best = judge.judged(board) if legal else (None, "")
        if value is None or abs(value) == MATE:
            break
        kept.append((board, value))
        lost += abs(value) > LOST
        if lost > 3 or best not in legal:
            break
        drawn = chance.random() < wild
        board = after(board, chance.choice([*legal.values()]) if drawn else legal[best])
    return kept


def settled(board: Board, alpha: int, beta: int, ply: int = 0) -> tuple[int, Board]:
    """The value of *board* after all exchanges, as the search follows them, and what is left."""
    tree = BoardTree()
    if ply < DEEPEST and in_check(board, board[TURN]):
        best, left, plays = -MATE, board, list(tree.moves(board))
    else:
        best, left = evaluate(board), board
        plays = [] if best >= beta else list(tree.captures(board, max(alpha, best) - best))
    for play in plays:
        value, there = settled(after(board, play), -beta, -max(alpha, best), ply + 1)
        if -value > best:
            best, left = -value, there
            if best >= beta:
                break
    return best, left


@dataclass(frozen=True)
class Sample:
    """A settled board: the figures that count for sente and for gote, and sente's chances."""

    game: int
    plus: array[int]
    minus: array[int]
    chance: float


def samples(files: Sequence[Path]) -> Iterator[Sample]:
    """The different positions in *files* in which nobody is in check, settled."""
    known: set[Board] = set()
    number, last = 0, ""
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            name, place, value = line.split("\t")
            if f"{file}:{name}" != last:
                number, last = number + 1, f"{file}:{name}"
            board = read_sfen(place)[0]
            if board in known or in_check(board, board[TURN]):
                continue
            known.add(board)
            worth, left = settled(board, -MATE, MATE)
            if abs(worth) < MATE // 2:
                told = int(value) if board[TURN] == 0 else -int(value)
                plus, minus = seen(left)
                yield Sample(number, plus, minus, _chance(told / CERTAIN))


def _chance(value: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, value))))


def surprise(by: Sequence[float], told: Sequence[Sample]) -> float:
    """How badly the figures *by* foretell *told*, beyond what cannot be foretold."""
    total = 0.0
    for one in told:
        foretold = _chance(_value(by, one))
        for share, said in ((one.chance, foretold), (1 - one.chance, 1 - foretold)):
            if share:
                total += share * log(share / max(said, 1e-12))
    return total / len(told)


def _value(by: Sequence[float], one: Sample) -> float:
    return sum(map(by.__getitem__, one.plus)) - sum(map(by.__getitem__, one.minus))


def learnt(told: Sequence[Sample], pull: float, rounds: int, begun: list[float]) -> list[float]:
    """What the groups of figures count for that foretell *told* best, from *begun* on."""
    groups, firm = grouped(), [pull * one for one in firmness()]

    def slope(parts: list[float]) -> tuple[float, list[float]]:
        by = [sum(map(parts.__getitem__, group)) for group in groups]
        errors = [0.0] * COUNT
        loss = 0.0
        for one in told:
            foretold = _chance(_value(by, one))
            loss -= one.chance * log(foretold) + (1 - one.chance) * log(1 - foretold)
            error = foretold - one.chance
            for at in one.plus:
                errors[at] += error
            for at in one.minus:
                errors[at] -= error
        loss += sum(a * b * b for a, b in zip(firm, parts, strict=True)) / 2
        found = [a * b for a, b in zip(firm, parts, strict=True)]
        for group, error in zip(groups, errors, strict=True):
            for at in group:
                found[at] += error
        return loss, found

    return minimum(slope, begun, rounds)


def fitted(files: Sequence[Path], rounds: int) -> tuple[list[float], list[int]]:
    """The figures learnt from *files*, in points, and how often each counted; it tells how."""
    every = list(samples(files))
    learning = [one for one in every if one.game % TESTED]
    unseen = [one for one in every if not one.game % TESTED]
    present = [POINT * one for one in figures()]
    print(f"{len(every)} positions of {every[-1].game} games")
    print(f"surprise: {surprise(present, unseen):.5f} as it is", flush=True)
    parts = [0.0] * len(firmness())
    tried = []
    for pull in PULLS:
        parts = learnt(learning, pull, rounds, parts)
        by = [sum(map(parts.__getitem__, group)) for group in grouped()]
        tried.append((surprise(by, unseen), pull, by))
        print(f"          {tried[-1][0]:.5f} learnt with a pull of {pull:g}", flush=True)
    often = [0] * COUNT
    for one in every:
        for at in chain(one.plus, one.minus):
            often[at] += 1
    return [one / POINT for one in min(tried)[2]], often


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.drives.judging")
    parser.add_argument("do", choices=("play", "fit"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--program", default="fairy-stockfish")
    parser.add_argument("--nodes", type=int, default=1_500)
    parser.add_argument("--seconds", type=float, default=1_500.0)
    parser.add_argument("--seed", default="judging")
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--into", type=Path, default=Path(weights.__file__))
    asked = parser.parse_args()
    if asked.do == "fit":
        head, _, _ = asked.into.read_text("utf-8").partition("ON_BOARD: dict")
        asked.into.write_text(
            text(*fitted(asked.files, asked.rounds), head.rstrip() + "\n"), "utf-8"
        )
        return
    judge, chance = Judge(asked.program, asked.nodes), random.Random(asked.seed)
    until, number = time.monotonic() + asked.seconds, 0
    with asked.files[0].open("a", encoding="utf-8") as file:
        while time.monotonic() < until:
            number += 1
            for board, value in game(judge, chance):
                file.write(f"{asked.seed}:{number}\t{sfen(board, 1)}\t{value}\n")
    judge.close()


if __name__ == "__main__":
    main()
