"""A league: how it stands, and the podiums of its end as a card that is posted once. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from babel.dates import format_skeleton

from bot.port import Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.club.ladder_and_profile_screens import LEAGUE, LadderView, drawn_name
from bot.standing.seasons import PAIR_GAMES, STEP_GAMES, STEP_PEOPLE
from bot.standing.view_models import League, LeagueLine
from render.club.podium import Podium, PodiumGroup, PodiumStep
from render.club.ranking import Ranking, RankingRow

WHOLE: Final = 11
"""A division of more people is shown by its first and by the reader with their neighbours."""


class PodiumCard(PagePresenter):
    """Presents a *league*: as the podiums of its end, and as it stands meanwhile."""

    league: League

    @property
    def season(self) -> str:
        """What the season is called."""
        locale = self.language.replace("-", "_")
        return format_skeleton("yMMMM", self.league.season.begin, locale=locale)

    @property
    def title(self) -> str:
        """What the podium is called."""
        return self.say("season.title", season=self.season)

    def division(self, number: int) -> str:
        """What the division of this *number*, from 0 on, is called; the only one is the league."""
        only = len(self.league.divisions) == 1
        return self.say("season.only" if only else "season.division", n=number + 1)

    def nameless(self) -> PodiumCard:
        """The same without anybody's name, as where a filter refuses one."""
        every = [[replace(one, name="…") for one in each] for each in self.league.divisions]
        return replace(self, league=replace(self.league, divisions=every))

    def screen(self) -> Screen:
        """The podiums: their words tell all that the picture shows."""
        path = LadderView("", span=LEAGUE).path()
        top = self.button_to(Action.TOP, "standing.button.league", *path)
        screen = self.page(self.title, (), [[top]])
        words = [
            f"{self.division(n)}: {', '.join(map(self._words, steps))}."
            for n, steps in enumerate(self.league.podiums)
            if steps
        ]
        return replace(screen, alt=" ".join(words), silent=True)

    def _words(self, one: LeagueLine) -> str:
        place = "–" if one.place is None else str(one.place)
        points, games = one.did.points, one.did.games
        return self.say("season.step", number=place, name=one.name, points=points, n=games)

    def picture(self) -> Podium:
        """The same as a picture: the steps of the first division, who stands on the others'."""
        (number, first), *others = [
            (n, steps) for n, steps in enumerate(self.league.podiums) if steps
        ]
        beside = tuple(
            PodiumGroup(self.division(n), tuple(drawn_name(one.name) for one in steps))
            for n, steps in others
        )
        steps = []
        for one in first:
            said = self.say("club.points", n=one.did.points)
            steps.append(PodiumStep(one.place or 0, drawn_name(one.name), said))
        return Podium("", self.title, self.division(number), tuple(steps), beside)

    def standing(self) -> Screen:
        """How the reader's division stands."""
        lines = self.league.divisions[self.league.mine] if self.league.divisions else ()
        back = self.button_to(Action.TOP, "standing.button.ladder", *LadderView("").path())
        said = [self.say("season.rule", most=PAIR_GAMES, games=STEP_GAMES, people=STEP_PEOPLE)]
        if not lines:
            said.insert(0, self.say("season.nobody-yet"))
        screen = self.page(self._standing_title, said, [[back]])
        return replace(screen, alt="\n".join(map(self._words, lines)))

    @property
    def _standing_title(self) -> str:
        division = self.division(self.league.mine)
        return self.say("season.league", season=self.season, division=division)

    def ranking(self, reader: int) -> Ranking:
        """The same as a picture."""
        divisions, mine = self.league.divisions, self.league.mine
        lines = divisions[mine] if divisions else ()
        above, below = divisions[:mine], divisions[mine + 1 :]
        up = lines[:1] if above and lines[0].place else ()
        down = [one for one in lines if one.did.games][-1:] if below and below[0][0].place else ()
        rows = tuple(
            RankingRow(
                one.place or 0,
                drawn_name(one.name),
                str(one.did.points),
                note=str(len(one.did.met)),
                zone=(one in up) - (one in down),
                own=one.did.person == reader,
            )
            for one in lines
        )
        own = next((n for n, one in enumerate(rows) if one.own), 0)
        shown = WHOLE if len(rows) <= WHOLE else WHOLE - 3
        apart = rows[max(shown, own - 1) : own + 2]
        heads = ("", self.say("season.head.people"), self.say("season.head.points"))
        division = self.division(self.league.mine)
        return Ranking("", division, (self.season,), rows[:shown], apart, heads)
