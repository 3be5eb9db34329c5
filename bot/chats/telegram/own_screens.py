"""What one person alone sees in a group: ephemeral messages, beside the board or in its place.

They go out before the press is answered, since later nobody may send one. What cannot be sent in
time, or is not seen, comes by the other ways of ``bot.chats.telegram.answers``. Delivery is never
told: whoever presses again what should be covered has not seen it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from cachetools import TTLCache

from bot.chats.telegram.ephemeral_messages import (
    EDITED,
    Content,
    EphemeralClients,
    EphemeralContents,
    EphemeralMessage,
    EphemeralMessages,
    EphemeralRegistry,
    Occasion,
    fits,
)
from bot.chats.telegram.errors import Unchanged
from bot.chats.telegram.fleeting import outcome_of, question_of
from bot.chats.telegram.message_formatting import sentence
from bot.chats.telegram.paced_messages import MOMENT, Following, PacedPosting, Toast, too_much
from bot.facade import NO_TABLE, Action, Click, Rank
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Card,
    Command,
    MenuAnswer,
    Poster,
    Press,
    Promised,
)

ON_THE_WAY = 0.35
"""Seconds that a message needs to reach Telegram before the press is answered."""

LAST = 0.1
"""Seconds before the press must be answered in which it can still be answered with words."""

FOLLOWS = 30.0
"""Seconds after which a covered board is seen again, whatever it shows."""

DAY = 86400.0
"""Seconds after which a person is told again that nobody else sees what has come up."""

UNSEEN = 60.0
"""Seconds within which whoever asks again for what stands beside the board has not seen it."""

_BOARDS = frozenset(
    (Action.MOVE, Action.ASIDE, Action.BACK, Action.MINE, Action.MORE, Action.FLIP, Action.ANSWER)
)
"""Acts of which the next screen is a board: it stands in place of the shared one."""

_OPEN = (
    *(Action.PLAY, Action.SHEET, Action.JOIN, Action.INVITED, Action.COMPUTER, Action.START),
    *(Action.REPLAY, Action.KEEPSAKE, Action.BACK),
)
"""Acts whose answers are for everybody: what is gone back from on a shared board is shared."""


@dataclass
class OwnScreens:
    """Shows people in groups what is for their eyes."""

    posting: PacedPosting
    elsewhere: Callable[[Press, Answer, Toast], Awaitable[bool]]
    """Shows an answer in private and says so; false where the presser has opened no such chat."""
    told: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(4096, DAY))
    """Who knows that nobody else sees these screens."""

    def __post_init__(self) -> None:
        self.facade, self.places = self.posting.facade, self.posting.places
        self.buttons = self.facade.boards.buttons
        self.contents = EphemeralContents(self.posting)
        self.clients = EphemeralClients(self.places)
        self.messages = EphemeralMessages(self.posting.outbound)
        self.registry = EphemeralRegistry(
            self.messages, self.facade, self.facade.notes, self.posting.tasks
        )

    # ---------------------------------------------------------------- presses on shared messages

    async def prepare(self, press: Press) -> Press:
        """*press* on a shared message, for an answer that the presser alone sees if that works."""
        click = self.buttons.click(press.code)
        if press.where.private or click is None or self.messages.known is False:
            return press
        if click.act is Action.BACK:
            self._was_missed(press)
        if click.act in _OPEN or not await self.clients.shows(press.asker):
            return press
        if self._was_missed(press):
            self.clients.note_missed(press.asker)
        elif self._has_room(press, click):
            covers = click.act in _BOARDS and click.act is not Action.ANSWER
            return replace(press, whispered=True, covers=covers)
        return press

    def _has_room(self, press: Press, click: Click) -> bool:
        """Whether the place takes a message at once, and boards need not wait for it.

        Who makes a move is as urgent as a board.
        """
        where, limiter = press.where, self.posting.pacing.limiter(press.where)
        urgent = click.act in (Action.MOVE, Action.MINE)
        if click.act in _BOARDS and where.place in self.posting.outbound.no_pictures:
            return False
        busy = not urgent and self.posting.pacing.is_busy(where)
        passed = self.posting.passes_over(where, press.asker)
        return not (busy or passed) and limiter.next_due(Rank.BOARD) <= ON_THE_WAY

    def _was_missed(self, press: Press) -> bool:
        """Whether the presser has not seen what should stand there; it is removed."""
        missed = False
        for one in self.registry.of(press.where.place, press.asker.external):
            again = one.asked == press.code and self.registry.clock() - one.born < UNSEEN
            if one.over == press.message or (again and not one.over):
                self.registry.remove(one)
                missed = True
        return missed

    async def gives(self, press: Press, answer: Answer, said: Toast) -> bool:
        """Show *answer* to the presser of a shared message, if it is too much for a toast."""
        shown = await self._make(press, answer, said)
        if shown is None or await self._send(press, answer, shown, said) is None:
            return False
        await self._toast(press, answer, said)
        return True

    async def tries(self, press: Press, answer: Answer, said: Toast) -> bool:
        """Show *answer* to a presser of whose client nothing is known, besides another way.

        Whether it was sent in time, as far as that is known before the press must be answered.
        """
        shut = press.whispered or press.own or self.messages.known is False
        if shut or self.posting.pacing.is_busy(press.where):
            return False  # what comes besides another way takes the call of a board
        if not isinstance(answer, Card | MenuAnswer) or not self.clients.may_show(press.asker):
            return False
        click = self.buttons.click(press.code)
        if click is None or click.act in _OPEN or not self._has_room(press, click):
            return False
        shown = await self._make(press, answer, said)
        late = said.left() <= LAST  # nothing can be sent that the press does not wait for
        if self._was_missed(press) or late or shown is None or shown.markup is None:
            return False
        self.clients.note_trial(press.asker)
        tried = replace(press, covers=click.act in _BOARDS and answer.screen.scene is not None)
        sending = asyncio.create_task(self._send(tried, answer, shown, said))
        done, _ = await asyncio.wait({sending}, timeout=max(0.0, said.left() - LAST))
        return not done or sending.result() is not None

    async def _make(self, press: Press, answer: Answer, said: Toast) -> Content | None:
        """*answer* as a message; ``None`` where a toast holds it, or it takes too long to paint."""
        making = asyncio.create_task(self.contents.of(press.where, press.asker, answer))
        done, _ = await asyncio.wait({making}, timeout=max(0.0, said.left() - ON_THE_WAY))
        return making.result() if done else None

    async def promise(self, press: Press, promised: Promised, said: Toast) -> Following | None:
        """Tell the presser alone of the promise; returns what keeps it, ``None`` if that fails."""
        if await promised.wait(max(0.0, said.left() - 2 * ON_THE_WAY)):
            return self._kept_at_once(press, await self.posting.await_answer(promised), said)
        standing = await self._send(press, promised, Content(sentence(promised.said)), said)
        if standing is None:
            return None
        said.say(promised.said)
        return self._keep(promised, standing, press.asker)

    async def _kept_at_once(self, press: Press, answer: Answer, said: Toast) -> None:
        if not await self.gives(press, answer, said):
            await self._tell(press, answer, said)

    async def _keep(self, promised: Promised, standing: EphemeralMessage, asker: Asker) -> None:
        """Show what was promised in place of the promise."""
        answer = await self.posting.await_answer(promised)
        shown = await self.contents.of(standing.where, asker, answer)
        shown = shown or Content(sentence(answer.said, EDITED))
        edit = partial(self._edit, standing, shown)
        if await self.posting.in_turn(standing.where, Rank.BOARD, edit) is not None:
            self.registry.note(replace(standing, pictured=shown.picture is not None))

    # ---------------------------------------------------------------- presses on ephemeral ones

    async def use(self, press: Press, said: Toast) -> Following | None:
        """Answer a press on an ephemeral message; returns what remains to be done."""
        place, click = press.where.place, self.buttons.click(press.code)
        standing = self.registry.find(place, press.message)
        if standing is None:
            # We were killed before it was noted.
            standing = EphemeralMessage(place, press.message or "", press.asker.external)
        self.messages.known = True
        await self.clients.note_proof(press.asker)
        at_board = click is not None and click.table != NO_TABLE and click.act in _BOARDS
        press = replace(press, where=standing.where, covers=at_board or standing.board)
        answer = await self.facade.requests.press(press)
        if isinstance(answer, Promised):
            following = await self.promise(press, answer, said)
            if following is None:
                answer.answer.cancel()
                await self._not_shown(press, said)
            return following
        if click is None:
            said.say(answer.said, alert=True)
            self.registry.remove(standing)
            return None
        return await self._answer(press, answer, standing, said)

    async def _answer(
        self, press: Press, answer: Answer, standing: EphemeralMessage, said: Toast
    ) -> Following | None:
        screen = answer.screen if isinstance(answer, MenuAnswer | Card) else None
        beside = isinstance(answer, Card) and standing.board
        if screen is not None and screen.scene is None and not screen.buttons:
            said.say(answer.said or screen.headline, alert=not answer.good)
            self.registry.remove(standing)
        elif screen is not None and not beside:
            await self._turn(press, answer, standing, said)
        elif isinstance(answer, BoardAnswer):
            below = replace(press, message=standing.over or None)
            said.say(await self.posting.with_delay(below, answer), alert=not answer.good)
            if answer.said:
                await self._uncover(standing)
            else:
                self.registry.remove(standing)  # nothing has happened that the board shows later
        elif isinstance(answer, Poster):
            rank = min(Rank.PLAYS, self.posting.rank(press))
            return await self.posting.follow(press, answer, said, rank)
        elif not await self.gives(press, answer, said):
            await self._tell(press, answer, said)
            if answer.good and not (standing.board or standing.pictured or too_much(answer)):
                # It was a question: what has a picture goes on.
                self.registry.remove(standing)
        return None

    async def _uncover(self, standing: EphemeralMessage) -> None:
        """Let the shared board be seen again: at once, or when it shows what has happened."""
        where, places = standing.where, self.places
        if standing.over and await places.board_follows_in(where, standing.over) is not None:
            self.registry.expire(standing, FOLLOWS)
        else:
            self.registry.remove(standing)

    async def _turn(
        self, press: Press, answer: Answer, standing: EphemeralMessage, said: Toast
    ) -> None:
        """Show the screen of *answer* in place of *standing*, or as soon as the place takes it."""
        shown = await self.contents.of(press.where, press.asker, answer)
        if shown is None or not isinstance(answer, MenuAnswer | Card):
            return
        left, rank = max(0.0, said.left() - ON_THE_WAY), self._rank(press)
        after = self._standing(press, answer, shown, standing.message, standing.over)
        pictured = after.pictured or (standing.pictured and standing.board)
        after = replace(after, board=after.board or standing.board, pictured=pictured)
        wait = self.posting.wait(press)

        async def edit() -> bool:
            if not await self._edit(standing, shown):
                said.say(answer.said or await self.posting.words_for(press, "settings.same"))
            return True

        # What a toast says needs no screen at once.
        apart = wait > MOMENT and answer.screen.table == NO_TABLE and not answer.said
        if apart and await self.elsewhere(press, answer, said):
            self.registry.remove(standing)
        elif fits(standing, shown) and wait > left:
            menu = self.posting.rank_soon(press.where, self.posting.rank(press))
            await self._toast(press, answer, said, menu)
            self.posting.show_menu(press, standing.message, edit, menu)
            self.registry.note(after)
        elif fits(standing, shown) and await self.posting.in_turn(press.where, rank, edit):
            await self._toast(press, answer, said)
            self.registry.note(after)
        elif await self._send(replace(press, covers=False), answer, shown, said) is not None:
            self.registry.remove(standing)
            await self._toast(press, answer, said)
        else:
            await self._not_shown(press, said, answer)

    # ---------------------------------------------------------------- ephemeral commands

    async def answer_command(self, call: Command, answer: Answer, message: str) -> bool:
        """Answer the ephemeral *message* of a command to its sender alone; whether that worked."""
        self.messages.known = True
        await self.clients.note_proof(call.asker)
        where, asker = call.where, call.asker
        if isinstance(answer, Poster):
            return await self.posting.bring(where, answer, None, asker) is not None
        shown = await self.contents.of(where, asker, answer)
        shown = shown or (self.contents.words(where, answer) if answer.said else None)
        if shown is None:
            return True
        occasion = Occasion(where, asker.external, reply_to=message)
        rank = self.posting.only_way(where)
        number = await self._posted_alone(occasion, shown, rank, lambda: MOMENT)
        if number is None:
            return False
        standing = self._standing(call, answer, shown, number)
        self.registry.note(standing)
        if isinstance(answer, Promised):
            await self._keep(answer, standing, asker)
        return True

    async def forget(self, external: str) -> None:
        """Remove what stands for the person with the id *external*, and forget their client."""
        self.clients.forget(external)
        await self.registry.forget_person(external)

    # ---------------------------------------------------------------- what is sent

    async def _send(
        self, press: Press, answer: Answer, shown: Content, said: Toast
    ) -> EphemeralMessage | None:
        """Send *shown* before *press* is answered; ``None`` where that was not possible."""
        over = press.message or "" if press.covers and not press.own else ""
        where, receiver = press.where, press.asker.external
        occasion = Occasion(where, receiver, query=said.query.id, covers=bool(over))
        number = await self._posted_alone(
            occasion, shown, self._rank(press), lambda: max(0.0, said.left() - ON_THE_WAY)
        )
        if number is None:
            return None
        standing = self._standing(press, answer, shown, number, over)
        for one in self.registry.of(where.place, receiver):
            if over and one.over == over:
                self.registry.forget(one)
            elif not one.over and one.asked == press.code:
                self.registry.remove(one)
        self.registry.note(standing)
        return standing

    async def _posted_alone(
        self, occasion: Occasion, shown: Content, rank: Rank, patience: Callable[[], float]
    ) -> str | None:
        """Send *shown*, each call in its turn; returns its id, ``None`` where that failed."""
        where = occasion.where
        if self.messages.known is None:
            tried = partial(self.messages.learn, occasion)
            await self.posting.in_turn(where, rank, tried, patience=patience())
        if not self.messages.known:
            return None
        sending = partial(self.messages.send, occasion, shown)
        return await self.posting.in_turn(where, rank, sending, patience=patience())

    def _rank(self, press: Press) -> Rank:
        """When what the presser alone sees comes: nothing is kept from it for players."""
        return min(Rank.BOARD, self.posting.rank(press))

    def _standing(
        self, by: Press | Command, answer: Answer, shown: Content, message: str, over: str = ""
    ) -> EphemeralMessage:
        code, where = by.code if isinstance(by, Press) else "", by.where
        click = self.buttons.click(code)
        screen = answer.screen if isinstance(answer, MenuAnswer | Card) else None
        at_table = screen is not None and screen.table != NO_TABLE
        board = at_table and click is not None and click.act in _BOARDS
        return EphemeralMessage(
            *(where.place, message, by.asker.external, where.thread, over),
            table=screen.table if screen is not None and (board or not screen.over) else "",
            version=screen.version if screen is not None else 0,
            board=board,
            pictured=shown.picture is not None,
            asked=code,
            born=self.registry.clock(),
        )

    async def _edit(self, before: EphemeralMessage, shown: Content) -> bool:
        """Show *shown* in place of *before*; false where that shows it already."""
        recaptions = before.pictured and shown.picture is None
        edit = self.messages.recaption if recaptions else self.messages.edit
        with suppress(Unchanged):
            await edit(before.where, before.receiver, before.message, shown)
            return True
        return False

    async def _toast(
        self, press: Press, answer: Answer, said: Toast, waits: Rank | None = None
    ) -> None:
        """Tell the presser what has come up for them alone, not what it says itself."""
        words, click = outcome_of(answer, press.code), self.buttons.click(press.code)
        if not words and click is not None and click.act is Action.MOVE:
            words = question_of(answer)
        if not words and press.asker.external not in self.told:
            self.told[press.asker.external] = True
            words = await self.posting.words_for(press, "telegram.alone")
        if waits is not None:
            words = await self.posting.with_wait(words, press, waits)
        said.say(words, alert=not answer.good)

    async def _tell(self, press: Press, answer: Answer, said: Toast) -> None:
        """Tell the presser *answer* by a toast or, where none holds it, by other ways."""
        if too_much(answer):
            await self._not_shown(press, said, answer)
        else:
            said.say(answer.said, alert=not answer.good)

    async def _not_shown(self, press: Press, said: Toast, answer: Answer | None = None) -> None:
        """Show *answer* in private, or tell the presser that nothing can be shown to them now."""
        if answer is None or not await self.elsewhere(press, answer, said):
            said.say(await self.posting.words_for(press, "telegram.busy"), alert=True)
