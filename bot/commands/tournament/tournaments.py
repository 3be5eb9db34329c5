"""Tournaments: seen, entered and left, and what their managers may do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from bot.commands.request import (
    Leading,
    Request,
    is_barred_from,
    language_of_board,
    standing_of_asker,
    was_done,
)
from bot.commands.services_of_handlers import ClubRoom
from bot.commands.table import board_record_and_rules
from bot.commands.table.whether_it_counts import casual_with
from bot.commands.tournament.setup import BEGINS, ask_or_change, may_open, set_start, sheet_of
from bot.port import (
    Answer,
    Attachment,
    BoardAnswer,
    Card,
    Command,
    FileAnswer,
    MenuAnswer,
    PrivateRefusal,
    Said,
    Screen,
)
from bot.presenters.button_codes import NO_TABLE, Action
from bot.presenters.tournament.crosstable import CrosstableScreens
from bot.presenters.tournament.tools import TournamentTools, ranked_places
from bot.presenters.tournament.tournament import ROWS, SHOWN, WORDS, TournamentScreens, why_no_game
from bot.presenters.ways import Way
from bot.service.club.rating_rows import shown_rating
from bot.service.person.bars import Bars
from bot.service.table.changes import OPERATOR, Update
from bot.service.tournament.tables import TABLES_SHOWN, is_seldom
from bot.service.tournament.tournaments import ENDED_PHASES, Tournaments, address_where
from bot.session import play
from bot.session.preferences import NotificationChoice
from bot.session.rated import Casual
from bot.session.unit_of_work import Refused, need, refuse_if
from bot.tournament import organizer
from bot.tournament.crosstable import csv_of
from bot.tournament.trf import trf
from bot.tournament.unit_of_work import NotNow, TournamentWork
from bot.tournament.values import Phase, Tournament, TournamentFormat, TournamentGame
from games.core import phrase
from render.club.crosstable import crosstable_picture
from storage.club import ratings
from storage.records import EntrantRow

GAMELESS = {"tournament.button.table": ("table",), "tournament.button.all": ()}
"""The keys for whoever has no game now, with their paths."""

Doing: TypeAlias = Callable[[Request, ClubRoom, Tournament], Awaitable[Answer]]

SEATS = {TournamentFormat.TABLES: 4}
"""How many sit at a table of a format; two, where nothing is said."""


async def handle_tournament(request: Request, room: ClubRoom) -> Answer:
    """Show tournaments, set one up, or do what a button of one says."""
    if isinstance(request.by, Command):
        request.code = request.value("code").upper() or NO_TABLE
        if request.value("start") and request.code == NO_TABLE:
            return await set_start(request, room)
    elif request.turn or (request.code == NO_TABLE and request.path[:1] in BEGINS):
        return await ask_or_change(request, room)
    if request.code == NO_TABLE:
        return await _list(request, room)
    tournament = await room.tournaments.get(request.code)
    if not request.renews:
        room.tournament_views.note_look(tournament.code, request.person.id, request.by.where)
    step = request.path[0] if request.path else ""
    try:
        if step in _ACTS:
            return await _ACTS[step](request, room, tournament)
        if step in _TOOLS:
            refuse_if(not await _manages(request, room, tournament), "tournament.not-yours")
            over = tournament.phase is Phase.ENDED
            NotNow.raise_if(over and step != "fix", "tournament.is-over")
            return await _TOOLS[step](request, room, tournament)
    except NotNow as refused:
        if await was_done(request):
            raise
        # What cannot be pressed any more goes from a screen of the asker's own.
        said = request.tongue.say(refused.phrase)
        return await _told_so(request, room, tournament, said, good=False)
    return await _show(request, room, tournament)


async def _list(request: Request, room: ClubRoom) -> Answer:
    where = request.by.where
    home = await room.places.home(where)
    places = dict.fromkeys((where.place, *(await room.places.together(home))))
    # The people of a page, each of whom has a place alone, are those of one house.
    one_house = request.chats[where.platform].everywhere
    asked = (where, None if one_house else tuple(places), request.person.id)
    found = await room.tournaments.list_tournaments(*asked)
    if one_house or not found:
        found += await room.tournaments.list_tournaments(*asked, ENDED_PHASES, 1)
    screen = sheet_of(request).listed(found, request.person.id, opens=await may_open(request))
    return request.answer_in_place(screen)


async def _show(
    request: Request, room: ClubRoom, tournament: Tournament, said: str = "", *, good: bool = True
) -> Answer:
    """The tournament: by a message that goes on with it, else by a card.

    On a card stands what was *said*, since not every chat tells it.
    """
    by, boards = request.by, room.tournament_views
    if await boards.refresh(tournament.code, request.person.id, request.message):
        return BoardAnswer(said, good=good)
    if isinstance(by, Command) or by.where.private:
        language, me = await language_of_board(request), request.person.id
        if await boards.place_in(boards.fresh(tournament, by.where, me, language, request.message)):
            if request.is_press:
                return BoardAnswer(said, good=good)
            return Said(request.pages.say("tournament.follows"))
    manages = (request.is_press or request.discreet) and await _manages(request, room, tournament)
    screens, theme = await _screens(request, room, tournament), request.look.theme
    screen, picture = await boards.card(screens, request.person.id, theme, manages=manages)
    if said:
        screen = replace(screen, lines=(said, *screen.lines))
    renewal = request.pages.code(Action.TOURNAMENT, table=tournament.code)
    form = MenuAnswer if request.is_press and request.own else Card
    return form(screen, picture, said, good, renewal)


async def _screens(request: Request, room: ClubRoom, tournament: Tournament) -> TournamentScreens:
    return await room.tournament_views.screens(tournament, request.language)


async def _change(
    request: Request,
    room: ClubRoom,
    tournament: Tournament,
    decide: Callable[[TournamentWork, int], None],
    said: str,
    entering: EntrantRow | None = None,
) -> Answer:
    """Store what *decide* writes for the asker, and say *said*; their own message shows it."""
    code, me, by = tournament.code, request.person.id, request.origin
    now, _ = await room.tournaments.change(by, code, lambda work: decide(work, me), entering)
    for game in [one.last for last in now.rounds[-1:] for one in last.meetings]:
        if any(now.entrant(number).gone is not None for number in game.seats):
            await request.views.show_table(game.code)  # it may have promised them another one
    return await _told_so(request, room, tournament, said)


async def _told_so(
    request: Request, room: ClubRoom, tournament: Tournament, said: str, *, good: bool = True
) -> Answer:
    """*said*, beside the tournament as it is now where the message is the asker's own."""
    if await _is_own_screen(request, room, tournament):
        now = await room.tournaments.get(tournament.code)
        return await _show(request, room, now, said, good=good)
    return Said(said, good)


