"""Discord as a chat: its connections, and what it is asked to show."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import monotonic, time
from typing import Any, Final

import discord
from cachetools import TTLCache
from discord.utils import snowflake_time

from bot.chats.discord.client import CONNECTED, Client, divide_shards, shard_of
from bot.chats.discord.connection import Connection
from bot.chats.discord.errors import family, limit_call, outliving_token, short
from bot.chats.discord.inbound import Inbound
from bot.chats.discord.interaction_responses import UNSURE
from bot.chats.discord.markdown import ellipsized
from bot.chats.discord.message_formatting import words_layout
from bot.chats.discord.notification_messages import NotificationPosting
from bot.chats.discord.outbound import BoardPosting
from bot.chats.discord.reading import PLATFORM, PRESS, SERVER, Ticket
from bot.chats.discord.refusals import PERSON_GONE
from bot.facade import Facade, FleetingMessages, log_unstored
from bot.port import (
    BURIED,
    LONG_WAIT,
    Asker,
    BoardGone,
    Capabilities,
    Chat,
    ChatError,
    Later,
    MessageGone,
    Ping,
    PlaceShut,
    PublicAddress,
    Role,
    Screen,
    Shown,
    Space,
    Target,
    Upload,
    Where,
)
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

MOST_ROLES = 25
"""Options of a list."""

WEEK: Final = 10080
HOUR: Final = 60
"""Minutes without messages after which Discord archives the thread of a running game, or not."""

NEWS_THREAD: Final = 10
THREAD: Final = 11
"""Types of threads: in an announcement channel, and public."""

ENDING = 18.0
"""Seconds for which a process that ends takes presses for the next: supervisors kill after 30."""

LOOKING = 0.5
"""Seconds between two looks at whether the next process still lives."""

UNREAD = 1800.0
"""Seconds after which a board is posted anew with a call, where nobody tells what lies below."""

UNADMITTED = 600.0
"""Seconds after which it is asked again whether a new member has accepted a server's rules."""

FRESH = 2.0
"""Seconds for which what Discord tells of a member is not asked again."""

READS = timedelta(minutes=2)
"""For how long whoever has pressed a message is thought to read where it stands."""

LONGEST_NAME = 100
"""Characters of the name of a thread."""


