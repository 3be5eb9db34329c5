"""``python -m tests.tools.draw_calendar [--days N] [--seed 1]``: draw the calendar on.

Adds lines to ``bot/session/daily_calendar.txt`` until it has N days; those that are there stay as
they are. No puzzle of a game comes again within 90 days, or 28 where the game has few (``apart``),
be it as the move of the day or among the five; those that have come least often go first, and the
five are of the easier half. Says how long the calendar lasts.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from bot.session.daily_calendar import FIRST_DAY
from bot.session.exercise_catalogue import Exercise, puzzles_of
from games.core.shelf import shelf
from tests.laws.weight import ROOT

FILE = ROOT / "bot" / "session" / "daily_calendar.txt"

WEEK = ("niya", "cirya", "parchis", "shogi", "storilljudhjorrayc", "cirya", "niya")
"""The games of the weekdays from Monday on; two of those with many puzzles come twice."""


LONG, SHORT, MANY = 90, 28, 250
"""How many days a puzzle rests, where a game has so *many*, and where it has fewer."""


def apart(game: str) -> int:
    """Within how many days no puzzle of *game* comes again."""
    return LONG if len(puzzles_of(game)) >= MANY else SHORT


def drawn(lines: list[str], days: int, seed: int) -> list[str]:
    """*lines* of the calendar, its head first, with as many more as make so many *days*."""
    games = lines[0].split()[4:] if lines else sorted(set(WEEK))
    lines = lines or [" ".join(("#", "day", "game", "move", *games))]
    past = [line.split()[2:] for line in lines[1:]]
    for number in range(len(lines), days + 1):
        lot, of_day = random.Random(f"{seed}/{number}"), WEEK[(number - 1) % len(WEEK)]
        late = {game: {c for codes in past[-apart(game) :] for c in codes} for game in games}
        moves, five = (Counter(codes[0] for codes in past), Counter(c for d in past for c in d[1:]))
        stock = {
            game: [one for one in puzzles_of(game) if one.code not in late[game]] for game in games
        }
        # What was the move of a day comes last again: most people see no other.
        codes = [_fewest(stock[of_day], moves, lot)]
        for game in games:
            left = [one for one in stock[game] if one.code not in codes]
            left.sort(key=lambda one: (one.lesson.mu or 0.0, one.code))
            codes.append(_fewest(left[: max(1, len(left) // 2)], five + moves, lot))
        past.append(codes)
        lines.append(" ".join((str(number), of_day, *codes)))
    return lines


def _fewest(stock: Sequence[Exercise], often: Counter[str], lot: random.Random) -> str:
    """The code of one by *lot* of those of *stock* that have come least *often*."""
    fewest = min(often[one.code] for one in stock)
    return lot.choice(sorted(one.code for one in stock if often[one.code] == fewest))


def main() -> None:
    """Draw what the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--days", type=int, default=420)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    path = Path(FILE)
    before = path.read_text("utf-8").splitlines() if path.exists() else []
    if not set(WEEK) <= set(shelf()):
        raise SystemExit("A game of the week is not on the shelf.")
    lines = drawn(before, given.days, given.seed)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    last = date.fromordinal(FIRST_DAY + len(lines) - 2)
    print(f"{len(lines) - 1} days, {len(lines) - len(before)} new lines, up to {last}")


if __name__ == "__main__":
    main()
