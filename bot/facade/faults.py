"""Our own faults in an answer: logged, and told to the asker as ours."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace

from bot.port import Answer, Command, Press, Promised, Said
from bot.runtime import metrics
from bot.service.people import People
from bot.session.table import BrokenTable
from bot.texts import language, spoken
from games.core import Phrase, phrase
from storage import inbox
from storage.errors import DatabaseBusy, DatabaseFull, StorageError
from storage.store import Store

log = logging.getLogger(__name__)

_WHY: Mapping[type[StorageError], str] = {
    DatabaseBusy: "house.database-busy",
    DatabaseFull: "house.disk-full",
}


def fault_phrase(wrong: BaseException, what: str) -> Phrase:
    """What a person hears of *wrong*, a fault of ours that is logged; *what* has failed."""
    if not isinstance(wrong, StorageError):
        log.error("%s failed", what, exc_info=wrong)
        return phrase("house.try-again")
    log.error("%s", wrong)
    return phrase(_WHY.get(type(wrong), "house.try-again"))


@dataclass(frozen=True)
class Faults:
    """Turns faults of ours into answers."""

    store: Store
    people: People

    async def answered(self, answering: Awaitable[Answer], asked: Press | Command) -> Answer:
        """What *answering* answers; never raises.

        A fault of ours is logged and told as ours, in the language the asker has chosen.
        """
        said = phrase("house.try-again")
        try:
            answer = await answering
            if isinstance(answer, Promised):
                following = asyncio.create_task(self.answered(answer.answer, asked))
                return replace(answer, answer=following)
            return answer
        except BrokenTable as broken:
            said = phrase("house.broken-table", code=broken.code)
        except StorageError as wrong:
            said = fault_phrase(wrong, asked.update)
        except Exception:
            log.exception("%s %s failed", type(asked).__name__, asked.update)
            if await self._was_done(asked):
                said = phrase("house.done-but")
        kind = "press" if isinstance(asked, Press) else "command"
        metrics.FAILURES.labels(asked.where.platform, kind).inc()
        return Said(language(await self._language(asked)).say(said), good=False)

    async def _was_done(self, asked: Press | Command) -> bool:
        """Whether what failed had been stored before, so that it is not to be tried again."""
        try:
            return await self.store.read(inbox.is_update_done, asked.where.platform, asked.update)
        except StorageError:
            return False

    async def _language(self, asked: Press | Command) -> str:
        """The asker's chosen language, or that of their client where it cannot be read."""
        people = self.people
        try:
            return await people.language_of(asked.where, await people.of(asked.asker), asked.asker)
        except StorageError:
            return spoken(asked.asker.language) or self.people.default_language
