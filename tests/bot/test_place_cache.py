"""Places are remembered, and never wrongly."""

from __future__ import annotations

from contextlib import suppress

import pytest

from bot.port import Where
from bot.service.clock import Clock, DeadlineAlarm
from bot.service.place.outages import Outages
from bot.service.place.places import Places
from storage.store import Store
from tests.databases import database_in

HERE = Where("telegram", "-100")
THERE = Where("telegram", "-1001")


@pytest.fixture
async def store(tmp_path):
    opened = await Store.open(database_in(tmp_path))
    yield opened
    await opened.close()


def places_of(store: Store) -> Places:
    return Places(store, Outages(store, Clock(), DeadlineAlarm()))


async def test_a_place_is_read_once(store, monkeypatch):
    places = places_of(store)
    await places.at(HERE)
    monkeypatch.setattr(store, "reading", None)
    assert not (await places.at(HERE)).suspended


async def test_whatever_is_written_of_a_place_is_seen_at_once(store):
    places = places_of(store)
    assert (await places.at(HERE)).language is None
    async with store.transaction() as tx:
        await places.put(tx, HERE, language="en")
        await places.put(tx, HERE, settings={"greeted": True})
        await places.put(tx, HERE, suspended=True)
    known = await places.at(HERE)
    assert (known.language, known.settings, known.suspended) == ("en", {"greeted": True}, True)
    async with store.transaction() as tx:
        await places.put(tx, HERE, suspended=False)
    assert not (await places.at(HERE)).suspended


async def test_what_was_undone_was_never_there(store):
    places = places_of(store)
    with suppress(ZeroDivisionError):
        async with store.transaction() as tx:
            await places.put(tx, HERE, suspended=True)
            raise ZeroDivisionError
    assert not (await places.at(HERE)).suspended


async def test_a_place_that_moves_takes_its_settings_with_it(store):
    places = places_of(store)
    async with store.transaction() as tx:
        await places.put(tx, HERE, language="en")
    assert (await places.at(THERE)).language is None
    async with store.transaction() as tx:
        await places.move(tx, HERE, THERE)
    assert (await places.at(THERE)).language == "en"
    assert (await places.at(HERE)).language is None


async def test_only_so_many_places_are_remembered(store, monkeypatch):
    places = places_of(store)
    monkeypatch.setattr(places, "_known", type(places._known)(2))
    for number in range(5):
        await places.at(Where("telegram", str(number)))
    assert len(places._known) == 2
