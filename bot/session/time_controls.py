"""Time controls: how long the players may think, as they are typed, kept and shown. Pure.

H16: hours for the whole game and then a minute a move, or only the one or only the other. Every
length is in milliseconds.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from games.core import Phrase, RuleError, casefolded, phrase

SECOND: Final = 1000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

CLAIMED: Final = HOUR
"""The shortest time after which the others claim the game; below it the flag falls."""

PRESETS: Final = ("", "3d", "1d", "15m+30s", "5m+5s", "9h+1m")
"""What is offered where a table is set up; the first is no clock."""

_BANK: Final = 5 * MINUTE
"""A length that stands alone is for the game from here on, below it and in days for a move."""

_BYOYOMI: Final = 30 * SECOND
"""What is added to a bank is byoyomi from here on, below it an increment."""

TENTH: Final = 10
"""Which part of a bank somebody may take until their first move, at least ``LEAST_GRACE``."""

LEAST_GRACE: Final = 2 * MINUTE
"""The shortest time in which somebody must come, in milliseconds."""

_SHORTEST, _LONGEST = 5 * SECOND, 30 * DAY
_MOST_PERIODS: Final = 20
_UNITS: Final = {"d": DAY, "h": HOUR, "m": MINUTE, "s": SECOND}
_WORDS: Final = (
    (r"dias?|days?|jours?", "d"),
    (r"horas?|hours?|hrs?", "h"),
    (r"minutos?|minutes?|min\.?", "m"),
    (r"segundos?|seconds?|secs?|seg\.?", "s"),
)
_LENGTH: Final = r"(?:\d{1,5}[dhms])+"
_FORM: Final = re.compile(
    rf"({_LENGTH})(/move|/game)?|({_LENGTH})\+(?:(\d{{1,2}})x)?({_LENGTH})(f?)"
)
_PER_MOVE: Final = re.compile(r"(?:/|por|per|each|cada)(?:move|jugada|turno|turn|movimiento)")
_PER_GAME: Final = re.compile(r"(?:/|por|per)(?:game|partida)")


class BadControl(RuleError):
    """What was typed is no time control."""


@dataclass(frozen=True)
class Control:
    """How long a player may think: for each *move*, or a *bank* for the game.

    When the bank is used up there are *periods* of byoyomi, each of the length *period*: a move
    within one costs nothing, and the last must suffice. With an *increment* every move adds to
    the bank. What is 0 is not there.
    """

    move: int = 0
    bank: int = 0
    periods: int = 0
    period: int = 0
    increment: int = 0

    @property
    def text(self) -> str:
        """How it is kept, and read again: ``3d``, ``9h``, ``9h+1m``, ``10m+3x30s``, ``5m+5s``."""
        if self.move:
            return _length(self.move) + ("/move" if _is_bank(self.move) else "")
        bank = _length(self.bank)
        if self.periods:
            counted = self.periods > 1 or self.period < _BYOYOMI
            return f"{bank}+{f'{self.periods}x' if counted else ''}{_length(self.period)}"
        if self.increment:
            return f"{bank}+{_length(self.increment)}{'f' * (self.increment >= _BYOYOMI)}"
        return bank + ("" if _is_bank(self.bank) else "/game")

    @property
    def is_claimed(self) -> bool:
        """Whether the flag waits for a claim: the time that runs out last is long."""
        return (self.move or (self.period if self.periods else self.bank)) >= CLAIMED

    @property
    def rests(self) -> bool:
        """Whether it waits while its player is on holiday: so does a long time for each move."""
        return self.move >= CLAIMED

    @property
    def set_up(self) -> int:
        """How long a set-up may take before the rules arrange the rest (G14): at most a day."""
        return min(DAY, self.bank // 2 if self.bank else 10 * self.move)

    def said(self) -> Phrase:
        """What people call it."""
        if self.move:
            return phrase("clock.per-move", time=length(self.move))
        bank = length(self.bank)
        if self.periods:
            key = "clock.byoyomi" if self.periods == 1 else "clock.byoyomi-periods"
            return phrase(key, bank=bank, n=self.periods, time=length(self.period))
        if self.increment:
            return phrase("clock.increment", bank=bank, time=length(self.increment))
        return phrase("clock.bank", bank=bank)


def read_control(text: str) -> Control | None:
    """The control that *text* says, ``None`` for none; raises ``BadControl`` with a sentence."""
    parts = unicodedata.normalize("NFD", casefolded(text))
    bare = "".join(part for part in parts if not unicodedata.combining(part)).replace("×", "x")
    if not bare:
        return None
    bare = _PER_GAME.sub("/game", _PER_MOVE.sub("/move", bare))
    for words, unit in _WORDS:
        bare = re.sub(rf"(?<=\d)(?:{words})(?![a-z])", unit, bare)
    found = _FORM.fullmatch(bare)
    if found is None:
        raise BadControl(phrase("clock.bad", text=text.strip()[:32]))
    control = _control(*found.groups())
    if not (_fits(control.move or control.bank) and _fits(control.period or control.move or _BANK)):
        raise BadControl(phrase("clock.out-of-range"))
    if control.increment > HOUR or control.periods > _MOST_PERIODS:
        raise BadControl(phrase("clock.out-of-range"))
    return control


def _control(alone: str, per: str, bank: str, periods: str, added: str, fischer: str) -> Control:
    if alone:
        time = _read(alone)
        whole = per == "/game" or (per is None and _is_bank(time))
        return Control(bank=time) if whole else Control(move=time)
    time = _read(added)
    if periods or (time >= _BYOYOMI and not fischer):
        return Control(bank=_read(bank), periods=int(periods or 1), period=time)
    return Control(bank=_read(bank), increment=time)


def _fits(time: int) -> bool:
    return _SHORTEST <= time <= _LONGEST


def grace(control: Control | None) -> int:
    """The milliseconds for the first move of a tournament's game under *control*."""
    if control is None:
        return LEAST_GRACE
    return control.move or max(LEAST_GRACE, control.bank // TENTH)


def length(time: int) -> Phrase:
    """A length of time as people say it, in at most two units: «8 h 12 min», «45 s»."""
    rest, units = max(0, -(-time // SECOND)) * SECOND, list(_UNITS.items())
    largest = next((n for n, (_, size) in enumerate(units) if rest >= size), len(units) - 1)
    parts: list[Phrase] = []
    for unit, size in units[largest : largest + 2]:
        number, rest = divmod(rest, size)
        if number or not parts:
            parts.append(phrase(f"clock.{unit}", n=number))
    return parts[0] if len(parts) == 1 else phrase("clock.and", first=parts[0], second=parts[1])


def _is_bank(time: int) -> bool:
    return time >= _BANK and time % DAY != 0


def _read(text: str) -> int:
    return sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)([dhms])", text))


def _length(time: int) -> str:
    written = ""
    for unit, size in _UNITS.items():
        number, time = divmod(time, size)
        written += f"{number}{unit}" if number else ""
    return written


def name_of(text: str) -> Phrase:
    """What people call the control that *text* says, or that there is none."""
    control = read_control(text)
    return phrase("clock.none") if control is None else control.said()
