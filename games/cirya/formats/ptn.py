"""Whole games as PTN (R5), the notation that programs for Tak exchange.

A file holds the line played in the end; what a return took back (R1) stands in a remark. Options
have tags of their own, so that the game keeps its customs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from games.cirya import notation
from games.cirya.move_types import Back, Cede, Judged
from games.cirya.rules import CIRYAR, HALLACIRYAR, OPTIONS, Cirya, Customs
from games.cirya.speech import SIDES
from games.core import (
    Arg,
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
from games.core.annotations import (
    BESIDE,
    MOST_BRANCHES,
    NOTE,
    Branch,
    Place,
    annotation_tags,
    annotations_of,
    branch_plays,
)
from games.core.errors import reject_if
from games.core.move_parsing import read_entry
from games.core.record import SPENT, check_length, spent_of, timed

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
_SHOWN = ("R-0", "0-R", "F-0", "0-F")
"""Results that the board itself must show."""
_RESULTS = (*_SHOWN, "1/2-1/2", "1-0", "0-1")
_OLD_DRAW = "1-2-1-2"
"""A draw as early files of PlayTak write it."""
_OWN = ("Size", "Caps", "Opening", "Result", "TPS", "Player1", "Player2", *_SAME.values())
_TAG = re.compile(r'\[([A-Za-z0-9_]{1,32})\s{1,8}"([^"\n]{0,4096})"\]')
_STEP = r"(\d{1,5})([wb])\d{0,5}"
_BRANCH = re.compile(rf"(?:[^{{}}]*/)?{_STEP}")
"""What PTN Ninja puts into braces before a branch: those before it and its first ply, ``3w1``."""
_PART = re.compile(
    r"^[ \t]*(?P<tag>\[[^\n]*)|\{(?P<remark>[^{}]*)\}|(?P<word>[^\s{}]+|[{}])", re.MULTILINE
)
_TPS = re.compile(r"[x1-8,12SC]+(?:/[x1-8,12SC]+){3,7} [12] \d{1,4}")
_CEDED = "ceded"
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
            remarks[len(following.plies)] = f"{{{_CEDED}}}"
        elif isinstance(move, Judged) and (claim := position.waiting) is not None:
            remarks[claim.ply - first] = f"{{londetúrë {move.verdict}}}"
        written = [notation.written(following, ply) for ply in following.plies]
        times = [*times, spent][: len(written)]
        position = following
    remarks = _with_times(record, times, remarks)
    told = result(position.end) or _parse_result(record.tags.get("Result", ""))
    head = "\n".join(f'[{key} "{value}"]' for key, value in _tags(record, told).items())
    lines = _lines(first, written, remarks)
    return "\n".join([head, "", *lines, *([told] if told else []), "", *_branches(game, record)])


def _with_times(
    record: Record, times: list[int | None], remarks: Mapping[int, str]
) -> dict[int, str]:
    """*remarks* behind what the plies took, and before what was said of them."""
    found = dict(remarks)
    for number, time in enumerate(times, 1):
        if time is not None:
            found[number] = f"{{T{time / 1000:g}}} {remarks.get(number, '')}".strip()
    for (branch, ply), said in annotations_of(record).items():
        if not branch:
            found[ply] = f"{found.get(ply, '')} {_in_braces(said)}".strip()
    return found


def _in_braces(text: str) -> str:
    return f"{{{text.replace('{', '(').replace('}', ')')}}}"


def _branches(game: Game, record: Record) -> list[str]:
    """The branches of *record*, each behind its name, with what is said in it."""
    names, said, lines = {0: ""}, annotations_of(record), list[str]()
    for number, branch, positions, moves in branch_plays(game, record):
        ply = positions[0].ply
        parent = f"{names[branch.parent]}/" if branch.parent else ""
        names[number] = f"{parent}{ply // 2 + 1}{'wb'[ply % 2]}{number}"
        written = map(notation.written, positions, moves)
        beside = {
            after - branch.after: _in_braces(text)
            for (line, after), text in said.items()
            if line == number
        }
        lines += [f"{{{names[number]}}}", *_lines(ply, list(written), beside), ""]
    return lines


def _parse_result(tag: str) -> str:
    """A result that the board does not show: PTN's own, or the house's places and reason."""
    if tag in _RESULTS:
        return tag
    return {"0/1": "1-0", "1/0": "0-1", "0,1": "1/2-1/2"}.get(tag.partition(" ")[0], "")


def _tags(record: Record, told: str) -> dict[str, str]:
    options = {**DEFAULTS, **record.options}
    tags = {
        "Player1": record.tags.get("Player0", ""),
        "Player2": record.tags.get("Player1", ""),
        "Size": options["size"],
        "Caps": str(Customs.agreed(options).hallaciryar),
        "Opening": _OPENINGS[options["opening"]],
        "Result": told,
    }
    tags.update({name: options[key] for key, name in _SAME.items()})
    if "Position" in record.tags:
        tags["TPS"] = record.tags["Position"]
    passed = {
        key: value.replace('"', "”")
        for key, value in record.tags.items()
        if key not in ("Player0", "Player1", "Position", SPENT, *_OWN) and not BESIDE.fullmatch(key)
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
    """The record of the PTN *text*; raises ``Unreadable`` with the line and the reason.

    A bare TPS is a game that has not gone on yet.
    """
    check_length(text)
    text = "\n".join(text.lstrip("\ufeff").splitlines())
    if _TPS.fullmatch(text.strip()):
        text = f'[Size "{text.count("/") + 1}"]\n[TPS "{text.strip()}"]'
    reading = _Reading(game)
    line, at, shown = 1, 0, ""
    try:
        for part in _PART.finditer(text):
            line, at = line + text.count("\n", at, part.start()), part.start()
            shown = part[0].strip()
            reading.take(line, part)
        reject_if(not reading.tags and not reading.trail, "core.record-empty")
        reading.close()
    except RuleError as refused:
        said = dict(refused.phrase.args)
        line, shown = reading.tag_lines.get(str(said.get("tag", "")), (line, shown))
        known = "line" in said or refused.phrase.key == "core.record-empty"
        told = refused.phrase if known else _wrong(line, shown, refused.phrase).phrase
        raise Unreadable(told, reading.record()) from refused
    return reading.record() or _record({})


@dataclass
class _Reading:
    """A PTN file while it is read: the line, 0 for the game, with its positions and log."""

    game: Game
    tags: dict[str, str] = field(default_factory=dict)
    tag_lines: dict[str, tuple[int, str]] = field(default_factory=dict)
    head: Record | None = None
    trail: list[Cirya] = field(default_factory=list)
    log: list[Entry] = field(default_factory=list)
    times: dict[int, int] = field(default_factory=dict)
    comments: dict[tuple[str, Place], list[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=lambda: {"": 0})
    trails: list[list[Cirya]] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    told: str = ""
    main: Record | None = None
    noted: bool = False
    free: bool = False
    """Whether the numbers went back behind a remark, as in branches of other names."""

    def take(self, line: int, part: re.Match[str]) -> None:
        """Read a tag, a remark or a word; raises a ``RuleError`` for what is none of PTN."""
        if part["tag"]:
            found = _TAG.fullmatch(part["tag"].strip())
            if not found or self.trail:
                raise _wrong(line, part["tag"], phrase("cirya.ptn.tag"))
            self.tags[found[1]] = found[2]
            self.tag_lines[found[1]] = line, part["tag"]
        elif part["word"]:
            self._begin()
            self._word(line, part["word"])
            self.noted = False
        elif self.tags or part["remark"].strip():
            self._remark(part["remark"])

    def _remark(self, text: str) -> None:
        if _TIME.fullmatch(text):
            if self.log and not self.branches:
                self.times[len(self.log) - 1] = round(1000 * float(text[1:]))
        elif self.trail and (found := _BRANCH.fullmatch(text)):
            self._fork(text, found)
        elif text != _CEDED:
            place = (len(self.branches), len(self.log))
            self.comments.setdefault((NOTE, place), []).append(" ".join(text.split()))
            self.noted = True

    def _begin(self) -> None:
        if self.head is None:
            reject_if(self.tags and not self.tags.keys() & {"Size", "TPS"}, "cirya.ptn.size")
            self.head = _record(self.tags)
            try:
                self.trail = [self.game.beginning(self.head)]
            except Unreadable as wrong:
                raise _wrong(*self.tag_lines.get("TPS", (1, "")), wrong.phrase) from wrong

    def _fork(self, name: str, found: re.Match[str]) -> None:
        """What follows is the branch *name*; it begins with the ply that its last step names."""
        self.close()
        parent = self.lines.get(name.rpartition("/")[0], 0)
        trail = self.trails[parent]
        ply = 2 * int(found[1]) - 2 + (found[2] == "b") - trail[0].ply
        if not 0 <= ply < len(trail) or len(self.branches) == MOST_BRANCHES:
            raise Unreadable(phrase("cirya.ptn.branch"))
        self.trail, self.log, self.free = trail[: ply + 1], [], False
        self.branches.append(Branch(parent, ply))
        self.lines[name] = len(self.branches)

    def _word(self, line: int, token: str) -> None:
        position = self.trail[-1]
        found = _NUMBER.match(token)
        if found:
            number, due = int(found[0].rstrip(".")), position.ply // 2 + 1
            self.free = self.free or (number < due and self.noted)
            _reject_if(number != due and not self.free, line, token, "cirya.ptn.gap", n=due)
        word = token[found.end() :] if found else token
        if word == _OLD_DRAW:
            word = "1/2-1/2"
        if word in _RESULTS:
            if self.told not in ("", word) or (word in _SHOWN and result(position.end) != word):
                raise _wrong(line, word, phrase("cirya.ptn.result"))
            self.told = word
        elif word not in ("", "--", "...", "…", "*"):
            _reject_if(len(self.log) >= MOST_PLIES, line, word, "cirya.ptn.long", n=MOST_PLIES)
            _reject_if(self.told, line, word, "cirya.ptn.over")
            entry = _entry(self.game, position, line, word)
            self.log.append(entry)
            self.trail.append(position.after(read_entry(self.game, position, entry)))

    def close(self) -> None:
        """The line is read to its end."""
        self._begin()
        self.trails.append(self.trail)
        if self.branches:
            moves = tuple(entry.text for entry in self.log)
            self.branches[-1] = replace(self.branches[-1], moves=moves)
            self.told = ""
            return
        position, tag = self.trail[-1], self.tags.get("Result", "").replace(_OLD_DRAW, "1/2-1/2")
        if not self.told and tag in _SHOWN and result(position.end) != tag:
            raise _wrong(*self.tag_lines["Result"], phrase("cirya.ptn.result"))
        known = self.log and (tag in _RESULTS or re.fullmatch(r"[0-9,/]+ [a-z-]+", tag))
        self.told = self.told or (tag if known else "")
        if position.end and self.told in ("1-0", "0-1") and self.told != result(position.end):
            self.log += _giving_away(position, 0 if self.told == "0-1" else 1)
        self.main = self._game()
        self.told = ""

    def _game(self) -> Record | None:
        if self.head is None:
            return None
        tags = {**self.head.tags, **timed(self.times, len(self.log))}
        tags |= {"Result": self.told} if self.told else {}
        return replace(self.head, log=tuple(self.log), tags=tags)

    def record(self) -> Record | None:
        """What has been read so far; ``None`` before the first position is known."""
        found = self.main or self._game()
        if found is None:
            return None
        return replace(found, tags={**found.tags, **annotation_tags(self.comments, self.branches)})


def _record(tags: Mapping[str, str]) -> Record:
    options = dict(DEFAULTS)
    options["size"] = _one_of(tags, "Size", _VALUES["size"], DEFAULTS["size"])
    usual = str(HALLACIRYAR[int(options["size"])])
    known = ("0", "1") if options["size"] == "4" else (usual,)
    options["capstone_4x4"] = "yes" if _one_of(tags, "Caps", known, usual) != usual else "no"
    opening = _one_of(tags, "Opening", tuple(_OPENINGS.values()), "swap")
    options["opening"] = "swapped" if opening == "swap" else "own"
    _one_of(tags, "Flats", (str(CIRYAR[int(options["size"])]),), "")
    if tags.get("Komi", "") not in _NO_KOMI:
        raise Unreadable(phrase("cirya.ptn.komi", tag="Komi", value=tags["Komi"][:32]))
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


def _giving_away(position: Cirya, giver: int) -> list[Entry]:
    """C22: a londë whose winner stands as the loser was given away."""
    return [
        Entry(giver, notation.written(position, word), aside=True)
        for word in position.asides(giver)
        if isinstance(word, Cede)
    ]


def _entry(game: Game, position: Cirya, line: int, word: str) -> Entry:
    _reject_if(position.end, line, word, "cirya.ptn.over")
    seat = position.board.mover
    try:
        move = read_move(game, position, seat, word)
    except RuleError as refused:
        raise _wrong(line, word, refused.phrase) from refused
    return Entry(seat, notation.written(position, move))


def _reject_if(wrong: object, line: int, text: str, key: str, **args: Arg) -> None:
    if wrong:
        raise _wrong(line, text, phrase(key, **args))


def _wrong(line: int, text: str, reason: Phrase) -> Unreadable:
    return Unreadable(phrase("cirya.ptn.line", line=line, text=text[:32], reason=reason))


_TAGS = r"\[(?:Size|TPS|Caps|Flats|Komi|Opening|Clock|CarryLimit|Mode|FalseClaim|Repetition) "
_CHESS = r"(?!.*\b(?:[KQRBN]x?[a-h][1-8]|O-O))"
_MOVES = _CHESS + r"\d{1,4}\.+\s*(?:--\s*)?(?:[1-8]?[CSFTH]?[a-h][1-8](?![-x]?[a-z])|\(\d)"

PTN = Format("ptn", ".ptn", write, parse, rf"{_TAGS}|{_MOVES}|{_TPS.pattern}$", branches=True)
