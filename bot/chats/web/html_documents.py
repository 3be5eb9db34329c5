"""HTML that the server writes: parts of screens of the page, and the operator's document."""

from __future__ import annotations

import html

from aiohttp import web

from bot.chats.web.doors import admission
from bot.chats.web.person.guests import Guest
from bot.facade import Requests
from bot.texts import Language, language
from games.core import phrase


async def tongue_of(guest: Guest, requests: Requests) -> Language:
    """The language in which *guest* reads."""
    return language(await requests.language_of(guest.asker, guest.where))


def said(tongue: Language, key: str, **args: str | int) -> str:
    """The text *key*, ready for HTML."""
    return html.escape(tongue.say(phrase(key, **args)))


def part(tongue: Language, title: str, body: str, *, status: int = 200) -> web.Response:
    """A part of a screen called *title*, with *body* in HTML; links lead below the page's base."""
    return web.Response(
        status=status,
        content_type="text/html",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
        text=f'<div lang="{tongue.code}"><h2><bdi>{html.escape(title)}</bdi></h2>{body}</div>',
    )


def document(tongue: Language, title: str, body: str, doors: str) -> web.Response:
    """A document called *title* with *body* beside its *doors*, both in HTML."""
    name = html.escape(title)
    brand = '<div class="brand"><img src="/static/icon.svg" alt="" width="30" height="30"> Ludoteca'
    return admission.html_response(
        tongue,
        f"{name} · Ludoteca",
        f'<body class="people"><nav class="tables">{brand}</div><div class="doors">{doors}</div>'
        f"</nav><main><h1><bdi>{name}</bdi></h1>{body}</main></body>",
        head='<meta name="color-scheme" content="light dark">'
        '<link rel="stylesheet" href="/static/people.css">',
        status=200,
    )
