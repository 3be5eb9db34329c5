"""The workers in which computer players think, and the queue, where short questions go first."""

from __future__ import annotations

import asyncio
import itertools
import logging
import sys
import time
from bisect import insort
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Any

from bot.runtime import metrics
from bot.runtime.processor_and_memory_limits import allowed_processors
from bot.service.computers import usi
from bot.service.computers.process import Hung, Worker
from bot.service.computers.worker import Allowance, Task, think
from bot.session.computer_resignation_and_draws import Opinion
from games.core import Entry, Position, RuleError, Seat, Setting, read_move
from games.core.shelf import find_game

log = logging.getLogger(__name__)

SECONDS = 4.0
"""CPU seconds that a computer player may use for a move."""

GRACE_SECONDS = 6.0
"""Further CPU seconds before a worker counts as hung and is killed."""

SHORT = 0.5
"""Seconds up to which a question is short."""

WEIGHT = 4.0
"""A question lets later ones pass for this many times its own length."""

HURRY = 50
"""Nodes for a move that must be found at once, in this process."""

LEARNT = 0.3
"""Weight of the newest duration in the moving average of a kind of question."""


@dataclass(frozen=True)
class Question:
    """A question to a computer player; *table*, its code and version, seeds the answer."""

    table: str
    game: str
    setting: Setting
    log: tuple[Entry, ...]
    seat: Seat
    level: int = 1
    now: Position[Any] | None = None
    """The position after the log, where the caller has it."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What else the task must know, by its names."""
    seconds: float = inf
    """The most CPU seconds for the answer."""

    def describe(self, task: Task, seconds: float) -> dict[str, Any]:
        """What a worker is asked: *task*, to be done in so many *seconds*."""
        return {
            "game": self.game,
            "sides": self.setting.sides,
            "options": dict(self.setting.options),
            "first": self.setting.first,
            "start": self.setting.start,
            "log": [[e.seat, e.text, e.aside, e.draw] for e in self.log],
            "seat": self.seat,
            "level": self.level,
            "task": task,
            "seconds": seconds,
            "seed": self.table,
            "about": dict(self.about),
        }


@dataclass(order=True)
class _Waiting:
    due: float
    number: int
    short: bool = field(compare=False)
    admitted: asyncio.Future[bool] = field(compare=False)
    """Set on admission: whether to the place kept for short questions."""


