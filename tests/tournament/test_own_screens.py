"""A screen of one's own goes on with the tournament, and a refusal there leads on."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.chats.telegram.message_formatting import body
from bot.port import Card, MenuAnswer, Screen, Where
from bot.presenters.button_codes import NO_TABLE, Action, Click, encode_click
from storage.table import views
from tests.bot.test_ways_on import labels, leads_on
from tests.fakes import Desk, Message, person
from tests.tournament.evening import Evening, entered, opened

MARTA, LUIS = person("Marta"), person("Luis")


def home_of(who) -> Where:
    return Where("fake", who.external, private=True)


def shown(at: Desk, where: Where, code: str) -> Message:
    """The one message in *where* that shows the tournament *code*."""
    gone = at.chat.removed
    there = (m for m in at.chat.messages.values() if m.where == where and m.id not in gone)
    (found,) = [one for one in there if code in one.screen.headline]
    return found


async def opened_in_private(at: Desk, clock) -> Evening:
    at.where = home_of(MARTA)
    evening = await opened(at, clock, ("format", "robin"))
    assert evening.manager == MARTA
    return evening


async def test_a_poster_in_private_is_its_reader_s_own_and_tells_who_enters(at, clock):
    evening = await opened_in_private(at, clock)
    mine = shown(at, at.where, evening.code)
    assert labels(mine.screen) == ["Apuntarme", "Empezar ya", "Organización"]
    await at.press(MARTA, mine, "Apuntarme")
    entered_now = shown(at, at.where, evening.code)
    assert labels(entered_now.screen) == ["Dejar el torneo", "Empezar ya", "Organización"]
    await at.call(LUIS, "tournament", home_of(LUIS), code=evening.code)
    theirs = shown(at, home_of(LUIS), evening.code)
    assert labels(theirs.screen) == ["Apuntarme"]
    await at.press(LUIS, theirs, "Apuntarme")
    assert labels(shown(at, theirs.where, evening.code).screen) == ["Dejar el torneo"]
    assert "Luis" in "\n".join(shown(at, at.where, evening.code).screen.lines)


async def test_who_asks_for_a_tournament_twice_at_once_has_one_poster(at, clock):
    evening = await opened(at, clock, ("format", "robin"))
    where = home_of(LUIS)
    asked = (at.call(LUIS, "tournament", where, code=evening.code) for _ in range(2))
    await asyncio.gather(*asked)
    assert labels(shown(at, where, evening.code).screen) == ["Apuntarme"]


async def test_a_poster_in_private_speaks_the_language_that_its_reader_chooses(at, clock):
    evening = await opened_in_private(at, clock)
    await at.call(MARTA, "language", language="en")
    await at.settle()
    mine = shown(at, at.where, evening.code)
    assert labels(mine.screen)[0] == "Enter"
    assert not await at.facade.store.read(views.owing_views)


@pytest.mark.parametrize("way", ["list", "command"])
async def test_what_shows_it_once_more_in_private_takes_the_place_of_the_first(at, clock, way):
    evening = await opened_in_private(at, clock)
    if way == "list":
        listed = at.card(await at.call(MARTA, "tournament"), at.where)
        await at.press(MARTA, replace(listed, card=False), listed.screen.rows[0][0].label)
    else:
        await at.call(MARTA, "tournament", at.where, code=evening.code)
    await entered(evening, 1)
    assert "P1" in "\n".join(shown(at, at.where, evening.code).screen.lines)


async def test_a_key_that_has_had_its_day_goes_from_one_s_own_screen(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 3)
    again = await evening.press(evening.people[0], "enter")
    assert isinstance(again, MenuAnswer)
    assert not again.good
    assert again.said == again.screen.lines[0] == "Ya te has apuntado: no hace falta más."
    assert "Apuntarme" not in labels(again.screen)
    assert "Dejar el torneo" in labels(again.screen)
    # Below the poster that all read, its own keys stand.
    poster = await at.press(evening.people[0], evening.message, "Apuntarme")
    assert poster.said == again.said


@pytest.mark.parametrize(
    ("language", "rests", "after"),
    [("es", "En esta ronda descansas", "empieza dentro de"), ("en", "You sit this", "begins in")],
)
async def test_who_has_no_game_hears_when_the_next_round_begins(at, clock, language, rests, after):
    evening = await entered(await opened(at, clock, ("format", "robin")), 3)
    early = await evening.press(replace(evening.people[0], language=language), "game")
    assert leads_on(early)
    await evening.press(evening.manager, "begin")
    await evening.look()
    (newest,) = (await evening.now()).rounds
    who = replace(evening.people[newest.byes[0] - 1], language=language)
    told = await evening.press(who, "game")
    assert told.said.startswith(rests)
    table = told.leads.rows[0][0]
    card = Message("card", at.where, told.leads, None, card=True)
    standings = await at.press(who, card, table.label)
    assert isinstance(standings, MenuAnswer)
    assert standings.picture
    (code,) = await evening.waiting()
    await evening.end(code)
    assert after in (await evening.press(who, "game")).said


async def test_an_own_game_that_is_over_waits_for_those_of_the_others(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    code, _ = await evening.waiting()
    number = (await evening.now()).find_game(code).seats[0]
    await evening.end(code)
    told = await evening.press(evening.people[number - 1], "game")
    assert told.said.startswith("Ahora no te toca jugar: la siguiente ronda")
    # On the poster of all its own keys stand below, so the sentence is enough.
    click = encode_click(Click(Action.TOURNAMENT, evening.code, 0, ("game",)), evening.services.key)
    loud = await at.press(evening.people[number - 1], evening.message, code=click)
    assert (loud.said, loud.leads) == (told.said, None)


async def test_who_leaves_while_games_are_played_is_asked_back_and_told_what_follows(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    code, _ = await evening.waiting()
    number = (await evening.now()).find_game(code).seats[0]
    who = evening.people[number - 1]
    asked = await at.press(who, evening.message, "Dejar el torneo")
    assert isinstance(asked, Card)
    assert asked.screen.asks
    assert "La partida que tienes empezada sigue y cuenta." in asked.screen.headline
    assert (await evening.now()).entrant(number).gone is None
    card = Message("card", at.where, asked.screen, None, card=True)
    kept = await at.press(who, card, "No")
    assert "Dejar el torneo" in labels(kept.screen)
    left = await at.press(who, card, "Sí")
    assert (await evening.now()).entrant(number).gone is not None
    assert left.screen.lines[0].startswith("Has dejado el torneo. Tu partida sigue y cuenta")
    # The game that goes on is one press away, and none is offered once it is over.
    screen = replace(card, screen=left.screen)
    assert code == (await at.press(who, screen, "Mi partida")).screen.table
    await evening.end(code)
    gone = await evening.press(who, "game")
    assert gone.said == "Has dejado este torneo: ya no tienes más partidas en él."
    assert leads_on(gone)
    assert "Mi partida" not in labels((await evening.press(who, "more")).screen)
    again = await evening.press(who, "leave")
    assert (again.good, again.screen.lines[0]) == (False, "No participas en este torneo.")


async def test_who_leaves_before_it_begins_is_asked_nothing(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 3)
    left = await evening.press(evening.people[0], "leave")
    assert left.screen.lines[0] == "Has dejado el torneo."
    assert "Apuntarme" in labels(left.screen)


@pytest.mark.parametrize("step", ["tools", "end", "out", "halt", "begin"])
async def test_the_tools_of_a_tournament_that_is_over_say_so_and_go(at, clock, step):
    """After a restart a manager's screen may still show them."""
    evening = await entered(await opened(at, clock, ("format", "robin")), 3)
    await evening.press(evening.manager, "begin")
    await evening.look()
    await evening.play_out()
    told = await evening.press(evening.manager, step)
    assert isinstance(told, MenuAnswer)
    assert told.screen.lines[0] == told.said == "Este torneo ya ha terminado."
    assert any(line.startswith("🥇") for line in told.screen.lines)
    assert "Organización" not in labels(told.screen)


async def test_the_standings_in_place_of_an_organizer_s_own_screen_lead_back_to_it(at, clock):
    evening = await entered(await opened(at, clock, ("format", "robin")), 4)
    await evening.press(evening.manager, "begin")
    await evening.look()
    for step in ("table", "cross"):
        shown = await evening.press(evening.manager, step)
        assert isinstance(shown, MenuAnswer)
        card = Message("card", at.where, shown.screen, None, card=True)
        back = await at.press(evening.manager, card, "Volver")
        assert "Organización" in labels(back.screen)


def test_a_round_stands_once_in_the_words_of_a_message():
    lines = ("Ronda 2 de 2", "Ana – Eva", "Bruno – Leo")
    before = "Ana – Leo  1–0\nEva – Bruno  1–0"
    screen = Screen(NO_TABLE, 0, "Torneo", lines, alt="\n".join((before, *lines[1:])))
    assert screen.description_beyond(lines) == before
    told = body(screen, 4096)
    assert told.count("Ana – Eva") == told.count("Bruno – Leo") == 1
    assert "Eva – Bruno" in told
