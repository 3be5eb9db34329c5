"""The least that a page can be on which two people play Niya, by aiohttp and nothing else of ours.

It is what the speed of our page is measured against, and makes the round trip that ours makes: a
press goes out over a WebSocket, the move is played by the rules of the game and stored by aiosqlite
in one transaction that is on the disk when it is over, a picture is painted for each player, the
boards come back to both, and each fetches his picture under an address of its own. There are no
other tables, no accounts, clocks, calls, words or restarts. A game that is over is shown as it
ended, and the next one is dealt by the word ``again``.

``python -m tests.drives.baseline_page FOLDER`` keeps its games in FOLDER and prints its address.
With ``--still`` nothing is played, stored or painted: every press is answered with the same board.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import aiosqlite
from aiohttp import web

from games.core.move_parsing import settle
from games.core.shelf import find_game
from games.niya.rules import Niya
from render.kit.output import png
from render.kit.painters import paint
from render.scene import Last, Scene
from tests.loopback import listening
from tests.render.pictures import asked, dressed

PAGE = """<!doctype html><meta charset="utf-8"><title>bare</title>
<main id="board"><h2></h2><div class="pic"><img></div><div class="acts"></div></main>
<script>
const socket = new WebSocket(`ws://${location.host}/socket`);
const image = document.querySelector("img"), acts = document.querySelector(".acts");
socket.onmessage = (event) => {
  const board = JSON.parse(event.data);
  document.querySelector("h2").textContent = board.headline;
  image.src = board.picture;
  image.alt = board.headline;
  acts.replaceChildren(...board.moves.map((move) => {
    const button = document.createElement("button");
    button.className = "key";
    button.textContent = button.value = move;
    button.onclick = () => socket.send(move);
    return button;
  }));
};
</script>"""

GAME = find_game("niya")
NAMES = ("Nerea", "Bruno")
AGAIN = "again"
"""What is pressed where a game is over."""

KEPT = 16
"""How many pictures are kept for those who fetch them."""


@dataclass
class Bare:
    """One table after the other, and the pages that look at it, by seats."""

    moves: aiosqlite.Connection
    still: bool
    game: int = 0
    position: Niya = field(default_factory=Niya)
    last: tuple[Last, ...] = ()
    pages: dict[web.WebSocketResponse, int] = field(default_factory=dict)
    pictures: dict[int, bytes] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=count)

    def deal(self) -> None:
        """Lay the cards of the next game."""
        self.game += 1
        rng = random.Random(self.game)
        start = GAME.start(GAME.setting())
        self.position, _ = settle(GAME, start, lambda cases: (0, rng.randrange(cases)))
        self.last = ()

    async def play(self, seat: int, text: str) -> None:
        """Play and store *text*, if *seat* may play it now."""
        if text == AGAIN and self.position.outcome() is not None:
            self.deal()
            return
        legal = {move.code: move for move in self.position.legal_moves(seat)}
        if text not in legal or self.still:
            return
        before, move = self.position, legal[text]
        played = before.after(move)
        await self.moves.execute("BEGIN IMMEDIATE")
        await self.moves.execute("INSERT INTO move VALUES (?, ?, ?)", (self.game, seat, text))
        await self.moves.execute("COMMIT")
        self.position, self.last = played, (Last(before, seat, move),)

    async def show(self, line: web.WebSocketResponse) -> None:
        """Show the table as it is to the page at the other end of *line*."""
        seat, number, turn = self.pages[line], next(self.numbers), self.position.turn
        over = self.position.outcome() is not None
        scene = Scene("niya", self.position, NAMES, seat, last=self.last)
        scene = dressed(asked(scene, seat) if seat == turn and not over else scene)
        if self.still and self.pictures:
            self.pictures[number] = next(iter(self.pictures.values()))
        else:
            self.pictures[number] = await asyncio.to_thread(lambda: png(paint(scene)))
        self.pictures.pop(number - KEPT, None)
        board = {
            "headline": NAMES[turn],
            "picture": f"/picture/{number}.png",
            "moves": [AGAIN] if over else [m.code for m in self.position.legal_moves(seat)],
        }
        await line.send_str(json.dumps(board))

    async def page(self, _request: web.Request) -> web.Response:
        """The page itself."""
        return web.Response(text=PAGE, content_type="text/html")

    async def picture(self, request: web.Request) -> web.Response:
        """A picture that was painted just now."""
        drawn = self.pictures[int(request.match_info["number"])]
        kept = {"Cache-Control": "private, max-age=31536000, immutable"}
        return web.Response(body=drawn, content_type="image/png", headers=kept)

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        """The line of whoever comes; he gets the first seat where nobody sits there."""
        line = web.WebSocketResponse(compress=False)
        await line.prepare(request)
        self.pages[line] = seat = int(0 in self.pages.values())
        await self.show(line)
        async for message in line:
            await self.play(seat, message.data)
            await asyncio.gather(*map(self.show, self.pages))
        del self.pages[line]
        return line


async def main() -> None:
    """Serve until the end."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.drives.baseline_page", description=__doc__
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--still", action="store_true")
    wanted = parser.parse_args()
    file = wanted.folder / "bare.db"
    async with aiosqlite.connect(file, isolation_level=None) as moves:
        await moves.execute("PRAGMA journal_mode=WAL")
        await moves.execute("PRAGMA synchronous=FULL")
        await moves.execute("CREATE TABLE move (game INTEGER, seat INTEGER, text TEXT)")
        bare = Bare(moves, wanted.still)
        bare.deal()
        served = web.Application()
        served.add_routes([web.get("/", bare.page), web.get("/socket", bare.socket)])
        served.add_routes([web.get("/picture/{number}.png", bare.picture)])
        async with listening(served) as address:
            print(f"{address}/", flush=True)
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
