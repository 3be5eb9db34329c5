"""The film of a finished game: its pictures in their order, and how long each stands. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from threading import RLock
from typing import Any, TypeAlias

from cachetools import LRUCache, cached

from bot.presenters.table.composer import Composer
from bot.presenters.table.move_history import replayed
from bot.presenters.table.status import rating_lines
from bot.session.table import HistoryEntry, Table
from bot.session.visibility import Glimpse, VisibleTable
from games.core import CHANCE, Phrase, Position, Seat, Who, phrase, verbatim
from games.core.advice import Review
from render.film_foot import FilmFoot
from render.kit.fonts import isolated
from render.scene import Last, Scene

MOST_MOVES = 100
"""The most moves that may be asked for: the last ones."""

WHOLE = 30
"""So many moves are all told."""

TOLD = 17
"""How many of more moves are told."""

FEWEST = 14
"""How many of them are told where a film of more would be too large."""

TURNINGS_KEPT = 1024
"""Of how many games it is remembered on which move they turned: all of a game is looked at."""

SWINGS = 10
"""How many of the heaviest changes of the leader are shown in any case."""


@dataclass(frozen=True)
class Reel:
    """The moves of a game, and those of them that a film shows.

    *told* is the whole log; *moves* are the numbers of its entries that are moves, *numbers*
    those shown, *turning* that on which the game turned.
    """

    told: tuple[HistoryEntry, ...]
    moves: tuple[int, ...]
    numbers: tuple[int, ...]
    turning: int | None

    @property
    def whole(self) -> bool:
        """Whether every move is shown."""
        return self.numbers == self.moves


def reel_of(
    table: Table, last: int | None = None, found: Review | None = None, *, most: int = WHOLE
) -> Reel:
    """The story of *table*, or of its *last* moves; *found* is its review, where one was made.

    Where there are more than *most* moves, those that weigh most are told.
    """
    told, _ = replayed(table, len(table.log))
    moves = tuple(
        one.number
        for one in VisibleTable(table).glimpses(enumerate(told))
        if one.seat != CHANCE and table.game.speech.weight(one.before, one.move)
    )
    turning = _turning(table, told, moves, found)
    asked = moves if last is None else moves[-last:]
    shown = asked if len(asked) <= most else _story(table, told, asked, turning, min(most, TOLD))
    return Reel(told, moves, shown, turning)


def _story(
    table: Table,
    told: Sequence[HistoryEntry],
    moves: tuple[int, ...],
    turning: int | None,
    most: int,
) -> tuple[int, ...]:
    """The first and the last of *moves*, where the game turned, and the *most* that weigh most."""
    views = views_of(table, told, moves)
    swings = dict(zip(moves, map(_swing, pairwise(views)), strict=True))
    kept: set[int] = {moves[0], *changes_of_leader(moves, views)[:SWINGS], moves[-1]}
    if turning is not None and turning in swings:
        kept.add(turning)
    weight = table.game.speech.weight

    def worth(number: int) -> tuple[int, float]:
        one = told[number]
        return weight(one.before, one.move), swings[number]

    for number in sorted(moves, key=worth, reverse=True):
        if len(kept) >= most:
            break
        kept.add(number)
    return tuple(sorted(kept))


View: TypeAlias = tuple[float, ...]
"""What a position is worth to each seat at first sight."""


def views_of(table: Table, told: Sequence[HistoryEntry], moves: Sequence[int]) -> tuple[View, ...]:
    """What the game was worth to each seat: before the first of *moves*, and after every one."""
    glance, seats = table.game.computer.glance, range(len(table.players))
    if not moves or glance is None:
        return (tuple(0.0 for _ in seats),) * (len(moves) + 1)
    positions = [told[moves[0]].before, *(_after(table, told, number) for number in moves)]
    return tuple(tuple(glance(position, seat) for seat in seats) for position in positions)


def changes_of_leader(moves: Sequence[int], views: Sequence[View]) -> tuple[int, ...]:
    """Those of *moves* after which somebody else leads, the heaviest first."""
    found = []
    for number, (before, after) in zip(moves, pairwise(views), strict=True):
        first, now = before.index(max(before)), after.index(max(after))
        if first != now:
            swing = (after[now] - after[first]) - (before[now] - before[first])
            found.append((swing, number))
    return tuple(number for _, number in sorted(found, reverse=True))


def weight_of_turning(table: Table, of: Reel) -> float:
    """How often what a move changes the one changed on which the winner turned the game.

    It is 0 where another did, or nobody.
    """
    number, end = of.turning, table.outcome
    if number is None or end is None or of.told[number].seat != end.winner:
        return 0.0
    views = views_of(table, of.told, of.moves)
    swings = dict(zip(of.moves, map(_swing, pairwise(views)), strict=True))
    return swings[number] * len(swings) / (sum(swings.values()) or 1)


def _swing(pair: tuple[View, View]) -> float:
    """By how much a move changed what the game is worth to anybody."""
    return max(abs(after - before) for before, after in zip(*pair, strict=True))


def _after(table: Table, told: Sequence[HistoryEntry], number: int) -> Position[Any]:
    return told[number + 1].before if number + 1 < len(told) else table.present


def scene_after(composer: Composer, of: Reel, number: int) -> Scene:
    """The board after the move *number*, as everybody may see it.

    The last move shows who moved; more that blinks would tire.
    """
    seen = VisibleTable(composer.table)
    (one,) = seen.glimpses([(number, of.told[number])])
    then = seen.then(_after(composer.table, of.told, number))
    return replace(composer.past(then, (Last(one.before, one.seat, one.move),)), calm=True)


def _turning(
    table: Table, told: Sequence[HistoryEntry], moves: Sequence[int], found: Review | None
) -> int | None:
    """The loser's costliest mistake, or the move after which the winner was never behind again."""
    winner = table.outcome.winner if table.outcome is not None else None
    if winner is None or not moves:
        return None
    lost = [one for one in found or () if one.seat != winner and one.lost > 0]
    if lost:
        return max(lost, key=lambda one: one.lost).number
    if table.game.computer.glance is None:
        return None
    after = [*(one.before for one in told[1:]), table.present]
    ahead = takewhile(lambda number: _leads(table, after[number], winner), reversed(moves))
    *_, turned = (None, *ahead)
    if turned != moves[0]:
        return turned
    # The winner led all the time: the last blow is what players remember.
    weight = table.game.speech.weight
    return next((n for n in reversed(moves) if weight(told[n].before, told[n].move) > 1), None)


