"""Several processes on one database: any of them serves any page, one keeps each chat."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.port import Command, Press, Shown
from bot.service import request_rate_limits
from bot.service.request_rate_limits import LimitVerdict
from storage import Store
from storage.database import postgresql
from storage.errors import SecondProcess
from storage.table import views
from tests import postgres
from tests.chats.fleets import at, killed, process, until
from tests.chats.pages import Page
from tests.fakes import FakeChat, Where, person

pytestmark = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)

GROUP = Where("fake", "group")
NEREA, BRUNO = person("Nerea"), person("Bruno")


async def mover(table: str, pages: list[Page]) -> Page:
    """The page on which somebody is to move."""
    for page in pages:
        await page.board(table, lambda board: "Bruno" in str(board))
    found = [page for page in pages if page.moves(table)]
    assert len(found) == 1
    return found[0]


@pytest.mark.slow
async def test_two_play_by_two_processes_and_each_sees_the_other_move(address: str) -> None:
    async with process(address) as one, process(address) as two:
        nerea = await one.first()
        async with nerea.open() as host:
            table = (await host.type("/play niya"))["open"]
            bruno = at(two, await one.guest(host, table))
            async with bruno.open() as guest:
                pages = [host, guest]
                for _ in range(4):
                    moving = await mover(table, pages)
                    before = moving.boards[table]["version"]
                    answer = await moving.press(table, moving.moves(table)[0])
                    assert answer["good"], answer
                    for page in pages:
                        await page.board(table, lambda b, v=before: b["version"] > v)


@pytest.mark.slow
async def test_what_another_process_notes_as_shown_is_shown_by_the_one_whose_page_is_behind(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(address) as one, process(address) as two:
        nerea = await one.first()
        async with nerea.open() as host:
            table = (await host.type("/play niya"))["open"]
            async with at(two, await one.guest(host, table)).open() as guest:
                await guest.board(table, lambda board: "Bruno" in str(board))
                if await mover(table, [host, guest]) is guest:
                    await guest.press(table, guest.moves(table)[0])
                    await host.board(table, lambda _: host.moves(table))
                shown, begun, on = two.chat.show, asyncio.Event(), asyncio.Event()

                async def slowly(*what: Any) -> Shown:
                    begun.set()
                    await on.wait()
                    return await shown(*what)

                monkeypatch.setattr(two.chat, "show", slowly)
                assert (await host.press(table, host.moves(table)[0]))["good"]
                await begun.wait()
                present = await two.facade.services.tables.get(table)
                (seat,) = present.actors()
                move = present.present.legal_moves(seat)[0]
                typed = present.game.notation.written(present.present, move)
                assert (await guest.type(f"/move {typed}"))["good"]
                version = (await two.facade.services.tables.get(table)).version
                while any(
                    view.shown < version
                    for view in await one.facade.store.read(views.views_of_game, table)
                ):
                    await asyncio.sleep(0.02)
                on.set()
                await guest.board(table, lambda board: board["version"] == version)


@pytest.mark.slow
async def test_one_process_keeps_a_chat_and_another_takes_it_over_when_it_leaves(
    address: str,
) -> None:
    first, second = FakeChat(), FakeChat()
    async with process(address, second) as two, process(address, first) as one:
        assert two.facade.services.ownership.keeps("fake")
        assert not one.facade.services.ownership.keeps("fake")
        # Changed by the one that does not keep the chat, shown by the one that does.
        await one.facade.requests.call(Command("u1", GROUP, NEREA, "play", {"game": "niya"}))
        await until(lambda: second.messages)
        assert not first.messages
        await two.facade.stop()
        await until(lambda: one.facade.services.ownership.keeps("fake"))
        (board,) = second.messages.values()
        first.messages[board.id] = board
        join = board.screen.rows[0][0]
        answer = await one.facade.requests.press(Press("u2", GROUP, BRUNO, join.code, board.id))
        assert answer.good
        await until(lambda: first.messages[board.id].edits)


@pytest.mark.slow
async def test_whoever_does_not_keep_a_chat_does_not_sound_its_alarm(address: str) -> None:
    first, second = FakeChat(), FakeChat()
    async with process(address, first) as one, process(address, second) as two:
        assert one.facade.process_duties.connections() == {"fake": True, "web": True}
        assert two.facade.process_duties.connections() == {"web": True}
        assert set(one.facade.fleet.wanted) == {"chat:web", "chat:fake", "clock"}
        for lease in one.facade.fleet.wanted:
            assert one.facade.fleet.holds(lease)
            assert not two.facade.fleet.holds(lease)


async def test_what_a_killed_process_owes_another_shows(address: str) -> None:
    first, second = FakeChat(), FakeChat()
    async with process(address, first) as one, process(address, second) as two:
        assert one.facade.services.ownership.keeps("fake")
        one.facade.chats.clear()  # it dies before it shows anything
        await one.facade.requests.call(Command("u1", GROUP, NEREA, "play", {"game": "niya"}))
        await killed(one)
        await until(lambda: second.messages)
        assert two.facade.services.ownership.keeps("fake")
        assert two.facade.services.ownership.keeps("web")


@pytest.mark.slow
async def test_whoever_is_taken_for_dead_gives_up(address: str) -> None:
    async with process(address) as one, process(address):
        postgres.spoken_in(address, f"DELETE FROM process WHERE number = {one.facade.fleet.number}")
        async with asyncio.timeout(60):
            wrong = await one.facade.failures.get()
        assert "taken for dead" in str(wrong)


@pytest.mark.slow
async def test_whoever_needs_the_database_alone_is_refused_beside_others(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "LEASE_SECONDS", 1)
    async with process(address):
        with pytest.raises(SecondProcess):
            await Store.open(address)


@pytest.mark.slow
async def test_the_steady_time_is_the_same_in_every_process(address: str) -> None:
    async with process(address) as one:
        one.facade.services.clock.steady.go_on(
            one.facade.services.clock.steady().replace(year=2031)
        )
        async with one.facade.store.transaction() as tx:
            await one.facade.services.heartbeat.alive(tx)
        async with process(address) as two:
            apart = two.facade.services.clock.steady() - one.facade.services.clock.steady()
            assert abs(apart.total_seconds()) < 5


@pytest.mark.slow
async def test_a_name_that_changes_by_one_process_is_known_by_the_other(address: str) -> None:
    async with process(address) as one, process(address) as two:
        first = await one.facade.services.people.of(NEREA)
        assert (await two.facade.services.people.of(NEREA)).id == first.id
        await one.facade.services.people.set_language(first, "en")

        async def language() -> str | None:
            return (await two.facade.services.people.of(NEREA)).language

        async with asyncio.timeout(60):
            while await language() != "en":
                await asyncio.sleep(0.02)


async def test_who_asks_two_processes_may_ask_no_more_than_of_one(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_rate_limits, "OTHERS", ((3, 3600.0),))
    alone = Where("web", "of-eva", private=True)
    eva = person("Eva", "web")
    async with process(address) as one, process(address) as two:
        for _ in range(3):
            assert await one.facade.requests.limits.judge(eva, alone) is LimitVerdict.TAKEN
        limiter = two.facade.requests.limits._persons.at(
            ("web", eva.external, "False"), request_rate_limits.OTHERS
        )
        await until(lambda: limiter.wait() > 0)
        assert await two.facade.requests.limits.judge(eva, alone) is LimitVerdict.REFUSED


@pytest.mark.sampled
@pytest.mark.parametrize("turns", range(4))
async def test_a_process_that_hears_something_while_it_leaves_leaves(
    address: str, turns: int
) -> None:
    async with process(address) as one:
        fleet = one.facade.store.cluster
        await asyncio.sleep(0.1)  # It waits for its next beat by now.
        fleet._beat_now.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        await fleet.leave()
        await asyncio.sleep(0.1)
        going_on = [task.get_coro().__qualname__ for task in asyncio.all_tasks()]
        assert "Members._live_on" not in going_on
