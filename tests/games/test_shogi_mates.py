"""Long mates: found, as short as they can be, and never claimed where the rules know of none."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest

from games.shogi import GAME
from games.shogi.computer.mates import MateSearch
from tests.games.random_walks import walk
from tests.games.shogi_mates import COMPILER, MOST, Nodes, compiled, counted, proved, read

TABLE = Path(__file__).resolve().parents[1] / "data" / "shogi" / "mates.tsv"
THIRTY_SECONDS = 400_000
"""What plain Python looks at in thirty seconds of the machine on which the table was made."""


def rows() -> list[tuple[int, str]]:
    lines = TABLE.read_text("utf-8").splitlines()
    pairs = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(int(plies), sfen) for plies, sfen in pairs]


def solved(sfen: str, nodes: int) -> int:
    """In how many plies mate is found in *sfen*; 0 where it is not. Every claim is checked."""
    position = read(sfen)
    search = MateSearch(Nodes(nodes))
    line = search.solve(position.board, MOST)
    if not line:
        return 0
    assert proved(position, search, len(line)), sfen
    for play in line:
        assert play in position.legal_moves(position.turn)
        position = position.after(play)
    assert position.outcome().reason == "mate"
    return len(line)


def positions(count: int, seed: int):
    """Positions of random games that go on, pieces of some of them changed about."""
    rng = random.Random(seed)

    def endless():
        while True:
            *_, (position, _) = walk(GAME, GAME.setting(), rng, rng.randrange(20, 160))
            if position.outcome() is None:
                yield GAME.notation.text(position)

    return islice(endless(), count)


def check_claims(count: int, nodes: int) -> int:
    """How many mates are claimed in so many positions, each of them checked."""
    return sum(solved(sfen, nodes) > 0 for sfen in positions(count, seed=count))


def test_the_table_holds_mates_of_thirteen_to_seventeen_plies():
    table = rows()
    assert len(table) >= 100
    assert len({sfen for _, sfen in table}) == len(table)
    assert {plies for plies, _ in table} == {13, 15, 17}


@pytest.mark.slow
def test_some_long_mates_are_found_and_the_rules_agree():
    for plies, sfen in sorted(rows())[::40]:
        assert solved(sfen, 60_000) == plies, sfen


def test_no_mate_is_claimed_that_the_rules_do_not_confirm():
    check_claims(20, nodes=300)


def test_a_longer_way_than_there_is_room_for_is_no_mate():
    plies, sfen = rows()[0]
    assert not MateSearch(Nodes(60_000)).solve(read(sfen).board, plies - 2)


def test_every_problem_has_the_pieces_of_a_set_but_the_king_that_mates():
    every = sorted("R" * 2 + "B" * 2 + "GSNL" * 4 + "P" * 18 + "K")
    for _, sfen in rows():
        assert pieces(sfen) == every, sfen


def pieces(sfen: str) -> list[str]:
    """The forty pieces, on the board and in hand, whoever has them."""
    rows_, _, hands, _ = sfen.split()
    found, count = [letter for letter in rows_.upper() if letter.isalpha()], ""
    for letter in hands.strip("-").upper():
        if letter.isdigit():
            count += letter
        else:
            found += [letter] * int(count or 1)
            count = ""
    return sorted(found)


@pytest.fixture(scope="module")
def second(tmp_path_factory) -> Path:
    if COMPILER is None:
        pytest.skip("There is no g++ here, which compiles the second program.")
    return compiled(tmp_path_factory.mktemp("mates"))


def check_counts(program: Path, table: list[tuple[int, str]]) -> None:
    sfens = [sfen for _, sfen in table]
    assert counted(program, sfens, 100_000_000) == [plies for plies, _ in table]


@pytest.mark.slow
def test_a_second_program_counts_as_many_plies(second):
    check_counts(second, sorted(rows())[::10])


@pytest.mark.slow
def test_a_second_program_knows_no_mate_where_there_is_none(second):
    """At the start, in the open, and by dropping a pawn (H8), which a lance may."""
    sfens = (
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1",
        "kn7/9/1G7/9/9/9/9/9/9 b P 1",
        "kn7/9/1G7/9/9/9/9/9/9 b L 1",
    )
    assert counted(second, sfens, 1_000_000) == [0, 0, 0, 1]


@pytest.mark.slow
def test_a_second_program_counts_as_many_plies_everywhere(second):
    check_counts(second, rows())


@pytest.mark.slow
def test_four_fifths_of_the_long_mates_are_found_and_none_is_wrong():
    table = rows()
    found = sum(solved(sfen, THIRTY_SECONDS) > 0 for _, sfen in table)
    assert found >= 0.8 * len(table)


@pytest.mark.slow
def test_in_five_hundred_positions_no_mate_is_claimed_that_the_rules_do_not_confirm():
    check_claims(500, nodes=2_000)
