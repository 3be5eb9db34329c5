"""Puzzles of people: which comes next, what the first answer makes of ratings, the streak."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from bot.port import Where
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.service.place.places import new_view
from bot.service.school.daily_moves import DailyMoves
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.session.daily_calendar import SOLVED, streaks
from bot.session.exercise_catalogue import Exercise, PuzzleList
from bot.standing.rating import MEAN, WIDEST, Rating, after_game
from games.core.school import motifs
from storage.records import AttemptRow, PuzzleRow, SolverRow
from storage.school import attempts, puzzles
from storage.store import Store, Transaction
from storage.table.views import put_view

ALL = ""
"""The pool of the streak, which counts the days whose move was solved, of all games."""

UNSURE = WIDEST / 2
"""The sigma of a puzzle that nobody has tried: our own programs know a little of it."""

A_PAGE = 6
"""How many of the puzzles that somebody has tried are listed at once."""

FIRST_TRIES = 10
"""How many tries hardly count, and how many solved puzzles lead up to one's strength."""

LITTLE = 0.2
"""The part of a change that the first tries make."""

STORM, STORM_SECONDS = "storm:", 180
"""Begins the pool of the storms of a game, and how long one lasts."""

STORM_VIEW = "storm"
"""The kind of the views that tell the end of a storm; their subjects are games."""

STEP = 3
"""By how many of all puzzles the next one of a storm is harder."""

NEAR = 8
"""Among how many puzzles nearest to one's strength the next one is drawn."""


@dataclass(frozen=True)
class Scored:
    """What a first answer made of somebody's rating."""

    before: Rating
    after: Rating
    early: bool = False
    """Whether it is one of the first, which hardly count."""

    @property
    def change(self) -> int:
        """The change in points."""
        return self.after.shown - self.before.shown


class Storm(NamedTuple):
    """A run through the puzzles of a game that *began* then: so many *solved*, seconds *left*."""

    began: datetime
    solved: int
    record: int
    left: int


@dataclass(frozen=True)
class PuzzleRecord:
    """How somebody does with the puzzles of a game."""

    rating: Rating
    solved: int
    tried: int


