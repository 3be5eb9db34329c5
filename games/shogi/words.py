"""All that the picture shows, said in words."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Phrase, Who, phrase
from games.shogi.board import HANDS, SQUARES, in_check
from games.shogi.menus import standing
from games.shogi.pieces import GOTE, IN_HAND, KINDS, KING, SENTE, piece_of
from games.shogi.points import points
from games.shogi.rules import REFUSED, SIDES, Shogi
from games.shogi.sfen import SQUARE_NAMES, kind_name

ORDER = sorted(KINDS, key=lambda kind: (kind != KING, -(kind & 7), kind))
"""The king first, then from the rook to the pawn, each before its promoted side."""


def describe(seen: Shogi) -> Sequence[Phrase]:
    """Whose move it is, both armies with their hands, and what is pending or decided."""
    said = [_headline(seen)]
    for seat in (SENTE, GOTE):
        said += [_army(seen, seat), _hand(seen, seat)]
    if seen.outcome() is None and in_check(seen.board, seen.turn):
        said.append(phrase("shogi.notice.check", who=Who(seen.turn)))
    if seen.offer == REFUSED:
        said.append(phrase("shogi.words.refused"))
    elif seen.offer:
        said.append(phrase("shogi.notice.offer", who=Who("bw".index(seen.offer))))
    if seen.touched:
        said.append(phrase("shogi.notice.touched", piece=standing(seen, seen.touched)))
    return said


def _headline(seen: Shogi) -> Phrase:
    end = seen.outcome()
    side = phrase(f"shogi.side.{SIDES[seen.turn]}")
    if end is None:
        return phrase("shogi.words.turn", n=seen.ply, who=Who(seen.turn), side=side)
    sente, gote = points(seen.board)
    how = phrase(f"shogi.end.{end.reason}")
    if end.winner is not None:
        how = phrase(f"shogi.end.{end.reason}", winner=Who(end.winner))
    return phrase("shogi.words.over", n=seen.ply - 1, how=how, side=side, sente=sente, gote=gote)


def _army(seen: Shogi, seat: int) -> Phrase:
    kinds: list[Phrase] = []
    for kind in ORDER:
        wanted = piece_of(kind, seat)
        squares = [SQUARE_NAMES[s] for s, p in enumerate(seen.board[:SQUARES]) if p == wanted]
        if squares:
            there = phrase("shogi.words.at", piece=kind_name(kind), squares=" ".join(squares))
            kinds.append(there)
    side = phrase(f"shogi.side.{SIDES[seat]}")
    return phrase("shogi.words.army", side=side, who=Who(seat), pieces=tuple(kinds) or ("—",))


def _hand(seen: Shogi, seat: int) -> Phrase:
    side = phrase(f"shogi.side.{SIDES[seat]}")
    held = [(kind, seen.board[HANDS[seat] + kind]) for kind in IN_HAND]
    pieces = tuple(
        phrase("shogi.words.held", piece=kind_name(kind), n=count) for kind, count in held if count
    )
    if not pieces:
        return phrase("shogi.words.empty-hand", side=side)
    return phrase("shogi.words.hand", side=side, pieces=pieces)
