"""One person in several chats, all that is kept of him, and how he is forgotten."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.commands import quotas
from bot.port import (
    Answer,
    Card,
    FileAnswer,
    MenuAnswer,
    PlaceStanding,
    Press,
    PrivateRefusal,
    Where,
)
from bot.session.preferences import NotificationChoice, Personal
from storage import schema
from storage.person import people, personal_data
from tests.databases import of_files
from tests.fakes import UPDATES, Desk, FakeChat, FakeClock, desk, person

ANA, BRUNO = person("Ana"), person("Bruno")
HERE = Where("fake", "ana-alone", private=True)
ELSEWHERE = replace(person("Anita", platform="other"), external="id-elsewhere")
THERE = Where("other", "anita-alone", private=True)


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path) as opened:
        opened.facade.chats["other"] = FakeChat("other")
        yield opened


async def code_for(at: Desk) -> str:
    answer = await at.call(ANA, "link", HERE)
    (code,) = re.findall(r"\b[2-9A-HJ-NP-Z]{8}\b", answer.said)[:1]
    return code


async def linked(at: Desk, who=ELSEWHERE, where: Where = THERE) -> None:
    answer = await at.surely(who, "link", where, code=await code_for(at))
    assert answer.good, answer.said


async def pressed(at: Desk, who, where: Where, code: str) -> Answer:
    answer = await at.facade.requests.press(
        Press(f"u{next(UPDATES)}", where, who, code, "card", whispered=True, own=True)
    )
    await at.settle()
    return answer


async def game(at: Desk) -> str:
    """A game of cirya that Ana has begun with Bruno in the group."""
    await at.call(ANA, "play", game="cirya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    assert (await at.press(BRUNO, message, "Aceptar")).good
    return message.screen.table


# ---------------------------------------------------------------- one person in all chats


async def test_a_code_makes_one_person_of_two(at):
    await linked(at)
    here, there = [await at.facade.services.people.of(one) for one in (ANA, ELSEWHERE)]
    assert here.id == there.id


async def test_a_game_begun_in_one_chat_goes_on_from_the_other(at):
    code = await game(at)
    await at.call(ELSEWHERE, "games", THERE)
    await linked(at)
    assert code in (await at.call(ELSEWHERE, "games", THERE)).said
    assert (await at.call(ELSEWHERE, "board", THERE, table=code)).good
    table = await at.facade.services.tables.get(code)
    me = await at.facade.services.people.of(ELSEWHERE)
    seat = table.seat_of(me.id)
    assert seat is not None
    if seat not in table.actors():
        board = at.chat.board(code)
        await at.press(BRUNO, board, code=board.moves[0].code)
        board = at.chat.board(code)
        if seat not in (await at.facade.services.tables.get(code)).actors():
            await at.press(BRUNO, board, code=board.moves[0].code)
    before = (await at.facade.services.tables.get(code)).version
    position = (await at.facade.services.tables.get(code)).present
    move = table.game.notation.written(position, position.legal_moves(seat)[0])
    answer = await at.call(ELSEWHERE, "move", THERE, move=move, table=code)
    assert answer.good, answer.said
    assert (await at.facade.services.tables.get(code)).version > before


async def test_events_of_an_old_table_name_who_is_the_same_person_now(tmp_path):
    async with desk(tmp_path) as at:
        at.facade.chats["other"] = FakeChat("other")
        await at.call(ELSEWHERE, "play", THERE, game="cirya")
        (old,) = [line.code for line in await at.facade.services.tables.list_lines(("open",))]
        await linked(at)
    async with desk(tmp_path) as at:
        table = await at.facade.services.tables.get(old)
        me = await at.facade.services.people.of(ANA)
        assert (table.host, table.seat_of(me.id), table.players[0].name) == (me.id, 0, "Ana")


async def test_boards_that_stand_call_who_was_joined_by_his_name_at_once(at):
    twin = replace(ELSEWHERE, platform="fake")
    await at.call(twin, "play", game="cirya")
    (message,) = at.chat.messages.values()
    assert message.screen.headline.startswith("Anita")
    await linked(at, twin, HERE)
    assert at.chat.messages[message.id].screen.headline.startswith("Ana ")


async def test_the_settings_of_whoever_gave_the_code_go_before(at):
    facade = at.facade.services.people
    here, there = await facade.of(ANA), await facade.of(ELSEWHERE)
    await facade.choose(here.id, theme="dark")
    await facade.choose(there.id, theme="light", calls=NotificationChoice.NEVER)
    await linked(at)
    kept = Personal(theme="dark", calls=NotificationChoice.NEVER, client="es")
    assert await facade.personal(here.id) == kept


async def test_a_code_is_good_once_for_ten_minutes_and_for_another_chat(tmp_path):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        code = await code_for(at)
        assert "aquí ya eres tú" in (await at.call(ANA, "link", HERE, code=code)).said
        clock.wait(timedelta(minutes=11))
        assert not (await at.call(ELSEWHERE, "link", THERE, code=code)).good
        code = await code_for(at)
        assert (await at.surely(ELSEWHERE, "link", THERE, code=code.lower())).good
        third = replace(ELSEWHERE, external="id-third")
        assert not (await at.call(third, "link", THERE, code=code)).good


async def test_before_two_become_one_it_is_said_with_whom_and_asked(at):
    alice = replace(person("Alice"), platform="telegram")
    home = Where("telegram", "alice-alone", private=True)
    said = (await at.call(alice, "link", home)).said
    (code,) = re.findall(r"\b[2-9A-HJ-NP-Z]{8}\b", said)[:1]
    people = at.facade.services.people
    for where in (HERE, at.where):  # talked into typing it in a group, too
        asked = at.card(await at.call(ANA, "link", where, code=code), where)
        assert asked.screen.headline == "¿Alice (Telegram) también eres tú?"
        assert "solo si esa cuenta también es tuya" in asked.screen.lines[0]
        assert (await people.of(ANA)).id != (await people.of(alice)).id
    yes, no = asked.screen.rows[0]
    assert (
        not (await at.press(BRUNO, asked, code=yes.code)).good
        or (await people.of(BRUNO)).id != (await people.of(alice)).id
    )
    assert (await at.press(ANA, asked, code=no.code)).said == "Bien: todo sigue como estaba."
    assert (await people.of(ANA)).id != (await people.of(alice)).id
    assert (await at.press(ANA, asked, code=yes.code)).good
    assert (await people.of(ANA)).id == (await people.of(alice)).id


async def test_who_guesses_at_codes_is_stopped(at, monkeypatch):
    monkeypatch.setattr(quotas, "CODES", ((5, 60.0),))
    answers = [await at.call(BRUNO, "link", HERE, code="ABCDEFGH") for _ in range(6)]
    assert "muchos códigos" in answers[-1].said
    assert "muchos códigos" not in answers[-2].said


async def test_nobody_comes_to_sit_twice_at_one_table(at):
    await at.call(ANA, "play", game="cirya", opponent=replace(ELSEWHERE, platform="fake"))
    (message,) = at.chat.messages.values()
    twin = replace(ELSEWHERE, platform="fake")
    await at.press(twin, message, "Aceptar")
    answer = await at.call(twin, "link", HERE, code=await code_for(at))
    assert not answer.good
    assert message.screen.table in answer.said


async def test_in_a_group_no_code_is_said(at):
    answer = await at.call(ANA, "link")
    assert isinstance(answer, PrivateRefusal)
    assert answer.table == "do-link"


# ---------------------------------------------------------------- what is kept


async def test_privacy_is_told_in_ten_lines(at):
    said = (await at.call(ANA, "privacy")).said
    assert [line.split(".")[0] for line in said.splitlines()[1:]] == [str(n) for n in range(1, 11)]


async def test_all_that_is_kept_is_handed_over_and_to_nobody_else(at):
    code = await game(at)
    await at.call(ANA, "board", HERE, table=code)
    assert isinstance(await at.call(ANA, "mydata"), PrivateRefusal)
    answer = await at.call(ANA, "mydata", HERE)
    assert isinstance(answer, FileAnswer)
    told = json.loads(answer.file.data)
    assert told["person"][0]["name"] == "Ana"
    assert told["identity"][0]["external"] == ANA.external
    assert [one["code"] for one in told["game"]] == [code]
    assert {one["place"] for one in told["view"]} == {"ana-alone"}
    assert "Bruno" not in answer.file.data.decode()


# ---------------------------------------------------------------- forgotten


async def forgotten(at: Desk, who=ANA, where: Where = HERE) -> Answer:
    answer = await at.call(who, "forgetme", where)
    assert isinstance(answer, Card)
    ((yes, _),) = answer.screen.rows
    return await pressed(at, who, where, yes.code)


async def test_it_is_asked_back_and_no_means_no(at):
    answer = await at.call(ANA, "forgetme", HERE)
    assert isinstance(answer, Card)
    ((yes, no),) = answer.screen.rows
    assert "nada" in (await pressed(at, ANA, HERE, no.code)).said
    assert isinstance(await pressed(at, BRUNO, HERE, yes.code), Card | MenuAnswer) is False
    assert (await at.facade.services.people.of(ANA)).name == "Ana"


async def test_who_is_forgotten_leaves_his_games_and_begins_anew(at):
    code = await game(at)
    before = await at.facade.services.people.of(ANA)
    await at.call(ANA, "play", game="niya")
    assert (await forgotten(at)).good
    table = await at.facade.services.tables.get(code)
    assert table.outcome is not None
    assert {player.name for player in table.players} == {"", "Bruno"}
    shown = at.chat.board(code).screen
    assert "Ana" not in f"{shown.headline} {shown.lines} {shown.alt}"
    assert (await at.call(BRUNO, "record", table=code)).good
    assert await at.facade.services.tables.list_lines(("open", "playing")) == ()
    assert (await at.facade.services.people.of(ANA)).id != before.id


@of_files
async def test_no_byte_of_a_name_or_an_id_is_left_in_the_database(tmp_path: Path):
    canary = replace(person("Canariensis"), external="id-zwitscher-4711", handle="kanarienhandle")
    alone = Where("fake", canary.external, private=True)
    async with desk(tmp_path) as at:
        await at.call(BRUNO, "play", game="cirya", opponent="@kanarienhandle")
        (message,) = at.chat.messages.values()
        await at.press(canary, message, "Aceptar")
        code = message.screen.table
        await at.call(canary, "board", alone, table=code)
        await at.call(canary, "language", alone, language="en")
        await at.call(canary, "language", alone, language="es")
        await at.call(replace(canary, name="Canariensis II"), "link", alone)
        assert (await forgotten(at, canary, alone)).good
        words = (b"Canariensis", b"zwitscher", b"kanarienhandle")
        for file in sorted(tmp_path.glob("games.db*")):
            data = file.read_bytes()
            assert [word for word in words if word.lower() in data.lower()] == [], file
        assert (await at.call(BRUNO, "board", table=code)).good


async def test_who_was_joined_is_forgotten_in_all_chats(at):
    await linked(at)
    me = await at.facade.services.people.of(ANA)
    assert (await forgotten(at)).good
    async with at.facade.store.reading() as tx:
        assert await people.load_identities(tx, me.id) == ()
        assert (await personal_data.export_person(tx, me.id))["identity"] == []
    assert (await at.facade.services.people.of(ELSEWHERE)).id != me.id


async def test_others_are_served_while_thousands_of_rows_are_put_together(at):
    me = (await at.facade.services.people.of(ANA)).id
    rows = [
        {"person": me, "exercise": f"one {number}", "game": "niya", "step": "", "state": 0}
        for number in range(5000)
    ]
    async with at.facade.store.transaction() as tx:
        whole = [{**row, "wrong": 0, "at": datetime.now(UTC)} for row in rows]
        await tx.execute(schema.attempt.insert(), whole)
    turns = 0

    async def beat() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beating = asyncio.create_task(beat())
    answer = await at.call(ANA, "mydata", HERE)
    beating.cancel()
    assert isinstance(answer, FileAnswer)
    assert len(json.loads(answer.file.data)["attempt"]) == 5000
    assert turns >= 5000 / personal_data.PORTION


# ---------------------------------------------------------------- challenges refused


async def test_who_wants_no_challenges_gets_none(at):
    me = await at.facade.services.people.of(BRUNO)
    await at.facade.services.people.choose(me.id, refuses=True)
    answer = await at.call(ANA, "play", game="niya", opponent=BRUNO)
    assert not answer.good
    assert answer.said.startswith("Bruno no acepta retos por ahora")
    assert at.chat.messages == {}


async def test_who_declines_for_good_is_asked_by_this_one_no_more_and_by_others_still(at):
    await at.call(ANA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    stranger = person("Eva")
    assert not (await at.press(stranger, message, "No recibir más de Ana")).good
    assert (await at.press(BRUNO, message, "No recibir más de Ana")).good
    assert (await at.facade.services.tables.get(message.screen.table)).status == "closed"
    assert not (await at.call(ANA, "play", game="niya", opponent=BRUNO)).good
    assert (await at.call(stranger, "play", game="niya", opponent=BRUNO)).good


async def test_who_was_refused_is_refused_as_the_person_he_was_joined_to(at):
    await at.call(ELSEWHERE, "games", THERE)
    them = await at.facade.services.people.of(ELSEWHERE)
    me = await at.facade.services.people.of(BRUNO)
    await at.facade.services.people.choose(me.id, refused=(them.id,))
    await linked(at)
    assert not (await at.call(ANA, "play", game="niya", opponent=BRUNO)).good


async def test_who_manages_a_place_closes_any_table_of_it_at_once(at):
    code = await game(at)
    refused = await at.call(person("Eva"), "close", table=code)
    assert not refused.good
    at.chat.standings["id-Eva", at.where.place] = PlaceStanding(manages=True)
    assert (await at.surely(person("Eva"), "close", table=code)).good
    assert (await at.facade.services.tables.get(code)).status == "closed"
