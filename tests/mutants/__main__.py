"""``python -m tests.mutants [--count 400] [--seed 11] [--results FILE]``: the score by game.

What FILE tells of already is not tried again; ``--survivors`` tries those again that lived, after a
new test. Those that change nothing are named in ``tests/data/equivalent_mutants.toml``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutants.sample import ROOT, Mutant, sampled
from tests.mutants.trial import Verdict
from tests.mutants.warm import warm

EQUIVALENT = ROOT / "tests" / "data" / "equivalent_mutants.toml"


@dataclass(frozen=True)
class Result:
    """A line of the file of results."""

    key: str
    game: str
    file: str
    diff: str
    said: str
    by: str
    seconds: float


def known(file: Path) -> dict[str, Result]:
    """What *file* tells of, the last word on each mutant; a line cut off says nothing."""
    found: dict[str, Result] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            one = Result(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found[one.key] = one
    return found


def tried(
    mutants: Iterable[Mutant], file: Path, verdict: Callable[[Mutant], Verdict], *, again: bool
) -> None:
    """Put to the tests what *file* does not tell of, and *again* what lived; a line for each."""
    before = known(file)
    for mutant in mutants:
        told = before.get(mutant.key)
        if told is not None and not (again and told.said == "survived"):
            continue
        one = verdict(mutant)
        where = (mutant.key, mutant.game, mutant.file, mutant.diff)
        result = Result(*where, one.said, one.by, one.seconds)
        with file.open("a") as lines:
            # Before it, too: the last line may have been cut off.
            lines.write(f"\n{json.dumps(asdict(result), ensure_ascii=False)}\n")


def equivalent() -> dict[str, str]:
    """The mutants that change nothing anybody could notice, each with the reason."""
    return dict(tomllib.loads(EQUIVALENT.read_text())) if EQUIVALENT.exists() else {}


def report(mutants: Iterable[Mutant], file: Path, same: dict[str, str]) -> str:
    """The score by game in Markdown, and the mutants that live."""
    told, wanted = known(file), list(mutants)
    lines = ["| game | mutants | tried | killed | equivalent | alive | score |", "|---" * 7 + "|"]
    for game in [*sorted({one.game for one in wanted}), ""]:
        mine = [one for one in wanted if game in ("", one.game)]
        results = [told[one.key] for one in mine if one.key in told]
        killed = sum(one.said != "survived" for one in results)
        equal = sum(one.said == "survived" and one.key in same for one in results)
        alive = len(results) - killed - equal
        score = f"{100 * killed / max(1, killed + alive):.1f} %"
        cells = (game or "all", len(mine), len(results), killed, equal, alive, score)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    for one in wanted:
        if one.key not in same and one.key in told and told[one.key].said == "survived":
            lines += ["", f"{one.key} {one.file}", told[one.key].diff]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=400, help="mutants in the sample")
    parser.add_argument("--seed", type=int, default=11, help="of the sample")
    parser.add_argument("--results", type=Path, default=ROOT / "mutants.jsonl", metavar="FILE")
    parser.add_argument("--survivors", action="store_true", help="try again those that lived")
    parser.add_argument("--report", action="store_true", help="try nothing, only tell")
    asked = parser.parse_args()
    mutants = sampled(asked.count, asked.seed)
    if not asked.report:

        def trials(verdict: Callable[[Mutant], Verdict]) -> None:
            tried(mutants, asked.results, verdict, again=asked.survivors)

        kept = asked.results.with_suffix(".reach")
        with tempfile.TemporaryDirectory() as folder:
            warm({one.game for one in mutants}, trials, kept, Path(folder) / "copy")
    print(report(mutants, asked.results, equivalent()))


if __name__ == "__main__":
    main()
