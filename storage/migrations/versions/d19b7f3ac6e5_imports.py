"""What was imported of other places: finished games and ladders as text, of nobody here."""

import sqlalchemy as sa
from alembic import op

revision = "d19b7f3ac6e5"
down_revision = "9b27f03ce5d8"

_KEY = ("platform", "place", "source")


def upgrade() -> None:
    """Adds the tables, which nothing before has read."""
    op.create_table(
        "imported_place",
        *(sa.Column(name, sa.String, primary_key=True) for name in _KEY),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
    )
    op.create_table(
        "imported_game",
        *(sa.Column(name, sa.String, primary_key=True) for name in (*_KEY, "code")),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("day", sa.String, nullable=False),
        sa.Column("names", sa.String, nullable=False),
        sa.Column("record", sa.String, nullable=False),
    )