def _leads(table: Table, position: Position[Any], winner: Seat) -> bool:
    end = position.outcome()
    if end is not None:
        return end.winner == winner
    glance = table.game.computer.glance
    return glance is not None and glance(position, winner) > 0


LONGEST_FILM = 3900
"""How many hundredths of a second a film takes at most; chats show forty seconds as one film."""

QUICKEST, SLOWEST = 20, 100
"""Between which hundredths of a second a move stands."""

FIRST, TURNING, LAST = 100, 220, 400
"""How long the beginning, the turning point and the end stand."""

RATINGS = 160
"""How much of the end's time says what the game made of ratings."""

JUMP = 80
"""How long the board stands at which a jump in the story arrives."""

COVER, CLOSING = 100, 300
"""How long the cover stands, and at the end the card that leads to us."""

STEP = 5
"""How long a picture of a move on its way stands."""

HEAVY, LIGHT = 4, 2
"""How many pictures show a heavy move on its way, and how many any other."""


@dataclass(frozen=True)
class Shot:
    """A *scene*, how long it stands in hundredths of a second, and the *foot* under it.

    With *tweens* it is not shown itself, but so many pictures of its newest move on its way, each
    for *stands*.
    """

    scene: Scene
    stands: int
    foot: FilmFoot
    tweens: int = 0


def shots(composer: Composer, of: Reel) -> Iterator[Shot]:
    """The pictures of the reel *of*, as everybody may see them."""
    plan = _Plan(composer, of)
    if of.numbers:
        yield plan.beginning()
    for number in of.numbers:
        yield from plan.leading_to(number)
        if number != of.numbers[-1]:
            yield plan.after(number)
    end = composer.board().scene
    if end is not None:
        foot = plan.foot(verbatim(plan.words.headline()), len(of.moves))
        ratings = rating_lines(plan.words)
        yield Shot(end, LAST - RATINGS if ratings else LAST, replace(foot, gold=True))
        if ratings:
            said = plan.foot(verbatim(ratings[0]), len(of.moves))
            yield Shot(end, RATINGS, replace(said, gold=True))


