"""Release 0.3.0: what people chose and are told, from where they play, clocks, talk, processes.

The release before it, 0.2.0, kept SQLite files only.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from storage.migrations.columns import (
    add_table,
    instants,
    key,
    number,
    numbers,
    of,
    of_kind,
    person,
    texts,
)

revision = "0008"
down_revision = "5c7e91d0a3f4"

# The calls that an earlier release has left in chats, so that they are taken away.
_STANDING = """
INSERT INTO call (game, person, kind, turn, platform, place, thread, message)
SELECT view.game, min(seat.person), '', 0, min(view.platform), view.place, view.thread, view.call
FROM view JOIN seat ON seat.game = view.game
WHERE view.call IS NOT NULL AND seat.person IS NOT NULL GROUP BY view.game
"""
# A reminder for turns of the last day.
_REMINDERS = """
INSERT OR IGNORE INTO deadline (game, kind, version, at)
SELECT code, 'reminder', version, touched + 86400000 FROM game WHERE status = 'playing'
AND touched > (strftime('%s', 'now') - 86400) * 1000
"""


def upgrade() -> None:
    """Adds what is new, and moves the calls that stand in chats to their own table."""
    for table, column in _columns():
        op.add_column(table, column)
    op.create_index("ix_deadline_person_at", "deadline", ["person", "at"])
    _add_tables()
    op.create_index("ix_call_answered", "call", ["game"], sqlite_where=sa.text("kind = ''"))
    op.execute(_STANDING)
    op.execute(_REMINDERS)
    for called in ("called", "call"):
        op.drop_column("view", called)


def _columns() -> list[tuple[str, sa.Column[Any]]]:
    return [
        ("person", sa.Column("settings", sa.JSON, nullable=False, server_default="{}")),
        ("person", sa.Column("same_as", sa.Integer)),
        ("person", sa.Column("reminded", sa.BigInteger)),
        ("event", sa.Column("steady", sa.BigInteger)),
        ("deadline", sa.Column("person", sa.Integer)),
        ("game", sa.Column("match", sa.String, nullable=False, server_default="")),
        ("game", sa.Column("holder", sa.Integer, nullable=False, server_default="0")),
    ]


def _add_tables() -> None:
    call = [of("call", "game.code", primary_key=True), person("call"), *texts("kind")]
    call += [*numbers("turn"), *instants("due", nullable=True)]
    call += texts("platform", "place", "thread", "message", nullable=True)
    add_table("call", call, ["due"], ["platform", "place"])
    draft = [number("id"), of("draft", "person.id", nullable=False), *texts("platform", "place")]
    draft += [*texts("thread", nullable=True), *of_kind(sa.JSON, "data"), *instants("at")]
    add_table("draft", draft, ["person"], ["at"], counted=True)
    add_table("link", [*key("code"), of("link", "person.id", nullable=False), *instants("at")])
    presence = [of("presence", "game.code", primary_key=True), person("presence")]
    presence += [*texts("platform", "place"), *texts("thread", nullable=True)]
    presence += of_kind(sa.Boolean, "private")
    add_table("presence", presence, ["platform", "place"])
    outage = [number("id"), *texts("platform", "place"), *instants("began")]
    add_table("outage", [*outage, *instants("ended", nullable=True)])
    talk = [number("id"), *(of("talk", one, nullable=False) for one in ("game.code", "person.id"))]
    talk += [*numbers("seat", nullable=True), *texts("preset", "text"), *instants("at")]
    add_table("talk", talk, ["person"], ["game", "id"], counted=True)
    add_table("process", [number("number"), *instants("until")], counted=True)
    add_table("lease", [*key("name"), *numbers("holder")])
