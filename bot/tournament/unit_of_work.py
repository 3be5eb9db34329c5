"""What one decision writes in a tournament."""

from __future__ import annotations

from bot.tournament.events import Event
from bot.tournament.fold import TOURNAMENTS
from bot.tournament.values import Tournament
from games.core import RuleError
from storage.records import EventWriter


class NotNow(RuleError):
    """The tournament does not allow it; the sentence says why."""


class TournamentWork(EventWriter[Tournament, Event]):
    """Writes events to a tournament."""

    fold = TOURNAMENTS

    @property
    def tournament(self) -> Tournament:
        """The tournament with all that is written."""
        return self.state
