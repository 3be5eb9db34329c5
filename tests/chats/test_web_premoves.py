"""A move chosen while the other is to move: what the server says is meant by pointing."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from games.shogi.sfen import SQUARE_NAMES
from tests.chats.pages import Json, Page, server


@asynccontextmanager
async def waiting(at, game: str) -> AsyncIterator[tuple[Page, Page, str]]:
    """Whoever waits at a table of *game*, whoever is to move there, and its code."""
    host = await at.first()
    async with host.open() as page:
        table = (await page.type(f"/play {game}"))["open"]
        guest = await at.guest(page, table)
        async with guest.open() as other:
            for one in (page, other):
                await one.board(table, lambda board: board["picture"] and not board["open"])
            pages = (page, other) if other.boards[table]["mine"] else (other, page)
            yield (*pages, table)


async def plan(page: Page, table: str, x: float, y: float, path: str = "") -> Json | None:
    return (await page.ask("plan", table=table, path=path, at=f"{x:.4f},{y:.4f}"))["plan"]


async def test_a_piece_and_where_it_goes_are_a_move_for_later(at):
    async with waiting(at, "shogi") as (page, mover, table):
        found: dict[str, tuple[float, float]] = {}
        for number in range(9):
            x, y = 0.5, (number + 1.5) / 12
            one = await plan(page, table, x, y)
            if one is not None:
                found[one["step"]] = (x, y)
        # In the middle stand king and pawn; nobody plans the other's pieces.
        assert 1 <= len(found) <= 2
        assert set(found) <= set(SQUARE_NAMES)
        pawn = min(found, key=lambda step: found[step][1])
        x, y = found[pawn]
        whole = await plan(page, table, x, y - 0.1, pawn)
        assert whole is not None
        assert whole["typed"].startswith(pawn)
        before = page.boards[table]["version"]
        assert await plan(mover, table, x, y) is None, "who is to move plays"
        await mover.type("7g7f", table)
        await page.board(table, lambda board: board["mine"] and board["version"] > before)
        assert (await page.type(whole["typed"], table))["good"]


@pytest.mark.slow
async def test_an_empty_sat_of_cirya_is_a_move_for_later(at):
    async with waiting(at, "cirya") as (page, _, table):
        one = await plan(page, table, 0.5, 0.5)
        assert one is not None
        assert one["typed"] == one["step"]


@pytest.mark.slow
async def test_what_nobody_can_foresee_is_not_planned(at):
    async with waiting(at, "niya") as (page, _, table):
        assert await plan(page, table, 0.3, 0.3) is None


@pytest.mark.slow
async def test_a_hint_comes_with_the_places_on_the_board_that_it_is_about(tmp_path):
    async with server(tmp_path) as at:
        host = await at.first()
        async with host.open() as page:
            table = (await page.type("/play shogi opponent=computer level=1 side=sente hints=on"))[
                "open"
            ]
            board = await page.board(table, lambda board: board["mine"])
            answer = await page.ask("call", line="/hint", table=table)
            named = set(re.findall(r"\b[1-9][a-i]\b", answer["said"]))
            assert len(named) >= 2, "from where, and to where"
            assert {mark["step"] for mark in answer["marks"]} == named
            stands = {spot["step"] for spot in board["spots"]}
            assert stands & {mark["step"] for mark in answer["marks"]}
            asked = await page.ask("call", line="/ask what is on 7g", table=table)
            assert [mark["step"] for mark in asked["marks"]] == ["7g"]
            asked = await page.ask("call", line="/ask what is on 99", table=table)
            assert asked.get("marks", []) == []
