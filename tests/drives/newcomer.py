"""Somebody who has never been here: ``python -m tests.drives.newcomer [--share 1]``.

He types ``/play`` and then only presses what stands before him, chosen by what the screen says: the
name of a game, «Against the computer», «Start». Counted are his presses until a first move can be
chosen, for every game and place, and whole games are played so. *share* is the part of the games;
Needs ``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.core.shelf import shelf
from tests.drives.newcomer_eyes import PLACES, Eyes, opened
from tests.drives.stage import EMULATORS, emulators

PATIENCE = 60.0

MOST = {"computer": (4, 0), "person": (5, 1)}
"""How many presses the way to the first choice of a move may cost: the opener's, the other's."""

ASIDE = (
    *(
        "In words",
        "More",
        "Back",
        "Resign",
        "Undo",
        "Rules",
        "Record",
        "Turn round",
        "Offer a draw",
    ),
    *("My words", "Verify", "Rematch", "+ computer", "Cancel", "No, thanks", "Withdraw"),
)
"""How labels begin that continue no game: whoever reads them knows it."""

TO_ACT = ("your turn", "to move", "set up", "to begin")
"""What a screen says when somebody is asked."""


@dataclass
class Newcomer:
    """Reads and presses; *presses* are his own since he typed ``/play``."""

    eyes: Eyes
    rng: random.Random = field(default_factory=lambda: random.Random(11))
    presses: int = 0
    read: list[str] = field(default_factory=list)

    async def press(self, label: str) -> None:
        self.presses += 1
        self.read.append(f"{self.eyes.said()}\n  {self.eyes.labels()}\n  → {label}")
        await self.eyes.press(label)

    async def sees(self, wanted: Callable[[], Any], what: str) -> Any:
        """What *wanted* finds on the screen, once it does."""
        until = time.monotonic() + PATIENCE
        while not (found := wanted()):
            assert time.monotonic() < until, (
                f"never: {what}; {self.eyes.said()!r} {self.eyes.labels()}"
            )
            await self.eyes.wait()
        return found

    def label(self, *beginnings: str) -> str:
        """The first label that begins so."""
        found = (one for b in beginnings for one in self.eyes.labels() if one.startswith(b))
        return next(found, "")

    def moves(self) -> list[str]:
        """What continues the game, as the labels say it."""
        if not any(word in self.eyes.said().lower() for word in TO_ACT):
            return []
        return [one for one in self.eyes.labels() if not one.startswith(ASIDE) and "»" not in one]

    async def sets_up(self, title: str, against: str) -> None:
        """From the games to a board that waits or plays."""
        await self.eyes.play()
        await self.press(await self.sees(lambda: self.label(title), "the game"))
        await self.sees(lambda: self.label("Start", "Open the table"), "the sheet")
        if against == "computer" and self.eyes.can_choose("Against the computer"):
            await self.press("Against the computer")
            await self.sees(lambda: self.label("Start"), "the computer")
        elif against == "person" and await self.eyes.pick():
            self.presses += 1
            await self.sees(lambda: self.label("Challenge"), "the person")
        elif against == "person" and self.eyes.can_choose("With somebody I invite"):
            await self.press("With somebody I invite")
            await self.sees(lambda: self.label("Open the table"), "the invitation")
        await self.press(self.label("Start", "Challenge", "Open the table"))

    async def may_move(self) -> None:
        """Until a first move can be chosen, behind a press that leads to his own where it must."""
        mine = await self.sees(lambda: self.label("Set up mine") or self.moves(), "a choice")
        if mine == "Set up mine":
            await self.press(mine)
            await self.sees(self.moves, "his own choices")


async def first_choice(eyes: Eyes, title: str, against: str) -> str:
    """The presses of the opener and of the other until a move can be chosen."""
    somebody = Newcomer(eyes)
    await somebody.sets_up(title, against)
    others = 0
    if against == "person":
        others = await eyes.other_comes(lambda wanted, what: somebody.sees(wanted, what))
        if not await somebody.sees(
            lambda: somebody.moves() or somebody.label("Set up mine") or eyes.others_turn(),
            "a game",
        ):
            raise AssertionError("no game")
    if not eyes.others_turn():
        await somebody.may_move()
    mine, theirs = MOST[against]
    assert somebody.presses <= mine, (somebody.presses, somebody.read)
    assert others <= theirs, others
    return f"{somebody.presses}+{others}" if others else str(somebody.presses)


async def whole_game(eyes: Eyes, title: str) -> int:
    """A game against the computer to its end; how many presses it took."""
    somebody = Newcomer(eyes)
    await somebody.sets_up(title, "computer")
    while True:
        await somebody.sees(
            lambda: somebody.moves() or somebody.label("Set up mine", "Rematch"),
            "a choice or the end",
        )
        if somebody.label("Rematch"):
            return somebody.presses
        choices = somebody.moves()
        label = somebody.label("Set up mine") if not choices else somebody.rng.choice(choices)
        ready = somebody.label("Ready", "All set")
        await somebody.press(ready or label)


async def _ways(folder: Path, share: float) -> str:
    """From ``/play`` to the first choice of a move, in every place."""
    told = []
    titles = [game.title for game in shelf().values()]
    for place in PLACES:
        some = titles[: max(1, round(len(titles) * share))]
        for against in MOST:
            counts = []
            for title in some:
                async with opened(place, folder / f"{place}-{against}-{title}") as eyes:
                    counts.append(await first_choice(eyes, title, against))
                    assert not eyes.faults(), eyes.faults()
            told.append(f"{place}, {against}: {' '.join(counts)}")
    return "; ".join(told)


async def _games(folder: Path, share: float) -> str:
    """Whole games against the computer, in every place."""
    told = []
    titles = [game.title for game in shelf().values()]
    for place in PLACES if share >= 1 else PLACES[:1]:
        for title in titles if share >= 1 else ["Niya"]:
            async with opened(place, folder / f"{place}-{title}") as eyes:
                presses = await whole_game(eyes, title)
                assert not eyes.faults(), eyes.faults()
                told.append(f"{place} {title} {presses}")
                print(f"     {told[-1]}", flush=True)
    return "presses to the end: " + ", ".join(told)


SCENES: dict[str, Callable[[Path, float], Awaitable[str]]] = {
    "from /play to the first choice": _ways,
    "whole games": _games,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.newcomer", description=__doc__)
    parser.add_argument("--share", type=float, default=0.2, help="of the games")
    parser.add_argument("--only", default="", help="scenes whose name has this in it")
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    failed = False
    for name, scene in SCENES.items():
        if asked.only not in name:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                said, mark = asyncio.run(scene(Path(folder), asked.share)), "ok  "
            except (AssertionError, TimeoutError) as wrong:
                failed, mark, said = True, "FAIL", f"{type(wrong).__name__} {wrong}"
        print(f"{mark} {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
