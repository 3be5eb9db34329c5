"""One file of sprites for the tests of a run, and for the bots that they start.

Every process drew the same sprites anew: half of the time of a test that shows its first boards.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.app.runner import SPRITES
from render.kit import sprite_cache


def file_of_the_run(factory: pytest.TempPathFactory) -> Path:
    """The file that all workers of this run share."""
    folder = factory.getbasetemp()
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / SPRITES


def draw_anew(patch: pytest.MonkeyPatch) -> None:
    """Let no sprite come from a file, in a test that looks at how they are drawn."""
    patch.setattr(sprite_cache.STORE, "get", lambda key: None)


def lend(folder: Path) -> None:
    """Let a bot whose database is in *folder* find the sprites of this process's file."""
    own = sprite_cache.STORE.path
    if own is not None and not (folder / SPRITES).exists():
        (folder / SPRITES).symlink_to(own)
