"""The week of a place as a card: its words, and what its picture shows. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from babel.dates import format_datetime, format_interval

from bot.port import Button, Screen
from bot.presenters.base import PagePresenter, with_zone
from bot.presenters.button_codes import Action
from bot.presenters.club.ladder_and_profile_screens import drawn_name
from bot.presenters.club.standing_pictures import medal_face
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, scene_after, weight_of_turning
from bot.standing.view_models import ClubWeek
from games.core import phrase
from render.club.week import Week, WeekLine, WeekPerson
from render.kit.fonts import isolated
from render.scene import Scene


@dataclass(frozen=True)
class FinestMove:
    """The move of a week that turned its game most: *who* made it, *what* it was, the board."""

    table: str
    who: str
    what: str
    scene: Scene


@dataclass(frozen=True)
class ComingTournament:
    """The next tournament of *game*: the *key* to it, how many have *entered*, and when it begins.

    Its beginning is ``None`` where nobody knows it.
    """

    game: str
    key: Button
    entered: int
    begins: datetime | None = None


def finest_move(found: Iterable[Composer]) -> FinestMove | None:
    """The winner's own move that weighs most beside the others of its game, if there is one."""
    best, most = None, 0.0
    for composer in found:
        reel = reel_of(composer.table)
        weight = weight_of_turning(composer.table, reel)
        if weight > most and reel.turning is not None:
            scene = scene_after(composer, reel, reel.turning)
            (one,) = composer.seen.glimpses([(reel.turning, reel.told[reel.turning])])
            who, what = composer.names[one.seat], composer.spoken(one)
            best, most = FinestMove(composer.table.code, who, what, scene), weight
    return best


class WeekCard(PagePresenter):
    """Presents a *week* with its *finest* move, and what tournament is *coming*."""

    week: ClubWeek
    finest: FinestMove | None = None
    coming: ComingTournament | None = None

    def screen(self, *, nameless: bool = False) -> Screen:
        """The card: its words tell all that the picture shows, or, *nameless*, the figures."""
        keys = []
        if self.finest is not None:
            film = self.code(Action.REPLAY, table=self.finest.table)
            keys.append(Button(self.say("puzzle.button.film"), film))
        if self.coming is not None:
            keys.append(self.coming.key)
        screen, shown = self.page(self.say("club.week"), (), [keys]), self.picture()
        told = [
            f"{shown.words}.",
            *map(_words_of, shown.lines),
            ": ".join(filter(None, shown.coming)),
        ]
        if self.finest is not None:
            told.insert(1, f"{shown.tag}: {isolated(shown.move[0])}, {shown.move[1]}.")
        words = told[:1] if nameless else filter(None, told)
        return replace(screen, alt="\n".join(words), silent=True)

    def picture(self) -> Week:
        """What the picture shows beside the board of the finest move."""
        week, coming, locale = self.week, self.coming, self.language.replace("-", "_")
        first, last = (week.end - timedelta(days=n) for n in (7, 1))
        span = format_interval(first, last, "MMMd", locale=locale)
        move, then, game = ("", ""), ("", ""), ""
        if self.finest is not None:
            move = (drawn_name(self.finest.who), self.finest.what)
        if coming is not None:
            when = self.say("club.people", n=coming.entered)
            if coming.begins is not None:
                begins = format_datetime(coming.begins, "EEE HH:mm", UTC, locale)
                when = f"{with_zone(begins, self.language)} · {when}"
            then, game = (coming.key.label, when), coming.game
        words = f"{span} · {self.say('club.games', n=len(week.tables))}"
        titles = (self.say("club.week"), words, self.say("club.finest"))
        return Week(*titles, move, tuple(self._lines()), then, game)

    def _lines(self) -> Iterable[WeekLine]:
        week, upset = self.week, self.week.upset
        if upset is not None:
            who, whom = map(isolated, upset.names)
            said = self.say("keepsake.beat", who=who, whom=(whom,))
            mine, theirs = map(str, upset.ratings)
            game = phrase(f"{upset.pool}.name")
            figures = self.say("club.upset.figures", mine=mine, theirs=theirs, game=game)
            person = WeekPerson(drawn_name(upset.names[0]), said)
            yield WeekLine(self.say("club.upset"), (person,), figures)
        if week.climbers:
            people = [WeekPerson(drawn_name(name), change=gain) for name, gain in week.climbers]
            yield WeekLine(self.say("club.climbers"), tuple(people))
        if week.medals:
            people = [
                WeekPerson(drawn_name(name), medal=medal_face(self, one))
                for name, one in week.medals
            ]
            yield WeekLine(self.say("club.won"), tuple(people))


def _words_of(line: WeekLine) -> str:
    """What *line* shows, in words."""
    said = ", ".join(
        (one.said or isolated(one.name))
        + (f" (+{one.change})" if one.change else "")
        + (f" «{one.medal.name}»" if one.medal else "")
        for one in line.people
    )
    return f"{line.head}: {', '.join(filter(None, (said, line.second)))}."
