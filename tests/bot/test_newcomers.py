"""The newcomer's set of pieces: to whom it is offered, for how long, and where it is seen."""

from __future__ import annotations

import pytest

from bot.port import Press, Where
from tests.fakes import Desk, Message, person

ANA, BRUNO = person("Ana"), person("Bruno")
ALONE = Where("fake", "ana-alone", private=True)
TAKE, DECLINE = "Piezas con flechas", "Sin flechas, gracias"
OFFER = "¿Aún no conoces las piezas?"


async def solo(at: Desk, where: Where = ALONE, game: str = "shogi") -> Message:
    """A new game of Ana against a computer, she to move."""
    side = {"side": "sente"} if game == "shogi" else {}
    await at.call(ANA, "play", where, game=game, opponent="ordenador", level="1", **side)
    return [one for one in at.chat.messages.values() if one.where == where][-1]


def offered(message: Message) -> bool:
    """Whether *message* offers the set, in a sentence and by a button."""
    said = any(OFFER in line for line in message.screen.lines)
    assert said == (TAKE in message.labels) == (DECLINE in message.labels)
    return said


def now(at: Desk, message: Message) -> Message:
    return at.chat.messages[message.id]


async def test_who_takes_the_set_sees_it_at_once_and_is_not_asked_again(at):
    board = await solo(at)
    assert offered(board)
    answer = await at.press(ANA, board, TAKE)
    assert "muestran ahora cómo se mueven" in answer.said
    assert now(at, board).screen.scene.theme == "light-starter"
    assert not offered(now(at, board))
    assert not offered(await solo(at))


@pytest.mark.parametrize(("key", "theme"), [(TAKE, "light-starter"), (DECLINE, "light")])
async def test_a_screen_of_one_s_own_above_the_board_is_drawn_anew(at, key, theme):
    board = await solo(at, at.where)
    told = {"whispered": True, "covers": True}
    step = board.button("torre 2h").code
    begun = await at.facade.requests.press(Press("u-1", at.where, ANA, step, board.id, **told))
    assert offered(at.card(begun))
    code = at.card(begun).button(key).code
    press = Press("u-2", at.where, ANA, code, "own-1", own=True, **told)
    shown = at.card(await at.facade.requests.press(press))
    assert shown.screen.scene.theme == theme
    assert shown.picture is not None
    assert not offered(shown)


async def test_once_declined_it_is_never_offered_again(at):
    board = await solo(at)
    await at.press(ANA, board, DECLINE)
    assert now(at, board).screen.scene.theme == "light"
    assert not offered(now(at, board))
    assert not offered(await solo(at))


async def test_it_is_offered_in_the_first_three_games_of_shogi_alone(at):
    assert not offered(await solo(at, game="niya"))
    assert [offered(await solo(at)) for _ in range(4)] == [True, True, True, False]


async def test_who_has_chosen_a_set_is_not_offered_another(at):
    people = at.facade.services.people
    await solo(at, game="niya")
    await people.choose((await people.of(ANA)).id, pieces="two")
    assert not offered(await solo(at))


@pytest.mark.slow
async def test_a_shared_board_shows_the_set_once_all_who_play_on_it_have_taken_it(at):
    await at.call(ANA, "play", game="shogi", opponent=BRUNO)
    (board,) = at.chat.messages.values()
    await at.press(BRUNO, board, "Aceptar")
    board = now(at, board)
    assert offered(board)
    answer = await at.press(ANA, board, TAKE)
    assert "cuando lo elija también tu rival" in answer.said
    board = now(at, board)
    assert board.screen.scene.theme == "light"
    assert offered(board)
    await at.press(BRUNO, board, TAKE)
    board = now(at, board)
    assert board.screen.scene.theme == "light-starter"
    assert not offered(board)


async def test_a_shared_board_asks_no_more_when_one_of_two_has_declined(at):
    await at.call(ANA, "play", game="shogi", opponent=BRUNO)
    (board,) = at.chat.messages.values()
    await at.press(BRUNO, board, "Aceptar")
    await at.press(BRUNO, now(at, board), DECLINE)
    assert not offered(now(at, board))
    more = at.card(await at.press(ANA, now(at, board), "Más"))
    assert TAKE in more.labels
    more = at.card(await at.press(BRUNO, now(at, board), "Más"))
    assert TAKE not in more.labels


async def test_strangers_who_look_on_are_not_asked(at):
    board = await solo(at, at.where)
    assert offered(board)
    assert TAKE not in at.card(await at.press(BRUNO, board, "Más")).labels
