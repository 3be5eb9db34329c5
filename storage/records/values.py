"""What all records share: instants, JSON and the words of states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
Status: TypeAlias = Literal["open", "playing", "ended", "closed"]
InboxState: TypeAlias = Literal["pending", "done", "aside"]
