"""What truly happened in an evening: presses, changes of tables, calls, and when we were away.

It is told by taps outside the product: a participant that hears of each change once it is on
disk, the facade's own answers, and the wire. Who sits where and whose turn it is stands here, not
what the house believes to have shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.presenters.button_codes import Action, Click
from bot.presenters.table.keyboard import steps_of
from bot.service.table.changes import ORIGINS, Change, Participant
from bot.session.events import Moved, Paused, Resumed
from bot.session.table import PLAYING, Table
from games.core.move_parsing import spelled
from tests.evening.loop import World
from tests.evening.screens import Person, Seen

TRAVELS = 0.4
"""Seconds that a press may be under way without having been late."""


@dataclass
class Pressed:
    """A press of somebody on what they saw."""

    key: str
    place: str
    person: Person
    seen: Seen
    code: str
    at: float
    before: dict[str, Seen] = field(default_factory=dict)
    """What their screen showed then."""
    answered: float | None = None
    said: str = ""
    excused: bool = False
    """Whether the network, or the death of a house, befell its answer."""


@dataclass
class Called:
    """Somebody is called by a message about a table."""

    at: float
    place: str
    person: str
    table: str
    version: int
    text: str


@dataclass
class Judged:
    """A press as the house has judged it, beside the table as it stood when it arrived."""

    at: float
    click: Click
    person: int
    good: bool
    in_turn: bool
    choices: int
    own: bool
    """Whether the seat had done nothing since the board that it pressed, and its key still begins
    a move of the seat, as it does for whoever presses what is offered."""
    fresh: bool
    """Whether that board was the newest."""


class Tap(Participant):
    """Hears of each change that is on disk."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def after_commit(self, change: Change) -> None:
        self.model.changed(change)


