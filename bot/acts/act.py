"""Every act once: a button and a command are decoded to the same one and answered alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.acts import manners, moves, opening, reading, settings
from bot.acts.asked import Asked, Services
from bot.acts.completion import Typing, suggestions
from bot.acts.finding import Finder
from bot.port import Answer, Call, Press, Said, Suggestion
from bot.screen.buttons import Act, ForgedClick, OldClick, decode
from bot.screen.commands import BY_NAME, Kind
from bot.table.origin import SeenBefore
from bot.table.table import ENDED, OPEN, PLAYING
from bot.texts import language
from games.core import RuleError, phrase
from storage.records import GameLine

Done = Callable[[Asked], Awaitable[Answer]]

ACTS: Mapping[Act, Done] = {
    Act.PLAY: opening.open_table,
    Act.JOIN: opening.join,
    Act.COMPUTER: opening.seat_computer,
    Act.START: opening.start,
    Act.LEAVE: opening.leave,
    Act.SAY_WORDS: opening.say_words,
    Act.MOVE: moves.move,
    Act.ASIDE: moves.aside,
    Act.WHY: moves.why,
    Act.RESIGN: manners.resign,
    Act.OFFER: manners.offer,
    Act.ANSWER: manners.answer,
    Act.REMATCH: manners.rematch,
    Act.CLOSE: manners.close,
    Act.BOARD: reading.board,
    Act.MINE: reading.mine,
    Act.BACK: reading.back,
    Act.MORE: reading.more,
    Act.FLIP: reading.flip,
    Act.DESCRIBE: reading.describe,
    Act.GAMES: reading.games,
    Act.RULES: reading.rules,
    Act.RECORD: reading.record,
    Act.VERIFY: reading.verify,
    Act.LANGUAGE: settings.set_language,
    Act.HELP: settings.explain,
}
"""What each act does."""


@dataclass(frozen=True)
class Acts:
    """Does what presses and commands ask for, for every chat."""

    services: Services

    async def press(self, press: Press) -> Answer:
        """Do what a button says, and answer the presser in his language."""
        manager = self.services.manager
        person = await manager.people.of(press.asker)
        code = await manager.people.language_of(press.where, person, press.asker)
        try:
            click = decode(press.code, manager.key)
        except OldClick as old:
            asked = Asked(self.services, press, person, code, old.table)
            return await _answered(asked, reading.outdated)
        except ForgedClick:
            return Said(language(code).say(phrase("house.forged")), good=False)
        asked = Asked(self.services, press, person, code, click.table, click.turn, click.path)
        return await _answered(asked, ACTS[click.act])

    async def call(self, call: Call) -> Answer:
        """Do what a command says, and answer in the asker's language."""
        manager = self.services.manager
        person = await manager.people.of(call.asker)
        code = await manager.people.language_of(call.where, person, call.asker)
        command = BY_NAME.get(call.name)
        if command is None:
            return Said(language(code).say(phrase("house.no-command")), good=False)
        asked = Asked(self.services, call, person, code, path=command.path)
        for parameter in command.parameters:
            if parameter.required and not asked.value(parameter.name):
                missing = phrase("house.missing", what=command.parameter_help(parameter, code))
                return Said(asked.tongue.say(missing), good=False)
        return await _answered(asked, ACTS[command.act])

    async def suggest(self, call: Call, parameter: str, text: str) -> tuple[Suggestion, ...]:
        """Completions of *parameter* of a command that is being typed."""
        command = BY_NAME.get(call.name)
        kinds = {p.name: p.kind for p in command.parameters} if command is not None else {}
        if command is None or parameter not in kinds:
            return ()
        manager, views = self.services.manager, self.services.views
        person = await manager.people.of(call.asker)
        code = await manager.people.language_of(call.where, person, call.asker)
        asked = Asked(self.services, call, person, code)
        finder, kind = Finder(manager, views), kinds[parameter]
        lines: Sequence[GameLine] = ()
        if kind is Kind.TABLE:
            lines = await finder.likely(asked, (PLAYING, OPEN, ENDED))
        table = await finder.to_move(asked) if kind is Kind.MOVE else None
        values = dict(call.values)
        return suggestions(Typing(command, kind, text, values, lines, table, person.id, code))


async def _answered(asked: Asked, act: Done) -> Answer:
    """What the act answers; an update that was done before is not refused when it comes again."""
    try:
        return await act(asked)
    except SeenBefore:
        return Said()
    except RuleError as refused:
        if await asked.was_done():
            return Said()
        return await asked.refused(refused)
