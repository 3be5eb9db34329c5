"""``ludoteca status`` says what goes on, by the socket of the bot that runs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from bot.app.control_socket import control_socket
from bot.app.operator_client import ask_bot
from bot.app.status import copies_line
from storage.records import EPOCH, FaultRow
from storage.table import games
from tests.databases import database_in, of_files
from tests.fakes import desk, person

ANA, BRUNO = person("Ana"), person("Bruno")


@of_files
async def test_the_operator_is_told_who_plays_what_waits_and_what_is_set_aside(tmp_path: Path):
    url = database_in(tmp_path)
    async with desk(tmp_path) as here, control_socket(here.facade.operator, url):
        await here.call(ANA, "play", game="niya")
        (line,) = await here.facade.services.tables.list_lines(("open",), person=1)
        await here.call(BRUNO, "join", table=line.code)
        await here.call(ANA, "play", game="cirya")
        (waits,) = await here.facade.services.tables.list_lines(("open",), person=1)
        row = FaultRow(waits.code, 3, "it cannot be read", EPOCH)
        await here.facade.store.write(games.set_game_aside, row)
        told = json.loads(await asyncio.to_thread(ask_bot, url, "status", {"form": "json"}))
        assert told["tables"] == [
            {"game": "cirya", "status": "open", "count": 1},
            {"game": "niya", "status": "playing", "count": 1},
        ]
        assert (told["people"], told["owed"], told["thinking"]) == (2, 0, 0)
        assert told["chats"] == {"fake": True}
        assert {"chat:fake", "clock"} == {*told["duties"]}
        assert told["set_aside"] == [{"table": waits.code, "event": 3, "why": "it cannot be read"}]
        (one,) = told["playing"]
        assert sorted(one["players"]) == ["Ana", "Bruno"]
        assert one["to_move"][0] in ("Ana", "Bruno")
        lines = await asyncio.to_thread(ask_bot, url, "status", {"form": ""})
        assert "tables of niya, playing: 1\n" in lines
        assert f"table {waits.code} is set aside at event 3: it cannot be read" in lines


def test_the_newest_copy_is_named(tmp_path: Path):
    assert copies_line(None) == "copies: none are made (BACKUP_DIR)"
    assert copies_line(tmp_path) == "copies: none"
