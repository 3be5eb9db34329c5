"""Games, seats and events, on a real file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from storage import Store
from storage.errors import Conflict
from storage.person import people
from storage.records import FaultRow, GameLine, SeatLine, SeatRow, Standing, Status
from storage.store import Transaction
from storage.table import deadlines, games
from tests.storage.rows import (
    ENDED,
    NOON,
    PLAYING,
    add_game,
    add_view,
    event,
    game,
    later,
    seats,
    seats_of,
)


async def test_a_game_comes_back_as_it_was_created(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        await games.create_game(tx, game(version=2), [event(1), event(2, "á ñ 角")], seats(ana.id))
    async with store.reading() as tx:
        assert await games.load_game(tx, "k7") == game(version=2)
        assert await games.load_events(tx, "k7") == (event(1), event(2, "á ñ 角"))
        assert await seats_of(tx, "k7") == seats(ana.id)


async def test_a_game_that_is_not_there_is_none(store: Store) -> None:
    async with store.reading() as tx:
        assert await games.load_game(tx, "k7") is None
        assert await games.load_events(tx, "k7") == ()
        assert await seats_of(tx, "k7") == ()
        assert await games.load_game(tx, "k7") is None


async def test_a_created_game_exists(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        assert await games.load_game(tx, "k7") is not None
        assert await games.load_game(tx, "K7") is None


async def test_a_code_that_is_taken_is_a_conflict_and_leaves_the_first_game(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7", version=1)
    with pytest.raises(Conflict, match="k7"):
        async with store.transaction() as tx:
            await add_game(tx, "k7", version=3)
    async with store.reading() as tx:
        assert await games.load_events(tx, "k7") == (event(1),)


async def test_a_rematch_names_its_parent(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await games.create_game(tx, replace(game("k8", version=0), parent="k7"), [], [])
        again = await games.load_game(tx, "k8")
    assert again is not None
    assert again.parent == "k7"


@pytest.mark.parametrize("numbers", [[2], [1, 3], [1, 1], [2, 1]])
async def test_the_events_of_a_new_game_are_numbered_from_one(
    store: Store, numbers: list[int]
) -> None:
    with pytest.raises(ValueError, match="event"):
        async with store.transaction() as tx:
            await games.create_game(
                tx, game(version=len(numbers)), [event(number) for number in numbers], []
            )


async def test_the_version_of_a_new_game_is_the_number_of_its_last_event(store: Store) -> None:
    with pytest.raises(ValueError, match="version 2"):
        async with store.transaction() as tx:
            await games.create_game(tx, game(version=2), [event(1)], [])


async def test_appending_moves_the_version_and_how_it_stands(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    async with store.transaction() as tx:
        await games.append_events(tx, "k7", 1, [event(2), event(3)], standing=ENDED, at=later(9))
    async with store.reading() as tx:
        assert await games.load_game(tx, "k7") == replace(
            game(), version=3, status="ended", touched=later(9)
        )
        assert await games.load_events(tx, "k7") == (event(1), event(2), event(3))


async def test_appending_touches_no_other_game(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await add_game(tx, "k8")
        await games.append_events(tx, "k7", 1, [event(2)], standing=ENDED, at=later(9))
        assert await games.load_game(tx, "k8") == game("k8")
        assert await games.load_events(tx, "k8") == (event(1),)


@pytest.mark.parametrize(("code", "version"), [("k7", 0), ("k7", 2), ("k8", 1)])
async def test_appending_at_another_version_or_game_is_a_conflict(
    store: Store, code: str, version: int
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    with pytest.raises(Conflict):
        async with store.transaction() as tx:
            await games.append_events(
                tx, code, version, [event(version + 1)], standing=PLAYING, at=NOON
            )
    async with store.reading() as tx:
        assert await games.load_game(tx, "k7") == game()


async def test_appended_events_follow_the_expected_version(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    with pytest.raises(ValueError, match="event 3 stands where 2 belongs"):
        async with store.transaction() as tx:
            await games.append_events(tx, "k7", 1, [event(3)], standing=PLAYING, at=NOON)


@pytest.mark.parametrize("round_", range(5))
async def test_of_eight_appends_at_one_version_exactly_one_succeeds(
    store: Store, round_: int
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)

    async def click(finger: int) -> None:
        async with store.transaction() as tx:
            move = event(2, f"b{finger}")
            await games.append_events(tx, "k7", 1, [move], standing=PLAYING, at=NOON)

    outcomes = await asyncio.gather(*map(click, range(8)), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict"] * 7 + ["NoneType"]
    async with store.reading() as tx:
        accepted = await games.load_events(tx, "k7")
    assert [move.text for move in accepted] == ["b3", f"b{outcomes.index(None)}"]


async def test_setting_seats_replaces_them(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        await games.replace_seats(tx, "k7", [SeatRow(1, None, 4, "white", 1)])
        assert await seats_of(tx, "k7") == (SeatRow(1, None, 4, "white", 1),)


async def test_a_published_secret_is_gone_and_no_other(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "k7")
        await add_game(tx, "k8")
        told = {"standing": PLAYING, "at": NOON, "publishes": True}
        await games.append_events(tx, "k7", 1, [event(2)], **told)
        published = await games.load_game(tx, "k7")
        assert published is not None
        assert published == replace(game("k7"), secret=None, version=2, touched=published.touched)
        assert await games.load_game(tx, "k8") == game("k8")


async def test_a_new_game_and_an_append_say_who_is_to_move(store: Store) -> None:
    async with store.transaction() as tx:
        await games.create_game(
            tx, replace(game(), to_move=(0, 1), computer=True), [event(1)], seats()
        )
        assert await games.games_awaiting_computer(tx) == ("k7",)
        await games.append_events(
            tx, "k7", 1, [event(2)], standing=Standing("playing", (2,)), at=NOON
        )
        assert await games.games_awaiting_computer(tx) == ()
        assert await games.load_game(tx, "k7") == replace(game(version=2), to_move=(2,))


async def seated(tx: Transaction, codes: str, platform: str = "telegram") -> int:
    """Games of these letters where Ana sits, each shown in the place -1."""
    ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
    for code in codes:
        await add_game(tx, code, person=ana.id)
        await add_view(tx, code, place="-1", message=code, platform=platform)
    return ana.id


async def over(tx: Transaction, code: str, at: float, status: Status = "ended") -> None:
    await games.append_events(tx, code, 1, [event(2)], standing=Standing(status), at=later(at))


def codes_of(lines: Sequence[GameLine]) -> list[str]:
    return [line.code for line in lines]


@pytest.mark.parametrize("by_place", [False, True])
async def test_the_living_are_listed_first_then_those_that_were_over_last(
    store: Store, by_place: bool
) -> None:
    async with store.transaction() as tx:
        ana = await seated(tx, "abcdefg")
        of: Any = {"place": ("telegram", "-1")} if by_place else {"person": ana}
        await games.append_events(tx, "f", 1, [event(2)], standing=PLAYING, at=later(9))
        await over(tx, "b", 20)
        await over(tx, "d", 30)
        await over(tx, "a", 10)
        await over(tx, "g", 40, "closed")
        listed = {
            statuses: codes_of(await games.list_games(tx, statuses, 10, **of))
            for statuses in (("open", "playing", "ended"), ("playing",), ("open",), ("ended",))
        }
        few = codes_of(await games.list_games(tx, ("playing", "ended"), 4, **of))
        one = codes_of(await games.list_games(tx, ("ended",), 1, **of))
    assert list(listed.values()) == [[*"fcedba"], [*"fce"], [], [*"dba"]]
    assert few == [*"fced"]
    assert one == ["d"]


async def test_a_game_that_lives_again_is_listed_with_the_living(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await seated(tx, "a")
        await over(tx, "a", 1)
        await games.append_events(tx, "a", 2, [event(3)], standing=PLAYING, at=later(2))
        for of in ({"person": ana}, {"place": ("telegram", "-1")}):
            assert codes_of(await games.list_games(tx, ("playing",), 9, **of)) == ["a"]
            assert await games.list_games(tx, ("ended",), 9, **of) == ()


async def test_what_happens_after_the_end_does_not_make_it_newer(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await seated(tx, "ab")
        await over(tx, "a", 1)
        await over(tx, "b", 2)
        await games.append_events(tx, "a", 2, [event(3)], standing=ENDED, at=later(3))
        assert codes_of(await games.list_games(tx, ("ended",), 9, person=ana)) == ["b", "a"]


async def test_a_view_and_seats_made_after_the_end_know_it(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await seated(tx, "a")
        await over(tx, "a", 1)
        await add_view(tx, "a", place="-2")
        await games.replace_seats(tx, "a", seats(ana))
        for of in ({"person": ana}, {"place": ("telegram", "-2")}):
            assert codes_of(await games.list_games(tx, ("ended",), 9, **of)) == ["a"]
            assert await games.list_games(tx, ("playing",), 9, **of) == ()


async def test_a_line_says_who_sits_where_and_who_is_to_move(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await seated(tx, "a")
        await games.append_events(
            tx, "a", 1, [event(2)], standing=Standing("playing", (0,)), at=NOON
        )
        (line,) = await games.list_games(tx, ("playing",), 9, person=ana)
    assert line == GameLine(
        code="a",
        game="niya",
        status="playing",
        touched=NOON,
        to_move=(0,),
        match="",
        seats=(SeatLine(0, ana, "Ana", None, "black"), SeatLine(1, None, "", 2, "white")),
        fault=None,
    )
    assert line.moves(ana)


async def test_who_sits_on_both_sides_has_the_game_once(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await seated(tx, "ab")
        both = [SeatRow(0, ana, None, "black", None), SeatRow(1, ana, None, "white", None)]
        for code in "ab":
            await games.replace_seats(tx, code, both)
        await over(tx, "b", 1)
        assert codes_of(await games.list_games(tx, ("playing", "ended"), 9, person=ana)) == [
            "a",
            "b",
        ]


async def test_a_game_shown_twice_in_a_place_is_listed_there_once(store: Store) -> None:
    async with store.transaction() as tx:
        for code in "abc":
            await add_game(tx, code)
        await add_view(tx, "a", place="-1", message="1")
        await add_view(tx, "a", place="-1", message="2")
        await add_view(tx, "b", place="-2")
        await add_view(tx, "c", place="-1", platform="discord")
        assert codes_of(await games.list_games(tx, ("playing",), 9, place=("telegram", "-1"))) == [
            "a"
        ]
        await over(tx, "a", 1)
        assert codes_of(await games.list_games(tx, ("ended",), 9, place=("telegram", "-1"))) == [
            "a"
        ]


async def test_the_games_of_a_person_in_a_place_are_in_both(store: Store) -> None:
    async with store.transaction() as tx:
        ana = await seated(tx, "abc")
        await add_game(tx, "d")
        await add_view(tx, "d", place="-1")
        await add_game(tx, "e", person=ana)
        await add_view(tx, "e", place="-2")
        await over(tx, "b", 1)
        both = await games.list_games(
            tx, ("playing", "ended"), 9, person=ana, place=("telegram", "-1")
        )
        assert codes_of(both) == ["a", "c", "b"]


async def test_a_game_set_aside_says_why_and_asks_nobody(store: Store) -> None:
    fault = FaultRow("a", 7, "move 'Zz': I know no such square", later(5))
    async with store.transaction() as tx:
        await games.create_game(
            tx, replace(game("a"), to_move=(1,), computer=True), [event(1)], seats()
        )
        await deadlines.set_deadline(tx, "a", "set-up", 1, NOON)
        await games.set_game_aside(tx, replace(fault, event=None, why="first"))
        await games.set_game_aside(tx, fault)
        (line,) = await games.load_game_lines(tx, ["a"])
        assert (line.fault, line.to_move) == (fault, ())
        assert await games.games_set_aside(tx) == (fault,)
        assert await games.games_awaiting_computer(tx) == ()
        assert await deadlines.due_deadlines(tx, later(9)) == ()


async def test_a_game_that_can_be_read_again_is_as_if_it_had_never_been_set_aside(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        await add_game(tx, "a")
        await deadlines.set_deadline(tx, "a", "set-up", 1, NOON)
        await games.set_game_aside(tx, FaultRow("a", None, "why", NOON))
        await games.set_standing(tx, "a", 1, "niya", NOON, Standing("playing", (1,), computer=True))
        assert await games.games_set_aside(tx) == ()
        assert await games.games_awaiting_computer(tx) == ("a",)
        assert len(await deadlines.due_deadlines(tx, NOON)) == 1


async def test_the_events_after_a_version_are_read_alone(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx, version=5)
        assert await games.load_events(tx, "k7", after=3) == (event(4), event(5))
