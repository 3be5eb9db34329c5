"""Boards that were sent and never noted: Telegram tells a bot nothing of what stands in a chat.

Nobody else's message can be edited, and what is gone cannot either. So whoever takes the buttons
from a message by its number learns whether it is one of ours that had some, and when it was sent.
"""

from __future__ import annotations

from itertools import islice

from telegram import Message

from bot.chats.telegram.depths import Depths
from bot.chats.telegram.errors import Unchanged, translating
from bot.chats.telegram.outbound import Outbound
from bot.port import MessageGone, Skips, Where

REACH, FAR = 30, 1000
"""How many messages are looked at: what people write while we are away for some seconds. Those
that we know are not among them, since a busy group may have many before the board comes once more;
and how far up we look at most."""

SKEW = 5.0
"""By how many seconds Telegram's clock may differ from ours."""


def mark(newest: int, now: float) -> str:
    """What is noted before a board is sent at *now*: the *newest* message known there, if any."""
    return f"{newest}@{now:.0f}"


async def remove_repeated(
    outbound: Outbound, depths: Depths, where: Where, after: str, before: str, skips: Skips
) -> None:
    """Remove our messages with buttons between the mark *after* and *before* that nobody knows.

    *before* is a message or a mark as well.

    The latest comes first, and the first that is older than the mark ends it. *skips* is asked
    before a message is touched. Raises ``ChatError``.
    """
    number, _, at = after.partition("@")
    before = before.partition("@")[0]
    if not (number.isdecimal() and at.isdecimal() and before.isdecimal()):
        return
    last = int(before) - 1
    numbers = range(last, max(int(number), last - FAR), -1)
    unknown = (one for one in numbers if not depths.is_known(where.place, one))
    for other in islice(unknown, REACH):
        if await skips(str(other)):
            continue
        sent = await _take_buttons(outbound, where, other)
        if sent is None:
            depths.note_seen(where.place, other)
            continue
        if sent < int(at) - SKEW:
            return
        await outbound.remove(where, str(other))


async def _take_buttons(outbound: Outbound, where: Where, number: int) -> float | None:
    """Take the buttons from a message; when it was sent, if it is ours and had some."""
    try:
        with translating():
            edited = await outbound.bot.edit_message_reply_markup(
                chat_id=int(where.place), message_id=number, reply_markup=None
            )
    except (MessageGone, Unchanged):
        return None
    return edited.date.timestamp() if isinstance(edited, Message) else None
