"""The guests of the browser chat. Of their cookies and links only SHA-256 is stored."""

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
from functools import partial

from cachetools import LRUCache
from pydantic import TypeAdapter, ValidationError

from bot.chats.web.person.devices import DISCORD, TELEGRAM, Device, browser_name, hour
from bot.facade import BY_ACT, Action, ChatNotes, NotesTransaction, read_names, remembering
from bot.port import Asker, Command, Where

PLATFORM = "web"

GUESTS_KEPT = 1024
"""How many guests stay in memory."""

OPEN_HOUSE = "open house"
"""What the note of whoever came in by an open house says."""

LINKS_KEPT = 16
"""How many links to one table may be unused; another one voids the oldest."""

FRAMED_KEPT = 2
"""How many older devices within Telegram stay beside a new one."""

DEVICES_KEPT = 8
"""How many devices a guest may have; a ninth voids the one not seen for longest."""

DEVICE_LIFE = timedelta(days=4)
"""For how long a device within Telegram is valid after its last use: whoever has three days for a
move, the longest that is offered, comes back to an open window."""

_ID = re.compile(r"[0-9a-f]{32}")


def read_host(value: str) -> str:
    """Whose link let a guest in, ``OPEN_HOUSE`` where nobody's did; ``ValueError`` for neither."""
    if value != OPEN_HOUSE and not _ID.fullmatch(value):
        raise ValueError(value)
    return value


_FIRST = "web:first"


@dataclass(frozen=True)
class Guest:
    """Somebody with a page: a 128-bit *id*, and the *devices* that open it.

    *language* is the browser's. *table* and *host* are the table and the guest of an invitation,
    or the table is a game to begin, until the guest has a *name*. *back* is the hash of the link
    for one more device. *theme* is that of the device *here*, through which they speak, or of the
    last device.
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
        """The device through which the guest speaks, while it is still theirs."""
        return next((one for one in self.devices if one.id == self.here), None)

    @property
    def is_framed(self) -> bool:
        """Whether the guest speaks from within Telegram or Discord."""
        return self.device is not None and bool(self.device.until)

    def at(self, device: str) -> Guest:
        """The guest as they speak through the device with this id."""
        there = replace(self, here=device)
        return there if there.device is None else replace(there, theme=there.device.theme)

    def with_device(self, device: Device) -> Guest:
        """The guest with this device; of too many the one not seen for longest goes."""
        others = [one for one in self.devices if one.id != device.id]
        others.sort(key=lambda one: one.seen)
        return replace(self, devices=(*others, device)[-DEVICES_KEPT:])

    @property
    def asker(self) -> Asker:
        """The guest as the facade knows them."""
        return Asker(PLATFORM, self.id, self.name, self.language or None, theme=self.theme)

    @property
    def where(self) -> Where:
        """The guest's own page, which nobody else reads."""
        return Where(PLATFORM, self.id, private=True)

    def update(self, named: str) -> str:
        """The id of the update *named* so among all of the guest's.

        Whoever erases the guest knows theirs by it (``storage.person.personal_data``).
        """
        return f"{self.id}:{named}"

    def command(self, update: str, act: Action, **values: str) -> Command:
        """The command *act* of the guest with *values*; *update* names it among all of theirs."""
        return Command(self.update(update), self.where, self.asker, BY_ACT[act].name, values)

    @property
    def path(self) -> str:
        """The path of the guest's page, which limits their cookie."""
        return f"/p/{self.id}"


_GUEST = TypeAdapter(Guest)


class UnknownGuest(LookupError):
    """There is no guest with this id, or they have been forgotten."""


@dataclass(frozen=True)
class Entrance:
    """A guest who has just come in, and the *secret* for their cookie."""

    guest: Guest
    secret: str


