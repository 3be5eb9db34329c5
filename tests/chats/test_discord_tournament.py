"""A tournament in a Discord channel, up to its end."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from bot.service.table.changes import Update
from bot.tournament import organizer
from storage.schema import tournament
from storage.store import Transaction
from tests.chats.discord_messages import Shown
from tests.chats.discord_table import ANA, BEA, EVA, Table, fake_fixture, table_fixture

__all__ = ["fake_fixture", "table_fixture"]

MANAGER = {"permissions": str(1 << 5 | 1 << 31 | 1 << 46 | 1 << 50)}


async def press(at: Table, who: dict[str, Any], shown: Shown, label: str) -> Shown | None:
    """The answer to the press of the key *label*."""
    code = shown.button(label)["custom_id"]
    asked = await at.fake.press(who, shown, code, **MANAGER)
    await at.settle()
    return asked.message


@pytest.mark.parametrize("looks", [True, False])
async def test_the_end_comes_down_in_a_new_message_that_calls_who_does_not_look(
    at, monkeypatch, looks
):
    """The podium was put into the poster, dozens of messages above, and called nobody."""
    card = (await at.fake.slash(ANA, "tournament", **MANAGER)).message
    card = await press(at, ANA, card, "Torneo de Niya") or card
    await press(at, ANA, card, "Abrir el torneo")
    (poster,) = at.boards()
    for who in (ANA, BEA, EVA):
        await press(at, who, poster, "Apuntarme")
    (code,) = await at.facade.store.read(_codes)
    tournaments = at.facade.services.tournaments
    await tournaments.change(Update("fake", "1"), code, organizer.begin)
    await at.facade.process_duties.deadlines.tournaments.expire()
    await at.settle()
    posted, post = [], at.fake._posted
    monkeypatch.setattr(at.fake, "_posted", lambda *how: posted.append(how[1]) or post(*how))
    monkeypatch.setattr(tournaments.presence, "looks_in", lambda *_: looks)
    await tournaments.change(Update("fake", "2"), code, lambda work: organizer.end(work, "early"))
    await at.fake.until(lambda: poster.id not in at.fake.messages)
    await at.settle()
    (last,) = [one for one in at.boards() if code in one.text]
    called = {str(one) for body in posted for one in body["allowed_mentions"]["users"]}
    assert called == (set() if looks else {who["id"] for who in (ANA, BEA, EVA)})
    assert all((f"<@{who['id']}>" in last.text) != looks for who in (ANA, BEA, EVA))


async def _codes(tx: Transaction) -> list[str]:
    return list((await tx.execute(select(tournament.c.code))).scalars())
