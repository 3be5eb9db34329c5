"""The person of a deadline, the last reminder of a person, and outages."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "91f6c5d8273e"


def upgrade() -> None:
    """Adds what is new, and a reminder for turns of the last day."""
    op.add_column("deadline", sa.Column("person", sa.Integer))
    op.create_index("ix_deadline_person_at", "deadline", ["person", "at"])
    op.add_column("person", sa.Column("reminded", sa.BigInteger))
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
    )
    op.execute(
        "INSERT OR IGNORE INTO deadline (game, kind, version, at) "
        "SELECT code, 'reminder', version, touched + 86400000 FROM game WHERE status = 'playing' "
        "AND touched > (strftime('%s', 'now') - 86400) * 1000"
    )
