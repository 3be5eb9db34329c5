"""The crosstable of a tournament as comma-separated values. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from bot.tournament.crosstable import round_cell
from bot.tournament.standings import SCALES, TIE_BREAKS, standings
from bot.tournament.values import How, Round, Tournament, TournamentFormat

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
                _plain(names.get(line.entrant, "")),
                entrant.rating,
                "" if knockout else f"{line.points / 2:g}",
                *(f"{value / SCALES[one]:g}" for one, value in values),
                *(_cell(one, line.entrant) for one in tournament.rounds),
            ]
        )
    return out.getvalue()


def _cell(one: Round, number: int) -> str:
    cell = round_cell(one, number)
    if not cell.opponents:
        return "bye" if cell.bye else "-"
    others = "+".join(map(str, cell.opponents))
    mark = "*" if cell.pending else _MARKS[cell.how]
    return f"{others}:{cell.points / 2:g}{mark}"


def _plain(name: str) -> str:
    """*name* as a spreadsheet takes it for text, even where it begins like a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
