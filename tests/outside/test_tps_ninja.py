"""Our PTN, played by TPS-Ninja ply by ply: the same boards and ends; else skipped.

``npm install tps-ninja`` in a folder that ``OUTSIDE_NODE`` names. It knows the carry limit of the
board alone, no opening with own pieces, and neither announcements nor repetition.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path

import pytest

from games.cirya import GAME
from games.core import Record
from games.core.recognition import read_file
from games.core.shelf import shelf
from tests.games.random_walks import walk
from tests.outside.test_readers import GAMES, NODE

pytestmark = pytest.mark.slow

PTN = next(form for form in GAME.records.formats if form.key == "ptn")
RESULTS = {"londe": "R", "quildear": "F"}


def played(size: str, caps: str) -> list[Record]:
    rng, found = random.Random(f"{size}{caps}"), []
    rules = {"size": size, "capstone_4x4": caps, "repetition": "none"}
    setting = GAME.setting({**rules, "carry_limit": "board", "mode": "nutacirya"})
    for _ in range(GAMES):
        log = [one for _, one in walk(GAME, setting, rng, 120) if one]
        log = tuple(one for one in log if not one.aside)
        found.append(Record(GAME.key, setting.sides, setting.options, setting.first, log))
    return found


def plies_in(text: str) -> list[str]:
    """The plies of our file as it is written, without tags, numbers, comments and results."""
    moves = re.sub(r"\[.*?\]|\{.*?\}|\b\d+\.", " ", text).split()
    return [one for one in moves if re.match(r"[\d(SCF]*[a-h][1-8]", one)]


def told_by_ninja(games: list[dict]) -> list[dict]:
    if not (NODE / "node_modules" / "tps-ninja").is_dir():
        pytest.skip("tps-ninja is not installed: OUTSIDE_NODE names no folder that has it")
    lines = "".join(f"{json.dumps(one)}\n" for one in games)
    command = ["node", Path(__file__).with_name("boards.mjs"), NODE.resolve()]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(one) for one in done.stdout.splitlines()]


def boards_of(record: Record) -> tuple[list[str], str]:
    """The board after each ply and the result, by us."""
    position, texts = GAME.beginning(record), []
    for at in read_file(record.text(), shelf()).positions[1:]:
        position = at
        texts.append(GAME.notation.text(at))
    outcome = position.outcome()
    if outcome is None:
        return texts, ""
    letter = RESULTS.get(outcome.reason, "")
    ends = {0: f"{letter}-0", 1: f"0-{letter}", None: "1/2-1/2"}
    return texts, ends[outcome.winner]


@pytest.mark.parametrize(("size", "caps"), [("4", "no"), ("4", "yes"), ("5", "no"), ("6", "no")])
def test_r5_each_board_and_end_of_our_ptn_is_that_of_tps_ninja(size, caps):
    records = played(size, caps)
    texts = [PTN.write(GAME, record) for record in records]
    options = {"size": int(size)}
    if size == "4":
        options["caps"] = int(caps == "yes")
    asked = [{"options": options, "plies": plies_in(text)} for text in texts]
    for record, text, told in zip(records, texts, told_by_ninja(asked), strict=True):
        boards, result = boards_of(record)
        assert "wrong" not in told, (told["wrong"], text)
        assert told["boards"] == boards, text
        assert told["result"] == result, text
        assert read_file(text, shelf()).record.log == record.log
