"""What the real Discord refuses: nobody waits in vain, no board is given up, no call is lost."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest

from bot.chats.discord import emojis, reading
from bot.presenters.command_specs import COMMANDS
from bot.presenters.game_poster import poster
from games.core.shelf import find_game
from render.kit import paint
from render.kit.button_faces import face_names
from tests.drives.discord_house import SKIP, House, house, now
from tests.drives.world import full_name

pytestmark = SKIP


@pytest.fixture(name="at")
async def outside_fixture(tmp_path):
    async with house(tmp_path) as at:
        yield at


@pytest.fixture(name="old_tokens")
def old_tokens_fixture(monkeypatch):
    """Call it once the tokens so far are to be over, as they are after fifteen minutes."""
    return lambda: monkeypatch.setattr(reading, "TOKEN_LIFE", timedelta(0))


def thread_of(at: House, kind: int = 11):
    fake = at.fake
    owner = fake.A["id"]
    return fake.add_channel(fake.guild, "t", type=kind, parent=fake.channel["id"], owner_id=owner)


async def called(at: House, who, since, channel=None):
    place = channel or at.fake.channel
    await at.until(lambda: at.fake.notified(who, place, since))
    return at.fake.notified(who, place, since)[-1]


# ---------------------------------------------------------------- history (finding 1, code 160002)


async def test_where_history_is_closed_people_are_called_with_a_link_in_place_of_a_reply(at):
    message = await at.begun()
    await at.fake.set_permissions(at.fake.channel, read_message_history=False)
    began = now()
    waits = at.other(at.mover(message))
    await at.move(message)
    call = await called(at, waits, began)
    assert call.data["id"] != message.data["id"]
    assert message.data["id"] in call.text
    assert at.asked(began, 401, 403, 429) == []


@pytest.mark.slow
async def test_history_that_closes_unseen_costs_one_refused_request_an_hour(at):
    message = await at.begun()
    at.fake.fail("POST /channels/[0-9]+/messages$", status=403, code=160002, times=1)
    began = now()
    for _ in range(3):
        since, waits = now(), at.other(at.mover(message))
        await at.move(message)
        await called(at, waits, since)
        await at.settle()
    assert len(at.asked(began, 401, 403, 429)) == 1


@pytest.mark.slow
async def test_who_opens_a_table_hears_that_history_is_closed(at):
    await at.fake.set_permissions(at.fake.channel, read_message_history=False)
    handle = await at.slash(at.fake.A, "play", {"game": "niya", "opponent": at.fake.B})
    await at.settle()
    assert "Read Message History" in at.told(handle)


# ---------------------------------------------------------------- filters (2, codes 200000, 240000)


@pytest.mark.slow
async def test_a_table_whose_board_a_filter_refuses_is_answered_and_stands_without_names(at):
    # A poster that is still to be painted takes longer than Discord waits for a first answer.
    for code in ("es", "en"):
        paint(poster(find_game("niya"), "dark", code))
    at.fake.word_filter = ["alice"]
    handle = await at.slash(at.fake.A, "play", {"game": "niya", "opponent": at.fake.B})
    assert handle.callbacks
    await at.until(lambda: "filter" in at.told(handle))
    assert handle.message.ephemeral
    boards = [m for m in at.fake.messages.values() if not m.ephemeral and m.buttons]
    await at.until(lambda: [m for m in at.fake.messages.values() if not m.ephemeral and m.buttons])
    (board,) = [m for m in at.fake.messages.values() if not m.ephemeral and m.buttons]
    assert "Alice" not in board.text, boards


@pytest.mark.slow
async def test_a_move_that_a_filter_refuses_is_told_and_shown_with_seats(at):
    message = await at.begun()
    at.fake.word_filter = ["alice"]
    code, before = at.code(message), message.edits
    mover, version = at.mover(message), await at.version(at.code(message))
    handle = await at.click(mover, message, custom_id=at.moves(message)[0]["custom_id"])
    await at.until(lambda: "filter" in at.told(handle))
    await at.until(lambda: message.edits > before)
    assert await at.version(code) > version
    assert "Alice" not in message.text
    assert len(at.live(code)) == 1


@pytest.mark.slow
async def test_a_filter_that_refuses_every_board_is_told_and_the_board_follows_the_next_press(at):
    message = await at.begun()
    at.fake.word_filter = [re.compile(".")]
    handle = await at.move(message)
    await at.until(lambda: "filter" in at.told(handle))
    await at.settle()
    at.fake.word_filter = []
    before = message.edits
    stale = message.buttons[0]
    await at.click(at.fake.B, message, stale=stale)
    await at.until(lambda: message.edits > before)
    assert at.moves(message)


@pytest.mark.slow
async def test_a_call_whose_words_a_filter_refuses_still_calls(at):
    message = await at.begun()
    waits, began = at.other(at.mover(message)), now()
    at.fake.fail("POST /channels/[0-9]+/messages$", status=400, code=240000, times=1)
    await at.move(message)
    call = await called(at, waits, began)
    assert message.data["id"] in call.text


# ---------------------------------------------------------------- whatever else is refused


@pytest.mark.slow
async def test_an_unknown_refusal_of_a_board_is_told_and_the_board_comes_with_the_next_press(at):
    message = await at.begun()
    at.fake.fail("POST /interactions", status=400, code=50999, times=1)
    at.fake.fail("PATCH /", status=400, code=50999, times=2)
    mover = at.mover(message)
    handle = await at.click(mover, message, custom_id=at.moves(message)[0]["custom_id"])
    await at.until(lambda: "didn’t accept" in at.told(handle))
    await at.settle()
    at.fake.faults.clear()
    before = message.edits
    await at.click(mover, message, stale=message.buttons[0])
    await at.until(lambda: message.edits > before)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["play", "games", "help", "board"])
async def test_an_unknown_refusal_of_an_answer_is_told(at, name):
    at.fake.fail("POST /interactions", status=400, code=50999, times=1)
    values = {"game": "niya", "opponent": at.fake.B} if name == "play" else {}
    handle = await at.slash(at.fake.A, name, values)
    assert handle.callbacks
    await at.until(lambda: "didn’t accept" in at.told(handle))


# ---------------------------------------------------------------- threads (6, 7, 8)


@pytest.mark.slow
async def test_a_locked_thread_is_told_and_its_board_goes_on_once_it_is_unlocked(at, old_tokens):
    thread = thread_of(at)
    message = await at.begun(channel=thread)
    await at.fake.set_thread(thread, locked=True)
    old_tokens()
    began, before = now(), message.edits
    mover = at.mover(message)
    await at.typed(message, mover, channel=thread)
    await at.until(lambda: "locked" in at.heard(mover))
    await at.settle()
    assert len(at.asked(began, 401, 403, 429)) <= 1
    await at.fake.set_thread(thread, locked=False)
    await at.until(lambda: message.edits > before)
    assert len(at.live(at.code(message))) == 1


async def test_in_a_private_thread_people_hear_how_the_bot_can_stay(at, old_tokens):
    thread = thread_of(at, 12)
    handle = await at.slash(
        at.fake.A, "play", {"game": "niya", "opponent": at.fake.B}, channel=thread
    )
    message = await handle.reply()
    await at.until(lambda: "Mention me here once" in at.told(handle))
    began = now()
    accept = next(b for b in message.buttons if b["label"] == "Accept")
    await at.click(at.fake.B, message, custom_id=accept["custom_id"])
    await at.until(lambda: at.moves(message))
    waits, since = at.other(at.mover(message)), now()
    await at.move(message)
    await called(at, waits, since, thread)
    assert at.asked(began, 401, 403, 429) == []
    old_tokens()
    before = message.edits
    await at.typed(message, at.mover(message), dm=True)
    await at.settle()
    assert message.edits == before
    assert at.asked(began, 401, 403, 429) == []
    await at.fake.say(at.fake.A, f"<@{at.fake.bot['id']}>", channel=thread)
    await at.until(lambda: message.edits > before)


@pytest.mark.slow
async def test_a_board_asked_for_anew_in_a_private_thread_is_the_only_one(at):
    thread = thread_of(at, 12)
    message = await at.begun(channel=thread)
    code = at.code(message)
    await at.slash(at.fake.A, "board", {}, channel=thread)
    await at.until(lambda: message not in at.live(code) and at.live(code))
    assert len(at.live(code)) == 1


# ---------------------------------------------------------------- visitors (3, 9)


async def test_between_two_people_a_press_calls_the_other_by_its_token(at):
    channel = at.fake.private_channel(at.fake.A, at.fake.B)
    where = {"channel": channel, "user_install": True}
    message = await at.begun(**where)
    table = await at.facade.services.tables.get(at.code(message))
    assert not table.rated, "nothing counts among a few who talk with each other"
    began = now()
    for _ in range(3):
        since, waits = now(), at.other(at.mover(message))
        await at.move(message)
        await called(at, waits, since, channel)
        await at.settle()
    assert at.asked(began, 401, 403, 429) == []
    assert len(at.live(at.code(message))) == 1


@pytest.mark.slow
async def test_where_outside_apps_are_silenced_the_challenger_hears_that_only_he_sees_it(at):
    guild = at.fake.add_guild("Elsewhere", foreign=True)
    from fake_discord import EVERYONE

    await at.fake.set_permissions(guild["channels"][0], EVERYONE, use_external_apps=False)
    wish = {"game": "niya", "opponent": at.fake.B}
    handle = await at.slash(at.fake.A, "play", wish, guild=guild, user_install=True)
    await at.until(lambda: "only you see" in at.told(handle))
    assert "/join" in at.told(handle)


# ---------------------------------------------------------------- permissions (13)


@pytest.mark.slow
async def test_a_permission_taken_away_is_told_to_whoever_acts_next_once(at):
    message = await at.begun()
    await at.fake.set_permissions(at.fake.channel, send_messages=False)
    # Bob, who acted last, hears it at once, and Alice as soon as she acts.
    await at.until(lambda: "Send Messages" in at.heard(at.fake.B))
    for _ in range(4):
        await at.move(message)
        await at.settle()
    heard = [at.heard(who).count("Send Messages") for who in (at.fake.A, at.fake.B)]
    assert heard == [1, 1]


async def test_where_the_bot_may_not_write_people_are_called_by_tokens_and_nothing_is_refused(at):
    message = await at.begun()
    await at.fake.set_permissions(at.fake.channel, send_messages=False)
    began = now()
    for _ in range(3):
        since, waits = now(), at.other(at.mover(message))
        await at.move(message)
        await called(at, waits, since)
        await at.settle()
    assert at.asked(began, 401, 403, 429) == []


@pytest.mark.slow
async def test_after_one_refusal_without_a_reason_boards_and_calls_go_on(at, old_tokens):
    message = await at.begun()
    old_tokens()
    at.fake.fail("PATCH /channels", status=403, code=50001, times=1)
    await at.typed(message, at.mover(message))
    await at.settle()
    before = message.edits
    await at.slash(at.fake.A, "games", {})
    await at.until(lambda: message.edits > before, 10.0)
    waits, began = at.other(at.mover(message)), now()
    await at.typed(message, at.mover(message))
    await called(at, waits, began)


# ---------------------------------------------------------------- help (5)


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en-US", "es-ES"])
async def test_help_is_one_card_with_chapters_whose_commands_can_be_tapped(at, language):
    handle = await at.slash(at.fake.A, "help", locale=language)
    await handle.reply()
    every = {"en-US": "All commands »", "es-ES": "Todas las órdenes »"}[language]
    await (await at.fake.click(at.fake.A, handle.message, every, locale=language)).acked()
    (chapters,) = [one for one in handle.message.components if one["type"] == 3]
    assert handle.followups == []
    seen = {handle.message.text}
    for option in chapters["options"]:
        choice = {"custom_id": chapters["custom_id"], "locale": language}
        chosen = await at.fake.select(at.fake.A, handle.message, option["value"], **choice)
        await chosen.acked()
        (chapters,) = [one for one in handle.message.components if one["type"] == 3]
        assert chosen.type == 7
        seen.add(handle.message.text)
    assert len(seen) == len(chapters["options"])
    named = re.findall(r"</([a-z -]+):[0-9]+>", "".join(seen))
    assert {full_name(one.name) for one in COMMANDS} <= set(named)


# ---------------------------------------------------------------- faces (10)


@pytest.mark.slow
async def test_faces_go_on_after_a_long_429_the_most_played_game_first(tmp_path, monkeypatch):
    async with house(tmp_path) as at:
        await at.begun("shogi")
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def paused(seconds: float) -> None:
        if seconds < 100:
            await sleep(seconds)
            return
        pauses.append(seconds)
        at.fake.emoji_limit = None

    async with house(tmp_path, emoji_limit=(20, 600.0)) as at:
        monkeypatch.setattr(emojis.asyncio, "sleep", paused)
        chat = at.facade.chats["discord"]
        await chat._upload(chat._list_clients()[0])
        games = [one["name"].split("_")[1] for one in at.fake.app_emojis.values()]
    assert [round(one, -2) for one in pauses] == [600.0]
    assert len(games) == len(emojis.emoji_names())
    assert set(games[: len(face_names("shogi"))]) == {"shogi"}


@pytest.mark.slow
async def test_a_thread_of_a_channel_that_the_bot_does_not_see_is_played_in_all_the_same(
    at, caplog
):
    fake = at.fake
    # Nothing is told to the bot of either until somebody plays there.
    forum = fake.add_channel(fake.guild, "forum", type=15)
    owner = fake.A["id"]
    post = fake.add_channel(fake.guild, "post", type=11, parent=forum["id"], owner_id=owner)
    message = await at.begun(channel=post)
    await fake.set_thread(post, archived=False)
    await fake.set_permissions(fake.guild, read_message_history=False)
    await at.move(message)
    await at.settle()
    assert len(at.live(at.code(message))) == 1
    assert not [line for line in caplog.messages if "Ignoring exception" in line]
