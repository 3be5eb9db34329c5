"""Which table a command means: named, replied to, or where the asker must act."""

from __future__ import annotations

from dataclasses import dataclass

from bot.acts.asked import Asked
from bot.outbox.views import Views
from bot.port import Call
from bot.table.manager import Manager
from bot.table.play import Refused
from bot.table.table import ENDED, Table
from games.core import phrase
from storage.records import Status


@dataclass
class Finder:
    """Finds tables for commands."""

    manager: Manager
    views: Views

    async def likely(self, asked: Asked, statuses: tuple[Status, ...]) -> list[Table]:
        """The asker's tables: replied to, then here and to move, here, elsewhere."""
        here = await self.manager.tables_in(asked.by.where, statuses)
        mine = await self.manager.tables_of(asked.person.id, statuses)
        codes = {table.code for table in here}
        replied = await self._replied(asked)
        me = asked.person.id

        def rank(table: Table) -> tuple[bool, bool, bool]:
            must_act = table.seat_of(me) in table.actors()
            return (table.code != replied, table.code not in codes, not must_act)

        seen = {table.code: table for table in (*here, *mine)}
        return sorted(seen.values(), key=rank)

    async def _replied(self, asked: Asked) -> str | None:
        replied = asked.by.reply_to if isinstance(asked.by, Call) else None
        view = await self.views.at(asked.by.where, replied)
        return view.game if view is not None else None

    async def meant(
        self, asked: Asked, statuses: tuple[Status, ...], *, to_move: bool = False
    ) -> Table:
        """The table a command means: named, replied to, here and to move, or the only one."""
        if code := asked.value("table"):
            return await self.manager.table(code.upper().removeprefix("#"))
        if replied := await self._replied(asked):
            return await self.manager.table(replied)
        me = asked.person.id
        here = [
            table
            for table in await self.manager.tables_in(asked.by.where, statuses)
            if table.seat_of(me) is not None
        ]
        tables = here or await self.manager.tables_of(me, statuses)
        mine = [table for table in tables if table.seat_of(me) in table.actors()]
        if to_move and mine:
            tables = mine
        if not tables:
            raise Refused(phrase("house.no-table-here"))
        if len(tables) > 1 and len(mine) == 1:
            return mine[0]
        if len(tables) > 1 and not (len({t.game.key for t in tables}) == 1 and ENDED in statuses):
            codes = tuple(
                f"{t.code} ({asked.tongue.say(phrase(f'{t.game.key}.name'))})" for t in tables[:8]
            )
            raise Refused(phrase("house.which-table", tables=codes))
        return max(tables, key=lambda table: table.touched)


async def meant(asked: Asked, *statuses: Status, to_move: bool = False) -> Table:
    """The table of the button that was pressed, or the one that a command means."""
    if asked.pressed:
        asked.table = await asked.manager.table(asked.code)
    else:
        finder = Finder(asked.manager, asked.views)
        asked.table = await finder.meant(asked, statuses, to_move=to_move)
    return asked.table
