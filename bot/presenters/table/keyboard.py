"""The keyboard of a board: which choices it shows, their labels and their rows. Pure."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bot.port import Button, Space
from bot.presenters.base import TablePresenter
from bot.presenters.button_codes import Action
from bot.presenters.typed_names import SEPARATOR, spelling
from bot.session.play import keys_that_hold
from bot.session.visibility import VisibleTable
from games.core import Game, Grid, IllegalMove, Menu, Position, Refusal, Seat, Steps, phrase
from games.core.move_parsing import casefolded, follow, spelled
from render.kit import painter
from render.kit.button_faces import face_set

LETTERS = string.ascii_letters
"""The letters of targets on the picture and of the buttons that mean them."""

WIDTHS = ((3, 5), (6, 4), (12, 3), (22, 2))
"""How many buttons stand in a row while the longest label has at most so many characters."""

ROW_BUTTONS = 5
"""The buttons of a row where each takes what it needs."""

LINE, EDGES = 52, 5
"""The characters that a row of a phone holds, and how many of them the edges of a button take."""


def choice_rows(presenter: TablePresenter, page: ChoicePage) -> list[tuple[Button, ...]]:
    """The rows of the choices of *page*: as the board has them, and the others below."""
    marked = painter(presenter.table.game.key).LETTERS and len(page.choices) > 1
    buttons = {
        " ".join(choice.path) if page.whole else choice.step: _button(
            presenter, page, choice, (LETTERS if marked else "")[number : number + 1]
        )
        for number, choice in enumerate(page.choices)
    }
    rows: list[tuple[Button, ...]] = []
    for number, row in enumerate(page.grid):
        cells = [
            _blank(presenter, cell or f"{number}{place}")
            if isinstance(cell, str)
            else buttons.pop(cell.step)
            for place, cell in enumerate(row)
        ]
        rows.append(tuple(cells))
    apart = [buttons.pop(step) for step in presenter.table.game.menus.apart if step in buttons]
    even = presenter.viewer.space.even
    rows += in_rows(list(buttons.values()), even=even)
    rows += in_rows(apart, even=even)
    if page.turn is not None:
        rows.append((presenter.button("house.button.page", Action.MOVE, *page.turn),))
    return rows + in_rows(_keys_that_hold(presenter, page), even=even)


def _keys_that_hold(presenter: TablePresenter, page: ChoicePage) -> list[Button]:
    """Keys for the only choice of *page* and each that may follow it, where boards come late.

    Behind several choices it is a key for whoever comes next.
    """
    table, say, code = presenter.table, presenter.say, presenter.code
    held = keys_that_hold(table) if presenter.viewer.space.whole_moves else ()
    path, turn = page.choices[0].path, 0
    if held and len(page.choices) > 1:
        path, turn = (), table.acted[page.seat] - 1
    named = partial(table.game.menus.label, table.present, page.seat, path)
    return [
        Button(say(named(one)), code(Action.MOVE, *path, one, turn=turn), "move") for one in held
    ]


def _button(presenter: TablePresenter, page: ChoicePage, choice: MoveChoice, letter: str) -> Button:
    """The button of *choice*, which selects a step or plays the whole move."""
    menus = presenter.table.game.menus
    position = VisibleTable(presenter.table, page.seat).position
    crowded = bool(page.grid) or len(page.choices) > CROWDED
    said = menus.brief if crowded and menus.brief is not None else menus.label
    label = presenter.say(said(position, page.seat, page.path, choice.step))
    if crowded:
        label = label.split(" · ")[0]
    if page.whole:
        label = _whole_label(presenter, page, choice.path)
    code = tap = presenter.code(Action.MOVE, *choice.path)
    if not page.alone:
        tap = presenter.code(Action.MOVE, *page.path, choice.step)
        if choice.plays and choice.path[-1] != choice.step:
            *before, last = choice.path
            then = presenter.say(menus.label(position, page.seat, tuple(before), last))
            # The game's label may already tell what follows or where the move begins.
            goal = then if then.count("→") > 1 else then.rpartition("→")[2]
            label = label if then in label else f"{label} {_onward(goal)}"
    final = not page.path and choice.plays and choice.step in menus.apart
    style = "final" if final else "move"
    plays = choice.plays and code == tap
    shown = _face(presenter, page, choice.step)
    quiet = choice.step in menus.quiet
    return Button(label, code, style, letter, choice.step, tap, plays, shown, quiet)


def _whole_label(presenter: TablePresenter, page: ChoicePage, steps: Steps) -> str:
    """The whole move of *steps*, in the words of the keys by which it is chosen step by step."""
    menus, crowded = presenter.table.game.menus, len({one.step for one in page.choices}) > CROWDED
    said = menus.brief if crowded and menus.brief is not None else menus.label
    position, told = VisibleTable(presenter.table, page.seat).position, ""
    for number, step in enumerate(steps):
        one = presenter.say(said(position, page.seat, steps[:number], step))
        one = one.split(" · ")[0] if crowded else one
        if not told or one in told:
            told = told or one
        elif number == 1:
            # A later label may say where the move begins.
            told = f"{told} {_onward(one.rpartition('→')[2].strip())}"
        else:
            told = SEPARATOR.join((told, one))
    return told


def _face(presenter: TablePresenter, page: ChoicePage, step: str) -> str:
    """The game and the face of the button that continues *page* with *step*; "" for none."""
    game, position = presenter.table.game.key, VisibleTable(presenter.table, page.seat).position
    faces = face_set(game)
    name = faces and faces.face(position, page.seat, page.path, step)
    return f"{game}/{name}" if name else ""


def _onward(said: str) -> str:
    """*said* behind an arrow: words in lower case, tags unchanged, signs without arrow."""
    if not said[:1].isalnum():
        return said
    return "→ " + (said[:1].lower() + said[1:] if said[1:2].islower() else said)


def _blank(presenter: TablePresenter, cell: str) -> Button:
    """The button of a *cell* where there is nothing to choose."""
    return Button(BLANK, presenter.code(Action.MOVE, f"{BLANK}{cell}"), "blank")


def in_rows(buttons: Sequence[Button], *, even: bool = True) -> list[tuple[Button, ...]]:
    """*buttons* in rows that a phone has room for; if *even*, all of a row are equally wide."""
    rows: list[tuple[Button, ...]] = []
    row: tuple[Button, ...] = ()
    for button in buttons:
        wider = (*row, button)
        if not _fit(wider, even=even):
            rows.append(row)
            wider = (button,)
        row = wider
    return [*rows, row] if row else rows


def _fit(row: Sequence[Button], *, even: bool) -> bool:
    """Whether the labels of *row* can be read beside each other on a phone."""
    if not even:
        if len(row) > ROW_BUTTONS:
            return False
        return len(row) == 1 or sum(len(one.full_label) + EDGES for one in row) <= LINE
    longest = max(len(one.label) for one in row)
    return len(row) <= next((width for most, width in WIDTHS if longest <= most), 1)


def key_named(keys: Iterable[Button], text: str) -> str | None:
    """The code of the only one of *keys* that says *text*, whatever its signs where none does."""
    for alike in (casefolded, spelling):
        found = {one.code for one in keys if alike(text) in map(alike, (one.label, one.full_label))}
        if len(found) == 1:
            return found.pop()
    return None


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

    *alone* says that choosing is all there is to do: nothing follows the choices, or the same
    follows all of a crowd.
    """

    seat: Seat
    path: tuple[str, ...]
    choices: tuple[MoveChoice, ...]
    turn: tuple[str, ...] | None = None
    alone: bool = True
    grid: tuple[tuple[MoveChoice | str, ...], ...] = ()
    """The rows of a board whose cells are the first choices; what leads nowhere is its step."""
    begun: bool = False
    """Whether the viewer has chosen a step or turned a page and may go back."""
    whole: bool = False
    """Whether each choice is a whole move, so that several may begin with the same step."""


