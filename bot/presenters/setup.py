"""The screens of a draft: the games, the opponent, the house rules. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.port import Button, Choice, Preview, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import CLOCK, WHO, WORDS, Action
from bot.presenters.game_poster import with_poster
from bot.presenters.invitation import changed_rules, is_dealt, legible_seal
from bot.presenters.table_status import best_of
from bot.presenters.typed_names import RATED, begin_key
from bot.session.draft import ANYONE, COMMON, COMPUTER, HINTS, MATCH, TableDraft, rules_of
from bot.session.match import Match
from bot.session.names import level_name
from bot.session.rated import Casual, casual_by_rules, casual_sentence
from bot.session.time_controls import PRESETS, read_control
from bot.texts import language
from games.core import Game, Phrase, phrase
from games.core.chance import commitment
from games.core.shelf import shelf
from render.kit.button_faces import accent

FEW = 3
"""Up to so many options with a label one button toggles; more have a page of their own."""

MANY = 6
"""How many options without a label, such as levels, stand side by side at most."""

MAIN, RULES = "main", "rules"
"""The first page of a draft, and the page of its house rules."""


@dataclass(frozen=True)
class DraftScreens(PagePresenter):
    """Composes the screens of the draft *number* for its opener.

    *private*: nobody else is in the place; *picks*: a button lets the opener pick a person.
    """

    number: int
    private: bool
    picks: bool = False
    casual: Casual | None = None
    """Why a game of opener and opponent will not count, whatever its rules."""
    opens_page: bool = False
    """Whether a button opens the page within the chat."""
    theme: str = "light"
    """The theme of the poster."""

    def games(self) -> Screen:
        """The games to choose from."""
        lines = [
            self.say("house.sheet.game", game=phrase(f"{key}.name"), what=phrase(f"{key}.blurb"))
            for key in shelf()
        ]
        rows = [[self._button(game_facts(game), "game", key)] for key, game in shelf().items()]
        open_tables = Button(self.say("open.button"), self.code(Action.CHAIRS))
        rows.append([open_tables, Button(self.say("school.button"), self.code(Action.LEARN))])
        if self.opens_page:
            rows[-1].append(Button(self.say("house.button.open-board"), self.code(Action.PAGE)))
        return self.page(self.say("house.sheet.games"), lines, rows)

    def gone(self) -> Screen:
        """The screen of a draft that is used or expired."""
        again = self._button(phrase("house.sheet.new"), "new", style="good")
        return self.page(self.say("house.sheet.gone"), rows=[[again]])

    def sheet(self, sheet: TableDraft) -> Screen:
        """The first page: opponent, side, and a summary of the rest."""
        game, say = sheet.played, language(self.language).say
        lines = [self.say(f"{sheet.game}.blurb")]
        chosen = {key: one for key, one in sheet.options.items() if key not in COMMON}
        lines += map(say, changed_rules(game, {**game.chosen({}), **chosen}))
        games = int(sheet.options.get(MATCH, "1"))
        if games > 1:
            lines.append(say(best_of(Match(games))))
        if sheet.options.get(HINTS) == "on":
            lines.append(self.say("house.hints-allowed"))
        casual = self._casual(sheet)
        if casual is not None:
            lines.append(say(casual_sentence(casual)))
        if self.private and sheet.against == ANYONE:
            lines.append(self.say("house.sheet.to-send"))
        if is_dealt(game):
            seal = legible_seal(commitment(bytes.fromhex(sheet.secret)))
            lines.append(self.say("house.commitment", code=seal))
        if sheet.words:
            lines.append(self.say("house.words-said", words=(sheet.words,)))
        rules = self._button(phrase("house.sheet.rules"), "page", RULES)
        other = self._button(phrase("house.sheet.other-game"), "game", "")
        rows = [[self._start(sheet)], [rules, other]]
        rows.append([self._button(phrase("clock.button.own"), *CLOCK)])
        if is_dealt(game):
            rows.append([self._button(phrase("house.button.own-words"), *WORDS)])
        title = self.say("house.sheet.title", game=phrase(f"{game.key}.name"))
        screen = replace(self.page(title, lines, rows, self._main(sheet, game)), game=game.key)
        return with_poster(screen, game, self.theme)

    def _casual(self, sheet: TableDraft) -> Casual | None:
        """Why the game of *sheet* will not count although that is chosen."""
        if sheet.rated != "yes" or sheet.against == COMPUTER:
            return None
        own = {key: one for key, one in sheet.options.items() if key not in COMMON}
        hints, game = sheet.options.get(HINTS) == "on", sheet.played
        casual = casual_by_rules(game, game.chosen(own), hints=hints)
        return casual or self.casual

    def rules(self, sheet: TableDraft) -> Screen:
        """The house rules, each explained, with its present value."""
        done = self._button(phrase("house.sheet.done"), "page", MAIN, style="good")
        title = self.say("house.sheet.rules-title", game=phrase(f"{sheet.game}.name"))
        about = [rule.label for rule in rules_of(sheet.played)]
        if len(sheet.played.begins) > 1:
            about.insert(0, "house.sheet.begins")
        lines = [
            self.say("house.sheet.rule", rule=phrase(one), about=phrase(f"{one}.about"))
            for one in about
        ]
        screen = self.page(title, lines, [[done]], self._rules(sheet))
        return replace(screen, marked=True, game=sheet.game)

    def values(self, sheet: TableDraft, what: str) -> Screen:
        """All values of the choice *what*, for chats without lists."""
        game = sheet.played
        found = {MAIN: self._main(sheet, game), RULES: self._rules(sheet)}
        page, choice = next(
            (page, one)
            for page, choices in found.items()
            for one in choices
            if one.opens == self._code("page", what)
        )
        back = [self._button(phrase("house.button.back"), "page", page)]
        open_list = Choice("", choice.options, choice.chosen)
        label = choice.label or choice.name
        return self.page(f"{label}:", (), [*open_list.rows(), back])

    def _main(self, sheet: TableDraft, game: Game) -> tuple[Choice, ...]:
        against = {
            COMPUTER: phrase("house.sheet.against.computer"),
            ANYONE: phrase(f"house.sheet.against.{'invited' if self.private else 'anyone'}"),
        }
        if sheet.person is not None:
            against[sheet.against] = phrase("house.sheet.against.person", name=sheet.named)
        opponent = self._choice("", "against", against, sheet.against)
        found = [replace(opponent, name=self.say("house.sheet.opponent"))]
        if not self.private:
            found.append(Choice(self.say("house.sheet.person"), person=self._code(*WHO)))
        elif self.picks:
            found.append(Choice("", (self._button(phrase("house.sheet.person"), *WHO),)))
        if sheet.against == COMPUTER and game.levels > 1:
            level = str(min(sheet.level, game.levels))
            said = {
                str(n): phrase("house.sheet.level", number=n, name=level_name(game, n))
                for n in range(1, game.levels + 1)
            }
            levels = self._choice("", "level", said, level)
            found.append(replace(levels, name=self.say("house.sheet.levels")))
        if len(game.seats) > 1:
            some = sheet.seats or (max if sheet.against == ANYONE else min)(game.seats)
            many = {str(n): phrase("house.sheet.seats", n=n) for n in game.seats}
            seats = self._choice("", "seats", many, str(some))
            found.append(replace(seats, name=self.say("house.sheet.players")))
        sides = {"": phrase("house.begins.lot")}
        explained = language(self.language).explained
        sides |= {side: explained(f"{game.key}.side.{side}") for side in game.sides}
        side = self._choice("house.sheet.side", "side", sides, sheet.side)
        found.append(replace(side, previews=tuple(Preview(accent(game.key, one)) for one in sides)))
        found += self._counting(sheet)
        clocks = {one: _clock(one) for one in (*PRESETS, sheet.clock)}
        found.append(self._choice("clock.sheet", "clock", clocks, sheet.clock))
        return tuple(found)

    def _counting(self, sheet: TableDraft) -> list[Choice]:
        """Whether the game counts, where that can be chosen."""
        if not sheet.rated or sheet.against == COMPUTER:
            return []
        counts = {value: phrase(key) for value, key in RATED.items()}
        return [self._choice("standing.sheet", "rated", counts, sheet.rated)]

    def _rules(self, sheet: TableDraft) -> tuple[Choice, ...]:
        game, found = sheet.played, []
        if len(game.begins) > 1:
            ways = {
                one: language(self.language).explained(begin_key(game, one)) for one in game.begins
            }
            now = sheet.begins or game.begins[0]
            found.append(self._choice("house.sheet.begins", "begins", ways, now))
        for rule in rules_of(game):
            values = {value: phrase(f"{rule.label}.{value}") for value in rule.values}
            now = sheet.options.get(rule.key, rule.values[0])
            found.append(self._choice(rule.label, "rule", values, now, rule.key))
        return tuple(found)

    def _choice(
        self, label: str, word: str, values: dict[str, Phrase], now: str, *of: str
    ) -> Choice:
        said = self.say(label) if label else ""
        options = tuple(self._button(one, word, *of, value) for value, one in values.items())
        chosen = list(values).index(now)
        apart = len(options) > (FEW if label else MANY)
        opens = self._code("page", *(of or (word,))) if apart else ""
        return Choice(said, options, chosen, opens)

    def _start(self, sheet: TableDraft) -> Button:
        if sheet.person is not None:
            said = phrase("house.sheet.challenge", name=sheet.named)
        else:
            plays = sheet.against == COMPUTER
            said = phrase("house.button.start" if plays else "house.sheet.invite")
        return self._button(said, "start", style="good")

    def _code(self, *path: str) -> str:
        return self.code(Action.SHEET, *path, turn=self.number)

    def _button(self, said: Phrase, *path: str, style: str = "house") -> Button:
        return Button(language(self.language).say(said), self._code(*path), style)


def _clock(control: str) -> Phrase:
    found = read_control(control)
    return phrase("clock.none") if found is None else found.said()


def game_facts(game: Game) -> Phrase:
    """The name of *game*, how many play it, and how long it takes."""
    few, many = min(game.seats), max(game.seats)
    players = phrase("house.sheet.seats", n=few)
    if many > few:
        players = phrase("house.sheet.seats-from", few=few, many=many)
    lasts = phrase(f"{game.key}.lasts")
    name = phrase(f"{game.key}.name")
    return phrase("house.sheet.facts", game=name, players=players, lasts=lasts)
