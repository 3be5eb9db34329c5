"""The metrics of the bot, for ``/metrics``. None names a person or a place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from hashlib import blake2s
from time import perf_counter

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

_histogram = partial(Histogram, registry=REGISTRY)
_counter = partial(Counter, registry=REGISTRY)
_gauge = partial(Gauge, registry=REGISTRY)

_QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_SLOW = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)

ANSWERS = _histogram(
    "ludoteca_answer_seconds",
    "From the arrival of a press or command to the decision on it.",
    ("platform", "kind"),
    buckets=_QUICK,
)
FAILURES = _counter(
    "ludoteca_failures",
    "Presses and commands that a fault of ours, or of the database, has spoilt.",
    ("platform", "kind"),
)
BOARDS = _histogram(
    "ludoteca_board_seconds",
    "What showing a board takes, its waiting for the pace of the place included.",
    ("platform",),
    buckets=_SLOW,
)
PATIENCE = _counter(
    "ludoteca_patience", "How often a platform asked for patience (429).", ("platform",)
)
UNSHOWN = _counter(
    "ludoteca_unshown", "Boards that could not be shown, and are tried again.", ("platform",)
)
THOUGHTS = _histogram(
    "ludoteca_thought_seconds",
    "What a computer player needed for an answer, its waiting included.",
    ("game", "task"),
    buckets=_SLOW,
)
GLANCES = _counter(
    "ludoteca_glances", "Moves found at a glance because no worker answered.", ("game",)
)
TRANSACTIONS = _histogram(
    "ludoteca_transaction_seconds",
    "A transaction, its waiting for its turn included.",
    ("kind",),
    buckets=_QUICK,
)
TABLES = _gauge("ludoteca_tables", "Tables that live.", ("game", "status"))
OWED = _gauge("ludoteca_boards_owed", "Boards that wait to be shown.")
CONNECTED = _gauge(
    "ludoteca_connected",
    "Whether a chat that this process is to keep connected takes presses.",
    ("platform",),
)
HELD = _gauge(
    "ludoteca_lease_held", "Whether this process does what one of them does for all.", ("lease",)
)
BUILD = _gauge(
    "ludoteca_build_info",
    "Always 1: which release runs, on which schema and Python.",
    ("version", "schema", "python"),
)
REACHED = _gauge("ludoteca_database_reached", "Whether the database answers.")
NEWS_QUEUE = _gauge(
    "ludoteca_news_queue", "The part of PostgreSQL's NOTIFY queue that is filled, between 0 and 1."
)
COPIED = _gauge(
    "ludoteca_copy_timestamp_seconds",
    "When the newest copy in BACKUP_DIR was begun, in seconds since 1970; 0 without a copy.",
)
COPY_FAILED = _gauge("ludoteca_copy_failed", "Whether the last copy could not be made.")
DISK_FREE = _gauge(
    "ludoteca_disk_free_bytes",
    "Free on the disk of the database, of the copies, of the folder we run in.",
    ("disk",),
)
SET_ASIDE = _gauge(
    "ludoteca_set_aside",
    "Updates that failed every time, and tables that cannot be read.",
    ("what",),
)
MEMORY = _gauge(
    "ludoteca_memory_bytes",
    "What this process and its workers have in memory, shared pages counted once.",
)
MEMORY_LIMIT = _gauge(
    "ludoteca_memory_limit_bytes", "What the control group may use; 0 without a limit."
)
SESSIONS = _gauge(
    "ludoteca_session_starts_remaining",
    "How many more sessions (IDENTIFY) the platform lets begin, as it told this process last.",
    ("platform",),
)
LAG = _gauge("ludoteca_loop_lag_seconds", "How late the event loop last was.")


_followed: ContextVar[str] = ContextVar("followed", default="")


@contextmanager
def follow_update(update: str) -> Iterator[None]:
    """Log all that *update* causes under a hash: an update id may identify a person."""
    before = _followed.set(blake2s(update.encode(), digest_size=5).hexdigest())
    try:
        yield
    finally:
        _followed.reset(before)


def tracing() -> str:
    """The log name of the update being handled, or an empty string."""
    return _followed.get()


@contextmanager
def timing(histogram: Histogram, *labels: str) -> Iterator[None]:
    """Observe the duration of the block, also where it raises."""
    begun = perf_counter()
    try:
        yield
    finally:
        histogram.labels(*labels).observe(perf_counter() - begun)


def exposed() -> bytes:
    """All metrics in the text format of Prometheus."""
    return generate_latest(REGISTRY)
