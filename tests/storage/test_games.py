"""Games, seats and events, on a real file."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from storage import Conflict, Store, games, people
from storage.records import SeatRow
from tests.storage.rows import NOON, add_game, add_view, event, game, later, seats


async def test_a_game_comes_back_as_it_was_created(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await people.person_of(tx, "telegram", "1", "Ana", NOON)
        await games.create(tx, game(version=2), [event(1), event(2, "á ñ 角")], seats(ana.id))
    async with store.reading() as tx:
        assert await games.load(tx, "k7") == game(version=2)
        assert await games.events(tx, "k7") == (event(1), event(2, "á ñ 角"))
        assert await games.seats(tx, "k7") == seats(ana.id)


async def test_a_game_that_is_not_there_is_none(store: Store) -> None:
    async with store.reading() as tx:
        assert await games.load(tx, "k7") is None
        assert await games.events(tx, "k7") == ()
        assert await games.seats(tx, "k7") == ()
        assert not await games.exists(tx, "k7")


async def test_a_created_game_exists(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        assert await games.exists(tx, "k7")
        assert not await games.exists(tx, "K7")


async def test_a_code_that_is_taken_is_a_conflict_and_leaves_the_first_game(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7", version=1)
    with pytest.raises(Conflict, match="k7"):
        async with store.transaction() as tx:
            await add_game(tx, "k7", version=3)
    async with store.reading() as tx:
        assert await games.events(tx, "k7") == (event(1),)


async def test_a_rematch_names_its_parent(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await games.create(tx, replace(game("k8", version=0), parent="k7"), [], [])
        again = await games.load(tx, "k8")
    assert again is not None
    assert again.parent == "k7"


@pytest.mark.parametrize("numbers", [[2], [1, 3], [1, 1], [2, 1]])
async def test_the_events_of_a_new_game_are_numbered_from_one(
    store: Store, numbers: list[int]
) -> None:
    with pytest.raises(ValueError, match="event"):
        async with store.transaction() as tx:
            await games.create(
                tx, game(version=len(numbers)), [event(number) for number in numbers], []
            )


async def test_the_version_of_a_new_game_is_the_number_of_its_last_event(store: Store) -> None:
    with pytest.raises(ValueError, match="version 2"):
        async with store.transaction() as tx:
            await games.create(tx, game(version=2), [event(1)], [])


async def test_appending_moves_the_version_and_the_summary(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    async with store.transaction() as tx:
        await games.append(
            tx, "k7", 1, [event(2), event(3)], status="ended", summary="Ana wins", at=later(9)
        )
    async with store.reading() as tx:
        assert await games.load(tx, "k7") == replace(
            game(), version=3, status="ended", summary="Ana wins", touched=later(9)
        )
        assert await games.events(tx, "k7") == (event(1), event(2), event(3))


async def test_appending_touches_no_other_game(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await add_game(tx, "k8")
        await games.append(tx, "k7", 1, [event(2)], status="ended", summary="", at=later(9))
        assert await games.load(tx, "k8") == game("k8")
        assert await games.events(tx, "k8") == (event(1),)


@pytest.mark.parametrize(("code", "version"), [("k7", 0), ("k7", 2), ("k8", 1)])
async def test_appending_at_another_version_or_game_is_a_conflict(
    store: Store, code: str, version: int
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    with pytest.raises(Conflict):
        async with store.transaction() as tx:
            await games.append(
                tx, code, version, [event(version + 1)], status="playing", summary="", at=NOON
            )
    async with store.reading() as tx:
        assert await games.load(tx, "k7") == game()


async def test_appended_events_follow_the_expected_version(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    with pytest.raises(ValueError, match="event 3 stands where 2 belongs"):
        async with store.transaction() as tx:
            await games.append(tx, "k7", 1, [event(3)], status="playing", summary="", at=NOON)


@pytest.mark.parametrize("round_", range(5))
async def test_of_eight_appends_at_one_version_exactly_one_succeeds(
    store: Store, round_: int
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)

    async def click(finger: int) -> None:
        async with store.transaction() as tx:
            move = event(2, f"b{finger}")
            await games.append(tx, "k7", 1, [move], status="playing", summary="", at=NOON)

    outcomes = await asyncio.gather(*map(click, range(8)), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict"] * 7 + ["NoneType"]
    async with store.reading() as tx:
        accepted = await games.events(tx, "k7")
    assert [move.text for move in accepted] == ["b3", f"b{outcomes.index(None)}"]


async def test_setting_seats_replaces_them(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        await games.set_seats(tx, "k7", [SeatRow(1, None, 4, "white", 1)])
        assert await games.seats(tx, "k7") == (SeatRow(1, None, 4, "white", 1),)


async def test_a_cleared_secret_is_gone_and_nothing_else(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await add_game(tx, "k8")
        await games.clear_secret(tx, "k7")
        assert await games.load(tx, "k7") == replace(game("k7"), secret=None)
        assert await games.load(tx, "k8") == game("k8")


async def test_the_games_of_a_person_are_those_where_they_sit_the_last_touched_first(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        ana = await people.person_of(tx, "telegram", "1", "Ana", NOON)
        bea = await people.person_of(tx, "telegram", "2", "Bea", NOON)
        for code, person in (("a", ana), ("b", ana), ("c", bea), ("d", ana)):
            await add_game(tx, code, person=person.id)
        await games.append(tx, "a", 1, [event(2)], status="playing", summary="", at=later(9))
        await games.append(tx, "d", 1, [event(2)], status="ended", summary="", at=later(8))
        living = await games.of_person(tx, ana.id, statuses=("open", "playing"))
        over = await games.of_person(tx, ana.id, statuses=("ended",))
    assert [row.code for row in living] == ["a", "b"]
    assert [row.code for row in over] == ["d"]


async def test_who_sits_on_both_sides_has_the_game_once(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await people.person_of(tx, "telegram", "1", "Ana", NOON)
        await add_game(tx)
        both = [SeatRow(0, ana.id, None, "black", None), SeatRow(1, ana.id, None, "white", None)]
        await games.set_seats(tx, "k7", both)
        assert len(await games.of_person(tx, ana.id, statuses=("playing",))) == 1


async def test_the_games_of_a_place_are_those_shown_there(store: Store) -> None:
    async with store.transaction() as tx:
        for code in ("a", "b", "c"):
            await add_game(tx, code)
        await add_view(tx, "a", place="-1", message="1")
        await add_view(tx, "a", place="-1", message="2")
        await add_view(tx, "b", place="-2")
        await add_view(tx, "c", place="-1", platform="discord")
        here = await games.in_place(tx, "telegram", "-1", ("playing",))
        assert [row.code for row in here] == ["a"]
        assert await games.in_place(tx, "telegram", "-1", ("ended",)) == ()


async def test_after_a_restart_all_open_and_playing_games_are_named(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "a", status="open")
        await add_game(tx, "b", status="playing")
        await add_game(tx, "c", status="ended")
        await add_game(tx, "d", status="closed")
        assert await games.playing(tx) == ("a", "b")
