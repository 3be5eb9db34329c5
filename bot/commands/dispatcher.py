"""The dispatcher: buttons and commands of every chat reach the same handlers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from inspect import signature
from typing import Any
from zlib import crc32

from cachetools import LRUCache, TTLCache

from bot.commands import help_pages, settings, standing
from bot.commands.completion import MoveSpellings, PartialInput, suggestions
from bot.commands.person import account
from bot.commands.place import export as place_export
from bot.commands.place.moderation import check_let_in
from bot.commands.request import Request, RequestRoom, answer_refusal, was_done, with_ways
from bot.commands.school import first_steps as school
from bot.commands.school import hints_and_review, opened_files, puzzles
from bot.commands.table import (
    board_record_and_rules,
    film_and_card,
    moves,
    open_tables,
    resignation_and_offers,
    seating,
    setup,
)
from bot.commands.table.lookup import TableLookup, WhichTable, with_table
from bot.commands.tournament import tournaments
from bot.port import Answer, Chat, Command, Press, Said, ScreenAnswer, Suggestion, capabilities_of
from bot.presenters.button_codes import (
    NO_TABLE,
    Action,
    ChatButtons,
    Click,
    ForgedClick,
    OldClick,
    base36,
    decode_click,
)
from bot.presenters.command_specs import BY_NAME, COMMANDS, SPOKEN, CommandSpec, ParameterKind
from bot.presenters.typed_names import names_of, spelling
from bot.presenters.ways import leading, ways_from
from bot.service.place.places import Places
from bot.service.table.changes import SeenBefore, Update
from bot.session.preferences import Look, look
from bot.session.table import ENDED, OPEN, PLAYING
from games.core import RuleError, phrase

Done = Callable[[Request], Awaitable[Answer]]
Handler = Callable[..., Awaitable[Answer]]
"""It is given the request, and then the records of the rooms that it names."""


def _sentence(key: str) -> Done:
    """The handler that answers the sentence *key*."""

    async def told(request: Request) -> Answer:
        return request.said(phrase(key))

    return told


HANDLERS: Mapping[Action, Handler] = {
    Action.PLAY: setup.set_up,
    Action.SHEET: setup.change_draft,
    Action.JOIN: seating.join_table,
    Action.INVITED: seating.accept_invitation,
    Action.CHAIRS: open_tables.show_open_tables,
    Action.COMPUTER: seating.seat_computer,
    Action.START: seating.start_table,
    Action.LEAVE: seating.leave_table,
    Action.SAY_WORDS: setup.add_words_to_draft,
    Action.COUNT: seating.choose_counting,
    Action.MOVE: moves.play_move,
    Action.ASIDE: moves.play_aside,
    Action.WHY: moves.explain_refusal,
    Action.ASK: hints_and_review.ask_board,
    Action.HINT: hints_and_review.show_hint,
    Action.ODDS: hints_and_review.show_odds_or_sheet,
    Action.REVIEW: hints_and_review.show_review,
    Action.RESIGN: resignation_and_offers.resign_game,
    Action.OFFER: resignation_and_offers.make_offer,
    Action.ANSWER: open_tables.answer_asked,
    Action.REMATCH: resignation_and_offers.offer_rematch,
    Action.CLOCK: resignation_and_offers.use_clock,
    Action.HOLIDAYS: settings.take_holidays,
    Action.CLOSE: resignation_and_offers.close_table,
    Action.BOARD: board_record_and_rules.show_board,
    Action.PAGE: board_record_and_rules.lead_to_page,
    Action.MINE: board_record_and_rules.show_own_board,
    Action.BACK: moves.unselect,
    Action.MORE: board_record_and_rules.turn_page,
    Action.FLIP: board_record_and_rules.flip_board,
    Action.DESCRIBE: board_record_and_rules.describe_board,
    Action.GAMES: open_tables.list_tables,
    Action.RULES: board_record_and_rules.show_rules,
    Action.RECORD: board_record_and_rules.show_record,
    Action.VERIFY: board_record_and_rules.verify_draws,
    Action.REPLAY: film_and_card.post_replay,
    Action.KEEPSAKE: film_and_card.post_card,
    Action.LANGUAGE: help_pages.choose_language,
    Action.HELP: help_pages.show_help,
    Action.SETTINGS: settings.change_settings,
    Action.STARTER: settings.choose_starter,
    Action.LINK: account.link_account,
    Action.PRIVACY: _sentence("privacy.about"),
    Action.MY_DATA: account.send_own_data,
    Action.FORGET: account.forget_asker,
    Action.TOP: standing.show_ladder,
    Action.PROFILE: standing.show_profile,
    Action.VERSUS: standing.show_meetings,
    Action.EXPORT: place_export.export_place,
    Action.IMPORTED: place_export.show_imports,
    Action.OPEN: opened_files.open_file,
    Action.LEARN: school.learn,
    Action.TOURNAMENT: tournaments.handle_tournament,
    Action.PUZZLE: puzzles.show_puzzle,
}
"""The handler of each action."""

INCOMPLETE: Mapping[Action, Handler] = {
    Action.PLAY: setup.set_up,
    Action.JOIN: open_tables.show_open_tables,
    Action.MOVE: help_pages.list_moves,
    Action.WHY: help_pages.explain_why,
    Action.ASK: _sentence("ask.help"),
    Action.SAY_WORDS: _sentence("house.bare.words"),
    Action.LANGUAGE: help_pages.list_languages,
}
"""The handlers of commands that lack a required value."""


@cache
def rooms_of(handler: Handler) -> tuple[str, ...]:
    """The names of the classes of what *handler* is given beside the request."""
    _, *others = signature(handler).parameters.values()
    return tuple(one.annotation for one in others)


def as_command(press: Press, click: Click) -> Command | None:
    """The command whose name stands on the button; ``None`` where it is another button."""
    same = (one for one in COMMANDS if (one.act, one.path) == (click.act, click.path))
    found = next((one for one in same if one.needs_table), None)
    if found is None or click.table != NO_TABLE or click.turn:
        return None
    return _given_by(press, Command("", press.where, press.asker, found.name))


def _given_by(press: Press, command: Command) -> Command:
    """*command* as *press* gives it."""
    told = {one: getattr(press, one) for one in ("update", "where", "token", "whispered")}
    return replace(command, **told, standing=press.standing, arrived=press.arrived)


_AS_TYPED = "typed"
"""Stands before the name of a typed line, at the end of the path of a key that gives it."""


@dataclass(frozen=True, kw_only=True)
class Dispatcher:
    """Handles the presses and commands of every chat."""

    room: RequestRoom
    places: Places
    lookup: TableLookup
    key: bytes
    """Signs the buttons."""
    chats: Mapping[str, Chat]
    """The chats by platform."""
    rooms: Sequence[object]
    """What handlers are given, by their classes."""
    spelled: MoveSpellings = field(default_factory=MoveSpellings)
    typed: LRUCache[tuple[int, str], Command] = field(default_factory=lambda: LRUCache(4096))
    """Lines that may mean several tables, by who typed them and their names."""
    told_keys: TTLCache[Any, Any] = field(default_factory=lambda: TTLCache(4096, 60.0))
    """The keys of the last answers by what stands on them, by person and place.

    A bare yes may answer what somebody else has asked meanwhile, so that presses none of them: if
    nobody else has, they are shown again.
    """

    async def press(self, press: Press) -> Answer:
        """Handle a button and answer in the language of the presser."""
        request = await self._ask(press)
        try:
            click = decode_click(press.code, self.key)
        except OldClick as old:
            request.code = old.table
            return await self._answer(request, board_record_and_rules.answer_outdated, Action.BOARD)
        except ForgedClick:
            return Said(request.pages.say("house.forged"), good=False)
        if (bare := as_command(press, click)) is not None:
            return await self.call(bare)
        if click.path[-2:-1] == (_AS_TYPED,):
            line, click = (request.person.id, click.path[-1]), replace(click, path=click.path[:-2])
            if (typed := self.typed.pop(line, None)) is not None:
                there = {**typed.values, "table": click.table}
                answer = await self.call(_given_by(press, replace(typed, values=there)))
                if not answer.good:
                    self.typed[line] = typed
                return answer
        request.code, request.turn, request.path = click.table, click.turn, click.path
        answer = await self._answer(request, HANDLERS[click.act], click.act)
        ways = ways_from(click.act, NO_TABLE) if click.act is Action.PUZZLE else ()
        return with_ways(request, answer, ways) if isinstance(answer, ScreenAnswer) else answer

    async def call(self, call: Command) -> Answer:
        """Handle a command and answer in the asker's language."""
        request, command = await self._ask(with_table(call)), BY_NAME.get(call.name)
        if command is None:
            return help_pages.no_command(request, request.value("command") or call.name)
        said = spelling(call.values.get("move", "0"))
        kept = self.told_keys.get((request.person.id, call.where.place), {})
        if said in kept and not (call.reply_to or call.keys or any(map(str.isdigit, said))):
            call = replace(call, keys={said: kept[said].code})
        request.path, request.act = command.path, command.act
        accepts = command.act is Action.JOIN and call.reply_to is not None
        lacks = command.lacks(call.values) and not accepts
        done = INCOMPLETE[command.act] if lacks else HANDLERS[command.act]
        key = self._key_said(call, command)
        try:
            if key is None and command.act is Action.MOVE and not lacks:
                key = await moves.find_key(request, self.lookup)
            if key is not None:
                told = (call.update, call.where, call.asker, key)
                return await self.press(Press(*told, sent=call.sent, arrived=call.arrived))
            answer = with_ways(request, await self._answer(request, done, command.act))
            if answer.good or command not in SPOKEN or not 0 < len(kept) <= 3:
                return answer
            words = request.pages.say("house.press-answer")
            return Said(words, good=False, leads=leading(request.pages, words, (), *kept.values()))
        except WhichTable as several:
            if not call.values:
                return help_pages.which_table(request, command.act, several)
            line = base36(crc32(call.update.encode()))
            self.typed[request.person.id, line] = replace(call, reply_to=None)
            return help_pages.which_table(request, command.act, several, _AS_TYPED, line)

    def _key_said(self, call: Command, command: CommandSpec) -> str | None:
        """The only key of the message replied to that *call* says: its words, or its yes or no.

        So does the bare name of a command that stands on it.
        """
        text, buttons, found = call.values.get("move", ""), ChatButtons(self.key), set()
        names = names_of(f"command.{command.name}.name") if not call.values else {spelling(text)}
        path = {*command.path} if command in SPOKEN else set()
        for label, key in call.keys.items():
            click = buttons.click(key)
            steps = click.path[-2:] if click is not None and click.act is not Action.MOVE else None
            if steps is not None and (spelling(label) in names or path & {*steps}):
                found.add(key)
        return found.pop() if len(found) == 1 else None

    async def suggest(self, call: Command, parameter: str, text: str) -> tuple[Suggestion, ...]:
        """Completions of *parameter* of a command that is being typed."""
        command = BY_NAME.get(call.name)
        known = {one.name: one for one in command.parameters} if command is not None else {}
        if parameter not in known or await self.room.bars.is_banned(call.asker):
            return ()
        typed = with_table(replace(call, values={**call.values, parameter: text}))
        request, kind = await self._ask(typed), known[parameter].kind
        is_table = kind is ParameterKind.TABLE
        lines = await self.lookup.likely_tables(request, PLAYING, OPEN, ENDED) if is_table else ()
        tables = await self.lookup.tables_to_move(request) if kind is ParameterKind.MOVE else ()
        me, code, text = request.person.id, request.language, typed.values[parameter]
        found = tuple(self.spelled.moves(table, me, code, text) for table in tables)
        words = known[parameter].words
        return suggestions(PartialInput(kind, text, call.values, lines, found, code, words))

    async def _ask(self, by: Press | Command) -> Request:
        people, places = self.room.people, self.places
        if await people.find(by.asker) is None:
            # What was done before introduces nobody who was forgotten.
            update = Update(by.where.platform, by.update)
            if await self.room.store.read(update.is_settled) and by.update:
                raise SeenBefore
        person = await people.of(by.asker)
        people.hear(person.id, by.where)
        if by.where.private:
            places.welcome(by.where)
        await places.settle(by.where)
        code = await people.language_of(by.where, person, by.asker)
        rules, personal = await places.rules(by.where), await people.personal(person.id)
        client, speaks = by.asker.language or personal.client, by.asker.speaks or personal.speaks
        if (client, speaks) != (personal.client, personal.speaks):
            await people.choose(person.id, client=client, speaks=speaks)
        chat = capabilities_of(self.chats, by.where.platform)
        seen = look(by.asker.theme or chat.theme or Look.theme, rules, personal)
        told = (self.room, self.key, self.chats, by, person, code, chat)
        return Request(*told, look=seen, kept_out=await self.room.bars.of(by.asker))

    async def _answer(self, request: Request, handler: Handler, act: Action) -> Answer:
        """The answer of a handler. An update that was handled before is never refused."""
        rooms = {type(one).__name__: one for one in self.rooms}
        try:
            if request.kept_out:
                await check_let_in(request, act)
            answer = await handler(request, *(rooms[name] for name in rooms_of(handler)))
            rows = getattr(getattr(answer, "screen", getattr(answer, "leads", None)), "buttons", ())
            told = {spelling(one.label): one for row in rows for one in row}
            self.told_keys[request.person.id, request.by.where.place] = told
            return answer
        except SeenBefore:
            return Said()
        except RuleError as refused:
            if isinstance(refused, WhichTable):
                raise
            return Said() if await was_done(request) else await answer_refusal(request, refused)
