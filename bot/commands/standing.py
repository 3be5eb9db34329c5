"""Who stands where: the ladder of a place, the profile of a person, and two people's games."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.commands.request import Request, find_called
from bot.commands.services_of_handlers import StandingRoom
from bot.port import Answer, Card, Command, Said, Screen, Where
from bot.presenters.club.ladder_and_profile_screens import (
    ALL,
    HERE,
    LATELY,
    LEAGUE,
    MEDALS,
    MONTH,
    WORDS,
    LadderView,
    StandingScreens,
    drawn_name,
)
from bot.presenters.club.season_podium import PodiumCard
from bot.presenters.club.standing_pictures import (
    medal_collection,
    medal_line,
    meetings_versus,
    rank_card,
    ranking_of_ladder,
)
from bot.service.club.medals import give_for_deeds
from bot.session.names import cleaned
from bot.session.preferences import PlaceRules
from bot.session.unit_of_work import Refused, need, refuse_if
from games.core import phrase
from games.core.shelf import find_game, shelf
from render.club.medal_collection import medal_card_picture, medal_collection_picture
from render.club.rank_card import rank_card_picture
from render.club.ranking import Ranking, ranking_picture
from render.club.versus import versus_picture
from storage.person import people
from storage.person.bars import HOUSE
from storage.records import PersonRow

RIVALS = 8
"""How many people are offered where nobody is named."""


async def show_ladder(request: Request, room: StandingRoom) -> Answer:
    """Show a page of a ladder of this place, or of all places."""
    view, words = _view(request)
    where, rules = request.by.where, PlaceRules()
    if where.private:
        view = LadderView(view.game, ALL, view.span, view.page, apart=True)
    elif not (rules := await room.places.rules(where)).ladder:
        raise Refused(phrase("standing.no-ladder"))
    if view.span == LEAGUE:
        league = await room.seasons.current(await room.places.home(where), rules, request.person.id)
        if league is not None:
            card = PodiumCard(request.language, request.key, league)
            return await _show_ranking(request, card.standing(), card.ranking(request.person.id))
    ladder = await room.ladders.ladder(
        view.game,
        None if view.scope == ALL else where,
        request.person.id,
        view.page,
        month=view.span == MONTH,
    )
    view, screens = replace(view, game=ladder.game), _screens(request)
    if words:
        return Said("\n".join((screens.title(view), *screens.ladder_words(ladder))))
    screen = screens.ladder(view, ladder, league=rules.season)
    return await _show_ranking(request, screen, ranking_of_ladder(screens, view, ladder))


async def _show_ranking(request: Request, screen: Screen, shown: Ranking) -> Answer:
    """Show *screen* with the picture of *shown*, if that has a row."""
    picture = None
    if shown.rows:
        picture = await asyncio.to_thread(ranking_picture, shown, request.look.theme)
    return request.answer_in_place(screen, picture)


def _view(request: Request) -> tuple[LadderView, bool]:
    """Which ladder is asked for, and whether in words."""
    path = request.path
    if not path:
        typed = request.value("game")
        return LadderView(find_game(typed).key if typed else ""), False
    game, scope, span, page, *rest = (*path, *(HERE, LATELY, "0")[len(path) - 1 :])
    refuse_if(game and game not in shelf(), "standing.no-ladder")
    number = int(page) if page.isascii() and page.isdigit() else 0
    scope = scope if scope in (HERE, ALL) else HERE
    return LadderView(game, scope, span, number), rest == [WORDS]


async def show_profile(request: Request, room: StandingRoom) -> Answer:
    """Show how somebody stands: the asker, or whom they name."""
    screens, words = _screens(request), request.path[-1:] == (WORDS,)
    person = await _person(request, room)
    seen, ladders = await _find_place(request, room, person), room.ladders
    if seen is None:
        await give_for_deeds(room.store, person.id, ladders.clock.now())
    asked = None if request.by.where.private else request.by.where
    found = await ladders.person(person.id, seen, asked)
    name = person.name or request.person.name
    if words:
        return Said("\n".join((name, *screens.profile_words(found))))
    scope = ALL if request.by.where.private else HERE
    if found.medals and MEDALS in request.path:
        number, given = request.path[-1], found.medals
        one, theme = given[int(number) :][:1] if number.isdecimal() else (), request.look.theme
        if one:
            alone = (drawn_name(name), medal_line(screens, one[0]), theme)
            drawn = await asyncio.to_thread(medal_card_picture, *alone)
        else:
            shown = medal_collection(screens, name, found)
            drawn = await asyncio.to_thread(medal_collection_picture, shown, theme)
        screen = screens.medals(name, given, one or given, scope, f"@{person.id}")
        return request.answer_in_place(screen, drawn)
    picture = None
    if not found.is_empty:
        ladder = None
        if asked is not None and (await room.places.rules(asked)).ladder:
            ladder = await ladders.ladder("", asked, person.id, 0)
        card = rank_card(screens, name, found, ladder)
        picture = await asyncio.to_thread(rank_card_picture, card, request.look.theme)
    own = person.id == request.person.id
    screen = screens.profile(name, found, scope, person.id, own=own)
    if not own:
        screen = screens.with_challenge(screen, person.id, name)
    return request.answer_in_place(screen, picture)


async def _find_place(request: Request, room: StandingRoom, person: PersonRow) -> Where | None:
    """The place whose games of *person* the asker may see, None for all; or raise ``Refused``."""
    if person.id == request.person.id:
        return None
    chosen = await room.people.personal(person.id)
    if chosen.off_ladders or HOUSE in await room.bars.of_person(person.id):
        raise Refused(phrase("standing.hidden", name=person.name))
    if chosen.seen_everywhere:
        return None
    refuse_if(request.by.where.private, "standing.hidden", name=person.name)
    return request.by.where


async def show_meetings(request: Request, room: StandingRoom) -> Answer:
    """Show what the asker and whom they name have played against each other."""
    other = await _person(request, room)
    if other.id == request.person.id:
        return await ask_rival(request, room)
    found = await room.ladders.meetings(request.person.id, other.id)
    screens, names = _screens(request), (request.person.name, other.name)
    picture = None
    if found:
        shown = meetings_versus(screens, names, found)
        picture = await asyncio.to_thread(versus_picture, shown, request.look.theme)
    screen = screens.with_challenge(screens.meetings(names, found), other.id, other.name)
    return request.answer_in_place(screen, picture)


async def ask_rival(request: Request, room: StandingRoom) -> Answer:
    """Ask against whom, and offer those whom the asker has met, or a list of people."""
    met = await room.ladders.list_met(request.person.id, RIVALS)
    picks = request.chat.picks_people and request.by.where.private
    return Card(_screens(request).rivals(met, picks=picks))


async def _person(request: Request, room: StandingRoom) -> PersonRow:
    """The person who is named, by default the asker; raises ``Refused`` for nobody we know."""
    by = request.by
    found: PersonRow | None = request.person
    if isinstance(by, Command):
        mentioned, typed = by.people.get("person"), request.value("person")
        if mentioned is not None:
            found = await room.people.find(mentioned)
        elif typed:
            called = await find_called(request, typed)
            found = need(called, "standing.nobody-called", name=cleaned(typed))
    elif by.person is not None:
        found = await room.people.of(by.person)
    else:
        named = next((one for one in request.path if one.startswith("@")), "")
        if named[1:].isdigit():
            found = await room.store.read(people.load_person, int(named[1:]))
    if found is None or not found.name:
        raise Refused(phrase("standing.unknown-person"))
    return found


def _screens(request: Request) -> StandingScreens:
    return StandingScreens(request.language, request.key)
