"""A second reckoning of ratings, which knows openskill and the records of ended tables alone.

Nothing of ``bot.standing`` is asked: who sat where, who left when and what the places were is read
from the events of each table as they lie in the database, and the formulas stand here once more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from openskill.models import PlackettLuce
from sqlalchemy import select

from storage import schema
from storage.store import Transaction

UNKNOWN = 25.0 / 3
"""The sigma of whoever has not played."""


@dataclass(frozen=True)
class Played:
    """A game that counts: the places of its people, from 1 on, in the order of seats."""

    code: str
    pool: str
    at: datetime
    places: tuple[tuple[int, int], ...]
    """Each person with their place."""


@dataclass(frozen=True)
class Linked:
    """Two people became one."""

    kept: int
    other: int


@dataclass(frozen=True)
class TakenOut:
    """The game of a table counts no more."""

    code: str


Step = Played | Linked | TakenOut


@dataclass(frozen=True)
class Known:
    """What is known of somebody."""

    mu: float = 25.0
    sigma: float = UNKNOWN
    last: datetime | None = None


async def read_game(tx: Transaction, code: str) -> Played | None:
    """The ended game of the table *code* from its events; None where it does not count."""
    event = schema.event
    found = (
        await tx.execute(select(event).where(event.c.game == code).order_by(event.c.number))
    ).all()
    sat: dict[int, int] = {}
    seats: list[int | None] = []
    left: list[int] = []
    pool, rated, end = "", False, None
    for row in found:
        match row.kind:
            case "open":
                pool = row.data["game"]
            case "sit":
                sat[row.seat] = row.data["person"]
            case "start":
                rated = row.data.get("rated", False)
                seats = [sat[chair] for chair in row.data["chairs"]]
            case "leave":
                left.append(row.seat)
            case "end":
                end = row
            case "close":
                return None
    if end is None or not rated:
        return None
    order = [[seat for seat in place if seat not in left] for place in end.data["places"]]
    order += [[seat] for seat in reversed(left)]
    ranks = {seat: number for number, place in enumerate(filter(None, order), 1) for seat in place}
    places = tuple((seats[seat] or 0, ranks[seat]) for seat in sorted(ranks))
    return Played(code, pool, end.at, places)


def reckon(steps: Iterable[Step]) -> Mapping[tuple[str, int], Known]:
    """What is known of everybody after all *steps*, by pool and person."""
    model = PlackettLuce()
    known: dict[tuple[str, int], Known] = {}
    same: dict[int, int] = {}
    done: dict[str, tuple[Played, list[tuple[int, Known, Known]]]] = {}

    def who(person: int) -> int:
        return who(same[person]) if person in same else person

    for step in steps:
        match step:
            case Played():
                people = [who(person) for person, _ in step.places]
                if len(set(people)) < len(people):
                    continue
                before = [known.get((step.pool, one), Known()) for one in people]
                teams = [[model.rating(mu=one.mu, sigma=_rested(one, step.at))] for one in before]
                ranks = [float(place) for _, place in step.places]
                after = [
                    Known(one.mu, one.sigma, step.at) for (one,) in model.rate(teams, ranks=ranks)
                ]
                known |= {(step.pool, one): now for one, now in zip(people, after, strict=True)}
                ids = [person for person, _ in step.places]
                done[step.code] = step, list(zip(ids, before, after, strict=True))
            case Linked(kept, other):
                same[other] = kept
                for pool in {pool for pool, _ in known}:
                    theirs = known.pop((pool, other), None)
                    mine = known.get((pool, kept))
                    if theirs is not None and (mine is None or theirs.sigma < mine.sigma):
                        known[pool, kept] = theirs
            case TakenOut(code):
                game, changes = done.pop(code)
                _undo(known, game, [(who(one), old, new) for one, old, new in changes])
    return known


def _rested(one: Known, at: datetime) -> float:
    if one.last is None:
        return one.sigma
    days = max(0.0, (at - one.last).total_seconds() / 86400)
    return min(UNKNOWN, math.sqrt(one.sigma**2 + 0.0514 * days)) if days else one.sigma


def _undo(
    known: dict[tuple[str, int], Known], game: Played, changes: Sequence[tuple[int, Known, Known]]
) -> None:
    people = [person for person, _, _ in changes]
    for person, old, new in changes:
        now = known.get((game.pool, person))
        if now is None or people.count(person) > 1:
            continue
        gained = max(0.0, 1 / new.sigma**2 - 1 / _rested(old, game.at) ** 2)
        rest = max(1 / now.sigma**2 - gained, 1 / UNKNOWN**2)
        sigma = min(UNKNOWN, max(now.sigma, 1 / math.sqrt(rest)))
        known[game.pool, person] = Known(now.mu - (new.mu - old.mu), sigma, now.last)
