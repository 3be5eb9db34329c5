"""The real process in an emulated Telegram: ``python -m tests.drives.telegram [--share 1]``.

Plays whole games by buttons, typed and against the computer, and floods a group; what breaks is
driven by ``tests.drives.faults``. *share* is the part of the full numbers: a twentieth by default,
which takes about three minutes. Needs ``../shared/emulators``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.drives import telegram_games as games
from tests.drives import telegram_other_games as others
from tests.drives import telegram_pace as pace
from tests.drives.scenes import run_scenes

Scene = Callable[[Path, float], Awaitable[str]]

SCENES: dict[str, Scene] = {
    "a game by buttons": games.by_buttons,
    "a game typed": games.typed,
    "a game in private": games.in_private,
    "invitations": games.invitations,
    "three lively tables": pace.lively,
    "forty tables": pace.many,
    "refused presses": pace.refused,
    "parchis of four": others.parchis,
    "every other game": others.shelf,
    "whole games": others.whole,
    "a hidden set-up": others.hidden,
}


def main() -> None:
    """Run what is asked for, and end with 1 where a scene has failed."""
    run_scenes("telegram", __doc__, SCENES)


if __name__ == "__main__":
    main()
