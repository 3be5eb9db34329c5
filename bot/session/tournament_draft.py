"""The draft of a tournament: what its manager has chosen so far. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from pydantic import TypeAdapter

from bot.session.time_controls import read_control
from bot.tournament.values import ENTRANTS, SMALLEST_TABLE, Rules, TournamentFormat
from games.core import Game, RuleError
from games.core.shelf import find_game, shelf
from storage.records import JSON

CLOCKS: Final = ("5m+5s", "15m+30s", "1h", "1d", "3d")
"""The clocks that are offered; a tournament always has one."""

QUICK_CLOCKS: Final = ("5m", "5m+5s", "15m+30s")
"""Those of an arena, whose games must be over soon."""

ROUNDS: Final = (3, 4, 5, 6, 7, 9)
"""How many rounds are offered where the format leaves it open."""

MINUTES: Final = (30, 60, 90, 120)
"""How long an arena may last."""

LENGTHS: Final = (1, 3, 5)
"""Of how many games a match of a knockout may be the best."""

MOSTS: Final = (0, 4, 8, 16, 32, 64)
"""How many entrants there may be at most; 0 is as many as the format takes."""

PAUSES: Final = (1, 2, 5, 10)
"""The minutes between two rounds."""

DAYS: Final = (3, 7, 14, 30)
"""How many days a round may last at which people play by the day."""

BY_ROUND: Final = "round"

THREADS: Final = ("no", "yes", BY_ROUND)
"""Whether each table has a thread or a topic, or each round one."""

STARTS: Final = ("now", "full", "15", "60", "180", "1440", "4320", "10080")
"""When it begins: by a button, once it is full, or so many minutes after it was opened."""

_TYPED: Final = "%Y%m%dT%H%M"
"""How a typed start is kept, in UTC: short enough for a button."""


@dataclass(frozen=True)
class TournamentDraft:
    """The choices for a tournament that will have this *code*."""

    tournament: str
    game: str = ""
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
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, stored: Mapping[str, JSON]) -> TournamentDraft | None:
        """The draft that storage keeps as *stored*; ``None`` where it keeps none."""
        try:
            found = _ADAPTER.validate_python(stored)
            _ = found.kind, read_control(found.clock), found.starts_at
            if found.game:
                found.played.chosen(found.options)
        except (ValueError, RuleError):
            return None
        return found if found.tournament else None

    def stored(self) -> dict[str, JSON]:
        """The draft as storage keeps it."""
        return asdict(self)

    @property
    def played(self) -> Game:
        """The game that was chosen; raises ``UnknownGame`` while there is none."""
        return find_game(self.game)

    @property
    def kind(self) -> TournamentFormat:
        """The format; raises ``ValueError`` where it is none."""
        return TournamentFormat(self.format)

    @property
    def clocks(self) -> tuple[str, ...]:
        """The clocks that are offered for its format."""
        return QUICK_CLOCKS if self.kind is TournamentFormat.ARENA else CLOCKS

    def chosen(self, path: Sequence[str]) -> TournamentDraft:
        """The draft after the choice of *path*, which may be none."""
        match tuple(path):
            case ("game", key):
                return _suited(replace(self, game=key if key in shelf() else "", options={}))
            case ("rule", key, value):
                return self._ruled(key, value)
            case ("format", one) if one in frozenset(TournamentFormat):
                return _suited(replace(self, format=one))
            case ("clock", one):
                control = read_control(one)
                return self if control is None else replace(self, clock=control.text)
            case ("rated" | "double" | "afar" as which, "yes" | "no" as one):
                return _ADAPTER.validate_python({**self.stored(), which: one})
            case ("threads", one) if one in THREADS:
                return replace(self, threads=one)
            case ("rounds" | "best_of" | "minutes" | "most" | "pause" | "days" as which, one):
                return self._counted(which, int(one))
            case ("starts", one) if one in STARTS:
                return replace(self, starts=one)
            case ("starts", one) if (at := _instant(one)) is not None:
                return self.starting(at)
        return self

    def _ruled(self, key: str, value: str) -> TournamentDraft:
        """The draft with a house rule of its game, if it has that one."""
        known = {one.key: one.values for one in self.played.options} if self.game else {}
        if value not in known.get(key, ()):
            return self
        return replace(self, options={**self.options, key: value})

    def _counted(self, which: str, number: int) -> TournamentDraft:
        known = {"rounds": ROUNDS, "best_of": LENGTHS, "minutes": MINUTES, "days": DAYS}
        known |= {"most": MOSTS, "pause": PAUSES}
        if number not in known[which]:
            return self
        return _ADAPTER.validate_python({**self.stored(), which: number})

    def starting(self, at: datetime) -> TournamentDraft:
        """The draft of a tournament that starts at the instant *at*."""
        return replace(self, starts=f"{at:{_TYPED}}")

    @property
    def starts_at(self) -> datetime | None:
        """The instant that was typed for its start; raises ``ValueError`` for what is none."""
        return None if self.starts in STARTS else _read_instant(self.starts)

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
        counted = kind in (TournamentFormat.SWISS, TournamentFormat.TABLES)
        return Rules(
            game=self.game,
            format=kind,
            clock=self.clock,
            options=self.played.chosen(self.options),
            rated=self.rated == "yes",
            rounds=self.rounds if counted else 0,
            double=self.double == "yes" and kind is TournamentFormat.ROBIN,
            best_of=self.best_of if kind is TournamentFormat.KNOCKOUT else 1,
            minutes=self.minutes if kind is TournamentFormat.ARENA else 0,
            most=min(self.most, ENTRANTS[kind][1]) if self.most else 0,
            pause=self.pause,
            starts=starts,
            afar=self.afar == "yes",
            days=self.days if self.by_day and kind is not TournamentFormat.ARENA else 0,
            threads=self.threads in THREADS[1:],
            by_round=self.threads == BY_ROUND and kind is not TournamentFormat.ARENA,
        )


def _read_instant(text: str) -> datetime:
    return datetime.strptime(text, _TYPED).replace(tzinfo=UTC)


def _instant(text: str) -> datetime | None:
    """The instant *text* that a button says; ``None`` where it says none."""
    try:
        return _read_instant(text)
    except ValueError:
        return None


def formats_of(game: Game) -> tuple[TournamentFormat, ...]:
    """The formats that *game* can be played in, by how many sit at its tables."""
    return tuple(
        one
        for one in TournamentFormat
        if (SMALLEST_TABLE if one is TournamentFormat.TABLES else 2) in game.seats
    )


def _suited(draft: TournamentDraft) -> TournamentDraft:
    """*draft* with a format and a clock that suit its game and its format."""
    if draft.game and draft.kind not in formats_of(draft.played):
        draft = replace(draft, format=formats_of(draft.played)[0])
    if draft.clock not in draft.clocks and draft.kind is TournamentFormat.ARENA:
        draft = replace(draft, clock=QUICK_CLOCKS[1])
    return draft


_ADAPTER = TypeAdapter(TournamentDraft)
