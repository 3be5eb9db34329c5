"""The front door: a page for whoever has none, on which the puzzle of today can be played.

It needs no script. Each choice of the puzzle is a link, whose answer is the same page after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

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
    RulesBook,
    board_shape,
    door_picture,
    public_rules,
    remembering,
    rules_picture,
)
from bot.port import Screen
from bot.texts import LANGUAGES, Language, language, spoken
from games.core import phrase
from games.core.shelf import shelf

PICTURES_KEPT = 256
"""How many pictures are kept, of 10 to 60 KB each."""

WIDE, SMALL = 640, 320
"""How wide the board of the puzzle is, and that of a table, in pixels."""

KEPT: Mapping[str, str] = MappingProxyType(
    {"Cache-Control": "public, max-age=300", "Vary": "Accept-Language"}
)

NAMED = "{game:[a-z]{1,32}}"
"""The part of a path that is the key of a game."""

ROBOTS = "".join(
    f"{line}\n"
    for line in (
        "User-agent: *",
        *(f"Allow: {path}" for path in ("/$", "/today", "/rules", "/static/", "/door/")),
        "Disallow: /",
    )
)


@dataclass
class FrontPage:
    """Shows strangers the house of *front*, without its people where it is closed."""

    origins: Origins
    doors: Doors
    front: FrontDoor
    assets: Mapping[str, Asset]
    style: PageHtml
    sizes: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """How large the figures of rules are, by game and name, as far as they were drawn."""
    _pictures: LRUCache[tuple[str, ...], bytes] = remembering(PICTURES_KEPT)
    _painting: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[web.RouteDef]:
        """The routes of its pictures, and what robots may read."""
        theme = f"{{theme:{'|'.join(THEMES)}}}"
        return [
            web.get(f"/door/board/{theme}.webp", self._board, allow_head=False),
            web.get(f"/door/table/{{code:[0-9A-Z]{{4,8}}}}/{theme}.webp", self._table),
            web.get(f"/door/rules/{NAMED}-{{name:[A-Za-z0-9-]{{1,32}}}}/{theme}.png", self._figure),
            web.get("/rules", self._rules),
            web.get(f"/rules/{NAMED}", self._rules),
            web.get("/robots.txt", self._robots),
        ]

    async def _robots(self, _: web.Request) -> web.Response:
        return web.Response(text=ROBOTS)

    async def show(self, request: web.Request, code: str = "") -> web.Response:
        """The page; its preview is the table *code* where anybody may see that."""
        tongue, front = self._charged(request), self.front
        pressed, people = request.query.get("press", ""), self.doors.keys.open_house
        puzzle = await front.puzzle(tongue.code, pressed)
        return self._write(
            tongue,
            "door.html",
            people=people,
            puzzle=puzzle,
            pressed=pressed,
            stopped="stop" in request.query,
            shape_of=board_shape,
            watchable=await front.table(code, tongue.code) if code else None,
            watched=await front.game_to_watch(tongue.code) if people else None,
            waiting=await front.waiting(tongue.code) if people else (),
            coming=await front.coming(PLATFORM, tongue.code) if people else (),
        )

    def _charged(self, request: web.Request) -> Language:
        """The language in which *request*, which is charged as that of a page, is answered."""
        stranger = request[STRANGER]
        stranger.budget.charge("address", stranger.network, "front")
        return _language_of(request)

    def _write(self, tongue: Language, template: str, **given: object) -> web.Response:
        """A page in the language *tongue*, with a style of its own."""
        version, games = assets_version(self.assets), tuple(shelf().values())
        told: dict[str, Any] = {"page": self, "version": version, "games": games, **given}
        response = html_response(tongue, template, **told)
        response.headers[admission.POLICY] = admission.content_policy(self.style.style)
        return response

    async def _rules(self, request: web.Request) -> web.Response:
        """The rules of a game, or a list of them; whoever is known is led to their own page."""
        guest = await admission.browser_guest(request, self.doors.guests)
        if guest is not None:
            return admission.way_in(request, guest, request.path[1:])
        tongue, people = self._charged(request), self.doors.keys.open_house
        book = _book_of(request, tongue) if request.match_info else None
        named = {one: language(one).say(phrase(f"settings.language.{one}")) for one in LANGUAGES}
        return self._write(tongue, "rules.html", book=book, people=people, languages=named)

    async def _figure(self, request: web.Request) -> web.Response:
        """A picture of the rules."""
        tongue, asked, stranger = _language_of(request), request.match_info, request[STRANGER]
        of = (_book_of(request, tongue), asked["name"], asked["theme"], tongue.code)

        async def paint() -> bytes | None:
            stranger.budget.charge("address", stranger.network, "file")
            data = await asyncio.to_thread(rules_picture, *of)
            if data is not None:
                self.sizes[asked["game"], asked["name"]] = measured(data)
            return data

        return await self._keep((asked["game"], *of[1:]), paint)

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
        of = (shown.scene, theme, width)

        async def paint() -> bytes:
            await request[STRANGER].claim("file")
            return await door_picture(*of)

        return await self._keep((shown.digest, theme), paint)

    async def _keep(
        self, key: tuple[str, ...], paint: Callable[[], Awaitable[bytes | None]]
    ) -> web.Response:
        """The picture *key*, painted once, one after another; raises 404 where there is none."""
        async with self._painting:
            body = self._pictures.get(key) or await paint()
            if body is None:
                raise web.HTTPNotFound
            self._pictures[key] = body
        kind = "image/png" if body.startswith(b"\x89PNG") else "image/webp"
        return web.Response(body=body, content_type=kind, headers=KEPT)


def _language_of(request: web.Request) -> Language:
    """The language that the address asks for, else that of the browser."""
    asked = request.query.get("language", "")
    return language(asked) if spoken(asked) else admission.browser_language(request)


def _book_of(request: web.Request, tongue: Language) -> RulesBook:
    """The rules of the game that *request* names; raises 404 where there is no such game."""
    if request.match_info["game"] not in shelf():
        raise web.HTTPNotFound
    return public_rules(request.match_info["game"], tongue.code)
