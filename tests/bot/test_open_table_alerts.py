"""Who is told of a new open table: people who asked for it, and a role."""

from __future__ import annotations

import pytest

from bot.port import Capabilities, ChatError, Command, Home, PlaceStanding, Role, Where
from bot.session.preferences import NotificationChoice, PlaceRules
from storage.table import open_table_alerts
from tests.bot.notification_helpers import BRUNO, EVA, NEREA, after, board, called
from tests.bot.test_open_tables import (
    ALERTS,
    ALONE,
    OTHER,
    RUTH,
    choose,
    listed,
    opened,
    pressed,
    wants,
)
from tests.fakes import Desk, desk, person


async def test_who_asked_is_told_once_and_by_name(at, clock):
    card = await wants(at, BRUNO)
    assert "✓ Niya" in card.labels
    code = await opened(at)
    await at.settle()
    shown = at.chat.board(code)
    told = [one.name for one in shown.screen.mentions] + called(at)
    assert told == ["Bruno"]
    assert "Nerea quiere jugar a Niya y queda una silla libre." in shown.screen.headline
    await after(at, clock, hours=2)
    assert called(at) == []


async def test_it_is_told_in_the_language_of_whom_it_tells(at):
    await wants(at, BRUNO)
    await at.call(RUTH, "play", game="niya")
    assert "Ruth quiere jugar a Niya y queda una silla libre." in board(at).screen.headline


async def test_who_speaks_english_is_told_in_english_below_a_spanish_board(at):
    card = await pressed(at, RUTH, await listed(at, RUTH), "Tell me when somebody wants to play")
    await pressed(at, RUTH, card, "Niya")
    await at.call(BRUNO, "play", game="niya")
    assert "Bruno wants to play Niya, and a seat is free." in board(at).screen.headline


async def test_it_says_how_many_seats_are_free(at):
    await pressed(at, BRUNO, await wants(at, BRUNO), "Parchís")
    await at.call(NEREA, "play", game="parchis", seats="4")
    assert "Nerea quiere jugar a Parchís y quedan 3 sillas libres." in board(at).screen.headline


async def test_nobody_is_told_of_another_game_another_place_or_a_challenge(at):
    await wants(at, BRUNO)
    await opened(at, "cirya")
    await opened(at, where=OTHER, who=EVA)
    await at.call(NEREA, "play", game="niya", opponent=EVA)
    shown = [one for message in at.chat.messages.values() for one in message.screen.mentions]
    assert BRUNO.external not in [one.external for one in shown]
    assert "Bruno" not in called(at)


async def test_a_second_press_ends_it(at):
    card = await wants(at, BRUNO)
    card = await pressed(at, BRUNO, card, "✓ Niya")
    assert "Niya" in card.labels
    await opened(at)
    assert board(at).screen.mentions == ()


async def test_at_most_one_call_an_hour(at, clock):
    await wants(at, BRUNO)
    for minutes, told in ((0, 1), (30, 0), (31, 1)):
        await after(at, clock, minutes=minutes)
        code = await opened(at)
        assert len(at.chat.board(code).screen.mentions) == told
        await at.surely(NEREA, "close", table=code)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "chosen", [{"calls": NotificationChoice.NEVER}, {"calls": NotificationChoice.TIME}]
)
async def test_who_wants_no_calls_is_not_told(at, clock, chosen):
    await wants(at, BRUNO)
    await choose(at, BRUNO, **chosen)
    await opened(at)
    await after(at, clock, minutes=1)
    assert board(at).screen.mentions == ()
    assert called(at) == []


async def test_quiet_hours_are_kept(at, clock):
    await wants(at, BRUNO)
    await choose(at, BRUNO, quiet=(12, 14), zone="UTC")
    await opened(at)
    await after(at, clock, minutes=1)
    assert board(at).screen.mentions == ()
    assert called(at) == []


async def test_a_place_that_forbids_calls_has_none(at, clock):
    await wants(at, BRUNO)
    await at.facade.services.places.choose(at.where, calls=False)
    await opened(at)
    await after(at, clock, minutes=1)
    assert board(at).screen.mentions == ()
    assert called(at) == []


@pytest.mark.sampled
@pytest.mark.parametrize("refusing", ["host", "asker"])
async def test_refusals_hold(at, refusing):
    await wants(at, BRUNO)
    people = at.facade.services.people
    nerea, bruno = (await people.of(NEREA)).id, (await people.of(BRUNO)).id
    who, whom = (NEREA, bruno) if refusing == "host" else (BRUNO, nerea)
    await choose(at, who, refused=(whom,))
    await opened(at)
    assert board(at).screen.mentions == ()


async def test_a_private_chat_has_no_alerts(at):
    card = await listed(at, BRUNO, ALONE)
    assert ALERTS not in card.labels


async def test_who_left_the_place_is_asked_after_and_not_told_any_more(at, clock):
    await wants(at, BRUNO)
    at.chat.gone[BRUNO.external, at.where.place] = None
    await opened(at)
    await after(at, clock, minutes=1)
    assert board(at).screen.mentions == ()
    assert called(at) == []
    number = (await at.facade.services.people.of(BRUNO)).id
    kept = await at.facade.store.read(open_table_alerts.alerts_of, number, "fake", at.where.place)
    assert kept == frozenset()


