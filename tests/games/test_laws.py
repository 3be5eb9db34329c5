"""The laws of positions, for every game on the shelf and for the toy game."""

from __future__ import annotations

import contextlib
import random
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.texts import LANGUAGES, language
from games.core import (
    CHANCE,
    Game,
    Menu,
    Menus,
    Notation,
    Position,
    Record,
    RuleError,
    Speech,
    casefolded,
    pick,
    read_move,
    replay,
)
from games.core.shelf import shelf
from tests import toy
from tests.games.laws import random_setting, walk

GAMES = [*shelf().values(), toy.GAME]
EVERY = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
SEEDS = st.integers(0, 2**32)
PLIES = 60


def positions(game: Game, seed: int):
    rng = random.Random(seed)
    setting = random_setting(game, rng)
    *_, (position, _) = walk(game, setting, rng, rng.randrange(PLIES))
    return setting, position


def refusal_of(game, position, seat, text) -> RuleError | None:
    try:
        read_move(game, position, seat, text)
    except RuleError as refused:
        return refused
    return None


def test_a_position_knows_rules_and_neither_notation_nor_buttons_nor_words():
    asked = {name for name in vars(Position) if not name.startswith("_")}
    assert asked == {
        *("actors", "legal_moves", "after", "outcome"),
        *("seen_by", "move_seen", "forced", "overdue", "asides", "rulings"),
    }


@EVERY
def test_no_position_answers_what_a_part_of_its_game_is_asked(game):
    parts = {part.name for one in (Notation, Menus, Speech) for part in fields(one)}
    assert not parts & set(dir(type(game.start(game.setting()))))


@EVERY
@given(seed=SEEDS)
def test_a_forced_move_is_a_legal_one(game, seed):
    _, position = positions(game, seed)
    for seat in position.actors() - {CHANCE}:
        forced = position.forced(seat)
        assert forced is None or forced in position.legal_moves(seat)


@EVERY
@given(seed=SEEDS)
def test_somebody_may_act_exactly_while_there_is_no_outcome(game, seed):
    _, position = positions(game, seed)
    assert bool(position.actors()) == (position.outcome() is None)


@EVERY
@given(seed=SEEDS)
def test_a_seat_has_moves_exactly_while_it_may_act(game, seed):
    setting, position = positions(game, seed)
    for seat in (CHANCE, *range(len(setting.sides))):
        assert bool(position.legal_moves(seat)) == (seat in position.actors())


@EVERY
@given(seed=SEEDS)
def test_no_two_legal_moves_share_a_notation_and_each_is_read_back(game, seed):
    _, position = positions(game, seed)
    for seat in position.actors():
        moves = position.legal_moves(seat)
        written = [casefolded(game.notation.written(position, move)) for move in moves]
        assert len(set(written)) == len(written)
        for move in moves[:12]:
            assert read_move(game, position, seat, game.notation.written(position, move)) == move


@EVERY
@given(seed=SEEDS, other=SEEDS)
def test_what_is_parsed_is_what_is_found_among_the_legal_moves(game, seed, other):
    _, position = positions(game, seed)
    _, elsewhere = positions(game, other)
    for seat in range(-1, len(game.sides)):
        legal = {game.notation.written(position, m): m for m in position.legal_moves(seat)}
        texts = {game.notation.written(elsewhere, m) for m in elsewhere.legal_moves(seat)}
        for text in (*legal, *texts, "", " ", "x", "~"):
            assert game.notation.parsed(position, seat, text) in (None, legal.get(text))


@EVERY
@given(seed=SEEDS)
def test_no_spelling_hides_behind_the_notation_of_another_move(game, seed):
    _, position = positions(game, seed)
    for seat in position.actors():
        notations = {
            casefolded(game.notation.written(position, move)) for move in position.legal_moves(seat)
        }
        for move in position.legal_moves(seat):
            written = casefolded(game.notation.written(position, move))
            for way in game.notation.spellings(position, move):
                # A short spelling may fit several moves; the reader then lists them. It
                # never hides behind another move's own notation.
                assert casefolded(way) not in notations - {written}


@EVERY
@given(seed=SEEDS)
def test_steps_are_short_clean_and_prefix_free(game, seed):
    _, position = positions(game, seed)
    for seat in position.actors():
        paths = [game.menus.steps(position, move) for move in position.legal_moves(seat)]
        assert len(set(paths)) == len(paths)
        for path in paths:
            assert path
            assert len(",".join(path).encode()) <= 40
            assert all(step and not set(step) & set(" ,.») ") for step in path)
        spelled = set(paths)
        assert not any(path[:n] in spelled for path in paths for n in range(1, len(path)))


