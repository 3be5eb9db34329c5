"""Who plays in the browser: random ids, cookies and the one-time links that lead in.

Nothing that opens a door is stored as it is: of tokens and cookies only SHA-256 is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta

from cachetools import LRUCache

from bot.chats.web.devices import TELEGRAM, Device, called, hour, read_device
from bot.chats.web.framed import LIFE
from bot.facade import ChatNotes, Noting
from bot.port import Asker, Where

PLATFORM = "web"

GUESTS_KEPT = 1024
"""How many guests stay in memory; the others are read again."""

LINKS_KEPT = 16
"""How many links to one table may be unused; the oldest is void when another is made."""

FRAMED_KEPT = 2
"""How many older devices within Telegram stay when another comes."""

DEVICES_KEPT = 8
"""How many devices open the page of a guest; the one not seen for longest is void for a ninth."""

_ID = re.compile(r"[0-9a-f]{32}")
_FIRST = "web:first"


@dataclass(frozen=True)
class Guest:
    """Somebody with a page: a 128-bit *id*, and the *devices* that open it.

    *language* is the browser's; *table* the one he was invited to by the guest *host*, until he
    has a *name*.
    *back* is the hash of the link to one more device. *theme* is that of the device *here*
    through which he speaks, of the one that spoke last where there is none.
    """

    id: str
    name: str = ""
    language: str = ""
    theme: str = "light"
    table: str = ""
    host: str = ""
    devices: tuple[Device, ...] = ()
    back: str = ""
    here: str = ""

    @property
    def device(self) -> Device | None:
        """The device through which he speaks, while it is one of his."""
        return next((one for one in self.devices if one.id == self.here), None)

    @property
    def framed(self) -> bool:
        """Whether he speaks from within Telegram."""
        return self.device is not None and bool(self.device.until)

    def at(self, device: str) -> Guest:
        """The guest as he speaks through the device with this id."""
        there = replace(self, here=device)
        return there if there.device is None else replace(there, theme=there.device.theme)

    def with_device(self, device: Device) -> Guest:
        """The guest with this device as it is now; of too many the longest unseen one goes."""
        others = [one for one in self.devices if one.id != device.id]
        others.sort(key=lambda one: one.seen)
        return replace(self, devices=(*others, device)[-DEVICES_KEPT:])

    @property
    def asker(self) -> Asker:
        """The guest as the house knows him."""
        return Asker(PLATFORM, self.id, self.name, self.language or None)

    @property
    def where(self) -> Where:
        """The guest's own page, on which nobody else reads."""
        return Where(PLATFORM, self.id, private=True)

    @property
    def path(self) -> str:
        """The address of his page, to which his cookie is limited."""
        return f"/p/{self.id}"


@dataclass(frozen=True)
class Entrance:
    """A guest who has just come in, and the *secret* that his cookie shall hold."""

    guest: Guest
    secret: str


