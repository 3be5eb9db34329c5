"""Every act once: a button and a command are decoded to the same one and answered alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from bot.acts import (
    advising,
    bare,
    choosing,
    inquiring,
    invited,
    keepsakes,
    listing,
    manners,
    moves,
    opening,
    person,
    reading,
    settings,
    setup,
    timing,
)
from bot.acts.asked import Asked, Services
from bot.acts.completion import Spellings, Typing, suggestions
from bot.acts.finding import NoTable, WhichTable, addressed, likely, to_move_at
from bot.port import Answer, Call, Press, Said, Suggestion
from bot.screen.buttons import Act, ForgedClick, OldClick, decode
from bot.screen.commands import BY_NAME, Kind
from bot.screen.viewers import USUAL
from bot.table.origin import SeenBefore
from bot.table.preferences import Look, look
from bot.table.table import ENDED, OPEN, PLAYING
from games.core import RuleError, phrase

Done = Callable[[Asked], Awaitable[Answer]]

ACTS: Mapping[Act, Done] = {
    Act.PLAY: setup.play,
    Act.SHEET: setup.sheet,
    Act.JOIN: opening.join,
    Act.INVITED: invited.sit_down,
    Act.COMPUTER: opening.seat_computer,
    Act.START: opening.start,
    Act.LEAVE: opening.leave,
    Act.SAY_WORDS: setup.say_words,
    Act.MOVE: moves.move,
    Act.ASIDE: moves.aside,
    Act.WHY: moves.why,
    Act.ASK: inquiring.ask,
    Act.HINT: advising.hint,
    Act.ODDS: advising.odds,
    Act.REVIEW: advising.review,
    Act.RESIGN: manners.resign,
    Act.OFFER: manners.offer,
    Act.ANSWER: manners.answer,
    Act.REMATCH: manners.rematch,
    Act.CLOCK: timing.clock,
    Act.HOLIDAYS: timing.holidays,
    Act.CLOSE: manners.close,
    Act.BOARD: reading.board,
    Act.MINE: reading.mine,
    Act.BACK: moves.back,
    Act.MORE: reading.more,
    Act.FLIP: reading.flip,
    Act.DESCRIBE: reading.describe,
    Act.GAMES: listing.games,
    Act.RULES: reading.rules,
    Act.RECORD: reading.record,
    Act.VERIFY: reading.verify,
    Act.REPLAY: keepsakes.replay,
    Act.KEEPSAKE: keepsakes.card,
    Act.LANGUAGE: settings.set_language,
    Act.HELP: settings.explain,
    Act.SETTINGS: choosing.choose,
    Act.LINK: person.link,
    Act.PRIVACY: person.privacy,
    Act.MY_DATA: person.my_data,
    Act.FORGET: person.forget,
}
"""What each act does."""

BARE: Mapping[Act, Done] = {
    Act.PLAY: setup.play,
    Act.JOIN: bare.join,
    Act.MOVE: bare.move,
    Act.WHY: bare.why,
    Act.ASK: inquiring.help_with,
    Act.SAY_WORDS: bare.words,
    Act.LANGUAGE: bare.languages,
}
"""What is done where a command lacks what it needs."""


@dataclass(frozen=True)
class Acts:
    """Does what presses and commands ask for, for every chat."""

    services: Services
    spelled: Spellings = field(default_factory=Spellings)

    async def press(self, press: Press) -> Answer:
        """Do what a button says, and answer the presser in his language."""
        asked = await self._asked(press)
        try:
            click = decode(press.code, self.services.manager.key)
        except OldClick as old:
            asked.code = old.table
            return await _answered(asked, reading.outdated)
        except ForgedClick:
            return Said(asked.tongue.say(phrase("house.forged")), good=False)
        asked.code, asked.turn, asked.path = click.table, click.turn, click.path
        return await _answered(asked, ACTS[click.act])

    async def call(self, call: Call) -> Answer:
        """Do what a command says, and answer in the asker's language."""
        asked, command = await self._asked(addressed(call)), BY_NAME.get(call.name)
        if command is None:
            return Said(asked.tongue.say(phrase("house.no-command")), good=False)
        asked.path = command.path
        done = BARE[command.act] if command.lacks(call.values) else ACTS[command.act]
        try:
            return await _answered(asked, done)
        except WhichTable as several:
            return bare.which(asked, command.act, several)
        except NoTable as refused:
            return bare.none(asked, refused)

    async def suggest(self, call: Call, parameter: str, text: str) -> tuple[Suggestion, ...]:
        """Completions of *parameter* of a command that is being typed."""
        command = BY_NAME.get(call.name)
        kinds = {p.name: p.kind for p in command.parameters} if command is not None else {}
        if command is None or parameter not in kinds:
            return ()
        typed = addressed(replace(call, values={**call.values, parameter: text}))
        asked, kind = await self._asked(typed), kinds[parameter]
        lines = await likely(asked, PLAYING, OPEN, ENDED) if kind is Kind.TABLE else ()
        tables = await to_move_at(asked) if kind is Kind.MOVE else ()
        me, code, values = asked.person.id, asked.language, dict(call.values)
        text = typed.values[parameter]
        found = tuple(self.spelled.moves(table, me, code, text) for table in tables)
        return suggestions(Typing(kind, text, values, lines, found, code))

    async def _asked(self, by: Press | Call) -> Asked:
        """What *by* asks for, with who asks and the language he is answered in."""
        people, places = self.services.manager.people, self.services.manager.places
        person = await people.of(by.asker)
        await places.settle(by.where)
        code = await people.language_of(by.where, person, by.asker)
        rules, personal = await places.rules(by.where), await people.personal(person.id)
        seen = look(USUAL.get(by.where.platform, Look.theme), rules, personal)
        return Asked(self.services, by, person, code, look=seen)


async def _answered(asked: Asked, act: Done) -> Answer:
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
