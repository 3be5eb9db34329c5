"""The connection to Discord, with the events we listen to, by ranges of shards.

Discord sends the events of a server to one shard, and those of no server to the first
(https://discord.com/developers/docs/events/gateway#sharding).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal
from weakref import WeakValueDictionary

import discord
from discord.http import Route

from bot.chats.discord.bot_permissions import lacking_in
from bot.chats.discord.commands import CommandTree
from bot.chats.discord.greeting import greet
from bot.chats.discord.inbound import Inbound
from bot.chats.discord.message_formatting import PRESSED, component_codes
from bot.chats.discord.reading import PERMISSIONS, PLATFORM, SERVER
from bot.chats.discord.reply import Interaction
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

LONGEST_WAIT = 30.0
"""Seconds that the library waits for a rate limit by itself, the least it allows."""

IDENTIFYING = 5.0
"""Seconds within which at most ``max_concurrency`` sessions may begin."""

SPACED = IDENTIFYING + 0.5
"""Seconds between two of ours: the way to Discord may take longer for the earlier of them."""

CONNECTED = "connected"
"""The news that a process has sessions of all shards of a share."""

ROW = discord.ComponentType.action_row.value

WITH_THREADS = (discord.TextChannel, discord.ForumChannel)

MOST_RANGES = 16
"""Ranges of shards at most."""

INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
"""Servers, channels and messages; nothing privileged, so only what is written to us has words."""


@dataclass(frozen=True)
class ShardRange:
    """The shards *ids* of *count*."""

    ids: range
    count: int

    @property
    def name(self) -> str:
        """The name of the range among processes, different for each number of shards."""
        return f"{self.ids.start}-{self.ids.stop - 1}of{self.count}"


def divide_shards(count: int, most: int = MOST_RANGES) -> tuple[ShardRange, ...]:
    """Divide *count* shards into at most *most* ranges of nearly the same length."""
    parts = min(count, most)
    ends = [count * part // parts for part in range(parts + 1)]
    return tuple(ShardRange(range(first, end), count) for first, end in pairwise(ends))


def shard_of(home: str, count: int) -> int:
    """The shard, of *count*, that gets the events of *home*, a server or a private chat."""
    return (int(home.removeprefix(SERVER)) >> 22) % count if home.startswith(SERVER) else 0


class _Brief(logging.Filter):
    """Logs connection trouble in one line: the library's traceback helps nobody here."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten *record*; none is left out."""
        if record.exc_info and record.exc_info[0] is not None:
            record.msg = f"{record.getMessage()} ({record.exc_info[0].__name__})"
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


for _name in ("discord.shard", "discord.gateway"):
    if not any(isinstance(one, _Brief) for one in logging.getLogger(_name).filters):
        logging.getLogger(_name).addFilter(_Brief())


# The bot uses no voice, so what the library lacks for it need not be logged.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


