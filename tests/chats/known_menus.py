"""What houses tell the platforms of their commands is put together once a process.

Telegram is told its menus and pages where a test looks at them, as by a bot that starts again:
these were forty of the fifty calls of a start. Discord's commands are translated into thirty
languages once for each form of theirs: half of the time of a start there.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from discord import app_commands

from bot.chats.discord import commands
from bot.chats.telegram import chat as telegram_chat

TOLD = telegram_chat.set_profile
"""How the product tells Telegram."""

_PAYLOADS: dict[str, Any] = {}
_Payload = Callable[..., Awaitable[dict[str, Any]]]


def share(*, telegram: bool) -> None:
    """Let houses from now on tell *telegram* its menus and pages, or not."""
    telegram_chat.set_profile = TOLD if telegram else _nothing


async def _nothing(*_: object) -> None:
    pass


def share_translations() -> None:
    """Let all houses on Discord have the same texts and translations."""
    commands._text = cache(commands._text)
    for kind in (app_commands.Command, app_commands.ContextMenu, app_commands.Group):
        kind.get_translated_payload = _remembering(kind.get_translated_payload)  # type: ignore[attr-defined]


def _remembering(translate: _Payload) -> _Payload:
    async def translated(self: Any, tree: Any, translator: Any) -> dict[str, Any]:
        key = f"{type(translator)} {json.dumps(self.to_dict(tree))}"
        if key not in _PAYLOADS:
            _PAYLOADS[key] = json.dumps(await translate(self, tree, translator))
        payload: dict[str, Any] = json.loads(_PAYLOADS[key])
        return payload

    return translated
