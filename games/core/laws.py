"""The laws that every game keeps: the tests run them, and ``ludoteca check-game`` does.

A law takes a game and ``below(n)``, which draws from 0 … n-1, and raises ``BrokenLaw`` where the
game breaks it. It looks at one random position, or at the positions of one random walk.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from games.core.computer import Below
from games.core.errors import RuleError
from games.core.game import LOT, Game, Setting
from games.core.move_parsing import Menu, casefolded, pick, read_move, replay
from games.core.position import CHANCE, Position, Seat
from games.core.record import Entry, Record

Law: TypeAlias = Callable[[Game, Below], None]

PLIES = 60
"""How long a walk is at most."""

LONGEST_STEPS = 40
"""How many bytes the joined steps of a move take at most: they travel in a button."""

LARGEST_GRID = 8
"""How many rows and columns a grid of buttons has at most."""

_NONSENSE = ("", " ", "x", "~", "0-0-0", "a1a1a1a1", "¿?", "\u202eabc", "9" * 60)

_Item = TypeVar("_Item")


class BrokenLaw(Exception):
    """A game breaks a law, as the sentence says."""


def hold(kept: object, sentence: str) -> None:
    """Raise ``BrokenLaw`` with *sentence* unless *kept* is true."""
    if not kept:
        raise BrokenLaw(sentence)


def random_setting(game: Game, below: Below) -> Setting:
    """A setting with random seats, options and beginner."""
    seats = _one_of(list(game.rules.seats), below)
    wishes = {option.key: _one_of(option.values, below) for option in game.rules.options}
    return game.setting(wishes, seats, below(seats) if game.rules.begins[0] == LOT else 0)


def walk(
    game: Game, setting: Setting, below: Below, plies: int
) -> Iterator[tuple[Position[Any], Entry | None]]:
    """Positions of a random game and the entry that led to each."""
    position = game.start(setting)
    yield position, None
    for _ in range(plies):
        actors = sorted(position.actors())
        if not actors:
            return
        seat = _one_of(actors, below)
        move = _one_of(list(position.legal_moves(seat)), below)
        entry = Entry(
            seat, game.notation.written(position, move), draw=0 if seat == CHANCE else None
        )
        position = position.after(move)
        yield position, entry


def random_position(game: Game, below: Below) -> tuple[Setting, Position[Any]]:
    """A moment of a random walk of at most ``PLIES`` moves, and the setting it began with.

    It is the end of the walk, or any moment of a game that is over: short games end in most walks.
    """
    setting = random_setting(game, below)
    path = [position for position, _ in walk(game, setting, below, below(PLIES))]
    return setting, path[-1] if path[-1].actors() else path[below(len(path))]


def random_view(game: Game, below: Below) -> tuple[Setting, Position[Any], Seat]:
    """A random position as one of its seats sees it, the setting it began with, and that seat."""
    setting, position = random_position(game, below)
    viewer = below(len(setting.sides))
    return setting, position.seen_by(viewer), viewer


def a_forced_move_is_a_legal_one(game: Game, below: Below) -> None:
    """What a position plays by itself is among its legal moves."""
    _, position = random_position(game, below)
    for seat in position.actors() - {CHANCE}:
        forced = position.forced(seat)
        hold(forced is None or forced in position.legal_moves(seat), f"forced, not legal: {forced}")


def somebody_may_act_exactly_while_there_is_no_outcome(game: Game, below: Below) -> None:
    """A position without an outcome has somebody to move, one with an outcome has not."""
    _, position = random_position(game, below)
    hold(
        bool(position.actors()) == (position.outcome() is None),
        f"actors {sorted(position.actors())}, outcome {position.outcome()}",
    )


def a_seat_has_moves_exactly_while_it_may_act(game: Game, below: Below) -> None:
    """Whoever may act has a legal move, and nobody else has one."""
    setting, position = random_position(game, below)
    for seat in (CHANCE, *range(len(setting.sides))):
        hold(
            bool(position.legal_moves(seat)) == (seat in position.actors()),
            f"seat {seat} has moves: {bool(position.legal_moves(seat))}",
        )


def no_two_legal_moves_share_a_notation_and_each_is_read_back(game: Game, below: Below) -> None:
    """Each legal move has a notation of its own, by which it is found again."""
    _, position = random_position(game, below)
    for seat in position.actors():
        moves = position.legal_moves(seat)
        written = [casefolded(game.notation.written(position, move)) for move in moves]
        hold(len(set(written)) == len(written), f"one notation for two moves: {sorted(written)}")
        for move in moves[:12]:
            text = game.notation.written(position, move)
            hold(read_move(game, position, seat, text) == move, f"{text} is read as another move")


def what_is_parsed_is_what_is_found_among_the_legal_moves(game: Game, below: Below) -> None:
    """``Notation.parsed`` finds legal moves alone, and the right ones."""
    _, position = random_position(game, below)
    _, elsewhere = random_position(game, below)
    for seat in range(-1, len(game.rules.sides)):
        legal = {game.notation.written(position, m): m for m in position.legal_moves(seat)}
        texts = {game.notation.written(elsewhere, m) for m in elsewhere.legal_moves(seat)}
        for text in (*legal, *texts, *_NONSENSE[:4]):
            parsed = game.notation.parsed(position, seat, text)
            hold(parsed in (None, legal.get(text)), f"{text!r} of seat {seat} is read as {parsed}")


def no_spelling_hides_behind_the_notation_of_another_move(game: Game, below: Below) -> None:
    """No other spelling of a move is the notation of another one.

    A short spelling may fit several moves; the reader then lists them.
    """
    _, position = random_position(game, below)
    for seat in position.actors():
        moves = position.legal_moves(seat)
        notations = {casefolded(game.notation.written(position, move)) for move in moves}
        for move in moves:
            written = casefolded(game.notation.written(position, move))
            for way in game.notation.spellings(position, move):
                hold(
                    casefolded(way) not in notations - {written},
                    f"{way} is a spelling of {written} and the notation of another move",
                )


def steps_are_short_clean_and_prefix_free(game: Game, below: Below) -> None:
    """The clicks of a move fit into a button, and none are the beginning of another move's."""
    _, position = random_position(game, below)
    for seat in position.actors():
        paths = [game.menus.steps(position, move) for move in position.legal_moves(seat)]
        spelled = set(paths)
        hold(len(spelled) == len(paths), "two moves have the same steps")
        for path in paths:
            hold(path, "a move has no steps")
            hold(len(",".join(path).encode()) <= LONGEST_STEPS, f"too long: {path}")
            hold(all(step and not set(step) & set(" ,.») ") for step in path), f"unclean: {path}")
            hold(
                not any(path[:n] in spelled for n in range(1, len(path))),
                f"a beginning of {path} is a whole move",
            )


