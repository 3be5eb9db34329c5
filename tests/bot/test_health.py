"""Whether all is well, as a supervisor asks, and what becomes of a chat that gives up."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest

from bot.app import main, monitoring, operator_commands, runner
from bot.app.output import STUMBLED
from bot.app.settings import BadSettings, Settings
from bot.facade import Facade
from bot.port import ChatError, Stumbled
from tests.fakes import FakeChat, desk


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def ask(port: int, line: str = "GET /healthz HTTP/1.1", host: str = "127.0.0.1") -> str:
    """The status that is answered to *line*, and the body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{line}\r\nHost: {host}\r\n\r\n".encode())
    async with asyncio.timeout(30):
        answer = (await reader.read()).decode()
    writer.close()
    return answer.partition(" ")[2].partition("\r\n")[0]


def state(facade: Facade) -> monitoring.ProcessState:
    """A bot that runs as *facade*."""
    found = monitoring.ProcessState(availability=facade.store.availability)
    found.runs(facade)
    return found


@asynccontextmanager
async def telling(unwell):
    port = free_port()
    server = await monitoring.health(port, unwell)
    try:
        yield port
    finally:
        server.close()
        await server.wait_closed()


async def test_it_is_well_only_while_every_chat_is_connected(tmp_path, monkeypatch):
    async with desk(tmp_path) as at, telling(state(at.facade).health) as port:
        assert await ask(port) == "200 OK"
        other = FakeChat("other")
        at.facade.chats["other"] = other
        monkeypatch.setattr(other, "is_connected", lambda: False)
        assert await ask(port) == "503 Service Unavailable"
        monkeypatch.setattr(other, "is_connected", lambda: True)
        assert await ask(port) == "200 OK"


async def test_nothing_else_is_answered_there():
    async with telling(str) as port:
        assert await ask(port, "GET / HTTP/1.1") == "404 Not Found"
        assert await ask(port, "POST /healthz HTTP/1.1") == "405 Method Not Allowed"
        assert await ask(port, "HEAD /healthz?x=1 HTTP/1.1") == "200 OK"
        assert await ask(port, f"GET /{'x' * 9000} HTTP/1.1") == "400 Bad Request"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:9100", "localhost", "[::1]:9100"])
async def test_it_answers_by_the_names_of_this_machine(host):
    async with telling(str) as port:
        assert await ask(port, host=host) == "200 OK"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:9100", "127.0.0.1.evil.example", "10.0.0.8", "", "[", "x"],
)
async def test_a_page_whose_name_leads_here_reads_nothing(host):
    async with telling(str) as port:
        assert await ask(port, host=host) == "421 Misdirected Request"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("10.0.0.8:9100", "200 OK"),
        ("ludoteca-1:9100", "200 OK"),
        ("evil.example:9100", "421 Misdirected Request"),
    ],
)
async def test_beyond_this_machine_addresses_and_names_without_a_dot_are_ours(host, status):
    pages = {"/metrics": monitoring.answering(str)}
    server = await monitoring.serving("0.0.0.0", port := free_port(), pages, "METRICS_PORT")
    async with server:
        assert await ask(port, "GET /metrics HTTP/1.1", host) == status


async def test_half_requests_do_not_keep_it_from_answering(monkeypatch):
    monkeypatch.setattr(monitoring, "REQUEST_SECONDS", 0.1)
    async with telling(str) as port:
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(40)]
        async with asyncio.timeout(30):
            for reader, writer in opened:
                assert await reader.read() == b""
                writer.close()
        assert await ask(port) == "200 OK"


async def test_a_busy_port_ends_the_start_with_a_sentence(tmp_path):
    async with telling(str) as port:
        settings = Settings(
            database_url=f"sqlite+aiosqlite:///{tmp_path}/games.db", web_port=0, health_port=port
        )
        with pytest.raises(
            BadSettings, match=rf"^Nobody can listen .*:{port} of HEALTH_PORT: .* in use\.$"
        ):
            await runner.run(settings)


async def test_a_chat_that_gives_up_ends_the_process(tmp_path):
    async with desk(tmp_path) as at:
        at.facade.failures.put_nowait(Stumbled("It falls again and again."))
        with pytest.raises(Stumbled, match="falls"):
            await runner._wait_for_end(asyncio.Event(), at.facade)


async def test_being_told_to_stop_is_no_failure(tmp_path):
    async with desk(tmp_path) as at:
        stop = asyncio.Event()
        stop.set()
        await runner._wait_for_end(stop, at.facade)
        assert at.facade.failures.empty()


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (Stumbled("again and again"), STUMBLED),
        (ChatError("no"), 2),
        (BadSettings("The port 1 of HEALTH_PORT is taken."), 2),
    ],
)
def test_a_supervisor_sees_by_the_status_what_happened(monkeypatch, capsys, wrong, status):
    def failing(asked, settings):
        raise wrong

    monkeypatch.setattr(operator_commands, "_perform", failing)
    with pytest.raises(SystemExit) as ended:
        main.main([])
    assert ended.value.code == status
    assert capsys.readouterr().err.strip() == str(wrong)
