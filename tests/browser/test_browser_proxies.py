"""The public address, through the very proxies that docs/public.md shows, with TLS on loopback."""

from __future__ import annotations

import datetime
import http.client
import ipaddress
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.drives.browsing import (
    Program,
    browser_of,
    come_in,
    free_port,
    invited,
    open_table,
    played,
    press,
    started,
    to_move,
    until,
)

NAME = "play.localhost"
"""A name that every browser takes for this machine, as it stands."""

SHOWN = (Path(__file__).resolve().parents[2] / "docs" / "public.md").read_text(encoding="utf-8")


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of NAME that is signed by nobody else, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=7))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert, secret = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert, secret


def shown(proxy: str) -> str:
    """What docs/public.md shows for *proxy*."""
    return re.search(rf"\*\*{proxy}\*\*.*?```\n(.*?)```", SHOWN, re.DOTALL)[1]


def nginx(folder: Path, port: int, inner: int) -> list[str]:
    """The command that runs nginx as the page shows it."""
    cert, key = certificate(folder)
    block = shown("nginx").replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    block = block.replace("play.example.org;", f"{NAME};").replace("8765", str(inner))
    block = re.sub(r"/etc/\S+fullchain\.pem", str(cert), block)
    block = re.sub(r"/etc/\S+privkey\.pem", str(key), block)
    kept = "\n".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    conf = folder / "nginx.conf"
    conf.write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log stderr;\nevents {{}}\n"
        f"http {{\n{kept}\n{block}}}\n"
    )
    return ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(conf)]


def caddy(folder: Path, port: int, inner: int) -> list[str]:
    """The command that runs Caddy as the page shows it, with our certificate for one it fetches."""
    cert, key = certificate(folder)
    block = shown("Caddy").replace("8765", str(inner))
    block = block.replace(
        "play.example.org {", f"https://{NAME}:{port} {{\n\tbind 127.0.0.1\n\ttls {cert} {key}"
    )
    conf = folder / "Caddyfile"
    conf.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{block}")
    return ["caddy", "run", "--config", str(conf), "--adapter", "caddyfile"]


@dataclass
class Outside:
    """The program behind a proxy: the *port* of the proxy, and how it is reached."""

    program: Program
    port: int

    @property
    def origin(self) -> str:
        return f"https://{NAME}:{self.port}"

    def ask(self, path: str, **headers: str) -> tuple[int, str]:
        """The status and body of what is asked of the proxy by hand."""
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        line = http.client.HTTPSConnection(NAME, self.port, timeout=60)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        line.sock = trust.wrap_socket(plain, server_hostname=NAME)
        line.request("GET", path, headers={"Host": f"{NAME}:{self.port}", **headers})
        answer = line.getresponse()
        said = answer.read().decode(errors="replace")
        line.close()
        return answer.status, said


@pytest.fixture(params=[nginx, caddy], ids=lambda proxy: proxy.__name__)
def outside(request, tmp_path: Path) -> Iterator[Outside]:
    proxy: Callable[[Path, int, int], list[str]] = request.param
    if shutil.which(proxy.__name__) is None:
        pytest.skip(f"there is no {proxy.__name__} on this machine")
    port = free_port()
    program = Program(tmp_path, settings={"WEB_PUBLIC_URL": f"https://{NAME}:{port}"})
    folder = tmp_path / "proxy"
    folder.mkdir()
    with (folder / "log.txt").open("w") as log:
        command = proxy(folder, port, program.port)
        running = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        program.start()
        listens(port, running)
        yield Outside(program, port)
        assert program.stop() == 0, program.log()
        assert "Traceback" not in program.log()
    finally:
        running.terminate()
        running.wait(30)


def listens(port: int, running: subprocess.Popen[bytes]) -> None:
    """Wait until something listens on *port*, as long as that which shall do so runs."""
    while running.poll() is None:
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"the proxy ended with {running.returncode}")


@pytest.fixture(scope="module")
def chromium():
    with started("--ignore-certificate-errors") as browser:
        yield browser


@pytest.mark.slow
def test_two_devices_play_by_tls_and_a_lost_one_is_out_at_once(outside, chromium):
    with (
        browser_of(chromium) as desk,
        browser_of(chromium, viewport={"width": 390, "height": 844}, has_touch=True) as phone,
        browser_of(chromium) as friend,
    ):
        page = come_in(desk, outside.program.address, "Nerea")
        assert page.url.startswith(f"{outside.origin}/p/")
        names = {cookie["name"].partition("-ludoteca")[0]: cookie for cookie in desk.cookies()}
        assert set(names) == {"__Host"}
        assert all(cookie["secure"] and cookie["httpOnly"] for cookie in desk.cookies())
        page.click("a[data-place=settings]:visible")
        page.click("#devices >> text=En otro navegador")
        back = page.input_value("input.link")
        assert back.startswith(f"{outside.origin}/b/")
        same = phone.new_page()
        sockets: list[str] = []
        same.on("websocket", lambda one: sockets.append(one.url))
        same.goto(back)
        same.wait_for_selector("#games")
        assert sockets
        assert all(url.startswith(f"wss://{NAME}:{outside.port}/p/") for url in sockets)
        open_table(page)
        other = invited(page, friend, "Bruno")
        for _ in range(2):
            mover = to_move(page, other)
            press(mover)
            played(mover)
        until(same, "[...document.querySelectorAll('#tables .t')].length === 1")
        page.click("#new")
        page.click("a[data-place=settings]:visible")
        page.click("#devices >> text=Cerrar todos los demás")
        same.wait_for_selector("body.lobby")
        assert not same.query_selector("#board")
        same.goto(page.url)
        assert same.query_selector("body.lobby")
        assert page.query_selector("#board")


