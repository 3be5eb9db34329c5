"""Help, and what a command answers that lacks a value."""

from __future__ import annotations

from dataclasses import replace

from bot.commands.request import (
    Request,
    ear_of,
    own_composer,
    show_copy,
    standing_of_asker,
    with_ways,
)
from bot.commands.services_of_handlers import PlayRoom
from bot.commands.settings import change_language
from bot.commands.table import board_record_and_rules
from bot.commands.table.lookup import MOST_LISTED, TableLookup, WhichTable, name_line
from bot.port import Answer, Button, Card, MenuAnswer, Said
from bot.presenters.button_codes import NO_TABLE, Action
from bot.presenters.command_specs import (
    CommandSpec,
    Parameter,
    ParameterKind,
    find_topic,
    nearest_command,
    nearest_commands,
)
from bot.presenters.help_card import first_keys, help_card
from bot.presenters.rulebook import rules_card
from bot.presenters.school.exercises import GAME
from bot.presenters.school.questions_to_the_board import QUESTION
from bot.presenters.typed_names import languages_by_name, spelling
from bot.presenters.ways import HELP, MINE, Way, key_to, leading, ways_from
from bot.service.table.tables import Tables
from bot.session.table import OPEN, PLAYING
from bot.session.unit_of_work import Refused
from bot.texts import LANGUAGES, language
from games.core import Game, Phrase, RuleError, phrase
from games.core.shelf import game_names, shelf
from storage.records import GameLine


async def choose_language(request: Request, room: PlayRoom) -> Answer:
    """Change the asker's language, also on their private boards."""
    wanted = request.value("language") or "".join(request.path)
    code = languages_by_name().get(spelling(wanted))
    if code is None:
        names = tuple(language(code).say(phrase("house.language")) for code in LANGUAGES)
        raise Refused(phrase("house.no-language", text=wanted[:32], known=names))
    await change_language(request, room.people, code)
    said = request.said(phrase("house.language-set"))
    if (await standing_of_asker(request)).manages:
        # The boards here speak on as before: whoever manages the place may have meant those.
        said = replace(said, said=f"{said.said} {request.pages.say('house.language-place')}")
    return said


async def show_help(request: Request) -> Answer:
    """Explain one command, list all commands, or show the rules of a game."""
    code = request.language
    if request.is_press:
        number = next((int(one) for one in request.path if one.isdecimal()), 0)
        return MenuAnswer(help_card(code, request.key, number).screen)
    if wanted := request.value("command"):
        match find_topic(wanted):
            case None:
                return no_command(request, wanted, "house.no-topic")
            case Game() as game:
                return rules_card(game, code, 0, request.key, request.look)
            case CommandSpec() as command:
                lines = [f"/{command.name_in(code)}: {command.help_in(code)}"]
                ways = _way_to(command, wanted)
                # Whoever presses the key is asked for the table by keys.
                asked = ParameterKind.TABLE if ways else None
                told = [one for one in command.parameters if one.kind is not asked]
                lines += [_parameter_help(request, command, one) for one in told]
                return with_ways(request, Said("\n".join(lines)), ways)
    return help_card(code, request.key, 0)


def _way_to(command: CommandSpec, wanted: str) -> tuple[Way, ...]:
    """The key that does *command* for whoever presses it, with the game that *wanted* names."""
    named = (game_names().get(spelling(word)) for word in wanted.split())
    game, path = next(filter(None, named), None), command.path
    if game is not None and command.act in (Action.RULES, Action.LEARN, Action.PUZZLE):
        path = (game.key,) if command.act is Action.RULES else (GAME, game.key)
    return () if command.lacks({}) else (Way(f"command.{command.name}.name", command.act, path),)


async def say_lost(request: Request, tables: Tables) -> Answer:
    """Say that what was typed means nothing to us, with keys to what its words are near to.

    Where they are near to nothing, a question gets help, and all else the games.
    """
    pages, text = request.pages, request.value("move")
    games = {key: pages.button_to(Action.SHEET, f"{key}.name", "game", key) for key in shelf()}
    named = (game_names().get(spelling(word)) for word in text.split())
    found = (one for one in nearest_commands(text, "said") if one.act is not Action.HELP)
    near = [key_to(pages, one) for one in found]
    near += [games[key] for key in dict.fromkeys(game.key for game in named if game)]
    if near:
        words = pages.say("house.lost.near")
        return Said(words, good=False, leads=leading(pages, words, (HELP,), *near))
    if QUESTION.match(text):
        return await show_help(request)
    private = request.by.where.private
    keys = first_keys(pages, await request.keys_of_day()) if private else [*games.values()]
    words = pages.say("house.lost", games=tuple(phrase(f"{key}.name") for key in shelf()))
    sits = await tables.list_lines((PLAYING, OPEN), 1, person=request.person.id)
    ways = (MINE, HELP) if sits else (HELP,)
    return Said(words, good=False, leads=leading(pages, words, ways, *keys))


