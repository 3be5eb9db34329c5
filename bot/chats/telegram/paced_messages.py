"""Answers besides boards: messages, each sent when its place takes it, and toasts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from asyncio import FIRST_COMPLETED
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, repeat
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from cachetools import TTLCache
from telegram import CallbackQuery
from telegram.error import BadRequest, TelegramError

from bot.chats.telegram.errors import MediaForbidden, MediaRefused, Unchanged
from bot.chats.telegram.message_formatting import (
    CAPTION,
    TOAST,
    cut,
    linked,
    sentence,
    toast,
    units,
)
from bot.chats.telegram.outbound import Markup, Outbound
from bot.chats.telegram.update_queue import Unfinished
from bot.chats.telegram.wire import BEHIND
from bot.facade import (
    BY_NAME,
    NO_TABLE,
    Action,
    ChatPlaces,
    Facade,
    Limiter,
    Limiters,
    Limits,
    Rank,
    Tasks,
    remembering,
    wait_until_set,
)
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Card,
    ChatError,
    Command,
    FileAnswer,
    Later,
    MenuAnswer,
    MessageStuck,
    PlaceMoved,
    PlaceShut,
    Poster,
    Press,
    Promised,
    Screen,
    ThreadShut,
    Where,
)
from bot.texts import Language, language
from games.core import phrase

log = logging.getLogger(__name__)

MOMENT = 4.0
"""Seconds that an answer may wait for a busy group where its asker can be answered elsewhere."""

SHORT_LIVED, LISTS = 20.0, 240.0
"""Seconds after which a short word in a group, and a list, a sheet or a longer word, is removed."""

ASKING = 86_400.0
"""Seconds after which what asks about a table goes from a private chat, if that is still played."""

REFUSED = 60.0
"""Seconds for which it is known that a place has refused an answer."""

LATE = 600.0
"""Seconds after which no answer to a press is still on its way."""

HURRIED = ((8, 60.0),)
"""How many answers for which there is no other way go before boards."""

NOTICEABLE, TELLING, SHOWN, TOLD, SENT = 3.0, 2.0, 1.0, 10, 1.0
"""Seconds of waiting that people notice, from which the presser is told since others may go ahead,
also where there is nothing else to say (no press is left without words and without what it brings),
in steps of how many, and how many it takes to paint and send what has its turn."""

WATCHDOG, ONLY, PAUSES, TAKEN = 1.2, 8.0, (0.3, 1.0, 2.0), 14.0
"""Seconds after which a press is told that it takes a moment, and where we are no member and can
say nothing else; between attempts to answer it, where the last one repeats; and after which
Telegram takes no answer any more."""

FOLLOWS = "telegram.follows"
"""The key of what says in how many seconds something comes."""

SILENT: dict[str, Any] = {"disable_notification": True}
"""How a message is sent that notifies nobody."""

PLAYING = (
    *(Action.PLAY, Action.SHEET, Action.JOIN, Action.INVITED, Action.COMPUTER, Action.START),
    *(Action.TOURNAMENT, Action.REMATCH),
)
"""Acts by which one who does not play yet begins to, or sets up a game."""

Waits: TypeAlias = tuple[float, float]
"""Seconds until something comes if nobody goes before it meanwhile, and at the latest."""

Sent = TypeVar("Sent")

Send: TypeAlias = Callable[[Where, "str | None"], Awaitable[str]]
"""Sends something to a place, as an answer to a message if there is one; returns the id."""


Following: TypeAlias = Coroutine[Any, Any, object]
"""What is left to do after the answer to a press."""

Showing: TypeAlias = Callable[[], Awaitable[object]]
"""Shows something in its turn."""


async def _leave(*_: object) -> None:
    """Leave a message where it stands."""


@dataclass
class PacedPosting:
    """Posts what is no board. What cannot be posted is logged, and ``None`` is returned."""

    facade: Facade
    places: ChatPlaces
    limits: Limits
    outbound: Outbound
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: Tasks = field(default_factory=lambda: Tasks((ChatError, TelegramError, Unfinished)))
    _menus: dict[tuple[str, str], Showing] = field(default_factory=dict)
    """What shows the menus that wait for their turn, by place and message."""
    _newest: TTLCache[tuple[str, str], int] = remembering(4096, LATE)
    """The update of the last press that brought a menu, by place and message."""
    _hurried: Limiters[str] = field(default_factory=Limiters)
    when_held_up: Callable[[Where, float], None] = lambda where, seconds: None  # noqa: ARG005
    """Told of each place in which Telegram asks us to wait with an answer."""
    _moved: dict[str, str] = field(default_factory=dict)
    """Where groups are now that have become supergroups, as long as they are not noted there."""
    when_posted: Callable[[Where, str, float, str, str], Awaitable[None]] = _leave
    """Told of each message posted in a group, and in how many seconds it is to be removed.

    Also of those in private that ask about a table. Last are whose its buttons are, and the table.
    """
    when_about: Callable[[Where, str], Awaitable[None]] = _leave
    """Told of each message posted in a private chat that is about a group."""
    refused: TTLCache[Where, None] = remembering(4096, REFUSED)
    """The places and threads in which an answer was refused a moment ago."""

    def __post_init__(self) -> None:
        self.pacing = self.places.pacing

    async def tongue(self, asker: Asker, where: Where, *, shared: bool = False) -> Language:
        """The language for *asker* in *where*; the one that all there read, if *shared*."""
        requests = self.facade.requests
        if shared:
            return language(await requests.language_in(where, asker))
        return language(await requests.language_of(asker, where))

    async def words_for(self, asked: Press | Command, key: str, **told: str | int) -> str:
        """The phrase *key* with what is *told* in it, in the language for whoever *asked*."""
        return (await self.tongue(asked.asker, asked.where)).say(phrase(key, **told))

    async def with_delay(self, press: Press, answer: Answer) -> str:
        """The words of *answer*, and in how many seconds the board of *press* shows it."""
        where, waits = press.where.about or press.where, None
        message = press.message if isinstance(answer, BoardAnswer) and answer.good else None
        if message is not None and await self.places.board_waits(where, message):
            return with_words(answer.said, await self.words_for(press, "telegram.board-waits"))
        if isinstance(answer, BoardAnswer) and answer.view is not None:
            waits = self.pacing.comes_in(where, answer.view)
        elif press.message and self.pacing.limiter(where).next_due(Rank.BOARD) > TELLING:
            waits = await self.places.board_follows_in(where, press.message)
        return await self._with_seconds(answer.said, press, "telegram.board-follows", waits)

    async def with_wait(self, words: str, press: Press, by: Rank, key: str = FOLLOWS) -> str:
        """*words*, and how many seconds what *press* brings *by* its rank waits, as *key* says."""
        limiter = self.pacing.limiter(press.where)
        key = "telegram.slow" if limiter.is_paused() else key
        waiting = (press.where.place, press.message)
        waits = limiter.next_due(by, waiting), limiter.latest(by, waiting)
        return await self._with_seconds(words, press, key, waits)

    async def _with_seconds(self, words: str, press: Press, key: str, waits: Waits | None) -> str:
        wait, latest = waits or (0.0, 0.0)
        if wait <= (TELLING if words else SHOWN):
            return words
        # How long Telegram itself lets us wait is known.
        n = math.ceil(wait) if key == "telegram.slow" else promised_seconds(latest)
        return with_words(words, await self.words_for(press, key, n=n))

    async def follow(
        self, press: Press, answer: Answer, said: Toast, rank: Rank, reply_to: str | None = None
    ) -> Following:
        """Tell the presser in how many seconds *answer* comes; returns what brings it by *rank*."""
        said.say(await self.with_wait(answer.said, press, rank))
        return self.bring(press.where, answer, reply_to, press.asker, rank=rank)

    async def tell(
        self,
        where: Where,
        text: str,
        *,
        reply_to: str | None = None,
        markup: Markup | None = None,
        asker: Asker | None = None,
        link: str = "",
        rank: Rank | None = None,
        patience: float = math.inf,
        stays: float | None = None,
        silent: bool = False,
    ) -> str | None:
        """Send one of our sentences; returns its id, or ``None`` if it could not be sent.

        If *asker* does not play it comes after the boards of those who do, unless it has a *rank*
        of its own. *link* is the address to which it leads, *patience* the seconds it may wait for
        its turn, and *stays* those for which it stands in a group.
        """
        if self.passes_over(where, asker):
            return None
        words = linked(text, link)
        silent = silent or not where.private
        sent = await self.in_turn(
            where,
            self.rank_in(where, asker) if rank is None else rank,
            lambda: self._refusable(
                where,
                reply_to,
                lambda there, message: self.outbound.say(
                    there, words, reply_to=message, markup=markup, disable_notification=silent
                ),
            ),
            patience=patience,
        )
        await self._note(where, sent, SHORT_LIVED if stays is None else stays)
        return sent

    async def _note(
        self, where: Where, sent: str | None, seconds: float, table: str = NO_TABLE
    ) -> None:
        """Let *sent*, if it was, go from a group after so many *seconds*: it is no board.

        What asks about a *table* goes from a private chat too.
        """
        if sent is not None and where.about is not None:
            await self.when_about(where, sent)
        stays = seconds == math.inf or (where.private and table == NO_TABLE)
        if sent is not None and not stays:
            await self.when_posted(self.now_at(where), sent, seconds, "", table)

    def now_at(self, where: Where) -> Where:
        """What *where* has become."""
        return replace(where, place=self._moved.get(where.place, where.place))

    async def _refusable(self, where: Where, reply_to: str | None, send: Send) -> str:
        """*send* to *where*, or to what it has become; a refusal there, or for now, is noted."""
        try:
            sent = await send(where, reply_to)
        except PlaceMoved as moved:
            self._moved[where.place] = moved.place
            # Other messages have the old numbers there.
            return await send(Where(where.platform, moved.place), None)
        except Later as later:
            self.when_held_up(where, later.seconds)
            raise
        except (PlaceShut, ThreadShut) as wrong:
            self.refused[where] = None
            if isinstance(wrong, ThreadShut):
                await self.places.note_refusal(where, wrong)
            raise
        self.refused.pop(where, None)
        return sent

    async def bring(
        self,
        where: Where,
        answer: Answer,
        reply_to: str | None,
        asker: Asker,
        *,
        rank: Rank | None = None,
        patience: float = math.inf,
    ) -> str | None:
        """Send the screen or the file of *answer* in a message of its own, as ``tell`` does.

        Raises ``Unfinished`` if we stop before.
        """
        if self.passes_over(where, asker):
            return None
        send: Send
        match answer:
            case FileAnswer() | Poster():
                tongue = await self.tongue(asker, where)
                send = partial(self._file, answer=answer, tongue=tongue)
            case Card(screen, picture) | MenuAnswer(screen, picture):
                if picture is None and screen.scene is not None:
                    # Before its turn: what is counted must be sent at once.
                    picture = await self.facade.boards.picture(screen.scene)
                send = partial(self.show, screen=screen, picture=picture)
            case _:
                return None
        rank = self.rank_in(where, asker) if rank is None else rank
        sending = partial(self._refusable, where, reply_to, send)
        sent = await self.in_turn(where, rank, sending, patience=patience)
        if sent is None and self.closing.is_set():
            raise Unfinished
        if sent is not None and isinstance(answer, Poster):
            answer.posted(sent)
        if not isinstance(answer, Card | MenuAnswer):
            await self._note(where, sent, math.inf)
            return sent
        screen, stays = answer.screen, ASKING if where.private else LISTS
        await self._note(where, sent, stays, NO_TABLE if answer.renewal else asks_of(screen))
        if sent:
            await self.go_on(where, answer, asker, sent)
        return sent

    async def go_on(self, where: Where, answer: Card | MenuAnswer, asker: Asker, sent: str) -> None:
        """Let *sent* in a private chat go on with the game or tournament that *answer* shows.

        A review, or a game that is over, stays.
        """
        boards = self.facade.boards
        click = boards.buttons.click(answer.renewal) if answer.renewal else None
        if where.private and click is not None and answer.picture is not None:
            await boards.follow(asker, where, sent, click.table)

    async def _file(
        self, where: Where, reply_to: str | None, *, answer: FileAnswer | Poster, tongue: Language
    ) -> str:
        """Send the file of *answer*, or a sentence where that is forbidden; returns the id."""
        words, keys = sentence(answer.said, CAPTION), self.outbound.ways(answer, where)
        try:
            return await self.outbound.file(where, answer.file, words, reply_to, keys)
        except MediaRefused as wrong:
            forbidden = isinstance(wrong, MediaForbidden)
            why = "telegram.no-files" if forbidden else "telegram.file-refused"
            told = sentence(tongue.say(phrase(why)))
            return await self.outbound.say(where, told, reply_to=reply_to, **SILENT)

    async def show(
        self,
        where: Where,
        reply_to: str | None = None,
        *,
        screen: Screen,
        picture: bytes | None,
        message: str | None = None,
    ) -> str:
        """Show *screen* as *message* or as a new one; words too long for a caption stand below.

        Raises ``Unchanged`` where the message shows it already.
        """
        if picture is None and screen.scene is not None:
            picture = await self.facade.boards.picture(screen.scene)
        length = units(screen.headline) + 1 + units("\n".join(screen.lines))
        pictures = where.place not in self.outbound.no_pictures
        if picture is not None and length > CAPTION and pictures:
            with contextlib.suppress(MediaRefused):  # the words below are what matters
                photo = await self.outbound.photo(where, picture, reply_to=reply_to)
                await self._note(where, photo, LISTS)
            if message is not None:
                await self.outbound.remove(where, message)
            picture = message = None
        if message is None:
            return await self.outbound.send(where, screen, picture, reply_to)
        try:
            shown = await self.outbound.edit(where, message, screen, picture, unless_newer=True)
        except MessageStuck:
            fresh = await self.outbound.send(where, screen, picture, reply_to)
            await self._note(where, fresh, LISTS)
            await self.outbound.remove(where, message)
            return fresh
        if shown.same:
            raise Unchanged
        return shown.message

    def show_menu(self, press: Press, message: str, show: Showing, rank: Rank) -> None:
        """Do *show* in its turn; a later press that brings another menu takes the place of this."""
        key, update = (press.where.place, message), int(press.update)
        if self._newest.get(key, update) > update:
            return
        self._newest[key] = update
        waits = key in self._menus
        self._menus[key] = show
        if not waits:
            self.tasks.start(self._show_newest(press, key, rank))

    async def _show_newest(self, press: Press, key: tuple[str, str], rank: Rank) -> None:
        """Show the newest menu for the message *key* when its turn comes."""

        async def show() -> object:
            showing = self._menus.pop(key, None)
            return showing and await showing()

        try:
            await self.in_turn(press.where, rank, show, key=key)
        finally:
            self._menus.pop(key, None)

    async def await_answer(self, promised: Promised) -> Answer:
        """The promised answer; raises ``Unfinished`` if we stop before."""
        if not await self.is_done(promised.answer):
            promised.answer.cancel()
            raise Unfinished
        return promised.answer.result()

    async def is_done(self, awaited: asyncio.Future[Any], patience: float = math.inf) -> bool:
        """Whether *awaited* is done within *patience* seconds, and before we stop."""
        closing = asyncio.ensure_future(self.closing.wait())
        limit = None if math.isinf(patience) else patience
        try:
            await asyncio.wait({awaited, closing}, timeout=limit, return_when=FIRST_COMPLETED)
        finally:
            closing.cancel()
        return awaited.done()

    async def in_turn(
        self,
        where: Where,
        rank: Rank,
        sending: Callable[[], Awaitable[Sent]],
        *,
        patience: float = math.inf,
        key: tuple[str, str] | None = None,
    ) -> Sent | None:
        """Do *sending* when its turn in *where* comes, and once more if we are asked to wait.

        *patience* are the seconds it may wait, *key* names it meanwhile. What fails is logged, and
        ``None`` returned: what was asked for has been done.
        """
        limiter = self.pacing.limiter(where)
        for _ in range(2):
            noted = await self._turn(limiter, rank, patience, key)
            if noted is None:
                break
            try:
                return await sending()
            except Later as later:
                limiter.pause(later.seconds)
            except ChatError as wrong:
                log.info("an answer could not be shown: %s", wrong)
                break
            finally:
                limiter.note_end(noted)
        return None

    def passes_over(self, where: Where, asker: Asker | None) -> bool:
        """Whether *asker*, who was too fast, gets no answer in *where*: others play there.

        A place that is one message takes no other.
        """
        if where.lone is not None or where.private or asker is None:
            return where.lone is not None
        return self.limits.hasty(asker) and not self.limits.plays(asker, where)

    def rank_in(self, where: Where, asker: Asker | None) -> Rank:
        """When an answer to *asker* in *where* comes: at once if they play there."""
        plays = asker is not None and self.limits.plays(asker, where)
        return Rank.PLAYS if plays else Rank.LOOKS

    def rank(self, asked: Press | Command) -> Rank:
        """When the answer to *asked* comes: at once also if it begins or sets up a game."""
        if isinstance(asked, Press):
            click = self.facade.boards.buttons.click(asked.code)
            act = None if click is None else click.act
        else:
            act = BY_NAME[asked.name].act if asked.name in BY_NAME else None
        return Rank.PLAYS if act in PLAYING else self.rank_in(asked.where, asked.asker)

    def only_way(self, where: Where) -> Rank:
        """When an answer comes for which there is no way but *where*: a few a minute go first."""
        return Rank.ALONE if self._hurried.at(where.place, HURRIED).take() else Rank.PLAYS

    def rank_soon(self, where: Where, rank: Rank) -> Rank:
        """*rank* or, if it would not come soon and has no way but *where*, that of the first."""
        soon = self.pacing.limiter(where).next_due(rank) <= SHOWN
        return rank if soon else min(rank, self.only_way(where))

    def wait(self, asked: Press | Command) -> float:
        """Seconds that the answer to *asked* would wait for its turn, if nobody else comes."""
        return self.pacing.limiter(asked.where).next_due(self.rank(asked))

    async def _turn(
        self, limiter: Limiter, rank: Rank, patience: float, key: tuple[str, str] | None
    ) -> float | None:
        """Wait for a turn of *limiter*; ``None`` if it does not come in time, or before we stop."""
        if limiter.next_due(rank) > patience or self.closing.is_set():
            return None
        turn = asyncio.ensure_future(limiter.turn(rank, key))
        try:
            return turn.result() if await self.is_done(turn, patience) else None
        finally:
            turn.cancel()

    async def pause(self, seconds: float) -> None:
        """Wait for *seconds*, or until we stop."""
        await wait_until_set(self.closing, seconds)

    async def close(self, patience: float = 5.0) -> None:
        """Give up what still waits for its turn."""
        self.closing.set()
        await self.tasks.close(patience)


class Toast:
    """The one answer to a press: the first given, else *late*."""

    def __init__(self, query: CallbackQuery, late: str) -> None:
        self.query, self._late, self._began = query, late, monotonic()
        self._patience = ONLY if query.message is None else WATCHDOG
        self._given: asyncio.Task[bool] | None = None
        self._said = asyncio.Event()
        self._watchdog = asyncio.create_task(self._watch())

    def left(self) -> float:
        """Seconds in which the press is not answered yet, unless somebody does it before."""
        return 0.0 if self._given else max(0.0, self._began + self._patience - monotonic())

    def leave(self) -> None:
        """Leave the press unanswered: the next start answers it."""
        self._watchdog.cancel()
        self._said.set()

    async def _watch(self) -> None:
        began = monotonic()
        await asyncio.sleep(self._patience)
        # If the loop is late here, so are the words: they get as much time again.
        await asyncio.sleep(min(WATCHDOG, monotonic() - began - self._patience))
        if self.say(self._late):
            log.info("a press was not answered within %g s", self._patience)

    def say(self, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        """Answer the press in the background; false if it was answered before."""
        if self._given is not None:
            return False
        if asyncio.current_task() is not self._watchdog:
            self._watchdog.cancel()
        self._given = asyncio.create_task(self._tell(toast(text), alert=alert, url=url))
        self._said.set()
        return True

    async def wait_given(self) -> None:
        """Wait until the press has its answer, at the latest that it takes a moment."""
        await self._said.wait()

    async def wait_heard(self) -> bool:
        """Wait until Telegram has the answer; whether the presser may have seen it."""
        return self._given is not None and await self._given

    async def _tell(self, text: str, *, alert: bool, url: str | None) -> bool:
        await asyncio.sleep(BEHIND)
        for pause in chain(PAUSES, repeat(PAUSES[-1])):
            try:
                await self.query.answer(text or None, show_alert=alert or None, url=url)
                return True
            except BadRequest as wrong:
                log.debug("a press cannot be answered any more: %s", wrong.message)
                return False
            except TelegramError as wrong:
                if monotonic() + pause > self._began + TAKEN:
                    log.info("a press could not be answered: %s", type(wrong).__name__)
                    return False
                await asyncio.sleep(pause)
        return False


def asks_of(screen: Screen) -> str:
    """The table about which *screen* asks: with that it goes."""
    return NO_TABLE if screen.over or not screen.rows else screen.table


def promised_seconds(latest: float) -> int:
    """In how many seconds we say that something comes which has its turn in *latest*."""
    return TOLD * math.ceil((latest + SENT) / TOLD)


def too_much(answer: Answer) -> bool:
    """Whether *answer* is more than a toast holds."""
    return isinstance(answer, Card | FileAnswer) or (answer.good and units(answer.said) > TOAST)


def with_words(said: str, more: str) -> str:
    """A toast that says *more* behind *said*, which is cut if need be, and ends as a sentence."""
    return f"{cut(said, TOAST - units(more) - 2)}{'.' * (said[-1:] not in '.?!…')} {more}".strip()
