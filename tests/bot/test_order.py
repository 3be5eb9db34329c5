"""Of the boards that one move owes, that of whoever made it goes first."""

from __future__ import annotations

import asyncio

from bot.boards import order
from bot.boards.order import Order


async def test_the_others_wait_until_the_first_one_went():
    lined, gone = Order(), []

    async def go(view):
        await lined.turn(view)
        gone.append(view)

    lined.line_up([3, 1, 2])
    others = [asyncio.create_task(go(view)) for view in (1, 2)]
    await asyncio.sleep(0)
    await go(3)
    assert gone == [3]
    lined.went(3)
    await asyncio.gather(*others)
    assert gone == [3, 1, 2]


async def test_nobody_waits_for_long_where_the_first_one_does_not_go(monkeypatch):
    monkeypatch.setattr(order, "BEHIND", 0.0)
    lined = Order()
    lined.line_up([3, 1])
    await lined.turn(1)


async def test_whoever_is_alone_waits_for_nobody():
    lined = Order()
    lined.line_up([])
    lined.line_up([3])
    await lined.turn(3)
    lined.went(3)
