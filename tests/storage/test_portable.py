"""The statements: the same for PostgreSQL, and none that reads a whole table."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from sqlalchemy import ClauseElement, Connection
from sqlalchemy import event as events
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import Engine

from storage import Store, bot_settings, inbox, records, schema
from storage.club.place_id_change import move_rows
from storage.person import people
from storage.place import places
from storage.records import TokenRenewal
from storage.table import deadlines, games, notifications, views
from tests.storage.rows import NOON, PLAYING, add_game, add_view, event, later, seats

FILES = True

SMALL = ("ix_view_behind", "ix_game_computer", "ix_game_unknown", "ix_call_answered")
"""Indexes of few rows, which may be read from end to end."""


async def every_function(store: Store) -> None:
    """Calls each function of each noun once."""
    living: tuple[records.Status, ...] = ("open", "playing")
    statuses: tuple[records.Status, ...]
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        await people.ensure_person(tx, "telegram", "1", "Anita", NOON)
        await people.load_person(tx, ana.id)
        await people.find_person(tx, "telegram", "1")
        await people.load_names(tx, [ana.id])
        await people.load_identities(tx, ana.id)
        await people.change_person(tx, ana.id, language="en")
        await add_game(tx, person=ana.id)
        await games.load_game(tx, "k7")
        await games.load_events(tx, "k7")
        await games.append_events(tx, "k7", 1, [event(2)], standing=PLAYING, at=NOON)
        await games.replace_seats(tx, "k7", seats(ana.id))
        told = {"standing": PLAYING, "at": NOON, "publishes": True}
        await games.append_events(tx, "k7", 2, [event(3)], **told)
        here = ("telegram", "-100")
        for statuses in (living, ("ended",), (*living, "ended")):
            await games.list_games(tx, statuses, 25, person=ana.id)
            await games.list_games(tx, statuses, 25, place=here)
            await games.list_games(tx, statuses, 25, person=ana.id, place=here)
        await games.games_awaiting_computer(tx)
        await games.games_without_standing(tx, 100)
        await games.set_standing(tx, "k7", 2, "niya", NOON, PLAYING)
        view = await add_view(tx)
        await views.load_view(tx, view.id)
        await views.views_of_game(tx, "k7")
        await views.view_by_message(tx, "telegram", "-100", "41")
        await views.owe_views(tx, "k7", 2)
        renewal = TokenRenewal("telegram", "-100", "m", "t", NOON)
        await views.owe_views(tx, "k7", 2, renewal)
        await views.owing_views(tx)
        await views.mark_view_shown(tx, view.id, 2, "d", message="42", posted=NOON)
        called = records.NotificationRow("k7", ana.id, "turn", 1, NOON)
        await notifications.put_notifications(tx, [called])
        await notifications.put_notifications(tx, [called])
        await notifications.notifications_of_game(tx, "k7")
        await notifications.resume_notifications(tx, NOON)
        await notifications.mark_notified(tx, called, called)
        await notifications.answered_notifications(tx)
        await notifications.dismiss_notification(tx, called)
        await notifications.forget_notification_message(tx, called)
        await notifications.delete_notifications(tx, [called])
        sits = records.PresenceRow("k7", ana.id, "telegram", "-100", None, private=False)
        await notifications.put_presences(tx, [sits])
        await notifications.put_presences(tx, [sits])
        await notifications.presences_of_game(tx, "k7")
        await notifications.stranded_people(tx, "k7", "telegram")
        await views.set_view_token(tx, renewal)
        await move_rows(tx, "telegram", "-100", "-1001")
        await views.delete_view(tx, view.id)
        await inbox.receive_update(tx, "telegram", "7", None, NOON)
        await inbox.pending_updates(tx, "telegram")
        await inbox.count_failure(tx, "telegram", "7", NOON)
        await inbox.set_update_aside(tx, "telegram", "7", NOON)
        await inbox.finish_update(tx, "telegram", "8", NOON)
        await inbox.prune_inbox(tx, later(1))
        await places.put_place(tx, "telegram", "-100", language="en")
        await places.put_place(tx, "telegram", "-100", retry_at=NOON)
        await places.put_place(tx, "telegram", "-100", suspended=True)
        await places.put_place(tx, "telegram", "-100", suspended=False)
        await places.put_place(tx, "telegram", "-100", settings={})
        await places.load_place(tx, "telegram", "-100")
        await deadlines.set_deadline(tx, "k7", "clock", 1, NOON)
        await deadlines.due_deadlines(tx, NOON)
        await deadlines.clear_deadline(tx, "k7", "clock")
        await bot_settings.put_setting(tx, "key", "value")
        await bot_settings.load_setting(tx, "key")


@pytest.fixture
async def said(store: Store) -> list[tuple[ClauseElement, list[str]]]:
    """Every statement that the functions execute, and the names of its parameters."""
    statements: list[tuple[ClauseElement, list[str]]] = []

    def note(_: Connection, statement: ClauseElement, many: Any, one: Any, __: object) -> None:
        statements.append((statement, list(many[0] if many else one)))

    events.listen(Engine, "before_execute", note)
    try:
        await every_function(store)
    finally:
        events.remove(Engine, "before_execute", note)
    return statements


async def test_every_statement_is_one_that_postgresql_could_run(
    said: list[tuple[ClauseElement, list[str]]],
) -> None:
    assert len(said) > 45
    for statement, keys in said:
        assert str(statement.compile(dialect=postgresql.dialect(), column_keys=keys or None))


async def test_no_question_reads_a_whole_table(store: Store) -> None:
    asked: set[tuple[str, Any]] = set()

    def note(_: Connection, __: object, sql: str, values: Any, *___: object) -> None:
        # A place gets a new id once in its life, which may look through these two.
        if not sql.startswith(("INSERT", "BEGIN", "UPDATE entrant SET", "UPDATE outage SET")):
            asked.add((sql, values))

    events.listen(Engine, "before_cursor_execute", note)
    try:
        await every_function(store)
    finally:
        events.remove(Engine, "before_cursor_execute", note)
    assert len(asked) > 30
    async with store.reading() as tx:
        for sql, values in asked:
            plan = await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)
            for line in (row.detail for row in plan):
                small = any(f"INDEX {index}" in line for index in SMALL)
                assert small or not line.startswith("SCAN"), (line, sql)
                assert "over_at IS NOT NULL" not in sql or "TEMP B-TREE" not in line, (line, sql)


@pytest.mark.parametrize(
    ("record", "table", "besides"),
    [
        (records.GameRow, schema.game, {"over_at", "holder"}),
        (records.FaultRow, schema.fault, set()),
        (records.EventRow, schema.event, {"game"}),
        (records.SeatRow, schema.seat, {"game", "over_at"}),
        (records.PersonRow, schema.person, {"created", "same_as", "reminded"}),
        (records.IdentityRow, schema.identity, set()),
        (records.ViewRow, schema.view, {"over_at"}),
        (records.InboxRow, schema.inbox, {"id"}),
        (records.PlaceRow, schema.place, set()),
        (records.DeadlineRow, schema.deadline, set()),
        (records.OutageRow, schema.outage, {"id"}),
    ],
)
def test_a_record_has_the_columns_of_its_table(record: type, table: Any, besides: set[str]) -> None:
    columns = {column.name for column in table.columns} - besides
    assert {field.name for field in fields(record)} == columns


@pytest.mark.parametrize(
    ("record", "table"),
    [
        (records.FaultRow, schema.fault),
        (records.IdentityRow, schema.identity),
        (records.PlaceRow, schema.place),
        (records.DeadlineRow, schema.deadline),
    ],
)
def test_a_record_read_from_a_whole_row_has_its_columns_in_their_order(
    record: type, table: Any
) -> None:
    assert [field.name for field in fields(record)] == table.columns.keys()
