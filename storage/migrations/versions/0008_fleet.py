"""The processes on the database, their leases, and the process that lets computers think."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
accepts = "0007"


def upgrade() -> None:
    """Adds what is new; there are no processes and leases yet."""
    op.add_column("game", sa.Column("holder", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "process",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "lease",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("holder", sa.Integer, nullable=False),
    )
