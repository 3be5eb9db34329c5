"""Boards that were sent and never noted: none of them goes on living beside the one we know."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.boards import duplicate_posting_guard
from bot.boards.renderer import Renderer
from bot.port import ChatError, Where
from storage import bot_settings
from storage.table import views
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Hasty, refusing, room
from tests.telegram_api import Api, Refusal
from tests.telegram_messages import GROUP, private


class Killed(Exception):
    """Stands for the end of the process between sending a board and noting it."""


@asynccontextmanager
async def killed_after_sending():
    """In the block nothing that was sent is noted."""
    with pytest.MonkeyPatch.context() as patched:

        async def note(*_: object) -> None:
            raise Killed

        patched.setattr(Renderer, "note", note)
        yield


def living(api, chat=GROUP):
    """The messages of ours in *chat* that have buttons."""
    return [m for m in api.messages.values() if m.chat == chat["id"] and m.rows]


async def notes(at):
    return await at.facade.store.read(bot_settings.list_settings, duplicate_posting_guard.NOTE)


async def begun_and_killed(tmp_path, api, chat=GROUP):
    """A table whose first board arrived, and nobody noted it."""
    async with room(tmp_path, api=api) as at, killed_after_sending():
        await api.say(NEREA, "/jugar niya amistosa", chat)
        await api.until(lambda: living(api, chat))
        await at.settle()
    (orphan,) = living(api, chat)
    return orphan


async def test_a_board_that_was_sent_and_not_noted_is_gone_after_the_next_start(tmp_path):
    api = Api()
    orphan = await begun_and_killed(tmp_path, api)
    # Meanwhile people write, and nobody can edit that.
    for _ in range(3):
        next(api._messages)
    async with room(tmp_path, api=api) as at:
        await api.until(lambda: orphan not in living(api))
        await at.settle()
        (board,) = living(api)
        assert board.id > orphan.id
        assert await notes(at) == {}
        await at.press(BRUNO, board, board.code("Sentarme"))
        assert "Bruno" in board.text


async def test_what_people_wrote_is_not_looked_at_and_nothing_is_looked_at_twice(tmp_path):
    async def never(_: str) -> bool:
        return False

    api = Api()
    async with room(tmp_path, api=api) as at:
        await at.settle()
        first = next(api._messages)
        await api.say(EVA, "hola")
        await at.settle()
        where, before = Where("telegram", str(GROUP["id"])), next(api._messages) + 3
        looked = []
        for _ in range(2):
            await at.chat.remove_repeated(where, f"{first - 1}@1", str(before), never)
            looked = [one.values["message_id"] for one in api.calls("editMessageReplyMarkup")]
        # The one between was written by somebody.
        assert looked == [str(n) for n in range(before - 1, first - 1, -1) if n != first + 1]


async def test_what_is_known_of_a_busy_group_hides_no_lost_board(tmp_path):
    """Where the group is full the board comes once more only after many messages."""

    async def never(_: str) -> bool:
        return False

    api = Api()
    orphan = await begun_and_killed(tmp_path, api)
    async with room(tmp_path, api=api) as at:
        newest = orphan.id + 50
        for number in range(orphan.id + 1, newest + 1):
            at.chat._outbound.depths.note_seen(str(GROUP["id"]), number)
        where, mark = Where("telegram", str(GROUP["id"])), f"{orphan.id - 1}@1"
        await at.chat.remove_repeated(where, mark, str(newest + 1), never)
        assert orphan not in living(api)
        await at.settle()


async def test_what_a_message_shows_already_is_not_noted_of_a_board_without_one(tmp_path):
    """A group that becomes a supergroup loses its messages while a board is looked at."""
    async with room(tmp_path) as at:
        board, store = await at.begun(), at.facade.store
        await at.settle()
        (view,) = await store.read(views.views_of_game, (await at.table(board)).code)
        await store.write(views.miss_message, view.id, view.message)
        await at.facade.services.delivery.renderer._note_same(view, view.owed)
        missed = await store.read(views.load_view, view.id)
        assert (missed.message, missed.shown) == (None, 0)
        await store.write(views.delete_view, view.id)


async def test_a_board_that_is_noted_while_a_search_waits_for_its_turn_stays(tmp_path, monkeypatch):
    api = Api()
    async with room(tmp_path, api=api) as at:
        board = await at.begun()
        await at.settle()
        guard, real = at.facade.services.delivery.posting_guard, views.view_by_message
        (view,) = await at.facade.store.read(views.views_of_game, (await at.table(board)).code)
        asked = []

        async def read(tx, *key):
            asked.append(key)
            return await real(tx, *key) if len(asked) > 1 else None

        monkeypatch.setattr(duplicate_posting_guard.stored, "view_by_message", read)
        at.chat._outbound.depths._known.clear()
        posting = duplicate_posting_guard._Posting("n", f"{board.id - 1}@1", lost=True)
        await guard._look_between(replace(view, id=view.id + 1), posting, str(board.id + 1))
        assert len(asked) == 2
        assert living(api) == [board]


async def test_a_board_that_is_shown_before_the_notes_are_taken_up_does_not_lose_it(
    tmp_path, monkeypatch
):
    api = Api()
    orphan = await begun_and_killed(tmp_path, api)

    async def nothing_yet(_: object) -> list[int]:
        return []

    monkeypatch.setattr(duplicate_posting_guard.PostingGuard, "take_up", nothing_yet)
    async with room(tmp_path, api=api) as at:
        await api.until(lambda: orphan not in living(api))
        await at.settle()
        assert len(living(api)) == 1
        assert await notes(at) == {}


async def test_while_it_is_looked_for_the_new_one_goes_on(tmp_path, monkeypatch):
    api, found = Api(), asyncio.Event()
    orphan, look = await begun_and_killed(tmp_path, api), Hasty.remove_repeated

    async def slowly(*about):
        await found.wait()
        await look(*about)

    monkeypatch.setattr(Hasty, "remove_repeated", slowly)
    async with room(tmp_path, api=api) as at:
        await api.until(lambda: len(living(api)) > 1)
        (board,) = (one for one in living(api) if one is not orphan)
        pressing = asyncio.create_task(at.press(BRUNO, board, board.code("Sentarme")))
        await api.until(lambda: "Bruno" in board.text)
        found.set()
        await pressing
        await at.settle()
        assert [one for one in living(api) if one.picture] == [board]
        assert await notes(at) == {}


@pytest.mark.slow
async def test_a_kill_while_it_is_looked_for_does_not_lose_it(tmp_path, monkeypatch):
    api = Api()
    orphan = await begun_and_killed(tmp_path, api)

    async def ended(*_: object) -> None:
        raise ChatError("the process ends here")

    with monkeypatch.context() as patched:
        patched.setattr(Hasty, "remove_repeated", ended)
        patched.setattr(duplicate_posting_guard, "LOOK_AGAIN", (3600.0,))
        async with room(tmp_path, api=api) as at:
            await api.until(lambda: len(living(api)) > 1)
            await api.until(lambda: not at.chat._answers.tasks.busy())
    sent = len(api.calls("sendPhoto"))
    async with room(tmp_path, api=api) as at:
        await api.until(lambda: orphan not in living(api))
        await at.settle()
        assert len(living(api)) == 1
        assert await notes(at) == {}
    assert len(api.calls("sendPhoto")) == sent, "it is looked for, and nothing is posted anew"


@pytest.mark.slow
async def test_what_others_know_and_what_is_older_stays(tmp_path):
    api = Api()
    async with room(tmp_path, api=api) as at:
        await at.begun()
        (first,) = living(api)
        await api.say(EVA, "/ajustes", private(EVA))
        await api.until(lambda: living(api, private(EVA)))
    await begun_and_killed_beside(tmp_path, api, first)
    async with room(tmp_path, api=api) as at:
        await at.settle()
        assert first in living(api)
        assert len(living(api)) == 2
        assert len(living(api, private(EVA))) == 1


async def begun_and_killed_beside(tmp_path, api, first):
    async with room(tmp_path, api=api) as at, killed_after_sending():
        await api.say(EVA, "/jugar cirya amistosa")
        await api.until(lambda: len(living(api)) > 1)
        await at.settle()
    assert first in living(api)


@pytest.mark.slow
async def test_a_table_that_is_over_is_not_posted_anew(tmp_path):
    api = Api()
    async with room(tmp_path, api=api) as at:
        await api.say(NEREA, "/jugar niya amistosa")
        board = await api.until(lambda: api.board(GROUP["id"]))
        await at.settle()
        table = await at.table(board)
        (view,) = await at.facade.store.read(views.views_of_game, table.code)
        await at.press(NEREA, board, board.code("Cancelar"))
        note = '{"nonce": "", "after": "0@0", "lost": true}'
        await at.facade.store.write(
            bot_settings.put_setting, f"{duplicate_posting_guard.NOTE}{view.id}", note
        )
    sent = len(api.calls("sendPhoto", "sendMessage"))
    async with room(tmp_path, api=api) as at:
        await at.settle()
        assert await notes(at) == {}
    assert len(api.calls("sendPhoto", "sendMessage")) == sent


@pytest.mark.slow
async def test_what_was_sent_long_before_is_not_taken_for_it(tmp_path):
    api = Api()
    orphan = await begun_and_killed(tmp_path, api)
    orphan.date -= 60
    async with room(tmp_path, api=api) as at:
        await api.until(lambda: not orphan.rows)
        await at.settle()
        assert orphan in api.messages.values()
        assert await notes(at) == {}


async def test_a_connection_that_breaks_while_a_board_is_sent_leaves_one_board(tmp_path):
    api = Api()
    sent = api.sendphoto

    def broken(asked):
        sent(asked)
        api.sendphoto = sent
        raise Refusal(502, "Bad Gateway")

    api.sendphoto = broken
    async with room(tmp_path, api=api) as at:
        at.facade.services.delivery.retries = (0.01,)
        await api.say(NEREA, "/jugar niya amistosa")
        # Both stand there for a moment that nobody may look at.
        await api.until(lambda: len(api.calls("sendPhoto")) > 1)
        await api.until(lambda: api.calls("deleteMessage"))
        await at.settle()
        assert len(living(api)) == 1
        assert await notes(at) == {}


async def test_a_board_that_was_lost_below_is_looked_for_also_where_the_one_above_is_edited(
    tmp_path,
):
    api = Api()
    async with room(tmp_path, api=api) as at:
        delivery = at.facade.services.delivery
        delivery.retries = (0.01,)
        board, sent = await at.begun(), api.sendphoto
        here = ("telegram", str(GROUP["id"]), str(board.id))
        view = await delivery.store.read(views.view_by_message, *here)

        def broken(asked):
            sent(asked)
            api.sendphoto = sent
            delivery.renderer.forget(view.id)  # what was to bring it down is over
            raise Refusal(502, "Bad Gateway")

        api.sendphoto = broken
        delivery.renderer.raise_anew(view.id)
        await delivery.renew(view)
        await api.until(lambda: len(api.calls("sendPhoto")) > 2)
        await api.until(lambda: len(living(api)) == 1)
        await at.settle()
        assert await notes(at) == {}


@pytest.mark.parametrize(
    "refusal", [Refusal(400, "Bad Request: not enough rights to send text messages to the chat")]
)
async def test_what_telegram_refused_is_not_looked_for(tmp_path, refusal):
    api = Api()
    api.refuse = refusing("sendPhoto", refusal)
    async with room(tmp_path, api=api) as at:
        await api.say(NEREA, "/jugar niya amistosa")
        await at.settle()
        assert await notes(at) == {}
        assert not api.calls("editMessageReplyMarkup")


@pytest.mark.slow
async def test_a_board_that_is_asked_for_anew_while_it_is_on_its_way_stands_once(tmp_path):
    api, go_on, sent = Api(), asyncio.Event(), []
    send = api.sendphoto

    async def slow(asked):
        sent.append(asked)
        if len(sent) == 1:
            await go_on.wait()
        return send(asked)

    api.sendphoto = slow
    async with room(tmp_path, api=api) as at:
        await api.say(NEREA, "/jugar niya amistosa")
        await api.until(lambda: sent)
        await api.say(NEREA, "/tablero")
        await api.until(lambda: len(sent) > 1)
        go_on.set()
        await at.settle()
        await api.until(lambda: len(living(api)) == 1)
        (board,) = living(api)
        await at.press(BRUNO, board, board.code("Sentarme"))
        assert "Bruno" in board.text


async def test_a_note_is_gone_once_its_board_is_noted(tmp_path):
    api = Api()
    async with room(tmp_path, api=api) as at:
        await at.begun()
        assert await notes(at) == {}
        assert not api.calls("editMessageReplyMarkup")


@pytest.mark.sampled
@pytest.mark.parametrize("note", ["", "[]", "{}", '{"nonce": 1, "after": "x", "lost": true}'])
async def test_a_damaged_note_keeps_nobody_from_starting(tmp_path, note):
    api = Api()
    async with room(tmp_path, api=api) as at:
        await at.begun()
        for number in ("1", "99", "x"):
            await at.facade.store.write(
                bot_settings.put_setting, f"{duplicate_posting_guard.NOTE}{number}", note
            )
    async with room(tmp_path, api=api) as at:
        await at.settle()
        assert await notes(at) == {}
        assert len(living(api)) == 1
