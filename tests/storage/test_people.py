"""People, and how the chats know them."""

from __future__ import annotations

from storage import Store
from storage.person import people
from storage.records import IdentityRow, PersonName, PersonRow
from tests.storage.rows import NOON, later


async def test_a_person_is_made_at_their_first_coming_and_known_at_the_second(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        assert ana == PersonRow(ana.id, "Ana", None)
        assert await people.ensure_person(tx, "telegram", "1", "Ana", later(1)) == ana
        assert await people.load_person(tx, ana.id) == ana
        assert await people.load_identities(tx, ana.id) == (IdentityRow("telegram", "1", ana.id),)


async def test_the_same_id_on_two_platforms_is_two_people(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        bea = await people.ensure_person(tx, "discord", "1", "Bea", NOON)
        assert ana.id != bea.id
        assert await people.load_person(tx, ana.id) == ana


async def test_who_changed_their_name_bears_the_new_one(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        bea = await people.ensure_person(tx, "telegram", "2", "Bea", NOON)
        renamed = await people.ensure_person(tx, "telegram", "1", "Anita", later(1))
        assert renamed == PersonRow(ana.id, "Anita", None)
        assert await people.load_person(tx, ana.id) == renamed
        assert await people.load_person(tx, bea.id) == bea


async def test_a_language_is_kept_through_a_new_name_and_can_be_taken_back(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        await people.change_person(tx, ana.id, language="en")
        again = await people.ensure_person(tx, "telegram", "1", "Anita", later(1))
        assert again == PersonRow(ana.id, "Anita", "en")
        await people.change_person(tx, ana.id, language=None)
        assert await people.load_person(tx, ana.id) == PersonRow(ana.id, "Anita", None)


async def test_people_are_found_by_a_chats_id_and_their_names_by_ours(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        bea = await people.ensure_person(tx, "telegram", "2", "Bea", NOON)
        assert await people.find_person(tx, "telegram", "2") == bea
        assert await people.load_names(tx, [ana.id, bea.id, 99]) == {
            ana.id: PersonName(ana.id, "Ana"),
            bea.id: PersonName(bea.id, "Bea"),
        }


async def test_nobody_has_an_unknown_id(store: Store) -> None:
    async with store.reading() as tx:
        assert await people.find_person(tx, "telegram", "1") is None
        assert await people.load_person(tx, 99) is None
        assert await people.load_identities(tx, 99) == ()
