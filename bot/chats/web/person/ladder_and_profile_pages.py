"""What the page shows of people: the ladder of all places, a person with curves and games."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.chats.web.doors import admission
from bot.chats.web.html_documents import html_response, missing_part, tongue_of
from bot.chats.web.person.guests import Guests
from bot.facade import Facade
from games.core import phrase
from render.medals import MedalFace, medal_picture

WIDE, HIGH, EDGE = 320, 96, 8
"""The size of a curve, and the room around it, in units of its own."""

LEAST = 40
"""So many points a curve spans at least, so that a small change looks small."""


@dataclass(frozen=True)
class LadderAndProfilePages:
    """Answers a guest's page that shows people."""

    facade: Facade
    guests: Guests
    house: bool
    """Whether members talk to the whole house."""

    def paths(self) -> Mapping[str, Handler]:
        """The handlers by their paths below a guest's page."""
        return {
            "/sheets/people{asked:(?:/[a-z]{1,16}(?:/month)?(?:/[0-9]{1,6})?)?}": self._ladder,
            "/sheets/companions": self._companions,
            "/sheets/people/{word:[0-9a-f]{32}}": self._person,
        }

    async def _ladder(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        tongue = await tongue_of(guest, self.facade.requests)
        _, game, *rest = f"{request.match_info['asked']}/".split("/")
        page = next((int(one) for one in rest if one.isdigit()), 0)
        month, people = "month" in rest, self.facade.pages.people_pages
        sheet = await people.ladder(guest.asker, tongue.code, game, page, month=month)
        lines = [*sheet.lines]
        if sheet.mine is not None and sheet.mine not in lines:
            lines.append(sheet.mine)
        first, talk = not request.match_info["asked"], self.facade.pages.talk
        return html_response(
            tongue,
            "ladder.html",
            talk=await talk.read_house(guest.asker) if first and self.house else None,
            feed=await people.feed(guest.asker, tongue.code) if first else None,
            title=sheet.title,
            sheet=sheet,
            lines=lines,
            names=dict(sheet.games),
        )

    async def _companions(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        tongue = await tongue_of(guest, self.facade.requests)
        found = await self.facade.pages.archive.companions(guest.asker, tongue.code)
        title = tongue.say(phrase("web.page.companions"))
        return html_response(tongue, "companions.html", title=title, found=found)

    async def _person(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        tongue = await tongue_of(guest, self.facade.requests)
        people, word = self.facade.pages.people_pages, request.match_info["word"]
        sheet = await people.person(guest.asker, tongue.code, word)
        if sheet is None:
            return missing_part(tongue, "people.title", phrase("people.hidden"))
        drawn: dict[str, Any] = {"medal": medal_address, "curve": curve_points, "box": (WIDE, HIGH)}
        return html_response(tongue, "person.html", title=sheet.name, sheet=sheet, **drawn)


def medal_address(face: MedalFace) -> str:
    """The picture of a medal with this *face*, as an address that holds it."""
    return f"data:image/png;base64,{b64encode(medal_picture(face)).decode()}"


def curve_points(course: Sequence[int]) -> list[tuple[float, float]]:
    """The *course* of a rating as points from left to right, within ``WIDE`` and ``HIGH``."""
    if not course:
        return []
    low, high = min(course), max(course)
    span, middle = max(high - low, LEAST), (low + high) / 2
    step = (WIDE - 2 * EDGE) / max(1, len(course) - 1)
    return [
        (EDGE + step * n, HIGH / 2 - (one - middle) / span * (HIGH - 2 * EDGE))
        for n, one in enumerate(course)
    ]
