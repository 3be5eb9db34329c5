"""Boards that were sent and never noted: Telegram tells a bot nothing of what stands in a chat.

Nobody else's message can be edited, and what is gone cannot either. So whoever takes the buttons
from a message by its number learns whether it is one of ours that had some.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.chats.telegram.errors import Unchanged, translating
from bot.chats.telegram.outbound import Outbound
from bot.port import MessageGone, Where

FIRST, LAST = 10, 20
"""How many messages are looked at after the first and before the last, in this order. Where all
messages are known to us it follows at once; else people write some while we are away."""


async def remove_repeated(
    outbound: Outbound,
    where: Where,
    after: str,
    before: str,
    skips: Callable[[str], Awaitable[bool]],
) -> None:
    """Remove our messages with buttons between *after* and *before* that nobody has noted.

    *after* is the newest message that was known before they were sent, so that whatever of ours is
    older stays. *skips* is asked before a message is touched. Raises ``ChatError``.
    """
    if not (after.isdecimal() and before.isdecimal()):
        return
    between = range(int(after) + 1, int(before))
    first, last = between[:FIRST], between[FIRST:][-LAST:]
    for number in (*first, *reversed(last)):
        ours = outbound.depths.was_sent(where.place, number)
        if not ours and not await skips(str(number)) and await _unbuttoned(outbound, where, number):
            await outbound.remove(where, str(number))


async def _unbuttoned(outbound: Outbound, where: Where, number: int) -> bool:
    """Take the buttons from a message; whether it is ours and had some."""
    try:
        with translating():
            await outbound.bot.edit_message_reply_markup(
                chat_id=int(where.place), message_id=number, reply_markup=None
            )
    except (MessageGone, Unchanged):
        return False
    return True
