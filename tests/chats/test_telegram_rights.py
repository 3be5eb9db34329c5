"""Groups that take no pictures, no words, or nothing in one topic; channels, and their comments."""

from __future__ import annotations

import pytest
from telegram import User

from bot.boards.closed_places import KNOCK
from bot.chats.telegram.reading import asker_of
from bot.port import Attachment, Poster, Where
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, room
from tests.telegram_api import Refusal
from tests.telegram_messages import BOT, GROUP, Shown, private

FORUM = {**GROUP, "id": -1002, "is_forum": True}
TOPIC = {"message_thread_id": 7, "is_topic_message": True}
HERE = Where("telegram", str(GROUP["id"]))


def without_pictures(at: Room, chat: int = GROUP["id"]) -> None:
    """Forbid pictures, films and files in *chat*, as its default permissions."""
    at.api.permissions[chat] = {"can_send_photos": False}

    def refuse(asked):
        sends = asked.method in ("sendPhoto", "sendAnimation", "sendDocument", "editMessageMedia")
        if sends and int(asked.values["chat_id"]) == chat:
            raise Refusal(400, "Bad Request: not enough rights to send photos to the chat")

    at.api.refuse = refuse


def closed(at: Room, thread: int | None) -> None:
    """Close a topic of the forum, ``None`` for General."""

    def refuse(asked):
        here = asked.method.startswith("send") and asked.values.get("chat_id") == "-1002"
        found = asked.values.get("message_thread_id")
        if here and (int(found) if found else None) == thread:
            raise Refusal(400, "Bad Request: TOPIC_CLOSED")

    at.api.refuse = refuse


def written(at: Room, chat: dict) -> list[Shown]:
    return [m for m in at.api.messages.values() if m.chat == chat["id"]]


async def passed(at: Room, seconds: float) -> None:
    """Let time pass for whoever tries again."""
    at.facade.services.delivery.closed_places.clock = lambda: 10**9 + seconds
    at.chat._photo_permissions.clock = lambda: 10**9 + seconds


# -------------------------------------------------------------------- pictures


async def test_where_pictures_are_forbidden_the_board_is_shown_in_words_and_says_so(at):
    without_pictures(at)
    board = await at.begun()
    assert board.picture is None
    assert "Aquí no se permiten imágenes" in board.text
    assert len(written(at, GROUP)) == 1
    tried = len(at.api.calls("sendPhoto", "editMessageMedia"))
    for _ in range(3):
        await at.press(at.mover(board), board, board.moves[0])
    assert len(at.api.calls("sendPhoto", "editMessageMedia")) == tried
    assert board.edits == 4


@pytest.mark.slow
async def test_a_picture_that_is_refused_suddenly_gives_way_to_words(at):
    board = await at.begun()
    without_pictures(at)
    await at.press(at.mover(board), board, board.moves[0])
    (shown,) = written(at, GROUP)
    assert shown.picture is None
    assert shown.moves


@pytest.mark.slow
async def test_the_picture_comes_back_with_the_next_press_once_it_is_allowed(at):
    without_pictures(at)
    board = await at.begun()
    at.api.refuse, at.api.permissions = lambda asked: None, {}
    await passed(at, 100)
    other = BRUNO if at.mover(board) is NEREA else NEREA
    await at.press(other, board, board.moves[0])  # refused: it is not their turn
    await at.api.until(lambda: board.picture is not None)
    assert "Aquí no se permiten" not in board.text


@pytest.mark.slow
async def test_and_without_anybody_s_press_in_its_time(at):
    at.chat._photo_permissions.tries = (0.01,)
    without_pictures(at)
    board = await at.begun()
    at.api.refuse, at.api.permissions = lambda asked: None, {}
    assert await at.api.until(lambda: board.picture)


async def test_a_question_that_nobody_answered_is_asked_again_soon(at, monkeypatch):
    monkeypatch.setattr("bot.chats.telegram.photo_permission.ASKED", 3600.0)
    at.chat._photo_permissions.tries = (0.01, 3600.0)
    without_pictures(at)
    forbids, lost = at.api.refuse, []

    def refuse(asked):
        if asked.method == "getChatMember" and not lost:
            lost.append(asked)
            at.api.refuse, at.api.permissions = lambda asked: None, {}
            raise Refusal(502, "Bad Gateway")
        forbids(asked)

    at.api.refuse = refuse
    board = await at.begun()
    assert await at.api.until(lambda: lost and board.picture)


