"""The types of the columns. To read one never fails.

SQLite keeps any value in any column, and a single flipped bit makes one that nobody has written.
What cannot be valid is read as the column's default, and noted (``collect_damage``), so that one
cell stops neither the bot nor a page. ``ludoteca doctor`` asks the same types for all cells.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from sqlalchemy import JSON, BigInteger, Boolean, Double, Integer, LargeBinary, String
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

from storage.records import EPOCH, MILLISECOND

T = TypeVar("T")

HIGHEST: Final = 2**31 - 1
"""The highest number that both databases keep in a column of numbers."""

SOMEDAY: Final = 32_503_680_000_000
"""The year 3000 in milliseconds since 1970: no instant of ours lies beyond."""

SECRET: Final = 32
"""The bytes of a secret of draws."""

Place = tuple[str, str]
"""A table and one of its columns, by their names."""


class CellError(ValueError):
    """A value that its column cannot have; the text says why, and never repeats the value."""


@dataclass(frozen=True, slots=True)
class DamagedCell:
    """What is read of a cell without a default: *why* its *column* cannot have that value."""

    column: str
    why: str


_found: ContextVar[set[Place] | None] = ContextVar("found", default=None)


@contextmanager
def collect_damage() -> Iterator[set[Place]]:
    """The columns in which a cell was read as its default, in this block."""
    found: set[Place] = set()
    before = _found.set(found)
    try:
        yield found
    finally:
        _found.reset(before)


def read_json(text: str | None) -> Any:
    """What a cell keeps as JSON; ``None`` where it keeps none, since no cell may stop anybody."""
    try:
        return json.loads(text or "")
    except (ValueError, RecursionError):
        return None


class GuardedType(TypeDecorator[T]):
    """A type that reads what cannot be valid as *default*, or as a ``DamagedCell`` without one."""

    place: Place = ("", "")
    """Where it stands; ``storage.schema`` notes it."""

    def __init_subclass__(cls, *, kept: type[TypeEngine[Any]]) -> None:
        super().__init_subclass__()
        cls.impl, cls.cache_ok = kept, True

    def __init__(self, *, default: object = None) -> None:
        super().__init__()
        self.default = default

    @abstractmethod
    def check(self, raw: Any) -> T:
        """The value of what the database keeps; raises ``CellError`` where it cannot be valid."""

    def result_processor(self, _dialect: Dialect, _coltype: object) -> Callable[[Any], Any]:
        """Reads a cell; NULL is None, also where an outer join has found nothing."""

        def read(raw: object) -> object:
            if raw is None:
                return None
            try:
                return self.check(raw)
            except CellError as wrong:
                if self.default is ...:
                    return DamagedCell(self.place[1], str(wrong))
                found = _found.get()
                if found is not None:
                    found.add(self.place)
                return self.default

        return read


def _expect(name: str, raw: object, *kinds: type) -> None:
    if type(raw) not in kinds:
        raise CellError(f"it is {type(raw).__name__}, not {name}")


class TextType(GuardedType[str], kept=String):
    """Text; of *words* one of those, if any are named."""

    def __init__(self, *words: str, default: object = "") -> None:
        super().__init__(default=default)
        self.words = words

    def check(self, raw: Any) -> str:
        """The text; raises ``CellError`` for anything else, and for bytes that are no UTF-8."""
        _expect("text", raw, str)
        if self.words and raw not in self.words:
            raise CellError(f"it is none of {', '.join(self.words)}")
        return str(raw)


class NumberType(GuardedType[int], kept=Integer):
    """A whole number from *lowest* on."""

    def __init__(self, lowest: int = 0, *, default: object = None) -> None:
        super().__init__(default=default)
        self.lowest = lowest

    def check(self, raw: Any) -> int:
        """The number; raises ``CellError`` for anything else."""
        _expect("a whole number", raw, int)
        if not self.lowest <= raw <= HIGHEST:
            raise CellError(f"it is not from {self.lowest} to {HIGHEST}")
        return int(raw)


class RealType(GuardedType[float], kept=Double):
    """A number from *lowest* to *highest* that need not be whole."""

    def __init__(self, lowest: float, highest: float, *, default: object) -> None:
        super().__init__(default=default)
        self.lowest, self.highest = lowest, highest

    def check(self, raw: Any) -> float:
        """The number; raises ``CellError`` for anything else."""
        _expect("a number", raw, int, float)
        if not self.lowest <= raw <= self.highest:  # which no NaN passes
            raise CellError(f"it is not from {self.lowest:g} to {self.highest:g}")
        return float(raw)


class NumbersType(GuardedType[tuple[int, ...]], kept=String):
    """A few whole numbers in their order, kept as text with commas between."""

    def process_bind_param(self, value: tuple[int, ...] | None, _dialect: Dialect) -> str | None:
        """The numbers in decimal."""
        return None if value is None else ",".join(map(str, value))

    def check(self, raw: Any) -> tuple[int, ...]:
        """The numbers; raises ``CellError`` for what is not made of such."""
        _expect("text", raw, str)
        parts = raw.split(",") if raw else []
        if not all(part.isascii() and part.isdigit() and int(part) <= HIGHEST for part in parts):
            raise CellError(f"it is no list of numbers from 0 to {HIGHEST}")
        return tuple(map(int, parts))


class FlagType(GuardedType[bool], kept=Boolean):
    """Yes or no, kept by SQLite as 1 and 0."""

    def check(self, raw: Any) -> bool:
        """Whether it is yes; raises ``CellError`` for what is neither."""
        if type(raw) not in (int, bool) or raw not in (0, 1):
            raise CellError("it is neither yes nor no")
        return bool(raw)


class BlobType(GuardedType[bytes], kept=LargeBinary):
    """A secret of ``SECRET`` bytes."""

    def check(self, raw: Any) -> bytes:
        """The bytes; raises ``CellError`` for anything else."""
        _expect("bytes", raw, bytes)
        if len(raw) != SECRET:
            raise CellError(f"it has {len(raw)} bytes, not {SECRET}")
        return bytes(raw)


class ObjectType(GuardedType[Mapping[str, Any]], kept=JSON):
    """An object of JSON."""

    def check(self, raw: Any) -> Mapping[str, Any]:
        """The object; raises ``CellError`` for anything else."""
        # The driver of PostgreSQL has read it.
        found = read_json(raw) if type(raw) is str else raw
        if type(found) is not dict:
            raise CellError("it is no object of JSON")
        return found

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """As JSON does it, whose parts may be asked for."""
        return self.impl_instance.coerce_compared_value(op, value)


class Instant(GuardedType[datetime], kept=BigInteger):
    """An aware datetime, kept as whole milliseconds since 1970 in UTC.

    Raises ``ValueError`` for a naive one.
    """

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> int | None:
        """Milliseconds since 1970, rounded down."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"storage keeps aware datetimes, and {value!r} has no time zone")
        return (value - EPOCH) // MILLISECOND

    def check(self, raw: Any) -> datetime:
        """The instant, in UTC; raises ``CellError`` for what is none from 1970 to 2999."""
        _expect("a whole number of milliseconds", raw, int)
        if not 0 <= raw < SOMEDAY:
            raise CellError("it is no instant from 1970 to 2999")
        return EPOCH + timedelta(milliseconds=raw)


class SeatBits(GuardedType[tuple[int, ...]], kept=Integer):
    """Seats in their order, kept as the bits of one number."""

    def process_bind_param(self, value: tuple[int, ...] | None, _dialect: Dialect) -> int | None:
        """Bit n for seat n."""
        return None if value is None else sum(1 << seat for seat in set(value))

    def check(self, raw: Any) -> tuple[int, ...]:
        """The seats of the bits; raises ``CellError`` for what has none."""
        _expect("a whole number", raw, int)
        if not 0 <= raw <= HIGHEST:
            raise CellError(f"it is not from 0 to {HIGHEST}")
        return tuple(seat for seat in range(raw.bit_length()) if raw >> seat & 1)


def strength() -> RealType:
    """The mean of a rating, whose default is that of openskill; 40 of it are all but unbeatable."""
    return RealType(-1000.0, 1000.0, default=25.0)


def deviation() -> RealType:
    """How unsure a rating is; nobody's is above the default, openskill's, by more than rounding."""
    return RealType(0.01, 10.0, default=25.0 / 3)
