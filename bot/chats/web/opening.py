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
from bot.chats.web.outbound import Visit, drawing
from bot.chats.web.writing import Json
from bot.house import House

BODY = '<body class="nameless home">'
"""How the page goes on after its head, where nothing is known yet of what it shows."""

BOARD, STATE = "<!-- board -->", "<!-- state -->"
"""Where in it the picture of the board in view stands, and all that is known of what it shows."""

_GZIP = 31
"""Asks ``zlib`` for the form that browsers call gzip."""


@dataclass(frozen=True)
class Opening:
    """Knows what somebody's page shows first, as *state* tells it to his open pages.

    *ready* has the picture of a guest by its name where it is painted.
    """

    house: House
    visits: Mapping[str, Visit]
    state: Callable[[Guest], Awaitable[Json]]
    ready: Callable[[str, str], bytes | None]

    async def first(self, guest: Guest) -> Json | None:
        """What *guest*'s page shows first, if he has a name; the picture in view comes along.

        His page asks for it later where it cannot be told now.
        """
        if not guest.name:
            return None
        try:
            state = await self.state(guest)
        except Exception as wrong:
            self.house.told(wrong, "the first board of a page")
            return None
        view = self._in_view(guest, state)

        def shown(board: Json) -> Json:
            if board["table"] != view:
                return board
            return drawing(board, lambda name: self.ready(guest.id, name))

        return {**state, "boards": [shown(board) for board in state["boards"]]}

    def _in_view(self, guest: Guest, state: Json) -> str:
        """The only table, or the one that was in view on this device; nothing is guessed."""
        visit = self.visits.get(guest.id)
        viewed = "" if visit is None else visit.viewed(guest.here)
        tables = [board["table"] for board in state["boards"]]
        return tables[0] if len(tables) == 1 else viewed


async def send_page(
    request: web.Request, page: Styled, first: Callable[[], Awaitable[Json | None]]
) -> web.StreamResponse:
    """Answer *request* with *page* and what it shows *first*, where there is anything.

    The browser has the head before that is known: it reads the style, and fetches the script.
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
        packer = zlib.compressobj(wbits=_GZIP)
    await response.prepare(request)

    async def send(text: str, mode: int) -> None:
        data = text.encode()
        if packer is not None:
            data = packer.compress(data) + packer.flush(mode)
        await response.write(data)

    head, _, rest = page.text.partition(BODY)
    await send(head, zlib.Z_SYNC_FLUSH)
    await send(_whole(f"{BODY}{rest}", await first()), zlib.Z_FINISH)
    await response.write_eof()
    return response


def _whole(page: str, told: Json | None) -> str:
    """The rest of the *page*, with what is *told* of what it shows."""
    if told is None:
        return page
    boards = []
    for board in told["boards"]:
        plain = dict(board)
        if drawn := plain.pop("drawn", ""):
            wide, high = board["width"], board["height"]
            page = page.replace(BODY, f'<body class="early" data-w="{wide}" data-h="{high}">')
            page = page.replace(BOARD, _picture(board, drawn))
        boards.append(plain)
    return page.replace(STATE, _data({**told, "boards": boards}))


def _picture(board: Json, drawn: str) -> str:
    """The picture of *board*, which is *drawn*, where the script finds it."""
    alt, name = html.escape(board["alt"]), html.escape(board["picture"])
    # The first frame that has room for it has the picture in it, too.
    said = f'alt="{alt}" data-picture="{name}" decoding="sync"'
    return f'<div class="pic"><img src="data:image/png;base64,{drawn}" {said}></div>'


def _data(told: Json) -> str:
    """*told* as the script reads it out of the page; no browser runs it."""
    # Nothing in it may end the element that it stands in.
    text = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="state">{text}</script>'
