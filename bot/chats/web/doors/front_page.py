"""The front door: a page for whoever has none, on which the puzzle of today can be played.

It needs no script. Each choice of the puzzle is a link, whose answer is the same page after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from aiohttp import web
from cachetools import LRUCache

from bot.chats.web.assets import Asset, PageHtml, assets_version
from bot.chats.web.budget import STRANGER
from bot.chats.web.doors import admission
from bot.chats.web.doors.doors import Doors
from bot.chats.web.doors.origins import Origins
from bot.chats.web.html_documents import html_response
from bot.chats.web.person.guests import PLATFORM
from bot.chats.web.reading import THEMES
from bot.facade import FrontDoor, board_shape, door_picture, remembering
from bot.port import Screen
from games.core.shelf import shelf

PICTURES_KEPT = 128
"""How many pictures are kept, of 10 to 60 KB each."""

WIDE, SMALL = 640, 320
"""How wide the board of the puzzle is, and that of a table, in pixels."""

KEPT: Mapping[str, str] = MappingProxyType(
    {"Cache-Control": "public, max-age=300", "Vary": "Accept-Language"}
)

ROBOTS = "User-agent: *\nAllow: /$\nAllow: /today/\nAllow: /static/\nAllow: /door/\nDisallow: /\n"


@dataclass
class FrontPage:
    """Shows strangers the house of *front*, without its people where it is closed."""

    origins: Origins
    doors: Doors
    front: FrontDoor
    assets: Mapping[str, Asset]
    style: PageHtml
    _pictures: LRUCache[tuple[str, ...], bytes] = remembering(PICTURES_KEPT)
    _painting: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[web.RouteDef]:
        """The routes of its pictures, and what robots may read."""
        theme = f"{{theme:{'|'.join(THEMES)}}}"
        return [
            web.get(f"/door/board/{theme}.webp", self._board, allow_head=False),
            web.get(f"/door/table/{{code:[0-9A-Z]{{4,8}}}}/{theme}.webp", self._table),
            web.get("/robots.txt", self._robots),
        ]

    async def _robots(self, _: web.Request) -> web.Response:
        return web.Response(text=ROBOTS)

    async def show(self, request: web.Request, code: str = "") -> web.Response:
        """The page; its preview is the table *code* where anybody may see that."""
        stranger = request[STRANGER]
        stranger.budget.charge("address", stranger.network, "front")
        tongue, front = admission.browser_language(request), self.front
        pressed, people = request.query.get("press", ""), self.doors.keys.open_house
        puzzle = await front.puzzle(tongue.code, pressed)
        response = html_response(
            tongue,
            "door.html",
            page=self,
            version=assets_version(self.assets),
            games=tuple(shelf().values()),
            people=people,
            puzzle=puzzle,
            pressed=pressed,
            shape_of=board_shape,
            watchable=await front.table(code, tongue.code) if code else None,
            watched=await front.game_to_watch(tongue.code) if people else None,
            waiting=await front.waiting(tongue.code) if people else (),
            coming=await front.coming(PLATFORM, tongue.code) if people else (),
        )
        response.headers[admission.POLICY] = admission.content_policy(self.style.style)
        return response

    async def _board(self, request: web.Request) -> web.Response:
        """The board of the puzzle after a press."""
        tongue, pressed = admission.browser_language(request), request.query.get("press", "")
        puzzle = await self.front.puzzle(tongue.code, pressed)
        return await self._send(request, None if puzzle is None else puzzle.screen, WIDE)

    async def _table(self, request: web.Request) -> web.Response:
        """The board of a table; one that nobody may see is answered like none."""
        await request[STRANGER].claim("claim")
        tongue = admission.browser_language(request)
        shown = await self.front.table(request.match_info["code"], tongue.code)
        return await self._send(request, shown, SMALL)

    async def _send(self, request: web.Request, shown: Screen | None, width: int) -> web.Response:
        """The board of *shown*, painted once, one after another: pictures are dear."""
        if shown is None or shown.scene is None:
            raise web.HTTPNotFound
        theme = request.match_info["theme"]
        key = (shown.digest, theme)
        async with self._painting:
            if key not in self._pictures:
                await request[STRANGER].claim("file")
                self._pictures[key] = await door_picture(shown.scene, theme, width)
        return web.Response(body=self._pictures[key], content_type="image/webp", headers=KEPT)
