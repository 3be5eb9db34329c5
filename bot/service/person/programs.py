"""The programs of people: each is an identity of its own, known by a key that only it has."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from pydantic import TypeAdapter, ValidationError

from bot.port import Asker, Where
from bot.service.clock import Clock
from bot.service.table.changes import Changes, Update
from bot.session.unit_of_work import Refused, refuse_if
from games.core import phrase
from storage import bot_settings
from storage.person import people
from storage.person.people import PROGRAM_NOTE, PROGRAM_PLATFORM
from storage.store import Store, Transaction

MOST_PROGRAMS = 3
"""How many programs a person may have."""

LONGEST_KEY = 80
"""No key of ours is longer."""


@dataclass(frozen=True)
class Program:
    """A program by its *id* and present *name*; of its key only the hash is kept."""

    id: str
    name: str
    hashed: str

    @property
    def asker(self) -> Asker:
        """The program as somebody who asks."""
        return Asker(PROGRAM_PLATFORM, self.id, self.name)

    @property
    def where(self) -> Where:
        """The place in which the program alone reads."""
        return Where(PROGRAM_PLATFORM, self.id, private=True)

    @property
    def owner(self) -> int:
        """The person who has made it."""
        return people.owner_of(PROGRAM_PLATFORM, self.id) or 0


_PROGRAM = TypeAdapter(Program)


@dataclass(frozen=True, kw_only=True)
class Programs:
    """The programs of all people. Raises ``StorageError``."""

    store: Store
    clock: Clock
    changes: Changes

    async def of_key(self, key: str) -> Program | None:
        """The program with this *key*; ``None`` for any other text."""
        external, dot, secret = key.partition(".")
        if not dot or len(key) > LONGEST_KEY or not key.isascii():
            return None
        known = await self.store.read(
            bot_settings.read_setting,
            f"{PROGRAM_NOTE}{external}",
            lambda kept: read_program(external, kept),
        )
        right = known is not None and hmac.compare_digest(known.hashed, _hash_secret(secret))
        return known if right else None

    async def of_owner(self, person: int) -> tuple[Program, ...]:
        """The programs of *person*; one whose row is damaged has no name and no key."""
        found = await self.store.read(people.programs_of, person)
        return tuple(_program_of(external, row) for external, row in found.items())

    async def make(self, origin: Update, owner: int, name: str) -> tuple[Program, str]:
        """A new program of *owner* and its key; raises ``Refused`` above ``MOST``."""
        made = Program(f"{owner}-{secrets.token_hex(4)}", name, "")

        async def make(tx: Transaction) -> tuple[Program, str]:
            if len(await people.programs_of(tx, owner)) >= MOST_PROGRAMS:
                raise Refused(phrase("settings.programs.most", n=MOST_PROGRAMS))
            await people.ensure_person(tx, PROGRAM_PLATFORM, made.id, made.name, self.clock.now())
            return await self._give_key(tx, made)

        return await self.changes.once(origin, make)

    async def renew(self, origin: Update, owner: int, external: str) -> tuple[Program, str]:
        """A program of *owner* with a new key, which voids the one before."""

        async def renew(tx: Transaction) -> tuple[Program, str]:
            found = await people.programs_of(tx, owner)
            refuse_if(external not in found, "settings.programs.gone")
            return await self._give_key(tx, _program_of(external, found[external]))

        return await self.changes.once(origin, renew)

    async def rename(self, program: Program, name: str) -> Program:
        """*program* under another *name*, as long as its key is the same."""
        renamed = replace(program, name=name)
        async with self.store.transaction() as tx:
            key = f"{PROGRAM_NOTE}{program.id}"
            if await bot_settings.load_setting(tx, key) == _write(program):
                await bot_settings.put_setting(tx, key, _write(renamed))
        return renamed

    async def _give_key(self, tx: Transaction, program: Program) -> tuple[Program, str]:
        secret = secrets.token_urlsafe(24)
        kept = replace(program, hashed=_hash_secret(secret))
        await bot_settings.put_setting(tx, f"{PROGRAM_NOTE}{kept.id}", _write(kept))
        return kept, f"{kept.id}.{secret}"


def read_program(external: str, row: str) -> Program:
    """The program of this id that a setting keeps; raises ``ValueError`` where it keeps none."""
    try:
        found = _PROGRAM.validate_json(row)
    except ValidationError:  # whose words hold what is kept
        raise ValueError("a stored program cannot be read") from None
    if found.id != external:
        raise ValueError("a stored program has another id")
    return found


def _program_of(external: str, row: str) -> Program:
    with suppress(ValueError):
        return read_program(external, row)
    return Program(external, "", "")


def _write(program: Program) -> str:
    return json.dumps(asdict(program), ensure_ascii=False)


def _hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
