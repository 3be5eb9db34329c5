"""``ludoteca doctor``: checks the database, its tables, the tokens and the engine."""

from __future__ import annotations

import random
import tempfile
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bot.app.row_checks import JUDGES
from bot.app.settings import Settings
from bot.chats.web.doors.activity import CAME, page_within_discord
from bot.facade import (
    Diagnosis,
    Engine,
    NoEngine,
    installed_engine,
    read_table,
    seat_rows,
    standing_for_lists,
)
from bot.session.table import BrokenTable
from bot.texts import OUTSIDE, catalogues_of
from bot.tournament.swiss import why_missing
from games.core import search
from games.core.shelf import game_packages, refused_packages
from storage import (
    CellFault,
    Finding,
    Store,
    check_backups,
    check_database,
    damaged_cells,
    write_backup,
)
from storage.bot_settings import load_setting
from storage.errors import StorageError
from storage.person import people
from storage.store import Work
from storage.table import games, views
from storage.table.games import LIVING, OVER

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

SAMPLE = 100
"""How many finished tables are replayed: half of them the newest, the others drawn by lot."""

SEED = 2026
"""The seed of the lot: always the same, so that two runs can be compared."""


async def examine(url: str, copies: Path | None = None) -> list[Finding]:
    """The findings on the database at *url* and the folder *copies*; changes nothing."""
    found = await check_database(url)
    if copies is not None:
        found += await check_backups(copies, datetime.now(UTC))
    schema = next((one for one in found if one.check == "schema"), None)
    if schema is None:  # no database yet, or another program's
        return found
    try:
        cells = await damaged_cells(url, JUDGES) if schema.level == "fine" else ()
        found += [Finding("cell", "error", f"{cell}.") for cell in cells]
        async with _open(url, of_this_release=schema.level == "fine") as store:
            return [*found, *await _replay(store, cells)]
    except StorageError as wrong:
        return [*found, Finding("tables", "error", f"The tables cannot be replayed: {wrong}")]


def game_findings() -> Iterator[Finding]:
    """What the doctor says of games from other distributions."""
    for one in game_packages().values():
        yield Finding("games", "fine", f"The game {one.key} comes from {one.distribution}.")
    for name, why in refused_packages().items():
        yield Finding("games", "warning", f"The game {name} is left out: {why}.")


def swiss_findings() -> list[Finding]:
    """What the doctor says of Swiss tournaments, where they cannot be offered."""
    why = why_missing()
    text = f"Swiss tournaments are not offered: py4swiss cannot be imported ({why})."
    return [Finding("tournaments", "warning", text)] if why else []


def language_findings() -> Iterator[Finding]:
    """What the doctor says of languages from outside."""
    for code in OUTSIDE:
        told = catalogues_of(code)
        text = f"The language {code} comes from {OUTSIDE[code]}"
        if told.faults:
            why = f"{len(told.faults)} of its texts are left out, as: {told.faults[0]}"
            yield Finding("texts", "warning", f"{text}; {why}.")
        else:
            yield Finding("texts", "fine", f"{text}, with {len(told.templates)} texts.")


def computers() -> Finding:
    """The finding on the build of the computers' search."""
    plain = "Computers think in plain Python; compiled, twice as fast: docs/evidence/strength.md."
    compiled = "The computers think in the faster build, compiled."
    return Finding("computers", "fine", plain if search.__file__.endswith(".py") else compiled)


async def ask(settings: Settings) -> list[Finding]:
    """The findings on each platform with a token, and on the shogi engine."""
    found: list[Diagnosis] = []
    if settings.discord_token is not None:
        from bot.chats.discord import checkup as discord

        token = settings.discord_token.get_secret_value()
        secret = settings.discord_client_secret
        found += await discord.checkup(
            token,
            await _read(settings.database_url, views.games_by_place, "discord") or {},
            "" if secret is None else secret.get_secret_value(),
            settings.discord_door,
        )
    if settings.telegram_token is not None:
        from bot.chats.telegram import checkup as telegram
        from bot.chats.telegram.invitations import FEEDBACK, MISSING

        server = settings.telegram_api_url
        hooked = settings.telegram_webhook_url is not None
        found += await telegram.checkup(
            settings.telegram_token.get_secret_value(),
            str(server) if server else None,
            hooked=hooked,
            paged=bool(settings.public_origin),
            pictured=bool(settings.public_origin or settings.telegram_store_chat),
            feedback=await _read(settings.database_url, load_setting, FEEDBACK) != MISSING,
            tables=await _read(settings.database_url, views.games_by_place, "telegram"),
        )
    findings = [Finding("platform", one.level, one.text) for one in found]
    findings += await activity_findings(settings)
    if (engine := installed_engine(settings.shogi_engine)) is not None:
        findings.append(await _greet(engine))
    return findings


async def _read(url: str, work: Work[[str], T], about: str) -> T | None:
    """What *work* reads of *about* in the database at *url*; ``None`` where it cannot be read."""
    try:
        async with _open(url, of_this_release=True) as store:
            return await store.read(work, about)
    except StorageError:
        return None


