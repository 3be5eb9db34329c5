"""The page as an Activity: the command, the menu and the buttons that open it within Discord.

discord.py knows neither commands of type 4, the Entry Point, nor that a bulk overwrite without
them is refused (https://docs.discord.com/developers/interactions/application-commands#entry-point-commands).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import discord

from bot.chats.discord.message_formatting import component_codes
from bot.chats.discord.reply import Interaction
from bot.facade import NO_TABLE, ChatButtons

ENTRY_POINT = 4
"""The type of the command by which Discord offers an Activity."""

LAUNCH = "launch"
"""What Discord calls the Entry Point that it makes by itself."""

HANDLED_BY_US = 1
"""The handler of an Entry Point whose presses come to the bot; with 2 Discord itself opens it."""

ENTRY_POINT_MISSING = 50240
"""Discord's refusal of a bulk overwrite that leaves the Entry Point out."""

SENT = (
    *("type", "name", "name_localizations", "description", "description_localizations"),
    *("default_member_permissions", "contexts", "integration_types", "nsfw"),
)
"""What is sent back of a fetched Entry Point: its maker may have renamed it in the portal."""


def entry_point(fetched: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The Entry Point among the *fetched* commands, as it is; None where there is none."""
    return next((dict(one) for one in fetched if one.get("type") == ENTRY_POINT), None)


def sent_back(fetched: Mapping[str, Any]) -> dict[str, Any]:
    """The Entry Point as a bulk overwrite keeps it, its presses coming to us."""
    kept = {key: fetched[key] for key in SENT if fetched.get(key) is not None}
    return {**kept, "handler": HANDLED_BY_US}


def with_names(entry: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """*entry* with *names* by locale, where nobody has named it otherwise than Discord does."""
    return {**({"name_localizations": names} if entry["name"] == LAUNCH else {}), **entry}


def is_entry(interaction: Interaction) -> bool:
    """Whether *interaction* is the command by which Discord offers the Activity."""
    data: Mapping[str, Any] = dict(interaction.data or {})
    return (
        interaction.type is discord.InteractionType.application_command
        and data.get("type") == ENTRY_POINT
    )


def table_on(buttons: ChatButtons, components: Sequence[discord.Component]) -> str:
    """The code of the table whose buttons are among *components*; "" for none of ours."""
    codes = component_codes(one.to_dict() for one in components)
    clicks = filter(None, (buttons.click(code) for code in codes))
    return next((one.table for one in clicks if one.table != NO_TABLE), "")
