"""Whole games as Japanese players keep them: KIF and KI2 (H23).

As described by Y. Kakinoki, http://kakinoki.o.oo7.jp/kif_format.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from games.core import Format, Game, Record, phrase
from games.core.annotations import MARK, Place, annotations_of, branch_plays
from games.core.annotations import NOTE as COMMENT
from games.core.errors import reject_if
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
    wrong,
)
from games.shogi.formats.usi import take_start
from games.shogi.off_board_acts import Foul
from games.shogi.options import HANDICAPS as BOARDS
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

_HANDICAP_WORDS = (
    "平手 香落ち 右香落ち 角落ち 飛車落ち 飛香落ち 二枚落ち 三枚落ち 四枚落ち 五枚落ち 左五枚落ち "
    "六枚落ち 左七枚落ち 右七枚落ち 八枚落ち 十枚落ち"
)
HANDICAPS = dict(zip(BOARDS, _HANDICAP_WORDS.split(), strict=True))
"""H20: the handicaps as KIF names them."""

_OWN_HANDICAPS = ("3", "5", "left_5", "left_7", "right_7")
"""Other programs open these names as even games: their board is drawn."""

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
_WORDLESS = ("Time-up", "TIME_UP")
"""Words of programs that end a game and from which no verdict is taken."""
_ENDS |= dict.fromkeys(_WORDLESS, ("", Fate.NOBODY))
_SAID = {
    "resign": "投了",
    "mate": "詰み",
    "time": "切れ負け",
    "declared": "入玉勝ち",
    "jishogi": "持将棋",
    "sennichite": "千日手",
}
_BESIDE = {"*": COMMENT, "&": MARK}
_HEAD = "手数----指手---------消費時間--"
_MOVE = re.compile(r"(\d{1,4})[.．]?\s+(?![\d\s]*$)(\S.*)")
_TO = re.compile(f"同|[1-9１-９][{NUMERALS}]")
_FROM = re.compile(r"(?:\(([1-9])([1-9])\)|打(?:\(00\))?)$")
_LIKE_MOVE = re.compile(rf"(?:{_TO.pattern})\s*[{''.join(KANJI.values())}王成竜]")
_TIME = re.compile(r"\( {0,3}(?:([0-9]{1,5}):([0-9]{2})(?![0-9])|[ 0-9]{0,3}:).*")
_FIELD = re.compile(r"([^：:]{1,20})[：:](.*)")
_SOURCE = {"開始日時": "Date", "棋戦": "Event", "場所": "Site"}
_MARKS = "▲△☗☖▼▽"
_BRANCH = re.compile(r"変化[：:]\s*([0-9]{1,4})手?")
_CAUSES = {"時間切れ": "time", "切れ負け": "time", "反則": "illegal", "入玉": "declared"}
_SIDES = "|".join((*NAMES, *HANDICAP_NAMES))
_UNTIL = re.compile(
    rf"まで\s*([0-9]{{0,4}})手?で?(?:({'|'.join(_CAUSES)})により)?(?:({_SIDES})の)?"
    rf"(勝ち|{'|'.join(_ENDS)})[。.]?"
)


@dataclass
class Head:
    """What stands before the moves: the handicap or a drawn board, and the names."""

    rows: list[str] = field(default_factory=list)
    hands: list[str] = field(default_factory=lambda: ["", ""])
    turn: int | None = None
    known: bool = False
    uneven: bool = False
    unknown: tuple[int, str] | None = None
    """The line of a handicap without a board of its own in these rules."""

    def take(self, reader: Reader, number: int, line: str) -> None:
        """Read one line of the head; what is no field there is passed over, but for moves."""
        if line.lstrip().startswith("|"):
            self.rows.append(line)
        elif line.strip() in [f"{name}番" for name in (*NAMES, *HANDICAP_NAMES)]:
            self.turn = GOTE if line.strip() in ("後手番", "上手番") else SENTE
        elif _MOVE.fullmatch(line.strip()) or line.strip()[0] in _MARKS:
            raise stray(number, line)
        elif found := _FIELD.match(line):
            self._field(reader, number, found[1].strip(), found[2].strip())
        elif _LIKE_MOVE.search(line):
            raise stray(number, line)

    def _field(self, reader: Reader, number: int, key: str, value: str) -> None:
        for seat, names in enumerate(zip(NAMES, HANDICAP_NAMES, strict=True)):
            if key in names:
                reader.name(seat, value)
                self.known = True
            if key in [f"{name}の持駒" for name in names]:
                self.hands[seat] = value
                self.uneven = self.uneven or key.startswith(HANDICAP_NAMES)
        if key in _SOURCE and value:
            reader.tags[_SOURCE[key]] = value[:64]
        if key == "手合割":
            self.known = True
            handicap = {name: handicap for handicap, name in HANDICAPS.items()}.get(value, "")
            if not handicap and value:
                self.unknown = number, value
            if handicap not in ("", "none"):
                reader.options["handicap"] = handicap

    def close(self, reader: Reader, move: str = "") -> None:
        """The moves begin, with *move*: let the record start from what was read."""
        if self.unknown and not self.rows:
            number, value = self.unknown
            raise wrong(number, value, phrase("shogi.unreadable.handicap", text=value[:20]))
        if reader.position is None and self.rows:
            if len(self.rows) != 9:
                raise unreadable("diagram", text=self.rows[-1].strip()[:40])
            first, second = self.hands
            reader.options.pop("handicap", None)
            reader.first = SENTE
            turn = self._mover(move) if self.turn is None else self.turn
            take_start(reader, read_diagram(self.rows, (first, second), turn, reader.ply))
        reader.begin()

    def _mover(self, move: str) -> int:
        """Whose turn it is where no line says it: of whose piece *move* is, else by the names."""
        found = _FROM.search(move)
        if found and found[1]:
            cell = 2 * (9 - int(found[1])) + 1
            row = self.rows[int(found[2]) - 1].strip()
            return GOTE if row[cell : cell + 1] == "v" else SENTE
        return GOTE if self.uneven else SENTE


def _read_kif(reader: Reader) -> None:
    head, begun, last, at = Head(), False, 0, 0
    for number, line, bare in _lines(reader, head):
        if bare.startswith("手数＝"):
            continue  # The number of the move that a diagram shows.
        if not begun and bare.startswith("手数"):
            head.known = True
        elif found := _MOVE.fullmatch(bare):
            word = _TIME.sub("", found[2]).rstrip().rstrip("+").strip()
            head.close(reader, word)
            head.known = True
            # A line may be missing; after a break the same number comes again.
            if (
                begun
                and not reader.closed
                and reader.line == at
                and int(found[1]) not in (last, last + 1)
            ):
                raise wrong(number, bare, phrase("shogi.unreadable.gap", n=last + 1))
            begun, last, at = True, int(found[1]) - (word in _ENDS), reader.line
            _take_timed(reader, number, word, _TIME.search(found[2]))
        elif until := _UNTIL.fullmatch(bare):
            head.close(reader)
            head.known = begun = True
            _verdict(reader, last, until)
        elif begun or bare.startswith("まで"):
            raise stray(number, line)
        else:
            head.take(reader, number, line)
    # A bare board, as problems are passed on (BOD), is a game that has not gone on yet.
    reject_if(not head.known and not head.rows, "shogi.unreadable.kif")
    head.close(reader)
    reader.done()


def _lines(reader: Reader, head: Head) -> Iterator[tuple[int, str, str]]:
    """The lines of the game with their numbers, also stripped; what stands beside it is taken."""
    for number, line in reader.lines():
        bare = line.strip()
        if line.startswith("#"):
            reader.take_note(number, line[1:])
        elif found := _BRANCH.fullmatch(bare):
            head.close(reader)
            reader.fork(int(found[1]) - 1)
        elif bare.startswith(("*", "&")):
            reader.comment(bare[1:], _BESIDE[bare[0]])
        elif bare:
            yield number, line, bare


def _take_timed(reader: Reader, number: int, text: str, time: re.Match[str] | None) -> None:
    """A numbered line, with the time that its move took."""
    length = len(reader.log)
    if text in _ENDS:
        if reader.closed:
            raise wrong(number, text, phrase("shogi.unreadable.over"))
        reader.end_as(*_ENDS[text])
        reader.closed = reader.closed or text in _WORDLESS
    elif _FROM.search(text):
        reader.play(number, text.removesuffix("(00)"))
    else:
        raise stray(number, text)
    if time and time[1] and len(reader.log) > length:
        reader.took(60 * int(time[1]) + int(time[2]))


def _read_ki2(reader: Reader) -> None:
    head, begun = Head(), False
    for number, line, bare in _lines(reader, head):
        if until := _UNTIL.fullmatch(bare):
            begun = True
            head.close(reader)
            _verdict(reader, len(reader.trail), until)
        elif bare[0] in _MARKS:
            begun = True
            head.close(reader)
            for mark, move in re.findall(f"([{_MARKS}])([^{_MARKS}]*)", bare):
                if _MARKS.index(mark) % 2 != reader.begin().turn:
                    reader.bear_no_foul()
                    raise wrong(number, mark + move, phrase("shogi.unreadable.not-their-turn"))
                reader.play(number, move.strip())
        elif begun or bare.startswith("まで"):
            raise stray(number, line)
        else:
            head.take(reader, number, line)
    reject_if(not begun, "shogi.unreadable.ki2")
    reader.done()


def _verdict(reader: Reader, played: int, until: re.Match[str]) -> None:
    """The last line: ``先手の勝ち``, ``詰``, ``時間切れにより後手の勝ち``, ``後手の反則勝ち``.

    It must fit the moves *played* and the end that was told before.
    """
    if reader.line:
        return
    count, cause, side, word = until.groups()
    turn = reader.caught_up().turn
    reason, fate = _ENDS.get(word, (_CAUSES.get(cause, "resign"), Fate.LOSES))
    winner = turn if reason == "declared" else {Fate.WINS: turn, Fate.LOSES: 1 - turn}.get(fate)
    illegal = reason == "illegal"
    if not illegal:
        reader.bear_no_foul()
    if side:
        # The winner that *side* and *word* name; nobody gives up while the other one is to move.
        named = int(side in (NAMES[1], HANDICAP_NAMES[1])) ^ word.endswith("負け")
        if named != winner and not (illegal or reader.is_told or reader.winner is not None):
            raise stray(*reader.at)
        winner = named
    if (word == "勝ち" and not side) or (reason == "resign" and cause):
        raise stray(*reader.at)
    if count and abs(int(count) - played) > illegal:
        raise wrong(*reader.at, phrase("shogi.unreadable.gap", n=played))
    if not reader.is_told:
        reader.end(reason, winner)
    elif side and ending(reader.record(), reader.begin())[1] != winner:
        raise stray(*reader.at)


def _opening(game: Game, record: Record) -> list[str]:
    first = game.beginning(record)
    handicap = record.options.get("handicap", "none")
    names = _names(record)
    drawn = record.first and handicap == "none"
    if "Position" in record.tags or drawn or handicap in _OWN_HANDICAPS:
        lines = ["手合割：その他", *diagram(first.board, names)]
    else:
        lines = [f"手合割：{HANDICAPS[handicap]}"]
    told = [f"{ja}：{record.tags[key]}" for ja, key in _SOURCE.items() if key in record.tags]
    named = [f"{names[seat]}：{record.tags.get(f'Player{seat}', '')}" for seat in (0, 1)]
    return [*told, *lines, *named]


def _names(record: Record) -> tuple[str, str]:
    return NAMES if record.options.get("handicap", "none") == "none" else HANDICAP_NAMES


def write_kif(game: Game, record: Record) -> str:
    """*record* as a KIF file; what is said beside the moves stands in our remarks."""
    head = [
        "KIF version=2.0 encoding=UTF-8",
        *(f" {said}" for said in untranslatable_tags(game, record)),
    ]
    lines = [*(f"#{remark}" for remark in head), *_opening(game, record), _HEAD]
    lines += _beside(record, (0, 0))
    totals, number = [0, 0], 0
    played = zip(play_entries(game, record), spent_of(record), strict=True)
    for entry, ((before, move), spent) in enumerate(played, 1):
        if text := _write(before, move):
            number += 1
            seconds = (spent or 0) // 1000
            totals[before.turn] += seconds
            lines.append(_line(number, text, seconds, totals[before.turn]))
        lines += _beside(record, (0, entry))
    lines += [_line(number + 1, text) for text in _closing(game, record)]
    begins = game.beginning(record).ply - 1
    for line, branch, positions, moves in branch_plays(game, record):
        lines += ["", f"変化：{positions[0].ply - begins}手"]
        for n, (before, move) in enumerate(zip(positions, moves, strict=False), 1):
            lines.append(_line(before.ply - begins, _write(before, move)))
            lines += _beside(record, (line, branch.after + n))
    return "\n".join([*lines, ""])


def _line(number: int, text: str, seconds: int = 0, total: int = 0) -> str:
    return f"{number:4} {text:<12} {_time(seconds, total)}"


def _beside(record: Record, place: Place) -> list[str]:
    """The comments and bookmarks that stand at *place*."""
    said = {sign: annotations_of(record, kind).get(place) for sign, kind in _BESIDE.items()}
    return [f"{sign}{line}" for sign, text in said.items() if text for line in text.split("\n")]


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
    lines = [first, *noted, *others, "", *rows, f"まで{len(moves)}手で{said}", ""]
    begins = game.beginning(record).ply - 1
    for _, _, trail, plays in branch_plays(game, record):
        branch = [f"{'▲△'[p.turn]}{ki2(p, m)}" for p, m in zip(trail, plays, strict=False)]
        lines += [f"変化：{trail[0].ply - begins}手", "    ".join(branch), ""]
    return "\n".join(lines)


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


_HEADS = rf"手合割[：:]|(?:{_SIDES})(?:の持駒)?[：:]|(?:{_SIDES})番$|変化[：:]|まで\s*\d|\||\*|&"
_NUMBERED = rf"手数|\d{{1,4}}[.．]?\s+(?:[{_MARKS}]?(?:{_TO.pattern})|{'|'.join(_ENDS)})"
_MARKED = rf"[{_MARKS}]\s*(?:同|[1-9１-９][1-9１-９{NUMERALS}])"

_KIF_LINES = f"{_HEADS}|{_NUMBERED}"
KIF = Format("kif", ".kif", write_kif, Reader.reading(_read_kif), _KIF_LINES, branches=True)
KI2 = Format("ki2", ".ki2", write_ki2, Reader.reading(_read_ki2), f"{_HEADS}|{_MARKED}")
