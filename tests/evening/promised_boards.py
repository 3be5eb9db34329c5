"""What must hold of boards on their way to a place."""

from __future__ import annotations

from typing import Any

from tests.evening.wire import EDITS, SENDS, Call, patience_of

UNDER_WAY = 1.0
"""Seconds after which a call was made in the knowledge of what was answered before."""


class BoardPromises:
    """Hears of each call, and tells the promises of an evening."""

    def __init__(self, promises: Any) -> None:
        self.promises = promises
        self.waits: dict[str, tuple[float, float, object]] = {}
        """Since when and until when a chat of Telegram wants patience, and of which house."""
        promises.net.heard.append(lambda call, _: self._comes(call))
        promises.net.troubled.append(self._troubled)

    def _troubled(self, call: Call, what: str) -> None:
        now = self.promises.world.loop.now
        if call.of_telegram and call.line in SENDS + EDITS:
            self._comes(call)
            if seconds := patience_of(call, what):
                self.waits[call.place] = now, now + seconds, call.by

    def _comes(self, call: Call) -> None:
        """Where a platform has asked for patience, another house waits as well."""
        since, until, house = self.waits.get(call.place, (0.0, 0.0, None))
        if call.of_telegram and call.line in SENDS + EDITS and call.by is not house:
            self.promises.holds(
                "patience outlives a house",
                not since + UNDER_WAY < call.at < until,
                f"{call.place}: {call.line} at {call.at:.3f}, asked to wait until {until:.3f}",
            )
