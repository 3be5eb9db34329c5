"""Stored JSON that cannot be read stops nobody: who asks is told of theirs, or forgotten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import text

import storage
from bot.app.row_checks import JUDGES
from storage import Store, inbox, schema
from storage.bot_settings import load_setting, put_setting
from storage.column_types import read_json
from storage.person import personal_data
from storage.person.people import ensure_person
from storage.records import DraftRow
from storage.table import drafts
from tests.storage.rows import NOON

GUEST = "0123456789abcdef"
DEEP = "[" * 100_000
FEW = ("", "{", '{"a": 1}', "[5]", DEEP)
JUNK = (*FEW, "5", "null", "[1", '[["x"]]', "ñ", '"x"', GUEST)
CELLS = {
    "links": "UPDATE setting SET value = :junk WHERE key = 'web:links:ABCDEF'",
    "invitations": "UPDATE setting SET value = :junk WHERE key = 'web:house-invitations'",
    "passing": "UPDATE setting SET value = :junk WHERE key = 'web:passing:another'",
    "push": "UPDATE setting SET value = :junk WHERE key = 'web:push'",
    "posting": "UPDATE setting SET value = :junk WHERE key = 'posting-1'",
    "calls": 'UPDATE setting SET value = :junk WHERE key = \'calls-["telegram", "-1"]\'',
    "draft": "UPDATE draft SET data = :junk",
    "settings": "UPDATE person SET settings = :junk WHERE name = 'Another'",
    "place": "UPDATE place SET settings = :junk",
    "payload": "UPDATE inbox SET payload = :junk",
}


PLACE = {"platform": "web", "place": "x", "settings": {}, "suspended": False}


@pytest.fixture
def url(tmp_path: Path) -> str:
    """SQLite alone keeps such cells."""
    return f"sqlite+aiosqlite:///{tmp_path}/games.db"


async def lived_in(store: Store) -> int:
    """The number of Gast, a guest, in a house where everything of ``CELLS`` is kept."""
    async with store.transaction() as tx:
        guest = (await ensure_person(tx, "web", GUEST, "Gast", NOON)).id
        other = (await ensure_person(tx, "web", "another", "Another", NOON)).id
        for cell in CELLS.values():
            if key := re.search(r"key = '(.*)'", cell):
                await put_setting(tx, key[1], "[]")
        await drafts.begin_draft(tx, DraftRow(0, other, "web", "x", None, {}, NOON))
        await inbox.receive_update(tx, "web", "1", "{}", NOON)
        await tx.execute(schema.place.insert().values(PLACE))
    return guest


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("junks", [FEW, pytest.param(JUNK, marks=pytest.mark.slow)])
async def test_a_damaged_cell_stops_nobody_else_from_being_told_and_forgotten(
    cell: str, junks: tuple[str, ...], store: Store
) -> None:
    guest = await lived_in(store)
    for junk in junks:
        async with store.transaction() as tx:
            found = await tx.execute(text(CELLS[cell]), {"junk": junk})
            assert found.rowcount == 1
            assert await personal_data.export_person(tx, guest)
            await personal_data.erase_person_data(tx, guest)
            guest = (await ensure_person(tx, "web", GUEST, "Gast", NOON)).id


async def test_damaged_links_that_name_the_forgotten_are_emptied_and_no_others(
    store: Store,
) -> None:
    kept = {
        f'{{"{GUEST}"': "[]",
        f'["a {GUEST}", "b x"]': '["b x"]',
        "{": "{",
        '["b x"]': '["b x"]',
    }
    for before, after in kept.items():
        async with store.transaction() as tx:
            guest = (await ensure_person(tx, "web", GUEST, "Gast", NOON)).id
            await put_setting(tx, "web:links:ABCDEF", before)
            await personal_data.erase_person_data(tx, guest)
            assert await load_setting(tx, "web:links:ABCDEF") == after


@pytest.mark.parametrize("junk", ["", None, "{", DEEP])
def test_what_is_no_json_is_nothing(junk: str | None) -> None:
    assert read_json(junk) is None


@pytest.mark.parametrize(
    "key",
    [
        *("web:house-invitations", "web:links:ABCDEF", "web:passing:0123", "web:push"),
        *("telegram-no-pictures", "telegram-ephemeral", "telegram-fleeting"),
        "telegram-card-places",
        *("posting-1", 'calls-["telegram", "-1"]', "api:guest:1-2", "web:guest:0123"),
    ],
)
@pytest.mark.parametrize("junk", ["{", "5", DEEP])
def test_the_doctor_names_a_damaged_setting_of_each_kind(key: str, junk: str) -> None:
    judge = JUDGES["setting", "value"]
    assert judge({"key": key, "value": junk}).startswith("it cannot be read")


@pytest.mark.parametrize("junk", ["{", "5", "[]", DEEP])
def test_the_doctor_names_a_damaged_payload(junk: str) -> None:
    judge = JUDGES["inbox", "payload"]
    assert judge({"payload": junk}) == "it is no update"
    assert [judge({"payload": well}) for well in (None, '{"update_id": 1}')] == ["", ""]


@pytest.mark.parametrize("until", ["soon", "2026-11-28T12:00:00"])
def test_the_doctor_names_an_invitation_without_an_end(until: str) -> None:
    kept = f'[{{"hash": "x", "until": "{until}", "left": 1}}]'
    assert JUDGES["setting", "value"]({"key": "web:house-invitations", "value": kept})
    well = kept.replace(until, "2026-11-28T12:00:00+00:00")
    assert not JUDGES["setting", "value"]({"key": "web:house-invitations", "value": well})


def test_stored_json_has_one_reader() -> None:
    """The server's cluster reads what processes tell each other, which nobody stores."""
    folder = Path(storage.__file__).parent
    found = {path.name for path in folder.rglob("*.py") if "json.loads" in path.read_text("utf-8")}
    assert found == {"column_types.py", "server_process_cluster.py"}
