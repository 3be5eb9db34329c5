"""What is worth keeping of a finished game: a film and a card, for everybody there."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.commands.export_queue import What
from bot.commands.promises import promised
from bot.commands.request import Request
from bot.commands.table_search import meant
from bot.port import Answer, Attachment, Poster
from bot.presenters.composer import Composer
from bot.presenters.film import MOST, reel, shots
from bot.presenters.result_card import in_words, result
from bot.presenters.viewers import Viewer
from bot.session.table import CLOSED, ENDED, PLAYING, Table
from bot.session.unit_of_work import Refused
from games.core import CHANCE, phrase
from render.kit import paint, png
from render.kit.film import FEW, Frame, film
from render.result import card as painted


async def replay(asked: Request) -> Answer:
    """Post a finished game as a film."""
    table = await _finished(asked)
    most = _most(asked)
    what = What(table.code, f"ludoteca-{table.code}-{most}.gif", await _everybody(asked, table))
    asked.services.keepsakes.post(asked.by.where, what)
    return await promised(asked, _replay(asked, table, what, most))


async def _replay(asked: Request, table: Table, what: What, most: int) -> Answer:
    composer = Composer(table, what.viewer, asked.services.key)
    found = await asyncio.to_thread(reel, table, most, asked.services.advice.reviewed(table))

    def make() -> bytes:
        shown = shots(composer, found)
        return film((Frame(paint(shot.scene), shot.stands) for shot in shown), FEW)

    data = await asked.services.keepsakes.made(what, make)
    key = "keepsake.replay" if found.whole else "keepsake.replay.last"
    said = composer.say(phrase(key, how=composer.board().headline, n=len(found.numbers)))
    return Poster(said, Attachment(what.name, data), composer.alt())


async def card(asked: Request) -> Answer:
    """Post a finished game as a card that is worth forwarding."""
    table = await _finished(asked)
    what = What(table.code, f"ludoteca-{table.code}.png", await _everybody(asked, table))
    asked.services.keepsakes.post(asked.by.where, what)
    return await promised(asked, _card(asked, table, what))


async def _card(asked: Request, table: Table, what: What) -> Answer:
    composer = Composer(table, what.viewer, asked.services.key)
    reviewed = asked.services.advice.reviewed(table)
    whole = await asyncio.to_thread(reel, table, len(table.log), reviewed)
    said, scene = result(composer, whole), composer.board().scene

    def make() -> bytes:
        return b"" if scene is None else png(painted(said, paint(scene)))

    data = await asked.services.keepsakes.made(what, make)
    headline = composer.board().headline
    return Poster(headline, Attachment(what.name, data), in_words(composer, said))


async def _finished(asked: Request) -> Table:
    """The finished game that is meant; raises ``Refused`` where there is nothing to show of it."""
    table = await meant(asked, ENDED, or_else=(CLOSED, PLAYING))
    if table.status == PLAYING:
        raise Refused(phrase("keepsake.later"))
    if table.position is None or all(entry.seat == CHANCE for entry in table.log):
        raise Refused(phrase("keepsake.nothing"))
    return table


async def _everybody(asked: Request, table: Table) -> Viewer:
    """How everybody who may be shown the keepsake sees *table*: as on the pressed board."""
    seen = await asked.viewer(table)
    if await asked.view() is None:
        seen = replace(seen, language=await asked.place_language())
    return replace(seen, seat=None, bottom=None, personal=False)


def _most(asked: Request) -> int:
    typed = asked.value("moves")
    if not typed:
        return MOST
    if not typed.isascii() or not typed.isdigit() or not 1 <= int(typed) <= MOST:
        raise Refused(phrase("keepsake.how-many", most=MOST))
    return int(typed)
