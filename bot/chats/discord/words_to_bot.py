"""What people write to the bot without a command: with its name in a channel, or in private."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.chats.discord.answers import as_card, as_file, with_link, without_file
from bot.chats.discord.interaction_responses import Replies
from bot.chats.discord.markdown import ellipsized, escape, link_commands
from bot.chats.discord.message_formatting import (
    MOST_CONTENT,
    layout_with_picture,
    linked,
    walk_components,
    without_picture,
)
from bot.chats.discord.reading import PLATFORM, SERVER, asker_from
from bot.chats.discord.refusals import MISSING_PERMISSIONS
from bot.facade import (
    BY_ACT,
    COMPUTER,
    Action,
    ChatBoards,
    FleetingMessages,
    LimitVerdict,
    Requests,
    parse_deed,
    parse_words,
)
from bot.port import (
    Answer,
    BoardAnswer,
    Command,
    FileAnswer,
    Home,
    Poster,
    Promised,
    ScreenAnswer,
    Where,
)
from bot.texts import language, language_of_words

log = logging.getLogger(__name__)

_MOVE = BY_ACT[Action.MOVE]

STANDS = 240.0
"""Seconds for which words to the bot are answered where others read; what is asked for stays."""

_FOR_ALL = (Action.MOVE, Action.HELP, Action.RESIGN, Action.OFFER, Action.REMATCH)
"""What is done where all read, although it is answered in private where that is possible."""


def place_of_words(message: discord.Message) -> Where:
    """The place of *message*."""
    place, guild = str(message.channel.id), message.guild
    if guild is None:
        return Where(PLATFORM, place, private=True)
    parent = getattr(message.channel, "parent_id", None) or place
    home = Home(f"{SERVER}{guild.id}", guild.preferred_locale.value, str(parent))
    return Where(PLATFORM, place, home=home)


def find_keys(message: discord.Message) -> dict[str, str]:
    """The codes of the keys below what *message* answers, by what stands on them."""
    # Of a message that is gone nothing is told.
    parts = getattr(getattr(message.reference, "resolved", None), "components", ())
    walked = walk_components(one.to_dict() for one in parts)
    return {str(one.get("label")): one["custom_id"] for one in walked if "custom_id" in one}


def command_of_words(message: discord.Message, us: int) -> Command | None:
    """What *message* asks of the bot with the id *us*; ``None`` where it does not speak to it."""
    mention, where = re.compile(rf"<@!?{us}>[,:]?"), place_of_words(message)
    named, answers = mention.search(message.content), us in {one.id for one in message.mentions}
    line = re.sub(r"<@!?(\d+)>", r"@\1", mention.sub("", message.content, count=1))
    text = " ".join(line.split()).removeprefix("/")
    keys = find_keys(message)
    spoken_to = where.private or named
    read = (parse_words if spoken_to else parse_deed)(text, keys)
    if message.author.bot or not (spoken_to or (read and answers)):
        return None
    command, values = read or (_MOVE, {"move": text})
    if command.private and not where.private and command.act not in _FOR_ALL:
        # Its answer is not for all to read: help has a link to the command, or rules to learn from.
        wanted = values.get("game", "")
        about = wanted if wanted and command.act is Action.LEARN else f"{command.name} {wanted}"
        command, values = BY_ACT[Action.HELP], {"command": about.strip()}
    values |= {key: COMPUTER for key, value in values.items() if value == f"@{us}"}
    known = {f"@{one.id}": one for one in message.mentions if one.id != us}
    people = {key: asker_from(known[v]) for key, v in values.items() if v in known}
    # Of several each is found by the word for them.
    words = " ".join(values.values()).split()
    people |= {word: asker_from(known[word]) for word in words if word in known}
    typed = {key: value for key, value in values.items() if key not in people}
    asker = replace(asker_from(message.author), speaks=language_of_words(text))
    reply = message.reference and message.reference.message_id
    return Command(
        *(f"m{message.id}", where, asker, command.name, typed, people),
        reply_to=str(reply) if reply else None,
        keys=keys,
        sent=message.created_at,
    )


@dataclass
class WordsToBot:
    """Answers what is written to the bot, where it was written."""

    requests: Requests
    boards: ChatBoards
    replies: Replies
    fleeting: FleetingMessages

    async def answer(self, message: discord.Message, us: int) -> None:
        """Do what *message* asks of the bot with the id *us*, and say what came of it."""
        call = command_of_words(message, us)
        if call is None:
            return
        judged = await self.requests.limits.judge(call.asker, call.where, opens=False)
        if judged is not LimitVerdict.TAKEN:
            return
        answer = await self.requests.call(call)
        if isinstance(answer, Promised):
            answer = await answer.answer
        if isinstance(answer, BoardAnswer):
            self.fleeting.end(call.where.place)
        try:
            said = await self._say(message, call, answer)
        except discord.HTTPException as wrong:
            log.info("no answer to words in %s: %s", call.where.place, wrong.status)
            return
        if said is not None and not (call.where.private or isinstance(answer, Poster | FileAnswer)):
            await self.fleeting.note(call.where, str(said.id), STANDS)

    async def _say(
        self, message: discord.Message, call: Command, answer: Answer
    ) -> discord.Message | None:
        """Say *answer*; a board that shows what was done needs no words."""
        place, access = str(message.channel.id), self.replies.access
        takes = access.takes_pictures(place) and "attach_files" not in access.at(place).lacks
        what = await self._form(call, answer, whole=takes)
        try:
            return await message.reply(**what, mention_author=False) if what else None
        except discord.HTTPException as wrong:
            alone = access.costs_picture(place, wrong) or wrong.code == MISSING_PERMISSIONS
            if not (what.get("files") and alone):
                raise
            what = await self._form(call, answer, whole=False)
            return await message.reply(**what, mention_author=False)

    async def _form(self, call: Command, answer: Answer, *, whole: bool) -> dict[str, Any]:
        """The message that says *answer*, if any; where it is not *whole*, in words alone."""
        card = answer if isinstance(answer, ScreenAnswer) else as_card(answer)
        if card is not None:
            screen, picture = card.screen, card.picture
            if picture is None and screen.scene is not None:
                picture = await self.boards.picture(screen.scene)
            if picture is not None and not whole:
                screen, picture = without_picture(screen), None
            view, files, _ = layout_with_picture(screen, picture, self.replies.emojis)
            return {"view": linked(view, self.replies.mentions), "files": files}
        said = with_link(link_commands(escape(answer.said), self.replies.mentions), answer)
        if isinstance(answer, Poster | FileAnswer):
            if whole:
                return {"content": ellipsized(said, MOST_CONTENT), "files": [as_file(answer)]}
            tongue = language(await self.requests.language_of(call.asker, call.where))
            said = link_commands(without_file(answer, tongue), self.replies.mentions)
        shown = isinstance(answer, BoardAnswer) and answer.good and not answer.link
        return {"content": ellipsized(said, MOST_CONTENT)} if said and not shown else {}
