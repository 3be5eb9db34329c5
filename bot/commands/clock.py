"""What players do about the clock: claim a game, give more time, go on holiday."""

from __future__ import annotations

from bot.commands.request import Request
from bot.commands.table_search import meant
from bot.port import Answer, Button, Card, MenuAnswer, PrivateRefusal, Screen
from bot.presenters.buttons import NO_TABLE, Action, Click, encode
from bot.presenters.settings import NOWHERE
from bot.session import holidays as rules
from bot.session import timekeeping
from bot.session.game_clock import instant
from bot.session.preferences import Personal
from bot.session.table import PLAYING
from bot.session.time_controls import length
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import Phrase, phrase
from storage import deadlines


async def clock(asked: Request) -> Answer:
    """Claim the game of whoever has run out of time, or give him more of it."""
    table = await meant(asked, PLAYING)
    claims = asked.path == ("claim",)

    def decide(work: UnitOfWork) -> None:
        seat = asked.seat(work.table)
        if claims:
            timekeeping.claim(work, seat)
        else:
            timekeeping.grant(work, seat)

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase("clock.claimed" if claims else "clock.granted"))


OFFERED = (3, 7, 14)
"""How many days of holiday the buttons offer."""


async def holidays(asked: Request) -> Answer:
    """Go on holiday for some days, come back, or say how many days are left."""
    if not asked.discreet:
        return PrivateRefusal(asked.tongue.say(phrase("settings.in-private")), "do-holidays")
    people, me = asked.services.people, asked.person.id
    now, chosen = instant(asked.services.clock.steady()), await people.personal(me)
    typed = asked.path[0] if asked.path else asked.value("days")
    if typed:
        if not (typed.isascii() and typed.isdigit()):
            raise Refused(phrase("clock.holidays.longest", n=rules.LONGEST))
        days = int(typed[:4])
        chosen = rules.gone(chosen, days, now) if days else rules.back(chosen, now)
        await _away(asked, chosen)
    until = rules.away_until(chosen, now)
    head = phrase("clock.holidays.none")
    if until is not None:
        head = phrase("clock.holidays.away", time=length(until - now))
    left = rules.left(chosen, now)
    row: tuple[Button, ...] = (_button(asked, phrase("clock.holidays.back"), 0),)
    if until is None:
        may = [days for days in OFFERED if days <= left]
        row = tuple(_button(asked, phrase("clock.d", n=days), days) for days in may)
    settings = encode(Click(Action.SETTINGS, NO_TABLE, 0, (NOWHERE, "me")), asked.services.key)
    back = (Button(asked.tongue.say(phrase("settings.button.back")), settings),)
    screen = Screen(
        *(NO_TABLE, 0, asked.tongue.say(head)),
        (asked.tongue.say(phrase("clock.holidays.left", n=left)),),
        rows=(row, back) if row else (back,),
        language=asked.language,
    )
    return MenuAnswer(screen) if asked.pressed else Card(screen)


async def _away(asked: Request, chosen: Personal) -> None:
    """Keep when the asker is away; the boards on which his clock waits say so."""
    services, me = asked.services, asked.person.id
    now = services.clock.steady()
    async with services.store.transaction() as tx:
        await deadlines.hasten(tx, me, now)
        await services.people.keep(tx, me, chosen)
    services.alarm.look(now)
    for line in await services.tables.listed((PLAYING,), person=me):
        table = await services.tables.get(line.code)
        if table.clock is not None and table.clock.control.rests:
            await asked.views.show_table(line.code)


def _button(asked: Request, said: Phrase, days: int) -> Button:
    code = encode(Click(Action.HOLIDAYS, NO_TABLE, 0, (str(days),)), asked.services.key)
    return Button(asked.tongue.say(said), code)
