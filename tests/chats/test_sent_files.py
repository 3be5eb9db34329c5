"""Files that people send with a command: read from Telegram's updates, picked on Discord."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace

import discord
import pytest
from aiohttp import web
from telegram import Update

from bot.chats.discord.attachment_download import Attachments
from bot.chats.discord.commands import FILE, _slash
from bot.chats.telegram.reading import Known, call_of
from bot.facade import COMMANDS
from bot.port import ChatError, FileTooLarge, Upload
from tests.loopback import listening

KNOWN = Known("ludoteca_bot", {})
NEREA = {"id": 7, "is_bot": False, "first_name": "Nerea"}
GROUP = {"id": -100, "type": "supergroup", "title": "Club"}
FILE_SENT = {"file_id": "F1", "file_unique_id": "U1", "file_name": "export.zip", "file_size": 99}
SENT = Upload("export.zip", 99, "F1")


def update(**message) -> Update:
    whole = {"message_id": 5, "date": 1, "chat": GROUP, "from": NEREA, **message}
    read = Update.de_json({"update_id": 1, "message": whole}, None)
    assert read is not None
    return read


@pytest.mark.parametrize("line", ["/import", "/importar", "/import@ludoteca_bot", "/IMPORT  "])
def test_the_command_below_a_file_comes_with_it(line):
    call = call_of(update(document=FILE_SENT, caption=line), KNOWN)
    assert call is not None
    assert (call.name, call.upload, call.where.place) == ("import", SENT, "-100")


@pytest.mark.parametrize(
    "line", ["", "import", "/play niya", "/import@other_bot", "/nothing", "look at /import", "a3"]
)
def test_other_words_below_a_file_are_no_command(line):
    assert call_of(update(document=FILE_SENT, caption=line), KNOWN) is None


def test_a_command_that_answers_a_file_comes_with_it():
    there = {"message_id": 4, "date": 1, "chat": GROUP, "from": NEREA, "document": FILE_SENT}
    call = call_of(update(text="/import", reply_to_message=there), KNOWN)
    assert call is not None
    assert call.upload == SENT


def test_other_commands_take_no_file():
    there = {"message_id": 4, "date": 1, "chat": GROUP, "from": NEREA, "document": FILE_SENT}
    for line in ("/play niya", "/export"):  # /open and /import do
        call = call_of(update(text=line, reply_to_message=there), KNOWN)
        assert call is not None
        assert call.upload is None


def test_on_discord_the_commands_that_take_files_have_an_option_for_one():
    for command in COMMANDS:
        made = _slash(command, SimpleNamespace(complete=None))
        kinds = {one.name: one.type for one in made.parameters}
        assert (FILE in kinds) == command.file
        if command.file:
            assert kinds[FILE] is discord.AppCommandOptionType.attachment
            assert not next(one for one in made.parameters if one.name == FILE).required


UNASKED = SimpleNamespace(http=None)
"""The library's own way to files, which reads them whole."""


class Cdn:
    """A server of files that are as large as their names say, or send elsewhere."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.sent = 0

    def attached(self, path: str) -> discord.Attachment:
        """The file *path*, which its sender says to have two bytes."""
        told = {"id": "9", "filename": "export.zip", "size": 2, "proxy_url": ""}
        return discord.Attachment(data={**told, "url": f"{self.url}{path}"}, state=UNASKED)

    async def give(self, request: web.Request) -> web.StreamResponse:
        what = request.match_info["what"]
        if not what.isdecimal():
            raise web.HTTPFound(f"{self.url}/2") if what == "elsewhere" else web.HTTPNotFound
        response = web.StreamResponse()
        await response.prepare(request)
        with suppress(ConnectionError):
            for _ in range(0, int(what), 65536):
                await response.write(bytes(min(int(what), 65536)))
                self.sent += min(int(what), 65536)
        return response


@pytest.fixture
async def cdn(monkeypatch):
    app = web.Application()
    made = Cdn("")
    app.router.add_get("/{what}", made.give)
    async with listening(app) as made.url:
        monkeypatch.setattr(discord.Asset, "BASE", f"{made.url}/cdn")
        yield made


async def test_a_file_of_discord_is_fetched_once(cdn):
    files = Attachments()
    upload = files.note(cdn.attached("/2"))
    assert upload == Upload("export.zip", 2, "9")
    assert await files.fetch(upload, 2) == bytes(2)
    with pytest.raises(ChatError, match="too long ago"):
        await files.fetch(upload, 2)


async def test_no_more_is_read_of_a_file_than_it_may_have_whatever_was_said_of_it(cdn):
    files = Attachments()
    with pytest.raises(FileTooLarge):
        await files.fetch(files.note(cdn.attached("/100000000")), 100_000)
    assert cdn.sent < 50_000_000


@pytest.mark.parametrize("path", ["/gone", "/elsewhere"])
async def test_a_file_that_is_not_given_out_is_an_error_of_the_port(cdn, path):
    files = Attachments()
    with pytest.raises(ChatError, match="not given out"):
        await files.fetch(files.note(cdn.attached(path)), 100)


async def test_a_file_that_lies_elsewhere_than_with_discord_is_not_asked_for(cdn, monkeypatch):
    files = Attachments()
    monkeypatch.setattr(discord.Asset, "BASE", "https://cdn.discordapp.com")
    for url in (cdn.url, "https://cdn.discordapp.com.evil.example", "http://cdn.discordapp.com"):
        cdn.url = url
        with pytest.raises(ChatError, match="does not lie with Discord"):
            await files.fetch(files.note(cdn.attached("/2")), 100)
    assert cdn.sent == 0
