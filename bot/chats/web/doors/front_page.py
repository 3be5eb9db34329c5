"""The front door: a page for whoever has none, on which the puzzle of today can be played.

It needs no script. Each choice of the puzzle is a link, whose answer is the same page after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from aiohttp import web
from cachetools import LRUCache

from bot.chats.web.assets import Asset, PageHtml, assets_version
from bot.chats.web.budget import STRANGER
from bot.chats.web.doors import admission
from bot.chats.web.doors.doors import Doors
from bot.chats.web.doors.origins import Origins
from bot.chats.web.html_documents import html_response
from bot.chats.web.message_formatting import measured
from bot.chats.web.person.guests import PLATFORM
from bot.chats.web.reading import THEMES
from bot.facade import (
    FrontDoor,
    board_shape,
    door_picture,
    public_rules,
    remembering,
    rules_picture,
)
from bot.port import Screen
from bot.texts import LANGUAGES, Language, language, spoken
from games.core import phrase, verbatim
from games.core.shelf import shelf

PICTURES_KEPT = 512
"""How many pictures are kept, of 10 to 60 KB each."""

WIDE, SMALL = 640, 320
"""How wide the board of the puzzle is, and that of a table, in pixels."""

KEPT: Mapping[str, str] = {"Cache-Control": "public, max-age=300", "Vary": "Accept-Language"}

Paint: TypeAlias = Callable[[], Awaitable[bytes | None]]
"""Paints a picture, if there is one."""


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
        theme, games = f"{{theme:{'|'.join(THEMES)}}}", "|".join(shelf())
        return [
            web.get(f"/door/board/{theme}.webp", self._board, allow_head=False),
            web.get(f"/door/table/{{code:[0-9A-Z]{{4,8}}}}/{theme}.webp", self._table),
            web.get("/today", self._today, allow_head=False),
            web.get("/today/{number:[0-9]{1,5}}", self._today, allow_head=False),
            web.get("/today/{number:[0-9]{1,5}}.png", self._day, allow_head=False),
            web.get(f"/door/rules/{{code}}/{{game:{games}}}-{{name}}/{theme}.png", self._figure),
            web.get(f"/rules{{game:(?:/(?:{games}))?}}", self._rules),
            web.get("/robots.txt", self._robots),
        ]

    async def _robots(self, request: web.Request) -> web.Response:
        return self.assets["door.txt"].answer(request)

    async def show(self, request: web.Request, code: str = "") -> web.Response:
        """The page; its preview is the table *code* where anybody may see that."""
        tongue, front = self._charge(request), self.front
        pressed, people = request.query.get("press", ""), self.doors.keys.open_house
        puzzle = await front.puzzle(tongue.code, pressed)
        return self._write(
            tongue,
            "door.html",
            puzzle=puzzle,
            query=request.query,
            shape_of=board_shape,
            watchable=await front.table(code, tongue.code) if code else None,
            watched=await front.game_to_watch(tongue.code) if people else None,
            waiting=await front.waiting(tongue.code) if people else (),
            coming=await front.coming(PLATFORM, tongue.code) if people else (),
        )

    def _charge(self, request: web.Request) -> Language:
        """The language that *request*, which pays for a page, asks for, or else its browser."""
        stranger, asked = request[STRANGER], request.query.get("language", "")
        stranger.budget.charge("address", stranger.network, "front")
        return language(asked) if spoken(asked) else admission.browser_language(request)

    def _write(self, tongue: Language, template: str, **given: Any) -> web.Response:
        """A page in the language *tongue*, with a style of its own."""
        told: dict[str, Any] = {"page": self, "measured": measured, "drawn": self._pictures.get}
        told |= {"version": assets_version(self.assets), "people": self.doors.keys.open_house}
        response = html_response(tongue, template, games=tuple(shelf().values()), **told, **given)
        response.headers[admission.POLICY] = admission.content_policy(self.style.style)
        response.enable_compression()
        return response

    async def _rules(self, request: web.Request) -> web.Response:
        """The rules of a game, or a list of them; whoever is known is led to their own page."""
        guest = await admission.browser_guest(request, self.doors.guests)
        if guest is not None:
            return admission.way_in(request, guest, request.path[1:])
        tongue, game = self._charge(request), request.match_info["game"][1:]
        book = public_rules(game, tongue.code) if game else None
        named = {one: language(one).say(phrase(f"settings.language.{one}")) for one in LANGUAGES}
        return self._write(tongue, "rules.html", book=book, languages=named)

    async def _figure(self, request: web.Request) -> web.Response:
        """A picture of the rules."""
        asked = request.match_info
        key = (asked["game"], asked["name"], asked["theme"], language(asked["code"]).code)
        paint = partial(asyncio.to_thread, rules_picture, *key)
        return await self._keep(request, key, paint, "picture")

    async def _put(self, request: web.Request, code: str) -> tuple[int, Screen, Paint]:
        """The move of the day that *request* names, as it was put; raises 404 for a day to come."""
        number = int(request.match_info.get("number", self.front.number()))
        put = await self.doors.facade.process_duties.daily.put(number, PLATFORM, code)
        if put is None or put.paint is None:
            raise web.HTTPNotFound
        return number, put.screen, put.paint

    async def _today(self, request: web.Request) -> web.Response:
        """The move of a day, for previews and strangers; whoever is known is led to today's."""
        guest = await admission.browser_guest(request, self.doors.guests)
        if guest is not None:
            return admission.way_in(request, guest, "puzzle/today")
        number, put, _ = await self._put(request, admission.browser_language(request).code)
        solve = "puzzle.button.solve" if number == self.front.number() else "web.page.today"
        ways = ((phrase(solve), "/#puzzle"), *self.doors.ways())
        # What a chat shows of a link: https://ogp.me
        told = {"headline": put.headline, "alt": put.alt, "origin": self.origins.address}
        said, path = verbatim(put.headline), f"/today/{number}"
        return admission.small_page(request, said, 200, ways, path=path, **told)

    async def _day(self, request: web.Request) -> web.Response:
        """The picture of the move of a day."""
        code = admission.browser_language(request).code
        number, _, paint = await self._put(request, code)
        return await self._keep(request, (str(number), code), paint)

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
        """The board of *shown*, *width* pixels wide."""
        if shown is None or shown.scene is None:
            raise web.HTTPNotFound
        theme = request.match_info["theme"]
        paint = partial(door_picture, shown.scene, theme, width)
        return await self._keep(request, (shown.digest, theme), paint)

    async def _keep(
        self, request: web.Request, key: tuple[str, ...], paint: Paint, price: str = "file"
    ) -> web.Response:
        """The picture *key*, painted once, one after another; raises 404 where there is none."""
        async with self._painting:
            if key not in self._pictures:
                await request[STRANGER].claim(price)
            body = self._pictures.get(key) or await paint()
            if body is None:
                raise web.HTTPNotFound
            self._pictures[key] = body
        kind = "image/png" if body.startswith(b"\x89PNG") else "image/webp"
        return web.Response(body=body, content_type=kind, headers=KEPT)
