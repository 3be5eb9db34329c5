"""Settings of people and places, holidays too: shown, changed and enforced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bot.commands.person.programs import change_programs, takes_programs
from bot.commands.place.moderation import (
    PAGES,
    STANDING_UNKNOWN,
    managers_only,
    show_moderation,
    standing_in,
)
from bot.commands.request import (
    Request,
    answer_done,
    pressed_composer,
    shared_board_returns,
    show_copy,
    standing_of_asker,
)
from bot.commands.services_of_handlers import AccountRoom, ModerationRoom, SettingsRoom
from bot.port import (
    Answer,
    Button,
    PrivateRefusal,
    Role,
    Where,
)
from bot.presenters.button_codes import DECLINED, Action
from bot.presenters.settings import (
    LANGUAGE,
    NOBODY,
    NOWHERE,
    OF_PLACE,
    PERSONAL,
    PROGRAMS,
    REFUSED,
    Chosen,
    Row,
    SettingsSheet,
    place_rules_after,
)
from bot.service.club.season_podiums import SEASON, WEEKLY
from bot.service.person.bars import Bars
from bot.service.person.people import STARTER, People
from bot.service.place.places import Places
from bot.session import preferences
from bot.session.game_clock import instant
from bot.session.preferences import Openers, Personal, PlaceRules
from bot.session.table import PLAYING
from bot.session.time_controls import length
from bot.session.unit_of_work import Refused, need, refuse_if
from games.core import phrase
from storage.records import PersonRow
from storage.table import deadlines

OF_LADDERS = ("off_ladders", "seen_everywhere")
"""The rows of a person that say who sees them on ladders."""

HERE = "here"
"""Stands in a button for the place in which it is pressed."""


async def change_settings(
    request: Request, room: SettingsRoom, account: AccountRoom, moderation: ModerationRoom
) -> Answer:
    """Show the settings of the asker or of a place, or change one of them."""
    of_programs = request.path[1:3] == ("me", PROGRAMS)
    # Others must not read a key, not even where their client fails to hide what is ours alone.
    if not (request.by.where.private if of_programs else request.discreet):
        said = request.pages.say("settings.in-private")
        return PrivateRefusal(said, f"settings-{request.by.where.place}")
    if of_programs:
        return await change_programs(request, account)
    typed = (request.value("place") or HERE, "me")
    named, whose, key, value, *_ = (*(request.path or typed), "", "", "")
    where = _place(request, named)
    if whose in PAGES:
        return await show_moderation(request, moderation, where, named)
    standing = await standing_in(request, where)
    manages = standing.manages
    if whose == "me":
        if value:
            await _choose_for_me(request, room, key, value)
        me = await room.people.find(request.by.asker) or request.person
        chosen = Chosen(me.language, await room.people.personal(me.id))
        sheet = SettingsSheet(request.language, request.key, "me", chosen, request.chat)
    else:
        if where is None or not manages:
            raise managers_only(standing)
        if value:
            await _choose_for_place(request, room, where, key, value)
        chosen = Chosen(await room.places.language(where), await room.places.rules(where))
        sheet = SettingsSheet(request.language, request.key, "place", chosen, request.chat)
        sheet = replace(sheet, channel=_channel(where), roles=_roles(request, where))
    # Nobody makes a key where others are.
    programs = request.by.where.private and takes_programs(request.chats)
    sheet = replace(sheet, place=named if manages else NOWHERE, programs=programs)
    shown = replace(sheet, manages=manages, unknown=standing.unknown)
    return request.answer_in_place(shown.after(key) if value else shown.screen(key))


OFFERED = (3, 7, 14)
"""The days of holiday that the buttons offer."""


async def take_holidays(request: Request, room: SettingsRoom) -> Answer:
    """Start or end a holiday, or tell how many days are left."""
    pages, say = request.pages, request.tongue.say
    if not request.discreet:
        return PrivateRefusal(pages.say("settings.in-private"), "do-holidays")
    now = instant(room.clock.steady())
    chosen = await room.people.personal(request.person.id)
    typed = request.path[0] if request.path else request.value("days")
    if typed:
        if not (typed.isascii() and typed.isdigit()):
            raise Refused(phrase("clock.holidays.longest", n=preferences.LONGEST_HOLIDAY))
        chosen = await _away(request, room, int(typed[:4]), now)
    left, until = preferences.left(chosen, now), preferences.away_until(chosen, now)
    if until is None:
        head = pages.say("clock.holidays.none")
        offered = {days: phrase("clock.d", n=days) for days in OFFERED if days <= left}
    else:
        head = pages.say("clock.holidays.away", time=length(until - now))
        offered = {0: phrase("clock.holidays.back")}
    row = [Button(say(what), pages.code(Action.HOLIDAYS, str(n))) for n, what in offered.items()]
    back = Button(pages.say("settings.button.back"), pages.code(Action.SETTINGS, NOWHERE, "me"))
    screen = pages.page(head, [pages.say("clock.holidays.left", n=left)], [row, [back]])
    return request.answer_in_place(screen)


async def _away(request: Request, room: SettingsRoom, days: int, now: int) -> Personal:
    """Store the asker's holiday of *days*, 0 ends it, and update the boards whose clock stops."""
    away, back = partial(preferences.gone, days=days, now=now), partial(preferences.back, now=now)
    me, at = request.person.id, room.clock.steady()
    async with room.store.transaction() as tx:
        await deadlines.hasten_deadlines(tx, me, at)
        chosen = await room.people.keep(tx, me, away if days else back)
    room.alarm.look(at)
    for line in await room.tables.list_lines((PLAYING,), person=me):
        table = await room.tables.get(line.code)
        if table.clock is not None and table.clock.control.rests:
            await request.views.show_table(line.code)
    return chosen


