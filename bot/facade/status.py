"""What goes on in the house now, as its operator is told: tables, people, queues, duties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.facade.operator import Operator
from bot.presenters.table.viewers import player_names
from bot.service.heartbeat import CLOCK
from bot.service.place.announcements import Announcement
from bot.service.process_cluster import duty_of
from bot.session.table import OPEN, PLAYING
from bot.texts import FALLBACK, Language, language
from storage.database.backups import backups_in
from storage.doctor import count_set_aside
from storage.records import FaultRow, Status
from storage.store import Transaction
from storage.table import games, views

LISTED = 20
"""How many tables that are played, that wait, or that are set aside, are named."""


@dataclass(frozen=True)
class LivingTable:
    """A table that lives: who sits there, who may move, and when it was touched last."""

    code: str
    game: str
    names: Sequence[str]
    to_move: Sequence[str]
    touched: datetime


@dataclass(frozen=True)
class HouseStatus:
    """What goes on now. *tables* are counted by game and status.

    *duties* are those of this process, *leases* those of all with the number of the process.
    *waiting* are tables that wait for players, *playing* those that are played.
    *connections* says of each chat whether it takes presses. *owed* are boards that wait to be
    shown, *thinking* questions that wait for a computer player.
    """

    database: str
    connections: Mapping[str, bool]
    duties: Sequence[str]
    leases: Mapping[str, int]
    process: int
    """Our own number among the processes."""
    tables: Mapping[tuple[str, str], int]
    playing: Sequence[LivingTable]
    waiting: Sequence[LivingTable]
    people: int
    set_aside: Sequence[FaultRow]
    updates_aside: int
    owed: int
    thinking: int
    announced: Announcement | None

    def count(self, state: Status) -> int:
        """How many tables are in *state*."""
        return sum(count for (_, one), count in self.tables.items() if one == state)


async def house_status(operator: Operator, spoken: str = FALLBACK) -> HouseStatus:
    """What *operator* sees going on, named in the language *spoken*; raises ``StorageError``."""
    store, process_duties, fleet = operator.store, operator.process_duties, operator.store.cluster
    async with store.reading() as tx:
        counts = await games.count_living_games(tx)
        playing, waiting = [
            await _living(tx, status, language(spoken)) for status in (PLAYING, OPEN)
        ]
        people = await games.count_people_playing(tx)
        aside = await games.games_set_aside(tx)
        updates, _ = await count_set_aside(tx)
        owed = await views.count_owing_views(tx)
    duties = (*(duty_of(*share) for share in process_duties.shares()), CLOCK)
    return HouseStatus(
        database=store.backend.name,
        connections=process_duties.connections(),
        duties=tuple(duty for duty in duties if fleet.holds(duty)),
        leases=fleet.holders(),
        process=fleet.number,
        tables={key: counts[key] for key in sorted(counts) if key[1] in (OPEN, PLAYING)},
        playing=playing,
        waiting=waiting,
        people=people,
        set_aside=aside[:LISTED],
        updates_aside=updates,
        owed=owed,
        thinking=operator.thinkers.queued,
        announced=operator.announcer.announcements.present,
    )


async def _living(tx: Transaction, status: Status, tongue: Language) -> list[LivingTable]:
    """The first tables in this *status*."""
    codes = await games.codes_by_status(tx, (status,))
    found = []
    for line in await games.load_game_lines(tx, codes[:LISTED]):
        names = player_names(line.game, line.seats, tongue)
        turns = [names[seat] for seat in line.to_move or () if seat in names]
        who = tuple(names[one.seat] for one in line.seats if one.person or one.level)
        found.append(LivingTable(line.code, line.game, who, turns, line.touched))
    return found


def newest_copy(folder: Path) -> datetime | None:
    """When the newest copy of the database in *folder* was made; ``None`` where there is none."""
    made = backups_in(folder, datetime.now(UTC))
    return made[-1].at if made else None
