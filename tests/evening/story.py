"""The story of an evening: what was done and what befell, as a list that can be told again.

A script is all that people, the network and death did: each act with its instant, each call that
something befell, each kill with its step. It replays without the people who made it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.evening.loop import World


@dataclass(frozen=True)
class Act:
    """What somebody did: *verb* with *what*, at *at* seconds of the evening.

    *update* is the number under which the platform told it; it stays where other acts are left
    out, so that ids of the house stay as well.
    """

    at: float
    who: str
    place: str
    verb: str
    what: dict[str, Any]
    update: int = 0


@dataclass
class Script:
    """All that made an evening what it was, beside its seed."""

    seed: str
    acts: list[Act] = field(default_factory=list)
    befallen: dict[str, str] = field(default_factory=dict)
    """What befell which call, by its key."""
    deaths: list[tuple[int, str, int]] = field(default_factory=list)
    """Which house, how ("killed", "stopped") and at which of its steps."""

    @property
    def size(self) -> int:
        return len(self.acts) + len(self.befallen) + len(self.deaths)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Script:
        told = json.loads(path.read_text(encoding="utf-8"))
        deaths = [tuple(one) for one in told["deaths"]]
        acts = [Act(**one) for one in told["acts"]]
        return cls(told["seed"], acts, told["befallen"], deaths)


@dataclass
class Story:
    """The lines of an evening, and its script."""

    world: World
    tells: bool = False
    """Whether each line is printed as it comes."""
    lines: list[str] = field(default_factory=list)
    script: Script = field(init=False)

    def __post_init__(self) -> None:
        self.script = Script(self.world.seed)

    def tell(self, *words: object) -> None:
        """A line, behind its instant."""
        line = f"{self.world.loop.now:9.3f} " + " ".join(map(str, words))
        self.lines.append(line)
        if self.tells:
            print(line, flush=True)

    def befell(self, key: str, what: str) -> None:
        self.script.befallen[key] = what

    def act(self, who: str, place: str, verb: str, update: int = 0, **what: Any) -> None:
        """Somebody does something now."""
        act = Act(round(self.world.loop.now, 6), who, place, verb, what, update)
        self.script.acts.append(act)

    def digest(self) -> str:
        """A short name of all that happened."""
        return hashlib.sha256("\n".join(self.lines).encode()).hexdigest()[:16]
