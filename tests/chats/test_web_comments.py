"""Comments of one's own on moments of finished games, with branches that were tried there."""

from __future__ import annotations

import pytest

from bot.facade.comments import LONGEST_COMMENT
from tests.chats.pages import Json, Page, seated


async def ended(page: Page, table: str) -> None:
    sure = (await page.type("/resign", table))["board"]
    (resign,) = [one for row in sure["rows"] for one in row if one["style"] == "danger"]
    await page.press(table, resign)
    await page.board(table, lambda board: board["over"])


async def written(page: Page, table: str) -> list[Json]:
    return (await page.ask("comments", table=table))["comments"]


async def a_branch(page: Page, table: str) -> str:
    """The steps of a move that can be tried from the beginning of the game."""
    board = (await page.ask("if", table=table, at="0"))["if"]
    buttons = [one for row in board["rows"] for one in row]
    return next(one["code"] for one in buttons if one.get("plays")).removeprefix("if:")


async def test_whoever_writes_on_a_moment_reads_it_again_and_nobody_else_does(at):
    host = await at.first()
    async with host.open() as page:
        table, bruno = await seated(at, page)
        await ended(page, table)
        moves = await a_branch(page, table)
        told = await page.ask(
            "comment", table=table, at="0", line="  Aquí   era\nmejor otra  ", moves=moves
        )
        assert told["good"], told
        mine = [{"number": 0, "text": "Aquí era mejor otra", "moves": moves}]
        assert told["comments"] == await written(page, table) == mine
        tried = await page.ask("if", table=table, at="0", moves=moves)
        assert tried["good"], "the branch can be shown again"
        async with bruno.open() as his:
            await his.board(table)
            assert await written(his, table) == []
        erased = await page.ask("comment", table=table, at="0")
        assert erased["comments"] == []


async def test_what_cannot_be_written_is_refused_in_a_sentence_and_changes_nothing(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        playing = await page.ask("comment", table=table, at="0", line="no")
        assert not playing["good"]
        assert playing["said"].startswith("Aquí no se puede comentar")
        await ended(page, table)
        await page.ask("comment", table=table, at="0", line="sí")
        for wrong in (
            {"at": "99", "line": "más allá"},
            {"at": "-1", "line": "antes"},
            {"at": "", "line": "en ningún sitio"},
            {"at": "0", "line": "x", "moves": "no,such"},
            {"at": "0", "line": "x" * (LONGEST_COMMENT + 1)},
            {"at": "0", "line": "x", "table": "NADA"},
        ):
            told = await page.ask("comment", **{"table": table, **wrong})
            assert not told["good"], wrong
            assert told["said"].endswith("."), wrong
        assert [one["text"] for one in await written(page, table)] == ["sí"]


@pytest.mark.slow
async def test_comments_are_handed_out_and_erased_with_their_writer(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        await ended(page, table)
        await page.ask("comment", table=table, at="0", line="para mí")
        file = (await page.type("/mydata"))["file"]
        status, data = await host.get(f"{host.path}/{file['href']}")
        assert status == 200
        assert "para mí" in data.decode()
