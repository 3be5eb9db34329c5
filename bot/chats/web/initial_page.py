"""The first response to a guest. It holds the board, which is visible before the script arrives."""

from __future__ import annotations

import html
import json
import time
import zlib
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from aiohttp import web

from bot.chats.web.assets import BASE, BODY, PageHtml
from bot.chats.web.doors import admission
from bot.chats.web.message_formatting import PICTURES, Json
from bot.chats.web.outbound import Visit, as_told
from bot.chats.web.person.guests import Guest
from bot.facade import ChatBoards, Requests

BOARD, STATE = "<!-- board -->", "<!-- state -->"
"""The places of the board in view, and of the page's state."""

MAIN = '<main class="board"'
"""The start of the element that shows a table, with the headline above the picture."""

TURN, END = "▶ ", "★ "
"""How a headline begins that tells who is to move, and that of an end."""

_GZIP = 31
"""The ``wbits`` of ``zlib`` for the format that browsers call gzip."""


@dataclass(frozen=True)
class InitialPage:
    """Finds what a guest's page shows first.

    *state* composes it as for open pages. *ready* has a guest's picture by its name, if it is
    painted.
    """

    boards: ChatBoards
    visits: Mapping[str, Visit]
    state: Callable[[Guest], Awaitable[Json]]
    ready: Callable[[str, str], bytes | None]

    def remembered(self, guest: Guest, table: str) -> Json | None:
        """The board of *table*, if a page here was sent it last; None if it may be outdated."""
        page = self.visits.get(guest.id, Visit()).last.get(guest.here)
        board = None if page is None or page.theme != guest.theme else page.boards.get(table)
        stands = board is not None and self.boards.tables.stands(table, board["version"])
        return self.illustrate(guest, board if stands else None)

    async def first_state(self, guest: Guest) -> Json | None:
        """The state of *guest*'s page; None without a name or after an error."""
        if not guest.name:
            return None
        try:
            return await self.state(guest)
        except Exception as wrong:
            Requests.fault_phrase(wrong, "the first board of a page")
            return None

    def illustrate(self, guest: Guest, board: Json | None) -> Json | None:
        """*board* with its picture, if that is painted already."""
        if board is None:
            return None
        name = board["picture"].removeprefix(PICTURES[0]).removesuffix(PICTURES[1])
        data = self.ready(guest.id, name) if name else None
        return None if data is None else {**board, "drawn": b64encode(data).decode()}


async def send_page(
    request: web.Request, page: PageHtml, initial: InitialPage, guest: Guest
) -> web.StreamResponse:
    """Answer with the page's head at once, so that the browser can paint, and then its state."""
    headers = {admission.POLICY: admission.content_policy(page.style)}
    table = request.match_info.get("table", "")
    base = html.escape("/".join((*request.path.split("/")[:3], "")))
    whole = replace(page, text=page.text.replace(BASE, f'<base href="{base}">'))
    return await stream_html(request, _parts(whole, initial, guest, table), headers)


async def _parts(
    page: PageHtml, initial: InitialPage, guest: Guest, table: str
) -> AsyncIterator[str]:
    head, _, body = page.text.partition(BODY)
    shell, _, end = body.partition(STATE)
    board = initial.remembered(guest, table)
    yield head if board is None else f"{head}{board_body(shell, board)}"
    state = await initial.first_state(guest)
    rest = end if state is None else f"{_data(state)}{end}"
    if board is None:
        boards = [] if state is None else state["boards"]
        found = initial.illustrate(guest, next((b for b in boards if b["table"] == table), None))
        rest = f"{board_body(shell, found, named=bool(guest.name))}{rest}"
    yield rest


async def stream_html(
    request: web.Request, parts: AsyncIterator[str], headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    """Answer with *parts* of a page, each as soon as it is there; nobody keeps it."""
    kept = {"Cache-Control": "no-store", "Vary": "Accept-Encoding", **(headers or {})}
    response = web.StreamResponse(headers=kept)
    response.content_type, response.charset = "text/html", "utf-8"
    if request.method == "HEAD":
        return response
    packer = None
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response.headers["Content-Encoding"] = "gzip"
        # Most of it is a picture, which a higher level makes no smaller.
        packer = zlib.compressobj(1, wbits=_GZIP)
    await response.prepare(request)

    try:
        async for part in parts:
            data = part.encode()
            if packer is not None:
                data = packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)
            await response.write(data)
        await response.write_eof(b"" if packer is None else packer.flush())
    except Exception:
        # Nobody waits for the rest of a page that does not come.
        if request.transport is not None:
            request.transport.close()
        raise
    return response


def board_body(shell: str, board: Json | None, *, named: bool = False) -> str:
    """The page's body up to its state, with the picture of *board* and its headline.

    Whoever is *named* has a column of tables, whose room is kept from the first frame on.
    """
    if board is None:
        return f"{BODY.replace('nameless ', '') if named else BODY}{shell}"
    wide, high = board["width"], board["height"]
    above, under = (part * high / wide for part in (board["crop"][0], 1 - board["crop"][1]))
    shape = f'data-w="1" data-h="{high / wide - above - under}"'
    begun = f'<body class="early" {shape} data-above="{above}" data-under="{under}">'
    main = MAIN
    if board["over"]:
        main = f'{MAIN.replace("board", "board over")} data-result="{board["result"] or "over"}"'
    return f"{begun}{shell.replace(MAIN, main).replace(BOARD, _headline(board) + _picture(board))}"


def _headline(board: Json) -> str:
    """The headline of *board* as the script draws it, without the signs that the style draws.

    A browser that looks for their glyphs among its fonts shows the board later.
    """
    said = html.escape(board["headline"].removeprefix(END if board["result"] == "won" else TURN))
    kind = ' class="turn"' if board["headline"].startswith(TURN) else ""
    return f'<div class="head"><h2{kind}>{said}</h2><div class="clocks"></div></div>'


def _picture(board: Json) -> str:
    alt, name = html.escape(board["alt"]), html.escape(board["picture"])
    # Decoded in time for the first frame in which there is room for it.
    said = f'alt="{alt}" data-picture="{name}" decoding="sync"'
    return f'<div class="pic"><img src="data:image/png;base64,{board["drawn"]}" {said}></div>'


def _data(state: Json) -> str:
    """*state* as an element that the script reads and no browser runs."""
    # No text in it may close the element.
    boards = [as_told({**board, "scene": None}, time.time()) for board in state["boards"]]
    told = json.dumps({**state, "boards": boards}, ensure_ascii=False)
    told = told.replace("<", "\\u003c")
    return f'<script type="application/json" id="state">{told}</script>'
