"""Records of all games, forged in every way we know: who is deceived.

    .venv/bin/python -m tests.drives.forged_records 10000 [SEED]

Real records of games at random, half of them of tables that ended early. Prints how often each
kind of forgery was called what, by our own program and by ``docs/check_draws.py``, and every
forgery that was called honest though a line was changed that nobody named as unproved, or about
whose draws the two differ; ends with 1 if there is one.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

from games.core import Record
from games.core.shelf import find_game, shelf
from tests.bot.forgeries import FORGERIES, fault_of, forged, judged
from tests.bot.records import game_played

FEW_MOVES = {"cirya": 12, "shogi": 12, "storilljudhjorrayc": 30, "niya": 40, "parchis": 80}

"""How many moves of a game are played at most before somebody resigns."""

ENDED = {"shogi": 60, "storilljudhjorrayc": 120, "cirya": 60, "parchis": 700}
"""The same for the games that may go on to their end, which takes some very long."""


def base_records(each: int, rng: random.Random) -> list[Record]:
    """*each* records of every game, of which every fourth went on to its end."""
    found: list[Record] = []
    for key in shelf():
        count = 0
        while count < each:
            most = ENDED.get(key, 4000) if count % 4 == 0 else rng.randrange(1, FEW_MOVES[key])
            record = game_played(find_game(key), rng, most=most)
            if record is not None:
                found.append(record)
                count += 1
    return found


def drive(count: int, seed: str, kept: Path | None = None) -> int:
    """Forge *count* records and print the table; the number of those that deceived somebody."""
    rng = random.Random(seed)
    bases = base_records(12, rng)
    honest = Counter(judged(one.text()).ours for one in bases)
    table: Counter[tuple[str, int, int]] = Counter()
    bad, done, turn = 0, 0, 0
    while done < count:
        kind, turn = FORGERIES[turn % len(FORGERIES)], turn + 1
        base = rng.choice(bases)
        text = forged(kind, base, rng)
        if text is None:
            continue
        done += 1
        found = judged(text)
        table[kind.__name__, found.ours, found.page] += 1
        if why := fault_of(base, text, found):
            bad += 1
            print(f"{kind.__name__} {base.game} {base.tags['Table']}: {why}")
            if kept is not None:
                (kept / f"{bad}-base.txt").write_text(base.text(), encoding="utf-8")
                (kept / f"{bad}-forged.txt").write_text(text, encoding="utf-8")
    print(f"{len(bases)} records as they are: {dict(honest)}")
    print_table(table)
    print(f"{done} forgeries, {bad} deceived")
    return bad


def print_table(table: Counter[tuple[str, int, int]]) -> None:
    """Print kinds by the statuses of our program, and those of the page where they differ."""
    print(f"{'kind':40}{'0':>6}{'1':>6}{'2':>6}{'3':>6}   page 0/1/2/3")
    for kind in dict.fromkeys(name for name, _, _ in table):
        ours, page = Counter[int](), Counter[int]()
        for (name, us, them), times in table.items():
            if name == kind:
                ours[us] += times
                page[them] += times
        figures = "".join(f"{ours[status]:6}" for status in range(4))
        print(f"{kind:40}{figures}   {'/'.join(str(page[status]) for status in range(4))}")


if __name__ == "__main__":
    COUNT, SEED = [*sys.argv[1:], *("500", "forged")[len(sys.argv) - 1 :]][:2]
    sys.exit(drive(int(COUNT), SEED) > 0)
