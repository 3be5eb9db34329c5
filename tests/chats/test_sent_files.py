"""Files that people send with a command: read from Telegram's updates, picked on Discord."""

from __future__ import annotations

from types import SimpleNamespace

import discord
import pytest
from telegram import Update

from bot.chats.discord.commands import FILE, _slash
from bot.chats.discord.inbound import Inbound as DiscordInbound
from bot.chats.telegram.reading import Known, call_of
from bot.facade import COMMANDS
from bot.port import ChatError, Upload

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
    for line in ("/play niya", "/export"):
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


async def test_a_file_of_discord_is_fetched_once():
    class Sent:
        async def read(self) -> bytes:
            return b"it"

    inbound = DiscordInbound.__new__(DiscordInbound)
    inbound._files = {"9": Sent()}
    assert await inbound.fetch(Upload("export.zip", 2, "9")) == b"it"
    with pytest.raises(ChatError):
        await inbound.fetch(Upload("export.zip", 2, "9"))


async def test_a_file_that_discord_refuses_is_an_error_of_the_port():
    class Refused:
        async def read(self) -> bytes:
            raise discord.NotFound(SimpleNamespace(status=404, reason="x", headers={}), "gone")

    inbound = DiscordInbound.__new__(DiscordInbound)
    inbound._files = {"9": Refused()}
    with pytest.raises(ChatError):
        await inbound.fetch(Upload("export.zip", 2, "9"))
