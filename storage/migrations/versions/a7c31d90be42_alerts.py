"""Who wants to be told when somebody opens a table of a game in a place.

A release before this one reads neither the calls that come of it nor the events that say who is
missed: it may not go on beside it.
"""

import sqlalchemy as sa
from alembic import op

revision = "a7c31d90be42"
down_revision = "119b59ec092f"


def upgrade() -> None:
    """Adds the table, in which nobody has asked for anything yet."""
    op.create_table(
        "alert",
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("platform", sa.String, primary_key=True),
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("told", sa.BigInteger),
    )
    op.create_index("ix_alert_platform_place_game", "alert", ["platform", "place", "game"])
