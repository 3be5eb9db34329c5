"""Evenings in the check: those of the seeds, in processes of their own, and twice the same."""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.chats.discord.reading import COMMAND, Ticket
from bot.chats.telegram.message_formatting import sentence
from bot.session.table import PLAYING
from bot.texts import language
from games.core import phrase
from tests.chats.discord_messages import Shown
from tests.chats.fake_discord import CHANNEL
from tests.evening import wire
from tests.evening.loop import BEGINS
from tests.evening.planted import LIST
from tests.evening.promised_boards import BoardPromises
from tests.evening.promised_calls import _leads
from tests.evening.promises import DAILY, Promises
from tests.evening.refusals import REFUSALS
from tests.evening.screens import DiscordPlace, Seen

ROOT = Path(__file__).resolve().parents[2]


def evening(*asked: str) -> subprocess.CompletedProcess[str]:
    """Run the command of the evenings."""
    command = (sys.executable, "-m", "tests.evening", *asked)
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)


@pytest.mark.parametrize("part", range(2))
def test_no_evening_of_the_check_breaks_a_promise(part):
    played = evening("check", "--part", f"{part}/2")
    assert played.returncode == 0, played.stdout[-3000:] + played.stderr[-3000:]


@pytest.mark.parametrize("seeds", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_seeds_are_the_same_evenings_in_two_processes(seeds):
    first, second = (
        evening("901", "--to", str(900 + seeds), "--minutes", "0.3", "--digests") for _ in range(2)
    )
    assert first.stdout.splitlines()[:seeds] == second.stdout.splitlines()[:seeds]
    assert len(first.stdout.splitlines()) > seeds, first.stderr[-3000:]


@pytest.mark.slow
def test_a_script_replays_without_its_people(tmp_path):
    script = tmp_path / "script.json"
    evening("902", "--minutes", "0.4", "--write", str(script))
    first, second = (evening("0", "--replay", str(script), "--digests") for _ in range(2))
    assert first.stdout.splitlines()[0] == second.stdout.splitlines()[0], first.stderr[-3000:]


def test_each_fault_that_is_kept_can_be_planted():
    for fault in tomllib.loads(LIST.read_text(encoding="utf-8"))["fault"]:
        source = (ROOT / fault["file"]).read_text(encoding="utf-8")
        assert source.count(fault["old"]) == 1, fault["id"]


FAULT = """
[[fault]]
id = "1"
file = "bot/service/table/changes.py"
what = "the places in which players end are not stored in their seats"
old = "if table.players != before.players or table.outcome != before.outcome:"
new = "if table.players != before.players:"
"""


def test_a_planted_fault_breaks_a_promise(tmp_path):
    listed = tmp_path / "faults.toml"
    listed.write_text(FAULT, encoding="utf-8")
    played = evening("4", "--to", "9", "--minutes", "1", "--first", "--planted", f"{listed}:1")
    assert played.returncode == 1, played.stdout[-3000:] + played.stderr[-3000:]
    assert "the doctor finds nothing" in played.stdout


def test_the_token_of_an_evening_s_interaction_is_alive_as_the_house_reads_it():
    world = SimpleNamespace(loop=SimpleNamespace(now=30.0))
    place = DiscordPlace.__new__(DiscordPlace)
    place.net, place._numbers = SimpleNamespace(world=world), itertools.count(1)
    told = place._ids(0)
    ticket = Ticket(COMMAND, False, int(told["id"]), told["token"])
    assert ticket.fresh(datetime.fromtimestamp(BEGINS + 31.0, UTC))
    assert not ticket.fresh(datetime.fromtimestamp(BEGINS + 30.0 + 900.0, UTC))


def test_what_a_picture_of_discord_says_in_words_is_seen():
    def seen(words):
        body = {"content": "same", "attachments": [{"id": "0", "description": words}]}
        return DiscordPlace._read(None, Shown("1", "300", body))

    assert seen("a ship on e4") == seen("a ship on e4")
    assert seen("a ship on e4") != seen("a ship on e5")


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_a_daily_puzzle_is_known_as_telegram_shows_it(tongue):
    said = language(tongue).say(phrase("puzzle.daily", n=21, game="Niya"))
    assert DAILY.search(sentence(said))[1] == "21"


def test_a_word_filter_is_that_of_a_server(monkeypatch):
    payload = {"channel_id": "911"}
    asked = {"t1": SimpleNamespace(payload=payload)}
    net = SimpleNamespace(discord=SimpleNamespace(asked=asked, threads=()))
    monkeypatch.setattr(wire, "_net", net)
    (refusal,) = (one for one in REFUSALS if one.name == "a word")

    def met(path):
        told = json.dumps({"content": "una partida"})
        call = wire.Call("POST", f"https://discord.com/api/v10/{path}", told, None)
        return wire._meets(refusal, call, "partida")

    assert met("channels/300/messages")
    assert met("interactions/1/t2/callback")
    assert not met("channels/911/messages")
    assert not met("interactions/1/t1/callback")


def test_a_board_may_show_what_a_killed_house_has_stored_and_told_nobody():
    table = SimpleNamespace(turns=(4, 4), version=4, actors=lambda: (0,))
    held, net = [], SimpleNamespace(heard=[], troubled=[])
    world = SimpleNamespace(loop=SimpleNamespace(now=10.0))
    promises = SimpleNamespace(
        net=net, world=world, model=SimpleNamespace(tables={"ADRAPK": table})
    )
    promises.holds = lambda name, kept, why="": held.append(kept)
    boards = BoardPromises(promises)

    def shows(turn, at):
        code = f"m.ADRAPK.{turn}.e3.abcdef"
        told = json.dumps({"components": [{"custom_id": code}]})
        call = wire.Call("PATCH", "https://x/api/v10/channels/300/messages/9", told, None)
        call.at = call.back = at
        boards._goes_on(call, {"id": "9"})

    shows(4, 1.0)
    shows(5, 20.0)
    assert not held, "nothing older has come"
    shows(3, 20.0)
    assert held == [False]


@pytest.mark.parametrize(("acted", "judged"), [(10.0, 0), (30.0, 1)])
def test_a_refused_word_is_excused_while_nobody_has_acted_there(acted, judged):
    promises, held = Promises.__new__(Promises), []
    table = SimpleNamespace(turns=(4,), status=PLAYING, actors=lambda: (0,))
    promises.model = SimpleNamespace(tables={"ADRAPK": table})
    promises.worded = {f"discord/{CHANNEL}": 20.0}
    board = Seen("9", "Niya", (("e3", "m.ADRAPK.3.e3.abcdef"),), str(CHANNEL), shared=True)
    promises.presses = {"1": SimpleNamespace(at=acted, place="discord", seen=board)}
    promises.places, promises.moments, promises.parts_refused = {}, Counter(), set()
    promises.holds = lambda name, kept, why="": held.append(kept)
    view = SimpleNamespace(platform="discord", place=str(CHANNEL), subject="ADRAPK", kind="board")

    async def read(_):
        return [view]

    promises._shown_is_newest(SimpleNamespace(name="discord"), [board])
    assert held == [False] * judged
    asyncio.run(promises._nothing_owed(SimpleNamespace(store=SimpleNamespace(read=read))))
    assert held.count(False) >= 2 * judged
    assert bool(held) == bool(judged)


def test_what_leads_to_a_private_chat_is_known():
    rows = [[{"text": "Abrir en privado", "url": "https://t.me/LudotecaBot?start=do-holidays"}]]
    pointer = Seen("1", "Ana, Bea: contesto en privado.", (), "g", True, SimpleNamespace(rows=rows))
    assert _leads(pointer, "Bea")
    assert not _leads(pointer, "Eva")
    assert not _leads(replace(pointer, raw=SimpleNamespace(rows=[])), "Bea")
