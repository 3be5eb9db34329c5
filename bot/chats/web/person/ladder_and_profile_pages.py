"""What the page shows of people: the ladder of all places, a person with curves and games."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.chats.web.doors import admission
from bot.chats.web.html_documents import part, said, tongue_of
from bot.chats.web.person.guests import Guests
from bot.facade import LadderEntry, LadderSheet, PeoplePages, PersonSheet, Requests, StandingSheet
from bot.texts import Language
from games.core import phrase
from render.medals import medal_svg

WIDE, HIGH, EDGE = 320, 96, 8
"""The size of a curve, and the room around it, in units of its own."""

LEAST = 40
"""So many points a curve spans at least, so that a small change looks small."""


@dataclass(frozen=True)
class PeopleServer:
    """Answers a guest's page that shows people."""

    requests: Requests
    people_pages: PeoplePages
    guests: Guests

    def paths(self) -> Mapping[str, Handler]:
        """The handlers by their paths below a guest's page."""
        return {
            "/sheets/people{asked:(?:/[a-z]{1,16}(?:/month)?(?:/[0-9]{1,6})?)?}": self._ladder,
            "/sheets/people/{word:[0-9a-f]{32}}": self._person,
        }

    async def _ladder(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        tongue = await tongue_of(guest, self.requests)
        _, game, *rest = f"{request.match_info['asked']}/".split("/")
        page = next((int(one) for one in rest if one.isdigit()), 0)
        sheet = await self.people_pages.ladder(
            guest.asker, tongue.code, game, page, month="month" in rest
        )
        return part(tongue, sheet.title, ladder_html(sheet, tongue))

    async def _person(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        tongue = await tongue_of(guest, self.requests)
        sheet = await self.people_pages.person(guest.asker, tongue.code, request.match_info["word"])
        if sheet is None:
            hidden = f"<p>{said(tongue, 'people.hidden')}</p>"
            return part(tongue, tongue.say(phrase("people.title")), hidden, status=404)
        return part(tongue, sheet.name, person_html(sheet, tongue))


# ------------------------------------------------------------------------------ HTML


def ladder_html(sheet: LadderSheet, tongue: Language) -> str:
    """The ladder of *sheet*: choices, table, pages."""

    def link(word: str, game: str, page: int = 0, *, month: bool, here: bool = False) -> str:
        current = ' aria-current="true"' if here else ""
        href = f"people/{html.escape(game)}{'/month' if month else ''}{f'/{page}' if page else ''}"
        return f'<a class="key"{current} href="{href}">{html.escape(word)}</a>'

    games = [
        link(name, key, month=sheet.month, here=key == sheet.game) for key, name in sheet.games
    ]
    spans = [
        link(tongue.say(phrase(f"standing.button.{key}")), sheet.game, month=month, here=here)
        for key, month, here in (("lately", False, not sheet.month), ("month", True, sheet.month))
    ]
    pages = []
    for step, key in ((-1, "before"), (1, "after")):
        if 0 <= sheet.page + step < sheet.pages:
            word = tongue.say(phrase(f"standing.button.{key}"))
            pages.append(link(word, sheet.game, sheet.page + step, month=sheet.month))
    parts = [_group(games), _group(spans), _table(sheet, tongue)]
    if sheet.note:
        parts.append(f"<p>{html.escape(sheet.note)}</p>")
    if not sheet.lines and sheet.mine is None:
        parts.append(_play(sheet, tongue))
    return "".join((*parts, _group(pages) if pages else ""))


def _play(sheet: LadderSheet, tongue: Language) -> str:
    """What an empty ladder is filled by: the way to a table of its game."""
    game = next(name for key, name in sheet.games if key == sheet.game)
    word = said(tongue, "people.play", game=game)
    return _group([f'<a class="key good" href="play/{html.escape(sheet.game)}">{word}</a>'])


def _group(links: Sequence[str]) -> str:
    return f'<div class="more" role="group">{"".join(links)}</div>'


def _table(sheet: LadderSheet, tongue: Language) -> str:
    lines = list(sheet.lines)
    if sheet.mine is not None and sheet.mine not in lines:
        lines.append(sheet.mine)
    if not lines:
        return ""
    heads = ("people.head.name", "standing.head.strength", "standing.head.change")
    named = "".join(f'<th scope="col">{said(tongue, key)}</th>' for key in heads)
    last = f'<th scope="col">{said(tongue, "standing.head.games")}</th>'
    rows = "".join(map(_row, lines))
    head = f"<tr><th></th>{named}{last}</tr>"
    return f'<table class="ladder"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def _row(one: LadderEntry) -> str:
    own = ' class="own"' if one.own else ""
    name = f'<a href="people/{one.person}"><bdi>{html.escape(one.name)}</bdi></a>'
    rest = "".join(
        f"<td>{html.escape(cell)}</td>" for cell in (one.strength, one.change, one.games)
    )
    return f'<tr{own}><td>{one.number}</td><th scope="row">{name}</th>{rest}</tr>'


def person_html(sheet: PersonSheet, tongue: Language) -> str:
    """The person of *sheet*: a card a game with its curve, medals, and the games to open."""
    parts = [_card(one) for one in sheet.standings]
    parts += [f"<p>{html.escape(one)}</p>" for one in sheet.deeds]
    if not parts:
        parts.append(f"<p>{said(tongue, 'standing.profile.none', name=sheet.name)}</p>")
    if sheet.medals:
        rows = "".join(
            f"<li>{medal_svg(one.key)}<span>{html.escape(one.words)}</span></li>"
            for one in sheet.medals
        )
        parts.append(f'<ul class="medals">{rows}</ul>')
    if sheet.played:
        rows = "".join(
            f'<li><a class="key" href="t/{one.table}"><span>{html.escape(one.title)}'
            f'<span class="d"><bdi>{html.escape(one.who)}</bdi> · {html.escape(one.day)}</span>'
            f'</span><span class="does">{html.escape(one.result)}</span></a></li>'
            for one in sheet.played
        )
        parts.append(f'<h3>{said(tongue, "people.games")}</h3><ul class="played">{rows}</ul>')
    return "".join(parts)


def _card(one: StandingSheet) -> str:
    remarks = "".join(f"<p>{html.escape(remark)}</p>" for remark in one.remarks)
    figures = f"{html.escape(one.rating)} <small>{html.escape(one.deviation)}</small>"
    words = html.escape(f"{one.game}: {one.rating}", quote=True)
    return (
        f'<section class="card"><h3>{html.escape(one.game)}</h3><p class="rating">{figures}</p>'
        f"{curve_svg(one.course, words)}<p>{html.escape(one.games)}</p>{remarks}</section>"
    )


def curve_svg(course: Sequence[int], words: str) -> str:
    """The *course* of a rating as an SVG that the reader's size stretches, told by *words*."""
    if not course:
        return ""
    low, high = min(course), max(course)
    span, middle = max(high - low, LEAST), (low + high) / 2
    step = (WIDE - 2 * EDGE) / max(1, len(course) - 1)
    points = [
        (EDGE + step * n, HIGH / 2 - (one - middle) / span * (HIGH - 2 * EDGE))
        for n, one in enumerate(course)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    return (
        f'<svg class="curve" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{words}">'
        f'<polyline points="{line}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="5"/></svg>'
    )
