"""Statements that are made once, and go to the database together."""

from __future__ import annotations

import pytest
from sqlalchemy import bindparam, select

from storage import Conflict, Store, calls, games, inbox, people, schema, views
from storage.driver import DriverConnection
from storage.prepared import Prepared
from storage.records import CallRow
from tests.storage.rows import NOON, PLAYING, add_game, add_view, event, later

SEEN = Conflict("seen before")
CALL = CallRow("k7", 1, "turn", 2, later(30))


@pytest.fixture
async def ready(store: Store) -> Store:
    """A store with a game, the view that shows it, and a call to it."""
    async with store.transaction() as tx:
        assert (await people.person_of(tx, "discord", "7", "Nerea", NOON)).id == CALL.person
        await add_game(tx)
        await add_view(tx)
        await calls.put(tx, [CALL])
    return store


async def test_what_is_asked_is_answered_after_what_was_to_be_done_before(ready: Store) -> None:
    async with ready.transaction() as tx:
        await games.append(tx, "k7", 1, [event(2)], standing=PLAYING, at=NOON, was="playing")
        called = calls.of_game(tx, "k7")
        (owing,) = await views.owe(tx, "k7", 2)
        assert owing.owed == 2
        assert await called == (CALL,)
        assert await games.events(tx, "k7") == (event(1), event(2))


async def test_a_whole_press_goes_to_a_file_twice(
    ready: Store, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if backend != "sqlite":
        pytest.skip("about files")
    trips, gone = [], DriverConnection.gone

    async def counted(self: DriverConnection, *work: object) -> None:
        trips.append(1)
        await gone(self, *work)

    monkeypatch.setattr(DriverConnection, "gone", counted)
    async with ready.transaction() as tx:
        await inbox.settle(tx, "discord", "7", NOON, SEEN)
        await games.append(tx, "k7", 1, [event(2)], standing=PLAYING, at=NOON, was="playing")
        called = calls.of_game(tx, "k7")
        await views.owe(tx, "k7", 2)
        await calls.drop(tx, await called)
    assert len(trips) == 2


async def press(store: Store, version: int, *, answered: bool) -> None:
    """An update that adds an event on top of *version*, and is *answered* before the end or not."""
    async with store.transaction() as tx:
        await inbox.settle(tx, "discord", "7", NOON, SEEN)
        moves, how = [event(version + 1)], {"standing": PLAYING, "at": NOON}
        await games.append(tx, "k7", version, moves, was="playing", **how)
        if answered:
            await views.owe(tx, "k7", version + 1)


@pytest.mark.parametrize("answered", [True, False])
async def test_an_update_that_was_done_before_changes_nothing(ready: Store, answered: bool) -> None:
    async with ready.transaction() as tx:
        assert await inbox.finish(tx, "discord", "7", NOON)
    with pytest.raises(Conflict, match="seen before"):
        await press(ready, 1, answered=answered)
    await nothing_happened(ready)


@pytest.mark.parametrize("answered", [True, False])
async def test_who_decided_on_another_version_changes_nothing(ready: Store, answered: bool) -> None:
    with pytest.raises(Conflict, match="no longer at version 4"):
        await press(ready, 4, answered=answered)
    await nothing_happened(ready)
    async with ready.transaction() as tx:
        assert await inbox.finish(tx, "discord", "7", NOON)


async def nothing_happened(store: Store) -> None:
    async with store.transaction() as tx:
        assert await games.version(tx, "k7") == 1
        assert await games.events(tx, "k7") == (event(1),)
        assert [view.owed for view in await views.of_game(tx, "k7")] == [1]


async def test_what_was_asked_in_a_transaction_that_failed_is_answered_no_more(
    ready: Store, backend: str
) -> None:
    if backend != "sqlite":
        pytest.skip("a server is asked when the answer is awaited")
    async with ready.transaction() as tx:
        called = calls.of_game(tx, "k7")
        await tx.rollback()
    with pytest.raises(RuntimeError, match="over before"):
        await called


async def test_a_statement_whose_words_depend_on_its_values_is_none(
    ready: Store, backend: str
) -> None:
    if backend != "sqlite":
        pytest.skip("on a server every statement is made anew")
    several = select(schema.game.c.code).where(
        schema.game.c.code.in_(bindparam("codes", expanding=True))
    )
    async with ready.transaction() as tx:
        with pytest.raises(ValueError, match="made anew"):
            Prepared(several, tuple).asked(tx, {"codes": ["k7"]})
