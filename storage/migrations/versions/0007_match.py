"""Which match a game belongs to, and what that stands at."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Adds the column; games of earlier releases belong to none."""
    op.add_column("game", sa.Column("match", sa.String, nullable=False, server_default=""))
