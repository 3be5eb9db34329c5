"""Boards rebuilt from their words alone, in every language, beside what the games write of them.

    python -m tests.drives.blind [BOARDS] [GAME...]

Plays as many random games of each kind as there should be boards (40), stops each somewhere, and
lets one viewer, or everybody, be told what the picture shows. A reader that knows the words but
not the games (``blind_readers``) puts the board together again. What is hidden from the viewer
is compared as the viewer may see it, and ended games without whose turn it would be.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from bot.texts import LANGUAGES, language
from games.core import Game, Position
from games.core.shelf import shelf
from tests.drives.blind_readers import READERS, Board
from tests.games.random_walks import random_setting, walk

BOARDS = 40
PLIES = {"niya": 26, "cirya": 60, "shogi": 160, "parchis": 400, "storilljudhjorrayc": 160}
"""How far games are played at most, so that boards of every stage come up."""

NAMES = {seat: f"N{seat}" for seat in range(4)}


@dataclass(frozen=True)
class Rebuilt:
    """A board as its notation has it, and as a reader of the words in *code* has it."""

    game: str
    code: str
    said: tuple[str, ...]
    written: str
    expected: Board
    found: Board

    @property
    def right(self) -> bool:
        return self.expected == self.found

    def wrong(self) -> str:
        """What differs, and the words."""
        keys = [key for key in self.expected if self.expected[key] != self.found.get(key)]
        gaps = "; ".join(f"{key}: {self.expected[key]} ≠ {self.found.get(key)}" for key in keys)
        return "\n  ".join((f"{self.game} ({self.code}) {self.written}", gaps, *self.said))


def boards(game: Game, count: int, seed: int = 0) -> Iterator[Position]:
    """*count* boards of *game* as somebody, or everybody, sees them."""
    for number in range(count):
        rng = random.Random(f"{game.key} {seed} {number}")
        setting = random_setting(game, rng)
        *_, (position, _) = walk(game, setting, rng, rng.randrange(PLIES.get(game.key, 100)))
        viewer = rng.choice([None, *range(len(setting.sides))])
        yield position.seen_by(viewer)


def rebuilt(game: Game, count: int, seed: int = 0) -> Iterator[Rebuilt]:
    """Each of *count* boards, rebuilt from its words in every language."""
    from_words, from_text = READERS[game.key]
    for seen in boards(game, count, seed):
        written = game.notation.text(seen)
        expected = from_text(written, over=seen.outcome() is not None)
        for code in LANGUAGES:
            say = language(code).say
            said = tuple(say(one, NAMES) for one in game.speech.describe(seen))
            yield Rebuilt(game.key, code, said, written, expected, from_words(said, code))


def main(count: int, keys: list[str]) -> int:
    """Print how many boards of each game were rebuilt; the answer is the exit status."""
    failed = 0
    for key in keys or READERS:
        tried = list(rebuilt(shelf()[key], count))
        wrong = [one for one in tried if not one.right]
        failed += len(wrong)
        for code in LANGUAGES:
            here = [one for one in tried if one.code == code]
            print(f"{key} ({code}): {sum(one.right for one in here)} of {len(here)}")
        for one in wrong:
            print(one.wrong())
    return int(failed > 0)


if __name__ == "__main__":
    asked = sys.argv[1:]
    boards_asked = int(asked.pop(0)) if asked and asked[0].isdigit() else BOARDS
    sys.exit(main(boards_asked, asked))
