"""A match of several games: their number, their points and the winner (S4). Pure.

Each game stands at a table of its own, the rematch of the one before, and that table's first event
tells of the earlier games: what a match stands at follows from the events of one table alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.core import Outcome, Seat

LENGTHS: Final = (1, 3, 5, 7, 9)
"""How many games a match may have at most; of one alone nothing is said."""

WON: Final = 2
"""The half points of a won game; a shared first place has half of them."""

_POINTS: Final = ("0", "1/2", "1")


@dataclass(frozen=True)
class Match:
    """The best of *length* games; *games* are the half points of each that is over, by seat.

    Before the game has begun they are by chair.
    """

    length: int
    games: tuple[tuple[int, ...], ...] = ()

    @property
    def text(self) -> str:
        """How it is kept, and read again: ``5 1-0 1/2-1/2``."""
        games = ("-".join(_POINTS[points] for points in game) for game in self.games)
        return " ".join((str(self.length), *games))

    @property
    def score(self) -> tuple[int, ...]:
        """The half points so far, by seat; nothing before the first game is over."""
        return tuple(map(sum, zip(*self.games, strict=True)))

    @property
    def is_decided(self) -> bool:
        """Whether nobody can catch up with the leader any more, or all games were played."""
        *_, second, first = (0, 0, *sorted(self.score))
        left = self.length - len(self.games)
        return left <= 0 or first - second > WON * left

    @property
    def winner(self) -> Seat | None:
        """The winner, once it is decided; ``None`` where several share the most points."""
        score = self.score
        best = [seat for seat, points in enumerate(score) if points == max(score)]
        return best[0] if self.is_decided and len(best) == 1 else None

    def seated(self, chairs: Sequence[int]) -> Match:
        """The same by seat, where it was by chair; *chairs* are the chairs in turn order."""
        games = (tuple(game[chair] for chair in chairs) for game in self.games)
        return replace(self, games=tuple(games))

    def after(self, outcome: Outcome, seats: int) -> Match:
        """The same with one more game, of so many *seats*, which has ended with *outcome*."""
        first = outcome.places[0]
        points = WON if len(first) == 1 else WON // 2
        game = tuple(points if seat in first else 0 for seat in range(seats))
        return replace(self, games=(*self.games, game))


def read_match(text: str) -> Match | None:
    """The match that *text* keeps, ``None`` for none; raises ``ValueError`` for anything else."""
    if not text:
        return None
    length, *games = text.split(" ")
    of = tuple(tuple(_POINTS.index(one) for one in game.split("-")) for game in games)
    if int(length) < 1 or len({len(game) for game in of}) > 1:
        raise ValueError(f"{text!r} is no match")
    return Match(int(length), of)
