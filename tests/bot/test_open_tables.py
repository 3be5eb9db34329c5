"""Open chairs: the tables that wait, old invitations, strangers."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.port import Answer, Asker, Card, MenuAnswer, Where
from bot.presenters.command_specs import find_command
from bot.session.preferences import Personal, PlaceRules
from bot.session.table import CLOSED, OPEN, PLAYING
from tests.bot.notification_helpers import BRUNO, EVA, NEREA, board
from tests.fakes import Desk, Message, person

OTHER = Where("fake", "another group")
ALONE = Where("fake", "id-Bruno", private=True)
RUTH = replace(person("Ruth"), language="en")
ALERTS, ALERTS_EN = "Avísame cuando alguien quiera jugar", "Tell me when somebody wants to play"


async def opened(
    at: Desk, game: str = "niya", who: Asker = NEREA, where: Where | None = None
) -> str:
    await at.call(who, "play", where, game=game)
    return board(at).screen.table


async def listed(at: Desk, who: Asker, where: Where | None = None) -> Message:
    return at.card(await at.call(who, "join", where), where)


async def pressed(at: Desk, who: Asker, card: Message, label: str) -> Message:
    """The same card after a press that changes it."""
    answer = await at.press(who, card, label)
    assert isinstance(answer, MenuAnswer), answer
    return at.card(answer, card.where)


async def wants(at: Desk, who: Asker, game: str = "Niya", where: Where | None = None) -> Message:
    card = await pressed(at, who, await listed(at, who, where), ALERTS)
    return await pressed(at, who, card, game)


async def choose(at: Desk, who: Asker, **chosen: object) -> int:
    people = at.facade.services.people
    number = (await people.of(who)).id
    await people.choose(number, **chosen)
    return number


# ---------------------------------------------------------------- the list


async def test_the_open_tables_of_a_place_have_a_button_each_that_seats_the_presser(at):
    code = await opened(at)
    card = await listed(at, BRUNO)
    label = f"Sentarme: Niya con Nerea · {code}"
    assert label in card.labels
    await at.press(BRUNO, card, label)
    assert (await at.facade.services.tables.get(code)).status == PLAYING


async def test_it_is_said_in_english_too_and_leads_on(at):
    code = await opened(at)
    card = await listed(at, RUTH)
    assert card.labels == [f"Sit down: Niya with Nerea · {code}", ALERTS_EN, "Set up a game"]
    assert card.screen.headline.startswith("These tables are waiting for players.")


async def test_nobody_finds_their_own_table_a_full_one_or_one_of_another_place(at):
    await opened(at)
    await opened(at, where=OTHER, who=EVA)
    assert not [one for one in (await listed(at, NEREA)).labels if "Sentarme" in one]
    assert len([one for one in (await listed(at, BRUNO)).labels if "Sentarme" in one]) == 1


async def test_other_names_of_the_command_are_understood(at):
    await opened(at)
    for name in ("mesas", "sentarse", "tables"):
        found = find_command(name)
        assert found is not None
        assert found.name == "join"


async def test_the_button_below_the_games_leads_there(at):
    code = await opened(at)
    sheet = at.card(await at.call(BRUNO, "play"))
    card = at.card(await at.press(BRUNO, sheet, "Mesas que esperan gente"))
    assert f"Sentarme: Niya con Nerea · {code}" in card.labels


async def test_the_list_of_games_says_how_many_wait_here(at):
    await opened(at)
    said = (await at.call(BRUNO, "games")).said
    assert "1 mesa de aquí espera gente: /unirse la muestra." in said
    await opened(at, who=EVA)
    assert (
        "2 tables here are waiting for players: /join shows them."
        in (await at.call(RUTH, "games")).said
    )
    assert "espera" not in (await at.call(BRUNO, "games", ALONE)).said


async def test_a_challenge_to_somebody_else_is_neither_offered_nor_counted(at):
    await at.call(EVA, "play", game="niya", opponent=NEREA)
    assert not [one for one in (await listed(at, BRUNO)).labels if "Sentarme" in one]
    assert "espera gente" not in (await at.call(BRUNO, "games")).said


async def test_a_challenge_to_an_at_name_is_offered_to_who_has_it(at):
    await at.call(EVA, "play", game="niya", opponent="@brunillo")
    assert not [one for one in (await listed(at, NEREA)).labels if "Sentarme" in one]
    card = await listed(at, replace(BRUNO, handle="brunillo"))
    assert [one for one in card.labels if one.startswith("Sentarme: Niya con Eva")]


async def test_who_sits_and_chooses_a_colour_hears_the_colour(at):
    code = await opened(at)
    answer = await at.press(NEREA, at.chat.board(code), "Con rojo")
    assert answer.said == "Jugarás con rojo."


# ---------------------------------------------------------------- old invitations


async def test_anybody_closes_an_invitation_that_nobody_accepted_for_half_an_hour(at, clock):
    code = await opened(at)
    refused = await at.call(BRUNO, "close", table=code)
    assert not refused.good
    assert "cuando en 30 minutos no haya venido nadie" in refused.said
    clock.wait(timedelta(minutes=31))
    card = await listed(at, BRUNO)
    question = at.card(await at.press(BRUNO, card, f"Cerrar {code}"))
    await at.press(BRUNO, question, code=question.screen.rows[0][0].code)
    table = await at.facade.services.tables.get(code)
    assert (table.status, table.closed) == (CLOSED, "unanswered")
    assert at.chat.board(code).screen.headline == (
        "Bruno ha cerrado la invitación: en media hora no ha venido nadie."
    )


async def test_a_challenge_is_closed_by_nobody_else(at, clock):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    code = board(at).screen.table
    clock.wait(timedelta(minutes=31))
    assert not (await at.call(EVA, "close", table=code)).good
    assert (await at.facade.services.tables.get(code)).status == OPEN


async def test_nobody_of_another_place_closes_it(at, clock):
    code = await opened(at)
    clock.wait(timedelta(minutes=31))
    assert not (await at.call(BRUNO, "close", OTHER, table=code)).good


# ---------------------------------------------------------------- strangers


async def let(at: Desk, *places: Where, people: tuple[Asker, ...] = ()) -> None:
    for where in places:
        await at.facade.services.places.choose(where, strangers=True)
    for one in people:
        await choose(at, one, strangers=True)


def afar(card: Message) -> list[str]:
    return [one for one in card.labels if "Niya con Nerea" in one]


async def test_by_choice_of_both_places_and_persons_strangers_meet(at):
    await let(at, at.where, OTHER, people=(NEREA, BRUNO))
    code = await opened(at)
    card = await listed(at, BRUNO, OTHER)
    assert afar(card) == ["Sentarme: Niya con Nerea"]
    assert "La última es de otro sitio." in card.screen.lines
    assert code not in repr((card.screen.headline, card.screen.lines, card.labels))
    await at.press(BRUNO, card, "Sentarme: Niya con Nerea")
    table = await at.facade.services.tables.get(code)
    assert table.status == PLAYING
    assert {m.where.place for m in at.chat.messages.values() if m.screen.table == code} == {
        at.where.place,
        OTHER.place,
    }


@pytest.mark.parametrize("lacking", ["here", "there", "host", "asker"])
async def test_without_one_of_the_four_nothing_is_shown_and_no_button_seats(at, lacking):
    await let(at, at.where, OTHER, people=(NEREA, BRUNO))
    code = await opened(at)
    card = await listed(at, BRUNO, OTHER)
    (label,) = afar(card)
    match lacking:
        case "here":
            await at.facade.services.places.choose(OTHER, lambda _: PlaceRules())
        case "there":
            await at.facade.services.places.choose(at.where, lambda _: PlaceRules())
        case "host":
            await choose(at, NEREA, strangers=False)
        case "asker":
            await choose(at, BRUNO, strangers=False)
    assert afar(await listed(at, BRUNO, OTHER)) == []
    answer = await at.press(BRUNO, card, label)
    assert not answer.good
    assert answer.said == "Esa mesa ya no está abierta a otros sitios."
    assert (await at.facade.services.tables.get(code)).status == OPEN


@pytest.mark.parametrize("refusing", [NEREA, BRUNO], ids=lambda one: one.name)
async def test_refusals_hold_between_strangers(at, refusing):
    await let(at, at.where, OTHER, people=(NEREA, BRUNO))
    await opened(at)
    whom = BRUNO if refusing is NEREA else NEREA
    number = (await at.facade.services.people.of(whom)).id
    await choose(at, refusing, refused=(number,))
    assert afar(await listed(at, BRUNO, OTHER)) == []


async def test_all_is_off_by_default(at):
    assert Personal().strangers is False
    assert PlaceRules().strangers is False
    await opened(at)
    assert afar(await listed(at, BRUNO, OTHER)) == []


async def test_a_private_chat_is_its_reader_s_own_place(at):
    await let(at, at.where, people=(NEREA, BRUNO))
    await opened(at)
    assert afar(await listed(at, BRUNO, ALONE)) == ["Sentarme: Niya con Nerea"]


async def test_where_a_place_allows_it_it_is_said_how_one_takes_part(at):
    await let(at, OTHER)
    card = await listed(at, BRUNO, OTHER)
    assert card.screen.lines == (
        "En /ajustes puedes elegir jugar también con gente de otros sitios.",
    )
    assert (await listed(at, BRUNO)).screen.lines == ()


async def test_a_challenge_is_shown_to_no_stranger(at):
    await let(at, at.where, OTHER, people=(NEREA, BRUNO))
    await at.call(NEREA, "play", game="niya", opponent=EVA)
    assert afar(await listed(at, BRUNO, OTHER)) == []


async def test_everybody_sees_a_place_s_own_tables_there_and_nothing_else(at):
    """quality.md, “another server's tables”: two places, every bare command, no foreign row."""
    code = await opened(at)
    for name in ("join", "games", "board", "close", "leave", "move", "settings", "help"):
        answer: Answer = await at.call(BRUNO, name, OTHER)
        told = repr(answer.screen) if isinstance(answer, Card) else answer.said
        assert code not in told
        assert "Nerea" not in told


async def test_tables_that_are_played_are_found_where_none_waits(at):
    await at.call(NEREA, "play", game="cirya", opponent="ordenador", level="1")
    await at.call(NEREA, "play", OTHER, game="niya", opponent="ordenador", level="1")
    card = await listed(at, NEREA)
    (mine,) = [one for one in card.labels if "Cirya" in one]
    assert not [one for one in card.labels if "Niya" in one], "tables elsewhere are not told here"
    assert "Cirya" not in str((await listed(at, BRUNO)).labels)
    shown = at.card(await at.press(NEREA, card, mine))
    assert shown.screen.table


async def test_the_key_of_ones_own_tables_shows_a_card_with_a_key_for_each(at):
    await at.call(NEREA, "play", game="cirya", opponent="ordenador", level="1")
    menu = at.card(await at.call(NEREA, "help"))
    card = at.card(await at.press(NEREA, menu, "Mis mesas"))
    assert card.screen.headline == "Mis mesas"
    assert "Cirya con" in card.screen.lines[0]
    (key,) = card.labels
    assert at.card(await at.press(NEREA, card, key)).screen.table
    none = at.card(await at.press(EVA, menu, "Mis mesas"))
    assert "Preparar una partida" in none.labels
