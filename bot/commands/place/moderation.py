"""Order in a place: whom its managers keep out of its tables, which games count no more."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.commands.request import Request, is_barred_from, standing_of_asker
from bot.commands.services_of_handlers import ModerationRoom
from bot.commands.tournament.tournaments import withdraw_barred
from bot.port import Answer, PlaceStanding, Screen, Where
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
from bot.session.unit_of_work import Refused, UnitOfWork, refuse_if
from games.core import phrase
from storage.club import leaderboards, ratings
from storage.person import bars, people
from storage.person.bars import HOUSE
from storage.records import PlaceKey

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
    refuse_if(HOUSE in kept_out, "moderation.banned")
    if act not in OUT_OF_PLACE and await is_barred_from(request, request.by.where):
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
    order = _Order(request, room, screens, where, (await room.places.home(where)).key)
    page, *steps = request.path[1:]
    first = _number(steps.pop()[1:], 10) if steps and steps[-1].startswith("+") else 0
    shown = {PEOPLE: order.people, BARRED: order.show_barred}.get(page, order.games)
    return request.answer_in_place(await shown(steps, first))


def _number(text: str, base: int = 36) -> int:
    """The number that *text* says; 0 for none."""
    with suppress(ValueError):
        return int(text, base) if text.isascii() and text.isalnum() else 0
    return 0


@dataclass(frozen=True)
class _Order:
    """What a manager may see and do about the place *where*, whose home is *at*."""

    request: Request
    room: ModerationRoom
    screens: ModerationScreens
    where: Where
    at: PlaceKey

    async def _person(self, named: str) -> tuple[int, str]:
        """The person of a button, and their name; raises ``Refused`` for nobody."""
        row = await self.room.store.read(people.load_person, _number(named))
        if row is None or not row.name:
            raise Refused(phrase("standing.unknown-person"))
        return row.id, row.name

    # -------------------------------------------------------------------------- people

    async def people(self, steps: list[str], first: int) -> Screen:
        """The people of the place, the question about one of them, or what follows from yes."""
        match steps:
            case [step, one] if step == BAR:
                return await self._bar(one)
            case [one]:
                return self.screens.ask_to_bar(*await self._person(one))
        barred = await self.room.bars.list_barred(self.at)
        places = tuple({self.where.place, self.at[1], *await self.room.places.together(self.where)})
        found = await self.room.store.read(bars.people_of_place, self.at[0], places, MOST_PEOPLE)
        out = {one.person for one in barred} | {self.request.person.id}
        return self.screens.people([one for one in found if one[0] not in out], len(barred), first)

    async def show_barred(self, steps: list[str], first: int) -> Screen:
        """Those who are kept out, or what follows where one of them is let in again."""
        match steps:
            case [step, token] if step == LET_IN:
                return await self._let_in(token)
        return self.screens.barred(await self.room.bars.list_barred(self.at), first)

    async def _bar(self, named: str) -> Screen:
        """Keep somebody out of the place's tables; at those that are played they are missed."""
        person, name = await self._person(named)
        refuse_if(person == self.request.person.id, "moderation.not-yourself")
        known = [(one.platform, one.external) for one in await self.room.people.identities(person)]
        await self.room.bars.put(known, self.at, self.request.person.id)
        await take_from_tables(self.room, self.request.origin, person)
        return self.screens.done(self.request.pages.say("moderation.bar.done", name=name), PEOPLE)

    async def _let_in(self, token: str) -> Screen:
        room = self.room
        found = [one for one in await room.bars.list_barred(self.at) if token_of(one) == token]
        refuse_if(not found, "moderation.not-barred")
        (one, *_) = found
        _, known = await room.store.read(bars.ids_of, one.platform, one.external)
        await room.bars.lift(known, self.at)
        if one.person is not None:
            await bring_back(room, one.person)
        say = self.request.pages.say
        name = one.name or say("moderation.nameless")
        return self.screens.done(say("moderation.let-in.done", name=name), BARRED)

    # -------------------------------------------------------------------------- games

    async def games(self, chosen: list[str], first: int) -> Screen:
        """The people of the ladder of the place, whom one of them has met, or the games of two."""
        match chosen:
            case [step, code] if step == ASK:
                return self.screens.ask_to_take_out(code)
            case [step, code] if step == OUT:
                return await self._take_out(code)
        if not chosen:
            found = await self.room.store.read(leaderboards.rated_people, *self.at, MOST_PEOPLE)
            return self.screens.players(found, first)
        person, name = await self._person(chosen[0])
        if len(chosen) == 1:
            met = await self.room.ladders.met_in(person, self.at, MOST_PEOPLE)
            return self.screens.players(met, first, chosen[0])
        other, theirs = await self._person(chosen[1])
        entries = await self.room.ladders.games_of_two(person, other, self.at, GAMES)
        games = [
            CountedGame(one.table, one.pool, one.at, places) for one, places in entries if one.table
        ]
        return self.screens.games((person, other), (name, theirs), games, first)

    async def _take_out(self, code: str) -> Screen:
        """Let the game *code* of this place count no more: a correction with the manager's name."""
        row = await self.room.store.read(ratings.counted_entry, code)
        if row is None or self.at not in entry_of(row).where:
            raise Refused(phrase("moderation.not-counted"))
        me, origin = self.request.person.id, self.request.origin
        await self.room.changes.change(
            origin, code, lambda work: play.take_out_of_ratings(work, me)
        )
        said = self.request.pages.say("moderation.take-out.done", code=code)
        return self.screens.done(said, RATED_GAMES)


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
