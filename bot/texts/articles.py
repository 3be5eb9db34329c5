"""A noun with its article, fitted into a sentence: «al ordenador», «El ordenador…»."""

from __future__ import annotations

import re

_ARTICLE = re.compile(r"(?:el|la|los|las|the) ")


def bare(noun: str) -> str:
    """*noun* without its article."""
    return _ARTICLE.sub("", noun, count=1) if _ARTICLE.match(noun) else noun


def placed(text: str, noun: str) -> str:
    """*text* with the article of *noun* contracted, and capital at the start of a sentence.

    In the English possessive the brackets after the noun are dropped.
    """
    if noun not in text:
        return text
    if noun.startswith("el "):
        # Spanish «a» and «de» contract with this article only.
        text = re.sub(rf"\b([Aa]|[Dd]e) e({noun[1:]})", r"\1\2", text)
    # The possessive has no level: “the computer’s turn”.
    text = re.sub(rf"({noun}) \([^()]*\)((?: \([^()]*\))?’s\b)", r"\1\2", text)
    return re.sub(rf"(^[\W\d]*|[.!?]\s+){noun[0]}(?={noun[1:]})", _capital, text)


def _capital(found: re.Match[str]) -> str:
    return found[0][:-1] + found[0][-1].upper()
