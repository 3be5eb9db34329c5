"""Setting a table up: a draft that its opener changes by buttons and then opens."""

from __future__ import annotations

import secrets
from dataclasses import replace

from bot.commands import seating
from bot.commands.rated_or_casual import casual_with
from bot.commands.request import Request, was_done, with_prompt_poster
from bot.commands.rooms import OpeningRoom
from bot.commands.settings import check_may_open
from bot.commands.table_creation import Sealed, guest_of, open_typed, open_wished
from bot.port import Answer, Card, Command, MenuAnswer, Press, Said, Screen
from bot.presenters.button_codes import CLOCK, WHO, WORDS
from bot.presenters.command_specs import says
from bot.presenters.invitation import is_dealt
from bot.presenters.setup import RULES, DraftScreens
from bot.session.draft import ANYONE, COMPUTER, TableDraft
from bot.session.play import own_words
from bot.session.unit_of_work import Refused
from games.core import phrase
from games.core.shelf import shelf
from storage import drafts, people
from storage.records import DraftRow


async def set_up(request: Request, room: OpeningRoom) -> Answer:
    """Open the typed table, or show a new draft where no game is named."""
    if not isinstance(request.by, Command) or request.value("game"):
        return await open_typed(request, room)
    if clock := request.value("clock"):
        row = await _mine(request, room)
        found = None if row is None else TableDraft.read(row.data)
        if row is not None and found is not None and found.game:
            changed = found.chosen(("clock", clock))
            await _update(room, row, changed)
            sheet = (await _sheets(request, room, row.id, changed)).sheet(changed)
            return Card(*await with_prompt_poster(request, sheet))
    return await _begun(request, room)


async def _update(room: OpeningRoom, row: DraftRow, changed: TableDraft) -> None:
    await room.store.write(drafts.update_draft, row.id, changed.stored(), room.clock.now())


async def change_draft(request: Request, room: OpeningRoom) -> Answer:
    """Change a draft or open its table; only its opener may."""
    if not request.turn:
        return await _begun(request, room)
    row = await room.store.read(drafts.load_draft, request.turn, room.clock.now())
    if row is None:
        if request.path == ("new",):
            return await _begun(request, room, in_place=True)
        if await was_done(request):
            return Said()
        return MenuAnswer(_setup(request, request.turn).gone(), good=False)
    if row.person != request.person.id:
        raise Refused(phrase("house.sheet.not-yours"))
    found = TableDraft.read(row.data)
    if found is None:  # as if it had been used
        return MenuAnswer(_setup(request, request.turn).gone(), good=False)
    if request.path == ("start",):
        return await _started(request, room, row, found)
    text = request.by.text if isinstance(request.by, Press) else ""
    if request.path in (WORDS, CLOCK) and not text:
        return request.said(phrase("house.bare.words" if request.path == WORDS else "clock.bare"))
    changed = await _chosen(request, room, found, text)
    if changed != found:
        await _update(room, row, changed)
    return MenuAnswer(
        *await with_prompt_poster(request, await _screen(request, room, row.id, changed))
    )


async def add_words_to_draft(request: Request, room: OpeningRoom) -> Answer:
    """Add the asker's words to the draws of their draft here, else of a table."""
    typed = isinstance(request.by, Command) and not request.value("table")
    row = await _mine(request, room) if typed else None
    found = None if row is None else TableDraft.read(row.data)
    if row is not None and found is not None and found.game and is_dealt(found.played):
        changed = replace(found, words=own_words(request.value("text")))
        await _update(room, row, changed)
        sheet = (await _sheets(request, room, row.id, changed)).sheet(changed)
        return Card(*await with_prompt_poster(request, sheet))
    return await seating.add_words(request, room.lookup)


async def _usual(request: Request, room: OpeningRoom) -> str:
    """Whether games count here unless their players choose otherwise; "" where none can."""
    where = request.by.where
    if where.private:
        return "no"
    return "yes" if (await room.places.rules(where)).ladder else ""


async def _mine(request: Request, room: OpeningRoom) -> DraftRow | None:
    where = request.by.where
    here = (request.person.id, where.platform, where.place, room.clock.now())
    return await room.store.read(drafts.draft_in_place, *here)


async def _begun(request: Request, room: OpeningRoom, *, in_place: bool = False) -> Answer:
    """A new draft for the asker, which replaces their draft in this place."""
    await check_may_open(request, room.places)
    where = request.by.where
    computer = where.private or says(request.value("opponent"), "house.word.computer")
    against = COMPUTER if computer else ANYONE
    made = TableDraft(await room.tables.free_code(), secrets.token_hex(32), against=against)
    guest, path = await guest_of(request, room), request.path
    if guest is not None and guest.name and guest.id != request.person.id:
        made, path = made.challenging(guest.id, guest.name), path[:-1]
    if len(shelf()) == 1:
        made = replace(made, game=next(iter(shelf())))
    made = replace(made.chosen(path), rated=await _usual(request, room))
    if clock := request.value("clock"):
        made = made.chosen(("clock", clock))
    place = (where.platform, where.place, where.thread)
    row = DraftRow(0, request.person.id, *place, made.stored(), room.clock.now())
    row = await room.store.write(drafts.begin_draft, row)
    screen = await _screen(request, room, row.id, made)
    shown = await with_prompt_poster(request, screen)
    return MenuAnswer(*shown) if in_place else Card(*shown)


async def _chosen(
    request: Request, room: OpeningRoom, found: TableDraft, text: str = ""
) -> TableDraft:
    """The draft after the press, or after *text* was typed into its field."""
    if text:
        own = request.path == CLOCK
        return found.chosen(("clock", text)) if own else replace(found, words=own_words(text))
    if request.path != WHO:
        return found.chosen(request.path)
    picked = request.by.person if isinstance(request.by, Press) else None
    if picked is None:
        raise Refused(phrase("house.sheet.bots"))
    person = await room.people.of(picked)
    if person.id == request.person.id:
        raise Refused(phrase("house.not-yourself"))
    return found.challenging(person.id, person.name or picked.name)


async def _started(request: Request, room: OpeningRoom, row: DraftRow, found: TableDraft) -> Answer:
    """Open the table of the draft, once."""
    guest, code = None, found.code
    if found.person is not None:
        guest = await room.store.read(people.load_person, found.person)
    if await room.tables.taken(code):  # once in a hundred million
        code = await room.tables.free_code()
    sealed = Sealed(code, bytes.fromhex(found.secret), found.words, row.id)
    return await open_wished(request, room, found.values(), guest, sealed)


def _setup(request: Request, number: int) -> DraftScreens:
    where = request.by.where
    return DraftScreens(
        request.language,
        request.key,
        number,
        where.private,
        picks=where.private and request.chat.picks_people,
        opens_page=request.chat.opens_page,
        theme=request.look.theme,
    )


async def _sheets(
    request: Request, room: OpeningRoom, number: int, found: TableDraft
) -> DraftScreens:
    """The screens of *found*, which know what speaks against the game of its people."""
    screens = _setup(request, number)
    if found.rated != "yes":
        return screens
    others = [] if found.person is None else [found.person]
    return replace(screens, casual=await casual_with(request, room.clock, room.store, others))


async def _screen(request: Request, room: OpeningRoom, number: int, found: TableDraft) -> Screen:
    setup = await _sheets(request, room, number, found)
    if not found.game:
        return setup.games()
    match request.path:
        case ("page", "main"):
            return setup.sheet(found)
        case ("page", page) if page != RULES:
            return setup.values(found, page)
        case ("page" | "rule" | "begins", *_):
            return setup.rules(found)
    return setup.sheet(found)
