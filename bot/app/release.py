"""Which release runs: its number, and the commit where that is known."""

from __future__ import annotations

from pathlib import Path

from bot import __version__
from bot.app.git_commit import checked_out

COMMIT = "commit.txt"
"""The file beside ``bot/__init__.py`` into which a build writes the commit that it is made of."""

SHORT = 10
"""The digits of a commit that are shown."""


def release() -> str:
    """The number of the release, and in brackets the commit, such as ``0.3.0 (1a2b3c4d5e)``."""
    package = Path(__file__).parents[1]
    written = package / COMMIT
    commit = written.read_text("ascii").strip() if written.is_file() else None
    commit = commit or checked_out(package.parent)
    return __version__ if not commit else f"{__version__} ({commit[:SHORT]})"
