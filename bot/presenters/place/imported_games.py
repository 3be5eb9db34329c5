"""What a place has imported, as screens: it is marked as such, and counts nowhere. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.port import Button, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from games.core import verbatim
from games.core.shelf import shelf
from storage.records import ImportedGameRow, ImportedPlaceRow

PAGE: Final = 8
"""How many games stand on one page."""

TOP: Final = 5
"""How many lines of each imported ladder are shown."""


class ImportScreens(PagePresenter):
    """The imports of one place, for a reader who perhaps *manages* it."""

    manages: bool = False

    def whole(self, places: Sequence[tuple[ImportedPlaceRow, int]]) -> Screen:
        """All that was imported, each with its games and the best of its ladder."""
        lines, rows = [], []
        for number, (row, count) in enumerate(places):
            title = self._title(number, row)
            lines.append(self.say("leaving.place", title=title, day=f"{row.at:%Y-%m-%d}", n=count))
            lines += self._ladder(row)
            rows.append([self._button(self.say("leaving.games", title=title), str(number), "0")])
        rows.append([self.button_to(Action.SETTINGS, "settings.button.back")])
        about = [self.say("leaving.about" if places else "leaving.nothing")]
        return self.page(self.say("leaving.imported"), [*about, *lines], rows)

    def games(
        self,
        number: int,
        row: ImportedPlaceRow,
        games: Sequence[ImportedGameRow],
        first: int,
        count: int,
    ) -> Screen:
        """The *games* of an imported place from the number *first* on, of *count*."""
        at, rows = str(number), []
        for one in games:
            names = " – ".join([name or "…" for name in one.names.split("\n")[1:-1]])
            said = f"{one.day} {self._game(one.game)}: {names}"
            rows.append([self._button(said[:80], at, "game", one.code)])
            if self.manages:
                erase = self.say("leaving.names", code=one.code)
                rows[-1].append(self._button(erase, at, "names", one.code))
        words = (verbatim("«"), verbatim("»"))
        steps = self.page_keys(first, count, lambda to: self._code(at, str(to)), PAGE, words)
        steps.append(self._button(self.say("leaving.back")))
        return self.page(self._title(number, row), [self.say("leaving.about")], [*rows, steps])

    def names(self, number: int, game: ImportedGameRow) -> Screen:
        """The names of one game, each to be erased wherever this place has imported it."""
        at, rows = str(number), []
        for seat, name in enumerate(game.names.split("\n")[1:-1]):
            if name:
                said = self.say("leaving.erase", name=name)
                code = self._code(at, "forget", game.code, str(seat))
                rows.append([Button(said, code, "danger")])
        rows.append([self._button(self.say("leaving.back"), at, "0")])
        return self.page(self.say("leaving.whom"), [self.say("leaving.erasing")], rows)

    def _title(self, number: int, row: ImportedPlaceRow) -> str:
        return row.title or self.say("leaving.untitled", n=number + 1)

    def _ladder(self, row: ImportedPlaceRow) -> list[str]:
        ladder, told = row.data.get("ladder"), []
        if not isinstance(ladder, dict):
            return []
        for game, lines in ladder.items():
            best = [
                f"{one.get('name')} {one.get('rating')}"
                for one in (lines if isinstance(lines, list) else ())
                if isinstance(one, dict) and one.get("name")
            ]
            if best:
                names = ", ".join(best[:TOP])
                told.append(self.say("leaving.ladder", game=self._game(game), names=names))
        return told

    def _game(self, key: str) -> str:
        return self.say(f"{key}.name") if key in shelf() else key[:32]

    def _button(self, said: str, *path: str) -> Button:
        return Button(said, self._code(*path))

    def _code(self, *path: str) -> str:
        return self.code(Action.IMPORTED, *path)
