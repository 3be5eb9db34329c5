"""Bans: the acts of the operator, and the commands where no bot runs.

Whoever plays nowhere is banned and let in by the database alone: the house takes seconds to load.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.app.operator_client import database_file, read_database_url
from bot.app.output import UnknownPerson, say
from bot.app.shell_texts import shell_sentence
from bot.tournament.values import Phase
from storage import tournaments
from storage.errors import StorageError
from storage.person import bars, people
from storage.person.bars import HOUSE
from storage.records import BarRow, PlaceKey
from storage.store import Store, Transaction
from storage.table import games

if TYPE_CHECKING:
    from bot.facade import Operator

LIVING = (Phase.OPEN, Phase.RUNNING)
"""The phases of a tournament in which a ban changes it."""


async def ban_person(operator: Operator | EmptyHouse, platform: str, external: str) -> str:
    """Keep whoever has this id on *platform* out of the house, also before they first come.

    The ids of a page are made here: there is nobody by one that is not known.
    """
    person = await operator.store.read(people.find_person, platform, external)
    if person is None and platform == "web":
        raise UnknownPerson(platform, external)
    about = {"platform": platform, "external": external, "name": person.name if person else ""}
    if not await operator.ban(platform, external):
        return shell_sentence("banned-already", **about)
    return shell_sentence("banned" if person else "banned-in-advance", **about)


async def unban_person(operator: Operator | EmptyHouse, platform: str, external: str) -> str:
    """Let whoever has this id on *platform* in again."""
    if await operator.unban(platform, external):
        return shell_sentence("unbanned")
    raise UnknownPerson(platform, external, "nobody-banned")


BAN_ACTS: Mapping[str, Callable[..., Awaitable[str]]] = {"ban": ban_person, "unban": unban_person}
"""The acts by the names of their commands."""


class StillPlays(Exception):
    """Somebody sits at tables or plays in a tournament, which a ban changes as well."""


@dataclass(frozen=True)
class EmptyHouse:
    """What the operator may ask of a database on which nothing runs, about who plays nowhere.

    Its methods raise ``StillPlays`` for anybody else, and change nothing then.
    """

    store: Store

    async def ban(self, platform: str, external: str) -> bool:
        """Keep somebody out by all their ids; False where they were kept out."""
        async with self.store.transaction() as tx:
            ids = await self._idle(tx, platform, external)
            new = HOUSE not in await bars.places_barring(tx, platform, external)
            await bars.put_bars(tx, [BarRow(*one, *HOUSE, datetime.now(UTC), None) for one in ids])
        return new

    async def unban(self, platform: str, external: str) -> bool:
        """Let somebody in again; False where nobody of this id was kept out."""
        async with self.store.transaction() as tx:
            return await bars.delete_bars(tx, await self._idle(tx, platform, external), HOUSE) > 0

    async def _idle(self, tx: Transaction, platform: str, external: str) -> list[PlaceKey]:
        """All ids of somebody who plays nowhere."""
        person, known = await bars.ids_of(tx, platform, external)
        if person is not None and (
            await games.list_game_codes(tx, games.LIVING, 1, person=person)
            or await tournaments.tournaments_in(tx, "", (), person, LIVING, 1)
        ):
            raise StillPlays
        return known


def done_by_database(asked: argparse.Namespace) -> bool:
    """Whether what is *asked* is done; false where it needs the house, which also says why not."""
    with suppress(StillPlays, StorageError, OSError, UnicodeDecodeError):
        if database_file(url := read_database_url()) is not None:
            say(asyncio.run(_perform_alone(url, asked)))
            return True
    return False


async def _perform_alone(url: str, asked: argparse.Namespace) -> str:
    await (await Store.open(url, readonly=True)).close()
    async with await Store.open(url, shared=True) as store:
        return await BAN_ACTS[asked.command](EmptyHouse(store), asked.platform, asked.external)
