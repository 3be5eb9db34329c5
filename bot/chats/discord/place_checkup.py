"""What stands in the way of boards and calls in each place, for ``ludoteca doctor``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

import discord

from bot.chats.discord.bot_permissions import PRIVATE_THREAD, PUBLIC_THREADS
from bot.chats.discord.reading import NAMES
from bot.port import Diagnosis

MOST_PLACES = 100
"""Places that are asked about: those with most tables."""

HARM = {
    "view_channel": "boards stand still a quarter of an hour after the last press",
    "send_messages": "no board is posted anew and people are called only right after a press",
    "send_messages_in_threads": "no board is posted anew and people are called only after a press",
    "attach_files": "no board is posted",
    "read_message_history": "calls are no replies, and buried boards are not noticed",
    "create_public_threads": "no table gets a thread of its own",
}
"""What is lost without a permission."""


BLOCKS = discord.AutoModRuleActionType.block_message.value
SENT = discord.AutoModRuleEventType.message_send.value
"""A rule of AutoMod looks at what is sent, and keeps it back."""


@dataclass
class PlaceCheckup:
    """Asks Discord about places, each server and channel once."""

    client: discord.Client
    _servers: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = field(default_factory=dict)
    _filters: dict[str, Sequence[Mapping[str, Any]] | None] = field(default_factory=dict)
    """The rules of AutoMod by server, ``None`` where the bot may not read them."""

    async def ask(self, places: Mapping[str, Sequence[str]]) -> list[Diagnosis]:
        """The findings on *places*, worst first within each, by the living tables in them."""
        found: list[Diagnosis] = []
        for place, tables in sorted(places.items(), key=lambda one: -len(one[1]))[:MOST_PLACES]:
            more = f" and {len(tables) - 8} more" if len(tables) > 8 else ""
            told = f"({', '.join(tables[:8])}{more})."
            found += [Diagnosis("warning", f"{said} {told}") for said in await self._place(place)]
        unread = sum(rules is None for rules in self._filters.values())
        if unread:
            said = f"Whether AutoMod keeps boards back is not known in {unread} servers: only who"
            found.append(Diagnosis("fine", f"{said} has Manage Server may read its rules."))
        if all(one.level == "fine" for one in found) and places:
            clear = f"Nothing stands in the way of boards ({len(places)} places)."
            found.append(Diagnosis("fine", clear))
        if len(places) > MOST_PLACES:
            left = len(places) - MOST_PLACES
            found.append(
                Diagnosis("warning", f"{left} more places with boards were not looked at.")
            )
        return found

    async def _place(self, place: str) -> list[str]:
        try:
            channel: Mapping[str, Any] = dict(await self.client.http.get_channel(int(place)))
        except discord.HTTPException as wrong:
            # A visitor's place, a private thread without us, or one that is gone.
            why = "is gone" if wrong.status == 404 else "is not open to the bot"
            return [f"The place {place} {why}: its boards live by presses alone"]
        if channel.get("guild_id") is None:
            return []
        thread = channel["type"] in (*PUBLIC_THREADS, PRIVATE_THREAD)
        allowed = await self._allow(channel, thread=thread)
        name, found = channel.get("name") or place, list[str]()
        state = channel.get("thread_metadata") or {}
        if state.get("locked") and not allowed.manage_threads:
            found.append(f"The thread {name!r} is locked: its boards stand still")
        elif state.get("archived"):
            found.append(f"The thread {name!r} is archived: its buttons may do nothing")
        found += [
            f"In {name!r} the bot lacks {NAMES[permission]}: {HARM[permission]}"
            for permission in _list_lacking(allowed, thread=thread)
        ]
        return [*found, *await self._filter(channel, name)]

    async def _filter(self, channel: Mapping[str, Any], name: str) -> list[str]:
        """What AutoMod may keep back in *channel*, called *name*."""
        number = str(channel["guild_id"])
        if number not in self._filters:
            self._filters[number] = await self._rules(number)
        _, me = await self._server(number)
        here, mine = {str(channel["id"]), str(channel.get("parent_id"))}, set(map(str, me["roles"]))
        found = self._filters[number] or ()
        rules = [one["name"] for one in found if _holds_back(one, here, mine)]
        harm = "a board with a name or a word that it blocks comes with seats in place of names"
        return [f"In {name!r} AutoMod looks at messages ({', '.join(rules)}): {harm}"] * bool(rules)

    async def _rules(self, number: str) -> Sequence[Mapping[str, Any]] | None:
        """The rules of AutoMod in the server *number*; ``None`` where we may not read them.

        *Manage Server* alone may
        (https://docs.discord.com/developers/resources/auto-moderation#permission-requirements).
        """
        server, me = await self._server(number)
        mine = {str(server["id"]), *map(str, me["roles"])}
        roles = (one for one in server["roles"] if str(one["id"]) in mine)
        allowed = discord.Permissions(_together(one["permissions"] for one in roles))
        if not (allowed.administrator or allowed.manage_guild):
            return None
        with suppress(discord.HTTPException):
            asking = self.client.http.get_auto_moderation_rules(int(number))
            return [dict(one) for one in await asking]
        return None

    async def _allow(self, channel: Mapping[str, Any], *, thread: bool) -> discord.Permissions:
        """What the bot may do in *channel*, a thread like its parent.

        Computed as Discord does
        (https://docs.discord.com/developers/topics/permissions#permission-overwrites).
        """
        server, me = await self._server(str(channel["guild_id"]))
        mine = {str(server["id"]), *map(str, me["roles"])}
        roles = [role for role in server["roles"] if str(role["id"]) in mine]
        allowed = discord.Permissions(_together(role["permissions"] for role in roles))
        if allowed.administrator or str(server["owner_id"]) == str(me["user"]["id"]):
            return discord.Permissions.all()
        if thread and channel.get("parent_id") is not None:
            channel = dict(await self.client.http.get_channel(int(channel["parent_id"])))
        overwrites = {str(one["id"]): one for one in channel.get("permission_overwrites") or ()}
        everybody, own = str(server["id"]), str(me["user"]["id"])
        value = allowed.value
        for ids in ({everybody}, mine - {everybody}, {own}):
            here = [overwrites[one] for one in ids if one in overwrites]
            value &= ~_together(one["deny"] for one in here)
            value |= _together(one["allow"] for one in here)
        return discord.Permissions(value)

    async def _server(self, number: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The server *number* with its roles, and the bot as its member."""
        if number not in self._servers:
            http, us = self.client.http, self.client.application_id or 0
            server: Mapping[str, Any] = dict(await http.get_guild(int(number)))
            me: Mapping[str, Any] = dict(await http.get_member(int(number), us))
            self._servers[number] = server, me
        return self._servers[number]


def _holds_back(rule: Mapping[str, Any], places: Set[str], roles: Set[str]) -> bool:
    """Whether *rule* of AutoMod may keep back what we with *roles* send in *places*."""
    exempt = places & set(map(str, rule["exempt_channels"]))
    exempt |= roles & set(map(str, rule["exempt_roles"]))
    blocks = any(act["type"] == BLOCKS for act in rule["actions"])
    return bool(rule["enabled"]) and rule["event_type"] == SENT and blocks and not exempt


def _together(values: Iterable[Any]) -> int:
    return reduce(or_, map(int, values), 0)


def _list_lacking(allowed: discord.Permissions, *, thread: bool) -> list[str]:
    """The permissions that are lacking in a channel, or in a *thread*, which begins no other."""
    other = {"send_messages", "create_public_threads"} if thread else {"send_messages_in_threads"}
    found = [name for name in NAMES if name not in other and not getattr(allowed, name)]
    writes = {"send_messages", "send_messages_in_threads"} & set(found)
    # Who may not write may attach nothing either.
    return [name for name in found if not (writes and name == "attach_files")]
