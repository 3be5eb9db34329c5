"""The screens of a tournament that is being set up, and the list of those that there are. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from babel.dates import format_datetime

from bot.port import Button, Choice, Countdown, Form, Screen
from bot.presenters.base import city_of, with_zone
from bot.presenters.button_codes import START_TIME, Action
from bot.presenters.table.setup import MAIN, RULES, DraftForm, game_facts
from bot.presenters.tournament.tournament import TournamentScreens
from bot.presenters.typed_names import RATED
from bot.session.draft import BY_ROUND, OFFERED, TournamentDraft, formats_of
from bot.session.preferences import zone_of
from bot.tournament.values import ENTRANTS, Phase, Tournament, TournamentFormat
from games.core import Phrase, phrase
from games.core.phrases import verbatim
from games.core.shelf import shelf


class TournamentSheet(DraftForm[TournamentDraft]):
    """Composes the screens of the draft *number*; *ladder* says whether games may count here.

    *swiss*: Swiss rounds can be paired here.
    """

    act = Action.TOURNAMENT
    again = "tournament.button.new"

    ladder: bool = False
    swiss: bool = True
    threads: bool = False
    """Whether each table may have a thread here."""
    zone: str = ""
    """The IANA name of the time zone by which times are typed; "" where nobody has chosen one."""

    def games(self) -> Screen:
        """The games to choose from."""
        rows = [[self.button(game_facts(game), "game", key)] for key, game in shelf().items()]
        return self.page(self.say("tournament.which"), (), rows)

    def sheet(self, draft: TournamentDraft) -> Screen:
        """All choices of *draft*."""
        fewest, most = ENTRANTS[draft.kind]
        lines = [
            self.say(f"tournament.format.{draft.kind}.about"),
            self.say("tournament.takes", few=fewest, many=draft.most or most),
        ]
        if not self.swiss:
            lines.append(self.say("tournament.no-swiss"))
        rows = [
            [self.button(phrase("tournament.button.open"), "open", style="good")],
            [
                self.button(phrase("house.sheet.other-game"), "game", ""),
                self.button(phrase("tournament.button.start-time"), *START_TIME),
            ],
        ]
        if draft.played.rules.options:
            rows[1].append(self.button(phrase("house.sheet.rules"), "page", RULES))
        starts = draft.starts_at
        if starts is not None:
            city = city_of(self.zone, self.language) if self.zone else "UTC"
            lines.append(self.say("tournament.start.zone", zone=city))
        title = self.say("tournament.sheet", game=phrase(f"{draft.game}.name"))
        screen = self.page(title, lines, rows, self.main_choices(draft))
        screen = replace(screen, forms=tuple(self._forms(draft)))
        if starts is None:
            return screen
        count = Countdown(self.say("tournament.starts-at"), starts, self._at(starts))
        return replace(screen, countdown=count)

    def _at(self, at: datetime) -> str:
        """The instant *at* as it is in the zone by which times are typed."""
        locale = self.language.replace("-", "_")
        said = format_datetime(at, "EEE d MMM HH:mm", tzinfo=zone_of(self.zone), locale=locale)
        return with_zone(said, self.language, self.zone)

    def rules(self, draft: TournamentDraft) -> Screen:
        """The house rules of the game of *draft*."""
        title = self.say("tournament.sheet", game=phrase(f"{draft.game}.name"))
        back = [self.button(phrase("house.button.back"), "page", MAIN)]
        choices = self.rule_choices(draft)
        forms = tuple(self.rule_forms(len(choices)))
        return replace(self.page(title, (), [back], choices), forms=forms)

    def main_choices(self, draft: TournamentDraft) -> Sequence[Choice]:
        """All choices but the house rules."""
        return [self._choice_of(draft, word) for word in self._words(draft)]

    def _forms(self, draft: TournamentDraft) -> Iterator[Form]:
        """The choices that go together; the format decides which the others are."""
        words, back = self._words(draft), self.path_code("page", MAIN)
        for name, some in (("games", words[1:6]), ("rounds", words[6:])):
            yield Form(self.say(f"tournament.form.{name}"), back, tuple(map(words.index, some)))

    def _words(self, draft: TournamentDraft) -> Sequence[str]:
        """The fields to be chosen, first the format and what its games are."""
        kind = draft.kind
        there = {
            "rated": self.ladder,
            "pause": kind is not TournamentFormat.ARENA,
            "days": draft.by_day,
            "threads": self.threads,
        }
        first = ("format", "clock", _LENGTHS[kind], "rated", "most", "starts")
        words = (*first, "pause", "days", "threads", "afar")
        return [word for word in words if there.get(word, True)]

    def _choice_of(self, draft: TournamentDraft, word: str) -> Choice:
        """The choice of the field *word* among what is offered for the format."""
        label, now = f"tournament.choose.{word}", str(getattr(draft, word))
        if word == "clock":
            return self.clocks(label, draft.clocks, now)
        if word == "rated":
            return self.choice(label, word, {one: phrase(key) for one, key in RATED.items()}, now)
        values = {
            str(one): _said(word, one) for one in OFFERED[word] if self._fits(draft, word, one)
        }
        if word == "starts" and draft.starts_at is not None:
            values[now] = verbatim(self._at(draft.starts_at))
        return self.choice(label, word, values, now)

    def _fits(self, draft: TournamentDraft, word: str, value: str | int) -> bool:
        """Whether *value* may be chosen for the game and format of *draft*."""
        match word, value:
            case "format", one:
                there = self.swiss or one != TournamentFormat.SWISS
                return there and one in formats_of(draft.played)
            case "most", int(count) if count:
                fewest, capacity = ENTRANTS[draft.kind]
                return fewest <= count <= capacity
            case "threads", one:
                # The pairs of an arena are brought together as they come: it has no rounds to see.
                return one != BY_ROUND or draft.kind is not TournamentFormat.ARENA
        return True

    # ---------------------------------------------------------------- lists

    def listed(self, found: Sequence[Tournament], me: int, *, opens: bool) -> Screen:
        """The tournaments that there are, with a key for each that *me* may enter.

        What begins a new one follows where the reader *opens*.
        """
        listed = [TournamentScreens(self.language, self.key, one, {}) for one in found]
        rows = [[Button(one.title(), one.path()), *one.entry_buttons(me)] for one in listed]
        living = any(one.phase is not Phase.ENDED for one in found)
        if opens and living:
            new = self.say("tournament.button.new")
            rows.append([Button(new, self.code(Action.TOURNAMENT, "new"), "good")])
        elif opens:
            named = {key: phrase("tournament.sheet", game=phrase(f"{key}.name")) for key in shelf()}
            rows += [[self.button(said, "game", key)] for key, said in named.items()]
        key = "tournament.list" if living else "tournament.last" if found else "tournament.none"
        lines = [self.say("tournament.which")] if opens and not living else []
        if not opens:
            lines.append(self.say("tournament.managers-only"))
        return self.page(self.say(key), lines, rows)


_LENGTHS: Mapping[TournamentFormat, str] = {
    TournamentFormat.SWISS: "rounds",
    TournamentFormat.TABLES: "rounds",
    TournamentFormat.ROBIN: "double",
    TournamentFormat.KNOCKOUT: "best_of",
    TournamentFormat.ARENA: "minutes",
}
"""How long it lasts, which each format counts by something else."""

_COUNTED: Mapping[str, str] = {
    "rounds": "tournament.rounds",
    "best_of": "tournament.best-of",
    "minutes": "tournament.minutes",
    "pause": "tournament.minutes",
    "days": "tournament.days",
}
"""The phrases of the fields that are numbers of something."""


def _said(word: str, value: str | int) -> Phrase:
    """What the *value* of the field *word* is called."""
    if isinstance(value, str):
        return phrase(
            f"tournament.{value}" if word in ("double", "afar") else f"tournament.{word}.{value}"
        )
    if word in _COUNTED:
        return phrase(_COUNTED[word], n=value)
    return verbatim(str(value)) if value else phrase("tournament.most.any")
