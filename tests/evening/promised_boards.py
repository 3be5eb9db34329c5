"""What must hold of boards on their way to a place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.presenters.button_codes import base36
from tests.evening.wire import EDITS, SENDS, Call, patience_of

UNDER_WAY = 1.0
"""Seconds after which a call was made in the knowledge of what was answered before."""


def newest(turns: Iterable[str]) -> int:
    """The latest of the *turns* of buttons, which count in base 36."""
    return max((int(one, 36) for one in turns), default=0)


class BoardPromises:
    """Hears of each call, and tells the promises of an evening."""

    def __init__(self, promises: Any) -> None:
        self.promises = promises
        self.waits: dict[str, tuple[float, float, object]] = {}
        """Since when and until when a chat of Telegram wants patience, and of which house."""
        self.showed: dict[tuple[str, str], tuple[float, set[str], object]] = {}
        """Since when a house knows that a message shows a present turn of a table, and which."""
        promises.net.heard.append(lambda call, _: self._comes(call))
        promises.net.heard.append(self._goes_on)
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

    def _goes_on(self, call: Call, answer: object) -> None:
        """Where a message has shown what a table asks now, nothing older comes there."""
        if call.platform not in ("telegram", "discord"):
            return
        now, number = self.promises.world.loop.now, call.shown(answer)
        turns = {code[2] for code in call.codes() if code[0] == "m"}
        for code in sorted(call.tables()) if turns else ():
            table = self.promises.model.tables.get(code)
            if table is None or not table.actors():
                continue
            if min(int(one, 36) for one in turns) > table.version:
                continue  # a house that was killed as it stored a change told nobody of it
            present = {base36(one) for one in (*table.turns, table.version)}
            since, showed, house = self.showed.get((number, code), (now, set(), None))
            if turns & present:
                self.showed[number, code] = now + call.back, turns & present, call.by
            elif showed & present and newest(turns) <= newest(showed):
                since += 0.0 if call.by is house else UNDER_WAY
                self.promises.holds(
                    "a message never goes back",
                    not since < call.at,
                    f"{code} on {number}: {call.key} shows {turns}, it was {showed} at {since:.3f}",
                )
