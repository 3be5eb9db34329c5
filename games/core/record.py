"""The record: a game as text.

Tags in brackets, then one line per entry of the log: the seat and the move; ``0&`` marks an
aside and ``*3`` the draw number 3::

    [Ludoteca "1"]
    [Game "niya"]
    [Sides "red yellow"]
    [First "1"]

    *1 M1
    1 M1

Two tags let the draws be checked without the game's rules: ``Cases3`` lists the cases of draw 3
and of all draws up to the next such tag, and ``Check`` is the SHA-256 of all other lines.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.core.chance import fingerprint
from games.core.errors import Unreadable, reject_if
from games.core.phrases import phrase
from games.core.position import CHANCE, Outcome, Seat, ranking

LONGEST_RECORD = 256 * 1024
"""The most bytes of a record that are looked at."""

CASES = re.compile(r"Cases\d{1,9}")
"""The keys of the tags that list the cases of draws."""

CHECK = "Check"
"""The key of the tag that holds the sum of the others."""

_TAG = re.compile(r'\[([A-Za-z0-9_]{1,32}) "([^"\n]*)"\]')
_RESULT = re.compile(r"(\d(?:[,/]\d)*) (\S+)")
_LINE = re.compile(r"(\*|\d{1,2})(\d{0,9})(&?) (\S[^\n]*)")


@dataclass(frozen=True)
class Entry:
    """A line of the log; *aside* was said out of turn, *draw* is the number of a draw."""

    seat: Seat
    text: str
    aside: bool = False
    draw: int | None = None


@dataclass(frozen=True)
class Record:
    """A game: what it started from, its log, and what proves its draws.

    *tags* hold everything optional: ``Table``, ``Commitment``, ``Words``, ``Secret``, ``Begins``
    (how the first seat was settled), ``Draw0`` (cases and answer of the lot), ``Chairs`` (by seat,
    in which order they were taken, from 0), ``Left`` (the seats that a computer took over),
    ``Result``, ``Position`` (another start), ``Player0`` … and remarks of other formats.

    >>> record = Record("cirya", ("swan", "eagle"), {"size": "4"}, log=(Entry(0, "a1"),))
    >>> print(record.text())
    [Ludoteca "1"]
    [Game "cirya"]
    [Sides "swan eagle"]
    [First "0"]
    [Options "size=4"]
    <BLANKLINE>
    0 a1
    <BLANKLINE>
    """

    game: str
    sides: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    first: int = 0
    log: tuple[Entry, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The text that ``Record.read`` reads again."""
        tags = [tag_line(key, value) for key, value in self.head().items()]
        return "\n".join([*tags, "", *map(entry_line, self.log), ""])

    def head(self) -> dict[str, str]:
        """Every tag of the text by its key, in order."""
        options = " ".join(f"{key}={value}" for key, value in self.options.items())
        own = {"Game": self.game, "Sides": " ".join(self.sides), "First": str(self.first)}
        return {"Ludoteca": "1", **own, "Options": options, **self.tags}

    def digest(self) -> str:
        """SHA-256 of the text without its ``Check``: 64 hexadecimal digits."""
        tags = {key: value for key, value in self.tags.items() if key != CHECK}
        return fingerprint(replace(self, tags=tags).text())

    @classmethod
    def read(cls, text: str) -> Record:
        """The record that *text* holds; raises ``Unreadable`` with the line that is wrong."""
        check_length(text)
        tags: dict[str, str] = {}
        log: list[Entry] = []
        for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
            if not line.strip():
                continue
            if (tag := _TAG.fullmatch(line.strip())) and tag[1] not in tags:
                tags[tag[1]] = tag[2].replace("”", '"')
            elif entry := _LINE.fullmatch(line.strip()):
                log.append(_entry(number, entry))
            else:
                raise Unreadable(phrase("core.record-line", line=number, text=line[:64]))
        if tags.pop("Ludoteca", "") != "1" or not {"Game", "Sides"} <= tags.keys():
            raise Unreadable(phrase("core.record-head"))
        return cls(
            game=tags.pop("Game"),
            sides=tuple(tags.pop("Sides").split()),
            options=dict(_pairs(tags.pop("Options", "").split())),
            first=_number(tags.pop("First", "0")),
            log=tuple(log),
            tags=tags,
        )

    @classmethod
    def read_strictly(cls, text: str) -> Record:
        """The record that *text* holds as ``text()`` writes it, letter by letter.

        A mark of byte order, line ends of Windows and blank lines at the end make no difference.
        Raises ``Unreadable`` with the first line that is written otherwise.
        """
        record = cls.read(text)
        lines = itertools.zip_longest(_lines(text), _lines(record.text()))
        for number, (found, written) in enumerate(lines, 1):
            if found != written:
                said = (found if found is not None else written)[:64]
                raise Unreadable(phrase("core.record-spelling", line=number, text=said))
        return record


