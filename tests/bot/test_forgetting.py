"""Whoever runs the bot forgets somebody for him: as /forgetme, and never beside a running bot."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app.control_socket import perform
from bot.app.main import ID_FORMS, main
from bot.app.output import UnknownPerson
from bot.app.settings import Settings
from bot.notify.recipients import Reason
from bot.port import Asker, Command, Where
from bot.service.table.changes import Update
from storage.errors import ForgottenPerson, SecondProcess
from storage.table import games, notifications
from tests.databases import of_files
from tests.fakes import Desk, desk, person

pytestmark = of_files

ANA = replace(person("Anacleta"), external="id-zwitscher-4711")
BRUNO = person("Bruno")


def settings(folder: Path) -> Settings:
    return Settings(_env_file=None, database_url=f"sqlite+aiosqlite:///{folder}/games.db")


async def forget(folder: Path, external: str) -> str:
    return await perform(settings(folder), "forget", platform="fake", external=external)


async def game(at: Desk) -> str:
    """A game of cirya that Ana has begun with Bruno in the group."""
    await at.call(ANA, "play", game="cirya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    assert (await at.press(BRUNO, message, "Aceptar")).good
    return message.screen.table


async def test_who_is_forgotten_by_the_operator_has_left_his_games_and_no_byte_behind(tmp_path):
    async with desk(tmp_path) as at:
        code = await game(at)
        await at.call(ANA, "play", game="niya")
        before = (await at.facade.services.people.of(ANA)).id
    await forget(tmp_path, ANA.external)
    for file in sorted(tmp_path.glob("games.db*")):
        data = file.read_bytes().lower()
        assert [word for word in (b"anacleta", b"zwitscher") if word in data] == [], file
    async with desk(tmp_path) as at:
        table = await at.facade.services.tables.get(code)
        assert table.outcome is not None
        assert {player.name for player in table.players} == {"", "Bruno"}
        assert await at.facade.services.tables.list_lines(("open", "playing")) == ()
        assert (await at.facade.services.people.of(ANA)).id != before


async def test_the_others_see_and_hear_of_it_when_the_bot_starts_again(tmp_path):
    async with desk(tmp_path) as at:
        code = await game(at)
        bruno = (await at.facade.services.people.of(BRUNO)).id
    await forget(tmp_path, ANA.external)
    async with desk(tmp_path) as at:
        called = await at.facade.store.read(notifications.notifications_of_game, code)
        assert (bruno, Reason.OVER) in {(row.person, row.kind) for row in called}
        await at.settle()
        shown = at.chat.board(code).screen
        assert shown.over
        assert "Anacleta" not in f"{shown.headline} {shown.lines} {shown.alt}"


async def test_of_whoever_was_only_challenged_the_name_is_forgotten_in_any_spelling(tmp_path):
    async with desk(tmp_path) as at:
        await at.call(BRUNO, "play", game="cirya", opponent="@Kanarienvogel")
    await forget(tmp_path, "@kanarienVOGEL")
    with pytest.raises(UnknownPerson):
        await forget(tmp_path, "@kanarienvogel")
    for file in sorted(tmp_path.glob("games.db*")):
        assert b"kanarienvogel" not in file.read_bytes().lower(), file


async def test_nobody_is_forgotten_beside_a_running_bot(tmp_path):
    async with desk(tmp_path) as at:
        code = await game(at)
        with pytest.raises(SecondProcess, match="stop it first"):
            await forget(tmp_path, ANA.external)
        assert (await at.facade.services.tables.get(code)).outcome is None
        assert (await at.facade.services.people.of(ANA)).name == "Anacleta"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int | str | None, str, str]:
    """The status, the answer and the refusal of ``ludoteca`` with *arguments*."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    told = capsys.readouterr()
    return ended.value.code, told.out, told.err


