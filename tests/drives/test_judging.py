"""What shogi's judgement is learnt from: its figures add up to it, and are found again."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from runpy import run_path

import pytest

from games.shogi.board import TURN, moves
from games.shogi.computer import weights
from games.shogi.computer.evaluation import evaluate
from games.shogi.pieces import KING
from games.shogi.sfen import sfen
from tests.drives import judging
from tests.drives.judgement import COUNT, figures, firmness, grouped, seen, text
from tests.drives.minimum import minimum
from tests.games.shogi_boards import at, begun

PROGRAM = """#!{python}
import sys
for line in sys.stdin:
    if line == "usi\\n":
        print("usiok")
    elif line == "isready\\n":
        print("readyok")
    elif line.startswith("go"):
        print("info depth 1 score cp 120 pv 7g7f")
        print("info depth 2 score cp 900 lowerbound pv 2g2f")
        print("bestmove 7g7f ponder 3c3d")
    sys.stdout.flush()
"""


def wandered(count: int) -> list[bytes]:
    """Boards of games at random."""
    chance = random.Random("judging")
    found = []
    for _ in range(count):
        position = begun()
        for _ in range(chance.randrange(100)):
            if position.outcome() is None:
                position = position.after(chance.choice(position.legal_moves(position.turn)))
        found.append(position.board)
    return found


def test_the_judgement_is_the_sum_of_its_figures():
    by = figures()
    for board in wandered(30):
        plus, minus = seen(board)
        points = sum(by[at] for at in plus) - sum(by[at] for at in minus)
        assert points == (evaluate(board) if board[TURN] == 0 else -evaluate(board))


def test_a_text_holds_the_figures_that_were_learnt(tmp_path):
    head = Path(weights.__file__).read_text("utf-8").partition("ON_BOARD: dict")[0]
    file = tmp_path / "written.py"
    file.write_text(
        text([one + 7 for one in figures()], [1] * COUNT, head.rstrip() + "\n"), "utf-8"
    )
    written = run_path(str(file))
    # Every figure is 7 more, of which a piece on the board has three and one in hand five.
    for kind, worth in written["ON_BOARD"].items():
        assert worth == pytest.approx(weights.ON_BOARD[kind] + 21 * (kind != KING), abs=150)
    for kind, (first, *_) in written["EACH_IN_HAND"].items():
        assert first == pytest.approx(weights.EACH_IN_HAND[kind][0] + 35, abs=150)
    assert written["STANDING"].keys() == weights.STANDING.keys()
    assert written["HELD"].keys() == weights.HELD.keys()


def test_every_figure_belongs_to_groups_and_every_group_has_figures():
    assert all(grouped())
    assert {one for group in grouped() for one in group} == set(range(len(firmness())))


def test_exchanges_are_over_on_a_settled_board():
    hanging = at("4k4/9/9/4r4/9/9/9/4R4/3K5 b - 1").board
    value, left = judging.settled(hanging, -judging.MATE, judging.MATE)
    assert left != hanging
    assert value == (evaluate(left) if left[TURN] == hanging[TURN] else -evaluate(left))
    assert value > evaluate(hanging)


def test_the_least_value_of_a_bowl_is_found():
    def slope(x: list[float]) -> tuple[float, list[float]]:
        return (x[0] - 3) ** 2 + 10 * (x[1] + x[0]) ** 2, [
            2 * (x[0] - 3) + 20 * (x[1] + x[0]),
            20 * (x[1] + x[0]),
        ]

    assert minimum(slope, [0.0, 0.0], 50) == pytest.approx([3.0, -3.0], abs=1e-4)


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program"
    path.write_text(PROGRAM.format(python=sys.executable), "utf-8")
    path.chmod(0o700)
    return str(path)


def test_what_a_program_thinks_is_its_last_value_that_is_no_bound(program):
    judge = judging.Judge(program, 10)
    assert judge.judged(begun().board) == (120, "7g7f")
    judge.close()


def test_learning_from_positions_makes_them_foretold_better(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(judging, "PULLS", (1.0,))
    monkeypatch.setattr(judging, "TESTED", 2)
    file = tmp_path / "judged.tsv"
    boards = [one for one in wandered(80) if moves(one)]
    # Somebody to whom everything is worth half of what it is to us.
    file.write_text(
        "".join(f"{n}\t{sfen(one, 1)}\t{evaluate(one) // 2}\n" for n, one in enumerate(boards))
    )
    by, often = judging.fitted([file], 12)
    assert len(by) == len(often) == COUNT
    _, before, after = capsys.readouterr().out.splitlines()
    assert float(after.split()[0]) < float(before.split()[1])
