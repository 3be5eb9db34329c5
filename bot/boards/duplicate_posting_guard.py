"""New boards on their way: none of them stands twice, even where we were killed.

Discord knows a repeated posting by its nonce. Where a platform does not, a note is stored before a
board is sent: how far the messages of its place had come. Whoever finds the note later, after a
kill or a connection that broke, cannot know whether the board arrived. It is posted once more;
then what stands between the two is looked through, and the first one removed.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace

from cachetools import LRUCache

from bot.boards.pacing import Pacing
from bot.boards.renderer import RenderedBoard, Renderer, nonce_of
from bot.port import (
    BlockedByFilter,
    Chat,
    ChatError,
    Later,
    MessageGone,
    NotTaken,
    PlaceMoved,
    PlaceShut,
    RequestRefused,
    Shown,
    ThreadShut,
)
from bot.runtime.caches import remembering
from bot.runtime.rate_limiter import Rank
from bot.runtime.tasks import Tasks
from bot.service.place.places import view_place
from bot.service.process_cluster import Ownership
from bot.service.table.tables import Tables, UnknownTable
from bot.session.table import OPEN, PLAYING, BrokenTable
from storage import bot_settings
from storage.errors import StorageError
from storage.records import BOARD, ViewRow
from storage.store import Store
from storage.table import views as stored

log = logging.getLogger(__name__)

NOTE = "posting-"
"""The key of a note, before the number of its view."""

LOOK_AGAIN = (1.0, 5.0, 30.0, 60.0)
"""Seconds after which a search that broke off is tried again; the last one repeats."""

REFUSED = (
    *(Later, PlaceShut, ThreadShut, PlaceMoved, MessageGone),
    *(BlockedByFilter, RequestRefused),
)
"""What a platform answers that has not taken a board; after anything else it may stand there."""


@dataclass(frozen=True)
class _Posting:
    """A board that is posted after the message *after*; *nonce* names the posting.

    *lost* says that it was posted before, and nobody knows what came of it.
    """

    nonce: str
    after: str
    lost: bool = False


@dataclass(kw_only=True)
class PostingGuard:
    """Knows which boards are being posted, and removes those that turn out to stand twice."""

    store: Store
    tasks: Tasks
    pacing: Pacing
    renderer: Renderer
    ownership: Ownership
    tables: Tables
    _under_way: dict[int, _Posting] = field(default_factory=dict)
    """By view."""
    _views: dict[int, ViewRow] = field(default_factory=dict)
    """The rows of the views being posted: what replaces a view deletes its row.

    Those that are looked for are not among them.
    """
    _looked: LRUCache[tuple[str, ...], int] = remembering(4096)
    """For which view a message is looked at: no other search need do that."""

    async def show(self, chat: Chat, board: RenderedBoard, picture: bytes | None) -> Shown:
        """Show *board* by *chat*, with a note before a new message; raises as ``Chat.show``."""
        target, view = board.target, board.view
        posting = None if target.message is not None else await self._begin(chat, board)
        try:
            return await chat.show(target, board.screen, picture)
        except (*REFUSED, NotTaken):
            if posting is not None and not posting.lost:
                await self._forget(view.id)
            raise
        except BaseException:
            if posting is not None:
                self._under_way[view.id] = replace(posting, lost=True)
            raise

    async def _begin(self, chat: Chat, board: RenderedBoard) -> _Posting | None:
        """The posting of *board*, noted; ``None`` where its platform knows a repeated one."""
        view = board.view
        known = self._under_way.get(view.id)
        if known is not None:
            # Nobody has heard of the first attempt.
            return await self._note(view, replace(known, lost=True))
        after = chat.newest(board.target.where, view.message)
        if after is None:
            return None
        # We may be asked for it after a start, before the notes of whoever was killed are taken up.
        left = await self.store.read(bot_settings.read_setting, f"{NOTE}{view.id}", _read)
        posting = _Posting(board.target.nonce, after) if left is None else replace(left, lost=True)
        return await self._note(view, posting)

    async def _note(self, view: ViewRow, posting: _Posting) -> _Posting:
        self._under_way[view.id], self._views[view.id] = posting, view
        note = json.dumps(asdict(posting))
        await self.store.write_beside(bot_settings.put_setting, f"{NOTE}{view.id}", note)
        return posting

    async def note_shown(self, board: RenderedBoard, shown: Shown) -> bool:
        """*board* is stored as *shown*: forget its note, or look for what was posted before.

        Whether it is to be shown once more: only a new message bounds that search, no edit does.
        """
        posting = self._under_way.get(board.view.id)
        if posting is None:
            return False
        if not shown.fresh:
            again = posting.lost and board.view.id in self._views
            if again:
                self.renderer.raise_anew(board.view.id)
                self.renderer.wish(board.view.id)
            return again
        if posting.lost:
            self._views.pop(board.view.id, None)
            looking = self._look_between(board.view, posting, shown.message, board.replaced)
            self.tasks.start(looking)
        else:
            await self._forget(board.view.id)
        return False

    def give_up(self, view_id: int) -> None:
        """The view *view_id* is gone, as another replaced it: look for what was posted of it."""
        posting, view = self._under_way.get(view_id), self._views.pop(view_id, None)
        if posting is not None and view is not None:
            newest = self.ownership.chats[view.platform].newest(view_place(view), None)
            self.tasks.start(self._look_between(view, posting, newest or ""))

    async def _look_between(
        self, view: ViewRow, posting: _Posting, message: str, replaced: str | None = None
    ) -> None:
        """Remove what was posted of *view* between the mark of *posting* and its *message*."""
        where, chat = view_place(view), self.ownership.chats[view.platform]

        async def skips(other: str) -> bool:
            """Whether *other* is known; what is not known is looked at in its turn."""
            at, read = (*where.key, other), self.store.read
            if other == replaced or await read(stored.view_by_message, *at) is not None:
                return True
            if self._looked.setdefault(at, view.id) != view.id:
                return True
            await self.pacing.limiter(where).turn(Rank.LOOKS)
            # A board that was on its way is noted by now.
            return await read(stored.view_by_message, *at) is not None

        pauses = itertools.chain(LOOK_AGAIN, itertools.repeat(LOOK_AGAIN[-1]))
        while True:
            try:
                with suppress(PlaceMoved):  # what stood there before cannot be removed any more
                    await chat.remove_repeated(where, posting.after, message, skips)
                if self._under_way.get(view.id) is posting:  # it is not posted once more meanwhile
                    await self._forget(view.id)
                return
            except Later as told:
                self.pacing.limiter(where).pause(told.seconds)
            except (ChatError, StorageError) as wrong:
                log.info("view %d may stand twice for now: %s", view.id, wrong)
                await asyncio.sleep(next(pauses))

    async def _forget(self, view_id: int) -> None:
        self._under_way.pop(view_id, None)
        self._views.pop(view_id, None)
        await self.store.write_beside(bot_settings.delete_setting, f"{NOTE}{view_id}")

    async def take_up(self) -> list[int]:
        """The views that an earlier process was posting: each is to be posted anew."""
        found = []
        for key, note in (await self.store.read(bot_settings.list_settings, NOTE)).items():
            number = key.removeprefix(NOTE)
            view_id = int(number) if number.isdecimal() else 0
            if view_id in self._under_way:
                continue
            view, posting = await self.store.read(stored.load_view, view_id), _read(note)
            if view is not None and not self.ownership.keeps(view.platform):
                continue  # another process shows it
            noted = view is not None and posting is not None and posting.nonce != nonce_of(view)
            if view and posting and posting.lost and noted:
                # It was posted once more, and only the first one is still to be looked for.
                self._under_way[view_id] = posting
                self.tasks.start(self._look_between(view, posting, view.message or ""))
                continue
            if view is None or posting is None or noted or await self._is_over(view):
                await self.store.write_beside(bot_settings.delete_setting, key)
                continue
            await self._note(view, replace(posting, lost=True))
            self.renderer.raise_anew(view_id)
            self.renderer.wish(view_id)
            found.append(view_id)
        return found

    async def _is_over(self, view: ViewRow) -> bool:
        """Whether nobody can use what *view* shows."""
        if view.kind != BOARD:
            self.renderer.raise_anew(view.id)  # what it shows already is no end
            return await self.renderer.render_other(view) is None
        try:
            table = await self.tables.get(view.subject)
        except (UnknownTable, BrokenTable):
            return True
        return table.status not in (OPEN, PLAYING)


def _read(note: str) -> _Posting | None:
    """The posting of a *note*; ``None`` if it is damaged."""
    with suppress(ValueError, TypeError, LookupError, RecursionError):
        read = json.loads(note)
        return _Posting(str(read["nonce"]), str(read["after"]), bool(read["lost"]))
    return None
