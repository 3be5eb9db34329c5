"""The journal of what counts for ratings, and its fold. Pure.

An entry never changes. A game that is taken out is an entry of its own: what was built on the game
stays, and so does its row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, TypeAlias

from bot.standing.rating import FORMULA, Rating, after_game

Place: TypeAlias = tuple[str, str]
"""A platform, and the id by which a place keeps its settings there."""

NEW: Final = Rating()


class Kind(StrEnum):
    """The kinds of entries, by the words that storage keeps."""

    GAME = "game"
    LINK = "link"
    """Two people are one from now on: *people* are who stays and who joined them."""
    CORRECTION = "correction"
    """The game of the entry *of* counts no more."""
    SINCE = "since"
    """Games from an instant on were counted afterwards."""
    FORMULA = "formula"
    """From now on games are reckoned by another formula."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An entry of the journal, by its *number*.

    Of a game *pool* is the game's key, *people* have played it, as their ids were, with their
    *places* from 1 on, at the table *table* that stood in *where*. *by* took a game out.
    """

    number: int
    kind: Kind
    at: datetime
    pool: str = ""
    people: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    table: str = ""
    where: tuple[Place, ...] = ()
    of: int | None = None
    by: int | None = None
    formula: str = FORMULA


@dataclass(frozen=True, slots=True)
class Shift:
    """What the entry of this number made of the rating of *person* in *pool*."""

    entry: int
    pool: str
    person: int
    before: Rating
    after: Rating

    @property
    def points(self) -> int:
        """The difference of what is shown."""
        return self.after.shown - self.before.shown


class UnknownFormula(ValueError):
    """An entry is reckoned by a formula that this release does not have."""


def game_shifts(entry: JournalEntry, known: Mapping[int, Rating]) -> tuple[Shift, ...]:
    """What a game makes of the ratings that its people have, by their present ids.

    Raises ``UnknownFormula``.
    """
    if entry.formula != FORMULA:
        raise UnknownFormula(f"entry {entry.number} is reckoned by {entry.formula!r}")
    before = [known.get(person, NEW) for person in entry.people]
    after = after_game(before, entry.places, entry.at)
    return tuple(
        Shift(entry.number, entry.pool, person, old, new)
        for person, old, new in zip(entry.people, before, after, strict=True)
    )


def link_shifts(
    entry: JournalEntry, known: Mapping[str, tuple[Rating | None, Rating | None]]
) -> tuple[Shift, ...]:
    """What a link makes of the ratings *known* by pool, of who stays and of who joined them.

    The better known one goes on, the one of who stays where both are equally well known.
    """
    kept, _ = entry.people
    return tuple(
        Shift(entry.number, pool, kept, mine or NEW, theirs)
        for pool, (mine, theirs) in sorted(known.items())
        if theirs is not None and (mine is None or theirs.sigma < mine.sigma)
    )


def correction_shifts(
    entry: JournalEntry, known: Mapping[int, Rating], undone: Sequence[Shift], at: datetime
) -> tuple[Shift, ...]:
    """What is left of the ratings *known* without the game *at* that made the *undone* shifts.

    The shifts bear the present ids of the people. Where two players have become one person since
    then, what they won of each other counts no more already: nothing of theirs is undone.
    """
    often = Counter(one.person for one in undone)
    found = []
    for one in undone:
        if one.person in known and often[one.person] == 1:
            now = known[one.person]
            after = now.without(one.before, one.after, at)
            found.append(Shift(entry.number, one.pool, one.person, now, after))
    return tuple(found)


@dataclass
class Reckoning:
    """The fold of a journal: the ratings by pool and person, after every entry so far."""

    ratings: dict[tuple[str, int], Rating] = field(default_factory=dict)
    games: dict[int, JournalEntry] = field(default_factory=dict)
    """The games that count, by the numbers of their entries."""
    _shifts: dict[int, tuple[Shift, ...]] = field(default_factory=dict)
    _same: dict[int, int] = field(default_factory=dict)
    """Who has joined whom."""

    def person(self, one: int) -> int:
        """Who *one* is now."""
        while one in self._same:
            one = self._same[one]
        return one

    def take(self, entry: JournalEntry) -> tuple[Shift, ...]:
        """Take *entry*, and tell what it changed; raises ``UnknownFormula``."""
        match entry.kind:
            case Kind.GAME:
                shifts = self._game(entry)
            case Kind.LINK:
                shifts = self._link(entry)
            case Kind.CORRECTION:
                shifts = self._correction(entry)
            case Kind.SINCE | Kind.FORMULA:
                return ()
        for one in shifts:
            self.ratings[one.pool, one.person] = one.after
        return shifts

    def fold(self, entries: Iterable[JournalEntry]) -> tuple[Shift, ...]:
        """Take all *entries*, and tell all that they changed."""
        return tuple(shift for entry in entries for shift in self.take(entry))

    def _game(self, entry: JournalEntry) -> tuple[Shift, ...]:
        known = {one: self.ratings.get((entry.pool, one), NEW) for one in entry.people}
        shifts = game_shifts(entry, known)
        self.games[entry.number], self._shifts[entry.number] = entry, shifts
        return shifts

    def _link(self, entry: JournalEntry) -> tuple[Shift, ...]:
        kept, other = entry.people
        self._same[other] = kept
        known = {
            pool: (self.ratings.get((pool, kept)), self.ratings.pop((pool, other), None))
            for pool in {pool for pool, person in self.ratings if person in entry.people}
        }
        return link_shifts(entry, known)

    def _correction(self, entry: JournalEntry) -> tuple[Shift, ...]:
        game = self.games.pop(entry.of or 0, None)
        if game is None:
            return ()
        undone = [
            Shift(one.entry, one.pool, self.person(one.person), one.before, one.after)
            for one in self._shifts[game.number]
        ]
        known = {
            one.person: self.ratings[one.pool, one.person]
            for one in undone
            if (one.pool, one.person) in self.ratings
        }
        return correction_shifts(entry, known, undone, game.at)
