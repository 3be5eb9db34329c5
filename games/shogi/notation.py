"""How moves and positions are typed and kept: USI and SFEN, and what people write (H23)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from games.core import Notation, Outcome, Seat, Unreadable, drawn, won_by
from games.core.errors import reject_if
from games.shogi.board import Drop
from games.shogi.off_board_acts import (
    ACCEPT,
    DECLARE,
    OFFER,
    REFUSE,
    Foul,
    Play,
    Say,
    Touch,
    origin,
)
from games.shogi.options import EVEN, Terms
from games.shogi.past import Past
from games.shogi.piece_and_move_names import kif, western
from games.shogi.rules import ENDINGS, REFUSED, Shogi
from games.shogi.sfen import draft_of_sfen, fault, sfen, unreadable, usi
from games.shogi.wishes import fits, origin_of, read_wish


def written(_position: Shogi, move: Play) -> str:
    """*move* in USI: ``7g7f``, ``8h2b+``, ``P*5e``."""
    match move:
        case Say():
            return move.what
        case Foul() | Touch():
            return move.text
        case _:
            return usi(move)


SAID = {
    OFFER: ("jishōgi", "持将棋"),
    ACCEPT: ("sí", "si", "yes", "acepto", "accept"),
    REFUSE: ("no",),
    DECLARE: ("27", "declaro", "declare", "入玉宣言"),
}
"""H13, H22: how each thing that may be said is typed besides its notation."""


def spellings(position: Shogi, play: Play) -> Sequence[str]:
    """Western in short and in full, then as in a KIF record."""
    match play:
        case Say():
            return SAID[play.what]
        case Foul() | Touch():
            return ()
        case Drop():
            return (kif(position, play),)
    western_ways = [
        western(position, play, from_where, said)
        for said in (True, False)
        for from_where in (False, True)
    ]
    return tuple(dict.fromkeys((*western_ways, kif(position, play))))


def tidied(position: Shogi, text: str) -> str:
    """*text* as the USI of the one legal move it fits, or as a spelling that all its fits share."""
    wish = read_wish(position, text)
    found = fits(position, wish) if wish else []
    if not found:
        return text
    if len(found) == 1:
        return usi(found[0])
    first, *others = (spellings(position, play) for play in found)
    shared = [way for way in first if all(way in ways for ways in others)]
    return shared[0] if shared else text


def penalty(position: Shogi, seat: Seat, text: str) -> Foul | Touch | None:
    """H17: what a typed illegal move amounts to; a slip of the pen amounts to nothing."""
    if position.terms.illegal == "warn" or seat not in position.actors():
        return None
    wish = read_wish(position, text)
    if wish is None or fits(position, wish):
        return None
    if position.terms.illegal == "lose":
        return Foul(seat, wish.text)
    start = origin_of(position, wish)
    movable = any(origin(play) == start for play in position.plays)
    return Touch(seat, wish.text, start) if movable and not position.touched else None


def text(position: Shogi) -> str:
    """SFEN, and behind it what SFEN cannot say: ``jishogi=b``, ``touched=7g``, ``end=…``."""
    marks = [sfen(position.board, position.ply)]
    if position.offer:
        marks.append(f"jishogi={position.offer}")
    if position.touched:
        marks.append(f"touched={position.touched}")
    if position.ended:
        winner = position.ended.winner
        marks.append(f"end={position.ended.reason}:{'-' if winner is None else 'bw'[winner]}")
    return " ".join(marks)


def read(text: str, options: Mapping[str, str]) -> Shogi:
    """The position that *text* holds, ``startpos`` or SFEN; raises ``Unreadable``."""
    position = draft(text, options)
    if wrong := fault(position.board, position.terms.king_capture):
        raise Unreadable(wrong)
    if position.touched and not position.plays:
        raise unreadable("mark", text=position.touched[:10])
    return position


def draft(text: str, options: Mapping[str, str]) -> Shogi:
    """The same, whether a game leads to it or not; raises ``Unreadable`` for what is no SFEN."""
    terms = Terms.of(options)
    words = [word for word in text.split() if word not in ("position", "sfen")]
    words = [EVEN if word == "startpos" else word for word in words]
    marks = dict(word.split("=", 1) for word in words if "=" in word)
    board, ply = draft_of_sfen(" ".join(w for w in words if "=" not in w))
    position = Shogi(
        board,
        Past(board),
        ply,
        terms,
        ended=_ending(marks.pop("end", "")),
        offer=_one_of(marks.pop("jishogi", ""), ("", "b", "w", REFUSED)),
        touched=marks.pop("touched", ""),
    )
    reject_if(marks, "shogi.unreadable.mark", text=" ".join(marks)[:40])
    return position


def _one_of(value: str, known: tuple[str, ...]) -> str:
    reject_if(value not in known, "shogi.unreadable.mark", text=value[:40])
    return value


def _ending(text: str) -> Outcome | None:
    if not text:
        return None
    found = re.fullmatch("([a-z-]+):([bw-])", text)
    if not found or found[1] not in ENDINGS:
        raise unreadable("mark", text=text[:40])
    return drawn(found[1]) if found[2] == "-" else won_by("bw".index(found[2]), found[1])


NOTATION: Notation[Shogi, Play] = Notation(
    written, text, read=read, spellings=spellings, tidied=tidied, penalty=penalty
)
