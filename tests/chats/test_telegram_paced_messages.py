"""Answers in a Telegram group that has no room for them at once."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from bot.chats.telegram.paced_messages import PacedPosting, with_words
from bot.port import Where
from bot.runtime.rate_limiter import Limiter, Rank

GROUP = Where("telegram", "-100")


class Paced:
    """A group that has had all it takes for the moment."""

    def __init__(self):
        self.taken = Limiter(((1, 0.05),))
        self.taken.note()

    def limiter(self, where):
        return self.taken


@pytest.fixture
def busy():
    """Where answers are posted in a group that is full."""
    places = SimpleNamespace(pacing=Paced())
    return PacedPosting(None, places, None, None), places.pacing.taken


async def sent() -> str:
    return "sent"


@pytest.mark.parametrize("rank", Rank)
async def test_what_anybody_asks_for_waits_until_a_busy_group_has_room(busy, rank):
    posting, limiter = busy
    assert await posting.in_turn(GROUP, rank, sent) == "sent"
    assert limiter.wait() > 0


async def test_what_can_be_told_elsewhere_waits_no_longer_than_that_takes(busy):
    posting, limiter = busy
    limiter.pause(60.0)
    assert await posting.in_turn(GROUP, Rank.LOOKS, sent, patience=4.0) is None
    limiter._not_before = 0.0
    for _ in range(3):
        limiter.note()
    players = [asyncio.create_task(limiter.turn()) for _ in range(3)]
    assert await posting.in_turn(GROUP, Rank.LOOKS, sent, patience=0.06) is None
    for one in players:
        one.cancel()
    await asyncio.gather(*players, return_exceptions=True)
    assert limiter.ahead(Rank.LOOKS) == 0


async def test_what_waits_is_given_up_when_we_stop(busy):
    posting, limiter = busy
    limiter.pause(60.0)
    waits = asyncio.create_task(posting.in_turn(GROUP, Rank.PLAYS, sent))
    await asyncio.sleep(0)
    posting.closing.set()
    assert await waits is None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "Te toca, Nuria, con las negras (sente)",
            "Te toca, Nuria, con las negras (sente). Llega.",
        ),
        ("Te sale un 6.", "Te sale un 6. Llega."),
        ("¿Qué colocas en c3?", "¿Qué colocas en c3? Llega."),
        ("", "Llega."),
    ],
)
def test_when_it_comes_stands_behind_a_whole_sentence(said, told):
    assert with_words(said, "Llega.") == told
