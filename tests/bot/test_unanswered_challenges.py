"""One challenge at a time to each game: nobody is called again by whom they have not answered."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.boards import views
from bot.port import Asker, Card, Press, Where
from bot.presenters.button_codes import Action
from bot.service.place.places import OPENED
from tests.fakes import UPDATES, Desk, FakeClock, desk, person

ANA, BRUNO, EVA = person("Ana"), person("Bruno"), person("Eva")
HERS = Where("fake", "id-Ana", private=True)
HIS = Where("fake", "id-Bruno", private=True)

WAITS = "Esa persona aún no ha contestado a tu reto anterior."
WITHDRAWN = "Ya has retado hoy a esa persona a este juego y lo has retirado."


@pytest.fixture
async def clock():
    return FakeClock()


@pytest.fixture
async def at(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as opened:
        places = opened.facade.services.places
        await places.store.write(places.put, HIS, settings={OPENED: True})
        yield opened


def told(at: Desk) -> int:
    """How often Bruno was written to: boards in his private chat, and calls."""
    boards = sum(message.where == HIS for message in at.chat.messages.values())
    return boards + sum(BRUNO.external in {one.external for one in p.people} for p in at.chat.pings)


@pytest.mark.parametrize("stands", [timedelta(), views.LINGERS])
async def test_a_declined_challenge_leaves_the_group_after_some_minutes(at, monkeypatch, stands):
    monkeypatch.setattr(views, "LINGERS", stands)
    await challenge(at, where=at.where)
    board = at.chat.board(newest(at))
    await at.press(BRUNO, board, "No, gracias")
    await asyncio.sleep(0.05)
    await at.settle()
    assert (board.id in at.chat.removed) is (not stands)


async def test_a_start_removes_what_was_declined_before(at, monkeypatch):
    await challenge(at, where=at.where)
    board = at.chat.board(newest(at))
    await at.press(BRUNO, board, "No, gracias")
    monkeypatch.setattr(views, "LINGERS", timedelta())
    await at.facade.services.views.clear_closed()
    await asyncio.sleep(0.05)
    await at.settle()
    assert board.id in at.chat.removed


def newest(at: Desk) -> str:
    return list(at.chat.messages.values())[-1].screen.table


async def challenge(at: Desk, who: Asker = ANA, where: Where = HERS, **values: object):
    return await at.call(who, "play", where, **{"game": "niya", "opponent": BRUNO, **values})


async def test_who_withdraws_and_challenges_again_and_again_writes_to_the_victim_once(at):
    assert (await challenge(at)).good
    first = told(at)
    assert first == 1
    code = newest(at)
    for _ in range(12):
        await at.call(ANA, "leave", HERS, table=code)
        answer = await challenge(at)
        assert not answer.good
        assert answer.said.startswith(WITHDRAWN)
    assert told(at) == first


async def test_the_refusal_leads_to_the_challenge_that_stands_and_withdraws_it(at):
    assert (await challenge(at)).good
    code = newest(at)
    refused = await challenge(at)
    (see,), (withdraw,) = refused.leads.buttons
    assert (see.label, withdraw.label) == ("Ver el reto", "Retirar el reto")
    card = at.card(Card(refused.leads), HERS)
    assert (await at.press(ANA, card, "Ver el reto")).good
    assert newest(at) == code
    assert (await at.press(ANA, card, "Retirar el reto")).good
    assert (await at.facade.services.tables.get(code)).closed == "cancelled"


async def test_two_friends_challenge_each_other_to_two_games_in_one_evening(at):
    assert (await challenge(at)).good
    assert (await challenge(at, game="shogi")).good
    assert (await challenge(at, game="shogi")).said.startswith(WAITS)


async def test_challenging_a_person_names_them_and_oneself_is_refused(at):
    meet = at.facade.requests.meet
    code = at.facade.boards.buttons.sheet("", await meet(BRUNO))
    press = Press(f"c{next(UPDATES)}", at.where, ANA, code, None)
    asked = at.card(await at.facade.requests.press(press))
    assert asked.screen.headline == "¿A qué retas a Bruno?"
    mine = at.facade.boards.buttons.sheet("", await meet(ANA))
    refused = await at.facade.requests.press(replace(press, code=mine, update=f"c{next(UPDATES)}"))
    assert (refused.good, bool(refused.leads.buttons)) == (False, True)


@pytest.mark.slow
async def test_a_second_challenge_waits_for_the_answer_to_the_first_in_every_place(at):
    assert (await challenge(at)).good
    assert (await challenge(at, where=at.where)).said.startswith(WAITS)
    assert (await challenge(at, EVA, Where("fake", "id-Eva", private=True))).good


async def test_the_button_that_challenges_a_person_is_no_other_way(at):
    assert (await challenge(at)).good
    code = at.facade.boards.buttons.play("niya", await at.facade.requests.meet(BRUNO))
    press = Press(f"c{next(UPDATES)}", HERS, ANA, code, None)
    assert (await at.facade.requests.press(press)).said.startswith(WAITS)


async def test_a_person_known_by_name_alone_is_challenged_once_as_well(at):
    assert (await challenge(at, where=at.where, opponent="@carla")).good
    assert (await challenge(at, where=at.where, opponent="@Carla")).said.startswith(WAITS)
    assert (await challenge(at, where=at.where, opponent="@david")).good


@pytest.mark.sampled
@pytest.mark.parametrize(("command", "good"), [("join", True), ("leave", True)])
async def test_once_it_is_answered_one_may_challenge_again(at, command, good):
    assert (await challenge(at)).good
    await at.call(BRUNO, command, HIS, table=newest(at))
    assert (await challenge(at)).good is good


@pytest.mark.slow
async def test_a_day_after_a_withdrawn_challenge_one_may_try_again(at, clock):
    assert (await challenge(at)).good
    await at.call(ANA, "leave", HERS, table=newest(at))
    clock.wait(timedelta(hours=23))
    assert not (await challenge(at)).good
    clock.wait(timedelta(hours=2))
    assert (await challenge(at)).good


@pytest.mark.slow
async def test_two_challenges_at_the_same_instant_are_one(at):
    found = await asyncio.gather(*(challenge(at) for _ in range(4)))
    assert [answer.good for answer in found].count(True) == 1


@pytest.mark.slow
async def test_who_wants_no_more_of_one_person_says_so_on_the_message_and_takes_it_back(at):
    assert (await challenge(at)).good
    board = next(m for m in at.chat.messages.values() if m.where == HIS)
    answer = await at.press(BRUNO, board, "No recibir más de Ana")
    assert answer.good
    refused = await challenge(at)
    assert refused.said == (
        "Bruno no acepta retos por ahora; puedes abrir la mesa a quien quiera."
    ), "a neutral sentence"
    sheet = at.card(await at.call(BRUNO, "settings", HIS), HIS)
    (again,) = [
        option.code
        for choice in sheet.screen.choices
        for option in choice.options
        if "permitir a todos otra vez" in option.label
    ]
    assert again.startswith(Action.SETTINGS)
    await at.press(BRUNO, sheet, code=again)
    assert (await challenge(at)).good
