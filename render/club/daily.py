"""The move of the day: a position, whose turn it is, and what is asked. Never what solves it."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from render.club.club_canvas import BLACK, BOLD, LEAST, ClubCanvas
from render.kit.output import png
from render.kit.poster_ground import poster_inks


@dataclass(frozen=True)
class DailyPuzzle:
    """What stands beside the board of *game*: *title*, *number*, the *task* of a *side*, *words*.

    *called* is the name of the game, *foot* the day.
    """

    game: str
    called: str
    title: str
    number: str
    task: str
    side: str
    words: tuple[str, ...] = ()
    foot: str = ""


def daily_picture(daily: DailyPuzzle, board: Image.Image, theme: str) -> bytes:
    """A PNG file of *daily* beside *board*, a picture of its game 800 wide."""
    canvas, accent = ClubCanvas(theme), poster_inks(daily.game).accent
    canvas.panel(daily.game, 516, 402)
    # The whole picture: what is in hand, or the card that rules the turn, decides the puzzle.
    canvas.board(board, (524, 14, 1086, 642))
    y = canvas.lines(36, 62, daily.title, 72, 400, "white", BLACK, 2, 1.0)
    canvas.tag(36, y, daily.number, 38)
    canvas.piece(daily.game, daily.side, 88, y + 108, 96, -6)
    canvas.words(158, y + 108, daily.called, 44, "white", BLACK, room=280)
    y = canvas.lines(36, y + 190, daily.task, 36, 386, "white", BOLD, 6)
    if y < 610:
        canvas.lines(36, max(y + 14, 590), " ".join(daily.words), LEAST, 356, accent, BOLD, 2)
    canvas.words(1076, 674, daily.foot, LEAST, "soft", anchor="r")
    return png(canvas.in_palette())
