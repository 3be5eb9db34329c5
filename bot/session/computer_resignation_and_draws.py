"""What a computer thinks of its moves: when it gives up, agrees to a draw, or offers one. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.session.table import Table
from games.core import Game, Seat

HOPELESS = -0.95
"""From which value down a computer takes a game for lost: it wins one of forty such games."""

LOST_FOR, PATIENT = 3, 5
"""For how many of its moves in a row it has to be lost before it gives up; the latter holds below
the highest third of the levels, which see less far.
"""

LEARNERS = 3
"""The lowest third of the levels never resigns: beginners want to win, not be handed the game."""

EVEN = 0.05
"""Up to which value a game is even."""

EVEN_FOR = 8
"""For how many of its moves in a row a game has to be even before it offers a draw."""

EARLY = 20
"""Before so many moves of both a computer takes no draw."""

SETTLED = 100
"""Before so many moves of both no computer offers one: an opening is even."""

LONG, LONGEST = 260, 290
"""From so many moves of both on a game counts as even that is less and less so, until from the
latter on only one that is as good as over does not: few are won after that, and it takes long.
"""

NEARLY_OVER = 0.9
"""The value from which a game is as good as over."""

DRAW_OFFER_MOVES = 10
"""After so many moves of both of a long game a draw is offered once more."""


@dataclass(frozen=True)
class Opinion:
    """What a seat had better play, as notation, with its value from -1 to 1.

    *move* is empty where the seat had better resign. *line* is what is expected to follow, the
    move itself first; *exact* says that it is proved, *hurried* that it was found without a search.
    """

    move: str
    value: float
    line: tuple[str, ...] = ()
    exact: bool = False
    hurried: bool = False


def learns(game: Game, level: int) -> bool:
    """Whether a *level* of *game* is for beginners."""
    return level * LEARNERS <= game.computer.levels


def lost_for(game: Game, level: int) -> int:
    """For how many of its moves in a row a *level* of *game* has to be lost before it gives up."""
    return LOST_FOR if level * LEARNERS > game.computer.levels * (LEARNERS - 1) else PATIENT


def is_lost(values: Sequence[float], moves: int) -> bool:
    """Whether all of the last so many *moves*, of those worth *values*, were in a lost game."""
    last = values[-moves:]
    return len(last) == moves and all(map(is_hopeless, last))


def is_hopeless(value: float) -> bool:
    """Whether a game worth *value*, from -1 to 1, is as good as lost."""
    return value <= HOPELESS


def evenness(plies: int) -> float:
    """Up to which value a game of so many *plies* is even."""
    return EVEN + (NEARLY_OVER - EVEN) * min(max((plies - LONG) / (LONGEST - LONG), 0.0), 1.0)


def is_dull(values: Sequence[float], plies: int) -> bool:
    """Whether a game of so many *plies*, valued at *values*, has long been even."""
    last = values[-EVEN_FOR:]
    return len(last) == EVEN_FOR and max(map(abs, last)) <= evenness(plies)


def may_offer(before: int | None, plies: int) -> bool:
    """Whether a computer may offer a draw after so many *plies*, if it has *before*."""
    if before is None:
        return plies >= SETTLED
    return plies >= LONG and plies - before >= DRAW_OFFER_MOVES


def takes_draw(value: float, plies: int) -> bool:
    """Whether a player who valued its last move at *value* takes a draw."""
    return plies >= EARLY and value <= evenness(plies)


@dataclass
class ResignationPolicy:
    """What computers thought of their own moves of late; a restart forgets it."""

    _values: dict[tuple[str, Seat], tuple[tuple[int, float], ...]] = field(default_factory=dict)
    """By table and seat, how long the log was and what the move was worth."""
    _offered: dict[str, int] = field(default_factory=dict)
    """After how many moves a computer has last offered a draw, by table."""

    def note(self, table: Table, seat: Seat, value: float) -> None:
        """Note that *seat*, about to move, takes its move for worth *value*, from -1 to 1."""
        length = len(table.log)
        kept = [one for one in self._values.get((table.code, seat), ()) if one[0] < length]
        self._values[table.code, seat] = (*kept[1 - EVEN_FOR :], (length, value))

    def gives_up(self, table: Table, seat: Seat) -> bool:
        """Whether *seat* has been lost for so long that it gives up, if a better player agrees."""
        game, level = table.game, table.players[seat].level or 1
        ready = len(table.players) == 2 and not learns(game, level)
        moves = lost_for(game, level)
        return ready and is_lost(self._last(table, seat, moves), moves)

    def hope(self, table: Table, seat: Seat) -> None:
        """Let *seat* play on, whose game a better player has not given up."""
        self._values.pop((table.code, seat), None)

    def offers_draw(self, table: Table, seat: Seat) -> bool:
        """Whether *seat* offers a draw with its move, where nothing has happened for long."""
        plies, last = len(table.log), self._offered.get(table.code)
        ready = table.game.rules.draw_by_agreement and may_offer(last, plies)
        offers = ready and is_dull(self._last(table, seat, EVEN_FOR), plies)
        if offers:
            self._offered[table.code] = plies
        return offers

    def agrees(self, table: Table) -> bool:
        """Whether the computer at *table* takes the draw that is offered to it."""
        seats = [n for n, player in enumerate(table.players) if player.level is not None]
        last = [value for seat in seats for value in self._last(table, seat, 1)]
        return bool(last) and takes_draw(max(last), len(table.log))

    def forget(self, code: str) -> None:
        """Forget the table *code*: its game is over."""
        self._offered.pop(code, None)
        for key in [key for key in self._values if key[0] == code]:
            del self._values[key]

    def _last(self, table: Table, seat: Seat, count: int) -> tuple[float, ...]:
        return tuple(value for _, value in self._values.get((table.code, seat), ())[-count:])
