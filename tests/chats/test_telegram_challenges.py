"""In Telegram: whom one challenges from a private chat is asked in his own."""

from __future__ import annotations

import pytest

from bot.chats.telegram.outbound import CONFETTI
from tests.chats.telegram_room import BRUNO, NEREA, Room
from tests.telegram_api import Refusal
from tests.telegram_messages import Shown, private, user

HOME, HIS = private(NEREA), private(BRUNO)
REFUSED = "No puedes retarte a ti; prueba con el ordenador."


def board(at: Room, chat: dict) -> Shown | None:
    """The newest message with buttons in *chat*."""
    found = [m for m in at.api.messages.values() if m.chat == chat["id"] and m.labels]
    return found[-1] if found else None


async def test_who_has_opened_his_private_chat_is_asked_there(at):
    await at.api.say(BRUNO, "/start", HIS)
    await at.settle()
    await at.api.say(NEREA, "/jugar niya @bruno", HOME)
    asked = await at.api.until(
        lambda: ((b := board(at, HIS)) and "Aceptar" in b.labels and b) or None
    )
    assert "Nerea te reta a una partida amistosa de Niya" in asked.text
    assert "Retirar el reto" not in asked.labels
    mine = await at.api.until(lambda: board(at, HOME))
    await at.press(BRUNO, asked, asked.code("Aceptar"))
    for shown in (board(at, HIS), board(at, HOME)):
        assert shown is not None
        assert (await at.table(shown)).status == "playing"
        assert shown.picture
    assert board(at, HOME).id == mine.id


@pytest.mark.slow
async def test_he_declines_there_and_the_challenger_sees_it(at):
    await at.api.say(BRUNO, "/start", HIS)
    await at.settle()
    await at.api.say(NEREA, "/jugar niya @bruno", HOME)
    asked = await at.api.until(
        lambda: ((b := board(at, HIS)) and "Aceptar" in b.labels and b) or None
    )
    mine = await at.api.until(lambda: board(at, HOME))
    await at.press(BRUNO, asked, asked.code("No, gracias"))
    assert "Bruno no ha aceptado el reto." in at.api.messages[(mine.chat, mine.id)].text


async def test_who_has_never_opened_it_is_sent_the_invitation_by_the_challenger(at):
    await at.api.say(BRUNO, "hola")
    await at.api.say(NEREA, "/jugar niya @bruno", HOME)
    mine = await at.api.until(lambda: board(at, HOME))
    await at.settle()
    assert "Mandar la invitación" in mine.labels
    assert board(at, HIS) is None


# -------------------------------------------------------------------- picked from one's chats


async def picking(at: Room) -> tuple[Shown, int]:
    """A sheet in private whose button for somebody was pressed, and what its answer names."""
    await at.api.say(NEREA, "/jugar", HOME)
    sheet = await at.api.until(lambda: board(at, HOME))
    await at.settle()
    await at.press(NEREA, sheet, sheet.code("Niya · 2 jugadores, 10 min"))
    await at.api.until(lambda: "Retar a alguien…" in sheet.labels)
    heard = await at.press(NEREA, sheet, sheet.code("Retar a alguien…"))
    assert heard["text"] == "Elige abajo a quién retas."
    asked = await at.api.until(
        lambda: [one.values for one in at.api.asked if "request_users" in str(one.values)]
    )
    ((button,),) = asked[-1]["reply_markup"]["keyboard"]
    assert button["text"] == "Elegir a alguien"
    assert button["request_users"]["user_is_bot"] is False
    return sheet, button["request_users"]["request_id"]


def said(at: Room, chat: dict = HOME) -> list[str]:
    """The words of all messages in *chat*."""
    return [m.text for m in at.api.messages.values() if m.chat == chat["id"]]


async def pick(at: Room, number: int, who: dict) -> None:
    """Telegram tells whom Nerea has picked."""
    user = {"user_id": who["id"], "first_name": who["first_name"]}
    if who.get("username"):
        user["username"] = who["username"]
    shared = {"request_id": number, "users": [user]}
    message = {"message_id": 800 + number, "date": 1, "chat": HOME, "from": NEREA}
    await at.api.give("message", {**message, "users_shared": shared})
    await at.settle()


@pytest.mark.slow
async def test_somebody_is_picked_from_one_s_chats_and_challenged(at):
    await at.api.say(BRUNO, "/start", HIS)
    sheet, number = await picking(at)
    await pick(at, number, BRUNO)
    fresh = await at.api.until(
        lambda: ((b := board(at, HOME)) and "Retar a Bruno" in b.labels and b) or None
    )
    assert "✓ Con Bruno" in fresh.labels
    assert fresh.id != sheet.id
    await at.api.until(lambda: (sheet.chat, sheet.id) not in at.api.messages)
    await at.api.until(lambda: "Elige abajo a quién retas." not in said(at))
    assert "Retas a Bruno." in said(at)
    await at.press(NEREA, fresh, fresh.code("Retar a Bruno"))
    asked = await at.api.until(
        lambda: ((b := board(at, HIS)) and "Aceptar" in b.labels and b) or None
    )
    await at.press(BRUNO, asked, asked.code("Aceptar"))
    assert (await at.table(board(at, HIS))).status == "playing"


async def test_nobody_picks_himself(at):
    sheet, number = await picking(at)
    await pick(at, number, NEREA)
    await at.api.until(lambda: REFUSED in said(at))
    assert "Empezar" in sheet.labels, "the sheet stays as it was"


