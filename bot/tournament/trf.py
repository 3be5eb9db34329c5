"""The report of a tournament as FIDE's TRF16, which Swiss engines read as well. Pure.

Columns are those of the FIDE Handbook, C.04 annex 2; ``XX`` lines are those of JaVaFo, which say
how many rounds there are and who does not play in the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.tournament.history import Played, histories
from bot.tournament.standings import standings
from bot.tournament.swiss import Pair
from bot.tournament.values import DRAW, LOSS, WIN, How, Phase, Tournament, TournamentFormat

NAME = 33
"""How many letters of a name a line holds."""

_POINTS: Mapping[How, Mapping[int, str]] = {
    How.PLAYED: {WIN: "1", DRAW: "=", LOSS: "0"},
    How.ADJUDICATED: {WIN: "W", DRAW: "D", LOSS: "L"},
    How.FORFEIT: {WIN: "+", DRAW: "D", LOSS: "-"},
}
"""The letters of results with an opponent; judged games are not rated, so theirs are others."""


def starting_order(tournament: Tournament) -> tuple[int, ...]:
    """The entrants by their starting numbers: in a Swiss tournament by rating (C.04.2).

    Who comes late is slotted in among the others.
    """
    swiss = tournament.rules.format is TournamentFormat.SWISS
    ranked = sorted(tournament.entrants, key=lambda one: -one.rating * swiss)
    return tuple(one.number for one in ranked)


def entrants_in(tournament: Tournament, pairs: Sequence[Pair]) -> list[Pair]:
    """The entrants of *pairs*, which hold starting numbers; 0 is the bye."""
    order = (0, *starting_order(tournament))
    return [(order[first], order[second]) for first, second in pairs]


def trf(tournament: Tournament, names: Mapping[int, str], title: str = "") -> str:
    """The report of *tournament*, whose entrants are called *names* by their numbers."""
    ranks = {line.entrant: line.place for line in standings(tournament)}
    known, order = histories(tournament), starting_order(tournament)
    starts = {number: start for start, number in enumerate(order, 1)}
    lines = [f"012 {_one_line(title)}"] if title else []
    if tournament.started is not None:
        lines.append(f"042 {tournament.started:%Y/%m/%d}")
    # One that ended early had no more rounds than were played, as tie-breaks count them.
    rounds = tournament.number if tournament.phase is Phase.ENDED else tournament.length
    lines += [f"062 {len(tournament.entrants)}", f"XXR {rounds}", "XXC white1"]
    absent = [
        str(starts[number])
        for number in order
        if not tournament.entrant(number).plays_in(tournament.number + 1)
    ]
    if absent:
        lines.append(f"XXZ {' '.join(absent)}")
    for one in map(tournament.entrant, order):
        course = known[one.number]
        total = sum(played.points for played in course)
        name = _one_line(names.get(one.number, ""))[:NAME]
        points = f"{total // 2}.{5 * (total % 2)}"
        head = f"001 {starts[one.number]:4}      {name:{NAME}} {one.rating:4}"
        body = f"{head}{'':28}{points:>4} {ranks[one.number]:4}"
        lines.append(body + "".join(f"  {_token(played, starts)}" for played in course))
    return "\n".join(lines) + "\n"


def _token(played: Played, starts: Mapping[int, int]) -> str:
    if played.opponent is None:
        return f"0000 - {'ZHU'[played.points]}"
    if played.pending:
        return "0000 - Z"
    return f"{starts[played.opponent]:4} {'wb'[played.seat]} {_POINTS[played.how][played.points]}"


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
