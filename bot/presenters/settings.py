"""The settings of a person and of a place as a screen: each row a choice. Pure.

A new row is a line in ``PERSONAL`` or ``OF_PLACE``, a field of the preferences, and its words in
``settings.po``: ``settings.<whose>.<key>`` and, for each value, ``settings.<key>.<value>``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from bot.port import Button, Capabilities, Choice, Form, Preview, Role, Screen
from bot.presenters.base import PagePresenter, city_of
from bot.presenters.button_codes import Action
from bot.presenters.typed_names import texts_beside
from bot.session.exercise_catalogue import puzzles_of
from bot.session.preferences import (
    EVERY_GAME,
    NotificationChoice,
    Openers,
    Personal,
    PlaceRules,
)
from bot.texts import LANGUAGES
from games.core.shelf import shelf
from render.kit import THEMES, themed

Value: TypeAlias = str | int | bool | tuple[int, int] | None
Whose: TypeAlias = Literal["me", "place"]

NOWHERE = "-"
"""Stands for the place in a button where there is none."""

PIECES = ("one", "two", "western", "starter")
"""H24: the sets of pieces of shogi, as its painter calls them; the first goes without a name."""

FEW_VALUES = 2
"""Up to so many values one button toggles; more are listed on a page of their own."""

ZONES = tuple(dict.fromkeys((*texts_beside("settings.zones"), "UTC")))
"""The time zones to choose from: those of the people who speak each language."""


@dataclass(frozen=True)
class Row:
    """What can be chosen: the field *key*, and its *values*, where the chat has what it *needs*."""

    key: str
    values: tuple[Value, ...]
    form: str = "looks"
    """What the rows of one form are about, which are at most five (``bot.port.Form``)."""
    needs: Callable[[Capabilities], bool] = lambda _: True


LANGUAGE = Row("language", (None, *LANGUAGES))
"""The first row of both, which is stored apart."""

SHORT = 8
"""So many letters of a game's key fit into the button of a place."""

DAILY: tuple[Value, ...] = ("", EVERY_GAME, *(key[:SHORT] for key in shelf() if puzzles_of(key)))
"""The values of the daily puzzle: none, each game in turn, or one of them."""

PERSONAL = (
    LANGUAGE,
    Row("theme", (None, *THEMES), "looks"),
    Row("pieces", (None, *PIECES), "looks"),
    Row("material", (None, True, False), "looks"),
    Row("own_side", (True, False), "looks"),
    Row("calls", tuple(NotificationChoice), "calls"),
    Row("quiet", (None, (22, 8), (23, 7), (23, 9), (0, 8), (1, 10), (8, 16), (9, 18)), "calls"),
    Row("zone", ("", *ZONES), "calls"),
    Row("hints", (None, True, False), "calls"),
    Row("refuses", (False, True), "people"),
    Row("strangers", (False, True), "people"),
    Row("off_ladders", (False, True), "people"),
    Row("seen_everywhere", (False, True), "people"),
)

OF_PLACE = (
    LANGUAGE,
    Row("theme", (None, *THEMES), "looks"),
    Row("pieces", PIECES, "looks"),
    Row("material", (False, True), "looks"),
    Row("openers", tuple(Openers), "tables"),
    Row("threads", (False, True), "tables", needs=lambda chat: chat.threads),
    Row("each", (None, 1, 2, 5, 10), "tables"),
    Row("most", (None, 3, 5, 10, 40), "tables"),
    Row("calls", (True, False), "people"),
    Row("hints", (False, True), "people"),
    Row("ladder", (True, False), "club"),
    Row("season", (False, True), "club"),
    Row("strangers", (False, True), "people"),
    Row("daily", DAILY, "daily"),
    Row("weekly", (False, True), "club"),
    Row("day_hour", (8, 10, 12, 14, 16, 18, 20, 22), "daily"),
    Row("day_zone", ("", *(zone for zone in ZONES if zone != "UTC")), "daily"),
)

ROLES, CHANNELS, SEEKING, PODIUM = "roles", "channels", "seeking", "podium"
"""The rows of a place whose values are its own roles and channels."""

REFUSED, NOBODY = "refused", "nobody"
"""The row of a person who has refused challengers."""

PEOPLE, RATED_GAMES = "people", "games"
"""The pages of a place on which its managers keep order (``bot.presenters.place.moderation``)."""
PROGRAMS = "programs"
"""Begins the path of a button that shows or changes the programs of a person."""

CLUB = "club"
"""The page of a place with the rows of its club, where there are too many for one."""

FORMS: Mapping[Whose, Mapping[str, str]] = {
    "me": {row.key: row.form for row in PERSONAL},
    "place": {row.key: row.form for row in OF_PLACE}
    | {CHANNELS: "tables", SEEKING: "people", PODIUM: "club"},
}
"""The forms of the rows, by their keys."""

MOST_CHOICES = 17
"""The most rows on one page: each is two of the forty parts that a message of Discord may have."""

EVERYWHERE, HERE, NOT_HERE = "everywhere", "here", "not-here"


