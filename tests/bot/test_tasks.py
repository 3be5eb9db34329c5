"""Tasks in the background, and their end."""

from __future__ import annotations

import asyncio

from bot.runtime.tasks import Tasks
from tests.fakes import desk


async def test_what_a_task_starts_as_it_is_cancelled_does_not_outlive_the_end():
    tasks, left = Tasks(), []

    async def wait() -> None:
        left.append(asyncio.current_task())
        await asyncio.sleep(60)

    async def go_on() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            tasks.start(wait())

    tasks.start(go_on())
    await asyncio.sleep(0)
    await tasks.close()
    await asyncio.sleep(0)
    assert not tasks.busy()
    assert all(one.done() for one in left)


async def test_what_the_last_boards_begin_ends_with_the_house(tmp_path, monkeypatch):
    async with desk(tmp_path) as at:
        delivery = at.facade.services.delivery
        ends = delivery.close

        async def close() -> None:
            await ends()
            delivery.tasks.start(asyncio.sleep(60))

        monkeypatch.setattr(delivery, "close", close)
    assert not delivery.tasks.busy()
