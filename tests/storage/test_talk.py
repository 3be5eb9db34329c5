"""What people say over a table: the newest lines are kept, until their speaker is forgotten."""

from __future__ import annotations

import pytest

from storage import Store
from storage.person import people, personal_data
from storage.records import TalkRow
from storage.table import talk
from tests.storage.rows import NOON, add_game


async def speaker(store: Store, name: str) -> int:
    async with store.transaction() as tx:
        return (await people.ensure_person(tx, "chat", name.casefold(), name, NOON)).id


async def say(store: Store, person: int, text: str, game: str = "k7") -> TalkRow:
    row = TalkRow(0, game, person, 0, "", text, NOON)
    return await store.write(talk.add_talk, row)


async def test_lines_come_back_in_their_order_and_from_any_one_on(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    nerea = await speaker(store, "Nerea")
    first, second = await say(store, nerea, "hola"), await say(store, nerea, "¿qué tal?")
    assert await store.read(talk.talk_of_game, "k7") == (first, second)
    assert await store.read(talk.talk_of_game, "k7", first.id) == (second,)
    assert await store.read(talk.load_speakers, "k7") == {nerea: "Nerea"}
    assert await store.read(talk.find_author, "k7", second.id) == nerea
    assert await store.read(talk.find_author, "other", second.id) is None


@pytest.mark.sampled
async def test_the_oldest_lines_of_a_table_go_once_there_are_many(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        await add_game(tx, "q2")
    nerea = await speaker(store, "Nerea")
    await say(store, nerea, "elsewhere", "q2")
    for number in range(talk.KEPT_LINES + 3):
        await say(store, nerea, str(number))
    kept = await store.read(talk.talk_of_game, "k7")
    assert [row.text for row in kept] == [str(n) for n in range(3, talk.KEPT_LINES + 3)]
    assert len(await store.read(talk.talk_of_game, "q2")) == 1


async def test_who_is_forgotten_leaves_none_of_his_words(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    nerea, bruno = await speaker(store, "Nerea"), await speaker(store, "Bruno")
    await say(store, nerea, "hola")
    kept = await say(store, bruno, "buenas")
    assert (await store.read(personal_data.export_person, nerea))["talk"] != []
    await store.write(personal_data.erase_person_data, nerea)
    assert await store.read(talk.talk_of_game, "k7") == (kept,)
    assert (await store.read(personal_data.export_person, nerea))["talk"] == []


async def test_who_is_joined_to_another_has_said_it_all_himself(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    nerea, phone = await speaker(store, "Nerea"), await speaker(store, "phone")
    row = await say(store, phone, "hola")
    await store.write(personal_data.join_people, nerea, phone)
    assert await store.read(talk.find_author, "k7", row.id) == nerea
