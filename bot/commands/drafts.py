"""The drafts of tables and tournaments: whose they are, how they are begun and kept."""

from __future__ import annotations

from typing import Any

from bot.commands.request import Request, was_done
from bot.commands.services_of_handlers import ClubRoom, OpeningRoom
from bot.port import Answer, MenuAnswer, Said
from bot.presenters.table.setup import DraftForm, DraftT
from bot.session.draft import Draft
from bot.session.unit_of_work import refuse_if
from storage.records import DraftRow
from storage.table import drafts


async def pressed_draft(
    request: Request, room: OpeningRoom | ClubRoom, kind: type[DraftT]
) -> DraftT | None:
    """The asker's draft of the pressed button; ``None`` if it is used, expired or damaged.

    Raises ``Refused`` for the draft of another person.
    """
    for row in await room.store.read(drafts.find_drafts, room.clock.now(), id=request.turn):
        refuse_if(row.person != request.person.id, kind.not_yours)
        return kind.read(row.data)
    return None


async def draft_here(
    request: Request, room: OpeningRoom | ClubRoom, kind: type[DraftT]
) -> tuple[int, DraftT] | None:
    """The number and the choices of the asker's newest draft in this place, if there is one."""
    where, me = request.by.where, request.person.id
    here: dict[str, str | int] = {"person": me, "platform": where.platform, "place": where.place}
    for row in await room.store.read(drafts.find_drafts, room.clock.now(), **here):
        if (draft := kind.read(row.data)) is not None:
            return row.id, draft
    return None


async def add_draft(request: Request, room: OpeningRoom | ClubRoom, draft: Draft) -> int:
    """The number of the new *draft*, which stands beside the asker's other ones."""
    where = request.by.where
    row = DraftRow(0, request.person.id, *where.key, where.thread, draft.stored(), room.clock.now())
    return (await room.store.write(drafts.begin_draft, row)).id


async def keep_draft(room: OpeningRoom | ClubRoom, number: int, draft: Draft) -> None:
    """Store the choices of the draft *number*."""
    await room.store.write(drafts.update_draft, number, draft.stored(), room.clock.now())


async def answer_gone(request: Request, form: DraftForm[Any]) -> Answer:
    """The answer to a button of a draft that is used, expired or damaged.

    Nothing is said to a press that is delivered again after it has used the draft.
    """
    return Said() if await was_done(request) else MenuAnswer(form.gone(), good=False)


async def has_ladder(request: Request, room: OpeningRoom | ClubRoom) -> bool:
    """Whether games may count for the ratings of this place."""
    where = request.by.where
    return not (where.private or where.circle) and (await room.places.rules(where)).ladder
