"""The clock of a game as an immutable value: what each player has left, and whose time runs. Pure.

Every instant is in milliseconds by the steady clock, every length in milliseconds. The player
to move is charged from the instant at which the turn came to that at which the move arrived,
less what does not count. Computers are charged only where a table says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias, TypeVar

from bot.session import events
from bot.session.events import Event
from bot.session.time_controls import DAY, HOUR, SECOND, Control
from games.core import Entry, Seat
from storage.records import EPOCH, MILLISECOND

GRANTED_TIME: Final = DAY
"""The time that one player grants another."""

MOVES_TO_COME: Final = 40
"""Among so many moves a computer shares what it has left."""

NONE: Final = -1
"""Stands for the time of an entry of the log for which no clock ran."""


Value = TypeVar("Value")

Span: TypeAlias = tuple[int, int]
"""From when to when something lasts."""

LASTING: Final = 1 << 62
"""The end of a span that is not over."""


def instant(at: datetime) -> int:
    """*at* as clocks count it, cut to the millisecond as storage cuts it."""
    return (at - EPOCH) // MILLISECOND


def at_instant(at: int) -> datetime:
    """The instant that clocks count as *at*."""
    return EPOCH + at * MILLISECOND


@dataclass(frozen=True)
class Turn:
    """A turn that *began* at an instant; neither its pauses nor what was *lost* of it count.

    Nothing counts since *stopped*; what was lost up to *told* is given back already.
    """

    began: int
    given: int = 0
    """How long it was stopped in all, up to now."""
    lost: int = 0
    """For how long of it the player could not be reached."""
    stopped: int | None = None
    told: int | None = None

    def elapsed(self, now: int) -> int:
        """What counts of it up to *now*."""
        until = now if self.stopped is None else self.stopped
        return max(0, until - self.began - self.given - self.lost)

    def going(self, *, stands: bool, now: int) -> Turn:
        """The same once it *stands* still from *now* on, or goes on."""
        if stands == (self.stopped is not None):
            return self
        if self.stopped is None:
            return replace(self, stopped=now)
        return replace(self, given=self.given + max(0, now - self.stopped), stopped=None, told=now)

    def untold(self, spans: Iterable[Span], now: int) -> int:
        """How much of it, up to *now*, lies in *spans* and is not told yet."""
        until = now if self.stopped is None else self.stopped
        time, seen = 0, self._measure
        for start, over in sorted(spans):
            first, last = max(start, seen), min(over, until)
            if last > first:
                time, seen = time + last - first, last
        return time

    def put_off(self, end: int, spans: Iterable[Span]) -> int:
        """When a turn is over that would be so at *end*, with what lies in *spans* given back."""
        seen = self._measure
        for start, over in sorted(spans):
            first = max(start, seen)
            if first <= end and over > first:
                end, seen = end + over - first, over
        return end

    @property
    def _measure(self) -> int:
        return self.began if self.told is None else self.told


@dataclass(frozen=True)
class GameClock:
    """What each seat has *left* of its bank and its *periods*, and the *turns* that run.

    *grace* is what was added to the present turns. *spent* has, for every entry of the log, the
    time that was charged for it. *late* are the seats whose time has run out while nobody has
    claimed; *paused* says that all agreed to stop.
    """

    control: Control
    left: tuple[int, ...]
    periods: tuple[int, ...]
    grace: tuple[int, ...]
    turns: tuple[Turn | None, ...]
    spent: tuple[int, ...] = ()
    late: frozenset[Seat] = frozenset()
    paused: bool = False

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

    def bank(self, seat: Seat, now: int) -> tuple[int, int]:
        """What *seat* has left of its bank at *now*, and how many periods."""
        turn = self.turns[seat]
        elapsed = 0 if turn is None else turn.elapsed(now)
        return self._charge(seat, max(0, elapsed - self.grace[seat]))

    def ends(self, seat: Seat, away: Iterable[Span] = ()) -> int | None:
        """The last instant that counts for *seat*, if its time runs; *away* does not count."""
        turn = self.turns[seat]
        if turn is None or turn.stopped is not None:
            return None
        return turn.put_off(turn.began + turn.given + turn.lost + self.allowed(seat), away)

    def running_out(self) -> Seat | None:
        """The seat whose time runs and is not over yet, if one's does: turns are one at a time."""
        running = (n for n, turn in enumerate(self.turns) if turn and turn.stopped is None)
        return next((seat for seat in running if seat not in self.late), None)

    def reminders(self, seat: Seat, away: Iterable[Span] = ()) -> Iterator[tuple[int, int]]:
        """When *seat* is reminded of a turn that runs: 0 at half, 1 at a tenth of its time.

        A tenth below an hour is no reason for either: the call to the turn is all.
        """
        whole, end = self.control.move or self.control.bank, self.ends(seat, away)
        turn = self.turns[seat]
        if end is None or turn is None or whole // 10 < HOUR:
            return
        for which, before in enumerate((whole // 2, whole // 10)):
            if end - before > turn.began:
                yield which, end - before

    def pace(self, seat: Seat) -> float:
        """How many seconds a computer may think about the move of *seat*, so that its time lasts.

        Half of what every move is given, a part of the bank.
        """
        control = self.control
        given = control.move or control.increment or (control.period if self.periods[seat] else 0)
        return (given / 2 + self.left[seat] / MOVES_TO_COME) / SECOND

    # ---------------------------------------------------------------- what changes it

    def moved(self, seat: Seat, now: int, uncounted: int = 0) -> GameClock:
        """After a move of *seat*; *uncounted* of the turn is not charged."""
        turn = self.turns[seat]
        if turn is None:
            return self.noted()
        spent = max(0, turn.elapsed(now) - uncounted - self.grace[seat])
        left, periods = self._charge(seat, spent)
        left += self.control.increment
        return replace(
            self,
            left=_put(self.left, seat, left),
            periods=_put(self.periods, seat, periods),
            grace=_put(self.grace, seat, 0),
            turns=_put(self.turns, seat, None),
            late=self.late - {seat},
            spent=(*self.spent, spent),
        )

    def noted(self) -> GameClock:
        """After an entry of the log that is no charged move."""
        return replace(self, spent=(*self.spent, NONE))

    def back(self, log: Sequence[Entry]) -> GameClock:
        """As it was when this was all of the *log*: taking back gives time back."""
        clock = replace(GameClock.of(self.control, len(self.left)), paused=self.paused)
        for entry, spent in zip(log, self.spent, strict=False):
            if spent == NONE:
                clock = clock.noted()
            else:
                turns = _put(clock.turns, entry.seat, Turn(0))
                clock = replace(clock, turns=turns).moved(entry.seat, spent)
        return clock

    def lost(self, seat: Seat, time: int, now: int) -> GameClock:
        """*time* of the turn of *seat* up to *now* is not charged: its player was not reached."""
        turn = self.turns[seat]
        if turn is None:
            return self
        less = replace(turn, lost=turn.lost + time, told=now)
        return replace(self, turns=_put(self.turns, seat, less))

    def granted(self, seat: Seat, now: int) -> GameClock:
        """*seat*, whose time is over, has ``GRACE`` from *now* on."""
        turn = self.turns[seat]
        if turn is None:
            return self
        grace = max(0, turn.elapsed(now) - self._own(seat)) + GRANTED_TIME
        return replace(self, grace=_put(self.grace, seat, grace), late=self.late - {seat})

    def standing(self, now: int, *, paused: bool) -> GameClock:
        """The clock once all have agreed to stop, or it goes on."""
        turns = (turn and turn.going(stands=paused, now=now) for turn in self.turns)
        return replace(self, paused=paused, turns=tuple(turns))

    def running(self, acting: Collection[Seat], now: int) -> GameClock:
        """The clock when it is for *acting* to move: turns begin and end at *now*."""
        if all((turn is not None) == (n in acting) for n, turn in enumerate(self.turns)):
            return self
        turns: list[Turn | None] = []
        for seat, turn in enumerate(self.turns):
            begun = turn or Turn(now, stopped=now if self.paused else None)
            turns.append(begun if seat in acting else None)
        over = (grace if turns[n] else 0 for n, grace in enumerate(self.grace))
        late = frozenset(seat for seat in self.late if seat in acting)
        return replace(self, turns=tuple(turns), grace=tuple(over), late=late)

    def after(self, event: Event, now: int, log: Sequence[Entry]) -> GameClock:
        """The clock after *event*, which leaves this *log*."""
        match event:
            case events.Moved(seat, forced=False, uncounted=uncounted):
                return self.moved(seat, now, uncounted)
            case events.Moved() | events.Drawn() | events.SaidAside() | events.Judged():
                return self.noted()
            case events.Undone():
                return self.back(log)
            case events.GivenBack(seat, time):
                return self.lost(seat, time, now)
            case events.Overstepped(seat):
                return replace(self, late=self.late | {seat})
            case events.Granted(to=seat):
                return self.granted(seat, now)
            case events.Flagged(seat):
                left, periods = _put(self.left, seat, 0), _put(self.periods, seat, 0)
                return replace(self, left=left, periods=periods)
            case events.Paused():
                return self.standing(now, paused=True)
            case events.Resumed():
                return self.standing(now, paused=False)
            case _:
                return self

    # ---------------------------------------------------------------- parts

    def _own(self, seat: Seat) -> int:
        control = self.control
        return control.move or self.left[seat] + self.periods[seat] * control.period

    def _charge(self, seat: Seat, elapsed: int) -> tuple[int, int]:
        """The bank and the periods of *seat* after *elapsed*."""
        left, periods = self.left[seat], self.periods[seat]
        over = 0 if self.control.move else elapsed - left
        if over <= 0:
            return (left if self.control.move else left - elapsed), periods
        if periods:
            # What ends with a period has kept to it; the last is never used up.
            periods = max(1, periods - (over - 1) // self.control.period)
        return 0, periods


def _put(values: tuple[Value, ...], seat: Seat, value: Value) -> tuple[Value, ...]:
    return tuple(value if n == seat else old for n, old in enumerate(values))
