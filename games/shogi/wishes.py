"""Typed moves: what was wished, and which legal moves fit it (H17, H23)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.core import casefolded
from games.shogi.board import BoardMove, BoardPlay, Drop
from games.shogi.disambiguation import WORDS, in_manner
from games.shogi.piece_and_move_names import CSA_CODES, KANJI, NAMES, NUMERALS
from games.shogi.pieces import (
    BISHOP,
    DRAGON,
    HORSE,
    IN_HAND,
    KING,
    PROMOTED,
    TOKIN,
    Kind,
    Square,
    kind_of,
    owner_of,
    piece_of,
)
from games.shogi.rules import Shogi
from games.shogi.sfen import LETTERS, SQUARE_NAMES, letters

KINDS_JA: dict[str, Kind] = {
    **{name: kind for kind, name in NAMES.items()},
    **{sign: kind for kind, sign in KANJI.items()},
    **dict.fromkeys(("王", "王将"), KING),
    **dict.fromkeys(("竜", "竜王"), DRAGON),
    **dict.fromkeys(("竜馬",), HORSE),
    **dict.fromkeys(("个", "成歩"), TOKIN),
    "仝": TOKIN + 1,
    "今": TOKIN + 2,
}
"""H23: every way to write a piece in Japanese, those of the seed included."""

_CSA_KINDS = {code.lower(): kind for kind, code in CSA_CODES.items()}

_SQUARE = f"[1-9][a-i1-9{NUMERALS}]"
_USI = re.compile(f"({_SQUARE})({_SQUARE})([+=])?")
_WESTERN = re.compile(rf"(\+?[plnsgbrk])({_SQUARE})?([-–−x×*'’])?({_SQUARE})([+=])?")
# 行 behind 角 may be its second character or say that it goes forwards: it is taken for that.
_NAMED = "|".join(sorted(KINDS_JA.keys() - {NAMES[BISHOP]}, key=len, reverse=True))
_JAPANESE = re.compile(
    rf"[▲△☗☖▼▽]?(同|{_SQUARE})({_NAMED})([{WORDS}]*)(成|不成|生|打)?(?:\(([1-9]{{2}})\))?"
)
_CSA = re.compile(rf"[+-]?(00|[1-9]{{2}})?([1-9]{{2}})({'|'.join(_CSA_KINDS)})")


@dataclass(frozen=True)
class Wish:
    """A move as typed; ``None`` where the text did not say.

    *kind* is that before a promotion; *manner* are the Japanese words that tell pieces apart.
    """

    target: Square
    kind: Kind | None = None
    start: Square | None = None
    drops: bool | None = None
    promotes: bool | None = None
    manner: str = ""

    @property
    def text(self) -> str:
        """The wish in western notation, or in USI where it names no piece."""
        start = "" if self.start is None else SQUARE_NAMES[self.start]
        sign = {True: "+", False: "=", None: ""}[self.promotes]
        if self.kind is None:
            return f"{start}{SQUARE_NAMES[self.target]}{'+' if self.promotes else ''}"
        mark = "*" if self.drops else "-"
        return f"{letters(self.kind)}{start}{mark}{SQUARE_NAMES[self.target]}{sign}"


def _square(text: str) -> Square:
    """The square that *text* names by file and rank: 7f, 76 or 7六."""
    rank = next(
        ranks.index(text[1]) for ranks in ("abcdefghi", "123456789", NUMERALS) if text[1] in ranks
    )
    return rank * 9 + 9 - int(text[0])


def read_wish(position: Shogi, text: str) -> Wish | None:
    """The wish in USI, western, Japanese or CSA, or ``None``; *position* tells what 同 means."""
    typed = casefolded(text)
    if found := _USI.fullmatch(typed):
        start, target, sign = found.groups()
        return Wish(_square(target), start=_square(start), drops=False, promotes=sign == "+")
    if found := _WESTERN.fullmatch(typed):
        return _western_wish(found)
    if found := _CSA.fullmatch(typed):
        return _csa_wish(position, found)
    if found := _JAPANESE.fullmatch(typed):
        return _japanese_wish(position, found)
    return None


def _western_wish(found: re.Match[str]) -> Wish:
    letter, start, mark, target, sign = found.groups()
    kind = LETTERS.index(letter[-1].upper()) + (PROMOTED if len(letter) == 2 else 0)
    return Wish(
        _square(target),
        kind,
        start=_square(start) if start else None,
        drops=None if mark is None and not start else mark in ("*", "'", "’"),
        promotes={"+": True, "=": False, None: None}[sign],
    )


def _csa_wish(position: Shogi, found: re.Match[str]) -> Wish:
    start, target, code = found.groups()
    kind = _CSA_KINDS[code]
    if start is None:
        return Wish(_square(target), kind)
    if start == "00":
        return Wish(_square(target), kind, drops=True)
    # CSA names the piece as it stands after the move.
    before = kind_of(position.board[_square(start)])
    promotes = before + PROMOTED == kind
    return Wish(
        _square(target),
        before if promotes else kind,
        _square(start),
        drops=False,
        promotes=promotes,
    )


def _japanese_wish(position: Shogi, found: re.Match[str]) -> Wish | None:
    where, name, manner, how, start = found.groups()
    last = position.past.play
    if where == "同" and last is None:
        return None
    promotes = {"成": True, "不成": False, "生": False}.get(how or "")
    if start and promotes is None:
        promotes = False  # A record that tells the start leaves 不成 out.
    return Wish(
        last.target if where == "同" and last else _square(where),
        KINDS_JA[name],
        start=_square(start) if start else None,
        drops=True if how == "打" else False if start or manner or how else None,
        promotes=promotes,
        manner=manner,
    )


def fits(position: Shogi, wish: Wish) -> list[BoardPlay]:
    """The legal moves that *wish* may mean."""
    found = [play for play in position.legal_moves(position.turn) if _is(position, wish, play)]
    on_board = [play for play in found if isinstance(play, BoardMove)]
    # The words of a manner tell pieces apart: a lone piece needs none.
    if wish.manner and len({play.start for play in on_board}) != 1:
        return list[BoardPlay](in_manner(on_board, wish.manner, position.turn))
    # Unless it says otherwise, a piece on the board goes before one in hand.
    return list[BoardPlay](on_board) if wish.drops is None and on_board else found


def _is(position: Shogi, wish: Wish, play: BoardPlay) -> bool:
    if play.target != wish.target:
        return False
    if isinstance(play, Drop):
        said = wish.start is None and play.kind == wish.kind and wish.promotes is not True
        return wish.drops is not False and said
    return (
        wish.drops is not True
        and wish.start in (None, play.start)
        and wish.kind in (None, kind_of(position.board[play.start]))
        and wish.promotes in (None, play.promotes)
    )


def origin_of(position: Shogi, wish: Wish) -> str:
    """The piece that *wish* would move, as ``plays.origin`` writes it; "" where it is not sure."""
    seat = position.turn
    own = [s for s, p in enumerate(position.board[:81]) if p and owner_of(p) == seat]
    if wish.start is not None:
        return SQUARE_NAMES[wish.start] if wish.start in own else ""
    if wish.drops or wish.kind is None:
        return f"{LETTERS[wish.kind]}*" if wish.kind in IN_HAND else ""
    standing = [s for s in own if position.board[s] == piece_of(wish.kind, seat)]
    return SQUARE_NAMES[standing[0]] if len(standing) == 1 else ""
