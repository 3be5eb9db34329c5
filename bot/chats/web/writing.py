"""Screens as the page takes them: JSON objects of what is shown, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from bot.chats.web.guests import Guest
from bot.chats.web.pictures import Picture, Pictures
from bot.facade import NO_TABLE, Facade
from bot.port import Countdown, Screen
from bot.texts.marks import unmarked
from render.kit import painter
from render.scene import Scene

Json: TypeAlias = Mapping[str, Any]

PICTURES = "picture/", ".png"
"""The address of a picture before and after its name."""


@dataclass
class BoardWriter:
    """Composes the boards of a guest's page."""

    house: Facade
    pictures: Pictures

    async def all(self, guest: Guest) -> list[Json]:
        """All boards of *guest*'s page as they are now, the latest first."""
        screens = await self.house.boards.on_page(guest.where)
        return [await self.form(guest, screen) for screen in screens]

    async def form(self, guest: Guest, screen: Screen) -> Json:
        """*screen* as the page takes it, with its picture painted in the guest's theme."""
        scene, picture = screen.scene, None
        if scene is not None:
            scene = await self.house.boards.dressed(scene, guest.asker, guest.theme)
            picture = await self.pictures.show(guest.id, scene)
        told = {**screen_json(screen), **picture_json(picture), "spots": _spots(scene)}
        if screen.table == NO_TABLE:
            return told
        beside = asdict(await self.house.boards.beside(screen, guest.asker))
        beside["with"] = beside.pop("company")
        boxes = _cells(scene) if beside["ends"] else {}
        beside["ends"] = [{**boxes[end["cell"]], **end} for end in beside["ends"]]
        path = [] if scene is None else list(scene.path)
        return {**told, **beside, "path": path}


def screen_json(screen: Screen) -> Json:
    """The words and the buttons of *screen*."""
    return {
        "table": screen.table,
        "version": screen.version,
        "title": screen.title,
        "headline": screen.headline,
        "lines": [unmarked(line) if screen.marked else line for line in screen.lines],
        "alt": screen.alt,
        "countdown": None if screen.countdown is None else _countdown_json(screen.countdown),
        "rows": [[vars(button) for button in row] for row in screen.buttons],
        "asks": screen.asks,
    }


def _countdown_json(count: Countdown) -> Json:
    """*count* as the page takes it, with its end in milliseconds since 1970."""
    until = int(count.until.timestamp() * 1000)
    return {"said": count.said, "until": until, "plain": count.plain}


def picture_json(picture: Picture | None) -> Json:
    """The address and the size of *picture*."""
    if picture is None:
        return {"picture": "", "width": 0, "height": 0}
    return {
        "picture": picture.name.join(PICTURES),
        "width": picture.width,
        "height": picture.height,
    }


def _cells(scene: Scene | None) -> dict[str, Json]:
    """The cells of *scene* on the picture, by their names."""
    if scene is None:
        return {}
    return {cell.step: vars(cell) for cell in painter(scene.game).cells(scene)}


def _spots(scene: Scene | None) -> list[Json]:
    if scene is None:
        return []
    return [vars(spot) for spot in painter(scene.game).spots(scene)]
