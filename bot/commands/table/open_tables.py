"""The tables of a place that wait for players, those of strangers, and alerts of new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from babel.dates import format_timedelta

from bot.commands.help_pages import new_button
from bot.commands.request import Request
from bot.commands.services_of_handlers import ListRoom, OpeningRoom, PlayRoom, SchoolRoom
from bot.commands.table.creation import alert_place
from bot.commands.table.lookup import MOST_LISTED, NoTable, name_line, others_at
from bot.commands.table.moves import play_move
from bot.commands.table.resignation_and_offers import UNANSWERED, answer_offer
from bot.commands.table.seating import join_table, leave_table
from bot.port import Answer, Button, Command, Said
from bot.presenters.button_codes import AFAR, ALERT, NO_TABLE, Action
from bot.presenters.table.status import match_standing, soonest_end
from bot.presenters.table.viewers import player_names
from bot.presenters.ways import MINE, leading, ways_from
from bot.session.game_clock import instant
from bot.session.match import read_match
from bot.session.offers import asked_of
from bot.session.table import ENDED, OPEN, PLAYING
from bot.session.time_controls import length
from bot.session.unit_of_work import Refused, refuse_if
from bot.texts.catalogues import LABEL
from games.core import Who, phrase
from games.core.shelf import shelf
from storage.records import AlertRow, GameLine, ViewRow
from storage.table import open_table_alerts, views

MOST_AFAR = 5
"""The most tables of other places that are offered at once."""


async def show_open_tables(request: Request, room: ListRoom, opening: OpeningRoom) -> Answer:
    """List the open tables here, seat the asker at one elsewhere, or change their alerts."""
    match request.path:
        case (step,) if step == AFAR:
            # Seat the asker at a table of another place, if all still want that.
            table = await room.lookup.find_table(request, OPEN)
            if not await room.public_tables.offers(table, request.person.id, request.by.where):
                raise Refused(phrase("open.afar.gone"))
            return await join_table(replace(request, path=()), opening)
        case (step, *game) if step == ALERT:
            return await _change_alerts(request, room, *game)
    where, public_tables, me = request.by.where, room.public_tables, request.person.id
    here = await waiting_here(request, room)
    afar = await public_tables.find(me, where, MOST_AFAR)
    paths, tables = [()] * len(here) + [(AFAR,)] * len(afar), [*here, *afar]
    rows = [_sit(request, room, n, one, *paths[n]) for n, one in enumerate(tables)]
    place = None if where.private else where  # In a group nothing is told of tables elsewhere.
    mine = await room.tables.list_lines((PLAYING,), MOST_LISTED, person=me, where=place)
    rows += [[replace(key, line=None, game="")] for (key,) in _own(request, mine)]
    say, code = request.pages.say, request.pages.code
    if not where.private:
        rows.append([Button(say("open.button.alerts"), code(Action.CHAIRS, ALERT))])
    rows.append([new_button(request)])
    key = "house.bare.join" if here or afar else "house.bare.join-none"
    lines = [f"{name_line(request, one)} · {_since(request, room, one)}" for one in tables]
    lines += [say("open.afar", n=len(afar))] if afar else []
    if await public_tables.is_allowed(where) and not await public_tables.plays(me):
        lines.append(say("open.strangers"))
    return request.answer_in_place(request.pages.page(say(key), lines, rows))


async def answer_asked(
    request: Request, opening: OpeningRoom, room: PlayRoom, school: SchoolRoom
) -> Answer:
    """Accept, decline or withdraw what a button names; in words, what the asker is asked.

    Words that reply to a message answer that alone. Where nothing is asked of the asker they are
    read as any others.
    """
    if len(request.path) > 1:
        return await answer_offer(request, room)
    (word,), by, asks, asked = request.path, request.by, partial(asked_of, request.person.id), ""
    replied = await room.lookup.find_replied(request)
    refuse_if(isinstance(by, Command) and by.reply_to and not replied, "house.press-key")
    with suppress(NoTable):
        table = await room.lookup.find_table(request, OPEN, PLAYING, ENDED, fits=asks)
        asked = asks(table, anybody=table.code == replied)
    if not asked:
        return await play_move(request, room, school)
    by = replace(by, values={"table": table.code}) if isinstance(by, Command) else by
    if asked != "seat":
        return await answer_offer(replace(request, by=by, path=(asked, word)), room)
    if word == "yes":
        return await join_table(replace(request, by=by, path=()), opening)
    return await leave_table(replace(request, by=by), opening)


def _own(request: Request, lines: Sequence[GameLine]) -> list[list[Button]]:
    """A key for each of the asker's tables of *lines*, to their own board; none looks like another.

    It stands beside its line. A long label may lose what tells it apart, so it has the code too.
    """
    said, code = [name_line(request, one) for one in lines], request.pages.code
    labels = [
        f"{words} · {one.code}" if said.count(words) > 1 or len(words) > LABEL else words
        for words, one in zip(said, lines, strict=True)
    ]
    return [
        [Button(label, code(Action.MINE, table=one.code), line=n, game=one.game)]
        for n, (one, label) in enumerate(zip(lines, labels, strict=True))
        if one.fault is None
    ]


def _since(request: Request, room: ListRoom, line: GameLine) -> str:
    """How long ago something last happened at the table of *line*."""
    since, locale = line.touched - room.clock.now(), request.language.replace("-", "_")
    return format_timedelta(since, granularity="minute", add_direction=True, locale=locale)


def _sit(request: Request, room: ListRoom, n: int, line: GameLine, *path: str) -> list[Button]:
    """The button that seats the asker at the table of *line*, and one to close an old invitation.

    Of a table elsewhere it says the names and the game alone. The line number *n* is about it.
    """
    pages, names = request.pages, player_names(line.game, line.seats, request.tongue)
    key, who = f"open.button.sit{'-afar' if path else ''}", others_at(line, request.person.id)
    said = phrase(key, game=phrase(f"{line.game}.name"), who=who, code=line.code)
    code = pages.code(Action.CHAIRS if path else Action.JOIN, *path, table=line.code)
    row = [Button(request.tongue.say(said, names), code, "good", line=n, game=line.game)]
    if not path and room.clock.now() - line.touched >= UNANSWERED:
        said = phrase("open.button.close", code=line.code)
        row.append(Button(request.tongue.say(said), pages.code(Action.CLOSE, table=line.code)))
    return row


async def _change_alerts(request: Request, room: ListRoom, game: str = "") -> Answer:
    """Show for which games the asker is told of new tables here, after a change of *game*."""
    where, store = request.by.where, room.store
    refuse_if(where.private, "open.alerts.private")
    here = (request.person.id, where.platform, alert_place(where))
    chosen = await store.read(open_table_alerts.alerts_of, *here)
    if game in shelf():
        if game in chosen:
            await store.write(open_table_alerts.clear_alerts, *here, game)
        else:
            row = AlertRow(*here, game, room.clock.steady())
            await store.write(open_table_alerts.set_alert, row)
        chosen = chosen ^ {game}
    say, code = request.pages.say, request.pages.code
    rows = [
        [Button(f"{mark}{say(f'{key}.name')}", code(Action.CHAIRS, ALERT, key))]
        for key, mark in {key: "✓ " if key in chosen else "" for key in shelf()}.items()
    ]
    rows.append([Button(say("house.button.back"), code(Action.CHAIRS))])
    page = request.pages.page(say("open.alerts"), [say("open.alerts.about")], rows)
    return request.answer_in_place(page)


MOST_TABLES = 20
"""The most tables that one answer lists."""


async def waiting_here(request: Request, room: ListRoom) -> Sequence[GameLine]:
    """The open tables of this place at which the asker may sit down."""
    me, namesake = request.person.id, await room.people.namesake(request.by.asker)
    found = list[GameLine]()
    for part in await room.places.parts(request.by.where):
        for line in await room.tables.list_lines((OPEN,), MOST_LISTED, where=part):
            table = await room.tables.find(line.code)
            if table is None or table.seat_of(me) is not None:
                continue
            found += [line] if table.seeks or table.seat_of(namesake) is not None else []
    return found[:MOST_LISTED]


async def list_tables(request: Request, room: ListRoom) -> Answer:
    """List the asker's tables, those where they are to move first, and count the open ones here.

    Each has a key that shows its board: the message of a board goes when the board comes anew.
    """
    me, pages = request.person.id, request.pages
    lines = await room.tables.list_lines((PLAYING, OPEN), MOST_TABLES + 1, person=me)
    waiting = len(await waiting_here(request, room))
    others = [request.pages.say("open.waiting", n=waiting)] if waiting else []
    if not lines:
        none = "\n".join((request.pages.say("house.no-games"), *others))
        empty = leading(pages, none, ways_from(Action.GAMES, NO_TABLE))
        return request.answer_in_place(empty) if request.is_press else Said(none)
    ends = {line.code: await _soonest_loss(room, line) for line in lines[:MOST_TABLES]}
    shown = sorted(lines[:MOST_TABLES], key=lambda line: _rank(line, me, ends[line.code]))
    told = [await _told_line(request, room, line, ends[line.code]) for line in shown]
    if len(lines) > MOST_TABLES:
        others.insert(0, request.pages.say("house.more-games", n=MOST_TABLES))
    screen = pages.page(pages.say(MINE.label), (*told, *others), _own(request, shown))
    if request.is_press:
        return request.answer_in_place(screen)
    return Said("\n".join((*told, *others)), leads=screen)


async def _soonest_loss(room: ListRoom, line: GameLine) -> int | None:
    """By what instant somebody at the table of *line* must move or loses, if anybody must."""
    table = await room.tables.find(line.code) if line.status == PLAYING else None
    found = None if table is None else soonest_end(table)
    return None if found is None else found[1]


def _rank(line: GameLine, me: int, end: int | None) -> tuple[int, float]:
    """The place in the list: own turns by time left, then by waiting; others by last move."""
    at = line.touched.timestamp()
    if line.moves(me):
        return (1, at) if end is None else (0, end)
    return (3 if line.status == OPEN else 2, -at)


async def _told_line(request: Request, room: ListRoom, line: GameLine, end: int | None) -> str:
    say = request.tongue.say
    if line.fault is not None:
        return say(phrase("house.game-line.unreadable", code=line.code))
    me = request.person.id
    names = player_names(line.game, line.seats, request.tongue)
    place = await _board_place(request, room, line)
    when = _since(request, room, line)
    if end is not None:
        when = say(phrase("house.game-line.left", time=length(end - instant(room.clock.steady()))))
    parts = [name_line(request, line), _state(request, line, names), when]
    match = read_match(line.match)
    if match is not None:
        parts.insert(1, say(match_standing(match, line.seat_of(me) or 0)))
    if line.moves(me):
        parts[0] = f"▶ {parts[0]}"
    return " · ".join((*parts, *filter(None, [place]), line.code))


def _state(request: Request, line: GameLine, names: Mapping[int, str]) -> str:
    if line.status == OPEN:
        return request.pages.say("house.game-line.waits")
    if line.moves(request.person.id):
        return request.pages.say("house.game-line.yours")
    who = tuple(map(Who, line.to_move or ()))
    return request.tongue.say(phrase("house.game-line.theirs", who=who, n=len(who)), names)


async def _board_place(request: Request, room: ListRoom, line: GameLine) -> str:
    """Where the board stands in words: here, in the asker's private chat, or elsewhere."""
    me, here = request.person.id, request.by.where

    def rank(view: ViewRow) -> tuple[bool, bool, bool, int]:
        same = (view.platform, view.place) == (here.platform, here.place)
        return (same, view.platform == here.platform, view.person == me, view.id)

    seen = await room.store.read(views.views_of_game, line.code)
    view = max((v for v in seen if v.person in (None, me)), key=rank, default=None)
    if view is None:
        return ""
    said = "house.game-line.private" if view.person == me else ""
    if rank(view)[0]:
        said = "house.game-line.here"
    elif view.platform != here.platform:
        said = f"house.game-line.on.{view.platform}"
    return request.pages.say(said) if said in request.tongue.templates else ""
