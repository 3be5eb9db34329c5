"""What the levels of the computer players are called."""

from __future__ import annotations

from games.core import BadOption, Game, Phrase, phrase

LEVEL_NAMES = (
    "beginner",
    "novice",
    "learner",
    "casual",
    "regular",
    "competent",
    "skilled",
    "advanced",
    "seasoned",
    "strong",
    "veteran",
    "expert",
    "virtuoso",
    "champion",
    "master",
)
"""What fifteen levels are called; fewer take some of the names, from the first to the last."""


def level_name(game: Game, level: int) -> Phrase:
    """What *level* of *game* is called."""
    steps = max(1, game.levels - 1)
    return phrase(f"house.level.{LEVEL_NAMES[(level - 1) * (len(LEVEL_NAMES) - 1) // steps]}")


def check_level(game: Game, level: int) -> None:
    """Raise ``BadOption`` with the levels of *game* where *level* is none of them."""
    if not 1 <= level <= game.levels:
        first, last = level_name(game, 1), level_name(game, game.levels)
        name = phrase(f"{game.key}.name")
        raise BadOption(phrase("house.bad-level", game=name, n=game.levels, first=first, last=last))
