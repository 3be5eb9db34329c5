"""Exports of a finished game: a film and a card, posted for everybody in the place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from bot.commands.quotas import Export, PostedBefore
from bot.commands.request import Request, in_time, language_of_board, pressed_viewer
from bot.commands.services_of_handlers import PlayRoom
from bot.commands.table.lookup import TableLookup
from bot.port import Answer, Attachment, Posted, Poster, PublicAddress, Said
from bot.presenters.table.composer import TALL_CARD, Composer
from bot.presenters.table.film import (
    CLOSING,
    COVER,
    FEWEST,
    MOST_MOVES,
    TOLD,
    Reel,
    Shot,
    reel_of,
    scene_after,
    shots,
)
from bot.presenters.table.result_card import card_text, cover_of, result_card
from bot.presenters.table.viewers import Viewer
from bot.session.table import CLOSED, ENDED, PLAYING, Table
from bot.session.unit_of_work import Refused, refuse_if
from games.core import CHANCE, phrase
from games.core.advice import Review
from render.film_foot import with_foot
from render.kit import paint, png
from render.kit.film import FILM_COLOURS, FilmFrame, film
from render.kit.motion import tweens
from render.result_card import Result, film_card
from render.result_card import card as painted


async def post_replay(request: Request, room: PlayRoom) -> Answer:
    """Post a finished game as a film."""
    table = await _find_finished(request, room.lookup)
    last = _last(request)
    name = f"ludoteca-{table.code}{'' if last is None else f'-{last}'}.gif"
    what = Export(table.code, name, await _everybody(request, table))
    return await _post(request, room, what, partial(_replay, request, room, table, what, last))


ExportMaker = Callable[[Posted], Coroutine[Any, Any, Answer]]
"""Makes an export; it is given what is to be told the message in which that is posted."""


async def _post(request: Request, room: PlayRoom, what: Export, make: ExportMaker) -> Answer:
    """Post *what*, or say that it stands here already, with its address where messages have any."""
    where, chat = request.by.where, request.chats.get(request.by.where.platform)
    try:
        return await in_time(request, make(room.keepsakes.post(where, what)))
    except PostedBefore as before:
        link = chat.link(where, before.message) if chat is not None and before.message else ""
        return Said(request.tongue.say(before.phrase), good=False, link=link)


async def _replay(
    request: Request, room: PlayRoom, table: Table, what: Export, last: int | None, posted: Posted
) -> Answer:
    composer = Composer(table, what.viewer, request.key)
    reviewed = room.advice.reviewed(table)
    found = await asyncio.to_thread(reel_of, table, last, reviewed)
    make = partial(film_of, composer, found, last, reviewed, _address(request))
    data = await room.keepsakes.make(what, make)
    key = "keepsake.replay" if last is None or found.whole else "keepsake.replay.last"
    said = composer.say(key, how=composer.headline(), n=min(last or 0, len(found.moves)))
    return Poster(said, Attachment(what.name, data), alt=composer.alt(), posted=posted)


LARGEST = 480_000
"""The most bytes of a film; a longer story is told in fewer moves."""


def film_of(
    composer: Composer, reel: Reel, last: int | None, reviewed: Review | None, found: PublicAddress
) -> bytes:
    """The film of *reel* as a GIF file, or one of fewer moves where that is too large."""
    end = result_card(composer, reel, found)
    cards = (cover_of(composer, end), end)
    data = film(film_frames(shots(composer, reel), cards), FILM_COLOURS)
    for most in (TOLD, FEWEST):
        if len(data) <= LARGEST:
            break
        if len(reel.numbers) > most:
            reel = reel_of(composer.table, last, reviewed, most=most)
            data = film(film_frames(shots(composer, reel), cards), FILM_COLOURS)
    return data


def film_frames(
    shown: Iterable[Shot], cards: tuple[Result, Result] | None = None
) -> Iterator[FilmFrame]:
    """The pictures of *shown* in turn, each with its foot; *cards* are the cover and the end.

    At the end stands the board where the game turned.
    """
    turned: FilmFrame | None = None
    frame: FilmFrame | None = None
    for shot in shown:
        scene = shot.scene
        for picture in tweens(scene, shot.tweens) if shot.tweens else [paint(scene)]:
            before, frame = (
                frame,
                FilmFrame(with_foot(picture, shot.foot, scene.theme), shot.stands),
            )
            if cards and before is None:
                yield FilmFrame(film_card(cards[0], picture, frame.picture), COVER)
            yield frame
        if turned is None and shot.foot.gold and not shot.tweens:
            turned = frame
    if cards and frame is not None and turned is not None:
        yield FilmFrame(film_card(cards[1], turned.picture, frame.picture), CLOSING)


async def post_card(request: Request, room: PlayRoom) -> Answer:
    """Post a finished game as a card; with ``TALL_CARD`` in the path one for stories."""
    table = await _find_finished(request, room.lookup)
    tall = TALL_CARD in request.path
    name = f"ludoteca-{table.code}{'-tall' if tall else ''}.png"
    what = Export(table.code, name, await _everybody(request, table))
    return await _post(request, room, what, partial(_card, request, room, table, what, tall=tall))


async def _card(
    request: Request, room: PlayRoom, table: Table, what: Export, posted: Posted, *, tall: bool
) -> Answer:
    composer = Composer(table, what.viewer, request.key)
    story = await asyncio.to_thread(reel_of, table, None, room.advice.reviewed(table))
    said = result_card(composer, story, _address(request))
    scene = composer.board().scene
    if story.turning is not None and story.turning != story.moves[-1]:
        scene = scene_after(composer, story, story.turning)

    def make() -> bytes:
        return b"" if scene is None else png(painted(said, paint(scene), tall=tall))

    data = await room.keepsakes.make(what, make)
    shown = card_text(composer, said)
    return Poster(composer.headline(), Attachment(what.name, data), alt=shown, posted=posted)


def _address(request: Request) -> PublicAddress:
    """How strangers find us: in the chat of the request, or else on the page of everybody."""
    here = request.by.where.platform
    own, *others = sorted(request.chats.items(), key=lambda item: item[0] != here)
    found = own[1].public_address()
    if found.link:
        return found
    links = (chat.public_address().link for _, chat in others if chat.everywhere)
    return replace(found, link=next(filter(None, links), ""))


async def _find_finished(request: Request, lookup: TableLookup) -> Table:
    """The finished game; raises ``Refused`` where there is nothing to show."""
    table = await lookup.find_table(request, ENDED, or_else=(CLOSED, PLAYING))
    refuse_if(table.status == PLAYING, "keepsake.later")
    if table.position is None or all(entry.seat == CHANCE for entry in table.log):
        raise Refused(phrase("keepsake.nothing"))
    return table


async def _everybody(request: Request, table: Table) -> Viewer:
    """The viewer of the export: everybody who sees the pressed board."""
    seen = await pressed_viewer(request, table)
    if await request.view() is None:
        seen = replace(seen, language=await language_of_board(request))
    return replace(seen, seat=None, bottom=None, personal=False)


def _last(request: Request) -> int | None:
    """How many of the last moves are asked for; ``None`` for the story of the game."""
    typed = request.value("moves")
    if not typed:
        return None
    if not typed.isascii() or not typed.isdigit() or not 1 <= int(typed) <= MOST_MOVES:
        raise Refused(phrase("keepsake.how-many", most=MOST_MOVES))
    return int(typed)
