"""No update of Telegram is lost, done twice, or confirmed before it is on disk."""

import asyncio

import pytest
from telegram import Update

from bot.chats.telegram.update_queue import NotWritten, ReceiptQueue
from bot.facade import open_facade
from bot.service.computers.pool import Thinkers
from storage import inbox
from storage.errors import DatabaseUnavailable
from storage.store import Store
from tests.chats.telegram_room import EVA, NEREA, room, states
from tests.chats.test_telegram_pace import full
from tests.databases import database_in
from tests.houses import open_house
from tests.telegram_messages import GROUP


async def test_f2_what_was_received_and_never_settled_is_handled_at_the_next_start(tmp_path):
    update = {"message_id": 5, "date": 1, "chat": GROUP, "from": NEREA, "text": "/jugar niya"}
    facade = await open_house(tmp_path)
    queue = ReceiptQueue(facade.notes.receipts("telegram"))
    await queue.put(Update.de_json({"update_id": 5, "message": update}, None))
    await queue.secure(grace=0.0)
    await facade.stop()
    async with room(tmp_path) as at:
        board = await at.api.until(at.api.board)
        assert "Nerea" in board.text
        await at.settle()
        assert not await states(at)
        await at.api.give_raw({"update_id": 5, "message": update})
        await at.api.say(EVA, "/mover x")
        await at.api.until(lambda: any("entendido" in m.text for m in at.api.messages.values()))
        assert len([m for m in at.api.messages.values() if "Sentarme" in m.labels]) == 1


async def test_f1_a_press_that_was_done_and_not_answered_is_answered_at_the_next_start(tmp_path):
    async with room(tmp_path) as at:
        board = await at.begun()
        query = {"id": "q1", "from": at.mover(board), "chat_instance": "c", "data": board.moves[0]}
        update = {"update_id": 900, "callback_query": {**query, "message": board.data()}}
        await at.api.give_raw(update)
        await at.api.until(lambda: "q1" in at.api.answers)
        code = (await at.table(board)).code
    async with room(tmp_path) as at:
        # Telegram has not heard that it came, so it comes again, and again.
        for _ in range(3):
            await at.api.give_raw(update)
        heard = await at.api.until(lambda: at.api.answers.get("q1"))
        await at.settle()
        assert "text" not in heard
        assert len(at.api.calls("answerCallbackQuery")) == 1
        assert len((await at.facade.services.tables.get(code)).log) == 17


async def test_a_card_that_waits_for_a_full_group_comes_after_the_next_start(tmp_path):
    async with room(tmp_path) as at:
        board = await at.begun()
        while board.moves:
            await at.press(at.mover(board), board, board.moves[0])
            await at.settle()
            board = at.api.board() or board
        full(at, calls=18)
        await at.api.press(NEREA, board, board.code("Para compartir"))
        await asyncio.sleep(1.0)  # it is painted, and waits
        assert not [one for one in at.api.messages.values() if one.id > board.id]
    async with room(tmp_path) as at:
        card = await at.api.until(lambda: next(iter(at.api.messages.values()), None), seconds=5.0)
        assert card.picture
        assert card.reply_to == board.id


async def test_every_update_that_changed_nothing_is_settled_too(at):
    board = await at.begun()
    await at.press(EVA, board, board.moves[0])
    await at.api.say(NEREA, "hola")
    await at.api.say(NEREA, "/ayuda")
    await at.api.until(lambda: at.api.calls("sendMessage"))
    await at.settle()
    await at.api.until(lambda: not at.api.updates)
    assert not await states(at)


