"""Columns that lists are answered from, tables set aside, snapshots, and calls as columns.

Columns come and go one by one: rebuilding ``view`` as a whole would lose the count of its ids.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

PING = "ping:"


def upgrade() -> None:
    """Adds what is new, fills it for the games that are there, drops what nobody read."""
    op.drop_column("game", "summary")
    op.add_column("game", sa.Column("over_at", sa.BigInteger))
    op.add_column("game", sa.Column("to_move", sa.Integer))
    op.add_column(
        "game", sa.Column("computer", sa.Boolean, nullable=False, server_default=sa.text("0"))
    )
    op.add_column("seat", sa.Column("over_at", sa.BigInteger))
    op.drop_column("view", "audience")
    op.add_column("view", sa.Column("over_at", sa.BigInteger))
    op.add_column("view", sa.Column("called", sa.Integer))
    op.add_column("view", sa.Column("call", sa.String))
    _create_tables()
    # Whose turn it is where a game is being played only its events know: NULL until they are read.
    op.execute("UPDATE game SET over_at = touched WHERE status IN ('ended', 'closed')")
    op.execute("UPDATE game SET to_move = 0 WHERE status <> 'playing'")
    for table in ("seat", "view"):
        op.execute(
            f"UPDATE {table} SET over_at = "  # noqa: S608 - two names of our own
            f"(SELECT over_at FROM game WHERE code = {table}.game)"
        )
    _keep_calls()
    _create_indexes()


def _create_tables() -> None:
    op.create_table(
        "fault",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("event", sa.Integer),
        sa.Column("why", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_fault"),
        sa.ForeignKeyConstraint(["game"], ["game.code"], name="fk_fault_game"),
    )
    op.create_table(
        "snapshot",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("format", sa.String, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_snapshot"),
        sa.ForeignKeyConstraint(["game"], ["game.code"], name="fk_snapshot_game"),
    )


def _keep_calls() -> None:
    """``ping:<view>`` = ``<turn> <message>`` in the settings becomes columns of the view."""
    connection = op.get_bind()
    setting = sa.table("setting", sa.column("key"), sa.column("value"))
    view = sa.table("view", sa.column("id"), sa.column("called"), sa.column("call"))
    kept = setting.c.key.startswith(PING, autoescape=True)
    for key, value in connection.execute(sa.select(setting).where(kept)).all():
        number, (turn, _, message) = key.removeprefix(PING), value.partition(" ")
        if number.isdecimal() and turn.isdecimal():
            called = {"called": int(turn), "call": message or None}
            connection.execute(view.update().where(view.c.id == int(number)).values(called))
    connection.execute(setting.delete().where(kept))


def _create_indexes() -> None:
    op.drop_index("ix_seat_person", "seat")
    op.create_index("ix_seat_person_over_at_game", "seat", ["person", "over_at", "game"])
    op.create_index(
        "ix_view_platform_place_over_at_game", "view", ["platform", "place", "over_at", "game"]
    )
    computer, unknown = (sa.text("computer = 1"), sa.text("computer")), sa.text("to_move IS NULL")
    for name, lite, other in (
        ("ix_game_computer", *computer),
        ("ix_game_unknown", unknown, unknown),
    ):
        op.create_index(name, "game", ["code"], sqlite_where=lite, postgresql_where=other)
