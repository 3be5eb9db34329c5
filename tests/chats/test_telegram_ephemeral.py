"""In a group, what is for one person's eyes: messages that nobody else sees."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest

from bot.chats.telegram import ephemeral_messages
from bot.chats.telegram.ephemeral_messages import NOTE
from bot.port import Asker, Press, Where
from bot.presenters.button_codes import Action, Click, encode_click
from bot.service.table.changes import Update
from bot.session import play
from tests.chats.ephemeral_api import EphemeralApi, Own
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, room
from tests.telegram_api import serving
from tests.telegram_messages import GROUP, Shown

GROUP_PLACE = Where("telegram", str(GROUP["id"]))

BATTLE = "storill despliegue fijo"
"""A game whose moves take two presses."""


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Time enough to paint a first picture, however busy this machine is."""
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 30.0)


@pytest.fixture
async def at(tmp_path):
    async with room(tmp_path, api=EphemeralApi()) as opened_room:
        yield opened_room


def own(at: Room, who: dict) -> list[Own]:
    """The ephemeral messages that *who* sees."""
    return [one for one in at.api.sees(who) if isinstance(one, Own)]


def public(at: Room) -> list[Shown]:
    """What stands in the group for all to read, without the short-lived word to newcomers."""
    here = [one for one in at.api.messages.values() if one.chat == GROUP["id"]]
    return [one for one in here if not one.text.startswith("¿Primera vez con")]


def inside(at: Room, who: dict) -> list[Shown]:
    """The messages in the private chat with *who*."""
    return [one for one in at.api.messages.values() if one.chat == who["id"]]


def board_of(at: Room, who: dict) -> Shown:
    """The board that *who* sees, or what stands in its place."""
    return [one for one in at.api.sees(who) if one.picture is not None][-1]


async def uncovered(at: Room, board: Shown, *people: dict) -> None:
    """Wait until each of *people* sees *board* itself and nothing else of the bot."""
    await at.api.until(lambda: all(board_of(at, one) is board for one in people), 10)
    await at.api.until(lambda: not any(own(at, one) for one in people), 10)


async def code_of(at: Room, board: Shown, act: Action, *path: str) -> str:
    return encode_click(Click(act, (await at.table(board)).code, 0, path), at.facade.services.key)


async def shows(at: Room, *people: dict) -> None:
    """Let each of *people* use an ephemeral message, so that their client is known to show them."""
    for who in people:
        await at.api.whisper(who, "/idioma")
        await at.api.until(lambda who=who: own(at, who))
        await at.settle()
        for one in own(at, who):
            at.chat._answers.own.registry.remove(
                at.chat._answers.own.registry.find(str(GROUP["id"]), f"e{one.id}")
            )
        await at.api.until(lambda who=who: not own(at, who))


async def first_step(at: Room, board: Shown) -> tuple[dict, str]:
    """Who is to move, and the code of a button that only begins a move."""
    table = await at.table(board)
    (seat,) = table.actors()
    who = NEREA if table.players[seat].name == "Nerea" else BRUNO
    return who, board.code("KM")


def methods(at: Room) -> list[str]:
    return [one.method for one in at.api.asked]


# -------------------------------------------------------------------- who has a new client


async def test_a_client_that_is_not_known_is_told_to_press_again_if_it_shows_nothing(at):
    board = await at.begun()
    heard = await at.press(NEREA, board, board.code("Más"))
    assert heard["text"].endswith("pulsa otra vez.")
    assert "url" not in heard
    (shown,) = own(at, NEREA)
    assert "Rendirse" in str(shown.labels)
    assert own(at, BRUNO) == []
    assert public(at) == [board]


@pytest.mark.slow
async def test_whoever_has_pressed_one_gets_the_next_without_a_link(at):
    board = await at.begun()
    await at.press(NEREA, board, board.code("Más"))
    (shown,) = own(at, NEREA)
    await at.press(NEREA, shown, shown.code("Rendirse"))
    heard = await at.press(NEREA, board, board.code("Más"))
    assert "url" not in heard
    assert isinstance(board_of(at, NEREA), Own)
    assert board_of(at, BRUNO) is board


@pytest.mark.slow
async def test_what_a_client_never_shows_stands_in_the_group_after_a_second_press(at):
    at.api.old.add(NEREA["id"])
    board = await at.begun()
    sent = []
    for number in range(2 * ephemeral_messages.TRIES + 2):
        below = len(public(at))
        heard = await at.press(NEREA, board, board.code("Más"))
        assert "url" not in heard
        if number % 2 or number > 2 * ephemeral_messages.TRIES:
            await at.api.until(lambda below=below: len(public(at)) > below)
            assert public(at)[-1].text == "Nerea: elige; solo tú puedes usar estos botones."
        sent.append(len([m for m in at.api.asked if "ephemeral_message_parameters" in m.values]))
    assert sent[-1] == sent[-2] == sent[2 * ephemeral_messages.TRIES - 1]
    assert own(at, NEREA) == []


