"""What may happen in a tournament: each function decides, and writes the events down. Pure.

A ``TournamentWork`` folds each event at once: what follows is decided on the new state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.tournament import events
from bot.tournament.events import PairedGame
from bot.tournament.fold import opened
from bot.tournament.knockout import standoff
from bot.tournament.pairing import RoundPairing, fitting_formats, place_points
from bot.tournament.unit_of_work import NotNow, TournamentWork
from bot.tournament.values import (
    DRAW,
    ENTRANTS,
    LOSS,
    WIN,
    How,
    Meeting,
    Phase,
    Rules,
    Tournament,
    TournamentFormat,
)
from games.core import phrase
from storage.records import Written

TWICE = 2
"""After how many games to which somebody did not come they are out."""

PAIR_RESULTS = ((WIN, LOSS), (DRAW, DRAW), (LOSS, WIN), (LOSS, LOSS))
"""The half points that a game of two may bring; the last are those of two who did not come."""


def open_tournament(
    code: str, rules: Rules, host: int, now: datetime, steady: datetime
) -> TournamentWork:
    """A new tournament that nobody has entered."""
    first: Written[events.Event] = Written(1, now, events.TournamentOpened(rules, host), steady)
    return TournamentWork(opened(code, first), now, steady, written=[first])


def enter(work: TournamentWork, person: int, rating: int) -> None:
    """Let *person* enter, who has this *rating*; raises ``NotNow``."""
    now = work.tournament
    known = now.entrant_of(person)
    NotNow.raise_if(known is not None and known.gone is None, "tournament.entered-already")
    NotNow.raise_if(known is not None and known.absences >= TWICE, "tournament.out")
    NotNow.raise_if(now.phase is Phase.ENDED, "tournament.is-over")
    NotNow.raise_if(now.running and not now.takes_late_entries, "tournament.too-late")
    NotNow.raise_if(len(now.present) >= now.rules.capacity, "tournament.full", n=now.rules.capacity)
    work.write(events.Entered(person, rating))


def leave(work: TournamentWork, person: int, by: int | None = None) -> None:
    """Let *person* leave, or be put out by the person *by*; a game that they play goes on.

    Raises ``NotNow``.
    """
    known = work.tournament.entrant_of(person)
    NotNow.raise_if(work.tournament.phase is Phase.ENDED, "tournament.is-over")
    if known is None or known.gone is not None:
        raise NotNow(phrase("tournament.not-entered"))
    work.write(events.Withdrew(known.number, by))


def ask_bye(work: TournamentWork, person: int) -> None:
    """Let *person* have half a point in place of a game of the next round, or play it after all.

    It can be had once, in a Swiss tournament, before the round is paired and not in the last one,
    while enough others play. Raises ``NotNow``.
    """
    now, following = work.tournament, work.tournament.number + 1
    known = now.entrant_of(person)
    if known is None or known.gone is not None or now.phase is Phase.ENDED:
        raise NotNow(phrase("tournament.not-entered"))
    wanted = known.bye != following
    left = sum(one.plays_in(following) for one in now.present) - 1
    swiss = now.rules.format is TournamentFormat.SWISS and following < now.length
    if wanted and (known.bye or not swiss or left < ENTRANTS[TournamentFormat.SWISS][0]):
        raise NotNow(phrase("tournament.no-bye"))
    work.write(events.ByeAsked(known.number, following if wanted else 0))


def begin(work: TournamentWork) -> None:
    """Begin; raises ``NotNow``, with the formats that fit, while too few have entered."""
    now = work.tournament
    NotNow.raise_if(now.phase is not Phase.OPEN, "tournament.started-already")
    check_size(now.rules, len(now.entrants))
    work.write(events.TournamentStarted())


def check_size(rules: Rules, count: int) -> None:
    """Raise ``NotNow`` where *count* entrants cannot play under *rules*."""
    fewest = ENTRANTS[rules.format][0]
    if rules.format is TournamentFormat.SWISS:
        fewest = max(fewest, rules.rounds + 1)
    if count >= fewest:
        return
    others = tuple(
        phrase(f"tournament.format.{one}")
        for one in fitting_formats(count, rules.rounds)
        if (one is TournamentFormat.TABLES) == (rules.format is TournamentFormat.TABLES)
    )
    NotNow.raise_if(others, "tournament.too-few-fitting", n=count, few=fewest, formats=others)
    raise NotNow(phrase("tournament.too-few", n=count, few=fewest))


def pair(work: TournamentWork, pairing: RoundPairing, codes: Iterator[str]) -> None:
    """Begin the next round as *pairing* says; *codes* are those of the tables to be.

    Who has left loses without a table.
    """
    now = work.tournament
    there = {one.number for one in now.present}
    games = []
    for number, seats in enumerate(pairing.meetings):
        third = number == pairing.third
        if there.issuperset(seats):
            games.append(PairedGame(next(codes), seats, third=third))
        else:
            points = tuple(WIN if one in there else LOSS for one in seats)
            games.append(PairedGame("", seats, points, third))
    halves = tuple(one.number for one in now.present if one.bye == now.number + 1)
    work.write(events.Paired(now.number + 1, tuple(games), pairing.byes, halves))


def undecided(tournament: Tournament) -> tuple[int, ...]:
    """The meetings of the newest round, from 0, that need one more game: of a knockout alone."""
    if tournament.rules.format is not TournamentFormat.KNOCKOUT or not tournament.rounds:
        return ()
    meetings = tournament.rounds[-1].meetings
    return tuple(n for n, one in enumerate(meetings) if _goes_on(tournament, one))


def _goes_on(tournament: Tournament, meeting: Meeting) -> bool:
    stands = standoff(tournament, meeting, tournament.number)
    return stands is not None and stands.winner is None


def is_decider(tournament: Tournament, meeting: Meeting) -> bool:
    """Whether the newest game of *meeting* decides a drawn match, with half the time."""
    return len(meeting.games) > tournament.rules.best_of


def extend(work: TournamentWork, codes: Iterator[str]) -> None:
    """One more game, with the seats changed, of every meeting that is not decided."""
    for number in undecided(work.tournament):
        meeting = work.tournament.rounds[-1].meetings[number]
        work.write(events.Extended(number, next(codes), meeting.last.seats[::-1]))


def tell(
    work: TournamentWork,
    code: str,
    how: How,
    points: Sequence[int],
    absent: Sequence[int] = (),
    by: int | None = None,
) -> None:
    """Take over the result of the game *code*, unless it is known; who was absent twice is out."""
    game = work.tournament.find_game(code)
    if game is None or game.result is not None or work.tournament.phase is Phase.ENDED:
        return
    work.write(events.Told(code, how, tuple(points), tuple(absent), by))
    for number in absent:
        one = work.tournament.entrant(number)
        if one.absences >= TWICE and one.gone is None:
            work.write(events.Withdrew(number, absent=True))


def abandon(work: TournamentWork, code: str) -> None:
    """Note that the table of the game *code* was closed without a result."""
    game = work.tournament.find_game(code)
    if game is not None and game.result is None and not game.closed:
        work.write(events.Abandoned(code))


def adjudicate(work: TournamentWork) -> None:
    """Let every game that is still played be drawn: the time of the round is over."""
    for _, _, game in work.tournament.games():
        if game.result is None:
            seats = len(game.seats)
            tell(work, game.code, How.ADJUDICATED, points_by_place([range(seats)], seats))


def points_by_place(places: Sequence[Sequence[int]], seats: int) -> tuple[int, ...]:
    """The half points by seat of a game with *places*, of so many *seats*."""
    if seats > 2:
        return place_points(places, seats)
    first = set(places[0])
    return tuple((WIN if len(first) == 1 else DRAW) if seat in first else LOSS for seat in (0, 1))


def rule(work: TournamentWork, code: str, points: Sequence[int], by: int) -> None:
    """Let the person *by* judge the game *code*, or correct its result; raises ``NotNow``."""
    game = work.tournament.find_game(code) if code else None
    if game is not None and game.result is None:
        NotNow.raise_if(work.tournament.phase is Phase.ENDED, "tournament.is-over")
        tell(work, code, How.ADJUDICATED, points, by=by)
    else:
        correct(work, code, points, by)


def correct(work: TournamentWork, code: str, points: Sequence[int], by: int) -> None:
    """Let the person *by* correct the result of the game *code*; raises ``NotNow``.

    Rounds that were paired since stand as they are.
    """
    game = work.tournament.find_game(code) if code else None
    if game is None or game.result is None:
        raise NotNow(phrase("tournament.no-result"))
    if len(game.seats) == 2 and tuple(points) not in PAIR_RESULTS:
        raise NotNow(phrase("tournament.no-result"))
    if tuple(points) != game.result.points:
        work.write(events.Corrected(code, tuple(points), by))


def judge_anew(work: TournamentWork, code: str, points: Sequence[int]) -> None:
    """Take over what the rules of the game *code* say now, after a claim (R1)."""
    game = work.tournament.find_game(code)
    known = None if game is None else game.result
    if known is not None and known.how is How.PLAYED and tuple(points) != known.points:
        work.write(events.Corrected(code, tuple(points)))


def halt(work: TournamentWork, by: int) -> None:
    """Let no further round begin; raises ``NotNow``."""
    NotNow.raise_if(not work.tournament.running, "tournament.not-running")
    if not work.tournament.paused:
        work.write(events.Halted(by))


def resume(work: TournamentWork, by: int) -> None:
    """Let rounds begin again; raises ``NotNow``."""
    NotNow.raise_if(not work.tournament.running, "tournament.not-running")
    if work.tournament.paused:
        work.write(events.TournamentResumed(by))


def end(work: TournamentWork, why: str, by: int | None = None) -> None:
    """End it, and *why*; raises ``NotNow`` where it is over."""
    NotNow.raise_if(work.tournament.phase is Phase.ENDED, "tournament.is-over")
    work.write(events.TournamentEnded(why, by))
