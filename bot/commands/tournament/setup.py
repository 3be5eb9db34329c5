"""Setting a tournament up: a draft that its manager changes by buttons and then opens."""

from __future__ import annotations

from dataclasses import replace

from bot.commands.drafts import (
    add_draft,
    answer_gone,
    draft_here,
    has_ladder,
    keep_draft,
    pressed_draft,
)
from bot.commands.request import Request, language_of_board, standing_of_asker
from bot.commands.services_of_handlers import ClubRoom
from bot.port import Answer, Card, MenuAnswer
from bot.presenters.button_codes import START_TIME
from bot.presenters.tournament.setup import TournamentSheet
from bot.service.tournament.tournaments import address_of
from bot.session.draft import TournamentDraft
from bot.session.preferences import zone_of
from bot.session.start_times import read_start
from bot.session.unit_of_work import refuse_if
from bot.tournament import organizer, swiss
from bot.tournament.values import TournamentFormat
from games.core import phrase
from games.core.shelf import shelf

BEGINS = (("new",), ("game",))
"""The first steps of the buttons that begin a draft, the second with the game to be played."""


async def may_open(request: Request) -> bool:
    """Whether the asker may open a tournament here: who manages the place, or is alone in it."""
    standing = await standing_of_asker(request)
    return standing.manages or standing.equals


def sheet_of(request: Request, number: int = 0, *, ladder: bool = False) -> TournamentSheet:
    """The screens of the draft *number*."""
    return TournamentSheet(request.language, request.key, number, ladder, not swiss.why_missing())


async def ask_or_change(request: Request, room: ClubRoom) -> Answer:
    """Begin a draft, change it, or open its tournament; only its manager may."""
    found = await pressed_draft(request, room, TournamentDraft) if request.turn else None
    if found is None:
        if not request.turn or request.path == ("new",):
            return await _screen(request, room, *await _begin(request, room))
        return await answer_gone(request, sheet_of(request, request.turn))
    if request.path == ("open",):
        return await _open(request, room, found)
    if request.path == START_TIME:
        if not request.form_text:
            return request.said(phrase("tournament.start.bare"))
        return await _starting(request, room, request.turn, found, request.form_text)
    changed = found.chosen(request.path)
    if changed != found:
        await keep_draft(room, request.turn, changed)
    return await _screen(request, room, request.turn, changed)


async def set_start(request: Request, room: ClubRoom) -> Answer:
    """Put the start that a command says on the asker's draft here, else on a new one."""
    mine = await draft_here(request, room, TournamentDraft) or await _begin(request, room)
    return await _starting(request, room, *mine, request.value("start"))


async def _starting(
    request: Request, room: ClubRoom, number: int, found: TournamentDraft, text: str
) -> Answer:
    """Take the start that *text* says."""
    zone = zone_of(await _zone(request, room))
    changed = found.starting(read_start(text, room.clock.now(), zone))
    await keep_draft(room, number, changed)
    return await _screen(request, room, number, changed)


async def _zone(request: Request, room: ClubRoom) -> str:
    """The time zone by which times are typed here: that of the place, else the asker's."""
    rules = await room.places.rules(request.by.where)
    return rules.day_zone or (await room.people.personal(request.person.id)).zone


async def _begin(request: Request, room: ClubRoom) -> tuple[int, TournamentDraft]:
    """A new draft for the asker, in place of their draft here, and its number."""
    refuse_if(not await may_open(request), "tournament.managers-only")
    # In private nobody else is there to enter.
    afar = "yes" if request.by.where.private else "no"
    made = TournamentDraft(await room.tournaments.free_code(), afar=afar)
    if len(shelf()) == 1:
        made = made.chosen(("game", next(iter(shelf()))))
    elif request.path[:1] == ("game",):
        made = made.chosen(request.path)
    if await has_ladder(request, room):
        made = replace(made, rated="yes")
    return await add_draft(request, room, made), made


async def _screen(request: Request, room: ClubRoom, number: int, draft: TournamentDraft) -> Answer:
    sheet = sheet_of(request, number, ladder=await has_ladder(request, room))
    chat = request.chats.get(request.by.where.platform)
    parts = chat is not None and await chat.may_part(request.by.where)
    sheet = replace(sheet, threads=parts, zone=await _zone(request, room))
    screen = sheet.screen(draft, request.path)
    # The sheet stands in place of the list or the draft on which it was asked for.
    return MenuAnswer(screen) if request.is_press else Card(screen)


async def _open(request: Request, room: ClubRoom, draft: TournamentDraft) -> Answer:
    """Open the tournament of the draft, once, and show it here."""
    where, me = request.by.where, request.person.id
    refuse_if(not await may_open(request), "tournament.managers-only")
    refuse_if(draft.kind is TournamentFormat.SWISS and swiss.why_missing(), "tournament.no-swiss")
    steady, now = room.clock.steady(), room.clock.now()
    refuse_if(draft.starts_at is not None and draft.starts_at <= now, "tournament.start.over")
    work = organizer.open_tournament(
        draft.tournament, draft.rules(steady, now), request.person.id, now, steady
    )
    work.state = replace(work.tournament, at=address_of(where))
    boards, language = room.tournament_views, await language_of_board(request)
    view = boards.fresh(work.tournament, where, request.person.id, language)
    await room.tournaments.create(request.origin, work, view, request.turn)
    said = request.pages.say("tournament.opened", game=phrase(f"{draft.game}.name"))
    shown = await boards.screens(work.tournament, request.language)
    if view is None:
        until = boards.until(work.tournament)
        return MenuAnswer(shown.message(until, manages=True, me=me), None, said)
    # Where others see the sheet, the message leads to what is the organizer's.
    mine = [shown.entry_buttons(me), *shown.manager_rows()]
    rows = mine if request.own or request.discreet else []
    return MenuAnswer(request.pages.page(said, (), rows), said=said)