def every_move_begins_on_a_cell_of_the_grid_and_each_cell_is_another(
    game: Game, below: Below
) -> None:
    """A grid is a rectangle of at most 8 × 8 different cells, on which every move begins."""
    _, position = random_position(game, below)
    grid = game.menus.grid(position)
    if grid is None:
        return
    cells = [cell for row in grid for cell in row if cell]
    hold(len({len(row) for row in grid}) == 1, "the rows of the grid have different lengths")
    hold(max(len(grid), len(grid[0])) <= LARGEST_GRID, "the grid is too large")
    hold(len(set(cells)) == len(cells), "a cell stands twice in the grid")
    for seat in position.actors() - {CHANCE}:
        begun = {game.menus.steps(position, move)[0] for move in position.legal_moves(seat)}
        hold(begun <= set(cells), f"outside the grid: {sorted(begun - set(cells))}")


def clicking_through_menus_ends_in_a_legal_move(game: Game, below: Below) -> None:
    """Whoever presses any offered button at each question ends at a legal move."""
    _, position = random_position(game, below)
    for seat in position.actors() - {CHANCE}:
        choice: Menu | object = pick(game, position, seat)
        for _ in range(12):
            if not isinstance(choice, Menu):
                break
            step = _one_of(choice.options, below)
            game.menus.label(position, seat, choice.path, step)
            game.menus.question(position, seat, choice.path)
            choice = pick(game, position, seat, (*choice.path, step))
        hold(choice in position.legal_moves(seat), f"the clicks end at {choice}")


def replay_of_a_log_gives_the_same_position(game: Game, below: Below) -> None:
    """The log of a game is enough to reach its position again, and its record is read back."""
    setting = random_setting(game, below)
    walked = list(walk(game, setting, below, below(PLIES)))
    position = walked[-1][0]
    log = [entry for _, entry in walked if entry]
    hold(replay(game, game.start(setting), log) == position, "the log leads to another position")
    record = Record(game.key, setting.sides, setting.options, setting.first, tuple(log))
    hold(Record.read(record.text()) == record, "the record is read back as another one")


