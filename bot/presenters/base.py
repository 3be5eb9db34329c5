"""The bases of presenters: sentences and buttons of a table, or of no table. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import dataclass_transform

from babel.dates import get_timezone_location

from bot.port import Button, Choice, KeyRows, Screen
from bot.presenters.button_codes import NO_TABLE, Action, Click, encode_click
from bot.presenters.table.viewers import Viewer, player_names
from bot.session.table import Table
from bot.session.visibility import Glimpse, VisibleTable, hides
from bot.texts import Language, language
from games.core import Phrase, Seat, phrase
from games.core.phrases import Arg


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class PagePresenter:
    """Presents pages that show no table in the *language*; *key* signs their buttons.

    What is derived from it is a frozen dataclass.
    """

    language: str
    key: bytes

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)

    def say(self, said: str | Phrase, **args: Arg) -> str:
        """*said*, a phrase or the key of one with *args*, in words."""
        return language(self.language).say(phrase(said, **args) if isinstance(said, str) else said)

    def code(self, act: Action, *path: str, table: str = NO_TABLE, turn: int = 0) -> str:
        """The code of a button for the action *act*."""
        return encode_click(Click(act, table, turn, path), self.key)

    def button_to(
        self, act: Action, key: str, *path: str, style: str = "house", **args: Arg
    ) -> Button:
        """The button, labelled by the sentence *key*, that does *act* with *path*."""
        return Button(self.say(key, **args), self.code(act, *path), style)

    def page(
        self,
        headline: str,
        lines: Sequence[str] = (),
        rows: KeyRows = (),
        choices: Sequence[Choice] = (),
    ) -> Screen:
        """A page with the *headline*, and those of the *rows* that have buttons."""
        return Screen(
            *(NO_TABLE, 0, headline, tuple(lines)),
            rows=tuple(tuple(row) for row in rows if row),
            language=self.language,
            choices=tuple(choices),
        )

    def page_keys(
        self,
        first: int,
        many: int,
        code: Callable[[int], str],
        step: int = 1,
        words: Sequence[str | Phrase] = ("standing.button.before", "standing.button.after"),
    ) -> list[Button]:
        """The keys to the *step* rows before and after *first* of *many*, where there are any.

        *code* is that of a button to a row.
        """
        ways = ((first > 0, max(0, first - step)), (first + step < many, first + step))
        keys = zip(words, ways, strict=True)
        return [Button(self.say(said), code(to)) for said, (there, to) in keys if there]


@dataclass
class TablePresenter:
    """Presents *table* to one viewer; *key* signs the buttons."""

    table: Table
    viewer: Viewer
    key: bytes
    tongue: Language = field(init=False)
    names: Mapping[int, str] = field(init=False)
    seen: VisibleTable = field(init=False)

    def __post_init__(self) -> None:
        self.tongue = language(self.viewer.language)
        self.names = player_names(self.table.game.key, self.table.players, self.tongue)
        self.seen = VisibleTable(self.table, self.viewer.seat)

    def say(self, said: str | Phrase, **args: Arg) -> str:
        """*said*, a phrase or the key of one with *args*, in the viewer's words, with names."""
        return self.tongue.say(phrase(said, **args) if isinstance(said, str) else said, self.names)

    def spoken(self, one: Glimpse) -> str:
        """What happened, in a few words without the player's name."""
        return self.tongue.clause(self.table.game.speech.spoken(one.before, one.move), self.names)

    def weight(self, one: Glimpse) -> int:
        """How much the event matters to somebody who was away."""
        return self.table.game.speech.weight(one.before, one.move)

    @cached_property
    def asked(self) -> Seat | None:
        """The seat whose choices are shown, if any."""
        actors = self.table.actors()
        if self.viewer.seat in actors:
            return self.viewer.seat
        if self.viewer.personal or len(actors) != 1:
            return None
        (seat,) = actors
        if self.table.players[seat].level is not None:
            return None
        return None if hides(self.table, seat) else seat

    def button(self, key: str, act: Action, *path: str, style: str = "house") -> Button:
        """A button with the phrase *key* for the action *act*."""
        return Button(self.say(key), self.code(act, *path), style)

    def code(self, act: Action, *path: str, turn: int = 0) -> str:
        """The code of a button at this table, for the present turn unless *turn* is given."""
        table = self.table
        if act is Action.MOVE and not turn:
            turn = table.turns[self.asked] if self.asked is not None else table.version
        elif act is Action.ASIDE:
            turn = max(table.turns)
        return encode_click(Click(act, table.code, turn, path), self.key)


def city_of(zone: str, code: str) -> str:
    """The city of the time zone with the IANA name *zone*, as the language *code* calls it."""
    city = get_timezone_location(zone, locale=code.replace("-", "_"), return_city=True)
    return city.rpartition("/")[2]


def with_zone(shown: str, code: str, zone: str = "") -> str:
    """*shown*, a time, and whose it is: that of the city of *zone*, UTC where there is none."""
    return f"{shown} ({city_of(zone, code)})" if zone else f"{shown} UTC"
