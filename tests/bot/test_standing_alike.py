"""A position of a running game that counts gets no help by any door, and each says why."""

from __future__ import annotations

import re

import pytest

from bot.port import Screen, Where
from bot.presenters.school.what_if import what_if_screen
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.session.exercise_catalogue import Exercise
from bot.session.mistake_repetition import THEME, Mistake, mistake_code
from bot.session.rated import stands_alike
from games.core.advice import Weighed
from games.core.school import Lesson
from games.core.shelf import find_game
from tests.bot.test_opened_files import ON, REVIEW, sent
from tests.bot.test_rated_tables import NEREA, begun, on_turn, table_of
from tests.fakes import Desk, Message, person

ALONE = Where("fake", "id-Nerea", private=True)
OLGA = person("Olga")
MOVES = ("7g7f", "3c3d")


async def begun_so(at: Desk) -> str:
    """The table of a game of shogi that counts, after two moves."""
    code = await begun(at, "shogi", rated="")
    for move in MOVES:
        assert (await at.call(await on_turn(at, code), "move", move=move, table=code)).good
    return code


@pytest.fixture(name="code")
async def code_fixture(at: Desk) -> str:
    return await begun_so(at)


async def text_of(at: Desk, code: str) -> str:
    """The position of the table, as people copy it: with another number of the move."""
    table = await table_of(at, code)
    assert table.competes
    text = table.game.notation.text(table.position)
    return re.sub(r" \d+$", " 1", text)


@pytest.mark.parametrize("number", ["1", "3", "77"])
async def test_a_typed_position_with_any_number_of_the_move(at, code, number):
    text = re.sub(r" \d+$", f" {number}", await text_of(at, code))
    shown = at.card(await sent(at, text.encode()))
    assert any(code in line for line in shown.screen.lines), shown.screen.lines
    assert not {REVIEW, ON} & set(shown.labels)
    assert ON in at.card(await sent(at, text.encode(), who=OLGA)).labels


async def test_a_file_that_comes_to_it_by_other_moves(at, code):
    other = b"position startpos moves 7g7f 8c8d 2g2f 3c3d"
    assert {REVIEW, ON} <= set(at.card(await sent(at, other)).labels)
    waited = b"position startpos moves 7g7f 5a5b 5i5h 5b5a 5h5i 3c3d"
    shown = at.card(await sent(at, waited))
    assert any(code in line for line in shown.screen.lines), shown.screen.lines
    assert not {REVIEW, ON} & set(shown.labels)


async def test_a_stored_game_that_came_to_it_by_other_moves(at, monkeypatch):
    old = await begun(at, "shogi", rated="no")
    for move in ("2g2f", "3c3d", "7g7f", "8c8d"):
        assert (await at.call(await on_turn(at, old), "move", move=move, table=old)).good
    await at.surely(NEREA, "resign", table=old)
    found = (Weighed(0, 0, 0.9, -0.9, "7g7f"), Weighed(1, 1, 0.9, -0.9, "8c8d"))

    async def review(_):
        return found

    monkeypatch.setattr(at.facade.services.advice, "review", review)
    code = await begun(at, "shogi", rated="")
    assert (await at.call(NEREA, "review", ALONE, table=old)).good, "all games begin so"
    for move in MOVES:
        assert (await at.call(await on_turn(at, code), "move", move=move, table=code)).good
    shown = await at.call(NEREA, "review", ALONE, table=old)
    card = Message("card", ALONE, shown.screen, None, card=True)
    for move in ("2g2f", "8c8d"):
        assert (await at.call(await on_turn(at, code), "move", move=move, table=code)).good
    refused = await at.call(NEREA, "review", ALONE, table=old)
    assert (refused.good, code in refused.said) == (False, True)
    assert {"Practicar", "Jugada 1"} <= set(card.labels)
    for key in (one for row in card.screen.rows for one in row):
        answer = await at.press(NEREA, card, code=key.code)
        assert (answer.good, code in answer.said) == (False, True), key.label
    assert (await at.call(OLGA, "review", Where("fake", "id-Olga", private=True), table=old)).good
    composer = Composer(await table_of(at, old), Viewer(), b"k" * 32)
    running = [await table_of(at, code)]
    told = [what_if_screen(composer, number, [], (), running) for number in range(5)]
    assert [code in one.headline for one in told] == [False, False, False, False, True]


async def test_a_position_on_the_page_pasted_set_up_or_come_to_by_trying(at, code):
    pages, text = at.facade.pages, await text_of(at, code)
    drafted = await pages.set_up(NEREA, "shogi", text, (), "", "es")
    assert not drafted.screen.headline.count(code), "a draft is only drawn"
    start = find_game("shogi").notation.text(find_game("shogi").start())
    tried = [("7g", "7f")]
    for board, line in ((text, []), (start, [*tried, ("3c", "3d")])):
        refused = await pages.pose(NEREA, "shogi", board, line, (), "es")
        assert isinstance(refused, Screen)
        assert code in refused.headline
        assert (refused.scene, refused.rows) == (None, ())
        free = await pages.pose(OLGA, "shogi", board, line, (), "es")
        assert free.scene is not None
    assert (await pages.pose(NEREA, "shogi", start, tried, (), "es")).scene is not None


async def test_a_kept_mistake_is_neither_put_nor_solved(at):
    game = find_game("shogi")
    text = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1"
    lesson = Lesson("", text, {"2g2f": None}, options=game.chosen({}), theme=THEME)
    exercise = Exercise(mistake_code(game, lesson), game, lesson)
    me = (await at.facade.services.people.of(NEREA)).id
    await at.facade.services.mistakes.keep(me, [Mistake(exercise, "1g1f", ("2g2f",))])
    put = at.card(await at.call(NEREA, "puzzle", ALONE, game="errores"))
    code = await begun_so(at)
    given = await at.press(NEREA, put, "Ver la solución")
    assert (given.good, code in given.said) == (False, True)
    again = await at.call(NEREA, "puzzle", ALONE, game="errores")
    assert (again.good, code in again.said) == (False, True)


async def test_the_end_of_the_game_lets_it_go(at, code):
    text = await text_of(at, code)
    await at.surely(NEREA, "resign", table=code)
    assert not (await table_of(at, code)).competes
    assert ON in at.card(await sent(at, text.encode())).labels


@pytest.mark.parametrize(
    ("game", "one", "other", "alike"),
    [
        ("cirya", "x4,1/x5/x2,2,x2/x5/2,x4 1 3", "x4,1/x5/x2,2,x2/x5/2,x4 1 9", True),
        ("cirya", "x4,1/x5/x2,2,x2/x5/2,x4 1 3", "x4,1/x5/x2,2,x2/x5/2,x4 2 3", False),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1", False),
    ],
)
def test_the_number_alone_makes_no_other_position(game, one, other, alike):
    known = find_game(game)

    class Running:
        competes, game = True, known
        position = known.notation.read(one, known.chosen({}))

    found = known.notation.read(other, known.chosen({}))
    assert stands_alike(Running, found) == alike
