"""``ludoteca print``: a game on paper, as a PDF of its board, its pieces and its rules."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from bot.app.offline_game_commands import captions_of, check_pieces, no_file, wishes_of
from bot.app.output import CommandError, say
from bot.facade import RulesSpans, rules_book
from bot.session.visibility import public
from bot.texts import LANGUAGES, language
from bot.texts.inline_markup import Mark
from games.core import Game, Position, phrase
from games.core.demo_position import demo_position
from games.core.shelf import find_game
from render.kit import THEMES, figure, painter, themed
from render.paper.page import PAPERS
from render.paper.parts import printable_parts
from render.paper.print_and_play import Words, booklet
from render.paper.prose import Block
from render.paper.styled_text import Style
from render.scene import Scene

STYLES = {
    Mark.NONE.value: Style.PLAIN,
    Mark.TYPED.value: Style.BOLD,
    Mark.BOLD.value: Style.BOLD,
    Mark.ITALIC.value: Style.ITALIC,
}

THEME = next(iter(THEMES))
"""Paper is white."""


def run_print_command(asked: argparse.Namespace) -> int:
    """Write the PDF that is *asked* for; raises ``CommandError`` or ``RuleError``."""
    game, code = find_game(asked.game), asked.language
    paper = PAPERS.get(asked.paper.lower())
    if paper is None:
        raise CommandError(f"There is no paper {asked.paper[:20]}: there are {', '.join(PAPERS)}.")
    if code not in LANGUAGES:
        raise CommandError(f"There is no language {code[:20]}: there are {', '.join(LANGUAGES)}.")
    check_pieces(game, asked.pieces)
    parts = printable_parts(game.key)
    if parts is None:
        raise CommandError(f"{game.title} has nothing to be printed.", 1)
    setting = game.setting({**game.solo, **wishes_of(asked.option)})
    scene = _scene(game, demo_position(game, setting, played=False), code, asked.pieces)
    written = booklet(parts.printable(scene), [*_rules(game, code)], paper, _words(game, code))
    try:
        asked.output.write_bytes(written)
    except OSError as wrong:
        raise no_file(asked.output, wrong) from None
    say(str(asked.output))
    return 0


def _scene(game: Game, position: Position[Any], code: str, pieces: str) -> Scene:
    """The beginning of *game* as everybody sees it."""
    seen, theme = public(position), themed(game.key, THEME, pieces)
    bottom = painter(game.key).BOTTOM
    words = captions_of(game, seen, language(code))
    return Scene(game.key, seen, (), bottom=bottom, theme=theme, captions=words)


def _words(game: Game, code: str) -> Words:
    say = language(code).say
    told = {key: say(phrase(f"print.{key}")) for key in ("ruler", "join", "cut", "fold", "net")}
    return Words(sheet=say(phrase(f"{game.key}.name")), **told)


def _rules(game: Game, code: str) -> Iterator[Block]:
    book = rules_book(game, code)
    yield Block("title", ((Style.BOLD, book.title),))
    for chapter in book.chapters:
        yield Block("heading", ((Style.BOLD, chapter.title),))
        for part in chapter.parts:
            if part.kind == "figure":
                drawn = figure(game.key, part.figure, THEME, language(code).say)
                yield Block("figure", _styled(part.spans, Style.ITALIC), drawn)
            else:
                yield Block(part.kind, _styled(part.spans))


def _styled(spans: RulesSpans, plain: Style = Style.PLAIN) -> tuple[tuple[Style, str], ...]:
    styles = {**STYLES, Mark.NONE.value: plain}
    return tuple((styles[mark], text) for mark, text in spans)
