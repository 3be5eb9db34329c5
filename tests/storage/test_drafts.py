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
    found = await store.read(drafts.find_draft, later + timedelta(minutes=50), id=row.id)
    assert found == replace(row, data={"game": "niya"}, at=later)


async def test_a_draft_that_nobody_touches_is_gone_after_an_hour(store: Store) -> None:
    row, hour = await begun(store), NOON + drafts.DRAFT_LIFE
    await store.write(drafts.prune_drafts, hour - timedelta(seconds=1))
    assert await store.read(drafts.find_draft, hour - timedelta(seconds=1), id=row.id) is not None
    assert await store.read(drafts.find_draft, hour, id=row.id) is None
    await store.write(drafts.prune_drafts, hour)
    assert await store.read(drafts.find_draft, NOON, id=row.id) is None


async def test_a_new_draft_takes_the_place_of_the_old_one_there_and_not_elsewhere(
    store: Store,
) -> None:
    old, elsewhere = await begun(store), await begun(store, "elsewhere")
    new = await begun(store)
    assert new.id > old.id
    assert await store.read(drafts.find_draft, NOON, id=old.id) is None
    assert await store.read(drafts.find_draft, NOON, id=elsewhere.id) is not None


async def test_a_draft_is_taken_once(store: Store) -> None:
    row = await begun(store)
    assert await store.write(drafts.take_draft, row.id)
    assert not await store.write(drafts.take_draft, row.id)
