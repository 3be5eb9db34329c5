"""Commands given without what they need: each answers with what there is to choose."""

from __future__ import annotations

from dataclasses import replace

from bot.commands import views
from bot.commands.request import Request
from bot.commands.table_search import NoTable, WhichTable, meant
from bot.port import Answer, Button, Card, Said, Screen
from bot.presenters.buttons import NO_TABLE, Action, Click, encode, sheet_code
from bot.presenters.viewers import named
from bot.session.table import OPEN, PLAYING
from bot.texts import LANGUAGES, language
from games.core import Phrase, RuleError, Who, phrase
from storage.records import GameLine, SeatLine

MOST = 12
"""The most tables that are offered at once."""


async def move(asked: Request) -> Answer:
    """The asker's choices for his eyes alone; else his board, where all may see them."""
    table = await meant(asked, PLAYING, to_move=True)
    seat = table.seat_of(asked.person.id)
    if asked.by.where.private or not asked.discreet or seat is None:
        return await views.board(asked)
    screen = asked.composer_for(table, seat).board()
    return Card(screen, await asked.painted(screen))


async def why(asked: Request) -> Answer:
    """What the command is good for, with a move of the asker's own table."""
    example, buttons = "", []
    try:
        table = await meant(asked, PLAYING, to_move=True)
    except RuleError:
        pass
    else:
        seat = table.seat_of(asked.person.id)
        if seat is not None and seat in table.actors() and asked.ear(table, seat) == seat:
            first = table.present.legal_moves(seat)[0]
            example = table.game.notation.written(table.present, first)
        rules = asked.tongue.say(phrase("house.button.rules"))
        buttons.append(_button(asked, rules, Action.RULES, table.code))
    said = phrase("house.bare.why-such-as", move=example) if example else phrase("house.bare.why")
    return _card(asked, said, *buttons)


async def join(asked: Request) -> Answer:
    """The tables that wait for somebody here."""
    me, tables = asked.person.id, asked.services.tables
    waiting: list[GameLine] = []
    for part in await asked.services.places.parts(asked.by.where):
        waiting += await tables.listed((OPEN,), MOST, where=part)
    free = [one for one in waiting if one.fault is None and one.seat_of(me) is None]
    buttons = (_button(asked, _told(asked, one), Action.JOIN, one.code) for one in free[:MOST])
    said = phrase("house.bare.join" if free else "house.bare.join-none")
    return _card(asked, said, *buttons, _new(asked))


async def words(asked: Request) -> Answer:
    """What a player's own words are good for."""
    return asked.said(phrase("house.bare.words"))


async def languages(asked: Request) -> Answer:
    """The languages there are, each by its own name."""
    found = (
        _button(
            asked, language(code).say(phrase("house.language")), Action.LANGUAGE, NO_TABLE, code
        )
        for code in LANGUAGES
    )
    return _card(asked, phrase("house.bare.language"), *found)


_INSTEAD = {Action.MOVE: Action.MINE, Action.WHY: Action.MINE, Action.SAY_WORDS: Action.BOARD}
"""What is done at the table that is chosen, where a button cannot carry what was typed."""


def which(asked: Request, act: Action, refused: WhichTable) -> Answer:
    """The tables that a command may have meant, each with a button that does it there."""
    act = _INSTEAD.get(act, act)
    buttons = (
        _button(asked, _told(asked, one), act, one.code, *asked.path)
        for one in refused.lines[:MOST]
    )
    return _card(asked, refused.phrase, *buttons)


def none(asked: Request, refused: NoTable) -> Answer:
    """There is no such table, and how to come to one."""
    if not asked.discreet:
        return Said(asked.tongue.say(refused.phrase), good=False)
    return replace(_card(asked, refused.phrase, _new(asked)), good=False)


def _new(asked: Request) -> Button:
    said = asked.tongue.say(phrase("house.sheet.new"))
    return Button(said, sheet_code("", asked.services.key), "good")


def _button(asked: Request, said: str, act: Action, table: str, *path: str) -> Button:
    return Button(said, encode(Click(act, table, 0, path), asked.services.key))


def _told(asked: Request, line: GameLine) -> str:
    """A table in a few words: its game, the others at it, and its code."""
    me, tongue = asked.person.id, asked.tongue
    others = tuple(Who(n) for n, one in enumerate(line.seats) if one.person != me and _taken(one))
    game = phrase(f"{line.game}.name")
    if not others:
        return tongue.say(phrase("house.table-line.alone", game=game, code=line.code))
    said = phrase("house.table-line", game=game, who=others, code=line.code)
    return tongue.say(said, named(line.game, line.seats, tongue))


def _taken(seat: SeatLine) -> bool:
    return seat.person is not None or seat.level is not None


def _card(asked: Request, said: Phrase, *buttons: Button) -> Card:
    """A sentence with a button in each row."""
    rows = tuple((one,) for one in buttons)
    words = asked.tongue.say(said)
    return Card(Screen(NO_TABLE, 0, words, rows=rows, language=asked.language))
