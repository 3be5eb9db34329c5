"""The errors of the browser chat."""

from __future__ import annotations

from bot.port import ChatError


class NotLoopback(ChatError):
    """The address to listen on can be reached from elsewhere."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"WEB_HOST={host} is not an address of this machine alone; use 127.0.0.1, and let "
            "others in by WEB_PUBLIC_URL (and WEB_TRUSTED_PROXY for a proxy elsewhere)."
        )


class NotHome(ChatError):
    """The address to listen on is none of a network at home."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"WEB_LAN_HOST={host} is no address of a private network, such as 192.168.1.20; let "
            "others in by WEB_PUBLIC_URL (and WEB_TRUSTED_PROXY for a proxy elsewhere)."
        )


class PortBusy(ChatError):
    """Another program listens on the port."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"The port {port} of {host} is taken by another program; stop it, or set WEB_PORT "
            "(0 takes a free one)."
        )


class CannotListen(ChatError):
    """The system does not let us listen there."""

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(f"The browser chat cannot listen on {host}:{port}: {why}.")
