"""Discord at the wire: what it refuses, where we are no member, who is called, and restarts."""

import asyncio
import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from discord.http import HTTPClient

from bot.boards.delivery import Delivery
from bot.chats.discord import TokenRefused, connection, outbound
from bot.notify.notification_context import NotificationContext
from bot.port import Asker, ChatError, Ping, Screen, Target
from bot.service.table.changes import Update
from bot.session import play
from storage.table import notifications, views
from tests.chats.discord_messages import Failure
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    EVA,
    HERE,
    Table,
    discord_house,
    fake_fixture,
    table_fixture,
    unhurried_discord_fixture,
)
from tests.chats.fake_discord import ABROAD, BOT, EVERYTHING, HOME, TOKEN, point_library_at
from tests.fakes import silence

# ---------------------------------------------------------------- what Discord refuses


async def test_f9_a_deleted_board_is_posted_once_more(at):
    message = await at.begun()
    del at.fake.messages[message.id]
    await at.typed(message)
    await at.fake.until(lambda: any(m.pictures for m in at.fake.messages.values()))
    await at.settle()
    (again,) = [m for m in at.fake.messages.values() if m.pictures]
    assert again.flags & 1 << 12  # a phone would tell nothing of a board


async def _due_call(at, message):
    """The calls of the house, a view of *message* after a move, and the call that is due there."""
    waits = BEA if at.mover(message) is ANA else ANA
    await at.move(message)
    await at.settle()
    called = at.facade.services.notifications
    table = await at.table(message)
    (person,) = [one.person for one in table.players if one.name == waits["global_name"]]
    called.presence._pressed.clear()
    (view,) = await at.facade.store.read(views.views_of_game, table.code)
    now = at.facade.services.clock.steady()
    async with at.facade.store.transaction() as tx:
        await notifications.resume_notifications(tx, now)
    context = await NotificationContext.read(at.facade.store, table.code, now)
    rows = [row for row in context.rows if row.person == person]
    told = context.notification(table, view, rows, "discord", called.due.key)
    return called, view, told, waits["id"]


async def test_a_call_that_answers_a_deleted_board_brings_a_new_one(at):
    message = await at.begun()
    called, view, told, waits = await _due_call(at, message)
    del at.fake.messages[message.id]
    await called._send(HERE, view, told)
    await at.settle()
    boards = [one for one in at.boards() if one.moves]
    assert len(boards) == 1
    (call,) = [one for one in at.boards() if waits in one.text and not one.moves]
    assert int(call.id) < int(boards[0].id)


async def test_a_call_sent_once_more_misses_no_board_that_came_down_since(at, monkeypatch):
    monkeypatch.setattr("bot.chats.discord.chat.READS", timedelta())
    message = await at.begun()
    called, view, told, waits = await _due_call(at, message)
    chat = at.facade.chats["discord"]

    async def lose_word(where, ping):
        await type(chat).ping(chat, where, ping)
        raise ChatError("the word of it was lost")

    with monkeypatch.context() as patch:
        patch.setattr(chat, "ping", lose_word)
        await called._send(HERE, view, told)
    called.delivery.renderer.raise_anew(view.id)
    await called.delivery.renew(view)
    await at.fake.until(lambda: message.id not in at.fake.messages)
    await at.settle()
    (lowered,) = [one for one in at.boards() if one.moves]
    (view,) = await at.facade.store.read(views.views_of_game, view.subject)
    assert view.message == lowered.id
    await called._send(HERE, view, told)
    await at.settle()
    assert [one for one in at.boards() if one.moves] == [lowered]
    assert len([one for one in at.boards() if waits in one.text and not one.moves]) == 1


async def test_an_invitation_calls_in_words_that_a_phone_shows_and_becomes_the_board(at):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA, "rated": "no"})
    await at.settle()
    invitation = asked.message
    assert invitation.body["content"].startswith("<@12>: **Ana te reta")
    assert invitation.pictures
    assert not invitation.parts(17)
    assert not [one for one in at.boards() if one is not invitation]
    await at.fake.press(BEA, invitation, invitation.button("Aceptar")["custom_id"])
    await at.fake.until(lambda: invitation.moves)
    assert invitation.body["content"] is None
    assert invitation.parts(17)


