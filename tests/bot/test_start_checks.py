"""What doctor asks of the machine: the checks of the start, and the page through the proxy."""

from __future__ import annotations

import http.server
import shutil
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.app.address_checks import check_start
from bot.app.settings import Settings
from tests.bot.test_health import state
from tests.live_bot import free_ports

SVG = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


@contextmanager
def answering(status: int, body: bytes, certificate: Path | None = None) -> Iterator[int]:
    """A program that answers everything so; yields its port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificate of a proxy at localhost."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here (Debian: apt-get install openssl)")
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    made += ["-nodes", "-keyout", str(file), "-out", f"{file}.crt", "-days", "2"]
    made += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(made, check=True, capture_output=True)
    with file.open("a") as both:
        both.write(Path(f"{file}.crt").read_text())
    return file


async def levels(**settings: object) -> dict[str, tuple[str, str]]:
    """By its setting or its check, the level and the text of each finding."""
    found = await check_start(Settings(_env_file=None, **({"web_port": 0} | settings)))  # type: ignore[arg-type]
    named = {}
    for one in found:
        in_brackets = one.text.rpartition("(")[2].partition(")")[0]
        named[in_brackets if one.check == "port" and "(" in one.text else one.check] = (
            one.level,
            one.text,
        )
    return named


async def test_free_ports_are_fine_and_taken_ones_an_error() -> None:
    free = free_ports(3)
    names = ("web_port", "health_port", "metrics_port")
    found = await levels(**dict(zip(names, free, strict=True)))
    assert {name: found[name.upper()][0] for name in names} == dict.fromkeys(names, "fine")
    with answering(404, b"not here\n") as taken:
        for name in names:
            level, text = (await levels(**{name: taken}))[name.upper()]
            assert level == "error", text
            assert str(taken) in text


async def test_a_port_that_a_bot_of_ours_listens_on_is_fine(tmp_path: Path) -> None:
    from bot.app import monitoring
    from tests.fakes import desk

    async with desk(tmp_path) as at:
        health, metrics = free_ports(2)
        servers = [
            await monitoring.health(health, state(at.facade).health),
            await monitoring.metrics_server("127.0.0.1", metrics, state(at.facade)),
        ]
        with answering(404, b"no\n") as webhook:
            found = await levels(
                health_port=health,
                metrics_port=metrics,
                telegram_webhook_url="https://bot.example/x",
                telegram_webhook_port=webhook,
            )
        for server in servers:
            server.close()
            await server.wait_closed()
    names = ("HEALTH_PORT", "METRICS_PORT", "TELEGRAM_WEBHOOK_PORT")
    assert {name: found[name][0] for name in names} == dict.fromkeys(names, "fine")
    assert all("in use by a bot that runs" in found[name][1] for name in names)


async def test_an_address_of_others_and_a_folder_that_is_not_there_are_errors(
    tmp_path: Path,
) -> None:
    assert (await levels(web_host="192.0.2.1"))["page"][0] == "error"
    assert (await levels(metrics_host="192.0.2.1", metrics_port=9))["METRICS_PORT"][0] == "error"
    level, text = (await levels(backup_dir=tmp_path / "none"))["copies"]
    assert (level, "BACKUP_DIR" in text) == ("error", True)
    assert "copies" not in await levels(backup_dir=tmp_path)


@pytest.mark.parametrize(
    ("status", "body", "level", "word"),
    [
        (200, SVG, "fine", "is reached"),
        (200, b"welcome", "error", "another program"),
        (404, b"", "error", "answers 404"),
        (502, b"", "fine", "does not run yet"),
    ],
)
async def test_the_public_address_is_asked_for_our_icon(
    status: int,
    body: bytes,
    level: str,
    word: str,
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    with answering(status, body, certificate) as port:
        found = await levels(web_public_url=f"https://localhost:{port}")
    assert found["public"][0] == level, found
    assert word in found["public"][1]


async def test_a_proxy_that_answers_502_beside_a_bot_that_runs_is_an_error(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    with answering(502, b"", certificate) as port, answering(200, SVG) as web:
        found = await levels(web_public_url=f"https://localhost:{port}", web_port=web)
    assert found["public"][0] == "error"


async def test_nobody_and_an_unknown_certificate_are_errors(certificate: Path) -> None:
    (port,) = free_ports(1)
    assert (await levels(web_public_url=f"https://localhost:{port}"))["public"][0] == "error"
    with answering(200, SVG, certificate) as port:
        level, text = (await levels(web_public_url=f"https://localhost:{port}"))["public"]
    assert (level, "certificate" in text.lower()) == ("error", True)


def test_doctor_ends_with_status_1_where_the_start_would_be_refused(
    ludoteca: Callable[..., object], tmp_path: Path
) -> None:
    with answering(404, b"") as taken:
        done = ludoteca(tmp_path, "doctor", WEB_PORT=str(taken))
    assert done.returncode == 1  # type: ignore[attr-defined]
    assert "WEB_PORT" in done.stdout  # type: ignore[attr-defined]
