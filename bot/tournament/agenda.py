"""What a tournament does by itself next, and when. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from bot.tournament.arena import free_pairs
from bot.tournament.organizer import undecided
from bot.tournament.pairing import is_last
from bot.tournament.values import Phase, Tournament, TournamentFormat

OPEN_FOR = timedelta(days=60)
"""How long a tournament waits for its beginning, at most."""


class Step(Enum):
    """What comes next."""

    START = "start"
    PAIR = "pair"
    EXTEND = "extend"
    END = "end"
    EXPIRE = "expire"
    ADJUDICATE = "adjudicate"


@dataclass(frozen=True)
class Appointment:
    """That *step* is due at a steady instant, which may be over."""

    step: Step
    at: datetime


def next_step(tournament: Tournament, now: datetime, wall: datetime) -> Appointment | None:
    """What comes next by itself, seen from the steady instant *now*, which clocks show as *wall*.

    ``None`` where people, or games, come first.
    """
    if tournament.phase is Phase.ENDED:
        return None
    if tournament.phase is Phase.OPEN or tournament.started is None:
        rules = tournament.rules
        if rules.start_at is not None:
            # People come when their clocks say so, also where we were down meanwhile.
            shown = tournament.created + (rules.start_at - tournament.opened)
            return Appointment(Step.START, now + (shown - wall))
        if rules.starts == "full" and len(tournament.entrants) >= rules.capacity:
            return Appointment(Step.START, tournament.opened)
        return Appointment(Step.EXPIRE, tournament.opened + OPEN_FOR)
    if tournament.paused:
        return None
    if tournament.rules.format is TournamentFormat.ARENA:
        return _arena(tournament, tournament.started, now)
    if not tournament.rounds:
        return Appointment(Step.PAIR, tournament.started)
    newest = tournament.rounds[-1]
    if undecided(tournament):
        return Appointment(Step.EXTEND, tournament.started)
    if newest.over is None:
        if not tournament.rules.days or newest.began is None:
            return None
        return Appointment(Step.ADJUDICATE, newest.began + timedelta(days=tournament.rules.days))
    if is_last(tournament):
        return Appointment(Step.END, newest.over)
    return Appointment(Step.PAIR, newest.over + timedelta(minutes=tournament.rules.pause))


def _arena(tournament: Tournament, started: datetime, now: datetime) -> Appointment | None:
    over = started + timedelta(minutes=tournament.rules.minutes)
    games = any(not one.is_played for one in tournament.rounds)
    if now < over and free_pairs(tournament):
        return Appointment(Step.PAIR, now)
    return None if games else Appointment(Step.END, over)
