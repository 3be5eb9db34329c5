"""What a server or the world does to the bot on Discord, and undoes: the switches of the drives."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.drives.discord_refusal_matrix import Cell

EVERYONE = "everyone"


@dataclass(frozen=True)
class Switch:
    """A switch of the emulator: how it is *turned*, and the *kind* of place that it needs.

    *speaks*: the platform lets something be said. *absent*: nobody can do anything there while it
    is on. *from_begin*: it is on from the first step.
    """

    name: str
    turned: Callable[[Cell, bool], Awaitable[None]]
    kind: str = ""
    speaks: bool = True
    absent: bool = False
    from_begin: bool = False


def _permission(*names: str, who: str | None = None) -> Callable[[Cell, bool], Awaitable[None]]:
    async def turned(cell: Cell, on: bool) -> None:
        top = cell.at.fake.channels.get(cell.channel.get("parent_id"), cell.channel)
        await cell.at.fake.set_permissions(top, who, **dict.fromkeys(names, False if on else None))

    return turned


def _filter(words: Callable[[Cell], list[Any]]) -> Callable[[Cell, bool], Awaitable[None]]:
    async def turned(cell: Cell, on: bool) -> None:
        cell.at.fake.word_filter = words(cell) if on else []

    return turned


def _thread(**state: bool) -> Callable[[Cell, bool], Awaitable[None]]:
    async def turned(cell: Cell, on: bool) -> None:
        new = {name: value and on for name, value in state.items()}
        await cell.at.fake.set_thread(cell.channel, **new)

    return turned


async def _nothing(_: Cell, __: bool) -> None:
    """Turn nothing: the place itself is the switch."""


async def _external(cell: Cell, on: bool) -> None:
    value = False if on else None
    await cell.at.fake.set_permissions(cell.channel, EVERYONE, use_external_apps=value)


async def _invited_into_thread(cell: Cell, on: bool) -> None:
    if not on:
        fake = cell.at.fake
        await fake.say(cell.a, f"<@{fake.bot['id']}>", channel=cell.channel)


async def _far(cell: Cell, on: bool) -> None:
    cell.at.fake.gateway_ms = 1500 if on else None


async def _outage(cell: Cell, on: bool) -> None:
    await cell.at.fake.outage(cell.guild, over=not on)


async def _put_out(cell: Cell, on: bool) -> None:
    await (cell.at.fake.leave_guild if on else cell.at.fake.join_guild)(cell.guild)


SWITCHES = (
    Switch("history off", _permission("read_message_history")),
    Switch("writing off", _permission("send_messages", "send_messages_in_threads")),
    Switch("files off", _permission("attach_files")),
    Switch("view off", _permission("view_channel")),
    Switch("filter of a name", _filter(lambda cell: [cell.a["global_name"]])),
    Switch("filter of everything", _filter(lambda _: [re.compile(".")])),
    Switch("archived", _thread(archived=True), "thread"),
    Switch("locked", _thread(locked=True), "thread"),
    Switch("locked and archived", _thread(locked=True, archived=True), "thread", speaks=False),
    Switch("private thread", _invited_into_thread, "private", from_begin=True),
    Switch("forum post", _nothing, "forum", from_begin=True),
    Switch("archived forum post", _thread(archived=True), "forum"),
    Switch("voice channel", _nothing, "voice", from_begin=True),
    Switch("outside apps denied", _external, "foreign", from_begin=True),
    Switch("foreign server", _nothing, "foreign", from_begin=True),
    Switch("DM of two", _nothing, "dm", from_begin=True),
    Switch("group DM", _nothing, "group", from_begin=True),
    Switch("far away", _far),
    Switch("outage", _outage, absent=True),
    Switch("put out", _put_out, absent=True),
)
