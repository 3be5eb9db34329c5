"""The law of languages: in which one a shared board speaks, and in which one a private word. Pure.

Who only passes by changes nothing for others. A choice names a language; how it is spoken, as in
Spain or as in America, the first locale of that language says.
"""

from __future__ import annotations

from bot.texts import spoken


def of_board(place: str | None, server: str | None, opener: str | None, default: str) -> str:
    """The language of what many read.

    That is what was chosen for the *place*, else what its *server* speaks, else the *opener* of
    the table, else the *default*. The last three are locales as the platform or a client tells.
    """
    if place is not None:
        return _as_spoken(place, server, opener)
    return spoken(server) or spoken(opener) or default


def of_answer(chosen: str | None, client: str | None, place: str) -> str:
    """The language of what one person reads: what he has *chosen*, else his *client*'s.

    Where we do not speak that either, it is the language of the *place*.
    """
    if chosen is not None:
        return _as_spoken(chosen, client)
    return spoken(client) or place


def _as_spoken(language: str, *locales: str | None) -> str:
    known = (spoken(locale) for locale in locales)
    return next((code for code in known if code and code.startswith(language)), language)
