"""What the operator's commands ask of the bot that runs, and how they find it.

Nothing is imported here but the standard library, and of that little: a command is there at once.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from bot.app.output import STUMBLED, CommandError, say
from bot.app.shell_texts import shell_sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

DEFAULT_DATABASE = "sqlite+aiosqlite:///ludoteca.db"
"""The database where ``DATABASE_URL`` is not set."""

IN_MEMORY = "sqlite+aiosqlite:///:memory:"
"""A database that leaves no file behind."""

ACT_WORDS: Mapping[str, tuple[str, ...]] = {
    "forget": ("platform", "external"),
    "ban": ("platform", "external"),
    "invite": ("days", "count", "at"),
    "unban": ("platform", "external"),
    "announce": ("text", "hours"),
    "status": ("form",),
    "export": ("file", "platform", "place"),
    "import": ("file", "platform", "place"),
    "forget-imported": ("erased",),
    "add-puzzles": ("game", "puzzles"),
    "list-puzzles": ("game", "first", "count"),
    "judge-puzzles": ("game", "verdicts"),
}
"""The words that each of ``operator_acts.ACTS`` takes."""

_LONGEST = 100
"""The bytes of an address that every system takes (sun_path has 104 on some)."""

ANSWER_SECONDS = 300.0
"""Seconds in which the bot must have answered: who sits at many tables takes a while."""


class NoBotRuns(Exception):
    """No process listens for this database on this machine."""


def done_by_bot(asked: argparse.Namespace) -> bool:
    """Whether the bot that runs has done what is *asked*; false where none runs on the database.

    Raises ``CommandError`` with what it refuses, or where there is no database.
    """
    try:
        url = read_database_url()
    except (OSError, UnicodeDecodeError):
        return False  # the settings say what is wrong
    try:
        say(ask_bot(url, *act_of(asked)))
    except NoBotRuns:
        file = database_file(url)
        if file is not None and not file.exists():
            raise CommandError(f"There is no database {file.resolve()} yet.") from None
        return False
    return True


def act_of(asked: argparse.Namespace, at: str = "") -> tuple[str, dict[str, str]]:
    """The act that is *asked* for and its words, files as whole paths; *at* is the public page."""
    given = {**vars(asked), "at": at}
    act = "forget-imported" if given.get("erased") else asked.command
    words = {word: given[word] for word in ACT_WORDS[act]}
    return act, {w: str(v.resolve() if isinstance(v, Path) else v) for w, v in words.items()}


def read_database_url() -> str:
    """``DATABASE_URL`` as the settings have it, which are not read: that takes too long."""
    for name, value in os.environ.items():
        if name.upper() == "DATABASE_URL":
            return value if value.strip() else DEFAULT_DATABASE
    env = Path(".env")
    if env.is_file() and b"DATABASE_URL" in env.read_bytes().upper():
        from dotenv import dotenv_values

        named = {name.upper(): value for name, value in dotenv_values(env).items()}
        return (named.get("DATABASE_URL") or "").strip() or DEFAULT_DATABASE
    return DEFAULT_DATABASE


def database_file(url: str) -> Path | None:
    """The file of the database at *url*; ``None`` of one in memory or on a server."""
    kind, _, file = url.partition(":///")
    name = file.partition("?")[0]
    return Path(name) if kind.startswith("sqlite") and name not in ("", ":memory:") else None


def folder_of(url: str) -> Path:
    """The folder of the database at *url*; the present one for a database on a server."""
    file = database_file(url)
    return Path() if file is None else file.parent


def socket_beside(url: str) -> Path | None:
    """A name for the socket of a process on the database at *url*; ``None`` of one in memory."""
    file = database_file(url)
    if file is not None:
        file = file.resolve()
        return file.with_name(f"{file.name}.sock")
    if url.startswith("sqlite"):
        return None
    return folder_of(url).resolve() / f"{_server_name(url)}{os.urandom(4).hex()}.sock"


def sockets_of(url: str) -> tuple[Path, ...]:
    """The sockets that stand there for the database at *url*, dead ones too."""
    path = socket_beside(url)
    if path is None:
        return ()
    found = [path] if database_file(url) else path.parent.glob(f"{_server_name(url)}*.sock")
    return tuple(one for one in sorted(found) if one.is_socket())


def _server_name(url: str) -> str:
    """The beginning of the names of all sockets for the server's database at *url*."""
    from hashlib import sha256  # takes a while, and a file needs none

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


STATUS = "Exit-Status"
"""The header that holds the exit status of the command."""


def ask_bot(url: str, name: str, words: Mapping[str, str]) -> str:
    """What the bot that runs on the database at *url* says when it has done the act *name*.

    Raises ``NoBotRuns``, or ``CommandError`` with what it refuses.
    """
    for path in sockets_of(url):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(ANSWER_SECONDS)
            try:
                with short_address(path) as address:
                    line.connect(address)
            except (ConnectionRefusedError, FileNotFoundError):
                continue  # of a killed process
            except OSError as wrong:
                about = {"path": path, "why": wrong.strerror}
                raise CommandError(shell_sentence("bot-unreached", **about)) from None
            try:
                said, status = _post(line, name, urlencode(words).encode())
            except TimeoutError:
                silent = shell_sentence("bot-silent", seconds=f"{ANSWER_SECONDS:.0f}")
                raise CommandError(silent, STUMBLED) from None
            except (OSError, KeyError, ValueError):
                raise CommandError(shell_sentence("bot-ended"), STUMBLED) from None
        if status:
            raise CommandError(said, status)
        return said
    raise NoBotRuns


def _post(line: socket.socket, name: str, form: bytes) -> tuple[str, int]:
    """The answer to a *form* for the act *name*, and its status; raises for one that is not whole.

    ``http.client`` would do as much, and take longer to import than all else.
    """
    head = f"POST /{name} HTTP/1.0\r\nContent-Length: {len(form)}\r\n"
    kind = "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    line.sendall(f"{head}{kind}".encode() + form)
    told, _, said = b"".join(iter(partial(line.recv, 65536), b"")).partition(b"\r\n\r\n")
    fields = dict(re.findall(r"^([\w-]+): (\d+)\r?$", told.decode(), re.MULTILINE))
    if len(said) != int(fields["Content-Length"]):
        raise ValueError
    return said.decode(), int(fields[STATUS])