def no_command(request: Request, typed: str, why: str = "house.no-command") -> Answer:
    """Say that *typed* is no command, and ask after the one that it may mean."""
    pages, near = request.pages, nearest_command(typed)
    words, ways, keys = pages.say(why), ways_from(Action.HELP, NO_TABLE), list[Button]()
    if near is not None:
        name = f"/{near.name_in(request.language)}"
        words = pages.say("house.no-command.near", name=name)
        keys = [replace(key_to(pages, near), label=name)]
        ways = () if near.act is Action.HELP else (HELP,)
    return Said(words, good=False, leads=leading(pages, words, ways, *keys))


def _parameter_help(request: Request, command: CommandSpec, parameter: Parameter) -> str:
    """A sentence on *parameter*, by name; a chat may pick people from a list instead of typing."""
    code, told = request.language, command.parameter_help(parameter, request.language)
    plays = command.act is Action.PLAY and parameter.kind is ParameterKind.PERSON
    if plays and request.chat.lists_people:
        told = request.pages.say("discord.person")
    return f"{command.parameter_in(parameter, code)}: {told}"


async def list_moves(request: Request, room: PlayRoom) -> Answer:
    """Show the asker's choices in private, or their board where nothing is private."""
    table = await room.lookup.find_table(request, PLAYING, to_move=True)
    seat = table.seat_of(request.person.id)
    if request.by.where.private or not request.discreet or seat is None:
        return await board_record_and_rules.show_board(request, room)
    return await show_copy(request, own_composer(request, table, seat), Card)


async def explain_why(request: Request, lookup: TableLookup) -> Answer:
    """Explain the command, with a move of the asker's own table as example."""
    said = phrase("house.bare.why")
    try:
        table = await lookup.find_table(request, PLAYING, to_move=True)
    except RuleError:
        return card_of(request, said)
    seat = table.seat_of(request.person.id)
    if seat is not None and seat in table.actors() and ear_of(request, table, seat) == seat:
        example = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
        said = phrase("house.bare.why-such-as", move=example)
    code = request.pages.code(Action.RULES, table=table.code)
    return card_of(request, said, Button(request.pages.say("house.button.rules"), code))


async def list_languages(request: Request) -> Answer:
    """List the languages, each by its own name."""
    pages, name = request.pages, phrase("house.language")
    found = (Button(language(c).say(name), pages.code(Action.LANGUAGE, c)) for c in LANGUAGES)
    return card_of(request, phrase("house.bare.language"), *found)


_INSTEAD = {Action.MOVE: Action.MINE, Action.WHY: Action.MINE, Action.SAY_WORDS: Action.BOARD}
"""The action at the chosen table where what was typed is not known any more."""


def which_table(request: Request, act: Action, refused: WhichTable, *typed: str) -> Answer:
    """Ask which table is meant, with a button for each, which gives the line *typed* there."""
    act, lines = _INSTEAD.get(act, act), refused.lines[:MOST_LISTED]
    buttons = (_table_button(request, one, act, *request.path, *typed) for one in lines)
    return card_of(request, refused.phrase, *buttons)


def new_button(request: Request) -> Button:
    """The button that sets a new table up."""
    return request.pages.button_to(Action.SHEET, "house.sheet.new", "game", "", style="good")


def _table_button(request: Request, line: GameLine, act: Action, *path: str) -> Button:
    """The button for a table: its game, the others at it, and its code."""
    if act is Action.LEAVE and line.status == PLAYING:
        act = Action.RESIGN  # which asks whether that is meant
    label = f"{name_line(request, line)} · {line.code}"
    return Button(label, request.pages.code(act, *path, table=line.code))


def card_of(request: Request, said: Phrase, *buttons: Button) -> Card:
    """A card that says *said*, with a row for each of *buttons*."""
    return Card(request.pages.page(request.tongue.say(said), rows=[[one] for one in buttons]))
