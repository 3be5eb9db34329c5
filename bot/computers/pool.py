"""The worker processes of computer players: never on the event loop, killable, replaced."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games.core import Entry, Seat, Setting

log = logging.getLogger(__name__)

SECONDS = 4.0
"""How long a computer player may think about a move before it must answer."""

GRACE = 6.0
"""How much longer a worker lives before it is killed: it started, or it hangs."""


class Unthinkable(Exception):
    """Workers died or hung at every level."""


@dataclass(frozen=True)
class Thought:
    """What a computer player would play: its move as notation, its value for the mover."""

    move: str
    value: float
    line: tuple[str, ...]
    exact: bool


@dataclass(frozen=True)
class Question:
    """What a computer player is asked: a game by its *setting* and *log*, and who is to move.

    *table* names the table and its version, for the log and as the seed of the answer.
    """

    table: str
    game: str
    setting: Setting
    log: tuple[Entry, ...]
    seat: Seat
    level: int


@dataclass
class _Worker:
    process: asyncio.subprocess.Process

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The worker's answer; raises ``EOFError`` when it died."""
        assert self.process.stdin is not None  # noqa: S101 - both pipes are asked for below
        assert self.process.stdout is not None  # noqa: S101
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        await self.process.stdin.drain()
        line = await self.process.stdout.readline()
        if not line:
            raise EOFError
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        # Let the pipes close before the loop may: a transport left open warns.
        if self.process.stdin is not None:
            self.process.stdin.close()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                await self.process.stdin.wait_closed()


@dataclass
class Thinkers:
    """A few worker processes that answer for computer players.

    A worker that hangs or crashes is killed and replaced, and the question is asked again
    one level lower.
    """

    count: int = 1
    command: Sequence[str] = (sys.executable, "-m", "bot.computers.worker")
    seconds: float = SECONDS
    grace: float = GRACE
    _idle: list[_Worker] = field(default_factory=list)
    _slots: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.count)

    async def think(self, asked: Question) -> Thought:
        """What the computer plays; raises ``Unthinkable`` when no worker answers."""
        question = {
            "game": asked.game,
            "sides": asked.setting.sides,
            "options": dict(asked.setting.options),
            "first": asked.setting.first,
            "log": [[e.seat, e.text, e.aside, e.draw] for e in asked.log],
            "seat": asked.seat,
            "seconds": self.seconds,
            "seed": asked.table,
        }
        for lower in range(asked.level, 0, -1):
            answer = await self._ask({**question, "level": lower})
            if answer is not None:
                line = tuple(answer["line"])
                return Thought(answer["move"], answer["value"], line, answer["exact"])
            log.warning("table %s: a computer of level %d did not answer", asked.table, lower)
        raise Unthinkable(asked.table)

    async def _ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        async with self._slots:
            worker = self._idle.pop() if self._idle else await self._hire()
            try:
                async with asyncio.timeout(self.seconds + self.grace):
                    answer = await worker.ask(question)
            except (TimeoutError, EOFError, ConnectionError, json.JSONDecodeError):
                await worker.kill()
                return None
            except BaseException:
                await worker.kill()
                raise
            self._idle.append(worker)
            return answer

    async def _hire(self) -> _Worker:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*self.command, stdin=pipe, stdout=pipe)
        return _Worker(process)

    async def warm(self) -> None:
        """Start the workers now, so that the first move does not wait for them."""
        while len(self._idle) < self.count:
            self._idle.append(await self._hire())

    async def close(self) -> None:
        """Kill every worker; nothing may be asked any more."""
        while self._idle:
            await self._idle.pop().kill()
