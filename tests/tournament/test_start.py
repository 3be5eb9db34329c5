"""The start of a tournament as people type it, on its sheet and in the house."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.port import Press
from bot.presenters.button_codes import Action, Click, encode_click
from bot.presenters.typed_command_parser import parse
from bot.session.draft import TournamentDraft
from bot.tournament.values import Phase
from tests.fakes import desk, person
from tests.tournament.evening import entered, opened


async def begun(at, clock):
    evening = await opened(at, clock, ("format", "robin"))
    listed = at.card(await at.call(evening.manager, "tournament"))
    sheet = at.card(await at.press(evening.manager, listed, "Nuevo torneo"))
    number = at.facade.boards.buttons.click(sheet.screen.rows[0][0].code).turn

    async def press(*path: str, text: str = ""):
        code = encode_click(Click(Action.TOURNAMENT, "0000", number, path), evening.services.key)
        update = f"typed-{path}-{text}"
        return await at.facade.requests.press(
            Press(update, at.where, evening.manager, code, "sheet", text=text, own=True)
        )

    await press("game", "niya")
    return evening, press


async def test_a_start_typed_into_the_form_stands_on_the_sheet_in_the_time_of_the_place(at, clock):
    await at.facade.services.places.choose(at.where, day_zone="Europe/Madrid")
    evening, press = await begun(at, clock)
    button = at.facade.boards.buttons.click(
        encode_click(Click(Action.TOURNAMENT, "0000", 7, ("when",)), evening.services.key)
    )
    assert button.asks == "start"
    told = await press("when")
    assert told.said == (
        "Escribe /torneo inicio=domingo 18:00, o «en 2 h», «mañana 20:30»…, y lo pongo en tu hoja."
    )
    day = (clock.shown + timedelta(days=3)).date()
    answer = await press("when", text=f"{day} 18:00")
    until = answer.screen.countdown.until
    assert until == datetime.combine(day, time(18), ZoneInfo("Europe/Madrid"))
    assert answer.screen.countdown.plain.endswith("18:00 (Madrid)")
    assert "Las horas son las de Madrid; se cambia en /ajustes." in answer.screen.lines
    starts = next(one for one in answer.screen.choices if one.label == "Empieza")
    assert starts.options[starts.chosen].label.endswith("18:00 (Madrid)")
    # Pressed again the choice stays, and another one takes its place.
    kept = await press(
        "starts", at.facade.boards.buttons.click(starts.options[starts.chosen].code).path[1]
    )
    assert kept.screen.countdown.until == until
    assert (await press("starts", "now")).screen.countdown is None


@pytest.mark.sampled
@pytest.mark.parametrize("text", ["pronto", "2020-01-01 18:00", "in 99 days"])
async def test_a_start_that_will_not_do_is_refused_and_changes_nothing(at, clock, text):
    _, press = await begun(at, clock)
    before = (await press("when", text="en 2 h")).screen
    refused = await press("when", text=text)
    assert not refused.good
    assert len(refused.said.splitlines()) == 1
    assert (await press("page", "main")).screen == before


@pytest.mark.slow
async def test_it_begins_at_the_typed_instant(at, clock):
    evening, press = await begun(at, clock)
    answer = await at.call(evening.manager, "tournament", start="en 90 minutos")
    assert answer.screen.countdown.until - clock.shown == timedelta(minutes=90)
    clock.wait(timedelta(minutes=10))
    await press("open")
    await at.settle()
    codes = [m.screen.headline.rsplit(" ", 1)[-1] for m in at.chat.messages.values()]
    evening.code = next(one for one in codes if one != evening.code)
    await entered(evening, 3)
    await evening.wait(79)
    assert (await evening.now()).phase is Phase.OPEN
    await evening.wait(1.1)
    assert (await evening.now()).phase is Phase.RUNNING


@pytest.mark.slow
async def test_a_house_that_was_down_begins_when_the_clocks_of_people_say_so(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        evening = await entered(await opened(at, clock, ("format", "robin"), ("starts", "180")), 3)
        until, code = evening.message.screen.countdown.until, evening.code
    clock.wait(timedelta(hours=2))
    async with desk(tmp_path, clock=clock) as at:
        keeper, services = at.facade.process_duties.deadlines.tournaments, at.facade.services
        await keeper.expire()
        known = await services.tournaments.get(code)
        assert known.phase is Phase.OPEN
        assert at.facade.services.tournament_views.until(known) == until
        clock.wait(timedelta(minutes=59))
        await keeper.expire()
        assert (await services.tournaments.get(code)).phase is Phase.OPEN
        clock.wait(timedelta(minutes=1, seconds=1))
        await keeper.expire()
        assert (await services.tournaments.get(code)).phase is Phase.RUNNING


@pytest.mark.slow
async def test_what_is_full_begins_at_once_where_the_house_was_down_before(tmp_path, clock):
    async with desk(tmp_path, clock=clock):
        pass
    clock.wait(timedelta(days=1))
    async with desk(tmp_path, clock=clock) as at:
        choices = (("format", "robin"), ("starts", "full"), ("most", "4"))
        evening = await entered(await opened(at, clock, *choices), 4)
        await evening.look()
        assert (await evening.now()).phase is Phase.RUNNING


async def test_what_is_over_when_the_sheet_is_opened_is_refused(at, clock):
    _, press = await begun(at, clock)
    await press("when", text="en 5 min")
    clock.wait(timedelta(minutes=6))
    refused = await press("open")
    assert (refused.good, refused.said) == (False, "Esa hora ya ha pasado.")


async def test_a_command_begins_a_sheet_with_its_start_where_there_is_none(at, clock):
    evening = await opened(at, clock, ("format", "robin"))
    listed = await at.call(evening.manager, "tournament", start="en 2 h")
    number = at.facade.boards.buttons.click(listed.screen.rows[0][0].code).turn
    code = encode_click(
        Click(Action.TOURNAMENT, "0000", number, ("game", "niya")), evening.services.key
    )
    answer = await at.facade.requests.press(
        Press("chosen", at.where, evening.manager, code, "sheet", own=True)
    )
    assert answer.screen.countdown.until - clock.shown == timedelta(hours=2)
    assert not (await at.call(person("Zoe"), "tournament", start="en 2 h")).good


def test_a_typed_line_gives_all_its_words_to_the_start():
    for line in ("/torneo inicio=domingo 18:00", "/tournament start=domingo 18:00"):
        command, values = parse(line)
        assert (command.name, values) == ("tournament", {"start": "domingo 18:00"})
    assert parse("/torneo start=in 2 h code=ABCDEF")[1] == {"start": "in 2 h", "code": "ABCDEF"}
    assert parse("/torneo ABCDEF")[1] == {"code": "ABCDEF"}


def test_a_damaged_start_makes_the_draft_unreadable():
    stored = TournamentDraft("ABCDEF").stored()
    assert TournamentDraft.read({**stored, "starts": "20261201T1800"}) is not None
    assert TournamentDraft.read({**stored, "starts": "sometime"}) is None
