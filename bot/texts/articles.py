"""A noun with its article as its place in a sentence wants it: «al ordenador», «El ordenador…»."""

from __future__ import annotations

import re

_ARTICLE = re.compile(r"(?:el|la|los|las|the) ")


def bare(noun: str) -> str:
    """*noun* without the article with which it begins, if it does."""
    return _ARTICLE.sub("", noun, count=1) if _ARTICLE.match(noun) else noun


def placed(text: str, noun: str) -> str:
    """*text* with *noun*, which begins with its article, contracted and at a beginning capital.

    In English it owns things without what stands in brackets behind it.
    """
    if noun not in text:
        return text
    if noun.startswith("el "):
        # In Spanish «a» and «de» swallow this article, and no other.
        text = re.sub(rf"\b([Aa]|[Dd]e) e({noun[1:]})", r"\1\2", text)
    # Whose something is, is said without the level: “the computer’s turn”.
    text = re.sub(rf"({noun}) \([^()]*\)((?: \([^()]*\))?’s\b)", r"\1\2", text)
    return re.sub(rf"(^[\W\d]*|[.!?]\s+){noun[0]}(?={noun[1:]})", _capital, text)


def _capital(found: re.Match[str]) -> str:
    return found[0][:-1] + found[0][-1].upper()
