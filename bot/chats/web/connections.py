"""The limit on open connections, and which one is closed at the limit."""

from __future__ import annotations

import asyncio
from socket import SO_ACCEPTCONN, SOL_SOCKET

from aiohttp import web

MOST = 512
"""The most open connections: half of the usual 1,024 descriptors."""

HEAD = 10.0
"""The seconds for a whole request, on a new connection and on one that was answered before."""


class RefusedConnection(asyncio.Protocol):
    """A connection above the limit."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Close it at once."""
        transport.close()


class Connections:
    """Takes the connections of *server*, at most *most* of them.

    Above that, the oldest connection without a request is closed: a flood of silent ones pushes
    out its own. A new one is refused only where all have made a request.
    """

    def __init__(self, server: web.Server, most: int = MOST) -> None:
        self._server, self._most = server, most
        self._heard: set[web.RequestHandler] = set()
        self._closed: set[web.RequestHandler] = set()

    def heard(self, request: web.BaseRequest) -> None:
        """Note that a whole request has come by the connection of *request*."""
        self._heard.add(request.protocol)

    def __call__(self) -> asyncio.BaseProtocol:
        """The protocol of a new connection."""
        known = self._server.connections
        self._heard.intersection_update(known)
        self._closed.intersection_update(known)
        open_now = [one for one in known if one not in self._closed]
        if len(open_now) < self._most:
            return self._server()
        silent = next((one for one in open_now if one not in self._heard), None)
        if silent is None:
            return RefusedConnection()
        self._closed.add(silent)
        silent.force_close()
        return self._server()


class Site(web.TCPSite):
    """A listening address of *runner*, whose connections *connections* takes."""

    def __init__(
        self, runner: web.AppRunner, host: str, port: int, connections: Connections
    ) -> None:
        super().__init__(runner, host, port)
        self._address = (host, port)
        self.connections = connections

    async def start(self) -> None:
        """Listen; raises ``OSError``."""
        await web.BaseSite.start(self)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self.connections, *self._address)

    def serving(self) -> bool:
        """Whether it takes connections; false also after the system has closed the socket."""
        server = self._server
        if not isinstance(server, asyncio.Server) or not server.is_serving():
            return False
        try:
            return all(one.getsockopt(SOL_SOCKET, SO_ACCEPTCONN) for one in server.sockets)
        except OSError:
            return False
