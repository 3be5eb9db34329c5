"""Clocks: claiming a game on time, giving more time, holidays."""

from __future__ import annotations

from bot.commands.request import Request
from bot.commands.tables import find_table
from bot.port import Answer, Button, Card, MenuAnswer, PrivateRefusal, Screen
from bot.presenters.buttons import NO_TABLE, Action, Click, encode_click
from bot.presenters.settings import NOWHERE
from bot.session import preferences as rules
from bot.session import timekeeping
from bot.session.game_clock import instant
from bot.session.preferences import Personal
from bot.session.table import PLAYING
from bot.session.time_controls import length
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import Phrase, phrase
from storage import deadlines


async def use_clock(request: Request) -> Answer:
    """Claim the game of a player who has run out of time, or give them more time."""
    table = await find_table(request, PLAYING)
    claims = request.path == ("claim",)

    def decide(work: UnitOfWork) -> None:
        seat = request.seat(work.table)
        if claims:
            timekeeping.claim(work, seat)
        else:
            timekeeping.grant(work, seat)

    table, _ = await request.change(table, decide)
    return await request.done(table, phrase("clock.claimed" if claims else "clock.granted"))


OFFERED = (3, 7, 14)
"""The days of holiday that the buttons offer."""


async def take_holidays(request: Request) -> Answer:
    """Start or end a holiday, or tell how many days are left."""
    if not request.discreet:
        return PrivateRefusal(request.tongue.say(phrase("settings.in-private")), "do-holidays")
    people, me = request.services.people, request.person.id
    now, chosen = instant(request.services.clock.steady()), await people.personal(me)
    typed = request.path[0] if request.path else request.value("days")
    if typed:
        if not (typed.isascii() and typed.isdigit()):
            raise Refused(phrase("clock.holidays.longest", n=rules.LONGEST))
        days = int(typed[:4])
        chosen = rules.gone(chosen, days, now) if days else rules.back(chosen, now)
        await _away(request, chosen)
    until = rules.away_until(chosen, now)
    head = phrase("clock.holidays.none")
    if until is not None:
        head = phrase("clock.holidays.away", time=length(until - now))
    left = rules.left(chosen, now)
    row: tuple[Button, ...] = (_button(request, phrase("clock.holidays.back"), 0),)
    if until is None:
        may = [days for days in OFFERED if days <= left]
        row = tuple(_button(request, phrase("clock.d", n=days), days) for days in may)
    settings = encode_click(
        Click(Action.SETTINGS, NO_TABLE, 0, (NOWHERE, "me")), request.services.key
    )
    back = (Button(request.tongue.say(phrase("settings.button.back")), settings),)
    screen = Screen(
        *(NO_TABLE, 0, request.tongue.say(head)),
        (request.tongue.say(phrase("clock.holidays.left", n=left)),),
        rows=(row, back) if row else (back,),
        language=request.language,
    )
    return MenuAnswer(screen) if request.pressed else Card(screen)


async def _away(request: Request, chosen: Personal) -> None:
    """Store the asker's holiday and update the boards whose clock it stops."""
    services, me = request.services, request.person.id
    now = services.clock.steady()
    async with services.store.transaction() as tx:
        await deadlines.hasten_deadlines(tx, me, now)
        await services.people.keep(tx, me, chosen)
    services.alarm.look(now)
    for line in await services.tables.listed((PLAYING,), person=me):
        table = await services.tables.get(line.code)
        if table.clock is not None and table.clock.control.rests:
            await request.views.show_table(line.code)


def _button(request: Request, said: Phrase, days: int) -> Button:
    code = encode_click(Click(Action.HOLIDAYS, NO_TABLE, 0, (str(days),)), request.services.key)
    return Button(request.tongue.say(said), code)