async def test_a_kill_between_the_table_and_the_call_loses_no_call(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        await wants(at, BRUNO)
        at.chat.failures = [ChatError("killed here")] * 99
        await at.facade.requests.call(Command("killed", at.where, NEREA, "play", {"game": "niya"}))
    async with desk(tmp_path, clock=clock) as at:
        await at.settle()
        await after(at, clock, minutes=1)
        told = [one.name for m in at.chat.messages.values() for one in m.screen.mentions]
        assert told + called(at) == ["Bruno"]


async def test_a_thread_belongs_to_its_channel(at):
    home = Home("server-1", None, "channel")
    channel, thread = Where("fake", "channel", home=home), Where("fake", "thread", home=home)
    await wants(at, BRUNO, where=thread)
    await at.call(NEREA, "play", channel, game="niya")
    assert [one.name for one in board(at).screen.mentions] == ["Bruno"]


async def test_my_data_tells_of_alerts_and_forgetting_erases_them(at):
    await wants(at, BRUNO)
    answer = await at.call(BRUNO, "mydata", ALONE)
    assert b'"alert"' in answer.file.data
    assert b'"niya"' in answer.file.data
    await at.surely(BRUNO, "forgetme", ALONE)
    await opened(at)
    assert board(at).screen.mentions == ()


async def test_two_chats_that_become_one_person_keep_each_alert_once(at):
    other = person("Bruno el otro")
    await wants(at, BRUNO)
    await wants(at, other)
    await wants(at, other, "Cirya")
    people = at.facade.services.people
    kept, gone = (await people.of(BRUNO)).id, (await people.of(other)).id
    async with at.facade.store.transaction() as tx:
        await people.join(tx, kept, gone)
    found = await at.facade.store.read(open_table_alerts.alerts_of, kept, "fake", at.where.place)
    assert found == {"niya", "cirya"}


async def test_a_group_that_moves_takes_its_alerts_along(at):
    await wants(at, BRUNO)
    await at.facade.boards.places.move_place(at.where, OTHER)
    await opened(at, where=OTHER)
    assert [one.name for one in board(at).screen.mentions] == ["Bruno"]


# ---------------------------------------------------------------- a role

SERVER = Home("server-1", None, "group")
HERE = Where("fake", "group", home=SERVER)


async def with_role(at: Desk) -> None:
    at.chat.capabilities = Capabilities(roles=True)
    at.chat.roles = lambda where: (Role("77", "Jugones"), Role("78", "Otros"))
    at.chat.standings[EVA.external, HERE.place] = PlaceStanding(manages=True)
    await at.facade.services.places.choose(HERE, seeking="77")


def roles_called(at: Desk) -> list[tuple[str, ...]]:
    return [ping.roles for ping in at.chat.pings if ping.roles]


async def test_the_role_of_a_place_is_called_once_to_a_table_for_anybody(at, clock):
    await with_role(at)
    await at.call(NEREA, "play", HERE, game="niya")
    await after(at, clock, minutes=1)
    assert roles_called(at) == [("77",)]
    (ping,) = at.chat.pings
    assert ping.people == ()
    assert ping.text == "Nerea busca a alguien para jugar a Niya."
    assert ping.board == board(at).id
    await at.call(EVA, "play", HERE, game="cirya")
    await after(at, clock, minutes=1)
    assert roles_called(at) == [("77",)]


async def test_its_call_goes_when_the_table_is_full(at, clock):
    await with_role(at)
    await at.call(NEREA, "play", HERE, game="niya")
    await after(at, clock, minutes=1)
    (ping,) = at.chat.pings
    await at.press(BRUNO, board(at), "Sentarme")
    await at.settle()
    assert ping.id in at.chat.removed


async def test_no_role_is_called_to_challenges_computers_or_where_none_is_chosen(at, clock):
    await with_role(at)
    await at.call(NEREA, "play", HERE, game="niya", opponent=BRUNO)
    await at.call(NEREA, "play", HERE, game="niya", opponent="ordenador")
    await at.facade.services.places.choose(HERE, lambda _: PlaceRules())
    await at.call(EVA, "play", HERE, game="niya")
    await after(at, clock, minutes=1)
    assert roles_called(at) == []


@pytest.mark.slow
async def test_a_manager_chooses_the_role_by_buttons(at):
    await with_role(at)
    await at.facade.services.places.choose(HERE, lambda _: PlaceRules())
    answer = await at.call(EVA, "settings", HERE, whispered="yes")
    sheet = at.card(answer, HERE)
    place = at.card(await at.press(EVA, sheet, "Ajustes de este sitio »"), HERE)
    code = [
        one.code
        for choice in place.screen.choices
        if choice.label == "Avisar a este rol de mesas abiertas"
        for one in choice.options
    ]
    await at.press(EVA, place, code=code[1])
    assert (await at.facade.services.places.rules(HERE)).seeking == "77"
    await at.press(EVA, place, code=code[0])
    assert (await at.facade.services.places.rules(HERE)).seeking == ""


async def test_a_role_is_called_every_ten_minutes_whatever_becomes_of_the_process(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        await with_role(at)
        await at.call(NEREA, "play", HERE, game="niya")
        await after(at, clock, minutes=1)
        assert roles_called(at) == [("77",)]
    async with desk(tmp_path, clock=clock) as at:
        await with_role(at)
        await at.call(EVA, "play", HERE, game="niya")
        await after(at, clock, minutes=8)
        assert roles_called(at) == []
        await at.call(RUTH, "play", HERE, game="cirya")
        await after(at, clock, minutes=2)
        assert roles_called(at) == []
        await at.call(BRUNO, "play", HERE, game="niya")
        await after(at, clock, minutes=1)
        assert roles_called(at) == [("77",)]
