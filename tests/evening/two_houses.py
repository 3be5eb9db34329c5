"""Two houses of an evening on one database, and what befalls them.

One is killed, stopped, or cut off from the server, and another one starts beside the survivor; or
a new one starts first, as where the release is upgraded.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from storage.store import Store

if TYPE_CHECKING:
    from tests.evening.evening import Evening
    from tests.evening.house import House

SHARE = 0.0
"""The share of evenings with two houses: until the promises know of them (such as that Discord
tells two sessions of one press), they are played by ``--plan houses 2``."""

HOWS = ("killed", "killed", "killed", "upgraded", "upgraded", "stopped", "cut", "silent", "both")
"""What befalls them: *upgraded* by a new one that starts beside an old one before that is stopped;
*silent*, a connection by which nothing comes through for a while; *both* are killed."""

KEPT_ALIVE = 11.0
"""Seconds of silence after which a server ends a connection (``storage.database.postgresql``)."""

TAKING_UP = 30.0
"""Seconds in which one has begun all that another one leaves."""

IDLE = 20.0
"""Seconds after which one is killed that takes few steps."""


class Neighbours:
    """The houses of an evening, and what becomes of them."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.world = evening, evening.world
        self.server = evening.server
        self.fallen = asyncio.Event()
        """Whether the one that is to be killed is dead, or may not die any more."""
        self.over = False
        self._one_by_one = asyncio.Lock()
        self._befalling: list[asyncio.Task[None]] = []

    @property
    def living(self) -> list[House]:
        return [one for one in self.evening.houses if not one.dead and one.facade is not None]

    async def begin(self) -> None:
        """Open two, one after the other or at once: then they divide what there is to do."""
        empty = await Store.open(f"sqlite+aiosqlite:///{self.evening.folder}/games.db")
        await empty.close()
        first = self.open()
        if self.world.lot("two houses").random() < 0.5:
            await first
            await self.open()
        else:
            await asyncio.gather(first, self.open())

    async def open(self) -> None:
        """Open one more."""
        house = await self.evening.open_house(self.evening.folder)
        self.world.spawn(self._supervise(house))

    async def welcome(self, house: House) -> None:
        """Let *house* be found by people, and wait until they find one everywhere."""
        if (chat := house.facade.chats.get("port")) is not None:
            # Whoever presses is heard by any of them, as on a page.
            self.evening.net.port.connect(chat)
        if "discord" in house.platforms:
            for _ in range(60):  # sessions begin in turns
                if self.evening.net.discord.socket is None:
                    await asyncio.sleep(1.0)

    def befall(self, ends: float) -> None:
        """Draw what becomes of them until *ends*."""
        lot = self.world.lot("two houses")
        count = lot.randint(2, 5)
        for number in range(count):
            at = lot.uniform(ends * number / count, ends * (number + 1) / count)
            drawn = lot.choice(HOWS), lot.random(), lot.randrange(1, 4000)
            self._befalling.append(self.world.spawn(self._befall(number, at, *drawn)))

    async def end(self) -> None:
        """Let nothing more befall them; what has begun comes to its end."""
        self.over = True
        for house in self.evening.houses:
            house.dies_at = 0
        self.fallen.set()
        await asyncio.gather(*self._befalling)

    async def stop_all_but(self, last: House) -> None:
        """Stop the others, and let the *last* one take up what they did."""
        for house in [one for one in self.living if one is not last]:
            await self._stop(house)
        await asyncio.sleep(TAKING_UP)

    async def _befall(self, number: int, at: float, how: str, which: float, steps: int) -> None:
        await asyncio.sleep(max(0.0, at - self.world.loop.time()))
        script = self.evening.script
        if script is not None and number not in {one[0] for one in script.deaths}:
            return
        async with self._one_by_one:
            if self.over or not self.living:
                return
            house = self.living[int(which * len(self.living))]
            self.evening.story.tell("**", house.name, "is to be", how)
            self.evening.story.script.deaths.append((number, how, steps))
            await getattr(self, f"_{how}")(house, steps)

    async def _killed(self, house: House, steps: int) -> None:
        self.fallen.clear()
        house.dies_at = house.steps + steps
        try:
            async with asyncio.timeout(IDLE):
                await self.fallen.wait()
        except TimeoutError:
            house.die()
        if house.dead:
            await self._succeed()

    async def _both(self, house: House, steps: int) -> None:
        del house, steps
        for one in self.living:
            one.die()
        await self._succeed()
        await self._succeed()

    async def _upgraded(self, house: House, steps: int) -> None:
        await self.open()
        await asyncio.sleep(steps / 400)
        await self._stop(house)

    async def _stopped(self, house: House, steps: int) -> None:
        del steps
        await self._stop(house)
        await self._succeed()

    async def _cut(self, house: House, steps: int) -> None:
        await self._silent(house, steps, 4000.0, 0.0)

    async def _silent(
        self, house: House, steps: int, most: float = 250.0, cut: float = KEPT_ALIVE
    ) -> None:
        lasts = steps / most
        for one in [one for one in self.server.sessions if one.house is house]:
            one.fall_silent(lasts, cut or lasts)
        await asyncio.sleep(lasts)

    async def _succeed(self) -> None:
        await asyncio.sleep(self.world.lot("heirs").uniform(1.0, 10.0))
        await self.open()

    async def _stop(self, house: House) -> None:
        """Stop it, unless it has died meanwhile."""
        if house.dead or house.stopping:
            return
        await house.stop()
        house.dead = True
        self.evening.net.discord.drop(house)

    async def _supervise(self, house: House) -> None:
        """Let one that must end do so, and another one take its place."""
        why = await house.facade.failures.get()
        self.evening.story.tell("**", house.name, "gives up:", type(why).__name__)
        self.evening.promises.shut()
        await self._stop(house)
        await self._succeed()