@pytest.mark.slow
async def test_a_group_without_pictures_is_known_after_a_restart(tmp_path):
    async with room(tmp_path) as at:
        without_pictures(at)
        await at.begun()
        api = at.api
    api.updates.clear()
    api.refuse, api.permissions = lambda asked: None, {}
    async with room(tmp_path, api=api) as at:
        assert str(GROUP["id"]) in at.chat._outbound.no_pictures
        await passed(at, 100)
        board = at.api.board()
        await at.press(EVA, board, board.code("Más"))
        await at.api.until(lambda: board.picture is not None)


async def test_a_film_that_may_not_be_sent_is_one_sentence(at):
    without_pictures(at)
    asker = asker_of(User(NEREA["id"], "Nerea", False, language_code="es"))
    film = Poster("La partida", Attachment("film.gif", b"GIF89a"))
    await at.chat._answers.posting.bring(HERE, film, None, asker)
    (told,) = written(at, GROUP)
    assert told.text.startswith("Aquí no se permiten archivos ni películas.")


# ------------------------------------------ a picture that is refused for a reason we do not know


def with_refused_pictures(at):
    def refuse(asked):
        media = ("sendPhoto", "sendAnimation", "sendDocument", "editMessageMedia")
        if asked.method in media:
            raise Refusal(400, "Bad Request: PHOTO_SAVE_FILE_INVALID")

    at.api.refuse = refuse


async def test_what_was_asked_for_comes_in_words_where_a_picture_is_refused(at):
    with_refused_pictures(at)
    await at.api.say(NEREA, "/hoy", private(NEREA))
    await at.api.until(lambda: written(at, private(NEREA)))
    told = written(at, private(NEREA))[-1]
    assert "Telegram no acepta imágenes ahora mismo" in told.text
    assert told.labels


async def test_a_board_comes_in_words_and_the_next_one_is_a_picture_again(at):
    with_refused_pictures(at)
    board = await at.begun()
    assert board.picture is None
    assert "Telegram no acepta imágenes ahora mismo" in board.text
    at.api.refuse = lambda asked: None
    await passed(at, 100)
    await at.press(at.mover(board), board, board.moves[0])
    assert await at.api.until(lambda: board.picture)
    assert str(GROUP["id"]) not in at.chat._outbound.no_pictures


async def test_a_film_that_is_refused_can_be_asked_for_again(at):
    with_refused_pictures(at)
    asker = asker_of(User(NEREA["id"], "Nerea", False, language_code="es"))
    film = Poster("La partida", Attachment("film.gif", b"GIF89a"))
    await at.chat._answers.posting.bring(HERE, film, None, asker)
    (told,) = written(at, GROUP)
    assert told.text.startswith("Telegram no ha aceptado este archivo.")


# -------------------------------------------------------------------- words


@pytest.mark.slow
async def test_one_passing_refusal_does_not_freeze_a_group_that_plays_by_buttons(at):
    board = await at.begun()
    left = [1]

    def refuse(asked):
        if asked.method == "editMessageMedia" and left[0]:
            left[0] -= 1
            raise Refusal(400, "Bad Request: not enough rights to send text messages to the chat")

    at.api.refuse = refuse
    heard = await at.press(at.mover(board), board, board.moves[0])
    assert heard["text"].startswith("Tomas")
    edits = board.edits
    await passed(at, KNOCK + 1)
    await at.press(EVA, board, board.code("Más"))
    await at.api.until(lambda: board.edits > edits)


@pytest.mark.slow
async def test_whoever_presses_where_we_may_not_write_is_told(at):
    board = await at.begun()

    def refuse(asked):
        here = asked.values.get("chat_id") == str(GROUP["id"])
        if here and asked.method.startswith(("send", "edit")):
            raise Refusal(400, "Bad Request: CHAT_WRITE_FORBIDDEN")

    at.api.refuse = refuse
    await at.press(at.mover(board), board, board.moves[0])
    # The next in turn knows the board by other means, as from the page.
    table = await at.table(board)
    (seat,) = table.actors()
    who = NEREA if table.players[seat].name == "Nerea" else BRUNO
    screen = await shown_elsewhere(at, who, table.code)
    heard = await at.press(who, board, screen)
    assert "Ahora no puedo escribir aquí" in heard["text"]