async def test_what_one_alone_reads_there_is_not_said_by_the_answer_to_the_press_too(at):
    board = await at.begun()
    await shows(at, NEREA, EVA)
    await at.press(NEREA, board, await code_of(at, board, Action.RESIGN))
    (asks,) = own(at, NEREA)
    await at.press(NEREA, asks, asks.code("Sí"))
    await at.api.until(lambda: "★" in board.text)
    heard = await at.press(EVA, board, board.code("Revancha"))
    (shown,) = own(at, EVA)
    assert shown.text.startswith("No juegas en esta mesa.")
    assert shown.code("Preparar una partida")
    assert shown.text not in heard.get("text", "")


@pytest.mark.slow
async def test_it_is_sent_before_the_press_is_answered(at):
    board = await at.begun()
    await shows(at, NEREA)
    at.api.asked.clear()
    await at.press(NEREA, board, board.code("Más"))
    assert methods(at) == ["sendPhoto", "answerCallbackQuery"]


@pytest.mark.slow
async def test_whoever_presses_again_what_should_be_covered_has_missed_it(at):
    board = await at.begun(game=BATTLE)
    await shows(at, NEREA, BRUNO)
    who, step = await first_step(at, board)
    await at.press(who, board, step)
    at.api.restart_client(who)
    await at.press(who, board, step)
    assert "Volver" in str(board.labels), "the shared board asks on, as it does for old clients"
    heard = await at.press(who, board, board.code("Más"))
    assert heard["text"] == "Tienes tus botones justo debajo."


@pytest.mark.slow
async def test_an_older_server_is_found_out_by_a_message_that_says_nothing(at):
    at.api.ignorant = True
    board = await at.begun()
    heard = await at.press(NEREA, board, board.code("Más"))
    assert public(at)[0] is board
    trials = [m for m in at.api.asked if "ephemeral_message_parameters" in m.values]
    assert [one.values["text"] for one in trials] == ["…"]
    assert [m for m in public(at) if m.text == "…"] == []
    await at.press(BRUNO, board, board.code("Más"))
    again = [m for m in at.api.asked if "ephemeral_message_parameters" in m.values]
    assert again == trials
    assert heard


async def test_the_trial_of_a_server_has_a_turn_of_its_own(at):
    """It is a message more, and Telegram counts each."""
    board = await at.begun()
    noted, limiter = [], at.facade.boards.places.pacing.limiter(GROUP_PLACE)
    counted = limiter.note
    limiter.note = lambda *asked: (noted.append(1), counted(*asked))[1]
    at.api.asked.clear()
    await at.press(NEREA, board, board.code("Más"))
    sent = [one.method for one in at.api.asked if one.method.startswith(("send", "edit"))]
    assert len(sent) == len(noted) == 2


# -------------------------------------------------------------------- in place of the board


@pytest.mark.slow
async def test_a_half_made_choice_is_its_maker_s_alone(at):
    board = await at.begun(game=BATTLE)
    await shows(at, NEREA, BRUNO)
    who, step = await first_step(at, board)
    other = BRUNO if who is NEREA else NEREA
    edits = board.edits
    heard = await at.press(who, board, step)
    assert "¿" in heard["text"]
    mine = board_of(at, who)
    assert isinstance(mine, Own)
    assert "Volver" in mine.labels
    assert mine.picture is not None
    assert board_of(at, other) is board
    assert board.edits == edits


@pytest.mark.slow
async def test_the_move_brings_the_shared_board_back(at):
    board = await at.begun(game=BATTLE)
    await shows(at, NEREA, BRUNO)
    who, step = await first_step(at, board)
    await at.press(who, board, step)
    mine, before = board_of(at, who), (await at.table(board)).version
    heard = await at.press(who, mine, mine.moves[0])
    assert heard["text"].startswith("Hecho")
    assert (await at.table(board)).version > before
    await uncovered(at, board, who)


@pytest.mark.slow
async def test_back_brings_the_shared_board_back(at):
    board = await at.begun(game=BATTLE)
    await shows(at, NEREA, BRUNO)
    who, step = await first_step(at, board)
    await at.press(who, board, step)
    mine = board_of(at, who)
    await at.press(who, mine, mine.code("Volver"))
    await uncovered(at, board, who)
    assert (await at.table(board)).status == "playing"


