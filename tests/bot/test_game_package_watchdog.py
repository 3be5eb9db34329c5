"""A game of another package that loops is ended and left out; everything else goes on."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app import game_package_watchdog
from bot.app.game_package_watchdog import GameHangs, PackageWatch, watching_packages
from bot.port import Asker, FaultAnswer
from games.cirya.rules import Cirya
from games.core import shelf
from games.core.shelf import LEFT_OUT
from tests.fakes import Desk, desk, person

ANA, BEA = person("Ana"), person("Bea")

LOOPS = """
def spin():
    while True:
        pass

def stubborn(told):
    while not told:
        try:
            spin()
        except Exception:
            pass

def asks(back):
    return back()
"""


@pytest.fixture(name="game")
def game_fixture(tmp_path: Path) -> dict[str, Callable]:
    """The functions of a package, whose code lies in a folder of its own."""
    made: dict[str, Callable] = {}
    exec(compile(LOOPS, str(tmp_path / "oca" / "rules.py"), "exec"), made)
    return made


def watch(folder: Path, longest: float = 0.05) -> tuple[PackageWatch, list[str]]:
    hung: list[str] = []
    return PackageWatch({"oca": f"{folder}/oca{os.sep}"}, hung.append, longest), hung


def called(call: Callable[[], object]) -> Future:
    """What *call* comes to in a thread of its own."""
    future: Future = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except Exception as wrong:
            future.set_exception(wrong)

    threading.Thread(target=run, daemon=True).start()
    return future


def looked(at: PackageWatch, until: Callable[[], object]) -> None:
    """Look on until that is so."""
    end = time.monotonic() + 60
    while not until():
        assert time.monotonic() < end
        at.look()
        time.sleep(0.01)


def test_a_call_that_never_comes_back_is_ended_in_its_thread(tmp_path, game):
    at, hung = watch(tmp_path)
    call = called(game["spin"])
    looked(at, call.done)
    with pytest.raises(GameHangs):
        call.result()
    assert set(hung) == {"oca"}


def test_it_is_ended_where_our_own_code_works_within_it(tmp_path, game):
    """As where a game asks the core for something that never ends."""
    at, hung = watch(tmp_path)

    def ours() -> None:
        while True:
            pass

    call = called(lambda: game["asks"](ours))
    looked(at, call.done)
    with pytest.raises(GameHangs):
        call.result()
    assert hung


def test_one_that_takes_what_ends_it_is_told_of_all_the_same(tmp_path, game):
    at, hung = watch(tmp_path)
    told: list[bool] = []
    call = called(lambda: game["stubborn"](told))
    looked(at, lambda: len(hung) > 1)
    told.append(True)
    looked(at, call.done)
    assert call.done()


@pytest.mark.slow
def test_what_is_no_game_and_many_short_calls_go_on(tmp_path, game):
    at, hung = watch(tmp_path, 0.2)
    stop = threading.Event()

    def busy() -> int:
        count = 0
        while not stop.is_set():
            count += sum(game["asks"](lambda: 1) for _ in range(100))
        return count

    call, worked = called(busy), time.process_time()
    looked(at, lambda: time.process_time() - worked > 1.0)
    stop.set()
    assert call.result(60) > 0
    assert hung == []


@pytest.mark.slow
async def test_the_game_is_left_out_and_its_tables_are_set_aside(tmp_path, monkeypatch, game):
    """A press that loops is answered, and so are all others. Cirya plays the other package."""
    monkeypatch.setattr(game_package_watchdog, "LONGEST", 0.3)
    monkeypatch.setattr(game_package_watchdog, "EVERY", 0.05)
    monkeypatch.setattr(
        game_package_watchdog, "_folders", lambda: {"cirya": f"{tmp_path}/oca{os.sep}"}
    )
    monkeypatch.setenv(LEFT_OUT, "")
    whole, left_out = shelf._stock(), []

    def leave_out(reasons: dict[str, str]) -> None:
        left_out.extend(reasons)
        fewer = {key: one for key, one in whole.games.items() if key not in reasons}
        monkeypatch.setattr(shelf, "_stock", lambda: replace(whole, games=fewer))

    monkeypatch.setattr(game_package_watchdog, "leave_out", leave_out)
    async with desk(tmp_path) as at:
        codes = {key: await begun(at, key) for key in ("cirya", "niya")}
        with watching_packages(at.facade):
            board, who = at.chat.board(codes["cirya"]), await mover(at, codes["cirya"])
            monkeypatch.setattr(Cirya, "after", lambda *_: game["spin"]())
            answer = await at.press(who, board, code=board.moves[0].code)
            assert isinstance(answer, FaultAnswer)
            assert (left_out, os.environ[LEFT_OUT]) == (["cirya"], "cirya")
            refused = await at.call(ANA, "board", table=codes["cirya"])
            assert (refused.good, "no se puede leer" in refused.said) == (False, True)
            board, who = at.chat.board(codes["niya"]), await mover(at, codes["niya"])
            assert (await at.press(who, board, code=board.moves[0].code)).good


async def begun(at: Desk, key: str) -> str:
    await at.call(ANA, "play", game=key)
    (line,) = await at.facade.services.tables.listed(("open",))
    await at.call(BEA, "join", table=line.code)
    await at.settle()
    return line.code


async def mover(at: Desk, code: str) -> Asker:
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    return ANA if table.players[seat].name == "Ana" else BEA


def test_nothing_is_watched_where_no_other_package_is_installed():
    before = threading.active_count()
    with game_package_watchdog._looking(PackageWatch({}, print, 1.0)):
        assert threading.active_count() == before
