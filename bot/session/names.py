"""Names and words of people as they may be shown, and what the levels of computers are called."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from games.core import BadOption, Game, Phrase, phrase, verbatim
from games.core.shelf import find_game, guests, highest_level

LONGEST_NAME = 32
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159\U00013441\U00013442")
"""Letters and signs that leave no ink: Hangul fillers, Braille without dots, a null notehead,
hieroglyphic blanks. What is a format character or a mark besides says so by its category."""


@lru_cache(maxsize=4096)  # every press brings the name of its presser
def cleaned(name: str, longest: int = LONGEST_NAME) -> str:
    """*name* on one line, cut with «…», no control characters; nothing where it leaves no ink."""
    kept = "".join(
        " " if c in BLANK or unicodedata.category(c) in ("Zl", "Zp", "Cc") else c
        for c in unicodedata.normalize("NFC", name[: 8 * longest])
        if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn")
    )
    kept = "".join(c for n, c in enumerate(kept) if not _is_stacked(kept, n))
    kept = " ".join(kept.split()).strip()
    if len(kept) > longest:
        kept = f"{kept[: longest - 1].rstrip()}…"
    return kept if any(unicodedata.category(c)[0] in "LNPS" for c in kept) else ""


def _is_stacked(text: str, index: int) -> bool:
    return index >= 2 and all(unicodedata.combining(c) for c in text[index - 2 : index + 1])


MARKS = "▶►▸▷➤★☆⭐✓✔✗✘🏆🏖⏳⌛⏸🎲⇄→🤖"
"""The signs by which our own lines tell what happens, and what looks like them."""

_TWINS = str.maketrans(
    {
        **dict(zip("аеёзіїӏјкмонрсѕтуүхһԁԛԝѵ", "aeeeiiljkmohpcstyyxhdqwv", strict=True)),
        **dict(zip("αεηικνορτυχω", "aenikvoptuxw", strict=True)),
        **dict(zip("0135|ıłøđ", "oiesliIod".lower(), strict=True)),
    }
)
"""Letters and digits of which nobody sees at a glance that they are others (after UTS 39)."""


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """What *name* looks like: names of one skeleton cannot be told apart at a table."""
    lower = unicodedata.normalize("NFKD", name).casefold().translate(_TWINS)
    plain = unicodedata.normalize("NFKD", lower)
    return "".join(c for c in plain if unicodedata.category(c)[0] in "LN").replace("l", "i")


def without_marks(name: str) -> str:
    """*name* without the signs of ``MARKS``."""
    return cleaned(name.translate(dict.fromkeys(map(ord, MARKS + "\ufe0f"))))


LEVEL_NAMES = 15
"""How many names levels have; of fewer each has one of these, from the first to the last."""


def program_name(game: Game, level: int) -> str:
    """The name of the program from outside that plays *level* of *game*; "" where none does."""
    return dict(enumerate(guests(game.key), game.computer.levels + 1)).get(level, "")


def level_name(game: Game, level: int) -> Phrase:
    """What *level* of *game* is called."""
    if name := program_name(game, level):
        return verbatim(name)
    own = game.computer.levels
    place = (min(level, own) - 1) * (LEVEL_NAMES - 1) // max(1, own - 1)
    return phrase(f"house.level.{place + 1}")


def computer_name(key: str, level: int) -> Phrase:
    """What the computer player of *level* of the game *key* is called at a table."""
    if name := program_name(find_game(key), level):
        return phrase("house.program", name=name, level=level)
    return phrase("house.computer", level=level)


def check_level(game: Game, level: int) -> None:
    """Raise ``BadOption`` with the levels of *game* where *level* is none of them."""
    levels = highest_level(game)
    if not 1 <= level <= levels:
        first, last = level_name(game, 1), level_name(game, levels)
        name = phrase(f"{game.key}.name")
        raise BadOption(phrase("house.bad-level", game=name, n=levels, first=first, last=last))
