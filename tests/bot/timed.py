"""Tables with a clock, played by a pen whose hands the test turns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.session import flag_fall, play
from bot.session.events import EVENTS, Event
from bot.session.fold import TABLES
from bot.session.game_clock import GameClock, instant
from bot.session.table import PLAYING, Player, Table
from bot.session.time_controls import SECOND, read_control
from games.core.shelf import find_game
from storage.records import MILLISECOND, EventRow, Written

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Timed:
    """A game that begins at noon; every length is in seconds."""

    def __init__(self, control: str, game: str = "shogi", seats: int = 2, **options: str) -> None:
        self.work = play.open_table(
            *("TIMELY", find_game(game)),
            options=options,
            begins="",
            seats=seats,
            host=1,
            secret=bytes(range(32)),
            now=NOON,
            steady=NOON,
            control=read_control(control),
        )
        for person in range(1, seats + 1):
            play.take_chair(self.work, Player(person, f"P{person}"))
        play.start(self.work)

    @property
    def table(self) -> Table:
        return self.work.table

    @property
    def clock(self) -> GameClock:
        assert self.table.clock is not None
        return self.table.clock

    @property
    def mover(self) -> int:
        (seat,) = self.table.actors()
        return seat

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        assert self.work.steady is not None
        self.work.now += timedelta(seconds=seconds)
        self.work.steady += timedelta(seconds=seconds)

    def move(self, after: float = 0.0) -> None:
        """Whoever is to move does so, the first way he may, unless his flag has fallen."""
        self.wait(after)
        late = flag_fall.fallen(self.work)
        if late is not None:
            flag_fall.fall(self.work, late)
            return
        seat = self.mover
        play.play_moves(self.work, seat, (self.table.present.legal_moves(seat)[0],))

    def left(self, seat: int) -> float:
        """What *seat* has left of its bank now."""
        assert self.work.steady is not None
        return self.clock.bank(seat, instant(self.work.steady))[0] / SECOND

    @property
    def over(self) -> bool:
        return self.table.status != PLAYING

    def again(self) -> Table:
        """The table that storage would make of the same events."""
        return TABLES.of("TIMELY", map(_kept, self.work.written))


def _kept(written: Written[Event]) -> EventRow:
    """The row as it comes back: with whole milliseconds."""
    row = EVENTS.encode(written)
    assert row.steady is not None
    cut = (row.steady - NOON) // MILLISECOND * MILLISECOND + NOON
    kept = EventRow(row.number, row.at, row.kind, row.seat, row.text, row.data, cut)
    assert EVENTS.decode(kept).event == written.event
    return kept
