"""What a program of a person may do: its acts at its tables, each answered once."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from bot.boards.views import Views
from bot.commands.quotas import Quota
from bot.facade.requests import Requests
from bot.facade.table_facts_for_programs import WHOLE, TableFacts, table_facts
from bot.facade.table_talk import Talk, TalkLine
from bot.port import Answer, Command, FaultAnswer, Press
from bot.presenters.button_codes import Action, Click, encode_click
from bot.presenters.command_specs import BY_ACT
from bot.presenters.table.viewers import is_name_of_computer
from bot.service.person.people import People
from bot.service.person.programs import Program, Programs
from bot.service.request_rate_limits import Limits, LimitVerdict
from bot.service.table.tables import Tables, codes_of
from bot.session.game_clock import instant
from bot.session.names import without_marks
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from bot.session.unit_of_work import Refused
from bot.texts import language
from games.core import Phrase, phrase
from storage import inbox
from storage.store import Store
from storage.table import games

TRIED = 8
"""How many codes that may follow from an update are tried."""


@dataclass(frozen=True)
class ActRefused:
    """Why nothing was done: *kind* is ``unknown``, ``rated``, ``conflict``, ``bad`` or ``fault``.

    *said* is for the program's log.
    """

    kind: str
    said: str


Done = TableFacts | ActRefused


@dataclass(kw_only=True)
class ProgramTables:
    """The tables of programs, and what they do there. Raises ``StorageError``."""

    store: Store
    limits: Limits
    people: People
    tables: Tables
    views: Views
    programs: Programs
    talk: Talk
    quota: Quota
    requests: Requests

    async def of_key(self, key: str) -> Program | None:
        """The program with this *key*; ``None`` for any other text."""
        return await self.programs.of_key(key)

    async def is_within_limits(self, program: Program) -> bool:
        """Whether one more act of *program* is within the limits of a person, which it counts."""
        return await self.limits.judge(program.asker, program.where) is LimitVerdict.TAKEN

    async def has_done_another(self, program: Program, update: str) -> bool:
        """Whether *program* has done another act under the name with which *update* begins.

        *update* is a name and what was asked, with a colon between them.
        """
        whole, (name, *_) = self._id(program, update), update.split(":")
        beginning, platform = f"{self._id(program, name)}:", program.where.platform
        return await self.store.read(inbox.is_beginning_done, platform, beginning, whole)

    # ---------------------------------------------------------------- reading

    async def versions(self, program: Program, known: Collection[str] = ()) -> Mapping[str, int]:
        """The versions of the living tables of *program*, and of those *known* besides."""
        found = await self.views.on_page(program.where, 0)
        living = {code for code, view in found if view is not None}
        return await self.store.read(games.load_versions, sorted(living | {*known}))

    async def living(self, program: Program) -> tuple[TableFacts, ...]:
        """The tables of *program* that wait or are played, without their logs."""
        codes = sorted(await self.versions(program))
        found = [await self.table(program, code, WHOLE) for code in codes]
        return tuple(one for one in found if one is not None)

    async def table(self, program: Program, code: str, since: int = 0) -> TableFacts | None:
        """A table that *program* knows, with its log from the entry *since* on."""
        table = await self.talk.table(program.where, code)
        return None if table is None else await self._facts(program, table, since)

    async def read_talk(self, program: Program, code: str, after: int) -> tuple[TalkLine, ...]:
        """What others said at the table *code* after the line *after*."""
        spoken = self.requests.default_language
        heard = await self.talk.read(program.asker, program.where, code, spoken, after)
        return () if heard is None else heard.lines

    async def _facts(self, program: Program, table: Table, since: int) -> TableFacts:
        me = table.seat_of(await self.people.number(program.asker))
        # A long game, or a position with many moves, takes longer than others may wait.
        now, code = instant(self.requests.clock.steady()), self.requests.default_language
        return await asyncio.to_thread(table_facts, table, me, since, now, code)

    # ---------------------------------------------------------------- acts

    async def open(self, program: Program, update: str, values: Mapping[str, str]) -> Done:
        """The table that *program* opens as *values* of ``/play`` say; the same for an *update*."""
        if not await self._is_done(program, update):
            answer = await self.requests.call(self._command(program, update, Action.PLAY, values))
            if not answer.good:
                return _refusal(answer)
        me = await self.people.number(program.asker)
        codes = codes_of(self.requests.key, program.where.platform, self._id(program, update))
        for code in islice(codes, TRIED):
            table = await self.tables.find(code)
            if table is not None and table.host == me:
                return await self._facts(program, table, 0)
        return ActRefused("conflict", self._say(phrase("house.done-but")))

    async def join(self, program: Program, update: str, code: str) -> Done:
        """Take a free chair at the table *code*."""
        me = await self.people.number(program.asker)
        if me is None or await self._guesses(me, code):
            return await self._refuse(code)
        table = await self.tables.find(code)
        if table is not None and table.rated:
            return ActRefused("rated", self._say(phrase("house.no-programs")))
        done = await self._act(program, update, code, Action.JOIN)
        if isinstance(done, ActRefused) and done.kind == "bad":
            return replace(done, kind="conflict")
        return done

    async def _guesses(self, me: int, code: str) -> bool:
        """Whether *me* has tried too many wrong codes, of which *code* may be one more."""
        try:
            self.quota.check_tries(me)
        except Refused:
            return True
        if await self.tables.is_taken(code):
            return False
        self.quota.count_miss(me)
        return True

    async def play(self, program: Program, update: str, code: str, move: str) -> Done:
        """Play *move*, or announce it, at the table *code*."""
        if await self.talk.table(program.where, code) is None:
            return await self._refuse(code)
        return await self._act(program, update, code, Action.MOVE, move)

    async def leave(self, program: Program, update: str, code: str) -> Done:
        """Resign at the table *code*, or leave it while it waits for players."""
        table = await self.talk.table(program.where, code)
        if table is None:
            return await self._refuse(code)
        if table.status == OPEN:
            return await self._act(program, update, code, Action.LEAVE)
        me = await self.people.number(program.asker)
        seat = table.seat_of(me)
        if not await self._is_done(program, update):
            if table.status != PLAYING or seat is None:
                if await self._is_done(program, update):
                    return await self._repeat(program, code)
                return ActRefused("conflict", self._say(phrase("house.not-playing")))
            click = Click(Action.RESIGN, code, table.version, ("yes", f"@{me}"))
            button, number = encode_click(click, self.requests.key), self._id(program, update)
            press = Press(number, program.where, program.asker, button, code)
            answer = await self.requests.press(replace(press, seen=table.version, own=True))
            if not answer.good and not await self._is_done(program, update):
                return _refusal(answer)
        return await self._repeat(program, code)

    async def say(self, program: Program, update: str, code: str, text: str) -> int | ActRefused:
        """Say *text* over the table *code*; answers the line's number, 0 for a repeated one."""
        if await self.talk.table(program.where, code) is None:
            return await self._refuse(code)
        said = await self.talk.say(
            program.asker, program.where, self._id(program, update), code, "", text
        )
        return ActRefused("bad", self._say(said)) if isinstance(said, Phrase) else said

    async def rename(self, program: Program, name: str) -> Program | ActRefused:
        """*program* under another *name*, which its tables show at once."""
        clean = without_marks(name)
        if not clean:
            return ActRefused("bad", self._say(phrase("web.no-name")))
        if is_name_of_computer(clean):
            return ActRefused("bad", self._say(phrase("web.computers-name")))
        renamed = await self.programs.rename(program, clean)
        await self.people.of(renamed.asker)
        me = await self.people.number(renamed.asker)
        for line in await self.tables.list_lines((PLAYING, OPEN), person=me):
            await self.views.show_table(line.code)
        return renamed

    async def _act(
        self, program: Program, update: str, code: str, act: Action, move: str = ""
    ) -> Done:
        """Do *act* at the table *code*, unless *update* was done before.

        Answers the table after it, with what has come to its log.
        """
        table = await self.tables.find(code)
        if table is None:
            return await self._refuse(code)
        if not await self._is_done(program, update):
            refused = await self._attempt(program, update, table, act, move)
            if refused is None:
                return await self.table(program, code, len(table.log)) or await self._refuse(code)
            if not await self._is_done(program, update):
                return refused
            # The same act came twice at once, and the other one was quicker.
        return await self._repeat(program, code)

    async def _repeat(self, program: Program, code: str) -> Done:
        """The table *code* after an act that was done before."""
        # What was done a moment ago is on disk before it is at hand.
        await self.tables.is_outdated(code)
        return await self.table(program, code) or await self._refuse(code)

    async def _attempt(
        self, program: Program, update: str, table: Table, act: Action, move: str
    ) -> ActRefused | None:
        """Do *act* at *table*; answers why it was not done, if so."""
        if table.status not in ((PLAYING, ENDED) if act is Action.MOVE else (OPEN,)):
            known = {OPEN: "house.not-playing", CLOSED: "house.closed"}
            return ActRefused("conflict", self._say(phrase(known.get(table.status, "house.over"))))
        me = table.seat_of(await self.people.number(program.asker))
        if act is Action.MOVE and not move.strip():
            return ActRefused("bad", self._say(phrase("core.illegal", text="")))
        aside = me is not None and table.position is not None and table.present.asides(me)
        if act is Action.MOVE and me not in table.actors() and not aside:
            return ActRefused("conflict", self._say(phrase("core.not-your-turn")))
        values = {"table": table.code, **({"move": move} if act is Action.MOVE else {})}
        answer = await self.requests.call(self._command(program, update, act, values))
        return None if answer.good else _refusal(answer)

    async def _is_done(self, program: Program, update: str) -> bool:
        number, store = self._id(program, update), self.store
        return await store.read(inbox.is_update_done, program.where.platform, number)

    async def _refuse(self, code: str) -> ActRefused:
        return ActRefused("unknown", self._say(phrase("house.no-table", code=code[:8])))

    def _command(
        self, program: Program, update: str, act: Action, values: Mapping[str, str]
    ) -> Command:
        number = self._id(program, update)
        return Command(number, program.where, program.asker, BY_ACT[act].name, values)

    @staticmethod
    def _id(program: Program, update: str) -> str:
        return f"{program.id}:{update}"

    def _say(self, said: Phrase) -> str:
        return language(self.requests.default_language).say(said)


def new_update() -> str:
    """The id of an act to which its program gives none."""
    return secrets.token_hex(12)


def _refusal(answer: Answer) -> ActRefused:
    return ActRefused("fault" if isinstance(answer, FaultAnswer) else "bad", answer.said)
