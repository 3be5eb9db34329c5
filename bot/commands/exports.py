"""Exports of a finished game: a film and a card, posted for everybody in the place."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.commands.quota import Export
from bot.commands.request import Request, in_time
from bot.commands.table_lookup import find_table
from bot.port import Answer, Attachment, Poster
from bot.presenters.composer import Composer
from bot.presenters.documents import card_text, result_card
from bot.presenters.history import MOST, reel_of, shots
from bot.presenters.viewers import Viewer
from bot.session.table import CLOSED, ENDED, PLAYING, Table
from bot.session.unit_of_work import Refused
from games.core import CHANCE, phrase
from render.kit import paint, png
from render.kit.film import FEW, FilmFrame, film
from render.result_card import card as painted


async def post_replay(request: Request) -> Answer:
    """Post a finished game as a film."""
    table = await _finished(request)
    most = _most(request)
    what = Export(table.code, f"ludoteca-{table.code}-{most}.gif", await _everybody(request, table))
    request.services.keepsakes.post(request.by.where, what)
    return await in_time(request, _replay(request, table, what, most))


async def _replay(request: Request, table: Table, what: Export, most: int) -> Answer:
    composer = Composer(table, what.viewer, request.services.key)
    found = await asyncio.to_thread(reel_of, table, most, request.services.advice.reviewed(table))

    def make() -> bytes:
        shown = shots(composer, found)
        return film((FilmFrame(paint(shot.scene), shot.stands) for shot in shown), FEW)

    data = await request.services.keepsakes.made(what, make)
    key = "keepsake.replay" if found.whole else "keepsake.replay.last"
    said = composer.say(phrase(key, how=composer.board().headline, n=len(found.numbers)))
    return Poster(said, Attachment(what.name, data), composer.alt())


async def post_card(request: Request) -> Answer:
    """Post a finished game as a card."""
    table = await _finished(request)
    what = Export(table.code, f"ludoteca-{table.code}.png", await _everybody(request, table))
    request.services.keepsakes.post(request.by.where, what)
    return await in_time(request, _card(request, table, what))


async def _card(request: Request, table: Table, what: Export) -> Answer:
    composer = Composer(table, what.viewer, request.services.key)
    reviewed = request.services.advice.reviewed(table)
    whole = await asyncio.to_thread(reel_of, table, len(table.log), reviewed)
    said, scene = result_card(composer, whole), composer.board().scene

    def make() -> bytes:
        return b"" if scene is None else png(painted(said, paint(scene)))

    data = await request.services.keepsakes.made(what, make)
    headline = composer.board().headline
    return Poster(headline, Attachment(what.name, data), card_text(composer, said))


async def _finished(request: Request) -> Table:
    """The finished game; raises ``Refused`` where there is nothing to show."""
    table = await find_table(request, ENDED, or_else=(CLOSED, PLAYING))
    if table.status == PLAYING:
        raise Refused(phrase("keepsake.later"))
    if table.position is None or all(entry.seat == CHANCE for entry in table.log):
        raise Refused(phrase("keepsake.nothing"))
    return table


async def _everybody(request: Request, table: Table) -> Viewer:
    """The viewer of the export: everybody who sees the pressed board."""
    seen = await request.viewer(table)
    if await request.view() is None:
        seen = replace(seen, language=await request.place_language())
    return replace(seen, seat=None, bottom=None, personal=False)


def _most(request: Request) -> int:
    typed = request.value("moves")
    if not typed:
        return MOST
    if not typed.isascii() or not typed.isdigit() or not 1 <= int(typed) <= MOST:
        raise Refused(phrase("keepsake.how-many", most=MOST))
    return int(typed)
