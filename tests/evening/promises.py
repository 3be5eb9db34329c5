"""What must hold, checked while it runs; each counts the moments in which it could have failed."""

from __future__ import annotations

from collections import Counter
from typing import Any


class Promises:
    """The promises of an evening."""

    def __init__(self, world: Any, story: Any, net: Any, plan: Any) -> None:
        self.world, self.story, self.net, self.plan = world, story, net, plan
        self.moments: Counter[str] = Counter()
        self.breaches: list[tuple[str, str]] = []
        self.places: dict[str, Any] = {}

    def broken(self, name: str, why: object) -> None:
        self.breaches.append((name, f"{self.world.loop.now:.3f} {why}"))
        self.story.tell("BROKEN:", name, "-", why)

    def pressed(self, place, key, person, seen, code) -> None: ...
    def wrote(self, place, key, person, text) -> None: ...
    def heard_at_once(self, key, heard) -> None: ...
    def logged(self, level, name, words) -> None: ...
    def shut(self) -> None: ...
    def opened(self, house) -> None: ...
    async def quiet(self, house) -> None: ...
