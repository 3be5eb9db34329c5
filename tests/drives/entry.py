"""The bot's own entry point, with what a drive wants to be different.

``SLOW_PICTURES`` is the number of seconds that every picture takes.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import time
import types

from bot.chats.port import Chat, Shown
from render.kit import Gallery


class NoChat(Chat):
    """Stands for a chat that is not there."""

    platform = "web"

    def __init__(self, *_: object) -> None:
        pass

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass

    async def show(self, target, screen, picture) -> Shown:
        return Shown("0")

    async def ping(self, where, people, text) -> None:
        return None

    async def remove(self, where, message) -> None:
        pass


def slow_down(seconds: float) -> None:
    real = Gallery.picture

    def picture(self, scene):
        time.sleep(seconds)
        return real(self, scene)

    Gallery.picture = picture


if __name__ == "__main__":
    if importlib.util.find_spec("bot.chats.web") is None:
        web = types.ModuleType("bot.chats.web")
        web.WebChat = NoChat
        sys.modules["bot.chats.web"] = web
    if "SLOW_PICTURES" in os.environ:
        slow_down(float(os.environ["SLOW_PICTURES"]))
    from bot.main import main

    main()
