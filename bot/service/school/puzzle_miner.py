"""Puzzles and chances out of the house's finished games, at leisure; old puzzles proved anew.

One worker at the lowest priority does one thing at a time, in the one process that keeps the
clock, and only while no computer player thinks or waits. It rests nine times as long as it worked.
A puzzle is a position alone: it names neither the game nor anybody.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import astuple, dataclass, field
from random import Random
from typing import Any, Final

from bot.service.computers.chances import Chances
from bot.service.computers.pool import Question, Thinkers
from bot.service.computers.process import Hung, Worker
from bot.service.computers.worker import Task
from bot.service.heartbeat import CLOCK
from bot.service.process_cluster import Ownership
from bot.service.school.puzzle_collection import HousePuzzle, PuzzleCollection, PuzzleOrigin
from bot.service.table.tables import Tables
from bot.session.table import Table
from games.core import CHANCE, replay
from games.core.computer import Curve
from games.core.school import lesson_data, read_lesson
from storage import bot_settings
from storage.records import EPOCH, MILLISECOND
from storage.store import Store
from storage.table import games

log = logging.getLogger(__name__)

LOOK: Final = 60.0
"""Seconds between two looks whether there is something to do."""

REST: Final = 9.0
"""How many times as long as it worked the worker rests."""

SECONDS: Final = 30.0
"""CPU seconds that one game, or one proof, may take."""

GRACE_SECONDS: Final = 30.0
"""Further CPU seconds before the worker counts as hung: it looks at its budget now and then."""

CURSOR: Final = "puzzles:mined"
"""The setting that keeps how far the finished games are mined."""

FITTED: Final = "chances:fitted"
"""The setting that keeps how far chances are fitted to the finished games."""

COMMAND: Final = (sys.executable, "-m", "bot.service.computers.worker", "--sparing")


@dataclass(kw_only=True)
class PuzzleMiner:
    """Finds puzzles where *mines* says so, and proves those of older rules anew in any case."""

    store: Store
    tables: Tables
    thinkers: Thinkers
    ownership: Ownership
    collection: PuzzleCollection
    chances: Chances
    mines: bool = False
    command: Sequence[str] = COMMAND
    _undecided: set[str] = field(default_factory=set)
    """The puzzles that this process could not prove within its budget."""

    async def look(self) -> float:
        """Work a little where there is leisure; answers for how many seconds to rest from it."""
        return max(LOOK, REST * (await self.step() if self._is_idle() else 0.0))

    def _is_idle(self) -> bool:
        return self.ownership.fleet.holds(CLOCK) and self.thinkers.rests

    async def step(self) -> float:
        """Do one thing, if there is one; answers the CPU seconds that it took."""
        for one in await self.collection.load():
            if one.is_stale and one.row.code not in self._undecided:
                return await self._prove(one)
        mined = await self._next(CURSOR, self._mine_game) if self.mines else 0.0
        return mined or await self._next(FITTED, self._fit_chances)

    async def _prove(self, stale: HousePuzzle) -> float:
        """Prove a puzzle under the rules of today; until somebody can it is not put."""
        game, lesson = stale.exercise.game, stale.exercise.lesson
        told = {"task": Task.PROVE, "game": game.key, "seed": game.key, "seconds": SECONDS}
        found = await self._ask({**told, "lesson": lesson_data(lesson)})
        if found is None or not found["decided"]:
            self._undecided.add(stale.row.code)
            return SECONDS
        await self.collection.judge(game, lesson, str(found["fault"]))
        return float(found["took"])

    async def _next(self, key: str, work: Callable[[str], Awaitable[float]]) -> float:
        """Do *work* on the next finished game; the setting *key* keeps how far it went."""
        kept = await self.store.read(bot_settings.load_setting, key)
        last, _, code = (kept or "").partition(" ")
        since = EPOCH + int(last) * MILLISECOND if last.isdigit() else EPOCH
        following = await self.store.read(games.ended_after, since, code)
        if following is None:
            return 0.0
        at, code = following
        spent = await work(code)
        # Killed before this, the same game is mined once more, and nothing is kept twice.
        cursor = f"{(at - EPOCH) // MILLISECOND} {code}"
        await self.store.write(bot_settings.put_setting, key, cursor)
        return spent

    async def _fit_chances(self, code: str) -> float:
        """Learn from a moment by lot of a finished game of two how chances come true."""
        table = await self.tables.find(code)
        if table is None or table.outcome is None or len(table.players) != 2:
            return 0.0
        turns = [n for n, one in enumerate(table.log) if one.seat != CHANCE and not one.aside]
        game, log = table.game, table.log[: Random(code).choice(turns or [0])]
        actors = replay(game, game.start(table.setting), log).actors()
        seat = min(actors, default=CHANCE)
        if len(actors) != 1 or seat == CHANCE or not _is_usual(table):
            return 0.0
        # As those of this strength play it out, but not yet bent by what the house has learnt.
        unbent = {"curve": astuple(Curve(level=(await self.chances.curve(table)).level))}
        asked = Question(table.code, game.key, table.setting, log, seat, about=unbent)
        found = await self._ask(asked.describe(Task.ODDS, SECONDS))
        if found is None:
            return SECONDS
        await self.chances.learn(table, found["shares"][seat], (1 + table.outcome.worth(seat)) / 2)
        return float(found["took"])

    async def _mine_game(self, code: str) -> float:
        table = await self.tables.find(code)
        if table is None or table.game.computer.pose is None or not _is_usual(table):
            return 0.0
        asked = Question(table.code, table.game.key, table.setting, table.log, 0)
        found = await self._ask(asked.describe(Task.MINE, SECONDS))
        if found is None:
            return SECONDS
        lessons = [read_lesson(table.game.key, one) for one in found["lessons"]]
        new = await self.collection.add(table.game, lessons, PuzzleOrigin.MINED) if lessons else 0
        log.info("puzzles of %s: %d mined from a finished game", table.game.key, new)
        return float(found["took"])

    async def _ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """What a worker of its own answers; ``None`` where it does not."""
        worker = await Worker.hire(self.command)
        try:
            return await worker.ask(question, SECONDS + GRACE_SECONDS)
        except (EOFError, ConnectionError, Hung, ValueError):
            log.warning("the worker that looks for puzzles of %s did not answer", question["game"])
            return None
        finally:
            await worker.kill()


def _is_usual(table: Table) -> bool:
    """Whether a game was played by the usual rules, as puzzles are."""
    usual = table.game.chosen({})
    return all(table.setting.options.get(key, one) == one for key, one in usual.items())
