"""A subcommand imports what it needs: nobody waits for the libraries of another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CHATS = {"discord", "telegram", "aiohttp", "httpx", "bot.chats", "bot.facade"}
DATABASE = {"sqlalchemy", "aiosqlite", "alembic", "storage"}

REPORT = """
import sys
from bot.app.main import main
try:
    main(sys.argv[1:])
finally:
    print("\\n".join(sys.modules), file=sys.stderr)
"""


def imported_by(folder: Path, *arguments: str) -> set[str]:
    """The modules that a process of its own has imported once it has done the command."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (("--version",), {"pydantic_settings", "games.niya", "PIL", *CHATS, *DATABASE}),
        (("games",), {"pydantic_settings", *CHATS, *DATABASE}),
        (("picture", "niya", "-o", "niya.png"), {"pydantic_settings", *CHATS, *DATABASE}),
        (("best", "niya", "--level", "1"), {"pydantic_settings", *CHATS, *DATABASE}),
        (("doctor",), {"discord", "telegram"}),
    ],
)
def test_a_subcommand_imports_what_it_needs(tmp_path, arguments, unwanted):
    assert not unwanted & imported_by(tmp_path, *arguments)
