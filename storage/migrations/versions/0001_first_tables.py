"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Builds all tables."""
    op.create_table(
        "person",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("language", sa.String),
        sa.Column("created", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "identity",
        sa.Column("platform", sa.String, primary_key=True),
        sa.Column("external", sa.String, primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
    )
    op.create_index("ix_identity_person", "identity", ["person"])
    op.create_table(
        "game",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
        sa.Column("secret", sa.LargeBinary),
        sa.Column("summary", sa.String, nullable=False),
        sa.Column("parent", sa.String, sa.ForeignKey("game.code")),
    )
    op.create_index("ix_game_status", "game", ["status"])
    op.create_table(
        "seat",
        sa.Column("game", sa.String, sa.ForeignKey("game.code"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id")),
        sa.Column("level", sa.Integer),
        sa.Column("side", sa.String, nullable=False),
        sa.Column("place", sa.Integer),
    )
    op.create_index("ix_seat_person", "seat", ["person"])
    op.create_table(
        "event",
        sa.Column("game", sa.String, sa.ForeignKey("game.code"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sqlite_with_rowid=False,
    )
    _create_views()
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("update", sa.String, nullable=False),
        sa.Column("payload", sa.String),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("platform", "update"),
    )
    op.create_index("ix_inbox_state_at", "inbox", ["state", "at"])
    op.create_table(
        "place",
        sa.Column("platform", sa.String, primary_key=True),
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("retry_at", sa.BigInteger),
        sa.Column("suspended", sa.Boolean, nullable=False),
        sa.Column("language", sa.String),
        sa.Column("settings", sa.JSON, nullable=False),
    )
    op.create_table(
        "deadline",
        sa.Column("game", sa.String, sa.ForeignKey("game.code"), primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_deadline_at", "deadline", ["at"])
    op.create_table(
        "setting",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("value", sa.String, nullable=False),
    )


def _create_views() -> None:
    op.create_table(
        "view",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String, sa.ForeignKey("game.code"), nullable=False),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("message", sa.String),
        sa.Column("thread", sa.String),
        sa.Column("audience", sa.Integer),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id")),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("theme", sa.String, nullable=False),
        sa.Column("side", sa.Integer),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("owed", sa.Integer, nullable=False),
        sa.Column("token", sa.String),
        sa.Column("token_at", sa.BigInteger),
        sa.Column("posted", sa.BigInteger),
        sa.Column("digest", sa.String, nullable=False),
        sa.UniqueConstraint("game", "platform", "place", "message"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_view_platform_place_message", "view", ["platform", "place", "message"])
    behind = sa.text("shown < owed")
    op.create_index("ix_view_behind", "view", ["id"], sqlite_where=behind, postgresql_where=behind)
