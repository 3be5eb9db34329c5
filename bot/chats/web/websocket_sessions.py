"""The life of an open page: its frames are read, taken within limits, and answered once each."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from aiohttp import WSCloseCode, WSMsgType, web

from bot.chats.web.budget import LEFT, PURSES, StrangerBudget, frame_price, size_price
from bot.chats.web.inbound import Inbound
from bot.chats.web.message_formatting import Json, PendingAnswer, answer_json
from bot.chats.web.outbound import PAGES_OPEN, OpenPage, Visit, forget_visits
from bot.chats.web.pages_of_other_processes import ClusterPages
from bot.chats.web.person.guests import Guest, Guests, UnknownGuest
from bot.chats.web.reading import ACTIONS, READS, BadFrame, ClientFrame, NotText, read_frame
from bot.chats.web.table.talk import TableTalk
from bot.facade import ForgottenPerson, LimitVerdict
from games.core import Phrase, phrase

log = logging.getLogger(__name__)

ENDED = 4401
"""The close code for a page on an ended device; the page then stops asking."""

FRAMES_HELD = 30
"""How many frames wait as long as one request: a flood must reach its end to be closed."""

DIFFERENCES = "primed"
"""The code of a hello whose page takes boards as packed differences; older scripts do not."""


@dataclass(kw_only=True)
class PageSessions:
    """Serves the open pages of all guests.

    *visits* are the guests' open pages, by guest. *stopping* tells whether no further request is
    to be taken, *scripts* the version of the scripts that pages should run.
    """

    visits: dict[str, Visit]
    inbound: Inbound
    guests: Guests
    table_talk: TableTalk
    cluster: ClusterPages
    stopping: Callable[[], bool]
    scripts: Callable[[], str]
    budget: StrangerBudget

    async def serve(self, guest: Guest, socket: web.WebSocketResponse) -> None:
        """Answer a page of *guest* over *socket* until it is closed.

        Raises ``BadFrame`` for a flood, ``TimeoutError`` where no answers are taken.
        """
        scenery = partial(self.inbound.pictures.scenery, guest.id)
        page = OpenPage(socket, guest.here, guest.theme, scenery=scenery)
        visit = self.visits.setdefault(guest.id, Visit())
        visit.pages.append(page)
        visit.last[page.device] = page
        writing = asyncio.create_task(page.write())
        try:
            await self.cluster.announce(guest.id)
            if await self._has_lost(page, guest.id):
                await page.socket.close(code=ENDED)
            if len(visit.pages) > PAGES_OPEN:
                await visit.pages[0].socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
            with contextlib.suppress(ConnectionError, UnknownGuest):
                await self._read(socket, guest.id, visit, page)
        finally:
            visit.pages.remove(page)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            forget_visits(self.visits)
            await self.cluster.announce(guest.id)
            await self.table_talk.leave(page)

    async def _read(
        self, socket: web.WebSocketResponse, guest_id: str, visit: Visit, page: OpenPage
    ) -> None:
        async for message in socket:
            # Frames that came together would else be taken in one turn of the loop.
            await asyncio.sleep(self.budget.pause("guest", guest_id) / FRAMES_HELD)
            if message.type not in (WSMsgType.TEXT, WSMsgType.PING, WSMsgType.PONG):
                break
            try:
                self._count(guest_id, len(message.data))
                if message.type is WSMsgType.PING:
                    await socket.pong(message.data)
                if message.type is not WSMsgType.TEXT or self.stopping():
                    continue
                frame = read_frame(message.data)
                await page.make_room()
            except NotText as wrong:
                guest, said = await self._present(guest_id, page), phrase("web.not-text")
                page.send(wrong.frame.id, await self.inbound.no(guest, wrong.frame, said))
                continue
            try:
                told = await self._take(guest_id, visit, page, frame)
            except Exception as wrong:  # of ours: the page stays open
                told = self._describe_fault(frame, wrong)
            if told is not None:
                page.send(frame.id, told)
                if frame.kind == "hello" and told["kind"] != "state":
                    # Without the state a page sends nothing else: it is to connect once more.
                    await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
        await socket.close()

    def _count(self, guest_id: str, letters: int) -> None:
        """Charge for a frame of so many *letters*; raises ``BadFrame`` for a flood.

        Who floods has spent all, so that they come back after a while.
        """
        if not self.budget.take("frames", guest_id, size_price(letters)):
            self.budget.spend("guest", guest_id, PURSES["guest"].at_once)
            raise BadFrame

    def _describe_fault(self, frame: ClientFrame, wrong: Exception) -> Json:
        """What the page hears of *wrong*, a fault of ours that is logged."""
        requests = self.inbound.requests
        why = requests.fault_phrase(wrong, f"a page's {frame.kind}")
        return answer_json(frame, requests.tongue(None).say(why), good=False)

    async def _take(
        self, guest_id: str, visit: Visit, page: OpenPage, frame: ClientFrame
    ) -> Json | None:
        """What *frame* is answered at once; others are answered in a task, each of them once."""
        if page.leaves:
            return None
        if await self._has_lost(page, guest_id):
            await page.socket.close(code=ENDED)
            return None
        answer = visit.answers.get(frame.id)
        if answer is None:
            guest = await self._present(guest_id, page)
            refusal = await self._refuse_haste(guest, frame)
            if refusal is not None:
                return refusal
            match frame.kind:
                case "suggest":
                    page.send("completions", await self.inbound.suggest(guest, frame))
                case "hello":
                    return await self._answer(guest_id, visit, page, frame)
                case "ping":
                    page.send("pong", page.pong(frame.id))
                case "wrong":
                    log.warning("a page's script failed: %r", frame.line)
                case "look":
                    await self._look(guest, page, frame)
                case _:
                    # It may have come by another connection, too, while its guest was read.
                    answer = visit.answers.get(frame.id) or asyncio.create_task(
                        self._answer(guest_id, visit, page, frame)
                    )
                    visit.answers[frame.id] = answer
        if answer is not None:
            page.awaits(frame.id)
            answer.add_done_callback(lambda done: _hand_over(page, frame, done))
        return None

    async def _refuse_haste(self, guest: Guest, frame: ClientFrame) -> Json | None:
        """The refusal of *frame* if *guest* cannot pay one more, or may not act so often.

        What is paid is refused in words, all else once a second at most.
        """
        price, left = frame_price(frame.kind), LEFT if frame.kind in READS else 0.0
        await self.budget.hold("guest", guest.id, price + left)
        paid = self.budget.take("guest", guest.id, price, left)
        limits, free = self.inbound.requests.limits, frame.kind not in ACTIONS
        if paid and (free or await limits.judge(guest.asker, guest.where) is LimitVerdict.TAKEN):
            return None
        if paid or (frame.kind not in READS and self.budget.take("words", guest.id, 1.0)):
            return await self.inbound.no(guest, frame, phrase("house.too-fast"))
        return answer_json(frame, "", good=False)

    async def _look(self, guest: Guest, page: OpenPage, frame: ClientFrame) -> None:
        before = page.looks_at
        await self.table_talk.look(guest, page, frame.table)
        if before != page.looks_at:
            page.again(page.looks_at)

    async def _answer(
        self, guest_id: str, visit: Visit, page: OpenPage, frame: ClientFrame
    ) -> Json:
        try:
            async with visit.turn:
                answer = await self._handle(await self._present(guest_id, page), visit, page, frame)
            if isinstance(answer, PendingAnswer):
                # Outside of the turn, so that the guest may do something else meanwhile.
                return await answer.wait(frame, visit.send)
            return answer
        except (UnknownGuest, ForgottenPerson):
            said = self.inbound.requests.tongue(None).say(phrase("forget.done"))
            return answer_json(frame, said, good=True)
        except Exception as wrong:
            # A fault of ours: the page may ask again under the same id.
            visit.answers.pop(frame.id, None)
            return self._describe_fault(frame, wrong)

    async def _handle(
        self, guest: Guest, visit: Visit, page: OpenPage, frame: ClientFrame
    ) -> Json | PendingAnswer:
        """Do what *frame* asks; a change of the whole page is sent to all pages of the guest."""
        inbound = self.inbound
        match frame.kind:
            case "hello" | "theme":
                changed = await inbound.hello(guest, frame)
                visit.dress(changed.here, changed.theme)
                if frame.kind == "hello":
                    page.looks_at = page.looks_at or frame.table
                    page.differs = frame.code == DIFFERENCES
                    return {**await inbound.state(changed, frame), "scripts": self.scripts()}
            case "name":
                named = await inbound.name(guest, frame)
                if isinstance(named, Phrase):
                    return await inbound.no(guest, frame, named)
                changed = named
            case "say":
                wrong = await self.table_talk.say(guest, frame)
                if wrong is not None:
                    return await inbound.no(guest, frame, wrong)
                return answer_json(frame, "", good=True)
            case "mute":
                await self.table_talk.mute(guest, visit, frame)
                return answer_json(frame, "", good=True)
            case _:
                if frame.kind == "press":
                    frame = frame.model_copy(update={"at": str(page.version(frame))})
                tongue = await inbound.tongue(guest)
                answer = await inbound.answer(guest, frame)
                if await inbound.tongue(guest) != tongue:
                    await self._refresh(guest, visit)
                return answer
        await self._refresh(changed, visit)
        return answer_json(frame, "", good=True)

    async def _refresh(self, guest: Guest, visit: Visit) -> None:
        for theme in visit.themes():
            visit.send("state", await self.inbound.state(replace(guest, theme=theme)), theme)

    async def _has_lost(self, page: OpenPage, guest_id: str) -> bool:
        """Whether the guest has lost the device of *page*, is forgotten or banned."""
        known = await self.guests.get(guest_id)
        if known is None or known.at(page.device).device is None:
            return True
        return await self.guests.is_banned(known)

    async def _present(self, guest_id: str, page: OpenPage) -> Guest:
        """The guest as they speak through *page* now."""
        guest = await self.guests.get(guest_id)
        if guest is None:
            raise UnknownGuest
        return replace(guest.at(page.device), theme=page.theme)


def _hand_over(page: OpenPage, frame: ClientFrame, done: asyncio.Task[Json]) -> None:
    if not done.cancelled():
        page.send(frame.id, done.result())
