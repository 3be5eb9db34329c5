"""The worker of the computer players, as a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

from games.cirya import GAME

QUESTION = {
    "game": "cirya",
    "sides": list(GAME.sides_for(2)),
    "options": GAME.chosen({}),
    "first": 0,
    "log": [],
    "seat": 0,
    "level": 1,
    "seconds": 0.1,
    "seed": "x",
}


def worker() -> subprocess.Popen:
    command = [sys.executable, "-m", "bot.computers.worker"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_f13_a_worker_that_nobody_listens_to_ends_without_a_word():
    process = worker()
    process.stdout.close()
    process.stdin.write(json.dumps(QUESTION) + "\n")
    process.stdin.close()
    assert process.wait(30) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_worker_ends_with_its_input():
    process = worker()
    said, complaints = process.communicate(json.dumps(QUESTION) + "\n", timeout=30)
    assert json.loads(said)["move"]
    assert (process.returncode, complaints) == (0, "")
