"""Programs that play shogi and Tak, as far as a test needs them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

PROGRAM = """#!{python}
import os, sys, time
how = {how!r}
def say(line): print(line, flush=True)
for line in sys.stdin:
    word = line.split()[0]
    if word == "usi":
        if how == "dumb":
            time.sleep(60)
        say("id name Pipo 1.0")
        say("option name Threads type spin default 8 min 1 max 64")
        say("usiok")
    elif word == "isready":
        say("readyok")
    if word in ("position", "setoption", "go"):
        with open({heard!r}, "a") as file:
            file.write(line)
    if word == "go":
        if how == "dies":
            sys.exit(1)
        if how == "hangs":
            time.sleep(60)
        say("info depth 3 score cp 300 nodes 9 pv 7g7f 3c3d")
        best = {{"wild": "1a9i", "gives up": "resign"}}.get(how, "7g7f")
        say(f"bestmove {{best}} ponder 3c3d")
"""

TAK_PROGRAM = """#!{python}
import sys
def say(line): print(line, flush=True)
for line in sys.stdin:
    word, *rest = line.split()
    if word == "tei":
        say("teiok")
    elif word == "isready":
        say("readyok")
    elif word == "teinewgame":
        size = int(rest[0])
    elif word == "position":
        cells = [c for row in rest[1].split("/") for cell in row.split(",")
                 for c in (["x"] * int(cell[1:] or 1) if cell[0] == "x" else [cell])]
    elif word == "go":
        assert rest[0] == "movetime" and sys.argv[1:] == ["-depth", "3"]
        free = cells.index("x")
        say(f"bestmove {{'abcdef'[free % size]}}{{size - free // size}}")
"""


@pytest.fixture
def program(tmp_path):
    """Makes a program that speaks USI and plays ``7g7f``, or does what *how* says."""

    def made(how: str = "") -> Path:
        path = tmp_path / f"engine-{how.replace(' ', '-')}"
        heard = str(tmp_path / "heard")
        path.write_text(PROGRAM.format(python=sys.executable, how=how, heard=heard))
        path.chmod(0o755)
        return path

    return made


@pytest.fixture
def tak_program(tmp_path):
    """A program that speaks TEI and places a piece on the first sat that is free."""
    path = tmp_path / "tak engine"
    path.write_text(TAK_PROGRAM.format(python=sys.executable))
    path.chmod(0o755)
    return path
