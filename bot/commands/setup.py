"""Setting a table up on a sheet: a draft of its opener, changed by its buttons, then opened."""

from __future__ import annotations

import secrets
from dataclasses import replace

from bot.commands import seating
from bot.commands.game_request import says
from bot.commands.request import Request
from bot.commands.seating import Sealed, guest_of, opened, typed
from bot.commands.settings import check_may_open
from bot.port import Answer, Card, Command, MenuAnswer, Press, Said, Screen
from bot.presenters.buttons import CLOCK, WHO, WORDS
from bot.presenters.invitation import is_dealt
from bot.presenters.setup import RULES, Setup
from bot.session.draft import ANYONE, COMPUTER, TableDraft
from bot.session.play import own_words
from bot.session.unit_of_work import Refused
from games.core import phrase
from games.core.shelf import shelf
from storage import drafts, people
from storage.records import DraftRow

PICKS = frozenset({"telegram"})
"""Where a button lets people pick somebody in their private chat with us."""


async def play(asked: Request) -> Answer:
    """Open a table as it was typed, or a sheet where the game was not named."""
    if not isinstance(asked.by, Command) or asked.value("game"):
        return await typed(asked)
    if clock := asked.value("clock"):
        row = await _mine(asked)
        if row is not None and (found := TableDraft.read(row.data)).game:
            changed = found.chosen(("clock", clock))
            await asked.services.store.write(
                drafts.put, row.id, changed.stored(), asked.services.clock.now()
            )
            return Card(_setup(asked, row.id).sheet(changed))
    return await _begun(asked)


async def sheet(asked: Request) -> Answer:
    """Choose something on a sheet, or open its table; only its opener may."""
    if not asked.turn:
        return await _begun(asked)
    services = asked.services
    row = await services.store.read(drafts.get, asked.turn, services.clock.now())
    if row is None:
        if asked.path == ("new",):
            return await _begun(asked, in_place=True)
        if await asked.was_done():
            return Said()
        return MenuAnswer(_setup(asked, asked.turn).gone(), good=False)
    if row.person != asked.person.id:
        raise Refused(phrase("house.sheet.not-yours"))
    found = TableDraft.read(row.data)
    if asked.path == ("start",):
        return await _started(asked, row, found)
    text = asked.by.text if isinstance(asked.by, Press) else ""
    if asked.path in (WORDS, CLOCK) and not text:
        return asked.said(phrase("house.bare.words" if asked.path == WORDS else "clock.bare"))
    changed = await _chosen(asked, found, text)
    if changed != found:
        await services.store.write(drafts.put, row.id, changed.stored(), services.clock.now())
    return MenuAnswer(_screen(asked, row.id, changed))


async def say_words(asked: Request) -> Answer:
    """Add one's own words to the draws: of the sheet one has here, else of a table."""
    services = asked.services
    row = None
    if isinstance(asked.by, Command) and not asked.value("table"):
        row = await _mine(asked)
    found = None if row is None else TableDraft.read(row.data)
    if row is None or found is None or not found.game or not is_dealt(found.played):
        return await seating.say_words(asked)
    changed = found.saying(own_words(asked.value("text")))
    await services.store.write(drafts.put, row.id, changed.stored(), services.clock.now())
    return Card(_setup(asked, row.id).sheet(changed))


async def _mine(asked: Request) -> DraftRow | None:
    """The sheet that the asker has here."""
    services, where = asked.services, asked.by.where
    here = (asked.person.id, where.platform, where.place, services.clock.now())
    return await services.store.read(drafts.mine, *here)


async def _begun(asked: Request, *, in_place: bool = False) -> Answer:
    """A new sheet for the asker, in place of the one he had here."""
    await check_may_open(asked)
    services, where = asked.services, asked.by.where
    computer = where.private or says(asked.value("opponent"), "house.word.computer")
    against = COMPUTER if computer else ANYONE
    made = TableDraft(await services.tables.free_code(), secrets.token_hex(32), against=against)
    guest = await guest_of(asked)
    if guest is not None and guest.id != asked.person.id:
        made = made.challenging(guest.id, guest.name)
    if len(shelf()) == 1:
        made = replace(made, game=next(iter(shelf())))
    made = made.chosen(asked.path)
    if clock := asked.value("clock"):
        made = made.chosen(("clock", clock))
    place = (where.platform, where.place, where.thread)
    row = DraftRow(0, asked.person.id, *place, made.stored(), services.clock.now())
    row = await services.store.write(drafts.begin, row)
    screen = _screen(asked, row.id, made)
    return MenuAnswer(screen) if in_place else Card(screen)


async def _chosen(asked: Request, found: TableDraft, text: str = "") -> TableDraft:
    """What the sheet is after the press, or after *text* was typed into its field."""
    if text:
        own = asked.path == CLOCK
        return found.chosen(("clock", text)) if own else found.saying(own_words(text))
    if asked.path != WHO:
        return found.chosen(asked.path)
    picked = asked.by.person if isinstance(asked.by, Press) else None
    if picked is None:
        raise Refused(phrase("house.sheet.bots"))
    person = await asked.services.people.mentioned(picked)
    if person.id == asked.person.id:
        raise Refused(phrase("house.not-yourself"))
    return found.challenging(person.id, person.name or picked.name)


async def _started(asked: Request, row: DraftRow, found: TableDraft) -> Answer:
    """Open the table that is set up, once."""
    guest = None
    if found.person is not None:
        async with asked.services.store.reading() as tx:
            guest = await people.get(tx, found.person)
    code = found.code
    if await asked.services.tables.taken(code):  # once in a hundred million
        code = await asked.services.tables.free_code()
    sealed = Sealed(code, bytes.fromhex(found.secret), found.words, row.id)
    return await opened(asked, found.values(), guest, sealed)


def _setup(asked: Request, number: int) -> Setup:
    where = asked.by.where
    picks = where.private and where.platform in PICKS
    return Setup(number, asked.language, asked.services.key, where.private, picks)


def _screen(asked: Request, number: int, found: TableDraft) -> Screen:
    """The page of the sheet that the press leads to."""
    setup = _setup(asked, number)
    if not found.game:
        return setup.games()
    match asked.path:
        case ("page", "main"):
            return setup.sheet(found)
        case ("page", page) if page != RULES:
            return setup.values(found, page)
        case ("page" | "rule" | "begins", *_):
            return setup.rules(found)
    return setup.sheet(found)
