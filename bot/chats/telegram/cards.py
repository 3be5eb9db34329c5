"""What is for one person alone in a group, where everybody reads: cards, and words that go away."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from bot.chats.telegram.fleeting import CARD, Fleeting
from bot.chats.telegram.posting import Posting
from bot.chats.telegram.reading import PLATFORM
from bot.chats.telegram.writing import TOAST, cut, keyboard, units
from bot.facade import NO_TABLE, Action, Click
from bot.port import Answer, Asker, Button, Card, Command, FileAnswer, Press, Where
from bot.texts import language
from games.core import phrase


@dataclass
class Cards:
    """Hands cards to people, and knows whose they are."""

    posting: Posting
    fleeting: Fleeting = field(init=False)

    def __post_init__(self) -> None:
        self.fleeting = Fleeting(self.posting)

    def is_anothers(self, press: Press) -> bool:
        """Whether the buttons that were pressed are another person's."""
        owner = self.fleeting.owner(press.where, press.message)
        return bool(owner) and owner != press.asker.external

    def is_own(self, press: Press) -> bool:
        """Whether the buttons that were pressed are the presser's alone."""
        return self.fleeting.owner(press.where, press.message) == press.asker.external

    async def over(self, answer: Answer, asked: Press | Command, click: Click | None) -> str:
        """The words over the buttons of a card in a group, with the name of whose they are."""
        words = asks(answer)
        if click is not None and click.act is Action.MORE:
            house = self.posting.house
            tongue = language(await house.language_of(asked.asker, asked.where))
            words = tongue.say(phrase("telegram.card"))
        name = asked.asker.name
        # A question begins with whom it asks.
        return cut(words if words.startswith(f"{name}, ") else f"{name}: {words}", TOAST)

    async def hand(
        self, where: Where, answer: Answer, reply_to: str | None, asker: Asker, words: str
    ) -> None:
        """The buttons of *answer* in a short reply that only *asker* can use.

        It waits for its turn however long that takes: it may be a question to him.
        """
        if not isinstance(answer, Card):
            return
        message = await self.posting.tell(
            where,
            words,
            reply_to=reply_to,
            markup=keyboard(answer.screen.buttons),
            asker=asker,
            patience=math.inf,
        )
        await self.fleeting.note(where, message, CARD, asker.external)

    async def opened(self, asker: Asker) -> bool:
        """Whether *asker* has opened the private chat with us."""
        return await self.posting.house.places.opened(home(asker))


def home(asker: Asker) -> Where:
    """The private chat with *asker*, whose id is his own."""
    return Where(PLATFORM, asker.external, private=True)


def asks(answer: Answer) -> str:
    """What *answer* says or, where it says nothing, what its card asks."""
    if answer.said or not isinstance(answer, Card):
        return answer.said
    return answer.screen.lines[-1] if answer.screen.lines else answer.screen.headline


def is_small(answer: Answer) -> bool:
    """Whether *answer* is buttons at a table with a few words."""
    if not isinstance(answer, Card) or answer.picture is not None:
        return False
    return any(_at_a_table(button) for row in answer.screen.buttons for button in row)


def _at_a_table(button: Button) -> bool:
    """Whether *button* does something at a table."""
    return button.code.split(".")[1:2] != [NO_TABLE]


def too_much(answer: Answer) -> bool:
    """Whether an answer is more than a short word to the asker."""
    if isinstance(answer, Card | FileAnswer):
        return True
    return answer.good and units(answer.said) > TOAST
