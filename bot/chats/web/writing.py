"""Screens as the page takes them: plain JSON objects, made of nothing but what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from bot.chats.web.guests import Guest
from bot.chats.web.pictures import Picture, Pictures
from bot.house import House
from bot.outbox.views import viewer_of
from bot.port import Screen
from bot.screen.buttons import NO_TABLE
from bot.screen.composer import Composer
from bot.screen.viewers import Viewer
from bot.table.table import CLOSED, ENDED, OPEN, PLAYING, Table
from games.core import CHANCE, Phrase, Who, phrase, verbatim
from render.kit import painter
from render.scene import Scene
from storage import views as stored
from storage.records import ViewRow

Json: TypeAlias = Mapping[str, Any]

OVER_SHOWN = 3
"""How many tables that are over stay on the page, the latest."""


@dataclass
class Boards:
    """Makes the boards of a guest's page."""

    house: House
    pictures: Pictures

    async def all(self, guest: Guest, person: int) -> list[Json]:
        """Every table that *guest* has on his page, as it is now, the latest first."""
        manager = self.house.manager
        shown = []
        living = await manager.tables_in(guest.where, (PLAYING, OPEN))
        over = await manager.tables_in(guest.where, (ENDED,))
        for table in (*living, *over[:OVER_SHOWN]):
            view = await self.house.views.of(table, guest.where)
            if view is not None:
                shown.append(await self.of_view(guest, person, table, view))
        return shown

    async def of_view(self, guest: Guest, person: int, table: Table, view: ViewRow) -> Json:
        """The board that *view* of *table* shows *guest* now."""
        composer = Composer(table, viewer_of(view, table), self.house.manager.key)
        return await self.form(guest, person, composer.board())

    async def form(self, guest: Guest, person: int, screen: Screen) -> Json:
        """*screen* as the page takes it, its picture painted in the guest's theme."""
        scene, picture = screen.scene, None
        if scene is not None:
            scene = replace(scene, theme=guest.theme)
            picture = await self.pictures.show(guest.id, scene)
        told = {**plain(screen), **pictured(picture), "spots": _spots(scene)}
        if screen.table == NO_TABLE:
            return told
        return {
            **told,
            **self._beside(await self.house.manager.table(screen.table), person, screen),
        }

    def _beside(self, table: Table, person: int, screen: Screen) -> Json:
        """What the page shows beside a board: whose turn it is, with whom, the last moves."""
        seat = table.seat_of(person)
        viewer = Viewer(seat, screen.language, personal=True)
        composer = Composer(table, viewer, self.house.manager.key)
        others = tuple(
            Who(number)
            for number, player in enumerate(table.players)
            if number != seat and player.seated
        )
        company = composer.say(phrase("web.with", who=others)) if others else ""
        return {
            "mine": person in screen.calls and table.status == PLAYING,
            "open": table.status == OPEN,
            "over": table.status in (ENDED, CLOSED),
            "status": composer.say(_status(table, seat)),
            "with": company,
            "told": _told(table, composer),
            "count": len(table.log),
        }

    async def table_of(self, view: int) -> str:
        """The code of the table that the view numbered *view* shows, or nothing."""
        async with self.house.manager.store.reading() as tx:
            row = await stored.get(tx, view)
        return row.game if row is not None else ""


def plain(screen: Screen) -> Json:
    """The words and the buttons of *screen*."""
    return {
        "table": screen.table,
        "version": screen.version,
        "title": screen.title,
        "headline": screen.headline,
        "lines": screen.lines,
        "alt": screen.alt,
        "rows": [
            [
                {
                    "label": button.label,
                    "code": button.code,
                    "style": button.style,
                    "letter": button.letter,
                    "step": button.step,
                }
                for button in row
            ]
            for row in screen.rows
        ],
    }


def pictured(picture: Picture | None) -> Json:
    """Where the page fetches a picture, and how large it is."""
    if picture is None:
        return {"picture": "", "width": 0, "height": 0}
    return {
        "picture": f"picture/{picture.name}.png",
        "width": picture.width,
        "height": picture.height,
    }


def _spots(scene: Scene | None) -> list[Json]:
    if scene is None:
        return []
    return [vars(spot) for spot in painter(scene.game).spots(scene)]


def _status(table: Table, seat: int | None) -> Phrase:
    actors = sorted(table.actors())
    if table.status == OPEN:
        return phrase("web.status.open")
    if table.status != PLAYING:
        return phrase("web.status.over")
    if seat in actors:
        return phrase("web.status.yours")
    return phrase("web.status.theirs", who=tuple(map(Who, actors)))


def _told(table: Table, composer: Composer) -> list[Json]:
    """What happened since the last choice, as the viewer may know it, numbered in the log."""
    moves: list[Json] = []
    for told in composer.seen.recent:
        # A whole deal is not worth a line a card: the board tells how many there were.
        if told.seat == CHANCE and len(table.recent) > 6:
            continue
        who: Phrase = verbatim("")
        if told.seat != CHANCE:
            who = phrase("web.who", who=Who(told.seat))
        moves.append(
            {
                "number": told.number,
                "who": composer.say(who),
                "text": composer.say(told.before.spoken(told.move)),
                "note": told.before.notation(told.move),
            }
        )
    return moves
