"""What is put together by names has the types that its classes say."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import get_type_hints

import pytest

from bot.commands.dispatcher import HANDLERS, INCOMPLETE, rooms_of
from bot.commands.services_of_handlers import CommandRoom
from tests.fakes import desk


@pytest.fixture
async def house(tmp_path):
    async with desk(tmp_path) as at:
        yield at.facade


def made_of(facade):
    """*facade* and each of our objects that it is made of."""
    seen, left = {}, [facade]
    while left:
        one = left.pop()
        if id(one) in seen or not type(one).__module__.startswith(("bot.", "storage.")):
            continue
        seen[id(one)] = one
        if is_dataclass(one):
            left += [getattr(one, field.name) for field in fields(one) if field.init]
            left += one.rooms if hasattr(one, "rooms") else ()
    return list(seen.values())


async def test_each_object_is_given_what_its_class_says(house):
    wrong = []
    for one in filter(is_dataclass, made_of(house)):
        hints = get_type_hints(type(one))
        for field in (field for field in fields(one) if field.init):
            kind = hints[field.name]
            ours = isinstance(kind, type) and kind.__module__.startswith(("bot.", "storage."))
            if ours and not isinstance(getattr(one, field.name), kind):
                wrong.append((type(one).__name__, field.name))
    assert wrong == []


async def test_every_handler_is_given_the_rooms_that_it_names(house):
    known = {type(one).__name__ for one in house.requests.dispatcher.rooms}
    named = {room for one in (*HANDLERS.values(), *INCOMPLETE.values()) for room in rooms_of(one)}
    assert named == known


async def test_a_room_is_small_and_holds_no_other(house):
    rooms = {type(one) for one in house.requests.dispatcher.rooms}
    common = {field.name for field in fields(CommandRoom)}
    assert len(common) <= 8
    for room in rooms:
        assert len({field.name for field in fields(room)} - common) <= 6
        assert not {field.type for field in fields(room)} & {one.__name__ for one in rooms} - {
            "TableLookup"
        }