class Client(discord.AutoShardedClient):
    """The bot on Discord: it keeps no messages and no members."""

    def __init__(self, inbound: Inbound, shards: ShardRange | None = None) -> None:
        tongue = language(inbound.requests.default_language)
        # Without a range the library asks Discord for the number of shards.
        sharding: dict[str, Any] = {}
        if shards is not None:
            sharding = {"shard_ids": list(shards.ids), "shard_count": shards.count}
            # Many may wait for their turn.
            sharding["shard_connect_timeout"] = None
        super().__init__(
            **sharding,
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=LONGEST_WAIT,
            activity=discord.CustomActivity(tongue.say(phrase("discord.doing"))),
        )
        self._inbound = inbound
        self._share = "" if shards is None else shards.name
        self._begun: set[int] = set()
        """The shards that have begun a session."""
        self._turns: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self._fence_events()
        self.tree = CommandTree(self, inbound)

    def turn(self, what: Literal["send", "edit"], place: str) -> asyncio.Lock:
        """The turn to send to *place*, or to edit there, as a member: one call after the other.

        Of calls that go together the library forgets, once the first is answered, those that are
        not, and lets more go than Discord takes.
        """
        return self._turns.setdefault((what, place), asyncio.Lock())

    async def until_session_may_begin(self) -> None:
        """Wait until Discord lets us begin one more session; raises ``DiscordException``."""
        await self._inbound.session_starts.wait(self.fetch_session_start_limits)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a session may begin: all processes of a bot take turns."""
        starts = self._inbound.session_starts
        while True:
            await self.until_session_may_begin()
            if self.shard_ids is None:
                await super().before_identify_hook(shard_id, initial=initial)
            else:
                turn = f"identify:{(shard_id or 0) % starts.together}"
                await self._inbound.facade.fleet.turn(turn, SPACED)
            if starts.take():
                return

    def _fence_events(self) -> None:
        """Log and skip events that the library cannot read, except those that begin a session."""
        parsers = self._connection.parsers
        interactions = parsers["INTERACTION_CREATE"]

        def noted(data: dict[str, Any]) -> None:
            # The library keeps its own, older copy of a channel that it knows.
            guild, channel = data.get("guild_id"), (data.get("channel") or {}).get("id")
            member = guild is not None and self.get_guild(int(guild)) is not None
            known = channel is not None and self.get_channel(int(channel)) is not None
            self._inbound.note(data, member=member, known=known)
            _lighten(data)
            interactions(data)

        parsers["INTERACTION_CREATE"], said = noted, parsers["MESSAGE_CREATE"]

        def hear(data: dict[str, Any]) -> None:
            # What people write to one another is none of ours. Answers to us need not name us.
            us = self.user and str(self.user.id)
            if "guild_id" not in data or us in {one["id"] for one in data.get("mentions", ())}:
                said(data)

        parsers["MESSAGE_CREATE"] = hear
        for name, parse in parsers.items():
            if name not in ("READY", "RESUMED"):
                parsers[name] = _fence(name, parse)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a pressed button or a sent form: the library drops presses of vanished buttons."""
        kinds = discord.InteractionType
        if interaction.type in (kinds.component, kinds.modal_submit):
            await self._inbound.on_press(interaction)

    async def on_message(self, message: discord.Message) -> None:
        """Answer what is written to us."""
        if self.user is not None and not self._inbound.closed:
            await self._inbound.words.answer(message, self.user.id)

    async def on_ready(self) -> None:
        """Log that the servers are known, and note the threads of which they tell."""
        log.info("Discord is connected as %s; servers: %d", self.user, len(self.guilds))
        await self._inbound.places.settle_threads(PLATFORM, self._channel_of)

    def _channel_of(self, place: str) -> str:
        """The channel of the thread *place*; "" for no thread, and for one of some people alone."""
        thread = self.get_channel(int(place)) if place.isdecimal() else None
        if not isinstance(thread, discord.Thread) or thread.is_private():
            return ""
        return str(thread.parent_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Tell the process that had our shards before, once all of them have a session."""
        self._begun.add(shard_id)
        if self._begun.issuperset(self.shard_ids or range(self.shard_count or 1)):
            await self._inbound.facade.fleet.say(CONNECTED, self._share)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Show the boards that waited in a server that lets us in (again), and say hello."""
        await self._inbound.membership.back_in(_places(guild))
        await greet(guild, self._inbound)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Send nothing more to a server that removed us, whatever tokens are left."""
        self._inbound.membership.put_out(_places(guild))

    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel
    ) -> None:
        """Look at what the bot may do in *channel* and its threads now."""
        for place in (channel, *(channel.threads if isinstance(channel, WITH_THREADS) else ())):
            await self._look_at(place)

    async def on_guild_role_update(self, _: discord.Role, role: discord.Role) -> None:
        """Look at what the bot may do in the server of *role* now."""
        for place in (*role.guild.channels, *role.guild.threads):
            await self._look_at(place)

    async def on_raw_thread_update(self, update: discord.RawThreadUpdateEvent) -> None:
        """Look at a thread that was locked, archived, or the opposite."""
        guild = self.get_guild(update.guild_id)
        if guild is not None:
            about = update.data["thread_metadata"]
            locked, archived = bool(about.get("locked")), bool(about["archived"])
            place = guild.get_channel_or_thread(update.thread_id)
            known = self._inbound.access.at(str(update.thread_id))
            allowed = None if place is None else _permissions_in(place)
            may = allowed is not None and allowed.manage_threads
            now = replace(known, thread=True, locked=locked and not may, archived=archived)
            await self._inbound.note_place(str(update.thread_id), now)

    async def _look_at(self, place: discord.abc.GuildChannel | discord.Thread) -> None:
        """Compare what is known of *place* with what the bot may do there now."""
        access, thread = self._inbound.access, isinstance(place, discord.Thread)
        allowed = _permissions_in(place) if access.knows(str(place.id)) else None
        if allowed is None:
            return
        lacks = lacking_in(allowed, thread=thread)
        known = replace(access.at(str(place.id)), lacks=lacks, private_thread=False)
        if isinstance(place, discord.Thread):
            known = replace(known, thread=True, archived=place.archived)
        await self._inbound.note_place(str(place.id), known)

    on_thread_join = _look_at

    def invitation(self) -> str:
        """The address by which people add the bot to a server or to themselves."""
        scopes = ("bot", "applications.commands")
        return discord.utils.oauth_url(
            self.application_id or 0, permissions=PERMISSIONS, scopes=scopes
        )

    def webhook(self, token: str) -> discord.Webhook:
        """The messages that answer the interaction of *token*."""
        return discord.Webhook.partial(self.application_id or 0, token, client=self)

    async def response_for(self, token: str, table: str) -> int | None:
        """The first response to the interaction of *token*, if it waits or shows *table*."""
        route = Route(
            "GET",
            "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
            webhook_id=self.application_id or 0,
            webhook_token=token,
        )
        data = await self.http.request(route)
        thinking = bool(data.get("flags", 0) & discord.MessageFlags.loading.flag)
        codes = component_codes(data.get("components", ()))
        shown = any(code.count(".") > 1 and code.split(".")[1] == table for code in codes)
        return int(data["id"]) if thinking or shown else None


def _permissions_in(place: discord.abc.GuildChannel | discord.Thread) -> discord.Permissions | None:
    """What the bot may do in *place*; ``None`` for a thread of a channel that it does not see."""
    try:
        return place.permissions_for(place.guild.me)
    except discord.ClientException:
        return None


def _lighten(asked: dict[str, Any]) -> None:
    """Keep the buttons of a pressed message apart: the library would make an object of each."""
    if message := asked.get("message"):
        parts = asked["data"][PRESSED] = message.get("components") or []
        light = message["components"] = []
        for part in parts:
            rest = (one for one in part.get("components", ()) if one["type"] != ROW)
            light.append({**part, "components": list(rest)} if "components" in part else part)


def _fence(name: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
    def read(data: Any) -> None:
        try:
            parse(data)
        except Exception:
            log.exception("an event %s of Discord cannot be read and is left out", name)

    return read


def _places(guild: discord.Guild) -> set[str]:
    return {str(one.id) for one in (*guild.channels, *guild.threads)}
