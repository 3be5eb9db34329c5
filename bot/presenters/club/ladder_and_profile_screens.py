"""Ladders, profiles and meetings as screens, and as what their pictures show. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from babel.dates import format_date

from bot.port import Button, Choice, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import WHO, Action
from bot.presenters.table.keyboard import in_rows
from bot.presenters.table.status import points_text, rating_text
from bot.standing.medals import Deeds, Goal, Medal, metal_of
from bot.standing.tallies import Tally
from bot.standing.view_models import (
    GameStanding,
    GivenMedal,
    Ladder,
    LadderLine,
    Meetings,
    PersonStanding,
)
from games.core import Phrase, phrase, verbatim
from render.club.medal_collection import SHOWN
from render.kit.fonts import ELLIPSIS, drawable

HERE, ALL = "here", "all"
"""The scopes of ladders and profiles, as buttons say them."""

LATELY, MONTH, LEAGUE = "lately", "month", "league"
"""The spans of ladders, as buttons say them; that of a league leads to it."""

WORDS, MEDALS = "words", "medals"
"""What follows in a button that asks for the same in words, for medals, or one of so many."""


@dataclass(frozen=True)
class LadderView:
    """Which ladder is looked at: its *scope*, its *span*, and the *page*; *apart* has no place."""

    game: str
    scope: str = HERE
    span: str = LATELY
    page: int = 0
    apart: bool = False

    def path(self, **changed: str | int) -> tuple[str, ...]:
        """The path of a button that leads there, with what has *changed*."""
        said = {"game": self.game, "scope": self.scope, "span": self.span, "page": self.page}
        return tuple(str(one) for one in {**said, **changed}.values())


class StandingScreens(PagePresenter):
    """Composes what people are told of ratings, for one reader."""

    def ladder(self, view: LadderView, ladder: Ladder, *, league: bool = False) -> Screen:
        """A page of a ladder; its picture has the same rows as its description.

        A button leads to the *league* of the place, if it has one.
        """
        lines = []
        if ladder.mine is not None:
            lines.append(self._own_line(ladder.mine, ladder.above))
        known = ladder.lines or ladder.mine is not None
        empty = "standing.seen" if view.scope == ALL else "standing.nobody-yet"
        lines.append(self.say("standing.key" if known else empty))
        screen = self.page(self.title(view), lines, self._ladder_rows(view, ladder, league=league))
        return replace(screen, alt="\n".join(self.ladder_words(ladder)))

    def title(self, view: LadderView) -> str:
        """What the ladder of *view* is called."""
        where = self.say(f"standing.{view.scope}")
        key = "standing.title.month" if view.span == MONTH else "standing.title"
        return self.say(key, game=phrase(f"{view.game}.name"), where=where)

    def ladder_words(self, ladder: Ladder) -> tuple[str, ...]:
        """The rows of a ladder in words."""
        return tuple(map(self._line, ladder.lines))

    def _line(self, line: LadderLine) -> str:
        number = "–" if line.number is None else f"{line.number}."
        return self.say("standing.line", number=number, name=line.name, stands=self._stands(line))

    def _own_line(self, line: LadderLine, above: int) -> str:
        """Where the reader stands, of how many."""
        key = "standing.own-line" if line.number is None else "standing.own-place"
        return self.say(key, number=line.number or 0, of=above, stands=self._stands(line))

    def _stands(self, line: LadderLine) -> Phrase:
        return phrase(
            "standing.stands.unsettled" if line.rating.provisional else "standing.stands",
            strength=line.rating.strength,
            change=self.change_words(line, "medium"),
            games=self.results(line),
        )

    def results(self, one: LadderLine | GameStanding) -> Phrase:
        """What somebody has won, drawn and lost, or how often they took each place."""
        if not one.places:
            return verbatim(tally_text(one.tally))
        return phrase(
            "standing.places", n=len(one.places), places=tally_text(one.tally, one.places)
        )

    def change_words(self, line: LadderLine, width: str) -> str:
        """The change of 30 days; below the line the day of the last game, in a date's *width*."""
        if line.resting is not None:
            return format_date(line.resting.date(), width, self.language.replace("-", "_"))
        return self.say("standing.new") if line.change is None else points_text(line.change)

    def _ladder_rows(
        self, view: LadderView, ladder: Ladder, *, league: bool
    ) -> list[Sequence[Button]]:
        games = [
            self.button_to(Action.TOP, f"{key}.name", *view.path(game=key, page=0))
            for key in ladder.games
            if key != view.game
        ]
        scope = HERE if view.scope == ALL else ALL
        span = LATELY if view.span == MONTH else MONTH
        top = partial(self.button_to, Action.TOP)
        switches = [top(f"standing.button.{span}", *view.path(span=span, page=0))]
        if not view.apart:
            switches.insert(0, top(f"standing.button.{scope}", *view.path(scope=scope, page=0)))
        if league:
            switches.append(top("standing.button.league", *view.path(span=LEAGUE, page=0)))
        if not ladder.lines:
            new = self.button_to(Action.SHEET, "house.sheet.new", "game", view.game, style="good")
            games.insert(0, new)
            if view.scope == ALL:
                games.insert(0, self.button_to(Action.SETTINGS, "ways.settings"))
        pages = self.page_keys(
            ladder.page, ladder.pages, lambda to: self.code(Action.TOP, *view.path(page=to))
        )
        last = []
        if ladder.lines:
            last.append(top("house.button.words", *view.path(page=ladder.page), WORDS))
        last.append(self.button_to(Action.PROFILE, "standing.button.profile", view.scope))
        return [*in_rows(games), switches, pages, last]

    def profile(
        self, name: str, found: PersonStanding, scope: str, of: int, *, own: bool = False
    ) -> Screen:
        """All that is *found* of the person *of* this *name*.

        *own* is the reader's profile: it leads on to what they can do today.
        """
        key = "standing.profile.none" if found.is_empty else "standing.profile"
        if own and found.is_empty:
            key = f"{key}.yours"
        rows: list[Sequence[Button]] = []
        if not found.is_empty:
            at = (scope, f"@{of}", WORDS)
            rows.append([self.button_to(Action.PROFILE, "house.button.words", *at)])
        if found.medals:
            n, at = len(found.medals), (scope, f"@{of}", MEDALS)
            rows[-1] = [*rows[-1], self.button_to(Action.PROFILE, "club.medals", *at, n=n)]
        ladders, of_game = [], "standing.button.ladder-of"
        for one in found.games:
            path, game = LadderView(one.game, scope).path(), phrase(f"{one.game}.name")
            ladders.append(self.button_to(Action.TOP, of_game, *path, game=game))
        rows += in_rows(ladders)
        if not ladders:
            path = LadderView("", scope).path()
            rows.append([self.button_to(Action.TOP, "standing.button.ladder", *path)])
        if own:
            today = self.button_to(Action.PUZZLE, "daily.button.today", "today")
            rows.append([today, self.button_to(Action.PUZZLE, "mistake.button.none", "mistakes")])
            rows.append([self.button_to(Action.SHEET, "house.sheet.new", "game", "")])
        lines = (*self.deed_words(found.deeds), *self._goal_words(found.goal))
        screen = self.page(self.say(key, name=name), lines, rows)
        # What stands above the picture is not said again below it.
        below = (one for one in self.profile_words(found) if one not in lines)
        return replace(screen, alt="\n".join(below))

    def profile_words(self, found: PersonStanding) -> tuple[str, ...]:
        """The same in words: a few lines a game, the deeds, and a line for each medal."""
        return (
            *(line for one in found.games for line in self._game_words(one)),
            *self.deed_words(found.deeds),
            *map(self.medal_words, found.medals),
            *self._goal_words(found.goal),
        )

    def deed_words(self, deeds: Deeds) -> tuple[str, ...]:
        """What somebody has done besides rated games."""
        games = tuple(phrase(f"{game}.name") for game in deeds.courses)
        told = (
            (deeds.solved, phrase("standing.deeds.solved", n=deeds.solved)),
            (deeds.streak, phrase("standing.deeds.streak", n=deeds.streak)),
            (deeds.days > deeds.streak, phrase("standing.deeds.days", n=deeds.days)),
            (games, phrase("standing.deeds.courses", games=games)),
            (deeds.mended, phrase("standing.deeds.mended", n=deeds.mended)),
        )
        return tuple(self.say(said) for done, said in told if done)

    def _goal_words(self, goal: Goal | None) -> tuple[str, ...]:
        if goal is None:
            return ()
        name = phrase(goal.medal.words)
        game = phrase(f"{goal.medal.game}.name") if goal.medal.game else ""
        key = "standing.goal.game" if game else "standing.goal"
        return (self.say(key, name=name, game=game, done=goal.done, many=goal.many),)

    def medal_words(self, given: GivenMedal) -> str:
        """A medal with its sentence, of what it is, when it was given, and who has it too."""
        told, facts = self.medal_deed(given.medal), ", ".join(self.medal_facts(given))
        said = self.say("standing.medal", name=phrase(given.medal.words), told=told, facts=facts)
        if not given.others:
            return said
        return f"{said} {self.say('standing.medal.others', names=tuple(given.others))}"

    def medal_deed(self, medal: Medal) -> str:
        """For what *medal* is given."""
        game = phrase(f"{medal.game}.name") if medal.game else ""
        return self.say(f"{medal.words}.told", game=game)

    def medal_facts(self, given: GivenMedal) -> tuple[str, ...]:
        """The metal, the game if it is of one, the day, and how rare it is."""
        share = self.say("standing.medal.share", n=max(1, round(100 * given.share)))
        day = format_date(given.at.date(), "medium", self.language.replace("-", "_"))
        game = [self.say(f"{given.medal.game}.name")] if given.medal.game else []
        return (self.say(f"standing.metal.{metal_of(given.share)}"), *game, day, share)

    def medals(
        self, name: str, given: Sequence[GivenMedal], told: Sequence[GivenMedal], *path: str
    ) -> Screen:
        """The medals that somebody was *given*, a key each; those in the picture are *told*.

        Who has one too is told by the picture's description. *path* leads to the profile.
        """
        keys = [
            Button(
                " · ".join((self.say(one.medal.words), *self.medal_facts(one)[1:-2])),
                self.code(Action.PROFILE, *path, MEDALS, str(given.index(one))),
            )
            for one in rarest_first(given)[:SHOWN]
        ]
        back = self.button_to(Action.PROFILE, "standing.button.profile", *path)
        screen = self.page(name, rows=[*in_rows(keys), [back]])
        return replace(screen, alt="\n".join(map(self.medal_words, told)))

    def _game_words(self, one: GameStanding) -> list[str]:
        game, rating = phrase(f"{one.game}.name"), rating_text(one.rating)
        deviation, games = round(one.rating.deviation), self.results(one)
        key = "standing.profile.places" if one.places else "standing.profile.game"
        told = self.say(key, game=game, rating=rating, deviation=deviation, games=games)
        return [told, *map(self.say, self.remarks(one))]

    @staticmethod
    def remarks(one: GameStanding) -> list[Phrase]:
        """What is remarkable about how somebody stands: a streak, opponents."""
        found = []
        if abs(one.streak) > 1:
            key = "standing.streak.won" if one.streak > 0 else "standing.streak.lost"
            found.append(phrase(key, n=abs(one.streak)))
        for key, most in (("often", one.often), ("beaten", one.beaten), ("feared", one.feared)):
            if most is not None:
                found.append(phrase(f"standing.{key}", name=most[0], n=most[1]))
        return found

    def meetings(self, names: tuple[str, str], found: Sequence[Meetings]) -> Screen:
        """What two people have played against each other."""
        me, other = names
        lines = []
        for one in found:
            told = "standing.versus.places" if one.seats > 2 else "standing.versus.game"
            game, games = phrase(f"{one.game}.name"), tally_text(one.tally)
            mine, theirs = rating_text(one.mine), rating_text(one.theirs)
            lines.append(self.say(told, game=game, games=games, mine=mine, theirs=theirs))
        key = "standing.versus" if found else "standing.versus.none"
        return replace(self.page(self.say(key, me=me, other=other), lines), alt="\n".join(lines))

    def with_challenge(self, screen: Screen, person: int, name: str) -> Screen:
        """*screen* about another *person*, with a button that challenges them by *name*."""
        code = self.code(Action.SHEET, "game", "", f"@{person}")
        button = Button(self.say("house.sheet.challenge", name=name), code, "good")
        return replace(screen, rows=((button,), *screen.rows))

    def rivals(self, met: Sequence[tuple[int, str]], *, picks: bool) -> Screen:
        """Whom the reader may mean: people they have *met*, by id and name, or somebody else.

        *picks*: a button lets the reader pick a person, where the chat lists none.
        """
        rows: list[Sequence[Button]] = [
            [Button(name, self.code(Action.VERSUS, f"@{person}"))] for person, name in met
        ]
        said, who = self.say("ways.people"), self.code(Action.VERSUS, *WHO)
        if picks:
            rows.append([Button(said, who)])
        rows.append([self.button_to(Action.PROFILE, "standing.button.profile", HERE)])
        choices = () if picks else (Choice(said, person=who),)
        how = [self.say("standing.versus.how")]
        return self.page(self.say("standing.versus.whom"), how, rows, choices)


def rarest_first(given: Sequence[GivenMedal]) -> Sequence[GivenMedal]:
    """The medals that were *given*, in the order of their picture."""
    return sorted(given, key=lambda one: one.share)


def drawn_name(name: str) -> str:
    """*name* on a picture: dots where no typeface here has its letters; the words have it."""
    return name if drawable(name) else ELLIPSIS


def tally_text(tally: Tally, places: tuple[int, ...] = ()) -> str:
    """How many were won, drawn and lost: «12–3–5»; or how often each of *places* was taken."""
    return "–".join(map(str, places or (tally.won, tally.drawn, tally.lost)))
