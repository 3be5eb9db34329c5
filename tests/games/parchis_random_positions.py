"""Random Parchís positions: some played, some strewn so that squares are crowded."""

from __future__ import annotations

import random

from games.core import Setting
from games.parchis import GAME

LETTERS = "AZRV"
SALIDAS = {"A": 5, "Z": 22, "R": 39, "V": 56}
SAFE = {5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68}
DUES = ["d1", "d2", "d3", "d4", "d5", "d5", "d6", "d6", "d6", "+20", "+20", "+10", "!", "?"]


def random_options(rng: random.Random) -> dict[str, str]:
    return {option.key: rng.choice(option.values) for option in GAME.rules.options}


def random_sides(rng: random.Random) -> tuple[str, ...]:
    sides = rng.sample(GAME.rules.sides, rng.choice([2, 3, 4]))
    return tuple(side for side in GAME.rules.sides if side in sides)


def played(rng: random.Random, plies: int):
    """The options and a position after *plies* random moves, or before the end."""
    options = random_options(rng)
    position = GAME.start(Setting(random_sides(rng), options))
    for _ in range(plies):
        (seat,) = position.actors()
        following = position.after(rng.choice(position.legal_moves(seat)))
        if following.outcome():
            break
        position = following
    return options, position


def _square(letter: str, index: int) -> str:
    if index in (0, 72):
        return f"{letter}{index}-"
    if index > 64:
        return f"{letter}p{index}"
    return str((SALIDAS[letter] + index - 2) % 68 + 1)


def strewn(rng: random.Random) -> tuple[dict[str, str], str]:
    """Options and the text of a crowded position with something due."""
    options = random_options(rng)
    sides = random_sides(rng)
    letters = [LETTERS[GAME.rules.sides.index(side)] for side in sides]
    centre = rng.randrange(68)
    spread = rng.choice([6, 14, 68])
    boxes: dict[str, list[str]] = {}
    words = []
    for letter in letters:
        indices: list[int] = []
        while len(indices) < 4:
            index = _some_index(rng, letter, centre, spread)
            box = _square(letter, index)
            there = boxes.setdefault(box, [])
            foreign = any(name[0] != letter for name in there)
            white = box.isdigit() and int(box) not in SAFE
            if not box.endswith("-") and (len(there) == 2 or (foreign and white)):
                continue
            if index == 72 and indices.count(72) == 3:
                continue
            there.append(f"{letter}{len(indices) + 1}")
            indices.append(index)
        spent = options["first_five"] == "two" and rng.random() < 0.5
        words.append(f"{letter}={','.join(map(str, indices))}{'*' if spent else ''}")
    turn = rng.choice(letters)
    due = rng.choice(DUES)
    if due == "!" and options["rolling"] == "auto":
        due = "?"
    sixes = rng.choice([0, 0, 1, 2])
    out = [name for box, there in boxes.items() for name in there if name[0] == turn]
    out = [name for name in out if name not in boxes.get(f"{turn}0-", [])]
    last = rng.choice([*out, "-"]) if sixes or due[0] == "+" else "-"
    full = {square: boxes.get(str(square), []) for square in sorted(SALIDAS.values())}
    arrivals = [f"{square}:{rng.choice(two)}" for square, two in full.items() if len(two) == 2]
    return options, " ".join([*words, turn, due, str(sixes), last, ",".join(arrivals) or "-"])


def _some_index(rng: random.Random, letter: str, centre: int, spread: int) -> int:
    chance = rng.random()
    if chance < 0.12:
        return 0
    if chance < 0.2:
        return 72
    if chance < 0.4:
        return rng.randrange(62, 72)
    if chance < 0.5:
        return 1
    square = (centre + rng.randrange(spread)) % 68
    index = (square - SALIDAS[letter] + 1) % 68 + 1
    return index if index <= 64 else 0
