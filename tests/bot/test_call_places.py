"""Calls: where people are called, what they want, and what comes between."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.boards.delivery import Delivery
from bot.port import Asker, BlockedByFilter, ChatError, Later, Press, Where
from bot.session.preferences import NotificationChoice as Wanted
from storage.table import notifications
from storage.table.views import owing_views
from tests.bot.notification_helpers import (
    BRUNO,
    EVA,
    NEREA,
    after,
    board,
    called,
    heard,
    moved,
    playing,
)
from tests.fakes import Desk, FakeChat, desk

ALONE = Where("fake", "eva-alone", private=True)
OTHER = Where("fake", "another group")


# ---------------------------------------------------------------- where


async def test_who_plays_from_a_private_chat_is_called_there_and_nowhere_else(at, clock):
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    code = board(at).screen.table
    await at.call(EVA, "join", ALONE, table=code)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    shown = at.chat.board(code, at.where)
    await at.press(NEREA, shown, code=shown.moves[0].code)
    (call,) = at.chat.pings
    assert call.where.place == ALONE.place
    assert call.board == at.chat.board(code, ALONE).id
    assert call.called == ("Eva",)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (None, "your game of Niya against Bruno is over."),
        ("es", "ha terminado la partida de Niya"),
    ],
)
async def test_where_no_board_stands_a_call_speaks_ones_own_language_or_the_board_s(
    at, clock, chosen, words
):
    nerea, home = replace(NEREA, language="en"), Where("fake", "nerea-alone", private=True)
    await at.call(nerea, "play", game="niya", opponent=BRUNO)
    await at.press(BRUNO, board(at), "Accept")
    code = board(at).screen.table
    if chosen is not None:
        await at.call(nerea, "language", home, language=chosen)
    assert (await at.call(nerea, "record", home, table=code)).good
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    await at.surely(BRUNO, "resign", table=code)
    await after(at, clock, minutes=1)
    assert [call.text for call in at.chat.pings if "Nerea" in call.called and words in call.text]


async def test_in_a_private_chat_without_a_board_a_call_speaks_the_reader_s_language(at, clock):
    nerea, home = replace(NEREA, language="en"), Where("fake", "nerea-alone", private=True)
    await at.call(BRUNO, "play", game="niya", opponent=nerea)
    await at.press(nerea, board(at), "Aceptar")
    code = board(at).screen.table
    assert (await at.call(nerea, "record", home, table=code)).good
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    await at.surely(BRUNO, "resign", table=code)
    await after(at, clock, minutes=1)
    (said,) = [call.text for call in at.chat.pings if "Nerea" in call.called]
    assert said.startswith("your game of Niya against Bruno is over.")


@pytest.mark.parametrize(
    ("speaks", "words"),
    [
        ("es", "te toca en Niya contra Nerea."),
        ("en", "it’s your turn in Niya against Nerea."),
        ("", "it’s your turn in Niya against Nerea."),
    ],
)
async def test_a_call_beside_a_board_in_another_language_speaks_that_of_whom_it_calls(
    at, clock, speaks, words
):
    nerea, bruno = replace(NEREA, language="en"), replace(BRUNO, language=speaks)
    await at.call(nerea, "play", game="niya", opponent=bruno, side="red", begins="red")
    await at.press(bruno, board(at), "Accept")
    at.chat.pings.clear()
    await after(at, clock, minutes=1)
    await at.press(nerea, board(at), code=board(at).moves[0].code)
    assert [ping.text for ping in at.chat.pings if ping.called == ("Bruno",)] == [words]
    assert board(at).screen.language == "en"


async def test_so_does_a_call_that_a_board_in_another_language_carries(at, clock):
    nerea, bruno = replace(NEREA, language="en"), replace(BRUNO, language="es")
    await at.call(nerea, "play", game="niya", opponent=bruno, side="red", begins="red")
    await at.press(bruno, board(at), "Accept")
    await after(at, clock, minutes=1)
    at.chat.deep.add(board(at).id)
    await at.press(nerea, board(at), code=board(at).moves[0].code)
    assert [one.name for one in board(at).screen.mentions] == ["Bruno"]
    assert board(at).screen.headline == "te toca en Niya contra Nerea."
    assert board(at).screen.language == "en"


async def test_the_language_of_a_chat_program_outlives_a_restart(tmp_path, clock):
    """After a kill Spanish players got English calls until they pressed something."""
    nerea, bruno = replace(NEREA, language="en"), replace(BRUNO, language="es-ES")
    async with desk(tmp_path, clock=clock) as at:
        await at.call(nerea, "play", game="niya", opponent=bruno, side="red", begins="red")
        await at.press(bruno, board(at), "Accept")
        chat, code = at.chat, board(at).screen.table
    clock.wait(timedelta(minutes=5))
    async with desk(tmp_path, clock=clock, chat=FakeChat(messages=chat.messages)) as at:
        await at.press(nerea, at.chat.board(code), code=at.chat.board(code).moves[0].code)
        calls = [ping.text for ping in at.chat.pings if ping.called == ("Bruno",)]
        assert calls == ["te toca en Niya contra Nerea."]
        # What they choose goes on beside it, and another program tells another language.
        people = at.facade.services.people
        number = await people.number(bruno)
        await people.choose(number, zone="Europe/Madrid")
        assert await people.language_alone(number) == "es"
        await at.call(replace(bruno, language="en-GB"), "board", table=code)
        assert await people.language_alone(number) == "en"
        assert (await people.personal(number)).zone == "Europe/Madrid"
        # What nobody here speaks is left to the place.
        await at.call(replace(bruno, language="fr"), "board", table=code)
        assert await people.language_alone(number) == ""


async def test_who_has_moved_from_elsewhere_is_called_there_from_then_on(at, clock):
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    code = board(at).screen.table
    await at.call(EVA, "join", ALONE, table=code)
    for who, where in ((NEREA, at.where), (EVA, at.where), (NEREA, at.where)):
        await after(at, clock, minutes=1)
        at.chat.pings.clear()
        shown = at.chat.board(code, where)
        await at.press(who, shown, code=shown.moves[0].code)
    (call,) = [ping for ping in at.chat.pings if ping.called == ("Eva",)]
    assert call.where == at.where


async def test_in_a_lively_place_the_board_comes_down_with_the_call(at, clock):
    shown, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    at.chat.deep.add(shown.id)
    await moved(at, mover)
    new = board(at)
    assert new.id != shown.id
    assert [one.name for one in new.screen.mentions] == [other.name]
    assert new.screen.headline == f"te toca en Niya contra {mover.name}."
    assert shown.id in at.chat.removed
    assert at.chat.pings == []
    await moved(at, other)
    assert new.id not in at.chat.removed


async def test_a_board_without_names_stays_and_the_call_follows_it(at, clock):
    shown, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    at.chat.deep.add(shown.id)
    at.chat.failures.append(BlockedByFilter("a name"))
    await asyncio.wait_for(moved(at, mover), 10.0)
    assert board(at).id == shown.id
    assert [ping.called for ping in at.chat.pings] == [(other.name,)]
    assert not await at.facade.store.read(owing_views)


async def test_a_late_call_brings_the_board_down_as_well(at, clock):
    shown, mover, other = await playing(at)
    await moved(at, mover)
    at.chat.deep.add(shown.id)
    await after(at, clock, seconds=31)
    new = board(at)
    assert new.id != shown.id
    assert [one.name for one in new.screen.mentions] == [other.name]
    assert at.chat.pings == []


async def test_in_a_private_chat_the_board_stays_where_it_is(at, clock):
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    code = board(at).screen.table
    await at.call(EVA, "join", ALONE, table=code)
    await after(at, clock, minutes=1)
    at.chat.deep.add(at.chat.board(code, ALONE).id)
    shown = at.chat.board(code, at.where)
    await at.press(NEREA, shown, code=shown.moves[0].code)
    assert [ping.board for ping in at.chat.pings if ping.called == ("Eva",)] == [
        at.chat.board(code, ALONE).id
    ]


async def test_a_board_that_comes_while_its_call_is_weighed_lets_it_go(at, clock, monkeypatch):
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    code = board(at).screen.table
    await at.call(EVA, "join", ALONE, table=code)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    weighed, came = asyncio.Event(), asyncio.Event()
    notifications, show = at.facade.services.notifications, at.chat.show
    is_due = notifications.due.is_due

    async def show_late(target, screen, picture):
        if target.where == ALONE:
            await weighed.wait()
        return await show(target, screen, picture)

    async def weigh_long(*given):
        weighed.set()
        await came.wait()
        return await is_due(*given)

    monkeypatch.setattr(at.chat, "show", show_late)
    monkeypatch.setattr(notifications.due, "is_due", weigh_long)
    notifications.renderer.when_shown(lambda _: came.set() if weighed.is_set() else None)
    shown = at.chat.board(code, at.where)
    await at.press(NEREA, shown, code=shown.moves[0].code)
    assert [call.called for call in at.chat.pings] == [("Eva",)]


# ---------------------------------------------------------------- what people want


async def chosen(at: Desk, who: Asker, **wanted: object) -> None:
    people = at.facade.services.people
    await people.choose((await people.of(who)).id, **wanted)


@pytest.mark.sampled
@pytest.mark.parametrize("wanted", [Wanted.NEVER, Wanted.TIME])
async def test_who_wants_no_calls_gets_none(at, clock, wanted):
    _, mover, other = await playing(at)
    await chosen(at, other, calls=wanted)
    await after(at, clock, minutes=1)
    await moved(at, mover)
    await after(at, clock, minutes=1)
    assert other.name not in called(at)


async def test_who_always_wants_to_be_called_is_called_while_he_looks(at):
    _, mover, other = await playing(at)
    await chosen(at, other, calls=Wanted.ALWAYS)
    await moved(at, mover)
    assert called(at) == [other.name]


async def test_a_call_waits_for_the_end_of_the_quiet_hours(at, clock):
    _, mover, other = await playing(at)
    await chosen(at, other, quiet=(13, 15), zone="Europe/Madrid")
    await after(at, clock, minutes=1)  # a minute past one in Madrid
    await moved(at, mover)
    await after(at, clock, hours=1, minutes=58)
    assert other.name not in called(at)
    await after(at, clock, minutes=2)
    assert other.name in called(at)


async def test_a_place_may_forbid_calls(at, clock):
    _, mover, _ = await playing(at)
    await at.facade.services.places.choose(at.where, calls=False)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    await moved(at, mover)
    assert heard(at) == []


# ---------------------------------------------------------------- kills and failures


async def test_a_call_that_was_due_when_we_were_killed_is_made_once(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(Delivery.close, "__defaults__", (0.1,))
    async with desk(tmp_path, clock=clock) as at:
        _, mover, other = await playing(at)
        await after(at, clock, minutes=1)
        at.chat.pings.clear()
        at.chat.failures = [ChatError("killed here")] * 9
        shown = board(at)
        press = Press("killed", shown.where, mover, shown.moves[0].code, shown.id)
        await at.facade.requests.press(press)
    async with desk(tmp_path, clock=clock) as at:
        await at.settle()
        assert heard(at) == []
        await after(at, clock, seconds=36)
        assert called(at) == [other.name]
        await after(at, clock, minutes=5)
        assert len(at.chat.pings) == 1
    async with desk(tmp_path, clock=clock) as at:
        await after(at, clock, minutes=5)
        assert heard(at) == []


@pytest.mark.slow
async def test_a_late_call_whose_turn_is_over_is_dropped(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        _, mover, other = await playing(at)
        await moved(at, mover)
        code = board(at).screen.table
    async with desk(tmp_path, clock=clock) as at:
        await at.call(other, "board", table=code)
        await moved(at, other)
        await after(at, clock, seconds=6)
        assert other.name not in called(at)


async def test_a_place_that_asks_for_patience_is_called_into_later(at, clock):
    _, mover, _ = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    at.chat.refusing = [Later(0.01)]
    await moved(at, mover)
    assert heard(at) == []
    await after(at, clock, seconds=1)
    assert len(at.chat.pings) == 1


async def test_a_place_that_takes_no_calls_is_not_asked_for_ever(at, clock):
    _, mover, _ = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.refusing = [ChatError("no")] * 10
    await moved(at, mover)
    for _ in range(6):
        await after(at, clock, seconds=31)
    assert len(at.chat.refusing) == 7
    async with at.facade.store.reading() as tx:
        rows = await notifications.notifications_of_game(tx, board(at).screen.table)
    assert not [row for row in rows if row.due is not None]
