"""A worker process as the bot sees it: asked, watched, killed where it hangs."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from bot.computers.worker import Along, silent

GLANCE = 0.5
"""Every how many seconds a worker that thinks is looked at."""

STILL = 10
"""At how many glances a worker may have rested, doing nothing, before it counts as hung."""

PATIENCE = 180.0
"""After how many seconds by the clock on the wall nobody waits any longer."""

RESTING = (psutil.STATUS_SLEEPING, psutil.STATUS_STOPPED, psutil.STATUS_IDLE, psutil.STATUS_ZOMBIE)
"""What a process is that neither works nor waits for the processor or the disk."""


class Hung(Exception):
    """A worker used more time than it was given, or does nothing at all."""


@dataclass
class Worker:
    """A worker process."""

    process: asyncio.subprocess.Process

    @classmethod
    async def hired(cls, command: Sequence[str]) -> Worker:
        """A worker that has just been started."""
        pipe = asyncio.subprocess.PIPE
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))

    async def ask(
        self, question: dict[str, Any], seconds: float, along: Along = silent
    ) -> dict[str, Any]:
        """The worker's answer, for which it may use *seconds* of the processor.

        *along* hears how far it is, where it tells. Time in which others have the processor does
        not count. Raises ``EOFError`` or ``ConnectionError`` where it died, ``Hung`` and
        ``ValueError`` (no JSON).
        """
        answering = asyncio.create_task(self._answer(question, along))
        try:
            async with asyncio.timeout(PATIENCE):
                await self._watch(answering, seconds)
                return await answering
        except TimeoutError:
            raise Hung from None
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)

    async def _answer(self, question: dict[str, Any], along: Along) -> dict[str, Any]:
        assert self.process.stdin is not None  # noqa: S101 - both pipes are asked for above
        assert self.process.stdout is not None  # noqa: S101
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        await self.process.stdin.drain()
        while line := await self.process.stdout.readline():
            answer: dict[str, Any] = json.loads(line)
            if "done" not in answer:
                return answer
            along(answer["done"], answer["of"])
        raise EOFError

    async def _watch(self, answering: asyncio.Task[dict[str, Any]], seconds: float) -> None:
        """Wait until *answering* is done; raises ``Hung``."""
        before = used = self._used()
        rested = 0
        while not (await asyncio.wait({answering}, timeout=GLANCE))[0]:
            last, used = used, self._used()
            rested = rested + 1 if used == last and self._rests() else 0
            if used - before > seconds or rested >= STILL:
                raise Hung

    def _used(self) -> float:
        """Seconds of the processor that the worker has used so far; 0 where it is gone."""
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(self.process.pid).cpu_times()
            return float(times.user + times.system)
        return 0.0

    def _rests(self) -> bool:
        with contextlib.suppress(psutil.Error):
            return psutil.Process(self.process.pid).status() in RESTING
        return True

    async def kill(self) -> None:
        """End it, whatever it is doing."""
        # Not by ``process.kill``, which may take the end of a child that has died away from the
        # event loop: that complains then, and knows no exit code.
        if self.process.returncode is None:
            with contextlib.suppress(psutil.Error):
                psutil.Process(self.process.pid).kill()
        await self.process.wait()
        # Let the pipes close before the loop may: a transport left open warns.
        if self.process.stdin is not None:
            self.process.stdin.close()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                await self.process.stdin.wait_closed()