@EVERY
@given(seed=SEEDS)
def test_every_move_begins_on_a_cell_of_the_grid_and_each_cell_is_another(game, seed):
    _, position = positions(game, seed)
    grid = game.menus.grid(position)
    if grid is None:
        return
    cells = [cell for row in grid for cell in row if cell]
    assert len({len(row) for row in grid}) == 1
    assert max(len(grid), len(grid[0])) <= 8
    assert len(set(cells)) == len(cells)
    for seat in position.actors() - {CHANCE}:
        assert {game.menus.steps(position, move)[0] for move in position.legal_moves(seat)} <= set(
            cells
        )


@EVERY
@given(seed=SEEDS, clicks=st.integers(0, 2**32))
def test_clicking_through_menus_ends_in_a_legal_move(game, seed, clicks):
    _, position = positions(game, seed)
    rng = random.Random(clicks)
    for seat in position.actors() - {CHANCE}:
        choice: Menu | object = pick(game, position, seat)
        for _ in range(12):
            if not isinstance(choice, Menu):
                break
            step = rng.choice(choice.options)
            game.menus.label(position, seat, choice.path, step)
            game.menus.question(position, seat, choice.path)
            choice = pick(game, position, seat, (*choice.path, step))
        assert choice in position.legal_moves(seat)


@EVERY
@given(seed=SEEDS)
def test_replay_of_a_log_gives_the_same_position(game, seed):
    rng = random.Random(seed)
    setting = random_setting(game, rng)
    walked = list(walk(game, setting, rng, rng.randrange(PLIES)))
    position = walked[-1][0]
    log = [entry for _, entry in walked if entry]
    assert replay(game, game.start(setting), log) == position
    record = Record(game.key, setting.sides, setting.options, setting.first, tuple(log))
    assert Record.read(record.text()) == record


@EVERY
@given(seed=SEEDS)
def test_reading_the_text_gives_the_same_moves_and_words(game, seed):
    setting, position = positions(game, seed)
    again = game.notation.read(game.notation.text(position), setting.options)
    assert game.notation.text(again) == game.notation.text(position)
    if position.outcome() is not None:
        return
    assert again.actors() == position.actors()
    for seat in position.actors():
        assert list(again.legal_moves(seat)) == list(position.legal_moves(seat))
    assert list(game.speech.describe(again)) == list(game.speech.describe(position))


@EVERY
@given(seed=SEEDS)
def test_a_view_of_a_view_shows_no_more(game, seed):
    setting, position = positions(game, seed)
    for seat in (None, *range(len(setting.sides))):
        seen = position.seen_by(seat)
        assert seen.seen_by(seat) == seen
        assert seen.seen_by(None) == position.seen_by(None)


@EVERY
@given(seed=SEEDS)
def test_different_positions_have_different_words(game, seed):
    rng = random.Random(seed)
    setting = random_setting(game, rng)
    words: dict[tuple, Position] = {}
    for position, _ in walk(game, setting, rng, 40):
        seen = position.seen_by(0)
        said = tuple(game.speech.describe(seen))
        other = words.setdefault(said, seen)
        assert game.notation.text(other) == game.notation.text(seen)


@EVERY
@given(seed=SEEDS)
def test_everything_said_has_words_in_every_language(game, seed):
    if game.key == "toy":
        return
    _, position = positions(game, seed)
    said = [
        *game.speech.describe(position.seen_by(0)),
        *game.speech.notices(position),
        *game.speech.hints(position),
    ]
    for seat in position.actors():
        said.append(game.menus.question(position, seat, ()))
        for move in position.legal_moves(seat)[:8]:
            said.append(game.speech.spoken(position, move))
            steps = game.menus.steps(position, move)
            said += [
                game.menus.label(position, seat, steps[:n], steps[n]) for n in range(len(steps))
            ]
            said += [game.menus.question(position, seat, steps[:n]) for n in range(len(steps))]
        said.append(game.speech.refusal(position, seat, "zz9").phrase)
    for code in LANGUAGES:
        for one in said:
            text = language(code).say(one)
            assert text.strip()
            assert len(text) <= 600


@EVERY
@given(seed=SEEDS, text=st.text(max_size=80))
def test_nonsense_gets_a_sentence_and_never_a_traceback(game, seed, text):
    setting, position = positions(game, seed)
    for seat in range(len(setting.sides)):
        refused = refusal_of(game, position, seat, text)
        if refused and game.key != "toy":
            assert language("es").say(refused.phrase)
    with contextlib.suppress(RuleError):
        game.notation.read(text, setting.options)