async def _is_own_screen(request: Request, room: ClubRoom, tournament: Tournament) -> bool:
    """Whether a message of the asker's own was pressed that does not go on by itself."""
    shown_in, where = room.tournament_views.is_shown_in, request.by.where
    stands = await shown_in(tournament.code, where, request.message)
    return request.is_press and not stands and (request.own or where.private)


# -------------------------------------------------------------------------- for everybody


async def _enter(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    person = request.person
    await _check_may_enter(request, room, tournament)
    if await _lacks_room(request, room, tournament):
        # The chat leads to the private chat, where the same press enters.
        return PrivateRefusal(request.pages.say("tournament.open-private"), tournament.code)
    rows = await room.store.read(ratings.load_ratings, person.id)
    rating, at = shown_rating(rows, tournament.rules.game), request.by.where
    entering = EntrantRow(tournament.code, person.id, at.platform, at.place, at.thread, at.private)

    never = (await room.people.personal(person.id)).calls is NotificationChoice.NEVER
    key = "tournament.you-entered-uncalled" if never else "tournament.you-entered"
    said, enter = request.pages.say(key), partial(organizer.enter, rating=rating)
    return await _change(request, room, tournament, enter, said, entering)


async def _check_may_enter(request: Request, room: ClubRoom, tournament: Tournament) -> None:
    """Raise ``Refused`` for people from elsewhere, and for whoever is kept out."""
    where, places = request.by.where, room.places
    home, theirs = await places.home(where), await places.home(address_where(tournament.at))
    here = home.key == theirs.key
    here |= request.chats[where.platform].everywhere and home.platform == theirs.platform
    refuse_if(not here and not tournament.rules.afar, "tournament.from-elsewhere")
    refuse_if(await is_barred_from(request, address_where(tournament.at)), "moderation.barred")
    if (
        tournament.rules.rated
        and await casual_with(request, room.clock, room.store, ()) is Casual.GUEST
    ):
        raise Refused(phrase("standing.no-guests"))


async def _lacks_room(request: Request, room: ClubRoom, tournament: Tournament) -> bool:
    """Whether the asker's tables would find no room here, and they have no chat of their own."""
    where = request.by.where
    chat, seats = request.chats.get(where.platform), SEATS.get(tournament.rules.format, 2)
    if where.private or tournament.at.private or chat is None or not is_seldom(chat.pace(where)):
        return False
    if len(tournament.present) < TABLES_SHOWN * seats:
        return False
    people = (request.person.id, *(one.person for one in tournament.present))
    mine, *others = [await room.people.private_chat(one, where.platform) for one in people]
    # Only who has no other chat needs a table here, each perhaps one of their own.
    return mine is None and others.count(None) >= TABLES_SHOWN


async def withdraw_barred(
    bars: Bars, tournaments: Tournaments, origin: Update, person: int
) -> None:
    """Put *person* out of the tournaments of places that keep them out now."""
    kept_out = await bars.of_person(person)

    def decide(work: TournamentWork) -> None:
        if any(one.person == person for one in work.tournament.present):
            organizer.leave(work, person, origin.person or work.tournament.host)

    for one in await tournaments.list_tournaments(origin.where, (), person):
        if await bars.hold_in(address_where(one.at), kept_out):
            update = Update(OPERATOR, f"{origin.platform}:{origin.update}:{one.code}")
            await tournaments.change(update, one.code, decide)


async def _leave(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    """Let the asker leave; while games are played they are asked back."""
    mine = tournament.entrant_of(request.person.id)
    kind = "-playing" if mine and tournament.game_of(mine.number) else ""
    if tournament.running and mine and mine.gone is None and request.path[-1] != "yes":
        tools = await _managing(request, room, tournament)
        return _menu(request, tools.sure(f"tournament.sure.leave{kind}", "leave"))
    said = request.pages.say(f"tournament.you-left{kind}")
    return await _change(request, room, tournament, organizer.leave, said)


async def _bye(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    """Let the asker pass the next round over for half a point, or play it after all."""
    mine = tournament.entrant_of(request.person.id)
    back = mine is not None and mine.bye == tournament.number + 1
    said = request.pages.say(f"tournament.bye-{'back' if back else 'asked'}")
    return await _change(request, room, tournament, organizer.ask_bye, said)


async def _my_game(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    """Show the asker the board of the game that they have to play now."""
    mine = tournament.number_of(request.person.id)
    if mine is None:
        raise NotNow(phrase("tournament.not-entered"))
    game = tournament.game_of(mine)
    if game is None or not game.code:
        until = room.tournament_views.until(tournament)
        left = None if until is None else until - room.clock.now()
        # Where all read, the same keys stand below.
        keys = GAMELESS.items() if request.discreet or request.own else ()
        ways = (Way(key, Action.TOURNAMENT, path, tournament.code) for key, path in keys)
        raise Leading(why_no_game(tournament, mine, left), *ways)
    need(await room.tables.find(game.code), "tournament.being-opened")
    request.code, request.path, request.turn = game.code, (), 0
    return await board_record_and_rules.show_own_board(request, room.lookup)


async def _table(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    """Show the standings or the crosstable, a page of it or all in words, to the asker alone."""
    screens, is_cross = await _screens(request, room, tournament), request.path[0] == "cross"
    cross, own = CrosstableScreens(screens), tournament.number_of(request.person.id)
    if request.path[1:2] == (WORDS,):
        words = await asyncio.to_thread((cross if is_cross else screens).words)
        return Said("\n".join((screens.title(), *words)))
    theme, page = request.look.theme, _page(request, tournament, SHOWN if is_cross else ROWS)
    if is_cross:
        table = await asyncio.to_thread(cross.table, own, page * SHOWN)
        picture = await asyncio.to_thread(crosstable_picture, table, theme)
    else:
        picture = await room.tournament_views.standings(screens, theme, own, page * ROWS)
    screen = cross.page(page) if is_cross else screens.standings_page(page)
    if not await _is_own_screen(request, room, tournament):
        return Card(screen, picture)
    # In place of their message, which is not the shared one, and from which they came.
    back = screens.button("house.button.back", "more")
    return MenuAnswer(replace(screen, rows=(*screen.rows, (back,))), picture)


def _page(request: Request, tournament: Tournament, count: int) -> int:
    """The page of *count* rows that a button asks for, as far as there is one."""
    _, page, *_ = (*request.path, "0")
    number = int(page) if page.isascii() and page.isdigit() else 0
    return min(number, max(0, len(tournament.entrants) - 1) // count)


async def _file(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    """Hand the crosstable out as a file."""
    screens = await _screens(request, room, tournament)
    names, title = screens.names, screens.title()
    kind = "trf" if request.path[-1] == "trf" else "csv"
    data = trf(tournament, names, title) if kind == "trf" else csv_of(tournament, names)
    return FileAnswer(title, Attachment(f"{tournament.code}.{kind}", data.encode()))


# -------------------------------------------------------------------------- for managers


async def _manages(request: Request, room: ClubRoom, tournament: Tournament) -> bool:
    """Whether the asker has opened it, or asks in its place and manages that."""
    if request.person.id == tournament.host:
        return True
    here = (await room.places.home(request.by.where)).place
    home = await room.places.home(address_where(tournament.at))
    if here != home.place or tournament.at.private:
        return False
    return (await standing_of_asker(request)).manages


async def _tools(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    return _menu(request, (await _managing(request, room, tournament)).tools())


async def _managing(request: Request, room: ClubRoom, tournament: Tournament) -> TournamentTools:
    return TournamentTools(await _screens(request, room, tournament))


def _menu(request: Request, screen: Screen, wrong: str = "") -> Answer:
    """*screen* for the manager alone; *wrong* says what of the one before is so no more."""
    return replace(request.answer_in_place(screen), said=wrong, good=not wrong)


def _writer_of(key: str, decide: Callable[[TournamentWork, int], None]) -> Doing:
    """What a key does that asks nothing: *decide* writes it, and *key* is said."""

    async def write(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
        return await _change(request, room, tournament, decide, request.pages.say(key))

    return write


async def _end(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    if request.path[-1] != "yes":
        tools = await _managing(request, room, tournament)
        return _menu(request, tools.sure("tournament.sure.end", "end"))
    said, end = request.pages.say("tournament.ended.early"), organizer.end
    return await _change(request, room, tournament, lambda work, me: end(work, "early", me), said)


async def _remove(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    """Ask whom to put out, ask back, and do it."""
    tools = await _managing(request, room, tournament)
    _, number, sure, *_ = (*request.path, "", "")
    if not number.isdigit():
        return _menu(request, tools.whom_to_remove())
    person = int(number)
    name = (await room.tournaments.load_names([person])).get(person, "")
    if sure == "yes" and await was_done(request):
        return Said()
    if all(one.person != person for one in tournament.present):
        gone = request.pages.say("tournament.not-there", name=name)
        return _menu(request, tools.whom_to_remove(), gone)
    if sure != "yes":
        return _menu(request, tools.sure("tournament.sure.remove", "out", number, name=name))
    said = request.pages.say("tournament.removed", name=name)
    return await _change(
        request, room, tournament, lambda work, me: organizer.leave(work, person, me), said
    )


async def _fix(request: Request, room: ClubRoom, tournament: Tournament) -> Answer:
    """Ask which game, ask for its result, and judge or correct it."""
    tools = await _managing(request, room, tournament)
    _, code, said, *_ = (*request.path, "", "")
    game = tournament.find_game(code) if code else None
    if game is None:
        return _menu(request, tools.games_to_fix())
    result = _said_points(game, said)
    if result is None:
        return _menu(request, tools.results(game, said if len(game.seats) > 2 else ""))

    table = await room.tables.find(code)
    if table is None:  # not opened yet, or not to be read
        rule = _writer_of(
            "tournament.fixed", lambda work, me: organizer.rule(work, code, result, me)
        )
        return await rule(request, room, tournament)
    if game.result is None or game.result.points != result:
        points = tuple(result[chair] for chair in table.chairs)
        # The table tells the tournament, and both players: in one transaction.
        rule_table = partial(play.give_result, by=request.person.id, points=points)
        await room.changes.change(request.origin, code, rule_table)
    return await _told_so(request, room, tournament, request.pages.say("tournament.fixed"))


def _said_points(game: TournamentGame, said: str) -> tuple[int, ...] | None:
    """The half points of *game* that *said* means, once it says all of them."""
    seats = len(game.seats)
    if seats > 2:
        places = ranked_places(said, seats)
        return None if places is None else organizer.points_by_place(places, seats)
    found = tuple(int(one) for one in said if one.isascii() and one.isdigit())
    return found if found in organizer.PAIR_RESULTS else None


_ACTS: Mapping[str, Doing] = {
    "enter": _enter,
    "leave": _leave,
    "bye": _bye,
    "game": _my_game,
    "table": _table,
    "cross": _table,
    "file": _file,
}
"""What everybody may do, by the first step of a button's path."""

_TOOLS: Mapping[str, Doing] = {
    "tools": _tools,
    "begin": _writer_of("tournament.begun", lambda work, _: organizer.begin(work)),
    "halt": _writer_of("tournament.halted", organizer.halt),
    "resume": _writer_of("tournament.resumed", organizer.resume),
    "end": _end,
    "out": _remove,
    "fix": _fix,
}
"""What its manager may do."""
