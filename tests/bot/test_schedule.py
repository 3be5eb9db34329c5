"""What is to be looked at comes once, at the earliest instant, and wakes whoever waits for it."""

import asyncio
from datetime import UTC, datetime, timedelta

from bot.service.clock import Schedule

NOW = datetime(2026, 11, 23, tzinfo=UTC)
LATER = timedelta(hours=1)


def test_what_was_put_twice_is_due_once_at_the_earlier_instant():
    agenda = Schedule()
    agenda.put("a", NOW + LATER)
    agenda.put("a", NOW)
    agenda.put("a", NOW + 2 * LATER)
    assert list(agenda.due(NOW)) == ["a"]
    assert list(agenda.due(NOW + 3 * LATER)) == []


def test_what_has_been_due_may_be_put_again():
    agenda = Schedule()
    agenda.put("a", NOW)
    assert list(agenda.due(NOW)) == ["a"]
    agenda.put("a", NOW + LATER)
    assert list(agenda.due(NOW)) == []
    assert list(agenda.due(NOW + LATER)) == ["a"]


def test_what_is_due_comes_in_order():
    agenda = Schedule()
    for name, hours in (("c", 3), ("a", 1), ("b", 2)):
        agenda.put(name, NOW + hours * LATER)
    assert list(agenda.due(NOW + 2 * LATER)) == ["a", "b"]


async def test_who_waits_is_woken_by_something_earlier():
    agenda = Schedule()
    agenda.put("a", NOW + LATER)
    waiting = asyncio.create_task(agenda.wait(NOW))
    await asyncio.sleep(0)
    assert not waiting.done()
    agenda.put("b", NOW)
    await waiting


async def test_nobody_waits_for_what_is_due_already():
    agenda = Schedule()
    agenda.put("a", NOW)
    async with asyncio.timeout(5) as waiting:
        await agenda.wait(NOW)
    assert not waiting.expired()
