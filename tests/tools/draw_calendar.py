"""``python -m tests.tools.draw_calendar [--days N] [--apart 30] [--seed 1]``: draw the calendar on.

Adds lines to ``bot/session/daily_calendar.txt`` until it has N days; those that are there stay as
they are. No puzzle of a game comes again within so many days *apart*; those that have come least
often go first. Says how long the calendar lasts.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from datetime import date
from pathlib import Path

from bot.session.daily_calendar import FIRST_DAY
from bot.session.exercise_catalogue import puzzles_of
from games.core.shelf import shelf
from tests.laws.weight import ROOT

FILE = ROOT / "bot" / "session" / "daily_calendar.txt"

WEEK = ("niya", "cirya", "parchis", "shogi", "storilljudhjorrayc", "parchis", "niya")
"""The games of the weekdays from Monday on; the quick ones come twice."""


def drawn(lines: list[str], days: int, apart: int, seed: int) -> list[str]:
    """*lines* of the calendar, its head first, with as many more as make so many *days*."""
    games = lines[0].split()[2:] if lines else sorted(set(WEEK))
    lines = lines or [" ".join(("#", "day", *games))]
    past = [line.split()[2:] for line in lines[1:]]
    for number in range(len(lines), days + 1):
        lot, codes = random.Random(f"{seed}/{number}"), []
        for at, game in enumerate(games):
            before, of_day = [day[at] for day in past], WEEK[(number - 1) % len(WEEK)]
            late = set(before[-apart:])
            # What is the game of the day comes last again: most people see no other.
            featured = Counter(code for n, code in enumerate(before) if WEEK[n % len(WEEK)] == game)
            often = featured if game == of_day else Counter(before) + featured
            stock = [one.code for one in puzzles_of(game) if one.code not in late]
            fewest = min(often[code] for code in stock)
            codes.append(lot.choice(sorted(code for code in stock if often[code] == fewest)))
        past.append(codes)
        lines.append(" ".join((str(number), WEEK[(number - 1) % len(WEEK)], *codes)))
    return lines


def main() -> None:
    """Draw what the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--days", type=int, default=420)
    asked.add_argument("--apart", type=int, default=30)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    path = Path(FILE)
    before = path.read_text("utf-8").splitlines() if path.exists() else []
    if not set(WEEK) <= set(shelf()):
        raise SystemExit("A game of the week is not on the shelf.")
    lines = drawn(before, given.days, given.apart, given.seed)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    last = date.fromordinal(FIRST_DAY + len(lines) - 2)
    print(f"{len(lines) - 1} days, {len(lines) - len(before)} new lines, up to {last}")


if __name__ == "__main__":
    main()
