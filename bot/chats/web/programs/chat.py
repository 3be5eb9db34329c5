"""Programs behind the port ``Chat``: each has a place of its own, and streams for its boards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.chats.web.programs.server import AT, ProgramServer
from bot.facade import PROGRAM, Facade
from bot.port import Capabilities, Chat, Ping, PublicAddress, Screen, Shown, Target, Where


class ProgramChat(Chat):
    """The programs of people, served by the server of the pages at *public*.

    *said* tells pages of a line over a table.
    """

    platform = PROGRAM
    capabilities = Capabilities(programs=True)
    everywhere = True
    paints = True  # nobody looks

    def __init__(
        self, facade: Facade, public: str, said: Callable[[str, int], Awaitable[None]]
    ) -> None:
        self._facade = facade
        self._public = public
        self.server = ProgramServer(facade.programs, said)

    async def start(self) -> None:
        """Nothing to do: the server is that of the pages."""

    async def rest(self) -> None:
        """Take nothing more, and end the streams, which are resumed by other processes."""
        self.server.stopping = True
        await self.rewind()

    async def stop(self) -> None:
        """Nothing to do."""

    async def show(self, target: Target, screen: Screen, _picture: bytes | None) -> Shown:
        """Let the streams of the program look; the id of the message is the table's code."""
        self._wake(target.where.place)
        return Shown(screen.table, fresh=target.message is None)

    def _wake(self, program: str, talked: str = "") -> None:
        for stream in self.server.streams.get(program, ()):
            stream.wake(talked)

    async def hear(self, table: str) -> None:
        """Let the streams of the programs at *table* tell what was said there."""
        if self.server.streams:
            for program in await self._facade.pages.talk.pages(table, PROGRAM):
                self._wake(program, table)

    async def ping(self, _where: Where, _ping: Ping) -> str | None:
        """Nothing to do: the stream tells whose turn it is."""
        return None

    async def remove(self, _where: Where, _message: str) -> None:
        """Nothing to do: calls leave no message."""

    async def forget(self, external: str) -> None:
        """End the streams of a program that is gone, or has another key."""
        self.server.end(external)

    def open_here(self, place: str) -> bool:
        """Whether the program *place* has a stream open in this process."""
        return bool(self.server.streams.get(place))

    def versions_open_here(self) -> Mapping[str, set[int]]:
        """By table, the versions that streams have told."""
        found: dict[str, set[int]] = {}
        for streams in self.server.streams.values():
            for stream in streams:
                for code, seen in stream.cursor.tables.items():
                    found.setdefault(code, set()).add(seen.version)
        return found

    async def rewind(self) -> None:
        """End all streams: an older database has taken the place of ours."""
        for program in tuple(self.server.streams):
            self.server.end(program)

    def public_address(self) -> PublicAddress:
        """Where programs speak to us, if strangers can reach that."""
        return PublicAddress(link=f"{self._public}{AT}/" if self._public else "")
