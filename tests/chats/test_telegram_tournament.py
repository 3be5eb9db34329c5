"""A tournament in a Telegram group, as its organizer and its guests meet it."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.port import Pace
from bot.presenters.button_codes import Action
from bot.service.clock import SteadyClock
from bot.tournament.values import Phase
from storage.schema import tournament
from tests.chats.telegram_room import NEREA, Room
from tests.chats.test_telegram_ephemeral import code_of
from tests.chats.test_telegram_places import at, opened, says
from tests.telegram_messages import GROUP, Shown, private, user

__all__ = ["at"]

GUESTS = [user(30 + n, f"Persona {n}") for n in range(1, 13)]


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Time enough for an answer, however busy this machine is."""
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 30.0)


async def set_up(at: Room, form: str = "") -> tuple[Shown, Shown]:
    """A tournament opened by the sheet: its poster, and the organizer's own screen."""
    (card,) = await says(at, "/torneo")
    for label in ("Torneo de Niya", *(("Formato", form) if form else ()), "Abrir el torneo"):
        await at.api.until(lambda label=label: label in str(card.labels))
        await at.press(NEREA, card, card.code(label))
    await at.api.until(lambda: at.api.board() not in (None, card) and not card.labels)
    await at.settle()
    poster = at.api.board()
    return poster, await own_screen(at, poster, NEREA)


async def own_screen(at: Room, poster: Shown, who) -> Shown:
    """What the key of the *poster* leads *who* to, in their private chat."""
    heard = await at.press(who, poster, poster.code("Más"))
    (card,) = await says(at, f"/start {heard['url'].split('start=')[1]}", who, private(who))
    return card


async def found(at: Room):
    """The tournament."""
    async with at.facade.store.reading() as tx:
        (code,) = (await tx.execute(select(tournament.c.code))).scalars()
    return await at.facade.services.tournaments.get(code)


def groups(at: Room) -> list[Shown]:
    return [one for one in at.api.messages.values() if one.chat == GROUP["id"]]


async def test_a_regular_opens_one_in_the_group_by_two_presses(at, monkeypatch):
    await opened(at)
    owner = at.api.getchatmember

    def known(asked):
        who = owner(asked)
        return who if asked.values["user_id"] == str(NEREA["id"]) else {**who, "status": "member"}

    monkeypatch.setattr(at.api, "getchatmember", known)
    poster, card = await set_up(at)
    assert poster.picture
    assert poster.chat == GROUP["id"]
    assert (await found(at)).at.place == str(GROUP["id"])
    assert "Empezar ya" not in poster.labels
    assert "Organización" not in poster.labels
    assert card.labels[-2:] == ["Empezar ya", "Organización"]
    theirs = await own_screen(at, poster, GUESTS[0])
    assert "Apuntarme" in theirs.labels
    assert not {"Empezar ya", "Organización"} & {*theirs.labels}
    assert not [one for one in groups(at) if "Empezar ya" in one.labels]
    heard = await at.press(GUESTS[0], theirs, card.code("Empezar ya"))
    assert not (await found(at)).rounds
    assert heard["show_alert"] == "true" or "organiza" in heard["text"]


async def test_an_own_screen_of_a_tournament_in_a_group_tells_who_enters_and_what_begins(at):
    poster, card = await set_up(at)
    assert card.text.startswith("En Club: Torneo de Niya")
    theirs = await own_screen(at, poster, GUESTS[0])
    for who in GUESTS[:3]:
        await at.press(who, poster, poster.code("Apuntarme"))
    assert "Persona 3" in card.text
    assert "Apuntarme" not in theirs.labels
    assert card.labels == ["Apuntarme", "Empezar ya", "Organización"]
    await at.press(NEREA, card, card.code("Empezar ya"))
    await at.facade.process_duties.deadlines.tournaments.expire()
    await at.settle()
    for one in (card, theirs):
        assert one.text.startswith("En Club: Torneo de Niya")
        assert one.text.count("En Club") == 1
        assert "Ronda 1 de 3:" in one.text
    assert "Apuntarme" not in card.labels
    (code,) = [game.code for _, _, game in (await found(at)).games()]
    table = await at.facade.services.tables.get(code)
    mover, other = (
        next(one for one in GUESTS if one["first_name"] == table.players[seat].name)
        for seat in (*table.actors(), *({0, 1} - table.actors()))
    )
    heard = await at.press(other, poster, poster.code("Mi partida"))
    payload = heard["url"].split("start=")[1]
    (board,) = await says(at, f"/start {payload}", other, private(other))
    assert board.text.startswith("En Club: ")
    shared = next(one for one in groups(at) if f".{code}." in str(one.rows))
    await at.press(mover, shared, shared.moves[0])
    assert f"Te toca, {other['first_name']}" in board.text
    assert board.moves


