"""What helps a newcomer on a page: the coach, and where the refusal of a move leads."""

from __future__ import annotations

import re
from itertools import product

import pytest

from bot.port import Asker
from bot.texts import language
from games.core import CHANCE, phrase, read_move
from games.core.shelf import shelf
from tests.chats.pages import Json, Page, Visitor, guest_of, named, seated


async def told(page: Page, table: str) -> Json:
    """What the coach says at *table*."""
    answer = await page.ask("coach", table=table)
    assert answer["good"], answer
    return answer


async def mine(page: Page, table: str) -> Json:
    """The board of *table*, as soon as its reader is to move, or it is over."""
    return await page.board(table, lambda board: board["mine"] or board["over"])


async def opened(page: Page, game: str = "niya", more: str = "") -> str:
    line = f"/play game={game} opponent=computer level=1 {more}"
    table: str = (await page.type(line))["open"]
    await mine(page, table)
    return table


async def advised(at, table: str) -> str:
    """The best move of who is to move, as the log would have it."""
    found = await at.facade.services.tables.get(table)
    (seat,) = found.actors()
    opinion = await at.facade.boards.coach.advice.hint(found, seat)
    return opinion.move


async def play(page: Page, table: str, move: str) -> None:
    before = page.boards[table]["version"]
    assert (await page.type(f"/move {move}", table))["good"]
    await page.board(table, lambda board: board["version"] > before)
    await mine(page, table)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", shelf())
async def test_at_the_first_move_it_says_what_the_game_asks_for_and_rings_one_place(at, game):
    host = await at.first()
    async with host.open() as page:
        side = shelf()[game].rules.sides[0]
        begins = f"begins={side}" if side in shelf()[game].rules.begins else ""
        table = await opened(page, game, f"side={side} {begins}")
        assert page.boards[table]["coached"]
        answer = await told(page, table)
        assert len(answer["marks"]) <= 1
        log = (await at.facade.services.tables.get(table)).log
        begins = all(one.seat == CHANCE for one in log)
        # Where a roll says who begins, or both lay out at once, the computer may have been first.
        assert begins or game in ("parchis", "storilljudhjorrayc")
        if begins:
            assert answer["said"] == language("es").say(phrase(f"{game}.first-step"))


async def test_it_names_the_move_that_is_best_now_with_one_ring(at):
    host = await at.first()
    async with host.open() as page:
        table = await opened(page, more="side=red begins=red")
        await play(page, table, page.moves(table)[0]["step"])
        said = set()
        while not page.boards[table]["over"] and len(said) < 2:
            best, answer = await advised(at, table), await told(page, table)
            found = await at.facade.services.tables.get(table)
            move = read_move(found.game, found.position, 0, best)
            words = language("es").say(found.game.speech.spoken(found.position, move))
            assert words in answer["said"]
            where, cells = (await guest_of(at, host)).where, found.game.menus.steps
            ring = await at.facade.pages.cells(where, table, cells(found.position, move))
            assert answer["marks"] == [vars(one) for one in ring[:1]]
            said.add(answer["said"])
            worse = [one["step"] for one in page.moves(table) if one["step"] != best]
            await play(page, table, (worse or [best])[0])


async def test_it_is_silent_after_three_right_answers_for_good(at):
    host = await at.first()
    async with host.open() as page:
        right = 0
        while right < 3:
            table = await opened(page, more="side=red begins=red")
            while right < 3 and not page.boards[table]["over"]:
                assert page.boards[table]["coached"]
                await told(page, table)
                counted = len(page.moves(table)) > 1
                await play(page, table, await advised(at, table))
                right += counted and not page.boards[table]["over"]
        assert (await told(page, table))["said"] == ""
        other = await opened(page, more="side=red begins=red")
        assert not page.boards[other]["coached"]
        cirya = await opened(page, "cirya")
        assert page.boards[cirya]["coached"], "each kind of game has its own three"


async def test_a_wrong_answer_is_not_counted(at):
    host = await at.first()
    async with host.open() as page:
        me = (await at.facade.services.people.of((await guest_of(at, host)).asker)).id
        table = await opened(page, more="side=red begins=red")
        best = await advised(at, table)
        await told(page, table)
        await play(page, table, next(m["step"] for m in page.moves(table) if m["step"] != best))
        await told(page, table)
        assert (await at.facade.services.people.personal(me)).coached == ()


async def test_in_the_fourth_game_of_a_kind_it_is_silent(at):
    host = await at.first()
    async with host.open() as page:
        coached = []
        for _ in range(4):
            table = await opened(page, more="side=red begins=red")
            coached.append(page.boards[table]["coached"])
        assert coached == [True, True, True, False]
        assert (await told(page, table))["said"] == ""


async def test_between_people_it_speaks_where_both_took_hints_and_to_who_is_to_move(at):
    host = await at.first()
    async with host.open() as page:
        for hints in (False, True):
            line = "/play niya hints=on" if hints else "/play niya"
            table = (await page.type(line))["open"]
            guest = await at.guest(page, table, "Bruno" if hints else "Carla")
            async with guest.open() as other:
                boards = [await one.board(table, lambda b: not b["open"]) for one in (page, other)]
                assert [one["coached"] for one in boards] == [b["mine"] and hints for b in boards]
                for one, board in zip((page, other), boards, strict=True):
                    said = (await told(one, table))["said"]
                    assert bool(said) is (board["mine"] and hints)


async def test_in_a_rated_game_and_beside_one_of_the_kind_it_is_silent(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya rated=yes"))["open"]
        guest = Visitor(at)
        assert await guest.enter((await page.ask("invite", table=table))["link"]) == 200
        asker = (await guest_of(at, guest)).asker
        await at.facade.requests.join(Asker("discord", "1", "Bruno"), asker)
        await named(guest, "Bruno")
        assert (await at.facade.services.tables.get(table)).rated
        casual = await opened(page, more="side=red begins=red")
        board = await page.board(table, lambda board: not board["open"])
        assert not board["coached"]
        for one in (table, casual):
            assert (await told(page, one))["said"] == ""


async def test_who_looks_on_or_knows_the_code_alone_hears_nothing(at):
    host = await at.first()
    async with host.open() as page:
        table = await opened(page, more="side=red begins=red")
        _, guest = await seated(at, page)
        async with guest.open() as other:
            assert (await told(other, table))["said"] == ""
            assert (await told(other, "ZZZZZZ"))["said"] == ""


async def test_a_refusal_leads_to_the_step_of_the_course_that_teaches_the_rule(at):
    host = await at.first()
    async with host.open() as page:
        table = await opened(page, more="side=red begins=red")
        assert "leads" not in await page.ask("point", table=table, at="2,2")
        found = []
        for rule in ("borde", "color"):
            for x, y in product((0.2, 0.4, 0.6, 0.8), repeat=2):
                refused = await page.ask("point", table=table, at=f"{x},{y}")
                if rule in refused["said"] and "leads" in refused:
                    break
            step = (await page.ask("press", code=refused["leads"]["code"]))["card"]
            found.append((refused["leads"]["label"], step["headline"]))
            await play(page, table, page.moves(table)[0]["step"])
        assert [label for label, _ in found] == ["Aprenderlo: paso 1", "Aprenderlo: paso 2"]
        assert [re.search(r"paso (\d+) de", headline)[1] for _, headline in found] == ["1", "2"]
