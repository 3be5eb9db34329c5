"""Setting a tournament up: a draft that its manager changes by buttons and then opens."""

from __future__ import annotations

from dataclasses import replace

from bot.commands.request import Request, language_of_board, standing_of_asker, was_done
from bot.commands.rooms import ClubRoom
from bot.port import Answer, Card, MenuAnswer, Press, Said
from bot.presenters.button_codes import START_TIME
from bot.presenters.tournament_setup import MAIN, TournamentSheet
from bot.service.tournaments import address_of
from bot.session.preferences import zone_of
from bot.session.start_times import read_start
from bot.session.tournament_draft import TournamentDraft
from bot.session.unit_of_work import Refused
from bot.tournament import organizer, swiss
from bot.tournament.values import TournamentFormat
from games.core import phrase
from games.core.shelf import shelf
from storage import drafts
from storage.records import DraftRow


async def may_open(request: Request) -> bool:
    """Whether the asker may open a tournament here: who manages the place, or is alone in it."""
    standing = await standing_of_asker(request)
    return standing.manages or standing.equals


def sheet_of(request: Request, number: int = 0, *, ladder: bool = False) -> TournamentSheet:
    """The screens of the draft *number*."""
    key, can = request.key, not swiss.why_missing()
    return TournamentSheet(request.language, key, number, ladder, can)


async def ask_or_change(request: Request, room: ClubRoom) -> Answer:
    """Begin a draft, change it, or open its tournament; only its manager may."""
    if not request.turn:
        return await _begun(request, room)
    row = await room.store.read(drafts.load_draft, request.turn, room.clock.now())
    found = None if row is None else TournamentDraft.read(row.data)
    if row is None or found is None:
        if request.path == ("new",):
            return await _begun(request, room)
        if await was_done(request):
            return Said()
        return MenuAnswer(sheet_of(request, request.turn).gone(), good=False)
    if row.person != request.person.id:
        raise Refused(phrase("house.sheet.not-yours"))
    if request.path == ("open",):
        return await _opened(request, room, row, found)
    if request.path == START_TIME:
        return await _typed(request, room, row, found)
    changed = found.chosen(request.path)
    if changed != found:
        await room.store.write(drafts.update_draft, row.id, changed.stored(), room.clock.now())
    return await _screen(request, room, row.id, changed)


async def _typed(request: Request, room: ClubRoom, row: DraftRow, found: TournamentDraft) -> Answer:
    """Take the start that was typed into the field of a form, or say how to type it."""
    text = request.by.text if isinstance(request.by, Press) else ""
    if not text:
        return request.said(phrase("tournament.start.bare"))
    return await _starting(request, room, row, found, text)


async def set_start(request: Request, room: ClubRoom) -> Answer:
    """Put the start that a command says on the asker's draft here, else on a new one."""
    where = request.by.where
    here = (request.person.id, where.platform, where.place, room.clock.now())
    row = await room.store.read(drafts.draft_in_place, *here)
    found = None if row is None else TournamentDraft.read(row.data)
    if row is not None and found is not None:
        return await _starting(request, room, row, found, request.value("start"))
    row, found = await _new_draft(request, room)
    return await _starting(request, room, row, found, request.value("start"))


async def _starting(
    request: Request, room: ClubRoom, row: DraftRow, found: TournamentDraft, text: str
) -> Answer:
    now = room.clock.now()
    changed = found.starting(read_start(text, now, zone_of(await _zone(request, room))))
    await room.store.write(drafts.update_draft, row.id, changed.stored(), now)
    return await _screen(request, room, row.id, changed)


async def _zone(request: Request, room: ClubRoom) -> str:
    """The time zone by which times are typed here: that of the place, else the asker's."""
    rules = await room.places.rules(request.by.where)
    own = await room.people.personal(request.person.id)
    return rules.day_zone or own.zone


async def _begun(request: Request, room: ClubRoom) -> Answer:
    """A new draft for the asker, in place of their draft here."""
    row, made = await _new_draft(request, room)
    return await _screen(request, room, row.id, made)


async def _new_draft(request: Request, room: ClubRoom) -> tuple[DraftRow, TournamentDraft]:
    if not await may_open(request):
        raise Refused(phrase("tournament.managers-only"))
    where = request.by.where
    made = TournamentDraft(await room.tournaments.free_code())
    if len(shelf()) == 1:
        made = made.chosen(("game", next(iter(shelf()))))
    if await _has_ladder(request, room):
        made = replace(made, rated="yes")
    place = (where.platform, where.place, where.thread)
    row = DraftRow(0, request.person.id, *place, made.stored(), room.clock.now())
    return await room.store.write(drafts.begin_draft, row), made


async def _has_ladder(request: Request, room: ClubRoom) -> bool:
    where = request.by.where
    return not where.private and (await room.places.rules(where)).ladder


async def _may_part(request: Request) -> bool:
    """Whether each table may have a thread or a topic here."""
    chat = request.chats.get(request.by.where.platform)
    return chat is not None and await chat.may_part(request.by.where)


async def _screen(request: Request, room: ClubRoom, number: int, draft: TournamentDraft) -> Answer:
    sheet = sheet_of(request, number, ladder=await _has_ladder(request, room))
    sheet = replace(sheet, threads=await _may_part(request), zone=await _zone(request, room))
    if not draft.game:
        screen = sheet.games()
    else:
        match request.path:
            case ("page", page) if page != MAIN:
                screen = sheet.values(draft, page)
            case ("rule", *_):
                screen = sheet.rules(draft)
            case _:
                screen = sheet.sheet(draft)
    # The sheet stands in place of the list or the draft on which it was asked for.
    return MenuAnswer(screen) if request.pressed else Card(screen)


async def _opened(
    request: Request, room: ClubRoom, row: DraftRow, draft: TournamentDraft
) -> Answer:
    """Open the tournament of the draft, once, and show it here."""
    where = request.by.where
    if not await may_open(request):
        raise Refused(phrase("tournament.managers-only"))
    if draft.kind is TournamentFormat.SWISS and swiss.why_missing():
        raise Refused(phrase("tournament.no-swiss"))
    steady, now = room.clock.steady(), room.clock.now()
    if draft.starts_at is not None and draft.starts_at <= now:
        raise Refused(phrase("tournament.start.over"))
    work = organizer.open_tournament(
        draft.tournament,
        draft.rules(steady, now),
        request.person.id,
        now,
        steady,
    )
    work.state = replace(work.tournament, at=address_of(where))
    boards, language = room.tournament_views, await language_of_board(request)
    view = boards.fresh(work.tournament, where, request.person.id, language)
    await room.tournaments.create(request.origin, work, view, row.id)
    said = request.pages.say("tournament.opened", code=draft.tournament)
    if view is None:
        screens = await boards.card(work.tournament, request.language)
        return MenuAnswer(screens, None, said)
    return MenuAnswer(request.pages.page(said), said=said)