@pytest.mark.parametrize("sheet", [False, True])
async def test_what_is_done_on_an_own_screen_is_seen_there_and_nothing_stays_behind(at, sheet):
    poster, card = await set_up(at)
    for who in GUESTS[:3]:
        await at.press(who, poster, poster.code("Apuntarme"))
    heard = await at.press(NEREA, card, card.code("Apuntarme"))
    assert "Te has apuntado" in heard["text"]
    assert "Dejar el torneo" in card.labels
    pressed = card
    if sheet:
        await at.press(NEREA, card, card.code("Organización"))
        pressed = next(one for one in at_home(at) if "Volver" in one.labels)
    heard = await at.press(NEREA, pressed, pressed.code("Empezar ya"))
    assert heard["text"]
    await at.facade.process_duties.deadlines.tournaments.expire()
    await at.settle()
    (mine,) = [one for one in at_home(at) if "Torneo de Niya" in one.text]
    assert mine is pressed, "no second copy was pushed"
    assert "Ronda 1 de 3:" in mine.text
    assert not [one for one in at_home(at) if "emparejando" in one.text]


def at_home(at: Room) -> list[Shown]:
    return [one for one in at.api.messages.values() if one.chat == NEREA["id"]]


async def test_names_stand_once_and_nothing_is_told_of_what_was_not_played(at):
    poster, card = await set_up(at)
    for who in GUESTS[:4]:
        await at.press(who, poster, poster.code("Apuntarme"))
    assert poster.text.count("Persona 1") == 1
    await at.press(NEREA, card, card.code("Empezar ya"))
    await at.facade.process_duties.deadlines.tournaments.expire()
    await at.settle()
    assert "0 puntos" not in poster.text
    assert "Sonneborn" not in poster.text


async def test_who_needs_a_private_chat_is_led_there_and_enters_by_one_start(at, monkeypatch):
    poster, _ = await set_up(at)
    monkeypatch.setattr(at.chat, "pace", lambda where: Pace(600, 60.0))
    for who in GUESTS[:4]:
        assert "apuntado" in (await at.press(who, poster, poster.code("Apuntarme")))["text"]
    late = GUESTS[4]
    heard = await at.press(late, poster, poster.code("Apuntarme"))
    payload = heard["url"].split("start=")[1]
    told = await says(at, f"/start {payload}", late, private(late))
    assert "Te has apuntado" in str([one.text for one in told])
    assert [one.at.private for one in (await found(at)).present] == [False] * 5


@pytest.mark.slow
async def test_a_knockout_of_eight_leaves_ten_messages_at_most(at, monkeypatch):
    late, steady = timedelta(0), SteadyClock.__call__
    monkeypatch.setattr(SteadyClock, "__call__", lambda self: steady(self) + late)
    poster, card = await set_up(at, "eliminatorias")
    for who in GUESTS[:8]:
        await at.press(who, poster, poster.code("Apuntarme"))
    short = "paced_messages.LISTS paced_messages.SHORT_LIVED fleeting.CARD fleeting.USED"
    for seconds in short.split():
        monkeypatch.setattr(f"bot.chats.telegram.{seconds}", 0.5)
    # Four minutes later the card would go, but it is used.
    at.chat._answers.fleeting.clock = lambda: time.time() + 240.0
    await at.press(NEREA, card, card.code("Empezar ya"))
    keeper, ends = at.facade.process_duties.deadlines, 0
    named = {one["first_name"]: one for one in GUESTS}
    while (known := await found(at)).phase is not Phase.ENDED:
        await keeper.tournaments.expire()
        await at.settle()
        for game in [game for _, _, game in (await found(at)).games() if game.result is None]:
            board = next(one for one in groups(at) if game.code in str(one.rows))
            table = await at.facade.services.tables.get(game.code)
            loser, winner = (named[player.name] for player in table.players)
            await at.press(loser, board, await code_of(at, board, Action.RESIGN))
            asked = await at.api.until(lambda: [m for m in groups(at) if "rindes" in m.text])
            await at.press(loser, asked[-1], asked[-1].rows[0][0]["callback_data"])
            await at.press(winner, board, await code_of(at, board, Action.RECORD))
            ends += 1
        late += timedelta(minutes=2)
        assert ends < 20
    await at.settle()
    assert known.why == "done"
    assert ends == 8
    await at.api.until(lambda: card not in groups(at))
    left = groups(at)
    assert len(left) <= 10, [one.text for one in left]
    assert not [one for one in left if "Revancha" in one.labels]
    # The end comes down to where people read, and the poster above it goes.
    told = [(one.id > poster.id, one.links) for one in left if "🥇" in one.text]
    assert told == [(True, [])]