async def test_the_first_back_of_a_new_client_takes_its_step_from_the_shared_board_too(at):
    board = await at.begun(game=BATTLE)
    who, step = await first_step(at, board)
    await at.press(who, board, step)
    mine = board_of(at, who)
    assert isinstance(mine, Own)
    await at.api.until(lambda: "Volver" in board.labels)
    await at.press(who, mine, mine.code("Volver"))
    await uncovered(at, board, who)
    await at.api.until(lambda: "Volver" not in board.labels)
    assert step in board.moves


async def test_back_on_the_shared_board_is_whispered_to_nobody(at):
    board = await at.begun(game=BATTLE)
    who, step = await first_step(at, board)
    await at.press(who, board, step)
    await at.api.until(lambda: "Volver" in board.labels)
    await at.press(who, board, board.code("Volver"))
    await at.api.until(lambda: "Volver" not in board.labels)
    await uncovered(at, board, who)


@pytest.mark.slow
async def test_at_the_next_move_everybody_sees_the_shared_board_again(at):
    board = await at.begun(game=BATTLE)
    await shows(at, NEREA, BRUNO)
    who, _ = await first_step(at, board)
    other = BRUNO if who is NEREA else NEREA
    await at.press(other, board, board.code("Más"))
    assert isinstance(board_of(at, other), Own)
    await at.press(who, board, board.code("KM"))
    mine = board_of(at, who)
    await at.press(who, mine, mine.moves[0])
    await uncovered(at, board, who, other)


@pytest.mark.slow
async def test_what_stands_in_place_of_a_board_speaks_its_reader_s_language(at):
    board = await at.begun()
    english = {**BRUNO, "language_code": "en"}
    await shows(at, english)
    await at.press(english, board, board.code("Más"))
    assert "Record" in board_of(at, english).labels
    assert "Más" in board.labels


@pytest.mark.parametrize("way", ["pressed", "typed"])
async def test_what_asks_one_alone_about_a_table_goes_with_its_end(at, way):
    board = await at.begun()
    await shows(at, NEREA, BRUNO)
    if way == "typed":
        await at.api.whisper(NEREA, "/rendirse")
    else:
        await at.press(NEREA, board, await code_of(at, board, Action.RESIGN))
    (asked,) = await at.api.until(lambda: own(at, NEREA))
    assert "¿seguro que te rindes?" in asked.text
    origin, code = Update("test", "flag"), (await at.table(board)).code
    await at.facade.services.changes.change(origin, code, lambda work: play.resign(work, 0))
    await at.api.until(lambda: not own(at, NEREA))


async def test_after_a_restart_the_next_move_still_brings_the_board_back(tmp_path):
    async with serving(EphemeralApi()) as api:
        async with room(tmp_path, api=api) as at:
            board = await at.begun(game=BATTLE)
            await shows(at, NEREA, BRUNO)
            who, step = await first_step(at, board)
            other = BRUNO if who is NEREA else NEREA
            await at.press(other, board, board.code("Más"))
            await at.press(who, board, step)
            await at.api.until(lambda: not at.chat._answers.tasks.busy())
        async with room(tmp_path, api=api) as at:
            mine = board_of(at, who)
            assert isinstance(mine, Own)
            heard = await at.press(who, mine, mine.moves[0])
            assert heard["text"].startswith("Hecho")
            await uncovered(at, board, NEREA, BRUNO)


@pytest.mark.slow
async def test_what_an_earlier_process_should_have_removed_goes_at_the_start(tmp_path):
    async with serving(EphemeralApi()) as api:
        async with room(tmp_path, api=api) as at:
            board = await at.begun(game=BATTLE)
            await shows(at, NEREA, BRUNO)
            who, step = await first_step(at, board)
            await at.press(who, board, step)
            mine = board_of(at, who)
            await at.api.until(lambda: not at.chat._answers.tasks.busy())
            at.chat._outbound.when_shown = None
            asker = Asker("telegram", str(who["id"]), who["first_name"])
            await at.facade.requests.press(Press("7", GROUP_PLACE, asker, mine.moves[0]))
            await at.settle()
            assert board_of(at, who) is mine
        async with room(tmp_path, api=api) as at:
            await at.api.until(lambda: board_of(at, who) is board)


@pytest.mark.slow
async def test_what_was_never_noted_is_still_known_by_its_button(at):
    board = await at.begun(game=BATTLE)
    await shows(at, NEREA, BRUNO)
    who, step = await first_step(at, board)
    await at.press(who, board, step)
    registry = at.chat._answers.own.registry
    for one in tuple(registry.of(str(GROUP["id"]), str(who["id"]))):
        registry.forget(one)
    mine = board_of(at, who)
    heard = await at.press(who, mine, mine.moves[0])
    assert heard["text"].startswith("Hecho")
    await uncovered(at, board, who)


