"""Calls to Telegram by aiohttp: 2.5 ms of CPU a press; the library's own HTTP takes 8.7 ms."""

from __future__ import annotations

import asyncio
from io import BytesIO
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

from bot.facade import Limiter

UNSET = BaseRequest.DEFAULT_NONE
"""The library's timeout where its caller gives none."""

CONNECTING, REACHING, SENDING = 5.0, 15.0, 20.0
"""Seconds for a socket, for all until it stands (its address, a proxy), and for sending a file."""

RESTING, FOUND = 60.0, 300
"""Seconds for which an idle connection and a resolved address are kept."""

BEHIND = 0.005
"""Seconds by which other calls wait, so that a board that is being made goes first."""

CONNECTIONS = 256
"""Calls at a time: 128 a second if Telegram is two seconds away."""

OVERALL = ((25, 1.0),)
"""Messages and edits in a second. Telegram takes about thirty (tdlib/td#3034); a few are left,
since calls that are sent apart may arrive together."""

COUNTED = ("send", "edit")
"""The beginnings of methods that count; answers to presses, removals and reactions do not."""

_NAMED = "Content-Disposition: form-data; name="

_OURS = ("caption", "caption_entities", "reply_markup")


def lighten(message: object, *more: str) -> None:
    """Drop from *message* what we wrote, and *more*: the library would make objects of it."""
    if isinstance(message, dict):
        for part in (*_OURS, *more):
            message.pop(part, None)


class Wire(BaseRequest):
    """Makes at most *connections* calls at a time, and sends and edits as *limiter* allows."""

    def __init__(
        self, connections: int, *, reading: float = 5.0, limiter: Limiter | None = None
    ) -> None:
        self._reading = reading
        self._limiter = limiter or Limiter(OVERALL)
        self._free = asyncio.Semaphore(connections)
        self._session: aiohttp.ClientSession | None = None
        self._proxies: dict[str, str | None] = {}

    @property
    def read_timeout(self) -> float | None:
        """Seconds without a byte from Telegram after which a call fails."""
        return self._reading

    async def initialize(self) -> None:
        """Open the session."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    limit=0, keepalive_timeout=RESTING, ttl_dns_cache=FOUND
                ),
                headers={"User-Agent": self.USER_AGENT},
                cookie_jar=aiohttp.DummyCookieJar(),
            )

    async def shutdown(self) -> None:
        """Close every connection."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _proxy(self, url: str) -> str | None:
        """The proxy for *url*, asked once a host: the session would ask in threads at each call."""
        asked = urlsplit(url)
        if asked.netloc not in self._proxies:
            by = None if proxy_bypass(asked.netloc) else getproxies().get(asked.scheme)
            self._proxies[asked.netloc] = by
        return self._proxies[asked.netloc]

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: object = UNSET,
        *_others: object,  # nobody here gives any
        **_named: object,
    ) -> tuple[int, bytes]:
        """The status and the body of the answer; raises ``TimedOut`` or ``NetworkError``."""
        if url.rpartition("/")[2].startswith(COUNTED):
            await self._limiter.turn()
        silent = read_timeout if isinstance(read_timeout, int | float) else self._reading
        timeout = aiohttp.ClientTimeout(
            REACHING + SENDING + silent, REACHING, sock_read=silent, sock_connect=CONNECTING
        )
        body, headers = _body(request_data)
        async with self._free:
            if self._session is None:
                raise NetworkError("the connections to Telegram are closed")
            try:
                async with self._session.request(
                    method,
                    url,
                    data=body,
                    headers=headers,
                    timeout=timeout,
                    allow_redirects=False,
                    proxy=self._proxy(url),
                ) as answer:
                    return answer.status, await answer.read()
            except TimeoutError as wrong:
                raise TimedOut from wrong
            except (aiohttp.ClientError, OSError) as wrong:
                # Its name alone: the words may hold the address, and so the token.
                raise NetworkError(type(wrong).__name__) from wrong

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The answer in *payload*; of a message of ours only what we do not know."""
        answer = BaseRequest.parse_json_payload(payload)
        lighten(answer.get("result"))
        return answer


def _body(asked: RequestData | None) -> tuple[Any, dict[str, str]]:
    """The body of a call and its headers; with files a form (RFC 7578) in one piece."""
    if asked is None or not asked.contains_files:
        return (None if asked is None else asked.json_parameters), {}
    edge, form = token_hex(16), BytesIO()
    for name, value in asked.json_parameters.items():
        form.write(f'--{edge}\r\n{_NAMED}"{name}"\r\n\r\n{value}\r\n'.encode())
    for name, (filename, content, kind) in asked.multipart_data.items():
        escaped = filename.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        named = f'{_NAMED}"{name}"; filename="{escaped}"'
        form.write(f"--{edge}\r\n{named}\r\nContent-Type: {kind}\r\n\r\n".encode())
        form.write(content if isinstance(content, bytes) else content.read())
        form.write(b"\r\n")
    form.write(f"--{edge}--\r\n".encode())
    form.seek(0)
    return form, {"Content-Type": f"multipart/form-data; boundary={edge}"}