def reading_the_text_gives_the_same_moves_and_words(game: Game, below: Below) -> None:
    """The text of a position carries all that its moves and its words depend on."""
    setting, position = random_position(game, below)
    again = game.notation.read(game.notation.text(position), setting.options)
    hold(game.notation.text(again) == game.notation.text(position), "the text changes when read")
    if position.outcome() is not None:
        return
    hold(again.actors() == position.actors(), "others may act once the text is read")
    for seat in position.actors():
        hold(
            list(again.legal_moves(seat)) == list(position.legal_moves(seat)),
            f"seat {seat} has other moves once the text is read",
        )
    said = list(game.speech.describe(again)), list(game.speech.describe(position))
    hold(said[0] == said[1], "the words differ once the text is read")


def a_view_of_a_view_shows_no_more(game: Game, below: Below) -> None:
    """What a seat sees is all it can see: looking again, also as a spectator, adds nothing."""
    setting, position = random_position(game, below)
    for seat in (None, *range(len(setting.sides))):
        seen = position.seen_by(seat)
        hold(seen.seen_by(seat) == seen, f"seat {seat} sees more the second time")
        hold(
            seen.seen_by(None) == position.seen_by(None),
            f"a spectator sees more through seat {seat}",
        )


def different_positions_have_different_words(game: Game, below: Below) -> None:
    """The words tell apart whatever the picture tells apart, so that a blind player can play."""
    setting = random_setting(game, below)
    words: dict[tuple[object, ...], Position[Any]] = {}
    for position, _ in walk(game, setting, below, 40):
        seen = position.seen_by(0)
        other = words.setdefault(tuple(game.speech.describe(seen)), seen)
        hold(
            game.notation.text(other) == game.notation.text(seen),
            f"same words: {game.notation.text(other)} and {game.notation.text(seen)}",
        )


def nonsense_is_refused(game: Game, below: Below) -> None:
    """Whatever is typed is a move or is refused with a ``RuleError``."""
    setting, position = random_position(game, below)
    for text in _NONSENSE:
        for seat in range(len(setting.sides)):
            with contextlib.suppress(RuleError):
                read_move(game, position, seat, text)
        with contextlib.suppress(RuleError):
            game.notation.read(text, setting.options)


def the_computer_plays_legal_moves(game: Game, below: Below) -> None:
    """Each level chooses a legal move, also where it may hardly think."""
    _, position = random_position(game, below)
    for seat in position.actors() - {CHANCE}:
        level = below(game.computer.levels) + 1
        choice = game.computer.choose(position.seen_by(seat), seat, level, _Hurry(), below)
        text = game.notation.written(position, choice.move)
        # A move with its own remark, such as an announcement, is a longer line (``read_move``).
        legal = (*position.legal_moves(seat), *game.notation.expanded(position, seat, text))
        hold(choice.move in legal, f"level {level} plays {choice.move}")
        hold(-1 <= choice.value <= 1, f"level {level} values a position {choice.value}")


LAWS: tuple[Law, ...] = (
    a_forced_move_is_a_legal_one,
    somebody_may_act_exactly_while_there_is_no_outcome,
    a_seat_has_moves_exactly_while_it_may_act,
    no_two_legal_moves_share_a_notation_and_each_is_read_back,
    what_is_parsed_is_what_is_found_among_the_legal_moves,
    no_spelling_hides_behind_the_notation_of_another_move,
    steps_are_short_clean_and_prefix_free,
    every_move_begins_on_a_cell_of_the_grid_and_each_cell_is_another,
    clicking_through_menus_ends_in_a_legal_move,
    replay_of_a_log_gives_the_same_position,
    reading_the_text_gives_the_same_moves_and_words,
    a_view_of_a_view_shows_no_more,
    different_positions_have_different_words,
    nonsense_is_refused,
)
"""The laws of positions; ``the_computer_plays_legal_moves`` is apart, since thinking takes long."""


class _Hurry:
    """A budget of fifty looks."""

    def __init__(self) -> None:
        self.left = 50

    def is_spent(self) -> bool:
        self.left -= 1
        return self.left <= 0


def _one_of(items: Sequence[_Item], below: Below) -> _Item:
    return items[below(len(items))]