@pytest.mark.slow
async def test_a_command_where_we_may_not_write_is_answered_in_private(at):
    await at.api.say(NEREA, "/start", private(NEREA))
    await at.api.until(lambda: written(at, private(NEREA)))

    def refuse(asked):
        if asked.method.startswith("send") and asked.values["chat_id"] == str(GROUP["id"]):
            raise Refusal(400, "Bad Request: CHAT_WRITE_FORBIDDEN")

    at.api.refuse = refuse
    for line in ("/jugar niya ordenador", "/jugar cirya ordenador"):
        before = len(written(at, private(NEREA)))
        await at.api.say(NEREA, line)
        told = await at.api.until(lambda n=before: written(at, private(NEREA))[n:])
        assert "no puedo escribir en ese grupo" in told[-1].text


async def test_whoever_has_no_private_chat_gets_a_reaction(at):
    def refuse(asked):
        if asked.method.startswith("send"):
            raise Refusal(400, "Bad Request: CHAT_WRITE_FORBIDDEN")

    at.api.refuse = refuse
    await at.api.say(NEREA, "/jugar niya ordenador")
    await at.api.until(lambda: list(at.api.reactions.values()) == ["🙊"])


# -------------------------------------------------------------------- topics


@pytest.mark.slow
async def test_a_closed_topic_silences_no_other(at):
    closed(at, 3)
    board = await at.begun({**FORUM}, "niya")
    assert board.thread is None
    await at.api.say(EVA, "/partidas", FORUM, message_thread_id=3, is_topic_message=True)
    await at.api.until(lambda: [one for one in at.api.calls("sendMessage") if one.refused])
    heard = await at.press(at.mover(board), board, board.moves[0])
    assert "s." not in heard["text"][-4:]
    assert board.edits == 2


@pytest.mark.slow
async def test_a_group_whose_general_is_closed_is_greeted_in_the_topic_of_the_first_command(at):
    closed(at, None)
    await at.api.give("my_chat_member", joined(FORUM))
    await at.api.until(lambda: at.api.calls("sendMessage"))
    await at.settle()
    assert not written(at, FORUM)
    await at.api.say(NEREA, "/jugar niya ordenador", FORUM, **TOPIC)
    await at.api.until(lambda: len(written(at, FORUM)) == 2)
    assert {m.thread for m in written(at, FORUM)} == {7}
    await at.api.say(NEREA, "/partidas", FORUM, **TOPIC)
    await at.settle()
    assert sum("Aquí se puede jugar" in m.text for m in written(at, FORUM)) == 1


@pytest.mark.slow
async def test_a_topic_that_is_opened_again_gets_its_board(at):
    closed(at, 7)
    await at.api.say(NEREA, "/jugar niya ordenador", FORUM, **TOPIC)
    await at.api.until(lambda: [one for one in at.api.calls("sendPhoto") if one.refused])
    await at.settle()
    at.api.refuse = lambda asked: None
    opened = {"message_id": 99, "date": 1, "chat": FORUM, "from": NEREA}
    await at.api.give("message", {**opened, **TOPIC, "forum_topic_reopened": {}})
    assert await at.api.until(lambda: written(at, FORUM))


# -------------------------------------------------------------------- being added


def joined(chat: dict) -> dict:
    old, new = {"user": BOT, "status": "left"}, {"user": BOT, "status": "member"}
    told = {"chat": chat, "from": NEREA, "date": 1}
    return {**told, "old_chat_member": old, "new_chat_member": new}


async def test_our_own_link_greets_once(at):
    await at.api.give("my_chat_member", joined(GROUP))
    await at.api.say(NEREA, "/start@LudotecaBot play")
    await at.api.until(lambda: written(at, GROUP))
    await at.settle()
    assert len(written(at, GROUP)) == 1
    await at.api.say(EVA, "/start@LudotecaBot")
    await at.api.until(lambda: len(written(at, GROUP)) == 2)


