"""Answers in a Telegram group that has no room for them at once."""

from __future__ import annotations

import asyncio

import pytest

from bot.chats.telegram.paced_messages import PacedPosting
from bot.runtime.rate_limiter import Limiter


class Passing(asyncio.Event):
    """Never set; whoever waits for it lets the minutes of *clock* pass."""

    def __init__(self, clock: list[float]) -> None:
        super().__init__()
        self.clock = clock

    async def wait(self):
        self.clock[0] += 60.0
        raise TimeoutError


@pytest.fixture
def busy():
    """Where answers are posted, and the limiter of a group that has had all it takes a minute."""
    now = [0.0]
    limiter = Limiter(((1, 60.0),), lambda: now[0])
    limiter.note()
    return PacedPosting(None, None, None, None, Passing(now)), limiter


async def sent() -> str:
    return "sent"


async def test_what_a_player_asks_for_waits_until_a_busy_group_has_room(busy):
    posting, limiter = busy
    assert await posting.in_turn(limiter, sent) == "sent"
    assert limiter.wait() == 60.0


async def test_the_answer_to_a_passer_by_is_given_up_in_a_busy_group(busy):
    posting, limiter = busy
    assert await posting.in_turn(limiter.behind, sent) is None
    assert limiter.wait() == 60.0
