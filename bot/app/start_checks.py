"""What a start checks before it begins, and ``ludoteca doctor`` with it: settings and ports."""

from __future__ import annotations

import asyncio
import errno
import http.client
import itertools
import os
import shutil
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from bot.app.monitoring import HOST
from bot.app.settings import Settings, lines_of_env, with_place
from bot.app.shell_texts import from_below, shell_sentence
from storage import Finding
from storage.doctor import Level
from storage.errors import UnsupportedDatabase
from storage.store import backend_at

NEEDS: Mapping[str, tuple[str, ...]] = {
    "discord_client_secret": ("discord_token", "web_public_url"),
    "discord_shards": ("discord_token",),
    "telegram_api_url": ("telegram_token",),
    "telegram_client_secret": ("telegram_token", "web_public_url"),
    "telegram_store_chat": ("telegram_token",),
    "telegram_webhook_secret": ("telegram_webhook_url",),
    "telegram_webhook_url": ("telegram_token",),
    "web_open_house": ("web_public_url",),
    "web_trusted_proxy": ("web_public_url",),
}
"""The settings that do nothing without others."""

ALIKE = 0.85
"""How like a setting a name must be to be taken for a slip of the pen (``difflib``)."""

ANSWER_SECONDS = 10.0
"""The seconds that the public address may take to answer."""

ICON = "/static/icon.svg"
"""A file of the page that needs no cookie."""

BEHIND = (502, 503, 504)
"""What proxies answer when nobody listens behind them."""


EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on
"""The hosts that stand for every address of the machine."""


@dataclass(frozen=True)
class ListeningPort:
    """A port that the start will listen on: its setting, and a *path* by which we are known."""

    setting: str
    host: str
    port: int
    path: str = ""
    sign: bytes = b""
    """What our answer on *path* holds."""
    named: str = ""
    """The Host that we are asked by, where that is not the address."""


async def check_machine(settings: Settings) -> list[Finding]:
    """All findings on settings, ports and the public page; nothing is changed."""
    return await asyncio.to_thread(lambda: [*check_start(settings), *_check_page(settings)])


def check_start(settings: Settings) -> Iterator[Finding]:
    """The findings on settings and ports: with an error among them the start is refused."""
    yield from check_settings(settings)
    ports = [*ports_of(settings)]
    runs = any(map(_is_ours, ports))
    yield from (_port_finding(port, runs=runs) for port in ports)


def check_settings(settings: Settings) -> Iterator[Finding]:
    """What is wrong with settings that can be read one by one: each names where it stands."""
    yield from (Finding("settings", "error", text) for text in _refusals(settings))
    yield from (Finding("settings", "warning", text) for text in (*_slips(), *_doubts(settings)))


def _refusals(settings: Settings) -> Iterator[str]:
    """Why nothing can be started with *settings*."""
    from bot.chats.web.doors.origins import Origins
    from bot.facade import ChatError

    try:
        backend_at(settings.database_url)
    except UnsupportedDatabase as wrong:
        yield f"{with_place('DATABASE_URL')}: {from_below(str(wrong))}"
    if (folder := settings.backup_dir) is not None:
        about = {"setting": with_place("BACKUP_DIR"), "folder": folder}
        if settings.database_url.startswith("postgresql"):
            yield shell_sentence("copies-of-a-server", **about)
        elif not folder.is_dir():
            yield shell_sentence("no-folder", **about)
        elif not os.access(folder, os.W_OK | os.X_OK):
            yield shell_sentence("folder-not-written", **about)
    for one, other in itertools.combinations(ports_of(settings), 2):
        hosts = {one.host, other.host}
        if one.port == other.port and (len(hosts) == 1 or hosts & EVERYWHERE):
            both = {"one": with_place(one.setting), "other": with_place(other.setting)}
            yield shell_sentence("one-port", **both, port=one.port)
    origins = (settings.public_origin, settings.web_lan_host, settings.web_port)
    try:
        Origins(settings.web_host, *origins, settings.trusted_proxies)
    except ChatError as wrong:
        yield from_below(f"{wrong}")


def _slips() -> Iterator[str]:
    """Lines of ``.env`` that set nothing, and names that are nearly a setting's."""
    known = [name.upper() for name in Settings.model_fields]
    for line in lines_of_env():
        if not line.sets:
            word = line.name if line.name in known else "NAME"
            yield shell_sentence("no-value-in-line", line=line.number, setting=word)
    names = {*(line.name for line in lines_of_env() if line.sets), *map(str.upper, os.environ)}
    for name in sorted(names.difference(known)):
        for meant in get_close_matches(name, known, 1, ALIKE):
            yield shell_sentence("no-setting", setting=with_place(name), meant=meant)


