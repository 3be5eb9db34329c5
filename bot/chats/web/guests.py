"""Who plays in the browser: random ids, cookies and the one-time links that lead in.

Nothing that opens a door is stored as it is: of tokens and cookies only SHA-256 is kept.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from dataclasses import asdict, dataclass, field, replace

from cachetools import LRUCache

from bot.house import Notes
from bot.port import Asker, Where

PLATFORM = "web"

GUESTS_KEPT = 1024
"""How many guests stay in memory; the others are read again."""

LINKS_KEPT = 16
"""How many links to one table may be unused; the oldest is void when another is made."""

BROWSERS_KEPT = 7
"""How many browsers besides the first one open the page of a guest; the oldest is void then."""

_ID = re.compile(r"[0-9a-f]{32}")
_FIRST = "web:first"


@dataclass(frozen=True)
class Guest:
    """Somebody with a page: a 128-bit *id*, and the hash of the *secret* in the cookie.

    *language* is the browser's; *table* the one he was invited to, until he has a *name*.
    *others* are the hashes of his further browsers, *back* that of the link to one more.
    """

    id: str
    secret: str
    name: str = ""
    language: str = ""
    theme: str = "light"
    table: str = ""
    others: tuple[str, ...] = ()
    back: str = ""

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

    notes: Notes
    _known: LRUCache[str, Guest] = field(default_factory=lambda: LRUCache(GUESTS_KEPT))

    async def first_token(self) -> str:
        """A new one-time token for the first page; the one before is void."""
        token = _token()
        await self.notes.put(_FIRST, _hashed(token))
        return token

    async def enter(self, token: str) -> Entrance | None:
        """A new guest for the first token, which is spent by this; ``None`` for any other."""
        entrance = _entrance("")
        async with self.notes.noting() as notes:
            kept = await notes.get(_FIRST)
            if not kept or not hmac.compare_digest(kept, _hashed(token)):
                return None
            await notes.put(_FIRST, "")
            await notes.put(_key(entrance.guest.id), _written(entrance.guest))
        return entrance

    async def invite(self, table: str) -> str:
        """A new one-time token that leads one person to *table*."""
        token = _token()
        async with self.notes.noting() as notes:
            links = _links(await notes.get(_links_key(table)))
            kept = [*links, _hashed(token)][-LINKS_KEPT:]
            await notes.put(_links_key(table), json.dumps(kept))
        return token

    async def accept(self, table: str, token: str) -> Entrance | None:
        """A new guest for a link to *table*, which is spent by this."""
        entrance, hashed = _entrance(table), _hashed(token)
        async with self.notes.noting() as notes:
            links = _links(await notes.get(_links_key(table)))
            left = [link for link in links if not hmac.compare_digest(link, hashed)]
            if len(left) == len(links):
                return None
            await notes.put(_links_key(table), json.dumps(left))
            await notes.put(_key(entrance.guest.id), _written(entrance.guest))
        return entrance

    async def open(self, table: str, token: str) -> bool:
        """Whether a link to *table* is still good; it is not spent by this."""
        links = _links(await self.notes.get(_links_key(table)))
        return any(hmac.compare_digest(link, _hashed(token)) for link in links)

    async def spend(self, table: str, token: str) -> bool:
        """Spend a link to *table*; false for one that is spent already."""
        hashed = _hashed(token)
        async with self.notes.noting() as notes:
            links = _links(await notes.get(_links_key(table)))
            left = [link for link in links if not hmac.compare_digest(link, hashed)]
            await notes.put(_links_key(table), json.dumps(left))
        return len(left) < len(links)

    async def way_back(self, guest: Guest) -> str:
        """A new one-time token that leads *guest* to his page from another browser."""
        token = _token()
        await self.keep(replace(guest, back=_hashed(token)))
        return token

    async def come_back(self, guest_id: str, token: str) -> Entrance | None:
        """The guest with this id, for whom one more browser has a secret now."""
        guest, secret = await self.get(guest_id), _token()
        if guest is None or not guest.back or not hmac.compare_digest(guest.back, _hashed(token)):
            return None
        others = (*guest.others, _hashed(secret))[-BROWSERS_KEPT:]
        return Entrance(await self.keep(replace(guest, back="", others=others)), secret)

    async def known(self, guest_id: str, secret: str) -> Guest | None:
        """The guest with this id, if *secret* is what his cookie holds."""
        guest = await self.get(guest_id)
        if guest is None:
            return None
        hashed = _hashed(secret)
        mine = [one for one in (guest.secret, *guest.others) if hmac.compare_digest(one, hashed)]
        return guest if mine else None

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

    async def keep(self, guest: Guest) -> Guest:
        """Keep *guest* as he is now."""
        if guest != await self.get(guest.id):
            await self.notes.put(_key(guest.id), _written(guest))
        self._known[guest.id] = guest
        return guest


def _entrance(table: str) -> Entrance:
    secret = _token()
    return Entrance(Guest(secrets.token_hex(16), _hashed(secret), table=table), secret)


def _token() -> str:
    return secrets.token_urlsafe(24)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _key(guest_id: str) -> str:
    return f"web:guest:{guest_id}"


def _links_key(table: str) -> str:
    return f"web:links:{table}"


def _links(kept: str | None) -> list[str]:
    return [str(link) for link in json.loads(kept or "[]")]


def _written(guest: Guest) -> str:
    return json.dumps(asdict(guest), ensure_ascii=False)


def _read(row: str) -> Guest:
    kept = json.loads(row)
    return Guest(**{**kept, "others": tuple(kept.get("others", ()))})
