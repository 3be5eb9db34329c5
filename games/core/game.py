"""What a game on the shelf declares about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.core.errors import BadOption
from games.core.parts import Asking, Chronicle, Editor, Menus, Notation, Speech
from games.core.phrases import Phrase, phrase, verbatim
from games.core.position import Position, Seat
from games.core.problem import PosedProblem
from games.core.record import Record

LOT = "lot"
"""The value of ``Game.begins`` with which a draw decides which seat moves first."""

ROLLS = "rolls"
"""The value of ``Game.begins`` with which the game's own rules decide it."""


@dataclass(frozen=True)
class Option:
    """A choice offered when a table is opened.

    Key and values are ASCII identifiers; the first value is the default. Labels stand in
    the catalogues as ``<game>.option.<key>`` and ``<game>.option.<key>.<value>``. *rated* are the
    further values under which games still compare with those of the default, so that they count
    for the ratings.
    """

    key: str
    values: tuple[str, ...]
    rated: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        """The value that applies where nothing was chosen."""
        return self.values[0]

    def compares(self, value: str) -> bool:
        """Whether a game under *value* compares with one under the default."""
        return value == self.default or value in self.rated


@dataclass(frozen=True)
class Setting:
    """What a game starts from; *first* is the seat to move, 0 where the rules decide."""

    sides: tuple[str, ...]
    options: Mapping[str, str]
    first: Seat = 0


class Budget(Protocol):
    """How long a computer player may think; games have no clock of their own."""

    def spent(self) -> bool:
        """Whether to answer now with the best move so far."""


@dataclass(frozen=True)
class ChosenMove:
    """The move of a computer player and its opinion.

    *value* is from -1 (lost) to 1 (won) for the seat that moves; *line* is the expected play in
    notation, its own move first. *exact* says that *value* is proved.
    """

    move: Any
    value: float
    line: tuple[str, ...] = ()
    exact: bool = False


@dataclass(frozen=True)
class Ruling:
    """The verdict on a claim, one of ``Position.rulings``, and the *line* that shows it."""

    move: Any
    line: tuple[str, ...] = ()


Judge = Callable[[Any, Seat, Budget], Ruling]
"""``judge(position, seat, budget)`` rules on what *seat* has claimed."""

Chooser = Callable[[Any, Seat, int, Budget, Callable[[int], int]], ChosenMove]
"""``choose(position, seat, level, budget, below)``; ``below(n)`` draws from 0 … n-1."""

Advisor = Callable[[Any, Seat, Budget], ChosenMove | None]
"""``advise(position, seat, budget)`` is the best move of *seat*, or ``None`` where it is unsure."""

Weigher = Callable[[Any, Seat, Budget], Sequence[tuple[Any, float]]]
"""``weigh(position, seat, budget)`` gives every move of *seat* its value, from -1 to 1."""

Glance = Callable[[Any, Seat], float]
"""``glance(position, seat)``: the worth to *seat*, whose turn or not, in the game's measure."""

Bookmaker = Callable[[Any, Budget, Callable[[int], int]], tuple[tuple[float, ...], int]]
"""``odds(position, budget, below)``: the chances by seat, and of how many games played out."""


Poser = Callable[[Any, Seat, Budget, Callable[[int], int]], PosedProblem | None]
"""``pose(position, seat, budget, below)`` is the problem that *seat* has to solve, proved.

``None`` where the position asks for nothing in particular, or the budget ends before the proof.
"""


@dataclass(frozen=True)
class Format:
    """A standard notation of whole games, such as PTN or KIF.

    ``read(game, text)`` raises ``Unreadable`` with the line and the reason,
    ``write(game, record)`` raises it for records the format cannot say.
    """

    key: str
    suffix: str
    write: Callable[[Game, Record], str]
    read: Callable[[Game, str], Record]


