"""Comments on moments of games: one a moment, their writer's alone, so many a game."""

from __future__ import annotations

import pytest

from storage import Store
from storage.person import people, personal_data
from storage.records import CommentRow
from storage.table import comments
from tests.storage.rows import NOON, add_game


@pytest.fixture
async def ana(store: Store) -> int:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        return (await people.ensure_person(tx, "web", "1", "Ana", NOON)).id


def on(person: int, number: int, text: str = "here", moves: str = "") -> CommentRow:
    return CommentRow(person, "k7", number, text, moves, NOON)


async def written(store: Store, person: int) -> dict[int, str]:
    found = await store.read(comments.comments_of, person, "k7")
    return {row.number: row.text for row in found}


@pytest.mark.slow
async def test_a_moment_has_one_comment_and_nothing_erases_it(store: Store, ana: int) -> None:
    for row in (on(ana, 4), on(ana, 2), on(ana, 4, "there", "a1;b2,c3")):
        assert await store.write(comments.put_comment, row)
    second = on(ana, 4, "there", "a1;b2,c3")
    assert await store.read(comments.comments_of, ana, "k7") == (on(ana, 2), second)
    assert await store.write(comments.put_comment, on(ana, 2, ""))
    assert await written(store, ana) == {4: "there"}


async def test_a_game_has_so_many_of_one_person(
    store: Store, ana: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comments, "KEPT_COMMENTS", 2)
    kept = [await store.write(comments.put_comment, on(ana, n)) for n in (1, 2, 3)]
    assert kept == [True, True, False]
    assert await store.write(comments.put_comment, on(ana, 2, "changed"))
    assert await written(store, ana) == {1: "here", 2: "changed"}


@pytest.mark.sampled
async def test_they_are_exported_join_with_their_writer_and_are_erased(
    store: Store, ana: int
) -> None:
    async with store.transaction() as tx:
        also = (await people.ensure_person(tx, "telegram", "2", "Ana", NOON)).id
        bea = (await people.ensure_person(tx, "web", "3", "Bea", NOON)).id
        for row in (on(ana, 1), on(also, 1, "twice"), on(also, 2, "mine too"), on(bea, 1, "hers")):
            await comments.put_comment(tx, row)
        await personal_data.join_people(tx, ana, also)
    assert await written(store, ana) == {1: "here", 2: "mine too"}
    told = await store.read(personal_data.export_person, ana)
    assert [row["text"] for row in told["comment"]] == ["here", "mine too"]  # type: ignore[index, union-attr]
    async with store.transaction() as tx:
        await personal_data.erase_person_data(tx, ana)
    assert (await written(store, ana), await written(store, bea)) == ({}, {1: "hers"})