async def _greet(engine: Engine) -> Finding:
    """Whether the shogi engine answers."""
    try:
        name = await engine.greet()
    except NoEngine as wrong:
        text = (
            f"The shogi engine {engine.path} does not answer: {wrong}."
            " Our own strongest level plays for it."
        )
        return Finding("engine", "error", text)
    finally:
        await engine.close()
    return Finding("engine", "fine", f"The levels of shogi above ours are played by {name}.")


@asynccontextmanager
async def _open(url: str, *, of_this_release: bool) -> AsyncIterator[Store]:
    """The store, read only; for an earlier release's database a migrated copy of it."""
    with tempfile.TemporaryDirectory(prefix="ludoteca-") as folder:
        if not of_this_release:
            copy = Path(folder) / "copy.db"
            await write_backup(url, copy)
            url = f"sqlite+aiosqlite:///{copy}"
        async with await Store.open(url, readonly=of_this_release) as store:
            yield store


async def _replay(store: Store, named: Collection[CellFault]) -> list[Finding]:
    """Replay all living tables and a sample of finished ones, each in a transaction of its own.

    What their rows tell besides is compared with the events, unless the cell is *named* already.
    """
    async with store.reading() as tx:
        living = await games.codes_by_status(tx, LIVING)
        over = await games.codes_by_status(tx, OVER)
    newest, older = over[: SAMPLE // 2], over[SAMPLE // 2 :]
    by_lot = random.Random(SEED).sample(older, min(SAMPLE - SAMPLE // 2, len(older)))
    # A damaged status hides a table from both lists.
    hidden = (str(one.key[0]) for one in named if (one.table, one.column) == ("game", "status"))
    codes = tuple(dict.fromkeys((*living, *newest, *by_lot, *hidden)))
    faults = [one for code in codes for one in await _faults(store, code)]
    broken = [wrong for wrong in faults if isinstance(wrong, BrokenTable)]
    found = [Finding("table", "error", f"T{str(wrong)[1:]}") for wrong in broken]
    cells = [one for one in faults if isinstance(one, CellFault)]
    known = {(one.table, one.key, one.column) for one in named}
    found += [
        Finding("cell", "error", f"{cell}.")
        for cell in cells
        if (cell.table, cell.key, cell.column) not in known
    ]
    text = f"Tables that can be read again from their events: {len(codes) - len(broken)} of "
    text += f"{len(codes)} ({len(living)} living, {len(codes) - len(living)} of {len(over)} over)."
    return [*found, Finding("tables", "error" if broken else "fine", text)]


async def _faults(store: Store, code: str) -> Sequence[BrokenTable | CellFault]:
    """Why the table *code* cannot be read, or where its rows say otherwise than its events."""
    async with store.reading() as tx:
        row = await games.load_game(tx, code)
        if row is None:
            return ()
        try:
            table = await read_table(tx, row)
        except BrokenTable as broken:
            return [broken]
        seats = await games.load_seats(tx, code)
        known = await people.load_names(tx, tuple(table.people()))
        aside = any(one.game == code for one in await games.games_set_aside(tx))
    told = standing_for_lists(table)
    expected = replace(
        row,
        game=table.game.key,
        status=told.status,
        created=table.created,
        touched=table.touched,
        match=told.match,
    )
    if row.to_move is not None and not aside:
        expected = replace(expected, to_move=told.to_move, computer=told.computer)
    found = _differences("game", (code,), row, expected)
    here = {one.seat: one for one in seats}
    for seat in seat_rows(table):
        same = seat.person if seat.person not in known else known[seat.person].person
        stored = here.get(seat.seat)
        if stored is None:
            found.append(CellFault("seat", (code, seat.seat), "seat", "it is missing", seat.seat))
        else:
            found += _differences("seat", (code, seat.seat), stored, replace(seat, person=same))
    return found


def _differences(
    table: str, key: tuple[object, ...], row: DataclassInstance, expected: DataclassInstance
) -> list[CellFault]:
    """The cells of *row* that are not as *expected*."""
    why = "the events of the table say otherwise"
    pairs = ((one.name, getattr(row, one.name)) for one in fields(row))
    return [
        CellFault(table, key, name, why, value)
        for name, value in pairs
        if value != getattr(expected, name)
    ]


async def activity_findings(settings: Settings) -> list[Finding]:
    """What the doctor says of the page within Discord; nothing without its secret and address."""
    if settings.discord_client_secret is None or not settings.public_origin:
        return []
    page = await page_within_discord(f"{settings.public_origin}/d/")
    hour = await _read(settings.database_url, load_setting, CAME)
    told = f"Somebody came in within Discord last in the hour from {hour}."
    never = "Somebody came in within Discord never yet."
    came = Finding("activity", "fine", told if hour else never)
    return [Finding("activity", page.level, page.text), came]
