"""Ends calls into games of other packages that never come back, and leaves such a game out.

Games are asked in this process, by presses, boards and pictures: an endless loop in one of them
would stop all others. What counts is how long the call itself has worked, so that a busy machine
ends none.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import psutil

from bot.facade import Facade
from games.core.shelf import LEFT_OUT, game_packages, leave_out

log = logging.getLogger(__name__)

LONGEST = 10.0
"""The seconds of processor time that one call may take."""

EVERY = 1.0
"""The seconds between two looks."""


class GameHangs(Exception):
    """A call into a game of another package has worked for too long."""

    def __str__(self) -> str:
        return "a game of another package did not come back"


@dataclass(frozen=True)
class _Call:
    """A call into the game *key*, and how long its thread had *worked* when it was seen first."""

    key: str
    frame: FrameType
    worked: float


@dataclass
class PackageWatch:
    """Looks at what all threads do; *folders* are those of the games' code, by key.

    *hangs* is called, in the thread that looks, with the key of a game of which a call was ended.
    """

    folders: Mapping[str, str]
    hangs: Callable[[str], None]
    longest: float
    _calls: dict[int, _Call] = field(default_factory=dict)

    def look(self) -> None:
        """Compare what runs with what ran at the look before, and end what runs for too long."""
        found = {
            thread: call
            for thread, frame in sys._current_frames().items()
            if (call := self._outermost(frame)) is not None
        }
        worked = _worked() if found else {}
        self._calls = {
            thread: self._seen(thread, key, frame, worked.get(thread, 0.0))
            for thread, (key, frame) in found.items()
        }
        for thread, begun in self._calls.items():
            over = worked.get(thread, 0.0) - begun.worked > self.longest
            if over and self._end(thread, begun):
                self.hangs(begun.key)

    def _seen(self, thread: int, key: str, frame: FrameType, worked: float) -> _Call:
        known = self._calls.get(thread)
        # The frame is kept, so that no later call can have the same one.
        if known is not None and known.frame is frame:
            return known
        return _Call(key, frame, worked)

    def _outermost(self, frame: FrameType | None) -> tuple[str, FrameType] | None:
        """The call from our code into a game that *frame* is in, and that game's key."""
        found = None
        while frame is not None:
            file = frame.f_code.co_filename
            for key, folder in self.folders.items():
                if file.startswith(folder):
                    found = key, frame
            frame = frame.f_back
        return found

    def _end(self, thread: int, call: _Call) -> bool:
        """Raise ``GameHangs`` in *thread* if it still is in *call*; whether it was."""
        now = self._outermost(sys._current_frames().get(thread))
        if now is None or now[1] is not call.frame:
            return False
        # Nothing else runs between this look and the next line: it is raised within the call.
        return _raise_in(thread, GameHangs)


def _worked() -> dict[int, float]:
    """The seconds of processor time of our threads, by the idents that Python gives them."""
    native = {thread.native_id: thread.ident for thread in threading.enumerate()}
    times = psutil.Process().threads()
    return {
        ident: one.user_time + one.system_time
        for one in times
        if (ident := native.get(one.id)) is not None
    }


def _raise_in(thread: int, error: type[Exception]) -> bool:
    raised = ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error)
    )
    return bool(raised)


@contextmanager
def watching_packages(facade: Facade) -> Iterator[None]:
    """Leave out a game of another package as soon as a call into it hangs; for the event loop."""
    loop = asyncio.get_running_loop()

    def hangs(key: str) -> None:
        reason = f"a call into it worked longer than {LONGEST:.0f} seconds"
        log.error("the game %s is left out until the next start: %s", key, reason)
        os.environ[LEFT_OUT] = f"{os.environ.get(LEFT_OUT, '')} {key}".strip()
        leave_out({key: reason})
        loop.call_soon_threadsafe(facade.services.tables.forget_game, key)

    with _looking(PackageWatch(_folders(), hangs, LONGEST)):
        yield


def _folders() -> dict[str, str]:
    """The folders of the games of other packages, by key."""
    modules = {key: sys.modules[one.module].__file__ for key, one in game_packages().items()}
    return {key: f"{Path(file).parent}{os.sep}" for key, file in modules.items() if file}


@contextmanager
def _looking(watch: PackageWatch) -> Iterator[None]:
    """Look every second in a thread of its own, if there is anything to look for."""
    if not watch.folders:
        yield
        return
    ended = threading.Event()

    def look_on() -> None:
        while not ended.wait(EVERY):
            with contextlib.suppress(psutil.Error):
                watch.look()

    looking = threading.Thread(target=look_on, name="games of other packages", daemon=True)
    looking.start()
    try:
        yield
    finally:
        ended.set()
        looking.join()
