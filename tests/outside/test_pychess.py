"""Our PGN of shogi beside what Fairy-Stockfish writes, as pychess.org does; else skipped.

``pip install pyffish`` lets these tests run.
"""

from __future__ import annotations

import random

import pytest

from games.core import Record
from games.core.recognition import read_file
from games.core.shelf import shelf
from games.shogi import GAME
from games.shogi.board import BoardMove
from games.shogi.formats.kif import HANDICAPS
from games.shogi.formats.pgn import _NAMES, PGN
from games.shogi.formats.record_builder import play_entries
from games.shogi.sfen import letters
from tests.games.random_walks import walk

FAIRY = pytest.importorskip("pyffish", reason="pyffish is not installed")


def uci(play) -> str:
    if isinstance(play, BoardMove):
        return f"{_NAMES[play.start]}{_NAMES[play.target]}{'+' if play.promotes else ''}"
    return f"{letters(play.kind)}@{_NAMES[play.target]}"


@pytest.mark.slow
@pytest.mark.parametrize("handicap", HANDICAPS)
def test_h23_games_are_written_as_pychess_writes_them_and_come_back(handicap):
    rng, setting = random.Random(handicap), GAME.setting({"handicap": handicap})
    for _ in range(20):
        log = [one for _, one in walk(GAME, setting, rng, rng.randrange(10, 150)) if one]
        log = [one for one in log if not one.aside]
        options = {} if handicap == "none" else {"handicap": handicap}
        record = Record("shogi", setting.sides, options, setting.first, tuple(log))
        text = PGN.write(GAME, record)
        fen = text.partition('[FEN "')[2].partition('"')[0]
        moves = [uci(play) for _, play in play_entries(GAME, record)]
        words = [one for one in text.splitlines()[-1].split()[:-1] if not one.endswith(".")]
        assert words == FAIRY.get_san_moves("shogi", fen, moves, False, FAIRY.NOTATION_SAN)
        read = read_file(text, shelf())
        assert (read.refusal, read.record.log) == (None, record.log)
        assert read.record.options.get("handicap", "none") == handicap
