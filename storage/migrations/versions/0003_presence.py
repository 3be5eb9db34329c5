"""From where people play, and which calls have been answered."""

import sqlalchemy as sa
from alembic import op

revision = "e3a94410fb27"
down_revision = "b08d2f6e7c15"

# The calls that an earlier release has left in chats, so that they are taken away.
_STANDING = """
INSERT INTO call (game, person, kind, turn, platform, place, thread, message)
SELECT view.game, min(seat.person), '', 0, min(view.platform), view.place, view.thread, view.call
FROM view JOIN seat ON seat.game = view.game
WHERE view.call IS NOT NULL AND seat.person IS NOT NULL GROUP BY view.game
"""


def upgrade() -> None:
    """Moves the calls that stand in chats from the views to their own table."""
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
