"""Whether the game of a table that somebody opens is to count for the ratings."""

from __future__ import annotations

from collections.abc import Sequence

from bot.commands.request import Request
from bot.commands.services_of_handlers import OpeningRoom
from bot.service.clock import Clock
from bot.session.rated import KNOWN_BY, MOST_GAMES, WITHIN, Casual, casual_sentence
from bot.session.table import Player
from bot.session.unit_of_work import Refused
from storage.club import ratings
from storage.person import people
from storage.store import Store


async def counting(
    request: Request,
    room: OpeningRoom,
    wished: bool | None,
    others: Sequence[Player],
    *,
    computer: bool,
) -> tuple[bool, str]:
    """Whether the game is to count, and what is known to speak against it (``Casual``).

    *wished* is what the asker has said, ``None`` for what the place has chosen; *computer* says
    that they want to play against one. Raises ``Refused`` where such a game is to count.

    In a private chat, and among a few who know each other, nothing counts; the page, where each
    guest is alone in a place, is none of these.
    """
    where = request.by.where
    alone = where.private and request.chat.takes_unasked
    if request.chat.programs:
        return False, ""
    if computer:
        if wished:
            raise Refused(casual_sentence(Casual.COMPUTER))
        return False, ""
    ladder = not (where.private or where.circle) and (await room.places.rules(where)).ladder
    if not (ladder or alone):
        return (False, "") if where.private and not wished else (True, Casual.LADDER)
    if not (ladder if wished is None else wished):
        return False, ""
    people = list(filter(None, (one.person for one in others)))
    return True, await casual_with(request, room.clock, room.store, people) or ""


async def casual_with(
    request: Request, clock: Clock, store: Store, others: Sequence[int]
) -> Casual | None:
    """Why a game of the asker with the people *others* will not count, as far as is known."""
    me = request.person.id
    if await store.read(people.barred_groups, (me, *others), KNOWN_BY):
        return Casual.GUEST
    since = clock.now() - WITHIN
    pairs = await store.read(ratings.frequent_pairs, (me, *others), since, MOST_GAMES)
    return Casual.OFTEN if any(me in pair for pair in pairs) else None
