"""Drafts: what was chosen so far for a table or a tournament that is being set up. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, ClassVar, Final, Self

from pydantic import TypeAdapter

from bot.session.match import LENGTHS
from bot.session.time_controls import read_control
from bot.tournament.values import ENTRANTS, SMALLEST_TABLE, Rules, TournamentFormat
from games.core import Game, RuleError
from games.core.shelf import find_game, highest_level
from storage.records import JSON

COMPUTER, ANYONE, NOW = "computer", "anyone", "now"
"""The opponents who are nobody in particular; ``NOW`` is whoever comes, and else a computer."""

DEFAULT_LEVEL = 2

SECRET_LENGTH = 32
"""The bytes of the secret that makes the draws of a table."""

HINTS = "hints"
"""The rule of every game that lets players ask for hints."""

COMPUTER_CLOCK = "timed"
"""The rule of every game that lets the time of computers count (``Table.computer_clock``)."""

MATCH = "match"
"""The rule of every game that says of how many games a match is the best (S4)."""


@dataclass(frozen=True)
class Rule:
    """A house rule and its *values* as typed, the usual one first; *label* begins its po keys."""

    key: str
    label: str
    values: tuple[str, ...]


COMMON: Mapping[str, Rule] = {
    MATCH: Rule(MATCH, f"house.option.{MATCH}", tuple(map(str, LENGTHS))),
    HINTS: Rule(HINTS, f"house.option.{HINTS}", ("off", "on")),
    COMPUTER_CLOCK: Rule(COMPUTER_CLOCK, f"house.option.{COMPUTER_CLOCK}", ("off", "on")),
}
"""The house rules of every game."""


def rules_of(game: Game, common: Mapping[str, Rule] = COMMON) -> tuple[Rule, ...]:
    """The house rules of *game*, its own before those that are *common* to every game."""
    own = (Rule(one.key, f"{game.key}.option.{one.key}", one.values) for one in game.rules.options)
    return (*own, *common.values())


@dataclass(frozen=True, kw_only=True)
class Draft:
    """The choices that every draft has; ``options`` are house rules, a value under each key.

    *rated* says whether games are to count for the ratings, ``yes`` or ``no``. What is empty is
    left to the game.
    """

    game: str = ""
    clock: str = ""
    rated: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    not_yours: ClassVar[str] = "house.sheet.not-yours"
    """The key of what others hear who press its buttons."""
    common: ClassVar[Mapping[str, Rule]] = {}
    """The house rules that are offered beside those of the game."""

    @classmethod
    def read(cls, stored: Mapping[str, JSON]) -> Self | None:
        """The draft that storage keeps as *stored*; ``None`` where it keeps none."""
        try:
            found: Self = _adapter(cls).validate_python(stored)  # type: ignore[arg-type]
            found.check()
        except (ValueError, RuleError):
            return None
        return found

    def check(self) -> None:
        """Raise ``RuleError`` or ``ValueError`` for choices that there are not."""
        if self.clock:
            read_control(self.clock)
        if self.game:
            self.played.chosen(self.own_rules)

    def stored(self) -> dict[str, JSON]:
        """The draft as storage keeps it."""
        return asdict(self)

    @property
    def played(self) -> Game:
        """The game that was chosen; raises ``UnknownGame`` while there is none."""
        return find_game(self.game)

    @property
    def own_rules(self) -> dict[str, str]:
        """The chosen house rules of the game itself."""
        return {key: one for key, one in self.options.items() if key not in self.common}

    @property
    def rules_offered(self) -> tuple[Rule, ...]:
        """The house rules to choose from."""
        return rules_of(self.played, self.common)

    def chosen(self, path: Sequence[str]) -> Self:
        """The draft after the choice of *path*, which may be none; raises ``RuleError``."""
        match tuple(path):
            case ("game", key):
                kept = {rule: one for rule, one in self.options.items() if rule in self.common}
                return replace(self, game=find_game(key).key if key else "", options=kept)
            case ("clock", text):
                control = read_control(text)
                return replace(self, clock="" if control is None else control.text)
            case ("rated", "yes" | "no" as one):
                return replace(self, rated=one)
            case ("rule", key, value):
                changed = replace(self, options={**self.options, key: value})
                changed.check()
                return changed
        return self

    def choosing(self, field_name: str, value: str | int) -> Self:
        """The draft with this *value* in one of its fields."""
        changed: dict[str, Any] = {field_name: value}
        return replace(self, **changed)


@cache
def _adapter(kind: type[Draft]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@dataclass(frozen=True)
class TableDraft(Draft):
    """The choices for a table that will have this *code*; *secret* will make its draws.

    *against* is ``COMPUTER``, ``ANYONE``, ``NOW`` or an @ and a person's id; *named* is their name.
    *words* are the opener's own, for the draws. What is empty, or 0, is left to the game.
    """

    code: str
    secret: str
    against: str = ANYONE
    named: str = ""
    level: int = DEFAULT_LEVEL
    side: str = ""
    begins: str = ""
    seats: int = 0
    words: str = ""

    common = COMMON

    def check(self) -> None:
        """Raise ``RuleError`` or ``ValueError`` for choices that there are not."""
        super().check()
        if len(self.secret) != 2 * SECRET_LENGTH:
            raise ValueError(self.secret)
        _ = self.person

    @property
    def person(self) -> int | None:
        """The id of the person who is challenged."""
        return int(self.against[1:]) if self.against.startswith("@") else None

    def challenging(self, person: int, name: str) -> TableDraft:
        """The same against *person*, by their *name*."""
        return replace(self, against=f"@{person}", named=name)

    def chosen(self, path: Sequence[str]) -> TableDraft:
        """The draft after the choice of *path*, which may be none; raises ``RuleError``."""
        match tuple(path):
            case ("game", _):
                kept = replace(super().chosen(path), level=DEFAULT_LEVEL, seats=0)
                return replace(kept, side="", begins="", words="")
            case ("against", one):
                return replace(self, against=one, named="")
            case ("level" | "seats" as which, one):
                return self.choosing(which, int(one))
            case ("side" | "begins" as which, one):
                return self.choosing(which, one)
        return super().chosen(path)

    def values(self) -> dict[str, str]:
        """The same as the values of ``/play``, an option's under its key."""
        typed = {"game": self.game, "side": self.side, "begins": self.begins}
        if self.against == COMPUTER:
            level = min(self.level, highest_level(self.played))
            typed |= {"opponent": COMPUTER, "level": str(level)}
        typed |= {"opponent": NOW} if self.against == NOW else {}
        if self.clock:
            typed["clock"] = self.clock
        if self.rated and self.against != COMPUTER:
            typed["rated"] = self.rated
        if self.seats:
            typed["seats"] = str(self.seats)
        return {**self.options, **typed}


