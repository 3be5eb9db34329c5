"""The settings: who may see and change them, and what changes when they do."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.commands import quotas
from bot.port import (
    Answer,
    Asker,
    Card,
    Choice,
    Home,
    MenuAnswer,
    PlaceStanding,
    Press,
    PrivateRefusal,
    Role,
    Screen,
    Where,
)
from bot.presenters.settings import (
    CLUB,
    FORMS,
    OF_PLACE,
    PERSONAL,
    Chosen,
    SettingsSheet,
    value_code,
)
from bot.session.preferences import NotificationChoice, Openers, Personal, PlaceRules, read, stored
from bot.texts import LANGUAGES
from tests.chat_capabilities import CAPABILITIES
from tests.fakes import UPDATES, Desk, desk, person

DISCORD, TELEGRAM = CAPABILITIES["discord"], CAPABILITIES["telegram"]

ANA, EVA, BRUNO = person("Ana"), person("Eva"), person("Bruno")
ALONE = Where("fake", "ana-alone", private=True)
ROOM = Where("fake", "room", home=Home("server-1", None, "room"))
OTHER = Where("fake", "other", home=Home("server-1", None, "other"))
ROLE = Role("7", "Jugones")


@pytest.fixture
def manager(at: Desk) -> Asker:
    """Ana, who manages everything."""
    for place in ("room", "other", "group"):
        at.chat.standings[ANA.external, place] = PlaceStanding(manages=True)
    return ANA


def screen_of(answer: Answer) -> Screen:
    assert isinstance(answer, Card | MenuAnswer), answer
    return answer.screen


def choice(screen: Screen, label: str) -> Choice:
    found = {one.label: one for one in screen.choices}
    return found[label]


async def pressed(at: Desk, who: Asker, where: Where, code: str) -> Answer:
    press = Press(f"u{next(UPDATES)}", where, who, code, "card", whispered=True, own=True)
    answer = await at.facade.requests.press(press)
    await at.settle()
    return answer


async def opened(at: Desk, who: Asker, where: Where) -> Screen:
    return screen_of(await at.call(who, "settings", where, whispered="yes"))


async def place_of(at: Desk, who: Asker, where: Where) -> Screen:
    screen = await opened(at, who, where)
    ((*_, button),) = screen.rows
    return screen_of(await pressed(at, who, where, button.code))


async def choose(
    at: Desk, who: Asker, where: Where, screen: Screen, label: str, value: str
) -> Screen:
    (code,) = (one.code for one in choice(screen, label).options if one.label == value)
    return screen_of(await pressed(at, who, where, code))


# ---------------------------------------------------------------- what there is to choose


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("rows", [PERSONAL, OF_PLACE], ids=["me", "place"])
def test_every_row_and_every_value_has_its_words(rows, code):
    rest = Personal() if rows is PERSONAL else PlaceRules(openers=Openers.ROLES)
    whose = "me" if rows is PERSONAL else "place"
    sheet = SettingsSheet(
        code, b"k", whose, Chosen(None, rest), CAPABILITIES["discord"], "here", "1", (ROLE,)
    )
    pages = [sheet.screen(), sheet.screen(CLUB)]
    assert {row.key for row in rows} <= FORMS[whose].keys()
    every = {one.label: one for page in pages for one in page.choices}
    assert len(every) >= len(rows)
    for page in pages:
        together = sum(len(form.choices) for form in page.forms)
        assert 2 * (len(page.choices) - together) + 2 + 2 <= 40
        assert all(0 < len(form.choices) <= 5 for form in page.forms)
    for one in every.values():
        labels = [option.label for option in one.options]
        assert len(set(labels)) == len(labels) <= 25
        assert len({option.code for option in one.options}) == len(labels)


def test_what_a_row_chooses_is_kept_and_read_again():
    for rows, rest in ((PERSONAL, Personal()), (OF_PLACE, PlaceRules())):
        for row in rows:
            for value in row.values:
                after = Chosen(None, rest).after(row, value_code(value))
                assert after is not None
                assert after.value(row) == value
                assert read(type(rest), stored(after.rest)) == after.rest


def test_the_longest_code_fits_into_a_button_of_a_telegram_group():
    sheet = SettingsSheet(
        "es", b"k", "me", Chosen(None, Personal()), CAPABILITIES["telegram"], "-1001234567890"
    )
    codes = [option.code for one in sheet.screen().choices for option in one.options]
    assert max(len(code.encode()) for code in codes) <= 64


# ---------------------------------------------------------------- of a person


async def test_two_settings_that_are_chosen_at_once_both_hold(at):
    screen = await opened(at, ANA, ALONE)
    chosen = (("Tema", "oscuro"), ("Piezas de shogi", "dos kanji"))
    codes = [
        next(one.code for one in choice(screen, row).options if one.label == value)
        for row, value in chosen
    ]
    await asyncio.gather(*(pressed(at, ANA, ALONE, code) for code in codes))
    screen = await opened(at, ANA, ALONE)
    assert [choice(screen, row).options[choice(screen, row).chosen].label for row, _ in chosen] == [
        value for _, value in chosen
    ]


async def test_what_is_noted_of_a_place_undoes_nothing_that_is_chosen_there(at):
    places, here = at.facade.services.places, Where("fake", "server-1", home=Home("server-1"))
    await asyncio.gather(places.settle(here), places.choose(here, theme="dark"))
    assert (await places.rules(here)).theme == "dark"
    assert (await places.at(here)).settings["home"] == "server-1"


async def test_settings_are_shown_where_nobody_else_reads_them(at):
    answer = await at.call(ANA, "settings")
    assert isinstance(answer, PrivateRefusal)
    assert answer.table == "settings-group"
    assert (await opened(at, ANA, ALONE)).headline == "Tus ajustes"


async def test_a_choice_is_kept_and_shown(at):
    screen = await opened(at, ANA, ALONE)
    assert choice(screen, "Avisarme").chosen == 1
    screen = await choose(at, ANA, ALONE, screen, "Avisarme", "nunca")
    assert choice(screen, "Avisarme").chosen == 3
    me = await at.facade.services.people.of(ANA)
    assert (await at.facade.services.people.personal(me.id)).calls is NotificationChoice.NEVER


async def test_the_language_is_chosen_there_too(at):
    screen = await opened(at, ANA, ALONE)
    screen = await choose(at, ANA, ALONE, screen, "Idioma", "inglés")
    assert screen.headline == "Your settings"
    screen = await choose(at, ANA, ALONE, screen, "Language", "automatic")
    assert screen.headline == "Tus ajustes"


async def test_a_long_row_opens_and_goes_back(at):
    screen = await opened(at, ANA, ALONE)
    zone = screen_of(await pressed(at, ANA, ALONE, choice(screen, "Zona horaria").opens))
    assert zone.headline == "Zona horaria"
    ((alone,),) = (zone.choices,)
    (canary,) = (one for one in alone.options if one.label == "Canarias")
    back = screen_of(await pressed(at, ANA, ALONE, canary.code))
    assert back.headline == "Tus ajustes"
    me = await at.facade.services.people.of(ANA)
    assert (await at.facade.services.people.personal(me.id)).zone == "Atlantic/Canary"


async def test_what_has_more_than_two_values_shows_them_all_before_one_is_chosen(at):
    for one in (await opened(at, ANA, ALONE)).choices:
        assert bool(one.opens) == (len(one.options) > 2), one.label


async def private_game(at: Desk, game: str = "shogi") -> str:
    await at.call(ANA, "play", ALONE, game=game, opponent="ordenador", level="1", side="sente")
    (message,) = (m for m in at.chat.messages.values() if m.where == ALONE)
    return message.screen.table


async def test_the_theme_and_the_pieces_reach_the_boards_that_stand(at):
    code = await private_game(at)
    assert at.chat.board(code, ALONE).screen.scene.theme == "light"
    screen = await opened(at, ANA, ALONE)
    screen = await choose(at, ANA, ALONE, screen, "Tema", "oscuro")
    assert at.chat.board(code, ALONE).screen.scene.theme == "dark"
    before = at.chat.board(code, ALONE).picture
    await choose(at, ANA, ALONE, screen, "Piezas de shogi", "letras y flechas")
    assert at.chat.board(code, ALONE).screen.scene.theme == "dark-western"
    assert at.chat.board(code, ALONE).picture != before


async def test_a_look_in_materials_reaches_the_boards_that_stand_but_not_those_for_weak_eyes(at):
    code = await private_game(at)
    screen = await opened(at, ANA, ALONE)
    materia = "Materia: madera, mar, fieltro y papel"
    screen = await choose(at, ANA, ALONE, screen, "Aspecto de los tableros", materia)
    assert at.chat.board(code, ALONE).screen.scene.theme == "material"
    screen = await choose(at, ANA, ALONE, screen, "Tema", "oscuro")
    assert at.chat.board(code, ALONE).screen.scene.theme == "material_dark"
    await choose(at, ANA, ALONE, screen, "Tema", "claro, apto para daltónicos")
    assert at.chat.board(code, ALONE).screen.scene.theme == "safe"


async def test_pieces_are_for_the_game_that_has_them(at):
    screen = await opened(at, ANA, ALONE)
    await choose(at, ANA, ALONE, screen, "Piezas de shogi", "dos kanji")
    await at.call(ANA, "play", ALONE, game="cirya", opponent="ordenador", level="1")
    (message,) = (m for m in at.chat.messages.values() if m.where == ALONE)
    assert message.screen.scene.theme == "light"


async def test_ones_own_side_may_be_left_where_it_is(at):
    await at.call(ANA, "play", ALONE, game="shogi", opponent="ordenador", level="1", side="gote")
    (message,) = (m for m in at.chat.messages.values() if m.where == ALONE)
    code = message.screen.table
    assert at.chat.board(code, ALONE).screen.scene.bottom == 1
    screen = await opened(at, ANA, ALONE)
    await choose(at, ANA, ALONE, screen, "Mi lado abajo (en privado)", "no, el de quien empezó")
    assert at.chat.board(code, ALONE).screen.scene.bottom == 0


async def test_what_one_person_chooses_changes_no_board_that_many_share(at):
    await at.call(ANA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Aceptar")
    edits = at.chat.messages[message.id].edits
    screen = await opened(at, ANA, ALONE)
    screen = await choose(at, ANA, ALONE, screen, "Tema", "oscuro")
    await choose(at, ANA, ALONE, screen, "Idioma", "inglés")
    after = at.chat.messages[message.id]
    assert (after.edits, after.screen.scene.theme, after.screen.language) == (edits, "light", "es")


# ---------------------------------------------------------------- of a place


async def test_who_manages_nothing_is_offered_no_place_and_refused_one(at, manager):
    ((only,),) = (await opened(at, EVA, ROOM)).rows
    assert only.label == "Mis vacaciones »"
    screen = await place_of(at, manager, ROOM)
    code = choice(screen, "Tema de los tableros").options[2].code
    answer = await pressed(at, EVA, ROOM, code)
    assert not answer.good
    assert answer.said == "Eso lo decide quien administra."
    assert await at.facade.services.places.rules(ROOM) == PlaceRules()


@pytest.mark.slow
async def test_what_a_place_chooses_holds_in_all_of_its_server(at, manager):
    await at.call(EVA, "play", OTHER, game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Aceptar")
    screen = await place_of(at, manager, ROOM)
    screen = await choose(at, manager, ROOM, screen, "Tema de los tableros", "oscuro")
    assert at.chat.messages[message.id].screen.scene.theme == "dark"
    await choose(at, manager, ROOM, screen, "Idioma de los tableros", "inglés")
    assert at.chat.messages[message.id].screen.language == "en"


@pytest.mark.slow
async def test_who_may_open_tables(at, manager):
    screen = await place_of(at, manager, ROOM)
    screen = await choose(at, manager, ROOM, screen, "Quién abre mesas", "solo quien administra")
    refused = await at.call(EVA, "play", ROOM, game="niya")
    assert refused.said.startswith("Aquí solo abren mesas quienes administran. En privado abres tú")
    assert at.chat.messages == {}
    assert (await at.call(manager, "play", ROOM, game="niya")).good
    assert (await at.call(EVA, "play", Where("fake", "eva", private=True), game="niya")).good


async def test_only_a_role_that_was_chosen_opens_tables(tmp_path):
    async with desk(tmp_path) as at:
        rules = PlaceRules(openers=Openers.ROLES, roles=("7",))
        await at.facade.services.places.choose(ROOM, lambda _: rules)
        at.chat.standings[BRUNO.external, "room"] = PlaceStanding(roles=frozenset({"7", "8"}))
        assert not (await at.call(EVA, "play", ROOM, game="niya")).good
        assert (await at.call(BRUNO, "play", ROOM, game="niya")).good


@pytest.mark.slow
async def test_tables_are_opened_only_in_the_channels_that_were_chosen(at, manager):
    screen = await place_of(at, manager, ROOM)
    only_here = "solo en los canales elegidos, y este lo es"
    screen = await choose(at, manager, ROOM, screen, "Dónde se abren mesas", only_here)
    assert (await at.call(EVA, "play", ROOM, game="niya")).good
    refused = await at.call(EVA, "play", OTHER, game="niya")
    assert refused.said == "En este canal no se abren mesas; prueba en otro."
    thread = replace(OTHER, place="thread", home=Home("server-1", None, "room"))
    assert (await at.call(EVA, "play", thread, game="cirya")).good
    await choose(at, manager, ROOM, screen, "Dónde se abren mesas", "en todos los canales")
    assert (await at.call(EVA, "play", OTHER, game="niya")).good


async def test_a_place_chooses_how_many_tables_it_has(at, manager, monkeypatch):
    monkeypatch.setattr(quotas, "PERSON", 3)
    await at.facade.services.places.choose(ROOM, each=1, most=2)
    assert (await at.call(EVA, "play", ROOM, game="niya")).good
    assert not (await at.call(EVA, "play", ROOM, game="niya")).good
    assert (await at.call(BRUNO, "play", ROOM, game="niya")).good
    assert not (await at.call(ANA, "play", ROOM, game="niya")).good


async def test_in_a_group_of_telegram_the_place_is_managed_from_the_private_chat(at, manager):
    answer = await at.call(manager, "settings", ALONE, place="group")
    ((*_, button),) = screen_of(answer).rows
    screen = screen_of(await pressed(at, manager, ALONE, button.code))
    assert screen.headline == "Ajustes de este sitio"
    await choose(at, manager, ALONE, screen, "Avisos a los jugadores", "no")
    assert not (await at.facade.services.places.rules(at.where)).calls


async def test_among_equals_the_opener_speaks_for_his_table(at):
    circle = Where("fake", "circle")
    for who in (ANA, EVA):
        at.chat.standings[who.external, "circle"] = PlaceStanding(equals=True)
    await at.call(ANA, "play", circle, game="niya")
    (message,) = at.chat.messages.values()
    await at.call(EVA, "language", circle, language="en")
    assert at.chat.messages[message.id].screen.language == "es"
    await at.call(ANA, "language", circle, language="en")
    assert at.chat.messages[message.id].screen.language == "en"


async def test_what_a_chat_has_noted_of_a_place_outlives_its_settings(at, manager):
    assert await at.facade.boards.places.first_time(at.where, "greeted")
    await at.facade.services.places.choose(at.where, calls=False)
    assert not await at.facade.boards.places.first_time(at.where, "greeted")
