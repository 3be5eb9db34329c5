"""Our KIF and CSA files, read by python-shogi; without it these tests are skipped.

``pip install python-shogi`` lets them run.
"""

from __future__ import annotations

import random

import pytest

from games.core import Record
from games.shogi import GAME
from games.shogi.board import BoardMove, Drop
from games.shogi.formats.kif import HANDICAPS
from games.shogi.formats.record_builder import play_entries
from games.shogi.sfen import usi
from tests.games.random_walks import walk

KIF = pytest.importorskip("shogi.KIF", reason="python-shogi is not installed")
CSA = pytest.importorskip("shogi.CSA", reason="python-shogi is not installed")
FORMATS = {form.key: form for form in GAME.records.formats}


def games(count: int, seed: int, handicap: str = "none") -> list[Record]:
    rng, found = random.Random(seed), []
    for _ in range(count):
        setting = GAME.setting({"handicap": handicap})
        log = tuple(entry for _, entry in walk(GAME, setting, rng, rng.randrange(1, 120)) if entry)
        log = tuple(entry for entry in log if not entry.aside)
        options = {} if handicap == "none" else {"handicap": handicap}
        found.append(Record("shogi", setting.sides, options, setting.first, log))
    return found


def moves_of(record: Record) -> list[str]:
    plays = (move for _, move in play_entries(GAME, record))
    return [usi(move) for move in plays if isinstance(move, BoardMove | Drop)]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["kif", "csa"])
def test_h23_even_games_open_elsewhere_with_the_same_moves(key):
    parser = KIF.Parser if key == "kif" else CSA.Parser
    for record in games(75, 23):
        (read,) = parser.parse_str(FORMATS[key].write(GAME, record))
        assert read["moves"] == moves_of(record)


@pytest.mark.slow
@pytest.mark.parametrize("handicap", [key for key in HANDICAPS if key != "none"])
def test_h20_h23_each_handicap_opens_elsewhere_at_the_same_position(handicap):
    for record in games(5, 11, handicap):
        text = FORMATS["kif"].write(GAME, record)
        if "手合割：その他" in text:
            # It reads no boards in KIF and says so; it must not open them as even games.
            with pytest.raises(KIF.ParserException):
                KIF.Parser.parse_str(text)
            continue
        (read,) = KIF.Parser.parse_str(text)
        first = GAME.notation.text(GAME.beginning(record))
        assert read["sfen"].split()[:3] == first.split()[:3]
        assert read["moves"] == moves_of(record)


@pytest.mark.slow
@pytest.mark.parametrize("handicap", [key for key in HANDICAPS if key != "none"])
def test_h20_h23_each_handicap_opens_elsewhere_by_csa(handicap):
    for record in games(5, 12, handicap):
        (read,) = CSA.Parser.parse_str(FORMATS["csa"].write(GAME, record))
        first = GAME.notation.text(GAME.beginning(record))
        assert read["sfen"].split()[:3] == first.split()[:3]
        assert read["moves"] == moves_of(record)
