"""What the operator may ask: bans, exports, imports, announcements, that people be forgotten."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.commands.person.account import erase_person
from bot.commands.place.export import archive_of
from bot.commands.place.moderation import bring_back, take_from_tables
from bot.commands.services_of_handlers import AccountRoom, ExportRoom, ModerationRoom
from bot.facade.chat_storage import ChatNotes
from bot.facade.process_duties import ProcessDuties
from bot.notify.announcement_banner import Announcer
from bot.port import Asker, Chat, Where
from bot.runtime.tasks import Tasks
from bot.service.computers.pool import Thinkers
from bot.service.place.imports import Imported
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.service.table.changes import OPERATOR, Update
from storage.person import bars
from storage.person.bars import HOUSE
from storage.store import Store


@dataclass(frozen=True, kw_only=True, repr=False)
class Operator:
    """Acts of the operator, who asks by the control socket or the operator's page.

    Raises ``StorageError``.
    """

    store: Store
    tasks: Tasks
    account: AccountRoom
    leaving: ExportRoom
    collection: PuzzleCollection
    moderation: ModerationRoom
    announcer: Announcer
    notes: ChatNotes
    key: bytes
    process_duties: ProcessDuties
    chats: Mapping[str, Chat]
    thinkers: Thinkers

    def listen(self) -> None:
        """Hear from now on whom other processes forget or keep out."""
        self.store.cluster.on("shut-out", self._shut_out)
        self.store.cluster.on("forgotten", self._forgotten_elsewhere)

    async def ban(self, platform: str, external: str) -> bool:
        """Keep somebody out of the house, by all their ids; False where they were kept out.

        Nobody need be known by this id.
        """
        person, known = await self.store.read(bars.ids_of, platform, external)
        new = not await self.moderation.bars.is_banned(Asker(platform, external, ""))
        await self.moderation.bars.put(known, HOUSE, None)
        for one in known:
            self._shut_out(*one)
            await self.store.cluster.say("shut-out", *one)
        if person is not None:
            await take_from_tables(self.moderation, Update(OPERATOR, secrets.token_hex(8)), person)
        return new

    async def unban(self, platform: str, external: str) -> bool:
        """Let somebody in again; False where nobody of this id was kept out."""
        person, known = await self.store.read(bars.ids_of, platform, external)
        lifted = await self.moderation.bars.lift(known, HOUSE)
        if person is not None:
            await bring_back(self.moderation, person)
        return lifted

    def _shut_out(self, platform: str, external: str) -> None:
        """Let a chat end what somebody has open who is kept out."""
        if platform in self.chats:
            self.tasks.start(self.chats[platform].shut_out(external))

    async def forget(self, person: int) -> None:
        """Forget *person*; in a facade not started what their tables owe is shown later."""
        await erase_person(self.account, Update(OPERATOR, secrets.token_hex(8)), person)

    async def import_place(self, file: Path, platform: str, place: str) -> Imported:
        """Import *file* into the house of a place; raises ``BadArchive`` or ``OSError``."""
        home = await self.leaving.places.home(Where(platform, place))
        return await self.leaving.imports.read(file, home)

    async def export_place(self, platform: str, place: str) -> tuple[bytes, int]:
        """What ``/export`` writes of a place, however large, and how many games are in it."""
        return await archive_of(self.leaving, self.key, Where(platform, place))

    async def forget_imported(self, name: str) -> int:
        """Erase *name* in all that was imported; in how many games it was."""
        return await self.leaving.imports.forget(name)

    def _forgotten_elsewhere(self, platform: str, external: str) -> None:
        """Let a chat forget the person of an id, whom another process forgets."""
        self.leaving.places.dismiss(platform, external)
        if platform in self.chats:
            self.tasks.start(self.chats[platform].forget(external))
