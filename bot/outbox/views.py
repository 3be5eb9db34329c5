"""Which message shows which table to whom: found, made, turned round and given a new token."""

from __future__ import annotations

from dataclasses import dataclass

from bot.port import Where
from bot.screen.viewers import Viewer, space_of
from bot.table.manager import Manager
from bot.table.origin import Origin
from bot.table.table import Table
from storage import views as stored
from storage.records import PersonRow, ViewRow


def viewer_of(view: ViewRow, table: Table) -> Viewer:
    """Who looks at *view*: its person, from his seat, or everybody in a shared place."""
    seat = table.seat_of(view.person)
    personal = view.person is not None
    return Viewer(seat, view.language, view.theme, view.side, personal, space_of(view.platform))


def where_of(view: ViewRow) -> Where:
    """The place in which *view* stands."""
    return Where(view.platform, view.place, view.thread, private=view.person is not None)


@dataclass
class Views:
    """The views of all tables."""

    manager: Manager

    def fresh(
        self, table: Table, where: Where, person: PersonRow, code: str, token: str | None = None
    ) -> ViewRow:
        """A view not yet stored: *table* in *where*, in the language *code*."""
        return ViewRow(
            id=0,
            game=table.code,
            platform=where.platform,
            place=where.place,
            thread=where.thread,
            person=person.id if where.private else None,
            language=code,
            owed=table.version,
            token=token,
            token_at=None if token is None else self.manager.now(),
        )

    async def at(self, where: Where, message: str | None) -> ViewRow | None:
        """The view that is shown as *message* in *where*, if we know one."""
        if message is None:
            return None
        place = (where.platform, where.place)
        return await self.manager.store.read(stored.by_message, *place, message)

    async def pressed(self, origin: Origin) -> ViewRow | None:
        """The view on which *origin* was pressed, with the token that came with the press."""
        if origin.message is None:
            return None
        renewal, store = origin.renewal(self.manager.now()), self.manager.store
        begun = store.reading() if renewal is None else store.transaction()
        async with begun as tx:
            if renewal is not None:
                await stored.set_token(tx, renewal)
            return await stored.by_message(tx, origin.platform, origin.place, origin.message)

    async def of(self, table: Table, where: Where) -> ViewRow | None:
        """The view of *table* in *where*, the newest if there are several."""
        rows = await self.manager.store.read(stored.of_game, table.code)
        here = [
            row
            for row in rows
            if (row.platform, row.place, row.thread) == (where.platform, where.place, where.thread)
        ]
        return max(here, key=lambda row: row.id, default=None)

    async def stand(self, table: Table, where: Where) -> bool:
        """Whether a view of *table* stands anywhere in the place of *where*."""
        rows = await self.manager.store.read(stored.of_game, table.code)
        return any((row.platform, row.place) == (where.platform, where.place) for row in rows)

    async def ensure(
        self, table: Table, where: Where, person: PersonRow, code: str, token: str | None = None
    ) -> int:
        """The id of the view of *table* in *where*, made where there is none."""
        known = await self.of(table, where)
        if known is not None:
            return known.id
        return await self.post(table, where, person, code, token)

    async def post(
        self, table: Table, where: Where, person: PersonRow, code: str, token: str | None = None
    ) -> int:
        """A new view of *table* in *where*, owed at once; an older one there is given up.

        It speaks *code*, or as the one before did.
        """
        old = await self.of(table, where)
        async with self.manager.store.transaction() as tx:
            if old is not None:
                await stored.drop(tx, old.id)
            spoken = code if old is None else old.language
            fresh = self.fresh(table, where, person, spoken, token)
            row = await stored.add(tx, fresh)
        if old is not None and self.manager.showing is not None:
            self.manager.showing.retire(old)
        self._wake(table.code)
        return row.id

    async def show_again(self, view: ViewRow) -> None:
        """Show *view* once more, whatever it shows now: its keyboard may be a stale menu."""
        await self.manager.store.write(stored.owe_again, view.id)
        self._wake(view.game)

    async def flip(self, view: ViewRow, table: Table) -> None:
        """Show *view* from the next seat's side."""
        bottom = viewer_of(view, table).bottom
        if bottom is None:
            bottom = table.seat_of(view.person)
        if bottom is None:
            bottom = table.first
        async with self.manager.store.transaction() as tx:
            await stored.set_side(tx, view.id, (bottom + 1) % len(table.players))
            await stored.owe_again(tx, view.id)
        self._wake(view.game)

    async def speak(self, where: Where, code: str) -> None:
        """Show every shared view in *where*, or in all of its server, in the language *code*."""
        for place in await self.manager.places.together(where):
            for table in await self.manager.store.write(stored.speak, where.platform, place, code):
                self._wake(table)

    async def speak_to(self, person: int, code: str) -> None:
        """Show every view that *person* alone sees in the language *code* from now on."""
        for table in await self.manager.store.write(stored.speak_to, person, code):
            self._wake(table)

    def _wake(self, code: str) -> None:
        if self.manager.showing is not None:
            self.manager.showing.wake(code)
