"""The settings: shown to whoever may see them, changed by buttons, and kept to."""

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
    toggled,
)
from bot.session.preferences import Openers, Personal, PlaceRules
from bot.session.unit_of_work import Refused
from games.core import phrase
from storage.records import PersonRow

HERE = "here"
"""Names in a button the place in which it is pressed."""


async def choose(asked: Request) -> Answer:
    """Show the settings of the asker or of a place, or one row of them; choose in it."""
    if not asked.discreet:
        said = asked.tongue.say(phrase("settings.in-private"))
        return PrivateRefusal(said, f"settings-{asked.by.where.place}")
    typed = (asked.value("place") or HERE, "me")
    named, whose, key, value, *_ = (*(asked.path or typed), "", "", "")
    where = _place(asked, named)
    manages = where is not None and (await asked.standing(where)).manages
    if whose == "me":
        if value:
            await _choose_for_me(asked, key, value)
        screen = await _mine(asked, named if manages else NOWHERE, "" if value else key)
    else:
        if where is None or not manages:
            raise Refused(phrase("settings.managers-only"))
        if value:
            await _choose_for_place(asked, where, key, value)
        screen = await _of_place(asked, where, named, key if not value or key == "roles" else "")
    return MenuAnswer(screen) if asked.pressed else Card(screen)


async def check_may_open(asked: Request) -> None:
    """Raise ``Refused`` where the asker may not open tables where he is."""
    where = asked.by.where
    if where.private:
        return
    rules = await asked.services.places.rules(where)
    channel = where.home.channel if where.home is not None else where.place
    if rules.channels and channel not in rules.channels:
        raise Refused(phrase("house.not-this-channel"))
    if rules.openers is Openers.ALL:
        return
    standing = await asked.standing()
    allowed = rules.openers is Openers.ROLES and standing.roles & set(rules.roles)
    if not (standing.manages or standing.equals or allowed):
        raise Refused(phrase(f"house.openers.{rules.openers}"))


async def check_welcome(asked: Request, guest: PersonRow) -> None:
    """Raise ``Refused`` where *guest* does not want to be challenged by the asker."""
    people = asked.services.people
    chosen = await people.personal(guest.id)
    # Whom a number meant may have been joined to another person since.
    refused = [await people.same(one) for one in chosen.refused]
    if chosen.refuses or asked.person.id in refused:
        raise Refused(phrase("house.no-challenges", name=guest.name))


async def refuse(asked: Request, challenger: int) -> None:
    """Let *challenger* challenge the asker no more."""
    people, me = asked.services.people, asked.person.id
    chosen = await people.personal(me)
    refused = tuple(sorted({*chosen.refused, challenger}))
    await people.choose(me, replace(chosen, refused=refused))


def _place(asked: Request, named: str) -> Where | None:
    """The place that a button names, if there is one to be managed."""
    here = asked.by.where
    if named == NOWHERE or (named == HERE and here.private):
        return None
    return here if named == HERE else Where(here.platform, named)


async def _mine(asked: Request, named: str, only: str) -> Screen:
    people = asked.services.people
    me = await people.of(asked.by.asker)
    chosen = Chosen(me.language, await people.personal(me.id))
    return _sheet(asked, "me", chosen, named, manages=named != NOWHERE).screen(only)


async def _of_place(asked: Request, where: Where, named: str, only: str) -> Screen:
    places = asked.services.places
    chosen = Chosen(await places.language(where), await places.rules(where))
    sheet = _sheet(asked, "place", chosen, named, manages=True)
    roles = asked.services.roles(where)
    return replace(sheet, channel=_channel(where), roles=roles).screen(only)


def _sheet(
    asked: Request, whose: Whose, chosen: Chosen, named: str, *, manages: bool
) -> SettingsSheet:
    platform = asked.by.where.platform
    return SettingsSheet(
        whose, chosen, asked.tongue, asked.services.key, platform, named, manages=manages
    )


def _channel(where: Where) -> str:
    return "" if where.home is None else where.home.channel


async def _choose_for_me(asked: Request, key: str, value: str) -> None:
    people, me = asked.services.people, asked.person
    if key == REFUSED and value == NOBODY:
        await people.choose(me.id, replace(await people.personal(me.id), refused=()))
        return
    row = next((row for row in PERSONAL if row.key == key), None)
    before = Chosen(me.language, await people.personal(me.id))
    after = None if row is None else before.after(row, value)
    if after is None or not isinstance(after.rest, Personal):
        raise Refused(phrase("settings.unknown"))
    if row is LANGUAGE:
        await speak(asked, after.language)
        return
    await people.choose(me.id, after.rest)
    await asked.views.dress_for(me.id)


async def speak(asked: Request, chosen: str | None) -> None:
    """Speak the language *chosen* with the asker, also on the boards that he alone sees."""
    people, by = asked.services.people, asked.by
    await people.set_language(asked.person, chosen)
    person = replace(asked.person, language=chosen)
    asked.language = await people.language_of(by.where, person, by.asker)
    await asked.views.speak_to(person.id, asked.language)
    if (await asked.standing()).equals and not by.where.private:
        await asked.views.speak_at_tables_of(person.id, by.where, asked.language)


async def _choose_for_place(asked: Request, where: Where, key: str, value: str) -> None:
    places = asked.services.places
    before = Chosen(await places.language(where), await places.rules(where))
    if not isinstance(before.rest, PlaceRules):
        return
    own = toggled(before.rest, key, value, _channel(where), asked.services.roles(where))
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
            await asked.views.speak(where, await asked.services.people.language_in(where))
        return
    await places.choose(where, after.rest)
    await asked.views.dress(where)
