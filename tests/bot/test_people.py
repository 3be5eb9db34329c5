"""People: what they are called now, and who is meant by an @name."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.port import Where
from bot.service.table.changes import Changes
from storage.errors import DatabaseUnavailable
from storage.person import people
from storage.table import games
from tests.fakes import Desk, person

NEREA, BRUNO, MARIA = person("Nerea"), person("Bruno"), person("Maria")


async def challenge(at: Desk) -> str:
    """The code of a table at which Nerea has challenged whoever bears @maria."""
    assert (await at.call(NEREA, "play", game="niya", opponent="@Maria")).good
    return list(at.chat.messages.values())[-1].screen.table


async def test_who_bears_the_name_takes_the_chair_kept_for_it(at):
    code = await challenge(at)
    assert (await at.press(BRUNO, at.chat.board(code), "Aceptar")).good is False
    assert (await at.press(MARIA, at.chat.board(code), "Aceptar")).good
    table = await at.facade.services.tables.get(code)
    assert {player.name for player in table.players} == {"Nerea", "Maria"}


async def test_the_same_name_on_another_platform_is_somebody_else(at):
    code = await challenge(at)
    stranger = person("Maria", platform="elsewhere")
    assert not (await at.press(stranger, at.chat.board(code), "Aceptar")).good
    assert (await at.facade.services.tables.get(code)).status == "open"


async def test_who_challenges_his_own_name_hears_no(at):
    assert not (await at.call(MARIA, "play", game="niya", opponent="@MARIA")).good


async def test_who_challenges_a_name_that_nobody_has_met_hears_so_and_no_promise(at):
    answer = await at.call(NEREA, "play", game="niya", opponent="@Maria")
    assert "El reto espera aquí a quien se llame @Maria. No puedo comprobar" in answer.note
    assert "ya tiene tu reto" not in answer.said
    mentioned = await at.call(NEREA, "play", game="shogi", opponent=MARIA)
    assert "comprobar" not in mentioned.note
    assert mentioned.said == "Maria ya tiene tu reto de Shogi: te aviso cuando conteste."


PILAR = replace(person("Pílar"), handle="")


@pytest.mark.parametrize("typed", ["pilar", "@Pilar", "PÍLAR"])
async def test_whoever_sits_in_a_place_is_challenged_by_the_name_there(at, typed):
    await at.call(PILAR, "play", game="niya")
    answer = await at.call(NEREA, "play", game="shogi", opponent=typed)
    assert answer.good, answer.said
    code = list(at.chat.messages.values())[-1].screen.table
    assert (await at.press(PILAR, at.chat.board(code), "Aceptar")).good
    table = await at.facade.services.tables.get(code)
    assert {player.name for player in table.players} == {"Nerea", "Pílar"}


@pytest.mark.parametrize("name", ["Ana", "Ana García"])
async def test_whoever_has_asked_for_something_here_is_found_by_the_first_name(at, name):
    ana = replace(person(name), handle="")
    refused = await at.call(NEREA, "play", game="niya", opponent="ana")
    assert refused.said.startswith("No sé quién es «ana»")
    await at.call(ana, "help")
    assert (await at.call(NEREA, "play", game="niya", opponent="ana")).good
    (shown,) = at.chat.messages.values()
    assert (await at.press(ana, shown, "Aceptar")).good
    there = Where("fake", "another group")
    assert not (await at.call(NEREA, "play", there, game="niya", opponent="ana")).good


async def test_of_two_whose_names_begin_alike_the_one_called_so_alone_is_meant(at):
    for number, name in enumerate(("Ana García", "Ana Ruiz")):
        await at.call(replace(person(name), external=str(number), handle=""), "help")
    assert not (await at.call(NEREA, "play", game="niya", opponent="Ana")).good
    alone = replace(person("Ana"), handle="")
    await at.call(alone, "help")
    assert (await at.call(NEREA, "play", game="niya", opponent="Ana")).good
    (shown,) = at.chat.messages.values()
    assert (await at.press(alone, shown, "Aceptar")).good


async def test_who_was_forgotten_is_found_by_no_name(at):
    ana = replace(person("Ana"), handle="")
    await at.call(ana, "help")
    people_here = at.facade.services.people
    async with at.facade.store.transaction() as tx:
        await people_here.erase(tx, await people_here.number(ana))
    assert not (await at.call(NEREA, "play", game="niya", opponent="Ana")).good


async def test_of_two_players_of_one_name_none_is_challenged_by_it(at):
    for one in ("1", "2"):
        await at.call(replace(PILAR, external=one), "play", game="niya")
    answer = await at.call(NEREA, "play", game="shogi", opponent="Pilar")
    assert answer.said.startswith("No sé quién es «Pilar»")
    elsewhere = Where("fake", "another group")
    assert not (await at.call(NEREA, "play", elsewhere, game="shogi", opponent="Pílar")).good


@pytest.mark.parametrize(
    "whom", ["@", "@\u200b", "@\u3164", "@ ", "@\u2060\u2800", "@@", "@!", "\u200b@"]
)
async def test_nobody_is_challenged_by_a_name_that_is_none(at, whom):
    assert not (await at.call(NEREA, "play", game="niya", opponent=whom)).good
    assert not at.chat.messages


async def test_where_nobody_bears_a_name_nobody_is_challenged_by_one(at):
    guest = replace(NEREA, handle=None)
    answer = await at.call(guest, "play", game="niya", opponent="@maria")
    assert not answer.good
    assert "@maria" in answer.said
    assert at.chat.messages == {}


async def test_a_name_by_which_somebody_was_challenged_is_in_no_event(at):
    code = await challenge(at)
    async with at.facade.store.reading() as tx:
        assert "maria" not in str(await games.load_events(tx, code)).casefold()
    assert any("@Maria" in line for line in at.chat.board(code).screen.lines)


async def test_who_is_called_otherwise_is_so_at_once_at_every_table(at):
    code = await challenge(at)
    version = (await at.facade.services.tables.get(code)).version
    await at.call(replace(NEREA, name="Neus"), "games")
    table = await at.facade.services.tables.get(code)
    assert (table.players[0].name, table.version) == ("Neus", version)


async def test_of_two_people_of_one_name_each_is_told_by_his_side(at):
    await at.call(NEREA, "play", game="cirya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    await at.press(replace(BRUNO, name="Nerea"), message, "Aceptar")
    assert "Nerea (" in at.chat.board(message.screen.table).screen.headline


async def kept_name(at: Desk) -> str:
    async with at.facade.store.reading() as tx:
        found = await people.find_person(tx, NEREA.platform, NEREA.external)
    assert found is not None
    return found.name


async def test_who_has_two_names_is_not_renamed_to_and_fro(at):
    other = replace(NEREA, name="Neus")
    await at.call(NEREA, "games")
    await at.call(other, "games")
    await at.call(NEREA, "games")
    assert await kept_name(at) == "Neus"
    await at.call(replace(NEREA, name="Nora"), "games")
    assert await kept_name(at) == "Nora"


async def test_after_an_hour_a_person_may_have_an_old_name_again(at):
    await at.call(NEREA, "games")
    await at.call(replace(NEREA, name="Neus"), "games")
    now = at.facade.services.clock.now
    at.facade.services.clock.now = lambda: now() + timedelta(minutes=61)
    await at.call(NEREA, "games")
    assert await kept_name(at) == "Nerea"


@pytest.mark.parametrize("end", [asyncio.CancelledError, DatabaseUnavailable])
async def test_a_table_is_read_again_after_a_commit_of_unknown_end(at, monkeypatch, end):
    code = await challenge(at)
    stored = Changes._write

    async def cut(*args):
        await stored(*args)
        raise end

    monkeypatch.setattr(Changes, "_write", cut)
    call = asyncio.gather(at.press(MARIA, at.chat.board(code), "Aceptar"), return_exceptions=True)
    await call
    assert (await at.facade.services.tables.get(code)).status == "playing"
