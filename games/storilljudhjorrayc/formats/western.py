"""The western game text: set-up lines, moves numbered in pairs, the result (Z14, G17).

::

    [Game "storilljudhjorrayc"]
    [Green "T1 T2 KM T3 T4 T5 JD SD A JM SÞ JÞ PD KD . . KÞ PÞ"]
    [Purple "T1 T2 KM T3 T4 T5 JD SD A JM SÞ JÞ PD KD . . KÞ PÞ"]
    [First "green"]

    1. T3 a3-a4 T3 i3-i4
    2. KD o1-p1 --
    *
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.core import (
    Arg,
    BadOption,
    Entry,
    Format,
    Game,
    IllegalMove,
    Outcome,
    Phrase,
    Record,
    RuleError,
    Seat,
    Setting,
    Unreadable,
    read_move,
    replay,
)
from games.core.errors import reject_if
from games.core.record import check_length
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.move_types import Arranging, Ready
from games.storilljudhjorrayc.names import own_phrase
from games.storilljudhjorrayc.notation import read, remark, written
from games.storilljudhjorrayc.notation import text as position_text
from games.storilljudhjorrayc.options import OPTIONS, Variant, with_defaults
from games.storilljudhjorrayc.rules import StorillPosition, start
from games.storilljudhjorrayc.setup import Line, SetUp, line_moves, line_text, preset, read_line
from games.storilljudhjorrayc.units import GREEN, PURPLE, SIDES

DRAW, UNFINISHED = "=", "*"
RESULTS = ("1-0", "0-1", DRAW, UNFINISHED)
_LINE_TAGS = ("Green", "Purple")
_OWN_TAGS = ("Game", "First", "Result", "Position", *_LINE_TAGS)

_TAG = re.compile(r'\[([A-Za-z0-9_]{1,32})\s+"([^"\n]*)"\]')
_COMMENT = re.compile(r"\{[^{}]*\}")
_WHERE = r"(?:~|[a-pA-P][1-6])"
_FROM = rf"(?:[^\W\d_][^\s~&]{{0,2}}\s*)??{_WHERE}"
_TOKEN = re.compile(
    r"(?:(?P<number>\d{1,4}\.+)"
    r"|(?P<result>1-0|0-1|=|\*)"
    r"|(?P<pass>--|—)"
    rf"|(?P<both>{_FROM}-{_WHERE}\s*&\s*{_FROM}-{_WHERE})"
    rf"|(?P<act>{_FROM}(?:-|x|<>){_WHERE}?))\s*"
)


@dataclass(frozen=True)
class _Place:
    """Where in a game text something stands, for the sentence that refuses it."""

    line: int
    text: str

    def wrong(self, reason: Phrase) -> Unreadable:
        """The error that says what is wrong here."""
        said: dict[str, Arg] = {"line": self.line, "text": self.text[:32], "reason": reason}
        return Unreadable(own_phrase("unreadable.line-of-text", **said))


def write(game: Game, record: Record) -> str:
    """*record* as a western game text; raises ``Unreadable`` while the set-up lasts."""
    position: StorillPosition = game.beginning(record)
    entries = list(record.log)
    usual = preset("standard", Variant.chosen(record.options))
    lines: tuple[Line | None, Line | None] = (usual, usual)
    while isinstance(position.stage, SetUp) and entries:
        lines = position.stage.lines
        position = replay(game, position, [entries.pop(0)])
    if not isinstance(position.stage, Battle):
        raise Unreadable(own_phrase("unreadable.unfinished-setup"))
    first = position.stage.turn
    tags = {"Game": record.game, **_lines(position, record, lines), "First": SIDES[first]}
    defaults = with_defaults({})
    tags.update({key: value for key, value in record.options.items() if value != defaults[key]})
    tags.update({key: value for key, value in record.tags.items() if key not in _OWN_TAGS})
    moves: list[str] = []
    for entry in entries:
        battle = position.stage
        move = read_move(game, position, entry.seat, entry.text)
        if isinstance(battle, Battle):
            moves.append(" ".join(filter(None, (written(position, move), remark(battle, move)))))
        position = position.after(move)
    tags["Result"] = _result(position.outcome()) or _parse_result(record.tags.get("Result", ""))
    head = [f'[{key} "{value}"]' for key, value in tags.items()]
    pairs = [
        f"{number}. {' '.join(moves[at : at + 2])}"
        for number, at in enumerate(range(0, len(moves), 2), 1)
    ]
    return "\n".join([*head, "", *pairs, tags["Result"], ""])


def _lines(
    position: StorillPosition, record: Record, lines: tuple[Line | None, Line | None]
) -> dict[str, str]:
    """The tags that say how the battle begins: both set-up lines, or a position."""
    if "Position" in record.tags:
        return {"Position": position_text(position)}
    return {
        tag: line_text(line)
        for tag, line in zip(_LINE_TAGS, lines, strict=True)
        if line is not None
    }


def _result(outcome: Outcome | None) -> str | None:
    return None if outcome is None else {GREEN: "1-0", PURPLE: "0-1", None: DRAW}[outcome.winner]


def _parse_result(result: str) -> str:
    """A result as the tag of a record tells it: an end mark, or the seats by place."""
    if result in RESULTS:
        return result
    return {"0/1": "1-0", "1/0": "0-1", "0,1": DRAW}.get(result.split(" ")[0], UNFINISHED)


def read_text(game: Game, text: str) -> Record:
    """The record that a western game text holds; raises ``Unreadable`` with line and reason."""
    check_length(text)
    tags, body = _head(text)
    reject_if(not tags and not body, "core.record-empty")
    options = {one.key: tags.pop(one.key)[:32] for one in OPTIONS if one.key in tags}
    try:
        game.chosen(options)
    except BadOption as refused:
        raise Unreadable(refused.phrase) from refused
    begun, log = _opening(tags, options)
    position = replay(game, begun, log)
    result = _parse_result(tags.get("Result", ""))
    for place, kind in _tokens(body):
        if kind == "result":
            result = place.text if result == UNFINISHED else result
        elif kind != "number":
            movers = sorted(position.actors())
            if not movers:
                raise place.wrong(own_phrase("unreadable.after-the-end"))
            try:
                move = read_move(game, position, movers[0], place.text)
            except RuleError as refused:
                raise place.wrong(refused.phrase) from refused
            position, entry = position.after(move), Entry(movers[0], written(position, move))
            log.append(entry)
    kept = {key: value for key, value in tags.items() if key not in ("Game", "First", *_LINE_TAGS)}
    kept["Result"] = _result(position.outcome()) or result
    return Record("storilljudhjorrayc", SIDES, options, _first(tags), tuple(log), kept)


def _head(text: str) -> tuple[dict[str, str], list[_Place]]:
    tags: dict[str, str] = {}
    body: list[_Place] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if tag := _TAG.fullmatch(line.strip()):
            tags[tag[1]] = tag[2]
        elif line.strip():
            body.append(_Place(number, line))
    return tags, body


def _first(tags: Mapping[str, str]) -> int:
    first = tags.get("First", SIDES[GREEN]).strip().lower()
    if first not in SIDES:
        raise Unreadable(own_phrase("unreadable.first", text=first[:32]))
    return SIDES.index(first)


def _opening(
    tags: Mapping[str, str], options: Mapping[str, str]
) -> tuple[StorillPosition, list[Entry]]:
    """Where the game text starts: the first position, and the log of its set-up."""
    if "Position" in tags:
        return read(tags["Position"], options), []
    usual = preset("standard", Variant.chosen(options))
    lines = [read_line(tags[tag]) if tag in tags else usual for tag in _LINE_TAGS]
    if options.get("setup") == "fixed" and lines != [usual, usual]:
        raise Unreadable(own_phrase("unreadable.fixed-line"))
    begun = start(Setting(SIDES, with_defaults(options), _first(tags)))
    log: list[Entry] = []
    if isinstance(begun.stage, SetUp):
        for seat, line in enumerate(lines):
            moves = () if line == usual else _arrange(begun.stage, seat, len(line), tags)
            log += [Entry(seat, written(begun, move)) for move in (*moves, Ready(seat))]
    return begun, log


def _arrange(
    setup: SetUp, seat: Seat, length: int, tags: Mapping[str, str]
) -> tuple[Arranging, ...]:
    tag = _LINE_TAGS[seat]
    try:
        moves = line_moves(setup, seat, tags[tag])
    except IllegalMove as refused:
        raise _Place(1, tag).wrong(refused.phrase) from refused
    if not moves:
        raise _Place(1, tag).wrong(own_phrase("refusal.line.length", what=str(length)))
    return moves


def _tokens(body: list[_Place]) -> Iterator[tuple[_Place, str]]:
    """The numbers, moves and results in the lines of a game text, remarks left out."""
    for line in body:
        text = _COMMENT.sub(" ", line.text).strip()
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or found.lastgroup is None:
                raise _Place(line.line, text[at : at + 32]).wrong(
                    own_phrase("refusal.form", text=text[at : at + 32])
                )
            yield _Place(line.line, found[found.lastgroup]), found.lastgroup
            at = found.end()


_MARKS = (
    r'\[(?:Green|Purple|Game "storill|First "(?:green|purple))|'
    rf"\d{{1,4}}\.+\s*(?:--|{_FROM}(?:-|x|<>))"
)
WESTERN = Format("western", ".txt", write, read_text, _MARKS)
