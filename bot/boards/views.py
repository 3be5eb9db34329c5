"""The views: which message shows which table, and for which viewer."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import ParamSpec

from bot.boards.delivery import Delivery
from bot.boards.renderer import Mentions, PartialMoves, Renderer
from bot.port import Where
from bot.presenters.table.viewers import Viewer, bottom_seat
from bot.service.clock import Clock
from bot.service.place.places import Places, new_view, view_place
from bot.service.table.changes import Change, Participant, RemoteChange, Update
from bot.service.table.tables import LISTED, Tables, UnknownTable
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, BrokenTable, Table
from storage import bot_settings
from storage.records import BOARD, PersonRow, ViewRow
from storage.store import Store, Transaction
from storage.table import games
from storage.table import views as stored

P = ParamSpec("P")

LINEAGE = "lineage"
"""The setting that names the database whose boards are shown."""

YOUNG = timedelta(minutes=2)
"""How long a token is not renewed; Discord's are valid for fifteen minutes."""

LINGERS = timedelta(minutes=4)
"""How long an invitation that came to nothing still stands where everybody sees it."""

LOOKED_BACK = timedelta(days=1)
"""How far back a start looks for such invitations."""


@dataclass(kw_only=True)
class Views(Participant):
    """The views of all tables; *partial_moves* is what is chosen on them so far."""

    store: Store
    clock: Clock
    tables: Tables
    places: Places
    delivery: Delivery
    renderer: Renderer
    mentions: Mentions
    partial_moves: PartialMoves
    lineage: str = ""
    """The database whose boards we show; empty before we have looked."""

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """Mark the views of the table, and those that show it from now on, as owing."""
        table, update = change.table, change.update
        if change.before is None:
            change.owing = tuple([await stored.add_view(tx, view) for view in change.shown])
            return
        owing = await stored.owe_views(
            tx, table.code, table.version, update.renewal(change.work.now)
        )
        there = {(view.platform, view.place, view.thread) for view in owing}
        for view in change.shown:
            if (view.platform, view.place, view.thread) not in there:
                owing += (await stored.add_view(tx, replace(view, owed=table.version)),)
        # The presser waits for their board; the others do not know that there is a new one.
        change.owing = tuple(sorted(owing, key=lambda view: view.place != update.place))
        self.delivery.ahead(table, change.owing)

    def after_commit(self, change: Change) -> None:
        """Show the boards that owe it; those of a child are shown with its parent's."""
        if not change.is_child:
            child = () if change.child is None else change.child.owing
            self.delivery.show_owed((*change.owing, *child))
        if _came_to_nothing(change.table):
            self._clear_later(change.table)

    def _clear_later(self, table: Table) -> None:
        left = max(0.0, (table.touched + LINGERS - self.clock.now()).total_seconds())
        later = asyncio.get_running_loop().call_later
        later(left, lambda: self.delivery.tasks.start(self._clear(table.code)))

    async def _clear(self, code: str) -> None:
        """Remove an invitation that came to nothing from where everybody sees it."""
        with suppress(UnknownTable, BrokenTable):
            if _came_to_nothing(await self.tables.get(code)):
                for view in await self.store.read(stored.views_of_game, code):
                    if view.person is None and view.message is not None:
                        await self.put_away(view)
                        self.delivery.retire(view)

    async def clear_closed(self) -> None:
        """Remove in their time, after a start, the invitations that have come to nothing."""
        since = self.clock.now() - LOOKED_BACK
        for code in await self.store.read(stored.boards_closed_since, since):
            with suppress(UnknownTable, BrokenTable):
                if _came_to_nothing(table := await self.tables.get(code)):
                    self._clear_later(table)

    def hear(self, change: RemoteChange) -> None:
        """Show here the boards that owe a change by another process."""
        own = self.delivery.ownership
        opened = any(own.opens(platform, place) for platform, place in change.places)
        if opened or any(map(own.keeps, own.chats)):
            self.delivery.wake_here(change.code)

    async def owe_all_if_older(self) -> bool:
        """Make every living view owed once, where an older database was put in place of ours.

        That is so after a restore or a failover: messages may show moves that were never made.
        Answers whether it happened since we looked last.
        """
        async with self.store.transaction() as tx:
            now = await self.store.backend.lineage(tx)
            if now != await bot_settings.load_setting(tx, LINEAGE):
                await bot_settings.put_setting(tx, LINEAGE, now)
                await stored.owe_living_views(tx, digest="")
        before, self.lineage = self.lineage, now
        return before not in ("", now)

    async def catch_up(self) -> None:
        """Show on pages open here whatever they have missed: no other process can see them."""
        shown: dict[str, set[int]] = {}
        for chat in self.delivery.ownership.chats.values():
            shown |= chat.versions_open_here()
        now = await self.store.read(games.load_versions, sorted(shown))
        for code, versions in shown.items():
            if versions != {now.get(code)}:
                self.delivery.wake_here(code)

    async def viewer(self, view: ViewRow, table: Table) -> Viewer:
        """Who looks at *view*, and how."""
        return await self.renderer.viewer(view, table)

    def fresh(
        self, table: Table, where: Where, person: PersonRow, code: str, token: str | None = None
    ) -> ViewRow:
        """A view not yet stored: *table* in *where*, in the language *code*."""
        made = new_view(table.code, table.version, where, person.id, code)
        at = None if token is None else self.clock.now()
        return replace(made, token=token, token_at=at, message=where.lone)

    async def at(self, where: Where, message: str | None) -> ViewRow | None:
        """The view of *message* in *where*, if there is one."""
        if message is None:
            return None
        return _board(await self.store.read(stored.view_by_message, *where.key, message))

    async def find_pressed(self, origin: Update) -> ViewRow | None:
        """The view on which *origin* was pressed; its token is renewed unless it is young."""
        if origin.message is None:
            return None
        renewal, store = origin.renewal(self.clock.now()), self.store
        at = (origin.platform, origin.place, origin.message)
        found = _board(await store.read(stored.view_by_message, *at))
        if found is None or renewal is None:
            return found
        if found.token_at is not None and renewal.at - found.token_at < YOUNG:
            return found
        async with store.transaction() as tx:
            await stored.set_view_token(tx, renewal)
            return _board(await stored.view_by_message(tx, *at))

    async def of(self, table: Table, where: Where) -> ViewRow | None:
        """The view of *table* in *where*, the newest if there are several."""
        return await self.store.read(_newest, table, where)

    async def shown_in(self, where: Where, code: str) -> tuple[Table, ViewRow] | None:
        """The table *code* and its view in *where*, if it stands there and can be read."""
        table = await self.tables.find(code)
        view = None if table is None else await self.of(table, where)
        return None if table is None or view is None else (table, view)

    async def on_page(self, where: Where, over: int) -> tuple[tuple[str, ViewRow | None], ...]:
        """The codes of the tables in *where* with their views: the living, then *over* ended."""
        place = where.key
        async with self.store.reading() as tx:
            living = await games.list_game_codes(tx, (PLAYING, OPEN), LISTED, place=place)
            ended = await games.list_game_codes(tx, (ENDED,), over, place=place)
            rows = await stored.views_of_games(tx, (*living, *ended), *place)
        newest = {row.subject: row for row in rows if row.thread == where.thread}
        return tuple((code, newest.get(code)) for code in (*living, *ended))

    async def within(self, table: Table, where: Where) -> ViewRow | None:
        """The view of *table* in the place that was made for it within *where*, if there is one."""
        for row in await self.store.read(stored.views_of_game, table.code):
            at = view_place(row)
            lies = row.platform == where.platform and not at.private
            if lies and await self.places.within(at) == where.place:
                return row
        return None

    async def stand(self, code: str, where: Where) -> ViewRow | None:
        """The newest view of the table *code* anywhere in the place of *where*, if any."""
        rows = reversed(await self.store.read(stored.views_of_game, code))
        return next((row for row in rows if (row.platform, row.place) == where.key), None)

    async def ensure(
        self, table: Table, where: Where, person: PersonRow, code: str, token: str | None = None
    ) -> int:
        """The id of the view of *table* in *where*, which is made if there is none."""
        known = await self.of(table, where)
        if known is not None:
            return known.id
        return await self.post(table, self.fresh(table, where, person, code, token))

    async def post(self, table: Table, fresh: ViewRow) -> int:
        """Store the *fresh* view of *table*, owed at once; an older one in its place is given up.

        It speaks as the one before did.
        """
        where = view_place(fresh)
        async with self.store.transaction() as tx:
            # Somebody else may have had it posted there since it was asked for.
            old = await _newest(tx, table, where)
            if old is not None:
                await stored.delete_view(tx, old.id)
                fresh = replace(fresh, language=old.language)
            row = await stored.add_view(tx, fresh)
            await self.mentions.move_calls(tx, table, where)
        self.delivery.show_owed((row,))
        if old is not None:
            self.partial_moves.move(old.id, row.id)
            self.delivery.retire(old)
        self.delivery.wake(table.code)
        return row.id

    async def show_again(self, view: ViewRow) -> None:
        """Show *view* once more, whatever it shows now: its keyboard may be a stale menu."""
        await self.store.write(stored.owe_view_again, view.id)
        self.delivery.again(view)

    def is_late(self, view: ViewRow) -> bool:
        """Whether a presser may not have seen what *view* is to show now."""
        return view.shown < view.owed or self.renderer.was_just_shown(view)

    async def heal(self, view: ViewRow) -> None:
        """Show *view* once more, unless it was shown just now: the press may be older than that."""
        if not self.renderer.was_just_shown(view):
            await self.show_again(view)

    async def flip(self, view: ViewRow, table: Table) -> None:
        """Show *view* from the next seat's side."""
        side = (bottom_seat(await self.viewer(view, table), table) + 1) % len(table.players)
        await self.store.write(stored.owe_view_again, view.id, side=side)
        self.delivery.again(view)

    async def dress(self, where: Where, code: str = "") -> None:
        """Paint every shared view in *where*, and in all of its server, anew.

        And in the language *code* from now on, if any is given.
        """
        for place in await self.places.together(where):
            await self._wake_all(code, platform=where.platform, place=place, person=None)

    async def put_away(self, view: ViewRow) -> None:
        """Stop showing *view*; the next request for its table makes a new one."""
        await self.store.write(stored.delete_view, view.id)

    async def show_table(self, code: str) -> None:
        """Show the table *code* once more wherever it stands: a name there has changed."""
        await self.store.write(stored.owe_views_of_game, code)
        self.delivery.wake(code)

    async def dress_for(self, person: int, code: str = "") -> None:
        """Paint every view that *person* alone sees anew, in the language *code* if given."""
        await self._wake_all(code, person=person)

    async def speak_at_tables_of(self, host: int, where: Where, code: str) -> None:
        """Show the tables that *host* has opened in *where* in the language *code* from now on."""
        for line in await self.tables.list_lines((PLAYING, OPEN), person=host, where=where):
            if (await self.tables.get(line.code)).host == host:
                here = {"platform": where.platform, "place": where.place, "person": None}
                await self._wake_all(code, **here, kind=BOARD, subject=line.code)

    async def _wake_all(self, language: str, **of: str | int | None) -> None:
        owing = await self.store.write(stored.owe_anew, language, **of)
        for table in dict.fromkeys(view.subject for view in owing if view.kind == BOARD):
            self.delivery.wake(table)
        self.delivery.show_owed([view for view in owing if view.kind != BOARD])


async def _newest(tx: Transaction, table: Table, where: Where) -> ViewRow | None:
    """The newest view of *table* in *where*."""
    at, shown = (*where.key, where.thread), await stored.views_of_game(tx, table.code)
    here = [row for row in shown if (row.platform, row.place, row.thread) == at]
    return here[-1] if here else None


def _came_to_nothing(table: Table) -> bool:
    """Whether *table* was closed before its game began."""
    return table.status == CLOSED and table.position is None


def _board(view: ViewRow | None) -> ViewRow | None:
    """*view* if it shows a table."""
    return view if view is not None and view.kind == BOARD else None
