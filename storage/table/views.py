"""Views: messages that show something, mostly a game, and the versions that they owe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import and_, bindparam, case, exists, func, or_, select

from storage import schema
from storage.column_types import Instant
from storage.person import people
from storage.records import BOARD, PlaceKey, TokenRenewal, ViewRow
from storage.schema import Transaction

_view, _place, _game = schema.view, schema.place, schema.game

_ROW = schema.columns_of(_view, ViewRow)
_BOARD = _view.c.kind == BOARD
_OF = and_(_view.c.kind == bindparam("of_kind"), _view.c.subject == bindparam("of_subject"))
_OVER_AT = (
    select(_game.c.over_at)
    .where(_game.c.code == bindparam("of_subject"), bindparam("of_kind") == BOARD)
    .scalar_subquery()
)
_END = func.coalesce(bindparam("at_once", type_=Instant()), _OVER_AT)
_ADD = _view.insert().values(over_at=_END).returning(_view.c.id)
_OWE = (
    _view.update()
    .where(_OF, _view.c.owed < bindparam("of_version"))
    .values(owed=bindparam("of_version"))
    .returning(*_ROW)
)
_PRESSED = and_(
    *(_view.c[name] == bindparam(f"by_{name}") for name in ("platform", "place", "message"))
)
_TAKEN = _view.delete().where(_PRESSED)
_OWE_BY_PRESS = _OWE.values(
    token=case((_PRESSED, bindparam("by_token")), else_=_view.c.token),
    token_at=case((_PRESSED, bindparam("by_at", type_=Instant())), else_=_view.c.token_at),
)

_SHOWN = (
    _view.update()
    .where(_view.c.id == bindparam("of_id"), _view.c.shown <= bindparam("of_version"))
    .where(or_(bindparam("was", "") == "", _view.c.message == bindparam("was", "")))
    .values(
        message=func.coalesce(bindparam("new_message"), _view.c.message),
        posted=func.coalesce(bindparam("new_posted", type_=Instant()), _view.c.posted),
    )
)


# Made once: to make such a statement takes longer than to run it.
_ONE = select(*_ROW).where(_view.c.id == bindparam("of_id"))
_ALL_OF = select(*_ROW).where(_OF).order_by(_view.c.id)
_OF_GAMES = (
    select(*_ROW)
    .where(*(_view.c[name] == bindparam(f"by_{name}") for name in ("platform", "place")))
    .where(_BOARD, _view.c.subject.in_(bindparam("of_games", expanding=True)))
    .order_by(_view.c.id)
)
_BY_MESSAGE = select(*_ROW).where(_PRESSED).order_by(_view.c.id.desc()).limit(1)


async def add_view(tx: Transaction, row: ViewRow, over_at: datetime | None = None) -> ViewRow:
    """Adds a view; answers it with its id. Raises ``ForgottenPerson`` for the one who sees it.

    *over_at* is when what it shows was over, where no game says that. The message that it has
    already shows nothing else any more.
    """
    if row.message is not None:
        here = {"by_platform": row.platform, "by_place": row.place, "by_message": row.message}
        await tx.execute(_TAKEN, here)
    if row.person is not None:
        await people.check_known(tx, row.person)
    values = schema.values_of(row) | {"at_once": over_at}
    del values["id"]
    added = await tx.execute(_ADD, {"of_kind": row.kind, "of_subject": row.subject, **values})
    return replace(row, id=added.scalar_one())


async def put_view(tx: Transaction, row: ViewRow, at: datetime) -> ViewRow:
    """Adds a view of which a place has one at a time, in place of the one before.

    It is over *at* once: shown once, it owes nothing for a new language, name or id of its place.
    """
    here = (_view.c.kind == row.kind, _view.c.platform == row.platform, _view.c.place == row.place)
    await tx.execute(_view.delete().where(*here))
    return await add_view(tx, row, at)


async def load_view(tx: Transaction, view_id: int) -> ViewRow | None:
    """The view of this id."""
    return await schema.fetch_one(tx, ViewRow, _ONE, {"of_id": view_id})


async def views_of_game(tx: Transaction, code: str) -> tuple[ViewRow, ...]:
    """The views of a game, the oldest first."""
    return await views_showing(tx, BOARD, code)


async def views_showing(tx: Transaction, kind: str, subject: str) -> tuple[ViewRow, ...]:
    """The views of what *subject* names among those of this *kind*, the oldest first."""
    return await schema.fetch_all(tx, ViewRow, _ALL_OF, {"of_kind": kind, "of_subject": subject})


async def views_of_games(
    tx: Transaction, codes: Sequence[str], platform: str, place: str
) -> tuple[ViewRow, ...]:
    """The views of these games in one place, the oldest first."""
    here = {"of_games": codes, "by_platform": platform, "by_place": place}
    return await schema.fetch_all(tx, ViewRow, _OF_GAMES, here)


async def view_by_message(
    tx: Transaction, platform: str, place: str, message: str
) -> ViewRow | None:
    """The view in a message, the newest if the message came to show another game."""
    here = {"by_platform": platform, "by_place": place, "by_message": message}
    return await schema.fetch_one(tx, ViewRow, _BY_MESSAGE, here)


async def boards_closed_since(tx: Transaction, at: datetime) -> tuple[str, ...]:
    """The games closed since an instant of which a message that everybody sees still stands."""
    stands = (_view.c.message.is_not(None), _view.c.person.is_(None), _view.c.over_at >= at)
    closed = select(_game.c.code).where(_game.c.status == "closed", _game.c.over_at >= at)
    asked = select(_view.c.subject).where(_BOARD, *stands, _view.c.subject.in_(closed)).distinct()
    return tuple((await tx.execute(asked)).scalars())


async def owe_views(
    tx: Transaction,
    subject: str,
    version: int,
    renewal: TokenRenewal | None = None,
    *,
    kind: str = BOARD,
) -> tuple[ViewRow, ...]:
    """Makes all views of a game, or of another *kind*, owe *version*, as it is made.

    *renewal* is the token that came with the press. Answers the views that did not owe the version
    before, the oldest first.
    """
    owing = {"of_kind": kind, "of_subject": subject, "of_version": version}
    if renewal is None:
        found = await schema.fetch_all(tx, ViewRow, _OWE, owing)
    else:
        pressed = {f"by_{name}": value for name, value in schema.values_of(renewal).items()}
        found = await schema.fetch_all(tx, ViewRow, _OWE_BY_PRESS, {**owing, **pressed})
    return tuple(sorted(found, key=lambda row: row.id))


async def owe_views_at(
    tx: Transaction, kind: str, platform: str, place: str, version: int
) -> tuple[ViewRow, ...]:
    """Makes the views of a *kind* in one place owe *version*; answers those that did not before."""
    here = (_view.c.kind == kind, _view.c.platform == platform, _view.c.place == place)
    owing = _view.update().where(*here, _view.c.owed < version).values(owed=version)
    return await schema.fetch_all(tx, ViewRow, owing.returning(*_ROW))


async def places_with_games(tx: Transaction, many: int) -> tuple[PlaceKey, ...]:
    """The shared places in which so *many* games are over, as pairs of platform and place."""
    over = (_view.c.person.is_(None), _view.c.over_at.is_not(None), _BOARD)
    here = select(_view.c.platform, _view.c.place).where(*over)
    enough = func.count(_view.c.subject.distinct()) >= many
    found = await tx.execute(here.group_by(_view.c.platform, _view.c.place).having(enough))
    return tuple((platform, place) for platform, place in found)


async def owing_views(tx: Transaction) -> tuple[ViewRow, ...]:
    """The views that are behind, the oldest first; those in suspended places wait."""
    here = (_place.c.platform == _view.c.platform, _place.c.place == _view.c.place)
    suspended = exists().where(*here, _place.c.suspended)
    behind = select(*_ROW).where(_view.c.shown < _view.c.owed, ~suspended)
    return await schema.fetch_all(tx, ViewRow, behind.order_by(_view.c.id))


async def owing_views_at(tx: Transaction, platform: str, place: str) -> tuple[ViewRow, ...]:
    """The views in one place that are behind, whether it is suspended or not, the oldest first."""
    here = (_view.c.platform == platform, _view.c.place == place, _view.c.shown < _view.c.owed)
    return await schema.fetch_all(tx, ViewRow, select(*_ROW).where(*here).order_by(_view.c.id))


async def language_at(tx: Transaction, platform: str, place: str) -> str | None:
    """The language of the newest board in a place, if any stood there."""
    here = (_view.c.platform == platform, _view.c.place == place, _BOARD)
    newest = select(_view.c.language).where(*here).order_by(_view.c.id.desc()).limit(1)
    return (await tx.execute(newest)).scalar()


async def games_by_place(tx: Transaction, platform: str) -> dict[str, tuple[str, ...]]:
    """The living games that everybody sees on *platform*, by place."""
    shared = (_view.c.platform == platform, _view.c.person.is_(None), _view.c.over_at.is_(None))
    asked = select(_view.c.place, _view.c.subject).where(_BOARD, *shared).distinct()
    found: dict[str, tuple[str, ...]] = {}
    for place, game in await tx.execute(asked.order_by(_view.c.subject)):
        found[place] = (*found.get(place, ()), game)
    return found


async def suspended_places_owing(tx: Transaction) -> tuple[PlaceKey, ...]:
    """The suspended places in which a view is behind, as pairs of platform and place."""
    here = (_place.c.platform == _view.c.platform, _place.c.place == _view.c.place)
    behind = exists().where(*here, _view.c.shown < _view.c.owed)
    asked = select(_place.c.platform, _place.c.place).where(_place.c.suspended, behind)
    return tuple((platform, place) for platform, place in await tx.execute(asked))


async def count_owing_views(tx: Transaction) -> int:
    """The number of views that are behind, including those in suspended places."""
    asked = select(func.count()).select_from(_view).where(_view.c.shown < _view.c.owed)
    return int((await tx.execute(asked)).scalar_one())


async def mark_view_shown(
    tx: Transaction,
    view_id: int,
    version: int,
    digest: str,
    message: str | None = None,
    posted: datetime | None = None,
    was: str = "",
) -> bool:
    """Notes that a view shows *version*, drawn as *digest*, in a new *message* if there is one.

    A late report of an older version, of a deleted view, or of the message in which it *was* and
    is no more ("" for any), changes nothing; the answer is whether something was changed.
    """
    of = {"of_id": view_id, "of_version": version}
    new = {"shown": version, "digest": digest, "new_message": message, "new_posted": posted}
    return (await tx.execute(_SHOWN, {**of, **new, "was": was})).rowcount > 0


async def set_view_token(tx: Transaction, renewal: TokenRenewal) -> None:
    """Sets the newest interaction token of the views in a message."""
    await tx.execute(
        _view.update()
        .filter_by(platform=renewal.platform, place=renewal.place, message=renewal.message)
        .values({"token": renewal.token, "token_at": renewal.at})
    )


async def owe_view_again(tx: Transaction, view_id: int, /, **changed: int) -> None:
    """Makes a view owe its version again: a menu or an old board stands in its message.

    With what else has *changed*: the side from which it is shown.
    """
    again = _view.update().where(_view.c.id == view_id)
    await tx.execute(again.values(shown=0, digest="", **changed))


async def miss_message(tx: Transaction, view_id: int, message: str | None) -> None:
    """Makes a view owe a new message where *message* is gone; one that came since it keeps."""
    missing = _view.update().filter_by(id=view_id, message=message)
    await tx.execute(missing.values(shown=0, digest="", message=None))


async def set_theme_in_place(tx: Transaction, platform: str, place: str, theme: str) -> None:
    """Sets the theme of every view in a place."""
    await tx.execute(_view.update().filter_by(platform=platform, place=place).values(theme=theme))


async def owe_living_views(tx: Transaction, **also: str) -> None:
    """Makes every living view owe its version, with *also* in its columns.

    Where it is the same as its digest tells, nothing is shown.
    """
    await tx.execute(_view.update().where(_view.c.over_at.is_(None)).values(shown=0, **also))


async def owe_counting_boards(tx: Transaction, until: datetime) -> None:
    """Makes every board owe its version that tells whose time ends *until* then."""
    ending = select(schema.deadline.c.game).where(schema.deadline.c.at <= until)
    await tx.execute(_view.update().where(_BOARD, _view.c.subject.in_(ending)).values(shown=0))


async def owe_views_of_game(tx: Transaction, code: str) -> None:
    """Makes every view of a game owe its version, also if the game is over."""
    await tx.execute(_view.update().where(_BOARD, _view.c.subject == code).values(shown=0))


async def owe_anew(
    tx: Transaction, /, language: str = "", **of: str | int | None
) -> tuple[ViewRow, ...]:
    """Makes the living views with these columns owe their version; answers them, the oldest first.

    And in another *language*, if any is given.
    """
    if language:
        await tx.execute(_view.update().filter_by(**of).values(language=language))
    owing = _view.update().filter_by(**of, over_at=None).values(shown=0).returning(*_ROW)
    return tuple(sorted(await schema.fetch_all(tx, ViewRow, owing), key=lambda row: row.id))


async def delete_view(tx: Transaction, view_id: int) -> None:
    """Deletes a view."""
    await tx.execute(_view.delete().where(_view.c.id == view_id))
