"""What Telegram refuses, forgets and repeats, and what becomes of updates that are poison."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from bot.chats.telegram.errors import MediaForbidden
from bot.port import (
    Asker,
    BoardAnswer,
    BoardGone,
    Button,
    ChatError,
    Command,
    Later,
    MessageGone,
    NotTaken,
    Ping,
    PlaceMoved,
    PlaceShut,
    Press,
    Said,
    ThreadShut,
    Where,
)
from storage.place import places
from tests.chats.telegram_room import BRUNO, NEREA, refusing, states
from tests.telegram_api import Refusal
from tests.telegram_messages import BOT, GROUP, Shown, private

# -------------------------------------------------------------------- updates


async def test_f3_an_update_that_comes_five_times_is_done_once(at):
    board = await at.begun()
    query = {"id": "again", "from": at.mover(board), "chat_instance": "c", "data": board.moves[0]}
    update = {"update_id": 77, "callback_query": {**query, "message": board.data()}}
    for _ in range(5):
        await at.api.give_raw(update)
        await asyncio.sleep(0.02)
    await at.api.until(lambda: "again" in at.api.answers)
    await at.settle()
    assert len((await at.table(board)).log) == 17


async def test_f10_poison_is_set_aside_after_three_attempts_and_the_queue_moves_on(at, caplog):
    broken = [{"update_id": 10 + n, "message": {"bogus": n}} for n in range(5)]
    await at.api.give_raw(*broken)
    await at.begun()
    aside = await at.api.until(lambda: "14 failed 3 times" in caplog.text)
    assert aside
    assert await states(at) == {str(10 + n): "aside" for n in range(5)}
    assert caplog.text.count("is set aside") == 5
    assert "Traceback" not in caplog.text


async def test_f10_a_fault_of_ours_is_tried_three_times_and_the_press_is_answered(
    at, monkeypatch, caplog
):
    board = await at.begun()
    tries = []

    async def broken(press):
        tries.append(press)
        raise ZeroDivisionError

    monkeypatch.setattr(at.facade.requests, "press", broken)
    heard = await at.press(at.mover(board), board, board.moves[0])
    assert "text" not in heard
    assert len(tries) == 3
    assert list((await states(at)).values()) == ["aside"]
    assert caplog.text.count("Traceback") == 1


# -------------------------------------------------------------------- answers


async def test_f7_a_slow_press_is_told_in_good_time_that_it_takes_a_moment_and_stands(
    at, monkeypatch
):
    board = await at.begun()
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 0.1)
    real = at.facade.requests.press

    answered = asyncio.Event()

    async def slow(press):
        await answered.wait()
        return await real(press)

    monkeypatch.setattr(at.facade.requests, "press", slow)
    try:
        heard = await at.api.press(at.mover(board), board, board.moves[0])
    finally:
        answered.set()
    assert heard["text"] == "Un momento…"
    await at.settle()
    assert len((await at.table(board)).log) == 17


async def test_f7_a_query_that_is_too_old_costs_nothing(at):
    board = await at.begun()
    old = Refusal(400, "Bad Request: query is too old and response timeout expired")
    at.api.refuse = refusing("answerCallbackQuery", old)
    query = {"id": "old", "from": at.mover(board), "chat_instance": "c", "data": board.moves[0]}
    await at.api.give("callback_query", {**query, "message": board.data()})
    await at.api.until(lambda: board.edits >= 2)
    assert len((await at.table(board)).log) == 17


async def test_one_person_s_hundred_presses_wait_for_each_other_alone(at, monkeypatch):
    board = await at.begun()
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 60.0)
    flood = at.mover(board)
    other = BRUNO if flood is NEREA else NEREA
    real = at.facade.requests.press

    go_on = asyncio.Event()

    async def slow(press):
        if press.asker.external == str(flood["id"]):
            await go_on.wait()
        return await real(press)

    monkeypatch.setattr(at.facade.requests, "press", slow)
    code = board.code("Más")
    for number in range(100):
        query = {"id": f"f{number}", "from": flood, "chat_instance": "c", "data": code}
        await at.api.give("callback_query", {**query, "message": board.data()})
    await at.api.press(other, board, code)
    assert not [query for query in at.api.answers if query.startswith("f")]
    go_on.set()


# -------------------------------------------------------------------- places


async def test_f8_a_429_is_waited_for_and_the_newest_board_is_shown(at):
    board = await at.begun()
    at.api.refuse = refusing("editMessageMedia", Refusal(429, "Too Many Requests", retry_after=1))
    limiter = at.facade.services.delivery.pacing.limiter(Where("telegram", str(GROUP["id"])))
    now = [0.0]
    limiter.clock, edits = lambda: now[0], board.edits
    pressed = asyncio.create_task(at.press(at.mover(board), board, board.moves[0]))
    await at.api.until(lambda: limiter.wait() >= 1)
    assert board.edits == edits
    now[0] = 60.0
    await pressed
    assert board.edits == edits + 1
    tried = [one for one in at.api.calls("editMessageMedia") if one.refused]
    assert len(tried) == 1


async def test_a_long_wait_that_telegram_asks_for_is_told_to_who_pressed(at):
    board = await at.begun()
    mover = at.mover(board)
    limiter = at.facade.services.delivery.pacing.limiter(Where("telegram", str(GROUP["id"])))
    await at.api.say(mover, "/start", private(mover))
    await at.settle()
    at.api.refuse = refusing("editMessageMedia", Refusal(429, "Too Many Requests", retry_after=37))
    await at.api.press(mover, board, board.moves[0])
    told = lambda: [one.values["text"] for one in at.api.calls("sendMessage")]  # noqa: E731
    await at.api.until(lambda: "llega allí en menos de 40 s." in told()[-1], 20)
    assert limiter.is_paused()
    limiter.clock = lambda: asyncio.get_running_loop().time() + 60


@pytest.mark.parametrize("came", ["answered", "refused", "shown", "new"])
async def test_no_wait_is_told_of_what_has_arrived(at, came):
    commands, where = at.chat._answers.commands, Where("telegram", str(GROUP["id"]))
    await at.api.say(NEREA, "/start", private(NEREA))
    await at.api.until(lambda: at.api.calls("sendMessage"))
    nerea = Asker("telegram", str(NEREA["id"]), "Nerea")
    commands.asks(where, nerea, None, None if came == "new" else "7")
    if came == "answered":
        await commands.call(Command("1", where, nerea, "hola"), Said("¡Hola!"), "5")
    elif came == "refused":
        press = Press("1", where, nerea, "", "7")
        said = SimpleNamespace(say=lambda *_, **__: True)
        await at.chat._answers.press(press, BoardAnswer("No.", good=False), said)
    else:
        commands.serve(where, None if came == "new" else "7")
    commands.held_up(where, 31.0)
    await at.settle()
    assert not [one for one in at.api.calls("sendMessage") if "llega allí" in one.values["text"]]


async def test_a_wait_is_told_while_another_board_than_the_pressed_one_was_shown(at):
    commands, where = at.chat._answers.commands, Where("telegram", str(GROUP["id"]))
    await at.api.say(NEREA, "/start", private(NEREA))
    await at.api.until(lambda: at.api.calls("sendMessage"))
    commands.asks(where, Asker("telegram", str(NEREA["id"]), "Nerea"), None, "7")
    commands.serve(where, "8")
    commands.held_up(where, 31.0)
    told = lambda: at.api.calls("sendMessage")[-1].values["text"]  # noqa: E731
    await at.api.until(lambda: "llega allí en menos de 40 s." in told(), 20)


@pytest.mark.parametrize("there", [True, False])
async def test_a_call_tells_that_the_board_it_answers_was_deleted(at, there):
    board = await at.begun()
    where = Where("telegram", str(GROUP["id"]))
    if not there:
        del at.api.messages[board.chat, board.id]
        with pytest.raises(BoardGone) as gone:
            await at.chat.ping(where, Ping((), "x", str(board.id), "1"))
        assert at.api.messages[board.chat, int(gone.value.call)].text == "x"
    else:
        assert await at.chat.ping(where, Ping((), "x", str(board.id), "1"))


async def test_a_call_bears_the_key_that_shows_its_board(at):
    board = await at.begun()
    where, key = Where("telegram", str(GROUP["id"])), Button("Ver el tablero", "code")
    call = await at.chat.ping(where, Ping((), "x", str(board.id), "1", key=key))
    assert at.api.messages[board.chat, int(call)].code("Ver el tablero") == "code"


async def test_f9_a_board_that_was_deleted_is_posted_once_more(at):
    board = await at.begun()
    del at.api.messages[board.chat, board.id]
    await at.press(at.mover(board), board, board.moves[0])
    (again,) = at.api.messages.values()
    assert again.id != board.id
    assert again.moves


async def test_f9_a_group_that_shuts_us_out_is_left_alone_until_we_are_back(at):
    board = await at.begun()
    at.api.refuse = refusing("editMessageMedia", Refusal(403, "Forbidden: bot was kicked"), 99)
    await at.press(at.mover(board), board, board.moves[0])
    tried = len(at.api.calls("editMessageMedia"))
    await at.press(at.mover(board), board, board.moves[1])
    assert len(at.api.calls("editMessageMedia")) == tried
    at.api.refuse = lambda asked: None
    await at.api.give("my_chat_member", membership(GROUP, "kicked", "member"))
    await at.api.until(lambda: len(at.api.calls("editMessageMedia")) > tried)


async def test_blocking_suspends_and_coming_back_shows_what_is_owed(at):
    where = private(NEREA)
    await at.api.say(NEREA, "/jugar niya ordenador", where)
    await at.api.until(lambda: at.api.board(NEREA["id"]))
    await at.settle()
    await at.api.give("my_chat_member", membership(where, "member", "kicked"))

    async def suspended() -> bool:
        async with at.facade.store.reading() as tx:
            return (await places.load_place(tx, "telegram", str(NEREA["id"]))).suspended

    async with asyncio.timeout(60):
        while not await suspended():
            await asyncio.sleep(0.005)
        await at.api.say(NEREA, "/start", where)
        while await suspended():
            await asyncio.sleep(0.005)
    assert not await suspended()


def membership(chat: dict, old: str, new: str) -> dict:
    def member(status: str) -> dict:
        until = {"until_date": 0} if status == "kicked" else {}
        return {"user": BOT, "status": status, **until}

    return {
        "chat": chat,
        "from": NEREA,
        "date": 1,
        "old_chat_member": member(old),
        "new_chat_member": member(new),
    }


async def test_a_group_is_greeted_once_in_two_lines_with_a_button_a_game(at):
    for old, new in (("left", "member"), ("member", "left"), ("left", "member")):
        await at.api.give("my_chat_member", membership(GROUP, old, new))
    greeting = await at.api.until(at.api.board)
    await at.settle()
    assert len(greeting.text.split("\n")) == 2
    assert len(at.api.calls("sendMessage")) == 1
    await at.press(NEREA, greeting, greeting.code("Niya"))
    table = await at.api.until(lambda: [m for m in at.api.messages.values() if m is not greeting])
    assert "Nerea" in table[0].text


@pytest.mark.slow
async def test_a_group_that_becomes_a_supergroup_keeps_its_tables(at):
    board = await at.begun({**GROUP, "id": -55, "type": "group"})
    code = (await at.table(board)).code
    old = {"message_id": 9, "date": 1, "chat": {**GROUP, "id": -55}, "from": NEREA}
    await at.api.give("message", {**old, "migrate_to_chat_id": -1001})
    fresh = await at.api.until(at.api.board)
    await at.settle()
    assert (await at.table(fresh)).code == code
    await at.press(at.mover(fresh), fresh, fresh.moves[0])
    assert fresh.edits == 1


@pytest.mark.slow
async def test_a_group_that_moved_without_telling_us_is_followed(at):
    board = await at.begun({**GROUP, "id": -55, "type": "group"})

    def moved(asked):
        if asked.values.get("chat_id") == "-55":
            raise Refusal(400, "Bad Request: group chat was upgraded", migrate_to_chat_id=-1001)

    at.api.refuse = moved
    await at.press(at.mover(board), board, board.moves[0])
    fresh = await at.api.until(at.api.board)
    assert fresh.chat == -1001


async def test_f4_a_board_that_nobody_noted_is_removed_at_its_first_press(at):
    board = await at.begun()
    lost = Shown(board.chat, 4321, "viejo", rows=board.rows)
    at.api.messages[board.chat, 4321] = lost
    heard = await at.press(at.mover(board), lost, board.moves[0])
    assert heard["text"].startswith("Tomas")
    # The presser does not wait for that, and neither does the board.
    await at.api.until(lambda: list(at.api.messages.values()) == [board])
    assert len((await at.table(board)).log) == 17


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (Refusal(429, "Too Many Requests", retry_after=7), Later),
        (Refusal(403, "Forbidden: bot was blocked by the user"), PlaceShut),
        (Refusal(400, "Bad Request: chat not found"), PlaceShut),
        (Refusal(400, "Bad Request: not enough rights to send text messages"), PlaceShut),
        (Refusal(400, "Bad Request: have no write access to the chat"), PlaceShut),
        (Refusal(400, "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN"), PlaceShut),
        (Refusal(400, "Bad Request: not enough rights to send photos"), MediaForbidden),
        (Refusal(400, "Bad Request: CHAT_SEND_GIFS_FORBIDDEN"), MediaForbidden),
        (Refusal(400, "Bad Request: TOPIC_CLOSED"), ThreadShut),
        (Refusal(400, "Bad Request: message to edit not found"), MessageGone),
        (Refusal(400, "Bad Request: message can't be edited"), MessageGone),
        (Refusal(400, "Bad Request: upgraded", migrate_to_chat_id=-1002), PlaceMoved),
        (Refusal(400, "Bad Request: something new"), NotTaken),
        (Refusal(502, "Bad Gateway"), ChatError),
    ],
)
async def test_what_telegram_refuses_is_said_in_the_words_of_the_port(at, refusal, error):
    at.api.refuse = refusing("sendMessage", refusal)
    with pytest.raises(ChatError) as raised:
        await at.chat.ping(Where("telegram", "-1001"), Ping((), "x", None, "1"))
    assert type(raised.value) is error


async def test_too_old_a_message_loses_at_least_its_buttons(at):
    board = await at.begun()
    at.api.refuse = refusing("deleteMessage", Refusal(400, "Bad Request: message can't be deleted"))
    await at.chat.remove(Where("telegram", str(board.chat)), str(board.id))
    assert not board.rows
    at.api.messages.clear()
    await at.chat.remove(Where("telegram", str(board.chat)), str(board.id))
