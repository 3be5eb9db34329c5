"""Calls: who hears of what happens at a table, when, and until when."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.notify.recipients import Reason
from bot.port import Pace, PlaceShut, Uncalled, Where
from bot.presenters.table.notifications import NotificationWords
from bot.service.table.changes import Update
from bot.service.table.tables import Tables
from bot.session import play
from bot.session.table import Table
from storage.table import notifications as stored
from tests.bot.notification_helpers import (
    BRUNO,
    EVA,
    NEREA,
    after,
    board,
    called,
    challenged,
    heard,
    moved,
    playing,
)

ALONE = Where("fake", "eva-alone", private=True)
OTHER = Where("fake", "another group")


async def test_a_call_whose_kind_cannot_be_read_is_not_made(at):
    shown, *_ = await playing(at)
    code = shown.screen.table
    (row, *_) = await at.facade.store.read(stored.notifications_of_game, code)
    damaged = replace(row, kind="", due=at.facade.services.clock.steady(), turn=0)
    table = await at.facade.services.tables.get(code)
    assert not await at.facade.services.notifications.due.is_time(damaged, table, ALONE)


# ---------------------------------------------------------------- the challenge


async def test_the_challenged_is_called_by_the_message_that_invites_him(at):
    shown = await challenged(at)
    assert [one.name for one in shown.screen.mentions] == ["Bruno"]
    assert shown.screen.headline == "Nerea te reta a una partida amistosa de Niya."
    assert at.chat.pings == []


async def test_the_challenger_hears_that_it_was_accepted_unless_he_looks(at, clock):
    shown = await challenged(at, side="rojo", begins="rojo")
    await after(at, clock, seconds=31)
    await at.press(BRUNO, shown, "Aceptar")
    words = "Bruno ha aceptado tu reto: empieza la partida de Niya. Te toca."
    assert heard(at) == [(("Nerea",), words)]


async def test_who_looks_is_not_told_what_he_sees(at, clock):
    shown = await challenged(at)
    await at.press(BRUNO, shown, "Aceptar")
    await after(at, clock, seconds=29)
    assert heard(at) == []


async def test_the_challenger_hears_that_it_was_declined(at, clock):
    shown = await challenged(at)
    await after(at, clock, minutes=5)
    await at.press(BRUNO, shown, "No, gracias")
    assert heard(at) == [(("Nerea",), "Bruno no acepta la partida de Niya.")]
    assert at.chat.pings[0].board == shown.id


async def test_the_challenger_hears_that_nobody_answered_in_time(at, clock):
    await challenged(at)
    clock.wait(timedelta(hours=25))
    await at.facade.process_duties.deadlines.expire()
    await at.settle()
    words = "Bruno no ha contestado a tiempo: la mesa de Niya se ha cerrado."
    assert heard(at) == [(("Nerea",), words)]


async def test_nobody_is_called_for_what_he_does_himself(at, clock):
    shown = await challenged(at)
    await after(at, clock, minutes=5)
    await at.press(NEREA, shown, "No, gracias")
    await after(at, clock, minutes=5)
    assert heard(at) == []


# ---------------------------------------------------------------- turns


async def test_who_does_not_look_is_called_when_the_board_has_been_shown(at, clock):
    shown, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    await moved(at, mover)
    (call,) = at.chat.pings
    assert call.called == (other.name,)
    assert call.text == f"te toca en Niya contra {mover.name}."
    assert (call.board, call.where) == (shown.id, at.where)
    assert at.chat.messages[shown.id].edits >= 1


async def test_who_looks_is_called_thirty_seconds_later_if_he_has_not_moved(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    await after(at, clock, seconds=29)
    assert heard(at) == []
    await after(at, clock, seconds=2)
    assert called(at) == [other.name]


async def test_so_is_a_challenger_who_saw_it_begin_and_is_to_move(at, clock):
    shown = await challenged(at, side="rojo", begins="rojo")
    await at.press(BRUNO, shown, "Aceptar")
    at.chat.pings.clear()
    await after(at, clock, seconds=29)
    assert heard(at) == []
    await after(at, clock, seconds=2)
    assert heard(at) == [(("Nerea",), "te toca en Niya contra Bruno.")]


async def test_who_saw_the_table_begin_that_they_had_opened_hears_of_their_turn_alone(at, clock):
    await at.call(NEREA, "play", game="niya")
    await after(at, clock, seconds=5)
    await at.press(BRUNO, board(at), "Sentarme")
    table = await at.facade.services.tables.get(board(at).screen.table)
    (seat,) = table.actors()
    await after(at, clock, minutes=1)
    mover, other = table.players[seat].name, table.players[1 - seat].name
    assert heard(at) == [((mover,), f"te toca en Niya contra {other}.")]


async def test_where_boards_wait_for_their_turn_the_call_is_the_board_itself(at, clock):
    at.chat.limit = Pace(12, 20.0)
    shown, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    pacing = at.facade.services.delivery.pacing
    while not pacing.is_busy(at.where):
        pacing.limiter(at.where).note()
    await moved(at, mover)
    assert heard(at) == []
    fresh = board(at)
    assert fresh.id != shown.id
    assert shown.id in at.chat.removed
    assert fresh.screen.headline == f"te toca en Niya contra {mover.name}."
    assert [one.name for one in fresh.screen.mentions] == [other.name]
    await moved(at, other)
    assert board(at).id == fresh.id, "whoever looks is not called"


async def test_who_has_moved_by_then_is_not_called(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    await after(at, clock, seconds=10)
    await moved(at, other)
    await after(at, clock, seconds=25)
    assert other.name not in called(at)


@pytest.mark.slow
async def test_who_presses_something_meanwhile_is_left_in_peace_for_as_long_again(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    await after(at, clock, seconds=20)
    await at.press(other, board(at), "En palabras")
    await after(at, clock, seconds=15)
    assert heard(at) == []
    await after(at, clock, seconds=16)
    assert called(at) == [other.name]


@pytest.mark.slow
async def test_a_call_goes_when_it_is_answered_and_not_before(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.removed.clear()
    at.chat.pings.clear()
    await moved(at, mover)
    (call,) = at.chat.pings
    await at.press(other, board(at), "En palabras")
    assert call.id not in at.chat.removed
    await moved(at, other)
    assert call.id in at.chat.removed


@pytest.mark.slow
async def test_one_call_stands_a_table_and_person(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    await moved(at, mover)
    await at.press(mover, board(at), "Más")
    await at.call(mover, "undo")
    mine = [ping for ping in at.chat.pings if ping.called == (other.name,)]
    standing = [ping for ping in mine if ping.id not in at.chat.removed]
    assert len(mine) > 1
    assert standing == mine[-1:]


async def test_a_call_that_is_put_off_holds_up_no_board(at, clock):
    shown, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    at.chat.refusing = [Uncalled(3600)]
    await moved(at, mover)
    assert heard(at) == []
    edits = at.chat.messages[shown.id].edits
    await at.press(other, board(at), "Más")
    await at.call(mover, "undo")
    assert at.chat.messages[shown.id].edits > edits
    await after(at, clock, seconds=3601)
    assert other.name in called(at)


async def test_against_computers_only_who_has_gone_away_is_called(at, clock):
    await at.call(NEREA, "play", game="niya", opponent="ordenador")
    await after(at, clock, minutes=2)
    assert heard(at) == []


@pytest.mark.slow
async def test_the_same_person_hears_of_two_tables(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    await moved(at, mover)
    await at.call(other, "play", game="cirya", opponent=mover)
    shown = board(at)
    assert [one.name for one in shown.screen.mentions] == [mover.name]


# ---------------------------------------------------------------- offers, endings, news


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "game", "words"),
    [
        ("undo", "niya", "te pide deshacer su jugada en Niya."),
        ("draw", "storilljudhjorrayc", "te ofrece tablas en Storilljuðjorrayc."),
    ],
)
async def test_who_must_answer_an_offer_is_called(at, clock, name, game, words):
    _, mover, other = await playing(at, game)
    await moved(at, mover)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    await at.call(mover, name)
    answer = [ping for ping in at.chat.pings if ping.called == (other.name,)]
    assert [one.text for one in answer] == [f"{mover.name} {words}"]


async def test_a_call_that_waits_for_its_turn_gives_way_to_another_one(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    at.facade.services.delivery.pacing.limiter(at.where).pause(0.3)
    clock.wait(timedelta(seconds=31))
    at.facade.services.notifications.look_now()
    await asyncio.sleep(0.1)
    await at.call(mover, "undo")
    await at.settle()
    mine = [ping.text for ping in at.chat.pings if ping.called == (other.name,)]
    assert mine == [f"{mover.name} te pide deshacer su jugada en Niya."]


async def test_who_looks_while_a_call_waits_for_its_turn_is_not_called_then(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    at.facade.services.delivery.pacing.limiter(at.where).pause(0.3)
    clock.wait(timedelta(seconds=31))
    at.facade.services.notifications.look_now()
    await asyncio.sleep(0.1)
    await at.press(other, board(at), "En palabras")
    await at.settle()
    assert heard(at) == []
    await after(at, clock, seconds=31)
    assert called(at) == [other.name]


async def test_a_start_calls_nobody_sooner_who_looked_before_it(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    services = at.facade.services
    services.presence._pressed.clear()
    await services.notifications.start()
    await after(at, clock, seconds=20)
    assert heard(at) == []
    await after(at, clock, seconds=11)
    assert called(at) == [other.name]


async def test_an_offer_that_is_withdrawn_takes_its_call_away(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    await moved(at, other)
    await after(at, clock, seconds=31)
    await at.call(other, "undo")
    (asked,) = [ping for ping in at.chat.pings if "deshacer" in ping.text]
    await at.press(other, board(at), "Ya no deshacer")
    assert asked.id in at.chat.removed


async def test_an_offer_that_was_declined_gives_way_to_the_call_for_the_turn(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    await at.call(mover, "undo")
    at.chat.pings.clear()
    await at.press(other, board(at), "No deshacer")
    await after(at, clock, seconds=29)
    assert heard(at) == []
    await after(at, clock, seconds=2)
    assert heard(at) == [((other.name,), f"te toca en Niya contra {mover.name}.")]


async def test_an_offer_that_is_withdrawn_gives_way_to_it_too(at, clock):
    _, mover, other = await playing(at)
    await moved(at, mover)
    await at.call(mover, "undo")
    await after(at, clock, seconds=31)
    await at.press(mover, board(at), "Ya no deshacer")
    await after(at, clock, seconds=31)
    standing = [ping for ping in at.chat.pings if ping.id not in at.chat.removed]
    mine = [ping.text for ping in standing if ping.called == (other.name,)]
    assert mine == [f"te toca en Niya contra {mover.name}."]


async def test_who_offers_a_draw_at_his_turn_and_goes_away_is_called_to_it(at, clock):
    shown = await challenged(
        at, "storilljudhjorrayc", options="setup=fixed", side="verde", begins="verde"
    )
    await at.press(BRUNO, shown, "Aceptar")
    await at.call(NEREA, "draw")
    at.chat.pings.clear()
    await after(at, clock, seconds=31)
    assert "Nerea" in called(at)


async def test_the_end_is_told_to_who_was_away_and_then_the_rematch(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    await at.surely(mover, "resign")
    table = await at.facade.services.tables.get(board(at).screen.table)
    assert table.status == "ended"
    (over,) = at.chat.pings
    assert over.called == (other.name,)
    assert over.text.startswith(f"ha terminado la partida de Niya contra {mover.name}. ")
    await at.press(mover, board(at), "Revancha")
    (_, asked) = at.chat.pings
    assert asked.text == f"{mover.name} quiere la revancha de Niya."
    assert over.id in at.chat.removed


async def test_who_has_just_pressed_saw_the_end_and_is_called_neither_then_nor_later(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=25)
    await at.press(other, board(at), "En palabras")
    await at.surely(mover, "resign")
    await after(at, clock, seconds=31)
    assert heard(at) == []


async def test_who_has_just_seen_the_end_is_called_to_a_rematch_a_moment_later(at, clock):
    _, mover, other = await playing(at)
    await at.press(other, board(at), "En palabras")
    await at.surely(mover, "resign")
    await at.press(mover, board(at), "Revancha")
    assert heard(at) == []  # who wants it too presses meanwhile
    await after(at, clock, seconds=4)
    (asked,) = at.chat.pings
    assert (asked.called, asked.text) == (
        (other.name,),
        f"{mover.name} quiere la revancha de Niya.",
    )


async def test_a_call_about_the_end_goes_when_its_person_looks_at_the_board(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    await at.surely(mover, "resign")
    (over,) = at.chat.pings
    await at.press(mover, board(at), "En palabras")
    assert over.id not in at.chat.removed
    await at.press(other, board(at), "En palabras")
    await at.settle()
    assert over.id in at.chat.removed
    left = await at.facade.store.read(stored.notifications_of_game, board(at).screen.table)
    assert not left


async def test_news_is_known_to_who_has_looked_since(at, clock):
    _, mover, other = await playing(at)
    await at.surely(mover, "resign")
    await after(at, clock, seconds=10)
    await at.press(other, board(at), "En palabras")
    await after(at, clock, seconds=25)
    assert heard(at) == []


async def test_that_a_computer_takes_a_chair_over_is_told_to_the_others(at, clock):
    await at.call(NEREA, "play", game="parchis", seats="3")
    shown = board(at)
    await at.press(BRUNO, shown, "Sentarme")
    await at.press(EVA, shown, "Sentarme")
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    await at.surely(EVA, "resign")
    told = {name for ping in at.chat.pings if "Eva ha dejado" in ping.text for name in ping.called}
    table = await at.facade.services.tables.get(shown.screen.table)
    acting = {table.players[seat].name for seat in table.actors()}
    assert told | acting >= {"Nerea", "Bruno"}


async def test_a_table_that_goes_on_elsewhere_calls_who_was_left_where_we_are_shut_out(at, clock):
    shown, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    at.chat.failures = [PlaceShut("no more")]
    await moved(at, mover)
    await at.call(mover, "board", OTHER, table=shown.screen.table)
    carried = at.chat.board(shown.screen.table, OTHER).screen
    called = [p.called for p in at.chat.pings] + [tuple(one.name for one in carried.mentions)]
    assert (other.name,) in called


async def test_what_called_them_where_we_were_shut_out_goes_when_they_have_moved(at, clock):
    shown, mover, other = await playing(at)
    code = shown.screen.table
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    await moved(at, mover)
    (call,) = at.chat.pings
    closed_places = at.facade.services.delivery.closed_places
    await closed_places.refuse(at.where, PlaceShut("no more"))
    await at.call(mover, "board", OTHER, table=code)
    await closed_places.reopen(at.where)
    await at.press(other, at.chat.board(code, OTHER), code=at.chat.board(code, OTHER).moves[0].code)
    assert call.id in at.chat.removed


# ---------------------------------------------------------------- at once


class Slow:
    """Tables whose first answer takes so long that the table has changed meanwhile."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.asked, self.answers = asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> object:
        return getattr(self.tables, name)

    async def get(self, code: str) -> Table:
        table = await self.tables.get(code)
        if not self.asked.is_set():
            self.asked.set()
            await self.answers.wait()
        return table


