"""The news of a table: what happened since the viewer's last turn, a line for each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.presenters.base import TablePresenter
from bot.session.table import PLAYING
from bot.session.visibility import Glimpse
from games.core import CHANCE, Who, phrase

DEAL = 6
"""More draws than these in a row are a deal: the board shows what they were."""

LINE = 160
"""How many characters a player's line takes before what matters less is left out."""

VITAL = 2
"""The weight of what is never left out (``games.core.Speech.weight``)."""


@dataclass(frozen=True)
class Remark:
    """Something that happened, *said* in words, with its *weight*; *hurried*, at a glance."""

    weight: int
    said: str
    hurried: bool = False


def without_deal(glimpses: Sequence[Glimpse]) -> tuple[Glimpse, ...]:
    """*glimpses* without the draws of a deal."""
    runs = (tuple(run) for _, run in groupby(glimpses, lambda one: one.seat == CHANCE))
    return tuple(one for run in runs if run[0].seat != CHANCE or len(run) <= DEAL for one in run)


def news_lines(presenter: TablePresenter) -> list[str]:
    """A line for each player of what is news to the viewer, in the order in which they began."""
    news = presenter.seen.recent
    told = without_deal(news)
    if news and not told:
        if presenter.table.status != PLAYING:
            return []  # It was dealt, and nobody has played.
        return [presenter.say(phrase("house.dealt", n=len(news)))]
    lines: list[tuple[int, list[Remark]]] = []
    for number, one in enumerate(told):
        weight = presenter.weight(one)
        if not weight and number < len(told) - 1:
            continue
        remark = Remark(weight, presenter.spoken(one), one.hurried)
        seat = one.seat
        if seat == CHANCE and not weight and number:
            seat = told[number - 1].seat  # What was drawn belongs to the player who had it drawn.
        of_seat = next((line for whose, line in lines if whose == seat), None)
        if of_seat is None:
            lines.append((seat, [remark]))
        else:
            of_seat.append(remark)
    return [_line(presenter, seat, remarks) for seat, remarks in lines]


def _line(presenter: TablePresenter, seat: int, remarks: Sequence[Remark]) -> str:
    """What *seat* did: all vital remarks, and the newest others for which there is room."""
    left = LINE - sum(len(one.said) for one in remarks if one.weight >= VITAL)
    kept: list[str] = []
    for one in reversed(remarks):
        left -= len(one.said) if one.weight < VITAL else 0
        if one.weight >= VITAL or left >= 0 or one is remarks[-1]:
            kept.append(one.said)
    what = "; ".join(reversed(kept))
    rest = len(remarks) - len(kept)
    if rest:
        what = presenter.say(phrase("house.and-more", what=what, n=rest))
    if seat == CHANCE:
        return presenter.say(phrase("house.chance", what=what))
    hurried = any(one.hurried for one in remarks)
    key = "house.played.hurried" if hurried else "house.played"
    return presenter.say(phrase(key, who=Who(seat), what=what))
