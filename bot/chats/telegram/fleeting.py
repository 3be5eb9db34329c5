"""What goes by itself in Telegram: cards, short words, and promises of an answer."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.chats.telegram.message_formatting import keyboard
from bot.chats.telegram.paced_messages import PacedPosting, asks_of
from bot.chats.telegram.reading import PLATFORM
from bot.facade import NO_TABLE, Action, Click, FleetingMessages, Rank
from bot.port import (
    Answer,
    Asker,
    Card,
    Command,
    MenuAnswer,
    Press,
    Promised,
    Where,
)

CARD, USED = 60.0, 90.0
"""Seconds after which a card is removed that nobody uses, and one after its last press."""

PROMPT, WAITING, PROMISED = 1.5, 5.0, 300.0
"""Seconds after which a group reads of a promised answer, and a private chat how far that is, and
after which these words go."""


class Fleeting(FleetingMessages):
    """Removes messages in time, and knows whose buttons they bear."""

    def __init__(self, posting: PacedPosting) -> None:
        notes, tasks, closing = posting.facade.notes, posting.tasks, posting.closing
        super().__init__(notes, PLATFORM, posting.outbound.remove, tasks, closing)
        self.posting = posting
        posting.when_posted = self.note

    def owner(self, press: Press) -> str:
        """The id of the person whose buttons were pressed; "" if they are everybody's."""
        one = self._messages.get((press.where.place, press.message or ""))
        return "" if one is None else one.owner

    async def use(self, where: Where, message: str | None) -> None:
        """Let *message* stand a while from now, if it is one that everybody may use."""
        one = self._messages.get((where.place, message or ""))
        if one is not None and not one.owner and one.until < self.clock() + USED:
            await self.note(where, message, USED)

    async def announce(
        self, promised: Promised, where: Where, asker: Asker, reply_to: str | None = None
    ) -> Answer:
        """The promised answer; *where* reads of the promise until then, a group if it takes long.

        There nothing waits behind boards that its asker would take for silence.
        """
        said, group = promised.said, not where.private
        if group and await self.posting.is_done(promised.answer, PROMPT):
            return promised.answer.result()
        tell, rank = self.posting.tell, self.posting.only_way(where) if group else None
        told = await tell(where, said, reply_to=reply_to, asker=asker, rank=rank, silent=True)
        async with self._until_known(where, told):
            return await self.wait_for(promised, where, reply_to)

    async def wait_for(
        self, promised: Promised, where: Where, reply_to: str | None = None
    ) -> Answer:
        """The promised answer, or ``Unfinished``; meanwhile a private chat reads how far it is."""
        told, tell = None, self.posting.tell
        if where.private and not await self.posting.is_done(promised.answer, WAITING):
            told = await tell(where, promised.waiting(), reply_to=reply_to, silent=True)
        async with self._until_known(where, told):
            return await self.posting.await_answer(promised)

    @asynccontextmanager
    async def _until_known(self, where: Where, told: str | None) -> AsyncIterator[None]:
        """Remove the message *told* after the block; if that fails, after ``PROMISED`` seconds."""
        await self.note(where, told, PROMISED)
        yield
        if told is not None:
            self.remove(where, told)

    async def words_over(
        self, answer: Answer, asked: Press | Command, click: Click | None, *, heard: bool = False
    ) -> str:
        """The words over the buttons of a card in a group, with the name of its owner.

        What they have *heard* already is not said again.
        """
        words = question_of(answer)
        if heard or (click is not None and click.act is Action.MORE):
            words = await self.posting.words_for(asked, "telegram.card")
        name = asked.asker.name
        # A question begins with the name of the person it asks.
        return words if words.startswith(f"{name}, ") else f"{name}: {words}"

    async def hand(
        self, where: Where, card: Card, reply_to: str | None, asker: Asker, words: str, rank: Rank
    ) -> None:
        """Post *words* and the buttons of *card* as a reply only *asker* can use, however late."""
        keys, stays = keyboard(card.screen.buttons), math.inf
        message = await self.posting.tell(
            where, words, reply_to=reply_to, markup=keys, asker=asker, rank=rank, stays=stays
        )
        await self.note(where, message, CARD, asker.external, asks_of(card.screen))


def question_of(answer: Answer) -> str:
    """The words of *answer* or, if it has none, the question of its screen."""
    if answer.said or not isinstance(answer, Card | MenuAnswer):
        return answer.said
    screen = answer.screen
    return screen.lines[-1] if screen.lines and screen.table != NO_TABLE else screen.headline


def outcome_of(answer: Answer, code: str) -> str:
    """What a screen as the *answer* to the press of *code* says, or what that has set there."""
    if not isinstance(answer, Card | MenuAnswer):
        return ""
    now = [(c.label, c.options[c.chosen]) for c in answer.screen.choices if c.chosen is not None]
    said = [f"{label}: {option.label}" for label, option in now if option.code == code]
    return answer.said or "".join(said[:1]).removeprefix(": ")


def small_card(answer: Answer) -> Card | None:
    """*answer* if it is buttons at a table, of the open tables here, or below a refusal."""
    if not isinstance(answer, Card) or answer.picture is not None:
        return None
    codes = [button.code.split(".") for row in answer.screen.buttons for button in row]
    belongs = any(code[1:2] != [NO_TABLE] or code[0] == Action.CHAIRS for code in codes)
    return answer if belongs or not answer.good else None
