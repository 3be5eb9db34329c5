"""The smallest game, ``examples/ludoteca-tres``, played to its end in the three chats.

``tests/test_game_packages.py`` runs these tests where the package is installed.
"""

from __future__ import annotations

import pytest

from games.core.shelf import shelf
from tests.chats.discord_table import Table, fake_fixture, table_fixture  # noqa: F401
from tests.chats.pages import server
from tests.chats.telegram_room import room

pytestmark = pytest.mark.skipif("tres" not in shelf(), reason="the package is not installed")

MOVES = ("a3", "a2", "b3", "b2", "c3")
"""The shortest game: crosses fill the highest row."""

END = "has three in a row and wins"


def in_play(board):
    return not board["open"]


async def test_tres_is_played_in_the_browser(tmp_path):
    async with server(tmp_path) as at:
        host = await at.first()
        async with host.open() as page:
            table = (await page.type("/play tres"))["open"]
            guest = await at.guest(page, table)
            async with guest.open() as other:
                for move in MOVES:
                    boards = [await one.board(table, in_play) for one in (page, other)]
                    mover = page if boards[0]["mine"] else other
                    assert (await mover.press(table, mover.button(table, move)))["good"]
                    for one in (page, other):
                        await one.board(
                            table, lambda it, old=boards[0]: it["version"] > old["version"]
                        )
                assert END in str(page.boards[table])


async def test_tres_is_played_on_telegram(tmp_path):
    async with room(tmp_path) as at:
        board = await at.begun(game="tres")
        for move in MOVES:
            await at.press(at.mover(board), board, board.code(move))
        assert END in board.text


async def test_tres_is_played_on_discord(at: Table):
    board = await at.begun(game="tres")
    for move in MOVES:
        await at.fake.press(at.mover(board), board, board.button(move)["custom_id"])
        await at.settle()
    assert END in board.text