CLOCKS: Final = ("5m+5s", "15m+30s", "1h", "1d", "3d")
"""The clocks that are offered; a tournament always has one."""

QUICK_CLOCKS: Final = ("5m", "5m+5s", "15m+30s")
"""Those of an arena, whose games must be over soon."""

BY_ROUND: Final = "round"
"""Each round has a thread or a topic, and not each table."""

_NO_YES: Final = ("no", "yes")

OFFERED: Final[Mapping[str, Sequence[str | int]]] = {
    "format": tuple(TournamentFormat),
    # The rounds where the format leaves them open.
    "rounds": (3, 4, 5, 6, 7, 9),
    "double": _NO_YES,
    # Of how many games a match of a knockout may be the best.
    "best_of": (1, 3, 5),
    # How long an arena may last.
    "minutes": (30, 60, 90, 120),
    # How many entrants there may be; 0 is as many as the format takes.
    "most": (0, 4, 8, 16, 32, 64),
    # The minutes between two rounds.
    "pause": (1, 2, 5, 10),
    # By a button, once it is full, or so many minutes after it was opened.
    "starts": ("now", "full", "15", "60", "180", "1440", "4320", "10080"),
    "afar": _NO_YES,
    # How many days a round may last at which people play by the day.
    "days": (3, 7, 14, 30),
    "threads": (*_NO_YES, BY_ROUND),
}
"""The values of the fields that are chosen from a list."""

_TYPED: Final = "%Y%m%dT%H%M"
"""How a typed start is kept, in UTC: short enough for a button."""


