"""Screens as the page takes them: plain JSON objects, made of nothing but what is shown."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from bot.chats.web.guests import Guest
from bot.chats.web.pictures import Picture, Pictures
from bot.facade import BY_ACT, NO_TABLE, Action, Facade
from bot.port import Attachment, Command, Countdown, FileAnswer, Poster, Promised, Screen
from bot.texts.marks import unmarked
from render.kit import painter
from render.scene import Scene

Json: TypeAlias = Mapping[str, Any]

PICTURES = "picture/", ".png"
"""What stands before and after the name of a picture in its address on a page."""

FILES = {
    ".gif": Action.REPLAY,
    ".png": Action.KEEPSAKE,
    ".txt": Action.RECORD,
    ".tsv": Action.VERIFY,
    ".json": Action.MY_DATA,
}
"""What hands a file over, by the end of its name: all of them only read."""

TITLE = re.compile(r"ludoteca(?:-([0-9A-Z]{4,8})(?:-(\d{1,3}|draws))?)?(\.[a-z]{3,4})")
"""The name of a file: of which table it is, of how many moves, and what ``FILES`` tells."""


@dataclass
class Boards:
    """Makes the boards of a guest's page."""

    house: Facade
    pictures: Pictures

    async def all(self, guest: Guest) -> list[Json]:
        """Every board that *guest* has on his page, as it is now, the latest first."""
        screens = await self.house.boards.on_page(guest.where)
        return [await self.form(guest, screen) for screen in screens]

    async def form(self, guest: Guest, screen: Screen) -> Json:
        """*screen* as the page takes it, its picture painted in the guest's theme."""
        scene, picture = screen.scene, None
        if scene is not None:
            scene = await self.house.boards.dressed(scene, guest.asker, guest.theme)
            picture = await self.pictures.show(guest.id, scene)
        told = {**plain(screen), **pictured(picture), "spots": _spots(scene)}
        if screen.table == NO_TABLE:
            return told
        beside = asdict(await self.house.boards.beside(screen, guest.asker))
        beside["with"] = beside.pop("company")
        boxes = _cells(scene) if beside["ends"] else {}
        beside["ends"] = [{**boxes[end["cell"]], **end} for end in beside["ends"]]
        path = [] if scene is None else list(scene.path)
        return {**told, **beside, "path": path}

    def looks(self, guest: Guest) -> bool:
        """Whether *guest* may have one more thing made for him that is not on his page."""
        return self.house.limits.looks(guest.asker)

    async def moment(self, guest: Guest, table: str, number: int) -> bytes | None:
        """The picture of *table* after *number* entries of its log, as *guest* saw it then."""
        scene = await self.house.pages.moment(guest.where, table, number)
        if scene is None:
            return None
        dressed = await self.house.boards.dressed(scene, guest.asker, guest.theme)
        return await self.pictures.paint(dressed)

    async def picture(self, guest: Guest, name: str) -> bytes | None:
        """The picture shown to *guest* by this *name*, also if a process before us has shown it.

        A page that lost its process asks for its boards before it has told us that it is there.
        """
        data = await self.pictures.fetch(guest.id, name)
        if data is None and guest.name and self.looks(guest):
            await self.all(guest)
            data = await self.pictures.fetch(guest.id, name)
        return data

    async def file(self, guest: Guest, name: str, title: str) -> bytes | None:
        """The file *title* handed to *guest* by this *name*; made anew where it is not kept."""
        data = await self.pictures.fetch(guest.id, name)
        found = TITLE.fullmatch(title)
        if data is not None or found is None or not self.looks(guest):
            return data
        table, more, end = found.groups("")
        if end not in FILES or (table and not await self.house.boards.stands(guest.where, table)):
            return None
        values = {"table": table, "moves": more if more.isdigit() else ""}
        command, again = BY_ACT[FILES[end]].name, f"{guest.id}:{uuid.uuid4()}"
        answer = await self.house.call(Command(again, guest.where, guest.asker, command, values))
        if isinstance(answer, Promised):
            answer = await answer.answer
        return answer.file.data if isinstance(answer, FileAnswer | Poster) else None

    async def cover(self, game: str, theme: str) -> bytes | None:
        """The picture that stands for *game* where games are chosen."""
        return await self.house.pages.cover(game, theme)

    async def book(self, guest: Guest, game: str, table: str, code: str) -> Json | None:
        """The rules of *game*, or of *table*, for *guest* to read in the language *code*."""
        found = await self.house.pages.book(guest.where, game, table, code)
        return None if found is None else asdict(found)

    async def figure(self, guest: Guest, game: str, name: str, code: str) -> bytes | None:
        """A figure of the rules of *game* in *guest*'s theme, with words of the language *code*."""
        return await self.house.pages.figure(guest.asker, game, name, guest.theme, code)

    async def face(self, game: str, name: str) -> bytes | None:
        """A piece of *game* by itself."""
        return await self.house.pages.face(game, name)

    async def record(self, guest: Guest, table: str, form: str) -> Attachment | None:
        """The record of *table* in *form*, for *guest* to keep."""
        return await self.house.pages.record(guest.where, table, form)


def plain(screen: Screen) -> Json:
    """The words and the buttons of *screen*."""
    return {
        "table": screen.table,
        "version": screen.version,
        "title": screen.title,
        "headline": screen.headline,
        "lines": [unmarked(line) if screen.marked else line for line in screen.lines],
        "alt": screen.alt,
        "countdown": None if screen.countdown is None else _counted(screen.countdown),
        "rows": [[vars(button) for button in row] for row in screen.buttons],
        "asks": screen.asks,
    }


def _counted(count: Countdown) -> Json:
    """What the page counts down to: milliseconds since 1970."""
    until = int(count.until.timestamp() * 1000)
    return {"said": count.said, "until": until, "plain": count.plain}


def pictured(picture: Picture | None) -> Json:
    """Where the page fetches a picture, and how large it is."""
    if picture is None:
        return {"picture": "", "width": 0, "height": 0}
    return {
        "picture": picture.name.join(PICTURES),
        "width": picture.width,
        "height": picture.height,
    }


def _cells(scene: Scene | None) -> dict[str, Json]:
    """Where the cells of *scene* are, by their names."""
    if scene is None:
        return {}
    return {cell.step: vars(cell) for cell in painter(scene.game).cells(scene)}


def _spots(scene: Scene | None) -> list[Json]:
    if scene is None:
        return []
    return [vars(spot) for spot in painter(scene.game).spots(scene)]
