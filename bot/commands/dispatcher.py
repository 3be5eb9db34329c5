"""Every act once: a button and a command are decoded to the same one and answered alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from bot.commands import (
    account,
    agreements,
    analysis,
    board_questions,
    clock,
    exports,
    help_pages,
    incomplete,
    invitations,
    moves,
    seating,
    settings,
    setup,
    table_list,
    views,
)
from bot.commands.completion import Spellings, Typing, suggestions
from bot.commands.request import Request, Services
from bot.commands.table_search import NoTable, WhichTable, addressed, likely, to_move_at
from bot.port import Answer, Command, Press, Said, Suggestion
from bot.presenters.buttons import Action, ForgedClick, OldClick, decode
from bot.presenters.command_specs import BY_NAME, ParameterKind
from bot.presenters.viewers import USUAL
from bot.service.updates import SeenBefore
from bot.session.preferences import Look, look
from bot.session.table import ENDED, OPEN, PLAYING
from games.core import RuleError, phrase

Done = Callable[[Request], Awaitable[Answer]]

ACTS: Mapping[Action, Done] = {
    Action.PLAY: setup.play,
    Action.SHEET: setup.sheet,
    Action.JOIN: seating.join,
    Action.INVITED: invitations.sit_down,
    Action.COMPUTER: seating.seat_computer,
    Action.START: seating.start,
    Action.LEAVE: seating.leave,
    Action.SAY_WORDS: setup.say_words,
    Action.MOVE: moves.move,
    Action.ASIDE: moves.aside,
    Action.WHY: moves.why,
    Action.ASK: board_questions.ask,
    Action.HINT: analysis.hint,
    Action.ODDS: analysis.odds,
    Action.REVIEW: analysis.review,
    Action.RESIGN: agreements.resign,
    Action.OFFER: agreements.offer,
    Action.ANSWER: agreements.answer,
    Action.REMATCH: agreements.rematch,
    Action.CLOCK: clock.clock,
    Action.HOLIDAYS: clock.holidays,
    Action.CLOSE: agreements.close,
    Action.BOARD: views.board,
    Action.MINE: views.mine,
    Action.BACK: moves.back,
    Action.MORE: views.more,
    Action.FLIP: views.flip,
    Action.DESCRIBE: views.describe,
    Action.GAMES: table_list.games,
    Action.RULES: views.rules,
    Action.RECORD: views.record,
    Action.VERIFY: views.verify,
    Action.REPLAY: exports.replay,
    Action.KEEPSAKE: exports.card,
    Action.LANGUAGE: help_pages.set_language,
    Action.HELP: help_pages.explain,
    Action.SETTINGS: settings.choose,
    Action.LINK: account.link,
    Action.PRIVACY: account.privacy,
    Action.MY_DATA: account.my_data,
    Action.FORGET: account.forget,
}
"""What each act does."""

BARE: Mapping[Action, Done] = {
    Action.PLAY: setup.play,
    Action.JOIN: incomplete.join,
    Action.MOVE: incomplete.move,
    Action.WHY: incomplete.why,
    Action.ASK: board_questions.help_with,
    Action.SAY_WORDS: incomplete.words,
    Action.LANGUAGE: incomplete.languages,
}
"""What is done where a command lacks what it needs."""


@dataclass(frozen=True)
class Dispatcher:
    """Does what presses and commands ask for, for every chat."""

    services: Services
    spelled: Spellings = field(default_factory=Spellings)

    async def press(self, press: Press) -> Answer:
        """Do what a button says, and answer the presser in his language."""
        asked = await self._asked(press)
        try:
            click = decode(press.code, self.services.key)
        except OldClick as old:
            asked.code = old.table
            return await _answered(asked, views.outdated)
        except ForgedClick:
            return Said(asked.tongue.say(phrase("house.forged")), good=False)
        asked.code, asked.turn, asked.path = click.table, click.turn, click.path
        return await _answered(asked, ACTS[click.act])

    async def call(self, call: Command) -> Answer:
        """Do what a command says, and answer in the asker's language."""
        asked, command = await self._asked(addressed(call)), BY_NAME.get(call.name)
        if command is None:
            return Said(asked.tongue.say(phrase("house.no-command")), good=False)
        asked.path = command.path
        done = BARE[command.act] if command.lacks(call.values) else ACTS[command.act]
        try:
            return await _answered(asked, done)
        except WhichTable as several:
            return incomplete.which(asked, command.act, several)
        except NoTable as refused:
            return incomplete.none(asked, refused)

    async def suggest(self, call: Command, parameter: str, text: str) -> tuple[Suggestion, ...]:
        """Completions of *parameter* of a command that is being typed."""
        command = BY_NAME.get(call.name)
        kinds = {p.name: p.kind for p in command.parameters} if command is not None else {}
        if command is None or parameter not in kinds:
            return ()
        typed = addressed(replace(call, values={**call.values, parameter: text}))
        asked, kind = await self._asked(typed), kinds[parameter]
        lines = await likely(asked, PLAYING, OPEN, ENDED) if kind is ParameterKind.TABLE else ()
        tables = await to_move_at(asked) if kind is ParameterKind.MOVE else ()
        me, code, values = asked.person.id, asked.language, dict(call.values)
        text = typed.values[parameter]
        found = tuple(self.spelled.moves(table, me, code, text) for table in tables)
        return suggestions(Typing(kind, text, values, lines, found, code))

    async def _asked(self, by: Press | Command) -> Request:
        """What *by* asks for, with who asks and the language he is answered in."""
        people, places = self.services.people, self.services.places
        person = await people.of(by.asker)
        await places.settle(by.where)
        code = await people.language_of(by.where, person, by.asker)
        rules, personal = await places.rules(by.where), await people.personal(person.id)
        seen = look(USUAL.get(by.where.platform, Look.theme), rules, personal)
        return Request(self.services, by, person, code, look=seen)


async def _answered(asked: Request, act: Done) -> Answer:
    """What the act answers; an update that was done before is not refused when it comes again."""
    try:
        return await act(asked)
    except SeenBefore:
        return Said()
    except (WhichTable, NoTable):
        raise
    except RuleError as refused:
        if await asked.was_done():
            return Said()
        return await asked.refused(refused)
