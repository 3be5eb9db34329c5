"""A place leaves Discord as a file and comes to Telegram, by the libraries and the wire of both."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import discord
import pytest

from bot.chats.discord.reading import SERVER
from bot.commands.place.export import LARGEST
from bot.facade import Facade
from bot.service.place.archive import PlaceHead, read_archive, write_archive
from bot.service.table.changes import Update
from bot.session import play
from games.core.record import Record
from storage.place import imports
from tests.chats.telegram_room import BRUNO, NEREA, Room, room
from tests.drives.discord_house import SKIP, House, house
from tests.telegram_messages import GROUP, private

MB = 1024 * 1024


@pytest.fixture(scope="module")
def export() -> bytes:
    """What another house took along: a game."""
    head = PlaceHead(ludoteca=1, source="0" * 32, made="2026-11-26T10:00:00+00:00")
    record = Record("niya", ("red", "yellow"), tags={"Player0": "Ana"}).text()
    return write_archive(head, {"AB2CD3": record})


async def resigned(facade: Facade, code: str) -> None:
    """Let somebody at the table *code* resign."""
    origin = Update("test", "resigned")
    await facade.services.changes.change(origin, code, lambda work: play.resign(work, 0))
    async with asyncio.timeout(60):
        await facade.settled()


# ---------------------------------------------------------------- Discord


async def sent_on_discord(at: House, who: object, data: bytes, name: str = "export.zip") -> str:
    """What is told to *who*, who sends a file with ``/import``."""
    handle = await at.slash(who, "import", {"file": (data, name)})
    message = await handle.reply()
    await at.until(lambda: not message.loading)
    await at.settle()
    return at.told(handle)


async def taken_from_discord(at: House, who: object) -> bytes:
    """The file that ``/export`` gives to *who*."""
    handle = await at.slash(who, "export")
    message = await handle.reply()
    await at.until(lambda: message.images)
    (file,) = message.images
    assert (file.filename, file.where) == ("ludoteca-export.zip", "attachment")
    assert message.ephemeral, "what a manager takes along is shown to nobody else"
    return bytes(file.data)


@pytest.mark.slow
@SKIP
async def test_on_discord_a_place_is_taken_along_and_a_file_is_fetched(
    tmp_path: Path, export: bytes, monkeypatch
) -> None:
    async with house(tmp_path) as at:
        monkeypatch.setattr(discord.Asset, "BASE", f"{at.fake.url}/cdn")
        board = await at.begun()
        for _ in range(4):  # a game that counts may be called off before
            await at.move(board)
            await at.settle()
        await resigned(at.facade, at.code(board))
        said = await sent_on_discord(at, at.fake.owner, export)
        assert said.startswith("**Games imported: 1; here already: 0. </place import:")
        assert "here already: 1" in await sent_on_discord(at, at.fake.owner, export)
        taken = read_archive(io.BytesIO(await taken_from_discord(at, at.fake.owner)))
        assert list(taken.records) == [at.code(board)]
        assert not at.fake.violations


@SKIP
async def test_on_discord_a_file_that_cannot_be_taken_in_is_told_in_a_sentence(
    tmp_path: Path, export: bytes, monkeypatch
) -> None:
    async with house(tmp_path) as at:
        # Its address is none of Discord's own server of files, as that of a forged one would be.
        assert "I couldn’t get the file" in await sent_on_discord(at, at.fake.owner, export)
        monkeypatch.setattr(discord.Asset, "BASE", f"{at.fake.url}/cdn")
        assert "up to 8 MB" in await sent_on_discord(at, at.fake.owner, bytes(LARGEST + 1))
        said = await sent_on_discord(at, at.fake.owner, b"%PDF", "x.pdf")
        assert "Nothing was changed." in said
        assert "Only a manager of this place" in await sent_on_discord(at, at.fake.A, export)
        home = ("discord", f"{SERVER}{at.fake.guild['id']}")
        assert await at.facade.store.read(imports.imported_places, *home) == ()


# ---------------------------------------------------------------- Telegram


async def heard(at: Room, words: str) -> None:
    """Wait until the bot has said *words* in the group."""
    await at.api.until(lambda: [one for one in at.api.messages.values() if words in one.text])
    await at.settle()


@pytest.mark.slow
async def test_on_telegram_a_file_is_fetched_and_a_place_is_taken_along(
    tmp_path: Path, export: bytes
) -> None:
    async with room(tmp_path) as at:
        at.api.managers[GROUP["id"]] = (NEREA,)
        board = await at.begun()
        await at.press(at.mover(board), board, board.moves[0])
        code = (await at.table(board)).code
        await resigned(at.facade, code)
        await at.api.send_file(NEREA, "export.zip", export, "/importar")
        await heard(at, "Partidas importadas: 1; ya estaban aquí: 0. Con /importar se ven.")
        await at.api.send_file(NEREA, "export.zip", export, "/importar")
        await heard(at, "ya estaban aquí: 1")
        # Others do not read it, and the link knows of which group it is to be.
        await at.api.say(NEREA, "/exportar")
        await heard(at, "Nerea: contesto en privado.")
        (link,) = (one.rows[0][0] for one in at.api.messages.values() if "en privado" in one.text)
        await at.api.say(NEREA, f"/start {link['url'].partition('start=')[2]}", private(NEREA))
        await at.api.until(lambda: any(one.document for one in at.api.messages.values()))
        (file,) = [one for one in at.api.messages.values() if one.document]
        assert file.chat == NEREA["id"]
        assert list(read_archive(io.BytesIO(file.document)).records) == [code]


@pytest.mark.slow
async def test_on_telegram_a_file_that_cannot_be_taken_in_is_told_in_a_sentence(
    tmp_path: Path, export: bytes, monkeypatch
) -> None:
    async with room(tmp_path) as at:
        at.api.managers[GROUP["id"]] = (NEREA,)
        await at.api.send_file(BRUNO, "export.zip", export, "/importar")
        await heard(at, "Eso lo decide quien administra")
        await at.api.send_file(NEREA, "export.zip", bytes(LARGEST + 1), "/importar")
        await heard(at, "hasta 8 MB")
        await at.api.send_file(NEREA, "export.zip", b"no zip", "/importar")
        await heard(at, "No ha cambiado nada.")
        assert not at.api.calls("getFile")[1:], "what is too large is not asked for"
        await at.api.send_file(NEREA, "export.zip", export, "/importar")
        at.api.files.clear()
        await heard(at, "No he podido recoger el archivo")
        home = ("telegram", str(GROUP["id"]))
        assert await at.facade.store.read(imports.imported_places, *home) == ()


@pytest.mark.sampled
@pytest.mark.parametrize("size", [LARGEST + 1, 20 * MB + 1])
async def test_telegram_may_leave_out_how_large_a_file_is(tmp_path: Path, size: int) -> None:
    async with room(tmp_path) as at:
        at.api.managers[GROUP["id"]] = (NEREA,)
        await at.api.send_file(NEREA, "export.zip", bytes(size), "/importar", told_size=False)
        await heard(at, "hasta 8 MB")
        home = ("telegram", str(GROUP["id"]))
        assert await at.facade.store.read(imports.imported_places, *home) == ()
