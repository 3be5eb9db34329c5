"""What the page shows of a tournament: its bracket or crosstable, and the standings.

The page asks for news and waits for the answer; where there are some it asks for all anew.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.chats.web.doors import admission
from bot.chats.web.html_documents import part, said, tongue_of
from bot.chats.web.person.guests import Guests
from bot.facade import Requests, TournamentPage, TournamentPages
from bot.texts import Language
from games.core import phrase
from render.club.bracket import BracketMatch, BracketSide
from render.club.ranking import Ranking
from render.crosstable import CrossCell, Crosstable

NEWS_SECONDS = 25.0
"""For how many seconds a page waits for news; proxies cut a line off after 60."""

CODE = "{code:[0-9A-Za-z]{4,8}}"
"""The part of a path that is the code of a tournament."""


@dataclass(frozen=True)
class TournamentServer:
    """Answers a guest's page that shows a tournament."""

    requests: Requests
    pages: TournamentPages
    guests: Guests

    def paths(self) -> Mapping[str, Handler]:
        """The handlers by their paths below a guest's page."""
        return {
            f"/sheets/tournaments/{CODE}": self._tournament,
            f"/sheets/tournaments/{CODE}/news": self._news,
        }

    async def _tournament(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        code = request.match_info["code"].upper()
        tongue = await tongue_of(guest, self.requests)
        sheet = await self.pages.sheet(guest.asker, tongue.code, code)
        if sheet is None:
            unknown = f"<p>{said(tongue, 'tournament.unknown', code=code)}</p>"
            return part(tongue, tongue.say(phrase("web.page.tournaments")), unknown, status=404)
        return part(tongue, sheet.title, tournament_html(sheet, tongue))

    async def _news(self, request: web.Request) -> web.Response:
        """200 once the tournament is another than the page shows, 204 where it stays the same."""
        await admission.requesting_guest(request, self.guests)
        number, code = request.query.get("after", ""), request.match_info["code"].upper()
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise web.HTTPBadRequest
        changed = await self.pages.has_changed(code, int(number), NEWS_SECONDS)
        return web.Response(status=200 if changed else 204, headers={"Cache-Control": "no-store"})


# ------------------------------------------------------------------------------ HTML


def tournament_html(sheet: TournamentPage, tongue: Language) -> str:
    """The tournament of *sheet*: bracket or crosstable, and standings; it names its version."""
    parts = [] if sheet.over else [f'<i hidden data-version="{sheet.version}"></i>']
    if sheet.bracket:
        parts.append(bracket_html(sheet.bracket, tongue))
        if sheet.third:
            parts.append(f"<p><bdi>{html.escape(sheet.third)}</bdi></p>")
    elif sheet.cross is not None:
        parts.append(cross_html(sheet.cross))
    if sheet.table.rows:
        parts.append(table_html(sheet.table))
    return "".join(parts)


def bracket_html(rounds: Sequence[Sequence[BracketMatch]], tongue: Language) -> str:
    """The bracket: a column for each round, whose matches stand between those before."""
    title = said(tongue, "tournament.page.bracket")
    columns = "".join(
        f"<li><h4>{said(tongue, 'tournament.page.round', n=number)}</h4>"
        f"<ol>{''.join(_match(match, tongue) for match in matches)}</ol></li>"
        for number, matches in enumerate(rounds, 1)
    )
    return _wide(title, f'<ol class="bracket">{columns}</ol>')


def _match(match: BracketMatch, tongue: Language) -> str:
    return f"<li>{''.join(_side(one, match, tongue) for one in match.sides)}</li>"


def _side(side: BracketSide, match: BracketMatch, tongue: Language) -> str:
    classes = [name for name, is_so in (("own", side.own), ("won", side.won)) if is_so]
    if not side.name:
        key = "tournament.cross.bye" if match.bye else "tournament.page.open"
        return f'<p class="nobody">{said(tongue, key)}</p>'
    words = f"<bdi>{html.escape(side.name)}</bdi><b>{html.escape(side.points)}</b>"
    if side.won:
        words += f'<span class="unseen"> {said(tongue, "tournament.page.goes-on")}</span>'
    return f'<p class="{" ".join(classes)}">{words}</p>'


def _wide(title: str, content: str) -> str:
    """A section that may be wider than its reader's screen, which then moves it sideways."""
    return (
        f'<section><h3>{title}</h3><div class="wide" tabindex="0" role="region" '
        f'aria-label="{title}">{content}</div></section>'
    )


def cross_html(cross: Crosstable) -> str:
    """The crosstable."""
    heads = "".join(f'<th scope="col">{html.escape(one)}</th>' for one in cross.heads)
    total = f'<th scope="col">{html.escape(cross.total)}</th>'
    rows = "".join(
        f"<tr{_own(row.own)}><td>{html.escape(row.number)}</td>"
        f'<th scope="row"><bdi>{html.escape(row.name)}</bdi></th>'
        f"{''.join(map(_cell, row.cells))}<td>{html.escape(row.total)}</td></tr>"
        for row in cross.rows
    )
    head = f'<tr><th></th><th scope="col"></th>{heads}{total}</tr>'
    table = f'<table class="ladder fair cross"><thead>{head}</thead><tbody>{rows}</tbody></table>'
    return _wide(html.escape(cross.title), table)


def _cell(cell: CrossCell) -> str:
    if cell.barred:
        return '<td class="barred"></td>'
    upper = f"<small>{html.escape(cell.upper)}</small> " if cell.upper.strip() else ""
    return f"<td>{upper}<span>{html.escape(cell.lower)}</span></td>"


def table_html(table: Ranking) -> str:
    """The standings."""
    _, note, figure = table.heads
    heads = "".join(f'<th scope="col">{html.escape(one)}</th>' for one in (figure, note) if one)
    rows = ""
    for row in table.rows:
        values = [row.figure] * bool(figure) + [row.note] * bool(note)
        cells = "".join(f"<td>{html.escape(one)}</td>" for one in values)
        rows += (
            f"<tr{_own(row.own)}><td>{row.place or ''}</td>"
            f'<th scope="row"><bdi>{html.escape(row.name)}</bdi></th>{cells}</tr>'
        )
    head = f'<tr><th></th><th scope="col"></th>{heads}</tr>'
    body = f'<table class="ladder fair"><thead>{head}</thead><tbody>{rows}</tbody></table>'
    return f"<section><h3>{html.escape(table.title)}</h3>{body}</section>"


def _own(is_own: bool) -> str:
    return ' class="own"' if is_own else ""
