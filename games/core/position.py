"""The position: an immutable value that knows the rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeAlias, TypeVar

from games.core.phrases import Phrase, Who, phrase

Seat: TypeAlias = int
"""A place at the table, counted from 0 in turn order."""

CHANCE: Seat = -1
"""The seat that rolls the dice and deals the cards."""

Move = TypeVar("Move")


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the seats from first place to last; ties share a place.

    *reason* is the last part of a catalogue key, ``<game>.end.<reason>``.
    """

    reason: str
    places: tuple[frozenset[Seat], ...]

    @property
    def winner(self) -> Seat | None:
        """The seat alone in first place, or ``None`` after a draw."""
        first, *_ = self.places
        return min(first) if len(first) == 1 else None

    def worth(self, seat: Seat) -> float:
        """1 where *seat* is alone in first place, 0 where nobody is, else -1."""
        return 0.0 if self.winner is None else 1.0 if self.winner == seat else -1.0

    def ending(self, key: str) -> Phrase:
        """How it ended in the words of *key*: who is first, the others, and how many share it."""
        winner = self.winner
        first = Who(winner) if winner is not None else tuple(map(Who, sorted(self.places[0])))
        lost = tuple(Who(seat) for place in self.places[1:] for seat in sorted(place))
        return phrase(key, winner=first, loser=lost, n=len(self.places[0]))

    @property
    def is_replayed(self) -> bool:
        """Whether the house rules demand another game, as the reason says."""
        return self.reason.endswith("-replay")


def won_by(seat: Seat, reason: str) -> Outcome:
    """The outcome of a game of two that *seat* has won.

    >>> won_by(1, "mate").winner
    1
    """
    return Outcome(reason, (frozenset({seat}), frozenset({1 - seat})))


def drawn(reason: str) -> Outcome:
    """The outcome of a game of two in which both share the place."""
    return Outcome(reason, (frozenset({0, 1}),))


def ranking(reason: str, places: Iterable[Iterable[Seat]]) -> Outcome:
    """An outcome with *places* from first to last, empty places left out.

    >>> ranking("home", [[2], [0, 1], []]).places
    (frozenset({2}), frozenset({0, 1}))
    """
    return Outcome(reason, tuple(frozenset(place) for place in places if place))


def leavers_last(outcome: Outcome, leavers: frozenset[Seat]) -> Outcome:
    """*outcome* with *leavers* in last place, however well the computers played for them."""
    if not leavers:
        return outcome
    return ranking(outcome.reason, [*(place - leavers for place in outcome.places), leavers])


class Position(ABC, Generic[Move]):
    """One moment of a game: its rules, and neither notation nor buttons nor words.

    Subclasses are frozen, hashable dataclasses. What the rules need of the past (repetitions,
    the piece moved last) stands in fields with ``compare=False`` where the position text does not
    carry it. ``games.core.laws`` are the laws of every game.
    """

    @abstractmethod
    def actors(self) -> frozenset[Seat]:
        """Who may move: ``{CHANCE}`` while a draw is due, several in a set-up, none at the end."""

    @abstractmethod
    def legal_moves(self, seat: Seat) -> Sequence[Move]:
        """Every move *seat* may play now, always in the same order."""

    @abstractmethod
    def after(self, move: Move) -> Self:
        """The position that follows *move*, which the caller knows to be legal."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""

    def seen_by(self, seat: Seat | None) -> Self:
        """What *seat* may see, or a spectator for ``None``; all pictures and words come from it."""
        return self

    def move_seen(self, move: Move, seat: Seat | None, by: Seat) -> Move | None:
        """*move* of *by* as *seat* may see it; ``None`` while it must stay hidden."""
        return move

    def forced(self, seat: Seat) -> Move | None:
        """The move that plays itself because *seat* has no choice (Parchís: P4, a pass)."""
        return None

    def overdue(self, seat: Seat) -> tuple[Move, ...]:
        """What is played for *seat* when the time of a simultaneous set-up is over (G14)."""
        return ()

    def asides(self, seat: Seat) -> Sequence[Move]:
        """What *seat* may say out of turn or after the end, such as a claim."""
        return ()

    def rulings(self, seat: Seat) -> Sequence[Move]:
        """The verdicts that ``Rules.judge`` may give on the claim of *seat*, while one is due.

        The log keeps the verdict. The last one says that nothing could be found out.
        """
        return ()


AnyPosition = TypeVar("AnyPosition", bound=Position[Any])