async def test_f9_a_place_that_shuts_us_out_is_left_alone_until_somebody_asks_again(
    at, monkeypatch
):
    monkeypatch.setattr(Delivery.close, "__defaults__", (0.1,))
    message = await at.begun()
    at.fake.failing.append(Failure("(PATCH|POST) /(webhooks|channels)", 403, 50001, 99))
    await at.typed(message)
    await at.settle()
    tried = at.fake.count("PATCH /")
    await at.facade.services.delivery.wake_all()
    await at.settle()
    assert at.fake.count("PATCH /") == tried
    at.fake.failing.clear()
    writes = message.writes
    await at.fake.slash(EVA, "help")
    await at.fake.until(lambda: message.writes > writes)


@pytest.mark.parametrize("status", [400, 403])
async def test_where_pictures_are_refused_the_same_message_shows_the_board_in_words(at, status):
    message = await at.begun()
    at.fake.uploads_limited = status
    asked = await at.move(message)
    assert not message.pictures
    assert "no acepta imágenes" in message.text
    assert "Camino" in message.text or "fichas" in message.text
    await at.typed(message)
    await at.settle()
    assert at.boards().count(message) == 1
    assert len([one for one in at.boards() if one.moves]) == 1
    assert not asked.said
    place = await at.facade.services.places.at(HERE)
    assert not place.suspended


async def test_the_next_board_has_its_picture_soon_after_pictures_are_taken_again(at):
    message = await at.begun()
    at.fake.uploads_limited = 403
    await at.move(message)
    assert "no acepta imágenes" in message.text
    at.fake.uploads_limited = 0
    later = time.monotonic() + 60.0
    at.facade.chats["discord"]._inbound.access._unpictured.expire(later)
    await at.move(message)
    await at.settle()
    assert "no acepta imágenes" not in message.text
    assert message.pictures


async def test_an_invitation_comes_without_its_picture_where_pictures_are_refused(at):
    at.fake.uploads_limited = 403
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA, "rated": "no"})
    await at.settle()
    (shown,) = at.boards()
    assert shown.button("Aceptar")
    assert "Ana" in shown.text
    assert not shown.pictures
    assert not any("Discord" in one.text for one in asked.said)


async def test_whatever_is_forbidden_for_an_unknown_reason_leaves_one_board(at):
    message = await at.begun()
    at.fake.failing.append(Failure("POST /interactions", 403, 99999, 1))
    await at.move(message)
    await at.settle()
    await at.fake.slash(EVA, "board", {"table": message.buttons[0]["custom_id"].split(".")[1]})
    await at.settle()
    assert len([one for one in at.boards() if one.moves]) == 1


async def test_a_board_that_another_replaces_where_we_may_not_write_is_removed(at):
    message = await at.begun()
    at.fake.failing.append(Failure("(PATCH|POST) /(webhooks|channels)", 403, 50013, 3))
    await at.typed(message)
    await at.settle()
    at.fake.failing.clear()
    await at.fake.slash(at.mover(message), "board")
    await at.settle()
    assert len([one for one in at.boards() if one.moves]) == 1


async def test_f8_a_place_that_asks_for_patience_gets_it_and_its_board(at):
    message = await at.begun()
    # More often than the library tries by itself.
    at.fake.failing.append(Failure("PATCH /", 429, times=7))
    await at.typed(message)
    await at.settle()
    assert at.fake.failing[0].times == 0
    assert await at.moves(message) == 17


async def test_calls_and_boards_of_one_channel_are_sent_one_after_the_other(at, monkeypatch):
    # Of those under way together the library forgets some, and then lets too many go.
    request, going, most = HTTPClient.request, Counter[str](), Counter[str]()

    async def counted(self, route, **what):
        going[route.key] += 1
        most[route.key] = max(most[route.key], going[route.key])
        await asyncio.sleep(0.02)
        try:
            return await request(self, route, **what)
        finally:
            going[route.key] -= 1

    monkeypatch.setattr(HTTPClient, "request", counted)
    chat, person = at.facade.chats["discord"], Asker("discord", ANA["id"], "Ana")
    words = Screen("", 0, "Niya")
    sent = [chat.ping(HERE, Ping([person], "now", None, f"call{n}")) for n in range(3)]
    shown = [chat.show(Target(HERE, None, nonce=f"board{n}"), words, None) for n in range(3)]
    called = await asyncio.gather(*sent, *shown)
    boards = [Target(HERE, one.message) for one in called[3:]]
    await asyncio.gather(*(chat.show(one, words, None) for one in boards))
    assert most["POST /channels/{channel_id}/messages"] == 1
    assert most["PATCH /channels/{channel_id}/messages/{message_id}"] == 1


