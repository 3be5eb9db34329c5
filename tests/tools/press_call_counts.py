"""What a press walks through: ``python -m tests.tools.press_call_counts [WHERE …]``.

WHERE is ``discord``, ``telegram``, ``page`` or ``tournament``; all of them if none is named.

A button that plays a move of Niya is pressed in a house of this process, behind the fakes of the
tests, several times after others in houses before, so that sprites and sentences are known. Counted
are the files, functions (no comprehensions) and calls of our four packages on all threads, from the
press until it is answered and its board is shown: one line, the median of the presses by calls.
Where a resignation ends a rated game of a tournament, the statements until that is stored are
counted as well.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import CodeType, FrameType

import pytest
from sqlalchemy import ClauseElement, Engine, Select
from sqlalchemy import event as events

from tests import fakes  # noqa: F401 - by it a house tells when it has settled

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(f"{ROOT / package}/" for package in ("bot", "games", "render", "storage"))
HOUSES, COUNTED, PRESSES = 6, 3, 6
"""In how many houses as many presses are made, and in how many of them they are counted."""

GAMES = 4
"""How many games of a tournament end."""


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
    """What one press has walked through, and what it asked of the database until it was stored."""

    calls: int
    functions: int
    files: int
    statements: int = 0
    selects: int = 0


@dataclass
class Statements:
    """The statements up to the next commit, and which of them are selects."""

    selects: list[bool] = field(default_factory=list)
    stored: bool = False

    def note(self, _: object, statement: ClauseElement, *__: object) -> None:
        """A listener of SQLAlchemy, before a statement."""
        if not self.stored:
            self.selects.append(isinstance(statement, Select))

    def note_commit(self, _: object) -> None:
        """A listener of SQLAlchemy; what only reads is rolled back or has written nothing."""
        self.stored = self.stored or not all(self.selects)

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count in the block."""
        events.listen(Engine, "before_execute", self.note)
        events.listen(Engine, "commit", self.note_commit)
        try:
            yield
        finally:
            events.remove(Engine, "before_execute", self.note)
            events.remove(Engine, "commit", self.note_commit)


async def walk(profile: Profile, press: Callable[[], Awaitable[object]]) -> Walk:
    """What *press* walks through until it ends."""
    profile.calls, asked = Counter(), Statements()
    profile.counting = True
    # Only now: the hook makes all else in this thread take thrice the time.
    sys.setprofile(profile.note)
    try:
        with asked.counting():
            await press()
    finally:
        sys.setprofile(None)
        profile.counting = False
    functions = +profile.calls
    files = {code.co_filename for code in functions}
    told = (len(asked.selects), sum(asked.selects))
    return Walk(functions.total(), len(functions), len(files), *told)


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


async def at_a_tournament(profile: Profile, folder: Path) -> list[Walk]:
    """The end of some rated games of a tournament, by whoever resigns."""
    from bot.presenters.button_codes import Action, Click, encode_click
    from tests.fakes import FakeClock, Message, desk
    from tests.tournament.evening import entered, opened

    clock, found = FakeClock(), []
    async with desk(folder, clock=clock) as at:
        evening = await opened(at, clock, ("format", "robin"), ("rated", "yes"))
        await entered(evening, 2 * GAMES)
        await evening.press(evening.manager, "begin")
        await evening.look()
        for code in await evening.waiting():
            await at.settle()
            table = await evening.table(code)
            who = next(one for one in evening.people if one.name == table.players[0].name)
            path = ("yes", f"@{table.players[0].person}")
            resigns = Click(Action.RESIGN, code, table.turns[0], path)
            button = encode_click(resigns, evening.services.key)
            card = Message("card", at.where, evening.message.screen, None, card=True)
            found.append(await walk(profile, partial(at.press, who, card, code=button)))
            await evening.look()
    return found


WALKS = {
    "discord": on_discord,
    "telegram": on_telegram,
    "page": on_the_page,
    "tournament": at_a_tournament,
}


def walks_of(where: str, houses: int = HOUSES, counted: int = COUNTED) -> list[Walk]:
    """The walks of presses *where*, in the last *counted* of *houses*, the lightest first."""
    profile = Profile()
    threading.setprofile(profile.note)
    try:
        found: list[list[Walk]] = []
        for _ in range(houses):
            with tempfile.TemporaryDirectory() as folder:
                found.append(asyncio.run(WALKS[where](profile, Path(folder))))
        return sorted(one for house in found[-counted:] for one in house)
    finally:
        threading.setprofile(None)


def main() -> None:
    """Print a line for each place that is named, or for all."""
    for where in sys.argv[1:] or WALKS:
        walks = walks_of(where)
        found = walks[len(walks) // 2]
        said = f"{found.files} files, {found.functions} functions, {found.calls} calls"
        asked = f"{found.statements} statements until stored, {found.selects} of them selects"
        print(f"{where}: {said}, {asked}")


if __name__ == "__main__":
    main()