def steps_of(path: Sequence[str]) -> tuple[str, ...]:
    """What has been chosen: *path* without its turn of the page."""
    return tuple(step for step in path if not step.startswith(TURN))


def page_of(
    game: Game, position: Position[Any], seat: Seat, path: Sequence[str], space: Space
) -> ChoicePage:
    """The page that *path* leads to, with as many choices as *space* has room for.

    A board that fits is one page. Choices stand in the order of the board. First steps that all
    moves share are passed over. Raises ``IllegalMove`` for a path after which nothing is to choose.
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
    cells, apart = ((), ()) if start else (game.menus.grid(position) or (), game.menus.apart)
    choices = tuple(
        MoveChoice(step, _common(branches[step]), len(branches[step]) == 1)
        for step in _in_order(branches, cells, apart)
    )
    alone, grid = _all_there_is(choices, len(start) + 1), _grid(cells, choices, space)
    if not (steps_of(path) or grid) and len(choices) < len(moves) <= space.whole_moves:
        # All moves, in the order of the choices with which they begin.
        found = [(one.step, steps) for one in choices for steps in sorted(branches[one.step])]
        every = tuple(MoveChoice(step, steps, plays=True) for step, steps in found)
        return ChoicePage(seat, (), every, whole=True)
    page = ChoicePage(seat, start, choices, alone=alone, grid=grid, begun=bool(path))
    return _turn_page(page, path, space.choices)


def _turn_page(page: ChoicePage, path: Sequence[str], most: int | None) -> ChoicePage:
    """The part of *page*, of *most* choices, to which *path* has turned; a board is one page."""
    if page.grid or most is None or len(page.choices) <= most:
        return page
    *_, last = ("", *path)
    number = int(last.removeprefix(TURN)) if last.startswith(TURN) else 0
    pages = -(-len(page.choices) // most)
    shown = page.choices[number % pages * most :][:most]
    return replace(page, choices=shown, turn=(*page.path, f"{TURN}{(number + 1) % pages}"))


def _all_there_is(choices: Sequence[MoveChoice], depth: int) -> bool:
    """Whether nothing follows *choices*, which are *depth* steps deep, or the same after all."""
    rests = {choice.path[depth:] for choice in choices}
    crowd = len(choices) > CROWDED and all(one.plays for one in choices)
    return rests == {()} or (len(rests) == 1 and crowd)


def _in_order(steps: Collection[str], cells: Grid, apart: Steps) -> list[str]:
    """*steps* in the order of the board, then those off the board, then those *apart*."""
    order = dict.fromkeys((*(cell for row in cells for cell in row), *steps))
    near = [step for step in order if step in steps and step not in apart]
    return [*near, *(step for step in apart if step in steps)]


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
    # What the first and the last in order share, all between them share.
    first, last = min(branch), max(branch)
    while last[: len(first)] != first:
        first = first[:-1]
    return first
