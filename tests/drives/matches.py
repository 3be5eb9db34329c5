"""A match of three games of Niya on an emulated Telegram, with a kill in every game.

Run as ``python -m tests.drives.matches FOLDER``. Both press what they see; the score is counted a
second time from the ends of the games and held against what the board, the words and the list say.
"""

from __future__ import annotations

import asyncio
import random
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.session.table import Table
from tests.drives.stage import PATIENCE, Stage, emulators

BEST_OF = 3


class Drive:
    """Two people in a group, and their match."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.fake = stage, stage.fake
        self.rng = random.Random(13)
        self.checks: list[str] = []
        self.points = {self.fake.A["first_name"]: 0.0, self.fake.B["first_name"]: 0.0}

    def check(self, what: str, good: object) -> None:
        self.checks.append(f"{'ok  ' if good else 'FAIL'} {what}")
        print(self.checks[-1], flush=True)

    async def begun(self) -> str:
        """The first game."""
        before = await self.stage.played_in(self.fake.group)
        line = f"/play niya match={BEST_OF}"
        asked = await self.fake.say(self.fake.A, line, self.fake.group)
        board = await asked.reply(predicate=lambda m: "Sit down" in str(m.labels))
        await self.stage.pressed(self.fake.B, board, label="Sit down")
        return await self.stage.begun(self.fake.group, before)

    async def played(self, code: str) -> Table:
        """The game *code* to its end, with a kill on the way."""
        moves, deadly = 0, self.rng.randrange(3, 7)
        while not await self.stage.over(code):
            if moves == deadly:
                await self.stage.bot.kill()
                await self.stage.begin()
            await self.stage.current(PATIENCE)
            who, step = await self.stage.mover(code), self.rng.choice(await self.stage.codes(code))
            await self.stage.pressed(who, await self.stage.message(code), code=step)
            moves += 1
        await self.stage.current(PATIENCE)
        table = await self.stage.table(code)
        assert table.outcome is not None
        for seat, player in enumerate(table.players):
            drawn = table.outcome.winner is None
            self.points[player.name] += 0.5 if drawn else float(seat == table.outcome.winner)
        return table

    def score(self) -> tuple[str, ...]:
        """What must be told of each player."""
        return tuple(f"{who} {_told(points)}" for who, points in self.points.items())

    async def shown(self, code: str) -> str:
        """What the message of *code* says."""
        return (await self.stage.message(code)).text

    async def listed(self) -> str:
        """What ``/games`` tells who opened the match."""
        private = self.fake.private(self.fake.A)
        asked = await self.fake.say(self.fake.A, "/games", private)
        return (await asked.reply()).text

    async def asked_for_more(self, code: str) -> str:
        """Both ask for the next game; its table."""
        before = await self.stage.played_in(self.fake.group)
        for who in (self.fake.A, self.fake.B):
            board = await self.stage.message(code)
            await self.stage.pressed(who, board, label="Next game")
            await self.stage.current(PATIENCE)
        return await self.stage.begun(self.fake.group, before)

    async def whole(self) -> None:
        """The match until somebody has won it."""
        code = await self.begun()
        await self.stage.shown(code)
        self.check("the first game says so", "First game of the match" in await self.shown(code))
        starters, games = [], 0
        while True:
            starters.append((await self.stage.mover(code))["first_name"])
            if games:
                told = await self.shown(code)
                self.check(f"the board of game {games + 1} tells the score", self._tells(told))
                mine, others = (_told(points) for points in self.points.values())
                said = f"game {games + 1} of {BEST_OF}, {mine}–{others}"
                self.check(f"/games tells it: {said}", said in await self.listed())
            await self.played(code)
            games += 1
            told = await self.shown(code)
            self.check(f"the end of game {games} tells the score {self.score()}", self._tells(told))
            if games == BEST_OF or max(self.points.values()) > BEST_OF / 2:
                break
            code = await self.asked_for_more(code)
        self.check("who began takes turns", all(a != b for a, b in pairwise(starters)))
        best, other = sorted(self.points.values(), reverse=True)
        word = "wins the match" if best > other else "ends in a draw"
        self.check(f"the end is told: {word}", word in told)
        self.check("no further game is offered", "Next game" not in str(await self._labels(code)))
        self.check("nothing is played any more", not await self.stage.playing())

    async def _labels(self, code: str) -> Any:
        return (await self.stage.message(code)).labels

    def _tells(self, said: str) -> bool:
        return all(one in said for one in self.score())


def _told(points: float) -> str:
    whole = int(points)
    return f"{whole or ''}½" if points != whole else str(whole)


async def main(folder: Path) -> int:
    """Drive it; how many checks failed."""
    emulators()
    stage = await Stage.open(folder, flood=False)
    drive = Drive(stage)
    try:
        await drive.whole()
    finally:
        status, _ = await stage.close()
        drive.check("the process ends well", status == 0)
        violations = stage.fake.violations
        drive.check(f"no violations of the platform: {violations[:2]}", not violations)
    return sum(line.startswith("FAIL") for line in drive.checks)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]))))
