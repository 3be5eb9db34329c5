"""What a stranger may cost: milliseconds of the loop, charged before the work is done.

Every request and every frame has a price. Who is known pays it from a purse of their own, anybody
else from that of their address; what proves to be nobody's is paid from the address's purse for
``junk``, which keeps nobody out but those who prove nothing either. Purses are this process's own.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from aiohttp import web


class Purse(NamedTuple):
    """How much may be spent at once, and how much comes back a second, in milliseconds."""

    at_once: float
    a_second: float


PURSES: Mapping[str, Purse] = {
    "frames": Purse(30, 8),
    "line": Purse(40, 10),
    "guest": Purse(200, 20),
    "program": Purse(240, 30),
    "entering": Purse(60, 1),
    "instance": Purse(120, 12),
    "address": Purse(1000, 60),
    "proxy": Purse(2000, 200),
    "junk": Purse(60, 6),
    "strangers": Purse(2000, 400),
    "claims": Purse(300, 100),
    "words": Purse(3, 1),
    "patience": Purse(5, 0.9),
    "newcomer": Purse(12, 40 / 86400),
    "newcomers": Purse(120, 0.2),
}
"""The purses by kind: of what a guest's pages send, as frames and in any pieces, and of what that
asks for, of the owner of programs, of somebody who signs in, an instance of the Activity, an
address, one of Discord's proxy, and what an address sends that proves nothing. All *strangers*, and
all their *claims*, wait for one another at theirs (``queue``) and are not refused. By heads are
counted refusals in *words* to a guest, and newcomers of an address and of all."""

HELD = 0.3
"""The seconds for which somebody waits who has spent all, and for their refusal."""

PURSES_KEPT = 4096
"""How many purses are remembered from which something was spent; the oldest go first."""

SIZE_PRICE = 0.1
"""The price of a KiB that is read."""

_FRAMES: Mapping[float, str] = {
    0.2: "ping wrong file",
    2.0: "lobby point",
    3.0: "list if position",
    4.0: "press call coach",
    6.0: "setup",
    8.0: "hello",
}
_REQUESTS: Mapping[float, str] = {
    1.0: "claim picture",
    2.0: "read look thumb today tournaments",
    3.0: "record socket",
    4.0: "code people",
    5.0: "act past file figure shown",
    6.0: "entrance front",
}

FRAME_PRICES, REQUEST_PRICES = (
    {kind: price for price, kinds in table.items() for kind in kinds.split()}
    for table in (_FRAMES, _REQUESTS)
)
"""The prices by kind, as ``tests/benchmarks/prices.py`` compares them with the work.

Requests are known by the last word of their path that has a price, or by what is found out: a
*claim* is asked of the database, a *code* of a platform; programs *read* and *act*.
"""

UNREAD, OTHER_FRAME, OTHER_REQUEST = 0.1, 1.0, 0.5
"""The prices of a frame before it is read, and of all others."""

HERE = ("127.0.0.1", "::/64", "localhost")
"""The networks of clients on this machine."""

LEFT = 60.0
"""What a guest's page leaves of their purse to them when it reads by itself."""


def frame_price(kind: str) -> float:
    """The price of a frame of this *kind*."""
    return FRAME_PRICES.get(kind, OTHER_FRAME)


def size_price(letters: int) -> float:
    """The price of a frame of so many *letters*, whose kind is not known yet."""
    return UNREAD + letters / 1024 * SIZE_PRICE


def request_price(kind: str) -> float:
    """The price of a request of this *kind*."""
    return REQUEST_PRICES.get(kind, OTHER_REQUEST)