@dataclass
class Guests:
    """Everybody who has a page."""

    notes: ChatNotes
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ended: Callable[[Guest], Awaitable[None]] | None = None
    """Hears of a guest of whom a device was ended."""
    changed: Callable[[str], None] = lambda _: None
    """Hears of a guest whom another process has changed, by his id."""
    _known: LRUCache[str, Guest] = field(default_factory=lambda: LRUCache(GUESTS_KEPT))
    _changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.notes.when_changed(self._noted)

    def _noted(self, key: str) -> None:
        """Another process has changed what is noted as *key*."""
        guest = key.removeprefix(_key(""))
        if guest != key:
            self.forget(guest)
            self.changed(guest)

    async def first_token(self) -> str:
        """A new one-time token for the first page; the one before is void."""
        token = _token()
        await self.notes.put(_FIRST, _hashed(token))
        return token

    async def enter(self, token: str, user_agent: str = "") -> Entrance | None:
        """A new guest for the first token, which is spent by this; ``None`` for any other."""
        entrance = self._at_device(Guest(secrets.token_hex(16)), user_agent)
        async with self.notes.noting() as notes:
            kept = await notes.get(_FIRST)
            if not kept or not hmac.compare_digest(kept, _hashed(token)):
                return None
            await notes.put(_FIRST, "")
            await notes.put(_key(entrance.guest.id), _written(entrance.guest))
        return entrance

    async def invite(self, table: str, host: str) -> str:
        """A new one-time token that leads one person to *table*, at the guest *host*'s wish."""
        token = _token()
        async with self.notes.noting() as notes:
            links = _links(await notes.get(_links_key(table)))
            kept = [*links, f"{_hashed(token)} {host}"][-LINKS_KEPT:]
            await notes.put(_links_key(table), json.dumps(kept))
        return token

    async def accept(self, table: str, token: str, user_agent: str = "") -> Entrance | None:
        """A new guest for a link to *table*, which is spent by this."""
        async with self.notes.noting() as notes:
            host = await _spent(notes, table, token)
            if host is None:
                return None
            entrance = self._at_device(
                Guest(secrets.token_hex(16), table=table, host=host), user_agent
            )
            await notes.put(_key(entrance.guest.id), _written(entrance.guest))
        return entrance

    async def open(self, table: str, token: str) -> bool:
        """Whether a link to *table* is still good; it is not spent by this."""
        return await self.host_of(table, token) is not None

    async def host_of(self, table: str, token: str) -> str | None:
        """Who made a link to *table*, ``None`` for one that is not good any more."""
        found = _found(_links(await self.notes.get(_links_key(table))), token)
        return None if found is None else found.partition(" ")[2]

    async def spend(self, table: str, token: str) -> None:
        """Spend a link to *table*."""
        async with self.notes.noting() as notes:
            await _spent(notes, table, token)

    async def way_back(self, guest_id: str) -> str:
        """A new one-time token that leads the guest to his page from another device."""
        token = _token()
        await self.change(guest_id, lambda guest: replace(guest, back=_hashed(token)))
        return token

    async def come_back(self, guest_id: str, token: str, user_agent: str = "") -> Entrance | None:
        """The guest with this id, who has one more device now."""
        entered: list[Entrance] = []

        def come(guest: Guest) -> Guest:
            if guest.back and hmac.compare_digest(guest.back, _hashed(token)):
                entered.append(self._at_device(replace(guest, back=""), user_agent))
                return entered[-1].guest
            return guest

        if await self.get(guest_id) is not None:
            await self.change(guest_id, come)
        return entered[-1] if entered else None

    async def known(self, guest_id: str, secret: str) -> Guest | None:
        """The guest with this id at the device whose cookie holds *secret*."""
        guest = await self._at(guest_id, secret)
        return None if guest is None or guest.framed else guest

    async def borne(self, guest_id: str, token: str) -> Guest | None:
        """The guest with this id within Telegram, by the *token* in the address of his page.

        It is good for another hour while it is used.
        """
        guest = await self._at(guest_id, token)
        if guest is None or guest.device is None or not guest.framed:
            return None
        left = datetime.fromisoformat(guest.device.until) - self.now()
        if left <= timedelta(0):
            return None
        if left < LIFE / 2:
            until = (self.now() + LIFE).isoformat()
            guest = await self.with_device(guest, lambda one: replace(one, until=until))
        return guest

    async def _at(self, guest_id: str, secret: str) -> Guest | None:
        guest, hashed = await self.get(guest_id), _hashed(secret)
        if guest is None:
            return None
        mine = [one.id for one in guest.devices if hmac.compare_digest(one.secret, hashed)]
        return guest.at(mine[0]) if mine else None

    async def framed(self, guest_id: str, name: str, language: str) -> Entrance:
        """Somebody of Telegram as the guest with this id, at a device there that is new."""
        async with self._changing:
            if await self.get(guest_id) is None:
                await self.notes.put(_key(guest_id), _written(Guest(guest_id)))
        entered: list[Entrance] = []

        def come(guest: Guest) -> Guest:
            now = self.now()
            framed = [one for one in guest.devices if one.until > now.isoformat()][-FRAMED_KEPT:]
            kept = tuple(one for one in guest.devices if not one.until or one in framed)
            there = replace(guest, name=name, language=language, devices=kept)
            entered.append(self._at_device(there, TELEGRAM, (now + LIFE).isoformat()))
            return entered[-1].guest

        await self.change(guest_id, come)
        return entered[-1]

    async def end(self, guest: Guest, device: str) -> Guest:
        """*guest* without one of his devices, or without all but the one he speaks through.

        Of these *device* is the id, nothing for all others.
        """

        def without(kept: Guest) -> Guest:
            if device:
                left = [one for one in kept.devices if one.id != device]
            else:
                left = [one for one in kept.devices if one.id == guest.here]
            # A link that leads one more device here may be in the hands that lost one.
            return replace(kept, devices=tuple(left), back="")

        return (await self.change(guest.id, without)).at(guest.here)

    async def seen(self, guest: Guest, user_agent: str) -> None:
        """Note that *guest* opens his page at the device he speaks through."""
        named, now = TELEGRAM if guest.framed else called(user_agent), hour(self.now())
        await self.with_device(guest, lambda one: replace(one, name=named, seen=now))

    async def with_device(self, guest: Guest, how: Callable[[Device], Device]) -> Guest:
        """*guest*, the device he speaks through being as *how* makes it."""

        def changed(kept: Guest) -> Guest:
            device = kept.at(guest.here).device
            return kept if device is None else kept.with_device(how(device))

        return (await self.change(guest.id, changed)).at(guest.here)

    async def get(self, guest_id: str) -> Guest | None:
        """The guest with this id."""
        known = self._known.get(guest_id)
        if known is None and _ID.fullmatch(guest_id):
            row = await self.notes.get(_key(guest_id))
            if row:
                known = self._known[guest_id] = _read(row)
        return known

    def forget(self, guest_id: str) -> None:
        """Read anew whether there is a guest with this id."""
        self._known.pop(guest_id, None)

    async def change(self, guest_id: str, how: Callable[[Guest], Guest]) -> Guest:
        """Keep the guest as *how* makes him of what he is; raises ``LookupError`` for nobody."""
        async with self._changing:
            guest = await self.get(guest_id)
            if guest is None:
                raise LookupError(guest_id)
            changed = how(guest)
            if changed != guest:
                async with self.notes.noting() as notes:
                    kept = await notes.get(_key(guest_id))
                    if not kept:
                        raise LookupError(guest_id)
                    stored = _read(kept)
                    if stored != guest:  # by another process
                        guest, changed = stored, how(stored)
                    await notes.put(_key(guest_id), _written(changed))
                self._known[guest_id] = replace(changed, here="")
        gone = {one.id for one in guest.devices} - {one.id for one in changed.devices}
        if gone and self.ended is not None:
            await self.ended(changed)
        return changed

    def _at_device(self, guest: Guest, user_agent: str, until: str = "") -> Entrance:
        """*guest* at a device that he has not used before."""
        secret = _token()
        device = Device(
            secrets.token_hex(4),
            _hashed(secret),
            called(user_agent),
            hour(self.now()),
            guest.theme,
            until,
        )
        return Entrance(guest.with_device(device), secret)


