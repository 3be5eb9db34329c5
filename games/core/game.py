"""What a game on the shelf declares about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.core.computer import Budget, Computer
from games.core.errors import BadOption
from games.core.parts import Asking, Chronicle, Editor, Menus, Notation, Speech
from games.core.phrases import Phrase, phrase, verbatim
from games.core.position import Position, Seat
from games.core.record import Record

LOT = "lot"
"""The value of ``GameRules.begins`` with which a draw decides which seat moves first."""

ROLLS = "rolls"
"""The value of ``GameRules.begins`` with which the game's own rules decide it."""


@dataclass(frozen=True)
class Option:
    """A choice offered when a table is opened.

    Key and values are ASCII identifiers; the first value is the default. Labels stand in
    the catalogues as ``<game>.option.<key>`` and ``<game>.option.<key>.<value>``. *rated* are the
    further values under which games still compare with those of the default, so that they count
    for the ratings.

    >>> heap = Option("heap", ("15", "21", "40"), rated=("21",))
    >>> heap.default, heap.compares("21"), heap.compares("40")
    ('15', True, False)
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
    """What a game starts from; *first* is the seat to move, 0 where the rules decide.

    *start* writes the position of a game that does not begin as usual; "" for any other.
    """

    sides: tuple[str, ...]
    options: Mapping[str, str]
    first: Seat = 0
    start: str = ""


@dataclass(frozen=True)
class Ruling:
    """The verdict on a claim, one of ``Position.rulings``, and the *line* that shows it."""

    move: Any
    line: tuple[str, ...] = ()


Judge = Callable[[Any, Seat, Budget], Ruling]
"""``judge(position, seat, budget)`` rules on what *seat* has claimed."""


@dataclass(frozen=True)
class GameRules:
    """What is agreed before a game, and its first position, which knows the rest.

    *sides* name the colours in turn order; ``start(setting)`` is the first position. *begins*
    lists who may move first: ``LOT``, ``ROLLS`` or sides, the default first; where that is a side,
    the lot deals the sides. Without it the first side begins. *seats* is how many may play, and
    *default_sides* are the sides by the number of seats where not all play.
    """

    sides: tuple[str, ...]
    start: Callable[[Setting], Position[Any]]
    begins: tuple[str, ...] = ()
    seats: range = range(2, 3)
    default_sides: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    solo: Mapping[str, str] = field(default_factory=dict)
    """Options of a position without a table, where nobody chose others."""
    draw_by_agreement: bool = False
    takes_back: Callable[[Mapping[str, str]], bool] = lambda _: True
    """Whether moves may be taken back under these options (H17: not in a tournament)."""
    uneven: Callable[[Mapping[str, str]], bool] = lambda _: False
    """Whether one side gives a handicap under these options, in the rematch as well."""
    judge: Judge | None = None
    """GameRules on claims, in a game whose positions have ``rulings``."""
    version: int = 1
    """Grows with every change of the rules that may read an old log otherwise."""

    def __post_init__(self) -> None:
        if not self.begins:
            object.__setattr__(self, "begins", self.sides[:1])


@dataclass(frozen=True)
class Format:
    """A standard notation of whole games, such as PTN or KIF.

    ``read(game, text)`` raises ``Unreadable`` with the line, the reason and what was read before,
    ``write(game, record)`` raises it for records the format cannot say. *marks* is a regular
    expression: what begins the lines by which a text of this format is known. ``parts(text)`` are
    the games of a file that may hold several. *branches*: it holds comments and branches.
    """

    key: str
    suffix: str
    write: Callable[[Game, Record], str]
    read: Callable[[Game, str], Record]
    marks: str = ""
    parts: Callable[[str], Sequence[str]] = lambda text: (text,)
    branches: bool = False


@dataclass(frozen=True)
class Records:
    """The files in which games are found elsewhere.

    *encodings* are others than UTF-8 in which files of the *formats* are found.
    """

    formats: tuple[Format, ...] = ()
    encodings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Titles:
    """*chronicle* says which title the winner has earned.

    *collected* are the keys of those titles that are kept as medals of whoever has won against
    people.
    """

    chronicle: Chronicle | None = None
    collected: tuple[str, ...] = ()


@dataclass(frozen=True)
class Game:
    """A game on the shelf: its rules, how it is played, what the shelf says, and what it may add.

    *key* is its name in storage and in the keys of its phrases, *title* the one people read. A
    game must bring these, its *rules* and its *notation*; everything else has a default.
    """

    key: str
    title: str
    rules: GameRules
    notation: Notation[Any, Any]
    menus: Menus[Any, Any] = field(default_factory=Menus)
    speech: Speech[Any, Any] = field(default_factory=Speech)
    asking: Asking[Any] = field(default_factory=Asking)
    """The answers to questions about the board."""
    aliases: tuple[str, ...] = ()
    demo: tuple[str, ...] = ()
    """Moves, as the log keeps them, to a position worth a picture."""
    computer: Computer = field(default_factory=Computer)
    records: Records = field(default_factory=Records)
    titles: Titles = field(default_factory=Titles)
    editor: Editor[Any] | None = None
    """How a position is set up by hand, piece by piece."""
    school: str = ""
    """The package in whose folder ``school`` its first steps and puzzles lie; "" for none."""

    def start(self, setting: Setting | None = None) -> Position[Any]:
        """The first position under *setting*, by default the usual one.

        Raises a ``RuleError`` where its own start cannot be read.
        """
        setting = setting or self.setting()
        if not setting.start:
            return self.rules.start(setting)
        own: Position[Any] = self.notation.read(setting.start, setting.options)
        return own

    def typed(self, seen: Position[Any], move: Any) -> Phrase:
        """How *move* is typed in the reader's language, by the letters of their board."""
        if self.asking.typed is not None:
            return self.asking.typed(seen, move)
        return verbatim(self.notation.written(seen, move))

    def sides_for(self, seats: int) -> tuple[str, ...]:
        """The sides in play by default when *seats* play."""
        if seats not in self.rules.seats:
            raise BadOption(
                phrase("core.bad-seats", few=min(self.rules.seats), many=max(self.rules.seats))
            )
        return self.rules.default_sides.get(seats, self.rules.sides[:seats])

    def chosen(self, wishes: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value or default; raises ``BadOption`` for one the game has not."""
        known = {option.key: option for option in self.rules.options}
        for key, value in wishes.items():
            if key not in known:
                raise BadOption(phrase("core.bad-option", option=key, known=tuple(known) or ("—",)))
            if value not in known[key].values:
                raise BadOption(
                    phrase("core.bad-value", option=key, value=value, known=known[key].values)
                )
        return {key: wishes.get(key, option.default) for key, option in known.items()}

    def setting(
        self, wishes: Mapping[str, str] | None = None, seats: int | None = None, first: Seat = 0
    ) -> Setting:
        """The setting for *seats* players (the fewest by default) with *wishes* as options."""
        sides = self.sides_for(seats or min(self.rules.seats))
        return Setting(sides, self.chosen(wishes or {}), first)

    def setting_of(self, record: Record) -> Setting:
        """What *record* starts from; raises ``BadOption`` for options the game has not."""
        start = record.tags.get("Position", "")
        return Setting(record.sides, self.chosen(record.options), record.first, start)

    def beginning(self, record: Record) -> Any:
        """The position in the tags of *record*, else the first; raises a ``RuleError`` for none."""
        return self.start(self.setting_of(record))
