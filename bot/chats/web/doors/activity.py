"""The page within Discord: people enter as Discord names them, and see their channel's tables.

Every request comes through Discord's proxy, to the addresses below ``WITHIN_DISCORD``. They alone
may be framed by it, and they take no cookie, and no request from another page than the frame's.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

import aiohttp
from aiohttp import web
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.chats.web.assets import BODY, ENTERING
from bot.chats.web.budget import STRANGER, Overspent
from bot.chats.web.doors import admission
from bot.chats.web.doors.discord_app import (
    CODE,
    INSTANCE,
    DiscordApp,
    Instance,
    PlatformAway,
    SignedIn,
)
from bot.chats.web.doors.doors import NoEntry
from bot.chats.web.doors.origins import Origins
from bot.chats.web.html_documents import html_text
from bot.chats.web.initial_page import board_body, stream_html
from bot.chats.web.message_formatting import Json, measured, screen_json
from bot.facade import ChatBoards, ChatNotes, Launches, Limiter, Requests, StorageError
from bot.port import Asker, Diagnosis, Screen
from games.core import Phrase, phrase
from render.kit.painters import bars_of, rows_between

log = logging.getLogger(__name__)

PLATFORM = "discord"
"""The chat whose people and channels an Activity has."""

WAYS = ("/d", "/d/.proxy")
"""Where the proxy's paths arrive: old clients write ``/.proxy`` before them."""

BOARD_SECONDS = 2.0
"""The most seconds for which the page waits for a board that is seen before it is known by whom."""

TABLE = re.compile(r"[0-9A-Za-z]{4,8}", re.ASCII)
"""The form of a table's code."""

UNNAMED = "ahead"
"""The name of that board's picture, which no other board has."""

WARNINGS = ((1, 60.0),)
"""How often the log says that Discord is away: a page asks for many files."""

SIGNATURE, PAYLOAD = "X-Signature-Ed25519", "X-Discord-Proxy-Payload"
"""The headers by which the proxy may sign who sends a request, and from which instance."""

CAME = "web:activity-came"
"""The note of the hour in which somebody entered last, for the doctor."""


class Asked(BaseModel):
    """What the script within Discord sends: a *code* of Discord for us, and where it runs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str = Field(pattern=rf"^{CODE.pattern}$")
    instance: str = Field(pattern=rf"^{INSTANCE.pattern}$")
    verifier: str = Field("", pattern=rf"^({CODE.pattern})?$")
    table: str = Field("", max_length=16)


class Looking(BaseModel):
    """What the script sends of whoever does not sign in: they look at a board of the *instance*.

    *seen* is the board that they have, as it was answered.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    instance: str = Field(pattern=rf"^{INSTANCE.pattern}$")
    table: str = Field("", max_length=16)
    seen: str = Field("", max_length=32)


Sent = TypeVar("Sent", Asked, Looking)


@dataclass(frozen=True)
class Arrival:
    """Who comes in, by which *instance* in which *channel*, and the *table* they ask for."""

    person: SignedIn
    instance: str
    channel: str
    table: str


class Forged(Exception):
    """The headers of the proxy are not signed for this request."""


