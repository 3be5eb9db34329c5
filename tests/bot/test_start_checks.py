"""What doctor asks of the machine: the checks of the start, and the page through the proxy."""

from __future__ import annotations

import http.server
import json
import re
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.app.settings import Settings
from bot.app.start_checks import check_machine
from tests.bot.test_health import state
from tests.command_line import Ludoteca, one_sentence
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
    found = await check_machine(Settings(_env_file=None, **({"web_port": 0} | settings)))  # type: ignore[call-arg, arg-type]
    named: dict[str, tuple[str, str]] = {}
    for one in found:
        setting = re.search(r" of ([A-Z_]+)", one.text) if one.check == "port" else None
        named[setting[1] if setting else one.check] = (one.level, one.text)
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
                telegram_token="1:a",
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
    assert (await levels(web_host="192.0.2.1"))["settings"][0] == "error"
    assert (await levels(metrics_host="192.0.2.1", metrics_port=9))["METRICS_PORT"][0] == "error"
    level, text = (await levels(backup_dir=tmp_path / "none"))["settings"]
    assert (level, "BACKUP_DIR" in text) == ("error", True)
    assert "settings" not in await levels(backup_dir=tmp_path)


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


BAD = {
    "DISCORD_SHARDS=1": "must be a whole number from 2",
    "DISCORD_SHARDS=2": "does nothing without DISCORD_TOKEN",
    "DISCORD_CLIENT_SECRET=x": "does nothing without DISCORD_TOKEN, WEB_PUBLIC_URL",
    "TELEGRAM_CLIENT_SECRET=x": "does nothing without TELEGRAM_TOKEN, WEB_PUBLIC_URL",
    "TELEGRAM_API_URL=here": "must be a whole address",
    "TELEGRAM_API_URL=http://127.0.0.1:1/bot": "does nothing without TELEGRAM_TOKEN",
    "TELEGRAM_WEBHOOK_URL=http://bot.example/x": "must be a whole address",
    "TELEGRAM_WEBHOOK_URL=https://bot.example:9/x": "443, 80, 88, 8443",
    "TELEGRAM_WEBHOOK_URL=https://bot.example/x": "does nothing without TELEGRAM_TOKEN",
    "TELEGRAM_WEBHOOK_PORT=-1": "must be a whole number",
    "TELEGRAM_WEBHOOK_SECRET=two words": "must be 1 to 256 letters",
    "TELEGRAM_WEBHOOK_SECRET=abc": "does nothing without TELEGRAM_WEBHOOK_URL",
    "TELEGRAM_STORE_CHAT=@here": "must be the number of a chat",
    "TELEGRAM_STORE_CHAT=-1001": "does nothing without TELEGRAM_TOKEN",
    "DATABASE_URL=mysql://x": "not in mysql",
    "DATABASE_URL=ludoteca.db": "cannot be read",
    "DATABASE_URL=postgresql+asyncpg://u@h": "names no database",
    "BACKUP_DIR=none": "BACKUP_DIR (.env, line 3): there is no folder none; make it,",
    "BACKUP_DIR=.env": "there is no folder .env",
    "BACKUP_KEEP=0": "must be a whole number from 1 to 1000",
    "WEB_HOST=0.0.0.0": "not an address of this machine alone",
    "WEB_PORT=eighty": "must be a whole number from 0 to 65535",
    "WEB_PORT=70000": "must be a whole number from 0 to 65535",
    "WEB_PUBLIC_URL=play.example.org": "must be a whole address",
    "WEB_PUBLIC_URL=https://a.org/b": "nothing after the name",
    "WEB_TRUSTED_PROXY=here": "must be addresses or networks",
    "WEB_TRUSTED_PROXY=10.0.0.0/8": "does nothing without WEB_PUBLIC_URL",
    "WEB_LAN_HOST=8.8.8.8": "no address of a private network",
    "WEB_SIGN_IN=matrix": "must be discord, telegram, or both",
    "WEB_SIGN_IN=discord": "stays closed without WEB_PUBLIC_URL, DISCORD_TOKEN",
    "WEB_OPEN_HOUSE=perhaps": "must be yes or no",
    "WEB_OPEN_HOUSE=yes": "does nothing without WEB_PUBLIC_URL",
    "WEB_HOUSE_TALK=2": "must be yes or no",
    "OPERATORS=ana": "must be persons",
    "OPERATORS=discord:1": "cannot sign in without discord in WEB_SIGN_IN",
    "HEALTH_PORT=0": "must be a whole number from 1",
    "METRICS_PORT=x": "must be a whole number from 1",
    "METRICS_HOST=localhost": "must be an address",
    "LUDOTECA_LANGUAGE=fr": "must be one of es, en",
    "LUDOTECA_TEXTS=/nowhere": "there is no folder /nowhere",
    "COMPUTERS=0": "must be a whole number from 1 to 1024",
    "SHOGI_ENGINE=/nowhere": "no program that can be run",
    "MINE_PUZZLES=often": "must be yes or no",
    "LOG_FORMAT=xml": "must be plain or json",
    "WEB_PROT=1": "is WEB_PORT meant?",
    "export WEB_PORT": "The file .env, line 3: write WEB_PORT=VALUE;",
    "BACKUP_DIR copias": "The file .env, line 3: write BACKUP_DIR=VALUE;",
    "HEALTH_PORT=9\nMETRICS_PORT=9": "METRICS_PORT (.env, line 4) are the same port",
    "WEB_PORT=9\nHEALTH_PORT=9": "HEALTH_PORT (.env, line 4) are the same port",
}
"""Lines of settings that cannot be meant so, and what is said of each."""