async def test_nobody_picks_for_the_sheet_of_another(at):
    _, number = await picking(at)
    message = {"message_id": 950, "date": 1, "chat": HIS, "from": BRUNO}
    user = {"user_id": NEREA["id"], "first_name": "Nerea"}
    shared = {"request_id": number, "users": [user]}
    await at.api.give("message", {**message, "users_shared": shared})
    texts = await at.api.until(lambda: said(at, HIS))
    assert "Retas a Nerea." not in texts


# -------------------------------------------------------------------- a win


async def resigned(at: Room) -> tuple[Shown, Shown]:
    """The boards of Nerea and Bruno, each in private, before and after Bruno has resigned."""
    await at.api.say(BRUNO, "/start", HIS)
    await at.settle()
    await at.api.say(NEREA, "/jugar niya @bruno", HOME)
    asked = await at.api.until(
        lambda: ((b := board(at, HIS)) and "Aceptar" in b.labels and b) or None
    )
    await at.press(BRUNO, asked, asked.code("Aceptar"))
    before = board(at, HOME)
    code = (await at.table(before)).code
    await at.api.say(BRUNO, f"/rendirse {code}", HIS)
    sure = await at.api.until(lambda: (b := board(at, HIS)) and "Sí, seguro" in b.labels and b)
    await at.press(BRUNO, sure, sure.code("Sí, seguro"))
    await at.api.until(lambda: (b := board(at, HOME)) and "★" in b.text)
    await at.settle()
    return before, board(at, HOME)


def effects(at: Room) -> list[tuple[str, str, str]]:
    """Where messages with an effect were sent, which, and how Telegram refused them."""
    every = [(one.values, one.refused) for one in at.api.asked]
    return [
        (values["chat_id"], values["message_effect_id"], why)
        for values, why in every
        if "message_effect_id" in values
    ]


async def test_a_win_in_private_is_celebrated_once_by_the_only_board_there(at):
    before, now = await resigned(at)
    assert effects(at) == [(str(HOME["id"]), CONFETTI, "")]
    assert now.id != before.id
    assert (before.chat, before.id) not in at.api.messages
    await at.press(NEREA, now, now.code("Revancha"))
    assert board(at, HOME).id == now.id, "what follows is shown where the board stands"
    assert len(effects(at)) == 1


async def test_where_telegram_refuses_the_effect_the_board_comes_without_it(at):
    def refuse(asked):
        if "message_effect_id" in asked.values:
            raise Refusal(400, "Bad Request: EFFECT_ID_INVALID")

    at.api.refuse = refuse
    before, now = await resigned(at)
    assert [why for *_, why in effects(at)] == ["Bad Request: EFFECT_ID_INVALID"]
    assert now.id != before.id
    assert now.picture


# ------------------------------------------------------------------------- several at one table

CARMEN = user(14, "Carmen", "carmen_t")


@pytest.mark.parametrize(
    "line", ["/jugar parchís @bruno @carmen_t", "/jugar parchís con Bruno, Carmen"]
)
async def test_several_are_invited_to_one_table_and_it_begins_with_the_last_of_them(at, line):
    for one in (BRUNO, CARMEN):
        await at.api.say(one, "/ayuda")
    await at.settle()
    await at.api.say(NEREA, line)
    board = await at.api.until(lambda: (new := at.api.board()) and "Parchís" in new.text and new)
    await at.settle()
    assert "2. Bruno, ¿aceptas?\n3. Carmen, ¿aceptas?" in board.text
    await at.press(BRUNO, board, board.code("Aceptar"))
    assert (await at.table(board)).status == "open"
    assert "Empezar" in board.labels
    await at.press(CARMEN, board, board.code("Aceptar"))
    table = await at.table(board)
    assert (table.status, len(table.players)) == ("playing", 3)


async def test_whoever_declines_leaves_the_others_at_the_table(at):
    await at.api.say(NEREA, "/jugar parchís @bruno y @carmen_t")
    board = await at.api.until(at.api.board)
    await at.settle()
    await at.press(BRUNO, board, board.code("No, gracias"))
    assert (await at.table(board)).status == "open"
    await at.press(CARMEN, board, board.code("Aceptar"))
    await at.press(NEREA, board, board.code("Empezar"))
    assert (await at.table(board)).status == "playing"


async def test_each_of_several_is_called_once_by_name(at):
    await at.api.say(NEREA, "/jugar parchís @bruno @carmen_t")
    await at.api.until(at.api.board)
    await at.settle()
    said = [str(one.values) for one in at.api.calls("sendMessage", "sendPhoto")]
    assert [sum(name in one for one in said) for name in ("@bruno", "@carmen_t")] == [1, 1]


async def test_what_only_joins_names_names_nobody(at):
    await at.api.say(NEREA, "/jugar parchís con y y")
    said = await at.api.until(lambda: next(iter(at.api.messages.values()), None))
    await at.settle()
    assert "No sé quién es «y y»" in said.text


async def test_a_game_for_two_says_so_to_whoever_invites_more(at):
    await at.api.say(NEREA, "/jugar niya @bruno @carmen_t")
    said = await at.api.until(lambda: next(iter(at.api.messages.values()), None))
    assert "A Niya juegan dos: reta a una sola persona." in said.text
    assert said.labels
