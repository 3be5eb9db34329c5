"""The connection to Discord, with the events we listen to."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypedDict

import discord
from discord.http import Route

from bot.chats.discord.answers import Interaction
from bot.chats.discord.commands import Tree
from bot.chats.discord.inbound import Inbound
from bot.chats.discord.permissions import PERMISSIONS
from bot.chats.discord.shards import Shards
from bot.facade import Facade
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

LONGEST_WAIT = 30.0
"""The longest wait for a rate limit that the library keeps to itself, its least allowed."""

IDENTIFYING = 5.0
"""Within how many seconds no more sessions may begin than ``max_concurrency``."""

ROW = discord.ComponentType.action_row.value

INTENTS = discord.Intents(guilds=True)
"""Servers and channels; nothing privileged, and no messages of people."""


@dataclass(frozen=True)
class Original:
    """The first response to a command: whether it still waits, and the tables it shows."""

    message: int
    thinking: bool
    tables: frozenset[str]


class _Sharding(TypedDict, total=False):
    shard_ids: list[int]
    shard_count: int
    shard_connect_timeout: float | None


class _Brief(logging.Filter):
    """Connection trouble in one line: what the library's traceback says is not ours to mend."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten *record*; it is never left out."""
        if record.exc_info and record.exc_info[0] is not None:
            record.msg = f"{record.getMessage()} ({record.exc_info[0].__name__})"
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


for _name in ("discord.shard", "discord.gateway"):
    if not any(isinstance(one, _Brief) for one in logging.getLogger(_name).filters):
        logging.getLogger(_name).addFilter(_Brief())


# We do not speak, so what the library lacks for voice is no news.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


class Client(discord.AutoShardedClient):
    """The bot on Discord: it keeps no messages and no members."""

    def __init__(self, inbound: Inbound, shards: Shards | None = None) -> None:
        super().__init__(
            **_of(shards),
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=LONGEST_WAIT,
            activity=_doing(inbound.house),
        )
        self._inbound = inbound
        self._together = 1
        """How many sessions may begin at a time."""
        self._fence_events()
        self.tree = Tree(self, inbound)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a session may begin: those of a bot take turns, whatever process has them."""
        if self.shard_ids is None:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        if initial:
            self._together = (await self.fetch_session_start_limits()).max_concurrency
        turn = f"identify:{(shard_id or 0) % self._together}"
        await self._inbound.house.fleet.turn(turn, IDENTIFYING)

    def _fence_events(self) -> None:
        """Leave out, with a line in the log, an event that the library cannot read.

        It would tear down the connection with all that came behind. What begins a session is not
        fenced: without it nothing else could be read.
        """
        parsers = self._connection.parsers
        interactions = parsers["INTERACTION_CREATE"]

        def noted(data: dict[str, Any]) -> None:
            # Of a channel that the library knows it keeps what it knows, which is older.
            self._inbound.scrollback.told(data.get("channel") or {})
            _lighten(data.get("message") or {})
            interactions(data)

        parsers["INTERACTION_CREATE"] = noted
        for name, parse in parsers.items():
            if name not in ("READY", "RESUMED"):
                parsers[name] = _fenced(name, parse)

    async def on_interaction(self, interaction: Interaction) -> None:
        """A button was pressed, or a form was sent.

        The library's own dispatch leaves a press unanswered when the button is no longer on
        the message, and those are the presses that need a polite word most.
        """
        kinds = discord.InteractionType
        if interaction.type in (kinds.component, kinds.modal_submit):
            await self._inbound.pressed(interaction)

    async def on_ready(self) -> None:
        """Everything that can be known of the servers is known."""
        log.info("Discord is connected as %s; servers: %d", self.user, len(self.guilds))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """We are let in (again): the boards that waited there are shown."""
        await self._inbound.membership.back_in(_places(guild))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """We were shown the door: nothing more goes there, whatever tokens are left."""
        self._inbound.membership.put_out(_places(guild))

    def invitation(self) -> str:
        """The address at which the bot is invited to a server or installed by a person."""
        scopes = ("bot", "applications.commands")
        return discord.utils.oauth_url(
            self.application_id or 0, permissions=PERMISSIONS, scopes=scopes
        )

    def webhook(self, token: str) -> discord.Webhook:
        """The messages that answer the interaction of *token*."""
        return discord.Webhook.partial(self.application_id or 0, token, client=self)

    async def original(self, token: str) -> Original:
        """The first response to the interaction of *token*."""
        route = Route(
            "GET",
            "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
            webhook_id=self.application_id or 0,
            webhook_token=token,
        )
        data = await self.http.request(route)
        thinking = bool(data.get("flags", 0) & discord.MessageFlags.loading.flag)
        codes = (str(part.get("custom_id", "")) for part in _walk(data.get("components", ())))
        tables = frozenset(code.split(".")[1] for code in codes if code.count(".") > 1)
        return Original(int(data["id"]), thinking, tables)


def _of(shards: Shards | None) -> _Sharding:
    """What the library is told of *shards*; it finds out by itself how many there are to be."""
    if shards is None:
        return {}
    # Many may have to wait for their turn, for which there is no limit.
    ids = list(shards.ids)
    return {"shard_ids": ids, "shard_count": shards.count, "shard_connect_timeout": None}


def _doing(house: Facade) -> discord.CustomActivity:
    """What stands below the name of the bot: how one begins, in the language of the house."""
    said = language(house.default_language).say(phrase("discord.doing"))
    return discord.CustomActivity(said)


def _lighten(message: dict[str, Any]) -> None:
    """Leave out the buttons of the pressed *message*: we read none, and each becomes an object."""
    for part in message.get("components") or ():
        if "components" in part:
            rest = (one for one in part["components"] if one["type"] != ROW)
            part["components"] = list(rest)


def _fenced(name: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
    def read(data: Any) -> None:
        try:
            parse(data)
        except Exception:
            log.exception("an event %s of Discord cannot be read and is left out", name)

    return read


def _places(guild: discord.Guild) -> set[str]:
    return {str(one.id) for one in (*guild.channels, *guild.threads)}


def _walk(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from _walk(component.get("components", ()))
