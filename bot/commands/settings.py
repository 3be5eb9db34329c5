"""Settings of people and places: shown, changed and enforced."""

from __future__ import annotations

from dataclasses import replace

from bot.commands.request import Request
from bot.port import Answer, Card, MenuAnswer, PrivateRefusal, Screen, Where
from bot.presenters.settings import (
    LANGUAGE,
    NOBODY,
    NOWHERE,
    OF_PLACE,
    PERSONAL,
    REFUSED,
    Chosen,
    SettingsSheet,
    Whose,
    place_rules_after,
)
from bot.session.preferences import Openers, Personal, PlaceRules
from bot.session.unit_of_work import Refused
from games.core import phrase
from storage.records import PersonRow

HERE = "here"
"""Stands in a button for the place in which it is pressed."""


async def change_settings(request: Request) -> Answer:
    """Show the settings of the asker or of a place, or change one of them."""
    if not request.discreet:
        said = request.tongue.say(phrase("settings.in-private"))
        return PrivateRefusal(said, f"settings-{request.by.where.place}")
    typed = (request.value("place") or HERE, "me")
    named, whose, key, value, *_ = (*(request.path or typed), "", "", "")
    where = _place(request, named)
    manages = where is not None and (await request.standing(where)).manages
    if whose == "me":
        if value:
            await _choose_for_me(request, key, value)
        screen = await _mine(request, named if manages else NOWHERE, "" if value else key)
    else:
        if where is None or not manages:
            raise Refused(phrase("settings.managers-only"))
        if value:
            await _choose_for_place(request, where, key, value)
        screen = await _of_place(request, where, named, key if not value or key == "roles" else "")
    return MenuAnswer(screen) if request.pressed else Card(screen)


async def check_may_open(request: Request) -> None:
    """Raise ``Refused`` where the asker may not open tables in this place."""
    where = request.by.where
    if where.private:
        return
    rules = await request.services.places.rules(where)
    channel = where.home.channel if where.home is not None else where.place
    if rules.channels and channel not in rules.channels:
        raise Refused(phrase("house.not-this-channel"))
    if rules.openers is Openers.ALL:
        return
    standing = await request.standing()
    allowed = rules.openers is Openers.ROLES and standing.roles & set(rules.roles)
    if not (standing.manages or standing.equals or allowed):
        raise Refused(phrase(f"house.openers.{rules.openers}"))


async def check_welcome(request: Request, guest: PersonRow) -> None:
    """Raise ``Refused`` where *guest* refuses challenges by the asker."""
    people = request.services.people
    chosen = await people.personal(guest.id)
    # A refused person may have been linked to another since.
    refused = [await people.same(one) for one in chosen.refused]
    if chosen.refuses or request.person.id in refused:
        raise Refused(phrase("house.no-challenges", name=guest.name))


async def refuse_challenger(request: Request, challenger: int) -> None:
    """Refuse further challenges by *challenger*."""
    people, me = request.services.people, request.person.id
    chosen = await people.personal(me)
    refused = tuple(sorted({*chosen.refused, challenger}))
    await people.choose(me, replace(chosen, refused=refused))


def _place(request: Request, named: str) -> Where | None:
    """The place that a button names, if it has settings."""
    here = request.by.where
    if named == NOWHERE or (named == HERE and here.private):
        return None
    return here if named == HERE else Where(here.platform, named)


async def _mine(request: Request, named: str, only: str) -> Screen:
    people = request.services.people
    me = await people.of(request.by.asker)
    chosen = Chosen(me.language, await people.personal(me.id))
    return _sheet(request, "me", chosen, named, manages=named != NOWHERE).screen(only)


async def _of_place(request: Request, where: Where, named: str, only: str) -> Screen:
    places = request.services.places
    chosen = Chosen(await places.language(where), await places.rules(where))
    sheet = _sheet(request, "place", chosen, named, manages=True)
    roles = request.services.roles(where)
    return replace(sheet, channel=_channel(where), roles=roles).screen(only)


def _sheet(
    request: Request, whose: Whose, chosen: Chosen, named: str, *, manages: bool
) -> SettingsSheet:
    return SettingsSheet(
        whose, chosen, request.tongue, request.services.key, request.chat, named, manages=manages
    )


def _channel(where: Where) -> str:
    return "" if where.home is None else where.home.channel


async def _choose_for_me(request: Request, key: str, value: str) -> None:
    people, me = request.services.people, request.person
    if key == REFUSED and value == NOBODY:
        await people.choose(me.id, replace(await people.personal(me.id), refused=()))
        return
    row = next((row for row in PERSONAL if row.key == key), None)
    before = Chosen(me.language, await people.personal(me.id))
    after = None if row is None else before.after(row, value)
    if after is None or not isinstance(after.rest, Personal):
        raise Refused(phrase("settings.unknown"))
    if row is LANGUAGE:
        await change_language(request, after.language)
        return
    await people.choose(me.id, after.rest)
    await request.views.dress_for(me.id)


async def change_language(request: Request, chosen: str | None) -> None:
    """Set the asker's language, also on their private boards."""
    people, by = request.services.people, request.by
    await people.set_language(request.person, chosen)
    person = replace(request.person, language=chosen)
    request.language = await people.language_of(by.where, person, by.asker)
    await request.views.speak_to(person.id, request.language)
    if (await request.standing()).equals and not by.where.private:
        await request.views.speak_at_tables_of(person.id, by.where, request.language)


async def _choose_for_place(request: Request, where: Where, key: str, value: str) -> None:
    places = request.services.places
    before = Chosen(await places.language(where), await places.rules(where))
    if not isinstance(before.rest, PlaceRules):
        return
    own = place_rules_after(before.rest, key, value, _channel(where), request.services.roles(where))
    if own is not None:
        await places.choose(where, own)
        return
    row = next((row for row in OF_PLACE if row.key == key), None)
    after = None if row is None else before.after(row, value)
    if after is None or not isinstance(after.rest, PlaceRules):
        raise Refused(phrase("settings.unknown"))
    if row is LANGUAGE:
        await places.speak(where, after.language)
        if after.language is not None:
            await request.views.speak(where, await request.services.people.language_in(where))
        return
    await places.choose(where, after.rest)
    await request.views.dress(where)
