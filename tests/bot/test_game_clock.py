"""The clock of a game (H16): the three ways of the seed, and whatever gives or takes time."""

from __future__ import annotations

import random

import pytest

from bot.session import flag_fall, offers, play
from bot.session.events import Flagged, OfferKind, Overstepped
from bot.session.game_clock import LASTING, NONE, instant
from bot.session.table import ENDED, Table
from bot.session.time_controls import DAY, HOUR, MINUTE, SECOND, BadControl, Control, read_control
from bot.session.unit_of_work import Refused
from games.core.shelf import shelf
from tests.bot.timed import Timed

NINE_HOURS = 9 * 3600


def events(table: Timed) -> list[type]:
    return [type(written.event) for written in table.work.written]


# ---------------------------------------------------------------- how long: the words


@pytest.mark.parametrize(
    ("typed", "control"),
    [
        ("9h+1m", Control(bank=9 * HOUR, periods=1, period=MINUTE)),
        ("9 horas + 60 s", Control(bank=9 * HOUR, periods=1, period=MINUTE)),
        ("9h", Control(bank=9 * HOUR)),
        ("1m", Control(move=MINUTE)),
        ("1 minuto por jugada", Control(move=MINUTE)),
        ("60s/jugada", Control(move=MINUTE)),
        ("3d", Control(move=3 * DAY)),
        ("3 días", Control(move=3 * DAY)),
        ("15m+30s", Control(bank=15 * MINUTE, periods=1, period=30 * SECOND)),
        ("10m+3x30s", Control(bank=10 * MINUTE, periods=3, period=30 * SECOND)),
        ("5m+5s", Control(bank=5 * MINUTE, increment=5 * SECOND)),
        ("1h30m", Control(bank=90 * MINUTE)),
        ("10m/move", Control(move=10 * MINUTE)),
        ("1d/game", Control(bank=DAY)),
        ("15m+30sf", Control(bank=15 * MINUTE, increment=30 * SECOND)),
        ("10m+10x5s", Control(bank=10 * MINUTE, periods=10, period=5 * SECOND)),
    ],
)
def test_h16_a_control_is_read_as_it_is_typed_and_kept(typed: str, control: Control) -> None:
    assert read_control(typed) == control
    assert read_control(control.text) == control


@pytest.mark.parametrize(
    "typed", ["x", "3", "-3d", "0m", "1s", "40d", "9h+", "9h+25x1m", "1h+2hf", "9h+1m日", "+5s"]
)
def test_what_is_no_control_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(BadControl):
        read_control(typed)


# ---------------------------------------------------------------- the three ways of the seed


def test_h16_nine_hours_each_and_then_a_minute_a_move() -> None:
    table = Timed("9h+1m")
    table.move(NINE_HOURS - 1)
    table.move(10)
    assert (table.left(0), table.left(1)) == (1, NINE_HOURS - 10)
    table.move(1 + 60)
    assert not table.over, "the last instant of the minute counts"
    table.move(10)
    table.move(60)
    table.move(10)
    assert table.left(0) == 0
    table.move(60.001)
    assert table.table.status == ENDED
    assert table.table.outcome is not None
    assert (table.table.outcome.reason, table.table.outcome.winner) == ("time", 1)


def test_h16_only_the_nine_hours() -> None:
    table = Timed("9h")
    table.move(NINE_HOURS)
    table.move(5)
    assert (table.left(0), table.left(1)) == (0, NINE_HOURS - 5)
    table.wait(0.001)
    flag_fall.run_out(table.work)
    assert events(table)[-1] is Overstepped, "so long a time is claimed"
    flag_fall.claim(table.work, 1)
    assert table.table.outcome is not None
    assert table.table.outcome.winner == 1


def test_h16_only_a_minute_a_move() -> None:
    table = Timed("1m")
    for _ in range(20):
        table.move(60)
    assert not table.over
    table.move(60.001)
    assert table.table.outcome is not None
    assert table.table.outcome.winner == 1


def test_h16_without_a_clock_there_is_none() -> None:
    table = Timed("")
    table.move(10**6)
    assert table.table.clock is None
    assert not table.over


# ---------------------------------------------------------------- byoyomi and increments


