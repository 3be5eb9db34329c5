"""Answers and boards on their way to the same message: nobody is left without an answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import AsyncMock, Mock

import discord
import pytest
from discord.ui import MediaGallery

from bot.boards import delivery
from bot.chats.discord import reply
from bot.chats.discord.bot_permissions import Access
from bot.chats.discord.emojis import Emojis
from bot.chats.discord.interaction_responses import UNSURE, Replies
from bot.chats.discord.message_formatting import MENU, picture_name
from bot.chats.discord.reply import Pulse, Reply, State
from bot.facade import ChatBoards
from bot.port import Button, ReservedBoard, Screen, Target, Where
from bot.port import Shown as Reported
from bot.presenters.button_codes import Action
from tests.chats.discord_messages import Failure, Shown
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    Table,
    fake_fixture,
    table_fixture,
)


async def storill(at: Table) -> Shown:
    """A game whose moves are of two choices; the message that shows it."""
    wish = {"game": "storilljudhjorrayc", "opponent": BEA, "options": "setup=fixed"}
    asked = await at.fake.slash(ANA, "play", wish)
    await at.fake.until(lambda: asked.message.buttons)
    await at.fake.press(BEA, asked.message, asked.message.button("Aceptar")["custom_id"])
    await at.fake.until(lambda: asked.message.moves)
    await at.settle()
    return asked.message


def pieces(message: Shown) -> list[str]:
    """The codes that choose a piece, after which something is asked."""
    codes = [one["custom_id"] for one in message.moves]
    return [code for code in codes if code.startswith(f"{Action.MOVE}.") and "," not in code]


# ---------------------------------------------------------------- one message


class Edits:
    """An interaction that pressed the message 1 with the picture *shown*, and what it was told."""

    type = discord.InteractionType.component
    id = 5
    channel_id = 300
    data = None

    def __init__(self, shown: str | None) -> None:
        gallery = Mock(spec=discord.MediaGalleryComponent)
        gallery.items = [SimpleNamespace(media=SimpleNamespace(url=f"https://cdn/{shown}?x"))]
        there = [gallery] if shown is not None else []
        self.message = SimpleNamespace(id=1, components=there, attachments=[])
        self.told: list[dict | None] = []
        self.response = SimpleNamespace(edit_message=self.edit, defer=self.defer)
        self.edit_original_response = self.edit

    async def edit(self, **changed) -> None:
        self.told.append(changed)

    async def defer(self) -> None:
        self.told.append(None)


def replies(picture=None) -> Replies:
    """The replies of a house that paints by *picture*."""

    async def painted(_):
        return PNG

    return Replies(SimpleNamespace(picture=picture or painted), Emojis(), Access())


async def never(_):
    await asyncio.Event().wait()


def screen(version: int = 1, scene=None) -> Screen:
    button = Button("x", "m.ABCDEF.0.1.aaaaaa", "move")
    return Screen("ABCDEF", version, "head", rows=((button,),), title="Niya", scene=scene)


def scene(*path: str) -> SimpleNamespace:
    return SimpleNamespace(path=path, targets=path)


PNG = b"picture"
BOARD = picture_name(PNG, screen())


@pytest.mark.parametrize(
    ("path", "shown", "uploaded"),
    [
        ((), BOARD, False),  # more, or back: the picture holds still
        (("a",), BOARD, True),  # a piece was chosen: its targets are drawn
        ((), BOARD.replace(".png", MENU), True),  # the choice was taken back
        ((), None, True),  # there was none
    ],
)
async def test_a_picture_is_sent_only_where_it_changes(path, shown, uploaded):
    pressed = Edits(shown)
    await replies().ask(Reply(pressed, Pulse()), screen(scene=scene(*path)), None)
    (changed,) = pressed.told
    assert ("attachments" in changed) is uploaded
    parts = changed["view"].walk_children()
    assert any(isinstance(part, discord.ui.MediaGallery) for part in parts)


async def test_a_picture_that_takes_long_does_not_keep_the_presser_waiting(monkeypatch):
    monkeypatch.setattr(reply, "WATCHDOG", 0.01)
    pressed = Edits(BOARD)
    await replies(never).ask(Reply(pressed, Pulse()), screen(scene=scene("a")), None)
    (changed,) = pressed.told
    assert "attachments" not in changed


async def test_the_picture_is_that_of_the_board_that_came_while_it_was_pressed():
    told, pressed = replies(), Edits("older.png")
    async with told.turn(1) as state:
        state.shows(BOARD, screen())
    await told.ask(Reply(pressed, Pulse()), screen(scene=scene()), None)
    (changed,) = pressed.told
    assert "attachments" not in changed
    (gallery,) = (p for p in changed["view"].walk_children() if isinstance(p, MediaGallery))
    assert gallery.items[0].media.url.endswith(BOARD)


async def test_a_picture_is_sent_where_a_board_before_may_not_have_arrived():
    told, pressed = replies(), Edits(BOARD)
    async with told.turn(1) as state:
        state.picture = UNSURE
    await told.ask(Reply(pressed, Pulse()), screen(scene=scene()), None)
    (changed,) = pressed.told
    assert changed["attachments"]


async def test_a_question_does_not_take_the_place_of_a_newer_board():
    told, pressed = replies(), Edits(BOARD)
    async with told.turn(1) as state:
        state.shows(BOARD, screen(version=2))
    await told.ask(Reply(pressed, Pulse()), screen(version=1, scene=scene()), None)
    assert pressed.told == [None], "it is only acknowledged"


async def test_a_question_waits_for_the_board_that_is_on_its_way_to_its_message(monkeypatch):
    monkeypatch.setattr(reply, "WATCHDOG", 0.01)
    told, pressed = replies(), Edits(BOARD)
    async with told.turn(1) as state:
        asked = asyncio.create_task(told.ask(Reply(pressed, Pulse()), screen(version=3), None))
        await asyncio.sleep(0.15)
        assert pressed.told == [None], "it is deferred meanwhile"
        state.shows(BOARD, screen(version=2))
    await asked
    assert "view" in pressed.told[1]


async def test_whatever_waits_too_long_for_a_change_before_is_left_to_other_ways(monkeypatch):
    monkeypatch.setattr(reply, "LONG_WAIT", 0.1)
    told, pressed, late = replies(), Edits(BOARD), board(2, AsyncMock(return_value=PNG))
    async with told.turn(1), asyncio.timeout(5.0):
        assert not await told.show(Reply(pressed, Pulse()), late)
    assert late.reported.result() is None, "its lane shows it"
    assert pressed.told == []


def board(version: int, picture) -> ReservedBoard:
    painting = asyncio.create_task(picture(None))
    return ReservedBoard(Target(Where("discord", "1"), "1"), screen(version, scene()), painting)


async def test_a_board_whose_picture_takes_long_fills_a_deferral(monkeypatch):
    monkeypatch.setattr(reply, "WATCHDOG", 0.01)
    go, pressed = asyncio.Event(), Edits(BOARD)

    async def slow(_):
        await go.wait()
        return PNG

    shown = board(2, slow)
    showing = asyncio.create_task(replies().show(Reply(pressed, Pulse()), shown))
    await asyncio.sleep(0.15)
    assert pressed.told == [None]
    go.set()
    await showing
    assert len(pressed.told) == 2
    assert shown.reported.result() == Reported("1")


async def test_a_board_that_took_too_long_is_left_to_its_lane():
    pressed, late = Edits(BOARD), board(2, never)
    late.report(None)
    late = replace(late, picture=None)
    await replies().show(Reply(pressed, Pulse()), late)
    assert pressed.told == []


async def test_a_board_that_discord_refuses_is_left_to_its_lane():
    pressed, refused = Edits(BOARD), board(2, AsyncMock(return_value=PNG))
    pressed.response.edit_message = AsyncMock(side_effect=OSError)
    told = replies()
    await told.show(Reply(pressed, Pulse()), refused)
    assert refused.reported.result() is None
    async with told.turn(1) as state:
        assert state.picture == UNSURE


@pytest.mark.parametrize("refused", [None, Mock(spec=discord.HTTPException)])
async def test_why_an_answer_for_all_was_refused_is_told_to_the_asker_alone(refused):
    removed, sent = AsyncMock(), AsyncMock()
    slashed = SimpleNamespace(
        id=6, delete_original_response=removed, followup=SimpleNamespace(send=sent)
    )
    answer = Reply(slashed, Pulse(), private=False, state=State.PUBLIC, refused=refused)
    await answer.add("why", private=True)
    sent.assert_awaited_once_with(ephemeral=True, wait=True, silent=True, content="why")
    assert removed.await_count == (refused is not None), "«thinking» would show it to all"
    assert answer.state is (State.PUBLIC if refused is None else State.SAID)
    assert answer.refused is None


def test_the_farther_discord_is_the_sooner_an_answer_is_deferred():
    pulse = Pulse()
    assert pulse.patience() == reply.WATCHDOG
    pulse.slowest = 2.0
    assert 0 < pulse.patience() < 0.5


# ---------------------------------------------------------------- at the wire


async def test_an_answer_that_names_a_picture_that_has_gone_is_given_again_with_it(at, monkeypatch):
    message = await storill(at)
    real, uploads = at.facade.boards.picture, at.fake.uploads
    refused = Failure(r"/callback", 400, 50035, 1)

    async def slow(scene):
        # Too late for the answer, which leaves the picture that is there.
        while refused.times:
            await asyncio.sleep(0.01)
        return await real(scene)

    monkeypatch.setattr(ChatBoards, "picture", lambda _, scene: slow(scene))
    at.fake.failing.append(refused)
    asked = await at.fake.press(at.mover(message), message, pieces(message)[0])
    assert asked.type == 7
    assert at.fake.uploads == uploads + 1
    assert len(message.pictures) == 1


@pytest.mark.parametrize("game", ["niya", "storilljudhjorrayc"])
async def test_a_press_behind_a_change_whose_word_is_slow_is_answered_to_the_presser_alone(
    at, monkeypatch, game
):
    monkeypatch.setattr(reply, "LONG_WAIT", 0.3)
    monkeypatch.setattr(delivery, "LONG_WAIT", 0.3)
    message = await (at.begun(game) if game == "niya" else storill(at))
    arrives, edit = asyncio.Event(), Reply.edit

    async def slow(self, view, files):
        done = await edit(self, view, files)
        await arrives.wait()
        return done

    monkeypatch.setattr(Reply, "edit", slow)
    codes = pieces(message)
    first = await at.fake.press(at.mover(message), message, codes[0])
    monkeypatch.setattr(Reply, "edit", edit)
    code = message.moves[0]["custom_id"] if game == "niya" else codes[1]
    second = await at.fake.press(at.mover(message), message, code)
    await at.fake.until(lambda: second.said or (second.message and second.message.ephemeral))
    (told,) = second.said or (second.message,)
    assert told.ephemeral
    assert told.text
    assert bool(told.moves) == (game != "niya"), "what is asked has its keys"
    arrives.set()
    await at.settle()
    assert first.type == 7


@pytest.mark.slow
async def test_a_menu_that_a_newer_board_overtook_is_put_right(at):
    message = await storill(at)
    table = await at.table(message)
    mover = at.mover(message)
    other = BEA if mover is ANA else ANA
    real = at.facade.requests.press

    async def slow(press):
        answer = await real(press)
        # While the answer to the first choice is under way, a draw is offered.
        at.facade.requests.press = real
        await at.fake.slash(other, "draw", {"table": table.code})
        await at.settle()
        return answer

    at.facade.requests.press = slow
    await at.fake.press(mover, message, pieces(message)[0])
    await at.fake.until(lambda: any(b["label"] == "Retirar las tablas" for b in message.buttons))
    assert any(b["label"] == "Volver" for b in message.buttons)
