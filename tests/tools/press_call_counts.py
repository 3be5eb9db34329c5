"""What a press walks through: ``python -m tests.tools.press_call_counts [discord|telegram|page]``.

A button that plays a move of Niya is pressed in a house of this process, behind the fakes of the
tests, several times after others in houses before, so that sprites and sentences are known. Counted
are the files, functions (no comprehensions) and calls of our four packages on all threads, from the
press until it is answered and its board is shown: one line, the median of the presses by calls.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(f"{ROOT / package}/" for package in ("bot", "games", "render", "storage"))
HOUSES, COUNTED, PRESSES = 6, 3, 6
"""In how many houses as many presses are made, and in how many of them they are counted."""


@dataclass
class Profile:
    """The calls of our packages on every thread, while it is *counting*."""

    counting: bool = False
    calls: Counter[CodeType] = field(default_factory=Counter)

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """A hook of ``sys.setprofile``."""
        code = frame.f_code
        if self.counting and event == "call" and code.co_filename.startswith(PACKAGES):
            self.calls[code] += code.co_name == "<lambda>" or not code.co_name.startswith("<")


@dataclass(frozen=True, order=True)
class Walk:
    """What one press has walked through."""

    calls: int
    functions: int
    files: int


async def walk(profile: Profile, press: Callable[[], Awaitable[None]]) -> Walk:
    """What *press* walks through until it ends."""
    profile.calls = Counter()
    profile.counting = True
    try:
        await press()
    finally:
        profile.counting = False
    functions = +profile.calls
    return Walk(functions.total(), len(functions), len({code.co_filename for code in functions}))


async def walks(
    profile: Profile,
    press: Callable[[], Awaitable[None]],
    settle: Callable[[], Awaitable[None]],
) -> list[Walk]:
    """The walks of some presses, each made when what the one before has left is done."""
    found = []
    for _ in range(PRESSES):
        await settle()
        found.append(await walk(profile, press))
    await settle()
    return found


async def on_discord(profile: Profile, folder: Path) -> list[Walk]:
    """A press on a board in a server."""
    from tests.chats.discord_table import Table, discord_house
    from tests.chats.fake_discord import FakeDiscord, point_library_at

    fake = FakeDiscord()
    with pytest.MonkeyPatch.context() as patch:
        async with fake.running() as base:
            point_library_at(patch, base)
            async with discord_house(folder) as facade:
                await fake.until(lambda: fake.socket is not None)
                table = Table(fake, facade)
                message = await table.begun()

                async def press() -> None:
                    await table.move(message)

                return await walks(profile, press, table.settle)


async def on_telegram(profile: Profile, folder: Path) -> list[Walk]:
    """A press on a board in a group."""
    from tests.chats.telegram_room import room

    async with room(folder) as at:
        board = await at.begun()

        async def press() -> None:
            edits = board.edits
            await at.api.press(at.mover(board), board, board.moves[0])
            await at.api.until(lambda: board.edits > edits)

        return await walks(profile, press, at.settle)


async def on_the_page(profile: Profile, folder: Path) -> list[Walk]:
    """A press on a board that two people look at."""
    from tests.chats.pages import seated, server

    async with server(folder) as at:
        host = await at.first()
        async with host.open() as page:
            table, guest = await seated(at, page)
            async with guest.open() as other:

                async def settle() -> None:
                    await at.facade.settled()
                    newest = max(one.boards[table]["version"] for one in (page, other))
                    for one in (page, other):
                        await one.board(table, lambda board: board["version"] >= newest)

                async def press() -> None:
                    mover = page if page.boards[table]["mine"] else other
                    version = mover.boards[table]["version"]
                    await mover.press(table, mover.moves(table)[0])
                    await mover.board(table, lambda board: board["version"] > version)

                return await walks(profile, press, settle)


CHATS = {"discord": on_discord, "telegram": on_telegram, "page": on_the_page}


def walked(chat: str) -> Walk:
    """The walk of a press on *chat*."""
    profile = Profile()
    threading.setprofile(profile.note)
    sys.setprofile(profile.note)
    try:
        found: list[Walk] = []
        for _ in range(HOUSES):
            with tempfile.TemporaryDirectory() as folder:
                found += asyncio.run(CHATS[chat](profile, Path(folder)))
        counted = sorted(found[-COUNTED * PRESSES :])
        return counted[len(counted) // 2]
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def main() -> None:
    """Print a line for each chat that is named, or for all."""
    for chat in sys.argv[1:] or CHATS:
        found = walked(chat)
        print(f"{chat}: {found.files} files, {found.functions} functions, {found.calls} calls")


if __name__ == "__main__":
    main()