class Overspent(web.HTTPTooManyRequests):
    """Who asks has spent all they had; they may ask again after *wait* seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__()
        self.wait = wait


@dataclass
class StrangerBudget:
    """All purses from which something was spent lately."""

    clock: Callable[[], float] = time.monotonic
    _spent: OrderedDict[tuple[str, str], tuple[float, float]] = field(default_factory=OrderedDict)
    """What was spent from a purse and has not come back, and when that was so."""
    _turns: defaultdict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )

    def wait(self, purse: str, whose: str, price: float = 0.0) -> float:
        """Seconds until *price* can be spent from a purse; 0 for now."""
        at_once, a_second = PURSES[purse]
        return max(0.0, self._debt((purse, whose)) + price - at_once) / a_second

    def take(self, purse: str, whose: str, price: float, left: float = 0.0) -> bool:
        """Spend *price* from a purse if so much is *left* then; answers whether it was."""
        if self.wait(purse, whose, price + left) > 0:
            return False
        self.spend(purse, whose, price)
        return True

    def pause(self, purse: str, whose: str) -> float:
        """For how many seconds somebody waits who has spent much: the less is left, the longer."""
        return HELD * min(1.0, self._debt((purse, whose)) / PURSES[purse].at_once) ** 3

    async def hold(self, purse: str, whose: str, price: float) -> None:
        """Wait until *price* can be spent from a purse, as long as there is patience with *whose*.

        Who looks around quickly is served a little later; a flood is refused all the same.
        """
        while (wait := self.wait(purse, whose, price)) and self.take("patience", whose, wait):  # noqa: ASYNC110 (time)
            await asyncio.sleep(wait)

    async def queue(self, purse: str, price: float, is_gone: Callable[[], bool] = bool) -> None:
        """Wait for a turn of one's own in a purse of all: the less is left in it, the longer.

        Raises ``ConnectionResetError`` where who asks *is_gone* once it is their turn.
        """
        async with self._turns[purse]:
            if is_gone():
                raise ConnectionResetError
            self.spend(purse, "", price)
            await asyncio.sleep(self.pause(purse, ""))

    def spend(self, purse: str, whose: str, price: float) -> None:
        """Spend *price* from a purse, whatever it holds; nobody owes more than twice as much."""
        debt = min(self._debt((purse, whose)) + price, 2 * PURSES[purse].at_once)
        self._spent[purse, whose] = debt, self.clock()
        self._spent.move_to_end((purse, whose))
        while self._spent:
            if len(self._spent) <= PURSES_KEPT and self._debt(next(iter(self._spent))):
                break
            self._spent.popitem(last=False)

    def charge(self, purse: str, whose: str, kind: str) -> None:
        """Let a request of this *kind* be paid from a purse; raises ``Overspent``."""
        price = request_price(kind)
        if not self.take(purse, whose, price):
            raise Overspent(self.wait(purse, whose, price))

    def _debt(self, key: tuple[str, str]) -> float:
        owed, since = self._spent.get(key, (0.0, 0.0))
        return max(0.0, owed - (self.clock() - since) * PURSES[key[0]].a_second)


@dataclass(frozen=True)
class Stranger:
    """Who asks, as far as their *network* alone is known."""

    budget: StrangerBudget
    network: str

    async def claim(self, kind: str) -> None:
        """Charge the network for a claim that may prove nothing; raises ``Overspent``."""
        self.budget.charge("junk", self.network, kind)
        await self.budget.queue("claims", request_price(kind))

    def prove(self, kind: str) -> None:
        """Give back what such a claim has cost, for it holds."""
        self.budget.spend("junk", self.network, -request_price(kind))

    def take_newcomer(self) -> bool:
        """Count one more new guest of the network; false where too many have come, or in all.

        Clients on this machine have no limit.
        """
        purses = ("newcomer", self.network), ("newcomers", "")
        if self.network in HERE:
            return True
        if any(self.budget.wait(*one, 1.0) > 0 for one in purses):
            return False
        for one in purses:
            self.budget.spend(*one, 1.0)
        return True


STRANGER: web.RequestKey[Stranger] = web.RequestKey("stranger", Stranger)
"""Who pays for what a request claims."""


def request_kind(request: web.Request) -> str:
    """The kind by which *request* is charged at first: the last word of its path with a price."""
    resource = request.match_info.route.resource
    words = [] if resource is None else resource.canonical.split("/")
    return next((word for word in reversed(words) if word in REQUEST_PRICES), "")


def network_of(client: str) -> str:
    """The part of the address *client* that its owner cannot choose: of IPv6 the first half."""
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return client[:64]
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
