"""What people say to one another over a table."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Adds what is new."""
    op.create_table(
        "talk",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String, sa.ForeignKey("game.code"), nullable=False),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("preset", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_talk_person", "talk", ["person"])
    op.create_index("ix_talk_game_id", "talk", ["game", "id"])
