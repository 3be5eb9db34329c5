"""Whose turn it is with the database, when many want one."""

from __future__ import annotations

import asyncio

from storage import store
from storage.store import TransactionQueue, low_priority


class Crowd:
    """People who take turns, and the order in which they had them."""

    def __init__(self) -> None:
        self.turns, self.had = TransactionQueue(), list[str]()

    def comes(self, name: str) -> asyncio.Task[None]:
        return asyncio.create_task(self._takes(name))

    def waits(self, name: str) -> asyncio.Task[None]:
        with low_priority():
            return self.comes(name)

    async def _takes(self, name: str) -> None:
        await self.turns.acquire()
        try:
            self.had.append(name)
            await asyncio.sleep(0)
        finally:
            self.turns.release()


async def test_turns_come_in_the_order_of_asking():
    crowd = Crowd()
    await asyncio.gather(*[crowd.comes(name) for name in "abcd"])
    assert crowd.had == [*"abcd"]


async def test_who_is_patient_lets_the_others_go_before(monkeypatch):
    monkeypatch.setattr(store, "LONGEST_WAIT", 3600.0)
    crowd = Crowd()
    await crowd.turns.acquire()
    tasks = [crowd.waits("x"), crowd.waits("y"), crowd.comes("a"), crowd.comes("b")]
    await asyncio.sleep(0)
    crowd.turns.release()
    await asyncio.gather(*tasks)
    assert crowd.had == [*"abxy"]


async def test_a_crowd_of_the_patient_has_one_turn_between_those_of_the_others(monkeypatch):
    monkeypatch.setattr(store, "LONGEST_WAIT", 0.0)
    crowd = Crowd()
    await crowd.turns.acquire()
    tasks = [crowd.waits("x"), crowd.waits("y"), crowd.comes("a"), crowd.comes("b")]
    await asyncio.sleep(0)
    monkeypatch.setattr(store, "LONGEST_WAIT", 3600.0)
    crowd.turns._others_since -= 3600.0
    crowd.turns.release()
    await asyncio.gather(*tasks)
    assert crowd.had == [*"xaby"], "one had waited long enough, and for the next it begins anew"


async def test_who_gives_up_waiting_takes_no_turn_from_others():
    crowd = Crowd()
    await crowd.turns.acquire()
    tasks = {name: crowd.comes(name) for name in "abc"}
    tasks["z"] = crowd.waits("z")
    await asyncio.sleep(0)
    tasks["a"].cancel()
    crowd.turns.release()
    tasks["b"].cancel()  # whose turn it is just now
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    assert crowd.had == ["c", "z"]
    await asyncio.wait_for(crowd.turns.acquire(), 1)


async def test_what_begins_afterwards_is_not_patient_any_more():
    crowd = Crowd()
    with low_priority():
        pass
    await crowd.turns.acquire()
    tasks = [crowd.waits("x"), crowd.comes("a")]
    await asyncio.sleep(0)
    crowd.turns.release()
    await asyncio.gather(*tasks)
    assert crowd.had == [*"ax"]
