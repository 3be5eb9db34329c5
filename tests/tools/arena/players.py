"""Who plays in the arena: a level, here or of another checkout, a program, greed or chance."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import random
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple, Protocol

import psutil

from bot.service.computers.usi import SECONDS, Engine, NoEngine, position
from bot.service.computers.worker import Allowance
from bot.session.names import check_level
from games.core import Entry, Game, Position, Seat, Setting, read_move

CHANCE_PLAYER, GREEDY_PLAYER = "random", "greedy"

KNOWN = (
    "Write a level (3, 3@500), a checkout with one (FOLDER:3), a shogi program (usi:PROGRAM, "
    "usi:PROGRAM@500) or one for Tak (tei:COMMAND), greedy or random."
)
"""Who plays, and how each is named."""

_PROGRAM = re.compile(r"usi:(?P<path>.+?)(?:@(?P<nodes>\d{1,9}))?")
_TAK_PROGRAM = re.compile(r"tei:(?P<command>.+)")
WORKERS = ("bot.service.computers.worker", "bot.computers.worker")
"""Where checkouts have the program in which a computer thinks, the newest first."""

_LEVEL = re.compile(r"(?:(?P<folder>.+):)?(?P<level>\d{1,2})(?:@(?P<nodes>\d{1,9}))?")


class UnknownPlayer(Exception):
    """Nobody is called so, or the one who is does not play."""

    def __init__(self, text: str) -> None:
        super().__init__(f"“{text[:80]}” is no player. {KNOWN}")


@dataclass(frozen=True)
class Moment:
    """Whose move is asked for: *seat*'s in *position*, to which *log* led from *setting*."""

    game: Game
    setting: Setting
    log: tuple[Entry, ...]
    position: Position[Any]
    seat: Seat
    seed: str


class Answer(NamedTuple):
    """A *move*, ``None`` to give up, the *seconds* of the processor that it took, and its *value*.

    From -1, lost, to 1, won; ``None`` of whoever has no opinion.
    """

    move: Any
    seconds: float
    value: float | None = None


class Player(Protocol):
    """Somebody who plays."""

    def move(self, moment: Moment) -> Answer:
        """What is played."""


@dataclass(frozen=True)
class AtRandom:
    """Plays any legal move."""

    def move(self, moment: Moment) -> Answer:
        """Any legal move."""
        moves = moment.position.legal_moves(moment.seat)
        return Answer(moves[random.Random(moment.seed).randrange(len(moves))], 0.0)


@dataclass(frozen=True)
class Greedy:
    """Plays what looks best once it is played, and arranges nothing of its own."""

    def move(self, moment: Moment) -> Answer:
        """The move whose position pleases most at a glance, one by lot where several do."""
        began, seat = time.process_time(), moment.seat
        moves = list(moment.position.overdue(seat)) or moment.position.legal_moves(seat)
        if len(moves) > 1:
            seen = moment.position.seen_by(seat)
            looks = [_look(moment.game, seen.after(move), seat) for move in moves]
            moves = [m for m, look in zip(moves, looks, strict=True) if look == max(looks)]
        chosen = moves[random.Random(moment.seed).randrange(len(moves))]
        return Answer(chosen, time.process_time() - began)


def _look(game: Game, position: Position[Any], seat: Seat) -> float:
    """What *position* looks like to *seat*; an end is worth more than all that may come."""
    end = position.outcome()
    if end is not None and end.winner is not None:
        return inf if end.winner == seat else -inf
    return (
        0.0
        if end is not None or game.computer.glance is None
        else game.computer.glance(position, seat)
    )


@dataclass(frozen=True)
class Level:
    """A *level* of this release, with at most so many *nodes* and *seconds* a move."""

    level: int
    nodes: float
    seconds: float

    def move(self, moment: Moment) -> Answer:
        """What the level plays."""
        began = time.process_time()
        seen = moment.position.seen_by(moment.seat)
        budget = Allowance(began + self.seconds, self.nodes)
        below: Callable[[int], int] = random.Random(moment.seed).randrange
        choice = moment.game.computer.choose(seen, moment.seat, self.level, budget, below)
        return Answer(choice.move, time.process_time() - began, choice.value)


@dataclass(frozen=True)
class Elsewhere:
    """The same of the checkout in *folder*, asked as the bot asks its own workers."""

    folder: str
    level: int
    nodes: float
    seconds: float

    def move(self, moment: Moment) -> Answer:
        """What the level of that checkout plays."""
        worker = _worker(self.folder)
        question = {
            "game": moment.game.key,
            "sides": moment.setting.sides,
            "options": dict(moment.setting.options),
            "first": moment.setting.first,
            "log": [[e.seat, e.text, e.aside, e.draw] for e in moment.log],
            "seat": moment.seat,
            "seed": moment.seed,
            "level": self.level,
            "seconds": min(self.seconds, 1e6),
            **({} if self.nodes == inf else {"nodes": self.nodes}),
        }
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps(question) + "\n")
        worker.stdin.flush()
        answer = json.loads(worker.stdout.readline())
        move = read_move(moment.game, moment.position, moment.seat, answer["move"])
        return Answer(move, float(answer.get("took", 0.0)), answer.get("value"))


