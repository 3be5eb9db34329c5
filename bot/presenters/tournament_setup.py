"""The screens of a tournament that is being set up, and the list of those that there are. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from babel.dates import format_datetime

from bot.port import Button, Choice, Countdown, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import START_TIME, Action
from bot.presenters.settings import city_of
from bot.presenters.setup import game_facts
from bot.session.preferences import zone_of
from bot.session.time_controls import read_control
from bot.session.tournament_draft import (
    DAYS,
    LENGTHS,
    MINUTES,
    MOSTS,
    PAUSES,
    ROUNDS,
    STARTS,
    THREADS,
    TournamentDraft,
    formats_of,
)
from bot.texts import language
from bot.tournament.values import ENTRANTS, Tournament, TournamentFormat
from games.core import Phrase, phrase
from games.core.phrases import verbatim
from games.core.shelf import shelf

MAIN = "main"
"""The first page of a draft."""


RULES = "rules"
"""The page of the game's house rules."""


@dataclass(frozen=True)
class TournamentSheet(PagePresenter):
    """Composes the screens of the draft *number*; *ladder* says whether games may count here.

    *swiss*: Swiss rounds can be paired here.
    """

    number: int = 0
    ladder: bool = False
    swiss: bool = True
    threads: bool = False
    """Whether each table may have a thread here."""
    zone: str = ""
    """The IANA name of the time zone by which times are typed; "" where nobody has chosen one."""

    def games(self) -> Screen:
        """The games to choose from."""
        rows = [[self._button(game_facts(game), "game", key)] for key, game in shelf().items()]
        return self.page(self.say("tournament.which"), (), rows)

    def gone(self) -> Screen:
        """The screen of a draft that is used or expired."""
        again = self._button(phrase("tournament.button.new"), "new", style="good")
        return self.page(self.say("house.sheet.gone"), rows=[[again]])

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
            [self._button(phrase("tournament.button.open"), "open", style="good")],
            [
                self._button(phrase("house.sheet.other-game"), "game", ""),
                self._button(phrase("tournament.button.start-time"), *START_TIME),
            ],
        ]
        if draft.played.options:
            rows[1].append(self._button(phrase("house.sheet.rules"), "page", RULES))
        starts = draft.starts_at
        if starts is not None:
            lines.append(self.say("tournament.start.zone", zone=self._city()))
        title = self.say("tournament.sheet", game=phrase(f"{draft.game}.name"))
        screen = self.page(title, lines, rows, self._choices(draft))
        if starts is None:
            return screen
        count = Countdown(self.say("tournament.starts-at"), starts, self._at(starts))
        return replace(screen, countdown=count)

    def _city(self) -> str:
        """The city by which times are typed, ``UTC`` where nobody has chosen one."""
        return city_of(self.zone, self.language) if self.zone else "UTC"

    def _at(self, at: datetime) -> str:
        """The instant *at* as it is in the zone by which times are typed."""
        locale = self.language.replace("-", "_")
        said = format_datetime(at, "EEE d MMM HH:mm", tzinfo=zone_of(self.zone), locale=locale)
        return f"{said} ({self._city()})"

    def rules(self, draft: TournamentDraft) -> Screen:
        """The house rules of the game of *draft*."""
        now = draft.played.chosen(draft.options)
        choices = []
        for option in draft.played.options:
            label = f"{draft.game}.option.{option.key}"
            values = {value: phrase(f"{label}.{value}") for value in option.values}
            buttons = tuple(
                self._button(one, "rule", option.key, value) for value, one in values.items()
            )
            chosen = option.values.index(now[option.key])
            opens = self._code("page", option.key)
            choices.append(Choice(self.say(label), buttons, chosen, opens))
        title = self.say("tournament.sheet", game=phrase(f"{draft.game}.name"))
        back = [self._button(phrase("house.button.back"), "page", MAIN)]
        return self.page(title, (), [back], choices)

    def values(self, draft: TournamentDraft, what: str) -> Screen:
        """All values of the choice *what*, for chats without lists."""
        if what == RULES:
            return self.rules(draft)
        rules = self.rules(draft).choices
        found = next(
            (
                one
                for one in (*self._choices(draft), *rules)
                if one.opens == self._code("page", what)
            ),
            None,
        )
        if found is None:
            return self.sheet(draft)
        page = RULES if found in rules else MAIN
        back = [self._button(phrase("house.button.back"), "page", page)]
        open_list = Choice("", found.options, found.chosen)
        return self.page(f"{found.label}:", (), [*open_list.rows(), back])

    def _choices(self, draft: TournamentDraft) -> list[Choice]:
        formats = [
            one
            for one in formats_of(draft.played)
            if self.swiss or one is not TournamentFormat.SWISS
        ]
        found = [
            self._choice(
                "format",
                {str(one): phrase(f"tournament.format.{one}") for one in formats},
                draft.format,
            )
        ]
        clocks = dict.fromkeys((*draft.clocks, draft.clock))
        found.append(self._choice("clock", {one: _clock(one) for one in clocks}, draft.clock))
        found += self._lengths(draft)
        if self.ladder:
            counts = {
                "yes": phrase("standing.word.rated"),
                "no": phrase("standing.word.casual"),
            }
            found.append(self._choice("rated", counts, draft.rated))
        found += self._beginning(draft)
        if draft.kind is not TournamentFormat.ARENA:
            pauses = {str(n): phrase("tournament.minutes", n=n) for n in PAUSES}
            found.append(self._choice("pause", pauses, str(draft.pause)))
        if draft.by_day:
            days = {str(n): phrase("tournament.days", n=n) for n in DAYS}
            found.append(self._choice("days", days, str(draft.days)))
        if self.threads:
            # The pairs of an arena are brought together as they come: it has no rounds to see.
            some = THREADS[:2] if draft.kind is TournamentFormat.ARENA else THREADS
            threads = {one: phrase(f"tournament.threads.{one}") for one in some}
            found.append(self._choice("threads", threads, draft.threads))
        found.append(self._choice("afar", _yes_no(), draft.afar))
        return found

    def _beginning(self, draft: TournamentDraft) -> list[Choice]:
        """How many may enter, and when it starts."""
        fewest, capacity = ENTRANTS[draft.kind]
        most = {str(n): verbatim(str(n)) for n in MOSTS if fewest <= n <= capacity}
        most = {"0": phrase("tournament.most.any"), **most}
        starts = {one: phrase(f"tournament.starts.{one}") for one in STARTS}
        if draft.starts_at is not None:
            starts[draft.starts] = verbatim(self._at(draft.starts_at))
        return [
            self._choice("most", most, str(draft.most)),
            self._choice("starts", starts, draft.starts),
        ]

    def _lengths(self, draft: TournamentDraft) -> list[Choice]:
        """How long it lasts, which each format counts by something else."""
        match draft.kind:
            case TournamentFormat.SWISS | TournamentFormat.TABLES:
                rounds = {str(n): phrase("tournament.rounds", n=n) for n in ROUNDS}
                return [self._choice("rounds", rounds, str(draft.rounds))]
            case TournamentFormat.ROBIN:
                return [self._choice("double", _yes_no(), draft.double)]
            case TournamentFormat.KNOCKOUT:
                games = {str(n): phrase("tournament.best-of", n=n) for n in LENGTHS}
                return [self._choice("best_of", games, str(draft.best_of))]
        lasting = {str(n): phrase("tournament.minutes", n=n) for n in MINUTES}
        return [self._choice("minutes", lasting, str(draft.minutes))]

    def _choice(self, word: str, values: Mapping[str, Phrase], now: str) -> Choice:
        options = tuple(self._button(one, word, value) for value, one in values.items())
        chosen = list(values).index(now) if now in values else None
        return Choice(
            self.say(f"tournament.choose.{word}"), options, chosen, self._code("page", word)
        )

    # ---------------------------------------------------------------- lists

    def listed(self, found: Sequence[Tournament], *, opens: bool) -> Screen:
        """The tournaments that there are, and a button for a new one where the reader *opens*."""
        rows: list[Sequence[Button]] = [
            [
                Button(
                    self.say(
                        "tournament.title",
                        game=phrase(f"{one.rules.game}.name"),
                        format=phrase(f"tournament.format.{one.rules.format}"),
                        code=one.code,
                    ),
                    self.code(Action.TOURNAMENT, table=one.code),
                )
            ]
            for one in found
        ]
        if opens:
            new = self.say("tournament.button.new")
            rows.append([Button(new, self.code(Action.TOURNAMENT, "new"), "good")])
        key = "tournament.list" if found else "tournament.none"
        lines = [] if opens else [self.say("tournament.managers-only")]
        return self.page(self.say(key), lines, rows)

    def _code(self, *path: str) -> str:
        return self.code(Action.TOURNAMENT, *path, turn=self.number)

    def _button(self, said: Phrase, *path: str, style: str = "house") -> Button:
        return Button(language(self.language).say(said), self._code(*path), style)


def _clock(control: str) -> Phrase:
    found = read_control(control)
    return phrase("clock.none") if found is None else found.said()


def _yes_no() -> dict[str, Phrase]:
    return {"no": phrase("tournament.no"), "yes": phrase("tournament.yes")}
