"""The unit of work: collects the events that one decision writes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from bot.session.events import Event, GivenBack
from bot.session.fold import TABLES
from bot.session.game_clock import Span, instant
from bot.session.table import Table
from games.core import Arg, RuleError, Seat, phrase
from games.core.chance import Draws
from storage.records import EventWriter

Sought = TypeVar("Sought")


class Refused(RuleError):
    """The table does not allow it; the sentence says why."""


refuse_if = Refused.raise_if


def need(found: Sought | None, key: str, **args: Arg) -> Sought:
    """What was *found*; raises ``Refused`` with the phrase *key* where that is nothing."""
    if found is None:
        raise Refused(phrase(key, **args))
    return found


@dataclass
class UnitOfWork(EventWriter[Table, Event]):
    """Writes events to a table; *secret* makes the draws.

    Lateness is judged by the steady clock.
    *child* has opened a table in the same transaction.
    *waited* is how many milliseconds ago the request arrived; *away* are, by seat, the spans in
    which the player could not be reached. *often* are the pairs of people who have played as many
    games as count for the ratings, *barred* the groups who may not play for them.
    """

    secret: bytes
    child: UnitOfWork | None = None
    waited: int = 0
    away: Mapping[Seat, Sequence[Span]] = field(default_factory=dict)
    often: Collection[frozenset[int]] = ()
    barred: Collection[frozenset[int]] = ()

    fold = TABLES

    @property
    def table(self) -> Table:
        """The table with all that is written."""
        return self.state

    def since(self, then: datetime | None) -> timedelta:
        """The time passed since *then* by the steady clock; unlimited where it is None."""
        return timedelta.max if then is None else self.moment - then

    @property
    def arrived(self) -> int:
        """The instant at which the request arrived, as clocks count it."""
        return instant(self.moment) - self.waited

    def lost(self, seat: Seat, until: int) -> int:
        """The milliseconds of the turn of *seat* up to *until* that are still to be given back."""
        turn = None if self.table.clock is None else self.table.clock.turns[seat]
        return 0 if turn is None else turn.untold(self.away.get(seat, ()), until)

    def give_back(self) -> None:
        """Write the time lost of each turn up to now, before an event counts on it."""
        now = instant(self.moment)
        for seat in range(len(self.table.players)):
            if lost := self.lost(seat, now):
                self.write(GivenBack(seat, lost))

    @property
    def hidden(self) -> bytes:
        """The secret as long as the table has not published it, nothing afterwards."""
        return b"" if self.table.secret is not None else self.secret

    def draws(self) -> Draws:
        """The draws of the table from the next number on."""
        table = self.table
        return Draws(table.secret or self.secret, table.code, table.chance_words, table.draws)