@pytest.mark.sampled(10)
@pytest.mark.parametrize("lines", BAD)
def test_doctor_and_the_start_say_the_same_of_a_bad_setting_with_its_file_and_line(
    lines: str, ludoteca: Ludoteca, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEB_PORT", raising=False)
    # Nothing starts, whatever is said before: this database cannot be made.
    nowhere = "" if "DATABASE_URL" in lines else "DATABASE_URL=sqlite+aiosqlite:////none/such/x.db"
    (tmp_path / ".env").write_text(f"# ours\n\n{lines}\n{nowhere}\n")
    start = ludoteca(tmp_path, WEB_PORT=None)
    assert start.returncode == 2
    doctor = ludoteca(tmp_path, "doctor", "--json", WEB_PORT=None)
    if doctor.returncode == 2:  # a setting that cannot even be read
        said = [doctor.stderr.strip()]
        assert start.stderr == doctor.stderr
    else:
        found = json.loads(doctor.stdout)
        said = [one["text"] for one in found if one["check"] == "settings"]
        assert all(one in start.stderr for one in said), start.stderr
    (told,) = said
    name = re.search("[A-Z_]{7,}", lines)
    assert name
    assert BAD[lines] in told
    assert name[0] in told
    if not lines.startswith(("WEB_HOST", "WEB_LAN_HOST")):  # whose value is named
        assert ".env, line 3" in told


def test_a_port_of_another_program_is_told_in_the_same_words_by_both(
    ludoteca: Ludoteca, tmp_path: Path
) -> None:
    with answering(404, b"") as taken:
        doctor = ludoteca(tmp_path, "doctor", "--quiet", HEALTH_PORT=str(taken))
        start = ludoteca(tmp_path, HEALTH_PORT=str(taken))
    said = one_sentence(start, 2)
    assert f"{taken} of HEALTH_PORT (environment) is taken by another program" in said
    assert said in doctor.stdout


def test_what_is_wrong_is_said_in_the_language_of_the_operator(
    ludoteca: Ludoteca, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("COMPUTERS=0\nLOG_FORMAT=xml\n")
    done = ludoteca(tmp_path, "doctor", LANG="es_ES.UTF-8")
    assert done.stderr.splitlines() == [
        "COMPUTERS (.env, línea 1) debe ser un número entero de 1 a 1024.",
        "LOG_FORMAT (.env, línea 2) debe ser plain o json.",
    ]


def test_doctor_ends_with_status_1_where_the_start_would_be_refused(
    ludoteca: Ludoteca, tmp_path: Path
) -> None:
    with answering(404, b"") as taken:
        done = ludoteca(tmp_path, "doctor", WEB_PORT=str(taken))
    assert done.returncode == 1
    assert "WEB_PORT" in done.stdout
