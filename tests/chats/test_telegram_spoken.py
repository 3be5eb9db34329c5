"""What people write besides commands: corrections, our @name, a word or two in private."""

from __future__ import annotations

import pytest

from tests.chats.telegram_room import BRUNO, NEREA, Room
from tests.telegram_messages import BOT, GROUP, Shown, private

HOME = private(NEREA)


async def first_move(at: Room, board: Shown) -> str:
    table = await at.table(board)
    (seat,) = table.actors()
    return str(table.game.notation.written(table.present, table.present.legal_moves(seat)[0]))


async def played(at: Room, board: Shown) -> int:
    """How many entries the log has once nothing is under way."""
    await at.settle()
    return len((await at.table(board)).log)


async def corrected(at: Room, who: dict, text: str, number: int, after: int = 30) -> None:
    """*who* makes *text* of the message *number*, so many seconds after he wrote it."""
    told = {"message_id": number, "date": 1, "edit_date": 1 + after, "text": text}
    await at.api.give("edited_message", {**told, "chat": GROUP, "from": who})


async def test_a_move_is_made_by_whoever_speaks_to_the_bot_by_its_name(at):
    board = await at.begun()
    await at.api.say(at.mover(board), f"@{BOT['username']} {await first_move(at, board)}")
    await at.api.until(lambda: at.api.reactions)
    assert await played(at, board) == 17


async def test_what_is_done_far_below_its_board_is_told_in_words(at):
    board = await at.begun()
    for _ in range(12):
        await at.api.say(NEREA, "qué partida tan bonita, de verdad")
    await at.settle()
    sent, move = len(at.api.calls("sendMessage")), await first_move(at, board)
    await at.api.say(at.mover(board), move, reply_to_message=board.data())
    await at.api.until(lambda: len(at.api.calls("sendMessage")) > sent)
    assert await played(at, board) == 17
    assert not [one for one in at.api.reactions if "👍" in str(one)]


@pytest.mark.parametrize("line", ["¿qué me toca hacer ahora?", "what should I do now?"])
async def test_who_asks_what_comes_next_sees_the_board_that_says_whose_turn_it_is(at, line):
    board = await at.begun()
    await at.api.say(at.mover(board), f"@{BOT['username']} {line}")
    shown = await at.api.until(lambda: (new := at.api.board()) is not board and new)
    assert "Le toca a " in shown.text or "Te toca, " in shown.text
    assert shown.moves
    assert await played(at, board) == 16
    assert not [one for one in at.api.messages.values() if "no se puede mover" in one.text]


@pytest.mark.slow
async def test_talk_below_a_board_and_what_other_bots_are_asked_is_left_alone(at):
    board = await at.begun()
    asked = len(at.api.asked)
    await at.api.say(NEREA, "qué jugada más bonita", reply_to_message=board.data())
    await at.api.say(NEREA, f"/jugar@otro_bot niya @{BOT['username']}")
    assert await played(at, board) == 16
    assert len(at.api.asked) == asked


async def test_a_move_with_other_words_below_its_board_is_answered(at):
    board = await at.begun()
    sent = len(at.api.calls("sendMessage"))
    await at.api.say(at.mover(board), "tomo la Z9", reply_to_message=board.data())
    await at.api.until(lambda: len(at.api.calls("sendMessage")) > sent)
    assert await played(at, board) == 16


@pytest.mark.parametrize(
    "line",
    [
        "hola @{us}",
        "oye @{us}, mira, que esta tarde nos juntamos todos: ¿nos montas una partida o qué?",
        "oye, @{us}: ¿me dices de una vez cómo va esto?",
        "@{us} no sé cómo se juega al parchís, ¿me lo explicas de una vez, por favor?",
    ],
)
async def test_whoever_speaks_to_the_bot_is_answered(at, line):
    await at.begun()
    sent = len(at.api.calls("sendMessage"))
    await at.api.say(NEREA, line.format(us=BOT["username"]))
    await at.api.until(lambda: len(at.api.calls("sendMessage")) > sent)


@pytest.mark.slow
async def test_a_command_that_was_mistyped_may_be_corrected(at):
    board = await at.begun()
    mover = at.mover(board)
    typed = {"message_id": board.id + 3, "date": 1, "chat": GROUP, "from": mover}
    await at.api.give("message", {**typed, "text": "/mover zz"})
    await at.api.until(lambda: at.api.calls("sendMessage"))
    await corrected(at, mover, f"/mover {await first_move(at, board)}", board.id + 3)
    await at.api.until(lambda: at.api.reactions)
    assert await played(at, board) == 17


async def test_a_command_that_was_done_is_not_done_again_by_an_edit(at):
    typed = {"message_id": 800, "date": 1, "chat": GROUP, "from": NEREA}
    await at.api.give("message", {**typed, "text": "/jugar niya @bruno"})
    board = await at.api.until(at.api.board)
    await at.settle()
    await corrected(at, NEREA, "/jugar niya @bruno!", 800)
    await at.settle()
    assert [m for m in at.api.messages.values() if m.rows] == [board]


