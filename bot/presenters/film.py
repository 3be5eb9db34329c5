"""The film of a finished game: its pictures in their order, and how long each stands. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace

from bot.presenters.composer import Composer
from bot.presenters.film_highlights import Reel
from bot.presenters.table_status import rating_lines
from bot.session.visibility import Glimpse, VisibleTable
from games.core import Phrase, Who, phrase, verbatim
from render.film_foot import FilmFoot
from render.kit.bidi import isolated
from render.scene import Last, Scene

LONGEST = 3900
"""How many hundredths of a second a film takes at most; chats show forty seconds as one film."""

QUICKEST, SLOWEST = 20, 100
"""Between which hundredths of a second a move stands."""

FIRST, TURNING, LAST = 100, 220, 400
"""How long the beginning, the turning point and the end stand."""

RATINGS = 160
"""How much of the end's time says what the game made of ratings."""

JUMP = 45
"""How long the board stands at which a jump in the story arrives."""

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

    @property
    def lasts(self) -> int:
        """How long it takes in all."""
        return self.stands * max(1, self.tweens)


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
            said = plan.foot(verbatim(*ratings), len(of.moves))
            yield Shot(end, RATINGS, replace(said, gold=True))


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
        spent = FIRST + LAST + TURNING * (of.turning in of.numbers)
        for number in of.numbers:
            spent += STEP * self._tweens(number) + JUMP * bool(self._skipped(number))
        return max(QUICKEST, min(SLOWEST, (LONGEST - spent) // max(1, len(of.numbers))))

    def _tweens(self, number: int) -> int:
        one = self.of.told[number]
        heavy = self.composer.table.game.speech.weight(one.before, one.move) > 1
        return HEAVY if heavy or number in (self.of.turning, self.of.moves[-1]) else LIGHT

    def _skipped(self, number: int) -> int:
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
        scene = self._scene(first)
        return Shot(scene, FIRST, self.foot(who, self.place[first] - 1))

    def leading_to(self, number: int) -> Iterator[Shot]:
        """The jump to the move *number*, if there is one, and the move on its way."""
        one, at = self._glimpse(number), self.place[number]
        scene = self._scene(number)
        if skipped := self._skipped(number):
            yield Shot(scene, JUMP, self.foot(phrase("keepsake.foot.jump", n=skipped), at - 1))
        foot = self.foot(self._told(one), at, gold=number == self.of.turning)
        moving = replace(scene, last=(Last(one.before, one.seat, one.move),))
        yield Shot(moving, STEP, foot, self._tweens(number))

    def after(self, number: int) -> Shot:
        """The board after the move *number*."""
        one = self._glimpse(number)
        last = (Last(one.before, one.seat, one.move),)
        after = self.of.told[number + 1].before if number + 1 < len(self.of.told) else None
        seen = self.composer.table.present if after is None else after
        # The last move shows who moved; more that blinks would tire.
        scene = replace(self.composer.past(self.seen.then(seen), last), calm=True)
        turned = number == self.of.turning
        foot = self.foot(self._told(one), self.place[number], gold=turned)
        return Shot(scene, TURNING if turned else self.each, foot)

    def _scene(self, number: int) -> Scene:
        before = self.seen.then(self.of.told[number].before)
        return replace(self.composer.past(before, ()), calm=True)

    def _glimpse(self, number: int) -> Glimpse:
        (one,) = self.seen.glimpses([(number, self.of.told[number])])
        return one

    def _told(self, one: Glimpse) -> Phrase:
        what = verbatim(self.words.spoken(one))
        place = self.place[one.number]
        count = len(self.of.moves)
        return phrase("keepsake.foot", n=place, of=count, who=Who(one.seat), what=what)
