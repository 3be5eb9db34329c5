"""What people write for themselves on moments of finished games, with branches they tried there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.boards.views import Views
from bot.port import Asker, Where
from bot.presenters.school.what_if import follows
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.session.names import cleaned
from bot.session.table import ENDED, Table
from games.core import Phrase, Steps, phrase
from storage.errors import ForgottenPerson
from storage.records import CommentRow
from storage.store import Store
from storage.table import comments

LONGEST_COMMENT = 500
"""The most characters of a comment."""


@dataclass(frozen=True)
class Comment:
    """What stands on the moment after *number* entries of the log; *moves* is the branch."""

    number: int
    text: str
    moves: str


@dataclass(frozen=True, kw_only=True)
class Comments:
    """The comments of all people, each shown to their writer alone. Raises ``StorageError``."""

    store: Store
    clock: Clock
    people: People
    views: Views

    async def of(self, asker: Asker, where: Where, code: str) -> tuple[Comment, ...]:
        """What *asker* has written on the table *code*, which stands in *where*."""
        me, table = await self.people.number(asker), await self._table(where, code)
        if me is None or table is None:
            return ()
        rows = await self.store.read(comments.comments_of, me, code)
        return tuple(Comment(row.number, row.text, row.moves) for row in rows)

    async def keep(
        self, asker: Asker, where: Where, code: str, number: int, text: str, line: Sequence[Steps]
    ) -> Phrase | None:
        """Write *text* and the branch *line* on a moment, in place of what stood there.

        Nothing of both erases it. Answers why that cannot be.
        """
        me, table = await self.people.number(asker), await self._table(where, code)
        if me is None or table is None:
            return phrase("web.no-comment")
        if len(text) > LONGEST_COMMENT:
            return phrase("web.comment-long", n=LONGEST_COMMENT)
        if not await asyncio.to_thread(follows, table, number, line):
            return phrase("web.no-if")
        moves = ";".join(",".join(steps) for steps in line)
        row = CommentRow(me, code, number, cleaned(text, LONGEST_COMMENT), moves, self.clock.now())
        try:
            kept = await self.store.write(comments.put_comment, row)
        except ForgottenPerson:
            return phrase("forget.done")
        return None if kept else phrase("web.comments-full", n=comments.KEPT_COMMENTS)

    async def _table(self, where: Where, code: str) -> Table | None:
        """The finished table *code*, if it stands in *where*."""
        found = await self.views.shown_in(where, code)
        return found[0] if found is not None and found[0].status == ENDED else None