@pytest.mark.slow
async def test_an_old_message_is_not_made_a_command(at):
    await corrected(at, NEREA, "/jugar niya @bruno", 700, after=3600)
    await at.begun()
    assert len([m for m in at.api.messages.values() if m.rows]) == 1


@pytest.mark.slow
async def test_a_greeting_in_private_is_answered_with_what_can_be_played(at):
    await at.api.say(NEREA, "buenas noches a todos", HOME)
    said = await at.api.until(lambda: at.api.board(NEREA["id"]))
    assert said.text.startswith("¿Qué quieres hacer?")
    await at.press(NEREA, said, said.code("Preparar una partida"))
    await at.api.until(lambda: any("Niya · 2 jugadores" in str(m.labels) for m in inside(at)))


NIYA, SHOGI = "/jugar niya ordenador color=rojo empieza=rojo", "/jugar shogi ordenador sente"
TALK = {
    "vaya tarde": "No te he entendido",
    "adiós": "¿Qué quieres hacer?",
    "no entiendo": "¿Qué quieres hacer?",
    "¿y esto qué es?": "¿Qué quieres hacer?",
    "hola, ¿cómo se juega?": "¿Qué juego",
    "ajedrez": "Sé jugar a Cirya, Niya, Parchís",
}


async def hear(at: Room, words: str, lines: tuple[str, ...]) -> Shown:
    """What Nerea hears in private to *words*, after the *lines*."""
    for number, line in enumerate(lines, len(inside(at)) + 1):
        await at.api.say(NEREA, line, HOME)
        await at.api.until(lambda number=number: len(inside(at)) >= number)
        await at.settle()
    known = len(inside(at))
    await at.api.say(NEREA, words, HOME)
    return (await at.api.until(lambda: inside(at)[known:]))[0]


@pytest.mark.parametrize("lines", [(), (NIYA,), (NIYA, SHOGI)])
@pytest.mark.parametrize("words", TALK)
async def test_talk_in_private_is_no_move_whatever_one_plays(at, words, lines):
    said = await hear(at, words, lines)
    assert TALK[words] in said.text
    if "entendido" in said.text:
        assert "Shogi contra el ordenador" in said.labels
        assert ("Mis mesas" in said.labels) == bool(lines)


async def test_only_what_reads_as_a_move_asks_for_a_table_or_shows_the_board(at):
    told = await hear(at, "n9", (NIYA,))
    assert "No conozco la carta «n9»" in told.text
    assert "Ver el tablero" in told.labels
    assert "¿En cuál de tus mesas?" in (await hear(at, "n9", (SHOGI,))).text


async def test_who_waits_and_names_a_game_that_is_none_is_told_which_there_are(at):
    said = await hear(at, "ajedrez", ("/jugar parchis @bruno",))
    assert "Sé jugar a Cirya, Niya, Parchís" in said.text


@pytest.mark.parametrize(
    "words", ["parchís con el ordenador", "hola, quiero una de parchís, máquina"]
)
async def test_who_names_a_game_and_the_computer_plays_it(at, words):
    await at.api.say(NEREA, "/jugar niya ordenador", HOME)
    await at.settle()
    await at.api.say(NEREA, words, HOME)
    await at.api.until(lambda: [m for m in inside(at) if "Amarillo, " in m.text])


DEEDS = {"me rindo": "¿seguro", "me rindo en el niya": "¿seguro", "mis partidas": "te toca",
         "hola": "¿Qué quieres hacer?", "quiero aprender niya": "paso 1 de 15",
         "I’d like to learn how to play niya": "paso 1 de 15"}  # fmt: skip


@pytest.mark.parametrize("words", DEEDS)
async def test_a_deed_in_whole_words_is_done(at, words):
    await at.api.say(NEREA, "/jugar niya ordenador color=rojo empieza=rojo", HOME)
    await at.api.until(lambda: at.api.board(NEREA["id"]))
    await at.settle()
    known = len(inside(at))
    await at.api.say(NEREA, words, HOME)
    (said, *_) = await at.api.until(lambda: inside(at)[known:])
    assert DEEDS[words] in said.text


def inside(at: Room) -> list[Shown]:
    return [m for m in at.api.messages.values() if m.chat == NEREA["id"]]


async def test_a_name_that_looks_like_a_link_is_none(at):
    await at.api.say({**BRUNO, "first_name": "T.me/spam"}, "/jugar niya")
    board = await at.api.until(at.api.board)
    assert "T.me/spam" not in board.text
    assert "T.\u2060me/spam" in board.text


async def test_the_name_of_a_command_alone_is_no_move_in_private(at):
    board = await at.begun()
    before = await played(at, board)
    await at.api.say(NEREA, "help", HOME)
    told = await at.api.until(lambda: [m for m in at.api.messages.values() if m.chat == 11])
    assert "Mis mesas" in str(told[-1].labels)
    assert await played(at, board) == before
