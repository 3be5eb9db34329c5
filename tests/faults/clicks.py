"""Repeated, simultaneous and stale clicks in one house, counted."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

from bot.port import Press
from tests.fakes import Desk, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")


async def _game(at: Desk) -> str:
    await at.call(NEREA, "play", game="niya")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


async def _mover(at: Desk, code: str):
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    return NEREA if table.players[seat].name == NEREA.name else BRUNO


async def repeated(folder: Path, updates: int, seed: int = 1) -> tuple[int, int]:
    """F3: *updates* delivered one to five times each; answers updates sent and double moves."""
    rng = random.Random(seed)
    sent = double = 0
    async with desk(folder) as at:
        code = await _game(at)
        while sent < updates:
            if at.chat.board(code).screen.over:
                code = await _game(at)
            board = at.chat.board(code)
            who, before = await _mover(at, code), (await at.facade.services.tables.get(code)).log
            button = rng.choice(board.moves).code
            press = Press(f"f3-{sent}", board.where, who, button, board.id)
            await asyncio.gather(*(at.facade.press(press) for _ in range(rng.randint(1, 5))))
            await at.settle()
            sent += 1
            double += len((await at.facade.services.tables.get(code)).log) != len(before) + 1
    return sent, double


async def simultaneous(folder: Path, rounds: int, clicks: int = 8, seed: int = 2) -> int:
    """F5: rounds in which not exactly one of *clicks* simultaneous clicks was accepted."""
    rng = random.Random(seed)
    wrong = 0
    async with desk(folder) as at:
        code = await _game(at)
        for number in range(rounds):
            if at.chat.board(code).screen.over:
                code = await _game(at)
            board, who = at.chat.board(code), await _mover(at, code)
            before = len((await at.facade.services.tables.get(code)).log)
            presses = [
                Press(f"f5-{number}-{n}", board.where, who, rng.choice(board.moves).code, board.id)
                for n in range(clicks)
            ]
            answers = await asyncio.gather(*(at.facade.press(press) for press in presses))
            await at.settle()
            after = len((await at.facade.services.tables.get(code)).log)
            accepted = sum(answer.good for answer in answers)
            wrong += after != before + 1 or accepted != 1
    return wrong


async def stale(folder: Path, clicks: int, seed: int = 3) -> tuple[int, float]:
    """F6: stale clicks that changed something, and the slowest answer in seconds."""
    rng = random.Random(seed)
    applied, slowest = 0, 0.0
    old: list[tuple[str, object]] = []
    async with desk(folder) as at:
        for _ in range(6):
            code = await _game(at)
            for _ in range(6):
                board = at.chat.board(code)
                if board.screen.over:
                    break
                who = await _mover(at, code)
                old += [(button.code, who) for button in board.moves]
                await at.press(who, board, rng.choice(board.moves).label)
    # A new process on the same database: nothing is remembered but what the button says.
    async with desk(folder) as at:
        for number in range(clicks):
            button, who = rng.choice(old)
            code = button.split(".")[1]
            before = (await at.facade.services.tables.get(code)).version
            began = time.monotonic()
            await at.facade.press(Press(f"f6-{number}", at.where, who, button, None))
            slowest = max(slowest, time.monotonic() - began)
            applied += (await at.facade.services.tables.get(code)).version != before
    return applied, slowest