async def test_a_queue_that_cannot_write_says_so_in_the_library_s_words(tmp_path, monkeypatch):
    monkeypatch.setattr("bot.chats.telegram.update_queue.WRITE_RETRIES", (0.0,))
    store = await Store.open(database_in(tmp_path))
    facade = await open_facade(store, Thinkers(), "es")
    polled = ReceiptQueue(facade.notes.receipts("telegram"))
    hooked = ReceiptQueue(facade.notes.receipts("telegram"), at_once=True)
    await store.close()
    await polled.put(Update(5))
    with pytest.raises(NotWritten):
        await polled.secure()
    with pytest.raises(NotWritten):
        await hooked.put(Update(5))
    # Delivered again, since nobody confirmed it: still taken once, and still not on disk.
    with pytest.raises(NotWritten):
        await hooked.put(Update(5))
    assert (polled.qsize(), hooked.qsize()) == (1, 1)
    stop = object()
    await hooked.put(stop)
    assert [hooked.get_nowait() for _ in range(2)][1] is stop


async def test_what_is_done_while_others_are_noted_is_noted_in_one_transaction(at, monkeypatch):
    receipts, opened = at.facade.notes.receipts("telegram"), []
    begun = Store.transaction

    def counted(store, **how):
        opened.append(store)
        return begun(store, **how)

    monkeypatch.setattr(Store, "transaction", counted)
    await asyncio.gather(*(receipts.finish(str(number)) for number in range(9)))
    # One begins at once; whoever comes while it does goes along, or with the next.
    assert len(opened) <= 2
    assert set(await receipts.latest(20)) >= {str(number) for number in range(9)}


@pytest.mark.slow
async def test_an_update_that_its_change_settles_needs_no_receipt(at, monkeypatch):
    written = []
    real = inbox.receive_update

    async def receive(*args):
        written.append(args)
        return await real(*args)

    monkeypatch.setattr(inbox, "receive_update", receive)
    # However long this machine takes for a change.
    monkeypatch.setattr(ReceiptQueue.secure, "__defaults__", (60.0,))
    board = await at.begun()
    for _ in range(3):
        await at.press(at.mover(board), board, board.moves[0])
    await at.api.until(lambda: not at.api.updates)
    assert not written
    assert not await states(at)


@pytest.mark.slow
async def test_telegram_forgets_nothing_that_is_not_on_disk(at, monkeypatch):
    going_on = asyncio.Event()
    real = at.facade.requests.call

    async def slow(call):
        await going_on.wait()
        return await real(call)

    monkeypatch.setattr(at.facade.requests, "call", slow)
    await at.api.say(NEREA, "/jugar niya")
    await at.api.until(lambda: not at.api.updates)
    assert list((await states(at)).values()) == ["pending"]
    going_on.set()
    await at.api.until(at.api.board)
    await at.settle()
    assert not await states(at)


@pytest.mark.slow
async def test_whoever_was_told_to_try_again_does_not_move_at_the_next_start(tmp_path):
    async with room(tmp_path) as at:
        board = await at.begun()
        real = at.facade.store.transaction
        at.facade.store.transaction = shut
        heard = await at.press(at.mover(board), board, board.moves[0])
        assert "prueba" in heard["text"].lower()
        await at.api.until(lambda: not at.api.updates)
        at.facade.store.transaction = real
        code = (await at.table(board)).code
    async with room(tmp_path) as at:
        assert len((await at.facade.services.tables.get(code)).log) == 16
        assert not await states(at)


def shut(**_how):
    raise DatabaseUnavailable("shut for a while")


@pytest.mark.slow
async def test_polling_outlives_a_database_that_takes_nothing(at, monkeypatch):
    monkeypatch.setattr("bot.chats.telegram.update_queue.WRITE_RETRIES", (0.0,))
    calling = at.facade.requests.call

    async def slow(call):
        await at.api.until(lambda: not left[0], 10)
        return await calling(call)

    monkeypatch.setattr(at.facade.requests, "call", slow)
    real, left = inbox.receive_update, [4]

    async def shut(*args):
        if left[0] > 0:
            left[0] -= 1
            raise DatabaseUnavailable("shut for a while")
        return await real(*args)

    monkeypatch.setattr(inbox, "receive_update", shut)
    await at.api.say(NEREA, "/jugar niya")
    await at.api.until(at.api.board, 10)
    assert left == [0]