@pytest.mark.usefixtures("unhurried_discord")
async def test_a_thread_that_takes_no_message_is_left_alone(at):
    message = await at.begun()
    at.fake.failing += [
        Failure("PATCH /webhooks", 401, 50027, 99),
        Failure("(PATCH|POST) /channels", 400, 50083, 99),
    ]
    await at.typed(message)
    await at.settle()
    assert at.fake.count("(PATCH|POST) /channels") == 2


async def test_f9_put_out_of_a_server_nothing_more_goes_there(at):
    message = await at.begun()
    await at.fake.emit("GUILD_DELETE", {"id": HOME})
    seen = len(at.fake.requests)
    table = await at.table(message)
    found = table.present
    (seat,) = found.actors()
    values = {"move": table.game.notation.written(found, found.legal_moves(seat)[0])}
    values["table"] = message.buttons[0]["custom_id"].split(".")[1]
    await at.fake.slash(at.mover(message), "move", values, channel="900")
    await at.settle()
    assert not [line for line, _ in at.fake.requests[seen:] if "POST /inter" not in line]


@pytest.mark.slow
async def test_a_board_older_than_an_hour_is_posted_anew_in_place_of_the_old_one(at, monkeypatch):
    message = await at.begun()
    monkeypatch.setattr(outbound, "OLD", -1.0)
    at.fake.failing.append(Failure("PATCH /webhooks", 401, 50027, 99))
    await at.typed(message)
    await at.fake.until(lambda: sum(bool(m.pictures) for m in at.fake.messages.values()) == 2)
    new = [m for m in at.fake.messages.values() if m.pictures and m is not message]
    assert new[0].moves
    await at.fake.until(lambda: message.id not in at.fake.messages)


async def challenged(at):
    """Ana challenges Bea from her menu; the sheet she has done it on."""
    menu = {"id": "1", "name": "Challenge", "type": 2, "target_id": BEA["id"]}
    asked = await at.fake.ask(ANA, 2, {**menu, "resolved": at.fake.resolved({BEA["id"]: BEA})})
    await at.fake.until(lambda: asked.message is not None)
    for label in ("Niya · 2 jugadores, 10 min", "Retar a Bea"):
        await at.fake.press(ANA, asked.message, asked.message.button(label)["custom_id"])
    await at.fake.until(lambda: any("reta" in m.text and m.buttons for m in at.boards()))
    await at.settle()
    return asked.message


async def test_f4_a_board_posted_before_a_kill_is_not_posted_again(at):
    sheet = await challenged(at)
    assert sheet.ephemeral
    (body,) = [body for line, body in at.fake.requests if "POST /channels" in line]
    assert body["enforce_nonce"]
    assert len(body["nonce"]) <= 25
    assert "flags" not in body  # whoever is challenged is called by it


async def test_f4_a_board_posted_before_a_kill_shows_what_has_happened_since(at):
    await challenged(at)
    board = next(m for m in at.boards() if m.buttons)
    async with at.facade.store.transaction() as tx:
        # Killed before it was noted.
        await tx.exec_driver_sql("update view set message = null, posted = null, shown = 0")
    at.fake.requests.clear()
    table = await at.table(board)

    def accept(work):
        play.take_chair(work, replace(table.players[1], invited=False), 1)
        play.start_if_full(work)

    await at.facade.services.changes.change(Update("elsewhere", "1"), table.code, accept)
    await at.fake.until(lambda: board.moves)
    await at.settle()
    assert [m for m in at.boards() if m.moves] == [board]
    posted = [
        line.split()[0]
        for line, body in at.fake.requests
        if "/messages" in line and not (body or {}).get("content")
    ]
    assert [one for one in posted if one != "GET"] == ["POST", "PATCH"]
    # Its headline calls Ana: it says who has accepted, not only whose turn it is.
    table = await at.table(board)
    (seat,) = table.actors()
    who, writes = ANA if table.players[seat].name == "Ana" else BEA, board.writes
    await at.fake.press(who, board, board.moves[0]["custom_id"])
    await at.fake.until(lambda: board.writes > writes)