@dataclass
class Guests:
    """The store of all guests."""

    notes: ChatNotes
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ended: Callable[[Guest], Awaitable[None]] | None = None
    """Called with a guest who has lost a device."""
    changed: Callable[[str], None] = lambda _: None
    """Called with the id of a guest that another process has changed."""
    banned: Callable[[Asker], Awaitable[bool]] | None = None
    """Whether somebody is kept out of the whole house."""
    _known: LRUCache[str, Guest] = remembering(GUESTS_KEPT)
    _links: LRUCache[tuple[str, str], str] = remembering(GUESTS_KEPT)
    """The tokens of links that were shown, by table and by who invites there."""
    _changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.notes.when_changed(self._note)

    def _note(self, key: str) -> None:
        """Forget a guest whose note *key* another process has changed."""
        guest = key.removeprefix(_key(""))
        if guest != key:
            self.forget(guest)
            self.changed(guest)

    async def is_banned(self, guest: Guest) -> bool:
        """Whether *guest* is kept out of the whole house."""
        return self.banned is not None and await self.banned(guest.asker)

    async def first_token(self) -> str:
        """A new one-time token for the first page, which voids the one before."""
        token = _token()
        await self.notes.put(_FIRST, hash_token(token))
        return token

    async def awaits(self, token: str) -> bool:
        """Whether *token* is that of the first page, and unspent."""
        kept = await self.notes.read(_FIRST, str)
        return kept is not None and _is_hash_of(kept, token)

    async def enter(self, token: str, user_agent: str = "") -> Entrance | None:
        """A new guest for the first token, which this spends; ``None`` for any other."""
        async with self.notes.noting() as notes:
            kept = await notes.read(_FIRST, str)
            if not kept or not _is_hash_of(kept, token):
                return None
            await notes.put(_FIRST, "")
            return await self._create(notes, user_agent)

    async def _create(
        self, notes: NotesTransaction, agent: str, leave: str = "", known: Guest = Guest("")
    ) -> Entrance:
        """A new guest, marked with by whose *leave* they come."""
        entrance = self._at_device(replace(known, id=secrets.token_hex(16)), agent)
        if leave:
            await notes.put(f"{PLATFORM}:passing:{entrance.guest.id}", leave)
        await notes.put(_key(entrance.guest.id), _write(entrance.guest))
        return entrance

    async def invite(self, table: str, host: str, seats: int = 1) -> str:
        """The token that leads to *table* so many people as it had free *seats*, from *host*.

        While it is not spent it stays the same, as long as this process lives.
        """
        async with self.notes.noting() as notes:
            links = await notes.read(_links_key(table), read_names) or ()
            token = self._links.get((table, host), "")
            if _find_link(links, token) is None:
                token = self._links[table, host] = _token()
                kept = [*links, *[f"{hash_token(token)} {host}"] * seats][-LINKS_KEPT:]
                await notes.put(_links_key(table), json.dumps(kept))
        return token

    async def accept(self, table: str, token: str, user_agent: str = "") -> Entrance | None:
        """A new guest for a link to *table*, which this spends.

        They are marked with whose link it was (``storage.person.people.barred_groups``).
        """
        async with self.notes.noting() as notes:
            host = await _spend(notes, table, token)
            if host is None:
                return None
            return await self._create(notes, user_agent, host, Guest("", table=table, host=host))

    async def host_of(self, table: str, token: str) -> str | None:
        """The id of the guest who made a link to *table*, ``None`` for an invalid one."""
        found = _find_link(await self.notes.read(_links_key(table), read_names) or (), token)
        return None if found is None else found.partition(" ")[2]

    async def spend(self, table: str, token: str) -> str | None:
        """Spend a link to *table*; answers whose it was, ``None`` for an invalid one."""
        async with self.notes.noting() as notes:
            return await _spend(notes, table, token)

    async def way_back(self, guest_id: str) -> str:
        """A new one-time token that leads the guest to their page from another device."""
        token = _token()
        await self.change(guest_id, lambda guest: replace(guest, back=hash_token(token)))
        return token

    async def come_back(self, guest_id: str, token: str, user_agent: str = "") -> Entrance | None:
        """The guest with this id on one more device; ``None`` for an invalid token."""
        entered: list[Entrance] = []

        def come(guest: Guest) -> Guest:
            if guest.back and _is_hash_of(guest.back, token):
                entered.append(self._at_device(replace(guest, back=""), user_agent))
                return entered[-1].guest
            return guest

        if await self.get(guest_id) is not None:
            await self.change(guest_id, come)
        return entered[-1] if entered else None

    async def find(self, guest_id: str, secret: str) -> Guest | None:
        """The guest with this id on the device whose cookie holds *secret*."""
        guest = await self._at(guest_id, secret)
        return None if guest is None or guest.is_framed else guest

    async def identify(self, guest_id: str, token: str, within: str = TELEGRAM) -> Guest | None:
        """The guest *within* another app by their *token*, which use renews."""
        guest = await self._at(guest_id, token)
        if guest is None or guest.device is None or not guest.is_framed:
            return None
        if (guest.device.name == DISCORD) != (within == DISCORD):
            return None
        left = datetime.fromisoformat(guest.device.until) - self.now()
        if left <= timedelta(0):
            return None
        if left < DEVICE_LIFE / 2:
            until = (self.now() + DEVICE_LIFE).isoformat()
            guest = await self.with_device(guest, lambda one: replace(one, until=until))
        return guest

    async def _at(self, guest_id: str, secret: str) -> Guest | None:
        guest = await self.get(guest_id)
        if guest is None:
            return None
        mine = _find_device(guest, secret)
        return None if mine is None else guest.at(mine.id)

    def remembers(self, guest_id: str, secret: str) -> bool:
        """Whether memory has the guest with this id and a device with this *secret*."""
        known = self._known.get(guest_id)
        return known is not None and _find_device(known, secret) is not None

    async def enter_within(
        self, guest_id: str, name: str, language: str, within: str = TELEGRAM, instance: str = ""
    ) -> Entrance:
        """The guest with this id on a new device *within* another app, in its *instance*."""

        def come(guest: Guest) -> Entrance:
            now = self.now()
            framed = [one for one in guest.devices if one.until > now.isoformat()][-FRAMED_KEPT:]
            kept = tuple(one for one in guest.devices if not one.until or one in framed)
            there = replace(guest, name=name, language=language, devices=kept)
            return self._at_device(there, within, (now + DEVICE_LIFE).isoformat(), instance)

        return await self._enter(Guest(guest_id), come)

    async def signed_in(
        self, guest_id: str, name: str, language: str, user_agent: str, door: str
    ) -> Entrance:
        """The guest with this id in one more browser, by a *door*; a new one is called *name*."""
        return await self._enter(
            Guest(guest_id, name, language),
            lambda it: self._at_device(replace(it, name=it.name or name), user_agent, door=door),
        )

    async def _enter(self, new: Guest, come: Callable[[Guest], Entrance]) -> Entrance:
        """Let the guest with the id of *new*, or else *new*, enter as they *come*."""
        async with self._changing:
            if await self.get(new.id) is None:
                await self.notes.put(_key(new.id), _write(new))
        entered: list[Entrance] = []

        def enter(guest: Guest) -> Guest:
            entered.append(come(guest))
            return entered[-1].guest

        await self.change(new.id, enter)
        return entered[-1]

    async def welcome(
        self, user_agent: str, *, invited: bool, wish: str = "", name: str = "", language: str = ""
    ) -> Entrance:
        """A new guest whom nobody has invited to a table; who is not *invited* at all is marked.

        Once they have a *name* they sit down where they *wish*: ``t/`` and a table, ``play/``, a
        game, and the level of a computer, or ``now/``, a tempo and a game.
        The mark keeps them from rated games (``storage.person.people.barred_groups``).
        """
        begins = wish.count("/") == 2 or wish.startswith("t/")
        leave = "" if invited else OPEN_HOUSE
        guest = Guest("", name, language, table=wish.removeprefix("t/") if begins else "")
        async with self.notes.noting() as notes:
            return await self._create(notes, user_agent, leave, guest)

    async def end(self, guest: Guest, device: str) -> Guest:
        """*guest* without the *device* of this id; an empty one means all but the present one."""

        def without(kept: Guest) -> Guest:
            others = (one for one in kept.devices if one.id != device)
            left = tuple(one for one in others if device or one.id == guest.here)
            # A link for one more device may be on the device that is ended.
            return replace(kept, devices=left, back="")

        return (await self.change(guest.id, without)).at(guest.here)

    async def note_visit(self, guest: Guest, user_agent: str) -> None:
        """Note that *guest* opens their page on the present device."""
        known = guest.device.name if guest.device is not None and guest.is_framed else ""
        named, now = known or browser_name(user_agent), hour(self.now())
        await self.with_device(guest, lambda one: replace(one, name=named, seen=now))

    async def with_device(self, guest: Guest, how: Callable[[Device], Device]) -> Guest:
        """*guest* with their present device changed by *how*."""

        def changed(kept: Guest) -> Guest:
            device = kept.at(guest.here).device
            return kept if device is None else kept.with_device(how(device))

        return (await self.change(guest.id, changed)).at(guest.here)

    async def get(self, guest_id: str) -> Guest | None:
        """The guest with this id."""
        known = self._known.get(guest_id)
        if known is None and _ID.fullmatch(guest_id):
            known = await self.notes.read(_key(guest_id), partial(read_guest, guest_id))
            if known is not None:
                self._known[guest_id] = known
        return known

    def forget(self, guest_id: str) -> None:
        """Drop the guest from memory, so that they are read anew."""
        self._known.pop(guest_id, None)

    async def change(self, guest_id: str, how: Callable[[Guest], Guest]) -> Guest:
        """Store the guest as changed by *how*; raises ``UnknownGuest`` for an unknown id."""
        async with self._changing:
            guest = await self.get(guest_id)
            if guest is None:
                raise UnknownGuest
            changed = how(guest)
            if changed != guest:
                async with self.notes.noting() as notes:
                    stored = await notes.read(_key(guest_id), partial(read_guest, guest_id))
                    if stored is None:
                        raise UnknownGuest
                    if stored != guest:  # by another process
                        guest, changed = stored, how(stored)
                    await notes.put(_key(guest_id), _write(changed))
                self._known[guest_id] = replace(changed, here="")
        gone = {one.id for one in guest.devices} - {one.id for one in changed.devices}
        if gone and self.ended is not None:
            await self.ended(changed)
        return changed

    def _at_device(
        self, guest: Guest, user_agent: str, until: str = "", instance: str = "", door: str = ""
    ) -> Entrance:
        secret = _token()
        device = Device(
            secrets.token_hex(4),
            hash_token(secret),
            browser_name(user_agent),
            hour(self.now()),
            guest.theme,
            until,
            instance=instance,
            door=door,
        )
        return Entrance(guest.with_device(device), secret)


