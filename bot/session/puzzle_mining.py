"""Puzzles mined from games: posed and proved by the game, and how hard they are. Pure."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

from games.core import CHANCE, Budget, Entry, Game, Position, Seat
from games.core.advice import list_decisions
from games.core.move_parsing import read_move
from games.core.school import (
    BadLesson,
    Lesson,
    LessonState,
    answered,
    check_lesson,
    opening,
    puzzles,
)
from games.core.search import EndlessBudget, NodeBudget

LONGEST_GAME = 3_000
"""How many moves of one game are played at most."""

A_GAME = 6
"""How many puzzles are taken from one game at most."""

ENDLESS: Budget = EndlessBudget()

Decision: TypeAlias = tuple[int, Position[Any], Seat]
"""After how many plies who had a choice, and in which position."""

JUDGED = 1_000
"""How many nodes the try of a judge is worth."""

LOOKS = (10, 30, 100, 300, 1_000, 3_000)
"""With how many nodes the highest level looks for the answer, one after the other."""

EASIEST, HARDEST = 17.0, 29.0
"""The mu of a puzzle that all levels find, and of one that none finds."""

ROUGH, WORTH = 3_000, 12_000
"""The nodes that the highest level sees before it says what a position is worth: first, at last."""

ALIKE = 0.7
"""Two puzzles of the same answer share less of their words than this."""


@dataclass(frozen=True)
class Source:
    """Of whose games puzzles are mined: the *levels* that play, with *nodes* a move, after *plies*.

    *judges* are the levels that say how hard a puzzle is. Two puzzles of one game are so many plies
    *apart* at least, lest the second lie in the solution of the first.
    """

    levels: Sequence[int]
    judges: Sequence[int]
    nodes: int = 3_000
    tries: int = 3
    """How often each judge tries a puzzle."""
    plies: int = 6
    apart: int = 1
    close: float = 0.1
    """How far an answer may stay behind the best move, after the whole line."""
    worst: float = -0.5
    """How badly an answer may leave the solver; both as ``ChosenMove.value`` counts."""
    clear: float = 0.0
    """By how much the best move is ahead at a glance, lest what is hardly ever proved is tried."""


SOURCES = {
    "niya": Source((1, 2), (1, 2), tries=6, plies=2, apart=2),
    "parchis": Source((2, 2), (1, 2, 3), tries=16, plies=60, apart=20, clear=0.25),
    "cirya": Source((2, 3), (1, 2, 3, 4, 5), nodes=500, plies=8, close=0.15, worst=-0.3),
    "shogi": Source((1, 2), (1, 2, 4, 6, 8, 10, 12), nodes=150, plies=30, apart=4),
    "storilljudhjorrayc": Source(
        (2, 3), (1, 2, 4, 6, 8, 10), nodes=50, plies=12, apart=6, close=0.03, worst=-0.1
    ),
}
"""What has proved fruitful for each game; others are played by their middle level."""


def source_of(game: Game) -> Source:
    """Of whose games the puzzles of *game* are mined."""
    levels = game.computer.levels
    middle = (levels + 1) // 2
    return SOURCES.get(game.key) or Source((middle, middle), tuple(range(1, levels + 1)))


@dataclass
class Stock:
    """The puzzles of a game that there are, which a new one must not be like."""

    known: dict[tuple[str, str], list[set[str]]] = field(default_factory=dict)

    def takes(self, lesson: Lesson) -> bool:
        """Whether *lesson* is unlike all; then it belongs to them.

        Those of the same theme and first answer differ in the words of their positions.
        """
        first = next(iter(lesson.answers))
        words = _words(lesson.position)
        near = self.known.setdefault((lesson.theme, first), [])
        if any(len(words & one) > ALIKE * len(words | one) for one in near):
            return False
        near.append(words)
        return True


def _words(position: str) -> set[str]:
    """The words of a *position*, each with its place among them."""
    parts = re.findall(r"[^/,\s]+|[/,\s]", position)
    return {f"{place} {part}" for place, part in enumerate(parts) if part not in "/, "}


def mine(game: Game, games: int, seed: int) -> Iterator[Lesson]:
    """The puzzles of so many *games* of computers; the same for the same *seed*.

    No two are alike, nor is one like those that come with the game.
    """
    source, lot, stock = source_of(game), random.Random(seed), _load_stock(game)
    for _ in range(games):
        yield from _of_game(game, _decisions(game, source, lot), lot, stock)


def mined_from(
    game: Game, start: Position[Any], log: Sequence[Entry], seed: int, budget: Budget
) -> Iterator[Lesson]:
    """The puzzles in the game that *log* tells from *start*, until the *budget* is spent."""
    found, lot = list_decisions(game, start, log)[0], random.Random(seed)
    decisions = ((one.number, one.position, one.seat) for one in found)
    yield from _of_game(game, decisions, lot, _load_stock(game), budget)


def _load_stock(game: Game) -> Stock:
    stock = Stock()
    for lesson in puzzles(game):
        stock.takes(lesson)
    return stock


def _of_game(
    game: Game,
    decisions: Iterable[Decision],
    lot: random.Random,
    stock: Stock,
    budget: Budget = ENDLESS,
) -> Iterator[Lesson]:
    """The puzzles among the *decisions* of one game, no two of the same answer.

    The same answer twice in one game is as good as the same puzzle.
    """
    source, known = source_of(game), set[str]()
    since = source.plies
    for ply, position, seat in decisions:
        if len(known) >= A_GAME or budget.is_spent():
            return
        if ply < since or not _is_clear(game, position, seat, source.clear):
            continue
        lesson = posed(game, position, seat, lot.randrange(1 << 32), budget)
        if lesson is None or next(iter(lesson.answers)) in known:
            continue
        lesson = grade(game, lesson)
        if lesson is not None and stock.takes(lesson):
            known.add(next(iter(lesson.answers)))
            since = ply + source.apart
            yield lesson


def _is_clear(game: Game, position: Position[Any], seat: Seat, least: float) -> bool:
    """Whether the best move of *seat* is worth *least* more than any other at a glance."""
    weigh = game.computer.weigh if least else None
    told = sorted(value for _, value in weigh(position, seat, ENDLESS)) if weigh else [0.0, 1.0]
    return len(told) > 1 and told[-1] - told[-2] >= least


def _decisions(game: Game, source: Source, lot: random.Random) -> Iterator[Decision]:
    """The positions of a game of computers in which somebody has a choice."""
    position = game.start(game.setting({}, min(game.rules.seats), 0))
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
    proof = f"{seed} {problem.proof}" if problem.proof else ""
    lesson = Lesson("", text, problem.answers, theme=theme, depth=depth, proof=proof)
    try:
        check_lesson(game, lesson)
    except BadLesson:  # what the text of a position does not tell, such as repetitions
        return None
    return lesson


def grade(game: Game, lesson: Lesson) -> Lesson | None:
    """*lesson*, which is proved, with how hard it is; ``None`` where it is no good puzzle.

    It is none where the lowest level plays the answer every time, where the game is lost all the
    same, or where an answer is clearly worse than the best move after all that it costs.
    """
    if is_dear(game, lesson, ROUGH):  # the cheapest look, and most fall by it
        return None
    hard = hardness(game, lesson)
    return replace(lesson, mu=hard) if hard > EASIEST and not is_dear(game, lesson) else None


def hardness(game: Game, lesson: Lesson) -> float:
    """How hard *lesson* is as a mu, the same every time; ``EASIEST`` where everybody finds it.

    What counts is how often each of the judges misses it, with how many nodes the highest level
    finds it, and how many moves it takes.
    """
    known, source = opening(game, lesson), source_of(game)
    lot = random.Random(lesson.position)
    choose = partial(game.computer.choose, known.position, known.seat)

    def finds(level: int, nodes: int) -> bool:
        move = choose(level, _budget(nodes), lot.randrange).move
        # C19: what is announced with a ply makes it no other one.
        return game.notation.written(known.position, move).rstrip("'\"") in lesson.answers

    missed = 0
    for level in source.judges:
        before = missed
        missed += sum(not finds(level, JUDGED) for _ in range(source.tries))
        if missed == before:
            break
    if not missed:
        return EASIEST
    top = game.computer.levels
    looks = next((n for n, nodes in enumerate(LOOKS) if finds(top, nodes)), len(LOOKS))
    hard = 0.7 * missed / (source.tries * len(source.judges)) + 0.3 * looks / len(LOOKS)
    return round(EASIEST + (HARDEST - EASIEST) * hard + 0.5 * lesson.depth, 2)


def is_dear(game: Game, lesson: Lesson, nodes: int = WORTH) -> bool:
    """Whether an answer of *lesson* leaves the solver behind what is best there, or far behind.

    The highest level says so, which sees so many *nodes* each time.
    """
    known, source = opening(game, lesson), source_of(game)
    ends = [_worth(game, end, known.seat, nodes) for end in _ends(game, known)]
    left = min((end for end in ends if end is not None), default=1.0)
    if left >= 1 or left < source.worst:
        return left < 1
    here = _worth(game, known.position, known.seat, nodes)
    return here is not None and left < here - source.close


def _ends(game: Game, known: LessonState) -> Iterator[Position[Any]]:
    """The positions after each way to solve *known*."""
    for text in known.answers or {}:
        then = answered(game, known, read_move(game, known.position, known.seat, text))
        if then.is_solved:
            yield then.position
        else:
            yield from _ends(game, then)


def _worth(game: Game, position: Position[Any], seat: Seat, nodes: int) -> float | None:
    """What *position* is worth to *seat* by the highest level, the same every time it is asked.

    ``None`` where luck is to decide first.
    """
    outcome = position.outcome()
    if outcome is not None:
        return outcome.worth(seat)
    mover = min(position.actors())
    if mover == CHANCE:
        return None
    value = game.computer.best(position, mover, _budget(nodes), lambda _: 0).value
    return value if mover == seat else -value


def proof_fault(game: Game, lesson: Lesson, seed: int, budget: Budget = ENDLESS) -> str:
    """Why *lesson* is no proved puzzle, "" where it is: posed anew it must come out the same.

    One that luck has proved is proved by the same luck again, any other by that of *seed*.
    """
    try:
        check_lesson(game, lesson)
        known = opening(game, lesson)
    except BadLesson as wrong:
        return str(wrong)
    luck = int(lesson.proof.partition(" ")[0] or seed)
    again = posed(game, known.position, known.seat, luck, budget)
    if again is None:
        return "it is not proved"
    if lesson.proof and again.proof != lesson.proof:
        return f"its proof comes out as {again.proof}, not {lesson.proof}"
    if dict(again.answers) != dict(lesson.answers):
        return f"the answers are {', '.join(again.answers)}, not {', '.join(lesson.answers)}"
    return "" if again.theme == lesson.theme else f"it is {again.theme}, not {lesson.theme}"
