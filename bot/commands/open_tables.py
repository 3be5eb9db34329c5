"""The tables of a place that wait for players, those of strangers, and alerts of new ones."""

from __future__ import annotations

from dataclasses import replace

from bot.commands.help_pages import new_button
from bot.commands.request import Request
from bot.commands.resignation_and_offers import UNANSWERED
from bot.commands.seating import join_table
from bot.commands.table_creation import alert_place
from bot.commands.table_lookup import find_table, others_at, waiting_here
from bot.port import Answer, Button, Card, MenuAnswer, Screen
from bot.presenters.button_codes import AFAR, ALERT, Action
from bot.presenters.viewers import player_names
from bot.session.table import OPEN
from bot.session.unit_of_work import Refused
from games.core import phrase
from games.core.shelf import shelf
from storage import open_table_alerts
from storage.records import AlertRow, GameLine

MOST_AFAR = 5
"""The most tables of other places that are offered at once."""


async def show_open_tables(request: Request) -> Answer:
    """List the open tables here, seat the asker at one elsewhere, or change their alerts."""
    match request.path:
        case (step,) if step == AFAR:
            return await _join_stranger(request)
        case (step, *game) if step == ALERT:
            return await _change_alerts(request, *game)
    return _answer(request, await _list(request))


async def _list(request: Request) -> Screen:
    where, services = request.by.where, request.services
    here = await waiting_here(request)
    afar = await services.strangers.found(request.person.id, where, MOST_AFAR)
    rows = [_sit(request, one, Action.JOIN) for one in here]
    rows += [_sit(request, one, Action.CHAIRS, AFAR) for one in afar]
    say, code = request.pages.say, request.pages.code
    if not where.private:
        rows.append([Button(say("open.button.alerts"), code(Action.CHAIRS, ALERT))])
    rows.append([new_button(request)])
    key = "house.bare.join" if here or afar else "house.bare.join-none"
    lines = [say("open.afar", n=len(afar))] if afar else []
    strangers, me = services.strangers, request.person.id
    if await strangers.allowed(where) and not await strangers.plays(me):
        lines.append(say("open.strangers"))
    return request.pages.page(say(key), lines, rows)


def _sit(request: Request, line: GameLine, act: Action, *path: str) -> list[Button]:
    """The button that seats the asker at the table of *line*, and one to close an old invitation.

    Of a table elsewhere it says the names and the game alone.
    """
    pages, names = request.pages, player_names(line.game, line.seats, request.tongue)
    said = phrase(
        "open.button.sit-afar" if path else "open.button.sit",
        game=phrase(f"{line.game}.name"),
        who=others_at(line, request.person.id),
        code=line.code,
    )
    code = pages.code(act, *path, table=line.code)
    row = [Button(request.tongue.say(said, names), code, "good")]
    if not path and request.services.clock.now() - line.touched >= UNANSWERED:
        said = phrase("open.button.close", code=line.code)
        row.append(Button(request.tongue.say(said), pages.code(Action.CLOSE, table=line.code)))
    return row


async def _join_stranger(request: Request) -> Answer:
    """Seat the asker at a table of another place, if all still want that."""
    table = await find_table(request, OPEN)
    if not await request.services.strangers.offers(table, request.person.id, request.by.where):
        raise Refused(phrase("open.afar.gone"))
    return await join_table(replace(request, path=()))


async def _change_alerts(request: Request, game: str = "") -> Answer:
    """Show for which games the asker is told of new tables here, after a change of *game*."""
    where, store = request.by.where, request.services.store
    if where.private:
        raise Refused(phrase("open.alerts.private"))
    here = (request.person.id, where.platform, alert_place(where))
    chosen = await store.read(open_table_alerts.alerts_of, *here)
    if game in shelf():
        if game in chosen:
            await store.write(open_table_alerts.clear_alert, *here, game)
        else:
            row = AlertRow(*here, game, request.services.clock.steady())
            await store.write(open_table_alerts.set_alert, row)
        chosen = chosen ^ {game}
    say, code = request.pages.say, request.pages.code
    rows = [
        [
            Button(
                f"{'✓ ' if key in chosen else ''}{say(f'{key}.name')}",
                code(Action.CHAIRS, ALERT, key),
            )
        ]
        for key in shelf()
    ]
    rows.append([Button(say("house.button.back"), code(Action.CHAIRS))])
    return _answer(
        request, request.pages.page(say("open.alerts"), [say("open.alerts.about")], rows)
    )


def _answer(request: Request, screen: Screen) -> Answer:
    return MenuAnswer(screen) if request.pressed and request.own else Card(screen)