@dataclass
class Activity:
    """Admits people whom Discord names; *enter* answers the address of their page, relative.

    *board* answers a board of a channel, by table and language, for who does not sign in; *ahead*
    the one that whoever comes in will have in view, as far as that is known.
    """

    app: DiscordApp
    enter: Callable[[Arrival], Awaitable[str]]
    board: Callable[[str, str, str], Awaitable[Screen | None]]
    ahead: Callable[[str, str, str], Awaitable[Screen | None]]
    origins: Origins
    boards: ChatBoards
    launches: Launches
    requests: Requests
    notes: ChatNotes
    page: str = ""
    """The page's HTML, whose files have relative addresses."""
    now: Callable[[], float] = time.time
    _warnings: Limiter = field(default_factory=lambda: Limiter(WARNINGS))

    def routes(self) -> list[web.RouteDef]:
        """The routes below each of ``WAYS``."""
        return [
            route
            for way in WAYS
            for route in (
                web.get(f"{way}/", self._open, allow_head=False),
                web.post(f"{way}/enter", partial(self._answer, self._enter)),
                web.post(f"{way}/look", partial(self._answer, self._look)),
            )
        ]

    async def learn(self) -> None:
        """Learn which frames are ours; while Discord does not answer there are none."""
        try:
            self.origins.frame = (await self.app.application()).origin
        except PlatformAway:
            if self._warnings.take():
                log.warning("Discord does not say which application this is")

    async def _open(self, request: web.Request) -> web.StreamResponse:
        if "frame_id" not in request.query:
            return admission.lobby(request, phrase("web.activity.from-discord"), 200)
        try:
            client = (await self.app.application()).id
        except PlatformAway:
            return admission.try_again(request, phrase("web.activity.away"), 503)
        return await stream_html(request, self._parts(request, client))

    async def _parts(self, request: web.Request, client: str) -> AsyncIterator[str]:
        """The page's head, with which its script begins to sign in, and then what is seen."""
        head, _, shell = self.page.partition(BODY)
        yield head.replace("<html ", f'<html data-client="{client}" ', 1)
        shell = shell.replace(
            ENTERING, html_text(admission.browser_language(request), "entering.html")
        )
        yield board_body(shell, await self._seen_ahead(request))

    async def _seen_ahead(self, request: web.Request) -> Json | None:
        """The board to be seen while its reader signs in, as all see it who are in the instance.

        None where none is expected, or where it would take long.
        """
        instance, named = (request.query.get(key, "") for key in ("instance_id", "custom_id"))
        if not INSTANCE.fullmatch(instance):
            return None
        try:
            async with asyncio.timeout(BOARD_SECONDS):
                found = await self._open_instance(request, instance)
                if found is None:
                    return None
                wanted = named.upper() if TABLE.fullmatch(named) else self._launch(found)
                code = admission.browser_language(request).code
                shown = await self.ahead(found.channel, wanted, code)
                if shown is None or shown.scene is None:
                    return None
                picture = await self.boards.picture(shown.scene)
        except (Forged, PlatformAway, Overspent, TimeoutError):
            return None
        except Exception as wrong:
            Requests.fault_phrase(wrong, "the first board within Discord")
            return None
        wide, high = measured(picture)
        return {
            **screen_json(shown),
            "version": 0,  # which tells of what is hidden
            "over": shown.over,
            "result": "",  # whose it is, is not known yet
            "picture": UNNAMED,
            "width": wide,
            "height": high,
            "crop": rows_between(bars_of(shown.scene)),
            "drawn": base64.b64encode(picture).decode(),
        }

    def _launch(self, instance: Instance) -> str:
        """The table at which those in *instance* have just opened the page, if it is one."""
        there = {self.launches.waiting(Asker(PLATFORM, one, "")) for one in instance.users} - {""}
        return there.pop() if len(there) == 1 else ""

    async def _answer(
        self, does: Callable[[web.Request], Awaitable[Json]], request: web.Request
    ) -> web.Response:
        """What *does* answers, or why it does not."""
        try:
            told, status = await does(request), 200
        except NoEntry as wrong:
            told, status = _why(request, wrong.why), wrong.status
        except Forged:
            told, status = _why(request, phrase("web.activity.code")), 403
        except PlatformAway:
            told, status = _why(request, phrase("web.activity.away")), 503
        except StorageError as wrong:
            told = _why(request, Requests.fault_phrase(wrong, "a request within Discord"))
            status = 503
        return web.json_response(told, status=status, headers={"Cache-Control": "no-store"})

    async def _enter(self, request: web.Request) -> Json:
        asked = await _read(request, Asked)
        signed = await self._let_ask(request, asked.instance, "code")
        # Where they are can be asked while it is not yet known who they are.
        person, _ = await asyncio.gather(
            self.app.signed_in(asked.code, asked.verifier), self.app.instance(asked.instance)
        )
        if person is None:
            raise NoEntry("web.activity.code", 401)
        channel = await self._channel(asked.instance, person.id)
        if channel is None or signed not in (None, (person.id, asked.instance)):
            raise NoEntry("web.activity.elsewhere")
        request[STRANGER].budget.charge("entering", f"{PLATFORM} {person.id}", "entrance")
        if await self.requests.is_banned(Asker(PLATFORM, person.id, person.name)):
            raise NoEntry("moderation.banned")
        path = await self.enter(Arrival(person, asked.instance, channel, asked.table))
        await self._note()
        return {"path": path, "access_token": person.token, "locale": person.language}

    async def _look(self, request: web.Request) -> Json:
        """A board of the channel for who has not consented: what all see who are there.

        The id of a running instance is known to those alone who are in it.
        """
        asked = await _read(request, Looking)
        found = await self._open_instance(request, asked.instance)
        if found is None:
            raise NoEntry("web.activity.elsewhere")
        code = admission.browser_language(request).code
        shown = await self.board(found.channel, asked.table.upper(), code)
        return await self._view(shown, asked.seen)

    async def _open_instance(self, request: web.Request, instance: str) -> Instance | None:
        """*instance* for who looks on; the proxy may sign that they are there."""
        signed = await self._let_ask(request, instance, "look")
        found = await self.app.instance(instance)
        if found is None:
            return None
        if signed is not None:
            here = signed[0] in found.users and signed[1] == instance
            if not here or await self.requests.is_banned(Asker(PLATFORM, signed[0], "")):
                return None
        return found

    async def _let_ask(
        self, request: web.Request, instance: str, kind: str
    ) -> tuple[str, str] | None:
        """Let *request* be paid by whom the proxy signs, else by its *instance* where that runs.

        What is neither is a claim. Raises ``Overspent``, or ``Forged``.
        """
        stranger = request[STRANGER]
        try:
            signed = await self._read_signature(request)
        except Forged:
            await stranger.claim("claim")
            raise
        if signed is not None:
            stranger.budget.charge("instance", " ".join(signed), kind)
        elif self.app.has_seen(instance):
            stranger.budget.charge("instance", instance, kind)
        else:
            await stranger.claim("code")
            if await self.app.instance(instance) is not None:
                stranger.prove("code")
        return signed

    async def _view(self, shown: Screen | None, before: str) -> Json:
        """*shown* in words and as a picture, where it is not what was seen *before*."""
        if shown is None:
            return {}
        seen = f"{shown.table}:{shown.digest}"
        if seen == before:
            return {"seen": seen}
        picture = b"" if shown.scene is None else await self.boards.picture(shown.scene)
        encoded = base64.b64encode(picture).decode()
        address = f"data:image/png;base64,{encoded}" if picture else ""
        said = [one for one in (shown.title, shown.headline, *shown.lines) if one]
        return {"seen": seen, "picture": address, "said": said}

    async def _channel(self, instance: str, person: str) -> str | None:
        """The channel of *instance*, where Discord says that *person* is in it."""
        for again in (False, True):
            if again:
                # They may have come since it was looked at last.
                self.app.look_again(instance)
            found = await self.app.instance(instance)
            if found is not None and person in found.users:
                return found.channel
        return None

    async def _read_signature(self, request: web.Request) -> tuple[str, str] | None:
        """Person and instance as the proxy signs them, None where it does not.

        Raises ``Forged``. Discord's documentation has the signature in base64 for one language and
        in hexadecimal for another: either is taken.
        """
        given, packed = request.headers.get(SIGNATURE), request.headers.get(PAYLOAD)
        if given is None and packed is None:
            return None
        try:
            payload = base64.b64decode(packed or "", validate=True)
            key = bytes.fromhex((await self.app.application()).key)
            Ed25519PublicKey.from_public_bytes(key).verify(_bytes(given or ""), payload)
            told = json.loads(payload)
            fresh = float(told["created_at"]) - 60 <= self.now() < float(told["expires_at"])
            whose = str(told["user_id"]), str(told["instance_id"])
        except (InvalidSignature, ValueError, KeyError, TypeError):
            raise Forged from None
        if not fresh:
            raise Forged
        return whose

    async def _note(self) -> None:
        """Note the hour in which somebody came last."""
        hour = datetime.fromtimestamp(self.now(), UTC).strftime("%Y-%m-%dT%H:00Z")
        if await self.notes.read(CAME, str) != hour:
            await self.notes.put(CAME, hour)


