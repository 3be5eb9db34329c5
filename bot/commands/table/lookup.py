"""The asker's tables: which one a command means, and the list of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.commands.quotas import Quota
from bot.commands.request import Leading, Request
from bot.port import Command
from bot.presenters.button_codes import NO_TABLE, Action, ChatButtons
from bot.presenters.command_specs import BY_NAME, ParameterKind
from bot.presenters.school.questions_to_the_board import QUESTION
from bot.presenters.table.viewers import named_table, player_names
from bot.presenters.typed_names import spelling
from bot.presenters.ways import MINE
from bot.service.person.bars import Bars
from bot.service.person.opened_files import OpenedFiles
from bot.service.person.people import Presence
from bot.service.person.unreachable_people import UnreachablePeople
from bot.service.table.tables import Tables, UnknownTable
from bot.session.opened_file import is_from_file
from bot.session.table import ENDED, OPEN, PLAYING, Table
from bot.session.unit_of_work import Refused
from games.core import Game, RuleError, Who, phrase
from games.core.shelf import game_names
from storage.records import GameLine, Status

MOST_COMPLETED = 5
"""At how many tables a move is completed at once."""

_ADDRESS = re.compile(r"(.*\S)\s+#(\w{4,20})\s*")

_FOR_GOOD = (Action.RESIGN, Action.OFFER, Action.ANSWER, Action.LEAVE, Action.CLOSE)
"""What ends or changes a game for good: of several tables none is taken unasked."""


class NoTable(Refused):
    """No table of the asker can be meant."""


class WhichTable(Refused):
    """Several tables may be meant: *lines*."""

    def __init__(self, lines: Sequence[GameLine], said: str = "house.which-table") -> None:
        super().__init__(phrase(said))
        self.lines = lines


def with_table(call: Command) -> Command:
    """*call* with the table named at the end of its move: ``7g7f #URPGUV``."""
    command = BY_NAME.get(call.name)
    for parameter in command.parameters if command is not None else ():
        found = _ADDRESS.fullmatch(call.values.get(parameter.name, ""))
        if parameter.kind is ParameterKind.MOVE and found is not None:
            values = {"table": found[2], **call.values, parameter.name: found[1]}
            return replace(call, values=values)
    return call


def _find_code(request: Request) -> str:
    return "" if _named_game(request) else request.value("table").upper().removeprefix("#")


def _named_game(request: Request) -> Game | None:
    """The game that stands where the code of a table may, or in a question.

    One of the asker's tables of it is meant.
    """
    asked = request.value("question") or request.value("move")
    words = asked.split() if QUESTION.match(asked) else ()
    found = (game_names().get(spelling(word)) for word in (request.value("table"), *words))
    return next(filter(None, found), None)


