"""The cover of a game: a moment in the middle of its demo. Pure."""

from __future__ import annotations

from typing import Any

from bot.session.visibility import public
from bot.texts import language
from games.core import Game, Position, read_move, settle
from games.core.chance import public_draws
from games.core.game import Setting
from render.kit import painter
from render.scene import Scene


def demo_position(game: Game, setting: Setting, *, played: bool = True) -> Position[Any]:
    """The position of *setting* after the moves of the demo, or before them if not *played*."""
    position, drawn = settle(game, game.start(setting), public_draws())
    for text in game.demo if played else ():
        (seat, *_) = sorted(position.actors())
        position = position.after(read_move(game, position, seat, text))
        position, more = settle(game, position, public_draws(len(drawn)))
        drawn += more
    return position


def cover_scene(game: Game, theme: str, code: str) -> Scene:
    """The picture of *game* for the shelf, in the language *code*: nobody's board, no choices."""
    setting = game.setting(game.solo)
    seen, drawn = public(demo_position(game, setting)), painter(game.key)
    words = drawn.captions(seen)
    return Scene(
        game.key,
        seen,
        ("",) * len(setting.sides),
        bottom=drawn.BOTTOM,
        theme=theme,
        captions=tuple(sorted((key, language(code).say(said)) for key, said in words.items())),
        calm=True,
    )
