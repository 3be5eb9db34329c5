"""Our tie-breaks and Swiss rounds, judged by gacrux, the checker of FIDE's tournament rules.

``pip install gacrux`` lets these tests run; without it they are skipped. It judges by the rules in
force: C.07 of 1 March 2026 and C.04.3 of 1 February 2026, while we pair by the edition before.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from bot.tournament import swiss
from bot.tournament.standings import SCALES, TIE_BREAKS, standings
from bot.tournament.trf import starting_order, trf
from bot.tournament.values import Rules, TournamentFormat
from tests.tournament.simulated import Hall, opened, played

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("gacrux") is None, reason="gacrux is not installed"
    ),
]

COUNT = int(os.environ.get("OUTSIDE_TOURNAMENTS", "20"))
"""How many tournaments are judged."""

NAMES = ("BH/C1", "BH", "SB", "DE", "WIN")
SWISS = TIE_BREAKS[TournamentFormat.SWISS]
BEGUN = "042 2026/01/01", "042 2026/06/01\n052 2026/06/02"
"""When the tournaments of these tests begin, and a date on which the rules of 2026 hold."""


def restless(seed: int) -> Hall:
    """A tournament with forfeits, byes of both kinds, late and leaving people."""
    dice = random.Random(seed)
    rules = Rules("shogi", TournamentFormat.SWISS, "5m", rounds=dice.randint(3, 7))
    hall = opened(rules, dice.randint(8, 24), seed)
    played(hall)
    return hall


def told(program: str, report: str, folder: Path, *options: str) -> str:
    """What the *program* of gacrux prints about *report*."""
    file = folder / "report.trf"
    file.write_text(report.replace(*BEGUN), encoding="utf-8")
    command = [sys.executable, "-m", f"gacrux.{program}", "-i", str(file), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("seed", range(COUNT))
def test_places_and_tie_breaks_are_those_of_c07_in_force(seed, tmp_path):
    tournament = restless(seed).now
    starts = {one: start for start, one in enumerate(starting_order(tournament), 1)}
    printed = told(
        *("tiebreakchecker", trf(tournament, {}), tmp_path),
        *("-s", "-d", "T", "-t", "PTS", *NAMES),
    )
    rows = [line.split("\t") for line in printed.splitlines() if line[:1].isdigit()]
    theirs = {int(row[0]): row for row in rows}
    for line in standings(tournament):
        found = theirs.pop(starts[line.entrant])
        ours = {one: value / SCALES[one] for one, value in zip(SWISS, line.tie_breaks, strict=True)}
        assert (int(found[1]), float(found[2])) == (line.place, line.points / 2)
        for name, one, value in zip(NAMES, SWISS, found[3:], strict=True):
            # Of a direct encounter it tells the place among equals, which the rank shows as well.
            assert name == "DE" or float(value) == ours[one], (name, found)
    assert not theirs


@pytest.mark.timeout(7200)
def test_rounds_that_the_rules_in_force_pair_otherwise_are_listed(tmp_path, capsys):
    same, other, none = 0, [], []
    for seed in range(COUNT):
        for report, _ in restless(seed).reports:
            lines = report.splitlines()
            absent = [one for line in lines if line[:3] == "XXZ" for one in line.split()[1:]]
            number = max((len(line) - 80) // 10 for line in lines if line[:3] == "001") + 1
            text = "".join(f"{line}\n" for line in lines if line[:3] != "XXZ")
            options = ["-m", "dutch", "-p", "-t", "W", "-n", str(number)]
            options += ["-u", *absent] if absent else []
            printed = json.loads(told("pairingchecker", text, tmp_path, *options))
            result = printed["pairingResult"]
            assert result["rules"] == "2026-02-01"
            # Versions of it tell the round in a list of rounds, or by itself.
            found = result.get("roundpairing", [result])[-1].get("pairs")
            theirs = {frozenset(pair) for pair in found} if found else None
            try:
                ours = {frozenset(pair) for pair in swiss.pairs(report)}
            except swiss.Unpairable:
                ours = None
            if None in (ours, theirs):
                found = [name for name, one in (("ours", ours), ("theirs", theirs)) if one is None]
                none.append((seed, number, f"none of {' and '.join(found)}"))
            elif ours == theirs:
                same += 1
            else:
                other.append((seed, number, sorted(map(sorted, ours - theirs))))
    with capsys.disabled():
        print(f"\n{same} rounds alike, {len(other)} paired otherwise by C.04.3 of 2026:")
        print("\n".join(map(str, other)))
        print(f"{len(none)} without a pairing by one or both:", *none, sep="\n")
    # The first round is the same in both editions: by rating, the upper half against the lower.
    assert [one for one in other if one[1] == 1] == []
    # Most are alike; more than a quarter would be a fault of ours.
    assert 4 * len(other) < same + len(other)
