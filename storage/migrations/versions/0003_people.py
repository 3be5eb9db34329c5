"""What people chose, calls that reach them, sheets of new tables, codes that join identities."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# The calls that an earlier release has left in chats, so that they are taken away.
_STANDING = """
INSERT INTO call (game, person, kind, turn, platform, place, thread, message)
SELECT view.game, min(seat.person), '', 0, min(view.platform), view.place, view.thread, view.call
FROM view JOIN seat ON seat.game = view.game
WHERE view.call IS NOT NULL AND seat.person IS NOT NULL GROUP BY view.game
"""


def upgrade() -> None:
    """Adds what is new; nothing that is there changes."""
    _add_persons()
    _add_calls()
    _add_drafts()
    _add_links()


def _add_persons() -> None:
    op.add_column("person", sa.Column("settings", sa.JSON, nullable=False, server_default="{}"))
    op.add_column("person", sa.Column("same_as", sa.Integer))


def _add_calls() -> None:
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
    op.create_index("ix_call_platform_place", "call", ["platform", "place"])
    answered = sa.text("kind = ''")
    op.create_index("ix_call_answered", "call", ["game"], sqlite_where=answered)
    op.create_table(
        "presence",
        sa.Column("game", sa.String, sa.ForeignKey("game.code"), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("thread", sa.String),
        sa.Column("private", sa.Boolean, nullable=False),
    )
    op.create_index("ix_presence_platform_place", "presence", ["platform", "place"])
    op.execute(_STANDING)
    op.drop_column("view", "called")
    op.drop_column("view", "call")


def _add_drafts() -> None:
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


def _add_links() -> None:
    op.create_table(
        "link",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