def _token() -> str:
    return secrets.token_urlsafe(24)


def hash_token(token: str) -> str:
    """What is stored of *token*, which may hold any letters."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _is_hash_of(kept: str, token: str) -> bool:
    """Whether *kept* is the hash of *token*; what storage keeps may be damaged."""
    return hmac.compare_digest(kept.encode(errors="replace"), hash_token(token).encode())


def _find_device(guest: Guest, secret: str) -> Device | None:
    return next((one for one in guest.devices if _is_hash_of(one.secret, secret)), None)


def _key(guest_id: str) -> str:
    return f"web:guest:{guest_id}"


def _links_key(table: str) -> str:
    return f"web:links:{table}"


def _find_link(links: Sequence[str], token: str) -> str | None:
    """The one of *links* for *token*: its hash, and the id of the guest who made it."""
    return next((one for one in links if _is_hash_of(one.partition(" ")[0], token)), None)


async def _spend(notes: NotesTransaction, table: str, token: str) -> str | None:
    """Spend a link to *table*; answers the guest who made it, ``None`` for an invalid one."""
    links = await notes.read(_links_key(table), read_names) or ()
    found = _find_link(links, token)
    if found is None:
        return None
    at = links.index(found)
    await notes.put(_links_key(table), json.dumps([*links[:at], *links[at + 1 :]]))
    return found.partition(" ")[2]


def _write(guest: Guest) -> str:
    kept = asdict(guest)
    del kept["here"]
    return json.dumps(kept, ensure_ascii=False)


def read_guest(guest_id: str, row: str) -> Guest:
    """The guest of this id that a note keeps; raises ``ValueError`` where it keeps none."""
    kept = json.loads(row)
    if not isinstance(kept, dict):
        raise ValueError("a stored guest is no object")
    # Before 0.3 a guest had hashes alone.
    before = [one for one in (kept.pop("secret", ""), *kept.pop("others", ())) if one]
    old = [Device(one[:8], one, theme=kept.get("theme", "light")) for one in before]
    try:
        guest = _GUEST.validate_python({**kept, "devices": (*old, *kept.get("devices", ()))})
        for device in guest.devices:
            if device.until and datetime.fromisoformat(device.until).tzinfo is None:
                raise ValueError("an instant of a device has no time zone")
    except (ValidationError, TypeError):  # whose words hold what is kept
        raise ValueError("a stored guest cannot be read") from None
    if guest.id != guest_id:
        raise ValueError("a stored guest has another id")
    return guest
