"""The position: an immutable value that knows the rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Self, TypeAlias, TypeVar

from games.core.errors import Refusal
from games.core.phrases import Phrase, phrase, verbatim

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


def won_by(seat: Seat, reason: str) -> Outcome:
    """The outcome of a game of two that *seat* has won."""
    return Outcome(reason, (frozenset({seat}), frozenset({1 - seat})))


def ranking(reason: str, places: Iterable[Iterable[Seat]]) -> Outcome:
    """An outcome with *places* from first to last, empty places left out."""
    return Outcome(reason, tuple(frozenset(place) for place in places if place))


class Position(ABC, Generic[Move]):
    """One moment of a game. Subclasses are frozen, hashable dataclasses.

    What the rules need of the past (repetitions, the piece moved last) stands in fields
    with ``compare=False`` where the position text does not carry it. The laws that
    every game keeps are written out in ``tests/games/test_laws.py``.
    """

    @abstractmethod
    def actors(self) -> frozenset[Seat]:
        """Who may move now.

        ``{CHANCE}`` while a draw is due, several seats in a simultaneous set-up, nobody
        once the game is over.
        """

    @abstractmethod
    def legal_moves(self, seat: Seat) -> Sequence[Move]:
        """Every move *seat* may play now, always in the same order."""

    @abstractmethod
    def after(self, move: Move) -> Self:
        """The position that follows *move*, which the caller knows to be legal."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""

    @abstractmethod
    def notation(self, move: Move) -> str:
        """*move* as players write it and as storage keeps it."""

    @abstractmethod
    def text(self) -> str:
        """The position in its standard notation, which ``Game.read`` reads again."""

    def spellings(self, move: Move) -> Sequence[str]:
        """Every way in which *move* may be typed, its notation first."""
        return (self.notation(move),)

    def tidied(self, text: str) -> str:
        """What was typed, freed of remarks that the game's notation allows."""
        return text

    def expanded(self, seat: Seat, text: str) -> tuple[Move, ...]:
        """The moves that a longer typed line stands for, such as a whole set-up; () if none."""
        del seat, text
        return ()

    def steps(self, move: Move) -> tuple[str, ...]:
        """The clicks that spell *move*, such as ``("c3", "2", "+")``.

        Tokens are short, without language, blanks, commas or dots; no move's steps are
        the beginning of another's; joined they take at most 40 bytes.
        """
        return (self.notation(move),)

    def label(self, seat: Seat, path: tuple[str, ...], step: str) -> Phrase:
        """What the button says that continues *path* with *step*."""
        del seat, path
        return verbatim(step)

    def question(self, seat: Seat, path: tuple[str, ...]) -> Phrase:
        """What *seat* is asked after *path*, in one short sentence."""
        del seat, path
        return phrase("core.choose")

    def spoken(self, move: Move) -> Phrase:
        """*move*, legal here, said in a few words; the player is not named."""
        return verbatim(self.notation(move))

    def seen_by(self, seat: Seat | None) -> Self:
        """What *seat* may see, or a spectator for ``None``.

        The only source of pictures, words, labels and notices.
        """
        del seat
        return self

    def move_seen(self, move: Move, seat: Seat | None, by: Seat) -> Move | None:
        """*move* as *seat* may see it when *by* plays it; ``None`` while it must stay hidden."""
        del seat, by
        return move

    def forced(self, seat: Seat) -> Move | None:
        """The move that plays itself because *seat* has nothing to decide; else ``None``.

        The house plays it and tells of it in the same line (Parchís: P4, a pass).
        """
        del seat
        return None

    def overdue(self, seat: Seat) -> tuple[Move, ...]:
        """What is played for *seat* when the time for a simultaneous set-up is over (G14)."""
        del seat
        return ()

    def refusal(self, seat: Seat, text: str) -> Refusal:
        """Why *text* is not a legal move of *seat*: the rule and a sentence."""
        del seat
        return Refusal("", phrase("core.illegal", text=text))

    def notices(self) -> Sequence[Phrase]:
        """What everybody should notice now: check, a pattern one card away, a barrier."""
        return ()

    def asides(self, seat: Seat) -> Sequence[Move]:
        """What *seat* may say out of turn or after the end, such as a claim."""
        del seat
        return ()

    def penalty(self, seat: Seat, text: str) -> Move | None:
        """The move that a typed illegal move amounts to where it costs something (H17)."""
        del seat, text
        return None
