"""Bars: who is kept out of the tables of a place, or of the whole house."""

import sqlalchemy as sa
from alembic import op

revision = "aa3dc282b1cc"
down_revision = "78ee1be32d09"


def upgrade() -> None:
    """Adds the table; nobody is kept out before."""
    names = ("platform", "external", "at_platform", "at_place")
    op.create_table(
        "bar",
        *(sa.Column(name, sa.String, primary_key=True) for name in names),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Integer),
    )
    op.create_index("ix_bar_at_platform_at_place", "bar", ["at_platform", "at_place"])
