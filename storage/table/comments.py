"""What people write for themselves on moments of finished games."""

from __future__ import annotations

from sqlalchemy import func, select

from storage import schema
from storage.person import people
from storage.records import CommentRow
from storage.schema import Transaction

KEPT_COMMENTS = 100
"""On how many moments of a game one person may comment."""

_comment = schema.comment
_ROWS = select(*schema.columns_of(_comment, CommentRow))


async def comments_of(tx: Transaction, person: int, game: str) -> tuple[CommentRow, ...]:
    """What *person* has written on a game, from its first moment to its last."""
    asked = _ROWS.filter_by(person=person, game=game).order_by(_comment.c.number)
    return await schema.fetch_all(tx, CommentRow, asked)


async def put_comment(tx: Transaction, row: CommentRow) -> bool:
    """Writes a comment in place of the one on the same moment, or deletes that where it is empty.

    False where ``KEPT`` moments of the game have others. Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, row.person)
    mine = (_comment.c.person == row.person, _comment.c.game == row.game)
    if not (row.text or row.moves):
        await tx.execute(_comment.delete().where(*mine, _comment.c.number == row.number))
        return True
    others = select(func.count()).select_from(_comment).where(*mine)
    count: int = (await tx.execute(others.where(_comment.c.number != row.number))).scalar_one()
    if count >= KEPT_COMMENTS:
        return False
    await schema.upsert(tx, _comment, schema.values_of(row))
    return True
