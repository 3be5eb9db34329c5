"""What must hold of tournaments, ladders and medals: reckoned by small models of their own.

The truth is what came of the games, table by table: who has won, when, and who never came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bot.service.table.changes import Change
from bot.session.table import CLOSED, ENDED, PLAYING, Table
from bot.tournament.standings import standings
from storage import tournaments
from storage.club import medals, ratings
from storage.person import people
from tests.evening.loop import BEGINS, World
from tests.evening.model import Model

if TYPE_CHECKING:
    from tests.evening.promises import Promises

COMES = 120.0
"""Seconds in which somebody must make their first move of a tournament, at least."""

NOTICED = 25.0
"""Seconds by which we may be wrong about when somebody could not be reached."""

FOLLOWS = 60.0
"""Seconds, besides the pause that it has, after which a tournament goes on."""

PUNCTUAL = 5.0
"""Seconds by which the beginning of a tournament may be late."""

MANY, ROW = 10, 5
"""How many rated games, and how many won in a row, are worth a medal."""


def turns(table: Table) -> Counter[int]:
    """How many turns each seat has had."""
    return Counter(seat for seat, _ in groupby(e.seat for e in table.log if not e.aside))


def points(table: Table) -> dict[int, int] | None:
    """The half points of the people of a *table* of two; nothing where it gives none by itself."""
    who = [player.person for player in table.players]
    if table.status == ENDED and table.outcome is not None:
        first = range(2) if table.outcome.is_replayed else table.outcome.places[0]
        return {one or 0: (3 - len(first)) * (n in first) for n, one in enumerate(who)}
    if table.status == CLOSED and table.closed == "forfeit":
        came = turns(table)
        gone = [n for n in table.present.actors() if not came[n]]  # both, while both set up
        return {one or 0: 2 * (n not in gone) for n, one in enumerate(who)}
    return None


class Club:
    """Looks at what the people of a club see, at the end of an evening."""

    def __init__(self, promises: Promises) -> None:
        self.promises, self.holds = promises, promises.holds
        self.world: World = promises.world
        self.model: Model = promises.model
        self.model.before_change.append(self._forfeited)

    async def quiet(self, facade: Any) -> None:
        """Nobody has done anything for a while."""
        found = [await facade.services.tournaments.get(one) for one in await self._codes(facade)]
        for one in found:
            await self._standings(facade, one)
            self._follows(one)
            await self._punctual(facade, one)
        await self._seen(facade)
        await self._ladder(facade)

    def _forfeited(self, change: Change) -> None:
        """Who could not be reached is waited for: they lose no game of a tournament meanwhile."""
        table, before, now = change.table, change.before, self.world.loop.now
        if before is None or before.status != PLAYING or table.closed != "forfeit":
            return
        for seat in before.actors():
            since = self.model.came.get((table.code, seat), now)
            known = [one for one, who in self.model.persons.items()
                     if who == table.players[seat].person]  # fmt: skip
            if turns(before)[seat] or len(known) != 1:
                continue
            away = [(a, b) for a, b in self.model.away if b - a < 1e9]
            away += self.promises.net.unreached(known[0][0])
            gone = sum(max(0.0, min(b, now) - max(a, since)) for a, b in away)
            why = f"{table.code}: {now - since:.0f} s, {gone:.0f} of them unreached"
            kept = now - since - gone >= COMES - NOTICED
            self.holds("who cannot be reached is waited for", kept, why)

    async def later(self, facade: Any) -> None:
        """Some minutes later nobody is waited for who never came."""
        faults = len(self.promises.plan.deaths) + self.promises.plan.houses - 1
        for code, table in self.model.tables.items():
            waits = table.tournament and table.status == PLAYING
            for seat in table.actors() if waits else ():
                since = self.world.loop.now - self.model.came.get((code, seat), 1e9)
                late = not turns(table)[seat] and since > COMES + FOLLOWS + 30.0 * faults
                # Whoever could not be reached has longer: the place was shut, or the chat away.
                begins = self.world.loop.now - since
                troubles = self.promises.troubles.values()
                late = late and not any(at > begins for befell in troubles for at in befell)
                now, calling = self.world.loop.now, self.promises.calling
                late = late and not any(
                    calling.was_shut(one, begins, now) for one in self.promises.places
                )
                self.holds("who does not come loses", not late, f"{code} since {since:.0f} s")

    async def _codes(self, facade: Any) -> Sequence[str]:
        codes = {one.tournament for one in self.model.tables.values() if one.tournament}
        shown = [one for place in self.promises.places.values() for one in place.public()]
        codes |= {code.split(".")[1] for one in shown for code in one.codes("U")} - {"0000"}
        return [one for one in sorted(codes) if await facade.services.tournaments.find(one)]

    # ---------------------------------------------------------------- tournaments

    async def _standings(self, facade: Any, known: Any) -> None:
        """Who has how many points follows from the games: a free round wins nothing in itself."""
        kind, judged = (
            str(known.rules.format),
            any(one.kind in "judged corrected" for one in known.acts),
        )
        if kind not in ("robin", "arena") or judged or not known.rounds:
            return
        rows: dict[int, list[int]] = {one.person: [] for one in known.entrants}
        for _, _, game in sorted(known.games(), key=lambda one: one[2].order):
            if game.result is None:
                continue
            got = {known.entrant(n).person: game.points_of(n) for n in game.seats}
            if game.code:
                got = points(await facade.services.tables.get(game.code)) or got
            for person, some in got.items():
                rows.setdefault(person, []).append(some)
        mine = {one: arena(some) if kind == "arena" else sum(some) for one, some in rows.items()}
        told = {known.entrant(one.entrant).person: one.points for one in standings(known)}
        why = f"{known.code}: {told}, by its games {mine}"
        self.holds("standings are what the games gave", told == mine, why)

    def _follows(self, known: Any) -> None:
        """Once the last game of a round is over the next begins, and the first begins at once."""
        if known.phase.value != "running" or known.paused:
            return
        codes = [game.code for _, _, game in known.games() if game.code]
        games = [self.model.tables[code] for code in codes if code in self.model.tables]
        if len(games) < len(codes) or any(one.status not in (ENDED, CLOSED) for one in games):
            return
        if any(game.closed and game.result is None for _, _, game in known.games()):
            return  # its manager must judge
        newest = max((self.model.changed_at[one.code] for one in games), default=0.0)
        waits = self.world.loop.now - newest - 60.0 * known.rules.pause
        arena = known.rules.format == "arena"
        self.holds("a round follows", arena or waits < FOLLOWS, f"{known.code} waits {waits:.0f} s")

    async def _punctual(self, facade: Any, known: Any) -> None:
        """A tournament begins when its announcement says so, by the clocks of people."""
        at, plan = known.rules.start_at, self.promises.plan
        if at is None or plan.jumps or plan.houses > 1:
            return
        announced = (known.created + (at - known.opened)).timestamp() - BEGINS
        if announced > self.world.loop.now - 20.0 or self.model.was_away(
            announced - 20.0, announced + 10.0
        ):
            return
        rows = await facade.store.read(tournaments.load_tournament_events, known.code)
        begun = [one.at.timestamp() - BEGINS for one in rows if one.kind == "start"]
        if known.why and not begun:
            return  # too few had entered, or its manager ended it
        late = min(begun, default=self.world.loop.now) - announced
        why = f"{known.code} is {late:.1f} s late"
        self.holds("a tournament begins as announced", late <= PUNCTUAL, why)

    # ---------------------------------------------------------------- ladders

    async def _seen(self, facade: Any) -> None:
        """Everybody stands on those ladders alone on which they want to be seen."""
        for row in await facade.store.read(ratings.all_tallies):
            name = (await _names(facade, [row.person]))[row.person].name
            chosen = await facade.services.people.personal(row.person)
            wants = not chosen.off_ladders and (bool(row.place) or chosen.seen_everywhere)
            kept = row.listed == (bool(name) and wants)
            why = f"{name} on the ladder of {row.place or 'all places'}: {row.listed}"
            self.holds("who is seen is as they chose", kept, why)

    async def _ladder(self, facade: Any) -> None:
        """Ladders and medals count the games that count, of whoever people are by now."""
        rows = await _journal(facade)
        codes = {row.game for row in rows if row.kind == "game"}
        codes |= {one.code for one in self.model.tables.values() if one.rated}
        tables = [await facade.services.tables.get(one) for one in sorted(filter(None, codes))]
        counted = {one.code: one for one in tables if one.status == ENDED and one.rated}
        met = [{player.person for player in one.players} for one in counted.values()]
        entries = Counter(row.game for row in rows if row.kind == "game")
        if any(len(one) != 2 or None in one for one in met) or max(entries.values(), default=1) > 1:
            return
        mine: dict[tuple[str, int], list[int]] = {}
        for one in counted.values():
            got = {} if one.uncounted or not one.outcome or one.outcome.is_replayed else points(one)
            for person, some in (got or {}).items():
                mine.setdefault((one.game.key, person), []).append(some)
        found = {
            (row.pool, row.person): [2] * row.won + [1] * row.drawn + [0] * row.lost
            for row in await facade.store.read(ratings.all_tallies)
            if not row.place
        }
        want = {key: sorted(some, reverse=True) for key, some in mine.items()}
        self.holds("a ladder counts the games", found == want, f"{found}, by the games {want}")
        await self._medals(facade, rows, counted)

    async def _medals(self, facade: Any, rows: Sequence[Any], tables: dict[str, Table]) -> None:
        """A medal is given by the very game that earns it, wherever the others were played."""
        same: dict[int, int] = {}
        games: dict[int, tuple[str, dict[int, int]]] = {}
        earned: dict[tuple[int, str, str], str] = {}
        ids = {one for row in rows for one in row.people}
        last = {one: who.person for one, who in (await _names(facade, ids)).items()}
        for row in rows:
            if row.kind == "link":
                same = {
                    one: row.people[0] if now == row.people[1] else now for one, now in same.items()
                }
                same[row.people[1]] = row.people[0]
            elif row.kind == "correction":
                games.pop(row.of, None)
            elif row.game in tables:
                table = tables[row.game]
                got = points(table) or {}
                games[row.number] = row.pool, {one: got.get(last[one], 0) for one in row.people}
                for one in row.people:
                    mine = _results(games.values(), row.pool, one, same)
                    if len(mine) >= MANY:
                        earned.setdefault((one, "ten", row.pool), table.code)
                    if mine[-ROW:] == [2] * ROW and min(turns(table)[seat] for seat in (0, 1)) > 1:
                        earned.setdefault((one, "streak", row.pool), table.code)
        for (one, key, pool), code in earned.items():
            given = await facade.store.read(medals.medals_of, person=last[one])
            by = [row.game for row in given if (row.key, row.pool) == (key, pool)]
            why = f"{key} of {pool}: {by}, earned by {code}"
            self.holds("a medal is given when it is due", code in by or one != last[one], why)


def _results(
    games: Iterable[tuple[str, dict[int, int]]], pool: str, one: int, same: dict[int, int]
) -> list[int]:
    """What *one* has got in the *games* of *pool*, in their order."""
    return [
        some
        for of, got in games
        if of == pool
        for person, some in got.items()
        if same.get(person, person) == one
    ]


def arena(results: Sequence[int]) -> int:
    """The half points of an arena: two for one, and twice that from the third win in a row on."""
    total = row = 0
    for some in results:
        total += 2 * some * (2 if row >= 2 else 1)
        row = row + 1 if some == 2 else 0
    return total


async def _names(facade: Any, ids: Iterable[int]) -> Any:
    return await facade.store.read(people.load_names, sorted(ids))


async def _journal(facade: Any) -> list[Any]:
    found: list[Any] = []
    while more := await facade.store.read(ratings.journal, found[-1].number if found else 0):
        found += more
    return found
