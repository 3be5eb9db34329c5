"""What the database keeps of people who were forgotten, and what was on its way to it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from storage import Store, bot_settings, inbox
from storage.errors import ForgottenPerson
from storage.person import people, personal_data
from storage.records import (
    AlertRow,
    CommentRow,
    DraftRow,
    MistakeRow,
    NotificationRow,
    PresenceRow,
    TalkRow,
)
from storage.school import mistakes
from storage.table import comments, drafts, notifications, open_table_alerts, talk, views
from tests.storage.rows import NOON, add_game, view

WHERE = ("telegram", "12345", None)


async def forgotten(store: Store) -> tuple[int, int]:
    """The numbers of Ana, who was forgotten, and of Bea, who was not; and the table ABCD."""
    async with store.transaction() as tx:
        ana = (await people.ensure_person(tx, "telegram", "12345", "Ana", NOON)).id
        bea = (await people.ensure_person(tx, "telegram", "912345678", "Bea", NOON)).id
        await add_game(tx, "ABCD")
        await personal_data.erase_person_data(tx, ana)
    return ana, bea


async def test_nothing_that_was_on_its_way_is_stored_of_who_was_forgotten(store: Store) -> None:
    ana, bea = await forgotten(store)
    late = {
        "a view": (views.add_view, replace(view("ABCD", *WHERE, 1), person=ana)),
        "an alert": (open_table_alerts.set_alert, AlertRow(ana, *WHERE[:2], "niya", NOON)),
        "a draft": (drafts.begin_draft, DraftRow(0, ana, *WHERE, {}, NOON)),
        "talk": (talk.add_talk, TalkRow(0, "ABCD", ana, None, "", "hello", NOON)),
        "a comment": (comments.put_comment, CommentRow(ana, "ABCD", 1, "hello", "", NOON)),
        "a mistake": (mistakes.put_mistake, MistakeRow(ana, "abc", "niya", {}, NOON, 1)),
        "a code": (people.put_link_code, "CODE", ana, NOON),
        "a language": (partial(people.change_person, language="en"), ana),
        "settings": (partial(people.change_person, settings={}), ana),
    }
    for work, *told in late.values():
        with pytest.raises(ForgottenPerson):
            await store.write(work, *told)
    async with store.transaction() as tx:
        calls = [NotificationRow("ABCD", one, "turn", 1, NOON) for one in (ana, bea)]
        await notifications.put_notifications(tx, calls)
        sitting = [PresenceRow("ABCD", one, *WHERE, private=True) for one in (ana, bea)]
        await notifications.put_presences(tx, sitting)
    called = await store.read(notifications.notifications_of_game, "ABCD")
    present = await store.read(notifications.presences_of_game, "ABCD")
    assert ([one.person for one in called], [one.person for one in present]) == ([bea], [bea])
    kept = await store.read(personal_data.export_person, ana)
    assert {name for name, rows in kept.items() if rows} == {"person"}


async def test_who_was_joined_to_another_person_is_known_as_before(store: Store) -> None:
    async with store.transaction() as tx:
        ana = (await people.ensure_person(tx, "telegram", "1", "Ana", NOON)).id
        bea = (await people.ensure_person(tx, "discord", "2", "Bea", NOON)).id
        await personal_data.join_people(tx, ana, bea)
        assert await people.known_people(tx, (ana, bea)) == {ana, bea}


def said(sender: int, **more: object) -> str:
    """An update in which *sender* says something in a group."""
    told = {"from": {"id": sender}, "chat": {"id": -7, "type": "supergroup"}, "date": 1712345678}
    return json.dumps({"update_id": 1, "message": {**told, **more}})


THEIRS = {
    "a message": said(12345),
    "a press": json.dumps({"callback_query": {"from": {"id": 12345}, "message": {"text": "x"}}}),
    "what the library cannot read": json.dumps({"update_id": 2, "unreadable": said(12345)}),
    "a button on Discord": json.dumps({"member": {"user": {"id": "12345"}}}),
    "a message of a private chat": json.dumps(
        {"message": {"chat": {"id": 12345, "type": "private"}}}
    ),
}
OTHERS = {
    "another id around theirs": said(912345678),
    "one in a text": said(7, text="call 12345"),
    "an answer to them": said(7, reply_to_message={"from": {"id": 12345}, "text": "hello"}),
    "a date": said(7, date=12345),
    "no object": "12345",
    "no JSON": "12345 {",
}


async def waiting(store: Store) -> int:
    """The number of Ana, with updates of hers and of others that wait."""
    async with store.transaction() as tx:
        ana = (await people.ensure_person(tx, "telegram", "12345", "Ana", NOON)).id
        for name, payload in (THEIRS | OTHERS).items():
            await inbox.receive_update(tx, "telegram", name, payload, NOON)
    return ana


async def test_updates_belong_to_whoever_sent_them_and_not_to_who_is_named_in_them(
    store: Store,
) -> None:
    ana = await waiting(store)
    handed = (await store.read(personal_data.export_person, ana))["inbox"]
    assert isinstance(handed, list)
    assert [row["update"] for row in handed] == list(THEIRS)
    await store.write(personal_data.erase_person_data, ana)
    left = {row.update: row.payload for row in await store.read(inbox.pending_updates, "telegram")}
    assert left == OTHERS
    for name in THEIRS:
        assert await store.read(inbox.is_update_done, "telegram", name)


async def test_who_reads_their_data_reads_nothing_that_others_wrote_in_them(store: Store) -> None:
    async with store.transaction() as tx:
        ana = (await people.ensure_person(tx, "telegram", "12345", "Ana", NOON)).id
        other = {"id": 7, "first_name": "Canary"}
        named = [{"type": "text_mention", "offset": 0, "length": 1, "user": other}]
        answer = {"from": other, "text": "canary"}
        payload = said(12345, text="mine", entities=named, reply_to_message=answer, quote=answer)
        await inbox.receive_update(tx, "telegram", "1", payload, NOON)
    handed = json.dumps(await store.read(personal_data.export_person, ana))
    assert "mine" in handed
    assert "canary" not in handed.lower()


async def test_links_updates_and_challenges_that_bear_their_id_or_name_go_with_them(
    store: Store,
) -> None:
    guest, other = "a" * 32, "b" * 32
    async with store.transaction() as tx:
        ana = (await people.ensure_person(tx, "web", guest, "Ana", NOON)).id
        bea = (await people.ensure_person(tx, "web", other, "Bea", NOON)).id
        links = json.dumps([f"1 {guest}", f"2 {other}", f"3 {guest}b"])
        await bot_settings.put_setting(tx, "web:links:ABCD", links)
        for one in (f"{guest}:1", f"{other}:1", f"{guest}b:1"):
            await inbox.finish_update(tx, "web", one, NOON)
        for whom in (ana, bea):
            data = {"against": f"@{whom}", "named": "whoever"}
            await drafts.begin_draft(tx, DraftRow(0, bea, "web", f"place {whom}", None, data, NOON))
        await personal_data.erase_person_data(tx, ana)
        kept = await bot_settings.load_setting(tx, "web:links:ABCD")
        assert kept == json.dumps([f"2 {other}", f"3 {guest}b"])
        assert set(await inbox.latest_updates(tx, "web", 9)) == {f"{other}:1", f"{guest}b:1"}
        assert not await drafts.find_drafts(tx, NOON, person=bea, place=f"place {ana}")
        assert await drafts.find_drafts(tx, NOON, person=bea, place=f"place {bea}")