@dataclass(kw_only=True)
class Puzzles:
    """The puzzles of all games, and how people do with them."""

    store: Store
    clock: Clock
    people: People
    daily_moves: DailyMoves
    collection: PuzzleCollection

    async def next_for(
        self, person: int, game: str, turn: int, *, theme: str = "", storm: int | None = None
    ) -> Exercise | None:
        """A puzzle of *game* at the strength of *person* that they have not solved, or ``None``.

        Those never seen come first, and before the first is solved easy ones of the plainest theme.
        *turn* draws among the nearest. Of a *theme* alone, where one is wished; in a *storm*, in
        which so many are solved, it is the harder.
        """
        async with self.store.reading() as tx:
            rows = await attempts.attempts_of(tx, person, game=game, step="")
            solver = await puzzles.load_solver(tx, person, game)
            rated = {one.code: one.mu for one in await puzzles.puzzles_tried(tx, game)}
        every = [one for one in await self.collection.of(game) if has_theme(one, theme)]
        hard = sorted(rated.get(one.code, _mu(one)) for one in every)
        strength = MEAN if solver is None else solver.mu
        solved = sum(one.solved is not None and not one.wrong for one in rows)
        if hard:
            lowest, climbed = hard[len(hard) // 6], min(1.0, solved / FIRST_TRIES) ** 0.5
            strength = min(strength, lowest + climbed * max(0.0, strength - lowest))
        if hard and storm is not None:
            strength = hard[min(STEP * storm, len(hard) - 1)]
        tried = {one.exercise: one for one in rows}
        open_ones = [one for one in every if one.code not in tried]
        open_ones = open_ones or [one for one in every if tried[one.code].solved is None]

        def far(one: Exercise) -> tuple[bool, float]:
            mu, plainest = rated.get(one.code, _mu(one)), next(iter(one.game.computer.motifs), "")
            first = not solved and mu <= hard[len(hard) // 3] and has_theme(one, plainest)
            return not first, abs(mu - strength)

        near = sorted(open_ones, key=lambda one: (far(one), one.code))[:NEAR]
        return near[turn % len(near)] if near else None

    async def count_missed(self, person: int, exercise: Exercise, sign: str) -> Scored | None:
        """Count a wrong answer of *person*; what it made of the rating, if it was the first.

        *sign* tells of which kind it was, for the move of the day.
        """
        tried = await self.daily_moves.try_of(person, exercise, sign)
        async with self.store.transaction() as tx:
            await puzzles.note_daily_try(tx, tried)
            if not await attempts.miss_attempt(tx, person, exercise.code):
                return None
            return await self._rate(tx, person, exercise, solved=False)

    async def count_solved(self, person: int, exercise: Exercise) -> Scored | None:
        """Note that *person* has solved it; what it made of the rating.

        ``None`` where they had solved it before; the rating stays where they had missed.
        """
        now = self.clock.now()
        today = await self.people.today(person)
        tried = await self.daily_moves.try_of(person, exercise, SOLVED)
        async with self.store.transaction() as tx:
            await puzzles.note_daily_try(tx, tried)
            await self._keep_streak(tx, person, today)
            wrong = await attempts.solve_attempt(tx, person, exercise.code, now)
            if wrong is None:
                return None
            if wrong:
                same = _rating(await puzzles.load_solver(tx, person, exercise.game.key))
                return Scored(same, same)
            return await self._rate(tx, person, exercise, solved=True)

    async def put_storm(self, person: int, game: str, began: datetime | None, solved: int) -> None:
        """Note how the storm stands that *began* then, ``None`` for one that is over."""
        async with self.store.transaction() as tx:
            row = await puzzles.load_solver(tx, person, STORM + game)
            row = row or _nobody(person, STORM + game)
            most = max(row.longest, solved)
            await puzzles.put_solver(tx, replace(row, last=began, streak=solved, longest=most))

    async def begin_storm(self, person: int, game: str, where: Where | None, speaks: str) -> None:
        """Let a storm of *person* begin *where* they are alone, and where its end is told."""
        await self.put_storm(person, game, self.clock.now(), 0)
        if where is not None and not where.private:
            where = await self.people.private_chat(person, where.platform)
        if where is not None:
            view = replace(new_view(game, 0, where, person, speaks), kind=STORM_VIEW)
            await self.store.write(put_view, view, self.clock.now())

    async def storm_of(self, person: int, game: str) -> Storm | None:
        """The storm of *person*, until it has been told once that nothing of it is left."""
        row = await self.store.read(puzzles.load_solver, person, STORM + game)
        if row is None or row.last is None:
            return None
        left = STORM_SECONDS - int((self.clock.now() - row.last).total_seconds())
        return Storm(row.last, row.streak, row.longest, max(0, left))

    async def count_in_storm(self, me: int, one: Exercise, storm: Storm, *, solved: bool) -> None:
        """Count the answer of *me* to *one* in the *storm* that runs, which moves no rating."""
        if solved:
            await self.store.write(attempts.solve_attempt, me, one.code, self.clock.now())
        else:
            await self.store.write(attempts.miss_attempt, me, one.code)
        await self.put_storm(me, one.game.key, storm.began, storm.solved + solved)

    async def record(self, person: int, game: str) -> PuzzleRecord:
        """How *person* does with the puzzles of *game*."""
        known = {one.code for one in await self.collection.of(game)}
        async with self.store.reading() as tx:
            tried = await attempts.attempts_of(tx, person, game=game)
            solver = await puzzles.load_solver(tx, person, game)
        mine = [one for one in tried if one.exercise in known]
        solved = sum(one.solved is not None for one in mine)
        return PuzzleRecord(_rating(solver), solved, sum(map(_is_judged, mine)))

    async def tried_by(self, person: int, page: int) -> PuzzleList:
        """What *person* has solved and missed, the latest first, of those that are still put.

        The others are counted. The last page where there is none of this number.
        """
        known = await self.collection.by_code()
        rows = await self.store.read(attempts.attempts_of, person, step="")
        judged = [(row.exercise, row.solved is not None) for row in rows if _is_judged(row)]
        mine = [(known[code], solved) for code, solved in judged if code in known]
        page = max(0, min(page, (len(mine) - 1) // A_PAGE))
        first, solved = page * A_PAGE, sum(done for _, done in judged)
        shown, left = mine[first : first + A_PAGE], len(mine) - first - A_PAGE
        return PuzzleList(page, shown, solved, len(judged) - solved, left > 0)

    async def _rate(
        self, tx: Transaction, person: int, exercise: Exercise, *, solved: bool
    ) -> Scored:
        """The person against the puzzle, as in a game of two."""
        now, game = self.clock.now(), exercise.game.key
        mine = await puzzles.load_solver(tx, person, game)
        theirs = await puzzles.load_puzzle(tx, exercise.code)
        before, hard = _rating(mine), Rating(_mu(exercise), UNSURE)
        if theirs is not None:
            hard = Rating(theirs.mu, theirs.sigma, theirs.last)
        after, harder = after_game((before, hard), (1, 2) if solved else (2, 1), now)
        judged = sum(map(_is_judged, await attempts.attempts_of(tx, person, game=game, step="")))
        if early := judged <= FIRST_TRIES:
            change, surer = after.mu - before.mu, after.sigma - before.sigma
            after = Rating(before.mu + LITTLE * change, before.sigma + LITTLE * surer, after.last)
        days = mine or _nobody(person, game)
        await puzzles.put_solver(tx, replace(days, mu=after.mu, sigma=after.sigma, last=now))
        tried, done = (0, 0) if theirs is None else (theirs.tried, theirs.solved)
        row = PuzzleRow(
            *(exercise.code, game, harder.mu, harder.sigma, now), tried + 1, done + int(solved)
        )
        await puzzles.put_puzzle(tx, row)
        return Scored(before, after, early)

    async def _keep_streak(self, tx: Transaction, person: int, today: int) -> None:
        """Store the streak of days whose move *person* has solved, if *today*'s is among them."""
        days = {one.day for one in await puzzles.daily_tries_of(tx, person) if one.on_day}
        row = await puzzles.load_solver(tx, person, ALL) or _nobody(person, ALL)
        if today in days and row.day != today:
            streak, longest = streaks(days, today)
            longest = max(row.longest, longest)
            row = replace(row, streak=streak, longest=longest, day=today)
            await puzzles.put_solver(tx, row)


def has_theme(exercise: Exercise, theme: str) -> bool:
    """Whether *exercise* is of this *theme*; all are of ""."""
    return not theme or theme in motifs(exercise.game, exercise.lesson)


def _nobody(person: int, pool: str) -> SolverRow:
    return SolverRow(person, pool, MEAN, WIDEST, None, 0, 0, 0)


def _rating(row: SolverRow | None) -> Rating:
    return Rating() if row is None else Rating(row.mu, row.sigma, row.last)


def _mu(exercise: Exercise) -> float:
    return MEAN if exercise.lesson.mu is None else exercise.lesson.mu


def _is_judged(row: AttemptRow) -> bool:
    return row.solved is not None or row.wrong > 0
