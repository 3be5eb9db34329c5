"""What all notations of whole games share: how a record is played through and built up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from games.core import Entry, Game, Phrase, Record, Refusal, Seat, Unreadable, phrase
from games.core.log import read_entry
from games.core.record import LONGEST_RECORD
from games.shogi.board import BoardMove, BoardPlay
from games.shogi.moves import ACCEPT, DECLARE, OFFER, Foul, Play
from games.shogi.notation import written
from games.shogi.pieces import GOTE, SENTE
from games.shogi.rules import SIDES, Shogi
from games.shogi.wishes import Wish, fits, read_wish

KEY = "shogi"

NOTE = "ludoteca"
"""The word that begins our own remark in a file: what its notation cannot say."""

_SETTLED = {"jishogi": ("jsa", (OFFER, ACCEPT)), "declared": ("declare27", (DECLARE,))}
"""H13, H14: the rule of jishōgi, unless the file says otherwise, and the words that settle it."""

_NOTE = re.compile(NOTE + r"((?: [a-z_0-9]{1,16}=[a-z_0-9]{1,16}){0,12}) *")


class Fate(Enum):
    """What the end of a game is for the side that would move next."""

    WINS = "wins"
    LOSES = "loses"
    NOBODY = "nobody wins"


def played(game: Game, record: Record) -> Iterator[tuple[Shogi, Play]]:
    """Every entry of *record* as a move, with the position before it."""
    position: Shogi = game.beginning(record)
    for entry in record.log:
        move = read_entry(game, position, entry)
        yield position, move
        position = position.after(move)


def finished(game: Game, record: Record) -> Shogi:
    """The position that *record* ends with."""
    position: Shogi = game.beginning(record)
    for before, move in played(game, record):
        position = before.after(move)
    return position


def ending(record: Record, last: Shogi) -> tuple[str, Seat | None]:
    """The reason why the game of *record* ended and its winner; "" while it goes on."""
    outcome = last.outcome()
    if outcome is not None:
        return outcome.reason, outcome.winner
    found = re.fullmatch(r"([01])/[01] ([a-z0-9-]+)|[01],[01] ([a-z0-9-]+)", _result(record))
    if not found:
        return "", None
    return (found[2], int(found[1])) if found[2] else (found[3], None)


def _result(record: Record) -> str:
    return record.tags.get("Result", "")


def note(record: Record) -> str:
    """Our remark on *record*: who begins, if it is not sente, who won, and all options chosen."""
    words = {"first": str(record.first)} if record.first else {}
    # A resignation out of turn looks in most formats like one of the other side.
    if told := re.match("([01])/", _result(record)):
        words["winner"] = told[1]
    words.update(record.options)
    return " ".join([NOTE, *(f"{key}={value}" for key, value in words.items())])


@dataclass
class Reader:
    """Builds a record while a file is read, and says in which line something is wrong."""

    game: Game
    text: str
    tags: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    noted: bool = False
    winner: Seat | None = None
    first: Seat = SENTE
    log: list[Entry] = field(default_factory=list)
    position: Shogi | None = None
    foul: tuple[int, str, Wish, Refusal] | None = None

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines of the file with their numbers; raises ``Unreadable`` where it is too long."""
        if len(self.text) > LONGEST_RECORD:
            raise Unreadable(phrase("core.record-too-long", n=LONGEST_RECORD // 1024))
        # Only these end a line: other such characters occur in badly decoded names.
        lines = self.text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        yield from enumerate(lines, 1)

    def take_note(self, remark: str) -> None:
        """Read *remark* if it is one of ours."""
        found = _NOTE.fullmatch(remark.strip())
        if found and self.position is None:
            words = dict(word.split("=") for word in found[1].split())
            self.first = GOTE if words.pop("first", "0") == "1" else SENTE
            if (winner := words.pop("winner", "")) in ("0", "1"):
                self.winner = int(winner)
            self.options.update(words)
            self.noted = True

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
        position = self.begin()
        self.bear_no_foul()
        wish = read_wish(position, text)
        if wish is None:
            raise _wrong(line, text, phrase("shogi.unreadable.no-move"))
        found = fits(position, wish)
        plain = [play for play in found if not (isinstance(play, BoardMove) and play.promotes)]
        if len(found) == 2 and len(plain) == 1 and _same_way(found):
            found = plain  # Who writes no 成 means 不成.
        if position.outcome() is not None:
            raise _wrong(line, text, phrase("shogi.unreadable.over"))
        if len(found) > 1:
            ways = tuple(written(position, play) for play in found)
            raise _wrong(line, text, phrase("core.ambiguous", text=text, fits=ways))
        if found:
            self.log.append(Entry(position.turn, written(position, found[0])))
            self.position = position.after(found[0])
        else:
            self.foul = line, text, wish, self.game.speech.refusal(position, position.turn, text)

    def bear_no_foul(self) -> None:
        """Raise ``Unreadable`` if the move before was illegal and nobody said that it lost."""
        if self.foul:
            line, text, _, refusal = self.foul
            raise _wrong(line, text, refusal.phrase)

    def end(self, reason: str, winner: Seat | None) -> None:
        """The game ended: keep how, or the moves that say so by our rules."""
        position = self.begin()
        if reason == "illegal" and self.foul:
            _, _, wish, _ = self.foul
            self.options["illegal"] = "lose"
            self.log.append(Entry(position.turn, wish.text))
            self.foul = None
            self.position = position.after(Foul(position.turn, wish.text))
            return
        self.bear_no_foul()
        if reason in _SETTLED:
            impasse, words = _SETTLED[reason]
            if not self.noted:
                self.options["impasse"] = impasse
            self._say(position, words)
        elif reason == "sennichite" and not self.noted:
            self.options["repetition"] = "draw"
        if self.begin().outcome() is None and reason:
            if winner is not None and self.winner is not None:
                winner = self.winner
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
        return Record(KEY, SIDES, dict(self.options), self.first, tuple(self.log), dict(self.tags))

    def done(self) -> Record:
        """The record of the whole file."""
        self.bear_no_foul()
        self.begin()
        return self.record()


def _same_way(plays: list[BoardPlay]) -> bool:
    moves = [play for play in plays if isinstance(play, BoardMove)]
    return len({(move.start, move.target) for move in moves}) == 1


def _wrong(line: int, text: str, why: Phrase) -> Unreadable:
    shown = text.strip()[:40]
    return Unreadable(phrase("shogi.unreadable.line", line=line, text=shown, why=why))
