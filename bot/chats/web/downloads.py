"""The pictures and files that a guest's page requests over HTTP."""

from __future__ import annotations

import re
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.chats.web.budget import STRANGER
from bot.chats.web.doors.admission import requesting_guest
from bot.chats.web.message_formatting import PageWriter, Pictures, scenery_json
from bot.chats.web.person.guests import Guest, Guests
from bot.chats.web.reading import THEMES
from bot.facade import Action, ChatBoards, Pages, Requests
from bot.port import FileAnswer, Poster, Promised
from bot.texts import spoken

IMMUTABLE = "private, max-age=31536000, immutable"
"""The Cache-Control of what is named by its content."""

DAY = "private, max-age=86400"
"""The Cache-Control of pictures that change with a release at most."""

PUBLIC = "public, max-age=86400"
"""The Cache-Control of pictures that everybody may see."""

UNKEPT = "private, no-store"
"""The Cache-Control of what belongs to one person."""

SEEN = MappingProxyType({".gif": "image/gif", ".png": "image/png"})
"""The types of the files that a page shows beside their links, by suffix."""

TABLE = "{table:[0-9A-Z]{4,8}}"
"""The part of a path that is the code of a table."""

FILES: Mapping[str, Action] = {
    ".gif": Action.REPLAY,
    ".png": Action.KEEPSAKE,
    ".txt": Action.RECORD,
    ".tsv": Action.VERIFY,
    ".json": Action.MY_DATA,
}
"""The commands that make files, by suffix; all of them only read."""

TITLE = re.compile(r"ludoteca(?:-([0-9A-Z]{4,8})(?:-(\d{1,3}|draws))?)?(\.[a-z]{3,4})")
"""A file's name: its table, how many moves it holds, and a suffix of ``FILES``."""


