"""Which games count for the ratings.

Their first events have words that earlier releases do not know, so none of those may run beside.
"""

import sqlalchemy as sa
from alembic import op

revision = "119b59ec092f"
down_revision = "0008"


def upgrade() -> None:
    """Adds the column; no game of an earlier release counts."""
    op.add_column("game", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
