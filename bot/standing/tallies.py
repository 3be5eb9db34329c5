"""What people have won, drawn and lost in a place, folded from its games. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.standing.journal import JournalEntry, Place

EVERYWHERE: Final[Place] = ("", "")
"""Stands for all places together."""

WON, DRAWN, LOST = "won", "drawn", "lost"

KNOWN: Final = 3
"""How many different opponents are remembered: as many as the line ever asks for."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The games of one person in one pool and place.

    *opponents* are the first ``KNOWN`` people met, *last* is when the last game ended.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    opponents: tuple[int, ...] = ()
    last: datetime | None = None

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.drawn + self.lost

    def plus(self, result: str, met: Iterable[int], at: datetime) -> Tally:
        """The same with one more game, against the people *met*."""
        opponents = tuple(dict.fromkeys((*self.opponents, *met)))[:KNOWN]
        last = at if self.last is None else max(self.last, at)
        return replace(self, opponents=opponents, last=last, **{result: getattr(self, result) + 1})


def score_of(places: tuple[int, ...], index: int) -> str:
    """Whether the player of this *index* has won, drawn, which is a shared first place, or lost."""
    if places[index] > min(places):
        return LOST
    return WON if places.count(places[index]) == 1 else DRAWN


def places_taken(games: Sequence[tuple[tuple[int, ...], int]]) -> tuple[int, ...]:
    """How often somebody has taken each place, the first first; nothing if all were games of two.

    Of each game there are its places, and the index of the player.
    """
    most = max((len(places) for places, _ in games), default=0)
    taken = Counter(places[index] for places, index in games)
    return tuple(taken[n + 1] for n in range(most)) if most > 2 else ()


def places_of(entry: JournalEntry) -> tuple[Place, ...]:
    """The places whose ladders a game counts for, all places together first."""
    return (EVERYWHERE, *dict.fromkeys(entry.where))


def opponents_of(people: tuple[int, ...], index: int) -> tuple[int, ...]:
    """Whom the player of this *index* has met."""
    return tuple(one for n, one in enumerate(people) if n != index)


def tallies(
    games: Iterable[JournalEntry], person: Callable[[int], int]
) -> Mapping[tuple[str, Place, int], Tally]:
    """The tallies of all *games* that count, by pool, place and person.

    *person* says who an id is now: games of people who are one person now count no more.
    """
    found: dict[tuple[str, Place, int], Tally] = {}
    for entry in games:
        people = tuple(map(person, entry.people))
        if len(set(people)) < len(people):
            continue
        for index, one in enumerate(people):
            result, met = score_of(entry.places, index), opponents_of(people, index)
            for where in places_of(entry):
                before = found.get((entry.pool, where, one), Tally())
                found[entry.pool, where, one] = before.plus(result, met, entry.at)
    return found
