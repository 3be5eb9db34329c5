"""What the asker hears of a command, and of an answer that a place does not take."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from cachetools import TTLCache

from bot.chats.telegram.card_places import CardPlaces
from bot.chats.telegram.ephemeral_messages import link_of
from bot.chats.telegram.fleeting import CARD, Fleeting, small_card
from bot.chats.telegram.own_screens import OwnScreens
from bot.chats.telegram.paced_messages import (
    LISTS,
    MOMENT,
    NOTICEABLE,
    PacedPosting,
    promised_seconds,
    too_much,
)
from bot.chats.telegram.pointers import TOLD, Pointers
from bot.chats.telegram.reading import COMMANDS, GREETING, by_link, chat_with, spells_move
from bot.facade import BY_NAME, NO_TABLE, Action, CommandSpec, Rank, remembering
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Card,
    Command,
    FileAnswer,
    MenuAnswer,
    Poster,
    PrivateRefusal,
    Promised,
    Said,
    Screen,
    Where,
)
from games.core import phrase

DONE, MUTE = "👍", "🙊"
"""The reactions to a command whose outcome the board shows, and that cannot be answered where it
was given."""

IN_PRIVATE = "telegram.in-private"
"""The key of what a link to the private chat says."""

FOR_ALL = frozenset((Action.HELP, Action.RULES, Action.TOP, Action.PROFILE))
"""Acts whose cards are for everybody in a group."""

SOON, ASKED = 2.0, 10.0
"""Seconds of waiting from which a command gets a reaction first, and for which it is known who has
asked for a board in a group."""


@dataclass
class CommandAnswers:
    """Replies to commands, and says where nothing can be said."""

    posting: PacedPosting
    fleeting: Fleeting
    own: OwnScreens
    cards: CardPlaces
    _asked: TTLCache[Where, tuple[Asker, str | None, str | None]] = remembering(4096, ASKED)
    """Who waits in a place for what they have asked for, by which command, or press on what."""

    def __post_init__(self) -> None:
        self.boards, self.places = self.posting.facade.boards, self.posting.places
        self.outbound, self.tell = self.posting.outbound, self.posting.tell
        self.posting.when_held_up = self.held_up
        self.pointers = Pointers(self.posting, self.fleeting)

    def asks(self, where: Where, by: Asker, command: str | None, pressed: str | None) -> None:
        """Note who has just asked for something in *where*.

        *By* the message *command*, or by a press on the message *pressed*.
        """
        self._asked[where] = (by, command, pressed)

    def serve(self, where: Where, of: Asker | str | None) -> None:
        """Note that what was asked for in *where* is there: *of* is who asked, or what was pressed.

        ``None`` stands for a new board.
        """
        if of in self._asked.get(where, ()):
            del self._asked[where]

    def shut_out(self, where: Where) -> None:
        """Tell whoever has just asked for a board in *where* that it cannot be posted there."""
        self.posting.refused[where] = None
        self.held_up(where, 0.0)

    def held_up(self, where: Where, seconds: float) -> None:
        """Tell who has just asked for something in *where* that Telegram asks us to wait."""
        asked = self._asked.pop(where, None)
        if asked is not None:
            self.posting.tasks.start(self._tell_elsewhere(where, *asked[:2], seconds))

    async def _tell_elsewhere(
        self, where: Where, asker: Asker, command: str | None, wait: float = 0.0
    ) -> None:
        """Tell *asker* that *where* takes no answer: in the private chat, else by a reaction.

        If it takes one in *wait* seconds, only a long one is told. A private chat that must wait
        takes a reaction still.
        """
        if (where.private and not wait) or self.posting.passes_over(where, asker):
            return
        told = wait > NOTICEABLE or where in self.posting.refused
        if told and not where.private:
            tongue = await self.posting.tongue(asker, chat_with(asker))
            key = "telegram.slow-there" if wait else "telegram.shut-out"
            latest = max(wait, self.posting.pacing.limiter(where).latest(Rank.PLAYS))
            words = Said(tongue.say(phrase(key, n=promised_seconds(latest))))
            if await self.in_private(words, where, asker) is not None:
                return
        if command is not None:
            await self.outbound.react(where, command, TOLD if wait else MUTE)

    async def call(self, call: Command, answer: Answer, message: str) -> None:
        """Reply to a command; what a group may not read is shown in the private chat."""
        where, command = call.where, BY_NAME.get(call.name)
        if self.posting.wait(call) > SOON:
            await self.outbound.react(where, message, TOLD)
        if isinstance(answer, Promised):
            answer = await self._keep(call, answer, message)
        own = command is not None and command.own and answer.good
        match answer:
            case BoardAnswer(aloud=False) | Said(said=""):
                await self._look_for_board(call, message)
            case _ if where.private:
                await self.in_private(answer, where, call.asker, message)
            case PrivateRefusal(table=table):
                await self.link(call.where, call.asker, table, message)
            case Card() if command is not None and self._is_shared(call, command):
                await self._reply(call, answer, message)
            case Card() | FileAnswer() | Said(private=True) if own or too_much(answer):
                await self._alone(call, answer, message)
            case _ if await self._is_seen(where, answer):
                await self.outbound.react(where, message, DONE)
            case _:
                await self._reply(call, answer, message)
        if isinstance(answer, BoardAnswer):
            self.fleeting.end(where.place)
        else:
            self.serve(where, call.asker)
        if isinstance(answer, BoardAnswer) and answer.note:
            await self.note(where, answer.note, call.asker, message)

    async def _is_seen(self, where: Where, answer: Answer) -> bool:
        """Whether a board in *where*, there or coming, not far up, shows what *answer* says."""
        if not isinstance(answer, Said) or not answer.good or too_much(answer):
            return False
        board = await self.boards.message_of_board(where, answer.table)
        return board is not None and not (board and self.outbound.is_buried(where, board))

    async def _keep(self, call: Command, promised: Promised, message: str) -> Answer:
        """The promised answer; of the promise its asker reads where it was asked for.

        A group that is slow leads to the private chat, where they read it at once.
        """
        where, asker, private = call.where, call.asker, chat_with(call.asker)
        if not where.private:
            if self.posting.wait(call) > MOMENT and await self.places.is_open(private):
                self._point(where, asker, message)
                return await self.fleeting.announce(promised, private, asker)
            await self.outbound.react(where, message, TOLD)
        return await self.fleeting.announce(promised, where, asker, message)

    def _is_shared(self, call: Command, command: CommandSpec) -> bool:
        """Whether a card of *command* stands in the group of *call*, for all who read there.

        What makes something stands where that will. A link would forget whom *call* names.
        """
        for_all = command.act in FOR_ALL or (command.act is Action.VERSUS and bool(call.values))
        return not command.private or (for_all and not self.posting.pacing.is_busy(call.where))

    async def note(self, where: Where, note: str, asker: Asker, message: str | None) -> None:
        """Tell *asker* what else there is to say of a board, in private if they opened that chat.

        Else others read it for a while, after all boards; not where a group is busy.
        """
        if where.private:
            await self.tell(where, note, reply_to=message, asker=asker)
        elif await self.in_private(Said(note), where, asker, silent=True) is None:
            await self.posting.pause(MOMENT)  # the board is painted meanwhile
            if not self.posting.pacing.is_busy(where):
                await self.tell(where, note, reply_to=message)

    async def _look_for_board(self, call: Command, message: str) -> None:
        """Tell the asker of a board that it comes late or cannot be posted, if that is known."""
        where, limiter = call.where, self.posting.pacing.limiter(call.where)
        wait = limiter.due(max(1, limiter.ahead(Rank.ALONE)), Rank.ALONE)
        if await self.places.is_shut(where):
            self.shut_out(where)
        elif wait > NOTICEABLE:
            await self._tell_elsewhere(where, call.asker, message, wait)

    async def called_alone(self, call: Command, answer: Answer, message: str) -> None:
        """Answer the ephemeral *message* of a command where its sender alone reads it.

        What could not come there needs no other words where the board soon shows it.
        """
        told = await self.own.answer_command(call, answer, message)
        if told and not isinstance(answer, BoardAnswer):
            self.serve(call.where, call.asker)
        if told or (self.posting.wait(call) <= MOMENT and await self._is_seen(call.where, answer)):
            return
        if isinstance(answer, PrivateRefusal):
            await self.link(call.where, call.asker, answer.table)
        elif await self.in_private(answer, call.where, call.asker) is None:
            payload = f"{COMMANDS}{call.name}" if by_link(call.name) else GREETING
            await self.link(call.where, call.asker, payload)

    async def in_private(
        self, answer: Answer, where: Where, asker: Asker, reply: str = "", *, silent: bool = False
    ) -> str | None:
        """Give *answer* in the private chat of *asker*, if that is open; returns the message's id.

        If *where* they asked is a group, it says which, acts there, and leads back to it.
        """
        private = where if where.private else replace(chat_with(asker), about=where)
        if not (where.private or await self.places.is_open(private)):
            return None
        tongue = await self.posting.tongue(asker, private)
        if isinstance(answer, Promised):
            answer = await self.fleeting.announce(answer, private, asker)
        if not where.private:
            answer = self.cards.name_place(answer, private, tongue)
        if isinstance(answer, Said | FileAnswer) and answer.leads is None:
            answer = replace(answer, leads=Screen(NO_TABLE, 0, "", language=tongue.code))
        if isinstance(answer, Card | MenuAnswer | FileAnswer | Poster):
            return await self.posting.bring(private, answer, reply or None, asker)
        ways, link = self.outbound.ways(answer, private), link_of(answer)
        # Whoever asks there reads it, and needs no sound.
        silent = silent or where.private
        return await self.tell(private, answer.said, link=link, markup=ways, silent=silent)

    async def _reply(self, call: Command, answer: Answer, message: str) -> None:
        where, asker, command = call.where, call.asker, BY_NAME.get(call.name)
        rank, patience = await self._haste(call, answer)
        if isinstance(answer, Card | FileAnswer | Poster):
            bring = self.posting.bring
            shown = await bring(where, answer, message, asker, rank=rank, patience=patience)
        else:
            lasts = answer.good and command is not None and command.lasting
            ways = self.outbound.ways(answer, where)
            stays = LISTS if lasts else None if ways is None else CARD
            shown = await self.tell(
                *(where, answer.said),
                reply_to=message,
                asker=asker,
                link=link_of(answer),
                rank=rank,
                patience=patience,
                stays=stays,
                markup=ways,
            )
            if ways is not None and stays is not None:
                await self.fleeting.note(where, shown, stays, asker.external)
        if shown is not None or self.posting.passes_over(where, asker):
            return
        # What came late in a group is given in private, unless that takes nothing.
        late = patience < math.inf and where not in self.posting.refused
        if not (late and await self._answer_in_private(call, answer, message)):
            await self._tell_elsewhere(where, asker, message)

    async def _answer_in_private(self, call: Command, answer: Answer, message: str) -> bool:
        """Give *answer* in the private chat, to which the group leads; whether that could be."""
        given = await self.in_private(answer, call.where, call.asker) is not None
        if given:
            self._point(call.where, call.asker, message)
        return given

    async def _haste(self, call: Command, answer: Answer) -> tuple[Rank, float]:
        """When *answer* comes in the group of *call*, and how many seconds it may wait there.

        Where it should not go to the private chat, it comes before everything else.
        """
        rank, command = self.posting.rank(call), BY_NAME.get(call.name)
        makes = isinstance(answer, Card) and command is not None and not command.private
        # Others look at a poster as well, or have read a typed move.
        shared = isinstance(answer, Poster) or spells_move(call.name)
        goes = not shared and await self.places.is_open(chat_with(call.asker))
        if goes and not makes:
            return rank, 0.0 if self.posting.pacing.is_busy(call.where) else MOMENT
        # What makes something stands where that will, unless that takes too long.
        return min(rank, self.posting.only_way(call.where)), MOMENT if goes else math.inf

    async def _alone(self, call: Command, answer: Answer, message: str) -> None:
        """Give an answer to the asker alone: in their private chat, if they have opened it."""
        card = small_card(answer)
        stays = card is not None and spells_move(call.name)
        if not stays and await self._answer_in_private(call, answer, message):
            return
        if card is not None:
            words = await self.fleeting.words_over(answer, call, None)
            rank = min(self.posting.rank(call), self.posting.only_way(call.where))
            await self.fleeting.hand(call.where, card, message, call.asker, words, rank)
        elif by_link(call.name):
            await self.link(call.where, call.asker, f"{COMMANDS}{call.name}", message)
        else:
            await self._reply(call, answer, message)

    async def link(
        self, where: Where, asker: Asker, payload: str, message: str | None = None
    ) -> None:
        """Lead *asker* to the private chat, where they alone are shown *payload*.

        Without one they are answered there already, and it is no matter if the group has no room.
        """
        await self.cards.note_link(asker, where, payload)
        if not await self.pointers.lead(where, asker, payload, message) and payload:
            await self._tell_elsewhere(where, asker, message)

    def _point(self, where: Where, asker: Asker, message: str) -> None:
        """Lead from *message* in a group to its answer in private: at once by a reaction."""
        self.posting.tasks.start(self.link(where, asker, "", message))
