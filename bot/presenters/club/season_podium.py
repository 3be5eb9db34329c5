"""A league: how it stands, and the podiums of its end as a card that is posted once. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from babel.dates import format_skeleton

from bot.port import Button, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.club.ladder_and_profile_screens import LEAGUE, LadderView, drawn_name
from bot.standing.seasons import PAIR_GAMES, STEP_GAMES, STEP_PEOPLE, SeasonKind
from bot.standing.view_models import League, LeagueLine
from render.standing import Podium, Row, Step, Table


@dataclass(frozen=True)
class PodiumCard(PagePresenter):
    """Presents a *league*: as the podiums of its end, and as it stands meanwhile."""

    league: League

    @property
    def season(self) -> str:
        """What the season is called."""
        season = self.league.season
        if season.kind is SeasonKind.MONTH:
            locale = self.language.replace("-", "_")
            return format_skeleton("yMMMM", season.begin, locale=locale)
        return self.say("season.quarter", n=season.number, year=str(season.begin.year))

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
        top = self.code(Action.TOP, *LadderView("", span=LEAGUE).path())
        rows = [[Button(self.say("standing.button.league"), top)]]
        screen = self.page(self.title, (), rows)
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
        """The same as a picture."""
        return Podium(
            self.title,
            tuple(
                (self.division(number), tuple(map(self._step, steps)))
                for number, steps in enumerate(self.league.podiums)
                if steps
            ),
        )

    def _step(self, one: LeagueLine) -> Step:
        points, games = str(one.did.points), self.say("season.games", n=one.did.games)
        return Step(drawn_name(one.name), points, games, one.place or 0)

    def standing(self) -> Screen:
        """How the reader's division stands."""
        lines = self.league.divisions[self.league.mine] if self.league.divisions else ()
        back = self.code(Action.TOP, *LadderView("").path())
        said = [self.say("season.rule", most=PAIR_GAMES, games=STEP_GAMES, people=STEP_PEOPLE)]
        if not lines:
            said.insert(0, self.say("season.nobody-yet"))
        rows = [[Button(self.say("standing.button.ladder"), back)]]
        screen = self.page(self._standing_title, said, rows)
        return replace(screen, alt="\n".join(map(self._words, lines)))

    @property
    def _standing_title(self) -> str:
        division = self.division(self.league.mine)
        return self.say("season.league", season=self.season, division=division)

    def table(self, reader: int) -> Table:
        """The same as a picture."""
        heads = [self.say(f"season.head.{key}") for key in ("points", "games", "people")]
        lines = self.league.divisions[self.league.mine] if self.league.divisions else ()
        rows = [
            Row(
                "–" if one.place is None else str(one.place),
                drawn_name(one.name),
                str(one.did.points),
                str(one.did.games),
                str(len(one.did.met)),
                own=one.did.person == reader,
            )
            for one in lines
        ]
        return Table(self._standing_title, (heads[0], heads[1], heads[2]), tuple(rows))
