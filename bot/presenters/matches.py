"""What a table says of the match it is a game of: which game, and what it stands at. Pure."""

from __future__ import annotations

from bot.presenters.base import TablePresenter
from bot.session.match import Match
from bot.session.table import Table
from games.core import Phrase, Seat, Who, phrase, verbatim


def match_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """The game of the match that is played, or what the match stands at after it."""
    table, match = presenter.table, presenter.table.match_now
    if match is None:
        return ()
    score = tuple(
        phrase("house.match.points", who=Who(seat), points=_points(half))
        for seat, half in enumerate(match.score)
    )
    said = {"n": match.length, "number": len(match.games) + 1}
    if table.outcome is None:
        key = "house.match.game" if score else "house.match.first"
        return (presenter.say(phrase(key, score=score, **said)),)
    if not score:
        return (presenter.say(best_of(match)),)
    if not match.decided:
        return (presenter.say(phrase("house.match.score", score=score, **said)),)
    if match.winner is None:
        return (presenter.say(phrase("house.match.drawn", score=score)),)
    return (presenter.say(phrase("house.match.won", who=Who(match.winner), score=score)),)


def best_of(match: Match) -> Phrase:
    """How many games *match* may have."""
    return phrase("house.match.best-of", n=match.length)


def followed_by(table: Table) -> str:
    """What the next game after *table* is called in the keys of catalogues."""
    return "next-game" if table.match_goes_on else "rematch"


def match_standing(match: Match, me: Seat) -> Phrase:
    """Which game of *match* is played, and its score with that of *me* first, for a list."""
    mine, others = match.score[me : me + 1], (*match.score[:me], *match.score[me + 1 :])
    score = "–".join(map(_points_text, (*mine, *others)))
    key = "house.match.standing" if score else "house.match.standing-first"
    return phrase(key, number=len(match.games) + 1, n=match.length, score=verbatim(score))


def _points(half: int) -> Phrase:
    return verbatim(_points_text(half))


def _points_text(half: int) -> str:
    """So many half points as people write them: «2½»."""
    whole, odd = divmod(half, 2)
    return f"{whole or ''}½" if odd else str(whole)
