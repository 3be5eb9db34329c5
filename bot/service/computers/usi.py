"""An external program that plays shogi over the Universal Shogi Interface (USI).

http://hgm.nubati.net/usi.html
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, tanh
from pathlib import Path

import psutil

from bot.service.computers.process import end_process
from bot.session.computer_resignation_and_draws import Opinion
from games.core import Entry

log = logging.getLogger(__name__)

SECONDS = 2.0
"""Seconds that the program thinks about a move."""

ANSWER_SECONDS = 10.0
"""Seconds for any other answer, and beyond its time for a move."""

LEVEL_NODES = (20_000, 80_000, 320_000)
"""Positions a move that it looks at most, at its levels: those above our own."""

DEBIAN, GAMES = "fairy-stockfish", "/usr/games"
"""What Debian calls the program that speaks USI, and where it lies, which is not on all paths."""

NICENESS = 10
MEMORY = 2 << 30
"""Bytes of memory that the program may use."""

OPTIONS = {"USI_Hash": "64", "Threads": "1", "USI_Ponder": "false"}
"""Values of its options, where it has them: it shares the machine with the bot."""

SCALE = 1200.0
"""Centipawns per unit of value: value = tanh(points / SCALE)."""


_PLAIN = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")
_SCORE = re.compile(r" score (cp|mate) ([-+]?\d+)")


class NoEngine(Exception):
    """The program cannot be started, is silent, or answers nonsense."""


def position(start: str, log: Sequence[Entry], now: str) -> str:
    """The position command: the moves from *start*, or the position *now*.

    Moves let the program see repetitions. A log with asides is sent as the position alone.
    """
    if all(_PLAIN.fullmatch(entry.text) and not entry.aside for entry in log):
        moves = " ".join(entry.text for entry in log)
        return f"position sfen {start} moves {moves}" if moves else f"position sfen {start}"
    return f"position sfen {now}"


@dataclass
class Engine:
    """The program at *path*, started when it is needed and again after a failure."""

    path: Path
    seconds: float = SECONDS
    patience: float = ANSWER_SECONDS
    arguments: tuple[str, ...] = ()
    word: str = "usi"
    """The greeting."""
    begin: str = "usinewgame"
    """The command that begins a game."""
    name: str = ""
    _process: asyncio.subprocess.Process | None = None
    _line: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while it thinks: one table at a time."""

    @property
    def level_names(self) -> tuple[str, ...]:
        """What its levels are called, by its own name."""
        return (self.path.stem.replace(DEBIAN, "Fairy-Stockfish"),) * len(LEVEL_NODES)

    async def play(self, told: str, nodes: int = 0, seconds: float = inf) -> Opinion:
        """The program's move for the position command *told*; raises ``NoEngine``.

        It looks at so many *nodes* at most, 0 is no limit, and takes its own time or *seconds*.
        """
        async with self._line:
            try:
                await self._ready()
                await self._say(told, self.go(nodes, min(seconds, self.seconds)))
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
        line = tuple(infos[-1].partition(" pv ")[2].split()) if infos else ()
        return Opinion(move, _value(infos[-1]) if infos else 0.0, line)

    async def greet(self) -> str:
        """Start the program; answers its name. Raises ``NoEngine``."""
        async with self._line:
            try:
                await self._ready()
            except BaseException:
                await self.close()
                raise
        return self.name

    def go(self, nodes: int, seconds: float) -> str:
        """The command to search so many *nodes* at most, where they are not 0, and *seconds*."""
        limit = f" nodes {nodes}" if nodes else ""
        return f"go btime 0 wtime 0 byoyomi {round(1000 * seconds)}{limit}"

    async def close(self) -> None:
        """Kill the program."""
        process, self._process = self._process, None
        if process is not None:
            await end_process(process)

    async def _ready(self) -> None:
        """Start the program if needed, and wait until it has taken its options."""
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
        await self._say(self.word)
        told = await self._until(f"{self.word}ok", self.patience)
        self.name = next((one[8:].strip() for one in told if one.startswith("id name ")), "")
        known = {one.split()[2] for one in told if re.match(r"option name \S+ type ", one)}
        await self._say(
            *(f"setoption name {k} value {v}" for k, v in OPTIONS.items() if k in known)
        )
        await self._say("isready")
        await self._until("readyok", self.patience)
        await self._say(self.begin)

    async def _say(self, *lines: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise NoEngine("it is gone")
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as gone:
            raise NoEngine("it is gone") from gone

    async def _until(self, word: str, seconds: float) -> list[str]:
        """Its lines up to the one that begins with *word*; raises ``NoEngine``."""
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


def installed_engine(named: Path | None) -> Engine | None:
    """The program that the settings have *named*, else Debian's, where it is installed."""
    folders = os.pathsep.join((os.environ.get("PATH", os.defpath), GAMES))
    found = named or shutil.which(DEBIAN, path=folders)
    return None if found is None else Engine(Path(found))


def _limit(pid: int) -> None:
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
