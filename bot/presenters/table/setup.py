"""The form of a draft, and the screens of a table: games, opponent, house rules. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Generic, TypeVar

from bot.port import Button, Choice, Form, Preview, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import CLOCK, WHO, WORDS, Action
from bot.presenters.game_poster import with_poster
from bot.presenters.table.invitation import changed_rules, is_dealt
from bot.presenters.table.status import best_of
from bot.presenters.typed_names import RATED, begin_key
from bot.session.draft import (
    ANYONE,
    COMPUTER,
    COMPUTER_CLOCK,
    HINTS,
    MATCH,
    NOW,
    Draft,
    TableDraft,
)
from bot.session.match import Match
from bot.session.names import level_name
from bot.session.rated import Casual, casual_by_rules, casual_sentence
from bot.session.time_controls import PRESETS, name_of
from bot.texts import language
from games.core import Game, Phrase, phrase
from games.core.shelf import highest_level, shelf
from render.kit.button_faces import accent

MAIN, RULES = "main", "rules"
"""The first page of a draft, and the page of its house rules."""

MANY = 6
"""How many options without a label, such as levels, stand side by side at most."""

LONGEST_FORM = 5
"""The most choices of a form (``bot.port.Form``)."""

DraftT = TypeVar("DraftT", bound=Draft)


class DraftForm(PagePresenter, Generic[DraftT]):
    """Composes the screens of the draft *number* for whoever sets it up."""

    number: int = 0

    act: ClassVar[Action]
    """What its buttons do."""
    again: ClassVar[str]
    """The phrase of the button that begins a new draft."""
    few: ClassVar[int] = 0
    """Up to so many options with a label one button toggles; more have a page of their own."""
    many: ClassVar[int] = 0
    """How many options without a label, such as levels, stand side by side at most."""

    def games(self) -> Screen:
        """The games to choose from."""
        raise NotImplementedError

    def sheet(self, draft: DraftT) -> Screen:
        """The first page."""
        raise NotImplementedError

    def rules(self, draft: DraftT) -> Screen:
        """The house rules of the game of *draft*."""
        raise NotImplementedError

    def main_choices(self, draft: DraftT) -> Sequence[Choice]:
        """The choices of the first page."""
        raise NotImplementedError

    def rule_choices(self, draft: DraftT) -> Sequence[Choice]:
        """The house rules as choices."""
        found = []
        for rule in draft.rules_offered:
            values = {value: phrase(f"{rule.label}.{value}") for value in rule.values}
            now = draft.options.get(rule.key, rule.values[0])
            found.append(self.choice(rule.label, "rule", values, now, rule.key))
        return found

    def rule_forms(self, count: int) -> Iterator[Form]:
        """The *count* house rules in forms of nearly the same length."""
        said, parts = self.say("house.sheet.rules"), -(-count // LONGEST_FORM)
        for part in range(parts):
            numbers = range(part * count // parts, (part + 1) * count // parts)
            label = f"{said} {part + 1}" if parts > 1 else said
            yield Form(label, self.path_code("page", RULES), tuple(numbers))

    def screen(self, draft: DraftT, path: Sequence[str]) -> Screen:
        """The page of *draft* to which the choice of *path* leads."""
        if not draft.game:
            return self.games()
        match tuple(path):
            case ("page", page) if page not in (MAIN, RULES):
                return self.values(draft, page)
            case ("page", page) if page == RULES:
                return self.rules(draft)
            case ("rule" | "begins", *_):
                return self.rules(draft)
        return self.sheet(draft)

    def gone(self) -> Screen:
        """The screen of a draft that is used or expired."""
        again = self.button(phrase(self.again), "new", style="good")
        return self.page(self.say("house.sheet.gone"), rows=[[again]])

    def values(self, draft: DraftT, what: str) -> Screen:
        """All values of the choice *what*, for chats without lists."""
        pages = {MAIN: self.main_choices(draft), RULES: self.rule_choices(draft)}
        for page, choices in pages.items():
            for one in choices:
                if one.opens == self.path_code("page", what):
                    back = [self.button(phrase("house.button.back"), "page", page)]
                    rows = Choice("", one.options, one.chosen).rows()
                    return self.page(f"{one.label or one.name}:", (), [*rows, back])
        return self.sheet(draft)

    def choice(
        self, label: str, word: str, values: Mapping[str, Phrase], now: str, *of: str
    ) -> Choice:
        """The choice *word*, or *of* its parts, among *values*, of which *now* is chosen."""
        said = self.say(label) if label else ""
        options = tuple(self.button(one, word, *of, value) for value, one in values.items())
        chosen = list(values).index(now) if now in values else None
        apart = len(options) > (self.few if label else self.many)
        opens = self.path_code("page", *(of or (word,))) if apart else ""
        return Choice(said, options, chosen, opens)

    def clocks(self, label: str, controls: Iterable[str], now: str) -> Choice:
        """The choice of a clock among *controls* and the one that is chosen *now*."""
        return self.choice(label, "clock", {one: name_of(one) for one in (*controls, now)}, now)

    def path_code(self, *path: str) -> str:
        """The code of a button of the draft."""
        return self.code(self.act, *path, turn=self.number)

    def button(self, said: Phrase, *path: str, style: str = "house") -> Button:
        """A button of the draft."""
        return Button(self.say(said), self.path_code(*path), style)


class SetupScreens(DraftForm[TableDraft]):
    """Composes the screens of the draft *number* for its opener.

    *private*: nobody else is in the place; *picks*: a button lets the opener pick a person.
    """

    act = Action.SHEET
    again = "house.sheet.new"
    few, many = 3, MANY

    private: bool = False
    picks: bool = False
    casual: Casual | None = None
    """Why a game of opener and opponent will not count, whatever its rules."""
    lists: bool = False
    """Whether people from elsewhere find the tables of the place."""
    opens_page: bool = False
    """Whether a button opens the page within the chat."""
    theme: str = "light"
    """The theme of the poster."""
    day: Sequence[Button] = ()
    """What its opener may do today, above the games."""

    def screen(self, draft: TableDraft, path: Sequence[str]) -> Screen:
        """The page to which *path* leads; the games name the person who is challenged."""
        found = super().screen(draft, path)
        if draft.game or draft.person is None:
            return found
        return replace(found, headline=self.say("house.sheet.games-with", name=draft.named))

    def games(self) -> Screen:
        """The games to choose from."""
        lines = [
            self.say("house.sheet.game", game=phrase(f"{key}.name"), what=phrase(f"{key}.blurb"))
            for key in shelf()
        ]
        rows = [
            [replace(self.button(game_facts(game), "game", key), line=number, game=key)]
            for number, (key, game) in enumerate(shelf().items())
        ]
        rows.insert(0, [*self.day])
        open_tables = Button(self.say("open.button"), self.code(Action.CHAIRS))
        rows.append([open_tables, Button(self.say("school.button"), self.code(Action.LEARN))])
        if self.opens_page:
            rows[-1].append(Button(self.say("house.button.open-board"), self.code(Action.PAGE)))
        return self.page(self.say("house.sheet.games"), lines, rows)

    def sheet(self, sheet: TableDraft) -> Screen:
        """The first page: opponent, side, and a summary of the rest."""
        game = sheet.played
        lines = [self.say(f"{sheet.game}.blurb")]
        lines += map(self.say, changed_rules(game, game.chosen(sheet.own_rules)))
        games = int(sheet.options.get(MATCH, "1"))
        if games > 1:
            lines.append(self.say(best_of(Match(games))))
        if sheet.options.get(HINTS) == "on":
            lines.append(self.say("house.hints-allowed"))
        if sheet.clock and sheet.options.get(COMPUTER_CLOCK) == "on":
            lines.append(self.say("house.computer-clock"))
        casual = self._casual(sheet)
        if casual is not None:
            lines.append(self.say(casual_sentence(casual)))
        told = {ANYONE: "house.sheet.to-send", NOW: "house.stand-in"}
        if self.private and sheet.against in told:
            lines.append(self.say(told[sheet.against]))
        if is_dealt(game):
            lines.append(self.say("house.locked"))
        if sheet.words:
            lines.append(self.say("house.words-said", words=(sheet.words,)))
        rules = self.button(phrase("house.sheet.rules"), "page", RULES)
        other = self.button(phrase("house.sheet.other-game"), "game", "")
        rows = [[self._start(sheet)], [rules, other]]
        rows.append([self.button(phrase("clock.button.own"), *CLOCK)])
        if is_dealt(game):
            rows.append([self.button(phrase("house.button.own-words"), *WORDS)])
        title = self.say("house.sheet.title", game=phrase(f"{game.key}.name"))
        screen = self.page(title, lines, rows, self.main_choices(sheet))
        return with_poster(replace(screen, game=game.key, source=sheet), game, self.theme)

    def _casual(self, sheet: TableDraft) -> Casual | None:
        """Why the game of *sheet* will not count although that is chosen."""
        if sheet.rated != "yes":
            return None
        if sheet.against == COMPUTER:
            return Casual.COMPUTER
        hints, game = sheet.options.get(HINTS) == "on", sheet.played
        casual = casual_by_rules(game, game.chosen(sheet.own_rules), hints=hints)
        return casual or self.casual

    def rules(self, sheet: TableDraft) -> Screen:
        """The house rules, each explained, with its present value."""
        done = self.button(phrase("house.sheet.done"), "page", MAIN, style="good")
        title = self.say("house.sheet.rules-title", game=phrase(f"{sheet.game}.name"))
        about = [rule.label for rule in sheet.rules_offered]
        if len(sheet.played.rules.begins) > 1:
            about.insert(0, "house.sheet.begins")
        lines = [
            self.say("house.sheet.rule", rule=phrase(one), about=phrase(f"{one}.about"))
            for one in about
        ]
        choices = self.rule_choices(sheet)
        screen = self.page(title, lines, [[done]], choices)
        forms = tuple(self.rule_forms(len(choices)))
        return replace(screen, marked=True, game=sheet.game, forms=forms)

    def main_choices(self, sheet: TableDraft) -> Sequence[Choice]:
        """Opponent, side and what else stands on the first page."""
        game = sheet.played
        against = {
            COMPUTER: phrase("house.sheet.against.computer"),
            ANYONE: phrase(f"house.sheet.against.{'invited' if self.private else 'anyone'}"),
        }
        if self.lists:
            against = {NOW: phrase("house.sheet.against.now"), **against}
        if sheet.person is not None:
            against[sheet.against] = phrase("house.sheet.against.person", name=sheet.named)
        opponent = self.choice("", "against", against, sheet.against)
        found = [replace(opponent, name=self.say("house.sheet.opponent"))]
        if not self.private:
            found.append(Choice(self.say("house.sheet.person"), person=self.path_code(*WHO)))
        elif self.picks:
            found.append(Choice("", (self.button(phrase("house.sheet.person"), *WHO),)))
        if sheet.against == COMPUTER and highest_level(game) > 1:
            level = str(min(sheet.level, highest_level(game)))
            said = {
                str(n): phrase("house.sheet.level", number=n, name=level_name(game, n))
                for n in range(1, highest_level(game) + 1)
            }
            levels = self.choice("", "level", said, level)
            found.append(replace(levels, name=self.say("house.sheet.levels")))
        if len(game.rules.seats) > 1:
            some = sheet.seats or (max if sheet.against == ANYONE else min)(game.rules.seats)
            many = {str(n): phrase("house.sheet.seats", n=n) for n in game.rules.seats}
            seats = self.choice("", "seats", many, str(some))
            found.append(replace(seats, name=self.say("house.sheet.players")))
        sides = {"": phrase("house.begins.lot")}
        explained = language(self.language).explained
        sides |= {side: explained(f"{game.key}.side.{side}") for side in game.rules.sides}
        side = self.choice("house.sheet.side", "side", sides, sheet.side)
        found.append(replace(side, previews=tuple(Preview(accent(game.key, one)) for one in sides)))
        found += self._counting(sheet)
        found.append(self.clocks("clock.sheet", PRESETS, sheet.clock))
        return found

    def _counting(self, sheet: TableDraft) -> list[Choice]:
        """Whether the game counts, where that can be chosen."""
        if not sheet.rated or sheet.against == COMPUTER:
            return []
        counts = {value: phrase(key) for value, key in RATED.items()}
        return [self.choice("standing.sheet", "rated", counts, sheet.rated)]

    def rule_choices(self, sheet: TableDraft) -> Sequence[Choice]:
        """How the game begins, and the house rules."""
        game, rules = sheet.played, super().rule_choices(sheet)
        if len(game.rules.begins) <= 1:
            return rules
        explained = language(self.language).explained
        ways = {one: explained(begin_key(game, one)) for one in game.rules.begins}
        now = sheet.begins or game.rules.begins[0]
        return [self.choice("house.sheet.begins", "begins", ways, now), *rules]

    def _start(self, sheet: TableDraft) -> Button:
        if sheet.person is not None:
            said = phrase("house.sheet.challenge", name=sheet.named)
        else:
            plays = sheet.against in (COMPUTER, NOW)
            said = phrase("house.button.start" if plays else "house.sheet.invite")
        return self.button(said, "start", style="good")


def game_facts(game: Game) -> Phrase:
    """The name of *game*, how many play it, and how long it takes."""
    few, many = min(game.rules.seats), max(game.rules.seats)
    players = phrase("house.sheet.seats", n=few)
    if many > few:
        players = phrase("house.sheet.seats-from", few=few, many=many)
    lasts = phrase(f"{game.key}.lasts")
    name = phrase(f"{game.key}.name")
    return phrase("house.sheet.facts", game=name, players=players, lasts=lasts)
