"""A program that plays shogi by the Universal Shogi Interface, as the strongest level.

http://hgm.nubati.net/usi.html
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import tanh
from pathlib import Path

import psutil

from games.core import Entry

log = logging.getLogger(__name__)

SECONDS = 2.0
"""How long the program thinks about a move."""

PATIENCE = 10.0
"""How many seconds it has to answer anything else, and its move beyond its time."""

NICENESS = 10
MEMORY = 2 << 30
"""How many bytes of memory it may use: its tables are small."""

OPTIONS = {"USI_Hash": "64", "Threads": "1", "USI_Ponder": "false"}
"""What it is told of the options that it has: it shares the machine with everybody else."""

SCALE = 1200.0
"""Points by which an opinion nears certainty: tanh(points / SCALE)."""


@dataclass(frozen=True)
class Speech:
    """How one talks to a program: what greets it, begins a game, and lets it think so long."""

    word: str
    begin: str
    go: str


USI = Speech("usi", "usinewgame", "go btime 0 wtime 0 byoyomi {}")

_PLAIN = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")
_SCORE = re.compile(r" score (cp|mate) ([-+]?\d+)")


class NoEngine(Exception):
    """The program cannot be started, is silent, or says what cannot be understood."""


@dataclass(frozen=True)
class Answer:
    """The *move* that the program plays, or none where it gives up, and its *value* of -1 to 1."""

    move: str
    value: float
    line: tuple[str, ...] = ()


def position(start: str, log: Sequence[Entry], now: str) -> str:
    """The command that tells the position: by its moves from *start*, or *now* as it stands.

    Moves tell of repetitions; a game in which something else was said is told without them.
    """
    if all(_PLAIN.fullmatch(entry.text) and not entry.aside for entry in log):
        moves = " ".join(entry.text for entry in log)
        return f"position sfen {start} moves {moves}" if moves else f"position sfen {start}"
    return f"position sfen {now}"


@dataclass
class Engine:
    """The program at *path*: started when it is needed, and anew after it failed."""

    path: Path
    seconds: float = SECONDS
    patience: float = PATIENCE
    nodes: int = 0
    """How many positions it looks at instead, where it is measured by them and not by time."""

    arguments: tuple[str, ...] = ()
    speech: Speech = USI
    name: str = ""
    _process: asyncio.subprocess.Process | None = None
    _line: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while it thinks: one table after the other."""

    async def play(self, told: str) -> Answer:
        """What the program plays in the position that it is *told*; raises ``NoEngine``."""
        async with self._line:
            try:
                await self._ready()
                await self._say(told, self._go())
                lines = await self._until("bestmove", self.seconds + self.patience)
            except BaseException:
                await self.close()
                raise
        best = lines[-1].split()
        if len(best) < 2:
            await self.close()
            raise NoEngine("it names no move")
        move = "" if best[1] in ("resign", "win", "none", "0000") else best[1]
        infos = [line for line in lines if " pv " in line and " score " in line]
        return Answer(move, _value(infos[-1]) if infos else 0.0, _principal(infos))

    async def greeted(self) -> str:
        """The name of the program, which has answered; raises ``NoEngine``."""
        async with self._line:
            try:
                await self._ready()
            except BaseException:
                await self.close()
                raise
        return self.name

    def spent(self) -> float:
        """The seconds of the processor that the program has used since it was started."""
        if self._process is None or self._process.returncode is not None:
            return 0.0
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(self._process.pid).cpu_times()
            return float(times.user + times.system)
        return 0.0

    def _go(self) -> str:
        if self.nodes:
            return f"go nodes {self.nodes}"
        return self.speech.go.format(round(1000 * self.seconds))

    async def close(self) -> None:
        """End the program, whatever it is doing."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                await process.stdin.wait_closed()

    async def _ready(self) -> None:
        """Start it, if need be, and wait until it has understood how it shall play."""
        if self._process is not None and self._process.returncode is None:
            return
        await self.close()
        pipe, void = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        try:
            self._process = await asyncio.create_subprocess_exec(
                str(self.path), *self.arguments, stdin=pipe, stdout=pipe, stderr=void
            )
        except OSError as wrong:
            raise NoEngine(wrong.strerror or str(wrong)) from wrong
        _limit(self._process.pid)
        await self._say(self.speech.word)
        told = await self._until(f"{self.speech.word}ok", self.patience)
        self.name = next((one[8:].strip() for one in told if one.startswith("id name ")), "")
        known = {one.split()[2] for one in told if re.match(r"option name \S+ type ", one)}
        await self._say(
            *(f"setoption name {k} value {v}" for k, v in OPTIONS.items() if k in known)
        )
        await self._say("isready")
        await self._until("readyok", self.patience)
        await self._say(self.speech.begin)

    async def _say(self, *lines: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise NoEngine("it is gone")
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as gone:
            raise NoEngine("it is gone") from gone

    async def _until(self, word: str, seconds: float) -> list[str]:
        """What it says up to the line that begins with *word*; raises ``NoEngine``."""
        if self._process is None or self._process.stdout is None:
            raise NoEngine("it is gone")
        lines: list[str] = []
        try:
            async with asyncio.timeout(seconds):
                async for raw in self._process.stdout:
                    lines.append(raw.decode(errors="replace").strip())
                    if lines[-1].startswith(word):
                        return lines
        except TimeoutError:
            raise NoEngine(f"it said no {word} in {seconds:g} seconds") from None
        except ValueError:
            raise NoEngine("it said a line without end") from None
        raise NoEngine("it has ended")


def _limit(pid: int) -> None:
    """Let it give way to everything else, and use no more memory than it needs."""
    with contextlib.suppress(psutil.Error, OSError):
        process = psutil.Process(pid)
        if sys.platform != "win32":
            process.nice(NICENESS)
        if sys.platform == "linux":
            process.rlimit(psutil.RLIMIT_AS, (MEMORY, MEMORY))


def _value(info: str) -> float:
    found = _SCORE.search(info)
    if found is None:
        return 0.0
    kind, figure = found.groups()
    if kind == "mate":
        return -1.0 if figure.startswith("-") else 1.0
    return tanh(int(figure) / SCALE)


def _principal(infos: Sequence[str]) -> tuple[str, ...]:
    return tuple(infos[-1].partition(" pv ")[2].split()) if infos else ()