@dataclass(frozen=True)
class Downloads:
    """Answers requests for pictures and files, each for a guest."""

    requests: Requests
    pages: Pages
    boards: ChatBoards
    guests: Guests
    pictures: Pictures
    writer: PageWriter

    def paths(self) -> Mapping[str, Handler]:
        """The handlers by their paths below a guest's page."""
        show = self._answer_with
        return {
            "/picture/{name:[A-Za-z0-9_-]{12}}.png": self._answer_shown(self.pictures.fetch),
            "/sprite/{name:[A-Za-z0-9_-]{8}}.png": self._sprite,
            "/thumb/{name:[A-Za-z0-9_-]{12}}.png": self._answer_shown(self.pictures.thumb),
            f"/past/{TABLE}/{{number:[0-9]{{1,5}}}}.json": self._past,
            "/figure/{game:[a-z]{1,32}}-{name:[a-z0-9-]{1,32}}.png": show(self._figure),
            "/face/{game:[a-z]{1,32}}-{name:[A-Za-z0-9]{1,16}}.png": show(
                lambda _, asked: self.pages.face(asked["game"], asked["name"])
            ),
            "/poster/{game:[a-z]{1,32}}-{theme:(?:light|dark)}.png": show(self._poster),
            "/cover/{game:[a-z]{1,32}}-{theme:[a-z]{1,16}(?:-[a-z]{1,16})?}.png": show(
                lambda _, asked: self.pages.cover(asked["game"], asked["theme"])
            ),
            f"/record/{TABLE}/{{form:[a-z0-9]{{1,16}}}}": self._record,
            "/file/{name:[A-Za-z0-9_-]{12}}/{title}": self._file,
        }

    async def _sprite(self, request: web.Request) -> web.Response:
        """A sprite of a board that was shown to the guest, also by another process."""
        guest, name = await requesting_guest(request, self.guests), request.match_info["name"]
        key, pictures = (guest.id, name), self.pictures
        if key not in pictures.sprites and guest.name:
            request[STRANGER].budget.charge("guest", guest.id, "file")
            for board in await self.writer.all(guest):
                if board["scene"] is not None:
                    await pictures.scenery(guest.id, board["scene"])
        return png_response(pictures.sprites.get(key), IMMUTABLE)

    def _answer_shown(self, fetch: Callable[[str, str], Awaitable[bytes | None]]) -> Handler:
        """The handler of what was shown to the guest, also by the process before this one.

        What *fetch* does not find is sought once more when the boards of their page are composed.
        """

        async def answer(request: web.Request) -> web.Response:
            guest, name = await requesting_guest(request, self.guests), request.match_info["name"]
            data = await fetch(guest.id, name)
            if data is None and guest.name:
                request[STRANGER].budget.charge("guest", guest.id, "file")
                await self.writer.all(guest)
                data = await fetch(guest.id, name)
            return png_response(data, IMMUTABLE)

        return answer

    async def _past(self, request: web.Request) -> web.Response:
        """A table after a number of log entries, as the guest saw it then."""
        guest = await requesting_guest(request, self.guests)
        table, number = request.match_info["table"], int(request.match_info["number"])
        scene = await self.pages.moment(guest.where, table, number)
        if scene is None:
            raise web.HTTPNotFound
        dressed = await self.boards.dress_scene(scene, guest.asker, guest.theme)
        shown = scenery_json(await self.pictures.scenery(guest.id, dressed), ())
        return web.json_response(shown, headers={"Cache-Control": DAY})

    def _answer_with(
        self, draw: Callable[[Guest, Mapping[str, str]], Awaitable[bytes | None]]
    ) -> Handler:
        """The handler of a picture that is no secret: what is asked stands in path and query."""

        async def answer(request: web.Request) -> web.Response:
            guest = await requesting_guest(request, self.guests)
            return png_response(await draw(guest, {**request.query, **request.match_info}), DAY)

        return answer

    async def _poster(self, _: Guest, asked: Mapping[str, str]) -> bytes | None:
        code = asked.get("language", "")
        return (
            await self.pages.poster(asked["game"], asked["theme"], code) if spoken(code) else None
        )

    async def _figure(self, guest: Guest, asked: Mapping[str, str]) -> bytes | None:
        theme, code = asked.get("theme", ""), asked.get("language", "")
        if theme not in THEMES or not spoken(code):
            return None
        return await self.pages.figure(guest.asker, asked["game"], asked["name"], theme, code)

    async def _record(self, request: web.Request) -> web.Response:
        guest = await requesting_guest(request, self.guests)
        table, form = request.match_info["table"], request.match_info["form"]
        file = await self.pages.record(guest.where, table, form)
        if file is None:
            raise web.HTTPNotFound
        saved = f'attachment; filename="{file.name}"'
        headers = {"Content-Disposition": saved, "Cache-Control": UNKEPT}
        return _respond(file.data, "application/octet-stream", headers)

    async def _file(self, request: web.Request) -> web.Response:
        guest = await requesting_guest(request, self.guests)
        name, title = request.match_info["name"], request.match_info["title"]
        data = await self.pictures.fetch(guest.id, name) or await self._remake(guest, title)
        # A browser that shows the file saves it without a second request.
        seen = SEEN.get(PurePath(title).suffix)
        headers = {
            "Content-Disposition": "attachment",
            "Cache-Control": IMMUTABLE if seen else UNKEPT,
        }
        return _respond(data, seen or "application/octet-stream", headers)

    async def _remake(self, guest: Guest, title: str) -> bytes | None:
        """The file *title* made anew for *guest*; None for one that is not theirs."""
        found = TITLE.fullmatch(title)
        if found is None:
            return None
        table, more, suffix = found.groups("")
        if suffix not in FILES or (table and not await self.boards.stands(guest.where, table)):
            return None
        command = guest.command(str(uuid.uuid4()), FILES[suffix], table=table, moves=more)
        answer = await self.requests.call(command)
        if isinstance(answer, Promised):
            answer = await answer.answer
        return answer.file.data if isinstance(answer, FileAnswer | Poster) else None


def _respond(data: bytes | None, content_type: str, headers: dict[str, str]) -> web.Response:
    """*data* as a response; 404 for None."""
    if data is None:
        raise web.HTTPNotFound
    return web.Response(body=data, content_type=content_type, headers=headers)


def png_response(data: bytes | None, kept: str = PUBLIC, **headers: str) -> web.Response:
    """The picture *data*, *kept* as ``Cache-Control`` says; 404 for None."""
    return _respond(data, "image/png", {"Cache-Control": kept, **headers})
