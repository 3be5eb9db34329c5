"""Boards as differences: a page that takes those shows what another page is told as a whole."""

from __future__ import annotations

import json
import random
import statistics
import subprocess

import aiohttp
import pytest

from bot.chats.web.differences import board_difference
from bot.chats.web.outbound import packed
from tests.chats.pages import Page, server
from tests.check import NODE, ROOT
from tests.slow_parameters import slowly

RESTORE = """
import { readFileSync } from "node:fs";
import { differing } from "SCRIPT";
const boards = differing();
const whole = (message) => {
  if (message.kind === "state") return message.boards.map((one) => boards.whole(one));
  const menu = message.board ? [boards.whole(message.board, false)] : [];
  const current = message.kind === "board" ? message : message.current;
  return [...menu, ...(current ? [boards.whole(current)] : [])];
};
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).flatMap(whole)));
"""


@pytest.fixture
async def at(tmp_path):
    async with server(tmp_path) as running:
        yield running


def restored(messages: list[dict]) -> list[dict]:
    """The boards that the page's own script makes of *messages*."""
    script = RESTORE.replace("SCRIPT", f"{ROOT}/bot/chats/web/static/differences.js")
    command = [str(NODE), "--input-type=module", "-e", script]
    told = subprocess.run(command, input=json.dumps(messages), capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def bare(board: dict) -> dict:
    """*board* without what is empty, runs, or is told once a connection."""
    kept = {key: value for key, value in board.items() if key not in ("kind", "countdown")}
    kept["rows"] = [
        [{"tap": one["code"]} | {key: one[key] for key in one if one[key]} for one in row]
        for row in board["rows"]
    ]
    for end in kept["ends"]:
        end["moves"] = [
            {key: one[key] for key in ("label", "code", "step")} for one in end["moves"]
        ]
    if board["scene"]:
        kept["scene"] = {key: board["scene"][key] for key in ("width", "height", "parts")}
    return kept


class Listener(Page):
    """A page that keeps all that it is told."""

    def __init__(self, socket) -> None:
        super().__init__(socket)
        self.all: list[dict] = []
        self.sizes: list[int] = []

    def _text(self, message) -> str:
        # What opens a table tells the players' names, and is plain.
        if message.type is aiohttp.WSMsgType.BINARY:
            self.sizes.append(len(message.data))
        return super()._text(message)

    def _note(self, message) -> None:
        self.all.append(message)


@pytest.mark.skipif(not NODE.exists(), reason="node is not installed here")
@pytest.mark.parametrize(
    "game", ["cirya", "shogi", *slowly(["niya", "parchis", "storilljudhjorrayc"])]
)
async def test_what_differs_makes_the_very_board_and_is_little(at, game):
    visitor, rng = await at.first(), random.Random(5)
    async with visitor.open() as page:
        line = f"/play game={game} opponent=computer level=1"
        table = (await page.type(line))["open"]
    url, headers = f"{at.url}{visitor.path}/socket", visitor.headers(Origin=at.url)
    async with at.http.ws_connect(url, headers=headers) as socket, visitor.open(table) as page:
        other, taken, menus = Listener(socket), [], []
        hello = {"theme": "light", "language": "es", "code": "primed"}
        await other.ask("hello", table=table, **hello)
        for _ in range(6):
            board = await page.board(table, lambda board: board["mine"] or board["over"])
            assert "edits" not in board, "an old script is told whole boards"
            if board["over"]:
                break
            taken.append(board)
            moves = page.moves(table)
            while menu := (await page.press(table, rng.choice(moves))).get("board"):
                menus.append(menu)
                moves = [one for row in menu["rows"] for one in row if one["style"] == "move"]
        await other.ask("moves", table=table)
    sizes = [len(packed(told)) for told in other.all if told["kind"] == "board"]
    assert statistics.median(sizes[2:]) < 1024, "without what stood before"
    assert statistics.median(other.sizes) < 600, "and packed"
    came = [bare(board) for board in restored(other.all)]
    versions = {board["version"] for board in came}
    known = [bare(board) for board in taken if board["version"] in versions]
    assert len(known) > 1
    told, numbers = {}, {}
    chosen = [{"kind": "board"} | board_difference(told, one, numbers, keeps=True) for one in menus]
    assert list(map(bare, restored(chosen))) == list(map(bare, menus))
    assert [board for board in known if board not in came] == []


async def test_whoever_has_the_texts_is_not_told_them_again(at):
    visitor = await at.first()
    async with visitor.open() as page:
        first = await page.ask("hello", theme="light", language="es")
        again = await page.ask("hello", theme="light", language="es", at=first["texts"])
    assert first.keys() - again.keys() == {"words", "games"}
