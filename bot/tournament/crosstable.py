"""The crosstable of a tournament: what each entrant had, round by round or game by game. Pure."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.tournament.standings import SCALES, TIE_BREAKS, standings
from bot.tournament.values import DRAW, How, Meeting, Round, Tournament, TournamentFormat


@dataclass(frozen=True)
class Cell:
    """What somebody had in a round: whom they met, and the half *points* of all games of that.

    Without *opponents* it was a round without a game; *bye* says that the format gave it.
    *pending*: a game of it waits for its result.
    """

    opponents: tuple[int, ...] = ()
    points: int = 0
    how: How = How.PLAYED
    pending: bool = False
    bye: bool = False


def round_cell(one: Round, number: int) -> Cell:
    """What the entrant *number* had in the round *one*; an empty cell for who was not there."""
    if number in one.byes or number in one.halves:
        return Cell(points=DRAW if number in one.halves else 0, bye=True)
    mine = (_cell(meeting, number) for meeting in one.meetings if number in meeting.entrants)
    return next(mine, Cell())


def _cell(meeting: Meeting, number: int) -> Cell:
    result = meeting.last.result
    return Cell(
        tuple(n for n in meeting.entrants if n != number),
        sum(game.points_of(number) for game in meeting.games),
        How.PLAYED if result is None else result.how,
        pending=result is None,
    )


def crosstable(tournament: Tournament) -> Mapping[int, Sequence[Cell]]:
    """By entrant, a cell for each round; in an arena, whose rounds are none, for each game."""
    found = {
        one.number: [round_cell(past, one.number) for past in tournament.rounds]
        for one in tournament.entrants
    }
    if tournament.rules.format is not TournamentFormat.ARENA:
        return found
    return {number: [cell for cell in cells if cell.opponents] for number, cells in found.items()}


def meetings_by_opponent(cells: Sequence[Cell]) -> Mapping[int, Sequence[Cell]]:
    """The *cells* of somebody by whom they met, as a round robin shows them."""
    found: dict[int, list[Cell]] = {}
    for cell in cells:
        for opponent in cell.opponents:
            found.setdefault(opponent, []).append(cell)
    return found


_MARKS: Mapping[How, str] = {How.PLAYED: "", How.FORFEIT: "F", How.ADJUDICATED: "A"}
"""What stands behind a result that was not played out."""


def csv_of(tournament: Tournament, names: Mapping[int, str]) -> str:
    """The standings with every round: opponents, points and how they came about.

    A cell such as ``3+7:1.5A`` says: against 3 and 7, one and a half points, adjudicated.
    """
    breaks = TIE_BREAKS[tournament.rules.format]
    out = io.StringIO()
    table = csv.writer(out)
    rounds = [one.number for one in tournament.rounds]
    table.writerow(
        ["place", "number", "name", "rating", "points", *breaks, *(f"round {n}" for n in rounds)]
    )
    knockout = tournament.rules.format is TournamentFormat.KNOCKOUT
    for line in standings(tournament):
        entrant = tournament.entrant(line.entrant)
        values = zip(breaks, line.tie_breaks, strict=True)
        table.writerow(
            [
                line.place,
                line.entrant,
                # A spreadsheet takes a name for text, even where it begins like a formula.
                re.sub(r"^(?=[=+@-])", "'", names.get(line.entrant, "")),
                entrant.rating,
                "" if knockout else f"{line.points / 2:g}",
                *(f"{value / SCALES[one]:g}" for one, value in values),
                *(_csv_cell(one, line.entrant) for one in tournament.rounds),
            ]
        )
    return out.getvalue()


def _csv_cell(one: Round, number: int) -> str:
    cell = round_cell(one, number)
    if not cell.opponents:
        return ("half" if cell.points else "bye") if cell.bye else "-"
    others = "+".join(map(str, cell.opponents))
    mark = "*" if cell.pending else _MARKS[cell.how]
    return f"{others}:{cell.points / 2:g}{mark}"
