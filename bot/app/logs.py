"""The log: what a line looks like, what it never shows, and what is not said twice."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from typing import TypeAlias

from cachetools import LRUCache
from pydantic import SecretStr

from bot.app.settings import Settings
from bot.runtime.caches import remembering
from bot.runtime.metrics import tracing
from bot.runtime.rate_limiter import Limiters, Window
from storage import StorageError
from storage.database.availability import SaidOnce

ExceptionInfo: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)

KINDS = 256
"""Of how many kinds of lines it is remembered how often they were written."""

MOST_LINES = ((20, 60.0),)
"""How many lines of a kind are written, in so many seconds."""


class Redacted(logging.Formatter):
    """Log lines without secrets and people, plain or as one JSON object a line.

    Of an exception its class is written and where it was raised. Only what a ``StorageError`` says
    is written as well, a sentence for the operator: any other may repeat what somebody wrote.
    """

    def __init__(self, secrets: Sequence[str], form: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = [secret for secret in secrets if secret]
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """The line, with three stars for each secret."""
        line = super().format(record) if self._form != "json" else self._object(record)
        for secret in self._secrets:
            line = line.replace(secret, "***")
        # A Telegram token stands in the address of every call.
        return re.sub(r"(?<!\d)\d{6,}:[A-Za-z0-9_-]{30,}", "***", line)

    def _object(self, record: logging.LogRecord) -> str:
        """The line as an object; a traceback has a field of its own."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        record.message, record.asctime = record.getMessage(), self.formatTime(record)
        told = {"at": at, "level": record.levelname, "from": record.name, "press": tracing()}
        told["line"] = self.formatMessage(record)
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802 (the name of logging)
        """The traceback of an exception and of what led to it, without what they say."""
        return "\n".join(_trace(ei[1])).rstrip()


def _trace(wrong: BaseException | None) -> Iterator[str]:
    if wrong is None:
        return
    cause = wrong.__cause__ or (None if wrong.__suppress_context__ else wrong.__context__)
    yield from _trace(cause)
    lines = traceback.format_tb(wrong.__traceback__)
    yield "".join(["Traceback (most recent call last):\n", *lines])
    said = f": {wrong}" if isinstance(wrong, StorageError) else ""
    yield f"{type(wrong).__module__}.{type(wrong).__qualname__}{said}\n"
    for one in wrong.exceptions if isinstance(wrong, BaseExceptionGroup) else ():
        yield from _trace(one)


@dataclass
class RatedLines(logging.Filter):
    """Passes ``MOST_LINES`` lines of a kind in a minute, with the number of those left out.

    What strangers do may be told by a line or a traceback each; a kind is the same sentence.
    """

    clock: Callable[[], float] = monotonic
    windows: tuple[Window, ...] = MOST_LINES
    _kinds: Limiters[str] = field(init=False)
    _left_out: LRUCache[str, int] = remembering(KINDS)

    def __post_init__(self) -> None:
        self._kinds = Limiters(KINDS, self.clock)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether *record* is written."""
        said = str(record.msg)
        kind = said[:60]
        if not self._kinds.at(kind, self.windows).take():
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        more = self._left_out.pop(kind, 0)
        if more:
            record.msg = f"{said} (and {more} more like this)"
        return True


@dataclass
class OneASecond(RatedLines):
    """Passes lines with the same beginning once a second.

    Nothing is filled into them: it would be exceptions, requests and the addresses of people.
    """

    windows: tuple[Window, ...] = ((1, 1.0),)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether *record* is written."""
        record.msg, record.args = str(record.msg).partition("\n")[0], ()
        return super().filter(record)


def set_up_logs(settings: Settings) -> None:
    """Log to standard error; of libraries that log tokens only warnings are logged."""
    secrets = [one.get_secret_value() for _, one in settings if isinstance(one, SecretStr)]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacted(secrets, settings.log_format))
    handler.addFilter(SaidOnce())
    handler.addFilter(RatedLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for loud in ("httpx", "httpcore", "discord", "telegram", "aiohttp.access", "alembic"):
        logging.getLogger(loud).setLevel(logging.WARNING)
    sparing = OneASecond()
    for stormy in ("asyncio", "aiohttp.server"):
        logging.getLogger(stormy).addFilter(sparing)
