"""The line of the operator above the others of a board. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.port import Screen
from bot.texts import language
from games.core import phrase


def with_announcement(screen: Screen, text: str) -> Screen:
    """*screen* with what the operator announces, if that is anything and the game goes on."""
    if not text or screen.over:
        return screen
    said = language(screen.language).say(phrase("house.announced", text=text))
    return replace(screen, lines=(said, *screen.lines))