class ThinkingTurns:
    """Admits *count* questions, and one more if it is short: it never waits for a long one."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._free_short = 1
        self._inside = 0
        self._waiting: list[_Waiting] = []
        self._numbers: Iterator[int] = itertools.count()

    @asynccontextmanager
    async def turn(self, expected: float) -> AsyncIterator[None]:
        """Wait for a place for a question that is *expected* to take so many seconds."""
        admitted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        due = time.monotonic() + WEIGHT * expected
        waiting = _Waiting(due, next(self._numbers), expected <= SHORT, admitted)
        insort(self._waiting, waiting)
        self._admit()
        try:
            kept = await admitted
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif not admitted.cancelled():
                self._leave(kept=admitted.result())
            raise
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            self._leave(kept=kept)

    @property
    def rests(self) -> bool:
        """Whether nobody thinks or waits."""
        return not self._inside and not self._waiting

    @property
    def queued(self) -> int:
        """How many questions wait for a place."""
        return len(self._waiting)

    def resize(self, more: int) -> None:
        """Admit so many *more* questions at once from now on; fewer where that is negative."""
        self._free += more
        self._admit()

    def _leave(self, *, kept: bool) -> None:
        if kept:
            self._free_short += 1
        else:
            self._free += 1
        self._admit()

    def _admit(self) -> None:
        # A cancelled question takes no place.
        self._waiting = [one for one in self._waiting if not one.admitted.done()]
        for one in tuple(self._waiting):
            kept = self._free <= 0  # below none, until those have left who were too many
            if kept and not (one.short and self._free_short):
                continue
            if kept:
                self._free_short -= 1
            else:
                self._free -= 1
            self._waiting.remove(one)
            one.admitted.set_result(kept)


@dataclass
class Thinkers:
    """Worker processes for computer players; at most *count* think at once.

    A worker that hangs or crashes is killed and replaced, and the question is asked again at the
    lowest level. If that fails too, this process plays a move without a search.
    """

    count: int = field(default_factory=lambda: allowed_processors().count)
    command: Sequence[str] = (sys.executable, "-m", "bot.service.computers.worker")
    seconds: float = SECONDS
    grace: float = GRACE_SECONDS
    engines: Mapping[str, usi.Engine] = field(default_factory=dict)
    """External programs that play levels above our own of a game, by the game's key."""
    _idle: list[Worker] = field(default_factory=list)
    _hiring: set[asyncio.Task[None]] = field(default_factory=set)
    _turns: ThinkingTurns = field(init=False)
    _took: dict[tuple[str, str, int], float] = field(default_factory=dict)
    """Average CPU seconds by game, task and level."""
    _along: dict[tuple[str, str], tuple[int, int, Sequence[Any]]] = field(default_factory=dict)
    """Progress of long tasks, and what they have found so far, by question and task."""
    _failed: set[str] = field(default_factory=set)
    """The games whose program does not play, as the log says already."""
    _closed: bool = False

    def __post_init__(self) -> None:
        self._turns = ThinkingTurns(self.count)

    @property
    def queued(self) -> int:
        """How many questions wait until a worker is free."""
        return self._turns.queued

    @property
    def rests(self) -> bool:
        """Whether no computer player thinks, and none waits."""
        return self._turns.rests

    async def think(self, asked: Question) -> Opinion:
        """The move of the computer player; never fails for lack of a worker."""
        thought = await self._from_engine(asked)
        if thought is not None:
            return thought
        question = asked.describe(Task.MOVE, min(self.seconds, asked.seconds))
        for level in dict.fromkeys((min(asked.level, find_game(asked.game).computer.levels), 1)):
            answer = await self._ask({**question, "level": level})
            if answer is not None:
                return opinion_of(answer)
            log.warning("table %s: a computer of level %d did not answer", asked.table, level)
        log.error("table %s: no computer answered, a move is found at a glance", asked.table)
        metrics.GLANCES.labels(asked.game).inc()
        answer = await asyncio.to_thread(think, {**question, "level": 1}, Allowance(inf, HURRY))
        return opinion_of(answer, hurried=True)

    async def answer(
        self, asked: Question, task: Task, seconds: float | None = None
    ) -> dict[str, Any] | None:
        """A worker's answer to a *task* other than a move; ``None`` where none answered."""
        most = min(asked.seconds, self.seconds if seconds is None else seconds)
        question = asked.describe(task, most)
        # A worker may have died meanwhile, or of something else; the next one begins anew.
        answer = await self._ask(question) or await self._ask(question)
        if answer is None:
            log.error("table %s: no answer to its %s", asked.table, task)
        return answer

    def along(self, table: str, task: Task) -> tuple[int, int, Sequence[Any]] | None:
        """Parts of a *task* that are done, their number, and what it has found so far.

        That is as its answer will tell it. ``None`` before the first report, and once it is over.
        """
        return self._along.get((table, task))

    async def _from_engine(self, asked: Question) -> Opinion | None:
        """The move of an external program, where one plays this level and answers.

        Where it does not, one sentence says so until it plays again.
        """
        engine, game = self.engines.get(asked.game), find_game(asked.game)
        if asked.now is None or asked.level <= (own := game.computer.levels):
            return None
        text = game.notation.text
        told = usi.position(text(game.start(asked.setting)), asked.log, text(asked.now))
        try:
            if engine is None:
                raise usi.NoEngine("there is none")
            nodes = usi.LEVEL_NODES[min(asked.level - own, len(usi.LEVEL_NODES)) - 1]
            async with self._turns.turn(engine.seconds):
                answer = await engine.play(told, nodes, asked.seconds)
            if not answer.move:
                return None
            read_move(game, asked.now, asked.seat, answer.move)
        except (usi.NoEngine, RuleError) as wrong:
            if asked.game not in self._failed:
                why = wrong if isinstance(wrong, usi.NoEngine) else "its move is not legal"
                text_of = "the program that plays %s does not: %s; our level %d goes on"
                log.error(text_of, asked.game, why, own)
            self._failed.add(asked.game)
            return None
        self._failed.discard(asked.game)
        return answer

    async def _ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        with metrics.timing(metrics.THOUGHTS, question["game"], str(question["task"])):
            return await self._ask_worker(question)

    async def _ask_worker(self, question: dict[str, Any]) -> dict[str, Any] | None:
        kind = question["game"], question["task"], question["level"]
        short = question["task"] == Task.MOVE and question["level"] == 1
        expected = self._took.get(kind, 0.0 if short else question["seconds"])
        async with self._turns.turn(expected):
            worker = self._idle.pop() if self._idle else await Worker.hire(self.command)
            about = question["seed"], question["task"]

            def along(done: int, parts: int, found: Sequence[Any]) -> None:
                self._along[about] = done, parts, found

            try:
                answer = await worker.ask(question, question["seconds"] + self.grace, along)
            except (EOFError, ConnectionError, Hung, ValueError):
                await worker.kill()
                self._replace()
                return None
            except BaseException:
                await worker.kill()
                raise
            finally:
                self._along.pop(about, None)
            self._idle.append(worker)
            await self._dismiss()
        took = float(answer.get("took", expected))
        self._took[kind] = expected + LEARNT * (took - expected) if kind in self._took else took
        return answer

    def _replace(self) -> None:
        if self._closed:
            return
        task = asyncio.create_task(self.warm())
        self._hiring.add(task)
        task.add_done_callback(self._hiring.discard)

    async def warm(self) -> None:
        """Start a worker ahead of questions."""
        self._idle.append(await Worker.hire(self.command))

    async def resize(self, count: int) -> None:
        """Let *count* workers think at once from now on, and dismiss those too many."""
        if count != self.count:
            more, self.count = count - self.count, count
            self._turns.resize(more)
            await self._dismiss()

    async def _dismiss(self) -> None:
        """Kill the idle workers above ``count + 1``."""
        while len(self._idle) > self.count + 1:
            await self._idle.pop(0).kill()

    async def close(self) -> None:
        """Kill every worker; no question may follow."""
        self._closed = True
        await asyncio.gather(*self._hiring, *(one.close() for one in self.engines.values()))
        while self._idle:
            await self._idle.pop().kill()


def opinion_of(answer: dict[str, Any], *, hurried: bool = False) -> Opinion:
    """The opinion that a worker's *answer* says."""
    return Opinion(answer["move"], answer["value"], tuple(answer["line"]), answer["exact"], hurried)