@dataclass
class Model:
    """The truth of an evening, as far as promises need it."""

    world: World
    tables: dict[str, Table] = field(default_factory=dict)
    changed_at: dict[str, float] = field(default_factory=dict)
    ended_at: dict[str, float] = field(default_factory=dict)
    acted: dict[tuple[str, int], int] = field(default_factory=dict)
    """The version at which a seat of a table did something last."""
    updates: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    """The tables that each update of a chat has changed."""
    twice: list[tuple[str, str]] = field(default_factory=list)
    touched: dict[tuple[str, int], float] = field(default_factory=dict)
    """When a person pressed something at a table last."""
    persons: dict[tuple[str, str], int] = field(default_factory=dict)
    """People by platform and id there."""
    judged: list[Judged] = field(default_factory=list)
    pressed_at: dict[tuple[str, str], float] = field(default_factory=dict)
    """When somebody pressed or wrote, by platform and update."""
    came: dict[tuple[str, int], float] = field(default_factory=dict)
    """When the turn of a seat came that acts now."""
    charged: list[tuple[str, bool, str]] = field(default_factory=list)
    """Charges of clocks: the update, whether it took no more than its person did, and why."""
    changes: list[Callable[[Change], None]] = field(default_factory=list)
    """Called with each change."""
    pauses: dict[str, list[list[float]]] = field(default_factory=lambda: defaultdict(list))
    """By table, from when until when its clock stood still as its people had agreed."""
    before_change: list[Callable[[Change], None]] = field(default_factory=list)
    """Called with each change before anything is noted of it."""
    hear: Callable[[Table], None] = lambda table: None
    """Called with each table that has changed."""
    away: list[list[float]] = field(default_factory=list)
    """From when until when no house was there."""

    # ---------------------------------------------------------------- taps

    def listen(self, facade: Any) -> None:
        """Hear of what a house does from now on."""
        changes = facade.services.changes
        changes.participants = (*changes.participants, Tap(self))

    def changed(self, change: Change) -> None:
        """A change is on disk."""
        table, update = change.table, change.update
        now = self.world.loop.now
        for tell in self.before_change:
            tell(change)
        self._charge(change)
        for written in change.work.written:
            if isinstance(written.event, Paused):
                self.pauses[table.code].append([now, float("inf")])
            elif isinstance(written.event, Resumed) and self.pauses[table.code]:
                self.pauses[table.code][-1][1] = now
        self.tables[table.code], self.changed_at[table.code] = table, now
        movers = {one.event.seat for one in change.work.written if isinstance(one.event, Moved)}
        for seat in range(len(table.players)):
            if seat not in table.actors() or seat in movers:
                self.came.pop((table.code, seat), None)
            if seat in table.actors():
                self.came.setdefault((table.code, seat), now)
        if table.ended is not None:
            self.ended_at.setdefault(table.code, now)
        else:
            self.ended_at.pop(table.code, None)
        for written in change.work.written:
            if isinstance(written.event, Moved):
                self.acted[table.code, written.event.seat] = written.number
        key = (update.platform, update.update)
        if update.platform not in ORIGINS and table.code in self.updates[key]:
            self.twice.append((update.update, table.code))
        self.updates[key].add(table.code)
        self.hear(table)
        for hear in self.changes:
            hear(change)

    def catch_up(self, stored: Table) -> None:
        """Take a table as it is *stored*, where no house lived to tell of its last change."""
        if stored.version > self.tables[stored.code].version:
            self.tables[stored.code] = stored

    def _charge(self, change: Change) -> None:
        """Compare what a clock charges with how long its person really took."""
        table, update = change.table, change.update
        pressed = self.pressed_at.get((update.platform, update.update))
        moved = [one.event for one in change.work.written if isinstance(one.event, Moved)]
        if table.clock is None or change.before is None or pressed is None:
            return
        before = change.before.clock
        if len(moved) != 1 or before is None or before.turns[moved[0].seat] is None:
            return
        came = self.came.get((table.code, moved[0].seat), 0.0)
        spent = table.clock.spent[len(before.spent)] / 1000
        took = max(0.0, pressed - came - self.stood(table.code, came, pressed))
        why = f"{table.code}: charged {spent:.3f} s, pressed after {took:.3f} s"
        self.charged.append((update.update, spent <= took + TRAVELS, why))

    def stood(self, code: str, since: float, until: float) -> float:
        """For how many seconds between the two a clock stood still."""
        return sum(max(0.0, min(over, until) - max(at, since)) for at, over in self.pauses[code])

    def arrives(self, click: Click | None) -> tuple[Table, dict[int, int]] | None:
        """The table of a press as it stands when that arrives, and when each seat acted last."""
        table = None if click is None else self.tables.get(click.table)
        if table is None:
            return None
        seats = range(len(table.players))
        return table, {seat: self.acted.get((table.code, seat), 0) for seat in seats}

    def judge(
        self, click: Click, arrived: tuple[Table, dict[int, int]], person: int, answer: Any
    ) -> Judged | None:
        """Note what came of a press on a move that *arrived* so."""
        before, acted = arrived
        self.touched[before.code, person] = self.world.loop.now
        seat = before.seat_of(person)
        if click.act is not Action.MOVE or seat is None or before.status != PLAYING:
            return None
        turn, good = seat in before.actors(), getattr(answer, "good", True)
        if not good and self.tables[before.code].status != PLAYING:
            return None  # its time was over
        steps, position = steps_of(click.path), before.present
        legal = position.legal_moves(seat) if turn else ()
        means = any(one[: len(steps)] == steps for one in spelled(before.game, position, legal))
        done = self.acted.get((before.code, seat), 0)  # two presses at once: one is a second one
        now = self.tables[before.code].turns[seat]  # somebody else's press may have come first
        one = Judged(
            at=self.world.loop.now,
            click=click,
            person=person,
            good=good,
            in_turn=turn,
            choices=len(legal),
            own=means and acted.get(seat, 0) <= click.turn and (good or done <= click.turn),
            fresh=turn and click.turn == before.turns[seat] and (good or click.turn == now),
        )
        self.judged.append(one)
        return one

    # ---------------------------------------------------------------- when we were away

    def shut(self) -> None:
        """No house takes anything from now on."""
        self.away.append([self.world.loop.now, float("inf")])

    def opened(self) -> None:
        """A house is there again; people's clients find it within some seconds."""
        if self.away:
            self.away[-1][1] = min(self.away[-1][1], self.world.loop.now + 5.0)

    @property
    def is_shut(self) -> bool:
        """Whether no house is there now: what arrives was sent by one that was killed since."""
        return bool(self.away) and self.away[-1][1] == float("inf")

    def was_away(self, since: float, until: float) -> bool:
        """Whether no house was there at any time between the two."""
        return any(begins <= until and since <= ends for begins, ends in self.away)
