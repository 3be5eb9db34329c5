"""Order in a place: whom its managers keep out of its tables, which games count no more."""

from __future__ import annotations

from typing import Final

from bot.commands.request import Request, is_barred_from, standing_of_asker
from bot.commands.services_of_handlers import ModerationRoom
from bot.commands.tournament.tournaments import withdraw_barred
from bot.port import Answer, Card, MenuAnswer, PlaceStanding, Screen, Where
from bot.presenters.button_codes import Action
from bot.presenters.place.moderation import (
    ASK,
    BAR,
    BARRED,
    LET_IN,
    OUT,
    PAGES,
    CountedGame,
    ModerationScreens,
    token_of,
)
from bot.presenters.settings import PEOPLE, RATED_GAMES
from bot.service.club.rating_rows import entry_of
from bot.service.table.changes import OPERATOR, Update
from bot.session import play
from bot.session.events import Absence
from bot.session.table import OPEN, PLAYING, BrokenTable
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import phrase
from storage.club import leaderboards, ratings
from storage.person import bars, people
from storage.person.bars import HOUSE

STANDING_UNKNOWN = "settings.standing-unknown"
"""What is said where a platform does not tell who manages a place."""

MOST_PEOPLE = 60
"""How many people are offered at most."""

GAMES = 30
"""How many games of two people are shown."""

OF_ONESELF: Final = frozenset({Action.PRIVACY, Action.MY_DATA, Action.FORGET})
"""What the law gives to everybody, also to who is banned."""

OUT_OF_PLACE: Final = OF_ONESELF | {
    *(Action.HELP, Action.RULES, Action.LANGUAGE, Action.SETTINGS, Action.LINK, Action.HOLIDAYS)
}
"""What somebody may still do in a place out of whose tables they are kept."""

__all__ = ["PAGES", "check_let_in", "managers_only", "show_moderation", "standing_in"]


async def check_let_in(request: Request, act: Action) -> None:
    """Raise ``Refused`` where the asker is kept out, and *act* is not for such people."""
    kept_out = request.kept_out
    if act in OF_ONESELF:
        return
    if HOUSE in kept_out:
        raise Refused(phrase("moderation.banned"))
    where = request.by.where
    if act not in OUT_OF_PLACE and await is_barred_from(request, where):
        raise Refused(phrase("moderation.barred"))


def managers_only(standing: PlaceStanding) -> Refused:
    """The refusal of somebody who does not manage a place, or of whom that is not known."""
    return Refused(phrase(STANDING_UNKNOWN if standing.unknown else "settings.managers-only"))


async def standing_in(request: Request, where: Where | None) -> PlaceStanding:
    """The asker's standing in *where*; that of nobody without one."""
    return PlaceStanding() if where is None else await standing_of_asker(request, where)


async def show_moderation(
    request: Request, room: ModerationRoom, where: Where | None, named: str
) -> Answer:
    """Show a page of the place *where*, as buttons have *named* it, or do what its button says."""
    standing = await standing_in(request, where)
    if where is None or not standing.manages:
        raise managers_only(standing)
    screens = ModerationScreens(request.language, request.key, named)
    page, *steps = request.path[1:]
    first = 0
    if steps and steps[-1].startswith("+"):
        first = _number(steps.pop()[1:], 10)
    if page == PEOPLE:
        screen = await _people(request, room, screens, where, steps, first)
    elif page == BARRED:
        screen = await _show_barred(request, room, screens, where, steps, first)
    else:
        screen = await _games(request, room, screens, where, steps, first)
    return MenuAnswer(screen) if request.is_press else Card(screen)


async def _home(room: ModerationRoom, where: Where) -> tuple[str, str]:
    home = await room.places.home(where)
    return home.platform, home.place


def _number(text: str, base: int = 36) -> int:
    """The number that *text* says; 0 for none."""
    try:
        return int(text, base) if text.isascii() and text.isalnum() else 0
    except ValueError:
        return 0


async def _person(room: ModerationRoom, named: str) -> tuple[int, str]:
    """The person of a button, and their name; raises ``Refused`` for nobody."""
    row = await room.store.read(people.load_person, _number(named))
    if row is None or not row.name:
        raise Refused(phrase("standing.unknown-person"))
    return row.id, row.name


# ------------------------------------------------------------------------------ people


async def _people(
    request: Request,
    room: ModerationRoom,
    screens: ModerationScreens,
    where: Where,
    steps: list[str],
    first: int,
) -> Screen:
    """The people of the place, the question about one of them, or what follows from yes."""
    match steps:
        case [step, one] if step == BAR:
            return await _bar(request, room, screens, where, one)
        case [one]:
            return screens.ask_to_bar(*await _person(room, one))
    at = await _home(room, where)
    barred = await room.bars.list_barred(at)
    places = tuple({where.place, at[1], *await room.places.together(where)})
    found = await room.store.read(bars.people_of_place, at[0], places, MOST_PEOPLE)
    out = {one.person for one in barred} | {request.person.id}
    return screens.people([one for one in found if one[0] not in out], len(barred), first)


