"""Setting a table up: a draft that its opener changes by buttons and then opens."""

from __future__ import annotations

import secrets
from dataclasses import replace

from bot.commands.drafts import (
    add_draft,
    answer_gone,
    draft_here,
    has_ladder,
    keep_draft,
    pressed_draft,
)
from bot.commands.request import Leading, Request, with_prompt_poster
from bot.commands.services_of_handlers import OpeningRoom
from bot.commands.settings import check_may_open
from bot.commands.table import seating
from bot.commands.table.creation import Sealed, guest_of, open_typed, open_wished
from bot.commands.table.whether_it_counts import casual_with
from bot.port import Answer, Card, Command, MenuAnswer, Press
from bot.presenters.button_codes import CLOCK, WHO, WORDS
from bot.presenters.command_specs import says
from bot.presenters.table.invitation import is_dealt
from bot.presenters.table.setup import SetupScreens
from bot.presenters.ways import NEW
from bot.session.draft import ANYONE, COMPUTER, TableDraft
from bot.session.play import own_words
from bot.session.unit_of_work import need, refuse_if
from games.core import phrase
from games.core.shelf import shelf
from storage.person import people


async def set_up(request: Request, room: OpeningRoom) -> Answer:
    """Open the typed table, or show a new draft where no game is named."""
    if not isinstance(request.by, Command) or request.value("game"):
        return await open_typed(request, room)
    clock = request.value("clock")
    mine = await draft_here(request, room, TableDraft) if clock else None
    if mine is not None and mine[1].game:
        return await _kept(request, room, mine[0], mine[1].chosen(("clock", clock)))
    return await _begin(request, room)


async def _kept(request: Request, room: OpeningRoom, number: int, changed: TableDraft) -> Answer:
    """Store what a command has *changed*, and show it on a new sheet."""
    await keep_draft(room, number, changed)
    sheet = (await _sheets(request, room, number, changed)).sheet(changed)
    return Card(*await with_prompt_poster(request, sheet))


async def change_draft(request: Request, room: OpeningRoom) -> Answer:
    """Change a draft or open its table; only its opener may."""
    found = await pressed_draft(request, room, TableDraft) if request.turn else None
    if found is None:
        if not request.turn or request.path == ("new",):
            return await _begin(request, room)
        return await answer_gone(request, _setup(request, request.turn))
    if request.path == ("start",):
        return await _start(request, room, found)
    if request.path in (WORDS, CLOCK) and not request.form_text:
        return request.said(phrase("house.bare.words" if request.path == WORDS else "clock.bare"))
    changed = await _choose(request, room, found)
    if changed != found:
        await keep_draft(room, request.turn, changed)
    screen = (await _sheets(request, room, request.turn, changed)).screen(changed, request.path)
    return MenuAnswer(*await with_prompt_poster(request, screen))


async def add_words_to_draft(request: Request, room: OpeningRoom) -> Answer:
    """Add the asker's words to the draws of their draft here, else of a table."""
    typed = isinstance(request.by, Command) and not request.value("table")
    mine = await draft_here(request, room, TableDraft) if typed else None
    if mine is not None and mine[1].game and is_dealt(mine[1].played):
        changed = replace(mine[1], words=own_words(request.value("text")))
        return await _kept(request, room, mine[0], changed)
    return await seating.add_words(request, room.lookup)


async def _usual(request: Request, room: OpeningRoom) -> str:
    """Whether games count here unless their players choose otherwise; "" where none can."""
    if request.by.where.private and request.chat.takes_unasked:
        return "no"
    return "yes" if await has_ladder(request, room) else ""


async def _begin(request: Request, room: OpeningRoom) -> Answer:
    """A new draft for the asker; those that stand there already go on."""
    await check_may_open(request, room.places)
    opponent = request.value("opponent") or (COMPUTER if request.by.where.private else ANYONE)
    against = COMPUTER if says(opponent, "house.word.computer") else ANYONE
    made = TableDraft(await room.tables.free_code(), secrets.token_hex(32), against=against)
    guest, path = await guest_of(request, room), request.path
    if guest is not None and guest.id == request.person.id:
        raise Leading(phrase("house.not-yourself"), NEW)
    if guest is not None and guest.name:
        made, path = made.challenging(guest.id, guest.name), path[:-1]
    if len(shelf()) == 1:
        made = replace(made, game=next(iter(shelf())))
    made = replace(made.chosen(path), rated=await _usual(request, room))
    if clock := request.value("clock"):
        made = made.chosen(("clock", clock))
    number = await add_draft(request, room, made)
    screen = (await _sheets(request, room, number, made)).screen(made, request.path)
    shown = await with_prompt_poster(request, screen)
    return MenuAnswer(*shown) if request.turn else Card(*shown)


async def _choose(request: Request, room: OpeningRoom, found: TableDraft) -> TableDraft:
    """The draft after the press, or after something was typed into its field."""
    if request.path == WORDS:
        return replace(found, words=own_words(request.form_text))
    if request.path == CLOCK:
        return found.chosen(("clock", request.form_text))
    if request.path != WHO:
        return found.chosen(request.path)
    named = request.by.person if isinstance(request.by, Press) else None
    picked = need(named, "house.sheet.bots")
    person = await room.people.of(picked)
    refuse_if(person.id == request.person.id, "house.not-yourself")
    return found.challenging(person.id, person.name or picked.name)


async def _start(request: Request, room: OpeningRoom, found: TableDraft) -> Answer:
    """Open the table of the draft, once."""
    guest, code = None, found.code
    if found.person is not None:
        guest = await room.store.read(people.load_person, found.person)
    if await room.tables.is_taken(code):  # once in a hundred million
        code = await room.tables.free_code()
    sealed = Sealed(code, bytes.fromhex(found.secret), found.words, request.turn)
    return await open_wished(request, room, found.values(), guest, sealed)


def _setup(request: Request, number: int) -> SetupScreens:
    where = request.by.where
    return SetupScreens(
        request.language,
        request.key,
        number,
        where.private,
        picks=where.private and request.chat.picks_people,
        lists=where.private and request.chat.takes_unasked,
        opens_page=request.chat.opens_page,
        theme=request.look.theme,
    )


async def _sheets(
    request: Request, room: OpeningRoom, number: int, found: TableDraft
) -> SetupScreens:
    """The screens of *found*, which know what speaks against the game of its people."""
    screens = _setup(request, number)
    if not found.game and request.discreet:
        screens = replace(screens, day=await request.keys_of_day())
    if found.rated != "yes":
        return screens
    others = [] if found.person is None else [found.person]
    return replace(screens, casual=await casual_with(request, room.clock, room.store, others))
