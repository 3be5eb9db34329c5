"""HTML that the server writes: small documents, and parts of screens of the page.

Templates in ``templates`` escape what they are given, and ask ``say`` for texts by their keys.
"""

from __future__ import annotations

import html

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined

from bot.chats.web.person.guests import Guest
from bot.facade import Requests
from bot.texts import Language, language
from games.core import phrase

_TEMPLATES = Environment(
    loader=PackageLoader("bot.chats.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


async def tongue_of(guest: Guest, requests: Requests) -> Language:
    """The language in which *guest* reads."""
    return language(await requests.language_of(guest.asker, guest.where))


def said(tongue: Language, key: str, **args: str | int) -> str:
    """The text *key*, ready for HTML."""
    return html.escape(tongue.say(phrase(key, **args)))


def html_response(
    tongue: Language, template: str, *, status: int = 200, **given: object
) -> web.Response:
    """The *template* with what is *given*, in the language *tongue*."""
    filled = _TEMPLATES.get_template(template).render(
        given, tongue=tongue, say=lambda key, **args: tongue.say(phrase(key, **args))
    )
    return web.Response(
        status=status,
        content_type="text/html",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
        text=filled,
    )


def part(tongue: Language, title: str, body: str, *, status: int = 200) -> web.Response:
    """A part of a screen called *title*, with *body* in HTML; links lead below the page's base."""
    return html_response(tongue, "part.html", status=status, title=title, body=body)
