"""One act behind a button and a command: the same meaning, done once, and faults told as ours."""

from __future__ import annotations

import logging

import pytest

from bot.commands.dispatcher import HANDLERS
from bot.port import Press, Where
from bot.presenters.button_codes import Action, Click, decode_click, encode_click
from bot.presenters.command_specs import COMMANDS
from bot.texts import MissingText
from tests.fakes import Desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


async def begun(at: Desk) -> str:
    await at.call(NEREA, "play", game="niya")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


async def on_turn(at: Desk, code: str):
    """Whose turn it is, and who waits."""
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    mover = NEREA if table.players[seat].name == "Nerea" else BRUNO
    return mover, BRUNO if mover is NEREA else NEREA


async def offered(at: Desk, code: str, who, kind: str):
    """Offer or ask for *kind* with the button below «Más»."""
    key = at.facade.services.key
    return await at.press(
        who, at.chat.board(code), code=encode_click(Click(Action.OFFER, code, 0, (kind,)), key)
    )


def test_every_act_is_done_by_one_function_and_every_command_names_one():
    assert set(HANDLERS) == set(Action)
    assert {command.act for command in COMMANDS} <= set(Action)


def test_every_act_has_a_button():
    for act in Action:
        code = encode_click(Click(act, "AB12", 7, ("a",)), b"key")
        assert decode_click(code, b"key") == Click(act, "AB12", 7, ("a",))


def test_a_digit_may_name_the_next_act():
    code = encode_click(Click("0", "AB12"), b"key")
    with pytest.raises(ValueError, match="'0' is not a valid Action"):
        decode_click(code, b"key")


@pytest.mark.parametrize("typed", [True, False])
async def test_asking_for_the_take_back_that_is_asked_for_is_agreeing_to_it(at, typed):
    code = await begun(at)
    mover, other = await on_turn(at, code)
    await at.press(mover, at.chat.board(code), code=at.chat.board(code).moves[0].code)
    before = len((await at.facade.services.tables.get(code)).log)
    await offered(at, code, mover, "undo")
    answer = await (at.call(other, "undo") if typed else offered(at, code, other, "undo"))
    after = await at.facade.services.tables.get(code)
    assert answer.good
    assert not after.offers
    assert len(after.log) == before - 1


@pytest.mark.parametrize("typed", [True, False])
async def test_a_challenge_is_accepted_by_the_button_and_by_the_command(at, typed):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    code = message.screen.table
    await (at.call(BRUNO, "join", table=code) if typed else at.press(BRUNO, message, "Aceptar"))
    assert (await at.facade.services.tables.get(code)).status == "playing"


async def test_an_old_button_of_the_invitation_gives_no_game_up(at):
    await at.call(NEREA, "play", game="niya")
    (message,) = at.chat.messages.values()
    code = message.screen.table
    leave = message.button("Cancelar").code
    await at.call(BRUNO, "join", table=code)
    answer = await at.press(BRUNO, at.chat.board(code), code=leave)
    assert not answer.good
    assert (await at.facade.services.tables.get(code)).status == "playing"


async def test_a_press_that_was_done_is_not_refused_when_it_is_delivered_again(at):
    code = await begun(at)
    mover, _ = await on_turn(at, code)
    board = at.chat.board(code)
    press = board.moves[0].code
    first = await at.press(mover, board, code=press, update="again")
    version = (await at.facade.services.tables.get(code)).version
    second = await at.press(mover, board, code=press, update="again")
    assert first.good
    assert second.good
    assert (await at.facade.services.tables.get(code)).version == version


@pytest.mark.sampled
@pytest.mark.parametrize("fault", [KeyError("lost"), MissingText("es: niya.lost")])
async def test_a_fault_of_ours_is_logged_and_told_as_ours(at, monkeypatch, caplog, fault):
    code = await begun(at)
    mover, _ = await on_turn(at, code)

    def broken(*_):
        raise fault

    monkeypatch.setattr("bot.session.play.pick", broken)
    with caplog.at_level(logging.ERROR):
        answer = await at.press(mover, at.chat.board(code), code=at.chat.board(code).moves[0].code)
    assert answer.said.startswith("Algo ha fallado por nuestra parte")
    (told,) = [record for record in caplog.records if record.exc_info is not None]
    assert told.exc_info[1] is fault


async def test_a_fault_after_the_move_was_stored_does_not_ask_to_try_again(at, monkeypatch):
    code = await begun(at)
    mover, _ = await on_turn(at, code)

    async def broken(*_):
        raise MissingText("es: niya.lost")

    monkeypatch.setattr("bot.commands.table.moves.answer_done", broken)
    answer = await at.press(mover, at.chat.board(code), code=at.chat.board(code).moves[0].code)
    assert answer.said.startswith("Eso está hecho")


async def test_a_fault_is_told_in_the_language_the_person_has_chosen(at, monkeypatch):
    code = await begun(at)
    alone = Where("fake", "eva", private=True)
    await at.call(EVA, "language", alone, language="en")

    async def broken(*_):
        raise RuntimeError("ours")

    monkeypatch.setitem(HANDLERS, Action.MORE, broken)
    answer = await at.press(EVA, at.chat.board(code), "Más")
    assert answer.said.startswith("Something failed on our side")


async def test_a_press_on_no_table_of_ours_is_refused_in_a_sentence(at):
    press = encode_click(Click(Action.MORE, "ZZZZZZ", 0), at.facade.services.key)
    answer = await at.facade.requests.press(Press("none", at.where, EVA, press, "m77"))
    assert not answer.good
    assert "ZZZZZZ" in answer.said


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("against", "status"), [("computer", "playing"), ("", "open"), ("@2", "open")]
)
async def test_a_button_opens_a_table_like_the_command(at, against, status):
    await at.facade.services.people.of(NEREA)
    guest = await at.facade.services.people.of(BRUNO)
    assert guest.id == 2
    code = at.facade.boards.buttons.play("niya", against)
    answer = await at.facade.requests.press(Press("opens", at.where, NEREA, code, "m5"))
    await at.settle()
    assert answer.good
    (board,) = at.chat.messages.values()
    table = await at.facade.services.tables.get(board.screen.table)
    assert table.status == status
    assert any(player.invited for player in table.players) == (against == "@2")
