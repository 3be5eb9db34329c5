"""Times in records: our own container, KIF, CSA and PTN, there and back."""

from __future__ import annotations

import pytest

from bot.presenters.table.record_and_draw_proof import record_of
from games.cirya.formats.ptn import PTN
from games.core import Entry, Record
from games.core.record import CLOCK, SPENT, spent_of, timed
from games.core.shelf import find_game
from games.shogi.formats.csa import CSA
from games.shogi.formats.kif import KIF
from tests.bot.timed import Timed

WAITS = [12.0, 330.25, 0.0, 3.0, 61.0]

CONTROLS = ["10m/move", "3d", "9h", "1d/game", "9h+1m", "10m+3x30s", "15m+5s", "15m+1mf"]
"""One of each kind: time for a move, a bank, byoyomi, an increment."""


def played(control: str, game: str) -> Record:
    table = Timed(control, game)
    for wait in WAITS:
        table.move(wait)
    return record_of(table.table)


def test_the_record_keeps_the_clock_and_the_times_to_the_millisecond():
    record = Record.read(played("9h+1m", "shogi").text())
    assert record.tags[CLOCK] == "9h+1m"
    assert spent_of(record) == tuple(int(1000 * wait) for wait in WAITS)


def test_entries_that_took_no_time_are_dashes_among_those_that_did():
    assert timed({0: 1500, 2: 40}, 4) == {SPENT: "1500 - 40 -"}
    assert timed({}, 3) == {}
    record = Record("shogi", ("b", "w"), {}, 0, (Entry(0, "x"),) * 5, {SPENT: "1500 - 4x0 40"})
    assert spent_of(record) == (1500, None, None, 40, None)


def test_without_a_clock_the_record_tells_no_times():
    assert not {CLOCK, SPENT} & played("", "shogi").tags.keys()


def test_kif_writes_the_time_of_a_move_and_of_its_player():
    text = KIF.write(find_game("shogi"), played("9h+1m", "shogi"))
    times = [line[line.rindex("(") :] for line in text.splitlines() if line.endswith(")")]
    assert times[:5] == [
        "( 0:12/00:00:12)",
        "( 5:30/00:05:30)",
        "( 0:00/00:00:12)",
        "( 0:03/00:05:33)",
        "( 1:01/00:01:13)",
    ]


def test_csa_writes_whole_seconds_behind_each_move():
    text = CSA.write(find_game("shogi"), played("9h+1m", "shogi"))
    assert [line for line in text.splitlines() if line.startswith("T")] == [
        *("T12", "T330", "T0", "T3", "T61")
    ]


@pytest.mark.parametrize("form", [KIF, CSA])
@pytest.mark.parametrize("control", CONTROLS)
def test_shogi_s_files_bring_clock_and_times_back(form, control):
    game = find_game("shogi")
    record = form.read(game, form.write(game, played(control, "shogi")))
    assert record.tags[CLOCK] == control
    assert [spent or 0 for spent in spent_of(record)] == [12_000, 330_000, 0, 3_000, 61_000]


def test_a_kif_of_other_programs_brings_its_times():
    text = (
        "手合割：平手\n手数----指手---------消費時間--\n"
        "   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)   ( 1:02/00:01:02)\n"
        "   3 投了\n"
    )
    assert spent_of(KIF.read(find_game("shogi"), text)) == (16_000, 62_000)


@pytest.mark.parametrize("control", CONTROLS)
def test_ptn_brings_every_clock_and_its_times_back(control):
    game = find_game("cirya")
    record = PTN.read(game, PTN.write(game, played(control, "cirya")))
    assert record.tags[CLOCK] == control
    assert [spent or 0 for spent in spent_of(record)] == [int(1000 * wait) for wait in WAITS]


def test_ptn_writes_the_times_as_remarks_and_reads_them_again():
    game = find_game("cirya")
    text = PTN.write(game, played("9h", "cirya"))
    assert "{T12}" in text
    assert "{T330.25}" in text
    assert SPENT not in text
    record = PTN.read(game, text)
    assert record.tags[CLOCK] == "9h"
    assert [spent or 0 for spent in spent_of(record)] == [int(1000 * wait) for wait in WAITS]
