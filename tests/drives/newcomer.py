"""Somebody who has never been here: ``python -m tests.drives.newcomer [--share 1]``.

He types ``/play`` and then only presses what stands before him, chosen by what the screen says: the
name of a game, «Against the computer», «Start». Counted are his presses until a first move can be
chosen, for every game and place, and whole games are played so. *share* is the part of the games;
what ended well is noted in *kept*, so that the whole may be driven in portions. Needs
``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.core.shelf import shelf
from tests.drives.newcomer_eyes import PLACES, TRIES, Eyes, looking_from
from tests.drives.report import Report
from tests.drives.world import require_emulators

PATIENCE = 90.0

MOST = {"computer": (4, 0), "person": (5, 1)}
"""How many presses the way to the first choice of a move may cost: the opener's, the other's."""

ASIDE = (
    *("In words", "More", "Back", "Resign", "Undo", "Rules", "Record", "Turn round"),
    *("Offer a draw", "Words for the dice and deals", "Verify", "Rematch", "+ computer"),
    *("Cancel", "No, thanks", "Withdraw"),
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
        elif against == "person" and self.eyes.can_choose("Against somebody I invite"):
            await self.press("Against somebody I invite")
            await self.sees(lambda: self.label("Open the table"), "the invitation")
        await self.press(self.label("Start", "Open the table", "Challenge"))

    async def may_move(self) -> None:
        """Until a first move can be chosen, behind a press that leads to his own where it must."""
        mine = await self.sees(lambda: self.label("Set up mine") or self.moves(), "a choice")
        if mine != "Set up mine":
            return
        for _ in range(TRIES):
            # An answer that came too late leads nowhere: he presses again.
            await self.press(mine)
            with suppress(AssertionError):
                await self.sees(self.moves, "his own choices")
                return
        raise AssertionError(f"never his own choices: {self.eyes.said()}")


async def first_choice(eyes: Eyes, title: str, against: str) -> str:
    """The presses of the opener and of the other until a move can be chosen."""
    somebody = Newcomer(eyes)
    await somebody.sets_up(title, against)
    others = 0
    if against == "person":
        others = await eyes.other_comes(lambda wanted, what: somebody.sees(wanted, what))
        if "Start" in eyes.labels():
            # More could sit down than have come.
            await somebody.press("Start")
        await somebody.sees(
            lambda: somebody.moves() or somebody.label("Set up mine") or eyes.others_turn(),
            "a game",
        )
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


@dataclass(frozen=True)
class Way:
    """Something to go through: to the first choice against somebody, or a whole game."""

    place: str
    title: str
    against: str

    @property
    def name(self) -> str:
        return f"{self.place}, {self.against}: {self.title}"

    async def gone(self, folder: Path) -> str:
        """What it took."""
        async with looking_from(self.place, folder) as eyes:
            if self.against in MOST:
                told = await first_choice(eyes, self.title, self.against)
            else:
                told = str(await whole_game(eyes, self.title))
            assert not eyes.faults(), eyes.faults()
            return told


def ways(share: float) -> list[Way]:
    """All ways, or the first of each place for a *share* of the games."""
    titles = [game.title for game in shelf().values()]
    some = titles[: max(1, round(len(titles) * share))]
    # The longest come first: what is short fills the gaps.
    games = [Way(p, t, "to the end") for t in reversed(some) for p in PLACES]
    return games + [Way(p, t, against) for p in PLACES for against in MOST for t in some]


async def go(chosen: list[Way], together: int, kept: Path | None) -> Report:
    """Go all of *chosen*, *together* at a time; good ones are noted in *kept*."""
    gate, report = asyncio.Semaphore(together), Report()

    async def gone(way: Way) -> None:
        async with gate:
            began, wrong = time.monotonic(), list[str]()
            with tempfile.TemporaryDirectory() as folder:
                try:
                    said = await way.gone(Path(folder))
                except Exception as failed:
                    wrong = [f"{type(failed).__name__} {failed}"]
                else:
                    print(f"ok   {way.name} {said} ({time.monotonic() - began:.0f} s)", flush=True)
            report.cell(way.name, wrong)
            if kept is not None and not wrong:
                with kept.open("a") as file:
                    file.write(f"{way.name}\t{said}\n")

    await asyncio.gather(*map(gone, chosen))
    return report


def main() -> int:
    """Go the ways that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.2, help="of the games")
    parser.add_argument("--only", default="", help="ways whose name has this pattern in it")
    parser.add_argument("--together", type=int, default=2, help="how many at a time")
    parser.add_argument("--kept", type=Path, help="a file of what went well: it is not repeated")
    asked = parser.parse_args()
    require_emulators()
    before = asked.kept.read_text() if asked.kept and asked.kept.exists() else ""
    known = {line.split("\t")[0] for line in before.splitlines()}
    found = [w for w in ways(asked.share) if re.search(asked.only, w.name)]
    chosen = [w for w in found if w.name not in known]
    print(f"{len(found)} ways, {len(found) - len(chosen)} gone before", flush=True)
    return asyncio.run(go(chosen, asked.together, asked.kept)).conclude()


if __name__ == "__main__":
    sys.exit(main())