def value_code(value: Value) -> str:
    """*value* as a button says it."""
    match value:
        case None | "":
            return "none"
        case bool():
            return "yes" if value else "no"
        case (start, end):
            return f"{start}-{end}"
    # The city of a time zone is enough, and it fits into a button.
    return str(value).rpartition("/")[2]


@dataclass(frozen=True)
class Chosen:
    """The present choices of a person or a place: a *language* and the *rest*."""

    language: str | None
    rest: Personal | PlaceRules

    def value(self, row: Row) -> Value:
        """What is chosen in *row*."""
        found: Value = self.language if row is LANGUAGE else getattr(self.rest, row.key)
        return found

    def after(self, row: Row, code: str) -> Chosen | None:
        """What is chosen once *code* was pressed in *row*; ``None`` where that is no value."""
        for value in row.values:
            if value_code(value) == code:
                if row is LANGUAGE:
                    return replace(self, language=None if value is None else code)
                changed: dict[str, Any] = {row.key: value}
                return replace(self, rest=replace(self.rest, **changed))
        return None


class SettingsSheet(PagePresenter):
    """The settings of *whose* with what is *chosen*, for one reader.

    *place* is how buttons name the place, if any; *channel* is the reader's channel in it;
    *manages* says that the reader may see the settings of the place, *unknown* that nobody can
    tell whether they may.
    """

    whose: Whose
    chosen: Chosen
    chat: Capabilities
    place: str = NOWHERE
    channel: str = ""
    roles: Sequence[Role] = ()
    manages: bool = False
    unknown: bool = False
    programs: bool = False
    """Whether the reader may have programs that play."""

    def screen(self, only: str = "") -> Screen:
        """All rows, or the values of the one row *only*, or the rows of the club."""
        found = self._choices()
        if only in found:
            alone = replace(found[only], label="", opens="")
            page = self.page_of(only)
            return self._aside(found[only].label, [alone], *([page] if page else []))
        club = {key: choice for key, choice in found.items() if self.page_of(key)}
        if only == CLUB and club:
            return self._aside(self.say("settings.button.club"), list(club.values()))
        keys = self._keys_of_place(bool(club)) if self.whose == "place" else self._own_keys()
        here = {key: choice for key, choice in found.items() if key not in club}
        title = self.say(f"settings.{self.whose}")
        screen = self.page(title, self._about(), [keys], [*here.values()])
        return replace(screen, forms=tuple(self._forms(list(here))))

    def _forms(self, shown: Sequence[str]) -> Iterator[Form]:
        """The rows *shown* that go together."""
        of = FORMS[self.whose]
        for name in dict.fromkeys(of.values()):
            if numbers := tuple(n for n, key in enumerate(shown) if of.get(key) == name):
                yield Form(self.say(f"settings.form.{name}"), self._code(self.whose), numbers)

    def _aside(self, title: str, choices: list[Choice], *back: str) -> Screen:
        """A page of its own, from which one goes *back* to the sheet or to a page of it."""
        key = self._button("settings.button.back", self.whose, *back)
        return self.page(title, (), [[key]], choices)

    def _about(self) -> list[str]:
        rest = self.chosen.rest
        lines = [self.say(f"settings.{self.whose}.about")]
        if isinstance(rest, Personal) and rest.quiet is not None and not rest.zone:
            lines.append(self.say("settings.me.needs-zone"))
        if self.unknown:
            lines.append(self.say("settings.standing-unknown"))
        return lines

    def _keys_of_place(self, parted: bool) -> list[Button]:
        keys = [
            self._button("settings.button.me", "me"),
            self._button("moderation.button.people", PEOPLE),
            self._button("moderation.button.games", RATED_GAMES),
        ]
        return ([self._button("settings.button.club", "place", CLUB)] if parted else []) + keys

    def _own_keys(self) -> list[Button]:
        keys = [self.button_to(Action.HOLIDAYS, "settings.button.holidays")]
        if self.programs:
            keys.append(self._button("settings.button.programs", "me", PROGRAMS))
        if self.manages:
            keys.append(self._button("settings.button.place", "place"))
        return keys

    def after(self, key: str) -> Screen:
        """The page that is shown once something of the row *key* was chosen."""
        # Of roles one may choose several.
        return self.screen(key if key == ROLES else self.page_of(key))

    def page_of(self, key: str) -> str:
        """The page on which the row *key* stands: "" or ``CLUB``."""
        many = self.whose == "place" and not self.chat.forms and len(self._choices()) > MOST_CHOICES
        return CLUB if many and FORMS["place"].get(key) in ("club", "daily") else ""

    def _choices(self) -> dict[str, Choice]:
        rows, rest = PERSONAL if self.whose == "me" else OF_PLACE, self.chosen.rest
        found = {row.key: self._choice(row) for row in rows if row.needs(self.chat)}
        if isinstance(rest, Personal):
            if rest.refused:
                found[REFUSED] = self._refusals_choice(len(rest.refused))
            return found
        if rest.openers is Openers.ROLES and self.roles:
            found[ROLES] = self._roles(rest)
        if self.roles:
            found[SEEKING] = self._seeking(rest)
        if self.channel:
            found[CHANNELS] = self._channels(rest)
            if rest.season:
                found[PODIUM] = self._podium(rest)
        return found

    def _choice(self, row: Row) -> Choice:
        present, values = self.chosen.value(row), row.values
        if not self.chat.roles:
            values = tuple(one for one in values if one is not Openers.ROLES)
        options = tuple(
            Button(self._value_text(row, one), self._code(self.whose, row.key, value_code(one)))
            for one in values
        )
        chosen = values.index(present) if present in values else None
        opens = self._code(self.whose, row.key) if len(options) > FEW_VALUES else ""
        shown = _PREVIEWED.get(row.key)
        previews = tuple(Preview() if one is None else shown(one) for one in values if shown)
        return Choice(self._label(row.key), options, chosen, opens, previews=previews)

    def _value_text(self, row: Row, value: Value) -> str:
        match value:
            case int() if not isinstance(value, bool):
                return str(value)
            case (start, end):
                return self.say("settings.quiet", start=str(start), end=str(end))
            case str() if row.key == "daily" and value not in ("", EVERY_GAME):
                key = next(key for key in shelf() if key.startswith(value))
                return self.say(f"{key}.name")
            case str() if row.key in ("zone", "day_zone") and value:
                return city_of(value, self.language)
        return self.say(f"settings.{row.key}.{value_code(value)}")

    def _refusals_choice(self, count: int) -> Choice:
        some = Button(str(count), self._code("me"))
        nobody = self._button("settings.refused.nobody", "me", REFUSED, NOBODY)
        return Choice(self._label(REFUSED), (some, nobody), 0)

    def _roles(self, rules: PlaceRules) -> Choice:
        names = {one.id: "✓ " * (one.id in rules.roles) + one.name for one in self.roles}
        buttons = [Button(name, self._code("place", ROLES, one)) for one, name in names.items()]
        return Choice(self._label(ROLES), tuple(buttons), None, self._code("place", ROLES))

    def _seeking(self, rules: PlaceRules) -> Choice:
        """The role that is called when a table waits for players."""
        options = [self._button("settings.seeking.none", "place", SEEKING, NOBODY)]
        options += [Button(one.name, self._code("place", SEEKING, one.id)) for one in self.roles]
        known = [one.id for one in self.roles]
        chosen = known.index(rules.seeking) + 1 if rules.seeking in known else 0
        return Choice(self._label(SEEKING), tuple(options), chosen, self._code("place", SEEKING))

    def _channels(self, rules: PlaceRules) -> Choice:
        codes = (EVERYWHERE, HERE, NOT_HERE) if rules.channels else (EVERYWHERE, HERE)
        chosen = EVERYWHERE
        if rules.channels:
            chosen = HERE if self.channel in rules.channels else NOT_HERE
        return Choice(self._label(CHANNELS), self._options(CHANNELS, codes), codes.index(chosen))

    def _podium(self, rules: PlaceRules) -> Choice:
        """The channel in which the podium of a season is posted."""
        codes = (HERE,) if rules.podium == self.channel else (NOT_HERE, HERE)
        return Choice(self._label(PODIUM), self._options(PODIUM, codes), 0)

    def _options(self, key: str, codes: Sequence[str]) -> tuple[Button, ...]:
        return tuple(self._button(f"settings.{key}.{code}", "place", key, code) for code in codes)

    def _label(self, key: str) -> str:
        return self.say(f"settings.{self.whose}.{key}")

    def _button(self, said: str, *path: str) -> Button:
        return self.button_to(Action.SETTINGS, said, self.place, *path)

    def _code(self, *path: str) -> str:
        return self.code(Action.SETTINGS, self.place, *path)


