"""Who is in an Activity together: the tables of their channel, and invitations by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.chats.web.doors.activity import PLATFORM, Arrival
from bot.chats.web.doors.discord_app import DiscordApp, Instance, PlatformAway
from bot.chats.web.doors.mini_app import guest_id_of
from bot.chats.web.person.devices import DISCORD
from bot.chats.web.person.guests import Guest, Guests
from bot.chats.web.reading import ClientFrame
from bot.facade import Action, ChatBoards, ListedTable, Pages, Requests, cleaned
from bot.port import Asker, Screen, Where
from bot.texts import language
from games.core import Phrase, phrase

NOBODY = Asker(PLATFORM, "", "")
"""Somebody who has not said who they are."""


@dataclass
class ActivityRooms:
    """The rooms of all instances."""

    app: DiscordApp
    requests: Requests
    boards: ChatBoards
    pages: Pages
    guests: Guests
    tell: Callable[[Guest, str, str], Awaitable[None]]
    """Tells a guest news of a table."""

    async def enter(self, arrival: Arrival) -> str:
        """Admit who arrives as the same person; answers the address of their page, relative."""
        person, launches = arrival.person, self.pages.launches
        name = cleaned(person.name) or "Discord"
        there = Asker(PLATFORM, person.id, name, person.language or None)
        entrance = await self.guests.enter_within(
            guest_id_of(person.id, PLATFORM), name, person.language, DISCORD, arrival.instance
        )
        guest = entrance.guest
        await self.requests.join(there, guest.asker)
        wanted = launches.take(there) or arrival.table.upper()
        codes = [wanted] if wanted else await self._own(guest, Where(PLATFORM, arrival.channel))
        brought = [
            code
            for code in codes
            if await self.boards.stands(guest.where, code)
            or await self.bring(guest, code, entrance.secret)
        ]
        at = f"#{wanted}" if wanted in brought else ""
        return f"s/{guest.id}-{entrance.secret}/{at}"

    async def _own(self, guest: Guest, where: Where) -> Sequence[str]:
        """The tables that *guest* plays anywhere, and those in *where* that await them."""
        playing = await self.boards.missing(guest.asker, guest.where)
        code = await self.requests.language_of(guest.asker, guest.where)
        here = await self.pages.lobby.in_place(guest.asker, where, code)
        return tuple(dict.fromkeys((*playing, *(one.table for one in here if one.mine))))

    async def bring(self, guest: Guest, table: str, nonce: str) -> bool:
        """Whether *table* stands on *guest*'s page now; *nonce* differs each time."""
        call = guest.command(f"framed:{nonce}:{table}", Action.BOARD, table=table)
        return (await self.requests.call(call)).good

    async def tables(self, guest: Guest, code: str) -> Sequence[ListedTable]:
        """The tables of the channel in which *guest* is now, in the language *code*."""
        room = await self._room(guest)
        if room is None:
            return ()
        return await self.pages.lobby.in_place(guest.asker, Where(PLATFORM, room.channel), code)

    async def board(self, channel: str, wanted: str, code: str) -> Screen | None:
        """The board *wanted* of *channel*, or else of the game touched last, as it stands there.

        *code* is the language of whoever looks, of whom nothing is known.
        """
        listed = await self.pages.lobby.in_place(NOBODY, Where(PLATFORM, channel), code)
        there = [one.table for one in listed if one.table == wanted]
        there += [one.table for one in listed if not one.open]
        return await self.pages.find_board(there[0], code) if there else None

    async def ahead(self, channel: str, wanted: str, code: str) -> Screen | None:
        """The board *wanted* of *channel*, or else the only one there, as it stands there.

        None where whoever comes in may find another one in view.
        """
        listed = await self.pages.lobby.in_place(NOBODY, Where(PLATFORM, channel), code)
        there = [one.table for one in listed if one.table == wanted or not wanted]
        return await self.pages.find_board(there[0], code) if len(there) == 1 else None

    async def invite(self, guest: Guest, frame: ClientFrame) -> Phrase | None:
        """Invite the person whom *frame* names to its table; answers why not, if so."""
        room = await self._room(guest)
        if room is None or frame.code not in room.users:
            return phrase("web.activity.not-here")
        if frame.table not in await self.boards.open_in(guest.where):
            return phrase("web.no-link")
        other = await self.guests.get(guest_id_of(frame.code, PLATFORM))
        if other is None or other.id == guest.id:
            return phrase("web.activity.not-here")
        code = await self.requests.language_of(other.asker, other.where)
        table = await self.boards.find_invitation(frame.table, code)
        if table is None or not await self.bring(other, frame.table, frame.id):
            return phrase("web.activity.not-here")
        game = phrase(f"{table.game}.name")
        said = language(code).say(phrase("web.activity.invited", name=guest.name, game=game))
        await self.tell(other, frame.table, said)
        return None

    async def _room(self, guest: Guest) -> Instance | None:
        """Where *guest* is now, as Discord says; None for nowhere."""
        device = guest.device
        if device is None or device.name != DISCORD or not device.instance:
            return None
        try:
            found = await self.app.instance(device.instance)
        except PlatformAway:
            return None
        users = () if found is None else found.users
        return found if any(guest_id_of(one, PLATFORM) == guest.id for one in users) else None
