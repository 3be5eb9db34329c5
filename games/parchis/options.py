"""How a table plays: its house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.core import Option
from games.parchis.moves import Stage

OPTIONS = (
    Option("first_five", ("one", "two"), rated=("two",)),
    Option("mixed_barriers", ("no", "yes"), rated=("yes",)),
    Option("barriers_only_safe", ("no", "yes"), rated=("yes",)),
    Option("overshoot", ("bounce", "exact"), rated=("exact",)),
    Option("exit_captures", ("full", "always"), rated=("always",)),
    Option("ending", ("all", "first"), rated=("first",)),
    Option("rolling", ("hand", "auto"), rated=("auto",)),
)


@dataclass(frozen=True)
class House:
    """The options of a table (P16, B4-B6, B13), each as what it changes."""

    two_on_first: bool = False
    mixed_barriers: bool = False
    only_safe: bool = False
    bounces: bool = True
    exit_always: bool = False
    first_ends: bool = False
    by_hand: bool = True

    @classmethod
    def of(cls, options: Mapping[str, str]) -> House:
        """The house rules that *options* choose."""
        return cls(
            two_on_first=options["first_five"] == "two",
            mixed_barriers=options["mixed_barriers"] == "yes",
            only_safe=options["barriers_only_safe"] == "yes",
            bounces=options["overshoot"] == "bounce",
            exit_always=options["exit_captures"] == "always",
            first_ends=options["ending"] == "first",
            by_hand=options["rolling"] == "hand",
        )

    @property
    def before_a_roll(self) -> Stage:
        """What is due where the die must be rolled."""
        return Stage.THROW if self.by_hand else Stage.AIR