def _lines(text: str) -> list[str]:
    return text.lstrip("\ufeff").replace("\r\n", "\n").rstrip("\n").split("\n")


def result_of(outcome: Outcome) -> str:
    """The value of the tag ``Result``: places in order and the reason, such as «0/1,2 all»."""
    places = "/".join(",".join(map(str, sorted(place))) for place in outcome.places)
    return f"{places} {outcome.reason}"


def stated_outcome(record: Record) -> Outcome | None:
    """The outcome that *record* states, for a game that was resigned, for example."""
    found = _RESULT.fullmatch(record.tags.get("Result", ""))
    if found is None:
        return None
    return ranking(found[2], [map(int, place.split(",")) for place in found[1].split("/")])


def check_length(text: str) -> None:
    """Raise ``Unreadable`` for a *text* of more than ``LONGEST_RECORD`` bytes."""
    if len(text.encode("utf-8", "replace")) > LONGEST_RECORD:
        raise Unreadable(phrase("core.record-too-long", n=LONGEST_RECORD // 1024))


def tag_line(key: str, value: str | None) -> str:
    """The line of a tag; for ``None`` the line that is not there."""
    if value is None:
        return f"[{key}]"
    quoted = value.replace('"', "”").replace("\n", " ").replace("\r", " ")
    return f'[{key} "{quoted}"]'


def entry_line(entry: Entry) -> str:
    """The line of an entry of the log."""
    who = f"*{entry.draw if entry.draw is not None else ''}"
    if entry.seat != CHANCE:
        who = f"{entry.seat}{'&' if entry.aside else ''}"
    return f"{who} {entry.text}"


def _entry(number: int, found: re.Match[str]) -> Entry:
    seat, rest, aside, text = found.groups()
    if seat == "*":
        return Entry(CHANCE, text, draw=int(rest) if rest else None)
    reject_if(rest, "core.record-line", line=number, text=found[0][:64])
    return Entry(int(seat), text, aside=bool(aside))


def _pairs(words: Iterable[str]) -> list[tuple[str, str]]:
    pairs = []
    for word in words:
        key, mark, value = word.partition("=")
        reject_if(not mark, "core.record-head")
        pairs.append((key, value))
    return pairs


def _number(text: str) -> int:
    reject_if(not re.fullmatch("[0-9]{1,9}", text), "core.record-head")
    return int(text)


CLOCK = "Clock"
SPENT = "Spent"
"""The tag ``Clock`` holds the control, such as ``9h+1m``; ``Spent`` the milliseconds of every entry
in order, with a dash where no clock ran."""

_NO_TIME = "-"


def spent_of(record: Record) -> tuple[int | None, ...]:
    """The milliseconds of each entry of the log, ``None`` where they are unknown."""
    words = record.tags.get(SPENT, "").split()
    times = [int(word) if re.fullmatch("[0-9]{1,15}", word) else None for word in words]
    return tuple(times[n] if n < len(times) else None for n in range(len(record.log)))


def spent_tag(times: Sequence[int | None]) -> Mapping[str, str]:
    """The tag with *times*; no tag where all are 0 or unknown."""
    if not any(times):
        return {}
    return {SPENT: " ".join(_NO_TIME if time is None else str(time) for time in times)}


def timed(times: Mapping[int, int], length: int) -> Mapping[str, str]:
    """The tag of a log of *length* entries whose *times* are given by number."""
    return spent_tag([times.get(number) for number in range(length)])
