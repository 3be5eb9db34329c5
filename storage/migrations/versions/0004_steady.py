"""When something happened by the clock that nobody sets."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column; what happened before has none, and its own time stands for it."""
    op.add_column("event", sa.Column("steady", sa.BigInteger))
