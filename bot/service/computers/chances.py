"""How chances come true, by who plays: as a release fits them, and further by this house."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bot.session.table import Table
from bot.standing.rating import Rating
from games.core.computer import Curve
from storage import bot_settings
from storage.club import ratings
from storage.store import Store


@cache
def shipped_curve(key: str, level: int) -> Curve:
    """The curve that ships for *level* of a game, or for the next one below that has one.

    Each line of ``curves.txt`` tells game, level, steepness, share overlooked and number of games.
    """
    told = Path(__file__).with_name("curves.txt").read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in told]
    known = [row for row in rows if row[0] == key and int(row[1]) <= level]
    row = max(known, key=lambda one: int(one[1]), default=["", "", "1", "0", "0"])
    return Curve(float(row[2]), float(row[3]), int(row[4]), level)


@dataclass(kw_only=True)
class Chances:
    """The curves of this house, by game and by the level of the weaker side."""

    store: Store

    async def curve(self, table: Table, newcomer: int = 1) -> Curve:
        """How chances come true at *table*; who has no rating counts as the level *newcomer*."""
        return (await self._find(table, newcomer))[1] if len(table.players) == 2 else Curve()

    async def learn(self, table: Table, said: float, won: float) -> None:
        """Fit the curve of the game of two at *table*, of which *said* was said, and *won* came."""
        key, curve = await self._find(table, 1)
        fitted = curve.after_game(said, won)
        told = json.dumps([fitted.steepness, fitted.games])
        await self.store.write(bot_settings.put_setting, key, told)

    async def _find(self, table: Table, newcomer: int) -> tuple[str, Curve]:
        """The setting that keeps the curve of the weaker side of *table*, and the curve."""
        game = table.game
        level = game.computer.levels
        for player in table.players:
            own = player.level or newcomer
            if player.person is not None:
                rows = await self.store.read(ratings.load_ratings, player.person)
                known = (Rating(row.mu, row.sigma).level for row in rows if row.pool == game.key)
                own = next(known, newcomer)
            level = min(level, own)
        key, curve = f"chances:{game.key}:{level}", shipped_curve(game.key, level)
        kept = await self.store.read(bot_settings.read_setting, key, json.loads)
        return key, curve if kept is None else replace(curve, steepness=kept[0], games=kept[1])