def _worker_module(folder: str) -> str | None:
    """The module of the worker in the checkout in *folder*, ``None`` where it has none."""
    there = (one for one in WORKERS if Path(folder, *one.split(".")).with_suffix(".py").is_file())
    return next(there, None)


@cache
def _worker(folder: str) -> subprocess.Popen[str]:
    """A worker of the checkout in *folder*, which is let go when this process ends."""
    worker = subprocess.Popen(
        [sys.executable, "-m", _worker_module(folder) or WORKERS[0]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(_let_go, worker)
    return worker


@dataclass(frozen=True)
class Program:
    """The program that *command* starts: so many *nodes* a move, or *seconds* where they are 0.

    It speaks USI and plays shogi, or TEI and plays Tak, which is Cirya.
    """

    command: tuple[str, ...]
    nodes: int
    seconds: float

    def move(self, moment: Moment) -> Answer:
        """What it plays. Raises ``UnknownPlayer`` where it does not, maybe ``RuleError``."""
        text = moment.game.notation.text
        now = text(moment.position)
        if moment.game.key == "shogi":
            word, begin, go = "usi", "usinewgame", "go btime 0 wtime 0 byoyomi {}"
            told = position(text(moment.game.start(moment.setting)), moment.log, now)
        else:
            # Tak knows no repetition: a position says all.
            word, go = "tei", "go movetime {}"
            begin = f"teinewgame {moment.setting.options['size']}"
            told = f"position tps {now}"
        loop, engine = _engine(self.command, self.nodes, self.seconds, word, begin, go)
        before = engine.spent()
        try:
            answer = loop.run_until_complete(engine.play(told))
        except NoEngine as wrong:
            named = f"{word}:{shlex.join(self.command)}"
            raise UnknownPlayer(named) from wrong
        if not answer.move:
            return Answer(None, 0.0)
        move = read_move(moment.game, moment.position, moment.seat, answer.move)
        return Answer(move, max(0.0, engine.spent() - before))


@dataclass
class _Measured(Engine):
    """A program that searches by the command *search*, and the time of the processor it used."""

    search: str = ""

    def go(self, nodes: int, seconds: float) -> str:
        del nodes, seconds
        return self.search

    def spent(self) -> float:
        """CPU seconds that the program has used since its start."""
        if self._process is None or self._process.returncode is not None:
            return 0.0
        with suppress(psutil.Error):
            times = psutil.Process(self._process.pid).cpu_times()
            return float(times.user + times.system)
        return 0.0


@cache
def _engine(
    command: tuple[str, ...], nodes: int, seconds: float, word: str, begin: str, search: str
) -> tuple[asyncio.AbstractEventLoop, _Measured]:
    """The program, and the loop on which it is spoken to; both are let go with this process."""
    program, *arguments = command
    path = Path(which(program) or program)
    loop = asyncio.new_event_loop()
    engine = _Measured(path, seconds, arguments=tuple(arguments), word=word, begin=begin)
    engine.search = f"go nodes {nodes}" if nodes else search.format(round(1000 * seconds))

    def close() -> None:
        loop.run_until_complete(engine.close())
        loop.close()

    atexit.register(close)
    return loop, engine


def _let_go(worker: subprocess.Popen[str]) -> None:
    """End *worker*, which ends with its input."""
    with worker:
        worker.kill()


def player(text: str, game: Game, nodes: float, seconds: float) -> Player:
    """Whom *text* names: ``3``, ``3@500`` (so many nodes), ``FOLDER:3``, ``greedy``, ``random``.

    ``usi:PROGRAM`` or ``usi:PROGRAM@500`` is a program that speaks USI, for shogi alone;
    ``tei:COMMAND`` one that speaks TEI, for Cirya, with what else stands on its line.
    Raises ``UnknownPlayer`` for what names nobody, ``BadOption`` for a level the game has not.
    """
    if found := _PROGRAM.fullmatch(text):
        if game.key != "shogi" or which(found["path"]) is None:
            raise UnknownPlayer(text)
        limit = float(found["nodes"] or nodes)
        limit = 0 if limit == inf else limit
        return Program((found["path"],), int(limit), min(seconds, SECONDS))
    if found := _TAK_PROGRAM.fullmatch(text):
        command = _words(found["command"])
        if game.key != "cirya" or not command or which(command[0]) is None:
            raise UnknownPlayer(text)
        return Program(command, 0, min(seconds, SECONDS))
    if text == CHANCE_PLAYER:
        return AtRandom()
    if text == GREEDY_PLAYER:
        return Greedy()
    found = _LEVEL.fullmatch(text)
    if found is None:
        raise UnknownPlayer(text)
    level, limit = int(found["level"]), float(found["nodes"] or nodes)
    if found["folder"]:
        folder = Path(found["folder"]).resolve()
        if _worker_module(str(folder)) is None:
            raise UnknownPlayer(text)
        return Elsewhere(str(folder), level, limit, seconds)
    check_level(game, level)
    return Level(level, limit, seconds)


def _words(line: str) -> tuple[str, ...]:
    """What a shell would make of *line*; nothing where a quotation does not end."""
    try:
        return tuple(shlex.split(line))
    except ValueError:
        return ()