async def test_a_group_that_puts_us_out_and_adds_us_again_by_our_link_is_not_greeted_again(at):
    await at.api.give("my_chat_member", joined(GROUP))
    await at.api.until(lambda: written(at, GROUP))
    out = joined(GROUP)
    out["old_chat_member"], out["new_chat_member"] = out["new_chat_member"], out["old_chat_member"]
    for change in (out, joined(GROUP)):
        await at.api.give("my_chat_member", change)
    await at.api.say(NEREA, "/start@LudotecaBot play")
    await at.settle()
    assert len(at.api.calls("sendMessage")) == 1


async def test_in_a_channel_nothing_is_said_and_nobody_plays(at):
    channel = {"id": -1003, "type": "channel", "title": "Noticias"}
    await at.api.give("my_chat_member", joined(channel))
    press = {"message_id": 5, "date": 1, "chat": channel, "text": "x"}
    code = at.facade.boards.buttons.play("niya")
    query = {"id": "ch", "from": EVA, "chat_instance": "c", "data": code, "message": press}
    await at.api.give("callback_query", query)
    heard = await at.api.until(lambda: at.api.answers.get("ch"))
    assert "En un canal no se puede jugar" in heard["text"]
    await at.settle()
    assert not written(at, channel)


async def test_whoever_adds_us_to_a_channel_reads_in_private_where_people_play(at):
    channel = {"id": -1003, "type": "channel", "title": "Noticias"}
    change = {**joined(channel), "from": EVA}
    await at.api.give("my_chat_member", change)
    await at.settle()
    assert not at.api.messages, "who has never opened the private chat cannot be told"
    await at.api.say(EVA, "/start", private(EVA))
    await at.api.until(lambda: written(at, private(EVA)))
    await at.api.give("my_chat_member", change)
    told = await at.api.until(lambda: written(at, private(EVA))[1:])
    assert told[0].text.startswith("En un canal no se puede jugar, así que ahí no digo nada.")
    assert not written(at, channel)


POST = {
    "message_id": 700,
    "date": 1,
    "chat": GROUP,
    "from": {"id": 777000, "is_bot": False, "first_name": "Telegram"},
    "sender_chat": {"id": -1003, "type": "channel", "title": "Noticias"},
    "is_automatic_forward": True,
    "text": "/jugar niya",
}


@pytest.mark.slow
async def test_a_post_of_a_channel_asks_for_nothing(at):
    await at.api.give("message", POST)
    await at.begun()
    assert len(written(at, GROUP)) == 1


async def test_a_table_asked_for_among_comments_stands_among_them(at):
    under = {"message_thread_id": 700, "reply_to_message": POST}
    await at.api.say(NEREA, "/jugar niya", GROUP, **under)
    table = await at.api.until(lambda: at.api.board(GROUP["id"]))
    assert table.reply_to == 700
    await at.settle()
    comment = {"message_id": 701, "date": 1, "chat": GROUP, "from": EVA, "text": "hola"}
    nested = {"message_thread_id": 700, "reply_to_message": comment}
    await at.api.say(EVA, "/jugar cirya", GROUP, **nested)
    await at.api.until(lambda: len(written(at, GROUP)) == 2)
    assert None not in {m.reply_to for m in written(at, GROUP)}
    # A card that answers a comment is among the comments as well.
    card = Shown(GROUP["id"], 4321, "mesa")
    press = {**card.data(), "message_thread_id": 700}
    code = at.facade.boards.buttons.play("shogi")
    query = {"id": "among", "from": BRUNO, "chat_instance": "c", "data": code, "message": press}
    await at.api.give("callback_query", query)
    await at.api.until(lambda: len(written(at, GROUP)) == 3)
    assert None not in {m.reply_to for m in written(at, GROUP)}


@pytest.mark.slow
async def test_a_chain_of_answers_in_a_group_is_no_place_of_its_own(at):
    asked = {"message_id": 701, "date": 1, "chat": GROUP, "from": BRUNO, "text": "hola"}
    await at.api.say(NEREA, "/jugar cirya", GROUP, message_thread_id=701, reply_to_message=asked)
    table = await at.api.until(lambda: at.api.board(GROUP["id"]))
    assert (table.thread, table.reply_to) == (None, None)


