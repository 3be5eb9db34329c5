"""Whether an honest house can have written a record. Standard library only.

The seal, every draw and its number, the first seat, what the lot dealt, every move and the result
are recomputed. What no record can prove is named with its lines: that a player resigned or agreed
to a draw, what was chosen and not drawn, dates, names and clocks. A record without a line that
proves something, as releases 0.1 and 0.2.0 wrote them, is neither honest nor refuted.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from games.core.annotations import BESIDE
from games.core.chance import commitment, draw
from games.core.errors import RuleError, reject_if
from games.core.game import LOT, ROLLS, Game, Setting
from games.core.move_parsing import read_entry
from games.core.phrases import Phrase, phrase
from games.core.position import CHANCE, Outcome, Position, Seat, leavers_last, ranking
from games.core.record import (
    CASES,
    CHECK,
    CLOCK,
    SPENT,
    Entry,
    Record,
    entry_line,
    result_of,
    tag_line,
)

MOVES = "moves"
"""Stands for the lines of moves among the lines that a record does not prove."""


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
class Unproved:
    """*what* a record states and does not prove, in the *lines* of these tags or ``MOVES``."""

    lines: tuple[str, ...]
    what: Phrase

    @property
    def said(self) -> Phrase:
        """The statement with its lines, as a sentence."""
        if self.lines == (MOVES,):
            return phrase("core.unproved.all", what=self.what)
        return phrase("core.unproved", what=self.what, lines=self.lines)


@dataclass(frozen=True)
class FairnessReport:
    """The *draws* of a record, the lot first, its *faults*, and its *unproved* statements.

    *lacking* are the tags without which it shows too little; *frequencies* are how often each
    result was drawn.
    """

    draws: tuple[CheckedDraw, ...]
    faults: tuple[Fault, ...] = ()
    lacking: tuple[str, ...] = ()
    unproved: tuple[Unproved, ...] = ()
    frequencies: Counter[str] = field(default_factory=Counter)

    @property
    def honest(self) -> bool:
        """Whether the record lacks nothing and contradicts neither seal nor rules nor itself."""
        return not self.faults and not self.lacking


SHORTEST_SEAL = 32
"""How many digits of a seal must be given for it to show anything."""

_PROVING = ("Table", "Words", "Begins", "Chairs", "Left", CHECK)
"""The tags by which a record proves something, beside its seal and its result."""

_UNCHECKED = ("Match", CLOCK, SPENT)
"""Tags that may stand in a record and are compared with nothing."""

_OTHERS = ("Commitment", "Secret", "Draw0", "Result")

_FEW_CASES = 2**32
"""Where all draws together had fewer cases, other words may well give the same draws."""


def verify(record: Record, game: Game, seal: str = "") -> FairnessReport:
    """Recompute *record* by the rules of *game*; raises ``Unreadable`` without its secret.

    *seal* are the digits that the table showed before the game, 32 or more, blanks among them.
    """
    check = _Check(record, game, _secret(record))
    check.head()
    check.seal_shown(seal)
    if check.playable():
        check.beginning()
        position = check.replay()
        if position is not None:
            check.cases_told()
            check.ending(position)
            check.unproved_lines(position)
    return FairnessReport(
        tuple(check.draws),
        tuple(check.faults),
        tuple(check.lacking),
        tuple(check.unproved),
        check.frequencies,
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
    secret = record.tags.get("Secret", "")
    reject_if(not re.fullmatch("[0-9a-f]{64}", secret), "core.no-secret")
    return bytes.fromhex(secret)


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
    lacking: list[str] = field(default_factory=list)
    unproved: list[Unproved] = field(default_factory=list)
    frequencies: Counter[str] = field(default_factory=Counter)
    listed: _Listed = field(default_factory=_Listed)
    cases: list[tuple[str, ...]] = field(default_factory=list)
    """The cases of each entry of the log, none where it is a move."""

    def head(self) -> None:
        """Check the seal, the sum, and which tags are there."""
        tags = self.record.tags
        if self.record.game != self.game.key:
            self._tag("Game", _ought(self.game.key))
        sealed = commitment(self.secret)
        if tags.get("Commitment") != sealed:
            self._tag("Commitment", phrase("core.fault.sealed", expected=sealed))
        if CHECK in tags and tags[CHECK] != self.record.digest():
            self._tag(CHECK, phrase("core.fault.changed"))
        told = self._check_tags()
        self.lacking += [key for key in (*_PROVING, *told) if key not in tags]
        known = {*_PROVING, *told, *_UNCHECKED, *_OTHERS}
        for key in tags:
            if not (key in known or CASES.fullmatch(key) or BESIDE.fullmatch(key)):
                self._tag(key, phrase("core.fault.extra"))
        for key in ("Table", "Words"):
            # A bar would part the text of a draw elsewhere; the bot takes none.
            if "|" in tags.get(key, ""):
                self._tag(key, phrase("core.fault.bar"))

    def _check_tags(self) -> tuple[str, ...]:
        """The tags that every record has and that are compared with nothing."""
        return ("Date", *(f"Player{seat}" for seat in range(len(self.record.sides))))

    def seal_shown(self, seal: str) -> None:
        """Check that *seal* is that of the secret, where it is given."""
        shown = "".join(seal.lower().split())
        if not shown:
            self._open("core.unproved.seal", "Commitment", "Secret")
        elif len(shown) < SHORTEST_SEAL or not commitment(self.secret).startswith(shown):
            self._tag("Commitment", phrase("core.fault.shown"))

    def playable(self) -> bool:
        """Whether a game can start from the sides, options and first seat of the record."""
        sides, game = self.record.sides, self.game
        in_order = tuple(side for side in game.rules.sides if side in sides)
        found = len(self.faults)
        if len(sides) not in game.rules.seats or sides != in_order:
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
        begins, case = self._begins(), self._lot()
        # Check that the chairs are those of the sides, each once.
        chairs = self.record.tags.get("Chairs")
        seats = [str(seat) for seat in range(len(self.record.sides))]
        if chairs is not None and sorted(chairs.split(" ")) != seats:
            self._tag("Chairs", phrase("core.fault.chairs", seats=" ".join(seats)))
        if begins is None:
            self._any_beginning(case)
            return
        if begins not in self.game.rules.begins:
            self._tag("Begins", phrase("core.fault.extra"))
        elif begins == LOT and case is None:
            self._tag("Draw0", phrase("core.fault.missing"))
        elif begins == ROLLS and case is not None:
            self._tag("Draw0", phrase("core.fault.extra"))
        first = self._first(begins, case)
        if self.record.first != first:
            self._tag("First", _ought(str(first)))
        if begins == LOT:
            # Draws after the lot show by their numbers that there was one.
            drew = any(one.seat == CHANCE for one in self.record.log)
            self._open("core.unproved.lot", "Begins", "First", *(() if drew else ("Draw0",)))
        if begins in (LOT, ROLLS):
            self._open("core.unproved.chosen", "Chairs")
        else:
            self._check_sides(case)

    def _first(self, begins: str, case: int | None) -> int:
        """The seat that moves first where *begins* decides it."""
        if begins == LOT and case is not None:
            return case
        return self.record.sides.index(begins) if begins in self.record.sides else 0

    def _any_beginning(self, case: int | None) -> None:
        """Check the first seat of a record that does not say how it was settled."""
        sides, open_ways = self.record.sides, self.game.rules.begins
        known = [sides.index(one) for one in open_ways if one in sides]
        if case is not None and LOT in open_ways:
            known.append(case)
        if self.record.first not in known:
            self._tag("First", phrase("core.fault.seat"))

    def _begins(self) -> str | None:
        only = self.game.rules.begins[0] if len(self.game.rules.begins) == 1 else None
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

    def _check_sides(self, case: int | None) -> None:
        """Check that the chairs have the sides that the lot dealt them (C4)."""
        chairs = self.record.tags.get("Chairs")
        dealt = "1 0" if case else "0 1"
        if len(self.game.rules.begins) > 1:
            self._open("core.unproved.agreed", "Begins", "First", "Draw0")
        if case is None:
            self._open("core.unproved.chosen", "Chairs", "Draw0")
        elif len(self.record.sides) != 2:
            self._tag("Draw0", phrase("core.fault.extra"))
        elif chairs is not None and chairs != dealt:
            self._tag("Chairs", _ought(dealt))

    def replay(self) -> Position[Any] | None:
        """The last position, after a check of every draw and move; ``None`` after a bad one."""
        game = self.game
        position = game.start(game.setting_of(self.record))
        due = 1 if "Draw0" in self.record.tags else 0
        for number, entry in enumerate(self.record.log, 1):
            try:
                texts = _texts(game, position) if entry.seat == CHANCE else ()
                self.cases.append(texts)
                if entry.seat == CHANCE:
                    self._check_draw(entry, texts, due)
                    due = (due if entry.draw is None else entry.draw) + 1
                move = read_entry(game, position, entry)
                written = game.notation.written(position, move)
                if written != entry.text:
                    self.faults.append(Fault(entry_line(entry), _ought(written)))
                position = position.after(move)
            except RuleError as refused:
                why = phrase("core.bad-move", number=number, text=entry.text, why=refused.phrase)
                self.faults.append(Fault(entry_line(entry), why))
                return None
        if CHANCE in position.actors():
            last = entry_line(self.record.log[-1]) if self.record.log else ""
            self.faults.append(Fault(last, phrase("core.fault.due", number=due)))
        return position

    def _check_draw(self, entry: Entry, texts: tuple[str, ...], due: int) -> None:
        reject_if(not texts, "core.draw-not-due", text=entry.text)
        number = due if entry.draw is None else entry.draw
        if entry.draw != due:
            self.faults.append(Fault(entry_line(entry), phrase("core.fault.number", number=due)))
        case = self._draw(number, len(texts))
        checked = CheckedDraw(number, len(texts), case, entry.text, texts[case])
        self.draws.append(checked)
        self.frequencies[entry.text] += 1
        self.listed.add(number, texts)
        if not checked.honest:
            self.faults.append(Fault(entry_line(entry), _ought(checked.expected)))

    def cases_told(self) -> None:
        """Check that the tags of cases are those of the rules."""
        told = {key: value for key, value in self.record.tags.items() if CASES.fullmatch(key)}
        expected = self.listed.tags
        if not told:
            self.lacking += expected
            return
        for key in (*expected, *(key for key in told if key not in expected)):
            if told.get(key) != expected.get(key):
                why = _ought(expected[key]) if key in expected else phrase("core.fault.extra")
                self._tag(key, why)

    def ending(self, position: Position[Any]) -> None:
        """Check the result: that of the rules, else one that players can bring about."""
        said, outcome = self.record.tags.get("Result"), position.outcome()
        self._check_leavers()
        if outcome is None and said is None:
            self.lacking.append("Result")
            return
        fits = {
            result_of(leavers_last(one, left))
            for one in (self._list_agreements() if outcome is None else [outcome])
            for left in self._leavers()
        }
        if said not in fits:
            expected = result_of(outcome) if outcome is not None else ""
            self._tag("Result", _ought(expected) if expected else phrase("core.fault.end"))
        elif outcome is None:
            self._open("core.unproved.end", "Result", result=str(said))

    def _check_leavers(self) -> None:
        """Check that those who left are seats, in order, of a game that goes on without them."""
        left, seats = self.record.tags.get("Left"), range(len(self.record.sides))
        if len(seats) > 2:
            self._open("core.unproved.left", "Left", "Result")
        if left is None:
            return
        named = [str(seat) for seat in seats if str(seat) in left.split(" ")]
        if left != " ".join(named) or len(named) >= (len(seats) if len(seats) > 2 else 1):
            self._tag("Left", phrase("core.fault.extra"))

    def unproved_lines(self, position: Position[Any]) -> None:
        """Name the lines that are compared with nothing, and what played no part."""
        if math.prod(one.cases for one in self.draws) < _FEW_CASES:
            self._open("core.unproved.words", "Table", "Words")
        self._open("core.unproved.moves", MOVES)
        told = (*self._check_tags(), *_UNCHECKED, *filter(BESIDE.fullmatch, self.record.tags))
        self._open("core.unproved.lines", *told)
        idle = () if self.faults else tuple(self._idle(position.outcome()))
        if idle:
            self._open("core.unproved.options", "Options", options=idle)

    def _idle(self, outcome: Outcome | None) -> Iterator[Phrase]:
        """The options under another value of which the same game would have been recorded."""
        setting = self.game.setting_of(self.record)
        for option in self.game.rules.options:
            others = (one for one in option.values if one != setting.options[option.key])
            changed = (replace(setting, options={**setting.options, option.key: o}) for o in others)
            if any(self._same(one, outcome) for one in changed):
                label = phrase(f"{self.game.key}.option.{option.key}")
                yield phrase("core.unproved.option", label=label, option=option.key)

    def _same(self, setting: Setting, outcome: Outcome | None) -> bool:
        """Whether the log under *setting* has the same draws and moves, and ends in *outcome*."""
        game, position = self.game, self.game.start(setting)
        try:
            for entry, cases in zip(self.record.log, self.cases, strict=True):
                if (_texts(game, position) if entry.seat == CHANCE else ()) != cases:
                    return False
                move = read_entry(game, position, entry)
                if game.notation.written(position, move) != entry.text:
                    return False
                position = position.after(move)
        except RuleError:
            return False
        return CHANCE not in position.actors() and position.outcome() == outcome

    def _list_agreements(self) -> Iterator[Outcome]:
        """How players can end a game that the rules have not ended."""
        seats = range(len(self.record.sides))
        for loser, reason in itertools.product(seats, ("resign", "time", "missed")):
            if reason != "time" or CLOCK in self.record.tags:
                yield ranking(reason, [[one for one in seats if one != loser], [loser]])
        if self.game.rules.draw_by_agreement:
            yield ranking("agreement", [seats])

    def _leavers(self) -> Iterator[frozenset[Seat]]:
        """Who may have left: the seats that the record names, else any."""
        seats = range(len(self.record.sides))
        named = self.record.tags.get("Left")
        if named is not None:
            yield frozenset(one for one in seats if str(one) in named.split())
            return
        # A player who leaves a table of two has lost.
        for count in range(len(seats) if len(seats) > 2 else 1):
            yield from map(frozenset, itertools.combinations(seats, count))

    @cached_property
    def _heads(self) -> dict[str, str]:
        return self.record.head()

    def _draw(self, number: int, cases: int) -> int:
        tags = self.record.tags
        return draw(self.secret, tags.get("Table", ""), tags.get("Words", ""), number, cases)

    def _tag(self, key: str, why: Phrase) -> None:
        self.faults.append(Fault(tag_line(key, self._heads.get(key)), why))

    def _open(self, key: str, *lines: str, **said: Any) -> None:
        self.unproved.append(Unproved(lines, phrase(key, **said)))