@cached(
    LRUCache(TURNINGS_KEPT),
    lambda of: (of.table.code, of.table.log, of.tongue.code, *map(of.names.get, sorted(of.names))),
    RLock(),
)
def turning_point(composer: Composer) -> str:
    """The move on which the finished game turned, in words; "" where it turned on none."""
    of = reel_of(composer.table)
    if of.turning is None:
        return ""
    plan = _Plan(composer, of)
    return plan.words.say(plan.describe(of.turning))


class _Plan:
    """One film, as its pictures are put together."""

    def __init__(self, composer: Composer, of: Reel) -> None:
        self.composer, self.of = composer, of
        # For words alone: in a line of both directions each name keeps its own.
        self.words = copy(composer)
        self.words.names = {seat: isolated(name) for seat, name in composer.names.items()}
        self.seen = VisibleTable(composer.table)
        self.place = {number: at for at, number in enumerate(of.moves, 1)}
        self.each = self._each()

    def _each(self) -> int:
        """How long a usual move stands, so that the film takes no longer than it may."""
        of = self.of
        spent = COVER + CLOSING + FIRST + LAST + TURNING * (of.turning in of.numbers)
        for number in of.numbers:
            spent += STEP * self._tweens(number) + JUMP * bool(self._count_skipped(number))
        return max(QUICKEST, min(SLOWEST, (LONGEST_FILM - spent) // max(1, len(of.numbers))))

    def _tweens(self, number: int) -> int:
        one = self.of.told[number]
        heavy = self.composer.table.game.speech.weight(one.before, one.move) > 1
        return HEAVY if heavy or number in (self.of.turning, self.of.moves[-1]) else LIGHT

    def _count_skipped(self, number: int) -> int:
        """How many moves are left out between the picture before and this move."""
        at = self.of.numbers.index(number)
        before = self.place[self.of.numbers[at - 1]] if at else self.place[number] - 1
        return self.place[number] - before - 1

    def foot(self, said: Phrase, over: int, *, gold: bool = False) -> FilmFoot:
        """The foot with the words *said*, when so many moves are *over*."""
        count = max(1, len(self.of.moves))
        turning = None if self.of.turning is None else self.place[self.of.turning] / count
        return FilmFoot(self.words.say(said), over / count, turning, gold)

    def beginning(self) -> Shot:
        """The board before the first move that is shown."""
        first = self.of.numbers[0]
        names = tuple(self.words.names[seat] for seat in sorted(self.words.names))
        who = phrase("keepsake.foot.players", who=names)
        return Shot(self._scene(first), FIRST, self.foot(who, self.place[first] - 1))

    def leading_to(self, number: int) -> Iterator[Shot]:
        """The jump to the move *number*, if there is one, and the move on its way."""
        one, at = self._glimpse(number), self.place[number]
        scene = self._scene(number)
        if skipped := self._count_skipped(number):
            yield Shot(scene, JUMP, self.foot(phrase("keepsake.foot.jump", n=skipped), at - 1))
        foot = self.foot(self.describe(number), at, gold=number == self.of.turning)
        moving = replace(scene, last=(Last(one.before, one.seat, one.move),))
        yield Shot(moving, STEP, foot, self._tweens(number))

    def after(self, number: int) -> Shot:
        """The board after the move *number*."""
        turned, scene = number == self.of.turning, scene_after(self.composer, self.of, number)
        foot = self.foot(self.describe(number), self.place[number], gold=turned)
        return Shot(scene, TURNING if turned else self.each, foot)

    def _scene(self, number: int) -> Scene:
        before = self.seen.then(self.of.told[number].before)
        return replace(self.composer.past(before, ()), calm=True)

    def _glimpse(self, number: int) -> Glimpse:
        (one,) = self.seen.glimpses([(number, self.of.told[number])])
        return one

    def describe(self, number: int) -> Phrase:
        """What the move *number* was, and whose."""
        one, count = self._glimpse(number), len(self.of.moves)
        what, place = verbatim(self.words.spoken(one)), self.place[number]
        key = "keepsake.foot.turning" if one.number == self.of.turning else "keepsake.foot"
        return phrase(key, n=place, of=count, who=Who(one.seat), what=what)
