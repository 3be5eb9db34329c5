"""What if, as the page asks for it."""

from __future__ import annotations

import pytest

from tests.chats.pages import seated, server
from tests.chats.test_web_talk import sure


@pytest.fixture
async def at(tmp_path):
    async with server(tmp_path) as running:
        yield running


async def test_a_card_that_was_not_taken_is_tried_once_the_game_is_over(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        assert not (await page.ask("if", table=table, at="0"))["good"], "it is still played"
        await page.press(table, sure(await page.type("/resign", table)))
        over = await page.board(table, lambda board: board["over"])
        begun = (await page.ask("if", table=table, at=str(over["count"])))["if"]
        spot = begun["spots"][0]["step"]
        then = (await page.ask("if", table=table, at=str(over["count"]), moves=spot))["if"]
        assert then["picture"] != begun["picture"]
        assert spot not in [one["step"] for one in then["spots"]]
        status, _ = await host.get(f"{host.path}/{then['picture']}")
        assert status == 200
        assert (await page.board(table))["count"] == over["count"], "nothing of it is kept"
        for wrong in ("999", "x", "", "1" * 16):
            assert not (await page.ask("if", table=table, at=wrong))["good"]


async def test_of_a_table_that_is_not_on_the_page_nothing_is_told(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        await page.press(table, sure(await page.type("/resign", table)))
        await page.board(table, lambda board: board["over"])
        own = (await page.type("/play cirya"))["open"]
        eva = await at.guest(page, own, "Eva")
        async with eva.open() as other:
            assert not (await other.ask("if", table=table, at="0"))["good"]
