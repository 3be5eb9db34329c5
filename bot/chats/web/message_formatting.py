"""Screens and answers as the page takes them: JSON, and the pictures that belong to it."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from cachetools import LRUCache

from bot.chats.web.person.guests import Guest
from bot.chats.web.reading import ClientFrame
from bot.facade import NO_TABLE, ChatBoards, Pages, remembering, strip_mac
from bot.port import (
    Answer,
    BoardAnswer,
    Card,
    Choice,
    Countdown,
    FileAnswer,
    MenuAnswer,
    Poster,
    Preview,
    Promised,
    ReservedBoard,
    Said,
    Screen,
)
from bot.texts.inline_markup import unmarked
from render.kit import painter
from render.kit.painters import Spot, bars_of, rows_between
from render.kit.sprite_placements import Placed, Scenery
from render.scene import Scene

Json: TypeAlias = Mapping[str, Any]

PICTURES = "picture/", ".png"
"""The address of a picture before and after its name."""


NOTICE_SECONDS = 5.5
"""The seconds between two notices; the page shows each for six."""

NAME = 12
"""How many letters name a picture or a file, of 64: each guest fetches their own alone."""

THUMB = 112
"""The width of a small picture: 56 pixels, on screens with two for each."""

FINE = 4
"""The decimals of a place in parts of the picture: a twentieth of a pixel of one 1,000 wide."""

SCENES_KEPT = 2048
"""How many scenes are remembered to be painted again; their bytes are cached elsewhere."""

SPRITES_KEPT = 32_768
"""How many sprites of guests are remembered; their bytes are those that are drawn anyway."""

FILES_KEPT = 128
"""How many files and figures are kept, of all guests together."""


@dataclass(frozen=True)
class Picture:
    """A painted picture: the *name* in its address, and its size in pixels."""

    name: str
    width: int
    height: int


@dataclass
class Pictures:
    """The pictures and files of guests; each may fetch only what was shown to them."""

    boards: ChatBoards
    _scenes: LRUCache[tuple[str, str], Scene] = remembering(SCENES_KEPT)
    _files: LRUCache[tuple[str, str], bytes] = remembering(FILES_KEPT)
    sprites: LRUCache[tuple[str, str], bytes] = remembering(SPRITES_KEPT)
    """The files of sprites, by guest and name."""

    async def show(self, guest: str, scene: Scene) -> Picture:
        """Paint *scene* for *guest* off the event loop, and let them fetch it."""
        data = await self.boards.picture(scene)
        name = name_hash(data)
        self._scenes[guest, name] = scene
        return Picture(name, *measured(data))

    async def scenery(self, guest: str, scene: Scene) -> Scenery:
        """*scene* as sprites at places, which *guest* may fetch from now on."""
        scenery = await self.boards.scenery(scene)
        self.sprites.update({(guest, name): one.data for name, one in scenery.cutouts.items()})
        return scenery

    def keep(self, guest: str, data: bytes) -> str:
        """Let *guest* fetch *data*; answers its name."""
        name = name_hash(data)
        self._files[guest, name] = data
        return name

    async def fetch(self, guest: str, name: str) -> bytes | None:
        """The picture or file of this name for *guest*, painted again if need be."""
        scene = self._scenes.get((guest, name))
        if scene is None:
            return self._files.get((guest, name))
        return await self.boards.picture(scene)

    async def thumb(self, guest: str, name: str) -> bytes | None:
        """A small one of the picture of this name for *guest*; None where it is not known."""
        scene = self._scenes.get((guest, name))
        return None if scene is None else await self.boards.picture(replace(scene, size=THUMB))

    def ready(self, guest: str, name: str) -> bytes | None:
        """The picture of this name for *guest*, if it is painted already."""
        scene = self._scenes.get((guest, name))
        return None if scene is None else self.boards.painted(scene)


def answer_json(frame: ClientFrame, said: str, *, good: bool) -> dict[str, object]:
    """The answer to *frame* in words."""
    return {"kind": "answer", "id": frame.id, "good": good, "said": said}


@dataclass(frozen=True)
class PendingAnswer:
    """An answer that is *promised*; *form* composes it once it is known."""

    promised: Promised
    form: Callable[[Answer], Awaitable[Json]]

    async def wait(self, frame: ClientFrame, send: Callable[[str, Json], None]) -> Json:
        """The answer to *frame*; until then the page gets notices by *send*."""
        said = self.promised.said
        try:
            while True:
                send(f"soon {frame.id}", {"kind": "soon", "id": frame.id, "said": said})
                if await self.promised.wait(NOTICE_SECONDS):
                    return await self.form(await self.promised.answer)
                said = self.promised.waiting()
        finally:
            self.promised.answer.cancel()


@dataclass(frozen=True)
class PageWriter:
    """Composes the boards and answers of a guest's page."""

    boards: ChatBoards
    pages: Pages
    pictures: Pictures
    show: Callable[[ClientFrame, ReservedBoard], Awaitable[None]]
    """Shows a board, with the answer to the frame where a page awaits that."""

    async def all(self, guest: Guest) -> list[Json]:
        """All boards of *guest*'s page as they are now, the latest first."""
        screens = await self.boards.on_page(guest.where)
        return [await self.form(guest, screen) for screen in screens]

    async def form(self, guest: Guest, screen: Screen) -> Json:
        """*screen* as the page takes it, with its picture painted in the guest's theme."""
        scene, lobby, picture = screen.scene, self.pages.lobby, None
        if scene is None:
            screen = await lobby.offer_seat(guest.asker, screen)
        else:
            scene = await self.boards.dress_scene(scene, guest.asker, guest.theme)
            # The page plays what happened, and its board is pointed at.
            scene = replace(scene, recap=None)
            picture = await self.pictures.show(guest.id, scene)
        told = {**screen_json(screen), **picture_json(picture), **_places(scene)}
        told["cover"], told["scene"] = _cover(screen.game, guest.theme), scene
        told["game"] = screen.game or (scene.game if scene else "")
        if screen.table == NO_TABLE:
            return told
        beside, coach = asdict(await self.boards.beside(screen, guest.asker)), self.boards.coach
        beside["coached"] = beside["mine"] and await coach.speaks(guest.asker, screen.table)
        beside["with"], timed = beside.pop("company"), beside.pop("timed")
        for key in ("left", "runs"):  # Of what a seat is, they alone change with a move.
            beside[key] = [one.pop(key) for one in beside["clocks"]]
        told["lines"] = [line for line in told["lines"] if line not in timed]
        told["lines"] += filter(None, [beside.pop("turning"), beside.pop("due")])
        boxes = _cells(scene) if beside["ends"] else {}
        for end in beside["ends"]:
            end |= boxes[end["cell"]]
            end["moves"] = list(map(_button_json, end["moves"]))
        beside["motions"] = [_motion_json(one) for one in beside["motions"]]
        return {**told, **beside}

    async def write_answer(
        self, guest: Guest, frame: ClientFrame, answer: Answer
    ) -> Json | PendingAnswer:
        """*answer* as the page takes it, or as a pending one."""
        if isinstance(answer, Promised):
            return PendingAnswer(answer, partial(self.answer, guest, frame))
        return await self.answer(guest, frame, answer)

    async def answer(self, guest: Guest, frame: ClientFrame, answer: Answer) -> Json:
        """*answer* as the page takes it."""
        told = answer_json(frame, answer.said, good=answer.good)
        told["menu"] = isinstance(answer, MenuAnswer)
        match answer:
            case Said(cells=names) if names:
                marks = await self.pages.cells(guest.where, frame.message or frame.table, names)
                told["marks"] = [vars(one) for one in marks]
            case Said(leads=Screen(rows=((button, *_), *_))):
                told["leads"] = _button_json(vars(button))
            case BoardAnswer(view=view, board=board):
                if board is not None:
                    await self.show(frame, board)
                if view is not None:
                    told["open"] = await self.boards.table_of(view)
            case FileAnswer(file=file) | Poster(file=file):
                name = self.pictures.keep(guest.id, file.data)
                told["file"] = {"href": f"file/{name}/{file.name}", "name": file.name}
            case MenuAnswer(screen, picture) | Card(screen, picture):
                form = await self.form(guest, screen)
                if screen.scene is None and picture is not None:
                    name = self.pictures.keep(guest.id, picture)
                    form = {**form, **picture_json(Picture(name, *measured(picture)))}
                told["card" if screen.table == NO_TABLE else "board"] = form
        return told


