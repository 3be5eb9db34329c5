"""What may be done about the move of the day beside solving it."""

from __future__ import annotations

from dataclasses import replace

from bot.commands.request import Request, standing_of_asker
from bot.commands.services_of_handlers import SchoolRoom
from bot.port import Answer, Screen
from bot.presenters.base import with_zone
from bot.presenters.school.daily import HERE, NAME, REMIND, WEEK, DailyScreens
from bot.service.school.daily_moves import NOWHERE
from bot.session.exercise_catalogue import Exercise
from bot.session.unit_of_work import refuse_if
from games.core import phrase
from storage.school.puzzles import note_daily_try


async def note_opening(request: Request, room: SchoolRoom, exercise: Exercise) -> None:
    """Note that the asker has opened *exercise*, and where, if it is a move of these days."""
    where = NOWHERE if request.own or not request.is_press else request.by.where
    tried = await room.daily_moves.try_of(request.person.id, exercise, where=where)
    await room.store.write(note_daily_try, tried)


async def with_result(
    request: Request, room: SchoolRoom, exercise: Exercise, screen: Screen
) -> Screen:
    """*screen* of a puzzle that is over, with the row to paste if it is a move of these days."""
    result = await room.daily_moves.result(request.person.id, exercise)
    if result is None:
        return screen
    pages = (chat for chat in request.chats.values() if chat.everywhere)
    link = next((page.public_address().link for page in pages), "")
    where, reminds = request.by.where, None
    chat = request.chats[where.platform]
    if await chat.reaches(where):
        reminded = bool((await room.places.rules(where)).daily)
        # Elsewhere what reminds has the key that ends it.
        reminds = not reminded if chat.everywhere or not reminded else None
    screens = DailyScreens(request.language, request.key)
    handle = chat.public_address().name
    row = screens.row(result, link, handle if handle.startswith("@") else "")
    _, *others = await request.keys_of_day()
    keys = [*screens.buttons(result, reminds=reminds), *others]
    return replace(screens.below(screen, row, keys), pasted=row)


async def change_daily(request: Request, room: SchoolRoom, act: str, code: str = "") -> Answer:
    """Name the asker at night, post it in a place each day, remind the asker of it or not."""
    person, where = request.person.id, request.by.where
    if act == NAME and (exercise := await room.collection.find(code)) is not None:
        tried = await room.daily_moves.try_of(person, exercise)
        await room.store.write(note_daily_try, tried and replace(tried, named=True))
        return request.said(phrase("daily.named"))
    if act in (HERE, WEEK):
        refuse_if(not (await standing_of_asker(request)).manages, "settings.managers-only")
        rules = await room.daily_moves.post_in(where, person, weekly=act == WEEK)
        key = "daily.posted-here" if act == HERE else "daily.week-here"
    else:
        refuse_if(not where.private, "daily.no-reminder")
        reminded = person if act == REMIND else None
        rules = await room.daily_moves.remind(where, reminded, request.language)
        key = "daily.reminds" if act == REMIND else "daily.reminds-no-more"
    hour = f"{rules.day_hour}:{rules.day_minute:02}"
    return request.said(phrase(key, hour=with_zone(hour, request.language, rules.day_zone)))