_PREVIEWED: Mapping[str, Callable[[Any], Preview]] = {
    "theme": lambda theme: Preview(game=next(iter(shelf())), theme=theme),
    "pieces": lambda pieces: Preview(game="shogi", theme=themed("shogi", "", pieces)),
    "material": lambda worn: Preview(game="shogi", theme=themed("shogi", "", "", material=worn)),
}
"""The rows whose values are shown by a board that has them."""


def place_rules_after(
    rules: PlaceRules, key: str, code: str, channel: str, roles: Sequence[Role]
) -> PlaceRules | None:
    """*rules* after *code* was pressed in the rows of roles and channels; ``None`` for others."""
    match key, code:
        case "channels", "everywhere":
            return replace(rules, channels=())
        case "channels", "here" if channel:
            return replace(rules, channels=tuple(sorted({*rules.channels, channel})))
        case "channels", "not-here":
            return replace(rules, channels=tuple(c for c in rules.channels if c != channel))
        case "podium", "here" if channel:
            return replace(rules, podium=channel)
        case "podium", _:
            return rules
        case "seeking", "nobody":
            return replace(rules, seeking="")
        case "seeking", role if any(one.id == role for one in roles):
            return replace(rules, seeking=role)
        case "roles", role if any(one.id == role for one in roles):
            return replace(rules, roles=tuple(sorted(set(rules.roles) ^ {role})))
    return None
