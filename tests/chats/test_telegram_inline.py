"""``@bot niya`` in any chat: an invitation, whose older links open its table in private."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.chats.telegram.reading import payload_of
from bot.commands.table.seating import DAYS
from bot.service import request_rate_limits
from games.core.shelf import shelf
from storage.person import people
from storage.store import Store
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, states
from tests.telegram_messages import BOT, GROUP, Shown, private, user

ANN = user(14, "Ann", "ann", "en-GB")


async def met(at: Room, *persons: dict) -> None:
    """*persons* have opened their private chats."""
    for person in persons:
        await at.api.say(person, "/start", private(person))
        await at.api.until(lambda person=person: inside(at, person))
    await at.settle()
    at.api.messages.clear()


def inside(at: Room, person: dict) -> list[Shown]:
    return [m for m in at.api.messages.values() if m.chat == person["id"]]


def board(at: Room, person: dict) -> Shown | None:
    found = [m for m in inside(at, person) if m.picture is not None]
    return found[-1] if found else None


def button(card: dict) -> dict:
    ((found,),) = card["reply_markup"]["inline_keyboard"]
    return found


async def invited(at: Room, typed: str = "niya", host: dict = NEREA) -> str:
    """The link of an invitation that *host* has sent, as of releases before 0.4."""
    (card,) = (await at.api.types(host, typed))["results"]
    payload = payload_of(button(card)["callback_data"])
    return f"https://t.me/{BOT['username']}?start={payload}"


async def follow(at: Room, person: dict, link: str) -> None:
    """Press a link into the private chat, and wait for all that comes of it."""
    address, _, payload = link.partition("?start=")
    assert address == f"https://t.me/{BOT['username']}"
    assert len(payload) <= 64
    await at.api.say(person, f"/start {payload}", private(person))
    await at.api.until(lambda: not at.api.updates or inside(at, person))
    await at.settle()


async def tables(at: Room) -> list[str]:
    """The codes of all tables there are."""
    async with at.facade.store.reading() as tx:
        return [row[0] for row in await tx.execute(text("select code from game"))]


async def test_every_game_that_fits_is_a_card_with_title_and_line(at):
    await met(at, NEREA)
    told = await at.api.types(NEREA, "")
    assert len(told["results"]) == len(shelf())
    assert all(card["title"] and card["description"] for card in told["results"])
    (card,) = (await at.api.types(NEREA, "níy"))["results"]
    assert "Niya" in card["title"]
    assert "Nerea" in card["input_message_content"]["message_text"]
    assert (await at.api.types(NEREA, "ajedrez de mentira")).get("results") == []


async def test_each_reads_his_own_language(at):
    await met(at, NEREA, ANN)
    (spanish,) = (await at.api.types(NEREA, "niya"))["results"]
    (english,) = (await at.api.types(ANN, "niya"))["results"]
    assert (button(spanish)["text"], button(english)["text"]) == ("Sentarme", "Sit down")
    assert "invita a" in spanish["input_message_content"]["message_text"]
    assert "invites you" in english["input_message_content"]["message_text"]


async def test_answers_are_his_alone_and_nothing_of_them_is_kept(at):
    await met(at, NEREA)
    told = await at.api.types(NEREA, "niya")
    assert told["is_personal"]
    assert int(told["cache_time"]) > 0
    await at.settle()
    assert await states(at) == {}
    assert await tables(at) == []


async def test_who_is_not_known_is_offered_the_same_and_not_written_down(at):
    (card,) = (await at.api.types(EVA, "niya"))["results"]
    assert card["input_message_content"]["message_text"].startswith("Eva invita")
    store: Store = at.facade.store
    assert await store.read(people.find_person, "telegram", str(EVA["id"])) is None


async def test_who_types_too_much_is_offered_nothing(at, monkeypatch):
    monkeypatch.setattr(request_rate_limits, "COMPLETION", ((3, 1000.0),))
    await met(at, NEREA)
    offered = [bool((await at.api.types(NEREA, "niya"))["results"]) for _ in range(4)]
    assert offered == [True, True, True, False]


@pytest.mark.slow
async def test_the_first_who_presses_plays_against_who_invited_each_in_private(at):
    await met(at, NEREA)
    link = await invited(at)
    assert await tables(at) == []
    await follow(at, BRUNO, link)
    (code,) = await tables(at)
    table = await at.facade.services.tables.get(code)
    assert [player.name for player in table.players] == ["Nerea", "Bruno"]
    assert table.status == "playing"
    assert board(at, NEREA)
    assert board(at, BRUNO)


@pytest.mark.slow
async def test_whoever_comes_later_looks_on(at):
    await met(at, NEREA)
    link = await invited(at)
    await follow(at, BRUNO, link)
    await follow(at, EVA, link)
    (code,) = await tables(at)
    names = [player.name for player in (await at.facade.services.tables.get(code)).players]
    assert names == ["Nerea", "Bruno"]
    assert board(at, EVA)
    assert any("Ahora miras una mesa de " in shown.text for shown in inside(at, EVA))


@pytest.mark.slow
async def test_who_invited_may_come_first_and_wait(at):
    await met(at, NEREA)
    link = await invited(at)
    await follow(at, NEREA, link)
    (code,) = await tables(at)
    assert (await at.facade.services.tables.get(code)).status == "open"
    await follow(at, BRUNO, link)
    assert (await at.facade.services.tables.get(code)).status == "playing"
    assert await tables(at) == [code]


@pytest.mark.slow
async def test_a_game_for_four_waits_for_more(at):
    await met(at, NEREA)
    link = await invited(at, "parchis")
    await follow(at, BRUNO, link)
    await follow(at, EVA, link)
    (code,) = await tables(at)
    table = await at.facade.services.tables.get(code)
    assert table.status == "open"
    assert [p.name for p in table.players if p.person is not None] == ["Nerea", "Bruno", "Eva"]


@pytest.mark.slow
async def test_two_who_press_at_once_meet_at_one_table(at):
    await met(at, NEREA)
    payload = (await invited(at)).partition("?start=")[2]
    for person in (BRUNO, EVA):
        await at.api.say(person, f"/start {payload}", private(person))
    await at.api.until(lambda: board(at, BRUNO) and board(at, EVA))
    await at.settle()
    assert len(await tables(at)) == 1


async def test_an_invitation_that_nobody_followed_in_a_week_is_no_longer_good(at, monkeypatch):
    await met(at, NEREA)
    link = await invited(at)
    now = at.facade.services.clock.now()
    monkeypatch.setattr(at.facade.services.clock, "now", lambda: now + timedelta(days=DAYS + 1))
    await follow(at, BRUNO, link)
    assert await tables(at) == []
    assert any("ya no vale" in shown.text for shown in inside(at, BRUNO))


@pytest.mark.slow
async def test_nobody_is_seated_by_a_link_that_we_did_not_sign(at):
    await met(at, NEREA)
    link = await invited(at)
    await follow(at, BRUNO, link[:-2] + ("AA" if link[-2:] != "AA" else "BB"))
    assert await tables(at) == []


async def test_nobody_is_invited_by_someone_who_wanted_to_be_forgotten(at):
    await met(at, NEREA)
    link = await invited(at)
    known = await at.facade.store.read(people.find_person, "telegram", str(NEREA["id"]))
    async with at.facade.store.transaction() as tx:
        await at.facade.services.people.erase(tx, known.id)
    await follow(at, BRUNO, link)
    assert await tables(at) == []


async def test_the_greeting_leads_into_a_group_where_the_link_greets_again(at):
    await at.api.say(NEREA, "/start", private(NEREA))
    greeting = await at.api.until(lambda: at.api.board(NEREA["id"]))
    ((add,),) = greeting.rows[-1:]
    assert add["url"] == f"https://t.me/{BOT['username']}?startgroup=play"
    await at.api.say(NEREA, f"/start@{BOT['username']} play", GROUP)
    greeted = await at.api.until(lambda: at.api.board())
    assert "¡Hola! Aquí se puede jugar" in greeted.text
