"""Which table a command means: named, replied to, or where the asker must act."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import replace

from bot.commands.request import Request
from bot.port import Command
from bot.presenters.command_specs import BY_NAME, ParameterKind
from bot.service.tables import UnknownTable
from bot.session.table import ENDED, PLAYING, BrokenTable, Table
from bot.session.unit_of_work import Refused
from games.core import phrase
from storage.records import GameLine, Status

MOST = 5
"""At how many tables at most a move is completed at once."""

_ADDRESS = re.compile(r"(.*\S)\s+#([0-9A-Za-z]{4,8})\s*")


class NoTable(Refused):
    """The asker has no table that can be meant."""


class WhichTable(Refused):
    """Several tables may be meant: *lines*."""

    def __init__(self, lines: Sequence[GameLine]) -> None:
        super().__init__(phrase("house.which-table"))
        self.lines = lines


async def likely(asked: Request, *statuses: Status) -> list[GameLine]:
    """The asker's tables: replied to, then here and to move, here, elsewhere."""
    tables, me = asked.services.tables, asked.person.id
    here = await tables.listed(statuses, where=asked.by.where)
    mine = await tables.listed(statuses, person=me)
    codes = {line.code for line in here}
    replied = await _replied(asked)

    def rank(line: GameLine) -> tuple[bool, bool, bool]:
        return (line.code != replied, line.code not in codes, not line.moves(me))

    seen = {line.code: line for line in (*mine, *here)}
    return sorted(seen.values(), key=rank)


async def to_move_at(asked: Request) -> tuple[Table, ...]:
    """The tables at which the asker may be about to move, none of those that cannot be read.

    That is the one named or replied to, else those here, else all.
    """
    codes = [code for code in (_named(asked) or await _replied(asked),) if code]
    if not codes:
        tables, me, where = asked.services.tables, asked.person.id, asked.by.where
        here = await tables.listed((PLAYING,), person=me, where=where)
        lines = [line for line in here if line.moves(me)]
        lines = lines or list(await tables.listed((PLAYING,), person=me))
        mine = [line.code for line in lines if line.moves(me) and line.fault is None]
        codes = mine[:MOST]
    found = []
    for code in codes:
        with contextlib.suppress(UnknownTable, BrokenTable):
            found.append(await asked.services.tables.get(code))
    return tuple(found)


def addressed(call: Command) -> Command:
    """*call* with the table that its move names at the end: ``7g7f #URPGUV``."""
    command = BY_NAME.get(call.name)
    for parameter in command.parameters if command is not None else ():
        found = _ADDRESS.fullmatch(call.values.get(parameter.name, ""))
        if parameter.kind is ParameterKind.MOVE and found is not None:
            values = {"table": found[2], **call.values, parameter.name: found[1]}
            return replace(call, values=values)
    return call


def _named(asked: Request) -> str:
    return asked.value("table").upper().removeprefix("#")


async def _replied(asked: Request) -> str | None:
    replied = asked.by.reply_to if isinstance(asked.by, Command) else None
    view = await asked.views.at(asked.by.where, replied)
    return view.game if view is not None else None


async def meant(
    asked: Request,
    *statuses: Status,
    to_move: bool = False,
    or_else: Sequence[Status] = (),
) -> Table:
    """The table of the button that was pressed, or the one that a command means.

    That is the one named, replied to, here and to move, or the only one. Where none is as
    *statuses* say, it is sought among those that are as *or_else* says, one after the other.
    """
    asked.table = table = await _meant(asked, statuses, or_else, to_move=to_move)
    asked.services.presence.saw(table, asked.person.id, asked.by.where)
    return table


async def _meant(
    asked: Request, statuses: tuple[Status, ...], or_else: Sequence[Status], *, to_move: bool
) -> Table:
    if not asked.pressed and _named(asked):
        return await _tried(asked, _named(asked))
    code = asked.code if asked.pressed else await _replied(asked)
    if code is None:
        code = await _only(asked, statuses, or_else, to_move=to_move)
    return await asked.services.tables.get(code)


async def _tried(asked: Request, code: str) -> Table:
    """The table of a code that was typed; who guesses at codes is stopped."""
    quota, me = asked.services.quota, asked.person.id
    quota.check_tries(me)
    try:
        return await asked.services.tables.get(code)
    except UnknownTable:
        quota.missed(me)
        raise


async def _only(
    asked: Request, statuses: tuple[Status, ...], or_else: Sequence[Status], *, to_move: bool
) -> str:
    """The one of the asker's tables that can be meant; raises ``Refused`` with the choice."""
    tables, me = asked.services.tables, asked.person.id
    lines: Sequence[GameLine] = ()
    for sought in (statuses, *((status,) for status in or_else)):
        lines = lines or await tables.listed(sought, person=me, where=asked.by.where)
        lines = lines or await tables.listed(sought, person=me)
    lines = tuple(line for line in lines if line.fault is None) or lines
    mine = tuple(line for line in lines if line.moves(me))
    if to_move and mine:
        lines = mine
    if not lines:
        raise NoTable(phrase("house.no-table-here"))
    if len(lines) > 1 and len(mine) == 1:
        return mine[0].code
    if len(lines) > 1 and not (len({one.game for one in lines}) == 1 and ENDED in statuses):
        raise WhichTable(lines)
    return max(lines, key=lambda line: line.touched).code
