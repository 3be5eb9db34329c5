"""The tables at which somebody sits, a line each: whose turn, since when, and the way there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from babel.dates import format_timedelta

from bot.commands.request import Request
from bot.port import Answer, Home, Said
from bot.presenters.matches import standing
from bot.presenters.viewers import named
from bot.service.places import view_place
from bot.service.updates import DeadlineKind
from bot.session.game_clock import instant
from bot.session.match import read_match
from bot.session.table import OPEN, PLAYING
from bot.session.time_controls import length
from games.core import Who, phrase
from storage import deadlines, views
from storage.records import GameLine, ViewRow

MOST = 20
"""The most tables that one answer lists."""


async def games(asked: Request) -> Answer:
    """List the tables at which the asker sits: his turns first, by whose time runs out soonest."""
    me = asked.person.id
    lines = await asked.services.tables.listed((PLAYING, OPEN), MOST + 1, person=me)
    if not lines:
        return asked.said(phrase("house.no-games"))
    async with asked.services.store.reading() as tx:
        flags = await deadlines.of_kind(tx, DeadlineKind.FLAG, [line.code for line in lines])
    shown = sorted(lines[:MOST], key=lambda line: _rank(line, me, flags.get(line.code)))
    told = [await _told(asked, line, flags.get(line.code)) for line in shown]
    if len(lines) > MOST:
        told.append((asked.tongue.say(phrase("house.more-games", n=MOST)), ""))
    return Said("\n".join(text for text, _ in told), links=tuple(link for _, link in told))


def _rank(line: GameLine, me: int, flag: datetime | None) -> tuple[int, float]:
    """One's own turns first: whose time runs out soonest, then the longest waiting.

    What moved last stands before the rest.
    """
    at = line.touched.timestamp()
    if line.moves(me):
        return (1, at) if flag is None else (0, flag.timestamp())
    return (3 if line.status == OPEN else 2, -at)


async def _told(asked: Request, line: GameLine, flag: datetime | None) -> tuple[str, str]:
    """*line* in words, and the address of its board, nothing where it has none."""
    say = asked.tongue.say
    if line.fault is not None:
        return say(phrase("house.game-line.unreadable", code=line.code)), ""
    me, game = asked.person.id, phrase(f"{line.game}.name")
    taken = [s for s in line.seats if s.person is not None or s.level is not None]
    others = tuple(Who(seat.seat) for seat in taken if seat.person != me)
    names = named(line.game, line.seats, asked.tongue)
    what = phrase("house.game-line", game=game, who=others) if others else game
    place, link = await _place(asked, line)
    when = _age(asked, line)
    if flag is not None:
        left = length(instant(flag) - instant(asked.services.clock.steady()))
        when = asked.tongue.say(phrase("house.game-line.left", time=left))
    parts = [asked.tongue.say(what, names), _state(asked, line, names), when]
    match = read_match(line.match)
    if match is not None:
        parts.insert(1, asked.tongue.say(standing(match, line.seat_of(me) or 0)))
    if line.moves(me):
        parts[0] = f"▶ {parts[0]}"
    return " · ".join((*parts, *filter(None, [place]), line.code)), link


def _state(asked: Request, line: GameLine, names: Mapping[int, str]) -> str:
    """Whose turn it is."""
    if line.status == OPEN:
        return asked.tongue.say(phrase("house.game-line.waits"))
    if line.moves(asked.person.id):
        return asked.tongue.say(phrase("house.game-line.yours"))
    who = tuple(map(Who, line.to_move or ()))
    return asked.tongue.say(phrase("house.game-line.theirs", who=who, n=len(who)), names)


def _age(asked: Request, line: GameLine) -> str:
    """How long ago something happened at the table."""
    since = line.touched - asked.services.clock.now()
    locale = asked.tongue.code.replace("-", "_")
    return format_timedelta(since, granularity="minute", add_direction=True, locale=locale)


async def _place(asked: Request, line: GameLine) -> tuple[str, str]:
    """Where the asker finds the board, in words, and its address.

    That is where he asks, else in his private chat, else where others see it too.
    """
    me, here = asked.person.id, asked.by.where

    def rank(view: ViewRow) -> tuple[bool, bool, bool, int]:
        same = (view.platform, view.place) == (here.platform, here.place)
        return (same, view.platform == here.platform, view.person == me, view.id)

    seen = await asked.services.store.read(views.of_game, line.code)
    view = max((v for v in seen if v.person in (None, me)), key=rank, default=None)
    if view is None:
        return "", ""
    where = view_place(view)
    home = await asked.services.places.home(where)
    if home != where:
        where = replace(where, home=Home(home.place))
    chat, link = asked.services.chats.get(view.platform), ""
    if chat is not None and view.message is not None:
        link = chat.link(where, view.message)
    said = "house.game-line.private" if view.person == me else ""
    if rank(view)[0]:
        said = "house.game-line.here"
    elif view.platform != here.platform:
        said = f"house.game-line.on.{view.platform}"
    known = said in asked.tongue.templates
    return (asked.tongue.say(phrase(said)) if known else ""), link
