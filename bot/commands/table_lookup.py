"""The asker's tables: which one a command means, and the list of them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from babel.dates import format_timedelta

from bot.commands.request import Request
from bot.port import Answer, Command, Home, Said
from bot.presenters.command_specs import BY_NAME, ParameterKind
from bot.presenters.table_status import match_standing
from bot.presenters.viewers import player_names
from bot.service.changes import DeadlineKind
from bot.service.places import view_place
from bot.service.tables import UnknownTable
from bot.session.game_clock import instant
from bot.session.match import read_match
from bot.session.table import ENDED, OPEN, PLAYING, BrokenTable, Table
from bot.session.time_controls import length
from bot.session.unit_of_work import Refused
from games.core import Who, phrase
from storage import deadlines, views
from storage.records import GameLine, Status, ViewRow

MOST_COMPLETED = 5
"""At how many tables a move is completed at once."""

_ADDRESS = re.compile(r"(.*\S)\s+#([0-9A-Za-z]{4,8})\s*")


class NoTable(Refused):
    """No table of the asker can be meant."""


class WhichTable(Refused):
    """Several tables may be meant: *lines*."""

    def __init__(self, lines: Sequence[GameLine]) -> None:
        super().__init__(phrase("house.which-table"))
        self.lines = lines


async def likely_tables(request: Request, *statuses: Status) -> list[GameLine]:
    """The asker's tables, the likeliest first: replied to, here, to move."""
    tables, me = request.services.tables, request.person.id
    here = await tables.listed(statuses, where=request.by.where)
    mine = await tables.listed(statuses, person=me)
    codes = {line.code for line in here}
    replied = await _replied(request)

    def rank(line: GameLine) -> tuple[bool, bool, bool]:
        return (line.code != replied, line.code not in codes, not line.moves(me))

    seen = {line.code: line for line in (*mine, *here)}
    return sorted(seen.values(), key=rank)


async def tables_to_move(request: Request) -> tuple[Table, ...]:
    """The readable tables where the asker may move: the one named or replied to, here, or all."""
    codes = [code for code in (_named(request) or await _replied(request),) if code]
    if not codes:
        tables, me, where = request.services.tables, request.person.id, request.by.where
        here = await tables.listed((PLAYING,), person=me, where=where)
        lines = [line for line in here if line.moves(me)]
        lines = lines or list(await tables.listed((PLAYING,), person=me))
        mine = [line.code for line in lines if line.moves(me) and line.fault is None]
        codes = mine[:MOST_COMPLETED]
    found = []
    for code in codes:
        with contextlib.suppress(UnknownTable, BrokenTable):
            found.append(await request.services.tables.get(code))
    return tuple(found)


def with_table(call: Command) -> Command:
    """*call* with the table named at the end of its move: ``7g7f #URPGUV``."""
    command = BY_NAME.get(call.name)
    for parameter in command.parameters if command is not None else ():
        found = _ADDRESS.fullmatch(call.values.get(parameter.name, ""))
        if parameter.kind is ParameterKind.MOVE and found is not None:
            values = {"table": found[2], **call.values, parameter.name: found[1]}
            return replace(call, values=values)
    return call


def _named(request: Request) -> str:
    return request.value("table").upper().removeprefix("#")


async def _replied(request: Request) -> str | None:
    replied = request.by.reply_to if isinstance(request.by, Command) else None
    view = await request.views.at(request.by.where, replied)
    return view.subject if view is not None else None


async def find_table(
    request: Request, *statuses: Status, to_move: bool = False, or_else: Sequence[Status] = ()
) -> Table:
    """The table of the button that was pressed, or the one that a command means.

    That is the one named, replied to, here and to move, or the only one. Where no table has one
    of the *statuses*, those of *or_else* are tried, one after the other.
    """
    if not request.pressed and _named(request):
        table = await _tried(request, _named(request))
    else:
        code = request.code if request.pressed else await _replied(request)
        if code is None:
            code = await _only(request, (statuses, *((one,) for one in or_else)), to_move=to_move)
        table = await request.services.tables.get(code)
    if not await request.services.bars.hold_at(table.code, request.kept_out):
        table = await request.services.absences.returned(table, request.person.id)
    request.table = table
    request.services.presence.saw(table, request.person.id, request.by.where)
    return table


async def _tried(request: Request, code: str) -> Table:
    """The table of a typed code; guessing at codes is limited."""
    quota, me = request.services.quota, request.person.id
    quota.check_tries(me)
    try:
        return await request.services.tables.get(code)
    except UnknownTable:
        quota.missed(me)
        raise


async def _listed(request: Request, sought: Sequence[tuple[Status, ...]]) -> Sequence[GameLine]:
    """The asker's tables of the first statuses *sought* that any has, those here before others.

    Tables that cannot be read are listed only where there are no others.
    """
    tables, me = request.services.tables, request.person.id
    for statuses in sought:
        for where in (request.by.where, None):
            if lines := await tables.listed(statuses, person=me, where=where):
                return [line for line in lines if line.fault is None] or lines
    return ()


async def _only(request: Request, sought: Sequence[tuple[Status, ...]], *, to_move: bool) -> str:
    """The code of the only table that can be meant; raises ``WhichTable`` or ``NoTable``."""
    lines = await _listed(request, sought)
    if not lines:
        raise NoTable(phrase("house.no-table-here"))
    mine = [line for line in lines if line.moves(request.person.id)]
    if len(mine) == 1:
        return mine[0].code
    lines = mine if to_move and mine else lines
    # Of finished tables of one game the latest is meant.
    one_kind = ENDED in sought[0] and len({line.game for line in lines}) == 1
    if len(lines) > 1 and not one_kind:
        raise WhichTable(lines)
    return max(lines, key=lambda line: line.touched).code


