"""Programs of an evening, beside what people do anyway: a tournament, a ladder, a clock.

Each is followed by the people of one place, who press what is offered there.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests.evening.hobbies import Way, follow
from tests.evening.people import ACCEPT, PLAYED, Actor
from tests.evening.screens import Place

if TYPE_CHECKING:
    from tests.evening.evening import Evening

PROGRAMS = {
    True: ("", "robin", "robin", "arena", "arena", "announced", "announced"),
    False: ("",) * 8 + ("ladder", "ladder", "clocks", "clocks"),
}
"""The programs of an evening, by whether it has a tournament."""

PACE = 0.4, 2.0
RESIGN = Way("/rendirse", "/resign", ("?r yes.*",))
MOVE = Way(steps=("?m .*",))
ENTER, BEGIN = Way(steps=("U enter",)), Way(steps=("?U more", "U begin"))
PAUSE, AGREE = Way("/pausa", "/pause"), Way(steps=("?t .*yes",))
LADDERS = Way("/ajustes", "/settings",
    ("?A [^,]+,me$", "A .*,(off_ladders|seen_everywhere),.*"), alone=True)  # fmt: skip
TAKES_OUT = Way("/ajustes", "/settings",
    ("A [^,]+,place$", "A .*games$", "A .*games,\\w+$", "A .*games,\\w+,\\w+$",
     "A .*games,ask,\\w+$", "A .*games,out,\\w+$"))  # fmt: skip
CODE = re.compile(r"\b(?=\w*[A-Z])[A-Z0-9]{8}\b")


def program_of(seed: str, club: bool) -> str:
    """The program of *seed*."""
    return random.Random(f"{seed}/program").choice(PROGRAMS[club])


@dataclass
class Program:
    """What the people of one place do by the program of an evening."""

    evening: Evening
    place: Place
    actors: list[Actor]

    def __post_init__(self) -> None:
        world = self.evening.world
        self.world, self.lot = world, world.lot(f"program/{self.place.name}")
        self.patience = self.lot.choice((0.0, 0.0, self.lot.uniform(150.0, 260.0)))
        """Until when nobody gives up a game of a tournament."""
        self.ends = world.loop.now + self.evening.plan.minutes * 60
        self.people = [self._copy(one) for one in self.actors]

    def _copy(self, one: Actor) -> Actor:
        """The same person, with chance of their own for what the program asks of them."""
        copy = Actor(one.person, one.place, replace(one.habits, pace=PACE))
        copy.lot = self.world.lot(f"program/{self.place.name}/{one.name}")
        return copy

    async def follow(self) -> None:
        """Follow the program to the end of the evening."""
        for actor in self.actors:
            actor.habits.absent = self.lot.random() < 0.8
        await asyncio.sleep(self.lot.uniform(1.0, 20.0))
        greeting = {"telegram": "/start", "port": "/help"}.get(self.place.name)
        for one in self.people if greeting else ():
            await self.place.write(one.name, greeting, alone=True)
        doing = {"ladder": self._ladder, "clocks": self._clocks}
        await doing.get(self.evening.plan.program, self._tournament)()

    @property
    def _goes_on(self) -> bool:
        return self.world.loop.now < self.ends

    # ---------------------------------------------------------------- tournaments

    async def _tournament(self) -> None:
        """The manager opens one, people enter, play and resign; perhaps somebody never comes."""
        kind, people = self.evening.plan.program, self.people
        if kind != "arena":
            people = people[: len(people) - (len(people) + 1) % 2]
        opens = ["?U new", "U game,niya"]
        command = "/torneo", "/tournament"
        if kind == "arena":
            opens += ["?U page,format", "U format,arena"]
        if kind == "announced":
            at = datetime.fromtimestamp(time.time() + self.lot.uniform(70.0, 200.0), UTC)
            opens = ["U game,niya"]
            command = f"/torneo inicio={at:%H:%M}", f"/tournament start={at:%H:%M}"
        await follow(people[0], Way(*command, (*opens, "U open")))
        away = people[-1] if self.lot.random() < 0.6 else None
        self.actors[len(people) - 1].habits.absent |= away is not None
        await asyncio.gather(*(follow(one, ENTER) for one in people))
        if kind != "announced":
            await follow(people[0], BEGIN)
        await asyncio.gather(*(self._plays(one) for one in people if one is not away))

    async def _plays(self, one: Actor) -> None:
        while self._goes_on:
            await asyncio.sleep(one.lot.uniform(6.0, 20.0))
            gives_up = one.lot.random() < 0.5 and self.world.loop.now > self.patience
            await follow(one, RESIGN if gives_up else MOVE)

    # ---------------------------------------------------------------- ladders

    async def _ladder(self) -> None:
        """The first wins rated games; one is taken out; people choose where they are seen."""
        champion, *others = self.people
        rated = "por puntos" if self.place.name == "telegram" else "rated=yes"
        for number in range(60):
            if not self._goes_on:
                break
            other = others[number // 5 % len(others)]
            await self._challenge(champion, other, rated)
            for _ in range(4):
                for one in (champion, other):
                    await self._moves(one)
            await follow(other, RESIGN)
            if number == 2:
                await follow(self.lot.choice(self.people), LADDERS)
            if number in (1, 6) and self.lot.random() < 0.6:
                await follow(champion, TAKES_OUT)
            if number == 3 and self.place.name == self.evening.plan.platforms[-1]:
                await self._link()
        await follow(champion, LADDERS)

    async def _challenge(self, one: Actor, other: Actor, how: str) -> None:
        told = PLAYED[self.place.name]["challenge"].partition(" rated=")[0].removesuffix(" {rated}")
        told = f"{told} {how}".format(game="niya", other=other.name.lower())
        await self.place.write(one.name, told)
        await other.follow((ACCEPT,), tries=2)

    async def _moves(self, one: Actor) -> None:
        """Move where it is their turn, once, as quickly as they see it."""
        await asyncio.sleep(one.lot.uniform(0.2, 0.6))
        if (board := self._board(one)) is not None:
            await one.press(board, one.lot.choice(board.codes("m")))

    def _board(self, one: Actor) -> Any:
        mine = [seen for seen in one.recent() if seen.codes("m") and one._mine(seen)]
        return mine[-1] if mine else None

    async def _link(self) -> None:
        """The first person of each place are one: they say so."""
        places = self.evening.promises.places
        theirs, name = places[self.evening.plan.platforms[0]], self.people[0].name
        if theirs is self.place:
            return
        heard = await theirs.write(name, LINKS[theirs.name], alone=True)
        await asyncio.sleep(5.0)
        texts = [heard.said, *(one.text for one in theirs.screen(name)[-3:])]
        codes = [found.group() for text in texts if (found := CODE.search(text))]
        if codes:
            word = " " if self.place.name == "telegram" else " code="
            told = LINKS[self.place.name] + word + codes[0]
            await self.place.write(name, told, alone=True)
            await follow(self.people[0], Way(steps=("L yes.*",)))

    # ---------------------------------------------------------------- clocks

    async def _clocks(self) -> None:
        """Games by short clocks: moves in the last second, pauses, and somebody who forgets."""
        pairs = zip(self.people[::2], self.people[1::2], strict=False)
        await asyncio.gather(*(self._by_clock(*pair) for pair in pairs))

    async def _by_clock(self, one: Actor, other: Actor) -> None:
        how = "reloj=30s/jugada" if self.place.name == "telegram" else "clock=30s/move"
        for both in ((one, other), (other, one)) * 10:
            if not self._goes_on:
                return
            await self._challenge(*both, how)
            for _ in range(4):
                await self._turn(both)

    async def _turn(self, both: Sequence[Actor]) -> None:
        """Somebody's turn: they move at once or late, or the game is stopped before, or never."""
        await self.place.net.until(lambda: self._board(both[0]) or self._board(both[1]), 15.0)
        mover = next((one for one in both if self._board(one)), None)
        if mover is None:
            return
        how = mover.lot.choice(("at once", "at once", "late", "late", "over", "paused", "never"))
        if how == "paused":
            for _ in range(2):
                await follow(mover, PAUSE)
                await asyncio.sleep(mover.lot.uniform(1.0, 3.0))
                await follow(next(one for one in both if one is not mover), AGREE)
                await asyncio.sleep(mover.lot.uniform(3.0, 8.0))
                await follow(mover, PAUSE)
        if how == "never":
            await asyncio.sleep(40.0)
            return
        if how in ("late", "over"):
            late = mover.lot.uniform(0.1, 2.0)
            await self._wait_for(mover, 30.0 + (late if how == "over" else -late))
        else:
            await asyncio.sleep(mover.lot.uniform(0.5, 4.0))
        if (board := self._board(mover)) is not None:
            self.evening.in_the_last_second(self.place, how == "late")
            await mover.press(board, mover.lot.choice(board.codes("m")))

    async def _wait_for(self, one: Actor, seconds: float) -> None:
        """Wait until the turn of *one* has lasted so many *seconds*."""
        board, model = self._board(one), self.evening.promises.model
        table = min(board.tables, default="")
        came = max((at for (code, _), at in model.came.items() if code == table), default=0.0)
        await asyncio.sleep(max(0.0, came + seconds - self.world.loop.now))


LINKS = {"telegram": "/enlazar", "discord": "/link", "port": "/link", "page": "/link"}
