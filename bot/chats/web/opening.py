"""The page as it is opened: its head at once, and what it shows first as soon as that is known.

The board in view stands in it as it came: it is seen while the script is still on its way.
"""

from __future__ import annotations

import html
import json
import zlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from bot.chats.web import admission
from bot.chats.web.assets import Styled
from bot.chats.web.guests import Guest
from bot.chats.web.outbound import Sight, Visit, drawing
from bot.chats.web.writing import Json
from bot.facade import Facade

BODY = '<body class="nameless home">'
"""How the page goes on after its head, where nothing is known yet of what it shows."""

BOARD, STATE = "<!-- board -->", "<!-- state -->"
"""Where in it the picture of the board in view stands, and all that is known of what it shows."""

MAIN = '<main class="board"'
"""Where it begins to show a table, and says above the picture what is to be done."""

_GZIP = 31
"""Asks ``zlib`` for the form that browsers call gzip."""


@dataclass(frozen=True)
class Opening:
    """Knows what somebody's page shows first, as *state* tells it to his open pages.

    *ready* has the picture of a guest by its name where it is painted.
    """

    house: Facade
    visits: Mapping[str, Visit]
    state: Callable[[Guest], Awaitable[Json]]
    ready: Callable[[str, str], bytes | None]

    def at_once(self, guest: Guest) -> Json | None:
        """The board that *guest* had in view on his device, with its picture.

        None where it is not at hand, or may not be the newest any more.
        """
        sight = self._sight(guest)
        board = sight.board if sight.theme == guest.theme else None
        if board is None or not self.house.boards.newest(board["table"], board["version"]):
            return None
        return self._drawn(guest, board)

    async def first(self, guest: Guest) -> Json | None:
        """What *guest*'s page shows first, if he has a name.

        His page asks for it later where it cannot be told now.
        """
        if not guest.name:
            return None
        try:
            return await self.state(guest)
        except Exception as wrong:
            self.house.fault_phrase(wrong, "the first board of a page")
            return None

    def in_view(self, guest: Guest, state: Json) -> Json | None:
        """The only board, or the one that was in view on this device, with its picture.

        Nothing is guessed.
        """
        boards = state["boards"]
        view = boards[0]["table"] if len(boards) == 1 else self._sight(guest).table
        board = next((board for board in boards if board["table"] == view), None)
        return None if board is None else self._drawn(guest, board)

    def _sight(self, guest: Guest) -> Sight:
        visit = self.visits.get(guest.id)
        return Sight() if visit is None else visit.sight(guest.here)

    def _drawn(self, guest: Guest, board: Json) -> Json | None:
        whole = drawing(board, lambda name: self.ready(guest.id, name))
        return whole if "drawn" in whole else None


async def send_page(
    request: web.Request, page: Styled, opening: Opening, guest: Guest
) -> web.StreamResponse:
    """Answer *request* with *page* and what it shows first to *guest*, where there is anything.

    The browser has the head before that is known, and the picture where it is at hand: it reads
    the style, fetches the script and paints.
    """
    headers = {
        "Cache-Control": "no-store",
        "Vary": "Accept-Encoding",
        admission.POLICY: admission.policy(page.style),
    }
    response = web.StreamResponse(headers=headers)
    response.content_type, response.charset = "text/html", "utf-8"
    if request.method == "HEAD":
        return response
    packer = None
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response.headers["Content-Encoding"] = "gzip"
        # Most of it is a picture, which gets no smaller by more work.
        packer = zlib.compressobj(1, wbits=_GZIP)
    await response.prepare(request)

    async def send(text: str, mode: int) -> None:
        data = text.encode()
        if packer is not None:
            data = packer.compress(data) + packer.flush(mode)
        await response.write(data)

    head, _, body = page.text.partition(BODY)
    shell, _, end = body.partition(STATE)
    board = opening.at_once(guest)
    await send(head if board is None else f"{head}{_shown(shell, board)}", zlib.Z_SYNC_FLUSH)
    state = await opening.first(guest)
    rest = end if state is None else f"{_data(state)}{end}"
    if board is None:
        found = None if state is None else opening.in_view(guest, state)
        rest = f"{_shown(shell, found)}{rest}"
    await send(rest, zlib.Z_FINISH)
    await response.write_eof()
    return response


def _shown(shell: str, board: Json | None) -> str:
    """The body of the page up to its state, with the picture of *board* and its headline."""
    if board is None:
        return f"{BODY}{shell}"
    wide, high = board["width"], board["height"]
    begun = f'<body class="early" data-w="{wide}" data-h="{high}">'
    main = MAIN.replace("board", "board over") if board["over"] else MAIN
    says = f'{main} data-says="{html.escape(board["headline"])}"'
    return f"{begun}{shell.replace(MAIN, says).replace(BOARD, _picture(board))}"


def _picture(board: Json) -> str:
    """The picture of *board*, where the script finds it."""
    alt, name = html.escape(board["alt"]), html.escape(board["picture"])
    # The first frame that has room for it has the picture in it, too.
    said = f'alt="{alt}" data-picture="{name}" decoding="sync"'
    return f'<div class="pic"><img src="data:image/png;base64,{board["drawn"]}" {said}></div>'


def _data(told: Json) -> str:
    """*told* as the script reads it out of the page; no browser runs it."""
    # Nothing in it may end the element that it stands in.
    text = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="state">{text}</script>'
