"""Puzzles mined from games: posed and proved by the game, and how hard they are. Pure."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from games.core import CHANCE, Budget, Entry, Game, Position, Seat
from games.core.move_parsing import read_entry
from games.core.school import BadLesson, Lesson, check_lesson, opening, right
from games.core.search import EndlessBudget, NodeBudget

LONGEST_GAME = 3_000
"""How many moves of one game are played at most."""

A_GAME = 4
"""How many puzzles are taken from one game at most."""

ENDLESS: Budget = EndlessBudget()

Decision: TypeAlias = tuple[int, Position[Any], Seat]
"""After how many plies who had a choice, and in which position."""

LEVEL_TRIES = 3
"""How often a level tries a puzzle."""

JUDGED = 3_000
"""How many nodes the try of a judge is worth."""

EASIEST, HARDEST = 19.0, 31.0
"""The mu of a puzzle that the lowest level finds, and of one that none finds."""


@dataclass(frozen=True)
class Source:
    """Of whose games puzzles are mined: the *levels* that play, with *nodes* a move, after *plies*.

    *judges* are the levels that say how hard a puzzle is. Two puzzles of one game are so many plies
    *apart* at least, lest the second lie in the solution of the first.
    """

    levels: Sequence[int]
    judges: Sequence[int]
    nodes: int = 3_000
    plies: int = 6
    apart: int = 1
    alike: str = ""
    """What to leave out of an answer to have its pattern; none has much more than a quarter."""

    def pattern(self, answer: str) -> str:
        """What *answer* has in common with those like it; "" where that does not matter."""
        return re.sub(self.alike, "", answer) if self.alike else ""


SOURCES = {
    "niya": Source((1, 2), (1, 2), plies=2),
    "parchis": Source((2, 2), (1, 2), plies=440, apart=20),
    "cirya": Source((3, 3), (1, 3, 5), plies=8),
    "shogi": Source((1, 2), (2, 4, 6, 8, 10, 12), nodes=150, plies=30, apart=8),
    "storilljudhjorrayc": Source(
        (2, 3), (2, 4, 6, 8, 10), nodes=150, plies=12, apart=6, alike=r"[a-p]?\d+"
    ),
}
"""What has proved fruitful for each game; others are played by their middle level."""


def source_of(game: Game) -> Source:
    """Of whose games the puzzles of *game* are mined."""
    levels = game.computer.levels
    middle = (levels + 1) // 2
    return SOURCES.get(game.key) or Source((middle, middle), tuple(range(1, levels + 1)))


def mine(game: Game, games: int, seed: int) -> Iterator[Lesson]:
    """The puzzles of so many *games* of computers, each once; the same for the same *seed*.

    No two of one game have the same answer: there it is as good as the same puzzle.
    """
    if game.computer.pose is None:
        return
    source, lot = source_of(game), random.Random(seed)
    seen, patterns = set[str](), Counter[str]()

    def wanted(lesson: Lesson) -> bool:
        pattern = source.pattern(next(iter(lesson.answers)))
        return lesson.position not in seen and not (
            pattern and 4 * patterns[pattern] > patterns.total()
        )

    for _ in range(games):
        for lesson in _of_game(game, _decisions(game, source, lot), lot, wanted=wanted):
            seen.add(lesson.position)
            patterns[source.pattern(next(iter(lesson.answers)))] += 1
            yield lesson


def mined_from(
    game: Game, start: Position[Any], log: Sequence[Entry], seed: int, budget: Budget
) -> Iterator[Lesson]:
    """The puzzles in the game that *log* tells from *start*, until the *budget* is spent."""
    yield from _of_game(game, _replay(game, start, log), random.Random(seed), budget)


def _of_game(
    game: Game,
    decisions: Iterable[Decision],
    lot: random.Random,
    budget: Budget = ENDLESS,
    wanted: Callable[[Lesson], bool] = lambda _: True,
) -> Iterator[Lesson]:
    """The puzzles among the *decisions* of one game that are *wanted*, no two of the same answer.

    The same answer twice in one game is as good as the same puzzle.
    """
    source, known = source_of(game), set[str]()
    since = source.plies
    for ply, position, seat in decisions:
        if len(known) >= A_GAME or budget.is_spent():
            return
        lesson = None
        if ply >= since:
            lesson = posed(game, position, seat, lot.randrange(1 << 32), budget)
        if lesson is None or not wanted(lesson):
            continue
        first = next(iter(lesson.answers))
        if first not in known:
            known.add(first)
            since = ply + source.apart
            yield replace(lesson, mu=hardness(game, lesson, source, lot))


def _decisions(game: Game, source: Source, lot: random.Random) -> Iterator[Decision]:
    """The positions of a game of computers in which somebody has a choice."""
    seats = min(game.rules.seats)
    position = game.start(game.setting({}, seats, 0))
    for ply in range(LONGEST_GAME):
        actors = sorted(position.actors())
        if not actors:
            return
        seat = actors[0]
        moves = position.legal_moves(seat)
        if seat == CHANCE or len(moves) == 1:
            move = lot.choice(moves)
        else:
            if len(actors) == 1:
                yield ply, position.seen_by(seat), seat
            level, budget = source.levels[seat % len(source.levels)], _budget(source.nodes)
            move = game.computer.choose(position, seat, level, budget, lot.randrange).move
        position = position.after(move)


def _budget(nodes: int) -> NodeBudget:
    return NodeBudget(EndlessBudget(), nodes)


def _replay(game: Game, start: Position[Any], log: Sequence[Entry]) -> Iterator[Decision]:
    """The positions of a game that was played in which somebody had a choice."""
    position = start
    for ply, entry in enumerate(log):
        if position.actors() == {entry.seat} and entry.seat != CHANCE and not entry.aside:
            seen = position.seen_by(entry.seat)
            if len(seen.legal_moves(entry.seat)) > 1:
                yield ply, seen, entry.seat
        position = position.after(read_entry(game, position, entry))


def posed(
    game: Game, position: Position[Any], seat: Seat, seed: int, budget: Budget = ENDLESS
) -> Lesson | None:
    """The puzzle that *position* sets *seat*, proved with the luck of *seed*; ``None`` for none."""
    if game.computer.pose is None:
        return None
    problem = game.computer.pose(position, seat, budget, random.Random(seed).randrange)
    if problem is None:
        return None
    text, theme, depth = game.notation.text(position), problem.theme, problem.depth
    lesson = Lesson("", text, problem.answers, theme=theme, depth=depth)
    try:
        check_lesson(game, lesson)
    except BadLesson:  # what the text of a position does not tell, such as repetitions
        return None
    return lesson


def hardness(game: Game, lesson: Lesson, source: Source, lot: random.Random) -> float:
    """How hard *lesson* is as a mu: the lowest of the judges that finds it in most tries tells."""
    known = opening(game, lesson)
    judge = partial(game.computer.choose, known.position, known.seat)
    place = len(source.judges)
    for number, level in enumerate(source.judges):
        tries = (judge(level, _budget(JUDGED), lot.randrange).move for _ in range(LEVEL_TRIES))
        if 2 * sum(right(game, known, move) is not None for move in tries) > LEVEL_TRIES:
            place = number
            break
    step = (HARDEST - EASIEST) / len(source.judges)
    return round(EASIEST + step * place + 0.5 * (lesson.depth - 1), 2)


def proof_fault(game: Game, lesson: Lesson, seed: int, budget: Budget = ENDLESS) -> str:
    """Why *lesson* is no proved puzzle, "" where it is: posed anew it must come out the same."""
    try:
        check_lesson(game, lesson)
        known = opening(game, lesson)
    except BadLesson as wrong:
        return str(wrong)
    again = posed(game, known.position, known.seat, seed, budget)
    if again is None:
        return "it is not proved"
    if dict(again.answers) != dict(lesson.answers):
        return f"the answers are {', '.join(again.answers)}, not {', '.join(lesson.answers)}"
    return "" if again.theme == lesson.theme else f"it is {again.theme}, not {lesson.theme}"
