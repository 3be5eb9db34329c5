"""``ludoteca status``: what goes on in the house of the bot that runs, in lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil

from bot.app.release import release
from bot.facade import Operator
from bot.facade.status import HouseStatus, LivingTable, house_status, newest_copy

HOUR, MINUTE = 3600, 60


async def told_status(operator: Operator, form: str) -> str:
    """The status of the house in lines, or for the *form* ``json`` as an object."""
    status = await house_status(operator)
    up = int(datetime.now(UTC).timestamp() - psutil.Process().create_time())
    if form == "json":
        return json.dumps(_plain(status, up), ensure_ascii=False, indent=2)
    return "\n".join(_lines(status, up))


def copies_line(folder: Path | None) -> str:
    """When the newest copy of the database in *folder* was made."""
    if folder is None:
        return "copies: none are made (BACKUP_DIR)"
    made = newest_copy(folder)
    return "copies: none" if made is None else f"copies: the newest is of {made:%Y-%m-%d %H:%M} UTC"


def _lines(status: HouseStatus, up: int) -> Iterator[str]:
    yield f"Ludoteca {release()} on {status.database}, up for {_length(up)}"
    for name, well in status.connections.items():
        yield f"chat {name}: {'connected' if well else 'NOT connected'}"
    yield f"duties of this process: {', '.join(status.duties) or 'none'}"
    for name, number in status.leases.items():
        if number != status.process:
            yield f"duty {name}: process {number}"
    if status.announced is not None:
        until = f"{status.announced.until:%Y-%m-%d %H:%M} UTC"
        yield f"announced until {until}: {status.announced.text}"
    for (game, state), count in status.tables.items():
        yield f"tables of {game}, {state}: {count}"
    yield f"people at tables that are played: {status.people}"
    yield f"boards that wait to be shown: {status.owed}"
    yield f"computers that wait to think: {status.thinking}"
    yield f"updates set aside: {status.updates_aside}"
    for fault in status.set_aside:
        at = "" if fault.event is None else f" at event {fault.event}"
        yield f"table {fault.game} is set aside{at}: {fault.why}"
    for one in status.playing:
        turn = f", to move: {', '.join(one.to_move)}" if one.to_move else ""
        who = " – ".join(one.names)
        yield f"{one.code} {one.game}: {who}{turn}, last touched {one.touched:%Y-%m-%d %H:%M} UTC"
    for one in status.waiting:
        who = ", ".join(one.names) or "nobody"
        yield f"{one.code} {one.game} waits, {who} there since {one.touched:%Y-%m-%d %H:%M} UTC"


def _plain(status: HouseStatus, up: int) -> dict[str, object]:
    return {
        "release": release(),
        "database": status.database,
        "up": up,
        "chats": dict(status.connections),
        "duties": list(status.duties),
        "leases": dict(status.leases),
        "tables": [
            {"game": game, "status": state, "count": count}
            for (game, state), count in status.tables.items()
        ],
        "people": status.people,
        "owed": status.owed,
        "thinking": status.thinking,
        "updates_aside": status.updates_aside,
        "set_aside": [
            {"table": one.game, "event": one.event, "why": one.why} for one in status.set_aside
        ],
        "playing": list(map(_table, status.playing)),
        "waiting": list(map(_table, status.waiting)),
        "announced": None if status.announced is None else status.announced.text,
    }


def _table(one: LivingTable) -> dict[str, object]:
    return {
        "table": one.code,
        "game": one.game,
        "players": list(one.names),
        "to_move": list(one.to_move),
        "touched": one.touched.isoformat(timespec="seconds"),
    }


def _length(seconds: int) -> str:
    hours, rest = divmod(seconds, HOUR)
    return f"{hours} h {rest // MINUTE} min"
