"""Files that people open: the game in them, and how it is played on."""

from __future__ import annotations

import asyncio
import secrets
from functools import partial

from bot.commands.request import Request, fetch_sent, in_time, own_composer
from bot.commands.school.exercises import contest_alike, refuse_contest, shown_to_asker
from bot.commands.services_of_handlers import FileRoom, OpeningRoom
from bot.commands.table.creation import Sealed, open_wished
from bot.port import Answer, Command, Upload
from bot.presenters.school.opened_file import PLAY_ON, opened_screen
from bot.service.person.opened_files import Opened
from bot.session.opened_file import shows_moment_of
from bot.session.table import Table
from bot.session.unit_of_work import need, refuse_if
from games.core import CHANCE, RuleError, phrase
from games.core.record import LONGEST_RECORD


async def open_file(request: Request, room: FileRoom, opening: OpeningRoom) -> Answer:
    """Open the file that came with the command, or do with one what the button says."""
    path, me = request.path, request.person.id
    if isinstance(request.by, Command):
        what = _open(request, room, need(request.by.upload, "opened.how"))
        return await in_time(request, what, phrase("opened.reading"))
    number = int(path[0]) if path and path[0].isdecimal() else 0
    found = await room.opened_files.find(me, request.code, number)
    if path == (PLAY_ON,):
        return await _play_on(request, opening, found[0])
    return await _show(request, room, found)


async def _open(request: Request, room: FileRoom, upload: Upload) -> Answer:
    too_large = phrase("core.record-too-long", n=LONGEST_RECORD // 1024)
    fetch = partial(fetch_sent, request, upload, LONGEST_RECORD, too_large)
    return await _show(request, room, await room.opened_files.open(request.person.id, fetch))


async def _show(request: Request, room: FileRoom, found: Opened) -> Answer:
    table, file = found
    alike = await contest_alike(request, room.tables, table.game, partial(shows_moment_of, table))
    screen = await asyncio.to_thread(opened_screen, own_composer(request, table), file, alike)
    return await shown_to_asker(request, screen)


async def _play_on(request: Request, room: OpeningRoom, table: Table) -> Answer:
    """Let the asker play on from the last position against the computer; it never counts."""
    await refuse_contest(request, room.tables, table.game, partial(shows_moment_of, table))
    movers, start = sorted(table.present.actors() - {CHANCE}), _start_in(table)
    refuse_if(not movers or not start, "opened.not-on")
    side, seats = table.players[movers[0]].side or "", str(len(table.players))
    wish = {"game": table.game.key, "opponent": "computer", "side": side, "seats": seats}
    sealed = Sealed(await room.tables.free_code(), secrets.token_bytes(32), start=start)
    return await open_wished(request, room, {**table.options, **wish, "rated": "no"}, None, sealed)


def _start_in(table: Table) -> str:
    """What writes the present position of *table* whole; "" where nothing does."""
    notation, sides = table.game.notation, table.setting.sides
    text = notation.text(table.present)
    try:
        again = notation.read(text, table.options)
    except RuleError:
        return ""
    seated = notation.sides(again) or table.game.sides_for(len(sides))
    return text if seated == sides and notation.text(again) == text else ""
