"""Our files of shogi, read by cshogi, tsshogi and shogiops; each is skipped where it is absent.

``pip install cshogi``; ``npm install tsshogi shogiops`` in a folder that ``OUTSIDE_NODE`` names.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from games.core import Record
from games.core.recognition import read_file
from games.core.shelf import shelf
from games.shogi import GAME
from games.shogi.board import BoardMove, Drop
from games.shogi.formats.kif import HANDICAPS
from games.shogi.formats.record_builder import play_entries
from games.shogi.sfen import usi
from tests.games.random_walks import walk
from tests.games.test_reviews_as_files import reviewed

NODE = Path(os.environ.get("OUTSIDE_NODE", "."))
FORMATS = {form.key: form for form in GAME.records.formats}
GAMES = int(os.environ.get("OUTSIDE_GAMES", "20"))
"""How many games are played with each handicap."""
HANDS = dict(zip("rbgsnlp", "RBGSNLP", strict=True))

pytestmark = pytest.mark.slow


def played(handicap: str) -> list[Record]:
    rng, setting, found = random.Random(handicap), GAME.setting({"handicap": handicap}), []
    options = {} if handicap == "none" else {"handicap": handicap}
    for _ in range(GAMES):
        log = [one for _, one in walk(GAME, setting, rng, rng.randrange(10, 140)) if one]
        log = [one for one in log if not one.aside]
        found.append(Record("shogi", setting.sides, options, setting.first, tuple(log)))
    return found


def moves_of(record: Record) -> list[str]:
    plays = (move for _, move in play_entries(GAME, record))
    return [usi(move) for move in plays if isinstance(move, BoardMove | Drop)]


def start_of(record: Record) -> list[str]:
    return GAME.notation.text(GAME.beginning(record)).split()[:3]


def asked(reader: str, form: str, texts: list[str]) -> list[dict]:
    """What a program of node says of *texts*."""
    package = "tsshogi" if reader == "tsshogi" else "shogiops"
    if not all((NODE / "node_modules" / one).is_dir() for one in ("tsshogi", "shogiops")):
        pytest.skip(f"{package} is not installed: OUTSIDE_NODE names no folder that has it")
    asking = ({"reader": reader, "form": form, "text": one} for one in texts)
    lines = "".join(f"{json.dumps(one)}\n" for one in asking)
    script = Path(__file__).with_name("readers.mjs")
    done = subprocess.run(
        ["node", script, NODE.resolve()], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(one) for one in done.stdout.splitlines()]


def writable(form: str, records: list[Record]) -> list[tuple[Record, str]]:
    """The records with their texts; KI2 cannot tell some moves apart and says so."""
    found = []
    for record in records:
        try:
            found.append((record, FORMATS[form].write(GAME, record)))
        except Exception as wrong:
            if form != "ki2" or "ki2-doubt" not in repr(wrong):
                raise
    return found


@pytest.mark.parametrize("form", ["kif", "ki2", "csa", "usi"])
@pytest.mark.parametrize("handicap", HANDICAPS)
def test_h20_h23_tsshogi_reads_our_files_and_we_read_what_it_writes(handicap, form):
    texts = writable(form, played(handicap))
    assert texts
    for (record, _), told in zip(texts, asked("tsshogi", form, [t for _, t in texts]), strict=True):
        assert "wrong" not in told, told
        assert told["sfen"].split()[:3] == start_of(record)
        assert told["moves"] == moves_of(record)
        again = read_file(told["back"], shelf())
        assert again.refusal is None, told["back"]
        assert (start_of(again.record), moves_of(again.record)) == (start_of(record), told["moves"])


@pytest.mark.parametrize("form", ["kif", "csa"])
@pytest.mark.parametrize("handicap", HANDICAPS)
def test_h20_h23_shogiops_reads_our_files(handicap, form):
    texts = writable(form, played(handicap))
    for (record, _), told in zip(
        texts, asked("shogiops", form, [t for _, t in texts]), strict=True
    ):
        assert "wrong" not in told, told
        assert told["sfen"].split()[:3] == start_of(record)
        assert told["moves"] == moves_of(record)


@pytest.mark.parametrize("form", ["kif", "csa"])
@pytest.mark.parametrize("handicap", HANDICAPS)
def test_h20_h23_cshogi_reads_our_files(handicap, form, tmp_path):
    reader = pytest.importorskip(f"cshogi.{form.upper()}", reason="cshogi is not installed")
    for record, text in writable(form, played(handicap)):
        file = tmp_path / f"game.{form}"
        file.write_text(text, encoding="utf-8" if form == "csa" else "cp932", errors="replace")
        if form == "kif":
            if "手合割：その他" in text:
                # It reads no boards in KIF and says so; it must not open them as even games.
                with pytest.raises(reader.ParserException):
                    reader.Parser.parse_file(str(file))
                continue
            read = reader.Parser.parse_file(str(file))
            found = (read.sfen if hasattr(read, "sfen") else read["sfen"], read.moves)
        else:
            (read,) = reader.Parser.parse_file(str(file), encoding="utf-8")
            found = (read.sfen, read.moves)
        import cshogi

        assert found[0].split()[:3] == start_of(record)
        assert [cshogi.move_to_usi(one) for one in found[1]] == moves_of(record)


def test_tsshogi_finds_each_branch_of_a_review():
    reviews = [reviewed(GAME, seed, 24) for seed in range(30)]
    records = [one.write_record() for one in reviews]
    told = asked("tsshogi", "kif", [FORMATS["kif"].write(GAME, one) for one in records])
    for record, one in zip(records, told, strict=True):
        branches = [key for key in record.tags if key.startswith("Branch")]
        assert one.get("branches") == len(branches), one
