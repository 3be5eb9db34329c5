"""What managers of a place do there: whom they keep out, which games count no more. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from babel.dates import format_datetime

from bot.port import Button, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action, base36
from bot.presenters.settings import PEOPLE, RATED_GAMES
from bot.presenters.table.keyboard import in_rows
from games.core import phrase
from games.core.phrases import Arg
from storage.person.bars import Barred

BARRED = "barred"
"""The page of those who are kept out."""

PAGES = frozenset({PEOPLE, RATED_GAMES, BARRED})
"""The pages of a place that are no settings, as buttons name them."""

BAR, LET_IN, ASK, OUT = "bar", "let", "ask", "out"
"""The steps of buttons: keep out, let in again, ask whether a game shall count no more, do it."""

PAGE = 10
"""How many people or games stand on a page."""


@dataclass(frozen=True)
class CountedGame:
    """A rated game of two people: its table, *game* and end, and the *places* of both."""

    code: str
    game: str
    at: datetime
    places: tuple[int, int]


class ModerationScreens(PagePresenter):
    """The pages of the *place*, as buttons name it."""

    place: str

    def people(self, known: Sequence[tuple[int, str]], barred: int, first: int) -> Screen:
        """The people of the place, of whom one may be kept out; *barred* are kept out."""
        some = known[first : first + PAGE]
        rows = in_rows([self._person(name, PEOPLE, person) for person, name in some])
        rows += self._pages(len(known), first, PEOPLE)
        last = [self._back("place")]
        if barred:
            last.insert(0, self._button("moderation.button.barred", BARRED, n=barred))
        key = "moderation.people" if known else "moderation.people.none"
        return self.page(self.say(key), (), [*rows, last])

    def ask_to_bar(self, person: int, name: str) -> Screen:
        """The question whether *person* shall be kept out."""
        path = (PEOPLE, BAR, base36(person))
        yes = self._button("moderation.button.bar", *path, style="danger", name=name)
        lines, rows = [self.say("moderation.bar.about")], [[yes], [self._back(PEOPLE)]]
        return self.page(self.say("moderation.bar.sure", name=name), lines, rows)

    def barred(self, known: Sequence[Barred], first: int) -> Screen:
        """Those who are kept out, each with the button that lets them in again."""
        rows = in_rows([self._let_in(one) for one in known[first : first + PAGE]])
        rows += self._pages(len(known), first, BARRED)
        key = "moderation.barred-list" if known else "moderation.barred-list.none"
        return self.page(self.say(key), (), [*rows, [self._back(PEOPLE)]])

    def _let_in(self, one: Barred) -> Button:
        name = one.name or self.say("moderation.nameless")
        return self._button("moderation.button.let-in", BARRED, LET_IN, token_of(one), name=name)

    def players(self, known: Sequence[tuple[int, str]], first: int, of: str = "") -> Screen:
        """People of whom two are to be chosen; *of* is the one who is, by name."""
        whom = () if not of else (of,)
        some = known[first : first + PAGE]
        rows = in_rows([self._person(name, RATED_GAMES, person, *whom) for person, name in some])
        rows += self._pages(len(known), first, RATED_GAMES, *whom)
        key = "moderation.whose" if not of else "moderation.against-whom"
        if not known:
            key = "moderation.games.none"
        return self.page(self.say(key), (), [*rows, [self._back(RATED_GAMES if of else "place")]])

    def games(
        self,
        pair: tuple[int, int],
        names: tuple[str, str],
        found: Sequence[CountedGame],
        first: int,
    ) -> Screen:
        """The rated games of *pair* in the place, the last one first, each to be taken out."""
        some = found[first : first + PAGE]
        lines = [self._game(one, names) for one in some]
        said = "moderation.button.take-out"
        rows = in_rows(
            [self._button(said, RATED_GAMES, ASK, one.code, code=one.code) for one in some]
        )
        rows += self._pages(len(found), first, RATED_GAMES, *map(base36, pair))
        head = self.say("moderation.games", one=names[0], other=names[1], n=len(found))
        if not found:
            head = self.say("moderation.games.none")
        return self.page(head, lines, [*rows, [self._back(RATED_GAMES)]])

    def _game(self, one: CountedGame, names: tuple[str, str]) -> str:
        mine, theirs = one.places
        return self.say(
            "moderation.game.drawn" if mine == theirs else "moderation.game.won",
            code=one.code,
            game=phrase(f"{one.game}.name"),
            name=names[mine > theirs],
            day=format_datetime(one.at, "d MMM", locale=self.language.replace("-", "_")),
        )

    def ask_to_take_out(self, code: str) -> Screen:
        """The question whether the game *code* shall count no more."""
        said, path = "moderation.button.take-out", (RATED_GAMES, OUT, code)
        rows = [[self._button(said, *path, style="danger", code=code)], [self._back(RATED_GAMES)]]
        lines = [self.say("moderation.take-out.about")]
        return self.page(self.say("moderation.take-out.sure", code=code), lines, rows)

    def done(self, said: str, page: str) -> Screen:
        """The sentence *said*, and the way back to a *page*."""
        return self.page(said, (), [[self._back(page)]])

    def _person(self, name: str, page: str, person: int, *before: str) -> Button:
        return Button(name, self._code(page, *before, base36(person)))

    def _pages(self, many: int, first: int, *path: str) -> list[tuple[Button, ...]]:
        """The buttons to the pages before and after."""
        return [tuple(self.page_keys(first, many, lambda to: self._code(*path, f"+{to}"), PAGE))]

    def _back(self, page: str) -> Button:
        return self._button("settings.button.back", page)

    def _button(self, key: str, *path: str, style: str = "house", **args: Arg) -> Button:
        return self.button_to(Action.SETTINGS, key, self.place, *path, style=style, **args)

    def _code(self, *path: str) -> str:
        return self.code(Action.SETTINGS, self.place, *path)


def token_of(one: Barred) -> str:
    """How a button names somebody who is kept out, and may have been forgotten since."""
    return sha256(f"{one.platform}:{one.external}".encode()).hexdigest()[:8]
