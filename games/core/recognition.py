"""What a file is: its format, decided by what stands in it, and as much of a game as it tells."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from games.core.errors import RuleError, Unreadable, reject_if
from games.core.game import Format, Game
from games.core.move_parsing import read_entry
from games.core.phrases import Phrase, phrase
from games.core.position import Position
from games.core.record import Record, check_length

MOST_PLIES = 2_000
"""A file with more entries than this is no game that people played."""

MOST_ODD = 20
"""A text is read if at most one in so many characters seems to be of another encoding."""

_ODD = re.compile("[\ufffd\ue000-\uf8ff\uff61-\uff9f]")
_CONTAINER = "[Ludoteca "

RECORD = Format(
    "record", ".txt", lambda _, record: record.text(), lambda _, text: Record.read(text)
)
"""The record that all games have."""


@dataclass(frozen=True)
class Recognised:
    """*text* is of *game* in the notation *form*.

    *sure* is the share of its lines that begin as only such a text does, above 0 and at most 1.
    """

    text: str
    game: Game
    form: Format
    sure: float


@dataclass(frozen=True)
class GameFile:
    """A game read from a file: its *record* and *positions*, the first one included.

    *refusal* is why it was read no further; *number* and *count* tell which of its games it is.
    """

    game: Game
    form: Format
    record: Record
    positions: tuple[Position[Any], ...]
    refusal: Phrase | None = None
    number: int = 0
    count: int = 1


def recognise(text: str, games: Mapping[str, Game]) -> Recognised:
    """What *text* is, among the formats of *games*; raises ``Unreadable`` where it is none.

    The readers are not asked: a damaged file is still one of its format. A single line that is a
    whole position of a game without a notation of such is taken for a record without moves.
    """
    lines = [line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    reject_if(not lines, "core.record-empty")
    if lines[0].startswith(_CONTAINER):
        key = next(iter(re.findall(r'^\[Game "([^"]*)"\]', text, re.MULTILINE)), "")
        if key in games:
            return Recognised(text, games[key], RECORD, 1.0)
        raise Unreadable(phrase("core.other-game", game=key[:32] or "?"))
    marked = [
        (game, form) for game in games.values() for form in game.records.formats if form.marks
    ]
    counts = [sum(bool(re.match(form.marks, line)) for line in lines) for _, form in marked]
    most = max(counts, default=0)
    told = {game.key for (game, _), count in zip(marked, counts, strict=True) if count}
    for game in games.values():
        if len(lines) == 1 and game.key not in told and (posed := _read_position(game, lines[0])):
            return Recognised(posed.text(), game, RECORD, 1.0)
    reject_if(not most, "core.no-format", line=1, text=lines[0][:40])
    game, form = marked[counts.index(most)]
    return Recognised(text, game, form, most / len(lines))


def _read_position(game: Game, text: str) -> Record | None:
    """The record without moves that begins as *text* writes, if that is a position of *game*."""
    with suppress(RuleError):
        position = game.notation.read(text, game.chosen({}))
        sides = game.notation.sides(position) or game.setting().sides
        return Record(game.key, sides, tags={"Position": text})
    return None


def read_file(text: str, games: Mapping[str, Game], number: int = 0) -> GameFile:
    """The game *number* of a file, from 0, as far as it can be read.

    Raises ``Unreadable`` where not even a first position or move stands in it.
    """
    check_length(text)
    found = recognise(text, games)
    game, form, parts = found.game, found.form, found.form.parts(found.text)
    number = min(number, len(parts) - 1)
    refusal: Phrase | None = None
    try:
        record = form.read(game, parts[number])
    except Unreadable as wrong:
        refusal, record = wrong.phrase, wrong.kept
    if record is not None:
        positions, bad = _play_through(game, record)
        if bad:
            refusal = bad if len(positions) > MOST_PLIES else refusal or bad
            kept = {key: value for key, value in record.tags.items() if key != "Result"}
            record = replace(record, log=record.log[: len(positions) - 1], tags=kept)
    if record is None or (refusal and not record.log) or not positions:
        raise Unreadable(refusal or phrase("core.record-empty"))
    return GameFile(game, form, record, positions, refusal, number, len(parts))


def _play_through(game: Game, record: Record) -> tuple[tuple[Position[Any], ...], Phrase | None]:
    """The positions of *record* up to the first entry that is not legal, and why it is not."""
    try:
        positions = [game.beginning(record)]
    except RuleError as wrong:
        return (), wrong.phrase
    for number, entry in enumerate(record.log, 1):
        if number > MOST_PLIES:
            return tuple(positions), phrase("core.too-many-plies", n=MOST_PLIES)
        try:
            positions.append(positions[-1].after(read_entry(game, positions[-1], entry)))
        except RuleError as wrong:
            why = phrase("core.bad-move", number=number, text=entry.text[:40], why=wrong.phrase)
            return tuple(positions), why
    return tuple(positions), None


def decode_file(data: bytes, encodings: Iterable[str]) -> str | None:
    """*data* as text, in UTF-8, UTF-16 with a mark or the likeliest of *encodings*, if it is one.

    Old files have broken letters in names and comments; one in a move is refused later.
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        texts = sorted((data.decode(code, "replace") for code in encodings), key=_odd)
    return texts[0] if texts and _odd(texts[0]) * MOST_ODD <= len(texts[0]) else None


def _odd(text: str) -> int:
    """The number of characters in *text* that suggest another encoding."""
    return len(_ODD.findall(text))