def test_periods_are_used_up_one_after_the_other_and_the_last_never() -> None:
    table = Timed("10m+3x30s")
    table.move(600 + 31)
    assert table.clock.periods == (2, 3)
    table.move()
    table.move(30)
    table.move()
    assert table.clock.periods[0] == 2, "a move within its period costs nothing"
    table.move(59)
    table.move()
    assert table.clock.periods[0] == 1
    table.move(30)
    table.move()
    table.move(30.001)
    assert table.over


def test_every_move_adds_the_increment() -> None:
    table = Timed("5m+5s")
    table.move(2)
    table.move(100)
    assert (table.left(0), table.left(1)) == (303, 205)


def test_a_move_that_plays_itself_is_neither_charged_nor_rewarded() -> None:
    table = Timed("5m+5s", "parchis", 2)
    rng = random.Random(3)
    for _ in range(200):
        if table.over:
            break
        table.wait(1)
        seat = table.mover
        play.play_moves(table.work, seat, (rng.choice(table.table.present.legal_moves(seat)),))
    moved = [w.event for w in table.work.written if hasattr(w.event, "forced")]
    log = [e for e in table.table.log if e.seat >= 0]
    charged = [s for s, e in zip(table.clock.spent, table.table.log, strict=True) if e.seat >= 0]
    assert len(moved) == len(log)
    assert {s for s, m in zip(charged, moved, strict=True) if m.forced} <= {NONE}
    assert {s for s, m in zip(charged, moved, strict=True) if not m.forced} == {SECOND}
    played = [sum(m.seat == seat and not m.forced for m in moved) for seat in (0, 1)]
    assert [table.left(seat) for seat in (0, 1)] == [300 + 4 * n for n in played]


# ---------------------------------------------------------------- the same, however it is read


def same(one: Table, other: Table) -> bool:
    return one.clock == other.clock and one.outcome == other.outcome


@pytest.mark.parametrize(
    ("game", "control"),
    [*zip(sorted(shelf()), ["5m+5s", "10m+3x30s", "9h+1m", "1m", "3d"], strict=False)],
)
def test_a_replay_agrees_to_the_millisecond(game: str, control: str) -> None:
    rng = random.Random(f"{game} {control}")
    table = Timed(control, game, max(shelf()[game].rules.seats))
    for step in range(40):
        if table.over:
            break
        table.wait(rng.choice([0.0004, 0.5, 3.3333, 29.9999, 61]))
        late = flag_fall.fallen(table.work)
        if late is not None:
            flag_fall.fall(table.work, late)
            continue
        seat = rng.choice(sorted(table.table.actors()))
        play.play_moves(table.work, seat, (rng.choice(table.table.present.legal_moves(seat)),))
        if rng.random() < 0.2 and not table.over and table.table.undo_to(seat) is not None:
            offers.place_offer(table.work, seat, OfferKind.UNDO)
            offers.answer(table.work, (seat + 1) % 2, OfferKind.UNDO, accepted=True)
        assert step % 8 or same(table.again(), table.table)
    assert same(table.again(), table.table)


def test_taking_back_gives_the_time_back() -> None:
    table = Timed("10m+3x30s")
    for _ in range(3):
        table.move(100)
        table.move(40)
    before = table.clock.left, table.clock.periods
    table.move(200 + 100 + 35)
    assert table.clock.periods == (2, 3)
    table.wait(50)
    offers.place_offer(table.work, 0, OfferKind.UNDO)
    offers.answer(table.work, 1, OfferKind.UNDO, accepted=True)
    assert (table.clock.left, table.clock.periods) == before
    table.wait(10)
    assert (table.left(0), table.left(1)) == (290, 480), "the turn begins anew"


