"""Ratings: the journal of what counts, what it changed, and what people have now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import combinations

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema

_game, _seat = schema.game, schema.seat


async def frequent_pairs(
    tx: AsyncConnection, persons: Sequence[int], since: datetime, most: int
) -> Collection[frozenset[int]]:
    """Those two of *persons* who have begun *most* or more rated games together after *since*.

    The games of a match count as one.
    """
    if len(persons) < 2:
        return ()
    asked = (
        select(_game.c.code, _game.c.status, _game.c.match, _seat.c.person)
        .join(_seat, _seat.c.game == _game.c.code)
        .where(
            _seat.c.person.in_(persons),
            or_(_seat.c.over_at.is_(None), _seat.c.over_at >= since),
            _game.c.rated,
            _game.c.created >= since,
        )
    )
    seated: dict[str, list[int]] = {}
    for code, status, match, person in await tx.execute(asked):
        # The score that stands behind the length of a match has this game once it is over.
        if len(match.split(" ")) - (status == "ended") <= 1:
            seated.setdefault(code, []).append(person)
    counted = Counter(frozenset(two) for all_ in seated.values() for two in combinations(all_, 2))
    return frozenset(pair for pair, count in counted.items() if count >= most)
