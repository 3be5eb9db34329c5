"""The shuffled loop repeats an order by its seed, and holds nothing back for ever."""

from __future__ import annotations

import asyncio
from random import Random

from tests.tools.shuffle import ShuffledLoop, seeds


def order(seed: int, *, late: bool = False) -> list[int]:
    """The order in which ten tasks end that wait for one thing, under *seed*."""
    ended: list[int] = []

    async def wait_for(event: asyncio.Event, number: int) -> None:
        await event.wait()
        ended.append(number)

    async def wait_for_all() -> None:
        event = asyncio.Event()
        waiting = [asyncio.create_task(wait_for(event, number)) for number in range(10)]
        asyncio.get_running_loop().call_soon(event.set)  # behind the beginnings of all
        await asyncio.gather(*waiting)

    loop = ShuffledLoop(Random(seed), late=late)
    try:
        loop.run_until_complete(wait_for_all())
    finally:
        loop.close()
    return ended


def test_a_seed_repeats_its_order_and_another_has_another():
    assert order(7) == order(7) != order(8)
    assert sorted(order(7)) == list(range(10))


def test_where_only_answers_come_late_tasks_keep_their_order():
    assert order(7, late=True) == list(range(10))


def test_what_threads_answer_comes_though_it_is_held_back():
    async def ask() -> list[int]:
        return await asyncio.gather(*(asyncio.to_thread(int, one) for one in "12345"))

    loop = ShuffledLoop(Random(7))
    try:
        assert loop.run_until_complete(ask()) == [1, 2, 3, 4, 5]
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


def test_seeds_are_one_or_from_one_to_another():
    assert list(seeds("7")) == [7]
    assert list(seeds("7-9")) == [7, 8, 9]
