"""What players do about the clock: claim a game, give more time, stop and go on."""

from __future__ import annotations

from bot.acts.asked import Asked
from bot.acts.finding import meant
from bot.port import Answer
from bot.table import timekeeping
from bot.table.pen import Pen
from bot.table.table import PLAYING
from games.core import phrase


async def clock(asked: Asked) -> Answer:
    """Claim the game of whoever has run out of time, or give him more of it."""
    table = await meant(asked, PLAYING)
    claims = asked.path == ("claim",)

    def decide(pen: Pen) -> None:
        seat = asked.seat(pen.table)
        if claims:
            timekeeping.claim(pen, seat)
        else:
            timekeeping.grant(pen, seat)

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase("clock.claimed" if claims else "clock.granted"))