def test_other_names_other_pages_and_other_ways_are_refused(outside):
    here = f"http://127.0.0.1:{outside.program.port}"
    assert outside.ask("/static/page.js")[0] == 200
    for host in ("evil.example", f"127.0.0.1:{outside.program.port}", f"{NAME}:1"):
        status, said = outside.ask("/static/page.js", Host=host)
        # Caddy itself answers nothing to names that are not its own.
        assert status == 421 or (status, said) == (200, ""), host
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    for origin in ("https://evil.example", here, f"http://{NAME}:{outside.port}", "null"):
        status, _ = outside.ask(f"/p/{'0' * 32}/socket", Origin=origin, **upgrade, **key)
        assert status == 403, origin
    status, _ = outside.ask(f"/p/{'0' * 32}/socket", Origin=outside.origin, **upgrade, **key)
    assert status == 401, "the right page, but nobody's"


def test_what_a_stranger_says_of_where_he_comes_from_is_not_passed_on(outside):
    # Were he believed, he would be led from the address that he says is not encrypted.
    assert outside.ask("/static/page.js", **{"X-Forwarded-Proto": "http"})[0] == 200


def at_home() -> str:
    """A private address of this machine, or nothing."""
    for addresses in psutil.net_if_addrs().values():
        for one in addresses:
            if one.family is socket.AF_INET:
                address = ipaddress.ip_address(one.address)
                if address.is_private and not address.is_loopback:
                    return one.address
    return ""


@pytest.mark.slow
def test_the_network_at_home_comes_by_its_own_address_and_passes_nothing_on(tmp_path, chromium):
    home = at_home()
    if not home:
        pytest.skip("this machine has no private address")
    public = f"https://{NAME}"
    program = Program(tmp_path, settings={"WEB_PUBLIC_URL": public, "WEB_LAN_HOST": home})
    program.start()
    try:
        assert "without encryption" in program.log()
        passed_on = {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "https"}
        line = http.client.HTTPConnection(home, program.port, timeout=60)
        for host, status in ((f"{home}:{program.port}", 200), (NAME, 421), ("evil.example", 421)):
            line.request("GET", "/static/page.js", headers={**passed_on, "Host": host})
            answer = line.getresponse()
            answer.read()
            assert answer.status == status, host
        line.close()
        with browser_of(chromium) as context:
            there = program.address.replace(public, f"http://{home}:{program.port}")
            page = come_in(context, there, "Nerea")
            until(page, "document.body.innerText.includes('Esta página va sin cifrar')")
            open_table(page, "/jugar niya ordenador nivel=1")
            press(to_move(page))
    finally:
        assert program.stop() == 0, program.log()


def test_the_operators_page_is_closed_to_strangers_and_to_a_proxy_of_a_public_page(outside):
    for path in ("/operator/", "/operator/?once=guess"):
        assert outside.ask(path)[0] == 404
    assert "/operator/" not in "".join(printed(outside.program))


def printed(program: Program) -> list[str]:
    """The lines that the program has printed since its first one, as far as they are there."""
    assert program.child is not None
    assert program.child.stdout is not None
    os.set_blocking(program.child.stdout.fileno(), False)
    return list(program.child.stdout)


@pytest.mark.parametrize(
    "told",
    [
        "",
        "proxy_http_version 1.1;\nproxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_http_version 1.1;\nproxy_set_header X-Real-IP $remote_addr;",
        'proxy_http_version 1.1;\nproxy_set_header Forwarded "for=$remote_addr";',
    ],
    ids=["nothing", "forwarded-for", "real-ip", "forwarded"],
)
def test_a_proxy_that_nobody_set_up_for_us_opens_no_operators_page(tmp_path, told):
    if shutil.which("nginx") is None:
        pytest.skip("there is no nginx on this machine")
    program, port, folder = Program(tmp_path), free_port(), tmp_path / "proxy"
    folder.mkdir()
    kept = "\n".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    conf = folder / "nginx.conf"
    conf.write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log stderr;\nevents {{}}\nhttp {{\n{kept}\n"
        f"server {{\nlisten 127.0.0.1:{port};\naccess_log off;\nlocation / {{\n"
        f"proxy_pass http://127.0.0.1:{program.port};\n{told}\n}}\n}}\n}}\n"
    )
    command = ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(conf)]
    with (folder / "log.txt").open("w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        program.start()
        listens(port, running)
        address = operator_address(program)
        path = address.removeprefix(f"http://127.0.0.1:{program.port}")
        # Unless it is told otherwise, nginx asks by the name of this machine, as browsers here do.
        assert status_of(port, path) in (404, 421)
        assert status_of(port, "/operator/") in (404, 421)
        assert status_of(program.port, path) == 200, "the address is unspent"
        assert status_of(program.port, path) == 410
        assert program.stop() == 0, program.log()
        assert "Traceback" not in program.log()
    finally:
        running.terminate()
        running.wait(30)


def operator_address(program: Program) -> str:
    """The address that the program prints for whoever runs it."""
    assert program.child is not None
    assert program.child.stdout is not None
    for line in program.child.stdout:
        if "/operator/" in line:
            return line.split()[-1]
    raise AssertionError(program.log())


def status_of(port: int, path: str) -> int:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", path)
    status = line.getresponse().status
    line.close()
    return status