def _token() -> str:
    return secrets.token_urlsafe(24)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _key(guest_id: str) -> str:
    return f"web:guest:{guest_id}"


def _links_key(table: str) -> str:
    return f"web:links:{table}"


def _found(links: Sequence[str], token: str) -> str | None:
    """The one of *links* that *token* opens: its hash, and the id of who made it."""
    hashed = _hashed(token)
    return next((one for one in links if hmac.compare_digest(one.partition(" ")[0], hashed)), None)


async def _spent(notes: Noting, table: str, token: str) -> str | None:
    """Spend a link to *table*; answers who made it, ``None`` for one that is none."""
    links = _links(await notes.get(_links_key(table)))
    found = _found(links, token)
    if found is None:
        return None
    await notes.put(_links_key(table), json.dumps([one for one in links if one != found]))
    return found.partition(" ")[2]


def _links(kept: str | None) -> list[str]:
    return [str(link) for link in json.loads(kept or "[]")]


def _written(guest: Guest) -> str:
    kept = asdict(guest)
    del kept["here"]
    return json.dumps(kept, ensure_ascii=False)


def _read(row: str) -> Guest:
    kept = json.loads(row)
    # Before 0.3 there were hashes alone.
    before = [one for one in (kept.pop("secret", ""), *kept.pop("others", ())) if one]
    old = [Device(one[:8], one, theme=kept.get("theme", "light")) for one in before]
    devices = (*old, *(read_device(one) for one in kept.pop("devices", ())))
    return Guest(**kept, devices=devices)
