"""HTML that the server writes: small documents, and parts of screens of the page.

Templates in ``templates`` escape what they are given, and ask ``say`` for texts by their keys.
"""

from __future__ import annotations

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined

from bot.chats.web.person.guests import Guest
from bot.facade import Requests
from bot.texts import Language, language
from games.core import Phrase, phrase

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


def html_text(tongue: Language, template: str, **given: object) -> str:
    """The *template* with what is *given*, in the language *tongue*."""
    return _TEMPLATES.get_template(template).render(
        given, tongue=tongue, say=lambda key, **args: tongue.say(phrase(key, **args))
    )


def html_response(
    tongue: Language, template: str, *, status: int = 200, **given: object
) -> web.Response:
    """The response that has ``html_text`` as its body."""
    return web.Response(
        status=status,
        content_type="text/html",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
        text=html_text(tongue, template, **given),
    )


def missing_part(tongue: Language, title: str, why: Phrase) -> web.Response:
    """The part of a screen that says *why* there is none; *title* is the key of its title."""
    said = {"title": tongue.say(phrase(title)), "why": tongue.say(why)}
    return html_response(tongue, "part.html", status=404, **said)
