"""What all notations of whole games share: how a record is played through and built up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum

from games.core import (
    Entry,
    Game,
    Phrase,
    Record,
    Refusal,
    RuleError,
    Seat,
    Unreadable,
    phrase,
)
from games.core.annotations import MOST_BRANCHES, Branch, Place, annotation_tags
from games.core.annotations import NOTE as COMMENT
from games.core.errors import reject_if
from games.core.move_parsing import read_entry, replay
from games.core.record import CLOCK, LONGEST_RECORD, timed
from games.shogi.board import BoardMove, BoardPlay, Drop
from games.shogi.notation import written
from games.shogi.off_board_acts import ACCEPT, DECLARE, OFFER, Foul, Play
from games.shogi.pieces import GOTE, SENTE
from games.shogi.rules import SIDES, Shogi
from games.shogi.wishes import Wish, fits, read_wish

KEY = "shogi"

NOTE = "ludoteca"
"""The word that begins our own remark in a file: what its notation cannot say."""

_SETTLED = {"jishogi": ("jsa", (OFFER, ACCEPT)), "declared": ("declare27", (DECLARE,))}
"""H13, H14: the rule of jishōgi, unless the file says otherwise, and the words that settle it."""

_NOTE = re.compile(NOTE + r"((?: [a-z_0-9]{1,16}=[A-Za-z_0-9*+=/-]{1,24}){0,14}) *", re.A)


_REASON = re.compile(
    "|resign|time|agreement|alone|given|missed|mate|illegal|declared|misdeclared|perpetual"
    "|stalemate|no-moves|king-captured|jishogi(-points|-tie(-replay)?)?"
    "|sennichite(-points|-replay|-tie(-replay)?)?"
)
"""Why games end, as our remarks and results tell it."""


class Fate(Enum):
    """What the end of a game is for the side that would move next."""

    WINS = "wins"
    LOSES = "loses"
    NOBODY = "nobody wins"


def play_entries(game: Game, record: Record) -> Iterator[tuple[Shogi, Play]]:
    """Every entry of *record* as a move, with the position before it."""
    position: Shogi = game.beginning(record)
    for entry in record.log:
        move = read_entry(game, position, entry)
        yield position, move
        position = position.after(move)


def finished(game: Game, record: Record) -> Shogi:
    """The position that *record* ends with."""
    position: Shogi = replay(game, game.beginning(record), record.log)
    return position


def ending(record: Record, last: Shogi) -> tuple[str, Seat | None]:
    """The reason why the game of *record* ended and its winner; "" while it goes on."""
    outcome = last.outcome()
    if outcome is not None:
        return outcome.reason, outcome.winner
    return _parse_end(record)


def _parse_end(record: Record) -> tuple[str, Seat | None]:
    result = record.tags.get("Result", "")
    found = re.fullmatch(r"([01])/[01] ([a-z0-9-]+)|[01],[01] ([a-z0-9-]+)", result)
    if not found:
        return "", None
    return (found[2], int(found[1])) if found[2] else (found[3], None)


def untranslatable_tags(game: Game, record: Record) -> list[str]:
    """Our remarks on *record*: what no other notation says.

    The first holds the first seat, if it is not sente, the number of the first move, the end and
    all options; each other one holds what was said or tried beside the moves.
    """
    words = {"first": str(record.first)} if record.first else {}
    if (ply := game.beginning(record).ply) > 1:
        words["ply"] = str(ply)
    # A resignation out of turn looks in most formats like one of the other side.
    reason, winner = _parse_end(record)
    if winner is not None:
        words["winner"] = str(winner)
    if reason:
        words["reason"] = reason
    if control := record.tags.get(CLOCK, ""):
        words["clock"] = control
    written_remarks = [_remark({**words, **record.options})]
    plies = 0
    for entry, (_, move) in zip(record.log, play_entries(game, record), strict=True):
        if isinstance(move, BoardMove | Drop):
            plies += 1
            continue
        done = "said" if entry.aside else "tried"
        beside = {"after": str(plies), "seat": str(entry.seat), done: entry.text}
        written_remarks.append(_remark(beside))
    return written_remarks


def _remark(words: Mapping[str, str]) -> str:
    return " ".join([NOTE, *(f"{key}={value}" for key, value in words.items())])


@dataclass
class Reader:
    """Builds a record while a file is read; its errors name the line.

    *reason*, *winner*, *ply* and *asides* come from our own remarks; *closed* says that the file
    has told the end. *line* is 0 for the game, else the branch that is read now; *trail* holds
    for each ply of it the position before, the length of the log, and the line it belongs to.
    *main* is the game, once a branch is read; *at* is where the file is read now.
    """

    game: Game
    text: str
    tags: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    noted: bool = False
    winner: Seat | None = None
    reason: str = ""
    ply: int = 1
    asides: list[tuple[int, int, Entry]] = field(default_factory=list)
    closed: bool = False
    first: Seat = SENTE
    log: list[Entry] = field(default_factory=list)
    position: Shogi | None = None
    foul: tuple[int, str, Wish, Refusal] | None = None
    times: dict[int, int] = field(default_factory=dict)
    """How long entries of the log took, in milliseconds, by their numbers."""
    line: int = 0
    trail: list[tuple[Shogi, int, int]] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    comments: dict[tuple[str, Place], list[str]] = field(default_factory=dict)
    main: Record | None = None
    at: tuple[int, str] = (1, "")

    @contextmanager
    def stopping(self) -> Iterator[None]:
        """Tell what cannot be read with its line and with the record of what stands before."""
        try:
            yield
        except RuleError as refused:
            told = refused.phrase
            if "line" not in dict(told.args):
                told = wrong(*self.at, told).phrase
            raise Unreadable(told, self.record()) from refused

    @classmethod
    def reading(cls, read: Callable[[Reader], None]) -> Callable[[Game, str], Record]:
        """The reader of a format whose files *read* understands, as ``Format`` wants it."""

        def whole(game: Game, text: str) -> Record:
            reader = cls(game, text)
            with reader.stopping():
                read(reader)
            return reader.record()

        return whole

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines of the file with their numbers; raises ``Unreadable`` where it is too long."""
        reject_if(len(self.text) > LONGEST_RECORD, "core.record-too-long", n=LONGEST_RECORD // 1024)
        # Only these end a line: other such characters occur in badly decoded names.
        lines = self.text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for self.at in enumerate(lines, 1):
            yield self.at

    def comment(self, text: str, kind: str = COMMENT) -> None:
        """Keep what is said of the position reached so far."""
        self.comments.setdefault((kind, (self.line, len(self.log))), []).append(text)

    def fork(self, ply: int) -> None:
        """What follows is a branch: it takes the place of that *ply* of the line read last."""
        self._end_line()
        if not 0 <= ply <= len(self.trail) or len(self.branches) == MOST_BRANCHES:
            raise stray(*self.at)
        before = [*self.trail, (self.begin(), len(self.log), self.line)][ply]
        parent = self.trail[ply - 1][2] if ply else 0
        self.position, length, _ = before
        self.log, self.trail = self.log[:length], self.trail[:ply]
        self.branches.append(Branch(parent, length))
        self.line, self.closed, self.foul = len(self.branches), False, None

    def _end_line(self) -> None:
        if self.main is None:
            self.caught_up()
            self.bear_no_foul()
            for _, line, entry in self.asides:
                raise stray(line, entry.text)
            self.main = self.record()
        else:
            branch = self.branches[-1]
            moves = tuple(entry.text for entry in self.log[branch.after :])
            self.branches[-1] = replace(branch, moves=moves)

    def take_note(self, line: int, remark: str) -> bool:
        """Read *remark* if it is one of ours; whether it is."""
        found = _NOTE.fullmatch(remark.strip())
        if not found or self.position is not None:
            if remark.split()[:1] == [NOTE]:
                raise stray(line, remark)
            return False
        words = dict(word.split("=", 1) for word in found[1].split())
        if "after" in words:
            after, seat = words["after"], words.get("seat", "")
            text = words.get("said") or words.get("tried", "")
            if not (after.isdigit() and seat in ("0", "1") and text):
                raise stray(line, " ".join(words))
            self.asides.append((int(after), line, Entry(int(seat), text, aside="said" in words)))
            return True
        self.first = GOTE if words.pop("first", "0") == "1" else SENTE
        winner, self.reason = words.pop("winner", ""), words.pop("reason", "")
        if winner not in ("", "0", "1") or not _REASON.fullmatch(self.reason):
            raise stray(line, remark)
        self.winner = int(winner) if winner else None
        if (ply := words.pop("ply", "")).isdigit():
            self.ply = int(ply)
        if control := words.pop("clock", ""):
            self.tags[CLOCK] = control
        self.options.update(words)
        self.noted = True
        return True

    def name(self, seat: Seat, name: str) -> None:
        """Keep the name of the player in *seat*."""
        if name.strip():
            self.tags[f"Player{seat}"] = name.strip()[:64]

    def begin(self) -> Shogi:
        """The position that the moves start from."""
        if self.position is None:
            self.position = self.game.beginning(self.record())
        return self.position

    def play(self, line: int, text: str) -> None:
        """Play what *text* writes; an illegal move is borne only as the last, if it lost."""
        position = self.caught_up()
        self.bear_no_foul()
        wish = read_wish(position, text)
        if wish is None:
            raise wrong(line, text, phrase("shogi.unreadable.no-move"))
        if self._is_noted_foul(position, wish):
            return
        found = fits(position, wish)
        plain = [play for play in found if not (isinstance(play, BoardMove) and play.promotes)]
        if len(found) == 2 and len(plain) == 1 and _same_way(found):
            found = plain  # Who writes no 成 means 不成.
        if self.closed or position.outcome() is not None:
            raise wrong(line, text, phrase("shogi.unreadable.over"))
        if len(found) > 1:
            ways = tuple(written(position, play) for play in found)
            raise wrong(line, text, phrase("core.ambiguous", text=text, fits=ways))
        if found:
            self.trail.append((position, len(self.log), self.line))
            self.log.append(Entry(position.turn, written(position, found[0])))
            self.position = position.after(found[0])
        else:
            self.foul = line, text, wish, self.game.speech.refusal(position, position.turn, text)

    def took(self, seconds: int) -> None:
        """The last move took so many *seconds*."""
        if self.log and seconds and not self.line:
            self.times[len(self.log) - 1] = 1000 * seconds

    def caught_up(self) -> Shogi:
        """The position, once what our remarks tell of this moment has been said and tried."""
        position = self.begin()
        while self.asides and self.asides[0][0] <= len(self.trail):
            _, line, entry = self.asides.pop(0)
            try:
                move = read_entry(self.game, position, entry)
            except RuleError as refused:
                raise wrong(line, entry.text, refused.phrase) from refused
            self.log.append(entry)
            position = self.position = position.after(move)
        return position

    def _is_noted_foul(self, position: Shogi, wish: Wish) -> bool:
        """Whether *wish* is the illegal move that a remark has told already."""
        outcome = position.outcome()
        if self.closed or outcome is None or outcome.reason != "illegal":
            return False
        tried = read_wish(position, self.log[-1].text)
        return tried is not None and tried.target == wish.target

    def bear_no_foul(self) -> None:
        """Raise ``Unreadable`` if the move before was illegal and nobody said that it lost."""
        if self.foul:
            line, text, _, refusal = self.foul
            raise wrong(line, text, refusal.phrase)

    def end(self, reason: str, winner: Seat | None) -> None:
        """Keep how the game ended, or the moves that say so by our rules.

        Without a *reason* it was only broken off, and moves may follow.
        """
        position = self.caught_up()
        self.closed = bool(reason)
        if self.line:
            return  # How a branch ends is no end of the game.
        if reason == "illegal" and self.foul:
            _, _, wish, _ = self.foul
            self.options["illegal"] = "lose"
            self.log.append(Entry(position.turn, wish.text))
            self.foul = None
            self.position = position.after(Foul(position.turn, wish.text))
            return
        self.bear_no_foul()
        if self.reason:
            reason, winner = self.reason, self.winner
        if position.outcome() is not None:
            return
        if reason in _SETTLED:
            impasse, words = _SETTLED[reason]
            if not self.noted:
                self.options["impasse"] = impasse
            self._say(position, words)
        elif reason == "sennichite" and not self.noted:
            self.options["repetition"] = "draw"
        if self.begin().outcome() is None and reason:
            if winner is not None and self.winner is not None:
                winner = self.winner  # Remarks of release 0.1 tell the winner without the reason.
            places = "0,1" if winner is None else f"{winner}/{1 - winner}"
            self.tags["Result"] = f"{places} {reason}"

    def end_as(self, reason: str, fate: Fate) -> None:
        """The game ended: *fate* is that of the side that would move next."""
        turn = self.begin().turn
        self.end(reason, {Fate.WINS: turn, Fate.LOSES: 1 - turn}.get(fate))

    def _say(self, position: Shogi, words: tuple[str, ...]) -> None:
        again = finished(self.game, self.record())
        seat = position.turn
        said: list[Entry] = []
        for word in words:
            spoken = [aside for aside in again.asides(seat) if aside.what == word]
            if not spoken:
                return
            said.append(Entry(seat, word, aside=True))
            again = again.after(spoken[0])
            seat = 1 - seat
        self.log += said
        self.position = again

    def record(self) -> Record:
        """What has been read so far."""
        beside = annotation_tags(self.comments, self.branches)
        if self.main is not None:
            return replace(self.main, tags={**self.main.tags, **beside})
        tags = {**self.tags, **timed(self.times, len(self.log)), **beside}
        return Record(KEY, SIDES, dict(self.options), self.first, tuple(self.log), tags)

    def done(self) -> Record:
        """The record of the whole file."""
        self._end_line()
        return self.record()

    @property
    def is_told(self) -> bool:
        """Whether it is known how the game ended."""
        return "Result" in self.tags or self.begin().outcome() is not None


def _same_way(plays: list[BoardPlay]) -> bool:
    moves = [play for play in plays if isinstance(play, BoardMove)]
    return len({(move.start, move.target) for move in moves}) == 1


def stray(line: int, text: str) -> Unreadable:
    """The refusal of a line that is neither move, end, comment nor variation."""
    return wrong(line, text, phrase("shogi.unreadable.stray"))


def wrong(line: int, text: str, why: Phrase) -> Unreadable:
    """The refusal of *text* on that *line*."""
    return Unreadable(phrase("shogi.unreadable.line", line=line, text=text.strip()[:40], why=why))
