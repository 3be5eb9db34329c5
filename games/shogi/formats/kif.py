"""Whole games as Japanese players keep them: KIF and KI2 (H23).

As described by Y. Kakinoki, http://kakinoki.o.oo7.jp/kif_format.html. Comments, bookmarks and
variations are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from games.core import Format, Game, Record
from games.core.record import spent_of
from games.shogi.board import BoardMove, Drop
from games.shogi.disambiguation import manner_of, rivals
from games.shogi.formats.diagrams import HANDICAP_NAMES, NAMES, diagram, read_diagram
from games.shogi.formats.record_builder import (
    Fate,
    Reader,
    ending,
    finished,
    play_entries,
    stray,
    untranslatable_tags,
)
from games.shogi.formats.usi import take_start
from games.shogi.off_board_acts import Foul
from games.shogi.piece_and_move_names import (
    KANJI,
    NUMERALS,
    japanese_square,
    kif,
    may_choose,
    record_kind,
)
from games.shogi.pieces import GOTE, SENTE, kind_of
from games.shogi.rules import Shogi
from games.shogi.sfen import unreadable, usi
from games.shogi.wishes import Wish, read_wish

HANDICAPS = {
    "none": "平手",
    "lance": "香落ち",
    "right_lance": "右香落ち",
    "bishop": "角落ち",
    "rook": "飛車落ち",
    "rook_lance": "飛香落ち",
    "2": "二枚落ち",
    "3": "三枚落ち",
    "4": "四枚落ち",
    "5": "五枚落ち",
    "left_5": "左五枚落ち",
    "6": "六枚落ち",
    "left_7": "左七枚落ち",
    "right_7": "右七枚落ち",
    "8": "八枚落ち",
    "10": "十枚落ち",
}
"""H20: the handicaps as KIF names them."""

# What the last line of a game says of the side that would move next.
_ENDS: dict[str, tuple[str, Fate]] = {
    "投了": ("resign", Fate.LOSES),
    "中断": ("", Fate.NOBODY),
    "封じ手": ("", Fate.NOBODY),
    "詰み": ("mate", Fate.LOSES),
    "詰": ("mate", Fate.LOSES),
    "不詰": ("", Fate.NOBODY),
    "千日手": ("sennichite", Fate.NOBODY),
    "持将棋": ("jishogi", Fate.NOBODY),
    "切れ負け": ("time", Fate.LOSES),
    "時間切れ": ("time", Fate.LOSES),
    "反則勝ち": ("illegal", Fate.WINS),
    "反則負け": ("illegal", Fate.LOSES),
    "入玉勝ち": ("declared", Fate.WINS),
    "勝ち宣言": ("declared", Fate.WINS),
    "不戦敗": ("resign", Fate.LOSES),
}
_SAID = {
    "resign": "投了",
    "mate": "詰み",
    "time": "切れ負け",
    "declared": "入玉勝ち",
    "jishogi": "持将棋",
    "sennichite": "千日手",
}
_HEAD = "手数----指手---------消費時間--"
_MOVE = re.compile(r"\d{1,4}[.．]?\s+(?![\d\s]*$)(\S.*)")
_TO = re.compile(f"同|[1-9１-９][{NUMERALS}]")
_LIKE_MOVE = re.compile(rf"(?:{_TO.pattern})\s*[{''.join(KANJI.values())}王成竜]")
_TIME = re.compile(r"\( {0,3}(?:([0-9]{1,5}):([0-9]{2})(?![0-9])|[ 0-9]{0,3}:).*")
_FIELD = re.compile(r"([^：:]{1,20})[：:](.*)")
_MARKS = "▲△☗☖▼▽"
_UNTIL = re.compile(r"まで\s*[0-9]{0,4}手?で?(.*)")


@dataclass
class Head:
    """What stands before the moves: the handicap or a drawn board, and the names."""

    rows: list[str] = field(default_factory=list)
    hands: list[str] = field(default_factory=lambda: ["", ""])
    turn: int = SENTE
    known: bool = False

    def take(self, reader: Reader, number: int, line: str) -> None:
        """Read one line of the head; what is no field there is passed over, but for moves."""
        if line.lstrip().startswith("|"):
            self.rows.append(line)
        elif line.strip() in ("後手番", "上手番"):
            self.turn = GOTE
        elif found := _FIELD.match(line):
            self._field(reader, found[1].strip(), found[2].strip())
        elif _LIKE_MOVE.search(line):
            raise stray(number, line)

    def _field(self, reader: Reader, key: str, value: str) -> None:
        for seat, names in enumerate(zip(NAMES, HANDICAP_NAMES, strict=True)):
            if key in names:
                reader.name(seat, value)
                self.known = True
            if key in [f"{name}の持駒" for name in names]:
                self.hands[seat] = value
        if key == "手合割":
            self.known = True
            named = {name: handicap for handicap, name in HANDICAPS.items()}
            handicap = named.get(value, "")
            if not handicap and value not in ("", "その他"):
                raise unreadable("handicap", text=value[:20])
            if handicap not in ("", "none"):
                reader.options["handicap"] = handicap

    def close(self, reader: Reader) -> None:
        """The moves begin: let the record start from what was read."""
        if reader.position is None and self.rows:
            if len(self.rows) != 9:
                raise unreadable("diagram", text=self.rows[-1].strip()[:40])
            first, second = self.hands
            reader.options.pop("handicap", None)
            reader.first = SENTE
            take_start(reader, read_diagram(self.rows, (first, second), self.turn, reader.ply))
        reader.begin()


def read_kif(game: Game, text: str) -> Record:
    """The record of a KIF file; raises ``Unreadable`` with the line that is none of KIF."""
    reader, head = Reader(game, text), Head()
    begun = False
    for number, line, bare in _lines(reader):
        if bare.startswith("手数＝"):
            continue  # The number of the move that a diagram shows.
        if bare == _HEAD or bare.startswith("手数"):
            head.known = True
        elif found := _MOVE.fullmatch(bare):
            head.known = begun = True
            head.close(reader)
            _take_timed(reader, number, found[1])
        elif until := _UNTIL.match(bare):
            head.close(reader)
            _verdict(reader, until[1].strip())
        elif begun:
            raise stray(number, line)
        elif bare[0] in _MARKS:
            raise unreadable("kif")
        else:
            head.take(reader, number, line)
    # A bare board, as problems are passed on (BOD), is a game that has not gone on yet.
    if not head.known and not head.rows:
        raise unreadable("kif")
    head.close(reader)
    return reader.done()


def _lines(reader: Reader) -> Iterator[tuple[int, str, str]]:
    """The lines of the game with their numbers, also stripped; our remarks are taken."""
    for number, line in reader.lines():
        bare = line.strip()
        if line.startswith("#"):
            reader.take_note(number, line[1:])
        elif bare.startswith("変化"):
            return  # Variations are none of the game.
        elif bare and not bare.startswith(("*", "&")):
            yield number, line, bare


def _take_timed(reader: Reader, number: int, text: str) -> None:
    """A numbered line, with the time that its move took."""
    length, time = len(reader.log), _TIME.search(text)
    _take(reader, number, _TIME.sub("", text).rstrip().rstrip("+").strip())
    if time and time[1] and len(reader.log) > length:
        reader.took(60 * int(time[1]) + int(time[2]))


def _take(reader: Reader, number: int, text: str) -> None:
    if text in _ENDS:
        reader.end_as(*_ENDS[text])
    elif _TO.match(text) or read_wish(reader.begin(), text):
        reader.play(number, text)
    elif reader.closed:
        raise stray(number, text)
    else:
        # Programs end games in words of their own, such as Time-up: an end without a verdict.
        reader.end("", None)
        reader.closed = True


def read_ki2(game: Game, text: str) -> Record:
    """The record of a KI2 file; raises ``Unreadable`` where a move is not unambiguous."""
    reader, head = Reader(game, text), Head()
    begun = False
    for number, line, bare in _lines(reader):
        if until := _UNTIL.match(bare):
            begun = True
            head.close(reader)
            _verdict(reader, until[1].strip())
        elif bare[0] in _MARKS:
            begun = True
            head.close(reader)
            for move in filter(None, re.split(f"[{_MARKS}]", bare)):
                reader.play(number, move.strip())
        elif begun:
            raise stray(number, line)
        else:
            head.take(reader, number, line)
    if not begun:
        raise unreadable("ki2")
    return reader.done()


def _verdict(reader: Reader, text: str) -> None:
    """The last line: ``先手の勝ち``, ``詰``, ``時間切れにより後手の勝ち``, ``後手の反則勝ち``."""
    if reader.is_told:
        return
    called = enumerate(zip(NAMES, HANDICAP_NAMES, strict=True))
    named = [seat for seat, names in called if any(f"{name}の" in text for name in names)]
    winner = named[-1] if named and "勝ち" in text else None
    if named and "負け" in text:
        winner = 1 - named[-1]
    for word, (reason, fate) in _ENDS.items():
        if word not in text:
            continue
        if winner is None:
            reader.end_as(reason, fate)
        else:
            reader.end(reason, winner)
        return
    reader.end("resign" if winner is not None else "", winner)


def _opening(game: Game, record: Record) -> list[str]:
    first = game.beginning(record)
    handicap = record.options.get("handicap", "none")
    names = _names(record)
    if "Position" in record.tags or (record.first and handicap == "none"):
        lines = ["手合割：その他", *diagram(first.board, names)]
    else:
        lines = [f"手合割：{HANDICAPS[handicap]}"]
    return lines + [f"{names[seat]}：{record.tags.get(f'Player{seat}', '')}" for seat in (0, 1)]


def _names(record: Record) -> tuple[str, str]:
    return NAMES if record.options.get("handicap", "none") == "none" else HANDICAP_NAMES


def write_kif(game: Game, record: Record) -> str:
    """*record* as a KIF file; what is said beside the moves stands in our remarks."""
    head = [
        "KIF version=2.0 encoding=UTF-8",
        *(f" {said}" for said in untranslatable_tags(game, record)),
    ]
    lines = [*(f"#{remark}" for remark in head), *_opening(game, record), _HEAD]
    totals, moves = [0, 0], []
    for (before, move), spent in zip(play_entries(game, record), spent_of(record), strict=True):
        if text := _write(before, move):
            seconds = (spent or 0) // 1000
            totals[before.turn] += seconds
            moves.append((text, seconds, totals[before.turn]))
    moves += [(text, 0, 0) for text in _closing(game, record)]
    lines += [f"{n:4} {text:<12} {_time(*took)}" for n, (text, *took) in enumerate(moves, 1)]
    return "\n".join([*lines, ""])


def _time(seconds: int, total: int) -> str:
    """What a move took, and the player in all: ``( 0:12/00:05:30)``."""
    minutes, rest = divmod(total, 60)
    return f"({seconds // 60:2}:{seconds % 60:02}/{minutes // 60:02}:{minutes % 60:02}:{rest:02})"


def _write(before: Shogi, move: object) -> str:
    if isinstance(move, BoardMove | Drop):
        return kif(before, move)
    wish = read_wish(before, move.text) if isinstance(move, Foul) else None
    return _write_wish(before, wish) if wish else ""


def _write_wish(before: Shogi, wish: Wish) -> str:
    """An illegal move as KIF writes moves; "" where it does not say enough."""
    target = japanese_square(wish.target)
    if wish.start is None:
        return f"{target}{KANJI[wish.kind]}打" if wish.drops and wish.kind else ""
    kind = wish.kind or kind_of(before.board[wish.start])
    if not kind:
        return ""
    sign = "成" if wish.promotes else ""
    return f"{target}{record_kind(kind)}{sign}({9 - wish.start % 9}{wish.start // 9 + 1})"


def _closing(game: Game, record: Record) -> list[str]:
    """The line that says how the game ended, where the board does not say it by itself."""
    last = finished(game, record)
    reason, winner = ending(record, last)
    if reason in ("illegal", "perpetual", "misdeclared"):
        return ["反則勝ち" if winner == _next(game, record, last) else "反則負け"]
    said = _reason_text(reason) or ("中断" if last.outcome() is None else "")
    return [said] if said else []


def _reason_text(reason: str) -> str:
    return _SAID.get(reason) or _SAID.get(reason.split("-")[0], "")


def _next(game: Game, record: Record, last: Shogi) -> int:
    """The seat that would move next; after an illegal move that was written, the other."""
    foul = any(
        isinstance(move, Foul) and _write(before, move)
        for before, move in play_entries(game, record)
    )
    return 1 - last.turn if foul else last.turn


def write_ki2(game: Game, record: Record) -> str:
    """*record* as a KI2 file; raises ``Unreadable`` for a move that KI2 cannot tell apart."""
    moves = []
    for before, move in play_entries(game, record):
        if isinstance(move, BoardMove | Drop):
            moves.append("▲△"[before.turn] + ki2(before, move))
    rows = ["    ".join(moves[n : n + 6]) for n in range(0, len(moves), 6)]
    said = _until(record, *ending(record, finished(game, record)))
    # Other programs pass over such remarks only behind a field.
    first, *others = _opening(game, record)
    noted = [f"# {remark}" for remark in untranslatable_tags(game, record)]
    return "\n".join([first, *noted, *others, "", *rows, f"まで{len(moves)}手で{said}", ""])


def _until(record: Record, reason: str, winner: int | None) -> str:
    said = _reason_text(reason) or "中断"
    if winner is None or said in ("詰み", "持将棋", "千日手"):
        return said
    name = _names(record)[winner]
    if reason in ("illegal", "perpetual", "misdeclared"):
        return f"{name}の反則勝ち"
    return f"{'時間切れにより' if reason == 'time' else ''}{name}の勝ち"


def ki2(position: Shogi, play: BoardMove | Drop) -> str:
    """*play* as KI2 writes it: ``７六歩``, ``同　銀``, ``５八金右``, ``３四銀打``."""
    last = position.past.play
    same = last is not None and last.target == play.target
    target = "同　" if same else japanese_square(play.target)
    if isinstance(play, Drop):
        reaching = rivals(position, play.target, play.kind)
        return f"{target}{KANJI[play.kind]}{'打' if reaching else ''}"
    words = manner_of(position, play)
    if words is None:
        raise unreadable("ki2-doubt", text=usi(play))
    sign = "成" if play.promotes else "不成" if may_choose(position, play) else ""
    return f"{target}{record_kind(kind_of(position.board[play.start]))}{words}{sign}"


KIF = Format("kif", ".kif", write_kif, read_kif)
KI2 = Format("ki2", ".ki2", write_ki2, read_ki2)