# -------------------------------------------------------------------- a new id


async def test_an_answer_to_a_group_that_has_moved_goes_to_what_it_has_become(at):
    def moved(asked):
        if asked.values.get("chat_id") == "-55":
            raise Refusal(400, "Bad Request: group chat was upgraded", migrate_to_chat_id=-1001)

    at.api.refuse = moved
    await at.api.say(NEREA, "/reglas", {**GROUP, "id": -55, "type": "group"})
    await at.api.until(lambda: written(at, GROUP))


# -------------------------------------------------------------------- what may not be edited


@pytest.mark.slow
async def test_a_press_whose_menu_may_not_be_shown_is_told_why(at):
    await at.api.say(NEREA, "/jugar")
    card = await at.api.until(lambda: at.api.board(GROUP["id"]))
    await at.settle()

    def refuse(asked):
        if asked.method.startswith(("send", "edit")):
            raise Refusal(400, "Bad Request: CHAT_WRITE_FORBIDDEN")

    at.api.refuse = refuse
    heard = await at.press(NEREA, card, card.code("Niya"))
    assert (
        heard["text"] == "Ahora no puedo escribir aquí. Quien administra el grupo puede permitirlo."
    )


# -------------------------------------------------------------------- managers


async def test_where_members_are_hidden_the_list_of_administrators_tells_who_manages(at):
    at.api.hidden.add(GROUP["id"])
    at.api.managers[GROUP["id"]] = (NEREA,)
    asker = [await _standing(at, who) for who in (NEREA, BRUNO)]
    assert [one.manages for one in asker] == [True, False]
    asked = len(at.api.calls("getChatAdministrators"))
    assert (await _standing(at, NEREA)).manages
    assert len(at.api.calls("getChatAdministrators")) == asked


@pytest.mark.parametrize("hidden", [False, True])
async def test_who_has_just_been_made_an_administrator_is_not_refused(at, hidden):
    at.api.managers[GROUP["id"]] = (NEREA,)
    if hidden:
        at.api.hidden.add(GROUP["id"])
    assert [(await _standing(at, who)).manages for who in (NEREA, BRUNO)] == [True, False]
    at.api.managers[GROUP["id"]] = (NEREA, BRUNO)
    assert (await _standing(at, BRUNO)).manages


async def test_where_telegram_tells_nothing_the_person_is_told_so(at):
    def refuse(asked):
        if asked.method in ("getChatMember", "getChatAdministrators"):
            raise Refusal(400, "Bad Request: CHAT_ADMIN_REQUIRED")

    at.api.refuse = refuse
    assert (await _standing(at, NEREA)).unknown
    await at.api.say(NEREA, f"/start settings-{GROUP['id']}", private(NEREA))
    sheet = await at.api.until(lambda: at.api.board(NEREA["id"]))
    assert "No me dicen quién administra ese grupo" in sheet.text


async def shown_elsewhere(at: Room, who: dict, table: str) -> str:
    """The code of a move at *table*, as *who* sees it in the private chat."""
    await at.api.say(who, f"/tablero {table}", private(who))
    board = await at.api.until(lambda: at.api.board(who["id"]))
    await at.settle()
    return board.moves[0]


async def _standing(at: Room, who: dict):
    return await at.chat.standing(HERE, asker_of(User(who["id"], who["first_name"], False)))


# -------------------------------------------------------------------- what is copied


async def test_the_command_that_links_two_chats_is_copied_and_understood(at):
    await at.api.say(NEREA, "/enlazar", private(NEREA))
    (told,) = await at.api.until(lambda: written(at, private(NEREA)))
    (sent,) = [one.values["text"] for one in at.api.calls("sendMessage")]
    assert "<code>/enlazar " in sent
    assert "\u2060enlazar" not in told.text
    await at.api.say(EVA, "/\u2060enlazar ABCDEFGH", private(EVA))
    (answer,) = await at.api.until(lambda: written(at, private(EVA)))
    assert "código no vale" in answer.text