async def test_a_call_for_news_is_not_dropped_by_who_still_looks_at_the_table_before_it(at, clock):
    shown, _, _ = await playing(at)
    code = shown.screen.table
    await after(at, clock, minutes=2)
    at.chat.pings.clear()
    slow = at.facade.services.notifications.tables = Slow(at.facade.services.tables)
    at.facade.services.notifications.schedule.put(code, at.facade.services.clock.steady())
    at.facade.services.notifications.look_now()
    await slow.asked.wait()
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    origin = Update("test", "over")
    await at.facade.services.changes.change(origin, code, lambda work: play.resign(work, seat))
    slow.answers.set()
    await at.settle()
    assert sorted(called(at)) == ["Bruno", "Nerea"]
    assert all(text.startswith("ha terminado la partida") for _, text in heard(at))


async def test_several_who_hear_that_it_begins_are_told_whose_turn_it_is(at):
    await at.call(NEREA, "play", game="parchis", seats="3")
    for one in (BRUNO, EVA):
        await at.press(one, board(at), "Sentarme")
    table = await at.facade.services.tables.get(board(at).screen.table)
    (seat,) = table.actors()
    mover, other, absent = (table.players[(seat + n) % 3] for n in range(3))
    both = [mover.person, other.person]
    words = f"empieza la partida de Parchís. Ahora juega {mover.name}."
    assert NotificationWords(table, "es").said(Reason.BEGUN, both) == words
    first, second = (one.name for one in table.players if one is not absent)
    words = f"empieza la partida de Parchís contra {first} y {second}. Ahora juega {mover.name}."
    assert NotificationWords(table, "es").said(Reason.BEGUN, [absent.person]) == words
