"""``python -m tests.tools.stock_puzzles GAME [FILE …]``: put mined puzzles into a game's stock.

Reads what ``ludoteca puzzles mine GAME`` has printed; what is like another one does not come in.
Without a FILE the stock itself is posed, judged and graded anew, and what no longer passes leaves
it. A puzzle keeps its code, a new one is called by a hash of its position.
"""

from __future__ import annotations

import json
import re
import sys
from base64 import b32encode
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from bot.session.puzzle_mining import Stock, grade, posed
from games.core import Game
from games.core.school import Lesson, lesson_data, opening, puzzles, read_lesson
from games.core.shelf import find_game
from tests.laws.weight import ROOT
from tests.puzzle_proofs import wins_material

MOST = 1_000
"""How many puzzles of a game are kept."""


def judge_anew(game: Game, lesson: Lesson) -> Lesson | None:
    """*lesson* as it is posed and graded today; ``None`` where it no longer passes."""
    known = opening(game, lesson)
    again = posed(game, known.position, known.seat, 1)
    again = again and grade(game, again)
    return again and replace(again, code=lesson.code)


def take_unlike(game: Game, lessons: Iterable[Lesson]) -> Iterator[Lesson]:
    """Those of *lessons* that are unlike all before them, each with its code."""
    stock, patterns = Stock(), Counter[str]()
    for lesson in lessons:
        pattern = pattern_of(lesson)
        common = lesson.theme == "noble" and 4 * patterns[pattern] > max(8, patterns.total())
        if not common and stock.takes(lesson):
            patterns[pattern] += 1
            yield replace(lesson, code=lesson.code or code_for(game, lesson))


def pattern_of(lesson: Lesson) -> str:
    """What the first answer of *lesson* has in common with those that only stand elsewhere."""
    return re.sub(r"[a-p]?\d+", "", next(iter(lesson.answers)))


def code_for(game: Game, lesson: Lesson) -> str:
    """The name of a new puzzle."""
    digest = sha256(f"{game.key} {lesson.position}".encode()).digest()
    return b32encode(digest)[:6].decode().lower()


def main() -> None:
    """Write the stock of the game that the command line names."""
    game, files = find_game(sys.argv[1]), sys.argv[2:]
    lines = [line for file in files for line in Path(file).read_text("utf-8").splitlines()]
    mined = [read_lesson(game.key, json.loads(line)) for line in lines]
    # A search may see farther than any reader: what wins must do so by a plain count as well.
    mined = [one for one in mined if one.theme != "material" or not wins_material(one)]
    before = {one.code for one in puzzles(game)}
    old = puzzles(game) if files else filter(None, (judge_anew(game, one) for one in puzzles(game)))
    found = list(take_unlike(game, (*old, *mined)))[:MOST]
    found.sort(key=lambda one: (one.mu or 0.0, one.code))
    told = ",\n".join(f" {json.dumps(lesson_data(one), ensure_ascii=False)}" for one in found)
    file = ROOT / "games" / game.key / "school" / "puzzles.json"
    file.write_text(f"[\n{told}\n]\n", "utf-8")
    gone = len(before - {one.code for one in found})
    print(f"{game.key}: {len(found)} puzzles, {len(mined)} mined, {gone} of {len(before)} gone")


if __name__ == "__main__":
    main()