@dataclass(frozen=True)
class Game:
    """A game on the shelf.

    *sides* name the colours in turn order, *seats* how many may play. *begins* lists who may
    move first: ``LOT``, ``ROLLS`` or sides, the default first; where that is a side, the lot deals
    the sides. ``start(setting)`` is the first position. *choose* plays for the computer at
    *levels*. *default_sides* are the sides by the number of seats where not all play.
    """

    key: str
    title: str
    sides: tuple[str, ...]
    begins: tuple[str, ...]
    start: Callable[[Setting], Position[Any]]
    notation: Notation[Any, Any]
    menus: Menus[Any, Any]
    speech: Speech[Any, Any]
    choose: Chooser
    levels: int = 3
    aliases: tuple[str, ...] = ()
    seats: range = range(2, 3)
    options: tuple[Option, ...] = ()
    judge: Judge | None = None
    """Rules on claims, in a game whose positions have ``rulings``."""
    advise: Advisor | None = None
    """Knows better than the best level, for hints."""
    weigh: Weigher | None = None
    """Compares the moves of a game of chance."""
    pose: Poser | None = None
    """Finds problems in positions, for puzzles."""
    glance: Glance | None = None
    """The worth of a position at first sight, by which levels are measured."""
    odds: Bookmaker | None = None
    """Estimates the chances in a game of chance."""
    asking: Asking[Any] = field(default_factory=Asking)
    """The answers to questions about the board."""
    editor: Editor[Any] | None = None
    """How a position is set up by hand, piece by piece."""
    chronicle: Chronicle | None = None
    """The title that the winner has earned."""
    collected: tuple[str, ...] = ()
    """The keys of those titles that are kept as medals of whoever has won against people."""
    solo: Mapping[str, str] = field(default_factory=dict)
    """Options of a position without a table, where nobody chose others."""
    formats: tuple[Format, ...] = ()
    default_sides: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    draw_by_agreement: bool = False
    gives_up: bool = True
    """Whether a computer resigns a lost game: not in a short one, nor against dice."""
    takes_back: Callable[[Mapping[str, str]], bool] = lambda _: True
    """Whether moves may be taken back under these options (H17: not in a tournament)."""
    uneven: Callable[[Mapping[str, str]], bool] = lambda _: False
    """Whether one side gives a handicap under these options, in the rematch as well."""
    encodings: tuple[str, ...] = ()
    """Other encodings than UTF-8 in which files of the formats are found."""
    demo: tuple[str, ...] = ()
    """Moves, as the log keeps them, to a position worth a picture."""
    school: str = ""
    """The package in whose folder ``school`` its first steps and puzzles lie; "" for none."""
    rules_version: int = 1
    """Grows with every change of the rules that may read an old log otherwise."""

    def typed(self, seen: Position[Any], move: Any) -> Phrase:
        """How *move* is typed in the reader's language, by the letters of their board."""
        if self.asking.typed is not None:
            return self.asking.typed(seen, move)
        return verbatim(self.notation.written(seen, move))

    def sides_for(self, seats: int) -> tuple[str, ...]:
        """The sides in play by default when *seats* play."""
        if seats not in self.seats:
            raise BadOption(phrase("core.bad-seats", few=min(self.seats), many=max(self.seats)))
        return self.default_sides.get(seats, self.sides[:seats])

    def chosen(self, wishes: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value or default; raises ``BadOption`` for one the game has not."""
        known = {option.key: option for option in self.options}
        for key, value in wishes.items():
            if key not in known:
                raise BadOption(phrase("core.bad-option", option=key, known=tuple(known) or ("—",)))
            if value not in known[key].values:
                raise BadOption(
                    phrase("core.bad-value", option=key, value=value, known=known[key].values)
                )
        return {key: wishes.get(key, option.default) for key, option in known.items()}

    def setting(
        self,
        wishes: Mapping[str, str] | None = None,
        seats: int | None = None,
        first: Seat = 0,
        sides: tuple[str, ...] | None = None,
    ) -> Setting:
        """The setting for *seats* players (the fewest by default) with *wishes* as options."""
        in_play = sides or self.sides_for(seats or min(self.seats))
        return Setting(in_play, self.chosen(wishes or {}), first)

    def setting_of(self, record: Record) -> Setting:
        """What *record* starts from; raises ``BadOption`` for options the game has not."""
        return Setting(record.sides, self.chosen(record.options), record.first)

    def beginning(self, record: Record) -> Any:
        """The position in the tags of *record*, else the first; raises a ``RuleError`` for none."""
        setting = self.setting_of(record)
        text = record.tags.get("Position")
        return self.notation.read(text, setting.options) if text else self.start(setting)
