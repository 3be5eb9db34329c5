"""Events say the version of their form and of the rules, and persons by their ids alone.

Release 0.1 wrote the names into the events. What it wrote and this cannot read stays as it is:
the table is set aside by whoever reads it. That release kept SQLite files only.
"""

from typing import NamedTuple

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_NAMELESS = """
SELECT game, number, seat, at, json_extract(data, '$.name'), json_extract(data, '$.person')
FROM event WHERE kind = 'sit' AND CASE WHEN json_valid(data) THEN
    json_type(data, '$.name') = 'text' AND json_extract(data, '$.name') <> ''
    AND json_type(data, '$.level') = 'null' AND json_type(data, '$.person') IN ('null', 'integer')
    AND coalesce(json_extract(data, '$.person') NOT IN (SELECT id FROM person), TRUE)
END ORDER BY game, number
"""
_KNOWN = "SELECT id FROM person WHERE id = :person"
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
_PLATFORM = """
SELECT platform FROM (
    SELECT 0 AS rank, id, platform FROM view WHERE game = :game
    UNION ALL
    SELECT 1, seat.seat, identity.platform FROM seat
    JOIN identity ON identity.person = seat.person WHERE seat.game = :game
) ORDER BY rank, id LIMIT 1
"""


class _Sitting(NamedTuple):
    """Somebody of whom no row knows the name that his event says."""

    game: str
    number: int
    seat: int
    at: int
    name: str
    person: int | None


def upgrade() -> None:
    """Gives every name a person, then takes the names out of the events."""
    connection = op.get_bind()
    for sitting in map(_Sitting._make, connection.exec_driver_sql(_NAMELESS).all()):
        if sitting.person is not None:
            if connection.execute(sa.text(_KNOWN), sitting._asdict()).first() is None:
                _add_person(connection, sitting)
            continue
        person = _namesake(connection, sitting)
        values = {"game": sitting.game, "person": person}
        connection.execute(
            sa.text(
                "UPDATE event SET data = json_set(data, '$.person', :person) "
                "WHERE game = :game AND number = :number"
            ),
            {**values, "number": sitting.number},
        )
        # Who has sat down since, or a computer, is there already.
        connection.execute(
            sa.text(
                "UPDATE seat SET person = :person WHERE game = :game AND seat = :seat "
                "AND person IS NULL AND level IS NULL"
            ),
            {**values, "seat": sitting.seat},
        )
    connection.exec_driver_sql(_CONVERTED)


def _add_person(connection: sa.Connection, sitting: _Sitting) -> int:
    added = connection.execute(
        sa.text("INSERT INTO person (id, name, created) VALUES (:person, :name, :at) RETURNING id"),
        sitting._asdict(),
    )
    return int(added.scalar_one())


def _namesake(connection: sa.Connection, sitting: _Sitting) -> int:
    """The person who bears an @name on the platform on which he was challenged by it."""
    platform = connection.execute(sa.text(_PLATFORM), sitting._asdict()).scalar()
    identity = {"platform": platform, "external": sitting.name.casefold()}
    known = connection.execute(
        sa.text("SELECT person FROM identity WHERE platform = :platform AND external = :external"),
        identity,
    ).scalar()
    if known is not None:
        return int(known)
    person = _add_person(connection, sitting)
    if platform is not None:
        connection.execute(
            sa.text("INSERT INTO identity VALUES (:platform, :external, :person)"),
            {**identity, "person": person},
        )
    return person