async def check_may_open(request: Request, places: Places) -> None:
    """Raise ``Refused`` where the asker may not open tables in this place."""
    where = request.by.where
    if where.private:
        return
    rules = await places.rules(where)
    channel = where.home.channel if where.home is not None else where.place
    refuse_if(rules.channels and channel not in rules.channels, "house.not-this-channel")
    if rules.openers is Openers.ALL:
        return
    standing = await standing_of_asker(request)
    allowed = rules.openers is Openers.ROLES and standing.roles & set(rules.roles)
    refuse_if(standing.unknown, STANDING_UNKNOWN)
    if not (standing.manages or standing.equals or allowed):
        raise Refused(phrase(f"house.openers.{rules.openers}"))


async def check_welcome(request: Request, people: People, bars: Bars, guest: PersonRow) -> None:
    """Raise ``Refused`` where *guest* refuses challenges by the asker."""
    chosen = await people.personal(guest.id)
    # A refused person may have been linked to another since.
    if chosen.refuses or request.person.id in [await people.same(one) for one in chosen.refused]:
        raise Refused(phrase("house.no-challenges", name=guest.name))
    if await bars.hold_in(request.by.where, await bars.of_person(guest.id)):
        raise Refused(phrase("moderation.guest-barred", name=guest.name))


async def refuse_challenger(request: Request, people: People, challenger: int) -> None:
    """Refuse further challenges by *challenger*."""

    def change(known: Personal) -> Personal:
        return replace(known, refused=tuple(sorted({*known.refused, challenger})))

    await people.choose(request.person.id, change)


def _place(request: Request, named: str) -> Where | None:
    """The place that a button names, if it has settings."""
    here = request.by.where
    if named == NOWHERE or (named == HERE and here.private):
        return None
    return here if named == HERE else Where(here.platform, named)


def _roles(request: Request, where: Where) -> Sequence[Role]:
    chat = request.chats.get(where.platform)
    return () if chat is None else chat.roles(where)


def _channel(where: Where) -> str:
    return "" if where.home is None else where.home.channel


async def _choose_for_me(request: Request, room: SettingsRoom, key: str, value: str) -> None:
    people, me = room.people, request.person
    if key == REFUSED and value == NOBODY:
        await people.choose(me.id, refused=())
        return
    after = _after(PERSONAL, Chosen(me.language, Personal()), key, value)
    if key == LANGUAGE.key:
        await change_language(request, room.people, after.language)
    else:
        chosen = await people.choose(me.id, **{key: getattr(after.rest, key)})
        if key in OF_LADDERS:
            await room.ratings.show(me.id, chosen)
        if key == "pieces":
            await _dress_for(request, room)
        else:
            await request.views.dress_for(me.id)


async def choose_starter(request: Request, room: SettingsRoom) -> Answer:
    """Give the asker the newcomer's set of pieces, or never offer it again."""
    table = await room.lookup.find_table(request, PLAYING)
    request.seat(table)
    people, me = room.people, request.person.id
    if request.path == DECLINED:
        await people.choose(me, declines_starter=True)
        said = "settings.starter.declined"
    else:
        await people.choose(me, pieces=STARTER)
        request.look = replace(request.look, pieces=STARTER)
        shared = not request.own and len(table.people()) > 1
        said = "settings.starter.shared" if shared else "settings.starter.chosen"
    await _dress_for(request, room)
    if shared_board_returns(request, table):
        words = request.pages.say(said)
        return await show_copy(request, await pressed_composer(request, table), said=words)
    return await answer_done(request, table, phrase(said))


async def _dress_for(request: Request, room: SettingsRoom) -> None:
    """Paint the asker's own boards anew, and those they share: their pieces may be agreed upon."""
    await request.views.dress_for(request.person.id)
    for line in await room.tables.list_lines((PLAYING,), person=request.person.id):
        await request.views.show_table(line.code)


def _after(rows: Sequence[Row], before: Chosen, key: str, value: str) -> Chosen:
    """What is chosen after a press; raises ``Refused`` for what no row has."""
    row = next((row for row in rows if row.key == key), None)
    return need(None if row is None else before.after(row, value), "settings.unknown")


async def change_language(request: Request, people: People, chosen: str | None) -> None:
    """Set the asker's language, also on their private boards."""
    by = request.by
    await people.set_language(request.person, chosen)
    person = replace(request.person, language=chosen)
    request.language = await people.language_of(by.where, person, by.asker)
    await request.views.dress_for(person.id, request.language)
    if (await standing_of_asker(request)).equals and not by.where.private:
        await request.views.speak_at_tables_of(person.id, by.where, request.language)


async def _choose_for_place(
    request: Request, room: SettingsRoom, where: Where, key: str, value: str
) -> None:
    places = room.places
    of = (key, value, _channel(where), _roles(request, where))
    if place_rules_after(PlaceRules(), *of) is not None:
        await places.choose(where, lambda known: place_rules_after(known, *of) or known)
        return
    after = _after(OF_PLACE, Chosen(None, PlaceRules()), key, value)
    if key == LANGUAGE.key:
        await places.speak(where, after.language)
        if after.language is not None:
            await request.views.dress(where, await room.people.language_in(where))
    else:
        changed = {key: getattr(after.rest, key)}
        if key == SEASON:
            changed["podium"] = _channel(where)
            await room.seasons.begin(await places.home(where))
        if key in ("daily", WEEKLY):
            # What is posted by itself stands where it was asked for.
            changed["day_place"] = _channel(where) or where.place
        await places.choose(where, **changed)
        await request.views.dress(where)
