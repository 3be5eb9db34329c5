"""Which guests look at which tables, and the talk at a table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass

from bot.chats.web.message_formatting import Json
from bot.chats.web.outbound import OpenPage, Visit
from bot.chats.web.person.guests import PLATFORM, Guest, Guests
from bot.chats.web.reading import ClientFrame
from bot.facade import Cluster, Requests, Talk, Tasks
from bot.texts import language
from games.core import Phrase, phrase

TALK = "talk"
"""The news that somebody has spoken: a table, and the line after which there is talk."""


HOUSE = "web:house"
"""The news that somebody has spoken to the whole house."""


@dataclass
class TableTalk:
    """Sends pages the talk at their tables, and how many people look on."""

    requests: Requests
    fleet: Cluster
    tasks: Tasks
    talk: Talk
    guests: Guests
    visits: Mapping[str, Visit]
    house: bool = False
    """Whether members talk to the whole house."""
    heard: Callable[[str], Awaitable[None]] | None = None
    """Is told of each table at which somebody has spoken."""

    def __post_init__(self) -> None:
        self.fleet.on(HOUSE, self._tell_house)
        self.fleet.on(TALK, lambda *line: self.tasks.start(self.tell(*line)))

    async def look(self, guest: Guest, page: OpenPage, table: str) -> None:
        """Note that *page* looks at *table*, and send it all talk there."""
        before, page.looks_at, page.watches = page.looks_at, table, False
        if table:
            page.watches = await self.talk.watches(guest.asker, guest.where, table)
            told = await self._read(guest, table, 0)
            if told is not None:
                page.send(f"talk {table}", {**told, "whole": True})
        for one in {before, table} - {""}:
            await self._count(one)

    async def leave(self, page: OpenPage) -> None:
        """Note that *page* has been closed."""
        table, page.looks_at = page.looks_at, ""
        if page.watches:
            await self._count(table)

    async def say(self, guest: Guest, frame: ClientFrame) -> Phrase | None:
        """Say what *frame* holds at its table; answers why not, if it is refused."""
        update, table = guest.update(frame.id), frame.table
        if self.house and not table:
            wrong = await self.talk.tell_house(guest.asker, guest.where, update, frame.line)
            if wrong is None:
                self._tell_house()
                await self.fleet.say(HOUSE)
            return wrong
        said = await self.talk.say(guest.asker, guest.where, update, table, frame.code, frame.line)
        if isinstance(said, Phrase):
            return said
        if said:
            await self.send(table, said - 1)
        return None

    def _tell_house(self) -> None:
        """Let the pages here read anew what was said to the whole house."""
        for visit in self.visits.values():
            visit.send("house", {"kind": "house"})

    async def send(self, table: str, after: int) -> None:
        """Send the pages of all processes the talk at *table* after the line *after*."""
        await self.tell(table, after)
        await self.fleet.say(TALK, table, after)

    async def tell(self, table: str, after: int) -> None:
        """Send the pages here the talk at *table* after the line *after*."""
        if self.heard is not None:
            await self.heard(table)
        async for other, visit in self._around(table):
            told = await self._read(other, table, after)
            if told is not None and told["lines"]:
                visit.send(f"talk {table} {after + 1}", {**told, "whole": False})

    async def mute(self, guest: Guest, visit: Visit, frame: ClientFrame) -> None:
        """Mute or unmute the person who said a line, for *guest* alone."""
        line = int(frame.at) if frame.at.isdecimal() else 0
        if await self.talk.mute(guest.asker, guest.where, frame.table, line):
            told = await self._read(guest, frame.table, 0)
            if told is not None:
                visit.send(f"talk {frame.table}", {**told, "whole": True})
            elif not frame.table:
                visit.send("house", {"kind": "house"})

    async def _read(self, guest: Guest, table: str, after: int) -> Json | None:
        """The talk at *table* after the line *after*, as *guest* reads it."""
        code = await self.requests.language_of(guest.asker, guest.where)
        heard = await self.talk.read(guest.asker, guest.where, table, code, after)
        return None if heard is None else {"kind": "talk", "table": table, **asdict(heard)}

    async def _count(self, table: str) -> None:
        """Tell the pages that look at *table* how many people look on."""
        looking = [
            (guest, visit)
            async for guest, visit in self._around(table)
            if any(page.looks_at == table for page in visit.pages)
        ]
        for guest, visit in looking:
            tongue = language(await self.requests.language_of(guest.asker, guest.where))
            # Anew for each: whoever comes or goes meanwhile is counted by others, too.
            count = sum(
                any(page.looks_at == table and page.watches for page in one.pages)
                for _, one in looking
            )
            said = tongue.say(phrase("web.watching", n=count)) if count else ""
            visit.send(f"watching {table}", {"kind": "watching", "table": table, "said": said})

    async def _around(self, table: str) -> AsyncIterator[tuple[Guest, Visit]]:
        """The guests here with an open page on which *table* stands."""
        for place in await self.talk.pages(table, PLATFORM):
            visit, guest = self.visits.get(place), await self.guests.get(place)
            if visit is not None and visit.pages and guest is not None:
                yield guest, visit
