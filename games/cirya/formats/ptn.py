"""Whole games as PTN (R5), the notation that programs for Tak exchange.

A file holds the line played in the end; what a return took back (R1) stands in a remark. Options
have tags of their own, so that the game keeps its customs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from games.cirya import notation
from games.cirya.move_types import Back, Cede, Judged
from games.cirya.rules import CIRYAR, HALLACIRYAR, OPTIONS, Cirya, Customs
from games.cirya.speech import SIDES
from games.core import (
    Entry,
    Format,
    Game,
    Outcome,
    Phrase,
    Record,
    RuleError,
    Unreadable,
    phrase,
    read_move,
)
from games.core.move_parsing import read_entry
from games.core.record import LONGEST_RECORD, SPENT, spent_of, timed

MOST_PLIES = 600
"""A file with more plies than this is no game that people played."""

DEFAULTS = {option.key: option.default for option in OPTIONS}
_SAME = {
    "carry_limit": "CarryLimit",
    "mode": "Mode",
    "false_claim": "FalseClaim",
    "repetition": "Repetition",
}
_OF_TAK = {"mode": "nutacirya", "repetition": "none"}
_NO_KOMI = ("", "0", "0.0")
_VALUES = {option.key: option.values for option in OPTIONS}
_OPENINGS = {"swapped": "swap", "own": "no-swap"}
_RESULTS = ("R-0", "0-R", "F-0", "0-F", "1/2-1/2", "1-0", "0-1")
_OWN = ("Size", "Caps", "Opening", "Result", "TPS", "Player1", "Player2", *_SAME.values())
_TAG = re.compile(r'\[([A-Za-z0-9_]{1,32})\s{1,8}"([^"\n]{0,4096})"\]')
_BRANCH = re.compile(r"\d{1,5}[wb]\d{0,5}")
"""What PTN Ninja puts into braces before a branch, which is none of the game, such as ``3w1``."""
_TIME = re.compile(r"T[0-9]{1,9}(\.[0-9]{1,3})?")
"""How many seconds the ply before it took, as we write it in braces."""
_NUMBER = re.compile(r"[0-9]{1,5}\.{1,3}")


def result(end: Outcome | None) -> str:
    """R5: the result as PTN writes it; "" while there is none."""
    if end is None:
        return ""
    winner = end.winner
    if winner is None:
        return "1/2-1/2"
    mark = {"londe": "R", "quildear": "F"}.get(end.reason, "1")
    return f"0-{mark}" if winner else f"{mark}-0"


def write(game: Game, record: Record) -> str:
    """*record* as PTN; raises a ``RuleError`` where its log is not legal."""
    position: Cirya = game.beginning(record)
    first = position.ply
    written: list[str] = []
    remarks: dict[int, str] = {}
    times: list[int | None] = []
    for entry, spent in zip(record.log, spent_of(record), strict=True):
        move = read_entry(game, position, entry)
        following = position.after(move)
        if isinstance(move, Back):
            undone = " ".join(written[len(following.plies) :])
            remarks = {n: said for n, said in remarks.items() if n < len(following.plies)}
            remarks[len(following.plies)] = f"{{londë was due: {undone} taken back}}"
        elif isinstance(move, Cede):
            remarks[len(following.plies)] = "{ceded}"
        elif isinstance(move, Judged) and (claim := position.waiting) is not None:
            remarks[claim.ply - first] = f"{{londetúrë {move.verdict}}}"
        written = [notation.written(following, ply) for ply in following.plies]
        times = [*times, spent][: len(written)]
        position = following
    for number, time in enumerate(times, 1):
        if time is not None:
            after = f" {remarks[number]}" if number in remarks else ""
            remarks[number] = f"{{T{time / 1000:g}}}{after}"
    told = result(position.end) or _parse_result(record.tags.get("Result", ""))
    head = "\n".join(f'[{key} "{value}"]' for key, value in _tags(record, told).items())
    lines = _lines(first, written, remarks)
    return "\n".join([head, "", *lines, *([told] if told else []), ""])


def _parse_result(tag: str) -> str:
    """A result that the board does not show: PTN's own, or the house's places and reason."""
    if tag in _RESULTS:
        return tag
    places = tag.partition(" ")[0]
    return {"0/1": "1-0", "1/0": "0-1", "0,1": "1/2-1/2"}.get(places, "")


def _tags(record: Record, told: str) -> dict[str, str]:
    options = {**DEFAULTS, **record.options}
    customs = Customs.agreed(options)
    tags = {
        "Player1": record.tags.get("Player0", ""),
        "Player2": record.tags.get("Player1", ""),
        "Size": options["size"],
        "Caps": str(customs.hallaciryar),
        "Opening": _OPENINGS[options["opening"]],
        "Result": told,
    }
    tags.update({name: options[key] for key, name in _SAME.items()})
    if "Position" in record.tags:
        tags["TPS"] = record.tags["Position"]
    passed = {
        key: value.replace('"', "”")
        for key, value in record.tags.items()
        if key not in ("Player0", "Player1", "Position", SPENT, *_OWN)
    }
    return {key: value.replace('"', "”") for key, value in tags.items() if value} | passed


def _lines(ply: int, written: list[str], remarks: Mapping[int, str]) -> list[str]:
    """The plies two by two behind their move number, remarks after the ply they belong to."""
    words = [f"{text} {remarks[n]}" if n in remarks else text for n, text in enumerate(written, 1)]
    if 0 in remarks:
        words.insert(0, remarks[0])
    if ply % 2 and words:
        words.insert(0, "--")
    return [
        f"{ply // 2 + 1 + n // 2}. {' '.join(words[n : n + 2])}" for n in range(0, len(words), 2)
    ]


def parse(game: Game, text: str) -> Record:
    """The record of the PTN *text*; raises ``Unreadable`` with the line and the reason."""
    if len(text.encode("utf-8", "replace")) > LONGEST_RECORD:
        raise Unreadable(phrase("core.record-too-long", n=LONGEST_RECORD // 1024))
    tags: dict[str, str] = {}
    tokens: list[tuple[int, str]] = []
    for line, chunk in _chunks(text.lstrip("\ufeff")):
        if found := _TAG.fullmatch(chunk):
            tags[found[1]] = found[2]
        elif chunk.startswith("["):
            raise _wrong(line, chunk, phrase("cirya.ptn.tag"))
        else:
            tokens += [(line, token) for token in chunk.split()]
    if not tags and not tokens:
        raise Unreadable(phrase("core.record-empty"))
    record = _record(tags)
    log, times, told = _play_tokens(game, game.beginning(record), tokens)
    kept = {**record.tags, **timed(times, len(log))}
    if told := told or tags.get("Result", ""):
        kept["Result"] = told
    return Record(record.game, record.sides, record.options, 0, tuple(log), kept)


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """Tags and move text, by line, without remarks in braces and up to the first branch."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if not inside and line.strip().startswith("["):
            yield number, line.strip()
            continue
        for piece in re.split(r"([{}])", line):
            if piece in ("{", "}"):
                inside = piece == "{"
            elif inside and _BRANCH.fullmatch(piece):
                return
            elif inside and _TIME.fullmatch(piece):
                yield number, f"{{{piece}}}"
            elif not inside and piece.strip():
                yield number, piece.strip()


def _record(tags: Mapping[str, str]) -> Record:
    options = dict(DEFAULTS)
    options["size"] = _one_of(tags, "Size", _VALUES["size"], DEFAULTS["size"])
    usual = str(HALLACIRYAR[int(options["size"])])
    known = ("0", "1") if options["size"] == "4" else (usual,)
    caps = _one_of(tags, "Caps", known, usual)
    options["capstone_4x4"] = "yes" if caps != usual else "no"
    opening = _one_of(tags, "Opening", tuple(_OPENINGS.values()), "swap")
    options["opening"] = "swapped" if opening == "swap" else "own"
    _one_of(tags, "Flats", (str(CIRYAR[int(options["size"])]),), "")
    if tags.get("Komi", "") not in _NO_KOMI:
        raise Unreadable(phrase("cirya.ptn.komi", value=tags["Komi"][:32]))
    # A file without our tags is one of Tak, which knows neither the announcement nor R3.
    missing = DEFAULTS if tags.keys() & _SAME.values() else {**DEFAULTS, **_OF_TAK}
    for key, name in _SAME.items():
        options[key] = _one_of(tags, name, _VALUES[key], missing[key])
    kept = {key: value for key, value in tags.items() if key not in _OWN}
    for ours, theirs in (("Player0", "Player1"), ("Player1", "Player2"), ("Position", "TPS")):
        if tags.get(theirs):
            kept[ours] = tags[theirs]
    return Record("cirya", SIDES, options, 0, (), kept)


def _one_of(tags: Mapping[str, str], key: str, known: tuple[str, ...], default: str) -> str:
    value = tags.get(key, "") or default
    if value and value not in known:
        raise Unreadable(phrase("cirya.ptn.value", tag=key, value=value[:32], known=known))
    return value


def _play_tokens(
    game: Game, position: Cirya, tokens: list[tuple[int, str]]
) -> tuple[list[Entry], dict[int, int], str]:
    """The log that *tokens* write, what its entries took, and the result they end in."""
    log: list[Entry] = []
    times: dict[int, int] = {}
    told = ""
    for line, token in tokens:
        word = _NUMBER.sub("", token, count=1) if _NUMBER.match(token) else token
        if word in _RESULTS:
            told = word
        elif word.startswith("{"):
            times[len(log) - 1] = round(1000 * float(word[2:-1]))
        elif word in ("", "--", "...", "…", "*"):
            continue
        elif len(log) >= MOST_PLIES:
            raise _wrong(line, word, phrase("cirya.ptn.long", n=MOST_PLIES))
        else:
            entry = _entry(game, position, line, word)
            log.append(entry)
            position = position.after(read_entry(game, position, entry))
    if position.end and told in ("1-0", "0-1") and told != result(position.end):
        # C22: a londë whose winner stands as the loser was given away.
        giver = 0 if told == "0-1" else 1
        log += [
            Entry(giver, notation.written(position, word), aside=True)
            for word in position.asides(giver)
            if isinstance(word, Cede)
        ]
    return log, times, told


def _entry(game: Game, position: Cirya, line: int, word: str) -> Entry:
    if position.end:
        raise _wrong(line, word, phrase("cirya.ptn.over"))
    seat = position.board.mover
    try:
        move = read_move(game, position, seat, word)
    except RuleError as refused:
        raise _wrong(line, word, refused.phrase) from refused
    return Entry(seat, notation.written(position, move))


def _wrong(line: int, text: str, reason: Phrase) -> Unreadable:
    return Unreadable(phrase("cirya.ptn.line", line=line, text=text[:32], reason=reason))


PTN = Format("ptn", ".ptn", write, parse)
