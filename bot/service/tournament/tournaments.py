"""The tournaments: read, changed one change at a time, and told the results of their tables.

A result is taken over in the transaction that ends its table: nobody can lose it in between.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Final, TypeVar

from bot.port import Where
from bot.service.aggregates import Aggregates
from bot.service.clock import DeadlineAlarm
from bot.service.person.people import People, Presence
from bot.service.place.places import new_view
from bot.service.table.changes import Change, Participant, Update
from bot.service.table.tables import drawn_code
from bot.service.tournament.results import by_chair, table_result
from bot.session.events import Ruled
from bot.session.names import cleaned
from bot.session.rated import KNOWN_BY
from bot.session.table import CLOSED, Table
from bot.standing.medals import CHAMPION, ENTRANT
from bot.tournament import organizer
from bot.tournament.agenda import next_step
from bot.tournament.fold import TOURNAMENTS, BrokenTournament
from bot.tournament.standings import standings
from bot.tournament.unit_of_work import TournamentWork
from bot.tournament.values import Address, Entrant, Phase, Tournament
from games.core import RuleError, phrase
from storage import tournaments as stored
from storage.club import medals
from storage.errors import UnreadableRow
from storage.person import people as stored_people
from storage.records import EntrantRow, MedalRow, TournamentRow, ViewRow
from storage.store import Transaction
from storage.table import views as stored_views

log = logging.getLogger(__name__)

Decided = TypeVar("Decided")

TOURNAMENT_VIEW: Final = "tournament"
"""The kind of the views that show tournaments."""

LISTED = 12
"""The most tournaments in a list."""


ENDED_PHASES: Final = (Phase.ENDED,)
"""The phases of tournaments that are over."""


class UnknownTournament(RuleError):
    """No tournament has this code."""


def address_of(where: Where | TournamentRow | EntrantRow | Address) -> Address:
    """*where*, or where a row says, as events keep it."""
    return Address(where.platform, where.place, where.thread, where.private)


def address_where(address: Address) -> Where:
    """The place that events keep as *address*."""
    return Where(address.platform, address.place, address.thread, address.private)


LEAST_OF_MEDALS: Final = 4
"""A tournament of fewer gives no medal."""


@dataclass(kw_only=True)
class Tournaments(Aggregates[Tournament], Participant):
    """Reads and changes tournaments; as a participant it takes over the results of tables."""

    only_over = True

    most_kept = 64
    alarm: DeadlineAlarm
    people: People
    presence: Presence
    _following: dict[str, Tournament] = field(default_factory=dict)
    """By table, the tournament that its change has changed, until that is on disk."""
    _listeners: list[Callable[[str], None]] = field(default_factory=list)
    retire: Callable[[ViewRow], None] = field(init=False)
    """Removes the message of a view that owes a new one."""

    # ---------------------------------------------------------------- reading

    async def get(self, code: str) -> Tournament:
        """The tournament *code*, its people under the ids they have now.

        Raises ``UnknownTournament`` or ``BrokenTournament``.
        """
        async with self.store.reading() as tx:
            # Remembered within the transaction, so that no change comes in between.
            found = await self._load(tx, code)
            self.remember(code, found.version, found)
        return found

    async def find(self, code: str) -> Tournament | None:
        """The tournament *code*, ``None`` where there is none that can be read."""
        with suppress(UnknownTournament, BrokenTournament):
            return await self.get(code)
        return None

    async def _load(self, tx: Transaction, code: str, *, lock: bool = False) -> Tournament:
        row = await stored.load_tournament(tx, code, lock=lock)
        if row is None:
            raise UnknownTournament(phrase("tournament.unknown", code=code[:8]))

        async def read(base: Tournament | None) -> Tournament:
            return await read_tournament(tx, row, base)

        known = await self.read_anew(code, row.version, read)
        return await _introduce(tx, replace(known, at=address_of(row)))

    async def names(self, tournament: Tournament) -> dict[int, str]:
        """What the entrants are called, by their numbers; "" for whoever is forgotten."""
        known = await self.load_names([one.person for one in tournament.entrants])
        return {one.number: known.get(one.person, "") for one in tournament.entrants}

    async def load_names(self, persons: Sequence[int]) -> dict[int, str]:
        """What these people are called, by the ids that were asked for."""
        known = await self.store.read(stored_people.load_names, persons)
        return {one: cleaned(named.name) for one, named in known.items()}

    async def list_tournaments(
        self,
        where: Where,
        places: Sequence[str] | None,
        person: int,
        phases: Sequence[str] = (Phase.OPEN, Phase.RUNNING),
        most: int = LISTED,
    ) -> list[Tournament]:
        """The tournaments of *places*, or shown there, ``None`` for all, and of *person*.

        At *most* so many of those in these *phases*, by default of the living ones.
        """
        asked = (where.platform, places, person, phases, most)
        found = []
        for row in await self.store.read(stored.tournaments_in, *asked):
            try:
                found.append(await self.get(row.code))
            except BrokenTournament as broken:
                log.error("%s", broken)
        return found

    async def free_code(self) -> str:
        """A code that no tournament has."""
        while await self.store.read(stored.load_tournament, code := drawn_code()) is not None:
            pass
        return code

    # ---------------------------------------------------------------- changing

    async def change(
        self,
        update: Update,
        code: str,
        decide: Callable[[TournamentWork], Decided],
        entering: EntrantRow | None = None,
    ) -> tuple[Tournament, Decided]:
        """Let *decide* write in the tournament *code*, and store that, once per update.

        *entering* is from where somebody plays who enters. Raises what *decide* raises,
        ``SeenBefore`` and ``Conflict``.
        """

        async def begin() -> TournamentWork:
            return self._work(await self.get(code))

        async def store(work: TournamentWork) -> None:
            fresh = await self._list_fresh(work)
            async with self.store.transaction() as tx:
                await update.settle(tx, self.clock.steady())
                await self._append(tx, work)
                await stored.put_entrants(tx, [entering] if entering else [])
                for view in fresh:
                    if view.id:
                        await stored_views.miss_message(tx, view.id, view.message)
                    else:
                        await stored_views.add_view(tx, view)
            self._note_change(work.tournament)
            for view in fresh:
                self.retire(view)

        work, result, _ = await self.decide(code, begin, decide, store)
        return work.tournament, result

    async def create(
        self, update: Update, work: TournamentWork, view: ViewRow | None, draft: int
    ) -> None:
        """Store a new tournament, opened where it says, shown by *view*; use up *draft*.

        Raises ``SeenBefore`` or ``Refused``.
        """
        now = work.tournament
        async with self.store.transaction() as tx:
            await update.settle(tx, self.clock.steady(), draft)
            await stored.create_tournament(tx, self._row(work), work.rows())
            if view is not None:
                await stored_views.add_view(tx, replace(view, owed=now.version))
        self._note_change(now)

    def _work(self, tournament: Tournament) -> TournamentWork:
        return TournamentWork(tournament, self.clock.now(), self.clock.steady())

    async def _append(self, tx: Transaction, work: TournamentWork) -> None:
        now = work.tournament
        events, before = work.rows(), work.before.version
        await stored.append_tournament_events(tx, self._row(work), before, events)
        await stored_views.owe_views(tx, now.code, now.version, kind=TOURNAMENT_VIEW)
        await self.store.cluster.tell(tx, "tournament", now.code)
        if now.phase is Phase.ENDED and work.before.phase is not Phase.ENDED:
            await self._give_medals(tx, work)

    async def _list_fresh(self, work: TournamentWork) -> list[ViewRow]:
        """The views that tell by a new message that the tournament is over.

        Who has a private chat is told there, and the others in its place: each once. There it comes
        down to where people read, although only those are called who do not look.
        """
        now = work.tournament
        if now.phase is not Phase.ENDED or work.before.phase is Phase.ENDED:
            return []
        unaware = list(self.unaware(now))
        known = await self.store.read(stored_views.views_showing, TOURNAMENT_VIEW, now.code)
        told = {one.person for one in unaware}
        found = [one for one in known if one.person in told]
        for one in unaware:
            private = await self.people.private_chat(one.person, one.at.platform)
            if private is not None and all(view.person != one.person for view in known):
                code = await self.people.language_alone(one.person)
                code = code or await self.people.language_in(private)
                made = new_view(now.code, now.version, private, one.person, code)
                found.append(replace(made, kind=TOURNAMENT_VIEW))
        return found + [one for one in known if one.person is None]

    def unaware(self, now: Tournament) -> Iterator[Entrant]:
        """Who has played, or waited for it, and does not look where it is shown.

        That is at the tournament or a game of the newest round. Whoever was promised a call to
        another game has not seen that none comes, unless the organizer has ended it.
        """
        newest = [one.last for last in now.rounds[-1:] for one in last.meetings]
        tables = [game.code for game in newest]
        waited = {number for game in newest if not game.code for number in game.seats}
        played = {number for _, _, game in now.games() for number in game.seats}
        cut = now.number != now.length and now.why != "early"
        for one in now.entrants:
            where, there = address_where(one.at), one.gone is None
            codes = [now.code] if where.private else [now.code, *tables]
            promised = there and (cut or one.number in waited)
            looks = any(self.presence.looks_in(code, one.person, where) for code in codes)
            if (promised or not looks) and (there or one.number in played):
                yield one

    async def _give_medals(self, tx: Transaction, work: TournamentWork) -> None:
        """A medal for everybody who has played it to its end, and for who has won it alone."""
        now = work.tournament
        if now.why != "done" or len(now.entrants) < LEAST_OF_MEDALS:
            return
        where, lines = {"where": [[now.at.platform, now.at.place]]}, standings(now)
        seated = {one.person for one in now.entrants if one.gone is None}
        barred = await stored_people.barred_groups(tx, seated, KNOWN_BY)
        names = await stored_people.load_names(tx, sorted(seated.difference(*barred)))
        persons = {
            one.number: names[one.person].person for one in now.entrants if one.person in names
        }
        first = [one.entrant for one in lines if one.place == 1]
        keys = [(one.entrant, ENTRANT) for one in lines if one.games]
        keys += [(one, CHAMPION) for one in first if len(first) == 1]
        rows = [
            MedalRow(persons[one], key, "", work.now, None, where)
            for one, key in keys
            if one in persons
        ]
        await medals.give_medals(tx, rows)

    def _row(self, work: TournamentWork) -> TournamentRow:
        now = work.tournament
        return TournamentRow(
            code=now.code,
            **asdict(now.at),
            phase=now.phase,
            version=now.version,
            created=now.created,
            touched=work.now,
            due=due_of(now, work.moment, work.now),
        )

    def _note_change(self, tournament: Tournament) -> None:
        """The tournament is on disk as it is now."""
        self.remember(tournament.code, tournament.version, tournament)
        self._tell(tournament.code)

    def _tell(self, code: str) -> None:
        self.alarm.look(self.clock.steady())
        self.announce(code)
        for listener in self._listeners:
            listener(code)

    def when_changed(self, listener: Callable[[str], None]) -> None:
        """Tell *listener* of each tournament that has changed, here or in another process."""
        self._listeners.append(listener)

    def listen(self) -> None:
        """Hear of what other processes change from now on."""
        self.store.cluster.on("tournament", self._tell)

    async def set_due(self, tournament: Tournament, due: datetime | None) -> None:
        """Look at *tournament* again at the instant *due*, unless it changes before."""
        code, version = tournament.code, tournament.version
        await self.store.write(stored.set_tournament_due, code, version, due)
        if due is not None:
            self.alarm.look(due)

    # ---------------------------------------------------------------- results

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """Take over the result of a table of a tournament that has just ended."""
        before, table = change.before, change.table
        self._following.pop(table.code, None)  # of a transaction that failed
        if not table.tournament or before is None:
            return
        ruled = next((w.event for w in change.work.written if isinstance(w.event, Ruled)), None)
        if ruled is None and (before.status, before.outcome) == (table.status, table.outcome):
            return
        try:
            now = await self._load(tx, table.tournament, lock=True)
        except (UnknownTournament, BrokenTournament) as wrong:
            log.error("the result of table %s has no tournament: %s", table.code, wrong)
            return
        work = self._work(now)
        if ruled is None:
            self._take_over(work, table, before)
        else:
            organizer.rule(work, table.code, by_chair(table, ruled.points), ruled.by)
        if work.written:
            await self._append(tx, work)
            self._following[table.code] = work.tournament

    @staticmethod
    def _take_over(work: TournamentWork, table: Table, before: Table) -> None:
        game = work.tournament.find_game(table.code)
        found = None if game is None else table_result(table, before)
        if game is not None and found is None and table.status == CLOSED:
            organizer.abandon(work, table.code)
        if game is None or found is None:
            return
        if game.result is not None and table.outcome is not None:
            # Its rules have judged it anew (R1).
            organizer.judge_anew(work, table.code, found.points)
            return
        absent = [game.seats[chair] for chair in found.absent]
        organizer.tell(work, table.code, found.how, found.points, absent)

    def after_commit(self, change: Change) -> None:
        """Go on with the tournament whose table has ended."""
        following = self._following.pop(change.table.code, None)
        if following is not None:
            self._note_change(following)


def due_of(tournament: Tournament, now: datetime, wall: datetime) -> datetime | None:
    """When *tournament* must be looked at, as seen from *now*: at once while games are played.

    *now* is a steady instant, and *wall* the same by the machine's clock.
    """
    if tournament.phase is Phase.ENDED:
        return None
    if tournament.running and not all(one.is_played for one in tournament.rounds):
        return now
    step = next_step(tournament, now, wall)
    return None if step is None else step.at


async def read_tournament(
    tx: Transaction, row: TournamentRow, base: Tournament | None = None
) -> Tournament:
    """The tournament of *row* by its events, on top of *base*; raises ``BrokenTournament``."""
    if base is not None and base.version == row.version:
        return base
    try:
        after = 0 if base is None else base.version
        events = await stored.load_tournament_events(tx, row.code, after)
    except UnreadableRow as wrong:
        raise BrokenTournament(row.code, wrong.number, wrong.why) from wrong
    return TOURNAMENTS.of(row.code, events, base)


async def _introduce(tx: Transaction, known: Tournament) -> Tournament:
    """*known* with its people as they are now, and from where they play."""
    persons = [known.host, *(one.person for one in known.entrants)]
    names = await stored_people.load_names(tx, persons)
    places = {row.person: row for row in await stored.load_entrants(tx, known.code)}
    found = []
    for one in known.entrants:
        person = names[one.person].person if one.person in names else one.person
        row = places.get(person)
        # Who was forgotten plays nowhere else than where the others are.
        found.append(replace(one, person=person, at=address_of(row or known.at)))
    host = names[known.host].person if known.host in names else known.host
    return replace(known, host=host, entrants=tuple(found))
