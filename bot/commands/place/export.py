"""Leaving and coming: what a place takes along as a file, and what it has imported."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Sequence
from functools import partial

from bot.commands.place.moderation import managers_only
from bot.commands.request import Request, fetch_sent, in_time, standing_of_asker
from bot.commands.services_of_handlers import ExportRoom
from bot.port import (
    Answer,
    Attachment,
    Command,
    FileAnswer,
    Said,
    Upload,
    Where,
)
from bot.presenters.place.imported_games import PAGE, ImportScreens
from bot.presenters.table.record_and_draw_proof import record_of
from bot.service.place.archive import (
    ENTRIES,
    MB,
    ArchivedStanding,
    BadArchive,
    PlaceHead,
    write_archive,
)
from bot.service.place.imports import MOST_PLACES, SENT_UNPACKED
from bot.service.table.tables import read_table
from bot.session import preferences
from bot.session.table import ENDED, BrokenTable
from bot.session.unit_of_work import Refused, need, refuse_if
from games.core import phrase
from games.core.record import LONGEST_RECORD
from games.core.shelf import shelf
from storage.place import imports
from storage.table import games

LARGEST = 8 * MB
"""The most bytes of a file that every chat takes."""

OF_PLATFORM = ("roles", "channels", "seeking")
"""Settings that name what only this platform knows."""

OF_GAME = ("game", "names", "forget")
"""What a button may ask of one imported game."""

RECORDS_AT_ONCE = 50
"""After how many records others have their turn."""


async def export_place(request: Request, room: ExportRoom) -> Answer:
    """The records, ladder and settings of the place as a file, for whoever manages it."""
    await _check_manages(request)
    return await in_time(request, _export(request, room), phrase("leaving.gathering"))


async def _check_manages(request: Request) -> None:
    standing = await standing_of_asker(request)
    if not (standing.manages or request.by.where.private):
        raise managers_only(standing)


async def _export(request: Request, room: ExportRoom) -> Answer:
    data, count = await archive_of(room, request.key, request.by.where, request.person.id)
    refuse_if(len(data) > LARGEST, "leaving.too-large", n=len(data) // MB)
    said = request.pages.say("leaving.exported", n=count)
    return FileAnswer(said, Attachment("ludoteca-export.zip", data))


async def archive_of(
    room: ExportRoom, key: bytes, where: Where, reader: int = 0
) -> tuple[bytes, int]:
    """The file of the place of *where*, and how many games are in it.

    *key* tells which house it is of; its ladders are those that *reader* sees, 0 for anybody.
    """
    home = await room.places.home(where)
    places = dict.fromkeys((where.place, *await room.places.together(where)))
    records: dict[str, str] = {}
    for place in places:
        at, left = (where.platform, place), ENTRIES - 1 - len(records)
        codes = await room.store.read(games.list_game_codes, (ENDED,), left, place=at)
        await _gather(room, codes, records)
    # It names the place, and says nothing of it to whoever has not the key.
    named = f"export {home.platform} {home.place}".encode()
    head = PlaceHead(
        ludoteca=1,
        source=hmac.digest(key, named, "sha256").hex()[:32],
        made=room.clock.now().isoformat(timespec="seconds"),
        language=await room.places.language(where) or "",
        settings={
            name: value
            for name, value in preferences.stored(await room.places.rules(where)).items()
            if name not in OF_PLATFORM and (value is None or isinstance(value, bool | int | str))
        },
        ladder={} if where.private else await _ladder(room, where, reader),
    )
    return await asyncio.to_thread(write_archive, head, records), len(records)


async def _gather(room: ExportRoom, codes: Sequence[str], records: dict[str, str]) -> None:
    """Write the records of the tables *codes* into *records*; what cannot be read is left out."""
    for number, code in enumerate(codes):
        try:
            async with room.store.reading() as tx:
                row = await games.load_game(tx, code)
                table = None if row is None else await read_table(tx, row)
        except BrokenTable:
            continue
        if table is None or table.position is None:
            continue
        text = record_of(await room.people.introduce(table)).text()
        if len(text.encode()) <= LONGEST_RECORD:
            records[code] = text
        if number % RECORDS_AT_ONCE == 0:
            await asyncio.sleep(0)


async def _ladder(room: ExportRoom, where: Where, reader: int) -> dict[str, list[ArchivedStanding]]:
    """The ladder of the place as everybody there sees it, by game."""
    found: dict[str, list[ArchivedStanding]] = {}
    for game in shelf():
        page, lines = 0, list[ArchivedStanding]()
        while True:
            shown = await room.ladders.ladder(game, where, reader, page)
            for one in filter(lambda one: one.name, shown.lines):
                did = {"won": one.tally.won, "drawn": one.tally.drawn, "lost": one.tally.lost}
                lines.append(ArchivedStanding(name=one.name, rating=one.rating.shown, **did))
            page += 1
            if page >= shown.pages:
                break
        if lines:
            found[game] = lines
    return found


async def show_imports(request: Request, room: ExportRoom) -> Answer:
    """What the place has imported, with what its managers may erase of it; or import a file."""
    if isinstance(request.by, Command) and request.by.upload is not None:
        return await _take_in(request, room, request.by.upload)
    where = await room.places.home(request.by.where)
    standing = await standing_of_asker(request)
    manages = standing.manages or request.by.where.private
    screens = ImportScreens(request.language, request.key, manages)
    places = await room.store.read(imports.imported_places, *where.key)
    number, what, code, seat, *_ = (*request.path, "", "", "", "")
    if not (number.isdecimal() and int(number) < len(places)):
        screen = screens.whole(places)
    elif what not in OF_GAME:
        row, count = places[int(number)]
        first = min(int(what) if what.isdecimal() else 0, max(0, count - 1))
        some = await room.store.read(imports.imported_games, *where.key, row.source, first, PAGE)
        screen = screens.games(int(number), row, some, first, count)
    else:
        row, _ = places[int(number)]
        found = await room.store.read(imports.imported_game, *where.key, row.source, code)
        game = need(found, "leaving.gone")
        if what == "game":
            said = request.pages.say("leaving.record", code=code)
            return FileAnswer(said, Attachment(f"imported-{code}.txt", game.record.encode()))
        if not manages:
            raise managers_only(standing)
        if what == "names":
            screen = screens.names(int(number), game)
        else:
            names = game.names.split("\n")[1:-1]
            if seat.isdecimal() and int(seat) < len(names):
                await room.imports.forget(names[int(seat)], where)
            screen = screens.whole(places)
    return request.answer_in_place(screen)


async def _take_in(request: Request, room: ExportRoom, upload: Upload) -> Answer:
    """Import the file that came with the command, for whoever manages the place."""
    refuse_if(request.by.where.private, "leaving.not-private")
    await _check_manages(request)
    return await in_time(request, _taken_in(request, room, upload), phrase("leaving.reading"))


async def _taken_in(request: Request, room: ExportRoom, upload: Upload) -> Answer:
    """The answer to a file; where it comes twice, or we are killed, nothing is there twice."""
    where = request.by.where
    too_large = phrase("leaving.sent-too-large", n=LARGEST // MB)
    fetch = partial(fetch_sent, request, upload, LARGEST, too_large)
    try:
        found = await room.imports.take_in(fetch, await room.places.home(where))
    except BadArchive as bad:
        limits = {"size": SENT_UNPACKED // MB, "entries": ENTRIES, "enough": MOST_PLACES}
        raise Refused(phrase(f"leaving.bad.{bad.reason}", n=limits.get(bad.reason, 0))) from None
    key = "leaving.taken-in-part" if found.unread else "leaving.taken-in"
    counts = {"new": found.new, "known": found.known, "unread": found.unread}
    return Said(request.pages.say(key, **counts))
