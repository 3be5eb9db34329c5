"""Which table a command means: named, replied to, or where the asker must act."""

from __future__ import annotations

from dataclasses import dataclass

from bot.outbox.views import Views
from bot.port import Call
from bot.table.manager import Manager
from bot.table.origin import Origin
from bot.table.play import Refused
from bot.table.table import ENDED, Table
from bot.texts import Language, language
from games.core import phrase
from storage.records import PersonRow, Status


@dataclass(frozen=True)
class Called:
    """A command with everything known of it."""

    call: Call
    person: PersonRow
    language: str

    @property
    def origin(self) -> Origin:
        """The update as the inbox knows it."""
        return Origin(self.call.where.platform, self.call.update)

    @property
    def tongue(self) -> Language:
        """The asker's language."""
        return language(self.language)

    def value(self, name: str) -> str:
        """What was typed for the parameter *name*, or nothing."""
        return self.call.values.get(name, "").strip()


@dataclass
class Finder:
    """Finds tables for commands."""

    manager: Manager
    views: Views

    async def likely(self, called: Called, statuses: tuple[Status, ...]) -> list[Table]:
        """The asker's tables: replied to, then here and to move, here, elsewhere."""
        here = await self.manager.tables_in(called.call.where, statuses)
        mine = await self.manager.tables_of(called.person.id, statuses)
        codes = {table.code for table in here}
        replied = await self._replied(called)
        me = called.person.id

        def rank(table: Table) -> tuple[bool, bool, bool]:
            must_act = table.seat_of(me) in table.actors()
            return (table.code != replied, table.code not in codes, not must_act)

        seen = {table.code: table for table in (*here, *mine)}
        return sorted(seen.values(), key=rank)

    async def _replied(self, called: Called) -> str | None:
        view = await self.views.at(called.call.where, called.call.reply_to)
        return view.game if view is not None else None

    async def meant(
        self, called: Called, statuses: tuple[Status, ...], *, to_move: bool = False
    ) -> Table:
        """The table a command means: named, replied to, here and to move, or the only one."""
        if code := called.value("table"):
            return await self.manager.table(code.upper().removeprefix("#"))
        if replied := await self._replied(called):
            return await self.manager.table(replied)
        me = called.person.id
        here = [
            table
            for table in await self.manager.tables_in(called.call.where, statuses)
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
                f"{t.code} ({called.tongue.say(phrase(f'{t.game.key}.name'))})" for t in tables[:8]
            )
            raise Refused(phrase("house.which-table", tables=codes))
        return max(tables, key=lambda table: table.touched)
