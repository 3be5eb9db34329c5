"""The choices on a screen: pages of any size, joined steps, taps that select, short codes."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.presenters.button_codes import LONGEST_CODE, Action, Click, encode_click
from bot.presenters.table.composer import Composer
from bot.presenters.table.keyboard import TURN, page_of, steps_of
from bot.presenters.table.viewers import Space, Viewer
from games.core import CHANCE, IllegalMove, pick
from games.core.shelf import shelf
from tests import toy
from tests.fakes import Desk, person
from tests.games.core.test_core import WIDE, Wide
from tests.games.random_walks import random_setting, walk

EVERY = pytest.mark.parametrize("game", [*shelf().values(), toy.GAME], ids=lambda game: game.key)
SEEDS = st.integers(0, 2**32)
SIZES = st.sampled_from([Space(24), Space(48, 8), Space(None, 0)])
NEREA, BRUNO = person("Nerea"), person("Bruno")
LATE = 36**4 - 1
"""A table's turn after more moves than any game has."""


@EVERY
@given(seed=SEEDS, most=SIZES)
def test_any_move_takes_three_taps_or_fewer_and_every_code_on_the_way_fits(game, seed, most):
    rng = random.Random(seed)
    *_, (position, _) = walk(game, random_setting(game, rng), rng, rng.randrange(60))
    for seat in position.actors() - {CHANCE}:
        path, taps = (), 0
        while True:
            page = page_of(game, position, seat, path, most)
            onward = [choice.path for choice in page.choices]
            onward += [page.turn] if page.turn is not None else []
            onward += [(*page.path, choice.step) for choice in page.choices]
            for codes in onward:
                assert (
                    len(encode_click(Click(Action.MOVE, "ABCDEF", LATE, codes), b"key"))
                    <= LONGEST_CODE
                )
            chosen = rng.choice(page.choices)
            path, taps = chosen.path, taps + 1
            if chosen.plays:
                break
        assert pick(game, position, seat, path) in position.legal_moves(seat)
        # Cirya's tallest nossër fall in more ways than one menu holds.
        assert taps <= 3 or game.key == "cirya"


@given(number=st.integers(1, 130), most=st.sampled_from([1, 24, None]))
def test_every_choice_is_on_one_page_and_no_page_is_too_long(number, most):
    wide = Wide(tuple((f"s{n}",) for n in range(number)))
    path: tuple[str, ...] = ()
    seen: list[str] = []
    for _ in range(number):
        page = page_of(WIDE, wide, 0, path, Space(most))
        assert most is None or len(page.choices) <= most
        seen += [choice.step for choice in page.choices]
        if page.turn is None or page.turn == (f"{TURN}0",):
            break
        path = page.turn
    assert seen == [f"s{n}" for n in range(number)]


def test_a_turn_of_the_page_is_no_step_and_the_next_question_begins_on_its_first_page():
    wide = Wide(tuple((f"s{n}", f"t{m}") for n in range(40) for m in range(40)))
    second = page_of(WIDE, wide, 0, (f"{TURN}1",), Space(24))
    assert second.path == ()
    assert steps_of(second.turn or ()) == ()
    assert second.choices[0].path == ("s24",)
    assert page_of(WIDE, wide, 0, ("s24",), Space(24)).choices[0].step == "t0"


def test_what_leaves_no_choice_is_joined_into_one_button():
    wide = Wide((("a", "x", "1"), ("b", "x", "1"), ("b", "x", "2")))
    first, second = page_of(WIDE, wide, 0, (), Space(24)).choices
    assert (first.path, first.plays) == (("a", "x", "1"), True)
    assert (second.path, second.plays) == (("b", "x"), False)
    (alone,) = page_of(WIDE, wide, 0, ("a",), Space(24)).choices
    assert alone.path == ("a", "x", "1")


def test_a_whole_move_asks_nothing():
    with pytest.raises(IllegalMove):
        page_of(WIDE, Wide((("a",), ("b",))), 0, ("a",), Space(24))


