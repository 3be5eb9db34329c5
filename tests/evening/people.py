"""People: small actors who know what stands on their screen, and press what is offered there.

Each has a stream of chance of their own, paces of a person or of a program, and habits. They do
not know the rules: a board offers moves, an invitation can be accepted, a sheet has a next step.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.evening.hobbies import Way, follow, offered
from tests.evening.screens import Heard, Person, Place, Seen

LOOKED_AT = 14
"""How many of the newest messages somebody looks at."""

REACTIONS = (
    (re.compile("t .*(yes|no)"), 0.3),
    (re.compile("T (claim|grant|missed)"), 0.3),
    (re.compile("n $"), 0.05),
    (re.compile("x (no|back)"), 0.02),
    (re.compile("U enter"), 0.05),
)
"""What people answer of themselves where it is offered, and how often at once."""

AGAIN = ((re.compile("n $"), 0.5),)
"""What those answer besides who play again and again."""

SECONDS = {"telegram": " 10s/jugada", "": " clock=10s/move"}
"""What they type behind a challenge."""

ACCEPT = ("Aceptar", "Accept", "Sentarme", "Sit down")
YES = ("Sí, ", "Sí", "Yes")

PLAYED = {
    "telegram": {
        "challenge": "/jugar {game} @{other} {rated}",
        "rated": {True: "por puntos", False: "amistosa"},
        "open": "/jugar {game}",
        "computer": "/jugar {game} ordenador {rated}",
    },
    "discord": {
        "challenge": "/play game={game} opponent=@{other} rated={rated}",
        "rated": {True: "yes", False: "no"},
        "open": "/play game={game}",
        "computer": "/play game={game} level=1 rated={rated}",
    },
}
PLAYED["port"] = PLAYED["page"] = PLAYED["discord"]
"""How a table is opened by a typed line."""

WORDS = {
    "telegram": ("/tablero", "/mesas", "/clasificacion", "/perfil", "/ayuda", "/reglas niya",
                 "/problema", "/aprender niya", "/ajustes", "/abandonar", "/salir", "/tablas",
                 "/torneo", "/versus", "/deshacer", "/pausa", "/idioma", "/privacidad"),
    "discord": ("/board", "/games", "/top", "/profile", "/help", "/rules game=niya", "/puzzle",
                "/learn game=niya", "/settings", "/resign", "/leave", "/draw", "/tournament",
                "/versus", "/undo", "/pause", "/language", "/privacy"),
}  # fmt: skip
WORDS["port"] = WORDS["page"] = WORDS["discord"]
"""What people type besides."""

WAYS = {
    "tournament": (
        ("Torneo de Niya", "Niya tournament"),
        ("Abrir el torneo", "Open the tournament", "Abrir"),
    ),
    "enter": (("Apuntarme", "Enter"),),
    "begin": (
        ("Más", "More"),
        ("Empezar ya", "Start now", "Empezar"),
    ),
}
"""Labels that one presses after the other to get somewhere."""


@dataclass
class Habits:
    """What somebody does, as shares of their acts; the rest is playing."""

    pace: tuple[float, float] = (0.5, 4.0)
    """The least and the most seconds between two acts."""
    opens: float = 0.0
    computer: float = 0.0
    """Of the tables that they open, those against a computer."""
    rated: float = 0.3
    types: float = 0.02
    curious: float = 0.03
    """They press anything."""
    meddles: float = 0.02
    """They press boards of others."""
    twice: float = 0.02
    old: float = 0.02
    """They press an old board."""
    hasty: float = 0.0
    """They press what they have just seen."""
    away: float = 0.01
    """They go away for a while."""
    games: tuple[str, ...] = ("niya",)
    besides: float = 0.0
    """They do one of their *hobbies*."""
    hobbies: tuple[Way, ...] = ()
    impatient: float = 0.0
    """They press or type at once again, before anything is answered."""
    absent: bool = False
    """They do nothing."""
    by_seconds: bool = False
    """They play with seconds for a move, and again when it is over."""


@dataclass
class Actor:
    """Somebody at a place."""

    person: Person
    place: Place
    habits: Habits
    presses: int = 0
    known: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        return self.person.name

    async def live(self, until: float) -> None:
        """Look, think and act, until an instant of the evening."""
        world = self.place.net.world
        self.lot = world.lot(f"person/{self.place.name}/{self.name}")
        while world.loop.time() < until:
            await self._think()
            if self.lot.random() < self.habits.away:
                await asyncio.sleep(self.lot.uniform(30.0, 240.0))
            await self.act()

    async def _think(self) -> None:
        shortest, longest = self.habits.pace
        before = {one.id for one in self.place.screen(self.name)}
        pause = self.lot.uniform(shortest, longest)
        if self.lot.random() < self.habits.hasty:

            def news() -> bool:
                return any(one.id not in before for one in self.place.screen(self.name))

            await self.place.net.until(news, pause)
            return
        await asyncio.sleep(pause)

    async def act(self) -> None:
        """Do one thing."""
        if self.habits.absent:
            return
        drawn, habits = self.lot.random(), self.habits
        for share, doing in (
            (habits.opens, self._open),
            (habits.besides, self._besides),
            (habits.types, self._type),
            (habits.curious, self._anything),
            (habits.meddles, self._meddle),
            (habits.old, self._old),
        ):
            if drawn < share:
                await doing()
                return
            drawn -= share
        await self._play()

    # ---------------------------------------------------------------- what they do

    async def _play(self) -> None:
        """Accept what asks for them, or move where it is their turn."""
        seen = self.recent()
        for one in reversed(seen):
            if (code := one.code(*ACCEPT)) and self._asked(one):
                await self.press(one, code)
                return
        reactions = AGAIN + REACTIONS if self.habits.by_seconds else REACTIONS
        for pattern, share in reactions:
            if self.lot.random() < share and (found := offered(self, pattern)):
                await self.press(found[0], self.lot.choice(found[1]))
                return
        mine = [one for one in seen if one.codes("m") and self._mine(one)]
        if not mine:
            return
        board = self.lot.choice(mine)
        code = self.lot.choice(board.codes("m"))
        self.at_once(lambda lot: self.press(board, lot.choice(board.codes("m"))))
        await self.press(board, code)
        if self.lot.random() < self.habits.twice:
            await self.press(board, code)

    async def _open(self) -> None:
        words = PLAYED[self.place.name]
        others = [one for one in self.place.people.values() if one.name != self.name]
        other = self.lot.choice(others)
        rated = words["rated"][self.lot.random() < self.habits.rated]
        kind = "computer" if self.lot.random() < self.habits.computer else "challenge"
        game = self.lot.choice(self.habits.games)
        told = words[kind].format(game=game, other=other.name.lower(), rated=rated)
        if self.habits.by_seconds:
            told += SECONDS.get(self.place.name, SECONDS[""])
        await self.place.write(self.name, told)

    async def _besides(self) -> None:
        await follow(self, self.lot.choice(self.habits.hobbies))

    async def _type(self) -> None:
        words = self.lot.choice(WORDS[self.place.name])
        self.at_once(lambda lot: self.place.write(self.name, words))
        await self.place.write(self.name, words)

    def at_once(self, act: Callable[[random.Random], Coroutine[Any, Any, Heard]]) -> None:
        """Do something else within a second, where they are impatient."""
        world = self.place.net.world
        lot = world.lot(f"impatience/{self.place.name}/{self.name}")

        async def follow() -> None:
            await asyncio.sleep(lot.uniform(0.02, 0.8))
            await act(lot)

        if lot.random() < self.habits.impatient:
            world.spawn(follow())

    async def _anything(self) -> None:
        seen = [one for one in self.recent() if one.buttons]
        if seen:
            one = self.lot.choice(seen)
            await self.press(one, self.lot.choice(one.buttons)[1])

    async def _meddle(self) -> None:
        seen = [one for one in self.recent() if one.codes("m") and not self._mine(one)]
        if seen:
            one = self.lot.choice(seen)
            await self.press(one, self.lot.choice(one.codes("m")))

    async def _old(self) -> None:
        seen = [one for one in self.place.screen(self.name)[:-LOOKED_AT] if one.codes("m")]
        if seen:
            one = self.lot.choice(seen)
            await self.press(one, self.lot.choice(one.codes("m")))

    async def follow(self, ways: Sequence[Sequence[str]], tries: int = 6) -> bool:
        """Press one label after the other; whether they came to the last."""
        for labels in ways:
            for _ in range(tries):
                found = await self.place.net.until(lambda labels=labels: self._with(labels), 90.0)
                if not found:
                    return False
                await asyncio.sleep(self.lot.uniform(*self.habits.pace))
                seen = self._with(labels) or found
                heard = await self.press(seen, seen.code(*labels) or "")
                if heard.answered:
                    break
        return True

    def _with(self, labels: Sequence[str]) -> Seen | None:
        found = [one for one in self.recent() if one.code(*labels)]
        return found[-1] if found else None

    # ---------------------------------------------------------------- what they see

    def recent(self) -> list[Seen]:
        return self.place.screen(self.name)[-LOOKED_AT:]

    def _first_line(self, one: Seen) -> str:
        return next((line for line in one.text.splitlines() if line.strip()), "")

    def _mine(self, one: Seen) -> bool:
        """Whether the headline of a board says that it is their turn."""
        return self.name in self._first_line(one)

    def _asked(self, one: Seen) -> bool:
        """Whether an invitation names them, or nobody."""
        return self.name in one.text

    async def press(self, one: Seen, code: str) -> Heard:
        self.presses += 1
        return await self.place.press(self.name, one, code)


def told(heard: Any) -> str:
    """What somebody heard, short."""
    return repr(heard.said[:60]) if heard.answered else "(no answer)"
