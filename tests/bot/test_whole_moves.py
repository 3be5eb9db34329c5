"""Where calls are scarce a move is one press: each has a key of its own while they are few."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.port import Capabilities, Pace, Press, Space
from bot.presenters.button_codes import ChatButtons, base36
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.session import play
from bot.session.table import PLAYING
from bot.texts import language
from games.core import Menu, phrase, pick
from games.core.shelf import shelf
from games.parchis.menus import MENUS
from games.parchis.moves import Throw
from tests.bot.test_in_turn import Evening, parchis_held
from tests.fakes import person
from tests.slow_parameters import by_turns

KEY = b"k" * 32
SCARCE, USUAL = Space(48, 8, even=True, whole_moves=40), Space(48, 8, even=True)


def keys(at: Evening, space: Space, code: str = "es"):
    board = Composer(at.table, Viewer(None, code, space=space), KEY).board()
    return [one for row in board.rows for one in row if one.code.startswith("m.")]


def boards(key: str):
    """Boards of a game in which whoever is to move hides nothing."""
    options = {"setup": "fixed"} if key == "storilljudhjorrayc" else {}
    for seed in range(2):
        at, rng = Evening(key, seed.to_bytes(32, "big"), **options), random.Random(seed)
        while at.table.status == PLAYING and len(at.table.log) < 70:
            yield at
            at.move(rng)


@pytest.mark.parametrize(("key", "code"), by_turns(sorted(shelf()), ["es", "en"]))
def test_each_key_plays_a_move_and_says_which(key, code):
    for at in boards(key):
        shown, steps = keys(at, SCARCE, code), at.steps()
        usual = [one for one in keys(at, USUAL, code) if one.style != "blank"]
        at_once = all(ChatButtons(KEY).click(one.code).path in steps for one in usual)
        grid = any(one.style == "blank" for one in shown)
        if len(steps) > SCARCE.whole_moves or at_once or grid:
            assert {one.code for one in usual} <= {one.code for one in shown}
            continue
        board = Composer(at.table, Viewer(None, code, space=SCARCE), KEY).board()
        assert board.lines[-1] == {"es": "Elige tu jugada.", "en": "Choose your move."}[code]
        game, position, seat = at.table.game, at.table.present, at.mover
        paths = [ChatButtons(KEY).click(one.code).path for one in shown]
        played = [pick(game, position, seat, path) for path in paths]
        assert not any(isinstance(one, Menu) for one in played)
        assert sorted(paths) == sorted(steps)
        assert len({one.label for one in shown}) == len(shown)
        assert all(0 < len(one.label) <= 66 for one in shown)


@pytest.mark.parametrize("code", ["es", "en"])
def test_a_key_reads_alike_whether_boards_come_late_or_not(code):
    for at, _ in zip(boards("shogi"), range(20), strict=False):
        usual = {one.code: one.label for one in keys(at, USUAL, code)}
        late = {one.code: one.label for one in keys(at, SCARCE, code)}
        assert all(late.get(one, label) == label for one, label in usual.items())
        pieces = tuple(label for one, label in usual.items() if one not in late)
        assert all(late[one].startswith(pieces) for one in late if one not in usual)


async def test_a_group_at_its_limit_has_them_and_any_other_has_none(at):
    nerea, bruno = person("Nerea"), person("Bruno")
    people = {one.name: one for one in (nerea, bruno)}
    await at.call(nerea, "play", game="shogi", opponent=bruno)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.press(bruno, at.chat.board(code), "Aceptar")
    at.chat.limit, at.chat.capabilities = Pace(200, 20.0), Capabilities(whole_moves=40)
    pacing = at.facade.services.delivery.pacing
    pacing._limiters._kept.clear()
    limiter = pacing.limiter(at.where)
    assert len(at.chat.board(code).moves) < 20
    for full in (True, False):
        limiter._done.clear()
        for _ in range(197 if full else 0):
            limiter.note()
        table = await at.facade.services.tables.get(code)
        mover = people[table.players[min(table.actors())].name]
        board = at.chat.board(code)
        if len(board.moves) < 20:
            await at.press(mover, board, board.moves[0].label)
            board = at.chat.board(code)
        await at.facade.requests.press(
            Press(f"move{full}", at.where, mover, board.moves[0].code, board.id)
        )
        await at.settle()
        assert (len(at.chat.board(code).moves) >= 20) == full


@pytest.mark.parametrize(
    ("code", "label"), [("es", "🎲 Tirar, si ya te toca"), ("en", "🎲 Roll, if it is your turn")]
)
def test_a_choice_has_the_key_of_whoever_comes_next_where_calls_are_scarce_alone(code, label):
    at, *_ = parchis_held()
    seat, rng = at.mover, random.Random(3)
    *_, last = keys(at, SCARCE, code)
    click = ChatButtons(KEY).click(last.code)
    assert (last.label, click.path) == (label, ("tirar",))
    assert label not in [one.label for one in keys(at, USUAL, code)]
    # Too early it tells the throw once more, and afterwards it is anybody's.
    assert play.entries_of_press(at.table, seat, click.turn, click.path, None)
    throwers = set()
    while len(throwers) < 4:
        if at.steps() == [("tirar",)]:
            assert isinstance(at.meant(at.mover, click.turn, click.path), Throw)
            throwers.add(at.mover)
        at.move(rng)


def test_where_the_dice_fall_by_themselves_no_key_rolls():
    at, rng = Evening("parchis", bytes(32), seats=4, rolling="auto"), random.Random(3)
    for _ in range(60):
        assert {ChatButtons(KEY).click(one.code).path for one in keys(at, SCARCE)} <= {*at.steps()}
        at.move(rng)


@pytest.mark.parametrize(("code", "asked"), [("es", "Elige entre"), ("en", "Choose between")])
def test_keys_that_hold_stand_below_the_throw_where_calls_are_scarce_alone(code, asked):
    at, _, held = parchis_held()
    seat, last = at.mover, at.table.last_choice(at.mover)
    choices = play.choices_held(at.table, seat)
    names = [MENUS.label(at.table.present, seat, (one,), one) for one in choices]
    said = language(code).say(phrase("house.choose", said="", choices=tuple(names)))
    assert asked in said
    at.table = replace(at.table, position=last.before)
    throw, *more = keys(at, SCARCE, code)
    assert [ChatButtons(KEY).click(one.code).path for one in more] == [("tirar", x) for x in held]
    assert all(len(one.label) == 2 for one in more)
    *_, below = Composer(at.table, Viewer(None, code, space=SCARCE), KEY).board().lines
    assert below.startswith(("Pulsa una ficha para tirar", "Press a piece to roll"))
    assert [one.label for one in keys(at, USUAL, code)] == [throw.label]
    assert all(
        one.label in said for one in more if ChatButtons(KEY).click(one.code).path[1] in choices
    )


def test_where_the_dice_roll_by_themselves_no_key_is_for_a_throw():
    at = Evening("parchis", bytes(32), seats=2, rolling="auto")
    rng, chose = random.Random(4), 0
    while at.table.status == PLAYING and chose < 30:
        if len(at.steps()) > 1:
            chose += 1
            assert {ChatButtons(KEY).click(one.code).path[0] for one in keys(at, SCARCE)} == {
                one[0] for one in at.steps()
            }
        at.move(rng)
    assert chose


def test_no_code_tells_a_number_below_zero():
    with pytest.raises(ValueError, match="-1"):
        base36(-1)
