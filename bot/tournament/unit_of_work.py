"""What one decision writes in a tournament."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from bot.tournament.events import Event, Recorded
from bot.tournament.fold import tournament_after
from bot.tournament.values import Tournament
from games.core import RuleError


class NotNow(RuleError):
    """The tournament does not allow it; the sentence says why."""


@dataclass
class TournamentWork:
    """Writes events to *tournament* at the instant *now*; *steady* is that by the steady clock."""

    tournament: Tournament
    now: datetime
    steady: datetime
    written: list[Recorded] = field(default_factory=list)

    def write(self, event: Event) -> None:
        """Write one event and fold it into the tournament."""
        written = Recorded(self.tournament.version + 1, self.now, event, self.steady)
        self.tournament = tournament_after(self.tournament, written)
        self.written.append(written)
