"""Documents that need no board: the pages of people, of tournaments and of the operator."""

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


def document(
    tongue: Language, title: str, body: str, ways: str, *, head: str = "", status: int = 200
) -> web.Response:
    """A page called *title* with *body* below its links, which are *ways*, both in HTML.

    *head* is what else stands in its head.
    """
    name = html.escape(title)
    return admission.html_response(
        tongue,
        f"{name} · Ludoteca",
        f'<body class="people"><main><nav class="more">{ways}</nav>'
        f"<h1><bdi>{name}</bdi></h1>{body}</main></body>",
        head='<meta name="color-scheme" content="light dark">'
        f'<link rel="stylesheet" href="/static/people.css">{head}',
        status=status,
    )
