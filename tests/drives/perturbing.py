"""Moves the weights of a computer's judgement to where they win more games against their like.

    python -m tests.drives.perturbing storilljudhjorrayc run.jsonl --rounds 1000 --nodes 1500

In each round a lot says of every weight whether it is raised or lowered by a step. Who plays with
the weights so changed meets who plays with all of them changed the other way, in a pair of games
as in the arena, and the weights are moved a little towards the winner's («simultaneous
perturbation», J. C. Spall, IEEE Transactions on Automatic Control 37, 1992). The first weight stays
as it is: it is the unit. A step is ``--step`` per cent of the weight, or of the middle one of its
table where that is more, and never less than 1; ``--gain`` is which part of it a game moves.

The file keeps every round, so that a run goes on where it was cut off, up to ``--rounds`` in all.
At the end the weights are printed as they are and as they have become. What is said is a proposal:
the arena decides.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Any, TypeAlias

from tests.drives.weights import WEIGHTS, Changes, Weight, changes, everything, leaves
from tests.tools.arena.match import Match, Played, between
from tests.tools.arena.players import Answer, Moment
from tests.tools.arena.tally import Tally

ROOT = Path(__file__).resolve().parents[2]

DIGITS = 4
"""Decimals that are kept of a weight."""


class OtherRun(Exception):
    """The file is kept by another run, or by none."""


@dataclass(frozen=True)
class Run:
    """What is tuned and how: *step* is in per cent, *gain* the part of it that a game moves."""

    game: str
    seed: str
    nodes: int
    step: float
    gain: float


@dataclass(frozen=True)
class Round:
    """The *scores* of who went with the lot in a pair of games, and the *weights* after it."""

    scores: tuple[float, float]
    weights: tuple[float, ...]


Playing: TypeAlias = Callable[[Run, int, Changes, Changes], tuple[float, float]]
"""How who has the first changes scores against who has the second, in pair so-and-so of games."""


class Mind:
    """The highest level with *changes* in its judgement, in a process that is let go at the end."""

    def __init__(self, run: Run, changed: Changes) -> None:
        command, pipe = [sys.executable, "-m", "tests.drives.perturbed"], subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe)
        self._tell((changed, run.game, run.nodes))

    def __enter__(self) -> Mind:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        with self.process:
            self.process.kill()

    def move(self, moment: Moment) -> Answer:
        """What it plays."""
        self._tell((moment.position, moment.seat, moment.seed))
        assert self.process.stdout is not None
        return Answer(pickle.load(self.process.stdout), 0.0)

    def _tell(self, what: Any) -> None:
        assert self.process.stdin is not None
        pickle.dump(what, self.process.stdin)
        self.process.stdin.flush()


def games(run: Run, number: int, plus: Changes, minus: Changes) -> tuple[Played, Played]:
    """Pair *number* of games of who has *plus* against who has *minus*."""
    match = Match(run.game, "plus", "minus", nodes=run.nodes, seed=run.seed)
    with Mind(run, plus) as one, Mind(run, minus) as other:
        return between(one, other, match, number)


def play(run: Run, number: int, plus: Changes, minus: Changes) -> tuple[float, float]:
    """How they score."""
    straight, crossed = games(run, number, plus, minus)
    return straight.score, crossed.score


def steps(run: Run, found: Sequence[Weight]) -> list[int]:
    """By how much each of the weights *found* is raised or lowered; the first, the unit, is not."""

    def step(weight: Weight) -> int:
        usual = median(abs(value) for _, value in leaves(weight.held))
        return max(1, round(max(abs(weight.value), usual) * run.step / 100))

    return [0, *map(step, found[1:])]


def signs(run: Run, number: int, count: int) -> list[int]:
    """Which of *count* weights round *number* raises, 1, and which it lowers, -1."""
    chance = random.Random(f"{run.seed}:{number}")
    return [chance.choice((-1, 1)) for _ in range(count)]


def gone(
    run: Run, found: Sequence[Weight], past: Sequence[Round], playing: Playing = play
) -> Round:
    """The round after those *past*."""
    number = len(past)
    here = past[-1].weights if past else tuple(float(one.value) for one in found)
    ways = [a * b for a, b in zip(steps(run, found), signs(run, number, len(found)), strict=True)]

    def side(sign: int) -> Changes:
        moved = [value + sign * way for value, way in zip(here, ways, strict=True)]
        return changes((one, one.nearest(to)) for one, to in zip(found, moved, strict=True))

    scores = playing(run, number, side(1), side(-1))
    # Each game counts for 1, won by those raised, to -1.
    pull = run.gain * sum(2 * score - 1 for score in scores)
    there = (round(value + pull * way, DIGITS) for value, way in zip(here, ways, strict=True))
    return Round(scores, tuple(there))


def kept(file: Path, run: Run, found: Sequence[Weight]) -> list[Round]:
    """The rounds of *run* in *file*, which is begun where it does not exist.

    A round that was cut off in the middle of its line is taken away. Raises ``OtherRun`` where
    anything else differs, the weights from which it went out included.
    """
    head = {**asdict(run), "weights": {str(one): one.value for one in found}}
    if not file.exists():
        file.write_text(json.dumps(head) + "\n", "utf-8")
        return []
    text = file.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    first, *lines = whole.splitlines() or [""]
    if first != json.dumps(head):
        raise OtherRun(f"{file} is not of this run: another game, seed, setting or judgement")
    if whole != text:
        file.write_text(whole, "utf-8")
    told = [json.loads(line) for line in lines]
    return [Round((a, b), tuple(one["weights"])) for one in told for a, b in (one["scores"],)]


def keep(file: Path, one: Round) -> None:
    """Add *one* to *file*."""
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(one)) + "\n")


def told(found: Sequence[Weight], past: Sequence[Round]) -> Iterator[str]:
    """What has become of the weights *found*, line by line."""
    tally = Tally(tuple(one.scores for one in past))
    low, high = tally.interval()
    yield (
        f"{len(past)} rounds, plus against minus: +{tally.count(1)} ={tally.count(0.5)}"
        f" -{tally.count(0)}, {tally.share:.1%} [{low:.1%}, {high:.1%}]"
    )
    now = past[-1].weights if past else [one.value for one in found]
    for weight, value in zip(found, now, strict=True):
        yield f"{weight!s:16} {weight.value:6} {value:8.1f}"


def main(words: Sequence[str] | None = None, playing: Playing = play) -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.drives.perturbing")
    parser.add_argument("game", choices=sorted(WEIGHTS))
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--nodes", type=int, default=1_500)
    parser.add_argument("--seed", default="perturbing")
    parser.add_argument("--step", type=float, default=10.0)
    parser.add_argument("--gain", type=float, default=0.03)
    asked = parser.parse_args(words)
    run = Run(asked.game, asked.seed, asked.nodes, asked.step, asked.gain)
    found = everything(run.game)
    try:
        past = kept(asked.file, run, found)
    except OtherRun as wrong:
        sys.exit(str(wrong))
    while len(past) < asked.rounds:
        past.append(gone(run, found, past, playing))
        keep(asked.file, past[-1])
    for line in told(found, past):
        print(line)


if __name__ == "__main__":
    main()
