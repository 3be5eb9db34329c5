"""The operator's commands: run, doctor, copies, move-database, upgrade, forget, ban, import."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from bot.app.operator_client import NoBotRuns, act_of, ask_bot
from bot.app.output import REFUSED, CommandError, UnknownPerson, say
from bot.app.settings import Settings, demo_settings, read_settings
from bot.app.shell_texts import from_below, shell_sentence
from storage import Finding, Store, restore_backup, transfer_database, write_backup
from storage.errors import StorageError
from storage.person import people, personal_data
from storage.records import JSON
from storage.upgrade import newest_revision


def run_operator_command(asked: argparse.Namespace) -> int:
    """Run the command *asked* and return its status; raises ``CommandError`` or ``RuleError``."""
    settings = demo_settings() if asked.command == "demo" else read_settings()
    try:
        return _perform(asked, settings)
    except CommandError:
        raise
    except Exception as refused:
        if isinstance(refused, StorageError) and asked.command is not None:
            raise CommandError(str(refused)) from None
        from bot.app.operator_acts import act_status  # which needs the whole house

        if (status := act_status(refused)) is None:
            raise
        raise CommandError(str(refused), status if asked.command is None else REFUSED) from None


def _perform(asked: argparse.Namespace, settings: Settings) -> int:
    match asked.command:
        case "doctor":
            return _doctor(settings, asked)
        case "backup":
            asyncio.run(write_backup(settings.database_url, asked.file))
            say(f"{asked.file}")
        case "restore":
            aside = asyncio.run(restore_backup(settings.database_url, asked.file))
            key = "restored" if aside is None else "restored-beside"
            say(shell_sentence(key, file=asked.file, aside=aside))
        case "move-database":
            rows = asyncio.run(transfer_database(asked.source, asked.target))
            say(shell_sentence("moved", rows=sum(rows.values())))
        case "upgrade":
            copy = asyncio.run(upgrade(settings, copied=asked.no_copy))
            key = "upgraded" if copy is None else "upgraded-beside"
            say(shell_sentence(key, schema=newest_revision(), copy=copy))
        case "status":
            _tell_status(settings, "json" if asked.json else "")
        case "person":
            known = asyncio.run(kept_of(settings.database_url, asked.platform, asked.external))
            say(json.dumps(known, ensure_ascii=False, indent=2))
        case None | "demo":
            from bot.app.runner import run

            asyncio.run(run(settings))
        case _:
            from bot.app.control_socket import perform  # takes longer than all of the above

            act, words = act_of(asked, settings.public_origin)
            say(asyncio.run(perform(settings, act, **words)))
    return 0


def _tell_status(settings: Settings, form: str) -> None:
    from bot.app.status import copies_line

    try:
        told = ask_bot(settings.database_url, "status", {"form": form})
        say(told if form else "\n".join(map(from_below, told.splitlines())))
    except NoBotRuns:
        raise CommandError(shell_sentence("no-bot"), 1) from None
    if not form:
        say(from_below(copies_line(settings.backup_dir)))


def _doctor(settings: Settings, wanted: argparse.Namespace) -> int:
    from bot.app.doctor import ask as platforms
    from bot.app.doctor import (
        computers,
        examine,
        game_findings,
        language_findings,
        swiss_findings,
    )
    from bot.app.start_checks import check_machine

    async def found() -> list[Finding]:
        return [
            *await examine(settings.database_url, settings.backup_dir),
            computers(),
            *game_findings(),
            *swiss_findings(),
            *language_findings(),
            *await check_machine(settings),
            *await platforms(settings),
        ]

    findings = asyncio.run(found())
    shown = [one for one in findings if not wanted.quiet or one.level != "fine"]
    if wanted.json:
        say(json.dumps(list(map(asdict, shown)), ensure_ascii=False, indent=2))
    else:
        for finding in shown:
            say(f"{shell_sentence(finding.level):8}{from_below(finding.text)}")
    return 1 if any(finding.level == "error" for finding in findings) else 0


async def upgrade(settings: Settings, *, copied: bool) -> Path | None:
    """Bring the database up to this release; answers the copy that was made before.

    Raises ``StorageError`` and leaves it as it was. With *copied* the operator has made a copy, and
    none is needed of a database on a server.
    """
    async with await Store.open(settings.database_url, shared=True, copied=copied) as store:
        return store.copy


async def kept_of(url: str, platform: str, external: str) -> Mapping[str, JSON]:
    """All that is kept of the person with the id *external* on *platform*; changes nothing.

    Raises ``UnknownPerson``, or ``StorageError`` if the database is missing or of another release.
    """
    async with await Store.open(url, readonly=True) as store, store.reading() as tx:
        person = await people.find_person(tx, platform, external)
        if person is None:
            raise UnknownPerson(platform, external)
        return await personal_data.export_person(tx, person.id)
