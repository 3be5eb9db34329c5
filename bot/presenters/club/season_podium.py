"""The podium of a season: a card that is posted once, as a picture and in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from babel.dates import format_skeleton

from bot.port import Button, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.club.ladder_and_profile_screens import LadderView, drawn_name, tally_text
from bot.presenters.table.status import rating_text
from bot.standing.seasons import Contestant, Season, SeasonKind
from games.core import phrase
from render.club.podium import Podium, PodiumGroup, PodiumStep


@dataclass(frozen=True)
class PodiumCard(PagePresenter):
    """Presents the podiums *of* games, by their keys, at the end of *season*."""

    season: Season
    of: Mapping[str, Sequence[Contestant]]

    @property
    def title(self) -> str:
        """What the season is called."""
        begin = self.season.begin
        if self.season.kind is SeasonKind.MONTH:
            locale = self.language.replace("-", "_")
            return self.say("season.title", season=format_skeleton("yMMMM", begin, locale=locale))
        quarter = phrase("season.quarter", n=self.season.number, year=str(begin.year))
        return self.say("season.title", season=quarter)

    def nameless(self) -> PodiumCard:
        """The same without anybody's name, as where a filter refuses one."""
        steps = {key: [replace(one, name="…") for one in of] for key, of in self.of.items()}
        return replace(self, of=steps)

    def screen(self) -> Screen:
        """The card: its words tell all that the picture shows."""
        game = next(iter(self.of))
        top = self.code(Action.TOP, *LadderView(game).path())
        rows = [[Button(self.say("standing.button.ladder"), top)]]
        screen = self.page(self.title, (), rows)
        return replace(screen, alt=" ".join(map(self._words, self.of)), silent=True)

    def _words(self, game: str) -> str:
        steps = tuple(
            phrase(
                "season.step",
                number=str(number),
                name=one.name,
                rating=rating_text(one.rating),
                games=tally_text(one.tally),
            )
            for number, one in enumerate(self.of[game], 1)
        )
        return self.say("season.game", game=phrase(f"{game}.name"), steps=steps)

    def picture(self) -> Podium:
        """The same as a picture: the steps of the game played most, the first of every other."""
        game, *others = sorted(self.of, key=lambda key: -sum(o.tally.games for o in self.of[key]))
        steps = tuple(
            PodiumStep(place, drawn_name(one.name), rating_text(one.rating))
            for place, one in enumerate(self.of[game], 1)
        )
        beside = tuple(
            PodiumGroup(self.say(f"{key}.name"), (drawn_name(self.of[key][0].name),), game=key)
            for key in others
        )
        return Podium(game, self.title, self.say(f"{game}.name"), steps, beside)
