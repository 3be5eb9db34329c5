"""Whoever reads knows what to press: keys below words, slips, two languages at a table."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest

from bot.commands.request import Request
from bot.commands.table.moves import _told_with_choices
from bot.port import Card, Space, Where
from bot.port.answers import FaultAnswer
from bot.presenters.button_codes import Action, ChatButtons
from bot.presenters.command_specs import COMMANDS
from bot.presenters.table.composer import ROWS_ABOVE, ROWS_BELOW, Composer
from bot.presenters.table.viewers import Viewer
from bot.session import play
from bot.session.visibility import hides
from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from tests.bot.test_in_turn import parchis_held
from tests.bot.test_whole_moves import KEY, boards
from tests.fakes import desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva", language="en")
ALONE = Where("fake", "alone", private=True)


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path) as house:
        yield house


def acts(rows) -> list[str]:
    return [ChatButtons(KEY).click(one.code).act for row in rows for one in row]


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_keys_of_a_turn_stand_below_words_and_below_more(key):
    for number, at in enumerate(boards(key)):
        table, seat = at.table, at.mover
        if number % 7 or hides(table, seat):
            continue
        for one in range(len(table.players)):
            composer = Composer(table, Viewer(one, "es", personal=True), KEY)
            above, more = composer.turn_rows(ROWS_ABOVE), composer.more(one, board=False)
            assert more.rows[: len(above)] == above
            for rows in (composer.turn_rows(), above):
                assert len(rows) <= ROWS_BELOW
                leads = {*acts(rows)} & {Action.MOVE, Action.MINE}
                assert bool(leads) == (one in table.actors())
            codes = [button.code for row in more.rows for button in row]
            assert len({*codes}) == len(codes)


async def test_the_board_in_words_has_the_keys_of_whose_turn_it_is_and_of_nobody_else(at):
    await at.call(NEREA, "play", game="parchis", seats="2")
    (board,) = at.chat.messages.values()
    await at.press(BRUNO, board, "Sentarme")
    (board,) = at.chat.messages.values()
    told = {who: await at.press(who, board, "En palabras") for who in (NEREA, BRUNO)}
    (mover,) = [who for who in told if f"a {who.name}" in board.screen.headline]
    assert [who for who, answer in told.items() if answer.leads is not None] == [mover]
    leads = told[mover].leads
    assert "\n".join((leads.headline, *leads.lines)) == told[mover].said
    thrown = await at.press(mover, at.card(Card(leads), ALONE), "🎲 Tirar")
    assert thrown.said.startswith("Te sale un")


@pytest.mark.sampled(12)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.name)
async def test_a_slip_is_asked_after_by_a_key_that_works(at, command):
    answer = await at.call(NEREA, "unknown", command=f"{command.name_in('es')}x")
    first = answer.leads.rows[0][0]
    assert first.label.startswith("/")
    assert first.label in answer.said
    codes = [one.code for row in answer.leads.rows for one in row]
    assert len({*codes}) == len(codes)
    done = await at.press(NEREA, at.card(Card(answer.leads)), code=first.code)
    assert not isinstance(done, FaultAnswer)


async def test_who_joins_a_board_in_another_language_hears_where_their_own_is(at):
    await at.call(NEREA, "play", game="parchis", seats="3")
    (board,) = at.chat.messages.values()
    # The key stands there once the game is played.
    assert "Más" not in (await at.press(EVA, board, "Sentarme")).said
    (board,) = at.chat.messages.values()
    assert "Más" not in (await at.press(BRUNO, board, "Sentarme")).said


@pytest.mark.parametrize(("covers", "names"), [(False, "es"), (True, "en")])
async def test_a_toast_names_the_keys_of_the_board_that_was_pressed(covers, names):
    at, *_ = parchis_held()
    seat, table = at.mover, at.table

    async def view():
        return SimpleNamespace(language="es")

    asker, by = (
        SimpleNamespace(id=table.players[seat].person),
        SimpleNamespace(where=Where("x", "y")),
    )
    chat = SimpleNamespace(space=Space(48, 8), opens_page=False)
    request = SimpleNamespace(
        tongue=language("en"),
        language="en",
        covers=covers,
        person=asker,
        by=by,
        view=view,
        chat=chat,
        look=None,
        key=KEY,
        message=None,
    )
    request.tongue_of_keys = partial(Request.tongue_of_keys, request)
    said = (await _told_with_choices(request, table, phrase("house.joined"))).said
    held = play.choices_held(table, seat)
    keys = [table.game.menus.label(table.present, seat, (one,), one) for one in held]
    assert keys
    assert "Choose between" in said
    assert all(language(names).say(one) in said for one in keys)


@pytest.mark.parametrize("way", ["words", "own board"])
async def test_a_board_in_private_goes_on_with_the_game(at, way):
    await at.call(NEREA, "play", game="niya")
    (board,) = at.chat.messages.values()
    await at.press(BRUNO, board, "Sentarme")
    (board,) = at.chat.messages.values()
    (mover,) = [who for who in (NEREA, BRUNO) if f"a {who.name}" in board.screen.headline]
    (other,) = {NEREA, BRUNO} - {mover}
    card = at.card(Card((await at.press(mover, board, "En palabras")).leads), ALONE)
    own = card.id
    if way == "words":
        move = next(one for row in card.screen.rows for one in row if one.style == "move")
        await at.press(mover, card, code=move.code)
    else:
        more = at.card(await at.press(mover, board, "Más"), ALONE)
        await at.press(mover, more, "Mi tablero")
        await at.settle()
        own = at.chat.board(board.screen.table, ALONE).id
        await at.press(mover, *a_move_of(at.chat.messages[own]))
    for _ in range(2):
        await at.settle()
        headline = at.chat.messages[own].screen.headline
        assert f"Le toca a {other.name}" in headline
        shared = at.chat.board(board.screen.table, at.where)
        await at.press(other, *a_move_of(shared))
        await at.settle()
        assert f"Te toca, {mover.name}" in at.chat.messages[own].screen.headline
        await at.press(mover, *a_move_of(at.chat.messages[own]))


async def test_below_the_words_of_one_s_own_board_the_keys_are_not_said_twice(at):
    await at.call(NEREA, "play", where=ALONE, game="niya", opponent="ordenador")
    await at.settle()
    (board,) = at.chat.messages.values()
    assert any(one.style == "move" for row in board.screen.rows for one in row)
    told = await at.press(NEREA, board, "En palabras")
    assert told.said
    assert told.leads is None


def a_move_of(message):
    return message, next(
        one.label for row in message.screen.rows for one in row if one.style == "move"
    )


async def test_what_is_written_in_private_out_of_turn_is_refused_only_if_it_reads_as_a_move(at):
    await at.call(NEREA, "play", game="niya")
    (board,) = at.chat.messages.values()
    await at.press(BRUNO, board, "Sentarme")
    table = await at.facade.services.tables.get(board.screen.table)
    mover = table.players[min(table.actors())].name
    other = BRUNO if mover == "Nerea" else NEREA
    said = [(await at.call(other, "move", where=ALONE, move=one)).said for one in ("z9", "ajá")]
    assert said[0].startswith("Ahora juega ")
    assert said[1].startswith("No te he entendido.")
