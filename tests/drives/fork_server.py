"""Starts the driven process over and over without importing everything each time.

A server, started once for each drive, imports what the bot imports and forks a child for each
start: a process and a session of its own, which runs the bot's own entry point from its first line.
More than a second of the processor is saved a start; a drive with a hundred kills has a hundred.
"""

from __future__ import annotations

import asyncio
import json
import os
import runpy
import signal
import sys
import traceback
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

ENTRY = "tests.drives.patched_main"


@dataclass
class Forked:
    """A child of the server, as far as a drive asks for it."""

    pid: int
    ended: asyncio.Future[int]

    @property
    def returncode(self) -> int | None:
        """How it ended, a signal as a negative number; None while it lives."""
        return self.ended.result() if self.ended.done() else None

    async def wait(self) -> int:
        """How it ended, once it has."""
        return await asyncio.shield(self.ended)


@dataclass
class ForkServer:
    """The server, as the drive sees it."""

    process: asyncio.subprocess.Process
    children: dict[int, Forked] = field(default_factory=dict)
    started: asyncio.Queue[int] = field(default_factory=asyncio.Queue)
    reading: asyncio.Task[None] | None = None

    @classmethod
    async def begun(cls, **how: Any) -> ForkServer:
        """A server that has just been started."""
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "tests.drives.fork_server")
        server = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, **how))
        server.reading = asyncio.create_task(server._read())
        return server

    async def fork(self, log: str) -> Forked:
        """A child that writes to *log*."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"log": log}).encode() + b"\n")
        return self.children[await self.started.get()]

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            what, pid, *status = line.decode().split()
            if what == "started":
                ended = asyncio.get_running_loop().create_future()
                self.children[int(pid)] = Forked(int(pid), ended)
                self.started.put_nowait(int(pid))
            else:
                self.children[int(pid)].ended.set_result(int(status[0]))

    async def close(self) -> None:
        """End the server; its children are left as they are."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()
        if self.reading is not None:
            await self.reading


def forking(process: type) -> type:
    """*process*, the emulators' class for a bot's process, with starts that fork."""

    class Forking(process):  # type: ignore[misc]
        """A bot's process that is forked by a server of its own."""

        server: ForkServer | None = None

        async def start(self) -> Any:
            if self.server is None:
                self.log.parent.mkdir(parents=True, exist_ok=True)
                with self.log.open("ab") as log:
                    self.server = await ForkServer.begun(env=self.env, cwd=self.cwd, stderr=log)
            self.proc = await self.server.fork(str(self.log.resolve()))
            return self

        async def close(self) -> None:
            """End the server, after the last stop."""
            if self.server is not None:
                await self.server.close()

    return Forking


# ---------------------------------------------------------------- the server itself


def _told(what: str) -> None:
    os.write(1, f"{what}\n".encode())


def _reap(_signal: int, _frame: FrameType | None) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        _told(f"ended {pid} {os.waitstatus_to_exitcode(status)}")


def _child(log: str) -> int:
    """The bot, from its entry point on; its status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    os.setsid()
    out, empty = (
        os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        os.open(os.devnull, os.O_RDONLY),
    )
    for old, new in ((empty, 0), (out, 1), (out, 2)):
        os.dup2(old, new)
    sys.argv = [ENTRY]
    try:
        runpy.run_module(ENTRY, run_name="__main__")
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    """Import everything, then fork a child for each line; end with the input."""
    import bot.app.main
    import bot.app.runner
    import bot.chats.discord
    import bot.chats.telegram
    import bot.chats.web  # noqa: F401
    from games.core.shelf import shelf

    shelf()
    signal.signal(signal.SIGCHLD, _reap)
    for line in sys.stdin:
        # Nobody ends before it is told that he was started.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        pid = os.fork()
        if pid == 0:
            status = _child(json.loads(line)["log"])
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        _told(f"started {pid}")
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


if __name__ == "__main__":
    main()
