"""How the events of a tournament make the tournament: the fold. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final, assert_never

from bot.tournament import events
from bot.tournament.events import TOURNAMENT_EVENTS, Event, PairedGame
from bot.tournament.values import (
    ACTS,
    ActKind,
    Entrant,
    How,
    ManagerAct,
    Meeting,
    Phase,
    Result,
    Round,
    Tournament,
    TournamentGame,
)
from storage.records import BrokenAggregate, Fold, Written


class BrokenTournament(BrokenAggregate):
    """The tournament *code* cannot be read."""

    noun = "tournament"


def opened(code: str, written: Written[Event]) -> Tournament:
    """The tournament that its first event makes; raises ``ValueError`` for another one."""
    event = written.event
    if not isinstance(event, events.TournamentOpened):
        raise ValueError("the first event does not open the tournament")
    return Tournament(code, event.rules, event.host, 1, written.at, written.moment)


def tournament_after(tournament: Tournament, written: Written[Event]) -> Tournament:
    """*tournament* once something more has happened."""
    now, steady = replace(tournament, version=written.number), written.moment
    match event := written.event:
        case events.TournamentOpened():
            raise ValueError("the tournament is open already")
        case events.Entered():
            return _entered(now, event)
        case events.Withdrew():
            told = _act(now, ActKind.REMOVED, event.by, (event.entrant,))
            return _withdrawn(told, event.entrant)
        case events.TournamentStarted():
            return replace(now, phase=Phase.RUNNING, started=steady)
        case events.ByeAsked():
            return _with_entrant(now, replace(now.entrant(event.entrant), bye=event.number))
        case events.Paired():
            games = ((_pair(one, now.version), one.third) for one in event.games)
            meetings = tuple(Meeting((game,), third) for game, third in games)
            new = Round(event.number, meetings, event.byes, steady, halves=event.halves)
            return replace(now, rounds=(*now.rounds, _finished(new, steady)))
        case events.Extended():
            return _extended(now, event)
        case events.Told():
            return _told(now, event, steady)
        case events.Corrected():
            return _corrected(now, event, steady)
        case events.Abandoned():
            return _with_game(now, event.code, lambda game: replace(game, closed=True))
        case events.Halted() | events.TournamentResumed():
            halted = isinstance(event, events.Halted)
            kind = ActKind.HALTED if halted else ActKind.RESUMED
            return replace(_act(now, kind, event.by), paused=halted)
        case events.TournamentEnded():
            told = _act(now, ActKind.ENDED, event.by)
            return replace(told, phase=Phase.ENDED, why=event.why)
        case other:
            assert_never(other)


def _entered(now: Tournament, event: events.Entered) -> Tournament:
    known = now.entrant_of(event.person)
    since = now.number + 1 if now.running else 1
    if known is not None:
        return _with_entrant(now, replace(known, gone=None, since=max(known.since, since)))
    new = Entrant(len(now.entrants) + 1, event.person, event.rating, since)
    return replace(now, entrants=(*now.entrants, new))


def _withdrawn(now: Tournament, number: int) -> Tournament:
    if now.phase is Phase.OPEN:
        # Before the beginning nothing has happened to them: the others move up.
        left = [one for one in now.entrants if one.number != number]
        return replace(now, entrants=tuple(replace(one, number=n) for n, one in enumerate(left, 1)))
    return _with_entrant(now, replace(now.entrant(number), gone=now.number))


def _pair(one: PairedGame, order: int) -> TournamentGame:
    result = Result(How.FORFEIT, one.points) if one.points else None
    return TournamentGame(one.code, one.seats, result, order if result is not None else 0)


def _extended(now: Tournament, event: events.Extended) -> Tournament:
    game, newest = TournamentGame(event.code, event.seats), now.rounds[-1]
    meetings = tuple(
        replace(one, games=(*one.games, game)) if n == event.meeting else one
        for n, one in enumerate(newest.meetings)
    )
    return replace(now, rounds=(*now.rounds[:-1], replace(newest, meetings=meetings, over=None)))


def _act(now: Tournament, kind: ActKind, by: int | None, whom: tuple[int, ...] = ()) -> Tournament:
    """The same, and what *by* did, if anybody did it as its manager."""
    return now if by is None else replace(now, acts=(*now.acts, ManagerAct(kind, by, whom))[-ACTS:])


def _seats(now: Tournament, code: str) -> tuple[int, ...]:
    game = now.find_game(code)
    return () if game is None else game.seats


def _told(now: Tournament, event: events.Told, steady: datetime) -> Tournament:
    now = _act(now, ActKind.JUDGED, event.by, _seats(now, event.code))
    for number in event.absent:
        one = now.entrant(number)
        now = _with_entrant(now, replace(one, absences=one.absences + 1))
    return _with_result(now, event.code, Result(event.how, event.points), steady)


def _corrected(now: Tournament, event: events.Corrected, steady: datetime) -> Tournament:
    now = _act(now, ActKind.CORRECTED, event.by, _seats(now, event.code))
    how = How.PLAYED if event.by is None else How.ADJUDICATED
    return _with_result(now, event.code, Result(how, event.points), steady, anew=True)


def _with_result(
    now: Tournament, code: str, result: Result, steady: datetime, *, anew: bool = False
) -> Tournament:
    """The same with the *result* of the game *code*; one *anew* keeps its order."""

    def game_after(game: TournamentGame) -> TournamentGame:
        order = game.order if anew and game.order else now.version
        return replace(game, result=result, order=order)

    changed = _with_game(now, code, game_after)
    found = (
        after if after == before else _finished(after, steady)
        for before, after in zip(now.rounds, changed.rounds, strict=True)
    )
    return replace(changed, rounds=tuple(found))


def _with_game(
    now: Tournament, code: str, change: Callable[[TournamentGame], TournamentGame]
) -> Tournament:
    """The same with the game *code* after *change*."""

    def with_change(meeting: Meeting) -> Meeting:
        there = any(game.code == code for game in meeting.games)
        games = tuple(change(game) if game.code == code else game for game in meeting.games)
        return replace(meeting, games=games) if there else meeting

    rounds = (replace(one, meetings=tuple(map(with_change, one.meetings))) for one in now.rounds)
    return replace(now, rounds=tuple(rounds))


def _finished(one: Round, steady: datetime) -> Round:
    """*one* with the instant at which its last game was over, if that is now."""
    return replace(one, over=one.over or steady) if one.is_played else one


def _with_entrant(now: Tournament, new: Entrant) -> Tournament:
    changed = tuple(new if one.number == new.number else one for one in now.entrants)
    return replace(now, entrants=changed)


TOURNAMENTS: Final = Fold(TOURNAMENT_EVENTS, opened, tournament_after, BrokenTournament)
"""How the events of a tournament make it."""
