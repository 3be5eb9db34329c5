"""A worker process: started, asked, watched and killed where it hangs."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from bot.service.computers.worker import Along, silent

GLANCE = 0.5
"""Seconds between two looks at a thinking worker."""

STILL = 10
"""Looks in a row at which an idle worker counts as hung."""

ANSWER_SECONDS = 180.0
"""Wall seconds after which any answer is given up."""

RESTING_STATES = (
    psutil.STATUS_SLEEPING,
    psutil.STATUS_STOPPED,
    psutil.STATUS_IDLE,
    psutil.STATUS_ZOMBIE,
)
"""States of a process that neither works nor waits for CPU or disk."""


class Hung(Exception):
    """A worker used more CPU than it was given, or is idle without an answer."""


@dataclass
class Worker:
    """A worker process."""

    process: asyncio.subprocess.Process

    @classmethod
    async def hire(cls, command: Sequence[str]) -> Worker:
        """Start a worker."""
        pipe = asyncio.subprocess.PIPE
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))

    async def ask(
        self, question: dict[str, Any], seconds: float, along: Along = silent
    ) -> dict[str, Any]:
        """The worker's answer within *seconds* of its own CPU time.

        *along* receives its progress. Raises ``EOFError`` or ``ConnectionError`` where the worker
        died, ``Hung``, and ``ValueError`` for an answer that is no JSON.
        """
        answering = asyncio.create_task(self._answer(question, along))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
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
            along(answer["done"], answer["of"], answer.get("weighed", ()))
        raise EOFError

    async def _watch(self, answering: asyncio.Task[dict[str, Any]], seconds: float) -> None:
        before = used = self._cpu_seconds()
        rested = 0
        while not (await asyncio.wait({answering}, timeout=GLANCE))[0]:
            last, used = used, self._cpu_seconds()
            rested = rested + 1 if used == last and self._rests() else 0
            if used - before > seconds or rested >= STILL:
                raise Hung

    def _cpu_seconds(self) -> float:
        """CPU seconds that the worker has used; 0 where it is gone."""
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(self.process.pid).cpu_times()
            return float(times.user + times.system)
        return 0.0

    def _rests(self) -> bool:
        with contextlib.suppress(psutil.Error):
            return psutil.Process(self.process.pid).status() in RESTING_STATES
        return True

    async def kill(self) -> None:
        """Kill the worker."""
        await end_process(self.process)


async def end_process(process: asyncio.subprocess.Process) -> None:
    """Kill *process* and close its pipe."""
    # ``process.kill`` may reap a dead child before the event loop does, which then warns and
    # lacks the exit code.
    if process.returncode is None:
        with contextlib.suppress(psutil.Error):
            psutil.Process(process.pid).kill()
    await process.wait()
    # An open transport warns when the loop closes.
    if process.stdin is not None:
        process.stdin.close()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            await process.stdin.wait_closed()
