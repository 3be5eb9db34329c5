"""What people chose, calls that reach them, drafts of new tables, codes that join identities."""

import sqlalchemy as sa
from alembic import op

revision = "b08d2f6e7c15"
down_revision = "5c7e91d0a3f4"


def upgrade() -> None:
    """Adds what is new; nothing that is there changes."""
    op.add_column("person", sa.Column("settings", sa.JSON, nullable=False, server_default="{}"))
    op.add_column("person", sa.Column("same_as", sa.Integer))
    op.create_table(
        "call",
        sa.Column("game", sa.String, sa.ForeignKey("game.code"), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("platform", sa.String),
        sa.Column("place", sa.String),
        sa.Column("thread", sa.String),
        sa.Column("message", sa.String),
    )
    op.create_index("ix_call_due", "call", ["due"])
    op.create_table(
        "draft",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("thread", sa.String),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_draft_person", "draft", ["person"])
    op.create_index("ix_draft_at", "draft", ["at"])
    op.create_table(
        "link",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
