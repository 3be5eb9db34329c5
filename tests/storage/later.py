"""The next release, as far as its schema goes: this one with one more migration."""

from __future__ import annotations

import shutil
from pathlib import Path

from storage import upgrade

SCRIPT = '''"""Adds what the release before does not know."""

import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{newest}"
{accepts}


def upgrade():
    op.create_table("guild", sa.Column("id", sa.Integer, primary_key=True))
    with op.batch_alter_table("game") as game:
        game.add_column(sa.Column("guild", sa.Integer, server_default="0", nullable=False))
'''

NEXT = "NEXT_RELEASE"
"""The variable that makes a driven process one of the next release, with a folder for it."""

OURS, NEWEST = upgrade.MIGRATIONS, upgrade.newest_revision()
BEARS = f'accepts = "{NEWEST}"'
"""How a schema says that this release may run on it."""


def migrations(folder: Path, accepts: str = BEARS) -> Path:
    """The migrations of the next release, made in *folder* where they are not there yet."""
    made = folder / "migrations"
    if not made.exists():
        shutil.copytree(OURS, made)
        script = SCRIPT.format(newest=NEWEST, accepts=accepts)
        (made / "versions" / "9001_later.py").write_text(script)
    return made