def screen_json(screen: Screen) -> Json:
    """The words, choices and buttons of *screen*."""
    plain = ("table", "version", "title", "headline", "alt", "asks", "language")
    return {
        **{key: getattr(screen, key) for key in plain},
        "lines": [unmarked(line) if screen.marked else line for line in screen.lines],
        "countdown": None if screen.countdown is None else _countdown_json(screen.countdown),
        "choices": [_choice_json(choice) for choice in screen.choices if choice.options],
        "rows": [[_button_json(vars(button)) for button in row] for row in screen.rows],
        **({"pasted": "\n".join(screen.pasted)} if screen.pasted else {}),
    }


def _button_json(button: Json) -> Json:
    """*button* as the page takes it, which has many of them: without what is empty."""
    code, tap = strip_mac(button["code"]), strip_mac(button["tap"])
    told = {**button, "code": code, "tap": tap * (tap != code), "face": ""}
    return {"label": "", "step": "", **{key: told[key] for key in told if told[key]}}


def _motion_json(motion: Json) -> Json:
    """*motion* as the page takes it, without what is empty."""
    places = {key: [round(one, FINE) for one in motion[key]] for key in ("start", "end")}
    return {key: value for key, value in {**motion, **places}.items() if value or key == "number"}


def _box_json(spot: Spot) -> Json:
    """Where *spot* is on the picture."""
    return {key: round(getattr(spot, key), FINE) for key in "xywh"}


