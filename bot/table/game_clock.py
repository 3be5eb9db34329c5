"""The clock of a game as an immutable value: what each player has left, and whose time runs. Pure.

Every instant is in milliseconds by the clock that nobody sets, every length in milliseconds. Who
is to move is charged from the instant at which his turn came to that at which his move arrived,
less what does not count. Computers are never charged: what they think is our work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeVar

from bot.table import events
from bot.table.controls import DAY, HOUR, Control
from bot.table.events import Event
from games.core import Entry, Seat
from storage.schema import EPOCH, MILLISECOND

GRACE: Final = DAY
"""What a player gets who is given more time instead of losing."""

NONE: Final = -1
"""Stands for the time of an entry of the log for which no clock ran."""


Value = TypeVar("Value")


def instant(at: datetime) -> int:
    """*at* as clocks count it, cut to the millisecond as storage cuts it."""
    return (at - EPOCH) // MILLISECOND


def at_instant(at: int) -> datetime:
    """The instant that clocks count as *at*."""
    return EPOCH + at * MILLISECOND


@dataclass(frozen=True)
class Turn:
    """A turn that *began* at an instant; *given* of its time back does not count.

    *stopped* is since when nothing of it counts.
    """

    began: int
    given: int = 0
    stopped: int | None = None

    def elapsed(self, now: int) -> int:
        """What counts of it up to *now*."""
        until = now if self.stopped is None else self.stopped
        return max(0, until - self.began - self.given)

    def going(self, *, stands: bool, now: int) -> Turn:
        """The same once it *stands* still from *now* on, or goes on."""
        if stands == (self.stopped is not None):
            return self
        if self.stopped is None:
            return replace(self, stopped=now)
        return replace(self, given=self.given + max(0, now - self.stopped), stopped=None)


@dataclass(frozen=True)
class GameClock:
    """What each seat has *left* of its bank and its *periods*, and the *turns* that run.

    *grace* is what was added to the present turns. *spent* has, for every entry of the log, the
    time that was charged for it. *late* are the seats whose time has run out while nobody has
    claimed; *paused* says that all agreed to stop, *resting* who is on holiday.
    """

    control: Control
    left: tuple[int, ...]
    periods: tuple[int, ...]
    grace: tuple[int, ...]
    turns: tuple[Turn | None, ...]
    spent: tuple[int, ...] = ()
    late: frozenset[Seat] = frozenset()
    paused: bool = False
    resting: frozenset[Seat] = frozenset()

    @classmethod
    def of(cls, control: Control, seats: int) -> GameClock:
        """The clock of *seats* players before the first turn."""
        none = (0,) * seats
        banks, periods = (control.bank,) * seats, (control.periods,) * seats
        return cls(control, banks, periods, none, (None,) * seats)

    # ---------------------------------------------------------------- what it shows

    def allowed(self, seat: Seat) -> int:
        """How long the present turn of *seat* may last."""
        return self._own(seat) + self.grace[seat]

    def remaining(self, seat: Seat, now: int) -> int:
        """What *seat* has left at *now*, byoyomi counted; less than 0 where it is over."""
        turn = self.turns[seat]
        return self.allowed(seat) - (0 if turn is None else turn.elapsed(now))

    def bank(self, seat: Seat, now: int) -> tuple[int, int]:
        """What *seat* has left of its bank at *now*, and how many periods."""
        turn = self.turns[seat]
        elapsed = 0 if turn is None else turn.elapsed(now)
        return self._charged(seat, max(0, elapsed - self.grace[seat]))

    def ends(self, seat: Seat) -> int | None:
        """The instant at which the time of *seat* is over if nothing happens, if it runs."""
        turn = self.turns[seat]
        if turn is None or turn.stopped is not None:
            return None
        return turn.began + turn.given + self.allowed(seat)

    def first(self) -> tuple[Seat, int] | None:
        """Whose time is over first, of those not late yet, and when."""
        ends = ((end, seat) for seat in range(len(self.turns)) if (end := self.ends(seat)))
        found = min(((end, seat) for end, seat in ends if seat not in self.late), default=None)
        return None if found is None else (found[1], found[0])

    def overstepped(self, seat: Seat, now: int) -> bool:
        """Whether the time of *seat* is over at *now*: its last instant still counts."""
        end = self.ends(seat)
        return end is not None and now > end

    def reminders(self, seat: Seat) -> Iterator[int]:
        """When *seat* is reminded of a turn that runs: at half and at a tenth of its time.

        A tenth below an hour is no reason for either: the call to the turn is all.
        """
        whole, end = self.control.move or self.control.bank, self.ends(seat)
        turn = self.turns[seat]
        if end is None or turn is None or whole // 10 < HOUR:
            return
        for before in (whole // 2, whole // 10):
            if end - before > turn.began:
                yield end - before

    # ---------------------------------------------------------------- what changes it

    def moved(self, seat: Seat, now: int, uncounted: int = 0) -> GameClock:
        """After a move of *seat*, of whose turn *uncounted* does not count."""
        turn = self.turns[seat]
        if turn is None:
            return self.noted(NONE)
        spent = max(0, turn.elapsed(now) - uncounted - self.grace[seat])
        left, periods = self._charged(seat, spent)
        left += self.control.increment
        nobody: Turn | None = None
        return replace(
            self,
            left=_put(self.left, seat, left),
            periods=_put(self.periods, seat, periods),
            grace=_put(self.grace, seat, 0),
            turns=_put(self.turns, seat, nobody),
            late=self.late - {seat},
            spent=(*self.spent, spent),
        )

    def noted(self, spent: int) -> GameClock:
        """After an entry of the log that is no charged move."""
        return replace(self, spent=(*self.spent, spent))

    def back(self, log: Sequence[Entry]) -> GameClock:
        """As it was when this was all of the *log*: taking back gives time back."""
        clock = replace(
            GameClock.of(self.control, len(self.left)), paused=self.paused, resting=self.resting
        )
        for entry, spent in zip(log, self.spent, strict=False):
            if spent == NONE:
                clock = clock.noted(NONE)
            else:
                begun: Turn | None = Turn(0)
                turns = _put(clock.turns, entry.seat, begun)
                clock = replace(clock, turns=turns).moved(entry.seat, spent)
        return clock

    def given(self, seat: Seat, time: int) -> GameClock:
        """*time* of the present turn of *seat* does not count."""
        turn = self.turns[seat]
        if turn is None:
            return self
        less: Turn | None = replace(turn, given=turn.given + time)
        return replace(self, turns=_put(self.turns, seat, less))

    def granted(self, seat: Seat, now: int) -> GameClock:
        """*seat*, whose time is over, has ``GRACE`` from *now* on."""
        turn = self.turns[seat]
        if turn is None:
            return self
        grace = max(0, turn.elapsed(now) - self._own(seat)) + GRACE
        return replace(self, grace=_put(self.grace, seat, grace), late=self.late - {seat})

    def standing(
        self, now: int, *, paused: bool | None = None, resting: frozenset[Seat] | None = None
    ) -> GameClock:
        """The clock once all agreed to stop or to go on, or somebody goes on holiday or returns."""
        changed = replace(
            self,
            paused=self.paused if paused is None else paused,
            resting=self.resting if resting is None else resting,
        )
        turns = tuple(
            turn and turn.going(stands=changed._stands(seat), now=now)
            for seat, turn in enumerate(changed.turns)
        )
        return replace(changed, turns=turns)

    def running(self, acting: Collection[Seat], now: int) -> GameClock:
        """The clock when it is for *acting* to move: turns begin and end at *now*."""
        if all((turn is not None) == (n in acting) for n, turn in enumerate(self.turns)):
            return self
        turns: list[Turn | None] = []
        for seat, turn in enumerate(self.turns):
            begun = turn or Turn(now, stopped=now if self._stands(seat) else None)
            turns.append(begun if seat in acting else None)
        over = (grace if turns[n] else 0 for n, grace in enumerate(self.grace))
        late = frozenset(seat for seat in self.late if seat in acting)
        return replace(self, turns=tuple(turns), grace=tuple(over), late=late)

    def after(self, event: Event, now: int, log: Sequence[Entry]) -> GameClock:
        """The clock after *event*, which leaves this *log*."""
        match event:
            case events.Moved(seat, forced=False, uncounted=uncounted):
                return self.moved(seat, now, uncounted)
            case events.Moved() | events.Drawn() | events.Said() | events.Judged():
                return self.noted(NONE)
            case events.Undone():
                return self.back(log)
            case events.GivenBack(seat, time):
                return self.given(seat, time)
            case events.Overstepped(seat):
                return replace(self, late=self.late | {seat})
            case events.Granted(to=seat):
                return self.granted(seat, now)
            case events.Paused():
                return self.standing(now, paused=True)
            case events.Resumed():
                return self.standing(now, paused=False)
            case events.Rested(seat):
                return self.standing(now, resting=self.resting | {seat})
            case events.Returned(seat):
                return self.standing(now, resting=self.resting - {seat})
            case _:
                return self

    # ---------------------------------------------------------------- parts

    def _own(self, seat: Seat) -> int:
        control = self.control
        return control.move or self.left[seat] + self.periods[seat] * control.period

    def _charged(self, seat: Seat, elapsed: int) -> tuple[int, int]:
        """The bank and the periods of *seat* after *elapsed*."""
        left, periods = self.left[seat], self.periods[seat]
        over = 0 if self.control.move else elapsed - left
        if over <= 0:
            return (left if self.control.move else left - elapsed), periods
        if periods:
            # What ends with a period has kept to it; the last is never used up.
            periods = max(1, periods - (over - 1) // self.control.period)
        return 0, periods

    def _stands(self, seat: Seat) -> bool:
        return self.paused or seat in self.resting


def _put(values: tuple[Value, ...], seat: Seat, value: Value) -> tuple[Value, ...]:
    return tuple(value if n == seat else old for n, old in enumerate(values))
