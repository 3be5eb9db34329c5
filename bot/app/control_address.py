"""Where the control socket of a bot stands, by the address of its database."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from bot.app.database_paths import database_file, folder_of

_LONGEST = 100
"""The bytes of an address that every system takes (sun_path has 104 on some)."""


def socket_beside(url: str) -> Path | None:
    """A name for the socket of a process on the database at *url*; ``None`` of one in memory."""
    file = database_file(url)
    if file is not None:
        file = file.resolve()
        return file.with_name(f"{file.name}.sock")
    if url.startswith("sqlite"):
        return None
    return folder_of(url).resolve() / f"{_server_name(url)}{secrets.token_hex(4)}.sock"


def sockets_of(url: str) -> tuple[Path, ...]:
    """The sockets that stand there for the database at *url*, dead ones too."""
    path = socket_beside(url)
    if path is None:
        return ()
    if database_file(url) is not None:
        found = [path] if path.exists() else []
    else:
        found = sorted(path.parent.glob(f"{_server_name(url)}*.sock"))
    return tuple(one for one in found if stat.S_ISSOCK(one.lstat().st_mode))


def _server_name(url: str) -> str:
    """The beginning of the names of all sockets for the server's database at *url*."""
    return f"ludoteca-{sha256(url.encode()).hexdigest()[:8]}-"


@contextmanager
def short_address(path: Path) -> Iterator[str]:
    """An address of *path* that is short enough: a folder's name may be longer than a socket's."""
    if len(os.fsencode(path)) <= _LONGEST or not Path("/proc/self/fd").is_dir():
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
