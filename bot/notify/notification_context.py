"""What is stored around a table that its notifications need: views, presence, identities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.boards.renderer import Notification
from bot.notify.recipients import RUNS_OUT, Reason
from bot.port import Asker, Button, Ping, Where
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.table.notifications import NotificationWords
from bot.service.clock import DeadlineKind
from bot.service.person.people import presence_place
from bot.service.place.places import view_place as place_of
from bot.service.table.reminders import APART
from bot.session.game_clock import instant
from bot.session.names import cleaned
from bot.session.table import Table
from storage.person import people
from storage.records import GameLine, IdentityRow, NotificationRow, PresenceRow, ViewRow
from storage.store import Store, Transaction
from storage.table import deadlines, games, notifications, views

MOST_OTHER_TABLES = 10
"""The most other tables that one call names."""


@dataclass(frozen=True)
class NotificationContext:
    """The calls to a table that are due, its views, from where people play, their ids."""

    now: int = 0
    rows: Sequence[NotificationRow] = ()
    following: datetime | None = None
    """When the first of its other calls is due."""
    views: Sequence[ViewRow] = ()
    present: Mapping[int, PresenceRow] = field(default_factory=dict)
    identities: Mapping[int, Sequence[IdentityRow]] = field(default_factory=dict)
    also: Mapping[int, Sequence[GameLine]] = field(default_factory=dict)
    """By persons whose time runs out here, their other tables where it runs out by then."""
    chosen: Mapping[int, str] = field(default_factory=dict)
    """The languages in which people are told what they alone read."""
    names: Mapping[int, str] = field(default_factory=dict)
    """What people are called who may sit at no table of these."""

    @classmethod
    async def read(cls, store: Store, code: str, now: datetime) -> NotificationContext:
        """The context of the table *code*; empty where no call is due *now*."""
        async with store.reading() as tx:
            waiting = {
                row: row.due
                for row in await notifications.notifications_of_game(tx, code)
                if row.due is not None
            }
            rows = [row for row, due in waiting.items() if due <= now]
            following = min((due for due in waiting.values() if due > now), default=None)
            if not rows:
                return cls(following=following)
            shown = await views.views_of_game(tx, code)
            present = {row.person: row for row in await notifications.presences_of_game(tx, code)}
            identities = {row.person: await people.load_identities(tx, row.person) for row in rows}
            also = {row.person: await _also(tx, row) for row in rows if row.kind in RUNS_OUT}
            named = await people.load_names(tx, [row.person for row in rows])
        names = {person: cleaned(one.name) for person, one in named.items()}
        return cls(instant(now), rows, following, shown, present, identities, also, names=names)

    def place(self, person: int) -> tuple[Where, ViewRow | None] | None:
        """The place where *person* is called, and its board, if there is one."""
        newest = sorted(self.views, key=lambda view: -view.id)
        sits = self.present.get(person)
        if sits is not None:
            where = presence_place(sits)
            view = next((v for v in newest if (v.platform, v.place) == where.key), None)
            if view is not None or where.private:
                return where, view
        own = next((view for view in newest if view.person == person), None)
        platforms = {sits.platform} if sits else {i.platform for i in self.identities[person]}
        shared = (v for v in newest if v.person is None and v.platform in platforms)
        view = own or next(shared, None)
        return None if view is None else (place_of(view), view)

    def notification(
        self,
        table: Table,
        view: ViewRow | None,
        rows: Sequence[NotificationRow],
        platform: str,
        key: bytes,
    ) -> Notification | None:
        """One message for *rows* of one reason; ``None`` where nobody is known on *platform*."""
        words = NotificationWords(table, self._language_of(rows, view), self.now)
        reached = self._match_askers(table, rows, platform, words.names)
        if not reached:
            return None
        called, people = zip(*reached, strict=True)
        said = words.said(rows[0].kind, [row.person for row in called], key)
        if others := [one for row in called for one in self.also.get(row.person, ())]:
            said = f"{said} {words.also(others)}"
        pages = PagePresenter(words.code, key)
        show = Button(pages.say("ways.board"), pages.code(Action.BOARD, table=table.code))
        return Notification(called, Ping(people, said, key=show))

    def _match_askers(
        self, table: Table, rows: Sequence[NotificationRow], platform: str, names: Mapping[int, str]
    ) -> list[tuple[NotificationRow, Asker]]:
        found = []
        for row in rows:
            seat = table.seat_of(row.person)
            name = self.names.get(row.person, "") if seat is None else names[seat]
            known = self.known(row.person, platform, name)
            if known is not None:
                found.append((row, known))
        return found

    def known(self, person: int, platform: str, name: str = "") -> Asker | None:
        """*person*, called *name*, as *platform* knows them, if it does."""
        ids = (one.external for one in self.identities[person] if one.platform == platform)
        external = next(ids, None)
        return None if external is None else Asker(platform, external, name)

    def _language_of(self, rows: Sequence[NotificationRow], view: ViewRow | None) -> str:
        """The language of a message for *rows*: theirs if they share one, else that of a board."""
        theirs = {self.chosen.get(row.person) for row in rows if row.kind != Reason.SEEKING}
        board = view or max(self.views, key=lambda one: one.id, default=None)
        own = theirs.pop() if len(theirs) == 1 else None
        return own or ("" if board is None else board.language)


async def _also(tx: Transaction, row: NotificationRow) -> Sequence[GameLine]:
    """The other tables at which the time of the person of *row* runs out by then, or soon after."""
    flags = await deadlines.deadlines_of_game(tx, row.game)
    until = next((one.at for one in flags if one.kind == DeadlineKind.FLAG), None)
    if until is None:
        return ()
    soon = await deadlines.deadlines_of_person(tx, row.person, until + APART)
    codes = [one.game for one in soon if one.kind == DeadlineKind.FLAG and one.game != row.game]
    return await games.load_game_lines(tx, codes[:MOST_OTHER_TABLES])
