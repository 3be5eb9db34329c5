"""The cover of a game, a moment in the middle of its demo, and its poster. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cachetools import LRUCache, cached

from bot.port import Screen
from bot.session.visibility import public
from bot.texts import language
from games.core import Game, Position, phrase
from games.core.move_parsing import demo_position
from render.kit import painter, themed
from render.kit.painters import captions
from render.kit.posters import poster_parts
from render.scene import Poster, Scene


@cached(LRUCache(64), key=lambda game: (game.key, game.start, game.demo))
def _moment(game: Game) -> Position[Any]:
    return public(demo_position(game, game.setting(game.rules.solo)))


def cover_scene(game: Game, theme: str, code: str) -> Scene:
    """The picture of *game* for the shelf, in the language *code*: nobody's board, no choices."""
    setting, seen = game.setting(game.rules.solo), _moment(game)
    return Scene(
        game.key,
        seen,
        ("",) * len(setting.sides),
        bottom=painter(game.key).BOTTOM,
        theme=theme,
        captions=captions(game.key, seen, language(code).say),
        calm=True,
    )


def poster(game: Game, theme: str, code: str) -> Poster | None:
    """The poster of *game* in the language *code*, for ``paint``; ``None`` where it has none."""
    if poster_parts(game.key) is None:
        return None
    say, board = language(code).say, cover_scene(game, theme, code)
    return Poster(board, say(phrase(f"{game.key}.name")), say(phrase(f"{game.key}.motto")))


def poster_words(shown: Poster, code: str) -> str:
    """What stands on the poster *shown*, for those who do not see it."""
    return language(code).say(phrase("house.poster", title=shown.title, words=shown.words))


def with_poster(screen: Screen, game: Game, theme: str) -> Screen:
    """*screen* with the poster of *game*, if it has one."""
    shown = poster(game, themed(game.key, theme, ""), screen.language)
    if shown is None:
        return screen
    return replace(screen, poster=shown, alt=poster_words(shown, screen.language))
