"""The crosstable of a tournament: what each entrant had, round by round or game by game. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.tournament.values import How, Meeting, Round, Tournament, TournamentFormat


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
    if number in one.byes:
        return Cell(bye=True)
    for meeting in one.meetings:
        if number in meeting.entrants:
            return _cell(meeting, number)
    return Cell()


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
