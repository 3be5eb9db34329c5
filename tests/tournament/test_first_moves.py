"""Who is called to a game of a tournament hears how soon it is lost without a first move."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.notify.recipients import Reason
from bot.port import Asker
from bot.presenters.button_codes import Action, ChatButtons
from bot.presenters.table.composer import Composer
from bot.presenters.table.notifications import NotificationWords
from bot.presenters.table.side_panel import side_panel_of
from bot.presenters.table.viewers import Viewer
from bot.session.game_clock import instant
from tests.tournament.test_bad_days import begun

KEY = b"k" * 32
SOON = {"es": "2 min para hacer tu primera", "en": "2 min for your first move"}


async def first_game(at, clock):
    evening = await begun(at, clock, ("format", "robin"), ("clock", "15m+10s"))
    return evening, await evening.table((await evening.waiting())[0])


def asker(table, seat):
    name = table.players[seat].name
    return Asker("fake", f"id-{name}", name, "es")


def heard(table, reason, seat, language, now):
    said = NotificationWords(table, language, instant(now))
    return said.said(reason, [table.players[seat].person])


@pytest.mark.parametrize("language", SOON)
@pytest.mark.parametrize("reason", [Reason.TOURNAMENT, Reason.TURN])
async def test_call_and_reminder_say_how_long_there_is_for_the_first_move(
    at, clock, reason, language
):
    evening, table = await first_game(at, clock)
    (mover,) = table.actors()
    now = evening.services.clock.steady()
    assert SOON[language] in heard(table, reason, mover, language, now)
    clock.wait(timedelta(seconds=90))
    later = evening.services.clock.steady()
    assert SOON[language].replace("2 min", "30 s") in heard(table, reason, mover, language, later)
    # Who waits for the first move hears the rule with the call to the beginning.
    other = heard(table, reason, 1 - mover, language, now)
    assert ("2 min" in other) == (reason is Reason.TOURNAMENT)


async def test_the_call_that_goes_out_says_so(at, clock):
    await first_game(at, clock)
    carried = [one.screen.headline for one in at.chat.messages.values() if one.screen.mentions]
    said = [*carried, *(ping.words for ping in at.chat.pings)]
    begins = [one for one in said if "empieza" in one]
    assert begins
    assert all("2 min" in one and "primera jugada" in one for one in begins), begins


async def test_the_board_counts_to_the_loss_until_both_have_moved(at, clock):
    evening, table = await first_game(at, clock)
    for turn in range(3):
        (mover,) = table.actors()
        shared = Composer(table, Viewer(language="en"), KEY).board()
        own = Composer(table, Viewer(mover, "es", personal=True), KEY)
        left = shared.countdown.until - evening.services.clock.now()
        beside = side_panel_of(table, table.players[mover].person, "en", KEY)
        if turn == 2:
            assert left > timedelta(minutes=10)
            assert "first move" not in shared.countdown.said + beside.due
            break
        assert timedelta(minutes=1) < left <= timedelta(minutes=2)
        assert shared.countdown.said == (
            f"⏳ {table.players[mover].name} loses the game without a first move"
        )
        assert own.board().countdown.said == "⏳ Haz tu primera jugada o pierdes la partida"
        assert beside.due == "⏳ Make your first move, or you lose the game"
        move = table.present.legal_moves(mover)[0]
        written = table.game.notation.written(table.present, move)
        await at.call(asker(table, mover), "move", table=table.code, move=written)
        table = await evening.table(table.code)


async def test_no_other_game_is_lost_without_a_first_move(at, clock):
    _, table = await first_game(at, clock)

    plain = replace(table, tournament="")
    shared = Composer(plain, Viewer(language="en"), KEY).board()
    assert "first move" not in shared.countdown.said


async def test_a_rematch_that_is_asked_for_after_a_tournaments_game_can_be_answered(at, clock):
    evening, table = await first_game(at, clock)
    who = [Asker("fake", f"id-{one.name}", one.name, "es") for one in table.players]
    await at.surely(who[0], "resign", table=table.code)
    over = await evening.table(table.code)
    assert not acts(over) & {Action.REMATCH, Action.ANSWER}
    await at.call(who[0], "rematch", table=table.code)
    asked = await evening.table(table.code)
    assert asked.offered("rematch")
    assert Action.ANSWER in acts(asked)


def acts(table) -> set[Action]:
    """What the keys of the shared board of *table* do."""
    board = Composer(table, Viewer(language="en"), KEY).board()
    return {ChatButtons(KEY).click(one.code).act for row in board.rows for one in row}


async def test_the_list_of_ones_tables_counts_to_the_loss_until_one_has_moved(at, clock):
    evening, table = await first_game(at, clock)
    for left in (r"([12] min|59 s)", "1[45] min"):
        (mover,) = table.actors()
        listed = (await at.call(asker(table, mover), "games")).said
        assert re.search(f"▶ .* · te toca · tiempo: {left}", listed)
        for _ in range(2):
            (mover,) = table.actors()
            move = table.present.legal_moves(mover)[0]
            written = table.game.notation.written(table.present, move)
            await at.call(asker(table, mover), "move", table=table.code, move=written)
            table = await evening.table(table.code)


async def test_a_game_lost_without_a_first_move_reads_as_over_in_words(at, clock):
    evening, table = await first_game(at, clock)
    (mover,) = table.actors()
    await evening.wait(2.1)
    lost = f"{table.players[mover].name} no ha venido a tiempo y pierde la partida."
    table = await evening.table(table.code)
    for viewer in (Viewer(language="es"), Viewer(mover, "es", personal=True)):
        said = Composer(table, viewer, KEY).told(instant(evening.services.clock.steady()))
        assert said[0] == lost
        assert not any("toca" in line for line in said)