@dataclass(frozen=True, kw_only=True)
class TableLookup:
    """Finds the table that a person means."""

    tables: Tables
    bars: Bars
    unreachable_people: UnreachablePeople
    opened_files: OpenedFiles
    presence: Presence
    quota: Quota

    async def likely_tables(self, request: Request, *statuses: Status) -> list[GameLine]:
        """The asker's tables, the likeliest first: replied to, here, to move."""
        tables, me = self.tables, request.person.id
        here = await tables.list_lines(statuses, where=request.by.where)
        mine = await tables.list_lines(statuses, person=me)
        codes = {line.code for line in here}
        replied = await self.find_replied(request)

        def rank(line: GameLine) -> tuple[bool, bool, bool]:
            return (line.code != replied, line.code not in codes, not line.moves(me))

        return sorted({line.code: line for line in (*mine, *here)}.values(), key=rank)

    async def tables_to_move(self, request: Request) -> tuple[Table, ...]:
        """The tables where the asker may move: the one named or replied to, here, or all."""
        meant, me = _find_code(request) or await self.find_replied(request), request.person.id
        codes = [meant] if meant else []
        for where in () if codes else (request.by.where, None):
            lines = await self.tables.list_lines((PLAYING,), person=me, where=where)
            codes = codes or [one.code for one in lines if one.moves(me) and one.fault is None]
        found = [await self.tables.find(code) for code in codes[:MOST_COMPLETED]]
        return tuple(table for table in found if table is not None)

    async def find_replied(self, request: Request) -> str | None:
        """The code of the table that the message replied to shows, or that its keys are of.

        Where the asker names a game, that tells which is meant.
        """
        if not isinstance(request.by, Command) or _named_game(request):
            return None
        view = await request.views.at(request.by.where, request.by.reply_to)
        clicks = map(ChatButtons(request.key).click, request.by.keys.values())
        named = (one.table for one in clicks if one is not None and one.table != NO_TABLE)
        return next(named, None) if view is None else view.subject

    async def find_table(
        self,
        request: Request,
        *statuses: Status,
        to_move: bool = False,
        or_else: Sequence[Status] = (),
        fits: Callable[[Table], object] = lambda _: True,
    ) -> Table:
        """The table of the button that was pressed, or the one that a command means.

        That is the one named, replied to, here and to move, or the only one; the name of a game
        chooses among the asker's tables of it. Where no table has one of the *statuses*, those of
        *or_else* are tried, one after the other. Of several tables only those that *fits* says yes
        to are meant, if there are any; where it raises at each, none is.
        """
        named = request.code if request.is_press else _find_code(request)
        if is_from_file(named):
            request.table, _ = await self.opened_files.find(request.person.id, named)
            return request.table
        if named and not request.is_press:
            table = await self._try_code(request, named)
        else:
            code = request.code if request.is_press else await self.find_replied(request)
            if code is None:
                sought = (statuses, *((one,) for one in or_else))
                code = await self._only(request, sought, fits, to_move=to_move)
            table = await self.tables.get(code)
        me = request.person.id
        if table.misses(me) and not await self.bars.hold_at(table.code, request.kept_out):
            await self.unreachable_people.note(table.code, me, None)
            table = await self.tables.get(table.code)
        request.table = table
        if not request.renews:
            self.presence.saw(table, me, request.by.where)
        return table

    async def _try_code(self, request: Request, code: str) -> Table:
        """The table of a typed code; guessing at codes is limited."""
        self.quota.check_tries(request.person.id)
        try:
            return await self.tables.get(code)
        except UnknownTable:
            self.quota.count_miss(request.person.id)
            raise

    async def _list_tables(
        self, request: Request, sought: Sequence[tuple[Status, ...]]
    ) -> Sequence[GameLine]:
        """The asker's tables of the first statuses *sought* that any has, those here before others.

        Tables that cannot be read are listed only where there are no others.
        """
        game, joins = _named_game(request), request.act is Action.JOIN
        me = None if joins else request.person.id
        for statuses in sought:
            for where in (request.by.where,) if joins else (request.by.where, None):
                found = await self.tables.list_lines(statuses, person=me, where=where)
                if lines := [one for one in found if game is None or one.game == game.key]:
                    return [line for line in lines if line.fault is None] or lines
        return ()

    async def _only(
        self,
        request: Request,
        sought: Sequence[tuple[Status, ...]],
        fits: Callable[[Table], object],
        *,
        to_move: bool,
    ) -> str:
        """The code of the only table that can be meant; raises ``WhichTable`` or ``NoTable``."""
        lines = await self._list_tables(request, sought)
        # Who joins may sit at any table here.
        which = "house.which-table-here" if request.act is Action.JOIN else "house.which-table"
        if not lines and request.act is Action.BOARD:
            # Who plays nothing sees what is played here.
            lines = await self.tables.list_lines((PLAYING,), where=request.by.where)
            which = "house.which-table-here"
        # A word alone may mean what is asked anywhere, or nothing at all.
        me, answers = request.person.id, request.act is Action.ANSWER
        alone = answers or (to_move and request.by.where.private)
        fitting = await self._fitting(lines, fits) if len(lines) > 1 or alone else ()
        if alone and not fitting:
            # What is written in private may be meant for a table of any place.
            fitting = await self._fitting(await self.tables.list_lines(sought[0], person=me), fits)
        lines = fitting or ([] if answers else lines)
        if not lines:
            raise _no_table(_named_game(request), ended=sought[0] == (ENDED,))
        mine = [line for line in lines if line.moves(me)]
        if len(mine) == 1 and request.act not in _FOR_GOOD:
            return mine[0].code
        lines = (mine if to_move else ()) or lines
        if len(lines) > 1 and (answers or not _are_alike(lines, sought[0])):
            raise WhichTable(lines, which)
        return max(lines, key=lambda line: line.touched).code

    async def _fitting(
        self, lines: Sequence[GameLine], fits: Callable[[Table], object]
    ) -> Sequence[GameLine]:
        """Those of *lines* whose table *fits* says yes to; raises where it refuses all."""
        fitting, why = [], set()
        for line in lines:
            table = await self.tables.find(line.code)
            try:
                fitting += [line] if table is not None and fits(table) else []
            except RuleError as refused:
                why.add(refused.phrase)
        if why and not fitting:
            raise Leading(why.pop() if len(why) == 1 else phrase("house.nowhere"), MINE)
        return fitting


def _are_alike(lines: Sequence[GameLine], sought: tuple[Status, ...]) -> bool:
    """Whether the latest of *lines* is meant: all are finished tables of one game, or none is.

    What is *sought* at finished ones alone is then refused at any with its own reason.
    """
    if sought == (ENDED,) and lines[0].status in (PLAYING, OPEN):
        return True
    over = any(ENDED in (line.status, *sought) for line in lines)
    return over and len({line.game for line in lines}) == 1


def _no_table(game: Game | None, *, ended: bool) -> NoTable:
    if game is not None:
        return NoTable(phrase("house.no-table-of", game=phrase(f"{game.key}.name")))
    return NoTable(phrase("house.no-ended-here" if ended else "house.no-table-here"))


MOST_LISTED = 12
"""The most tables that are offered at once."""


def name_line(request: Request, line: GameLine) -> str:
    """The game of *line* and who else sits there, in the asker's words."""
    names = player_names(line.game, line.seats, request.tongue)
    return request.tongue.say(named_table(line.game, others_at(line, request.person.id)), names)


def others_at(line: GameLine, me: int) -> tuple[Who, ...]:
    """Who sits at the table of *line* besides the person *me*."""
    taken = (seat for seat in line.seats if seat.person is not None or seat.level is not None)
    return tuple(Who(seat.seat) for seat in taken if seat.person != me)
