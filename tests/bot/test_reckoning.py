"""Whole games by the clock against a second reckoning, which knows true time and nothing else.

The house goes by its steady clock, events and folds. The reckoner adds up true milliseconds in
which the bot ran and the player could be reached, and has the control's rules in its own words.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.service.clock import SteadyClock
from bot.session import flag_fall, offers, play
from bot.session.events import OfferKind
from bot.session.game_clock import instant
from bot.session.table import PLAYING
from bot.session.time_controls import DAY, HOUR, MINUTE, SECOND, Control, read_control
from bot.session.unit_of_work import UnitOfWork
from tests.bot.timed import Timed

EPOCH = datetime(2026, 3, 29, tzinfo=UTC)
"""The night in which Europe puts its clocks forward."""

JUMPS = (HOUR, -HOUR, DAY, -DAY, 365 * DAY, -365 * DAY)
CONTROLS = ("5m+5s", "10m+3x30s", "15m+30s", "1m", "3m", "2h+1m", "30m")
STAMP = 10 * SECOND


@dataclass
class Reckoner:
    """What each player has left, told in true time."""

    control: Control
    banks: list[int] = field(default_factory=list)
    periods: list[int] = field(default_factory=list)
    spent: int = 0
    thought: int = 0
    """For how long whoever is to move has thought while it counted."""
    turn: int = 0

    def begin(self, seats: int) -> None:
        self.banks, self.periods = [self.control.bank] * seats, [self.control.periods] * seats

    def room(self, seat: int) -> int:
        """For how long *seat* may still think of this move."""
        if self.control.move:
            return self.control.move
        return self.banks[seat] + self.periods[seat] * self.control.period

    def move(self, seat: int) -> None:
        """*seat* has moved in time."""
        thought = max(0, self.thought)
        self.spent, self.thought, self.turn = self.spent + thought, 0, self.turn + 1
        if self.control.move:
            return
        from_bank = min(thought, self.banks[seat])
        self.banks[seat] -= from_bank
        rest = thought - from_bank
        while rest > self.control.period > 0:
            self.periods[seat] -= 1
            rest -= self.control.period
        self.banks[seat] += self.control.increment

    def fall(self, seat: int) -> None:
        """Nothing is left to *seat*: its flag has fallen."""
        self.banks[seat] = self.periods[seat] = 0


@dataclass(frozen=True)
class Passed:
    """Time that has passed in a turn, and how much of it the reckoner has *counted*."""

    turn: int
    time: int
    counted: int


class World:
    """A machine on which true time passes, however its clock is set and whatever dies on it."""

    def __init__(self, chance: random.Random, control: str) -> None:
        self.chance = chance
        self.true, self.wall = 0, 0
        self.steady = SteadyClock(self._shown, self._monotonic)
        self.stamp, self.stamped = self.steady(), 0
        self.unstamped: list[Passed] = []
        self.table = Timed(control, "niya")
        self._set_off()
        found = read_control(control)
        assert found is not None
        self.reckoner = Reckoner(found)
        self.reckoner.begin(2)
        self.outages: list[tuple[int, int]] = []

    @property
    def work(self) -> UnitOfWork:
        return self.table.work

    def _shown(self) -> datetime:
        return EPOCH + timedelta(milliseconds=self.wall)

    def _monotonic(self) -> float:
        return self.true / 1000

    def _set_off(self) -> None:
        """The game begins when the clock of the house says, not at noon."""
        self.steady.go_on(self.work.steady or self.steady())
        self.stamp = self.steady()

    def now(self) -> int:
        return instant(self.steady())

    def think(self, time: int, *, counts: bool = True) -> None:
        """So much true time passes while the bot runs."""
        since = self.true - self.stamped
        rest = (since + time) % STAMP
        if since + time >= STAMP:
            self._pass(time - rest, counts=counts)
            self.stamp, self.stamped, self.unstamped = self.steady(), self.true, []
            time = rest
        self._pass(time, counts=counts)

    def _pass(self, time: int, *, counts: bool) -> None:
        # After a kill the turn may begin anew only later on: until then time is nobody's.
        counted = time if counts else min(time, max(0, -self.reckoner.thought))
        self.true += time
        self.wall += time
        self.reckoner.thought += counted
        self.unstamped.append(Passed(self.reckoner.turn, time, counted))

    def die(self, down: int, *, killed: bool) -> None:
        """The bot stops for so long: what was not stamped before a kill never was."""
        if killed:
            for passed in self.unstamped:
                mine = passed.turn == self.reckoner.turn
                self.reckoner.thought -= passed.counted if mine else passed.time
        stopped = self.stamp if killed else self.steady()
        until = instant(stopped)
        self.outages = [(start, min(end, until)) for start, end in self.outages if start < until]
        self.true += down
        self.wall += down
        self.steady = SteadyClock(self._shown, self._monotonic)
        self.steady.go_on(stopped)
        self.stamp, self.stamped, self.unstamped = stopped, self.true, []

    def shut(self, time: int) -> None:
        """Whoever is to move cannot be reached for so long."""
        began = self.now()
        self.think(time, counts=False)
        self.outages.append((began, self.now()))

    def look(self) -> UnitOfWork:
        """The pen as the house holds it now."""
        self.work.steady = self.work.now = self.steady()
        self.work.away = {self.table.mover: self.outages}
        return self.work


def lived(seed: int) -> World:
    """A whole game in which anything may happen between two moves."""
    chance = random.Random(seed)
    world = World(chance, chance.choice(CONTROLS))
    table, reckoner = world.table, world.reckoner
    while not table.over:
        seat = table.mover
        room = reckoner.room(seat)
        for _ in range(chance.randrange(4)):
            match chance.randrange(5):
                case 0:
                    world.wall += chance.choice(JUMPS)
                case 1:
                    world.think(chance.randrange(STAMP))
                    world.die(chance.randrange(3 * DAY), killed=chance.random() < 0.5)
                case 2:
                    world.shut(chance.randrange(room * 2 + 1))
                case _:
                    world.think(chance.randrange(max(1, room // 8)))
        # Some think for ever, and some until the very instant.
        left = max(0, room - max(0, reckoner.thought))
        until = [0, left // 3, left // 2, left, left + 1, chance.randrange(40)]
        world.think(*chance.choices(until, (9, 9, 9, 9, 2, 9)))
        should_fall = max(0, reckoner.thought) > room
        work = world.look()
        fallen = flag_fall.fallen(work)
        claimed = table.clock.control.is_claimed
        assert (fallen is not None) == (should_fall and not claimed), (seed, reckoner)
        if should_fall:
            flag_fall.run_out(work)  # gives back what was lost, before anything falls
            if not table.over and not table.clock.late:
                flag_fall.run_out(world.look())
            if claimed:
                flag_fall.claim(world.look(), 1 - seat)
            assert table.over
            assert table.table.outcome is not None
            assert table.table.outcome.winner == 1 - seat
            reckoner.fall(seat)
            return world
        if chance.random() < 0.2:
            flag_fall.run_out(work)  # a deadline that comes too early
            assert not table.over
            work = world.look()
        moves = table.table.present.legal_moves(seat)
        play.play_moves(work, seat, (chance.choice(moves),))
        reckoner.move(seat)
        if not table.over and chance.random() < 0.05 and table.table.undo_to(seat) is not None:
            before = replace(table.clock)
            reckoned = list(reckoner.banks), list(reckoner.periods), reckoner.spent
            play.play_moves(world.look(), 1 - seat, (table.table.present.legal_moves(1 - seat)[0],))
            if table.over:
                reckoner.move(1 - seat)
                return world
            offers.place_offer(world.look(), 1 - seat, OfferKind.UNDO)
            offers.answer(world.look(), seat, OfferKind.UNDO, accepted=True)
            assert table.clock.left == before.left
            reckoner.banks, reckoner.periods, reckoner.spent = reckoned
            reckoner.thought, reckoner.turn = 0, reckoner.turn + 2
    return world


def agree(seed: int) -> None:
    world = lived(seed)
    clock, reckoner = world.table.clock, world.reckoner
    charged = sum(spent for spent in clock.spent if spent >= 0)
    assert charged == reckoner.spent, seed
    if not clock.control.move:
        assert list(clock.left) == reckoner.banks, seed
        assert list(clock.periods) == reckoner.periods, seed
    if seed % 10 == 0:
        assert world.table.again().clock == clock, seed


@pytest.mark.sampled
@pytest.mark.parametrize("first", [0, 100])
def test_two_hundred_games_agree_with_the_second_reckoning(first: int) -> None:
    for seed in range(first, first + 100):
        agree(seed)


@pytest.mark.slow
def test_ten_thousand_games_agree_with_the_second_reckoning() -> None:
    for seed in range(10_000):
        agree(seed)


def test_the_simulation_is_worth_something() -> None:
    worlds = [lived(seed) for seed in range(60)]
    ends = [world.table.table.outcome.reason for world in worlds if world.table.table.outcome]
    assert ends.count("time") > 10
    assert len(ends) - ends.count("time") > 10
    assert any(world.outages for world in worlds)
    assert any(world.reckoner.spent > MINUTE for world in worlds)
    assert all(world.table.table.status != PLAYING for world in worlds)
