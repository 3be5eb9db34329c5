"""Drafts of tables: one a person and place, gone after an hour."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from storage import Store
from storage.person import people
from storage.records import DraftRow
from storage.table import drafts
from tests.storage.rows import NOON


async def begun(store: Store, place: str = "here") -> DraftRow:
    async with store.transaction() as tx:
        me = await people.ensure_person(tx, "chat", "1", "Nerea", NOON)
        return await drafts.begin_draft(tx, DraftRow(0, me.id, "chat", place, None, {}, NOON))


async def test_a_draft_is_kept_with_what_was_chosen_last(store: Store) -> None:
    row = await begun(store)
    later = NOON + timedelta(minutes=50)
    await store.write(drafts.update_draft, row.id, {"game": "niya"}, later)
    (found,) = await store.read(drafts.find_drafts, later + timedelta(minutes=50), id=row.id)
    assert found == replace(row, data={"game": "niya"}, at=later)


async def test_a_draft_that_nobody_touches_is_gone_after_an_hour(store: Store) -> None:
    row, hour = await begun(store), NOON + drafts.DRAFT_LIFE
    await store.write(drafts.prune_drafts, hour - timedelta(seconds=1))
    assert await store.read(drafts.find_drafts, hour - timedelta(seconds=1), id=row.id)
    assert not await store.read(drafts.find_drafts, hour, id=row.id)
    await store.write(drafts.prune_drafts, hour)
    assert not await store.read(drafts.find_drafts, NOON, id=row.id)


async def test_a_new_draft_stands_beside_the_old_one(store: Store) -> None:
    old, new = await begun(store), await begun(store)
    here = {"person": old.person, "place": "here"}
    assert await store.read(drafts.find_drafts, NOON, **here) == (new, old)


async def test_a_draft_is_taken_once(store: Store) -> None:
    row = await begun(store)
    assert await store.write(drafts.take_draft, row.id)
    assert not await store.write(drafts.take_draft, row.id)
