"""Which choices stand on a screen: as many as a chat shows at once, the last steps joined. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from bot.presenters.viewers import Space
from games.core import Game, Grid, IllegalMove, Menu, Position, Refusal, Seat, Steps, phrase
from games.core.picker import follow, spelled

TURN = "»"
"""Begins the last step of a path that turns a page: ``»2`` shows the third."""


BLANK = "·"
"""Begins the last step of a path that means a cell where there is nothing to choose: ``·c3``."""

CROWDED = 12
"""Beyond so many options a button says only the first part of its label: «c3», not «c3 · empty»."""

MOST_BESIDE = 8
"""The most choices that may stand beside a board of buttons."""


@dataclass(frozen=True)
class MoveChoice:
    """One option: its *step*, and the *path* that its button spells, on to the next real choice.

    *plays* says that nothing is left to choose after it.
    """

    step: str
    path: tuple[str, ...]
    plays: bool


@dataclass(frozen=True)
class ChoicePage:
    """What *seat* is asked after *path*: the choices shown at once, and the *turn* to more.

    *alone* says that each choice is all there is to choose: nothing follows it at once, or the
    same after all of a crowd, which is then no place to go to.
    """

    seat: Seat
    path: tuple[str, ...]
    choices: tuple[MoveChoice, ...]
    turn: tuple[str, ...] | None = None
    alone: bool = True
    grid: tuple[tuple[MoveChoice | str, ...], ...] = ()
    """The rows of a board whose cells are the first choices; what leads nowhere is its step."""
    begun: bool = False
    """Whether the viewer has chosen or turned something that he may go back from."""


def steps_of(path: Sequence[str]) -> tuple[str, ...]:
    """What has been chosen: *path* without its turn of the page."""
    return tuple(step for step in path if not step.startswith(TURN))


def page_of(
    game: Game, position: Position[Any], seat: Seat, path: Sequence[str], space: Space
) -> ChoicePage:
    """The page that *path* leads to, with as many choices as *space* has room for.

    A board that fits is one page. Choices stand in the order of the board, what is no piece last.
    Before anything is chosen, what leaves no choice is passed over unless it would be the whole
    move. Raises ``IllegalMove`` for a path that asks nothing.
    """
    moves = spelled(game, position, position.legal_moves(seat))
    start = steps_of(path)
    if not start and len(moves) > 1:
        start = _common(list(moves))
    menu = follow(moves, start)
    if not isinstance(menu, Menu):
        raise IllegalMove(Refusal("", phrase("core.illegal", text=" ".join(start))))
    branches: dict[str, list[tuple[str, ...]]] = {step: [] for step in menu.options}
    for steps in moves:
        if steps[: len(start)] == start:
            branches[steps[len(start)]].append(steps)
    cells = () if start else game.menus.grid(position) or ()
    choices = tuple(
        MoveChoice(step, _common(branches[step]), len(branches[step]) == 1)
        for step in _in_order(branches, cells, () if start else game.menus.apart)
    )
    rests = {choice.path[len(start) + 1 :] for choice in choices}
    same = len(rests) == 1 and len(choices) > CROWDED and all(one.plays for one in choices)
    alone = rests == {()} or same
    grid = _grid(cells, choices, space)
    most = space.choices
    if grid or most is None or len(choices) <= most:
        return ChoicePage(seat, start, choices, alone=alone, grid=grid, begun=bool(path))
    number = int(path[-1].removeprefix(TURN)) if path and path[-1].startswith(TURN) else 0
    pages = -(-len(choices) // most)
    shown = choices[number % pages * most :][:most]
    turn = (*start, f"{TURN}{(number + 1) % pages}")
    return ChoicePage(seat, start, shown, turn, alone, begun=bool(path))


def _in_order(steps: Iterable[str], cells: Grid, apart: Steps) -> list[str]:
    """*steps* as the board has them, then those that are no cell of it, then those *apart*."""
    there = [cell for row in cells for cell in row]

    def rank(step: str) -> tuple[int, int]:
        if step in apart:
            return (2, apart.index(step))
        return (0, there.index(step)) if step in there else (1, 0)

    return sorted(steps, key=rank)


def _grid(
    cells: Grid, choices: Sequence[MoveChoice], space: Space
) -> tuple[tuple[MoveChoice | str, ...], ...]:
    """*choices* on their cells, if the board is small enough for *space*; else nothing."""
    by_step = {choice.step: choice for choice in choices}
    there = {cell for row in cells for cell in row}
    if not there & by_step.keys() or len(by_step.keys() - there) > MOST_BESIDE:
        return ()
    if max(len(cells), *map(len, cells)) > space.widest:
        return ()
    return tuple(tuple(by_step.get(cell, cell) for cell in row) for row in cells)


def _common(branch: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What all of *branch* begin with: on to the next real choice, or to the end."""
    # What the first and the last in order share, all between them share.
    first, last = min(branch), max(branch)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return tuple(step for step, _ in same)
