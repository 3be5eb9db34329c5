"""What is stored around a table that concerns its calls: who is where, and sees which board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.boards.mentions import Notification
from bot.notify.reasons import RUNS_OUT, Reason, said
from bot.port import Asker, Where
from bot.presenters.composer import Composer
from bot.presenters.viewers import Viewer, named
from bot.service.places import view_place as place_of
from bot.service.presence import where_of
from bot.service.reminders import APART
from bot.service.updates import DeadlineKind
from bot.session.table import Table
from bot.texts import language
from games.core import phrase
from storage import calls, deadlines, games, people, views
from storage.engine import Store, Transaction
from storage.records import CallRow, GameLine, IdentityRow, PresenceRow, ViewRow

MOST = 10
"""Of how many other tables one call tells."""


@dataclass(frozen=True)
class NotificationContext:
    """The calls to a table that are due, its views, from where people play, their ids."""

    rows: Sequence[CallRow] = ()
    following: datetime | None = None
    """When the first of its other calls is due."""
    views: Sequence[ViewRow] = ()
    present: Mapping[int, PresenceRow] = field(default_factory=dict)
    identities: Mapping[int, Sequence[IdentityRow]] = field(default_factory=dict)
    also: Mapping[int, Sequence[GameLine]] = field(default_factory=dict)
    """By persons whose time runs out here, their other tables where it does so no later."""
    chosen: Mapping[int, str] = field(default_factory=dict)
    """The languages that people have chosen for themselves."""

    @classmethod
    async def read(cls, store: Store, code: str, now: datetime) -> NotificationContext:
        """What is stored around the table *code*, nothing where nobody is to be called *now*."""
        async with store.reading() as tx:
            waiting = {row: row.due for row in await calls.of_game(tx, code) if row.due is not None}
            rows = [row for row, due in waiting.items() if due <= now]
            following = min((due for due in waiting.values() if due > now), default=None)
            if not rows:
                return cls(following=following)
            shown = await views.of_game(tx, code)
            present = {row.person: row for row in await calls.present(tx, code)}
            identities = {row.person: await people.identities(tx, row.person) for row in rows}
            also = {row.person: await _also(tx, row) for row in rows if row.kind in RUNS_OUT}
            chosen = await people.languages(tx, [row.person for row in rows])
        return cls(rows, following, shown, present, identities, also, chosen)

    def place(self, person: int) -> tuple[Where, ViewRow | None] | None:
        """Where *person* is called, and the board of that place; never where he may not be.

        Who never pressed anything at the table is called where it is shown on his platform.
        """
        newest = sorted(self.views, key=lambda view: -view.id)
        sits = self.present.get(person)
        if sits is not None:
            where = where_of(sits)
            here = (v for v in newest if (v.platform, v.place) == (where.platform, where.place))
            view = next(here, None)
            if view is not None or where.private:
                return where, view
        own = next((view for view in newest if view.person == person), None)
        platforms = {sits.platform} if sits else {i.platform for i in self.identities[person]}
        shared = (v for v in newest if v.person is None and v.platform in platforms)
        view = own or next(shared, None)
        return None if view is None else (place_of(view), view)

    def summons(
        self, table: Table, view: ViewRow | None, rows: Sequence[CallRow], platform: str, key: bytes
    ) -> Notification | None:
        """One message on *platform* for all *rows*, which have one reason, in the words of *view*.

        ``None`` where nobody of them is known there.
        """
        tongue = language(view.language if view is not None else self._spoken(rows[0].person))
        names = named(table.game.key, table.players, tongue)
        found = []
        for row in rows:
            name = names[table.seat_of(row.person) or 0]
            ids = (i.external for i in self.identities[row.person] if i.platform == platform)
            external = next(ids, None)
            if external is not None:
                found.append((row, Asker(platform, external, name)))
        if not found:
            return None
        reason, ending = Reason(rows[0].kind), ""
        if reason is Reason.OVER:
            ending = Composer(table, Viewer(language=tongue.code), key).board().headline
        words = said(reason, table, [row.person for row, _ in found], tongue, ending)
        if others := [one for row, _ in found for one in self.also.get(row.person, ())]:
            named_there = tuple(
                phrase("house.call.one-of", game=phrase(f"{one.game}.name"), code=one.code)
                for one in others
            )
            words = f"{words} {tongue.say(phrase('house.call.also', tables=named_there))}"
        return Notification(tuple(row for row, _ in found), tuple(one for _, one in found), words)

    def _spoken(self, person: int) -> str:
        """The language of a word to *person* where no board stands: his own, else a board's."""
        newest = max(self.views, key=lambda view: view.id, default=None)
        return self.chosen.get(person) or (newest.language if newest is not None else "")


async def _also(tx: Transaction, row: CallRow) -> Sequence[GameLine]:
    """The other tables at which the time of whom *row* calls runs out no later, or soon after."""
    flags = await deadlines.of_game(tx, row.game)
    until = next((one.at for one in flags if one.kind == DeadlineKind.FLAG), None)
    if until is None:
        return ()
    soon = await deadlines.of_person(tx, row.person, until + APART)
    codes = [one.game for one in soon if one.kind == DeadlineKind.FLAG and one.game != row.game]
    return await games.lines(tx, codes[:MOST])
