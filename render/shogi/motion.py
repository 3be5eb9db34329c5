"""A move of shogi on its way: the piece slides, and what it captures turns and goes to the hand."""

from __future__ import annotations

from dataclasses import replace

from games.shogi.board import BoardMove, Drop
from games.shogi.pieces import KING, PROMOTED, kind_of, piece_of
from games.shogi.rules import Shogi
from render.kit.motion import Animation, Flight
from render.scene import Scene
from render.shogi import painter, pieces

TAKEN = 0.45
"""The share of a move after which the captured piece leaves."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    seen: Shogi = scene.seen
    view, newest = painter.view_of(scene), scene.last[-1]
    still, seat = replace(scene, last=()), newest.seat
    match newest.move:
        case Drop(kind, target):
            sprite = pieces.standing(
                view.theme, piece_of(kind, seat), view.style, down=view.down(seat)
            )
            way = (painter.hand_at(scene, seat, kind), view.centre(target))
            return Animation(painter.sheet_of(still), (Flight(sprite, way),))
        case BoardMove(start, target):
            moved, taken = seen.board[start], seen.board[target]
            way = (view.centre(start), view.centre(target))
            sprite = pieces.standing(view.theme, moved, view.style, down=view.down(seat))
            flights = [Flight(sprite, way, until=TAKEN if taken else 1.0)]
            if taken and (kind := _unpromoted(kind_of(taken))) != KING:
                hand = (view.centre(target), painter.hand_at(scene, seat, kind))
                before = pieces.standing(view.theme, taken, view.style, down=not view.down(seat))
                after = pieces.standing(
                    view.theme, piece_of(kind, seat), view.style, down=view.down(seat)
                )
                flights.insert(0, Flight(before, hand[:1], until=TAKEN, stays=False))
                flights.append(Flight(after, hand, since=TAKEN, waits=False))
            return Animation(painter.sheet_of(still, frozenset({start, target})), tuple(flights))
    return Animation(painter.sheet_of(still))


def _unpromoted(kind: int) -> int:
    return kind - PROMOTED if kind > KING else kind
