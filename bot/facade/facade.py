"""The facade: what may be asked of the bot, by who asks, and its start and stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from bot.facade.board_queries import ChatBoards
from bot.facade.chat_storage import ChatNotes
from bot.facade.operator import Operator
from bot.facade.pages import Pages
from bot.facade.process_duties import ProcessDuties
from bot.facade.program_acts import ProgramTables
from bot.facade.requests import Requests
from bot.port import Chat, ChatError
from bot.runtime.tasks import Tasks
from storage.database.process_cluster import Cluster
from storage.store import Store

log = logging.getLogger(__name__)

REST_SECONDS = 12.0
"""Seconds in which a chat must finish what it took, at a stop; supervisors kill after thirty."""


# No repr: it would hold every table, and asyncio makes one of what a task returns.
@dataclass(kw_only=True, repr=False)
class Facade:
    """A running bot. Chats hand presses and commands in; boards go out by the delivery."""

    requests: Requests
    """What people press and write."""
    boards: ChatBoards
    """What chats show: boards, pictures, buttons and places."""
    pages: Pages
    """What the pages of the browser chat ask besides."""
    programs: ProgramTables
    operator: Operator
    notes: ChatNotes
    store: Store
    tasks: Tasks
    fleet: Cluster
    """The processes that share our database: what chats tell one another over them."""
    chats: dict[str, Chat]
    failures: asyncio.Queue[ChatError]
    """Why chats have failed so often that only a new process may help."""
    process_duties: ProcessDuties

    async def start(self, chats: Sequence[Chat]) -> None:
        """Open *chats* and show what is owed; computers and what else is due follow at once."""
        self.chats.update({chat.platform: chat for chat in chats})
        await self.process_duties.begin(chats)

    async def stop(self) -> None:
        """Take nothing more, finish what was taken, show what can be shown, close."""
        await self.process_duties.hand_over()
        await asyncio.gather(*(_rest(chat) for chat in self.chats.values()))
        await self.process_duties.backlog.finish()
        for chat in self.chats.values():
            await chat.stop()
        await self.fleet.leave()
        await self.store.close()


async def _rest(chat: Chat) -> None:
    """Let *chat* finish what it took; what hangs is given up, since it would keep us for ever."""
    try:
        async with asyncio.timeout(REST_SECONDS):
            await chat.rest()
    except TimeoutError:
        log.warning(
            "%s did not come to rest in %g s and is left as it is", chat.platform, REST_SECONDS
        )
