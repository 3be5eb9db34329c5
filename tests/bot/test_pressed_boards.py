"""The board of the message that was pressed is part of the answer, for a chat that takes it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.boards import delivery
from bot.port import BoardAnswer, ChatError, Command, Pace, Press, ReservedBoard, Said, Shown, Where
from bot.presenters.button_codes import Action
from bot.presenters.table.composer import Composer
from bot.service.table.changes import Update
from bot.session import play
from storage.errors import DatabaseBusy
from storage.table import views
from tests.fakes import UPDATES, Desk, Message, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
PRIVATE = Where("fake", "Bruno", private=True)


async def begun(at: Desk) -> Message:
    """The board of a game of Niya between Nerea and Bruno."""
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    await at.press(BRUNO, at.chat.board(code_at(at)), "Aceptar")
    await at.settle()
    return at.chat.board(code_at(at))


def code_at(at: Desk) -> str:
    return list(at.chat.messages.values())[-1].screen.table


async def mover(at: Desk, board: Message) -> Any:
    table = await at.facade.services.tables.get(board.screen.table)
    (seat,) = table.actors()
    return NEREA if table.players[seat].name == NEREA.name else BRUNO


async def press(
    at: Desk, board: Message, who: Any = None, token: Any = None, code: str = ""
) -> Any:
    """A press in a chat that takes the board."""
    by = who or await mover(at, board)
    pressed = (board.where, by, code or board.moves[0].code, board.id)
    asked = Press(f"u{next(UPDATES)}", *pressed, token=token, takes_board=True)
    return await at.facade.requests.press(asked)


async def view_of(at: Desk, board: Message) -> Any:
    return await at.facade.store.read(views.view_by_message, "fake", board.where.place, board.id)


async def resigned(at: Desk, code: str) -> None:
    """Something else happens at the table."""
    origin = Update("test", f"u{next(UPDATES)}")
    await at.facade.services.changes.change(origin, code, lambda work: play.resign(work, 0))


async def idle() -> None:
    """Let lanes run that are not held."""
    for _ in range(50):
        await asyncio.sleep(0.002)


async def test_the_pressed_board_is_in_the_answer_and_no_lane_shows_it(at):
    board = await begun(at)
    calls = at.chat.calls
    answer = await press(at, board)
    assert isinstance(answer, BoardAnswer)
    held = answer.board
    assert held.target.message == board.id
    assert held.screen.version > board.screen.version
    assert (await held.picture).startswith(b"\x89PNG")
    await idle()
    assert held.is_held
    view = await view_of(at, board)
    assert view.shown < view.owed, "killed now, it would be shown after the start"
    held.report(Shown(board.id))
    await at.settle()
    view = await view_of(at, board)
    assert view.shown == view.owed
    assert view.digest == held.screen.digest
    assert at.chat.calls == calls


async def test_a_chat_that_does_not_take_it_gets_it_by_a_lane(at):
    board = await begun(at)
    calls = at.chat.calls
    answer = await at.press(await mover(at, board), board, code=board.moves[0].code)
    assert answer.board is None
    assert at.chat.calls == calls + 1


async def test_a_board_that_was_not_shown_is_shown_by_its_lane(at):
    board = await begun(at)
    calls = at.chat.calls
    answer = await press(at, board)
    answer.board.report(None)
    answer.board.report(Shown(board.id))
    await at.settle()
    assert at.chat.calls == calls + 1
    assert at.chat.board(board.screen.table).screen.version == answer.board.screen.version


async def test_a_board_that_nobody_reports_is_shown_by_its_lane_in_the_end(at, monkeypatch):
    monkeypatch.setattr(delivery, "RESERVED", 0.05)
    board = await begun(at)
    calls = at.chat.calls
    answer = await press(at, board)
    assert answer.board.is_held
    await at.settle()
    assert not answer.board.is_held
    assert at.chat.calls == calls + 1


async def test_whoever_presses_behind_a_board_that_takes_long_hears_what_they_did(at, monkeypatch):
    monkeypatch.setattr(delivery, "LONG_WAIT", 0.05)
    board = await begun(at)
    older = await press(at, board, token="a token")
    shown = replace(board, screen=older.board.screen)
    async with asyncio.timeout(5.0):
        later = await press(at, board, code=shown.moves[0].code, token="another")
    assert isinstance(later, BoardAnswer)
    assert (later.board, later.aloud) == (None, True)
    assert later.said
    older.board.report(Shown(board.id))
    await at.settle()
    assert at.chat.board(board.screen.table).screen.version > older.board.screen.version


async def test_a_report_that_cannot_be_stored_costs_one_more_showing(at, monkeypatch):
    board = await begun(at)
    calls, real = at.chat.calls, views.mark_view_shown
    answer = await press(at, board)

    async def busy(*_: Any) -> None:
        monkeypatch.setattr(views, "mark_view_shown", real)
        raise DatabaseBusy("busy")

    monkeypatch.setattr(views, "mark_view_shown", busy)
    answer.board.report(Shown(board.id))
    await at.settle()
    assert at.chat.calls == calls + 1
    view = await view_of(at, board)
    assert view.shown == view.owed


async def test_a_board_that_came_down_while_it_was_pressed_is_shown_where_it_stands(at):
    """The answer changes the older message, which goes; the newer one stayed as it was."""
    board = await begun(at)
    answer = await press(at, board, token="a token")
    view, chat = await view_of(at, board), at.chat
    chat.messages["lower"] = replace(board, id="lower")
    await at.facade.store.write(views.mark_view_shown, view.id, view.shown, view.digest, "lower")
    answer.board.report(Shown(board.id))
    await at.settle()
    assert chat.messages["lower"].screen.version == answer.board.screen.version


@pytest.mark.parametrize("message", ["lower", None])
async def test_a_token_changes_no_board_but_the_one_that_was_pressed(at, message):
    board = await begun(at)
    view, delivering = await view_of(at, board), at.facade.services.delivery
    owing = replace(view, message=message, owed=view.owed + 1, digest="")
    by = Press("u", board.where, NEREA, "", board.id, token="a token", takes_board=True)
    made = [await delivering._for_answer(owing, one) for one in (by, replace(by, token=None))]
    assert [one is None for one in made] == [message is not None, False]


async def test_what_changes_meanwhile_is_shown_after_the_report(at):
    board = await begun(at)
    calls = at.chat.calls
    answer = await press(at, board)
    table = board.screen.table
    await resigned(at, table)
    await idle()
    assert at.chat.calls == calls
    answer.board.report(Shown(board.id))
    await at.settle()
    assert at.chat.calls == calls + 1
    assert at.chat.board(table).screen.version > answer.board.screen.version


@pytest.mark.slow
async def test_a_second_press_waits_and_shows_its_own_board(at):
    board = await begun(at)
    first = await press(at, board)
    later = replace(board, screen=first.board.screen)
    second = asyncio.create_task(press(at, later, token="t"))
    await idle()
    assert not second.done()
    first.board.report(Shown(board.id))
    answer = await second
    assert answer.board.screen.version > first.board.screen.version
    answer.board.report(Shown(board.id))
    await at.settle()


async def test_what_happens_while_it_is_decided_is_in_the_answer(at):
    board = await begun(at)
    code, calls, real = board.screen.table, at.chat.calls, at.facade.services.dispatcher.press

    async def slow(press: Press) -> Any:
        answer = await real(press)
        await resigned(at, code)
        return answer

    at.facade.requests.dispatcher = SimpleNamespace(press=slow)
    answer = await press(at, board)
    assert answer.board.screen.version == (await at.facade.services.tables.get(code)).version
    answer.board.report(Shown(board.id))
    await at.settle()
    assert at.chat.calls == calls, "the newest was in the answer"


async def test_a_refusal_leaves_the_board_to_its_lane(at):
    board = await begun(at)
    calls = at.chat.calls
    other = BRUNO if await mover(at, board) is NEREA else NEREA
    answer = await press(at, board, who=other)
    assert isinstance(answer, Said)
    await at.settle()
    assert at.chat.calls == calls
    await resigned(at, board.screen.table)
    await at.settle()
    assert at.chat.calls == calls + 1, "nothing is held any more"


async def test_the_others_see_the_board_after_the_answer_was_made(at):
    board = await begun(at)
    await at.call(BRUNO, "board", where=PRIVATE, table=board.screen.table)
    made: list[str] = []
    screen = at.facade.services.delivery.renderer.screen

    async def noted(view: Any, table: Any) -> Any:
        made.append(view.place)
        return await screen(view, table)

    at.facade.services.delivery.renderer.screen = noted
    answer = await press(at, board)
    assert made == ["group"]
    await idle()
    assert made == ["group", "Bruno"]
    answer.board.report(Shown(board.id))
    await at.settle()


async def test_a_new_board_is_the_answer_to_its_command_and_calls(at):
    call = Command(
        f"u{next(UPDATES)}",
        *(at.where, NEREA, "play", {"game": "niya"}, {"opponent": BRUNO}),
        takes_board=True,
    )
    answer = await at.facade.requests.call(call)
    held = answer.board
    assert held.target.message is None
    assert [one.name for one in held.screen.mentions] == ["Bruno"]
    held.report(Shown("m77", fresh=True, called=True))
    await at.settle()
    assert at.chat.messages == {}
    assert at.chat.pings == []
    table = await at.facade.services.tables.get(held.screen.table)
    assert (await at.facade.services.views.of(table, at.where)).message == "m77"


async def test_a_board_that_moves_down_is_no_answer(at):
    board = await begun(at)
    at.chat.deep.add(board.id)
    at.facade.services.presence.clock = lambda: 1e9
    answer = await press(at, board)
    assert answer.board is None
    await at.settle()
    assert at.chat.board(board.screen.table).id != board.id


async def test_where_one_may_write_but_seldom_a_board_waits_for_its_turn(at):
    board = await begun(at)
    at.chat.limit = Pace(1, 0.5)
    at.facade.services.delivery.pacing.limiter(board.where).windows = at.chat.limit.windows
    at.facade.services.delivery.pacing._limiters._kept.clear()
    answer = await press(at, board)
    assert answer.board is not None
    answer.board.report(Shown(board.id))
    later = replace(board, screen=answer.board.screen)
    await at.facade.services.delivery._lanes[(await view_of(at, board)).id]
    answer = await press(at, later)
    assert answer.board is None
    await at.settle()
    assert at.chat.board(board.screen.table).screen.version > later.screen.version


async def test_a_fault_while_the_board_is_made_does_not_touch_the_answer(at, monkeypatch, caplog):
    board = await begun(at)
    screen = at.facade.services.delivery.renderer.screen

    async def broken(*_: Any) -> Any:
        monkeypatch.setattr(at.facade.services.delivery.renderer, "screen", screen)
        raise RuntimeError("a fault")

    monkeypatch.setattr(at.facade.services.delivery.renderer, "screen", broken)
    answer = await press(at, board)
    assert answer.good
    assert answer.board is None
    assert "cannot be shown" in caplog.text
    await at.settle()
    assert at.chat.board(board.screen.table).screen.version > board.screen.version


def stopped_while_made(
    at: Desk, monkeypatch: pytest.MonkeyPatch
) -> tuple[asyncio.Event, asyncio.Event]:
    """Whether a board is being made, and the event for which it waits."""
    making, go, screen = (
        asyncio.Event(),
        asyncio.Event(),
        at.facade.services.delivery.renderer.screen,
    )

    async def slow(view: Any, table: Any) -> Any:
        making.set()
        await go.wait()
        return await screen(view, table)

    monkeypatch.setattr(at.facade.services.delivery.renderer, "screen", slow)
    return making, go


async def test_an_answer_that_nobody_waits_for_any_more_leaves_the_board(at, monkeypatch):
    board = await begun(at)
    making, go = stopped_while_made(at, monkeypatch)
    going = asyncio.create_task(press(at, board))
    calls = at.chat.calls
    await making.wait()
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    go.set()
    await at.settle()
    assert at.chat.calls == calls + 1


async def test_of_two_presses_on_one_message_each_shows_its_board(at, monkeypatch):
    board = await begun(at)
    making, go = stopped_while_made(at, monkeypatch)
    code, calls = code_at(at), at.chat.calls
    first = asyncio.create_task(press(at, board, token="t1"))
    await making.wait()
    table = await at.facade.services.tables.get(code)
    viewer = await at.facade.services.views.viewer(await view_of(at, board), table)
    newer = Composer(table, viewer, at.facade.services.key).board(())
    (seat,) = table.actors()
    other = NEREA if table.players[seat].name == NEREA.name else BRUNO
    second = asyncio.create_task(press(at, replace(board, screen=newer), other, token="t2"))
    await idle()
    go.set()
    answers = []
    for going in (first, second):
        answers.append(await asyncio.wait_for(going, 5))
        assert not (going is first and second.done()), "its board waits for the report of the first"
        answers[-1].board.report(Shown(board.id))
    await at.settle()
    one, two = (answer.board.screen.version for answer in answers)
    assert two >= one
    assert at.chat.calls == calls, "no lane has shown anything"
    view = await view_of(at, board)
    assert view.shown == view.owed == two


def test_a_report_counts_once():
    async def reported() -> ReservedBoard:
        held = ReservedBoard(None, None)  # type: ignore[arg-type]
        held.report(None)
        held.report(Shown("1"))
        return held

    held = asyncio.run(reported())
    assert held.reported.result() is None
    assert not held.is_held


@pytest.mark.parametrize("token", ["a token", None])
async def test_a_press_ends_the_rest_of_a_lane_that_has_failed(at, token):
    """After an outage the board stayed for a minute as it was, whoever pressed there."""
    board, delivering = await begun(at), at.facade.services.delivery
    delivering.retries = (60.0,)
    at.chat.failures.append(ChatError("away"))
    await resigned(at, board.screen.table)
    await idle()
    assert not at.chat.failures
    assert at.chat.board(board.screen.table).screen.version == board.screen.version
    asked = replace(
        Press(f"u{next(UPDATES)}", board.where, NEREA, "", board.id, token=token, takes_board=True),
        code=at.facade.boards.buttons.at(Action.REMATCH, board.screen.table),
    )
    answer = await at.facade.requests.press(asked)
    if token:
        assert isinstance(answer, BoardAnswer)
        answer.board.report(None)
    await at.settle(5.0)
    assert at.chat.board(board.screen.table).screen.version > board.screen.version
