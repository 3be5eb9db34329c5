"""Whom the operator keeps out of the whole house."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from bot.commands.moderation import bring_back, take_from_tables
from bot.commands.rooms import ModerationRoom
from bot.port import Asker, Chat
from bot.runtime.tasks import Tasks
from bot.service.changes import OPERATOR, Update
from storage.bars import HOUSE
from storage.cluster import Cluster


@dataclass(frozen=True, kw_only=True, repr=False)
class HouseBans:
    """Keeps people out of the house, and their tables from waiting for them.

    Raises ``StorageError``.
    """

    room: ModerationRoom
    tasks: Tasks
    chats: Mapping[str, Chat]
    fleet: Cluster

    async def is_banned(self, asker: Asker) -> bool:
        """Whether *asker* is kept out of the whole house."""
        return await self.room.bars.is_banned(asker)

    async def ban(self, platform: str, external: str) -> bool:
        """Keep somebody out of the house, by all their ids; False where they were kept out.

        Nobody need be known by this id.
        """
        known, person = await self._ids(platform, external)
        new = not await self.is_banned(Asker(platform, external, ""))
        await self.room.bars.put(known, HOUSE, None)
        for one in known:
            self._shut_out(*one)
            await self.fleet.say("shut-out", *one)
        if person is not None:
            origin = Update(OPERATOR, secrets.token_hex(8))
            await take_from_tables(self.room, origin, person)
        return new

    async def unban(self, platform: str, external: str) -> bool:
        """Let somebody in again; False where nobody of this id was kept out."""
        known, person = await self._ids(platform, external)
        lifted = await self.room.bars.lift(known, HOUSE)
        if person is not None:
            await bring_back(self.room, person)
        return lifted

    def listen(self) -> None:
        """Hear from now on whom another process keeps out."""
        self.fleet.on("shut-out", self._shut_out)

    async def _ids(self, platform: str, external: str) -> tuple[list[tuple[str, str]], int | None]:
        """All ids of the person with this one, and that person, if there is one."""
        row = await self.room.people.known(Asker(platform, external, ""))
        if row is None:
            return [(platform, external)], None
        found = await self.room.people.identities(row.id)
        return [(one.platform, one.external) for one in found], row.id

    def _shut_out(self, platform: str, external: str) -> None:
        """Let a chat end what somebody has open who is kept out."""
        if platform in self.chats:
            self.tasks.start(self.chats[platform].shut_out(external))
