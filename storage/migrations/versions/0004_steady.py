"""The time of events by the clock that is never set."""

import sqlalchemy as sa
from alembic import op

revision = "91f6c5d8273e"
down_revision = "e3a94410fb27"


def upgrade() -> None:
    """Adds the column; what happened before has none, and its own time stands for it."""
    # For some days this revision came before the one above, so the column may be there.
    columns = sa.inspect(op.get_bind()).get_columns("event")
    if all(column["name"] != "steady" for column in columns):
        op.add_column("event", sa.Column("steady", sa.BigInteger))