MOST_TABLES = 20
"""The most tables that one answer lists."""


MOST_LISTED = 12
"""The most tables that are offered at once."""


async def waiting_here(request: Request) -> Sequence[GameLine]:
    """The open tables of this place at which the asker does not sit."""
    me, waiting = request.person.id, list[GameLine]()
    for part in await request.services.places.parts(request.by.where):
        waiting += await request.services.tables.listed((OPEN,), MOST_LISTED, where=part)
    free = [one for one in waiting if one.fault is None and one.seat_of(me) is None]
    return free[:MOST_LISTED]


async def list_tables(request: Request) -> Answer:
    """List the asker's tables, those where they are to move first, and count the open ones here."""
    me = request.person.id
    lines = await request.services.tables.listed((PLAYING, OPEN), MOST_TABLES + 1, person=me)
    waiting = len(await waiting_here(request))
    others = [request.tongue.say(phrase("open.waiting", n=waiting))] if waiting else []
    if not lines:
        return Said("\n".join((request.tongue.say(phrase("house.no-games")), *others)))
    codes, store = [line.code for line in lines], request.services.store
    flags = await store.read(deadlines.deadlines_of_kind, DeadlineKind.FLAG, codes)
    shown = sorted(lines[:MOST_TABLES], key=lambda line: _rank(line, me, flags.get(line.code)))
    told = [await _line_and_link(request, line, flags.get(line.code)) for line in shown]
    if len(lines) > MOST_TABLES:
        told.append((request.tongue.say(phrase("house.more-games", n=MOST_TABLES)), ""))
    told += [(one, "") for one in others]
    return Said("\n".join(text for text, _ in told), links=tuple(link for _, link in told))


def _rank(line: GameLine, me: int, flag: datetime | None) -> tuple[int, float]:
    """The place in the list: own turns by time left, then by waiting; others by last move."""
    at = line.touched.timestamp()
    if line.moves(me):
        return (1, at) if flag is None else (0, flag.timestamp())
    return (3 if line.status == OPEN else 2, -at)


async def _line_and_link(
    request: Request, line: GameLine, flag: datetime | None
) -> tuple[str, str]:
    say = request.tongue.say
    if line.fault is not None:
        return say(phrase("house.game-line.unreadable", code=line.code)), ""
    me, game = request.person.id, phrase(f"{line.game}.name")
    others = others_at(line, me)
    names = player_names(line.game, line.seats, request.tongue)
    what = phrase("house.game-line", game=game, who=others) if others else game
    place, link = await _board_and_link(request, line)
    if flag is not None:
        left = length(instant(flag) - instant(request.services.clock.steady()))
        when = say(phrase("house.game-line.left", time=left))
    else:
        since, locale = line.touched - request.services.clock.now(), request.language
        locale = locale.replace("-", "_")
        when = format_timedelta(since, granularity="minute", add_direction=True, locale=locale)
    parts = [say(what, names), _state(request, line, names), when]
    match = read_match(line.match)
    if match is not None:
        parts.insert(1, say(match_standing(match, line.seat_of(me) or 0)))
    if line.moves(me):
        parts[0] = f"▶ {parts[0]}"
    return " · ".join((*parts, *filter(None, [place]), line.code)), link


def others_at(line: GameLine, me: int) -> tuple[Who, ...]:
    """Who sits at the table of *line* besides the person *me*."""
    taken = (seat for seat in line.seats if seat.person is not None or seat.level is not None)
    return tuple(Who(seat.seat) for seat in taken if seat.person != me)


def _state(request: Request, line: GameLine, names: Mapping[int, str]) -> str:
    if line.status == OPEN:
        return request.pages.say("house.game-line.waits")
    if line.moves(request.person.id):
        return request.pages.say("house.game-line.yours")
    who = tuple(map(Who, line.to_move or ()))
    return request.tongue.say(phrase("house.game-line.theirs", who=who, n=len(who)), names)


async def _board_and_link(request: Request, line: GameLine) -> tuple[str, str]:
    """The board here, in the asker's private chat or elsewhere: the place in words, its address."""
    me, here = request.person.id, request.by.where

    def rank(view: ViewRow) -> tuple[bool, bool, bool, int]:
        same = (view.platform, view.place) == (here.platform, here.place)
        return (same, view.platform == here.platform, view.person == me, view.id)

    seen = await request.services.store.read(views.views_of_game, line.code)
    view = max((v for v in seen if v.person in (None, me)), key=rank, default=None)
    if view is None:
        return "", ""
    where = view_place(view)
    home = await request.services.places.home(where)
    if home != where:
        where = replace(where, home=Home(home.place))
    chat, link = request.services.chats.get(view.platform), ""
    if chat is not None and view.message is not None:
        link = chat.link(where, view.message)
    said = "house.game-line.private" if view.person == me else ""
    if rank(view)[0]:
        said = "house.game-line.here"
    elif view.platform != here.platform:
        said = f"house.game-line.on.{view.platform}"
    known = said in request.tongue.templates
    return (request.tongue.say(phrase(said)) if known else ""), link
