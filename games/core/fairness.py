"""Whether an honest house can have written a record. Standard library only.

The seal, every draw and its number, the first seat, what the lot dealt, every move and the result
are recomputed. What no record can prove is named: that a player resigned or agreed to a draw, and
what was chosen and not drawn.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from games.core.chance import commitment, draw
from games.core.errors import RuleError, Unreadable
from games.core.game import LOT, ROLLS, Game
from games.core.moves import read_entry
from games.core.phrases import Phrase, phrase
from games.core.position import CHANCE, Outcome, Position, Seat, leavers_last, ranking
from games.core.record import CASES, CHECK, Entry, Record, entry_line, result_of, tag_line


@dataclass(frozen=True)
class CheckedDraw:
    """Draw *number*: *case* of *cases* by the secret, so *expected*; the record says *written*."""

    number: int
    cases: int
    case: int
    written: str
    expected: str

    @property
    def honest(self) -> bool:
        """Whether the record has the case of the secret."""
        return self.written == self.expected


@dataclass(frozen=True)
class Fault:
    """A *line* that no honest house writes, and *why*."""

    line: str
    why: Phrase


@dataclass(frozen=True)
class FairnessReport:
    """The *draws* of a record, the lot first, its *faults*, and its *unproved* statements.

    *frequencies* are how often each result was drawn.
    """

    draws: tuple[CheckedDraw, ...]
    faults: tuple[Fault, ...] = ()
    unproved: tuple[Phrase, ...] = ()
    frequencies: Counter[str] = field(default_factory=Counter)

    @property
    def honest(self) -> bool:
        """Whether the record contradicts neither the seal nor the rules nor itself."""
        return not self.faults


def verify(record: Record, game: Game) -> FairnessReport:
    """Recompute *record* by the rules of *game*; raises ``Unreadable`` without its secret."""
    check = _Check(record, game, _secret(record))
    check.head()
    if check.playable():
        check.beginning()
        position = check.replayed()
        if position is not None:
            check.cases_told()
            check.ending(position)
    return FairnessReport(
        tuple(check.draws), tuple(check.faults), tuple(check.unproved), check.frequencies
    )


def provable(record: Record, game: Game) -> Record:
    """*record* with its cases of draws and its sum; raises a ``RuleError`` for what is no game."""
    tags = {key: value for key, value in record.tags.items() if not CASES.fullmatch(key)}
    tags.pop(CHECK, None)
    position = game.start(game.setting_of(record))
    listed = _Listed()
    for entry in record.log:
        if entry.seat == CHANCE and entry.draw is not None:
            listed.add(entry.draw, _texts(game, position))
        position = position.after(read_entry(game, position, entry))
    told = replace(record, tags={**tags, **listed.tags})
    return replace(told, tags={**told.tags, CHECK: told.digest()})


@dataclass
class _Listed:
    """The cases of draws as tags: one for each draw whose cases differ from the last."""

    tags: dict[str, str] = field(default_factory=dict)
    _last: str = ""

    def add(self, number: int, texts: tuple[str, ...]) -> None:
        """Draw *number* was among *texts*."""
        table = " ".join(texts)
        if table != self._last:
            self.tags[f"Cases{number}"] = self._last = table


def _texts(game: Game, position: Position[Any]) -> tuple[str, ...]:
    return tuple(game.notation.written(position, one) for one in position.legal_moves(CHANCE))


def _secret(record: Record) -> bytes:
    try:
        secret = bytes.fromhex(record.tags.get("Secret", ""))
    except ValueError:
        secret = b""
    if len(secret) != 32:
        raise Unreadable(phrase("core.no-secret"))
    return secret


def _ought(expected: str) -> Phrase:
    return phrase("core.fault.ought", expected=expected)


@dataclass
class _Check:
    """The examination of one record."""

    record: Record
    game: Game
    secret: bytes
    draws: list[CheckedDraw] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    unproved: list[Phrase] = field(default_factory=list)
    frequencies: Counter[str] = field(default_factory=Counter)
    listed: _Listed = field(default_factory=_Listed)

    def head(self) -> None:
        """Check the seal, the sum, and that no start is given."""
        tags = self.record.tags
        sealed = commitment(self.secret)
        if tags.get("Commitment") != sealed:
            self._tag("Commitment", phrase("core.fault.sealed", expected=sealed))
        if CHECK not in tags:
            self.unproved.append(phrase("core.unproved.sum"))
        elif tags[CHECK] != self.record.digest():
            self._tag(CHECK, phrase("core.fault.changed"))
        if "Position" in tags:
            self._tag("Position", phrase("core.fault.extra"))

    def playable(self) -> bool:
        """Whether a game can start from the sides, options and first seat of the record."""
        sides, game = self.record.sides, self.game
        in_order = tuple(side for side in game.sides if side in sides)
        found = len(self.faults)
        if len(sides) not in game.seats or sides != in_order:
            self._tag("Sides", phrase("core.fault.sides"))
        if self.record.first not in range(len(sides)):
            self._tag("First", phrase("core.fault.seat"))
        try:
            game.chosen(self.record.options)
        except RuleError as refused:
            self._tag("Options", refused.phrase)
        return len(self.faults) == found

    def beginning(self) -> None:
        """Check the first seat, and the lot that decided it or dealt the sides."""
        sides, begins = self.record.sides, self._begins()
        case = self._lot()
        if begins is None:
            self._any_beginning(case)
            return
        if begins not in self.game.begins:
            self._tag("Begins", phrase("core.fault.extra"))
        elif begins == LOT and case is None:
            self._tag("Draw0", phrase("core.fault.missing"))
        elif begins == ROLLS and case is not None:
            self._tag("Draw0", phrase("core.fault.extra"))
        first = sides.index(begins) if begins in sides else 0
        if begins == LOT and case is not None:
            first = case
        if self.record.first != first:
            self._tag("First", _ought(str(first)))
        if begins not in (LOT, ROLLS):
            self._dealt(case)

    def _any_beginning(self, case: int | None) -> None:
        """Check the first seat of a record of release 0.1, which may be any that was possible."""
        sides, open_ways = self.record.sides, self.game.begins
        known = [sides.index(one) for one in open_ways if one in sides]
        if case is not None and LOT in open_ways:
            known.append(case)
        if self.record.first not in known:
            self._tag("First", phrase("core.fault.seat"))
        self.unproved.append(phrase("core.unproved.begins"))

    def _begins(self) -> str | None:
        only = self.game.begins[0] if len(self.game.begins) == 1 else None
        return self.record.tags.get("Begins", only)

    def _lot(self) -> int | None:
        written = self.record.tags.get("Draw0")
        if written is None:
            return None
        cases = len(self.record.sides)
        case = self._draw(0, cases)
        expected = f"{cases} {case}"
        self.draws.append(CheckedDraw(0, cases, case, written.removeprefix(f"{cases} "), str(case)))
        if written != expected:
            self._tag("Draw0", _ought(expected))
        return case

    def _dealt(self, case: int | None) -> None:
        """Check that the chairs have the sides that the lot dealt them (C4)."""
        chairs = self.record.tags.get("Chairs")
        if self._begins() != self.game.begins[0]:
            self.unproved.append(phrase("core.unproved.agreed"))
        if case is None:
            self.unproved.append(phrase("core.unproved.chosen"))
        elif len(self.record.sides) != 2:
            self._tag("Draw0", phrase("core.fault.extra"))
        elif chairs is None:
            self.unproved.append(phrase("core.unproved.chairs"))
        else:
            dealt = " ".join(sorted(set(chairs.split()), reverse=case == 1))
            if chairs != dealt:
                self._tag("Chairs", _ought(dealt))

    def replayed(self) -> Position[Any] | None:
        """The last position, after a check of every draw and move; ``None`` after a bad one."""
        game = self.game
        position = game.start(game.setting_of(self.record))
        due = 1 if "Draw0" in self.record.tags else 0
        for number, entry in enumerate(self.record.log, 1):
            try:
                if entry.seat == CHANCE:
                    self._drawn(position, entry, due)
                    due = (due if entry.draw is None else entry.draw) + 1
                position = position.after(read_entry(game, position, entry))
            except RuleError as refused:
                why = phrase("core.bad-move", number=number, text=entry.text, why=refused.phrase)
                self.faults.append(Fault(entry_line(entry), why))
                return None
        if CHANCE in position.actors():
            last = entry_line(self.record.log[-1]) if self.record.log else ""
            self.faults.append(Fault(last, phrase("core.fault.due", number=due)))
        return position

    def _drawn(self, position: Position[Any], entry: Entry, due: int) -> None:
        texts = _texts(self.game, position)
        if not texts:
            raise Unreadable(phrase("core.draw-not-due", text=entry.text))
        number = due if entry.draw is None else entry.draw
        if entry.draw != due:
            why = phrase("core.fault.number", number=due)
            self.faults.append(Fault(entry_line(entry), why))
        case = self._draw(number, len(texts))
        checked = CheckedDraw(number, len(texts), case, entry.text, texts[case])
        self.draws.append(checked)
        self.frequencies[entry.text] += 1
        self.listed.add(number, texts)
        if not checked.honest:
            self.faults.append(Fault(entry_line(entry), _ought(checked.expected)))

    def cases_told(self) -> None:
        """Check that the tags of cases are those of the rules."""
        tags = self.record.tags
        told = {key: value for key, value in tags.items() if CASES.fullmatch(key)}
        expected = self.listed.tags
        for key in (*expected, *(key for key in told if key not in expected)) if told else ():
            if told.get(key) != expected.get(key):
                why = _ought(expected[key]) if key in expected else phrase("core.fault.extra")
                self._tag(key, why)

    def ending(self, position: Position[Any]) -> None:
        """Check the result: that of the rules, else one that players can bring about."""
        said, outcome = self.record.tags.get("Result"), position.outcome()
        if self.record.tags.get("Left") and len(self.record.sides) == 2:
            self._tag("Left", phrase("core.fault.extra"))
        if outcome is None and said is None:
            self.unproved.append(phrase("core.unproved.open"))
            return
        fits = {
            result_of(leavers_last(one, left)): left
            for one in (self._agreed() if outcome is None else [outcome])
            for left in self._leavers()
        }
        if said not in fits:
            expected = result_of(outcome) if outcome is not None else ""
            self._tag("Result", _ought(expected) if expected else phrase("core.fault.end"))
            return
        if outcome is None:
            self.unproved.append(phrase("core.unproved.end", result=said))
        elif fits[said] and "Left" not in self.record.tags:
            self.unproved.append(phrase("core.unproved.left"))

    def _agreed(self) -> Iterator[Outcome]:
        """How players can end a game that the rules have not ended."""
        seats = range(len(self.record.sides))
        for loser in seats:
            yield ranking("resign", [[one for one in seats if one != loser], [loser]])
        if self.game.draw_by_agreement:
            yield ranking("agreement", [seats])

    def _leavers(self) -> Iterator[frozenset[Seat]]:
        """Who may have left: the seats that the record names, else any."""
        seats = range(len(self.record.sides))
        named = self.record.tags.get("Left")
        if named is not None:
            yield frozenset(one for one in seats if str(one) in named.split())
            return
        # A player who leaves a table of two has lost. Fewer leavers come last, so that none counts
        # where the result needs none.
        for count in reversed(range(len(seats) if len(seats) > 2 else 1)):
            yield from map(frozenset, itertools.combinations(seats, count))

    def _draw(self, number: int, cases: int) -> int:
        tags = self.record.tags
        return draw(self.secret, tags.get("Table", ""), tags.get("Words", ""), number, cases)

    def _tag(self, key: str, why: Phrase) -> None:
        self.faults.append(Fault(tag_line(key, self.record.head().get(key)), why))
