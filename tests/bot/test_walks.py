"""Each key of help, profile, settings, play and «Más» leads to something, in each chat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.port import (
    Answer,
    Button,
    Capabilities,
    Card,
    Command,
    MenuAnswer,
    PlaceStanding,
    Press,
    PrivateRefusal,
    Promised,
    Said,
    Screen,
    Where,
)
from bot.presenters.button_codes import NO_TABLE, Action, Click
from storage.person.people import PROGRAM_PLATFORM
from tests.bot.test_ways_on import leads_on
from tests.chat_capabilities import CAPABILITIES
from tests.fakes import UPDATES, Desk, FakeChat, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
GROUP, ALONE = Where("fake", "group"), Where("fake", "id-Nerea", private=True)

DEPTH = 1
"""How many keys one behind the other lead to the last."""


@dataclass(frozen=True)
class Here:
    """Where Nerea is; what is *alone* she sees alone, and *links* lead from there to her chat."""

    platform: str
    where: Where
    alone: bool = True
    links: bool = False


CHATS = {
    "discord": Here("discord", GROUP),
    "discord-private": Here("discord", ALONE),
    "telegram": Here("telegram", GROUP, alone=False, links=True),
    "telegram-own": Here("telegram", GROUP, links=True),
    "telegram-private": Here("telegram", ALONE),
}
SHEETS = ("help", "profile", "settings", "play", "more")


@asynccontextmanager
async def house(folder: Path, here: Here) -> AsyncIterator[Desk]:
    chat = FakeChat(capabilities=CAPABILITIES[here.platform])
    chat.standings[NEREA.external, GROUP.place] = PlaceStanding(manages=True)
    async with desk(folder, chat=chat) as at:
        at.facade.chats[PROGRAM_PLATFORM] = FakeChat(PROGRAM_PLATFORM, Capabilities(programs=True))
        yield at


async def known(at: Desk, answer: Answer) -> Answer:
    answer = await answer.answer if isinstance(answer, Promised) else answer
    await at.settle()
    return answer


async def press(at: Desk, here: Here, code: str, message: str, *, own: bool) -> Answer:
    told = {"whispered": here.alone, "own": own and here.alone}
    asked = Press(f"w{next(UPDATES)}", here.where, NEREA, code, message, **told)
    return await known(at, await at.facade.requests.press(asked))


async def opened(at: Desk, here: Here, sheet: str) -> Answer:
    """What the command *sheet* shows, or «Más» below the board of a game."""
    if sheet != "more":
        told = {"whispered": here.alone}
        call = Command(f"w{next(UPDATES)}", here.where, NEREA, sheet, **told)
        return await known(at, await at.facade.requests.call(call))
    await at.call(NEREA, "play", GROUP, game="shogi", side="sente")
    (board,) = at.chat.messages.values()
    await at.press(BRUNO, board, "Sentarme")
    if here.where.private:
        await at.call(NEREA, "board", here.where, table=board.screen.table)
    board = at.chat.board(board.screen.table, here.where)
    return await press(at, here, board.button("Más").code, board.id, own=False)


def keys(screen: Screen) -> Iterator[Button]:
    """What can be pressed on *screen*: no cell where there is nothing to choose, no link."""
    for row in screen.rows:
        yield from (one for one in row if one.code and one.style != "blank")
    for choice in screen.choices:
        yield from choice.options
        if choice.opens:
            yield Button(choice.label, choice.opens)


def meaning(at: Desk, key: Button) -> tuple[Click, bool]:
    """What *key* does, at whichever table."""
    click = at.facade.boards.buttons.click(key.code)
    # One move stands for all, one value of a row, one chapter of a book.
    alike = {Action.MOVE: 0, Action.SETTINGS: 3, Action.RULES: 1}.get(click.act)
    return replace(click, table="", turn=0, path=click.path[:alike]), click.table == NO_TABLE


def is_way_on(here: Here, answer: Answer) -> bool:
    """Whether whoever has pressed a key sees what came of it, and can go on."""
    if isinstance(answer, PrivateRefusal):
        return here.links
    if isinstance(answer, Said) and answer.good:
        return bool(answer.said)  # the sheet stays
    if isinstance(answer, MenuAnswer) and answer.screen.table != NO_TABLE:
        return True  # without a key it ends a question
    return answer.good and leads_on(answer)


@asynccontextmanager
async def gone(
    folder: Path, here: Here, sheet: str, way: Sequence[str]
) -> AsyncIterator[tuple[Desk, Answer]]:
    """A house in which Nerea has opened *sheet* and pressed the keys of *way*; the last answer."""
    folder.mkdir()
    async with house(folder, here) as at:
        answer = await opened(at, here, sheet)
        for label in way:
            shown = {one.label: one.code for one in keys(answer.screen)}
            answer = await press(at, here, shown[label], "card", own=True)
        yield at, answer


async def walk(folder: Path, here: Here, sheet: str) -> list[tuple[str, ...]]:
    """The ways, by what stands on their keys, that end at a key which leads nowhere."""
    bare, done, ways = [], set(), [()]
    while ways:
        way = ways.pop(0)
        async with gone(folder / f"{len(done)}-{len(ways)}", here, sheet, way) as (at, answer):
            for key in keys(answer.screen) if isinstance(answer, Card | MenuAnswer) else ():
                click = meaning(at, key)
                if click in done or click[0].asks or click[0].picks:
                    continue
                done.add(click)
                there = await press(at, here, key.code, "card", own=True)
                if not is_way_on(here, there):
                    bare.append((*way, key.label))
                elif isinstance(there, Card | MenuAnswer) and len(way) < DEPTH:
                    ways.append((*way, key.label))
    # What was pressed before in that house may have ended what the key was for.
    again = []
    for number, way in enumerate(bare):
        async with gone(folder / f"again{number}", here, sheet, way) as (_, answer):
            again += [] if is_way_on(here, answer) else [(way, answer)]
    return again


@pytest.mark.sampled(4)
@pytest.mark.parametrize("chat", CHATS)
@pytest.mark.parametrize("sheet", SHEETS)
async def test_each_key_leads_to_something(tmp_path, monkeypatch, chat, sheet):
    monkeypatch.setattr("render.kit.Gallery.picture", lambda *_: b"")
    assert await walk(tmp_path, CHATS[chat], sheet) == []
