"""What goes on in the house now, as its operator is told: tables, people, queues, duties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.facade.facade import Facade
from bot.presenters.viewers import player_names
from bot.service.cluster import duty_of
from bot.service.heartbeat import CLOCK
from bot.session.table import OPEN, PLAYING
from bot.texts import FALLBACK, language
from storage import games, views
from storage.doctor import count_set_aside
from storage.records import FaultRow

LISTED = 20
"""How many tables that are played, or are set aside, are named."""


@dataclass(frozen=True)
class LivingTable:
    """A table that is played: who sits there, who may move, and when it was touched last."""

    code: str
    game: str
    names: Sequence[str]
    to_move: Sequence[str]
    touched: datetime


@dataclass(frozen=True)
class HouseStatus:
    """What goes on now. *tables* are counted by game and status.

    *duties* are those of this process.
    *connections* says of each chat whether it takes presses. *owed* are boards that wait to be
    shown, *thinking* questions that wait for a computer player.
    """

    database: str
    connections: Mapping[str, bool]
    duties: Sequence[str]
    tables: Mapping[tuple[str, str], int]
    playing: Sequence[LivingTable]
    people: int
    set_aside: Sequence[FaultRow]
    updates_aside: int
    owed: int
    thinking: int


async def house_status(facade: Facade) -> HouseStatus:
    """What goes on in *facade*'s house; raises ``StorageError``."""
    store = facade.store
    async with store.reading() as tx:
        counts = await games.count_living_games(tx)
        codes = await games.codes_by_status(tx, (PLAYING,))
        lines = await games.load_game_lines(tx, codes[:LISTED])
        people = await games.count_people_playing(tx)
        aside = await games.games_set_aside(tx)
        updates, _ = await count_set_aside(tx)
        owed = await views.count_owing_views(tx)
    tongue, playing = language(FALLBACK), []
    for line in lines:
        names = player_names(line.game, line.seats, tongue)
        turns = [names[seat] for seat in line.to_move or () if seat in names]
        who = tuple(names[seat] for seat in sorted(names))
        playing.append(LivingTable(line.code, line.game, who, turns, line.touched))
    shares = [
        duty_of(chat.platform, share) for chat in facade.chats.values() for share in chat.shares
    ]
    return HouseStatus(
        database=store.backend.name,
        connections=facade.connections(),
        duties=tuple(duty for duty in (*shares, CLOCK) if facade.fleet.holds(duty)),
        tables={key: counts[key] for key in sorted(counts) if key[1] in (OPEN, PLAYING)},
        playing=playing,
        people=people,
        set_aside=aside[:LISTED],
        updates_aside=updates,
        owed=owed,
        thinking=facade.thinkers.queued,
    )
