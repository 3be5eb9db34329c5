"""Release 0.2.0: columns that lists are answered from, tables set aside; no names in the events.

Columns come and go one by one: rebuilding ``view`` as a whole would lose the count of its ids.
Events of release 0.1 that cannot be read stay as they are: their table is set aside at its first
reading. That release kept SQLite files only.
"""

from typing import NamedTuple

import sqlalchemy as sa
from alembic import op

from storage.migrations.columns import add_table, instants, numbers, of, texts

revision = "5c7e91d0a3f4"
down_revision = "0001"

PING = "ping:"

_NAMELESS = """
SELECT game, number, seat, at, json_extract(data, '$.name'), json_extract(data, '$.person')
FROM event WHERE kind = 'sit' AND CASE WHEN json_valid(data) THEN
    json_type(data, '$.name') = 'text' AND json_extract(data, '$.name') <> ''
    AND json_type(data, '$.level') = 'null' AND json_type(data, '$.person') IN ('null', 'integer')
    AND coalesce(json_extract(data, '$.person') NOT IN (SELECT id FROM person), TRUE)
END ORDER BY game, number
"""
_CONVERTED = """
UPDATE event SET data = CASE kind
    WHEN 'open' THEN json_set(data, '$.v', 1, '$.rules', 1)
    WHEN 'sit' THEN json_remove(json_set(data, '$.v', 1), '$.name', '$.left')
    ELSE json_set(data, '$.v', 1)
END
WHERE CASE WHEN json_valid(data) THEN json_type(data) = 'object' END AND kind IN (
    'open', 'sit', 'stand', 'words', 'start', 'move', 'draw', 'aside', 'offer', 'answer', 'undo',
    'leave', 'end', 'reveal', 'rematch', 'close'
)
"""
_ADD = """
INSERT INTO person (id, name, created) VALUES (:person, :name, :at)
ON CONFLICT DO NOTHING RETURNING id
"""
_PLATFORM = """
SELECT platform FROM (
    SELECT 0 AS rank, id, platform FROM view WHERE game = :game
    UNION ALL
    SELECT 1, seat.seat, identity.platform FROM seat
    JOIN identity ON identity.person = seat.person WHERE seat.game = :game
) ORDER BY rank, id LIMIT 1
"""
_KNOWN = "SELECT person FROM identity WHERE platform = :platform AND external = :external"
_SAT = """
UPDATE event SET data = json_set(data, '$.person', :person) WHERE game = :game AND number = :number
"""
# Who has sat down since, or a computer, is there already.
_SEATED = """
UPDATE seat SET person = :person
WHERE game = :game AND seat = :seat AND person IS NULL AND level IS NULL
"""


class _Sitting(NamedTuple):
    """A person whose name only an event holds."""

    game: str
    number: int
    seat: int
    at: int
    name: str
    person: int | None


def upgrade() -> None:
    """Adds what is new, fills it for the games that are there, drops what nobody read."""
    connection = op.get_bind()
    _change_tables()
    # Whose turn it is where a game is being played only its events know: NULL until they are read.
    op.execute("UPDATE game SET over_at = touched WHERE status IN ('ended', 'closed')")
    op.execute("UPDATE game SET to_move = 0 WHERE status <> 'playing'")
    for table in ("seat", "view"):
        op.execute(
            f"UPDATE {table} SET over_at = "  # noqa: S608 - two names of our own
            f"(SELECT over_at FROM game WHERE code = {table}.game)"
        )
    _keep_calls(connection)
    for row in connection.exec_driver_sql(_NAMELESS).all():
        _give_person(connection, _Sitting(*row))
    connection.exec_driver_sql(_CONVERTED)
    _change_indexes()


def _change_tables() -> None:
    op.drop_column("game", "summary")
    for table in ("game", "seat", "view"):
        op.add_column(table, sa.Column("over_at", sa.BigInteger))
    op.add_column("game", sa.Column("to_move", sa.Integer))
    op.add_column(
        "game", sa.Column("computer", sa.Boolean, nullable=False, server_default=sa.text("0"))
    )
    op.drop_column("view", "audience")
    op.add_column("view", sa.Column("called", sa.Integer))
    op.add_column("view", sa.Column("call", sa.String))
    add_table(
        "fault",
        [
            of("fault", "game.code", primary_key=True),
            *numbers("event", nullable=True),
            *texts("why"),
            *instants("at"),
        ],
    )


def _change_indexes() -> None:
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


def _keep_calls(connection: sa.Connection) -> None:
    """``ping:<view>`` = ``<turn> <message>`` in the settings becomes columns of the view."""
    setting = sa.table("setting", sa.column("key"), sa.column("value"))
    view = sa.table("view", sa.column("id"), sa.column("called"), sa.column("call"))
    kept = setting.c.key.startswith(PING, autoescape=True)
    for key, value in connection.execute(sa.select(setting).where(kept)).all():
        number, (turn, _, message) = key.removeprefix(PING), value.partition(" ")
        if number.isdecimal() and turn.isdecimal():
            called = {"called": int(turn), "call": message or None}
            connection.execute(view.update().where(view.c.id == int(number)).values(called))
    connection.execute(setting.delete().where(kept))


def _give_person(connection: sa.Connection, sitting: _Sitting) -> None:
    """Adds the person of *sitting*; an @name alone is resolved to its person."""
    values = sitting._asdict()
    if sitting.person is not None:
        connection.execute(sa.text(_ADD), values)
        return
    values["platform"] = connection.execute(sa.text(_PLATFORM), values).scalar()
    values["external"] = sitting.name.casefold()
    values["person"] = connection.execute(sa.text(_KNOWN), values).scalar()
    if values["person"] is None:
        values["person"] = connection.execute(sa.text(_ADD), values).scalar_one()
        if values["platform"] is not None:
            added = "INSERT INTO identity VALUES (:platform, :external, :person)"
            connection.execute(sa.text(added), values)
    connection.execute(sa.text(_SAT), values)
    connection.execute(sa.text(_SEATED), values)