def _bytes(given: str) -> bytes:
    """The signature in *given*; raises ``ValueError``."""
    if len(given) == 128:
        return bytes.fromhex(given)
    try:
        return base64.b64decode(given, validate=True)
    except binascii.Error:
        raise ValueError from None


async def _read(request: web.Request, kind: type[Sent]) -> Sent:
    """The body of *request* as a *kind*; another one counts as a claim. Raises ``NoEntry``."""
    try:
        return kind.model_validate_json(await request.text())
    except (ValidationError, UnicodeDecodeError):
        await request[STRANGER].claim("claim")
        raise NoEntry("web.activity.code", 400) from None


def _why(request: web.Request, why: Phrase) -> Json:
    return {"said": admission.browser_language(request).say(why)}


REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=10.0)

FRAMED_BY = "https://*.discordsays.com"
"""What the policy of the page within Discord names."""


async def page_within_discord(address: str) -> Diagnosis:
    """Whether *address* answers with the page that Discord may frame."""
    try:
        async with (
            aiohttp.ClientSession(timeout=REQUEST_TIMEOUT) as http,
            http.get(address, allow_redirects=False) as answer,
        ):
            framed = FRAMED_BY in answer.headers.get("Content-Security-Policy", "")
            status = answer.status
    except (OSError, TimeoutError, aiohttp.ClientError) as wrong:
        said = f"{address} does not answer ({type(wrong).__name__})"
        return Diagnosis("warning", f"{said}: the page within Discord stays empty.")
    if status != 200 or not framed:
        said = f"{address} answers {status} and is not the page within Discord"
        return Diagnosis("warning", f"{said}: does the bot run, and the proxy lead to it?")
    said = f"{address} answers; whether the URL mapping of the developer portal leads there, only"
    return Diagnosis("fine", f"{said} the portal knows.")