def test_an_hour_apart_the_others_claim_or_give_a_day_more() -> None:
    table = Timed("3d")
    table.wait(3 * 86400)
    flag_fall.run_out(table.work)
    assert events(table)[-1] is not Overstepped, "the last instant counts"
    table.wait(0.001)
    flag_fall.run_out(table.work)
    assert table.clock.late == {0}
    with pytest.raises(Refused):
        flag_fall.claim(table.work, 0)
    flag_fall.grant(table.work, 1)
    assert table.clock.late == frozenset()
    table.wait(86400)
    flag_fall.run_out(table.work)
    assert not table.clock.late
    table.wait(0.001)
    flag_fall.run_out(table.work)
    assert table.clock.late == {0}
    table.move()
    assert (table.over, table.clock.late) == (False, frozenset()), "a move is before a claim"
    with pytest.raises(Refused):
        flag_fall.claim(table.work, 1)


def test_among_three_or_four_a_computer_takes_over_and_the_player_is_last() -> None:
    table = Timed("1m", "parchis", 4)
    seat = table.mover
    table.move(60.001)
    assert not table.over
    assert table.table.players[seat].level is not None
    assert table.table.leavers == {seat}
    assert Flagged in events(table)
    assert table.clock.turns[seat] is None, "computers are never charged"


@pytest.mark.parametrize("control", ["5m+5s", "10m+3x30s", "15m"])
def test_whose_flag_fell_has_nothing_left(control: str) -> None:
    table = Timed(control)
    table.move(10)
    seat = table.mover
    table.move(3600)
    assert Flagged in events(table)
    assert (table.clock.left[seat], table.clock.periods[seat]) == (0, 0)
    assert table.left(1 - seat) > 0
    assert table.again().clock == table.clock


@pytest.mark.parametrize("game", sorted(shelf()))
def test_in_every_game_who_oversteps_loses(game: str) -> None:
    options = {"setup": "fixed"} if game.startswith("storill") else {}
    table = Timed("1m", game, min(shelf()[game].rules.seats), **options)
    seat = table.mover
    table.move(60.001)
    assert table.table.outcome is not None
    assert table.table.outcome.reason == "time"
    assert seat in table.table.outcome.places[-1]
    assert seat not in table.table.outcome.places[0]


def test_while_all_agree_to_stop_no_time_passes() -> None:
    table = Timed("5m+5s")
    table.wait(10)
    offers.place_offer(table.work, 1, OfferKind.PAUSE)
    offers.answer(table.work, 0, OfferKind.PAUSE, accepted=True)
    table.wait(10**6)
    assert table.left(0) == 290
    assert flag_fall.fallen(table.work) is None
    offers.place_offer(table.work, 0, OfferKind.PAUSE)
    table.move(20)
    assert table.left(0) == 275
    assert same(table.again(), table.table)


def test_g14_no_bank_is_charged_for_a_set_up() -> None:
    table = Timed("10m+3x30s", "storilljudhjorrayc", setup="hidden")
    table.wait(250)
    assert table.clock.turns == (None, None)
    assert table.clock.control.set_up == 5 * MINUTE
    play.end_set_up(table.work)
    table.wait(7)
    assert table.left(table.mover) == 593


def test_what_is_lost_while_the_clock_stands_is_not_given_back_twice():
    table = Timed("1m")
    seat, began = table.mover, instant(table.work.steady)
    table.work.away = {seat: [(began + 5_000, began + 8_000), (began + 20_000, began + 30_000)]}
    table.wait(10)
    offers.place_offer(table.work, seat, "pause")
    offers.answer(table.work, 1 - seat, "pause", accepted=True)
    table.wait(30)
    offers.place_offer(table.work, 1 - seat, "pause")
    table.move(after=10)
    # Ten seconds less the three that were lost, and ten after the pause.
    assert table.clock.spent == (17_000,)
    assert table.again().clock == table.clock


def test_a_flag_waits_for_whoever_cannot_be_reached_and_no_event_tells_of_it_meanwhile():
    table = Timed("1m")
    seat, began = table.mover, instant(table.work.steady)
    table.work.away = {seat: [(began + 30_000, LASTING)]}
    table.wait(3600)
    version = table.table.version
    again = flag_fall.run_out(table.work)
    assert again is not None
    assert again >= LASTING
    assert table.table.version == version
    table.work.away = {seat: [(began + 30_000, began + 3_600_000)]}
    assert flag_fall.run_out(table.work) == began + 3_630_000
    table.wait(30.001)
    flag_fall.run_out(table.work)
    assert table.over
    assert table.again().clock == table.clock
