"""The recap for somebody who moves again after long: their last move and what followed. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from bot.presenters.base import TablePresenter
from bot.session.table import Table
from bot.session.visibility import Glimpse, news
from games.core import CHANCE, Position, Seat, Who
from render.scene import Last, Recap, RecapPicture, Scene

LONG: Final = timedelta(hours=12)
"""After so long without a choice a player is told again what they did last."""

MOST_GLIMPSES: Final = 3
"""How many moments are shown."""

Past: TypeAlias = Callable[[Position[Any], tuple[Last, ...]], Scene]
"""The picture of an earlier moment: ``Composer.past``."""


@dataclass(frozen=True)
class Return:
    """The player in *seat* is to move again after long.

    *own* is what they did last, as far as it can be told, and *others* what was done since, which
    is never nothing.
    """

    seat: Seat
    own: Glimpse | None
    others: tuple[Glimpse, ...]


def returning(presenter: TablePresenter) -> Return | None:
    """Who is to move again after ``LONG``, where the viewer is that player or a shared place."""
    table, seat = presenter.table, presenter.asked
    chosen = None if seat is None else _last_choice(table, seat)
    if seat is None or chosen is None:
        return None
    told, first = table.recent, len(table.log) - len(table.recent)
    seen = presenter.seen.glimpses(enumerate(told[chosen:], first + chosen))
    shown = [one for one in seen if one.seat != CHANCE and presenter.weight(one)]
    others = tuple(one for one in shown if one.seat != seat)
    if not others or not _long(told[chosen].at, told[others[-1].number - first].at):
        return None
    # What they have chosen in this turn already is no news.
    begins = first + news(told, seat)
    own = [one for one in shown if one.seat == seat and one.number < begins]
    return Return(seat, own[-1] if own else None, others)


def _last_choice(table: Table, seat: Seat) -> int | None:
    """The place among what is recent of the last choice of *seat* before this turn."""
    told = table.recent
    chose = (n for n in reversed(range(news(told, seat))) if told[n].seat == seat)
    return next((n for n in chose if told[n].chosen), None)


def _long(then: datetime | None, now: datetime | None) -> bool:
    return then is not None and now is not None and now - then >= LONG


def recap(presenter: TablePresenter, past: Past) -> Recap | None:
    """The strip above the board for who moves again after long; ``None`` for anybody else."""
    found = returning(presenter)
    if found is None:
        return None
    own = () if found.own is None else (found.own,)
    picked = _pick(presenter, found.others)[: MOST_GLIMPSES - len(own)]
    shown = sorted((*own, *picked), key=lambda one: one.number)
    mine = presenter.viewer.seat == found.seat
    key = "house.recap.yours" if mine else "house.recap.theirs"
    title = presenter.say(key, who=Who(found.seat))
    you = presenter.say("house.recap.you")
    moments = tuple(
        RecapPicture(
            _scene(presenter, past, one),
            you if mine and one.seat == found.seat else presenter.names[one.seat],
        )
        for one in shown
    )
    return Recap(title, moments)


def _pick(presenter: TablePresenter, others: tuple[Glimpse, ...]) -> list[Glimpse]:
    """*others* in the order in which they are shown: the newest, then one of each player."""
    *before, newest = others
    before.sort(key=lambda one: (presenter.weight(one), one.number), reverse=True)
    ranked = [newest, *before]
    first = {one.seat: one for one in reversed(ranked)}
    return sorted(ranked, key=lambda one: (one is not newest, first[one.seat] is not one))


def recap_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """What who moves again after long did last; what followed are the news."""
    found = returning(presenter)
    if found is None or found.own is None:
        return ()
    mine = presenter.viewer.seat == found.seat
    key = "house.recap.you-played" if mine else "house.recap.they-played"
    return (presenter.say(key, who=Who(found.seat), what=presenter.spoken(found.own)),)


def _scene(presenter: TablePresenter, past: Past, one: Glimpse) -> Scene:
    table = presenter.table
    following = one.number + 1 - (len(table.log) - len(table.recent))
    after = table.recent[following].before if following < len(table.recent) else table.present
    scene = past(presenter.seen.then(after), (Last(one.before, one.seat, one.move),))
    return replace(scene, calm=True)