class DiscordChat(Chat):
    """Discord with the bot's *token*."""

    platform = PLATFORM
    misses = True
    capabilities = Capabilities(
        # A box of 550 × 350 on a computer; a phone shows the whole width.
        space=Space(landscape=True),
        theme="dark",
        threads=True,
        roles=True,
        lists_people=True,
        forms=True,
        # A push about components says nothing (discord-api-docs, issue 7854).
        calls_by_boards=False,
    )

    def __init__(self, facade: Facade, token: str, shards: int | None = None) -> None:
        self._facade = facade
        self._token = token
        self._ranges = {one.name: one for one in (() if shards is None else divide_shards(shards))}
        self.shares = tuple(self._ranges) or Chat.shares
        self._fleeting = FleetingMessages(facade.notes, PLATFORM, self.remove)
        self._inbound = Inbound(facade, self._fleeting, told_launches=self._launches)
        self._connections: dict[str, Connection] = {}
        self._dropped: dict[Connection, asyncio.Task[None]] = {}
        """The connections of shares that other processes take over, until they are closed."""
        self._greeter: Connection | None = None
        self._uploading: asyncio.Task[None] | None = None
        self._members: TTLCache[tuple[int, str], Mapping[str, Any] | None] = TTLCache(1024, FRESH)
        """People as members of servers, as Discord has just told."""

    def share_of(self, home: str) -> str:
        """The range of shards that gets the events of *home*."""
        for name, one in self._ranges.items():
            if shard_of(home, one.count) in one.ids:
                return name
        return super().share_of(home)

    async def start(self) -> None:
        """Do nothing but listen before we have a share."""
        self._facade.fleet.on(CONNECTED, self._connected_elsewhere)

    def _connected_elsewhere(self, share: str) -> None:
        for connection in self._dropped:
            if connection.share == share:
                connection.succeeded.set()

    async def take(self, share: str) -> None:
        """Log in and connect, again and again if need be; raises ``TokenRefused``."""
        for connection in self._dropped:
            if connection.share == share and not connection.left:  # nobody else has taken it
                self._dropped.pop(connection).cancel()
                connection.succeeded.clear()
                self._connections[share] = connection
                return
        connection = Connection(self._inbound, self._token, self._ranges.get(share), self._greet)
        self._connections[share] = connection
        await connection.start()
        await self._fleeting.take_up()

    async def drop(self, share: str) -> None:
        """Leave the shards of *share* when another process has sessions of them."""
        connection = self._connections.pop(share, None)
        if connection is not None:
            self._dropped[connection] = asyncio.create_task(self._hand_over(connection))

    async def _hand_over(self, connection: Connection) -> None:
        try:
            await connection.hand_over()
        except Exception:
            log.exception("the shards %s could not be left", connection.share)
        self._dropped.pop(connection, None)

    async def handed_over(self, has_heirs: Callable[[], bool]) -> None:
        """Take presses until the dropped shares have sessions elsewhere, ``ENDING`` s at most."""
        until = monotonic() + ENDING
        while self._dropped and has_heirs() and monotonic() < until:
            await asyncio.wait(set(self._dropped.values()), timeout=LOOKING)

    async def _greet(self, connection: Connection, client: Client) -> None:
        """Register commands, upload emojis and log how to invite the bot; one connection does."""
        told = client.application
        self._inbound.set_launches(launches=told is not None and told.flags.embedded)
        if self._greeter not in self._connections.values():
            self._greeter = connection
        if connection is not self._greeter:
            return
        try:
            if await client.tree.register(self._facade.notes, activities=self._inbound.launches):
                log.info("The commands were sent to Discord.")
        except (discord.RateLimited, discord.HTTPException) as wrong:
            # The commands of before still work, and so do all buttons.
            log.error("The commands could not be sent to Discord: %s", short(wrong))
        if self._uploading is not None:
            self._uploading.cancel()
        self._uploading = asyncio.create_task(self._upload(client))
        log.info("Invite the bot to a server or to yourself: %s", client.invitation())

    def _launches(self, opens: bool) -> None:
        self.capabilities = replace(type(self).capabilities, opens_page=opens)

    async def _upload(self, client: Client) -> None:
        games: Sequence[str] = ()
        with log_unstored():
            games = await self._facade.boards.most_played()
        await self._inbound.emojis.upload(client, games)

    def public_address(self) -> PublicAddress:
        """The bot's name; the link that installs it only where its owner lets everybody do so."""
        for client in self._list_clients():
            if client.user is not None:
                told = client.application
                public = told is not None and told.bot_public
                return PublicAddress(client.user.name, client.invitation() if public else "")
        return PublicAddress()

    async def rest(self) -> None:
        """Take nothing more, and answer what came."""
        await self._inbound.drain()

    async def stop(self) -> None:
        """Leave."""
        if self._uploading is not None:
            self._uploading.cancel()
            await asyncio.gather(self._uploading, return_exceptions=True)
        await self._fleeting.close()
        connections, leaving = self._all(), tuple(self._dropped.values())
        for task in leaving:
            task.cancel()
        await asyncio.gather(*leaving, return_exceptions=True)
        await asyncio.gather(*(one.stop() for one in connections))

    def _all(self) -> list[Connection]:
        """The connections of our shares, then those of shares that others take over."""
        return [*self._connections.values(), *self._dropped]

    def is_connected(self) -> bool:
        """Whether we are logged in and every gateway of our shares is open."""
        connections = self._connections.values()
        return bool(connections) and all(one.is_connected() for one in connections)

    def sessions_left(self) -> int | None:
        """How many more sessions Discord lets begin, as it told last."""
        return self._inbound.session_starts.left

    def held_up(self) -> bool:
        """Whether a session waits because Discord lets too few begin."""
        return self._inbound.session_starts.waiting > 0

    def roles(self, where: Where) -> Sequence[Role]:
        """The roles in the server of *where*, the highest first, without managed ones."""
        if where.home is None:
            return ()
        number = int(where.home.id.removeprefix(SERVER))
        known = (one.get_guild(number) for one in self._list_clients())
        guild = next((one for one in known if one is not None), None)
        found = reversed(guild.roles) if guild is not None else ()
        given = (one for one in found if not (one.is_default() or one.managed))
        return tuple(Role(str(one.id), one.name) for one in given)[:MOST_ROLES]

    async def has_left(self, where: Where, person: Asker) -> bool:
        """Whether *person* is no member of the server of *where*; unknown where we are none."""
        return await self._member(where, person) is None

    async def kept_back(self, where: Where, person: Asker) -> float:
        """For how long a moderator has timed *person* out; a while where rules are to be read."""
        member = await self._member(where, person)
        if member is None:
            return 0.0
        if member.get("pending"):
            return UNADMITTED
        until = discord.utils.parse_time(member.get("communication_disabled_until"))
        return 0.0 if until is None else max(0.0, until.timestamp() - time())

    async def _member(self, where: Where, person: Asker) -> Mapping[str, Any] | None:
        """*person* as a member of the server of *where*, ``None`` where they are none.

        Nothing is known of them where we are no member ourselves.
        """
        client = self._find_client(where)
        home = "" if where.home is None else where.home.id.removeprefix(SERVER)
        guild = client.get_guild(int(home)) if home.isdigit() else None
        if guild is None or not person.external.isdigit():
            return {}
        key = (guild.id, person.external)
        if key in self._members:
            return self._members[key]
        async with limit_call():
            try:
                found = await client.http.get_member(guild.id, int(person.external))
                self._members[key] = {**found}
            except discord.NotFound as wrong:
                if wrong.code not in PERSON_GONE:
                    raise
                self._members[key] = None
        return self._members[key]

    def link(self, where: Where, message: str = "") -> str:
        """The address of *message*."""
        server = "@me" if where.home is None else where.home.id.removeprefix(SERVER)
        for client in self._list_clients() if where.home is None else ():
            # A run before this one has kept the place without it, or the place is private.
            guild = getattr(client.get_channel(int(where.place)), "guild", None)
            server = server if guild is None else guild.id
        return f"https://discord.com/channels/{server}/{where.place}/{message}".rstrip("/")

    async def part(self, where: Where, name: str) -> Where:
        """Start a thread called *name* in the channel *where*."""
        client = self._find_client(where)
        parent = client.get_channel(int(where.place))
        news = isinstance(parent, discord.TextChannel) and parent.is_news()
        async with limit_call():
            made = await client.http.start_thread_without_message(
                int(where.place),
                name=ellipsized(name, LONGEST_NAME),
                auto_archive_duration=WEEK,
                type=NEWS_THREAD if news else THREAD,
            )
        home = None if where.home is None else replace(where.home, parts=False)
        return Where(where.platform, str(made["id"]), home=home)

    async def lead(self, where: Where, people: Sequence[Asker]) -> None:
        """Add *people* to the thread *where*."""
        client = self._find_client(where)
        async with limit_call():
            for person in people:
                await client.http.add_user_to_thread(int(where.place), int(person.external))

    async def keep(self, where: Where, *, played: bool) -> None:
        """Let Discord archive *where* an hour after its game; not at once: that greys buttons."""
        client = self._find_client(where)
        async with limit_call():
            minutes = WEEK if played else HOUR
            await client.http.edit_channel(int(where.place), auto_archive_duration=minutes)

    def _find_client(self, where: Where) -> Client:
        known = self._list_clients()
        if not known:
            raise ChatError("Discord is not reached yet")
        if self._inbound.membership.is_out(where):
            raise PlaceShut("no member any more")
        # Each can write everywhere, but only one knows the channel.
        place = int(where.place)
        return next((one for one in known if one.get_channel(place) is not None), known[0])

    def _list_clients(self) -> list[Client]:
        return [one.client for one in self._all() if one.known and one.client is not None]

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen* by the newest token while it is valid, else as a member of the place."""
        client = self._find_client(target.where)
        place, inbound = target.where.place, self._inbound
        access, ticket = inbound.access, self._ticket(target)
        if ticket is None and (access.unreachable(place) or access.is_exhausted(place)):
            raise PlaceShut("there is no token, and without one it is refused")
        try:
            async with limit_call():
                if ticket is not None:
                    await inbound.until_answered(ticket.token)
                posting = BoardPosting(
                    client, target, screen, picture, ticket, inbound.emojis, access
                )
                if target.message is None:
                    return await posting.post()
                message = int(target.message)
                async with inbound.replies.turn(message) as state:
                    state.picture = UNSURE
                    shown = await posting.edit(message)
                    state.shows(posting.name, screen)
                    return shown
        except MessageGone:
            if target.message is not None:
                raise
            # No message could be gone: this is an archived thread, which takes no new one.
            raise PlaceShut("takes no new message") from None
        except Later as later:
            if later.seconds > LONG_WAIT and target.message is not None:
                await inbound.permission_notices.delay(target.where, target.message)
            raise
        except PlaceShut as shut:
            if not inbound.membership.shut(target.where):
                raise ChatError("a newer token has come meanwhile") from None
            await self._note_refusal(target.where, shut)
            raise

    def _ticket(self, target: Target) -> Ticket | None:
        """The token by which *target* can be reached now, if there is one."""
        access, ticket = self._inbound.access, Ticket.read(target.token)
        if ticket is not None and ticket.visitor:
            # Nothing else tells it after a restart.
            access.note(target.where.place, replace(access.at(target.where.place), visitor=True))
        if ticket is not None and ticket.fresh(datetime.now(UTC)):
            return ticket
        if target.message is not None:
            return access.tickets.of_message(target.message)
        if not access.by_token(target.where.place):
            return None
        newest = access.tickets.newest(target.where.place)
        # The first answer to a command is not this board.
        return None if newest is None else replace(newest, kind=PRESS)

    async def _note_refusal(self, where: Where, why: ChatError) -> None:
        """Remember that *where* refused us, and tell whoever acted there last."""
        found = family(why)
        if found is not None:
            await self._inbound.permission_notices.arises(where, found)

    async def ping(self, where: Where, ping: Ping) -> str | None:
        """Mention whom *ping* calls in a new message that answers its board: edits call nobody."""
        posting = NotificationPosting(self._find_client(where), where, ping, self._inbound.access)
        link = "" if ping.board is None else self.link(where, ping.board)
        try:
            async with limit_call():
                sent = await posting.post(link)
        except PlaceShut as shut:
            await self._note_refusal(where, shut)
            raise
        self._inbound.scrollback.note_sent(where, sent)
        if posting.missed_board:
            raise BoardGone(sent)
        return sent

    async def is_buried(self, where: Where, message: str, posted: float | None) -> bool:
        """Whether ``BURIED`` messages lie below *message*.

        Where its history is closed to us, its age tells. The buttons of an archived thread may
        send nothing (https://github.com/discord/discord-api-docs/issues/8474).
        """
        access, client = self._inbound.access, self._find_client(where)
        if access.at(where.place).archived:
            return True
        if access.by_token(where.place):
            return False
        if not access.reads_history(where.place):
            return posted is not None and time() - posted > UNREAD
        return await self._inbound.scrollback.count_below(client, where, message) >= BURIED

    async def lead_on(self, where: Where, message: str, to: str, tongue: str) -> bool:
        """Let *message*, if somebody has just pressed it, say where its board stands now."""
        ticket = self._inbound.access.tickets.of_message(message)
        if ticket is None or snowflake_time(ticket.interaction) < datetime.now(UTC) - READS:
            return False
        hook, said = self._find_client(where).webhook(ticket.token), phrase("discord.below")
        view = words_layout(f"{language(tongue).say(said)} {self.link(where, to)}")
        async with self._inbound.replies.turn(int(message)), limit_call():
            await hook.edit_message(int(message), view=view, attachments=[])
        return True

    async def fetch(self, upload: Upload, most: int) -> bytes:
        """The file that came with a command."""
        return await self._inbound.files.fetch(upload, most)

    async def remove(self, where: Where, message: str) -> None:
        """Delete a message of ours, if it is there and within our reach."""
        with suppress(MessageGone):
            async with limit_call():
                await self._delete(self._find_client(where), where, message)
        self._inbound.scrollback.note_removed(where, message)

    async def _delete(self, client: Client, where: Where, message: str) -> None:
        access = self._inbound.access
        ticket = access.tickets.of_message(message)
        if ticket is not None and access.by_token(where.place):
            # That of a press which was answered beside its message does not reach it.
            with outliving_token():
                await client.webhook(ticket.token).delete_message(int(message))
                return
        if access.unreachable(where.place) or access.is_exhausted(where.place):
            raise PlaceShut("there is no token, and without one it is refused")
        channel = client.get_partial_messageable(int(where.place))
        await channel.get_partial_message(int(message)).delete()
