"""A season of simulated rated games, with draws, absences, links and corrections.

``play_season`` plays it on a real store and tells the steps; whoever reads the tables of that store
can reckon the ratings a second time.
"""

from __future__ import annotations

import random
from datetime import timedelta

from bot.session.table import Table
from storage.club import ratings
from storage.person import people as stored_people
from tests.standing.second_reckoning import Linked, Step, TakenOut, read_game
from tests.standing.simulated import Hall

GAMES = (("niya", 2), ("cirya", 2), ("parchis", 3), ("parchis", 4))


async def play_season(hall: Hall, count: int, clock, seed: int) -> list[Step]:
    """Play *count* games that count; what happened, in its order."""
    rng = random.Random(seed)
    services = hall.at.facade.services
    present = [one.id for one in hall.people]
    steps: list[Step] = []
    tables: list[Table] = []
    for number in range(count):
        clock.wait(timedelta(hours=rng.choice((1, 5, 26, 24 * 40))))
        game, seats = rng.choice(GAMES)
        persons = rng.sample(present, seats)
        table = await hall.seat(game, persons)
        if not table.rated:
            continue
        leaving = rng.sample(persons, rng.choice((0, 0, 1, 2))) if seats > 2 else []
        leaving = leaving[: seats - 2]
        rest = [one for one in persons if one not in leaving]
        rng.shuffle(rest)
        shared = rng.random() < 0.2
        places = [rest] if shared else [[one] for one in rest]
        ended = await hall.end(table, places, leaving)
        tables.append(ended)
        async with services.store.reading() as tx:
            played = await read_game(tx, ended.code)
        assert played is not None
        steps.append(played)
        if number % 23 == 11:
            steps.append(await take_out(hall, tables.pop(rng.randrange(len(tables))).code))
        if number % 71 == 40 and len(present) > 8:
            other, kept = rng.sample(present, 2)
            present.remove(other)
            steps.append(await link(hall, kept, other))
    return steps


async def take_out(hall: Hall, code: str) -> TakenOut:
    services = hall.at.facade.services
    async with services.store.transaction() as tx:
        counted = await ratings.counted_entry(tx, code)
        assert counted is not None
        await services.ratings.take_out(tx, counted, None, services.clock.now())
    return TakenOut(code)


async def link(hall: Hall, kept: int, other: int) -> Linked:
    services = hall.at.facade.services
    async with services.store.transaction() as tx:
        await services.ratings.prepare_join(tx, kept, other)
        await services.people.join(tx, kept, other)
        await services.ratings.join(tx, kept, other)
    assert (await services.store.read(stored_people.load_person, other)).id == kept
    return Linked(kept, other)
