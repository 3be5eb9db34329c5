"""Cards in private chats that are about a group: their buttons act there, also after a restart."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from bot.chats.telegram.reading import COMMANDS, PLATFORM, PRESSES, START, chat_with
from bot.facade import ChatNotes, log_unstored
from bot.port import (
    Answer,
    Asker,
    Card,
    Command,
    FileAnswer,
    MenuAnswer,
    Press,
    Said,
    Screen,
    Where,
)
from bot.texts import Language, language
from games.core import Phrase, phrase

MOST = 500
"""How many cards and links are noted: the latest."""

NOTE = "telegram-card-places"
"""The note under which they are stored."""

CARD = "k"
"""The beginning of the id by which the house knows a card, which stands where it acts for it."""

TABLE = "table:"
"""What stands before the code of a table whose boards in private are about a group."""


@dataclass
class CardPlaces:
    """Knows about which group a message in a private chat is, or what follows a link there."""

    notes: ChatNotes
    titles: dict[str, str] = field(default_factory=dict)
    """What groups are called, by their places."""
    _about: dict[tuple[str, str], Where] = field(default_factory=dict)
    """By private chat, and by message or payload."""

    async def note(self, where: Where, card: str) -> None:
        """Note that *card*, a message or the payload of a link, is about ``where.about``."""
        if where.about is None or self._about.get((where.place, card)) == where.about:
            return
        self._about.pop((where.place, card), None)
        self._about[where.place, card] = where.about
        for oldest in list(self._about)[:-MOST]:
            del self._about[oldest]
        await self._store()

    def find(self, where: Where, card: str | None) -> Where:
        """*where* with the group that *card* there is about, if it is about one."""
        about = self._about.get((where.place, card or "")) if where.private else None
        return where if about is None else replace(where, about=about)

    def find_linked(self, where: Where, line: str) -> Where:
        """The same for what follows the link that sent the *line* ``/start payload``."""
        word, _, payload = line.partition(" ")
        return self.find(where, payload) if word == f"/{START}" else where

    @staticmethod
    def move_there(by: Press | Command) -> Press | Command:
        """*by* as the house is asked: in the group that it is about, for the asker alone."""
        about = by.where.about
        if about is None:
            return by
        by = replace(by, where=about, whispered=True, takes_board=False)
        if isinstance(by, Command):
            return by
        return replace(by, own=True, message=by.message and f"{CARD}{by.message}")

    async def note_link(self, asker: Asker, where: Where, payload: str) -> None:
        """Note that *payload*, to which a link leads *asker*, is about the group *where*.

        So are the boards of a table that it names.
        """
        card = payload if payload.startswith((PRESSES, COMMANDS)) else f"{TABLE}{payload}"
        await self.note(replace(chat_with(asker), about=where), card)

    def name_board(self, screen: Screen, where: Where, message: str | None) -> Screen:
        """*screen* as *message* shows it in *where*: a board says first where its game is."""
        cards = (message, f"{TABLE}{screen.table}")
        found = [one for card in cards if (one := self.find(where, card)).about is not None]
        headline = self._name_group(screen.headline, *found[:1], tongue=language(screen.language))
        return replace(screen, headline=headline)

    def name_place(self, answer: Answer, where: Where, tongue: Language, *why: Phrase) -> Answer:
        """*answer*, which says first about which group it is, and last *why* it comes here."""
        because = tuple(map(tongue.say, why))
        if isinstance(answer, Card | MenuAnswer):
            words = self._name_group(answer.screen.headline, where, tongue=tongue)
            lines = (*answer.screen.lines, *because)
            return replace(answer, screen=replace(answer.screen, headline=words, lines=lines))
        if isinstance(answer, Said | FileAnswer) and answer.said:
            words = self._name_group(answer.said, where, tongue=tongue)
            return replace(answer, said="\n".join((words, *because)))
        return answer

    def _name_group(self, words: str, *about: Where, tongue: Language) -> str:
        """*words* after the name of the group *about* which they are, if that is known."""
        titles = (self.titles.get(one.about.place, "") for one in about if one.about is not None)
        title = next(titles, "")
        return tongue.say(phrase("telegram.about", place=title, text=words)) if title else words

    async def forget(self, external: str) -> None:
        """Forget what stands in the private chat of the person with the id *external*."""
        self._about = {key: one for key, one in self._about.items() if key[0] != external}
        await self._store()

    async def _store(self) -> None:
        noted = [
            (*key, one.place, one.thread, self.titles.get(one.place, ""))
            for key, one in self._about.items()
        ]
        with log_unstored():
            await self.notes.put(NOTE, json.dumps(noted))

    async def take_up(self) -> None:
        """Take up what the last run noted."""
        with log_unstored():
            for private, card, place, thread, title in await self.notes.read(NOTE, _read) or ():
                self._about.setdefault((private, card), Where(PLATFORM, place, thread))
                self.titles.setdefault(place, title)


_read = TypeAdapter(list[tuple[str, str, str, str | None, str]]).validate_json
"""Private chats, cards, groups, topics and titles; raises ``ValueError`` for anything else."""