async def test_f9_a_board_deleted_at_once_is_posted_anew_though_nonces_are_enforced(at):
    message = await at.begun()
    for _ in range(3):
        del at.fake.messages[message.id]
        await at.typed(message)
        await at.fake.until(lambda: any(m.moves for m in at.boards()))
        await at.settle()
        (message,) = [m for m in at.boards() if m.moves]
    nonces = [body["nonce"] for line, body in at.fake.requests if "POST /channels" in line]
    assert len(nonces) == len(set(nonces)) == 3


async def test_after_a_restart_the_answer_that_already_shows_the_table_is_its_board(at):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    await at.settle()
    # Killed before it was noted: the view knows no message, only the token.
    view = await at.facade.services.views.of(await at.table(asked.message), HERE)
    async with at.facade.store.transaction() as tx:
        await views.miss_message(tx, view.id, view.message)
    await at.facade.services.delivery.wake_all()
    await at.settle()
    assert at.boards() == [asked.message]


@pytest.mark.slow
async def test_a_rematch_leaves_the_final_board_alone(at):
    message = await at.begun()
    asked = await at.fake.slash(ANA, "resign")
    await at.fake.press(ANA, asked.message, asked.message.button("Sí, seguro")["custom_id"])
    await at.fake.until(lambda: any(b["label"] == "Revancha" for b in message.buttons))
    for who in (ANA, BEA):
        await at.fake.slash(who, "rematch")
    await at.settle()
    assert len(at.boards()) >= 2
    assert not message.moves


# ---------------------------------------------------------------- places


async def test_where_we_are_no_member_the_board_lives_by_tokens(at):
    message = await at.begun(channel=ABROAD)
    notes = [m.text for m in at.fake.messages.values() if m.ephemeral]
    assert any("no me han añadido a este servidor" in text for text in notes)
    refused = await at.fake.press(EVA, message, message.moves[0]["custom_id"])
    # The words come after the answer, so that the newest token still edits the board.
    assert refused.type == 6
    await at.fake.until(lambda: refused.said)
    assert refused.said[0].ephemeral
    for _ in range(3):
        await at.move(message)
    assert at.fake.count(f"/channels/{ABROAD}/messages/") == 0


async def test_missing_permissions_are_named_to_the_asker(at):
    allowed = str(int(EVERYTHING) & ~(1 << 3) & ~(1 << 10) & ~(1 << 15))
    await at.fake.slash(ANA, "play", {"game": "niya"}, app_permissions=allowed)
    notes = lambda: "".join(m.text for m in at.fake.messages.values() if m.ephemeral)  # noqa: E731
    await at.fake.until(lambda: "Ver canales" in notes())
    assert "Ver canales y Adjuntar archivos" in notes()


async def test_a_board_that_was_read_beside_it_goes_when_it_is_shown_anew(at):
    """Where no file may be attached boards go by tokens; one answered beside them reaches none."""
    barred = {"app_permissions": str(int(EVERYTHING) & ~(1 << 3) & ~(1 << 15))}
    first = await at.begun(**barred)
    words = next(b for b in first.buttons if b["label"] == "En palabras")
    said = await at.fake.press(EVA, first, words["custom_id"], **barred)
    assert said.type == 4
    await at.fake.slash(ANA, "board", {}, **barred)
    await at.settle()
    (stands,) = [one for one in at.boards() if one.moves]
    assert stands is not first


async def test_in_private_one_plays_the_computer(at):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "level": "1"}, channel="900")
    await at.fake.until(lambda: asked.message.moves)
    assert "Te toca, Ana" in asked.message.text


@pytest.mark.slow
async def test_whoever_challenges_the_bot_plays_the_computer(at):
    us = {**ANA, "id": BOT, "username": "bot", "global_name": "Bot", "bot": True}
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": us})
    await at.fake.until(lambda: asked.message.moves)
    another = {**us, "id": "77"}
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": another})
    assert asked.message.ephemeral


# ---------------------------------------------------------------- calling and names


async def test_whose_turn_it_is_is_called_by_a_message_that_mentions_nobody_else(at):
    message = await at.begun()
    at.facade.services.presence.clock = lambda: time.monotonic() + 60
    await at.move(message)
    await at.settle()
    (call,) = [m for m in at.boards() if m is not message]
    assert call.text.startswith(f"<@{at.mover(message)['id']}>: te toca en Niya contra ")
    allowed = call.body["allowed_mentions"]
    assert allowed["parse"] == []
    assert [str(one) for one in allowed["users"]] == [at.mover(message)["id"]]
    assert call.body["message_reference"]["message_id"] == int(message.id)
    await at.move(message)
    await at.settle()
    assert call.id not in at.fake.messages


