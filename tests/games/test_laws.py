"""The laws of positions, for every game on the shelf and for the toy game."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.texts import LANGUAGES, language
from games.core import (
    CHANCE,
    Game,
    Menu,
    Move,
    Position,
    Record,
    RuleError,
    folded,
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


def refusal_of(position, seat, text) -> RuleError | None:
    try:
        read_move(position, seat, text)
    except RuleError as refused:
        return refused
    return None


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
        written = [folded(position.notation(move)) for move in moves]
        assert len(set(written)) == len(written)
        for move in moves[:12]:
            assert read_move(position, seat, position.notation(move)) == move


@EVERY
@given(seed=SEEDS)
def test_spellings_begin_with_the_notation_and_lead_to_one_move(game, seed):
    _, position = positions(game, seed)
    for seat in position.actors():
        owners: dict[str, Move] = {}
        notations = {folded(position.notation(move)) for move in position.legal_moves(seat)}
        for move in position.legal_moves(seat):
            ways = position.spellings(move)
            assert ways[0] == position.notation(move)
            for way in ways[1:]:
                # A short spelling may fit several moves; the reader then lists them. It
                # never hides behind another move's own notation.
                owners.setdefault(folded(way), move)
                assert folded(way) not in notations - {folded(ways[0])}


@EVERY
@given(seed=SEEDS)
def test_steps_are_short_clean_and_prefix_free(game, seed):
    _, position = positions(game, seed)
    for seat in position.actors():
        paths = [position.steps(move) for move in position.legal_moves(seat)]
        assert len(set(paths)) == len(paths)
        for path in paths:
            assert path
            assert len(",".join(path).encode()) <= 40
            assert all(step and not set(step) & set(" ,.») ") for step in path)
        spelled = set(paths)
        assert not any(path[:n] in spelled for path in paths for n in range(1, len(path)))


@EVERY
@given(seed=SEEDS, clicks=st.integers(0, 2**32))
def test_clicking_through_menus_ends_in_a_legal_move(game, seed, clicks):
    _, position = positions(game, seed)
    rng = random.Random(clicks)
    for seat in position.actors() - {CHANCE}:
        choice: Menu | object = pick(position, seat)
        for _ in range(12):
            if not isinstance(choice, Menu):
                break
            step = rng.choice(choice.options)
            position.label(seat, choice.path, step)
            position.question(seat, choice.path)
            choice = pick(position, seat, (*choice.path, step))
        assert choice in position.legal_moves(seat)


@EVERY
@given(seed=SEEDS)
def test_replay_of_a_log_gives_the_same_position(game, seed):
    rng = random.Random(seed)
    setting = random_setting(game, rng)
    walked = list(walk(game, setting, rng, rng.randrange(PLIES)))
    position = walked[-1][0]
    log = [entry for _, entry in walked if entry]
    assert replay(game.start(setting), log) == position
    record = Record(game.key, setting.sides, setting.options, setting.first, tuple(log))
    assert Record.read(record.text()) == record


@EVERY
@given(seed=SEEDS)
def test_reading_the_text_gives_the_same_moves_and_words(game, seed):
    setting, position = positions(game, seed)
    again = game.read(position.text(), setting.options)
    assert again.text() == position.text()
    if position.outcome() is not None:
        return
    assert again.actors() == position.actors()
    for seat in position.actors():
        assert list(again.legal_moves(seat)) == list(position.legal_moves(seat))
    assert list(game.describe(again)) == list(game.describe(position))


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
        said = tuple(game.describe(seen))
        other = words.setdefault(said, seen)
        assert other.text() == seen.text()


@EVERY
@given(seed=SEEDS)
def test_everything_said_has_words_in_every_language(game, seed):
    if game.key == "toy":
        return
    _, position = positions(game, seed)
    said = [*game.describe(position.seen_by(0)), *position.notices()]
    for seat in position.actors():
        said.append(position.question(seat, ()))
        for move in position.legal_moves(seat)[:8]:
            said.append(position.spoken(move))
            steps = position.steps(move)
            said += [position.label(seat, steps[:n], steps[n]) for n in range(len(steps))]
            said += [position.question(seat, steps[:n]) for n in range(len(steps))]
        said.append(position.refusal(seat, "zz9").phrase)
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
        refused = refusal_of(position, seat, text)
        if refused and game.key != "toy":
            assert language("es").say(refused.phrase)
    with contextlib.suppress(RuleError):
        game.read(text, setting.options)