async def test_a_stale_button_says_so_and_shows_the_shared_board(at, monkeypatch):
    monkeypatch.setattr(play, "SETTLED", timedelta())
    board = await at.begun(game=BATTLE)
    await shows(at, NEREA, BRUNO)
    who, step = await first_step(at, board)
    await at.press(who, board, step)
    mine = board_of(at, who)
    kept, at.chat._outbound.when_shown = at.chat._outbound.when_shown, None
    await at.press(who, board, mine.moves[0])
    at.chat._outbound.when_shown = kept
    version = (await at.table(board)).version
    heard = await at.press(who, mine, mine.moves[0])
    assert not heard["text"].startswith("Hecho")
    assert (await at.table(board)).version == version
    await uncovered(at, board, who)


# -------------------------------------------------------------------- the hidden set-up


async def hidden(at: Room) -> Shown:
    board = await at.begun(game="storill")
    await at.settle()
    return board


async def test_a_hidden_set_up_is_made_in_the_group_by_buttons_alone(at):
    board = await hidden(at)
    await shows(at, NEREA, BRUNO)
    presses = 0
    for who in (NEREA, BRUNO):
        await at.press(who, board, board.code("Preparar lo mío"))
        mine = board_of(at, who)
        assert isinstance(mine, Own)
        await at.press(who, mine, mine.code("KM"))
        await at.press(who, mine, mine.moves[0])
        assert board_of(at, who) is mine, "it goes on there until it is ready"
        await at.press(who, mine, mine.code("Listo"))
        await uncovered(at, board, who)
        presses += 4
    assert len((await at.table(board)).actors()) == 1
    assert [m for m in at.api.messages.values() if m.chat > 0] == []
    assert presses == 8


@pytest.mark.slow
async def test_while_one_sets_up_the_other_s_own_board_stays(at):
    board = await hidden(at)
    await shows(at, NEREA, BRUNO)
    await at.press(NEREA, board, board.code("Preparar lo mío"))
    await at.press(BRUNO, board, board.code("Preparar lo mío"))
    mine, theirs = board_of(at, NEREA), board_of(at, BRUNO)
    await at.press(BRUNO, theirs, theirs.code("Listo"))
    assert board_of(at, NEREA) is mine
    await at.press(NEREA, mine, mine.code("Listo"))
    await uncovered(at, board, NEREA, BRUNO)


async def test_a_typed_line_of_a_hidden_set_up_is_refused_in_the_group(at):
    board = await hidden(at)
    await shows(at, NEREA)
    version = (await at.table(board)).version
    await at.api.whisper(NEREA, "/mover A a1")
    (told,) = await at.api.until(lambda: own(at, NEREA))
    assert "todos" in told.text.lower() or "todo el mundo" in told.text.lower()
    await at.api.say(NEREA, "/mover A a1")
    await at.api.until(lambda: [m for m in public(at) if m is not board])
    assert (await at.table(board)).version == version


async def test_no_secret_goes_to_a_server_that_might_show_it_to_all(at):
    at.api.ignorant = True
    board = await hidden(at)
    seen = []
    at.api.refuse = lambda asked: seen.append(asked)
    heard = await at.press(NEREA, board, board.code("Preparar lo mío"))
    assert "?start=" in heard["url"]
    assert [one for one in seen if one.method == "sendPhoto"] == []


# -------------------------------------------------------------------- people who are forgotten


@pytest.mark.slow
async def test_of_whoever_is_forgotten_no_message_and_no_note_stays(at):
    board = await at.begun()
    await shows(at, NEREA)
    await at.press(NEREA, board, board.code("Más"))
    await at.chat.forget(str(NEREA["id"]))
    await at.api.until(lambda: own(at, NEREA) == [])
    noted = json.loads(await at.facade.notes.read(NOTE, str) or "[]")
    assert [one for one in noted if one["receiver"] == str(NEREA["id"])] == []


async def test_what_is_ready_too_late_to_be_seen_alone_is_linked_to(at, monkeypatch):
    board, real = await at.begun(), at.facade.requests.press
    code = await code_of(at, board, Action.TOP, "niya")

    async def slow(press):
        await asyncio.sleep(0.2)
        return await real(press)

    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 0.05)
    monkeypatch.setattr(at.facade.requests, "press", slow)
    await at.press(BRUNO, board, code)
    (beside,) = [one for one in public(at) if one is not board]
    assert "en privado" in beside.text
    assert not own(at, BRUNO)
