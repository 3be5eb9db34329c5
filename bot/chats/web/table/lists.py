"""What the shelf asks for: tables open to all, and one's finished games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass

from bot.chats.web.message_formatting import Json, PendingAnswer, answer_json
from bot.chats.web.person.guests import Guest
from bot.chats.web.reading import ClientFrame
from bot.chats.web.table.activity_rooms import ActivityRooms
from bot.facade import Pages
from bot.texts import language
from games.core import phrase

Handler = Callable[[Guest, ClientFrame], Awaitable[Json | PendingAnswer]]
"""Answers one kind of frame."""


@dataclass(frozen=True)
class TableLists:
    """Answers the frames by which the shelf is filled."""

    pages: Pages
    rooms: ActivityRooms | None
    tongue: Callable[[Guest], Awaitable[str]]
    """The language of a guest's page."""
    unlist: Callable[[str], Awaitable[None]]
    """Takes a table off the lists of all open pages."""

    def handlers(self) -> Mapping[str, Handler]:
        """The handlers by the kinds of their frames."""
        return {
            **dict.fromkeys(("lobby", "list", "away"), self._list_public),
            "finished": self._list_finished,
        }

    async def _list_public(self, guest: Guest, frame: ClientFrame) -> Json:
        """The tables open to all, after listing or unlisting one, or taking one off the page."""
        lobby, wrong, code = self.pages.lobby, None, await self.tongue(guest)
        if frame.kind == "list":
            shown = frame.code == "on"
            wrong = await lobby.list(guest.asker, guest.where, frame.table, shown=shown)
            if wrong is None and not shown:
                await self.unlist(frame.table)
        if frame.kind == "away" and not await lobby.put_away(guest.asker, guest.where, frame.table):
            wrong = phrase("web.no-away")
        if wrong is not None:
            return answer_json(frame, language(code).say(wrong), good=False)
        here = () if self.rooms is None else await self.rooms.tables(guest, code)
        open_to_all = await lobby.list_tables(guest.asker, code)
        afar = await lobby.elsewhere(guest.asker, guest.where, code)
        found = [*{one.table: one for one in (*afar, *open_to_all, *here)}.values()]
        told = {"lobby": [*map(asdict, found)], "tempos": [*map(asdict, lobby.tempos(found, code))]}
        return {**answer_json(frame, "", good=True), **told}

    async def _list_finished(self, guest: Guest, frame: ClientFrame) -> Json:
        """The finished games of *guest* that have the words looked for."""
        asked = self.pages.archive.search(guest.asker, await self.tongue(guest), frame.line)
        found = [asdict(one) for one in await asked]
        return {**answer_json(frame, "", good=True), "finished": found}