def test_an_unknown_id_and_a_database_that_is_not_there_get_one_sentence(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(ID_FORMS, "fake", ".+")
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/games.db")
    status, _, sentence = said(capsys, "forget", "fake", ANA.external)
    assert (status, sentence.count("\n"), list(tmp_path.iterdir())) == (2, 1, [])
    asyncio.run(_opened(tmp_path))
    for unknown in (("fake", "id-nobody"), ("telegram", ANA.external), ("fake", "a\nb")):
        status, _, sentence = said(capsys, "forget", *unknown)
        assert (status, sentence.count("\n")) == (2, 1)
        assert sentence.startswith(("Nobody is known as ", "Nobody on "))
    status, answer, _ = said(capsys, "forget", "fake", ANA.external)
    assert (status, answer.split()[0]) == (0, "Forgotten.")
    assert said(capsys, "forget", "fake", ANA.external)[0] == 2


async def _opened(folder: Path) -> None:
    async with desk(folder) as at:
        await game(at)


async def erased(at: Desk, who: Asker = ANA) -> None:
    """*who* asks to be forgotten, and confirms it."""
    await at.surely(who, "forgetme", Where("fake", f"{who.external}-alone", private=True))


async def known(at: Desk, who: Asker = ANA) -> bool:
    return await at.facade.services.people.find(who) is not None


async def test_an_update_that_was_done_introduces_nobody_when_it_comes_again(tmp_path):
    async with desk(tmp_path) as at:
        code = await game(at)
        again = Command("u-again", at.where, ANA, "play", {"game": "niya"})
        assert (await at.facade.requests.call(again)).good
        await erased(at)
        assert (await at.facade.requests.call(again)).good
        assert not await known(at)
        assert (await at.call(ANA, "board", table=code)).good
        assert await known(at)


async def test_words_and_pages_for_somebody_forgotten_do_not_introduce_them(tmp_path):
    async with desk(tmp_path) as at:
        code = await game(at)
        await erased(at)
        facade, screen = at.facade, at.chat.board(code).screen
        await facade.requests.language_of(ANA, at.where)
        await facade.boards.beside(screen, ANA)
        await facade.boards.dress_scene(screen.scene, ANA, "light")
        await facade.boards.missing(ANA, at.where)
        await facade.pages.lobby.list_tables(ANA, "es")
        await facade.pages.lobby.list(ANA, at.where, code, shown=True)
        await facade.pages.lobby.put_away(ANA, at.where, code)
        await facade.pages.talk.read(ANA, at.where, code, "es")
        await facade.pages.talk.watches(ANA, at.where, code)
        await facade.pages.talk.say(ANA, at.where, "u", code, "", "hello")
        assert not await known(at)


async def test_what_somebody_did_just_before_they_were_forgotten_changes_nothing(tmp_path):
    async with desk(tmp_path) as at:
        code = await game(at)
        services, alone = at.facade.services, Where("fake", "ana-alone", private=True)
        person = await services.people.of(ANA)
        await erased(at)
        table = await services.tables.get(code)
        origin = Update("fake", "u-late", person=person.id)
        with pytest.raises(ForgottenPerson):
            await services.changes.once(origin, lambda tx: games.load_game(tx, code))
        with pytest.raises(ForgottenPerson):
            await services.views.post(table, services.views.fresh(table, alone, person, "es"))
        assert (await services.tables.get(code)).version == table.version


async def test_a_place_is_not_stored_again_before_its_reader_comes_back(tmp_path):
    alone = Where("fake", ANA.external, private=True)
    async with desk(tmp_path) as at:
        await game(at)
        places = at.facade.services.places
        await at.facade.store.write(places.put, alone, suspended=True)
        await erased(at)
        await at.facade.store.write(places.put, alone, suspended=True)
        assert not (await places.at(alone)).suspended
        await at.call(ANA, "games", alone)
        await at.facade.store.write(places.put, alone, suspended=True)
        assert (await places.at(alone)).suspended


async def test_a_fresh_challenge_introduces_them_anew(tmp_path):
    async with desk(tmp_path) as at:
        await game(at)
        await erased(at)
        assert (await at.call(BRUNO, "play", game="niya", opponent=ANA)).good
        assert await known(at)