@dataclass(frozen=True)
class TournamentDraft(Draft):
    """The choices for a tournament that will have this *code*."""

    not_yours = "tournament.sheet.not-yours"

    tournament: str
    _: KW_ONLY
    format: str = TournamentFormat.ROBIN
    clock: str = "15m+30s"
    rated: str = "no"
    rounds: int = 5
    double: str = "no"
    best_of: int = 1
    minutes: int = 60
    most: int = 0
    pause: int = 1
    starts: str = "now"
    afar: str = "no"
    days: int = 14
    threads: str = "no"

    def check(self) -> None:
        """Raise ``RuleError`` or ``ValueError`` for choices that there are not."""
        super().check()
        _ = self.kind, self.starts_at
        if not self.tournament:
            raise ValueError(self.tournament)

    @property
    def kind(self) -> TournamentFormat:
        """The format; raises ``ValueError`` where it is none."""
        return TournamentFormat(self.format)

    @property
    def clocks(self) -> tuple[str, ...]:
        """The clocks that are offered for its format."""
        return QUICK_CLOCKS if self.kind is TournamentFormat.ARENA else CLOCKS

    def chosen(self, path: Sequence[str]) -> TournamentDraft:
        """The draft after the choice of *path*, which may be none; raises ``RuleError``."""
        match tuple(path):
            case (word, text) if word in OFFERED:
                for value in OFFERED[word]:
                    if str(value) == text:
                        changed = self.choosing(word, value)
                        return _suited(changed) if word == "format" else changed
                if word == "starts":
                    with suppress(ValueError):
                        return self.starting(_read_instant(text))
                return self
            case ("game", _):
                return _suited(super().chosen(path))
            case ("rule", *_):
                with suppress(RuleError):
                    return super().chosen(path)
                return self
            case ("clock", ""):  # a tournament always has one
                return self
        return super().chosen(path)

    def starting(self, at: datetime) -> TournamentDraft:
        """The draft of a tournament that starts at the instant *at*."""
        return replace(self, starts=f"{at:{_TYPED}}")

    @property
    def starts_at(self) -> datetime | None:
        """The instant that was typed for its start; raises ``ValueError`` for what is none."""
        return None if self.starts in OFFERED["starts"] else _read_instant(self.starts)

    @property
    def by_day(self) -> bool:
        """Whether people have days for each move, so that rounds need an end of their own."""
        control = read_control(self.clock)
        return control is not None and control.rests

    def rules(self, steady: datetime, now: datetime) -> Rules:
        """What the tournament is played under that is opened *now*, which is *steady*."""
        kind, starts = self.kind, self.starts
        if (at := self.starts_at) is not None:
            starts = (steady + (at - now)).isoformat()
        elif starts.isdigit():
            starts = (steady + timedelta(minutes=int(starts))).isoformat()
        return Rules(
            game=self.game,
            format=kind,
            clock=self.clock,
            options=self.played.chosen(self.options),
            rated=self.rated == "yes",
            rounds=self.rounds if kind in (TournamentFormat.SWISS, TournamentFormat.TABLES) else 0,
            double=self.double == "yes" and kind is TournamentFormat.ROBIN,
            best_of=self.best_of if kind is TournamentFormat.KNOCKOUT else 1,
            minutes=self.minutes if kind is TournamentFormat.ARENA else 0,
            most=min(self.most, ENTRANTS[kind][1]) if self.most else 0,
            pause=self.pause,
            starts=starts,
            afar=self.afar == "yes",
            days=self.days if self.by_day and kind is not TournamentFormat.ARENA else 0,
            threads=self.threads != "no",
            by_round=self.threads == BY_ROUND and kind is not TournamentFormat.ARENA,
        )


def _read_instant(text: str) -> datetime:
    return datetime.strptime(text, _TYPED).replace(tzinfo=UTC)


def formats_of(game: Game) -> tuple[TournamentFormat, ...]:
    """The formats that *game* can be played in, by how many sit at its tables."""
    return tuple(
        one
        for one in TournamentFormat
        if (SMALLEST_TABLE if one is TournamentFormat.TABLES else 2) in game.rules.seats
    )


def _suited(draft: TournamentDraft) -> TournamentDraft:
    """*draft* with a format and a clock that suit its game and its format."""
    if draft.game and draft.kind not in formats_of(draft.played):
        draft = replace(draft, format=formats_of(draft.played)[0])
    if draft.clock not in draft.clocks and draft.kind is TournamentFormat.ARENA:
        draft = replace(draft, clock=QUICK_CLOCKS[1])
    return draft
