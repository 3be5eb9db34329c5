"""What a table says of how it ended: who won and by what, who came in which place. Pure."""

from __future__ import annotations

from bot.presenters.base import TablePresenter
from bot.session.table import ENDED, Table
from games.core import Outcome, Phrase, Who, phrase


def ending(presenter: TablePresenter) -> str:
    """Who has won, or that nobody has, and by what; or that the table was closed."""
    table, outcome = presenter.table, presenter.table.outcome
    if outcome is None:
        return presenter.say(closed(table))
    key = f"{table.game.key}.end.{outcome.reason}"
    if not table.by_rule:
        key = f"house.end.{outcome.reason}"
        if outcome.reason == "resign" and _computer_lost(table, outcome):
            key = "house.end.given"
    winner = outcome.winner
    who = Who(winner) if winner is not None else tuple(map(Who, sorted(outcome.places[0])))
    lost = tuple(Who(seat) for place in outcome.places[1:] for seat in sorted(place))
    ended = phrase(key, winner=who, loser=lost, n=len(outcome.places[0]))
    return presenter.say(ended if winner is None else phrase("house.won", how=ended))


def ranking_line(presenter: TablePresenter) -> str:
    """Who came in which place."""
    outcome = presenter.table.outcome
    places = outcome.places if outcome is not None else ()
    ranks = [tuple(map(Who, sorted(place))) for place in places]
    lines = [phrase("house.place", number=n, who=who) for n, who in enumerate(ranks, 1)]
    return " · ".join(map(presenter.say, lines))


def closed(table: Table) -> Phrase:
    """Why *table* was closed, and by whom."""
    match table.closed, table.closer:
        case ("cancelled" | "declined") as why, int(seat):
            return phrase(f"house.closed.{why}", who=Who(seat))
        case ("expired" | "idle" | "managed") as why, _:
            return phrase(f"house.closed.{why}")
    return phrase("house.closed")


def cut_short(table: Table) -> bool:
    """Whether the game has ended in a position in which its rules would let it go on."""
    return table.status == ENDED and not table.by_rule and table.position is not None


def still_disputed(table: Table) -> bool:
    """Whether something may still be said of a game that its own rules have ended (R1)."""
    return table.status == ENDED and table.by_rule and table.child is None


def _computer_lost(table: Table, outcome: Outcome) -> bool:
    """Whether everybody in last place is a computer that nobody has left his chair to."""
    players = [table.players[seat] for seat in outcome.places[-1]]
    return all(player.person is None and player.left is None for player in players)
