"""The cover of a game: a moment in the middle of its demo. Pure."""

from __future__ import annotations

from bot.session.visibility import public
from bot.texts import language
from games.core import Game
from games.core.demo import demo_position
from render.kit import painter
from render.scene import Scene


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
