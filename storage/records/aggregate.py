"""An aggregate is a value that a numbered list of events makes, such as a table or a tournament.

What all of them share: how an event is kept, how the events make the value, and the writer of new
ones. Each brings its events, its fold and what it allows, and nothing else. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, dataclass_transform, get_args

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_json

from storage.records.row_types import JSON, EventRow

FORMAT: Final = 1
"""The version of the form in which events are kept; release 0.1 wrote none."""


@dataclass_transform(frozen_default=True)
class KeptEvent:
    """An event that is kept: each field is read as its very type, and none beside.

    What is derived from it is a frozen dataclass. Storage calls it by its *kind*, and keeps the
    field *text* in the column of the text.
    """

    __pydantic_config__: ClassVar = ConfigDict(
        strict=True, extra="forbid", ser_json_bytes="hex", val_json_bytes="hex"
    )
    kept_as: ClassVar[str]
    text_field: ClassVar[str]

    def __init_subclass__(cls, *, kind: str = "", text: str = "") -> None:
        cls.kept_as, cls.text_field = kind, text
        dataclass(frozen=True)(cls)


class Versioned(Protocol):
    """What has a version: how many events have made it."""

    @property
    def version(self) -> int:
        """How many events have made it."""


E = TypeVar("E", bound=KeptEvent)
State = TypeVar("State", bound=Versioned)


@dataclass(frozen=True)
class Written(Generic[E]):
    """Event *number* of an aggregate, from 1, at an instant by the machine's and *steady* clock."""

    number: int
    at: datetime
    event: E
    steady: datetime | None = None

    @property
    def moment(self) -> datetime:
        """When by the steady clock; by the machine's, where releases up to 0.2 wrote the event."""
        return self.steady or self.at


@dataclass(eq=False)
class BrokenAggregate(Exception):
    """The aggregate *code* cannot be read: *why*, in English, and at which *event*, if at one."""

    noun: ClassVar[str]
    code: str
    event: int | None
    why: str

    def __str__(self) -> str:
        at = "" if self.event is None else f" at event {self.event}"
        return f"{self.noun} {self.code} cannot be read{at}: {self.why}"


class EventCodec(Generic[E]):
    """How storage keeps the *events*, a union of them; *seat* has a column of its own."""

    def __init__(self, events: object) -> None:
        self.kinds: Mapping[str, type[E]] = {one.kept_as: one for one in get_args(events)}
        self._forms = {kind: TypeAdapter[E](event) for kind, event in self.kinds.items()}

    def encode(self, written: Written[E]) -> EventRow:
        """The row that storage keeps."""
        event, kind = written.event, written.event.kept_as
        form = self._forms[kind]
        data = form.dump_python(event, mode="json", by_alias=True, exclude_defaults=True)
        seat, text = data.pop("seat", None), data.pop(event.text_field, "")
        kept = {"v": FORMAT, **data}
        return EventRow(written.number, written.at, kind, seat, text, kept, written.steady)

    def decode(self, row: EventRow) -> Written[E]:
        """The event that storage kept; raises ``ValueError``, and nothing else."""
        columns: dict[str, JSON] = {} if row.seat is None else {"seat": row.seat}
        if row.kind in self.kinds and (field := self.kinds[row.kind].text_field):
            columns[field] = row.text
        return Written(row.number, row.at, self.read(row.kind, row.data, columns), row.steady)

    def read(self, kind: str, data: JSON, columns: Mapping[str, JSON]) -> E:
        """The event of *data* and of what stands in *columns*; raises ``ValueError``."""
        if kind not in self.kinds:
            raise ValueError("no event is called so")
        if not isinstance(data, Mapping):
            raise ValueError("its data are no object")
        fields = {**data, **columns}
        version = fields.pop("v", None)
        if type(version) is not int or version > FORMAT:
            raise ValueError(f"v is {version!r}, and the newest format is {FORMAT}")
        # As JSON: only there a strict reader takes a list for a tuple and a word for what it names.
        try:
            return self._forms[kind].validate_json(to_json(fields))
        except ValidationError as wrong:
            first = wrong.errors(include_url=False, include_context=False)[0]
            said = f"{'.'.join(map(str, first['loc']))} is {first['input']!r}: {first['msg']}"
            raise ValueError(said) from wrong


@dataclass(frozen=True)
class Fold(Generic[State, E]):
    """How rows make an aggregate: *begin* takes the first event, *after* each further one.

    *reason* says why a row could not be read, where it is more than the words of the error.
    """

    codec: EventCodec[E]
    begin: Callable[[str, Written[E]], State]
    after: Callable[[State, Written[E]], State]
    broken: type[BrokenAggregate]
    reason: Callable[[EventRow, Exception], str] = lambda row, wrong: f"{row.kind}: {wrong}"

    def of(self, code: str, rows: Iterable[EventRow], base: State | None = None) -> State:
        """The aggregate *code* that *rows* make, all that followed *base*; raises *broken*."""
        state = base
        for number, row in enumerate(rows, 1 if base is None else base.version + 1):
            if row.number != number:
                raise self.broken(code, number, f"event {row.number} stands in its place")
            try:
                written = self.codec.decode(row)
                state = self.begin(code, written) if state is None else self.after(state, written)
            except Exception as wrong:  # whatever the rules raise over what they cannot read
                raise self.broken(code, number, self.reason(row, wrong)) from wrong
        if state is None:
            raise self.broken(code, None, "it has no events")
        return state


@dataclass
class EventWriter(Generic[State, E]):
    """A unit of work: writes the events of one decision, and folds each into *state* at once.

    *now* is the instant of the decision, *steady* the same by the steady clock.
    """

    fold: ClassVar[Fold[Any, Any]]
    state: State
    now: datetime
    steady: datetime | None
    written: list[Written[E]] = field(default_factory=list, kw_only=True)
    before: State = field(init=False)
    """The state without what is written."""

    def __post_init__(self) -> None:
        """Begin with nothing written."""
        self.before = self.state

    @property
    def moment(self) -> datetime:
        """The instant by the steady clock, if there is one."""
        return self.steady or self.now

    def write(self, event: E) -> None:
        """Write one event and fold it into the state."""
        written = Written(self.state.version + 1, self.now, event, self.steady)
        self.state = self.fold.after(self.state, written)
        self.written.append(written)

    def rows(self) -> list[EventRow]:
        """The rows that storage keeps of what is written."""
        return [self.fold.codec.encode(one) for one in self.written]
