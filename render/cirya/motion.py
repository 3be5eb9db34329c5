"""A ply of Cirya on its way: a piece falls onto its sat, or a nossë leaves slab after slab."""

from __future__ import annotations

from dataclasses import replace

from games.cirya.move_types import Place, Shift
from games.cirya.rules import Cirya
from render.cirya import painter, pieces
from render.kit.motion import Animation, Flight
from render.scene import Scene

DROP = 90
"""From how far above its sat a piece falls, in pixels."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    move = scene.last[-1].move
    seen: Cirya = scene.seen
    # What moved before is marked from ``seen.last``: a ply under way marks nothing.
    view = painter.View(replace(scene, last=(), seen=replace(seen, last=None)))
    ground = painter.sheet_of(view.scene)
    match move:
        case Place(sat, kind):
            x, y = view.middle(sat)
            seat = 1 - seen.board.mover if seen.swapping else seen.board.mover
            radius, low = painter.lone(view.scale, kind)
            sprite = pieces.piece(scene.theme, seat, kind, radius)
            return Animation(ground, (Flight(sprite, ((x, y + low - DROP), (x, y + low))),))
        case Shift(sat, way, drops):
            after = seen.board.after(Shift(sat, way, drops))
            ray = (sat, *seen.board.shape.rays[way][sat][: len(drops)])
            ground.put(view.cell(after, sat), *view.box(sat)[:2])
            left = [
                Flight(
                    view.cell(after, here),
                    (view.box(here)[:2],),
                    since=number / len(drops),
                    waits=False,
                )
                for number, here in enumerate(ray[1:], 1)
            ]
            kind = seen.board.kind(sat)
            radius, low = painter.lone(view.scale, kind)
            sprite = pieces.piece(scene.theme, seen.board.pieces(sat)[-1], kind, radius)
            (x, y), (to_x, to_y) = view.middle(sat), view.middle(ray[-1])
            sailing = Flight(sprite, ((x, y + low), (to_x, to_y + low)))
            return Animation(ground, (*left, sailing))
    return Animation(ground)
