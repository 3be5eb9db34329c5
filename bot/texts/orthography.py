"""The form of texts: first letter, end mark, articles, where they are cut, and links taken out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

ALT: Final = 900
"""The most characters of a picture's description that every chat shows."""

JOINER: Final = "\u2060"
"""Keeps two letters together and is not seen."""

# A dot of any script before a domain or an address's next number; the colon of a scheme.
_LINKS = re.compile(r"(?<=\w)[.\u3002\uff0e\uff61](?=[^\W\d_]{2}|\d{1,3}\.)|(?<=[^\W\d_]):(?=//)")

_BETWEEN = re.compile(r"(?<=[.!?…»”)])\s+")

_LIKE_Y = re.compile(r"\W*h?[ií](?![aeoáéó])", re.IGNORECASE)
"""The start of a word before which «y» becomes «e»: «Lucía e Íñigo», but «agua y hielo»."""


_FROM_THE_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ISOLATE, _ISOLATE_END = "\u2068", "\u2069"


def set_apart(name: str) -> str:
    """*name* so that letters written from the right turn no words beside it (isolates, UAX #9)."""
    if name.startswith(_ISOLATE) or not _FROM_THE_RIGHT.search(name):
        return name
    return f"{_ISOLATE}{name}{_ISOLATE_END}"


def is_sentence(template: str) -> bool:
    """Whether *template* is a whole sentence, not a label or a part."""
    return template.endswith((".", "?", "!"))


def capital(text: str) -> str:
    """*text* with a capital first letter, the others as they are."""
    return text[:1].upper() + text[1:]


def finished(text: str, *, capital: bool) -> str:
    """*text* as a sentence with one end mark, and a *capital* first letter if wanted."""
    if text.endswith(("..", "!.", "?.", "….")):
        text = text[:-1]
    return text[:1].upper() + text[1:] if capital else text


class Contractions:
    """Words that melt into one, such as «de el» into «del», before a word that is no name.

    *told* are pairs such as ``a el → al, de el → del``; what is no pair is passed over.
    """

    def __init__(self, told: str) -> None:
        pairs = (one.split("→") for one in told.split(",") if one.count("→") == 1)
        self._melted = {apart.strip(): one.strip() for apart, one in pairs if apart.strip()}
        first = "|".join(map(re.escape, self._melted))
        self._apart = re.compile(rf"\b({first}) (?=(\w))", re.IGNORECASE) if first else None

    def contracted(self, text: str) -> str:
        """*text* with what melts in it."""
        return text if self._apart is None else self._apart.sub(self._one, text)

    def _one(self, found: re.Match[str]) -> str:
        apart, following = found[1], found[2]
        # An article in capitals belongs to a name: «de El Greco».
        if not following.islower() or not apart[1:].islower():
            return found[0]
        melted = self._melted[apart.lower()]
        return f"{melted[:1].upper() if apart[0].isupper() else melted[:1]}{melted[1:]} "


def enumerated(listed: str, last: str) -> str:
    """The Spanish list *listed* with «e» for «y» where its *last* item needs it."""
    before = listed.removesuffix(f" y {last}")
    return f"{before} e {last}" if before != listed and _LIKE_Y.match(last) else listed


def fitted(text: str, most: int, hint: str, length: Callable[[str], int] = len) -> str:
    """*text* cut after a sentence to at most *most*, with *hint*; empty where nothing fits."""
    if length(text) <= most:
        return text
    kept = ""
    for sentence in _BETWEEN.split(text.removesuffix(hint).rstrip()):
        longer = f"{kept} {sentence}".lstrip()
        if length(f"{longer} {hint}") > most:
            break
        kept = longer
    return f"{kept} {hint}" if kept else ""


def unlinked(text: str) -> str:
    """*text* with the same look and no detectable address: a player may be called ``evil.com``."""
    return _LINKS.sub(lambda found: found[0] + JOINER, text)


def bare(noun: str, articles: Collection[str]) -> str:
    """*noun* without its article, one of *articles*."""
    article, blank, rest = noun.partition(" ")
    return rest if blank and article in articles else noun


def placed(text: str, noun: str) -> str:
    """*text* with the article of *noun* capital at the start of a sentence.

    In the English possessive the level in the brackets after the noun is dropped.
    """
    if noun not in text:
        return text
    # The possessive has no level: “the computer’s turn”, “the computer (blue)’s turn”.
    text = re.sub(rf"({noun}) \([^(),]*(?:, )?([^()]*)\)(?=’s\b)", r"\1 (\2)", text)
    text = text.replace(" ()’s", "’s")
    return re.sub(rf"(^[\W\d]*|[.!?]\s+){noun[0]}(?={noun[1:]})", _capital, text)


def _capital(found: re.Match[str]) -> str:
    return found[0][:-1] + found[0][-1].upper()


def shortened(label: str, limit: int) -> str:
    """*label* in at most *limit* characters: words go from the middle, since its end says most."""
    for said in (label, label.replace(" → ", "→")):
        if len(said) <= limit:
            return said
    ways = [way for way in _without_middle(said.split(" ")) if len(way[0]) <= limit]
    if ways:
        return next((said for said, squares in ways if squares), ways[0][0])
    return f"{label[: limit // 2 - 1].rstrip()}…{label[-(limit - limit // 2) :].lstrip()}"


def _without_middle(words: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """*words* without some in the middle, those with most at the end first.

    Each comes with whether all that have a digit, such as squares, are kept.
    """
    for tail in range(2, len(words)):
        for head in range(tail - 1, 0, -1):
            gone = "".join(words[head:tail])
            said = f"{' '.join(words[:head])}… {' '.join(words[tail:])}"
            yield said, not any(mark.isdigit() for mark in gone)
