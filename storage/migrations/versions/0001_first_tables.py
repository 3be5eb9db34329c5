"""The tables of release 0.1, where every database of an earlier release begins.

A new database gets the tables of ``storage.schema`` at once and passes no revision.
"""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Nothing: the tables are there."""