@pytest.mark.usefixtures("unhurried_discord")
async def test_the_challenged_is_mentioned_by_the_very_answer_to_the_command(at):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    await at.settle()
    assert asked.type == 4
    said = f"<@{BEA['id']}>: **Ana te reta a una partida por puntos de Niya.**"
    assert said in asked.message.text
    assert [str(one) for one in asked.message.body["allowed_mentions"]["users"]] == [BEA["id"]]
    assert at.boards() == [asked.message]


async def test_who_is_mentioned_by_an_answer_that_came_late_is_called_apart(at, monkeypatch):
    monkeypatch.setattr("bot.chats.discord.reply.WATCHDOG", 0.05)
    post = at.facade.chats["discord"]._inbound.replies.post

    async def slow(reply, board):
        real = board.picture

        async def painted():
            await asyncio.sleep(0.3)
            return None if real is None else await real

        return await post(reply, replace(board, picture=asyncio.create_task(painted())))

    monkeypatch.setattr(at.facade.chats["discord"]._inbound.replies, "post", slow)
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    await at.settle()
    assert asked.type == 5
    (call,) = [m for m in at.boards() if m is not asked.message]
    assert call.text.strip() == f"<@{BEA['id']}>: Ana te reta a una partida por puntos de Niya."


async def test_names_full_of_marks_and_mentions_ping_nobody(at):
    name = "@everyone <@1> **x** `y`"
    host = {**ANA, "global_name": name}
    asked = await at.fake.slash(host, "play", {"game": "niya", "opponent": BEA})
    assert "\\@everyone \\<\\@1\\>" in asked.message.text
    await at.fake.slash(host, "move", {"move": "@everyone <@1>"})
    for _, body in at.fake.requests:
        told = body.get("data", body) if isinstance(body, dict) else {}
        if isinstance(told, dict) and ("content" in told or "components" in told):
            assert told["allowed_mentions"]["parse"] == []


# ---------------------------------------------------------------- coming and going


async def test_commands_are_sent_only_when_they_changed(fake, tmp_path):
    for _ in range(2):
        async with discord_house(tmp_path):
            await fake.until(lambda: fake.socket is not None)
    assert fake.pushes == 1


@pytest.mark.slow
async def test_buttons_live_through_a_restart(fake, tmp_path):
    async with discord_house(tmp_path) as facade:
        await fake.until(lambda: fake.socket is not None)
        message = await Table(fake, facade).begun()
    fake.socket = None
    async with discord_house(tmp_path) as facade:
        await fake.until(lambda: fake.socket is not None)
        table = Table(fake, facade)
        await table.move(message)
        assert await table.moves(message) == 17


async def test_a_refused_token_ends_the_start_with_a_sentence_that_does_not_hold_it(fake, tmp_path):
    fake.failing.append(Failure("GET /users/@me", 401))
    with pytest.raises(TokenRefused) as refused:
        async with discord_house(tmp_path):
            pass
    assert "DISCORD_TOKEN" in str(refused.value)
    assert TOKEN not in str(refused.value)


async def test_a_start_does_not_wait_for_a_discord_that_is_away(monkeypatch, tmp_path, caplog):
    monkeypatch.setattr(connection, "FIRST_LOGIN", 0.2)
    monkeypatch.setattr(connection, "RECONNECT_SECONDS", (0.01,))
    async with asyncio.timeout(60), silence() as (address, heard):
        point_library_at(monkeypatch, f"{address}/api")
        async with discord_house(tmp_path):
            while heard() < 3:
                await asyncio.sleep(0.005)
    assert sum("Discord" in line for line in caplog.messages) == 1


async def test_games_lead_to_their_boards(at):
    message = await at.begun()
    listed = (await at.fake.slash(ANA, "games", {})).message
    (key,) = listed.buttons
    assert key["label"] == "Niya con Bea"
    code = (await at.table(message)).code
    assert listed.text.endswith(f"aquí mismo · {code}")
    pressed = await at.fake.press(ANA, listed, key["custom_id"])
    await at.fake.until(lambda: pressed.message is not None)
    assert pressed.message.ephemeral
    assert pressed.message.pictures
    assert code in pressed.message.text


async def test_below_the_name_of_the_bot_stands_how_one_begins(at):
    await at.fake.until(lambda: at.fake.presence)
    assert at.fake.presence["game"]["state"] == "Juegos de mesa: /jugar"
