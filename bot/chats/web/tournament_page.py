"""What the page shows of a tournament: its bracket or crosstable, and the standings.

The page asks for news and waits for the answer; where there are some it asks for all anew.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.chats.web.budget import Overspent
from bot.chats.web.doors import admission
from bot.chats.web.html_documents import html_response, missing_part, tongue_of
from bot.chats.web.outbound import PAGES_OPEN
from bot.chats.web.person.guests import Guests
from bot.chats.web.reading import number_in
from bot.facade import Action, Facade, TournamentPages
from games.core import phrase

NEWS_SECONDS = 25.0
"""For how many seconds a page waits for news; proxies cut a line off after 60."""

TITLE = "web.page.tournaments"
"""The key of the title of the screen that lists tournaments."""

CODE = "{code:[0-9A-Za-z]{4,8}}"
"""The part of a path that is the code of a tournament."""


@dataclass
class TournamentServer:
    """Answers a guest's page that shows a tournament."""

    facade: Facade
    pages: TournamentPages
    guests: Guests
    _waiting: Counter[str] = field(default_factory=Counter)
    """How many pages of each guest wait for news."""

    def paths(self) -> Mapping[str, Handler]:
        """The handlers by their paths below a guest's page."""
        return {
            "/sheets/tournaments": self._list,
            f"/sheets/tournaments/{CODE}": self._tournament,
            f"/sheets/tournaments/{CODE}/news": self._news,
        }

    async def _list(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        tongue = await tongue_of(guest, self.facade.requests)
        found = await self.pages.list(guest.asker, guest.where, tongue.code)
        told: dict[str, Any] = {"found": found, "until": self.pages.boards.until}
        told |= {"title": tongue.say(phrase(TITLE)), "theme": guest.theme}
        told["begins"] = self.facade.boards.buttons.of(Action.TOURNAMENT, "new")
        # The standings of two hundred people take a while.
        return await asyncio.to_thread(html_response, tongue, "tournaments.html", **told)

    async def _tournament(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        code = request.match_info["code"].upper()
        tongue = await tongue_of(guest, self.facade.requests)
        sheet = await self.pages.sheet(guest.asker, tongue.code, code)
        if sheet is None:
            return missing_part(tongue, TITLE, phrase("tournament.unknown", code=code))
        return html_response(tongue, "tournament.html", title=sheet.title, sheet=sheet)

    async def _news(self, request: web.Request) -> web.Response:
        """200 once the tournament is another than the page shows, 204 where it stays the same."""
        guest = await admission.requesting_guest(request, self.guests)
        after, code = number_in(request.query.get("after", "")), request.match_info["code"].upper()
        if after < 0:
            raise web.HTTPBadRequest
        if self._waiting[guest.id] >= PAGES_OPEN:
            raise Overspent(NEWS_SECONDS)
        self._waiting[guest.id] += 1
        try:
            changed = await self.pages.has_changed(code, after, NEWS_SECONDS)
        finally:
            self._waiting -= Counter({guest.id: 1})
        return web.Response(status=200 if changed else 204, headers={"Cache-Control": "no-store"})