def _choice_json(choice: Choice) -> Json:
    """*choice* as a question of a form; *chosen* is -1 where nothing is."""
    previews = choice.previews or (Preview(),) * len(choice.options)
    return {
        "name": choice.label or choice.name,
        "chosen": -1 if choice.chosen is None else choice.chosen,
        "options": [
            {
                "label": option.label,
                "code": option.code,
                "colour": "" if preview.colour is None else f"#{preview.colour:06x}",
                "cover": _cover(preview.game, preview.theme),
            }
            for option, preview in zip(choice.options, previews, strict=True)
        ],
    }


def _cover(game: str, theme: str) -> str:
    """The address of the picture of *game* in *theme*; "" for no game."""
    return f"cover/{game}-{theme}.png" if game else ""


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


def scenery_json(scenery: Scenery, known: Collection[str]) -> Json:
    """*scenery* as the page takes it, with the sprites that are not *known* to it."""
    parts = "|".join(
        f"{one.name} {one.x} {one.y}"
        if isinstance(one, Placed)
        else f"{one.colour} {one.x} {one.y} {one.width} {one.height}"
        for one in scenery.parts
    )
    cutouts = scenery.cutouts.items()
    sprites = {name: (one.width, one.height) for name, one in cutouts if name not in known}
    lays = "|".join(f"{step} {one.name} {one.x} {one.y}" for step, one in scenery.lays.items())
    told = {"width": scenery.width, "height": scenery.height, "parts": parts, "lays": lays}
    return {**told, "sprites": sprites}


def _cells(scene: Scene | None) -> dict[str, Json]:
    return {one.step: _box_json(one) for one in painter(scene.game).cells(scene)} if scene else {}


def _places(scene: Scene | None) -> Json:
    """Where on its picture *scene* is tapped, its bars, what is chosen, and ways to be shown."""
    if scene is None:
        return {"spots": [], "bars": [], "crop": (0, 1), "path": [], "arrows": []}
    spots, bars = painter(scene.game).spots(scene), bars_of(scene)
    tapped = [{"step": spot.step, **_box_json(spot)} for spot in spots]
    shown = {"bars": list(map(_box_json, bars)), "crop": rows_between(bars)}
    found = [
        [_cells(replace(scene, seen=seen)).get(cell) for seen, cell in way] for way in scene.ways
    ]
    arrows = [list(filter(None, way)) for way in found]
    return {"spots": tapped, "path": list(scene.path), "arrows": arrows, **shown}


def name_hash(data: bytes) -> str:
    """A name of *data* by its content."""
    return urlsafe_b64encode(hashlib.sha256(data).digest()).decode()[:NAME]


def measured(data: bytes) -> tuple[int, int]:
    """Width and height in the header of a GIF (GIF89a, 18) or a PNG (11.2.2 IHDR)."""
    if data.startswith(b"GIF"):
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
