"""The draft of a table: what its opener has chosen so far. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from pydantic import TypeAdapter

from bot.session.match import LENGTHS
from bot.session.time_controls import read_control
from games.core import Game, RuleError
from games.core.shelf import find_game
from storage.records import JSON

COMPUTER, ANYONE = "computer", "anyone"
"""The opponents who are nobody in particular."""

DEFAULT_LEVEL = 2

SECRET_LENGTH = 32
"""The bytes of the secret that makes the draws of a table."""

HINTS = "hints"
"""The rule of every game that lets players ask for hints."""

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
}
"""The house rules of every game."""


def rules_of(game: Game) -> tuple[Rule, ...]:
    """The house rules of *game*, its own before those of every game."""
    own = (Rule(one.key, f"{game.key}.option.{one.key}", one.values) for one in game.options)
    return (*own, *COMMON.values())


@dataclass(frozen=True)
class TableDraft:
    """The choices for a table that will have this *code*; *secret* will make its draws.

    *against* is ``COMPUTER``, ``ANYONE`` or an @ and a person's id; *named* is their name.
    *rated* says whether the game is to count for the ratings, ``yes`` or ``no``.
    *words* are the opener's own, for the draws. What is empty, or 0, is left to the game.
    """

    code: str
    secret: str
    game: str = ""
    against: str = ANYONE
    named: str = ""
    level: int = DEFAULT_LEVEL
    side: str = ""
    begins: str = ""
    seats: int = 0
    words: str = ""
    clock: str = ""
    rated: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, stored: Mapping[str, JSON]) -> TableDraft | None:
        """The sheet that storage keeps as *stored*; ``None`` where it keeps none."""
        try:
            found = _ADAPTER.validate_python(stored)
            _ = found.person, read_control(found.clock) if found.clock else None
            if found.game:
                own = {key: one for key, one in found.options.items() if key not in COMMON}
                found.played.chosen(own)
        except (ValueError, RuleError):
            return None
        return found if len(found.secret) == 2 * SECRET_LENGTH else None

    def stored(self) -> dict[str, JSON]:
        """The sheet as storage keeps it."""
        return asdict(self)

    @property
    def played(self) -> Game:
        """The game that was chosen; raises ``UnknownGame`` while there is none."""
        return find_game(self.game)

    @property
    def person(self) -> int | None:
        """The id of the person who is challenged."""
        return int(self.against[1:]) if self.against.startswith("@") else None

    def challenging(self, person: int, name: str) -> TableDraft:
        """The same against *person*, by their *name*."""
        return replace(self, against=f"@{person}", named=name)

    def chosen(self, path: Sequence[str]) -> TableDraft:
        """The sheet after the choice of *path*, which may be none; raises ``BadOption``."""
        match tuple(path):
            case ("game", key):
                return TableDraft(
                    *(self.code, self.secret, find_game(key).key if key else ""),
                    against=self.against,
                    named=self.named,
                    clock=self.clock,
                    rated=self.rated,
                    options={rule: one for rule, one in self.options.items() if rule in COMMON},
                )
            case ("against", one):
                return replace(self, against=one, named="")
            case ("level" | "seats" as which, one):
                return self._counted(which, int(one))
            case ("side", one):
                return replace(self, side=one)
            case ("begins", one):
                return replace(self, begins=one)
            case ("clock", one):
                control = read_control(one)
                return replace(self, clock="" if control is None else control.text)
            case ("rated", "yes" | "no" as one):
                return replace(self, rated=one)
            case ("rule", key, value):
                rules = {**self.options, key: value}
                self.played.chosen({k: v for k, v in rules.items() if k not in COMMON})
                return replace(self, options=rules)
        return self

    def _counted(self, which: str, number: int) -> TableDraft:
        """The same with another *number* of its level or of its seats."""
        return replace(self, level=number) if which == "level" else replace(self, seats=number)

    def values(self) -> dict[str, str]:
        """The same as the values of ``/play``, an option's under its key."""
        typed = {"game": self.game, "side": self.side, "begins": self.begins}
        if self.against == COMPUTER:
            typed |= {"opponent": COMPUTER, "level": str(min(self.level, self.played.levels))}
        if self.clock:
            typed["clock"] = self.clock
        if self.rated and self.against != COMPUTER:
            typed["rated"] = self.rated
        if self.seats:
            typed["seats"] = str(self.seats)
        return {**self.options, **typed}


_ADAPTER = TypeAdapter(TableDraft)
