"""Menus: any chat can play any game by showing options and adding clicks to a path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.errors import IllegalMove, NotYourTurn, Refusal
from games.core.phrases import phrase
from games.core.position import Move, Position, Seat

MENU_LIMIT = 24
"""The most options shown at once; a page button may come after them."""

NEXT_PAGE = "»"
"""The step that turns the page of a menu too long for one screen."""


@dataclass(frozen=True)
class Menu:
    """A question for the player: one of *options* continues *path*.

    *path* begins with what was taken by itself because it was the only option.
    """

    path: tuple[str, ...]
    options: tuple[str, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        """The path without its page turns: what has been chosen."""
        return tuple(step for step in self.path if step != NEXT_PAGE)


def pick(position: Position[Move], seat: Seat, path: Sequence[str] = ()) -> Menu | Move:
    """Follow the clicks in *path* to the next question, or to a finished move.

    Nothing is kept between clicks: the path on the button is the memory. An only option is
    taken by itself, but never the whole move without a click. Raises ``NotYourTurn`` and,
    for a path that leads nowhere, ``IllegalMove``.
    """
    if seat not in position.actors():
        raise NotYourTurn(seat)
    return pick_among(position, tuple(position.legal_moves(seat)), path)


def pick_among(position: Position[Move], moves: Sequence[Move], path: Sequence[str]) -> Menu | Move:
    """Like ``pick``, among *moves* only (also used for asides)."""
    spelled = {position.steps(move): move for move in moves}
    chosen = tuple(step for step in path if step != NEXT_PAGE)
    pages = len(path) - len(chosen)
    taken = chosen
    while True:
        if taken in spelled:
            if chosen:
                return spelled[taken]
            return Menu((), (taken[0],))
        depth = len(taken)
        options = tuple(dict.fromkeys(s[depth] for s in spelled if s[:depth] == taken))
        if not options:
            refusal = Refusal("", phrase("core.illegal", text=" ".join(chosen)))
            raise IllegalMove(refusal)
        if len(options) > 1:
            return _page(taken, options, pages)
        taken = (*taken, *options)


def _page(taken: tuple[str, ...], options: tuple[str, ...], turned: int) -> Menu:
    if len(options) <= MENU_LIMIT:
        return Menu(taken, options)
    page = turned % -(-len(options) // MENU_LIMIT)
    shown = options[page * MENU_LIMIT : (page + 1) * MENU_LIMIT]
    return Menu((*taken, *[NEXT_PAGE] * page), (*shown, NEXT_PAGE))
