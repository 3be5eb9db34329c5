"""Answers in words, cards and files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO

import discord
from discord import ui

from bot.chats.discord.errors import family, refusal_of
from bot.chats.discord.interaction_responses import Replies
from bot.chats.discord.markdown import ellipsized, escape, link_commands
from bot.chats.discord.message_formatting import (
    ALT,
    layout,
    linked,
    overflow,
    words_layout,
)
from bot.chats.discord.reading import asker_of, where_of, why_not
from bot.chats.discord.refusals import Family
from bot.chats.discord.reply import Interaction, Reply
from bot.chats.discord.screen_renewals import ScreenRenewals
from bot.facade import Requests
from bot.port import (
    Answer,
    BoardAnswer,
    Card,
    FileAnswer,
    MenuAnswer,
    Poster,
    Promised,
    Said,
    Screen,
)
from bot.texts import Language, language
from games.core import Phrase, phrase

REPORT_SECONDS = 6.0
"""Seconds between reports on a promised answer."""


@dataclass
class Answers:
    """Tells askers what came of their interactions."""

    requests: Requests
    replies: Replies
    renewals: ScreenRenewals
    mentions: Mapping[str, str] = field(default_factory=dict)
    """Links to commands by their casefolded names; none until they are registered."""

    @asynccontextmanager
    async def faults(self, reply: Reply) -> AsyncIterator[None]:
        """Log a fault in the block and tell the asker."""
        try:
            yield
            await self.own_up(reply)
        except Exception as wrong:
            why = self.requests.fault_phrase(wrong, f"interaction {reply.interaction.id}")
            said = self.requests.tongue(reply.interaction.locale.value).say(why)
            await reply.say(escape(said), private=True)

    async def own_up(self, reply: Reply) -> None:
        """Tell the asker, if the last thing they were to see was refused."""
        wrong = reply.take_refusal()
        if wrong is not None:
            said = (await self.tongue(reply.interaction)).say(refusal_of(wrong).said)
            await reply.say(escape(said), private=True)
            reply.take_refusal()

    async def card(self, reply: Reply, card: Card) -> None:
        """Show *card* to the asker alone."""

        async def send(view: ui.LayoutView, files: list[discord.File]) -> str | None:
            return await reply.send(linked(view, self.mentions), files, private=True)

        message, _ = await self.replies.give(reply, card.screen, card.picture, send)
        if message is not None:
            self.renewals.start(reply, int(message), card)
        for piece in overflow(card.screen):
            await reply.add(piece, private=True)

    async def answer(self, reply: Reply, answer: Answer) -> None:
        """Give *answer* in the form it has."""
        files = [as_file(answer)] if isinstance(answer, FileAnswer) else []
        if (card := as_card(answer)) is not None:
            await self.card(reply, card)
            return
        if isinstance(answer, Poster):
            await self._post(reply, answer)
            return
        if isinstance(answer, FileAnswer) and answer.leads is not None:
            await reply.send(self._above_keys(answer, answer.leads), files, private=True)
            return
        aloud = isinstance(answer, Said | BoardAnswer) and answer.good and not answer.private
        said = with_link(link_commands(escape(answer.said), self.mentions), answer)
        await reply.say(said, files, private=not aloud)
        if aloud and family(reply.refused) is Family.FILTERED:
            await self._whisper(reply, said, [])

    async def _post(self, reply: Reply, answer: Poster) -> None:
        said, shown = escape(answer.said), [as_file(answer)]
        view = said if answer.leads is None else self._above_keys(answer, answer.leads)
        message = await reply.send(view, shown, private=False, for_all=True)
        if family(reply.refused) is Family.PICTURE:
            words = without_file(answer, await self.tongue(reply.interaction))
            message = await reply.send(words, private=False, for_all=True)
        if message is not None:
            answer.posted(message)
        if family(reply.refused) is Family.FILTERED:
            await self._whisper(reply, said, [as_file(answer)])

    def _above_keys(self, answer: FileAnswer | Poster, leads: Screen) -> ui.LayoutView:
        """The words of *answer*, its file, and the buttons that lead on."""
        return linked(layout(leads, answer.file.name, emojis=self.replies.emojis), self.mentions)

    async def _whisper(self, reply: Reply, said: str, files: Sequence[discord.File]) -> None:
        """Say to the asker alone what a filter has kept from others."""
        reply.take_refusal()
        await reply.say(said, files, private=True)
        why = (await self.tongue(reply.interaction)).say(phrase("discord.refused.filter-whispered"))
        await reply.add(escape(why), private=True)

    async def keep(self, reply: Reply, promised: Promised) -> None:
        """Report on the progress of *promised*, then give its answer."""
        async with self.faults(reply):
            while not await promised.wait(REPORT_SECONDS):
                await reply.remind(escape(promised.waiting()))
            match await promised.answer:
                case MenuAnswer(screen, picture) if (
                    promised.in_place and reply.own_message is not None
                ):
                    await self.replies.ask(reply, screen, picture)
                case Card(screen, picture) | MenuAnswer(screen, picture):
                    await self.card(reply, Card(screen, picture))
                case answer:
                    await self.answer(reply, answer)

    async def in_place(self, reply: Reply, answer: BoardAnswer) -> None:
        """Replace the pressed message by the words of *answer*."""
        await reply.edit(words_layout(f"{escape(answer.said)} {answer.link}".strip() or "✓"), [])

    async def too_fast(self, reply: Reply, *, aloud: bool) -> None:
        """Say that the asker is too fast, if *aloud*; else show nothing."""
        if aloud:
            tongue = self.requests.tongue(reply.interaction.locale.value)
            await reply.say(escape(tongue.say(phrase("house.too-fast"))), private=True)
        else:
            await reply.pass_over()

    async def decline(
        self, reply: Reply, person: discord.abc.User, *, challenges: bool = True
    ) -> bool:
        """Say why nothing comes of *person*, who was picked, if so; whether it is so.

        *challenges*: they are to be challenged, and must be able to accept.
        """
        why = why_not(reply.interaction, person, challenges=challenges)
        if why is None:
            return False
        said, until = (await self.tongue(reply.interaction)).say(why), None
        if isinstance(person, discord.Member) and person.is_timed_out():
            until = person.timed_out_until
        when = "" if until is None else f" <t:{int(until.timestamp())}:R>"
        await reply.say(f"{escape(said)}{when}", private=True)
        return True

    async def tell(self, reply: Reply, said: Phrase) -> None:
        """Tell the asker alone *said* in a further message."""
        await reply.add(escape((await self.tongue(reply.interaction)).say(said)), private=True)
        reply.take_refusal()

    async def tongue(self, interaction: Interaction) -> Language:
        """The language of the person who made *interaction*."""
        where = where_of(interaction)
        return language(await self.requests.language_of(asker_of(interaction), where))


def with_link(said: str, answer: Answer) -> str:
    """*said* with the link that *answer* has."""
    return f"{said} {answer.link}".rstrip() if isinstance(answer, Said | BoardAnswer) else said


def as_card(answer: Answer) -> Card | None:
    """*answer* as a card, if it is one or words with buttons that lead on."""
    if isinstance(answer, Said) and answer.private and answer.leads is not None:
        return Card(answer.leads)
    return answer if isinstance(answer, Card) else None


def without_file(answer: FileAnswer | Poster, tongue: Language) -> str:
    """What *answer* says where its file is refused, and where the file can be had."""
    told = escape(tongue.say(phrase("discord.no-file")))
    return "\n".join(filter(None, (escape(answer.said), escape(answer.alt), told)))


def as_file(answer: FileAnswer | Poster) -> discord.File:
    """The file of *answer*, with its words for who cannot see it."""
    alt = ellipsized(answer.alt or answer.said, ALT) or answer.file.name
    return discord.File(BytesIO(answer.file.data), answer.file.name, description=alt)
