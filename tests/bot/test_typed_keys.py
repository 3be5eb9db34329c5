"""What stands on the keys of a board, typed: it does what pressing them does."""

from __future__ import annotations

import itertools

import pytest

from bot.port import Button, Card, MenuAnswer, Said, Where
from bot.presenters.button_codes import Action
from bot.presenters.table.composer import Composer
from bot.presenters.table.keyboard import key_named
from bot.presenters.table.viewers import Viewer
from bot.presenters.typed_command_parser import parse_deed, parse_words
from games.core.shelf import shelf
from tests.bot.test_plain_words import answer_to
from tests.fakes import Desk, desk, person
from tests.played import tables

NEREA, BRUNO = person("Nerea"), person("Bruno")
KEY = b"k" * 32


async def game_of(at: Desk, key: str, **values: str):
    """The table of a game of two, and who is to move there."""
    await at.call(NEREA, "play", game=key, opponent=BRUNO, **values)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.press(BRUNO, at.chat.board(code), "Aceptar")
    table = await at.facade.services.tables.get(code)
    (seat, *_) = table.actors()
    return table, NEREA if table.players[seat].name == "Nerea" else BRUNO


async def typed(at: Desk, who, text: str, where: Where | None = None, **more):
    answer = await answer_to(at, who, where or at.where, text, **more)
    await at.settle()
    return answer


async def log_of(at: Desk, table) -> int:
    return len((await at.facade.services.tables.get(table.code)).log)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("code", ["es", "en"])
@pytest.mark.parametrize("key", sorted(shelf()))
def test_no_two_keys_of_a_board_are_typed_alike_and_none_is_another_command(key, code):
    options = {"setup": "fixed"} if key == "storilljudhjorrayc" else {}
    for table in itertools.islice(tables(shelf()[key], options, most=90), 0, None, 3):
        rows = Composer(table, Viewer(None, code), KEY).board().rows
        keys = [one for row in rows for one in row if one.style == "move"]
        for one in keys:
            for text in (one.full_label, f" 🎲 {one.label.upper()} "):
                if one.letter or len({each.label for each in keys}) == len(keys):
                    assert key_named(keys, text) == one.code or "🎲" in text
                read = parse_words(text)
                assert read is None or read[0].act in (Action.MOVE, Action.ANSWER), text


def test_signs_are_read_where_letters_do_not_tell_keys_apart():
    keys = [Button("→ 2c", "a"), Button("→ 2c+", "b")]
    assert [key_named(keys, text) for text in ("→2C", "→ 2c +", "2c")] == ["a", "b", None]


@pytest.mark.parametrize("home", [False, True], ids=["group", "private"])
async def test_a_key_of_a_move_is_typed_as_it_stands(tmp_path, home):
    async with desk(tmp_path) as at:
        table, who = await game_of(at, "shogi")
        where = Where("fake", who.external, private=True) if home else at.where
        for number, (text, mover) in enumerate((("peón 2g → 2f", who), ("Peón 8c→8d", None)), 1):
            mover = mover or (BRUNO if who == NEREA else NEREA)
            here = Where("fake", mover.external, private=True) if home else at.where
            answer = await typed(at, mover, text, here)
            assert answer.good, answer.said
            assert await log_of(at, table) == number
        answer = await typed(at, who, "oro 6i", where)
        assert isinstance(answer, MenuAnswer)
        assert any("5h" in one.label for row in answer.screen.rows for one in row)


async def test_the_steps_of_a_move_are_typed_one_after_the_other(at):
    table, who = await game_of(at, "shogi")
    step = (await typed(at, who, "oro 6i")).screen.rows[0][0]
    answer = await typed(at, who, step.full_label)
    assert answer.good
    assert await log_of(at, table) == 1


async def test_a_key_of_two_boards_asks_which_is_meant(at):
    both = [(await game_of(at, "shogi", side="sente"))[0] for _ in range(2)]
    asked = await typed(at, NEREA, "peón 2g → 2f")
    assert asked.screen.headline == "¿En cuál de tus mesas?"
    code = asked.screen.rows[0][0].code
    assert (await at.press(NEREA, at.card(asked), code=code)).good
    assert sorted([await log_of(at, table) for table in both]) == [0, 1]


@pytest.mark.parametrize(
    ("code", "text"), [("es", "🎲 Tirar"), ("es", "tirar"), ("en", "🎲 Roll"), ("en", "ROLL")]
)
async def test_dice_are_rolled_by_the_words_of_their_key(tmp_path, code, text):
    who = person("Ana", language=code)
    async with desk(tmp_path) as at:
        await at.call(who, "play", game="parchis", opponent="1")
        await at.settle()
        (line,) = await at.facade.services.tables.list_lines(("playing",), person=1)
        assert parse_deed(text)[0].act is Action.MOVE
        table = await at.facade.services.tables.get(line.code)
        assert (await typed(at, who, text)).good
        assert await log_of(at, table) > len(table.log)


@pytest.mark.parametrize("text", ["En palabras", "in words", "descríbeme el tablero"])
async def test_in_words_is_what_the_key_says_in_turn_or_not(at, text):
    table, who = await game_of(at, "shogi")
    pressed = await at.press(who, at.chat.board(table.code), "En palabras")
    for one in (NEREA, BRUNO):
        answer = await typed(at, one, text)
        assert isinstance(answer, Said)
        assert answer.said.split("\n")[0] == pressed.said.split("\n")[0]


async def test_other_keys_of_a_board_are_typed_too(at):
    _, who = await game_of(at, "shogi")
    assert isinstance(await typed(at, who, "más"), Card | MenuAnswer)


async def test_a_secret_key_is_refused_where_others_read(at):
    table, who = await game_of(at, "storilljudhjorrayc")
    seat = table.seat_of((await at.facade.services.people.find(who)).id)
    own = Composer(table, Viewer(seat, personal=True), KEY)
    label = own.board().rows[0][0].full_label
    answer = await typed(at, who, label)
    assert not answer.good
    assert await log_of(at, table) == 0
