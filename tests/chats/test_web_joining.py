"""By a link somebody joins once, or hears in words that it did not work and keeps the link."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from bot.chats.web.person.guests import Guests
from storage.errors import DatabaseUnavailable
from storage.table import games
from tests.chats.pages import Page, Server, Visitor, guest_of, named
from tests.chats.test_web_identity import link_to
from tests.databases import ON_POSTGRESQL, database_in, of_files


async def known_guest(at: Server, page: Page) -> tuple[Visitor, str, str]:
    """A known guest, a new table, and the path of the link to it by which he is himself."""
    guest = await at.guest(page, (await link_to(page))[0])
    table, link = await link_to(page)
    return guest, table, f"{link.removeprefix(at.url)}?as=me"


async def seats(at: Server, table: str) -> int:
    found = await at.facade.services.tables.get(table)
    return sum(player.is_seated for player in found.players)


async def news(page: Page) -> list[str]:
    """What *page* was told by calls up to now."""
    heard: list[str] = []

    def note(message: dict) -> bool:
        heard.extend([message["said"]] if message["kind"] == "call" else [])
        return message["kind"] == "answer"

    await page.send("lobby")
    await page.until(note)
    return heard


async def then_joins(at: Server, page: Page, guest: Visitor, table: str, path: str) -> None:
    """Once all is well again, the same link seats *guest*, and the host hears so once."""
    assert await seats(at, table) == 1
    assert "Bruno ha venido con tu enlace." not in await news(page)
    assert (await guest.get(path))[0] == 200
    assert await seats(at, table) == 2
    assert (await news(page)).count("Bruno ha venido con tu enlace.") == 1
    assert (await guest.get(path))[0] == 410


@of_files
async def test_while_the_file_is_locked_a_link_is_neither_spent_nor_announced(at, tmp_path):
    async with (await at.first()).open() as page:
        guest, table, path = await known_guest(at, page)
        await news(page)
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            status, body = await guest.get(path)
            other.execute("ROLLBACK")
        assert status == 503
        assert "La base de datos está ocupada" in body.decode()
        assert path in body.decode()
        await then_joins(at, page, guest, table, path)


@pytest.mark.slow
async def test_while_the_table_of_events_is_away_a_link_is_neither_spent_nor_announced(
    at, monkeypatch
):
    async def locked(*_args, **_values):
        raise DatabaseUnavailable("locked")

    async with (await at.first()).open() as page:
        guest, table, path = await known_guest(at, page)
        await news(page)
        with monkeypatch.context() as during:
            during.setattr(games, "append_events", locked)
            status, body = await guest.get(path)
        assert status == 503
        assert "Algo ha fallado por nuestra parte" in body.decode()
        await then_joins(at, page, guest, table, path)


@pytest.mark.slow
@pytest.mark.parametrize("again", ["name", "open"])
async def test_who_says_a_name_while_the_table_cannot_be_joined_is_asked_to_try_again(
    at, monkeypatch, again
):
    async def locked(*_args, **_values):
        raise DatabaseUnavailable("locked")

    async with (await at.first()).open() as page:
        table, link = await link_to(page)
        guest = Visitor(at)
        assert await guest.enter(link) == 200
        await news(page)
        async with guest.open() as his:
            with monkeypatch.context() as during:
                during.setattr(games, "append_events", locked)
                answer = await his.ask("name", name="Bruno")
            assert not answer["good"]
            assert "Algo ha fallado por nuestra parte" in answer["said"]
        assert await seats(at, table) == 1
        if again == "name":
            await named(guest, "Bruno")
        else:
            async with guest.open() as his:
                assert await his.board(table)
        assert await seats(at, table) == 2
        assert (await news(page)).count("Bruno ha venido con tu enlace.") == 1


async def test_what_fails_on_our_side_is_a_sentence_and_a_way_to_try_again(at, monkeypatch, caplog):
    async def broken(*_):
        raise ValueError("a bug")

    visitor = await at.first()
    monkeypatch.setattr(Guests, "find", broken)
    status, body = await visitor.get(f"{visitor.path}/")
    assert status == 500
    assert "Algo ha fallado por nuestra parte" in body.decode()
    assert "a bug" in caplog.text
    assert "a bug" not in body.decode()


@pytest.mark.skipif(not ON_POSTGRESQL, reason="it locks a table of PostgreSQL")
async def test_while_a_server_keeps_the_events_locked_a_link_is_kept(at, tmp_path):
    import asyncpg

    async with (await at.first()).open() as page:
        guest, table, path = await known_guest(at, page)
        await news(page)
        other = await asyncpg.connect(database_in(tmp_path).replace("+asyncpg", ""))
        try:
            async with other.transaction():
                await other.execute("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
                status, _ = await guest.get(path)
        finally:
            await other.close()
        assert status == 503
        await then_joins(at, page, guest, table, path)


async def test_a_free_name_neither_bears_our_marks_nor_is_the_computers(at):
    visitor = await at.first()
    async with visitor.open() as page:
        refused = await page.ask("name", name="El Оrdenador (nivel 2)")
        assert not refused["good"]
        assert refused["said"] == "Así se llama aquí el ordenador: elige otro nombre."
        assert (await page.ask("name", name="▶ Nerea ★"))["good"]
    assert (await guest_of(at, visitor)).name == "Nerea"