async def _show_barred(
    request: Request,
    room: ModerationRoom,
    screens: ModerationScreens,
    where: Where,
    steps: list[str],
    first: int,
) -> Screen:
    """Those who are kept out, or what follows where one of them is let in again."""
    match steps:
        case [step, token] if step == LET_IN:
            return await _let_in(request, room, screens, where, token)
    at = await _home(room, where)
    return screens.barred(await room.bars.list_barred(at), first)


async def _bar(
    request: Request, room: ModerationRoom, screens: ModerationScreens, where: Where, named: str
) -> Screen:
    """Keep somebody out of the tables of *where*; at those that are played they are missed."""
    person, name = await _person(room, named)
    if person == request.person.id:
        raise Refused(phrase("moderation.not-yourself"))
    at = await _home(room, where)
    known = [(one.platform, one.external) for one in await room.people.identities(person)]
    await room.bars.put(known, at, request.person.id)
    await take_from_tables(room, request.origin, person)
    return screens.done(request.pages.say("moderation.bar.done", name=name), PEOPLE)


async def _let_in(
    request: Request, room: ModerationRoom, screens: ModerationScreens, where: Where, token: str
) -> Screen:
    at = await _home(room, where)
    found = [one for one in await room.bars.list_barred(at) if token_of(one) == token]
    if not found:
        raise Refused(phrase("moderation.not-barred"))
    (one, *_) = found
    known = [(one.platform, one.external)]
    if one.person is not None:
        identities = await room.people.identities(one.person)
        known += [(each.platform, each.external) for each in identities]
    await room.bars.lift(known, at)
    if one.person is not None:
        await bring_back(room, one.person)
    name = one.name or request.pages.say("moderation.nameless")
    return screens.done(request.pages.say("moderation.let-in.done", name=name), BARRED)


async def take_from_tables(room: ModerationRoom, origin: Update, person: int) -> None:
    """Let *person* be missed at the tables where they may not play any more, or stand up."""
    await withdraw_barred(room.bars, room.tournaments, origin, person)
    kept_out = await room.bars.of_person(person)

    def stand_up(work: UnitOfWork) -> None:
        if work.table.status == OPEN and work.table.seat_of(person) is not None:
            play.stand_up(work, person)

    for line in await room.tables.list_lines((PLAYING, OPEN), person=person):
        if not await room.bars.hold_at(line.code, kept_out):
            continue
        if line.status == PLAYING:
            await room.unreachable_people.note(line.code, person, Absence.LEFT)
            continue
        update = Update(OPERATOR, f"{origin.platform}:{origin.update}:{line.code}")
        try:
            await room.changes.change(update, line.code, stand_up)
        except BrokenTable:
            continue


async def bring_back(room: ModerationRoom, person: int) -> None:
    """Let *person* be back at the tables where they may play again."""
    kept_out = await room.bars.of_person(person)
    for line in await room.tables.list_lines((PLAYING,), person=person):
        if not await room.bars.hold_at(line.code, kept_out):
            await room.unreachable_people.note(line.code, person, None)


# ------------------------------------------------------------------------------ games


async def _games(
    request: Request,
    room: ModerationRoom,
    screens: ModerationScreens,
    where: Where,
    chosen: list[str],
    first: int,
) -> Screen:
    """The people of the ladder of *where*, whom one of them has met, or the games of two."""
    match chosen:
        case [step, code] if step == ASK:
            return screens.ask_to_take_out(code)
        case [step, code] if step == OUT:
            return await _take_out(request, room, screens, where, code)
    at = await _home(room, where)
    if not chosen:
        found = await room.store.read(leaderboards.rated_people, *at, MOST_PEOPLE)
        return screens.players(found, first)
    person, name = await _person(room, chosen[0])
    if len(chosen) == 1:
        met = await room.ladders.met_in(person, at, MOST_PEOPLE)
        return screens.players(met, first, chosen[0])
    other, theirs = await _person(room, chosen[1])
    entries = await room.ladders.games_of_two(person, other, at, GAMES)
    games = [
        CountedGame(one.table, one.pool, one.at, places) for one, places in entries if one.table
    ]
    return screens.games((person, other), (name, theirs), games, first)


async def _take_out(
    request: Request, room: ModerationRoom, screens: ModerationScreens, where: Where, code: str
) -> Screen:
    """Let the game *code* of this place count no more: a correction with the manager's name."""
    at = await _home(room, where)
    row = await room.store.read(ratings.counted_entry, code)
    if row is None or at not in entry_of(row).where:
        raise Refused(phrase("moderation.not-counted"))
    me = request.person.id
    await room.changes.change(request.origin, code, lambda work: play.take_out_of_ratings(work, me))
    return screens.done(request.pages.say("moderation.take-out.done", code=code), RATED_GAMES)