async def shown(at: Desk, game: str):
    await at.call(NEREA, "play", game=game, opponent=BRUNO)
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Aceptar")
    code = message.screen.table
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    mover = NEREA if table.players[seat].name == "Nerea" else BRUNO
    return code, mover, at.chat.board(code)


async def test_a_button_that_plays_says_where_from_and_where_to(at):
    *_, board = await shown(at, "shogi")
    pawn = board.button("7g")
    assert pawn.label == "peón 7g → 7f"


@pytest.mark.slow
async def test_a_tap_on_the_picture_selects_before_it_plays(at):
    code, mover, board = await shown(at, "shogi")
    await at.press(mover, board, code=board.button("7g").tap)
    assert not (await at.facade.services.tables.get(code)).log
    board = at.chat.board(code)
    (target,) = board.moves
    assert target.step == "7f"
    await at.press(mover, board, code=target.tap)
    assert len((await at.facade.services.tables.get(code)).log) == 1


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["niya", "cirya", "parchis"])
async def test_a_tap_plays_where_the_move_is_one_cell(at, game):
    *_, board = await shown(at, game)
    choices = [button for button in board.moves if button.step]
    assert choices, "the board is shown"
    assert all(button.tap == button.code for button in choices)
    assert not any("→" in button.label for button in choices if game == "cirya")


async def test_c5_the_second_placement_too_is_one_tap_and_shown(at):
    code, mover, board = await shown(at, "cirya")
    await at.press(mover, board, code=board.moves[0].code)
    second = at.chat.board(code)
    assert second.screen.version == (await at.facade.services.tables.get(code)).version
    choices = [button for button in second.moves if button.step]
    assert len(choices) == 24
    assert all(button.tap == button.code for button in choices)


async def test_a_button_that_plays_two_pieces_at_once_says_where_each_goes(at):
    await at.call(
        *(NEREA, "play"),
        game="storill",
        side="verde",
        begins="verde",
        options="Despliegue=a la vista, verde primero",
    )
    (message,) = at.chat.messages.values()
    await at.call(BRUNO, "join", table=message.screen.table)
    for who, move in ((NEREA, "preset wings"), (NEREA, "ready"), (BRUNO, "ready")):
        assert (await at.call(who, "move", move=move)).good
    await at.settle()
    labels = [one.label for row in at.chat.board(message.screen.table).screen.rows for one in row]
    assert (
        next(label for label in labels if "señores" in label)
        == "Los dos señores a la vez → SÞ b2→c2, SD c2→d2"
    )


@EVERY
@given(seed=SEEDS)
def test_where_few_moves_are_legal_each_has_one_button_on_a_board_that_others_see(game, seed):
    rng = random.Random(seed)
    *_, (position, _) = walk(game, random_setting(game, rng), rng, rng.randrange(60))
    for seat in position.actors() - {CHANCE}:
        moves, space = position.legal_moves(seat), Space(48, 8)
        page = page_of(game, position, seat, (), replace(space, whole_moves=40))
        if page.whole:
            assert len(page.choices) == len(moves) <= 40
            found = [pick(game, position, seat, choice.path) for choice in page.choices]
            assert sorted(map(str, found)) == sorted(map(str, moves))
        else:
            assert page == page_of(game, position, seat, (), space)


async def test_a_button_of_a_whole_move_says_the_piece_and_where_it_goes(at):
    code, *_ = await shown(at, "shogi")
    table = await at.facade.services.tables.get(code)
    board = Composer(table, Viewer(None, space=Space(48, 8, whole_moves=40)), b"key").board()
    labels = [one.label for row in board.buttons for one in row if one.step]
    assert [one for one in labels if " 2h → " in one] == [
        f"torre 2h → {column}h" for column in (1, 3, 4, 5, 6, 7)
    ]
    assert len(board.scene.targets) < len(labels) == 30
