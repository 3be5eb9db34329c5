"""What ``ludoteca doctor`` checks on the machine: all that a start checks, and the public page."""

from __future__ import annotations

import asyncio
import errno
import http.client
import os
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

from bot.app.monitoring import HOST
from bot.app.runner import refuse_backup_settings
from bot.app.settings import BadSettings, Settings
from storage import Finding

ANSWER_SECONDS = 10.0
"""The seconds that the public address may take to answer."""

ICON = "/static/icon.svg"
"""A file of the page that needs no cookie."""

BEHIND = (502, 503, 504)
"""What proxies answer when nobody listens behind them."""


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


async def check_start(settings: Settings) -> list[Finding]:
    """The findings on folders, ports and addresses; nothing is changed."""
    return await asyncio.to_thread(_check, settings)


def _check(settings: Settings) -> list[Finding]:
    found = []
    try:
        refuse_backup_settings(settings)
    except BadSettings as wrong:
        found.append(Finding("copies", "error", str(wrong)))
    if (wrong_address := _address_refused(settings)) is not None:
        found.append(wrong_address)
    ports = [*ports_of(settings)]
    runs = any(map(_is_ours, ports))
    found += [_port_finding(port, runs=runs) for port in ports]
    if settings.public_origin:
        found.append(_public(settings.public_origin, runs=runs))
    return found


def _address_refused(settings: Settings) -> Finding | None:
    """The refusal of the addresses of the page, by the check of its start."""
    from bot.chats.web.doors.origins import Origins
    from bot.facade import ChatError

    try:
        Origins(
            settings.web_host,
            settings.public_origin,
            settings.web_lan_host,
            settings.web_port,
            settings.trusted_proxies,
        )
    except ChatError as wrong:
        return Finding("page", "error", str(wrong))
    return None


def ports_of(settings: Settings) -> Iterator[ListeningPort]:
    """The ports that the start will listen on; those that the system chooses are left out."""
    # Where proxies elsewhere are trusted, it answers to its public name alone.
    named = settings.public_origin.partition("://")[2] if settings.web_trusted_proxy else ""
    if settings.web_port:
        hosts = {"WEB_PORT": settings.web_host, "WEB_LAN_HOST": settings.web_lan_host}
        for setting, host in hosts.items():
            if host:
                yield ListeningPort(setting, host, settings.web_port, ICON, b"<svg", named)
    if settings.health_port is not None:
        yield ListeningPort("HEALTH_PORT", HOST, settings.health_port, "/healthz", b"\n")
    if settings.metrics_port is not None:
        host, port = str(settings.metrics_host), settings.metrics_port
        yield ListeningPort("METRICS_PORT", host, port, "/metrics", b"ludoteca_")
    if settings.telegram_webhook_url is not None and settings.telegram_webhook_port:
        host, port = settings.webhook_host, settings.telegram_webhook_port
        yield ListeningPort("TELEGRAM_WEBHOOK_PORT", host, port)


def _port_finding(port: ListeningPort, *, runs: bool) -> Finding:
    """Whether *port* is free, or belongs to a bot that *runs*."""
    where = f"{port.host}:{port.port} ({port.setting})"
    try:
        family = socket.AF_INET6 if ":" in port.host else socket.AF_INET
        socket.create_server((port.host, port.port), family=family).close()
    except OSError as wrong:
        if wrong.errno != errno.EADDRINUSE:
            why = os.strerror(wrong.errno) if wrong.errno else str(wrong)
            return Finding("port", "error", f"Nobody can listen on {where}: {why}.")
        if _is_ours(port) or (runs and not port.path):
            return Finding("port", "fine", f"The port {where} is in use by a bot that runs.")
        text = f"The port {where} is taken by another program; stop it, or set another."
        return Finding("port", "error", text)
    return Finding("port", "fine", f"The port {where} is free.")


def _is_ours(port: ListeningPort) -> bool:
    """Whether a bot answers on *port*."""
    if not port.path:
        return False
    asking = http.client.HTTPConnection(port.host, port.port, timeout=ANSWER_SECONDS)
    try:
        asking.request("GET", port.path, headers={"Host": port.named} if port.named else {})
        answer = asking.getresponse()
        return answer.status in (200, 503) and port.sign in answer.read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asking.close()


def _public(origin: str, *, runs: bool) -> Finding:
    """Whether the proxy at *origin* answers, and with our page where the bot *runs*."""
    try:
        with urllib.request.urlopen(f"{origin}{ICON}", timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - https, by the settings
            body = answer.read()
    except urllib.error.HTTPError as wrong:
        wrong.close()
        if wrong.code in BEHIND and not runs:
            text = f"The proxy at {origin} answers; behind it the bot does not run yet."
            return Finding("public", "fine", text)
        text = f"{origin}{ICON} answers {wrong.code} instead of our icon: look at the proxy."
        return Finding("public", "error", text)
    except (OSError, http.client.HTTPException) as wrong:
        why = getattr(wrong, "reason", None) or wrong
        text = f"Nobody answers at {origin} (WEB_PUBLIC_URL): {why}."
        return Finding("public", "error", text)
    if b"<svg" not in body:
        text = f"{origin}{ICON} answers, but not with our icon: another program is there."
        return Finding("public", "error", text)
    return Finding("public", "fine", f"The page is reached at {origin}.")