def _doubts(settings: Settings) -> Iterator[str]:
    """What does not hinder the start, and is hardly meant so."""
    for name, needed in () if settings.is_demo else NEEDS.items():
        if getattr(settings, name) != Settings.model_fields[name].default:
            yield from _lack(settings, name, needed, "needs")
    for platform in filter(None, settings.web_sign_in.split(",")):
        needed = ("web_public_url", f"{platform}_token", f"{platform}_client_secret")
        yield from _lack(settings, "web_sign_in", needed, "door-needs", platform=platform)
    for person in filter(None, settings.operators.split(",")):
        platform = person.partition(":")[0]
        if platform not in settings.web_sign_in.split(","):
            about = {"setting": with_place("OPERATORS"), "person": person, "platform": platform}
            yield shell_sentence("no-way-in", **about)
    for folder in filter(None, settings.ludoteca_texts.split(os.pathsep)):
        if not Path(folder).is_dir():
            yield shell_sentence("no-folder", setting=with_place("LUDOTECA_TEXTS"), folder=folder)
    engine = settings.shogi_engine
    if engine is not None and shutil.which(engine) is None:
        yield shell_sentence("no-engine", setting=with_place("SHOGI_ENGINE"), engine=engine)


def _lack(
    settings: Settings, name: str, needed: tuple[str, ...], key: str, **words: str
) -> Iterator[str]:
    """What setting *name* does not do while any of the *needed* ones is not set, as *key* says."""
    if lacking := [one.upper() for one in needed if getattr(settings, one) is None]:
        yield shell_sentence(
            key, setting=with_place(name.upper()), lacking=", ".join(lacking), **words
        )


def ports_of(settings: Settings) -> Iterator[ListeningPort]:
    """The ports that the start will listen on; those that the system chooses are left out."""
    # Where proxies elsewhere are trusted, it answers to its public name alone.
    named = settings.public_origin.partition("://")[2] if settings.web_trusted_proxy else ""
    if settings.web_port:
        hosts = {"WEB_PORT": settings.web_host, "WEB_LAN_HOST": settings.web_lan_host}
        for setting, host in hosts.items():
            if host:
                host = "127.0.0.1" if host == "localhost" else host
                yield ListeningPort(setting, host, settings.web_port, ICON, b"<svg", named)
    if settings.health_port is not None:
        yield ListeningPort("HEALTH_PORT", HOST, settings.health_port, "/healthz", b"\n")
    if settings.metrics_port is not None:
        host, port = str(settings.metrics_host), settings.metrics_port
        yield ListeningPort("METRICS_PORT", host, port, "/metrics", b"ludoteca_")
    hooked = settings.telegram_token is not None and settings.telegram_webhook_url is not None
    if hooked and settings.telegram_webhook_port:
        host, port = settings.webhook_host, settings.telegram_webhook_port
        yield ListeningPort("TELEGRAM_WEBHOOK_PORT", host, port)


def _port_finding(port: ListeningPort, *, runs: bool) -> Finding:
    """Whether *port* is free, or belongs to a bot that *runs*."""
    about = {"setting": with_place(port.setting), "host": port.host, "port": port.port}
    try:
        family = socket.AF_INET6 if ":" in port.host else socket.AF_INET
        socket.create_server((port.host, port.port), family=family).close()
    except OSError as wrong:
        if wrong.errno != errno.EADDRINUSE:
            why = os.strerror(wrong.errno) if wrong.errno else str(wrong)
            return Finding("port", "error", shell_sentence("port-refused", why=why, **about))
        if _is_ours(port) or (runs and not port.path):
            return Finding("port", "fine", shell_sentence("port-ours", **about))
        return Finding("port", "error", shell_sentence("port-taken", **about))
    return Finding("port", "fine", shell_sentence("port-free", **about))


def _is_ours(port: ListeningPort) -> bool:
    """Whether a bot answers on *port*."""
    if not port.path:
        return False
    asking = http.client.HTTPConnection(port.host, port.port, timeout=ANSWER_SECONDS)
    with closing(asking), suppress(OSError, http.client.HTTPException):
        asking.request("GET", port.path, headers={"Host": port.named} if port.named else {})
        answer = asking.getresponse()
        return answer.status in (200, 503) and port.sign in answer.read()
    return False


def _check_page(settings: Settings) -> Iterator[Finding]:
    """Whether the proxy of the public page answers, and with our page where the bot runs."""
    if not (origin := settings.public_origin):
        return
    level: Level = "error"
    try:
        with urllib.request.urlopen(f"{origin}{ICON}", timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - https, by the settings
            text = f"{origin}{ICON} answers, but not with our icon: another program is there."
            if b"<svg" in answer.read():
                level, text = "fine", f"The page is reached at {origin}."
    except urllib.error.HTTPError as wrong:
        wrong.close()
        text = f"{origin}{ICON} answers {wrong.code} instead of our icon: look at the proxy."
        if wrong.code in BEHIND and not any(map(_is_ours, ports_of(settings))):
            text = f"The proxy at {origin} answers; behind it the bot does not run yet."
            level = "fine"
    except (OSError, http.client.HTTPException) as wrong:
        why = getattr(wrong, "reason", None) or wrong
        text = f"Nobody answers at {origin} (WEB_PUBLIC_URL): {why}."
    yield Finding("public", level, text)
