"""The calls to Telegram by aiohttp: it takes less of the processor than the HTTP of the library."""

from __future__ import annotations

from io import BytesIO
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

UNSET = BaseRequest.DEFAULT_NONE
"""What the library says for a timeout that is not its caller's matter."""

CONNECTING, SENDING = 5.0, 20.0
"""Seconds for reaching Telegram, and for sending a file."""

RESTING, FOUND = 60.0, 300
"""Seconds for which a connection nobody uses is kept, and an address that was looked up."""

BEHIND = 0.005
"""Seconds for which what nobody looks at lets a board go first, which is made meanwhile."""

_OURS = ("caption", "caption_entities", "reply_markup")


def lightened(message: object, *more: str) -> None:
    """Leave out of *message*, one of ours, what we have put there, and *more*: nobody reads it.

    The library would make objects of every button.
    """
    if isinstance(message, dict):
        for part in (*_OURS, *more):
            message.pop(part, None)


class Wire(BaseRequest):
    """Makes requests, at most *connections* at once; others wait for *waiting* seconds.

    *reading* is for how many seconds nothing may be heard.
    """

    def __init__(self, connections: int, *, reading: float = 5.0, waiting: float = 1.0) -> None:
        self._connections, self._reading, self._waiting = connections, reading, waiting
        self._session: aiohttp.ClientSession | None = None
        self._proxies: dict[str, str | None] = {}

    @property
    def read_timeout(self) -> float | None:
        """For how many seconds nothing may be heard."""
        return self._reading

    async def initialize(self) -> None:
        """Open what connections are kept in."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    limit=self._connections, keepalive_timeout=RESTING, ttl_dns_cache=FOUND
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
        """The proxy by which *url* is reached: as the environment says, which is asked once a host.

        The session would ask at every call, in the threads in which pictures are painted.
        """
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
        write_timeout: object = UNSET,
        connect_timeout: object = UNSET,
        pool_timeout: object = UNSET,
    ) -> tuple[int, bytes]:
        """The status and the body of the answer; raises ``TimedOut`` or ``NetworkError``."""
        del write_timeout, connect_timeout, pool_timeout  # nobody here asks for others
        if self._session is None:
            raise NetworkError("the connections to Telegram are closed")
        silent = read_timeout if isinstance(read_timeout, int | float) else self._reading
        connect = CONNECTING + self._waiting
        timeout = aiohttp.ClientTimeout(
            connect + SENDING + silent, connect, sock_read=silent, sock_connect=CONNECTING
        )
        body, headers = _body(request_data)
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
            # No more than its name: the words may hold the address, in which the token stands.
            raise NetworkError(type(wrong).__name__) from wrong

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The answer that *payload* is, of a message of ours what we do not know."""
        answer = BaseRequest.parse_json_payload(payload)
        lightened(answer.get("result"))
        return answer


def _body(asked: RequestData | None) -> tuple[Any, dict[str, str]]:
    """What is sent of *asked*, and its headers: as a form of parts where there are files.

    The parts are put together here, since aiohttp sends each by itself.
    """
    if asked is None or not asked.contains_files:
        return (None if asked is None else asked.json_parameters), {}
    between = token_hex(16)
    parts: list[bytes] = []
    for name, value in asked.json_parameters.items():
        parts += (_head(between, name), value.encode(), b"\r\n")
    for name, (filename, content, kind) in asked.multipart_data.items():
        data = content if isinstance(content, bytes) else content.read()
        parts += (_head(between, name, filename, kind), data, b"\r\n")
    whole = BytesIO(b"".join((*parts, f"--{between}--\r\n".encode())))
    return whole, {"Content-Type": f"multipart/form-data; boundary={between}"}


def _head(between: str, name: str, filename: str = "", kind: str = "") -> bytes:
    """The head of a part (RFC 7578)."""
    said = f'--{between}\r\nContent-Disposition: form-data; name="{name}"'
    if filename:
        plain = filename.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        said += f'; filename="{plain}"\r\nContent-Type: {kind}'
    return f"{said}\r\n\r\n".encode()
